/* transcription/phases/legal.h - may a system follow a sequence?
 *
 * Events are in order and inside the horizon, none beside another on one grid point; contacts act where the phases
 * by the user have them; seats stay closed, and patches lie beside each other; machines may make their
 * transitions; given initial values start in its first mode. Nothing slides that a jump of the controls, or
 * chance, would end, and sides of the user's complementarity that depend on controls change on the grid.
 */
#ifndef COCP_TRANSCRIPTION_PHASES_LEGAL_H
#define COCP_TRANSCRIPTION_PHASES_LEGAL_H

#include "transcription/phases/sequence.h"
#include "transcription/phases/system.h"

/* Seats and patches are settled (seats.h, patches.h). */
bool sequence_is_legal(const struct phase_system *sys, const struct sequence *seq);

#endif
