/* transcription/phases/kept_bounds.h - bounds of states that modes keep anyway
 *
 * A queue has x >= 0 and is empty where the switch of x slides, a ball has z >= 0 and a contact with the gap z: what the
 * mode says implies the bound. Both together have no regular multipliers, and no interior where x stays 0: three queues in a
 * row took 172 iterations from their solution, and 7 without. So the bound is left out where its mode implies it.
 */
#ifndef COCP_TRANSCRIPTION_PHASES_KEPT_BOUNDS_H
#define COCP_TRANSCRIPTION_PHASES_KEPT_BOUNDS_H

#include "transcription/phases/system.h"

/* In the arena of the system, whose slots are placed. */
struct kept_bounds kept_bounds_find(struct phase_system *sys);

/* What is left of the bounds of state i in an interval where contacts and switches have these states; sw NULL: unknown. */
void kept_bounds_of(const struct phase_system *sys, const unsigned char *contact, const unsigned char *sw, int interval, int i,
                    double *lb, double *ub);

#endif
