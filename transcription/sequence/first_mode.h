/* transcription/sequence/first_mode.h - the mode in which given initial values start, whatever a sequence says
 *
 * A contact is open, or hit, or leaves, what should stick slips, a switching function has another sign, or one
 * where it should slide. Time steps do not show what is over within the first of them, and a measured state is
 * beside the plan that it is to follow.
 */
#ifndef COCP_TRANSCRIPTION_SEQUENCE_FIRST_MODE_H
#define COCP_TRANSCRIPTION_SEQUENCE_FIRST_MODE_H

#include "transcription/sequence/sequence.h"
#include "transcription/sequence/system.h"

/* Do given initial values start in its first mode? */
bool first_mode_is(const struct phase_system *sys, const struct sequence *seq);

/* What the subject, which is `state` in a first mode, is at the start. */
unsigned char first_mode_state(const struct phase_system *sys, int subject, unsigned char state);
/* What a closed contact does that is `state`, by its slip at the start. */
unsigned char first_mode_slip(const struct phase_contact *contact, unsigned char state);
/* Does the contact, which touches, approach? */
bool first_mode_hits(const struct phase_contact *contact);

#endif
