/* core/impact/sampler.h - an impact and how its samples are drawn
 *
 * Shapes  v [n_v], u [n_row] as system.h.
 * Units   h in N s.
 */
#ifndef COCP_CORE_IMPACT_SAMPLER_H
#define COCP_CORE_IMPACT_SAMPLER_H

#include "core/base/draw.h"
#include "core/impact/settings.h"
#include "core/impact/step.h"

struct impact_sampler {                     /* constant once made, shared by threads */
    const struct impact_system *system;     /* borrowed */
    const struct impact_step *step;         /* borrowed */
    const double *v_minus;                  /* borrowed */
    double u_minus[IMPACT_MAX_ROWS], energy_minus;
    bool is_pressed;                        /* nothing approaches, but impulses would make it (Painleve) */
    bool has_restitution;                   /* some contact gives impulse back */
    double h, closing;                      /* largest normal impulse of a step, and of the closing one */
    int max_steps;
    enum impact_sampling sampling;
    uint64_t seed;
    struct draw_sobol sobol;
};

/* v_minus is borrowed. */
void impact_sampler_init(struct impact_sampler *sampler, const struct impact_step *step, const double *v_minus,
                         const struct impact_settings *settings);

#endif
