/* transcription/track/outcome.h - what a tracked motion came to: its cost, its end, times of its re-solves
 *
 * Units   of the spec; times of re-solves are CPU seconds.
 */
#ifndef COCP_TRANSCRIPTION_TRACK_OUTCOME_H
#define COCP_TRANSCRIPTION_TRACK_OUTCOME_H

#include "transcription/track/task.h"

/* Fills what `tracked` says of the whole; x [n_x] at its end. The status becomes STATUS_UNVERIFIED where a
 * shrinking horizon misses its end. */
void outcome_judge(const struct track_task *task, struct tracked *out, const double *x);

#endif
