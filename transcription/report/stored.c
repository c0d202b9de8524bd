#define _POSIX_C_SOURCE 200809L    /* open_memstream */

#include "transcription/report/stored.h"

#include "core/base/mem.h"
#include "core/model/inputs.h"
#include "core/output/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAME 1e-6                   /* of the largest magnitude of a quantity, at least the floor: the same number, computed
                                     * again */

#define FROZEN_RATE 0.05            /* of numerical time, at most, while it counts as standing still */
#define SLACK 30                    /* times the tolerance of states: sums of impulses, forces between points */

struct reader {
    const struct solution_file *file;
    const struct replay_settings *settings;
    struct findings *to;
    struct arena mem;
};

/* The worst place of a quantity. */
struct off { double figure, t; const char *name; };

static void raise_off(struct off *off, double figure, double t, const char *name)
{
    if (!(figure <= off->figure))
        *off = (struct off){ isnan(figure) ? INFINITY : figure, t, name };
}

static void add(const struct reader *at, const char *name, const struct off *off, double tol, const char *how)
{
    const char *what = off->name ? off->name : "";
    findings_add(at->to, &(struct finding){
        name, off->figure, tol, off->figure > 0 ? arena_printf(&at->to->mem, "%s at t = %.6g %s", what, off->t,
                                                         at->file->model->time_unit) : NULL,
        arena_printf(&at->to->mem, "%s at t = %.6g is off by %.2g: %s", what, off->t, off->figure, how) });
}

static double scale_of(const struct reader *at, const double *value, int n)
{
    double scale = at->settings->floor;
    for (int k = 0; k < n; k++)
        scale = isfinite(value[k]) ? fmax(scale, fabs(value[k])) : scale;
    return scale;
}

/* The dataset of doubles, [n] (n < 0: any); NULL: there is none. */
static const double *doubles(const struct reader *at, const char *group, const char *name, int n)
{
    const struct result_data *data = result_data_of(at->file->result, group, name);
    return data && data->d && (n < 0 || data->n == n) ? data->d : NULL;
}

/* --- Status, parameters, residuals, objective -------------------------------------------------------------------- */

static void judge_status(const struct reader *at)
{
    static const enum status good[] = { STATUS_OK, STATUS_ACCEPTABLE, STATUS_UNVERIFIED };
    const struct result_group *root = result_find(at->file->result, "/");
    const char *word = result_get_text(root, "status");
    const int code = result_get_int(root, "exit_code", -1);
    bool fits = false;
    for (int k = 0; k < 3 && word; k++)
        fits = fits || (strcmp(word, status_text(good[k])) == 0 && code == status_exit_code(good[k]));
    findings_add(at->to, &(struct finding){
        "status", fits ? 0 : 1, 0, word,
        arena_printf(&at->to->mem, "the file holds no solution: its status is %s, its exit code %d",
                     word ? word : "missing", code) });
}

static void judge_parameters(const struct reader *at)
{
    const struct model *model = at->file->model;
    const double *p = at->file->solution.p;
    struct off off = { .figure = 0 };
    for (int k = 0; k < model->n_param; k++) {
        const struct model_param *param = &model->param[k];
        const expr e = param->sym != EXPR_NONE ? param->sym : param->value_expr;
        const double wanted = p ? expr_eval(model->graph, e, model->n_p, model->p_sym, p) : param->value;
        const double *stored = doubles(at, "/parameters", param->name, 1);
        raise_off(&off, stored ? fabs(*stored - wanted) / fmax(fabs(wanted), 1e-300) : INFINITY, 0, param->name);
    }
    findings_add(at->to, &(struct finding){
        "parameters", off.figure, SAME, off.figure > 0 ? off.name : NULL,
        arena_printf(&at->to->mem, "/parameters/%s is not what the spec says", off.name ? off.name : "") });
}

static void judge_residuals(const struct reader *at)
{
    const struct result_group *root = result_find(at->file->result, "/");
    const struct result_data *violation = result_data_of(at->file->result, "/residuals", "violation");
    const double inf = result_get_double(root, "infeasibility"), comp = result_get_double(root, "complementarity");
    double worst = isnan(inf) ? 0 : inf;
    for (int k = 0; violation && violation->d && k < violation->n; k++)
        worst = fmax(worst, violation->d[k]);
    const bool products = comp > worst;         /* false of NAN */
    if (products)
        worst = comp;
    findings_add(at->to, &(struct finding){
        "residuals", worst, at->settings->tol_others, NULL,
        arena_printf(&at->to->mem, products ? "the file itself says that its complementarity is off by %.2g"
                                            : "the file itself says that its constraints are violated by %.2g", worst) });
}

