/* transcription/track/problem_at.h - the problem of a spec from a time and a measured state on
 *
 * receding    the same horizon again, from time t0:          t -> t0 + t
 * shrinking   what is left of the horizon, with as many control intervals as are left:   t -> t0 + t, T -> t0 + T;
 *             initial(e) is still that of the whole motion, times that are asked for stay where they were
 *
 * Impulses that have acted are the numbers that they were, those at t0 are still to come; what acts before the
 * plan takes over, at t_from, is given, too.
 *
 * All states are given at the start, x [n_x]; constraints are not asked there, as nothing can be done about them.
 */
#ifndef COCP_TRANSCRIPTION_TRACK_PROBLEM_AT_H
#define COCP_TRANSCRIPTION_TRACK_PROBLEM_AT_H

#include "core/model/model.h"
#include "transcription/track/settings.h"

struct problem_from {
    enum track_horizon horizon;
    double t0, total;               /* s; the horizon that is shrinking, as the last plan has it */
    double t_from;                  /* s; impulses from then on are for the plan to choose */
    int n_interval;                 /* control intervals that are left of it */
    const double *x, *x_start;      /* [n_x] measured; where the whole motion began */
    const double *value;            /* [n_param] of all parameters, impulses as they are carried out among them */
    const int *machine;             /* [n_machine] the states of machines, */
    const double *since;            /* [n_machine] and for how long they have been in them, s */
};

/* model_free it before the model. */
struct model *problem_at(const struct model *model, const struct problem_from *from);

/* Where final values cannot be reached: they go, and their distances, each of the width of its state's bounds (1
 * where they are wider), cost `weight` times their squares. False: there are none. */
bool problem_soften_end(struct model *at, double weight);

/* Where what holds along the path cannot be kept, as the measured state breaks it or is about to: inequalities
 * along the path and bounds of states go, and what they are broken by costs `weight` times its square, on average
 * over the horizon. Those of contact forces stay. False: there are none. */
bool problem_soften_path(struct model *at, double weight);

#endif
