/* transcription/solve/acceptance.h - is a finished solution one? The last step of a solve asks what `cocp verify` asks
 *
 * It is replayed by events (replay.h) and has to meet the whole spec: the states to finish.tol, everything else to that
 * of verify, or to finish.tol where that is looser.
 */
#ifndef COCP_TRANSCRIPTION_SOLVE_ACCEPTANCE_H
#define COCP_TRANSCRIPTION_SOLVE_ACCEPTANCE_H

#include "transcription/phases/finish.h"
#include "transcription/phases/settings.h"
#include "transcription/solve/task.h"

struct acceptance {
    const struct solve_task *task;
    const struct finish_settings *settings;
    double start;                   /* of the solve, by clock_seconds */
};

/* The error of a solution's replay, NAN if nothing can be simulated. interval_error [n_interval]: of every control
 * interval alone, 0 where that was not looked at; may be NULL. refusal [size]: what `cocp verify` would refuse it
 * for, "" if nothing. */
double acceptance_error(const struct acceptance *by, const struct finish *best, double *interval_error,
                        char *refusal, size_t size);

#endif
