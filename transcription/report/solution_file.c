#include "transcription/report/solution_file.h"

#include "core/model/read/read.h"
#include "core/output/columns.h"

#include <math.h>
#include <string.h>

static enum status missing(const char *path, const char *what, struct diag *diag)
{
    return diag_fail(diag, STATUS_IO, "%s: holds no solution to verify: %s is missing; `cocp solve` writes it",
                     path, what);
}

/* --- The problem ------------------------------------------------------------------------------------------ */

static enum status read_problem(const char *path, struct solution_file *file, struct diag *diag)
{
    const struct result_data *text = result_data_of(file->result, "/spec", "resolved");
    if (!text || !text->text || text->n < 1)
        return missing(path, "/spec/resolved", diag);
    const char *name = arena_printf(&file->mem, "%s:/spec/resolved", path);
    enum status st = spec_read_stored(name, text->text[0], &file->spec, diag);
    if (st == STATUS_OK)
        st = model_read(file->spec, file->is_simulation ? MODEL_FOR_SIMULATE : MODEL_FOR_SOLVE, &file->model, diag);
    if (st != STATUS_OK)
        return st;
    result_set_time_unit(file->result, file->model->time.unit);
    const struct setting_eval eval = model_eval(file->model);
    const struct spec_node *root = spec_root(file->spec);
    st = simulate_settings_read(spec_get(root, simulate_table.block), &eval, &file->simulate, diag);
    if (st == STATUS_OK)
        st = settings_read(&verify_table, spec_get(root, verify_table.block), &eval, &file->verify, diag);
    if (st == STATUS_OK)
        st = settings_read(&output_table, spec_get(root, output_table.block), &eval, &file->output, diag);
    return st;
}

static enum status read_optimized(const char *path, struct solution_file *file, struct diag *diag)
{
    const struct model *model = file->model;
    double *p = arena_alloc(&file->mem, (size_t)model->n_p, sizeof *p);
    for (int k = 0; k < model->n_p; k++) {
        const char *name = model->param[model->p_param[k]].name;
        const struct result_data *data = result_data_of(file->result, "/parameters", name);
        if (!data || !data->d || data->n != 1)
            return missing(path, arena_printf(&file->mem, "/parameters/%s", name), diag);
        p[k] = data->d[0];
    }
    file->solution.p = p;
    return STATUS_OK;
}

/* --- The points ------------------------------------------------------------------------------------------- */

/* The columns of /trajectory that are needed, all of the same length. */
struct columns { const double *t, *t_num; const int *element, *side; const unsigned char *is_physical; int n; };

static enum status find_columns(const char *path, const struct result *result, struct columns *col,
                                struct diag *diag)
{
    static const char *const names[] = { "t", "t_num", "element", "side", "is_physical" };
    const struct result_data *data[5];
    for (int k = 0; k < 5; k++) {
        data[k] = result_data_of(result, "/trajectory", names[k]);
        if (!data[k] || data[k]->n < 2 || data[k]->n != data[0]->n)
            return missing(path, "/trajectory", diag);
    }
    *col = (struct columns){ data[0]->d, data[1]->d, data[2]->i, data[3]->i, data[4]->flag, data[0]->n };
    const bool typed = col->t && col->t_num && col->element && col->side && col->is_physical;
    return typed ? STATUS_OK : missing(path, "/trajectory", diag);
}

/* A column of doubles of /trajectory into every stride-th place of `to`. */
static enum status copy_column(const char *path, struct solution_file *file, const char *name, int n, double *to,
                               int stride, struct diag *diag)
{
    const struct result_data *data = result_data_of(file->result, "/trajectory", name);
    if (!data || !data->d || data->n != n)
        return missing(path, arena_printf(&file->mem, "/trajectory/%s", name), diag);
    for (int k = 0; k < n; k++)
        to[(size_t)k * (size_t)stride] = data->d[k];
    return STATUS_OK;
}

static enum status copy_forces(const char *path, struct solution_file *file, int n, double *force,
                               struct diag *diag)
{
    const struct model *model = file->model;
    enum status st = STATUS_OK;
    for (int c = 0; c < model->contacts.n_contact; c++)
        for (int part = 0; part <= model->contacts.contact[c].n_t && st == STATUS_OK; part++)
            st = copy_column(path, file,
                             columns_contact_name(&model->contacts.contact[c], "lambda", part, &file->mem), n,
                             force + CONTACT_ROWS * c + part, model_n_force(model), diag);
    for (int k = 0; k < model->switching.n_projection && st == STATUS_OK; k++)
        st = copy_column(path, file, columns_reaction_name(&model->switching.projection[k], &file->mem), n,
                         force + CONTACT_ROWS * model->contacts.n_contact + k, model_n_force(model), diag);
    double *weight = arena_alloc(&file->mem, SLIP_MAX * (size_t)model->contacts.n_contact, sizeof *weight);
    model_weights(model, file->solution.p, weight);
    for (int k = 0; k < n * model->contacts.n_contact && st == STATUS_OK; k++)
        for (int q = 0; q < SLIP_MAX; q++)
            force[k / model->contacts.n_contact * model_n_force(model)
                  + k % model->contacts.n_contact * CONTACT_ROWS + 1 + q]
                /= weight[SLIP_MAX * (k % model->contacts.n_contact) + q];
    return st;
}

