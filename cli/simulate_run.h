/* cli/simulate_run.h - what `simulate` hands to the methods that are no programs: all of a run but its result */
#ifndef COCP_CLI_SIMULATE_RUN_H
#define COCP_CLI_SIMULATE_RUN_H

#include "cli/problem.h"
#include "transcription/start/control_table.h"

struct simulate_run {
    const struct cli_args *args;
    struct problem *problem;
    const struct control_table *controls;   /* or NULL: at their guesses */
    const expr *u_expr;                     /* [n_u] what took a control's place */
    const double *x_initial;                /* [n_x] */
    int steps;                              /* of fixed-step methods */
    const char *out_path;
};

#endif
