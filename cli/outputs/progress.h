/* cli/outputs/progress.h - the homotopy on stderr (args->err), one row per nonlinear program
 *
 *   step    sigma      comp      viol      objective   iter     time  outcome
 *      3  1.0e-02   9.8e-03   2.1e-10     12.3456789     41    0.62s  solved
 *
 * and a line for each thing that is tried, with the time and its share of --max-time; brief, only a line for what
 * came of it. On a terminal the live line (ticker.h) says where the program being solved is; colours only there,
 * and not with NO_COLOR set. Quiet: nothing.
 */
#ifndef COCP_CLI_OUTPUTS_PROGRESS_H
#define COCP_CLI_OUTPUTS_PROGRESS_H

#include "cli/args.h"
#include "core/mpcc/homotopy.h"

#include <stdio.h>

struct progress {
    FILE *out;
    int verbosity;                  /* as cli_args */
    bool brief;                     /* headlines alone */
    bool color, has_header;
    int step;                       /* rows printed */
    struct ticker *ticker;          /* borrowed; NULL: no live line */
    double start, max_seconds;
    char what[240];                 /* the latest note */
};

/* brief: steps and what is done now are left to the live line; -v has them all. */
void progress_init(struct progress *progress, const struct cli_args *args, bool brief);

/* A line of the story. user is a struct progress, as below. */
void progress_headline(void *user, const char *text);

/* What is done now ("presolve by time-stepping"): a line of its own, unless brief. */
void progress_note(void *user, const char *text);

/* homotopy_run.progress; user is a struct progress. */
void progress_step(void *user, const struct homotopy_step *step, int index);

/* homotopy_run.monitor; user is a struct progress. Never stops the solver. */
bool progress_iteration(void *user, int iteration, double f, double violation, double dual_inf, double mu);

#endif
