/* transcription/moves/neighbours.h - sequences beside that of a program: phases.md "Moves"
 *
 * Every move of the table (moves.h) at every spot. Sorted, the surest sign first.
 */
#ifndef COCP_TRANSCRIPTION_MOVES_NEIGHBOURS_H
#define COCP_TRANSCRIPTION_MOVES_NEIGHBOURS_H

#include "transcription/moves/moves.h"

struct neighbour {
    const struct move *move;
    double priority;                /* of the move, and how much surer it is here */
    char what[60];                  /* "event 3 moved into the interval after it" */
    struct sequence *seq;
    double *t;                      /* [n_event] */
};

struct neighbours { int n; struct neighbour *list; };

/* By the moves for `use` (enum move_use) that are switched on. near: of an interval; what is shorter has no length.
 * The finish may be one without a solution; counts may be NULL. */
struct neighbours neighbours_of(const struct finish *finish, unsigned use, double near,
                                const struct counts *counts);
/* What its program starts from: `from`, the trajectory of what it is a neighbour of, with its modes and events. */
struct samples *neighbour_start(const struct neighbour *one, const struct finish *of, const struct samples *from);
void neighbours_free(struct neighbours *neighbours);

#endif
