#include "transcription/judge/stored.h"

#include "core/base/mem.h"
#include "core/output/columns.h"
#include "transcription/judge/stored_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- What the parts have in common --------------------------------------------------------------------------- */

void stored_add(const struct stored *at, const char *name, const struct off *off, double tol, const char *how)
{
    const char *what = off->name ? off->name : "";
    findings_add(at->to, &(struct finding){
        name, off->figure, tol, off->figure > 0 ? arena_printf(&at->to->mem, "%s at t = %.6g %s", what, off->t,
                                                         at->file->model->time.unit) : NULL,
        arena_printf(&at->to->mem, "%s at t = %.6g is off by %.2g: %s", what, off->t, off->figure, how) });
}

void stored_add_text(const struct stored *at, const char *name, const char *difference, const char *how)
{
    findings_add(at->to,
                 &(struct finding){ name, difference ? 1 : 0, 0, difference,
                                    arena_printf(&at->to->mem, "%s: %s", difference ? difference : "", how) });
}

void stored_add_shape(const struct stored *at, bool fits, const char *name, const char *reason)
{
    findings_add(at->to, &(struct finding){ name, fits ? 0 : 1, 0, NULL, reason });
}

double stored_scale(const struct stored *at, const double *value, int n)
{
    double scale = at->settings->floor;
    for (int k = 0; k < n; k++)
        scale = isfinite(value[k]) ? fmax(scale, fabs(value[k])) : scale;
    return scale;
}

const double *stored_doubles(const struct stored *at, const char *group, const char *name, int n)
{
    const struct result_data *data = result_data_of(at->file->result, group, name);
    return data && data->d && (n < 0 || data->n == n) ? data->d : NULL;
}

const double *stored_times(const struct stored *at, const char *path, int *n)
{
    const struct result_group *group = result_find(at->file->result, path);
    const int axis = result_axis_find(group, "t");
    *n = axis < 0 ? 0 : group->axis[axis]->n;
    return axis < 0 ? NULL : group->axis[axis]->values;
}

int stored_n_elements(const struct stored *at)
{
    const struct result_data *start = result_data_of(at->file->result, "/grid", "t_start");
    return start && start->d ? start->n : 0;
}

const double **stored_columns(struct stored *at, const char *group, int n, const struct result_field **field)
{
    const struct model *model = at->file->model;
    const int n_column = columns_count(model);
    const double **column = arena_alloc(&at->mem, (size_t)n_column, sizeof *column);
    *field = columns_describe(model, &at->mem);
    for (int j = 0; j < n_column; j++)
        column[j] = stored_doubles(at, group, (*field)[j].name, n);
    return column;
}

/* --- Status, parameters, residuals, objective ---------------------------------------------------------------- */

static void judge_status(const struct stored *at)
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
    const char *failure = result_get_text(root, "failure");
    if (fits && failure && code == status_exit_code(STATUS_OK))
        stored_add_text(at, "failure", failure, "the file itself says that it is no solution");
}

static void judge_parameters(const struct stored *at)
{
    const struct model *model = at->file->model;
    const double *p = at->file->solution.p;
    struct off off = { .figure = 0 };
    for (int k = 0; k < model->n_param; k++) {
        const struct model_param *param = &model->param[k];
        const expr e = param->sym != EXPR_NONE ? param->sym : param->value_expr;
        const double wanted = p ? expr_eval(model->graph, e, model->n_p, model->p_sym, p) : param->value;
        const double *stored = stored_doubles(at, "/parameters", param->name, 1);
        off_raise(&off, stored ? fabs(*stored - wanted) / fmax(fabs(wanted), 1e-300) : INFINITY, 0, param->name);
    }
    findings_add(at->to, &(struct finding){
        "parameters", off.figure, SAME, off.figure > 0 ? off.name : NULL,
        arena_printf(&at->to->mem, "/parameters/%s is not what the spec says", off.name ? off.name : "") });
}

static void judge_residuals(const struct stored *at)
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
    findings_add(at->to,
                 &(struct finding){
                     "residuals", worst, at->settings->tol_others, NULL,
                     arena_printf(&at->to->mem,
                                  products ? "the file itself says that its complementarity is off by %.2g"
                                           : "the file itself says that its constraints are violated by %.2g",
                                  worst) });
}

static void judge_has_objective(const struct stored *at)
{
    const struct model *model = at->file->model;
    const bool wanted = !at->file->is_simulation
                        && (model->costs.n_running + model->costs.n_terminal + model->costs.n_impact > 0
                            || model_has_samples(model));
    const double missing = isfinite(at->file->solution.objective) ? 0 : 1;
    if (wanted)
        findings_add(at->to,
                     &(struct finding){ "objective stored", missing, 0, NULL, "the file holds no objective" });
}

/* --- The intervals of the controls --------------------------------------------------------------------------- */

static bool has_free_grid(const struct solution_file *file)
{
    const struct spec_node *node = spec_get(spec_get(spec_root(file->spec), "discretization"), "control_grid");
    return model_has_values(file->model) || (node && node->kind == SPEC_SCALAR && strcmp(node->text, "free") == 0);
}

static void judge_intervals(const struct stored *at)
{
    const struct solution_file *file = at->file;
    const struct result_data *t = result_data_of(file->result, "/grid", "t_interval");
    const int n = file->model->time.n_intervals;
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

/* --- The whole ----------------------------------------------------------------------------------------------- */

void stored_judge(const struct solution_file *file, const struct replay_settings *settings, struct findings *to)
{
    struct stored at = { .file = file, .settings = settings, .to = to };
    judge_status(&at);
    judge_parameters(&at);
    judge_residuals(&at);
    judge_has_objective(&at);
    judge_intervals(&at);
    stored_judge_trajectory(&at);
    stored_judge_uniform(&at);
    stored_judge_grid(&at);
    stored_judge_events(&at);
    stored_judge_looks(&at);
    stored_judge_modes(&at);
    stored_judge_phases(&at);
    stored_judge_rows(&at);
    stored_judge_fit(&at);
    stored_judge_spec(&at);
    arena_free(&at.mem);
}
