/* transcription/phases/bounces.h - bounces that come to rest
 *
 * The impacts of a contact with restitution shrink by a ratio, without end, until it rests. A sequence has the first of
 * them, and a last one that it stays closed after: where that follows ACCUMULATES others and is slower than NO_BOUNCE,
 * what is left of the series takes no time and moves nothing, and Newton's law is not asked for.
 */
#ifndef COCP_TRANSCRIPTION_PHASES_BOUNCES_H
#define COCP_TRANSCRIPTION_PHASES_BOUNCES_H

#include "transcription/phases/phases.h"

/* Does contact c come to rest at event j, after a series of bounces? */
bool bounces_end(const struct sequence *seq, int j, int c);

/* Does any contact with restitution? */
bool bounces_end_any(const struct phase_system *sys, const struct sequence *seq, int j);

#endif
