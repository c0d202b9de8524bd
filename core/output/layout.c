#include "core/output/layout.h"

#include "core/base/mem.h"

#include <string.h>

/* What the same datasets are called in words, by what is laid out. */
static const struct words { const char *h, *impulse, *element, *stage, *event_element; } words[] = {
    [LAYOUT_ELEMENTS] = { "element length", "impulse at the start of the element, or in it while time is frozen",
                          "finite element", "Runge-Kutta stage; -1: initial point",
                          "finite element that begins there" },
    [LAYOUT_PIECES] = { "length of the smooth piece", "impulse at the start of the piece", "step; -1: none",
                        "-1: none", "-1: none" },
    [LAYOUT_STEPS] = { "length of the step", "impulse of the step", "step; -1: none", "-1: none", "-1: none" },
};

/* Normal, tangential, and as many more tangential parts as a contact has. */
static int n_impulses(const struct model *model)
{
    int n = 2;
    for (int c = 0; c < model->contacts.n_contact; c++)
        n = 1 + model->contacts.contact[c].n_t > n ? 1 + model->contacts.contact[c].n_t : n;
    return n;
}

/* --- Over points and over time ------------------------------------------------------------------------------- */

static void write_columns(const struct layout *to, struct result_group *group, int axis, int n,
                          const double *column)
{
    struct arena mem = { NULL };
    const int n_column = columns_count(to->model);
    const struct result_rows rows = { column, (size_t)n_column * sizeof *column, n };
    result_fields(group, 1, &axis, rows, n_column, columns_describe(to->model, &mem));
    arena_free(&mem);
}

double *layout_add_point(const struct model *model, struct layout_points *list, struct layout_point point)
{
    const int n_column = columns_count(model);
    list->point = mem_grow(list->point, list->n, 1, sizeof *list->point);
    list->column = mem_grow(list->column, list->n * n_column, n_column, sizeof *list->column);
    list->point[list->n] = point;
    return list->column + (size_t)list->n++ * (size_t)n_column;
}

void layout_trajectory(const struct layout *to, const struct layout_points *points)
{
#define AT(name) offsetof(struct layout_point, name)
    const struct result_field fields[] = {
        { .name = "t", RESULT_DOUBLE, AT(t), UNITS_TIME, "physical time" },
        { .name = "t_num", RESULT_DOUBLE, AT(t_num), UNITS_TIME, "numerical time" },
        { .name = "element", RESULT_INT, AT(element), NULL, words[to->of].element },
        { .name = "stage", RESULT_INT, AT(stage), NULL, words[to->of].stage },
        { .name = "side", RESULT_INT, AT(side), NULL, "-1 left limit, 0 inside, 1 right limit" },
        { .name = "is_physical", RESULT_FLAG, AT(is_physical), NULL, "0 in frozen time" },
        { .name = "dt_dt_num", RESULT_DOUBLE, AT(rate), "1", "rate of physical time, by numerical time" },
    };
#undef AT
    struct result_group *group = result_group(to->result, "/trajectory");
    const int n = points->n, axis = result_axis(group, "point", n, NULL, NULL, NULL);
    result_set_text(group, "coordinates", "t");
    const struct result_rows rows = { points->point, sizeof *points->point, n };
    result_fields(group, 1, &axis, rows, to->freezes ? COUNT(fields) : COUNT(fields) - 1, fields);
    write_columns(to, group, axis, n, points->column);
}

void layout_uniform(const struct layout *to, const char *path, int n, const double *t, const double *column)
{
    struct result_group *group = result_group(to->result, path);
    write_columns(to, group, result_axis(group, "t", n, t, UNITS_TIME, "physical time"), n, column);
}

void layout_bounds(const struct layout *to, const char *path)
{
    const struct model *model = to->model;
    struct result_group *group = result_group(to->result, path);
    for (int i = 0; i < model->n_x + model->n_u; i++) {
        const struct model_var *var = i < model->n_x ? &model->x[i] : &model->u[i - model->n_x];
        if (result_data_find(group, var->name))
            result_set_bounds(group, var->name, var->lb, var->ub);
    }
}

/* --- Grid ---------------------------------------------------------------------------------------------------- */

/* The axis of states or controls; its coordinates are their names. */
static int name_variables(struct result_group *group, const char *name, int n, const struct model_var *var)
{
    const int axis = result_axis(group, name, n, NULL, NULL, NULL);
    const struct result_field field = { .name = name, RESULT_TEXT, offsetof(struct model_var, name) };
    result_fields(group, 1, &axis, (struct result_rows){ var, sizeof *var, n }, 1, &field);
    return axis;
}

int layout_states(struct result_group *group, const struct model *model)
{
    return name_variables(group, "state", model->n_x, model->x);
}

static int name_contacts(struct result_group *group, const struct model *model)
{
    static const struct result_field field = { .name = "contact", RESULT_TEXT, offsetof(struct model_contact, name) };
    const int n = model->contacts.n_contact, axis = result_axis(group, "contact", n, NULL, NULL, NULL);
    const struct result_rows rows = { model->contacts.contact, sizeof *model->contacts.contact, n };
    result_fields(group, 1, &axis, rows, 1, &field);
    return axis;
}

