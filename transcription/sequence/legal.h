/* transcription/sequence/legal.h - may a system follow a sequence?
 *
 * Events are in order and inside the horizon, none beside another on one grid point; contacts act where the phases
 * by the user have them; seats stay closed, and patches lie beside each other; machines may make their
 * transitions; given initial values start in its first mode. Nothing slides that a jump of the controls, or
 * chance, would end, and sides of the user's complementarity that depend on controls change on the grid.
 */
#ifndef COCP_TRANSCRIPTION_SEQUENCE_LEGAL_H
#define COCP_TRANSCRIPTION_SEQUENCE_LEGAL_H

#include "transcription/sequence/sequence.h"
#include "transcription/sequence/system.h"

/* Seats and patches are settled (seats.h, patches.h). */
bool sequence_is_legal(const struct phase_system *sys, const struct sequence *seq);

/* --- Parts of that ------------------------------------------------------------------------------------------- */

/* Do contacts act only where the phases by the user have them? */
bool legal_contacts(const struct model *model, const struct sequence *seq);
/* Do sides of the user's complementarity that depend on controls change on grid points alone? */
bool legal_sides(const struct phase_system *sys, const struct sequence *seq);
/* Are the states of machines some that these have? */
bool legal_machine_states(const struct phase_system *sys, const struct sequence *seq);
/* May machines do what the sequence says? */
bool legal_machines(const struct phase_system *sys, const struct sequence *seq);

/* Does every machine end in a state that it may end in? A sequence where one does not is no
 * solution, but others are beside it. */
bool sequence_ends(const struct phase_system *sys, const struct sequence *seq);

#endif
