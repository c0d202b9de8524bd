#define _POSIX_C_SOURCE 200809L

#include "cli/simulation_result.h"

#include "core/base/mem.h"
#include "core/results/results.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static void write_attributes(const struct cli_args *args, const struct problem *problem,
                             const struct simulate_result *found, struct result *result)
{
    struct result_group *root = result_group(result, "/");
    char date[40];
    const time_t now = time(NULL);
    struct tm utc;
    (void)strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    result_set_text(root, "status", status_text(found->status));
    result_set_int(root, "exit_code", status_exit_code(found->status));
    result_set_double(root, "objective", NAN);
    result_set_double(root, "complementarity", found->complementarity);
    result_set_double(root, "infeasibility", found->violation);
    result_set_text(root, "title", problem->model->name);
    result_set_text(root, "source", "cocp " COCP_VERSION);
    result_set_text(root, "history", args->history);
    result_set_text(root, "spec_sha256", spec_sha256(problem->spec));
    result_set_text(root, "method", method_name((enum method)problem->discretization.method));
    result_set_text(root, "date_created", date);
    if (found->failure)
        result_set_text(root, "failure", found->failure);
}

static void write_parameters(const struct problem *problem, struct result *result)
{
    struct result_group *group = result_group(result, "/parameters");
    for (int k = 0; k < problem->model->n_param; k++) {
        const struct model_param *param = &problem->model->param[k];
        result_doubles(group, param->name, 0, NULL, &param->value, param->units, param->long_name, NULL);
    }
}

static void write_spec(const struct problem *problem, struct result *result)
{
    struct result_group *group = result_group(result, "/spec");
    char *resolved = problem_resolved(problem);
    const char *text = spec_text(problem->spec), *const full = resolved;
    result_texts(group, "yaml", 0, NULL, &text, "the spec, verbatim");
    result_texts(group, "resolved", 0, NULL, &full, "with defaults and overrides");
    free(resolved);
}

static void write_solver(const struct simulate_result *found, struct result *result)
{
    struct result_group *group = result_group(result, "/solver");
    result_set_text(group, "solver", nlp_solver_version());
    result_set_int(group, "n_var", found->n_var);
    result_set_int(group, "n_con", found->n_con);
    result_set_int(group, "n_comp", found->n_comp);
    result_set_int(group, "nnz_jacobian", found->nnz_jac);
    result_set_int(group, "nnz_hessian", found->nnz_hess);
    result_set_int(group, "iterations", found->iterations);
    result_set_double(group, "time_total", found->seconds);
    result_set_double(group, "time_evaluation", found->eval_seconds);
}

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
    struct result *result = result_create();
    write_attributes(args, problem, found, result);
    write_parameters(problem, result);
    if (record_n_elements(found->record) > 0)
        record_write(found->record, result, 501);
    write_steps(found, result);
    write_spec(problem, result);
    write_solver(found, result);
    const enum status st = result_write(result, out_path, diag);
    result_free(result);
    return st;
}
