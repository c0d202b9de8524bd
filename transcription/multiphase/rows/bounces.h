/* transcription/multiphase/rows/bounces.h - bounces that come to rest
 *
 * The impacts of a contact with restitution shrink by a ratio, without end, until it rests. A sequence has the
 * first of them, and a last one that it stays closed after: where that follows ACCUMULATES others and the last
 * flight s was so short that all others, which shrink by e each, take
 *
 *   e s + e^2 s + .. = s e / (1 - e) <= BOUNCES_LEFT,
 *
 * what is left of the series takes no time and moves nothing, and Newton's law is not asked for. A time, as where
 * simulations sum the series (core/simulation/events/zeno.h): how fast an impact is that no more than this
 * follows is a matter of the acceleration between them.
 */
#ifndef COCP_TRANSCRIPTION_MULTIPHASE_ROWS_BOUNCES_H
#define COCP_TRANSCRIPTION_MULTIPHASE_ROWS_BOUNCES_H

#include "transcription/sequence/sequence.h"
#include "transcription/sequence/system.h"

/* Does contact c come to rest at event j, after a series of bounces? */
bool bounces_end(const struct sequence *seq, int j, int c);

/* The last flight before that: the event where it bounced before event j, and how long it may take, in s. */
int bounces_before(const struct sequence *seq, int j, int c);
double bounces_last_flight(double e);

/* Does any contact with restitution? */
bool bounces_end_any(const struct phase_system *sys, const struct sequence *seq, int j);

#endif