static void judge_has_objective(const struct reader *at)
{
    const struct model *model = at->file->model;
    const bool wanted = !at->file->is_simulation
                        && (model->n_running + model->n_terminal + model->n_impact_cost > 0 || model_has_samples(model));
    const double missing = isfinite(at->file->solution.objective) ? 0 : 1;
    if (wanted)
        findings_add(at->to, &(struct finding){ "objective stored", missing, 0, NULL, "the file holds no objective" });
}

/* --- Quantities of /trajectory ----------------------------------------------------------------------------------- */

/* Columns of /trajectory in the order of columns.h behind the states: [n_column - n_x], [n] each; NULL: missing. */
static const double **read_columns(struct reader *at, const char *group, int n, const struct result_field **field)
{
    const struct model *model = at->file->model;
    const int n_column = columns_count(model);
    const double **column = arena_alloc(&at->mem, (size_t)n_column, sizeof *column);
    *field = columns_describe(model, &at->mem);
    for (int j = 0; j < n_column; j++)
        column[j] = doubles(at, group, (*field)[j].name, n);
    return column;
}

/* Is a control at t the one of the grid, before or after t? Where an expression took its place, it is that. */
static double control_off(const struct solution_file *file, int k, double t, double value)
{
    const struct sim_controls *rows = &file->solution.controls;
    const double tol = 1e-9 * fmax(1, file->model->horizon);
    const int n_u = file->model->n_u;
    double off = INFINITY;
    if (!rows->u || (file->u_expr && file->u_expr[k] != EXPR_NONE))
        return 0;
    for (int i = 0; i < rows->n; i++)
        if (rows->t[i] <= t + tol && (i + 1 == rows->n || rows->t[i + 1] >= t - tol))
            off = fmin(off, fabs(rows->u[i * n_u + k] - value));
    return off;
}

static void judge_controls(const struct reader *at, const struct replay_point *point, const double *const *column,
                           int row, struct off *off)
{
    const struct model *model = at->file->model;
    for (int k = 0; k < model->n_u; k++) {
        const double *u = column[model->n_x + k];
        if (u)
            raise_off(off, control_off(at->file, k, point->t, u[row]) / fmax(fabs(u[row]), at->settings->floor),
                      point->t, model->u[k].name);
    }
}

static void judge_quantities(struct reader *at)
{
    const struct solution_file *file = at->file;
    const struct model *model = file->model;
    const struct result_field *field;
    const int n_row = file->n_row, n_column = columns_count(model) - columns_n_signal(model);
    const double **column = read_columns(at, "/trajectory", n_row, &field);
    expr *e = arena_alloc(&at->mem, (size_t)n_column, sizeof *e);
    double *want = arena_alloc(&at->mem, (size_t)columns_count(model), sizeof *want);
    double *signal = arena_alloc(&at->mem, (size_t)columns_n_signal(model), sizeof *signal);      /* do not follow */
    double *u = arena_alloc(&at->mem, (size_t)model->n_u, sizeof *u);
    double *scale = arena_alloc(&at->mem, (size_t)n_column, sizeof *scale);
    const int n_shown = columns_expressions(model, file->u_expr, e);
    struct function shown = function_create(model, file->solution.p, n_shown, e);
    struct off off = { .figure = 0 };
    for (int j = model->n_x; j < n_column; j++) {
        if (!column[j])
            raise_off(&off, INFINITY, 0, field[j].name);
        scale[j] = column[j] ? scale_of(at, column[j], n_row) : 1;
    }
    for (int k = 0; k < file->solution.n_point; k++) {
        const struct replay_point *point = &file->solution.point[k];
        const int row = file->row[k];
        if (row < 0)
            continue;
        for (int i = 0; i < model->n_u; i++)
            u[i] = column[model->n_x + i] ? column[model->n_x + i][row] : NAN;
        judge_controls(at, point, column, row, &off);
        inputs_set_forces(&shown.inputs, point->force, NULL);
        columns_fill(model, function_eval(&shown, point->t, point->x, u), point->force, signal, want);
        for (int j = model->n_x; j < n_column; j++)
            if (column[j] && !(want[j] == column[j][row]) && !(isnan(want[j]) && isnan(column[j][row])))
                raise_off(&off, fabs(want[j] - column[j][row]) / scale[j], point->t, field[j].name);
    }
    function_free(&shown);
    add(at, "quantities", &off, SAME, "/trajectory does not show what follows from its states and controls");
}

