/* transcription/solve/ladder.h - which attempts a solve makes, and in which order
 *
 * Private to solve.c. What to begin with follows from the problem; when that fails, the rungs of homotopy.md 4 and
 * homotopy_fesdj.md 4 are climbed, cheapest first; `homotopy.restarts` asks for more starts after a solution.
 */
#ifndef COCP_TRANSCRIPTION_SOLVE_LADDER_H
#define COCP_TRANSCRIPTION_SOLVE_LADDER_H

#include "transcription/solve/attempt.h"

/* The homotopy from the guess. */
struct attempt ladder_plain(const struct solver *solver);

/* The attempt to begin with; makes its presolve. */
struct attempt ladder_first(struct solver *solver);

/* The next rung after `base`, the first attempt, has failed; *next counts on from 0. False past the last. */
bool ladder_next(const struct solver *solver, const struct attempt *base, int *next, struct attempt *rung);

/* How many starts follow a solution, and start k = 0, 1, ... */
int ladder_restarts(const struct solver *solver);
void ladder_restart(const struct solver *solver, const struct attempt *base, int k, struct attempt *again);

/* Time-freezing of curved inelastic gaps whose dead band the spec leaves to us (homotopy.md 1.1). */
bool ladder_wants_band(const struct solve_task *task);

#endif
