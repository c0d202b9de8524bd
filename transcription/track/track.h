/* transcription/track/track.h - a plan that is made anew while it is carried out
 *
 *   plan k    the problem of the spec from t_k and the measured state on (problem_at.h), finished from what
 *             is left of the last plan: its sequence of modes and its trajectory, as `solve --guess FILE@T`
 *             reads them from a file
 *   plant     the event-driven simulation under the last plan that was found, delayed where asked for; its
 *             parameters may be others than the model's
 *
 *   x_measured = x(t_k) + noise,  x(t_k) = x(t_k-) + disturbance;   both even in [-size, size], by seed, plan and state
 *
 * The first plan is solved as `solve` does, from the spec's own start, exactly measured. Where a re-solve fails
 * the rest of the last plan is carried out, by feedback (controls.h); behind its end its last controls hold.
 * Where a shrinking horizon leaves fewer controls than final values, no plan is made any more.
 * Errors  STATUS_SPEC for what cannot be tracked (relays, optimized parameters, other states in the plant). Else
 *         `out` tells how far it came: its status is that of the first plan without a solution, of a plant that
 *         could not be simulated, of a stop, or STATUS_UNVERIFIED where final values are missed by more than tol.
 */
#ifndef COCP_TRANSCRIPTION_TRACK_TRACK_H
#define COCP_TRANSCRIPTION_TRACK_TRACK_H

#include "transcription/track/task.h"

/* tracked_free afterwards, whatever came back. STATUS_OK: out->status is the outcome. */
enum status track_run(const struct track_task *task, struct tracked *out, struct diag *diag);
void tracked_free(struct tracked *tracked);

/* The result file: head, /trajectory, /uniform, /events, and /plans. */
struct result *tracked_result(const struct output_origin *origin, const struct track_task *task,
                              const struct tracked *tracked, int n_uniform);

#endif
