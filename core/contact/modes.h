/* core/contact/modes.h - every solution of the step LCP, SVI (75), by the modes that its contacts can be in
 *
 * A complementary basis of the LCP that makes sense gives each contact a mode: open (no impulse), or closing
 * (v_n' = 0) or exhausted (lambda_n = lambda_max, v_n' <= 0), each with sticking, sliding along one direction of
 * friction against its impulse, or, in 3D, between two neighbouring directions. For two planar contacts these are
 * 49 of the 2^10 bases. In each the impulses are linear in what the step starts from, x = [u; lambda_max]: the
 * matrices and the inequalities that make the mode true are computed once per impact, and a step only tests them.
 * Without bounds on lambda_n the same gives all solutions of Anitescu and Potra's LCP (impact.md 6).
 * Modes whose matrix is singular are left out: the vertices of their solutions belong to neighbouring modes.
 *
 * Shapes  as system.h; lambda_max [n_contact].
 * Errors  none; a step without a solution here (all its modes singular) is Lemke's business.
 */
#ifndef COCP_CORE_CONTACT_MODES_H
#define COCP_CORE_CONTACT_MODES_H

#include "core/contact/system.h"

enum { IMPACT_MAX_SOLUTIONS = 32 };

struct impact_solutions {
    int n;                          /* of different u_plus, at most IMPACT_MAX_SOLUTIONS */
    double lambda[IMPACT_MAX_SOLUTIONS][IMPACT_MAX_ROWS];
    double u_plus[IMPACT_MAX_SOLUTIONS][IMPACT_MAX_ROWS];
};

struct impact_modes;

/* Number of combinations of modes: small enough to list, or not? */
double impact_modes_count(const struct impact_system *system, bool is_bounded);

/* bounded: lambda_n <= lambda_max; else there is no bound. Borrows system. */
struct impact_modes *impact_modes_create(const struct impact_system *system, bool is_bounded);
void impact_modes_free(struct impact_modes *modes);

/* All solutions from u with these bounds (NULL: unbounded), told apart by u_plus. */
void impact_modes_solve(const struct impact_modes *modes, const double *u, const double *lambda_max,
                        struct impact_solutions *found);

#endif
