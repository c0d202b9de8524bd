/* core/simulation/events/hidden.h - what the right sides do between the stages of a step
 *
 * The error of a step is judged by its stages; a pulse that is narrow compared with their distance goes
 * unseen. Where the right sides are not simple (ranges.h) over a step, it is halved into parts where they
 * are, and each must obey
 *
 *   h |x'(t) - f(t, x(t))| <= HIDDEN_DEFECT tolerance
 *
 * at points of its own, x being the polynomial of the step.
 *
 * Ownership  private to core/simulation.
 */
#ifndef COCP_CORE_SIMULATION_EVENTS_HIDDEN_H
#define COCP_CORE_SIMULATION_EVENTS_HIDDEN_H

#include "core/simulation/events/resolution.h"
#include "core/simulation/stiff.h"

#define HIDDEN_DEFECT 1e3           /* coefficients that the error of a step is judged by are a hundred times that */

/* What a step was tried with, step.h. */
struct hidden_step {
    const double *coef;
    double t, h, rtol, atol;
    struct stiff *stiff;            /* of a stiff step, whose defects count by what they leave in x; else NULL */
};

/* Did a step overlook something? Then *h_next is a length to try instead. x [3 * n_x] is scratch. */
bool hidden_find(struct resolution *res, struct flow *flow, const struct mode *mode, const struct hidden_step *step,
                 double *x, double *h_next);

#endif