/* --- The intervals of the controls
 * ----------------------------------------------------------------------------------- */

static bool has_free_grid(const struct solution_file *file)
{
    const struct spec_node *node = spec_get(spec_get(spec_root(file->spec), "discretization"), "control_grid");
    return model_has_values(file->model) || (node && node->kind == SPEC_SCALAR && strcmp(node->text, "free") == 0);
}

static void judge_intervals(const struct reader *at)
{
    const struct solution_file *file = at->file;
    const struct result_data *t = result_data_of(file->result, "/grid", "t_interval");
    const int n = file->model->n_intervals;
    const double horizon = file->solution.point[file->solution.n_point - 1].t;
    struct finding finding = { "control intervals", 0, at->settings->tol_others, NULL, NULL };
    if (file->is_simulation || n == 0)
        return;
    if (!t || !t->d || t->n != n) {
        finding.figure = INFINITY;
        finding.reason = arena_printf(&at->to->mem, "the spec has %d control intervals, the file has not", n);
        findings_add(at->to, &finding);
        return;
    }
    int worst = 0;
    double *grid = mem_alloc((size_t)n + 1, sizeof *grid);
    model_grid(file->model, horizon, file->solution.p, grid);
    for (int k = 0; k < n && !has_free_grid(file); k++)
        if (fabs(t->d[k] - grid[k]) / horizon > finding.figure) {
            finding.figure = fabs(t->d[k] - grid[k]) / horizon;
            worst = k;
        }
    finding.reason = arena_printf(&at->to->mem, "control interval %d begins at t = %.6g, not at %.6g", worst, t->d[worst],
                                  grid[worst]);
    free(grid);
    findings_add(at->to, &finding);
}

/* --- /uniform ---------------------------------------------------------------------------------------------------- */

/* Points of the trajectory around t, with what lies beside them: [first, last]. */
static void around(const struct replay_solution *solution, double t, int *first, int *last)
{
    enum { BESIDE = 2 };
    int k = *first;                 /* t ascends from call to call */
    while (k + 1 < solution->n_point && solution->point[k + 1].t < t)
        k++;
    *first = k;
    *last = k + 1;
    while (*last + 1 < solution->n_point && solution->point[*last].t <= t)
        ++*last;
    *last = *last + BESIDE < solution->n_point ? *last + BESIDE : solution->n_point - 1;
}

/* Values between points are near theirs: not further outside of their range than it is wide. */
static double range_off(const struct solution_file *file, const double *column, int first, int last, double value)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = first > 2 ? first - 2 : 0; k <= last; k++) {
        if (file->row[k] < 0)
            continue;
        low = fmin(low, column[file->row[k]]);
        high = fmax(high, column[file->row[k]]);
    }
    return isnan(value) ? INFINITY : fmax(0, fmax(low - value, value - high) - (high - low));
}

static void judge_uniform(struct reader *at)
{
    const struct solution_file *file = at->file;
    const struct replay_solution *solution = &file->solution;
    const int n = result_axis_size(file->result, "/uniform", "t"), n_column = columns_count(file->model);
    const int n_x = file->model->n_x;
    const double end = solution->point[solution->n_point - 1].t * (1 - SAME);
    const struct result_field *field;
    struct off off = { .figure = 0 };
    if (n < 2)
        return;
    const struct result_group *group = result_find(file->result, "/uniform");
    const double *time = group->axis[result_axis_find(group, "t")]->values;
    const double **dense = read_columns(at, "/uniform", n, &field);
    const double **column = read_columns(at, "/trajectory", file->n_row, &field);
    for (int j = 0; j < n_column; j++) {
        if (!dense[j] || !column[j] || !time) {
            raise_off(&off, INFINITY, 0, field[j].name);
            continue;
        }
        const double scale = scale_of(at, column[j], file->n_row);
        int first = 0, last;
        for (int k = 0; k < n && (j < n_x || time[k] < end); k++) {     /* at the end forces may jump */
            around(solution, time[k], &first, &last);
            raise_off(&off, range_off(file, column[j], first, last, dense[j][k]) / scale, time[k], field[j].name);
        }
    }
    add(at, "uniform", &off, SLACK * at->settings->tol_others, "/uniform is not the trajectory");
}

