/* cli/commands/direct.h - `simulate` by core/simulation: from event to event, or step by step with a
 * time-stepping scheme */
#ifndef COCP_CLI_COMMANDS_DIRECT_H
#define COCP_CLI_COMMANDS_DIRECT_H

#include "cli/problem.h"
#include "core/output/bundle.h"
#include "transcription/start/control_table.h"

struct direct_run {                 /* all of a run but its result; borrowed */
    const struct cli_args *args;
    struct problem *problem;
    const struct control_table *controls;   /* or NULL: at their guesses */
    const expr *u_expr;                     /* [n_u] what took a control's place */
    const double *x_initial;                /* [n_x] */
    int steps;                              /* of fixed-step methods */
    const struct perturbation *perturbed;   /* [args->n_perturb] */
};

/* Do --samples, --perturb and --impacts make sense together, and for the model? *out,
 * [args->n_perturb], is malloc'ed; NULL unless STATUS_OK came back. STATUS_USAGE for a state that is
 * not there or a size that is no number. */
enum status perturb_read(const struct cli_args *args, const struct model *model, struct perturbation **out,
                         struct diag *diag);

enum status direct_simulate(const struct direct_run *run, struct diag *diag);

#endif
