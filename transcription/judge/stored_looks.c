/* Names, units and words of what a result shows, made again by those who wrote them; and the drawing. */
#include "transcription/judge/alike.h"
#include "transcription/judge/stored_parts.h"

#include "core/output/layout.h"
#include "core/output/scene.h"

#include <math.h>
#include <string.h>

/* --- /trajectory, /uniform, /grid, /events: laid out once more, without numbers ------------------------------ */

/* Times are in the unit of the spec. */
static struct result *result_of_time(const struct stored *at)
{
    struct result *result = result_create();
    result_set_time_unit(result, at->file->model->time.unit);
    return result;
}

static struct layout layout_again(const struct stored *at, struct result *again)
{
    const struct result *file = at->file->result;
    const bool has_stages = result_data_of(file, "/grid", "x_stage"),
               has_num = result_data_of(file, "/grid", "t_num_start");
    return (struct layout){ again, at->file->model, has_num ? LAYOUT_ELEMENTS : has_stages ? LAYOUT_PIECES : LAYOUT_STEPS,
                            at->file->solution.p, result_data_of(file, "/trajectory", "dt_dt_num") };
}

static void lay_out_points(const struct stored *at, const struct layout *to, struct arena *mem)
{
    const size_t n_column = (size_t)columns_count(at->file->model);
    const int n_row = at->file->n_row;
    int n;
    const double *t = stored_times(at, "/uniform", &n);
    struct layout_points points = { n_row, arena_alloc(mem, (size_t)n_row, sizeof *points.point),
                                    arena_alloc(mem, (size_t)n_row * n_column, sizeof(double)) };
    layout_trajectory(to, &points);
    if (t)
        layout_uniform(to, "/uniform", n, t, arena_alloc(mem, (size_t)n * n_column, sizeof(double)));
    if (at->file->is_simulation)
        return;
    layout_bounds(to, "/trajectory");
    if (t)
        layout_bounds(to, "/uniform");
}

/* Does the file hold as much as its axes say? Where it does not /grid is found to be off elsewhere. */
static bool has_sizes(const struct stored *at, int n, int n_stage, int n_interval)
{
    const struct result *file = at->file->result;
    const struct result_data *x = result_data_of(file, "/grid", "x_start"),
                             *stage = result_data_of(file, "/grid", "x_stage");
    const struct result_data *t = result_data_of(file, "/grid", "t_interval");
    const long long n_x = at->file->model->n_x;
    return x && x->n == n_x * n && (n_stage < 1 || (stage && stage->n == n_x * n * n_stage))
           && (n_interval < 1 || (t && t->n == n_interval));
}

static void lay_out_grid(const struct stored *at, const struct layout *to, struct arena *mem)
{
    const struct result *file = at->file->result;
    const struct model *model = at->file->model;
    const int n = result_axis_size(file, "/grid", "element"), s = result_axis_size(file, "/grid", "stage");
    const int n_interval = result_axis_size(file, "/grid", "interval");
    if (n < 1 || !has_sizes(at, n, s, n_interval))
        return;
    const size_t n_x = (size_t)model->n_x, n_c = (size_t)model->contacts.n_contact;
    const size_t rows = (size_t)n, stages = (size_t)(s > 0 ? s : 0);
    const double *x = arena_alloc(mem, rows * n_x * (stages + 1), sizeof *x);
    const struct result_rows states = { x, n_x * sizeof *x, n };
    const double *force = arena_alloc(mem, rows * (stages + 1) * n_c, CONTACT_ROWS * sizeof(double));
    const double *u = arena_alloc(mem, (size_t)(n_interval > 0 ? n_interval : 0) * (size_t)model->n_u, sizeof *u);
    layout_grid(to, &(struct layout_grid){
        .n = n, .element = { arena_alloc(mem, rows, sizeof(struct layout_element)), sizeof(struct layout_element), n },
        .x_start = states, .x_end = states, .n_stage = (int)stages,
        .c = result_data_of(file, "/grid", "c") ? arena_alloc(mem, stages, sizeof(double)) : NULL,
        .x_stage = { x, stages * n_x * sizeof *x, n }, .impulse = force,
        .force = result_data_of(file, "/grid", "lambda_n") ? force : NULL, .n_interval = n_interval,
        .t_interval = n_interval > 0 ? arena_alloc(mem, (size_t)n_interval, sizeof(double)) : NULL,
        .u = at->file->u_expr ? NULL : u,
        .speed = n_interval > 0 ? arena_alloc(mem, (size_t)n_interval, sizeof(double)) : NULL });
}

static void lay_out_events(const struct stored *at, const struct layout *to, struct arena *mem)
{
    const struct replay_solution *solution = &at->file->solution;
    const size_t n = (size_t)solution->n_event;
    struct layout_event *event = arena_alloc(mem, n, sizeof *event);
    for (size_t k = 0; k < n; k++)
        event[k] = (struct layout_event){ .kind = solution->event[k].kind, .name = solution->event[k].name };
    layout_events(to, (int)n, event, arena_alloc(mem, n * 2 * (size_t)at->file->model->n_x, sizeof(double)));
}

static void judge_layout(const struct stored *at)
{
    static const char *const groups[] = { "/trajectory", "/uniform", "/grid", "/events" };
    struct arena mem = { NULL };
    struct result *again = result_of_time(at);
    const struct layout to = layout_again(at, again);
    const char *difference = NULL;
    lay_out_points(at, &to, &mem);
    lay_out_grid(at, &to, &mem);
    lay_out_events(at, &to, &mem);
    for (int k = 0; k < COUNT(groups) && !difference; k++) {
        const struct alike how = { INFINITY, 0, k < 2 };
        const struct result_group *group = result_find(again, groups[k]);
        if (group)
            difference = alike_difference(result_find(at->file->result, groups[k]), group, &how, &at->to->mem);
    }
    stored_add_text(at, "names and units", difference, "not what follows from the spec");
    result_free(again);
    arena_free(&mem);
}

/* --- /parameters --------------------------------------------------------------------------------------------- */

static void judge_parameters(const struct stored *at)
{
    const struct model *model = at->file->model;
    const char *difference = NULL;
    for (int k = 0; k < model->n_param; k++) {
        const struct model_param *param = &model->param[k];
        const struct result_data *data = result_data_of(at->file->result, "/parameters", param->name);
        const char *units = param->units ? param->units : "", *words = param->long_name ? param->long_name : "";
        if (data && (strcmp(data->units, units) != 0 || strcmp(data->long_name, words) != 0))
            difference = arena_printf(&at->to->mem, "/parameters/%s: another unit or meaning", param->name);
    }
    stored_add_text(at, "units of parameters", difference, "not what the spec says");
}

/* --- /draw and /reference ------------------------------------------------------------------------------------ */

static void judge_scene(const struct stored *at)
{
    static const char *const groups[] = { "/draw", "/reference" };
    const struct alike how = { SAME, at->settings->floor, false };
    struct result *again = result_of_time(at);
    const char *difference = NULL;
    if (result_find(at->file->result, "/uniform"))
        result_copy(at->file->result, "/uniform", again, "/uniform");
    scene_write(at->file->model, at->file->solution.p, again);
    for (int k = 0; k < COUNT(groups) && !difference; k++)
        if (result_find(again, groups[k]))
            difference = alike_difference(result_find(at->file->result, groups[k]), result_find(again, groups[k]),
                                          &how, &at->to->mem);
    stored_add_text(at, "drawing", difference, "not what follows from the spec and /uniform");
    result_free(again);
}

void stored_judge_looks(struct stored *at)
{
    judge_layout(at);
    judge_parameters(at);
    judge_scene(at);
}
