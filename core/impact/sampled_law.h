/* core/impact/sampled_law.h - `simulate --impacts set`: simultaneous impacts drawn from the set of their outcomes
 *
 * A law of impact for core/simulation: where several contacts are closed, one sample of core/impact, with
 * restitution by Poisson; a single contact keeps the law of restitution. The k-th impact of run r is sample r
 * of the seed that impact.seed and k give, so that the first simultaneous impact of a bundle is sampled as
 * `cocp impact` samples it. impact.h bounds the normal impulse of a step; where it is not given, the impulse
 * that would stop the fastest contact alone does, so that small impacts of a Zeno sequence are sampled as
 * finely as large ones.
 */
#ifndef COCP_CORE_IMPACT_SAMPLED_LAW_H
#define COCP_CORE_IMPACT_SAMPLED_LAW_H

#include "core/impact/settings.h"
#include "core/simulation/simulation.h"

struct sampled_law {                 /* of one run */
    const struct impact_settings *settings;     /* borrowed */
    int n_dir_3d;                   /* directions of friction with two tangents */
    enum jump_law restitution;           /* of single contacts */
    int run;
    int n_impacts;                  /* simultaneous ones so far */
};

/* sim_impact_law; user is a struct sampled_law. */
enum status sampled_law_apply(void *user, const struct jump_impact *impact, double *v_plus, double *impulse,
                              char *why, size_t why_size);

#endif
