/* cli/bundle.h - `simulate --samples N --perturb STATE=SIZE`: runs from perturbed initial states, as /bundle
 *
 * Each perturbed state starts at its initial value plus a number drawn evenly from [-SIZE, SIZE]; the numbers
 * depend on the seed (homotopy.seed, --seed) and the sample alone, so that sample k is the same in every bundle.
 * Errors  STATUS_USAGE for a state that is not there or a size that is no number, STATUS_SPEC for a sample that
 *         cannot start. A sample that ends early is kept, NAN after its end.
 */
#ifndef COCP_CLI_BUNDLE_H
#define COCP_CLI_BUNDLE_H

#include "cli/args.h"
#include "cli/trajectory.h"

struct bundle_times { int n; const double *t; };        /* ascending, from the start to the end */

/* Simulates sample k = 0, 1, ... from x_initial and adds its points at these times; fewer if it ends early. */
typedef enum status bundle_sampler(void *user, int sample, const double *x_initial, const struct bundle_times *times,
                                   struct trajectory *samples, int *n_events, struct diag *diag);

struct bundle_task {
    const struct cli_args *args;    /* samples, perturb */
    const struct model *model;
    const expr *u_expr;
    const double *x_initial;        /* [n_x] unperturbed */
    double t_end;
    int seed, n_points;             /* points of time */
    bundle_sampler *sample;
    void *user;
};

/* Do --samples, --perturb and --impacts make sense together, and for the model? */
enum status bundle_check(const struct cli_args *args, const struct model *model, struct diag *diag);

/* Runs all samples and writes /bundle. The status is the worst of the samples', with a note for each that
 * failed. */
enum status bundle_run(const struct bundle_task *task, struct result *result, struct diag *diag);

#endif