static enum status read_points(const char *path, struct solution_file *file, struct diag *diag)
{
    const struct model *model = file->model;
    struct columns col = { .n = 0 };
    enum status st = find_columns(path, file->result, &col, diag);
    if (st != STATUS_OK)
        return st;
    double *x = arena_alloc(&file->mem, (size_t)col.n * (size_t)model->n_x, sizeof *x);
    double *force = arena_alloc(&file->mem, (size_t)col.n * (size_t)model_n_force(model), sizeof *force);
    for (int i = 0; i < model->n_x && st == STATUS_OK; i++)
        st = copy_column(path, file, model->x[i].name, col.n, x + i, model->n_x, diag);
    if (st == STATUS_OK)
        st = copy_forces(path, file, col.n, force, diag);
    struct replay_point *point = arena_alloc(&file->mem, (size_t)col.n, sizeof *point);
    file->n_row = col.n;
    file->row = arena_alloc(&file->mem, (size_t)col.n, sizeof *file->row);
    int n = 0;
    for (int k = 0; k < col.n; k++)
        if (col.is_physical[k]) {
            file->row[n] = k;
            point[n++] = (struct replay_point){
                .t = col.t[k], .t_num = col.t_num[k], .element = col.element[k], .side = col.side[k],
                
                .is_polynomial = col.side[k] <= 0 && !file->is_simulation, .x = x + (size_t)k * (size_t)model->n_x,
                .force = force + (size_t)k * (size_t)model_n_force(model)
            };
        }
    if (st == STATUS_OK && (n < 2 || !(point[n - 1].t > point[0].t)))
        st = missing(path, "/trajectory", diag);
    file->solution.n_point = n;
    file->solution.point = point;
    return st;
}

/* --- Controls and events ---------------------------------------------------------------------------------- */

/* A simulation without a table of controls has expressions in their place, or none at all; its
 * intervals are some of the steps. */
static enum status read_replaced_controls(const char *path, struct solution_file *file, struct diag *diag)
{
    enum { N_PARTS = 20 };
    struct model *model = file->model;
    const struct replay_point *point = file->solution.point;
    const int n_point = file->solution.n_point;
    const struct spec_node *node = spec_get(spec_get(spec_root(file->spec), simulate_table.block), "controls");
    double *start = arena_alloc(&file->mem, N_PARTS, sizeof *start);
    if (model->n_u > 0 && (!node || node->kind != SPEC_MAPPING))
        return missing(path, "/grid/u", diag);
    int n = 0;
    for (int k = 0; k < n_point - 1; k += 1 + n_point / N_PARTS)
        if (n == 0 || point[k].t > start[n - 1])
            start[n++] = point[k].t;
    file->solution.controls = (struct sim_controls){ n, start, NULL };
    if (model->n_u == 0)
        return STATUS_OK;
    file->u_expr = arena_alloc(&file->mem, (size_t)model->n_u, sizeof *file->u_expr);
    file->solution.u_expr = file->u_expr;
    return model_replace_controls(model, node, file->u_expr, diag);
}

/* A row for each control interval. */
static enum status read_controls(const char *path, struct solution_file *file, struct diag *diag)
{
    const struct model *model = file->model;
    const struct result_data *t = result_data_of(file->result, "/grid", "t_interval");
    const struct result_data *u = result_data_of(file->result, "/grid", "u");
    const struct result_data *name = result_data_of(file->result, "/grid", "control");
    if (file->is_simulation && (!t || model->n_u == 0 || !u))
        return read_replaced_controls(path, file, diag);
    if (!t || !t->d || t->n < 1)
        return missing(path, "/grid/t_interval", diag);
    if (model->n_u > 0 && (!u || !u->d || !name || !name->text || u->n != (long long)t->n * name->n))
        return missing(path, "/grid/u", diag);
    double *row = arena_alloc(&file->mem, (size_t)t->n * (size_t)model->n_u, sizeof *row);
    for (int k = 0; k < model->n_u; k++) {
        const int column = result_index_of_text(name, model->u[k].name);
        if (column < 0)
            return missing(path, arena_printf(&file->mem, "the control %s", model->u[k].name), diag);
        for (int i = 0; i < t->n; i++) {
            row[i * model->n_u + k] = u->d[i * name->n + column];
            if (!isfinite(row[i * model->n_u + k]))
                return diag_fail(diag, STATUS_IO, "%s: %s is %g in the control interval from t = %g", path,
                                 model->u[k].name, row[i * model->n_u + k], t->d[i]);
        }
    }
    file->solution.controls = replay_rows(model, t->n, t->d, row, &file->mem);
    return STATUS_OK;
}

