/* core/impact/pointed.h - is the friction cone of an impact pointed, and how many steps can a sample take then?
 *
 * Pointed: some r has r'M^-1 (J_n,i + J_t,i mu_i d) >= 1 for all contacts i and directions d, SVI (77); then every
 * impulse pushes the velocity along r, and Algorithm 1 ends:
 *
 *   P(Z > c ceil(|v|_M) + k) <= exp(-k / (m + 1)^2),  c = 4 ceil((m + 1) |r| / (h sqrt(sigma)))    SVI (78), (79)
 *
 * Z: LCPs of a sample, M >= sigma I. The r of least length is p / |p|^2, p the point nearest to 0 of what impulses
 * with normal parts of sum 1 can do:
 *
 *   minimize |p|^2 / 2,  p = M^-1 (J_n lambda_n + J_D lambda_D),  sum lambda_n >= 1,  E'lambda_D <= mu lambda_n,
 *
 * whose optimality conditions are an LCP with a positive semidefinite matrix, which has a solution in any case.
 * Where p = 0 the cone is not pointed and lambda_n names the contacts that can push against each other.
 *
 * Units   r in those of v per N s.
 */
#ifndef COCP_CORE_IMPACT_POINTED_H
#define COCP_CORE_IMPACT_POINTED_H

#include "core/contact/system.h"

struct impact_pointed {
    bool is_pointed;
    double r_length;                            /* |r|; INFINITY if not pointed */
    double sigma;                               /* least eigenvalue of M */
    bool against[IMPACT_MAX_CONTACTS];          /* if not pointed: these contacts push against each other */
};

void impact_pointed_check(const struct impact_system *system, struct impact_pointed *pointed);

/* Steps that a sample exceeds with at most that probability; INFINITY if the cone is not pointed. */
double impact_step_bound(const struct impact_system *system, const struct impact_pointed *pointed,
                         const double *v_minus, double h, double probability);

#endif
