/* cli/impact_result.h - what `impact` leaves in a result file; README.md "The result"
 *
 *   /samples     dim sample: velocities after it, <contact>_v_n, _v_t, mode, lcps, energy, terminated, corner
 *   /outcomes    dim outcome: kinds of the contacts, share, number of samples, energies; mode is its row
 *   /contacts    dim contact: velocities before, least and largest after
 *   /hull        for each pair of contact velocities that is of interest: corners of the convex hull, [corner, 2]
 *   /paths       dims path, step: contact velocities along the first samples, missing where a path has ended
 *   /comparison  dim rival: law, order of contacts, parameter of a sweep, the same velocities
 *   /comparison_paths   dims rival, turn: contact velocities, missing where a way is not known or has ended
 */
#ifndef COCP_CLI_IMPACT_RESULT_H
#define COCP_CLI_IMPACT_RESULT_H

#include "cli/problem.h"
#include "core/impact/outcome.h"
#include "core/impact/pointed.h"
#include "core/impact/state.h"

struct impact_rival {               /* an outcome of another law; texts and arrays are borrowed */
    const char *law, *order;
    double parameter;               /* of a sweep; else NAN */
    double first_share;             /* of a sweep: of the impulse of the contact that began, what came before the
                                     * other one's; else NAN */
    const double *v;                /* [n_v] */
    bool is_complete;
    int n_points;                   /* of its way; 0: not known */
    const double *path;             /* [n_points * n_row] contact velocities */
};

struct impact_found {
    enum status status;
    const char *from;               /* FILE.h5@T, or NULL */
    const struct impact_state *state;
    const struct impact_sampler *sampler;
    const struct impact_set *set;
    const struct impact_summary *summary;
    int n_samples;                  /* uniform ones; the rest are corner samples */
    int path_points;
    const struct impact_pointed *pointed;
    double step_bound;              /* exceeded with a probability of at most step_bound_probability */
    int n_rivals;
    const struct impact_rival *rival;
    const double *p;                /* [n_p] */
};

static const double step_bound_probability = 1e-3;

/* The laws of settings->compare, as rivals; `mem` takes what they hold. What cannot be compared is a warning. */
struct impact_rivals { struct arena mem; int n; struct impact_rival *rival; };
void impact_rivals_find(const struct problem *problem, const struct impact_state *state, const double *x,
                        const double *p, struct impact_rivals *rivals, struct diag *diag);
void impact_rivals_free(struct impact_rivals *rivals);

enum status impact_result_write(const struct cli_args *args, const struct problem *problem,
                                const struct impact_found *found, const char *out_path, struct diag *diag);

/* The summary line and the tables on stdout; as one JSON object with args->json. */
void impact_result_print(const struct cli_args *args, const struct problem *problem,
                         const struct impact_found *found, const char *out_path);

#endif
