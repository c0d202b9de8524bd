#define _POSIX_C_SOURCE 200809L

#include "cli/result_parts.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

void write_head(const struct cli_args *args, const struct problem *problem, const struct result_head *head,
                struct result *result)
{
    struct result_group *root = result_group(result, "/");
    char date[40];
    const time_t now = time(NULL);
    struct tm utc;
    (void)strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    result_set_text(root, "status", status_text(head->status));
    result_set_int(root, "exit_code", status_exit_code(head->status));
    result_set_double(root, "objective", head->objective);
    result_set_double(root, "complementarity", head->complementarity);
    result_set_double(root, "infeasibility", head->infeasibility);
    result_set_text(root, "title", problem->model->name);
    result_set_text(root, "source", "cocp " COCP_VERSION);
    result_set_text(root, "history", args->history);
    result_set_text(root, "spec_sha256", spec_sha256(problem->spec));
    result_set_text(root, "method", method_name((enum method)problem->discretization.method));
    result_set_text(root, "date_created", date);
}

/* Value of a parameter that may depend on optimized ones. */
static double parameter_at(const struct model *model, const struct model_param *param, const double *p)
{
    if (!p)
        return param->value;
    return expr_eval(model->graph, param->sym != EXPR_NONE ? param->sym : param->value_expr, model->n_p, model->p_sym, p);
}

void write_parameters(const struct problem *problem, const double *p, struct result *result)
{
    const struct model *model = problem->model;
    struct result_group *group = result_group(result, "/parameters");
    for (int k = 0; k < model->n_param; k++) {
        const struct model_param *param = &model->param[k];
        const double value = parameter_at(model, param, p);
        result_doubles(group, param->name, 0, NULL, &value, param->units, param->long_name,
                       param->optimize ? "optimized" : NULL);
    }
}

void write_solver(const struct problem *problem, const struct result_effort *effort, struct result *result)
{
    struct result_group *group = result_group(result, "/solver");
    result_set_text(group, "solver", nlp_solver_version());
    for (int k = 0; k < problem->solver.n_option; k++)
        result_set_text(group, problem->solver.option[k].name, problem->solver.option[k].value);
    result_set_int(group, "n_var", effort->n_var);
    result_set_int(group, "n_con", effort->n_con);
    result_set_int(group, "n_comp", effort->n_comp);
    result_set_int(group, "nnz_jacobian", effort->nnz_jac);
    result_set_int(group, "nnz_hessian", effort->nnz_hess);
    result_set_int(group, "iterations", effort->iterations);
    result_set_double(group, "time_total", effort->seconds);
    result_set_double(group, "time_evaluation", effort->eval_seconds);
}

void write_spec(const struct problem *problem, struct result *result)
{
    struct result_group *group = result_group(result, "/spec");
    char *resolved = problem_resolved(problem);
    const char *text = spec_text(problem->spec), *const full = resolved;
    result_texts(group, "yaml", 0, NULL, &text, "the spec, verbatim");
    result_texts(group, "resolved", 0, NULL, &full, "with defaults and overrides");
    free(resolved);
}
