#include "transcription/report/stepped.h"

#include "core/output/scene.h"
#include "core/results/fields.h"

#include <math.h>

static const char *status_of_step(const void *row)
{
    const struct simulate_step *step = row;
    return status_text(step->status);
}

static double no_objective(const void *row)
{
    (void)row;
    return NAN;
}

/* Of /homotopy one row per step of the simulation: where its homotopy ended. */
static void write_steps(const struct simulate_result *found, struct result *result)
{
#define AT(name) offsetof(struct simulate_step, name)
    static const struct result_field fields[] = {
        { .name = "sigma", RESULT_DOUBLE, AT(sigma) },
        { .name = "complementarity", RESULT_DOUBLE, AT(complementarity) },
        { .name = "infeasibility", RESULT_DOUBLE, AT(violation) },
        { .name = "objective", RESULT_DOUBLE, .number = no_objective },
        { .name = "iterations", RESULT_INT, AT(iterations), NULL, "of all attempts" },
        { .name = "wall_time", RESULT_DOUBLE, AT(seconds), "s" },
        { .name = "status", RESULT_TEXT, .text = status_of_step },
        { .name = "t", RESULT_DOUBLE, AT(t_start), UNITS_TIME, "physical time at the start of the step" },
    };
#undef AT
    struct result_group *group = result_group(result, "/homotopy");
    const int axis = result_axis(group, "step", found->n_step, NULL, NULL, NULL);
    result_fields(group, 1, &axis, (struct result_rows){ found->step, sizeof *found->step, found->n_step },
                  COUNT(fields), fields);
}

struct result *stepped_result(const struct output_origin *origin, const struct solver_settings *solver,
                              const struct simulate_result *found, int n_uniform)
{
    const struct output_head head = { found->status, NAN, found->complementarity, found->violation, found->failure };
    struct result *result = output_begin(origin, &head, NULL);
    record_write(found->record, result, n_uniform);
    scene_write(origin->model, NULL, result);
    write_steps(found, result);
    output_write_spec(origin, result);
    output_write_effort(solver, &(struct output_effort){ found->n_var, found->n_con, found->n_comp, found->nnz_jac,
                                                         found->nnz_hess, found->iterations, found->seconds,
                                                         found->eval_seconds, found->linear }, result);
    return result;
}
