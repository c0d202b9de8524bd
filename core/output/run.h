/* core/output/run.h - a run of core/simulation as groups of a result
 *
 * One run of the event-driven simulation, whose elements are its smooth pieces, or of a time-stepping scheme, whose
 * elements are its steps; a step's force is its mean, its states are linear in between.
 *
 * Shapes  as of trajectory.h: points slowest.
 * Units   of the spec; times in its unit of time.
 */
#ifndef COCP_CORE_OUTPUT_RUN_H
#define COCP_CORE_OUTPUT_RUN_H

#include "core/output/trajectory.h"
#include "core/stepping/stepping.h"

struct output_run {                  /* all borrowed */
    const struct model *model;
    const double *p;                /* [n_p] optimized parameters; NULL: their guesses */
    const expr *u_expr;             /* [n_u] what took a control's place; or NULL */
    struct sim_controls controls;   /* as given to the run */
    const struct sim *sim;          /* one of these, the other NULL */
    const struct stepping *steps;
};

struct output_times { int n; const double *t; };     /* ascending, from the start to the end */

/* Adds the points at these times; those after the end of the run are left out. */
void output_run_add_times(const struct output_run *run, const struct output_times *times, struct trajectory *to);

/* Adds the points of /trajectory: every piece of a simulation, with a few points inside. */
void output_run_add_pieces(const struct output_run *run, struct trajectory *to);

/* How many events the run met. */
int output_run_n_events(const struct output_run *run);

/* n points of time from the start to the end of the run, as the group `path`. */
void output_run_write_uniform(const struct output_run *run, const char *path, int n, struct result *result);

/* /trajectory, /uniform of n_uniform points, /grid, /events and /modes; of a run
 * without a piece only its events. */
void output_run_write(const struct output_run *run, int n_uniform, struct result *result);

#endif
