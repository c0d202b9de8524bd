/* transcription/discover/discover.h - discover, then finish: a sequence first, then its smooth program; phases.md
 *
 *   1. the plan (plan.c)    where sequences come from, in which order; each is solved with what helps it
 *                    (candidates/continuations.c)
 *   2. neighbouring sequences of the best, as long as one is better (moves/moves.c)
 *   3. more stages and elements on the same sequence, and inequalities between stages where they are broken, until
 *      a replay by events agrees (accuracy.c)
 *   4. where it cannot be verified the next best is, and in the end the plan with other seeds (next.c); the first
 *      that can be verified is the result. Where there is none it is the best, unverified. Not from a given
 *      solution, nor in a re-solve of `track`
 */
#ifndef COCP_TRANSCRIPTION_DISCOVER_DISCOVER_H
#define COCP_TRANSCRIPTION_DISCOVER_DISCOVER_H

#include "transcription/candidates/outcome.h"
#include "transcription/finish/settings.h"

/* The finished solution's status; without one that of the method of the spec, and its solution, if any. A model
 * that phases do not take goes straight there. finished_free afterwards. */
enum status solve_finished(const struct solve_task *task, const struct finish_settings *settings,
                           struct finished *out, struct diag *diag);
void finished_free(struct finished *finished);

#endif