/* --- /grid ------------------------------------------------------------------------------------------------------- */

/* How far a state at t is from the nearest row of /trajectory at that time. */
static double state_off(const struct reader *at, const struct result_data *t, const double *const *column,
                        const double *scale, double time, const double *x)
{
    const struct model *model = at->file->model;
    const double same = SAME * fmax(1, model->horizon);
    double nearest = INFINITY;
    for (int k = 0; k < t->n; k++) {
        double off = 0;
        for (int i = 0; i < model->n_x && fabs(t->d[k] - time) <= same; i++)
            off = column[i] ? fmax(off, fabs(column[i][k] - x[i]) / scale[i]) : INFINITY;
        if (fabs(t->d[k] - time) <= same)
            nearest = fmin(nearest, off);
    }
    return nearest;
}

static void judge_ends(struct reader *at, const char *times, const char *states, struct off *off)
{
    const struct solution_file *file = at->file;
    const int n_x = file->model->n_x;
    const struct result_data *t = result_data_of(file->result, "/trajectory", "t");
    const struct result_data *end = result_data_of(file->result, "/grid", times);
    const struct result_field *field;
    const double **column = read_columns(at, "/trajectory", file->n_row, &field);
    double *scale = arena_alloc(&at->mem, (size_t)n_x, sizeof *scale);
    const double *x = end ? doubles(at, "/grid", states, end->n * n_x) : NULL;
    if (!end || !end->d || !x) {
        raise_off(off, INFINITY, 0, states);
        return;
    }
    for (int i = 0; i < n_x; i++)
        scale[i] = column[i] ? scale_of(at, column[i], file->n_row) : 1;
    for (int k = 0; k < end->n; k++)
        raise_off(off, state_off(at, t, column, scale, end->d[k], x + k * n_x), end->d[k], states);
}

/* How far an impulse of contact c at t is from those of /grid there: of one element, or of several in a row, as
 * time-freezing has. Not of all of them: the impact of another contact may follow within rounding, and what a closed
 * contact passes on in it is no event of its own. */
static double impulse_off(const struct reader *at, const struct result_data *start, const double *grid, int c, double t,
                          double impulse)
{
    const double same = SAME * fmax(1, at->file->model->horizon);
    const int n_c = at->file->model->n_contact;
    double off = fabs(impulse);
    bool any = false;
    for (int first = 0; first < start->n; first++) {
        double sum = 0;
        for (int e = first; e < start->n && fabs(start->d[e] - t) <= same; e++) {
            sum += grid[e * n_c + c];
            off = any ? fmin(off, fabs(sum - impulse)) : fabs(sum - impulse);
            any = true;
        }
    }
    return off;
}

/* The impulse of each impact is that of the element, or of the elements, that begin with it. */
static void judge_impulses(struct reader *at, const char *name, struct off *off)
{
    const struct solution_file *file = at->file;
    const struct result_data *grid = result_data_of(file->result, "/grid", name);
    const struct result_data *start = result_data_of(file->result, "/grid", "t_start");
    const struct result_data *events = result_data_of(file->result, "/events", name);
    const int n_c = file->model->n_contact;
    if (!grid || !grid->d || !start || !start->d || grid->n != start->n * n_c || !events || !events->d)
        return;
    const double scale = scale_of(at, events->d, events->n);
    for (int k = 0; k < file->solution.n_event; k++) {
        const struct replay_event *event = &file->solution.event[k];
        for (int c = 0; c < n_c && strcmp(event->kind, "impact") == 0; c++)
            if (strcmp(event->name, file->model->contact[c].name) == 0)
                raise_off(off, impulse_off(at, start, grid->d, c, event->t, events->d[k]) / scale, event->t, name);
    }
}

static void judge_grid(struct reader *at)
{
    struct off off = { .figure = 0 };
    judge_ends(at, "t_start", "x_start", &off);
    judge_ends(at, "t_end", "x_end", &off);
    add(at, "grid", &off, at->settings->tol_others, "/grid is not the trajectory");
    struct off impulse = { .figure = 0 };
    judge_impulses(at, "impulse_n", &impulse);
    judge_impulses(at, "impulse_t", &impulse);
    judge_impulses(at, "impulse_t2", &impulse);
    judge_impulses(at, "impulse_t3", &impulse);
    add(at, "impulses of the grid", &impulse, SLACK * at->settings->tol_others, "/grid and /events differ");
}

