/* transcription/solve/fallback.h - which attempts a solve makes, and in which order
 *
 * Private to solve.c. What to begin with follows from the problem; when that fails, the fallbacks of attempts.md 2
 * are tried, cheapest first; `homotopy.restarts` asks for more starts after a solution.
 */
#ifndef COCP_TRANSCRIPTION_SOLVE_FALLBACK_H
#define COCP_TRANSCRIPTION_SOLVE_FALLBACK_H

#include "transcription/solve/attempt.h"

/* The homotopy from the guess. */
struct attempt fallback_plain(const struct solver *solver);

/* The attempt to begin with; makes its presolve. */
struct attempt fallback_first(struct solver *solver);

/* The next fallback after `base`, the first attempt, has failed; *next counts on from 0. False past the last. */
bool fallback_next(const struct solver *solver, const struct attempt *base, int *next, struct attempt *attempt);

/* How many starts follow a solution, and start k = 0, 1, ... */
int fallback_restarts(const struct solver *solver);

/* Attempts that there may be, all in all. */
int fallback_most(const struct solver *solver);
struct attempt fallback_restart(const struct solver *solver, const struct attempt *base, int k);

#endif
