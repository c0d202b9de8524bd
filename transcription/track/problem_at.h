/* transcription/track/problem_at.h - the problem of a spec from a time and a measured state on
 *
 * receding    the same horizon again, from time t0:          t -> t0 + t
 * shrinking   what is left of the horizon, with as many control intervals as are left:   t -> t0 + t, T -> t0 + T
 *
 * All states are given at the start, x [n_x].
 */
#ifndef COCP_TRANSCRIPTION_TRACK_PROBLEM_AT_H
#define COCP_TRANSCRIPTION_TRACK_PROBLEM_AT_H

#include "core/model/model.h"
#include "transcription/track/settings.h"

/* total: the horizon that is shrinking (s), as the last plan has it; n_interval: control intervals that are left of it.
 * model_free it before the model. */
struct model *problem_at(const struct model *model, enum track_horizon horizon, double t0, double total, int n_interval,
                         const double *x);

#endif
