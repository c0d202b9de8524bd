/* core/impact/compliant.h - the impact with springs and dampers at two contacts, through time; SVI 5.4.1
 *
 *   M v' = f + sum_c J_n lambda_n + J_t lambda_t                                                    impact.md 11
 *   lambda_n = max(0, -k gap - d gap') where gap <= 0, else 0;   d = 2 zeta sqrt(k m), zeta = 5       SVI (88)
 *   lambda_t = -mu lambda_n v_t / max(|v_t|, eps)                                              SVI (89), (90)
 *
 * until no contact approaches faster than IMPACT_COMPLIANT_REST. Two sweeps break the symmetry of a simultaneous
 * impact: the ratio of the stiffnesses, the softer spring having IMPACT_COMPLIANT_STIFFNESS; and a small gap that
 * one contact still has when the other one closes, the velocity before reduced so that the energy is the same.
 * m is the mass that has the impact's kinetic energy at the largest speed of approach. SVI prints sqrt(k / m),
 * which is the same for its mass of 1 kg. M and f stay those of the start, gaps and their gradients move.
 *
 * Method  Alexander's L-stable SDIRK of order 3 with a step control; the stages by Newton's method with the
 *         states of the contacts (open, sticking, sliding) as an active set.
 * Errors  impact_compliant_create: NULL with a text that says what does not suit (not two contacts, not planar).
 */
#ifndef COCP_CORE_IMPACT_COMPLIANT_H
#define COCP_CORE_IMPACT_COMPLIANT_H

#include "core/impact/state.h"

#define IMPACT_COMPLIANT_STIFFNESS 1e6      /* N/m, SVI 5.4.1 */
#define IMPACT_COMPLIANT_REST 1e-9          /* m/s */

struct impact_compliant;

/* Borrows state; x, p as in impact_state_read. *why is a text if there is none. */
struct impact_compliant *impact_compliant_create(const struct model *model, const struct impact_state *state,
                                                 const double *x, const double *p, const char **why);
void impact_compliant_free(struct impact_compliant *compliant);

struct impact_collision {
    bool is_complete;               /* nothing approaches at the end */
    double seconds;                 /* of the collision */
    double impulse[2];              /* normal, N s */
    double first_share;             /* of the impulse of the contact that began, what came before the other's */
};

/* Stiffness of contact 0 over that of contact 1: ratio. v [n_v] after the impact. */
struct impact_collision impact_compliant_stiffness(struct impact_compliant *compliant, double ratio, double *v);

/* Equal stiffnesses; contact 0 has the gap `gap` when contact 1 closes, or contact 1 has -gap if that is
 * positive. */
struct impact_collision impact_compliant_gap(struct impact_compliant *compliant, double gap, double *v);

#endif
