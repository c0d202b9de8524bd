/* transcription/solve/solve.h - an optimal control problem from its guess to a solution, by whatever it takes
 *
 * One homotopy is one attempt. Which attempts are made, in which order, is attempts.md 2 and what came of trying
 * it:
 *
 *   1. time-freezing of inelastic contacts: a time-stepping solution as the start (presolve.h), from sigma 1e-2
 *   2. the plain homotopy from the guess 3. the fallbacks (fallback.h): one more element per interval where the
 *   clock cannot be met, a larger dead band where
 *      dynamics break down below sigma 1e-3, a slower sigma, led to the goal first where end or path constraints
 *      cannot be met, other aggregation, perturbed guesses
 *
 * The first solution ends it, unless `homotopy.restarts` asks for a portfolio; the best result is returned.
 */
#ifndef COCP_TRANSCRIPTION_SOLVE_SOLVE_H
#define COCP_TRANSCRIPTION_SOLVE_SOLVE_H

#include "transcription/solve/task.h"

/* The status of the best attempt. *out is filled even then (out->tr NULL only after STATUS_SPEC and the like);
 * solve_result_free afterwards. */
enum status solve_ocp(const struct solve_task *task, struct solve_result *out, struct diag *diag);
/* Time-freezing from the guess down to a sigma at which contacts are decided, whatever the method of the spec:
 * what a sequence can be read from. STATUS_OK where it got there; *out as above. */
enum status solve_roughly(const struct solve_task *task, struct solve_result *out, struct diag *diag);
void solve_result_free(struct solve_result *result);
/* Gaps of a fixed start not below zero, everything finite at the guess: what a solve begins with. Errors,
 * STATUS_SPEC, name the expression, where it stands, and its inputs. */
enum status solve_check_start(struct transcription *tr, struct diag *diag);

#endif