/* --- Points, elements, events, the verbatim spec
 * ----------------------------------------------------------------------- */

static void judge_shape(const struct reader *at, bool fits, const char *name, const char *reason)
{
    findings_add(at->to, &(struct finding){ name, fits ? 0 : 1, 0, NULL, reason });
}

/* Points that are not physical are those of a jump, during which time stands still. */
static bool jumps_are_frozen(const struct reader *at)
{
    const struct solution_file *file = at->file;
    const double *t = doubles(at, "/trajectory", "t", file->n_row), *t_num = doubles(at, "/trajectory", "t_num", file->n_row);
    const struct result_data *physical = result_data_of(file->result, "/trajectory", "is_physical");
    bool frozen = t && t_num && physical && physical->flag && physical->n == file->n_row;
    for (int k = 1; frozen && k < file->n_row; k++)
        frozen = physical->flag[k] || t[k] - t[k - 1] <= FROZEN_RATE * (t_num[k] - t_num[k - 1]);
    return frozen;
}

/* Lengths of elements are those of their times, of numerical ones where there are any. */
static bool has_lengths(const struct reader *at)
{
    const struct result_data *h = result_data_of(at->file->result, "/grid", "h");
    const int n = h ? h->n : -1;
    const double *start = doubles(at, "/grid", "t_num_start", n), *end = doubles(at, "/grid", "t_num_end", n);
    start = start ? start : doubles(at, "/grid", "t_start", n);
    end = end ? end : doubles(at, "/grid", "t_end", n);
    bool fits = h && h->d && start && end;
    for (int k = 0; fits && k < n; k++)
        fits = fabs(end[k] - start[k] - h->d[k]) <= SAME * fmax(1, at->file->model->horizon);
    return fits;
}

static bool events_have_states(const struct reader *at)
{
    const struct replay_solution *solution = &at->file->solution;
    bool have = true;
    for (int k = 0; k < solution->n_event; k++)
        have = have && solution->event[k].x_minus && solution->event[k].x_plus;
    return have;
}

static char *model_text(const struct model *model)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out) {
        model_print_resolved(model, out);
        (void)fclose(out);
    }
    return text;
}

/* The verbatim spec is that of its hash, or differs in its looks alone. */
static bool has_its_spec(const struct reader *at)
{
    const struct solution_file *file = at->file;
    const struct result_data *yaml = result_data_of(file->result, "/spec", "yaml");
    const char *hash = result_get_text(result_find(file->result, "/"), "spec_sha256");
    struct spec *spec = NULL;
    struct model *model = NULL;
    struct diag *silent = diag_create();
    bool same = !yaml || !yaml->text || yaml->n < 1;
    if (!same && spec_read_stored("/spec/yaml", yaml->text[0], &spec, silent) == STATUS_OK) {
        same = hash && strcmp(hash, spec_sha256(spec)) == 0;
        if (!same && model_read(spec, MODEL_FOR_SIMULATE, &model, silent) == STATUS_OK) {
            char *verbatim = model_text(model), *resolved = model_text(file->model);
            same = verbatim && resolved && strcmp(verbatim, resolved) == 0;
            free(verbatim);
            free(resolved);
        }
    }
    model_free(model);
    spec_free(spec);
    diag_free(silent);
    return same;
}

/* --- The whole --------------------------------------------------------------------------------------------------- */

void stored_judge(const struct solution_file *file, const struct replay_settings *settings, struct findings *to)
{
    struct reader at = { .file = file, .settings = settings, .to = to };
    judge_status(&at);
    judge_parameters(&at);
    judge_residuals(&at);
    judge_has_objective(&at);
    judge_quantities(&at);
    judge_intervals(&at);
    judge_uniform(&at);
    judge_grid(&at);
    judge_shape(&at, jumps_are_frozen(&at), "frozen points", "points of /trajectory are not physical although time runs");
    judge_shape(&at, has_lengths(&at), "lengths", "/grid/h is not the length of the elements");
    judge_shape(&at, events_have_states(&at), "states of events", "/events lacks states before and after");
    judge_shape(&at, has_its_spec(&at), "verbatim spec", "/spec/yaml is not the spec that was solved");
    arena_free(&at.mem);
}
