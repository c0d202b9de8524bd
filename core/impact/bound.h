/* core/impact/bound.h - velocities that no outcome of an impact exceeds, in whatever order impulses come
 *
 * Every outcome, with restitution too, has impulses in the cones of friction, no more kinetic energy than there
 * was before and no contact that approaches:
 *
 *   u = u_minus + G lambda,  lambda = sum of z_k g_k, z >= 0,   lambda'(u_minus + G lambda / 2) <= 0,   u_n >= 0
 *
 * An inelastic impact ends when the last contact that is pushed stops: some contact has u_n = 0 then, and the
 * set is the union of those in which each of them does. These sets are convex. By duality any rho > 0 bounds
 * a velocity r over it,
 *
 *   u_r <= max over z >= 0, u_n >= 0 of  u_r - rho lambda'(u_minus + G lambda / 2),                   impact.md 5.2
 *
 * a convex quadratic program, solved as a linear complementarity problem. Its multipliers are checked
 * to prove the bound, whatever their optimality; the least bound is the largest u_r of the set, but for
 * 1e-6 of sqrt(2 K G_rr).
 *
 * Shapes  [n_row] as system.h.
 * Errors  none: with many contacts and directions of friction the last contact is not looked for, and with more
 *         of them, or where no program is solved, energy alone bounds, |u_r| <= sqrt(2 K G_rr).
 */
#ifndef COCP_CORE_IMPACT_BOUND_H
#define COCP_CORE_IMPACT_BOUND_H

#include "core/contact/system.h"

struct impact_bound { double least[IMPACT_MAX_ROWS], largest[IMPACT_MAX_ROWS]; };

void impact_bound_find(const struct impact_system *system, const double *v_minus, bool is_inelastic,
                       struct impact_bound *bound);

#endif
