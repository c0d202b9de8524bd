/* core/impact/sample.h - one sample of an impact: steps with random normal impulses until nothing approaches
 *
 *   lambda_max = h U_i;  v <- a solution of the step LCP (step.h);  until no contact approaches, at most N steps
 *                                                                       SVI Algorithm 1, impact.md 4
 *   an unfinished sample takes one step more with lambda_max = eps / (3 psi) for all contacts, which moves v by at
 *   most eps / 3                                                        SVI Algorithm 2, impact.md 5
 *
 * Where nothing approaches and yet impulses make it (Painleve's impact without collision) the first step is one of
 * those solutions of its LCP that move on.                           impact.md 5.3
 *
 * Restitution (Poisson): what has ended has taken the normal impulses Lambda; contact c then gives e_c Lambda_c back, in
 * steps of at most h U_i with Coulomb friction, the rest at once after N of them; what approaches after that is
 * inelastic, as above. Giving back ends where the energy would exceed that before the impact.       impact.md 5.1
 *
 * Beside samples with U_i uniform in the box there are corner samples, with each entry 0 or 1: the first has all
 * entries 1, the next n_contact give each contact in turn what it takes, beginning with contact 0, 1, ..., in up
 * to IMPACT_MAX_TURNS steps (sequences of many contacts converge slowly), the others are random.
 *
 * Shapes  v [n_v], u [n_row] as system.h.
 * Units   h in N s; eps in the units of v, 2-norm.
 * Errors  none; what did not work is in the sample.
 */
#ifndef COCP_CORE_IMPACT_SAMPLE_H
#define COCP_CORE_IMPACT_SAMPLE_H

#include "core/impact/sampler.h"

struct impact_sample {
    int n_steps;                            /* LCPs solved; the closing ones do not count */
    bool terminated;                        /* nothing approaches at the end */
    bool solved;                            /* every LCP had a solution */
    double violation;                       /* worst of its LCPs, impact_step_violation */
    double growth;                          /* worst growth of kinetic energy in a step without restitution, and from
                                             * start to end, relative to the start's */
    bool is_cut;                            /* less was given back than restitution says, for the energy's sake */
    int n_multiple;                         /* steps with several solutions */
    double energy;
};

/* The way of a sample: contact velocities before it and after each of the first n - 1 steps, and s, the normal
 * impulse of all contacts until then. */
struct impact_way {
    int n;                                  /* points there is room for */
    double *u, *s;                          /* [n * n_row], [n]; borrowed; what is beyond the end is left as it is */
};

/* Sample `index`, or corner sample `index`: v after the impact; impulse [n_row] (may be NULL) the sum of all
 * impulses; way may be NULL. */
struct impact_sample impact_sample_run(const struct impact_sampler *sampler, struct impact_step_work *work,
                                       bool is_corner, uint64_t index, double *v, double *impulse,
                                       const struct impact_way *way);

#endif
