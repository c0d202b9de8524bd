/* transcription/given/given.h - a trajectory from a result file as a start for the finish
 *
 *   sequence    of a finished solution the one in its /phases; of others it is read from the
 *               trajectory: from elements that end at events (FESD, FESD-J, time-freezing, event-driven
 *               simulation) or from time steps
 *   samples     its states and controls on the grid of the model, event times
 *   program     of a finished solution the values and multipliers of the program it solved, for the same program
 *               again
 *
 * Variables, contacts and switches are matched by name; states that the file does not have take the model's own
 * guess.
 * Times    tau = (t - from) of a guess `FILE@T`, and the rest of a fixed horizon holds the last state; without T
 *          a fixed horizon is reached by stretching, a free one starts from the file's.
 * Events on grid points stay on the nearest one of the new grid, others lie where their time falls.
 */
#ifndef COCP_TRANSCRIPTION_GIVEN_GIVEN_H
#define COCP_TRANSCRIPTION_GIVEN_GIVEN_H

#include "transcription/finish/finish.h"
#include "transcription/start/guess.h"

struct given_program {              /* columns of /grid/variables and /grid/rows; borrowed from the guess */
    struct phase_grid grid;
    struct phase_check *check;      /* [grid.n_check], owned */
    int n_w, n_g;                   /* 0: the file has none, or is to be shifted or put on another grid */
    const char *const *name;        /* by what `constraint` counts */
    const int *w_name, *w_interval, *w_element, *w_stage, *g_name, *g_interval, *g_element, *g_stage;
    const double *w, *z, *lambda;   /* z: of the upper bound positive, of the lower one negative */
};

struct given {
    struct extract found;
    bool finished;                  /* the sequence is told, not read */
    struct given_program program;
};

/* Does it come from a solution, not from a last iterate? */
bool given_is_solution(const struct guess *guess);

/* False where the file shows no trajectory that a sequence could be read from. free_intervals: control intervals
 * may have other lengths than those of the model. given_free afterwards. */
bool given_read(const struct phase_system *sys, const struct guess *guess, bool free_intervals, struct given *out);
void given_free(struct given *given);

/* Solves the program that the file's solution solved, from its point and multipliers. *out stays without a
 * program if the model makes another one of the sequence. Never worse than the file's point where that is
 * feasible: then *is_kept says that nothing better was found from it. */
enum status given_solve(const struct finish_task *task, const struct given *given, bool *is_kept,
                        struct finish *out, struct diag *diag);

/* --- Parts --------------------------------------------------------------------------------------------------- */

/* From times of the file to those of the model: tau = (t - from) * stretch, cut at the horizon. */
struct given_times { double from, stretch, horizon; };

/* Stretches of the trajectory, in mem; n = 0: there are none. */
struct stretches given_stretches(const struct phase_system *sys, const struct guess *guess,
                                 const struct given_times *times, struct arena *mem);
/* Adds the transitions in the file's /events. */
void given_transitions(const struct phase_system *sys, const struct guess *guess, const struct given_times *times,
                       struct arena *mem, struct stretches *to);
/* The same of time steps; false if it is not made of such. */
bool given_time_steps(const struct phase_system *sys, const struct guess *guess, const struct given_times *times,
                      struct arena *mem, struct time_steps *out);
struct given_program given_program_read(const struct result *file);

#endif
