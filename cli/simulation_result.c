#include "cli/simulation_result.h"

#include "cli/result_parts.h"
#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* Of /homotopy one row per step of the simulation: where its homotopy ended. */
static void write_steps(const struct simulate_result *found, struct result *result)
{
    const int n = found->n_step;
    struct result_group *group = result_group(result, "/homotopy");
    const int axis = result_axis(group, "step", n, NULL, NULL, NULL);
    double *val = mem_alloc((size_t)n, sizeof *val);
    int *count = mem_alloc((size_t)n, sizeof *count);
    const char **word = mem_alloc((size_t)n, sizeof *word);
    for (int q = 0; q < 4; q++) {
        static const char *const name[] = { "sigma", "complementarity", "infeasibility", "objective" };
        for (int k = 0; k < n; k++) {
            const struct simulate_step *step = &found->step[k];
            const double all[] = { step->sigma, step->complementarity, step->violation, NAN };
            val[k] = all[q];
        }
        result_doubles(group, name[q], 1, &axis, val, NULL, NULL, NULL);
    }
    for (int k = 0; k < n; k++)
        count[k] = found->step[k].iterations;
    result_ints(group, "iterations", 1, &axis, count, "of all attempts");
    for (int k = 0; k < n; k++)
        val[k] = found->step[k].seconds;
    result_doubles(group, "wall_time", 1, &axis, val, "s", NULL, NULL);
    for (int k = 0; k < n; k++)
        word[k] = status_text(found->step[k].status);
    result_texts(group, "status", 1, &axis, word, NULL);
    for (int k = 0; k < n; k++)
        val[k] = found->step[k].t_start;
    result_doubles(group, "t", 1, &axis, val, "s", "physical time at the start of the step", NULL);
    free(val);
    free(count);
    free(word);
}

enum status simulation_result_write(const struct cli_args *args, const struct problem *problem,
                                    struct simulate_result *found, const char *out_path, struct diag *diag)
{
    const struct result_head head = { found->status, NAN, found->complementarity, found->violation };
    struct result *result = result_create();
    write_head(args, problem, &head, result);
    if (found->failure)
        result_set_text(result_group(result, "/"), "failure", found->failure);
    write_parameters(problem, NULL, result);
    if (record_n_elements(found->record) > 0)
        record_write(found->record, result, problem->output.points);
    write_steps(found, result);
    write_spec(problem, result);
    write_solver(problem, &(struct result_effort){ found->n_var, found->n_con, found->n_comp, found->nnz_jac,
                                                   found->nnz_hess, found->iterations, found->seconds,
                                                   found->eval_seconds }, result);
    const enum status st = result_write(result, out_path, diag);
    result_free(result);
    return st;
}
