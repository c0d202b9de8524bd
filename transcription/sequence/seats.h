/* transcription/sequence/seats.h - what a seat does follows from the contact that presses on it
 * (core/model/loads.c)
 *
 * A seat never opens. Where the contact is open the load is 0, and so is friction: the seat is closed without it,
 * as a cone of no width has no slope. Where the contact is hit, so is the seat.
 */
#ifndef COCP_TRANSCRIPTION_SEQUENCE_SEATS_H
#define COCP_TRANSCRIPTION_SEQUENCE_SEATS_H

#include "transcription/sequence/sequence.h"
#include "transcription/sequence/system.h"

/* Makes it so; true if that changes anything. A seat whose friction begins to act does as in the mode after
 * or before, else it sticks. */
bool seats_settle(const struct phase_system *sys, struct sequence *seq);

/* Do all seats stay closed? */
bool seats_stay(const struct phase_system *sys, const struct sequence *seq);

#endif
