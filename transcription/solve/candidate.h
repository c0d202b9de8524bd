/* transcription/solve/candidate.h - one sequence that somebody proposes, and its way to a solution
 *
 * Its program is solved with whatever helps it there (continuations.h), told of, counted as the generator's that is at
 * work, and kept in the pool.
 */
#ifndef COCP_TRANSCRIPTION_SOLVE_CANDIDATE_H
#define COCP_TRANSCRIPTION_SOLVE_CANDIDATE_H

#include "transcription/solve/finishing_parts.h"

struct candidate {
    struct extract from;            /* the sequence, and the trajectory that its program starts from */
    bool repair;                    /* where it has no solution its neighbours are tried */
    bool undecided;                 /* a simulation's, which knows little of friction in space: smoothed friction decides it */
    double *free_below;             /* with intervals of free lengths on the way; on the grid of the spec only what costs less
                                     * than that with them, which lowers it. NULL: on that grid at once */
    bool one_of_many;               /* only a solution is told of */
    int elements;                   /* of a piece; 0: as many as the search has */
    int max_iter;                   /* of its program; 0: FINISH_MAX_ITER */
    const struct finish *beside;    /* a neighbour of that one; NULL: of none */
};

/* Errors are those of solve.h; that it has no solution is none. What `from` has stays the caller's. */
enum status candidate_solve(struct finishing *at, const struct candidate *candidate);

/* The same of a program that has been run already: taken over with what is told of it and what helps it now. */
enum status candidate_take(struct finishing *at, const struct candidate *candidate, struct finish *one);

/* On the grid of the settings at once, and warm: a plan whose solution must be near. False where it has none so soon. */
bool candidate_is_near(struct finishing *at, const struct extract *from);

/* A neighbour of a sequence that was finished, `samples` its trajectory, is solved by `way`, which may add to the
 * candidate; both is counted as the move's. */
typedef enum status candidate_way(void *user, struct candidate *neighbour);
enum status candidate_neighbour(struct finishing *at, const struct finish *of, const struct samples *samples,
                                const struct neighbour *one, candidate_way *way, void *user);

#endif
