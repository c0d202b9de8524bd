#include "cli/solution_result.h"

#include "cli/result_parts.h"
#include "core/base/mem.h"
#include "transcription/record/record.h"

#include <math.h>
#include <stdlib.h>

enum { N_RESIDUALS = 50 };

/* /homotopy: the steps of all attempts. */
static void write_homotopy(const struct solve_result *found, struct result *result)
{
    static const char *const name[] = { "sigma", "complementarity", "infeasibility", "objective", "wall_time" };
    const int n = found->n_step;
    struct result_group *group = result_group(result, "/homotopy");
    const int axis = result_axis(group, "step", n, NULL, NULL, NULL);
    double *val = mem_alloc((size_t)n, sizeof *val);
    int *count = mem_alloc((size_t)n, sizeof *count);
    unsigned char *flag = mem_alloc((size_t)n, 1);
    const char **word = mem_alloc((size_t)n, sizeof *word);
    for (int q = 0; q < 5; q++) {
        for (int k = 0; k < n; k++) {
            const struct homotopy_step *s = &found->step[k].step;
            const double all[] = { s->sigma, s->complementarity, s->infeasibility, s->objective, s->wall_time };
            val[k] = all[q];
        }
        result_doubles(group, name[q], 1, &axis, val, q == 4 ? "s" : NULL, NULL, NULL);
    }
    for (int k = 0; k < n; k++) {
        count[k] = found->step[k].step.iterations;
        flag[k] = found->step[k].step.is_polish;
        word[k] = nlp_outcome_text(found->step[k].step.outcome);
    }
    result_ints(group, "iterations", 1, &axis, count, NULL);
    result_flags(group, "is_polish", 1, &axis, flag, "crossover to the active set");
    result_texts(group, "status", 1, &axis, word, NULL);
    for (int k = 0; k < n; k++)
        count[k] = found->step[k].attempt;
    result_ints(group, "attempt", 1, &axis, count, "which start it belongs to");
    result_set_int(group, "attempt", found->attempt);
    result_set_text(group, "how", found->how);
    free(val);
    free(count);
    free(flag);
    free(word);
}

static struct mpcc_label label_of(const struct mpcc *mpcc, int index)
{
    const int n_g = mpcc->nlp.n_g, n_w = mpcc->nlp.n_w;
    if (index < n_g)
        return mpcc->row[index];
    return index < n_g + n_w ? mpcc->var[index - n_g] : mpcc->pair[index - n_g - n_w].label;
}

/* /residuals: the largest violations of the hard problem, by name. */
static void write_residuals(const struct solve_result *found, struct result *result)
{
    const struct mpcc *mpcc = &found->tr->mpcc;
    int index[N_RESIDUALS], line[N_RESIDUALS], element[N_RESIDUALS];
    double violation[N_RESIDUALS], t[N_RESIDUALS];
    const char *name[N_RESIDUALS], *path[N_RESIDUALS];
    const int n = mpcc_worst_rows(mpcc, found->homotopy.w, N_RESIDUALS, index, violation);
    for (int k = 0; k < n; k++) {
        const struct mpcc_label label = label_of(mpcc, index[k]);
        name[k] = label.name;
        path[k] = label.path ? label.path : "";
        line[k] = label.pos.line;
        element[k] = label.element;
        t[k] = tr_time_of(found->tr, &label, found->homotopy.w);
    }
    struct result_group *group = result_group(result, "/residuals");
    const int axis = result_axis(group, "constraint", n, NULL, NULL, NULL);
    result_texts(group, "name", 1, &axis, name, NULL);
    result_texts(group, "path", 1, &axis, path, "spec path");
    result_ints(group, "line", 1, &axis, line, "line of the spec; 0: none");
    result_ints(group, "element", 1, &axis, element, "finite element; -1: none");
    result_doubles(group, "violation", 1, &axis, violation, NULL, "absolute, in the units of the row", NULL);
    result_doubles(group, "t", 1, &axis, t, "s", "physical time", NULL);
}

/* Seconds in the solver outside of our functions: nearly all of it linear algebra. */
static double seconds_of_linear_algebra(const struct solve_result *found)
{
    double seconds = -found->eval_seconds;
    for (int k = 0; k < found->n_step; k++)
        seconds += found->step[k].step.wall_time;
    return fmax(seconds, 0);
}

static void write_effort(const struct problem *problem, const struct solve_result *found, struct result *result)
{
    const struct mpcc *mpcc = &found->tr->mpcc;
    struct result_group *group = result_group(result, "/solver");
    write_solver(problem, &(struct result_effort){ mpcc->nlp.n_w, mpcc->nlp.n_g, mpcc->n_pair,
                                                   found->homotopy.nnz_jac, found->homotopy.nnz_hess,
                                                   found->iterations, found->seconds, found->eval_seconds }, result);
    result_set_int(group, "attempts", found->n_attempt);
    result_set_double(group, "time_linear_algebra", seconds_of_linear_algebra(found));
    if (found->tr->n_jump > 0)
        result_set_int(group, "strict_jumps", found->strict_jumps);
    if (found->dead_band > 0) {
        result_set_double(group, "dead_band", found->dead_band);
        result_set_double(group, "largest_gap_shift", found->largest_shift);
    }
}

/* Bounds of states and controls, for plots. */
static void write_bounds(const struct model *model, struct result *result, const char *path)
{
    struct result_group *group = result_group(result, path);
    for (int i = 0; i < model->n_x + model->n_u; i++) {
        const struct model_var *var = i < model->n_x ? &model->x[i] : &model->u[i - model->n_x];
        if (result_data_find(group, var->name))
            result_set_bounds(group, var->name, isfinite(var->lb) ? var->lb : NAN, isfinite(var->ub) ? var->ub : NAN);
    }
}

enum status solution_result_write(const struct cli_args *args, const struct problem *problem,
                                  const struct solve_result *found, const char *out_path, struct diag *diag)
{
    const struct homotopy_result *best = &found->homotopy;
    struct result *result = result_create();
    struct record *record = record_create(problem->model);
    write_head(args, problem, &(struct result_head){ best->status, best->objective, best->complementarity,
                                                     best->violation }, result);
    write_parameters(problem, &best->w[found->tr->p], result);
    record_add(record, found->tr, best->w, best->polished ? best->complementarity : best->sigma);
    record_write(record, result, problem->output.points);
    write_bounds(problem->model, result, "/trajectory");
    write_bounds(problem->model, result, "/uniform");
    write_homotopy(found, result);
    write_residuals(found, result);
    write_spec(problem, result);
    write_effort(problem, found, result);
    const enum status st = result_write(result, out_path, diag);
    record_free(record);
    result_free(result);
    return st;
}