/* impulse_n, impulse_t, impulse_t2, .. of rows that hold them at `offset`. */
static void write_impulses(const struct layout *to, struct result_group *group, int n_axes, const int *axis,
                           struct result_rows rows, size_t offset, const char *long_name)
{
    const struct result_field fields[] = {
        { .name = "impulse_n", RESULT_DOUBLE, offset, UNITS_IMPULSE, long_name },
        { .name = "impulse_t", RESULT_DOUBLE, offset + sizeof(double), UNITS_IMPULSE, long_name },
        { .name = "impulse_t2", RESULT_DOUBLE, offset + 2 * sizeof(double), UNITS_IMPULSE, long_name },
        { .name = "impulse_t3", RESULT_DOUBLE, offset + 3 * sizeof(double), UNITS_IMPULSE, long_name },
    };
    result_fields(group, n_axes, axis, rows, n_impulses(to->model), fields);
}

static double *weights_of(const struct layout *to, struct arena *mem)
{
    double *weight = arena_alloc(mem, SLIP_MAX * (size_t)to->model->contacts.n_contact, sizeof *weight);
    model_weights(to->model, to->p, weight);
    return weight;
}

/* Forces or impulses of contacts along their tangents, from those of weighted slip: n rows of all contacts. */
static double *weigh(const struct layout *to, int n, const double *force, struct arena *mem)
{
    const struct model *model = to->model;
    const size_t size = (size_t)n * (size_t)model->contacts.n_contact * CONTACT_ROWS;
    double *out = arena_copy(mem, force, size, sizeof *out), *weight = weights_of(to, mem);
    for (int k = 0; k < n * model->contacts.n_contact; k++)
        for (int q = 0; q < SLIP_MAX; q++)
            out[CONTACT_ROWS * k + 1 + q] *= weight[SLIP_MAX * (k % model->contacts.n_contact) + q];
    return out;
}

static void write_elements(const struct layout *to, const struct layout_grid *grid, struct result_group *group,
                           int element)
{
#define AT(name) offsetof(struct layout_element, name)
    const struct result_field times[] = {
        { .name = "h", RESULT_DOUBLE, AT(h), UNITS_TIME, words[to->of].h },
        { .name = "t_start", RESULT_DOUBLE, AT(t_start), UNITS_TIME },
        { .name = "t_end", RESULT_DOUBLE, AT(t_end), UNITS_TIME },
        { .name = "t_num_start", RESULT_DOUBLE, AT(t_num_start), UNITS_TIME },
        { .name = "t_num_end", RESULT_DOUBLE, AT(t_num_end), UNITS_TIME },
    };
#undef AT
    static const struct result_field start = { .name = "x_start", .type = RESULT_DOUBLE };
    static const struct result_field end = { .name = "x_end", .type = RESULT_DOUBLE };
    static const struct result_field stages = { .name = "x_stage", .type = RESULT_DOUBLE };
    const int s = grid->n_stage;
    const bool numerical = to->of == LAYOUT_ELEMENTS;
    result_fields(group, 1, &element, grid->element, numerical ? COUNT(times) : COUNT(times) - 2, times);
    const int stage = s > 0 ? result_axis(group, "stage", s, NULL, NULL, NULL) : -1;
    const int state = layout_states(group, to->model);
    result_fields(group, 2, (const int[]){ element, state }, grid->x_start, 1, &start);
    result_fields(group, 2, (const int[]){ element, state }, grid->x_end, 1, &end);
    if (s == 0)
        return;
    result_fields(group, 3, (const int[]){ element, stage, state }, grid->x_stage, 1, &stages);
    if (grid->c)
        result_doubles(group, "c", 1, &stage, grid->c, NULL, "where the stage is, as a part of the element", NULL);
}

/* Forces at the stages, of the polynomial of degree n_stage - 1 through them. */
static void write_stage_forces(const struct layout *to, const struct layout_grid *grid, struct result_group *group,
                               int element, int contact)
{
    static const struct result_field fields[] = {
        { .name = "lambda_n", RESULT_DOUBLE, 0, UNITS_FORCE, "normal force at the stages" },
        { .name = "lambda_t", RESULT_DOUBLE, sizeof(double), UNITS_FORCE, "tangential force at the stages" },
        { .name = "lambda_t2", RESULT_DOUBLE, 2 * sizeof(double), UNITS_FORCE, "second tangential force at the stages" },
        { .name = "lambda_t3", RESULT_DOUBLE, 3 * sizeof(double), UNITS_FORCE, "third tangential force at the stages" },
    };
    const int axes[3] = { element, result_axis_find(group, "stage"), contact };
    struct arena mem = { NULL };
    const double *force = weigh(to, grid->n * grid->n_stage, grid->force, &mem);
    const struct result_rows rows = { force, CONTACT_ROWS * sizeof(double),
                                      grid->n * grid->n_stage * to->model->contacts.n_contact };
    result_fields(group, 3, axes, rows, n_impulses(to->model), fields);
    arena_free(&mem);
}

