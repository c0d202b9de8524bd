#define _POSIX_C_SOURCE 200809L

#include "core/output/head.h"

#include "core/nlp/nlp.h"
#include "core/results/fields.h"

#include <time.h>

/* Value of a parameter that may depend on optimized ones. */
static double parameter_at(const struct model *model, const struct model_param *param, const double *p)
{
    if (!p)
        return param->value;
    return expr_eval(model->graph, param->sym != EXPR_NONE ? param->sym : param->value_expr, model->n_p,
                     model->p_sym, p);
}

static void write_parameters(const struct model *model, const double *p, struct result *result)
{
    struct result_group *group = result_group(result, "/parameters");
    for (int k = 0; k < model->n_param; k++) {
        const struct model_param *param = &model->param[k];
        const double value = parameter_at(model, param, p);
        result_doubles(group, param->name, 0, NULL, &value, param->units, param->long_name,
                       param->optimize ? "optimized" : NULL);
    }
}

void output_set_status(struct result *result, enum status status)
{
    struct result_group *root = result_group(result, "/");
    result_set_text(root, "status", status_text(status));
    result_set_int(root, "exit_code", status_exit_code(status));
}

struct result *output_begin(const struct output_origin *origin, const struct output_head *head, const double *p)
{
    struct result *result = result_create();
    struct result_group *root = result_group(result, "/");
    result_set_time_unit(result, origin->model->time.unit);
    char date[40];
    const time_t now = time(NULL);
    struct tm utc;
    (void)strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    result_set_text(root, "Conventions", "CF-1.10");
    output_set_status(result, head->status);
    result_set_double(root, "objective", head->objective);
    result_set_double(root, "complementarity", head->complementarity);
    result_set_double(root, "infeasibility", head->infeasibility);
    result_set_text(root, "title", origin->model->name);
    result_set_text(root, "source", "cocp " COCP_VERSION);
    result_set_text(root, "history", origin->history);
    result_set_text(root, "spec_sha256", spec_sha256(origin->spec));
    result_set_text(root, "method", origin->method);
    result_set_text(root, "date_created", date);
    if (head->failure)
        result_set_text(root, "failure", head->failure);
    write_parameters(origin->model, p, result);
    return result;
}

void output_write_spec(const struct output_origin *origin, struct result *result)
{
    struct result_group *group = result_group(result, "/spec");
    const char *text = spec_text(origin->spec);
    result_texts(group, "yaml", 0, NULL, &text, "the spec, verbatim");
    result_texts(group, "resolved", 0, NULL, &origin->resolved, "with defaults and overrides");
}

void output_write_effort(const struct solver_settings *solver, const struct output_effort *effort,
                         struct result *result)
{
#define AT(name) offsetof(struct output_effort, name)
    static const struct result_field fields[] = {
        { .name = "n_var", RESULT_INT, AT(n_var) },
        { .name = "n_con", RESULT_INT, AT(n_con) },
        { .name = "n_comp", RESULT_INT, AT(n_comp) },
        { .name = "nnz_jacobian", RESULT_INT, AT(nnz_jac) },
        { .name = "nnz_hessian", RESULT_INT, AT(nnz_hess) },
        { .name = "iterations", RESULT_INT, AT(iterations) },
        { .name = "time_total", RESULT_DOUBLE, AT(seconds) },
        { .name = "time_evaluation", RESULT_DOUBLE, AT(eval_seconds) },
        { .name = "factorizations", RESULT_INT, AT(linear.n_own) },
        { .name = "factorizations_stopped", RESULT_INT, AT(linear.n_stopped) },
        { .name = "factorizations_mumps", RESULT_INT, AT(linear.n_mumps) },
        { .name = "mumps_after_breakdown", RESULT_INT, AT(linear.n_broken) },
        { .name = "mumps_after_residual", RESULT_INT, AT(linear.n_inexact) },
        { .name = "linear_solves", RESULT_INT, AT(linear.n_solve) },
        { .name = "time_analysis", RESULT_DOUBLE, AT(linear.analyse_seconds) },
        { .name = "time_factorization", RESULT_DOUBLE, AT(linear.factorize_seconds) },
        { .name = "time_linear_solves", RESULT_DOUBLE, AT(linear.solve_seconds) },
    };
#undef AT
    struct result_group *group = result_group(result, "/solver");
    result_set_text(group, "solver", nlp_solver_version());
    for (int k = 0; k < solver->n_option; k++)
        result_set_text(group, solver->option[k].name, solver->option[k].value);
    result_set_fields(group, effort, COUNT(fields), fields);
}
