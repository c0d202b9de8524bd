/* cli/progress.h - the homotopy on stderr, one row per nonlinear program
 *
 *   step    sigma      comp      viol      objective   iter     time  outcome
 *      3  1.0e-02   9.8e-03   2.1e-10     12.3456789     41    0.62s  solved
 *
 * On a terminal the row of the program being solved is kept up to date; colours only there, and not with
 * NO_COLOR set. Quiet: nothing.
 */
#ifndef COCP_CLI_PROGRESS_H
#define COCP_CLI_PROGRESS_H

#include "core/mpcc/homotopy.h"

#include <stdio.h>

struct progress {
    FILE *out;
    int verbosity;                  /* as cli_args */
    bool live, color;
    bool has_header, has_live_row;
    int step;                       /* rows printed */
};

void progress_init(struct progress *progress, FILE *out, int verbosity);

/* A line of its own: what is done now ("presolve by time-stepping"). user is a struct progress, as below. */
void progress_note(void *user, const char *text);

/* homotopy_run.progress; user is a struct progress. */
void progress_step(void *user, const struct homotopy_step *step, int index);

/* homotopy_run.monitor; user is a struct progress. Never stops the solver. */
bool progress_iteration(void *user, int iteration, double f, double violation, double dual_inf, double mu);

/* Removes the live row, so that other lines can follow. */
void progress_end(struct progress *progress);

#endif
