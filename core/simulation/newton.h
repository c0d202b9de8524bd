/* core/simulation/newton.h - the stages of a step by Newton's method, where sweeps do not settle
 *
 *   X_i = x + h sum_j a_ij f(t + c_j h, X_j)
 *
 * Slip in space that is slow turns fast: friction, of size mu lambda_n, turns its direction at the rate mu lambda_n |G| / |v_t|,
 * so that steps of explicit kind, and sweeps, are as short as |v_t|. What slips from rest, or creeps, is such a stiff system; the
 * collocation is A-stable and follows it in steps of its motion. Derivatives are differences that are small beside the slip. From
 * rest the stages are guessed with the direction in which it would slip then (align.h), as it is that one all but for a turn.
 */
#ifndef COCP_CORE_SIMULATION_NEWTON_H
#define COCP_CORE_SIMULATION_NEWTON_H

#include "core/simulation/align.h"

struct newton {                     /* S = SIM_DEGREE stages of n numbers */
    int n;
    const double *c;                /* [S], and a [S][S]: the caller's */
    double (*a)[SIM_DEGREE];
    double *K, *X;                  /* [S n] x' and x at the stages, the caller's */
    enum flow_outcome why;          /* of a failed field */
    double *A, *b, *f, *x;          /* [(S n)^2], [S n], [n], [n] made at the first use */
    int *pivot;                     /* [S n] */
    struct align align;             /* of what slips from rest, in this mode */
    struct mode mode;
};

/* Is there slip in space, which may want it? */
bool newton_is_wanted(const struct flow *flow, const struct mode *mode);

/* Does it slip from rest there, as of the last evaluation of the flow? Sweeps may then settle for slip against its
 * direction. */
bool newton_starts_from_rest(const struct flow *flow, const struct mode *mode);

/* Finds X and K; false if they are not found. Arrays in mem. */
bool newton_find(struct newton *newton, struct arena *mem, struct flow *flow, const struct mode *mode, double t, double h,
                 const double *x, double rtol, double atol);

#endif
