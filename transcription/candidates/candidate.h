/* transcription/candidates/candidate.h - one sequence that somebody proposes, and what is asked of it */
#ifndef COCP_TRANSCRIPTION_CANDIDATES_CANDIDATE_H
#define COCP_TRANSCRIPTION_CANDIDATES_CANDIDATE_H

#include "transcription/candidates/discovery.h"

struct candidate {
    struct extract from;            /* the sequence, and the trajectory that its program starts from */
    bool repair;                    /* where it has no solution its neighbours are tried */
    bool others_follow;             /* which may need no repair: that has a budget, and goes on where they lead
                                     * nowhere (generators/cut_repairs.c) */
    bool undecided;                 /* a simulation's, which knows little of friction in space: smoothed
                                     * friction decides it */
    double *free_below;             /* with intervals of free lengths on the way; on the grid of the spec only
                                     * what costs less than that with them, which lowers it. NULL: on that grid
                                     * at once */
    bool one_of_many;               /* only a solution is told of */
    int elements;                   /* of a piece; 0: as many as the search has */
    int max_iter;                   /* of its program; 0: FINISH_MAX_ITER */
    const struct finish *beside;    /* a neighbour of that one; NULL: of none */
};

#endif
