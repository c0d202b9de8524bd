/* transcription/ensemble/ensemble.h - one plan that is good for several scenarios: controls in common, states
 * apart
 *
 *   1. the spec as written is solved: its plan is where all begins 2. its controls are simulated from event to
 *   event in every scenario: each has a sequence of its own 3. the programs of these sequences are solved as one
 *   (together.h): controls by interval, optimized parameters and a
 *      free horizon are common variables, costs are a weighted mean, or the largest of them counts
 *   4. where that fails, each scenario is solved alone, for a sequence of its own discovery, then neighbours are
 *   tried 5. neighbours of each scenario's sequence, one scenario after the other, as long as one makes the whole
 *   better 6. more stages and elements, inequalities between stages, until a replay of every scenario agrees
 *
 * ensemble.md says why programs apart, and how the factorization takes to them.
 */
#ifndef COCP_TRANSCRIPTION_ENSEMBLE_ENSEMBLE_H
#define COCP_TRANSCRIPTION_ENSEMBLE_ENSEMBLE_H

#include "transcription/ensemble/plan.h"

/* Do the scenarios have one grid of control intervals, and controls and optimized parameters in common? Messages at
 * what differs. */
enum status ensemble_check(const struct ensemble_task *task, struct diag *diag);

/* The status is out->status, unless something was refused. ensemble_free afterwards, whatever came back. */
enum status ensemble_solve(const struct ensemble_task *task, struct ensemble *out, struct diag *diag);
void ensemble_free(struct ensemble *ensemble);

#endif
