/* transcription/candidates/solve_candidate.h - a candidate on its way to a solution
 *
 * Its program is solved with whatever helps it there (continuations.h), told of, counted as the generator's that
 * is at work, and kept in the pool.
 */
#ifndef COCP_TRANSCRIPTION_CANDIDATES_SOLVE_CANDIDATE_H
#define COCP_TRANSCRIPTION_CANDIDATES_SOLVE_CANDIDATE_H

#include "transcription/candidates/candidate.h"

/* Errors are those of solve.h; that it has no solution is none. What `from` has stays the caller's. */
enum status candidate_solve(struct discovery *at, const struct candidate *candidate);

/* The same of a program that has been run already: taken over with what is told of it and what helps it now. */
enum status candidate_take(struct discovery *at, const struct candidate *candidate, struct finish *one);

/* On the grid of the settings at once, and warm: a plan whose solution must be near. False
 * where it has none so soon. */
bool candidate_is_near(struct discovery *at, const struct extract *from);

/* A neighbour of a sequence that was finished, `samples` its trajectory, is solved by `way`, which may add to the
 * candidate; both is counted as the move's. */
typedef enum status candidate_way(void *user, struct candidate *neighbour);
enum status candidate_neighbour(struct discovery *at, const struct finish *of, const struct samples *samples,
                                const struct neighbour *one, candidate_way *way, void *user);

#endif