/* Of row q of a contact by its name. */
static double weight_of(const struct model *model, const double *weight, const char *name, int q)
{
    for (int c = 0; c < model->contacts.n_contact && q > 0; c++)
        if (strcmp(model->contacts.contact[c].name, name) == 0)
            return weight[SLIP_MAX * c + q - 1];
    return 1;
}

/* Events are wanted but not needed. */
static void read_events(struct solution_file *file)
{
    static const char *const impulse[] = { "impulse_n", "impulse_t", "impulse_t2", "impulse_t3" };
    const int n_x = file->model->n_x;
    const struct result_data *t = result_data_of(file->result, "/events", "t");
    const struct result_data *kind = result_data_of(file->result, "/events", "kind");
    const struct result_data *name = result_data_of(file->result, "/events", "name");
    if (!t || !t->d || !kind || !kind->text || !name || !name->text || kind->n != t->n || name->n != t->n)
        return;
    struct replay_event *event = arena_alloc(&file->mem, (size_t)t->n, sizeof *event);
    for (int k = 0; k < t->n; k++)
        event[k] = (struct replay_event){ .t = t->d[k], .kind = kind->text[k], .name = name->text[k] };
    const struct result_data *x[2] = { result_data_of(file->result, "/events", "x_minus"),
                                       result_data_of(file->result, "/events", "x_plus") };
    for (int k = 0; k < t->n && x[0] && x[1] && x[0]->d && x[1]->d && x[0]->n == t->n * n_x && x[1]->n == x[0]->n; k++) {
        event[k].x_minus = x[0]->d + k * n_x;
        event[k].x_plus = x[1]->d + k * n_x;
    }
    double *weight = arena_alloc(&file->mem, SLIP_MAX * (size_t)file->model->contacts.n_contact, sizeof *weight);
    model_weights(file->model, file->solution.p, weight);
    for (int q = 0; q < CONTACT_ROWS; q++) {
        const struct result_data *data = result_data_of(file->result, "/events", impulse[q]);
        for (int k = 0; data && data->d && data->n == t->n && k < t->n; k++)
            event[k].impulse[q] = data->d[k] / weight_of(file->model, weight, event[k].name, q);
    }
    file->solution.n_event = t->n;
    file->solution.event = event;
}

/* A simulation may begin with a jump, of which its first point is the right limit. */
static void add_left_limit(struct solution_file *file)
{
    struct replay_solution *solution = &file->solution;
    const struct replay_event *event = solution->event;
    const int n = solution->n_point;
    if (!file->is_simulation || solution->n_event == 0 || event->t > solution->point[0].t || !event->x_minus
        || memcmp(event->x_minus, solution->point[0].x, (size_t)file->model->n_x * sizeof(double)) == 0)
        return;
    struct replay_point *point = arena_alloc(&file->mem, (size_t)n + 1, sizeof *point);
    int *row = arena_alloc(&file->mem, (size_t)n + 1, sizeof *row);
    memcpy(point + 1, solution->point, (size_t)n * sizeof *point);
    memcpy(row + 1, file->row, (size_t)n * sizeof *row);
    point[0] = point[1];
    point[0].x = event->x_minus;
    point[0].side = -1;
    point[1].side = 1;
    row[0] = -1;
    solution->point = point;
    solution->n_point = n + 1;
    file->row = row;
}

/* --- The whole -------------------------------------------------------------------------------------------- */

static enum status read_all(const char *path, struct solution_file *file, struct diag *diag)
{
    file->is_simulation = !result_find(file->result, "/residuals");
    enum status st = read_problem(path, file, diag);
    if (st == STATUS_OK)
        st = read_optimized(path, file, diag);
    if (st == STATUS_OK)
        st = read_points(path, file, diag);
    if (st != STATUS_OK)
        return st;
    if (file->model->time.horizon_free)
        file->model->time.horizon = file->solution.point[file->solution.n_point - 1].t;
    read_events(file);
    add_left_limit(file);
    file->solution.objective = result_get_double(result_find(file->result, "/"), "objective");
    return read_controls(path, file, diag);
}

enum status solution_file_of(struct result *result, const char *name, struct solution_file *file, struct diag *diag)
{
    *file = (struct solution_file){ .result = result, .is_borrowed = true };
    return read_all(name, file, diag);
}

enum status solution_file_read(const char *path, struct solution_file *file, struct diag *diag)
{
    *file = (struct solution_file){ .result = NULL };
    const enum status st = result_read(path, &file->result, diag);
    return st == STATUS_OK ? read_all(path, file, diag) : st;
}

void solution_file_free(struct solution_file *file)
{
    if (!file->is_borrowed)
        result_free(file->result);
    model_free(file->model);
    spec_free(file->spec);
    arena_free(&file->mem);
}
