#include "cli/commands.h"
#include "cli/problem.h"

#include <stdlib.h>

static const char *type_text(enum model_type type)
{
    switch (type) {
    case MODEL_ODE:        return "ode";
    case MODEL_MECHANICAL: return "mechanical";
    case MODEL_PIECEWISE:  return "piecewise";
    }
    return "";
}

static void print_findings(const struct cli_args *args, const struct model *model)
{
    printf("%s: no findings; %s, states %d, controls %d, contacts %d, constraints %d\n", args->input[0],
           type_text(model->type), model->n_x, model->n_u, model->n_contact, model->n_constraint);
}

enum status cmd_check(const struct cli_args *args, struct diag *diag)
{
    struct problem problem;
    const enum status st = problem_read(args, MODEL_FOR_CHECK, &problem, diag);
    if (st == STATUS_OK && args->resolved) {
        char *text = problem_resolved(&problem);
        fputs(text, stdout);
        free(text);
    } else if (st == STATUS_OK && args->verbosity >= 0) {
        print_findings(args, problem.model);
    }
    problem_free(&problem);
    return st;
}
