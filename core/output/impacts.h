/* core/output/impacts.h - what `impact` leaves in a result file; results.md
 *
 *   /samples     dim sample: velocities after it, <contact>_v_n, _v_t, mode, lcps, energy, terminated, corner
 *   /outcomes    dim outcome: kinds of the contacts, share, number of samples, energies; mode is its row
 *   /contacts    dim contact: velocities before, least and largest after, and what no outcome exceeds
 *   /hull        for each pair of contact velocities that is of interest: corners of the convex hull, [corner, 2]
 *   /paths       dims path, step: contact velocities along the first samples and s, the normal impulse until
 *                then; missing where a path has ended
 *   /comparison  dim rival: law, order of contacts, parameter of a sweep, the same velocities
 *   /comparison_paths   dims rival, turn: contact velocities, missing where a way is not known or has ended
 */
#ifndef COCP_CORE_OUTPUT_IMPACTS_H
#define COCP_CORE_OUTPUT_IMPACTS_H

#include "core/impact/bound.h"
#include "core/impact/outcome.h"
#include "core/impact/pointed.h"
#include "core/impact/rivals.h"
#include "core/output/head.h"

struct impact_found {
    enum status status;
    const char *from;               /* FILE.h5@T, or NULL */
    const struct model *model;
    const struct impact_state *state;
    const struct impact_sampler *sampler;
    const struct impact_set *set;
    const struct impact_summary *summary;
    int n_samples;                  /* uniform ones; the rest are corner samples */
    int path_points;
    const struct impact_pointed *pointed;
    const struct impact_bound *bound;
    double step_bound;              /* exceeded with a probability of at most step_bound_probability */
    bool is_compared;               /* with other laws */
    const struct impact_rivals *rivals;
    const double *p;                /* [n_p] */
};

static const double step_bound_probability = 1e-3;

/* Velocities along the tangents of the spec from n rows u [n_row] of contact velocities, which are weighted where
 * friction is an ellipse (model_contact.weight): [n * n_row] in mem. */
double *impacts_unweigh(const struct impact_found *found, int n, const double *u, struct arena *mem);

/* result_free it. */
struct result *impacts_result(const struct output_origin *origin, const struct impact_found *found);

#endif
