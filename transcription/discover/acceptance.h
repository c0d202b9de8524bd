/* transcription/discover/acceptance.h - is a finished solution one? The last step of a solve asks what `cocp
 * verify` asks
 *
 * It is replayed by events (replay.h) with the settings of verify, and has to meet the whole spec: the states to
 * finish.tol where that is stricter, everything else as there.
 */
#ifndef COCP_TRANSCRIPTION_DISCOVER_ACCEPTANCE_H
#define COCP_TRANSCRIPTION_DISCOVER_ACCEPTANCE_H

#include "transcription/candidates/outcome.h"
#include "transcription/finish/settings.h"

struct acceptance {
    const struct solve_task *task;
    const struct finish_settings *settings;
    double start;                   /* of the solve, by clock_seconds */
};

/* Replays a solution; what came of it is in out->replay and out->refusal. interval_error [n_interval]: of every
 * control interval alone, 0 where that was not looked at; may be NULL. */
void acceptance_replay(const struct acceptance *by, const struct finish *best, double *interval_error,
                       struct solution *out);

/* Is a finished solution, judged by its replay and its inequalities, none to this
 * tolerance? Then its reason says why. */
bool solution_is_refused(struct solution *solution, double tol);

#endif
