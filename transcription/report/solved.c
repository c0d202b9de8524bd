#include "transcription/report/solved.h"

#include "core/output/layout.h"
#include "core/output/scene.h"
#include "transcription/record/record.h"

#include <math.h>

enum { N_RESIDUALS = 50 };

static const char *outcome_of_step(const void *row)
{
    const struct solve_step *step = row;
    return nlp_outcome_text(step->step.outcome);
}

/* /homotopy: the steps of all attempts. */
static void write_homotopy(const struct solve_result *found, struct result *result)
{
#define AT(name) offsetof(struct solve_step, name)
    static const struct result_field fields[] = {
        { .name = "sigma", RESULT_DOUBLE, AT(step.sigma) },
        { .name = "complementarity", RESULT_DOUBLE, AT(step.complementarity) },
        { .name = "infeasibility", RESULT_DOUBLE, AT(step.infeasibility) },
        { .name = "objective", RESULT_DOUBLE, AT(step.objective) },
        { .name = "wall_time", RESULT_DOUBLE, AT(step.wall_time), "s" },
        { .name = "iterations", RESULT_INT, AT(step.iterations) },
        { .name = "is_polish", RESULT_FLAG, AT(step.is_polish), NULL, "crossover to the active set" },
        { .name = "status", RESULT_TEXT, .text = outcome_of_step },
        { .name = "attempt", RESULT_INT, AT(attempt), NULL, "which start it belongs to" },
        { .name = "why", RESULT_TEXT, AT(what), NULL, "what the start is, or what is done with it" },
    };
#undef AT
    struct result_group *group = result_group(result, "/homotopy");
    const int axis = result_axis(group, "step", found->n_step, NULL, NULL, NULL);
    result_fields(group, 1, &axis, (struct result_rows){ found->step, sizeof *found->step, found->n_step },
                  COUNT(fields), fields);
    result_set_int(group, "attempt", found->attempt);
    result_set_text(group, "how", found->how);
}

static struct mpcc_label label_of(const struct mpcc *mpcc, int index)
{
    const int n_g = mpcc->nlp.n_g, n_w = mpcc->nlp.n_w;
    if (index < n_g)
        return mpcc->row[index];
    return index < n_g + n_w ? mpcc->var[index - n_g] : mpcc->pair[index - n_g - n_w].label;
}

struct residual { struct mpcc_label label; double violation, t; };

static const char *path_of_residual(const void *row)
{
    const struct residual *residual = row;
    return residual->label.path ? residual->label.path : "";
}

/* /residuals: the largest violations of the hard problem, by name. */
static void write_residuals(const struct solve_result *found, struct result *result)
{
#define AT(name) offsetof(struct residual, name)
    static const struct result_field fields[] = {
        { .name = "name", RESULT_TEXT, AT(label.name) },
        { .name = "path", RESULT_TEXT, .long_name = "spec path", .text = path_of_residual },
        { .name = "line", RESULT_INT, AT(label.pos.line), NULL, "line of the spec; 0: none" },
        { .name = "element", RESULT_INT, AT(label.element), NULL, "finite element; -1: none" },
        { .name = "violation", RESULT_DOUBLE, AT(violation), NULL, "absolute, in the units of the row" },
        { .name = "t", RESULT_DOUBLE, AT(t), UNITS_TIME, "physical time" },
    };
#undef AT
    struct residual residual[N_RESIDUALS];
    int index[N_RESIDUALS];
    double violation[N_RESIDUALS];
    const int n = mpcc_worst_rows(&found->tr->mpcc, found->homotopy.w, N_RESIDUALS, index, violation);
    for (int k = 0; k < n; k++) {
        residual[k] = (struct residual){ .label = label_of(&found->tr->mpcc, index[k]), .violation = violation[k] };
        residual[k].t = tr_time_of(found->tr, &residual[k].label, found->homotopy.w);
    }
    struct result_group *group = result_group(result, "/residuals");
    const int axis = result_axis(group, "constraint", n, NULL, NULL, NULL);
    result_fields(group, 1, &axis, (struct result_rows){ residual, sizeof *residual, n }, COUNT(fields), fields);
}

/* Seconds in the solver outside of our functions: nearly all of it linear algebra. */
static double seconds_of_linear_algebra(const struct solve_result *found)
{
    double seconds = -found->eval_seconds;
    for (int k = 0; k < found->n_step; k++)
        seconds += found->step[k].step.wall_time;
    return fmax(seconds, 0);
}

static void write_effort(const struct solver_settings *solver, const struct solve_result *found,
                         struct result *result)
{
    const struct mpcc *mpcc = &found->tr->mpcc;
    struct result_group *group = result_group(result, "/solver");
    output_write_effort(solver, &(struct output_effort){ mpcc->nlp.n_w, mpcc->nlp.n_g, mpcc->n_pair,
                                                         found->homotopy.nnz_jac, found->homotopy.nnz_hess,
                                                         found->iterations, found->seconds, found->eval_seconds,
                                                         found->linear },
                        result);
    result_set_int(group, "attempts", found->n_attempt);
    result_set_double(group, "time_linear_algebra", seconds_of_linear_algebra(found));
    if (found->tr->frozen.n > 0)
        result_set_int(group, "strict_jumps", found->strict_jumps);
    if (found->dead_band > 0) {
        result_set_double(group, "dead_band", found->dead_band);
        result_set_double(group, "largest_gap_shift", found->largest_shift);
    }
}

struct result *solved_result(const struct output_origin *origin, const struct solver_settings *solver,
                             const struct solve_result *found, int n_uniform)
{
    const struct homotopy_result *best = &found->homotopy;
    const char *failure = found->failure;
    if (best->status == STATUS_UNVERIFIED)
        failure = "physical time runs during a jump: a contact approaches meanwhile";
    const struct output_head head = { best->status, best->objective, best->complementarity, best->violation, failure };
    struct result *result = output_begin(origin, &head, &best->w[found->tr->p]);
    struct record *record = record_create(origin->model, NULL);
    record_add(record, found->tr, best->w, best->polished ? best->complementarity : best->sigma);
    record_write(record, result, n_uniform);
    record_free(record);
    const struct layout to = { result, origin->model, LAYOUT_ELEMENTS, &best->w[found->tr->p],
                               found->tr->dcs->freezes };
    layout_bounds(&to, "/trajectory");
    layout_bounds(&to, "/uniform");
    scene_write(origin->model, &best->w[found->tr->p], result);
    write_homotopy(found, result);
    write_residuals(found, result);
    output_write_spec(origin, result);
    write_effort(solver, found, result);
    return result;
}
