/* transcription/track/controls.h - the controls that are carried out: rows of plans, by the plant's clock
 *
 *   feedback    u = u* + du, clipped to its bounds: how the controls of the rest of a plan answer, in the first
 *               order, to a state that is not the planned one (sensitivity/sensitivity.h); without a solve
 *
 * Units   of the spec. Rows are allocated in mem, old ones stay there.
 */
#ifndef COCP_TRANSCRIPTION_TRACK_CONTROLS_H
#define COCP_TRANSCRIPTION_TRACK_CONTROLS_H

#include "transcription/finish/finish.h"
#include "transcription/multiphase/phase_trace.h"

/* The rows from `now` on: the old ones up to t_from, then those of the plan that begins at t. */
struct sim_controls controls_take_over(const struct sim_controls *old, double now, const struct phase_trace *trace,
                                       int n_u, double t, double t_from, struct arena *mem);

/* The rows of the plan, whose last ones `carried` holds, from `now` on, where the state is x [n_x], by
 * feedback. False, and *carried as it was, where no interval of the plan begins now (to part `near` of its
 * length), or its program cannot follow. */
bool controls_feed_back(struct sim_controls *carried, double now, double near, const struct finish *plan,
                        const double *x, struct arena *mem);

#endif
