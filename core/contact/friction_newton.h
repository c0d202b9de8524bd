/* core/contact/friction_newton.h - the exact friction cone of many contacts by Newton's method
 *
 *   r_n = max(r_least, r_n - rho_n (u_n - v_least)),  r_t = the nearest point of the ball |r_t| <= mu r_n to r_t - rho_t u_t,
 *   u = v + G (r - r_least)
 *
 * These projections are the laws of friction.h, and piecewise smooth: with the piece that a contact is on,
 * Newton's method converges in a few rounds, however many contacts there are (Alart and Curnier, A mixed
 * formulation for frictional contact problems prone to Newton like solution methods, 1991, section 4). A few
 * sweeps of proximal points (friction.h) say where to start. The direction of slip is that of r_t - rho_t u_t, so
 * that slip which only just begins has one.
 *
 * Where contacts are redundant G is singular, and u is unique but r is not: each round makes the least change of
 * r.
 *
 * Shapes  as friction.h.
 * Errors  false where the rounds do not settle: their number is bounded.
 */
#ifndef COCP_CORE_CONTACT_FRICTION_NEWTON_H
#define COCP_CORE_CONTACT_FRICTION_NEWTON_H

#include "core/contact/dense.h"
#include "core/contact/friction.h"

/* impulse and v_plus [R n], met to rounding; the workspace is for R n unknowns. */
bool friction_newton(struct dense *dense, const struct friction_problem *problem, double *impulse, double *v_plus);

#endif
