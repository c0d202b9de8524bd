/* transcription/sequence/sliding.h - what does not slide
 *
 * A switch whose function depends on controls is left where these jump. A switch whose alpha does nothing to the
 * rate of what slides is held by chance: its function is 0 and stays there by the controls alone, and alpha,
 * which other equations take, is a control that nobody has. No simulation can follow that: the motion stays on
 * one side of it, or the other.
 */
#ifndef COCP_TRANSCRIPTION_SEQUENCE_SLIDING_H
#define COCP_TRANSCRIPTION_SEQUENCE_SLIDING_H

#include "transcription/sequence/sequence.h"
#include "transcription/sequence/system.h"

/* Does a switch slide that depends on a control? Its condition holds where sliding begins, and not after the next
 * jump. */
bool sliding_on_controls(const struct phase_system *sys, const struct sequence *seq);
/* Does a switch slide whose alpha does nothing to what slides? */
bool sliding_by_chance(const struct phase_system *sys, const struct sequence *seq);
/* Does any switch depend on a control? Then motions cross it where controls jump, and the
 * best may be to stay on it. */
bool sliding_depends_on_controls(const struct phase_system *sys);
/* Does switch l in a mode, its states [n_subject]? */
bool sliding_by_chance_in(const struct phase_system *sys, const unsigned char *mode, int l);

#endif
