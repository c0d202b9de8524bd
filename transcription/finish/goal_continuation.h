/* transcription/finish/goal_continuation.h - a sequence whose start is far from what is asked of it
 *
 * Of final values and constraints as much is asked at first as the start has, then more and more:
 *
 *     lb - part b <= e <= ub + part b,     b: what the start breaks it by; part from 1 to 0
 *
 * and of a final value x_f of which the start has x_0: x_f + part (x_0 - x_f). Each part starts from the solution
 * of the one before. The first step is a quarter; one that has no solution is halved, one that has is followed by
 * one of twice the size.
 */
#ifndef COCP_TRANSCRIPTION_FINISH_GOAL_CONTINUATION_H
#define COCP_TRANSCRIPTION_FINISH_GOAL_CONTINUATION_H

#include "transcription/finish/finish.h"

/* *out is replaced by the solution, if there is one; it counts the iterations of all programs. */
enum status goal_continuation_finish(const struct finish_task *task, const struct sequence *seq,
                                     const struct samples *samples, int max_iter, struct finish *out,
                                     struct diag *diag);

#endif
