/* transcription/phases/neighbours.h - sequences beside one whose program was solved: phases.md 4
 *
 *   a piece of no length at an edge of its interval      its event moves into the neighbouring interval, or on the
 *                                                        grid point if a jump of the controls can trigger it
 *   a phase of no length                                 goes; between an impact and an opening they become one impact;
 *                                                        beside a grid point with an event the two become one
 *   an opening of no length                              the contact stays closed
 *   an event at the start or the end of the horizon      goes, with the mode of no length outside of it
 *   an event on a grid point                             to the inside of the intervals beside it, to the next points
 *   slip that reverses on a grid point                   sticks in between
 *   sliding that comes back to the side it came from      passes to the other side
 *   sticking with the cone active throughout a piece     slips there to the end of the phase
 *   sticking that starts with the cone active            slips before it
 *   the friction of an impact                            sticks or slips to either side after it
 *   slip at the start or the end of the horizon          sticks up to the first grid point, or in the last interval
 *   several events on grid points, the horizon free      all leave them, for a shorter or a longer horizon
 *   a transition right before another event              after it
 *   a switching function that is 0 at the end            crosses before; one that grazes its surface crosses there
 *   a relay's round of switching                         left out
 *   few events, of a solution, where asked for           all an interval earlier or later
 *   a contact that closes and stays closed to the end    opens where it presses least
 *
 * Sorted, the surest sign first. `near` says what has no length.
 */
#ifndef COCP_TRANSCRIPTION_PHASES_NEIGHBOURS_H
#define COCP_TRANSCRIPTION_PHASES_NEIGHBOURS_H

#include "transcription/phases/finish.h"

struct neighbour {
    double priority;
    char what[60];                  /* "event 3 into interval 7" */
    struct sequence *seq;
    double *t;                      /* [n_event] */
};

struct neighbours { int n, cap; struct neighbour *list; };

/* shifted: with all events of a solution an interval earlier or later, which may be far away. */
struct neighbours neighbours_of(const struct finish *finish, double near, bool shifted);
/* Those that say plainly what has no length: a contact that opened for none stays closed; slip that stops at an edge
 * of its interval stops on the grid point. */
struct neighbours neighbours_tidier(const struct finish *finish);
/* Other orders of transitions: where a condition is all but met that transition, and the way back; what leads back left
 * out, or the end. The finish may be one without a solution. */
struct neighbours neighbours_of_orders(const struct finish *finish);
void neighbours_free(struct neighbours *neighbours);

#endif
