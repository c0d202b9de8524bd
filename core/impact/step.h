/* core/impact/step.h - one step of an impact: the LCP of SVI (75), solved, checked, chosen among its solutions
 *
 *   0 <= beta  _|_ lambda_max - lambda_n >= 0        0 <= lambda_n _|_ J_n v' + beta >= 0          SVI (73), (74)
 *   0 <= lambda_D _|_ J_D v' + E gamma >= 0          0 <= gamma    _|_ mu lambda_n - E'lambda_D >= 0
 *
 * Where it has several solutions, a step that can list them (modes.h) takes each different v' with the same
 * probability; with too many modes for that, Lemke's method starts from a random covering vector and order.
 *
 * Shapes  z = [beta; lambda_n; lambda_D; gamma], contacts without friction have no lambda_D and gamma;
 *         u, lambda, u_plus [n_row], lambda_max [n_contact].
 * Errors  a step that no method solves returns false; that is counted, not hidden.
 */
#ifndef COCP_CORE_IMPACT_STEP_H
#define COCP_CORE_IMPACT_STEP_H

#include "core/contact/modes.h"
#include "core/lcp/lcp.h"

#include <stdint.h>

/* Of one impact; constant once made, shared by threads. */
struct impact_step {
    const struct impact_system *system;     /* borrowed */
    struct impact_modes *modes;             /* NULL: too many */
    int n_lcp;                              /* of (75) */
    struct arena mem;                       /* owns cone and W */
    struct cone cone;
    double *W;                              /* [n_lcp * n_lcp] by columns */
};

/* Of one thread. */
struct impact_step_work {
    struct lcp *lcp;
    double *q, *z, *w, *cover;              /* [n_lcp] */
    int *order;                             /* [n_lcp] */
    struct impact_solutions found;
};

struct impact_step *impact_step_create(const struct impact_system *system);
void impact_step_free(struct impact_step *step);
struct impact_step_work *impact_step_work_create(const struct impact_step *step);
void impact_step_work_free(struct impact_step_work *work);

/* One solution: impulses and velocities after them. seed, sample, place: as draw.h; the choice depends on nothing
 * else. */
bool impact_step_solve(const struct impact_step *step, struct impact_step_work *work, const double *u,
                       const double *lambda_max, uint64_t seed, uint64_t sample, uint64_t place, double *lambda,
                       double *u_plus);

/* The same by Lemke's method alone, whatever the number of modes; choice as in lcp.h. */
bool impact_step_lemke(const struct impact_step *step, struct impact_step_work *work, const double *u,
                       const double *lambda_max, const struct lcp_choice *choice, double *lambda, double *u_plus);

/* No contact approaches: a solution that moves on all the same, if there is one. A contact that slides so that
 * its own impulse presses it down has one (Painleve), with u_plus that approaches or a slip that ends at once. */
bool impact_step_press(const struct impact_step *step, struct impact_step_work *work, const double *u,
                       const double *lambda_max, uint64_t seed, uint64_t sample, uint64_t place, double *lambda,
                       double *u_plus);

/* Would a small impulse make a contact approach, from velocities at which none does? */
bool impact_step_presses(const struct impact_step *step, struct impact_step_work *work, const double *u);

/* Normal impulses are given, lambda_n [n_contact]: finds the friction that goes with them, a convex problem with
 * one u_plus. False: rounding. */
bool impact_step_push(const struct impact_step *step, struct impact_step_work *work, const double *u,
                      const double *lambda_n, double *lambda, double *u_plus);

/* By Lemke's method with a random covering vector and order, drawn as in impact_step_solve, checked, and drawn
 * again where it does not hold. */
bool impact_step_draw(const struct impact_step *step, struct impact_step_work *work, const double *u,
                      const double *lambda_max, uint64_t seed, uint64_t sample, uint64_t place, double *lambda,
                      double *u_plus);

/* How far impulses are from a solution of (75): the largest violation of a sign or product, with the best beta,
 * gamma and split of lambda_t; lambda_max NULL: no bounds. Divided by sizes, so that 1e-12 is rounding. */
double impact_step_violation(const struct impact_system *system, const double *u, const double *lambda_max,
                             const double *lambda, const double *u_plus);

/* The same of the friction alone. */
double impact_step_friction_violation(const struct impact_system *system, const double *u, const double *lambda,
                                      const double *u_plus);

/* u_plus = u + G lambda. */
void impact_step_velocity(const struct impact_system *system, const double *u, const double *lambda,
                          double *u_plus);

#endif