/* Nothing where no control is one of a few values. */
static void write_few_values(struct result_group *group, int axis, int n_u, const struct model_var *u)
{
    struct arena mem = { NULL };
    unsigned char *few = arena_alloc(&mem, (size_t)n_u, sizeof *few);
    int n = 0;
    for (int k = 0; k < n_u; k++)
        n += few[k] = u[k].n_value > 0;
    if (n > 0)
        result_values(group, "few_values", RESULT_FLAG, 1, &axis, few, NULL, "1: it is one of a few values", NULL);
    arena_free(&mem);
}

static void write_intervals(const struct layout *to, const struct layout_grid *grid, struct result_group *group,
                            int interval)
{
    const int n_u = to->model->n_u;
    result_doubles(group, "t_interval", 1, &interval, grid->t_interval, UNITS_TIME,
                   "start of the control interval", NULL);
    if (to->freezes && grid->speed)
        result_doubles(group, "speed_of_time", 1, &interval, grid->speed, "1",
                       "speed of time in the control interval: dt/dt_num where nothing touches", NULL);
    if (n_u == 0 || !grid->u)
        return;
    const int axes[2] = { interval, name_variables(group, "control", n_u, to->model->u) };
    result_doubles(group, "u", 2, axes, grid->u, NULL, "controls", NULL);
    write_few_values(group, axes[1], n_u, to->model->u);
}

void layout_grid(const struct layout *to, const struct layout_grid *grid)
{
    const int n_c = to->model->contacts.n_contact;
    struct result_group *group = result_group(to->result, "/grid");
    const int element = result_axis(group, "element", grid->n, NULL, NULL, NULL);
    write_elements(to, grid, group, element);
    if (n_c > 0) {
        const int axes[2] = { element, name_contacts(group, to->model) };
        struct arena mem = { NULL };
        const double *impulse = weigh(to, grid->n, grid->impulse, &mem);
        const struct result_rows rows = { impulse, CONTACT_ROWS * sizeof(double), grid->n * n_c };
        write_impulses(to, group, 2, axes, rows, 0, words[to->of].impulse);
        arena_free(&mem);
        if (grid->force)
            write_stage_forces(to, grid, group, element, axes[1]);
    }
    if (grid->t_interval)
        write_intervals(to, grid, group, result_axis(group, "interval", grid->n_interval, NULL, NULL, NULL));
}

/* --- Events -------------------------------------------------------------------------------------------------- */

/* Events with impulses along tangents. */
static struct layout_event *weigh_events(const struct layout *to, int n, const struct layout_event *event,
                                         struct arena *mem)
{
    const struct model *model = to->model;
    struct layout_event *out = arena_copy(mem, event, (size_t)n, sizeof *out);
    const double *weight = weights_of(to, mem);
    for (int k = 0; k < n; k++)
        for (int c = 0; c < model->contacts.n_contact; c++)
            for (int q = 0; q < SLIP_MAX && strcmp(out[k].name, model->contacts.contact[c].name) == 0; q++)
                out[k].impulse[1 + q] *= weight[SLIP_MAX * c + q];
    return out;
}

void layout_events(const struct layout *to, int n, const struct layout_event *event, const double *x)
{
    struct arena mem = { NULL };
#define AT(name) offsetof(struct layout_event, name)
    const struct result_field fields[] = {
        { .name = "t", RESULT_DOUBLE, AT(t), UNITS_TIME, "physical time" },
        { .name = "t_num", RESULT_DOUBLE, AT(t_num), UNITS_TIME, "numerical time" },
        { .name = "element", RESULT_INT, AT(element), NULL, words[to->of].event_element },
        { .name = "kind", RESULT_TEXT, AT(kind), NULL, "what happens" },
        { .name = "name", RESULT_TEXT, AT(name), NULL, "contact or switch" },
    };
    const size_t n_x = (size_t)to->model->n_x;
    const struct result_field states[] = {
        { .name = "x_minus", RESULT_DOUBLE, 0, NULL, "state before" },
        { .name = "x_plus", RESULT_DOUBLE, n_x * sizeof *x, NULL, "state after" },
    };
    const struct result_rows rows = { weigh_events(to, n, event, &mem), sizeof *event, n };
    struct result_group *group = result_group(to->result, "/events");
    const int axis = result_axis(group, "event", n, NULL, NULL, NULL);
    result_fields(group, 1, &axis, rows, COUNT(fields), fields);
    write_impulses(to, group, 1, &axis, rows, AT(impulse), NULL);
    const int axes[2] = { axis, layout_states(group, to->model) };
    result_fields(group, 2, axes, (struct result_rows){ x, 2 * n_x * sizeof *x, n }, COUNT(states), states);
    arena_free(&mem);
#undef AT
}
