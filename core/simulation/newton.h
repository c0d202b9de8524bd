/* core/simulation/newton.h - the stages of a step by Newton's method for directions of slip, where sweeps do not
 * settle
 *
 *   X_i = x + h sum_j a_ij f(t + c_j h, X_j)
 *
 * Slip in space that is slow turns fast: friction, of size mu lambda_n, turns its direction at the rate mu
 * lambda_n |G| / |v_t|, so that steps of explicit kind, and sweeps, are as short as |v_t|. What slips from rest,
 * or creeps, is such a stiff system; the collocation is A-stable and follows it in steps of its motion. Stiff is
 * the direction d of slip alone: of
 *
 *   df/dx = B D + rest,  B = df/dd,  D = dd/dx = (1 - d d') J_t' / |v_t| for velocities
 *
 * Newton's method takes B D, of a few columns at each stage, and the rest settles as in sweeps. B follows from the
 * forces at one state, or is made of differences where these are not unique. From rest, or slow, the stages are
 * guessed with the direction in which it would slip then (align.h), as it is that one all but for a turn. x' at
 * the stages is what Newton's method finds with them: f would bring the rounding of v_t back times the rate at
 * which its direction turns.
 */
#ifndef COCP_CORE_SIMULATION_NEWTON_H
#define COCP_CORE_SIMULATION_NEWTON_H

#include "core/base/collocation.h"
#include "core/simulation/align.h"

/* Changes of stages that no longer shrink, in tolerances, up to which they are taken for rounding: forces of a
 * jammed leg multiply it, in short steps as much as in long ones. */
#define NEWTON_ROUNDING 10

struct newton {                     /* S = SIM_DEGREE stages of n numbers */
    int n;
    const double *c;                /* [S], and a [S][S]: the caller's */
    double (*a)[SIM_DEGREE];
    double *K, *X;                  /* [S n] x' and x at the stages, the caller's */
    enum flow_outcome why;          /* of a failed field */
    int n_slip, n_d;                /* contacts that slip in space; components of their directions */
    int *slip;                      /* [n_slip] */
    double *direction;              /* [SLIP_MAX * n_c] at the last stage that was evaluated */
    double *B, *D;                  /* [S * n_d * n] columns, rows of each stage; from here on made at the first use */
    int n_q, *velocity;             /* [n_q] places of velocities among the states */
    double *B_v, *D_v;              /* [S * n_d * n_q] of velocities alone */
    double *g, *A, *y, *t;          /* [S n], [(S n_d)^2], [S n_d], [S] */
    int *pivot;                     /* [S n_d] */
    struct align align;             /* of what slips from rest, in this mode */
    struct mode mode;
};

/* Is there slip in space, which may want it? */
bool newton_is_wanted(const struct flow *flow, const struct mode *mode);

/* Does it slip from rest there, as of the last evaluation of the flow? Sweeps may then settle for slip against its
 * direction. */
bool newton_starts_from_rest(const struct flow *flow, const struct mode *mode);

/* Finds X and K and returns the rounds that it took; 0 if they are not found. Arrays in mem. */
int newton_find(struct newton *newton, struct arena *mem, struct flow *flow, const struct mode *mode, double t,
                double h, const double *x, double rtol, double atol);

#endif
