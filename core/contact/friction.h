/* core/contact/friction.h - impulses of contacts with Coulomb friction
 *
 *   v_plus = v + G impulse                                          contact velocities, G = J'M^-1 J
 *   0 <= v_n_plus - v_least  _|_  impulse_n >= 0
 *   |impulse_t| <= mu impulse_n,  and opposite to v_t_plus where that is not zero
 *
 * By Lemke's method with a pyramid for each cone (cone.h): exact where there is one tangent. With n of them
 * the pyramid has 2 n edges, both ways along n axes; it is turned until one of them points against v_t_plus -
 * r impulse_t, r the mean of G over the tangents. Where a contact slips its force then lies on the cone and
 * opposes the slip, where it sticks the edge points along the force: the exact cone at the price of a few
 * small problems instead of one with many edges. By sweeps of proximal points (HYB): slower, for what Lemke's
 * method does not solve.
 *
 * Shapes  contact c: normal and tangents at R c ..., R = CONTACT_ROWS; G [R n x R n] by columns.
 * Errors  the outcome of lcp_solve: LCP_RAY if no impulses meet the conditions.
 */
#ifndef COCP_CORE_CONTACT_FRICTION_H
#define COCP_CORE_CONTACT_FRICTION_H

#include "core/base/slip.h"
#include "core/lcp/lcp.h"

#include <stdbool.h>

struct friction_problem {
    int n;                          /* contacts, at least 1 */
    const int *n_t;                 /* [n] tangents: 0 .. SLIP_MAX */
    const double *G, *v;            /* [(R n)^2], [R n] */
    const double *mu, *v_least;     /* [n] */
    const double *impulse_least;    /* [n] takes the place of 0 in impulse_n >= 0, and is in v already; NULL: 0 */
    const bool *slips;              /* [n] contacts whose friction is -mu impulse_n direction whatever v_t_plus; */
    const double *direction;        /* [SLIP_MAX n] NULL: none does */
};

/* Does contact c slip in a given direction? Has it friction? */
static inline bool friction_is_given(const struct friction_problem *problem, int c)
{
    return problem->slips && problem->slips[c];
}
static inline bool friction_acts(const struct friction_problem *problem, int c)
{
    return problem->n_t[c] > 0 && problem->mu[c] > 0;
}

/* What impulse_n of contact c is at least. */
static inline double friction_least(const struct friction_problem *problem, int c)
{
    return problem->impulse_least ? problem->impulse_least[c] : 0;
}

struct friction_info {
    int n_lcp, n_pivots;
    double turn;                    /* rad, by which the pyramids were turned last; below 1e-10 the cone is met */
};

struct friction;

/* Workspace for up to n_max contacts. */
struct friction *friction_create(int n_max);
void friction_free(struct friction *friction);

/* impulse and v_plus [R n]. */
enum lcp_outcome friction_solve(struct friction *friction, const struct friction_problem *problem, double *impulse,
                                double *v_plus, struct friction_info *info);

/* The same by sweeps, at most so many; false if they do not settle. */
enum { FRICTION_SWEEPS = 20000 };
bool friction_sweep(const struct friction_problem *problem, int most, double *impulse, double *v_plus);

/* v_plus = v + G (impulse - impulse_least). */
void friction_velocity(const struct friction_problem *problem, const double *impulse, double *v_plus);

#endif
