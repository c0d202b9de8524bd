/* core/output/bundle.h - runs from perturbed initial states, as /bundle
 *
 * Each perturbed state starts at its initial value plus a number drawn evenly from [-size, size]; the numbers
 * depend on the seed and the sample alone, so that sample k is the same in every bundle.
 * Errors  STATUS_SPEC for a sample that cannot start. One that ends early is kept, NAN after its end.
 */
#ifndef COCP_CORE_OUTPUT_BUNDLE_H
#define COCP_CORE_OUTPUT_BUNDLE_H

#include "core/output/run.h"

struct perturbation { int state; double size; };

/* Simulates sample k = 0, 1, ... from x_initial and adds its points at these times; fewer if it ends early. */
typedef enum status bundle_sampler(void *user, int sample, const double *x_initial,
                                   const struct output_times *times, struct trajectory *samples, int *n_events,
                                   struct diag *diag);

struct bundle_task {
    const struct model *model;
    const expr *u_expr;             /* of trajectory_create */
    const double *x_initial;        /* [n_x] unperturbed */
    int n_samples, n_perturbed;
    const struct perturbation *perturbed;       /* [n_perturbed] */
    double t_end;
    int seed, n_points;             /* points of time */
    const volatile sig_atomic_t *interrupt;     /* nonzero: no more samples */
    bundle_sampler *sample;
    void *user;
};

/* Runs all samples and writes /bundle. The status is the worst of the samples', with a note for each that
 * failed. */
enum status bundle_run(const struct bundle_task *task, struct result *result, struct diag *diag);

#endif
