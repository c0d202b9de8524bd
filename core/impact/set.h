/* core/impact/set.h - many samples of an impact, on all cores
 *
 * Threads take chunks of samples; a sample depends on its number alone (draw.h), so that the set does not depend
 * on the number of threads. Interrupted, it has the samples up to some number.
 * Errors  STATUS_LIMIT (time), STATUS_INTERRUPTED: the samples done so far are there.
 */
#ifndef COCP_CORE_IMPACT_SET_H
#define COCP_CORE_IMPACT_SET_H

#include "core/impact/sample.h"

#include <signal.h>

struct impact_task {
    const struct impact_sampler *sampler;   /* borrowed */
    int n_samples, n_corners;
    int n_paths, path_points;               /* keep the way of so many samples, so many points of each */
    int n_threads;                          /* 0: one per processor */
    double max_seconds;
    const volatile sig_atomic_t *interrupt; /* nonzero: stop; or NULL */
};

struct impact_set {
    struct arena mem;                       /* owns every array; free it */
    int n;                                  /* samples: uniform ones first, then corner samples */
    double *v;                              /* [n * n_v] after the impact */
    struct impact_sample *sample;           /* [n] */
    int n_paths;
    double *path;                           /* [n_paths * path_points * n_row]; NAN where a path has ended */
    double *path_s;                 /* [n_paths * path_points] normal impulse until then, likewise */
    double seconds;
};

/* The samples that `corners: true` adds. */
int impact_n_corners(const struct impact_system *system, const struct impact_settings *settings);

enum status impact_set_run(const struct impact_task *task, struct impact_set *set);

#endif
