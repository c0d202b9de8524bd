/* transcription/ensemble/settings.h - the block `scenarios` of the spec: what varies, and how the costs are put
 * together
 *
 *   scenarios:
 *     vary:
 *       parameters.mu: {spread: 0.05}         # or {range: [0.2, 0.4]}, or {values: [0.2, 0.3, 0.4]}
 *     number: 5
 *     cost: mean                              # or worst
 *
 * spread: the middles of `number` parts of equal probability of the normal distribution around the spec's own
 * value, of which that is the standard deviation; range: evenly from one end to the other; values: one for
 * each scenario. Several that are spread or ranged are combined as in a Latin hypercube: each takes all its
 * values, in another order.
 */
#ifndef COCP_TRANSCRIPTION_ENSEMBLE_SETTINGS_H
#define COCP_TRANSCRIPTION_ENSEMBLE_SETTINGS_H

#include "core/model/model.h"
#include "core/spec/settings.h"

enum scenario_cost { SCENARIO_MEAN, SCENARIO_WORST };

struct scenario_settings {
    int number;                     /* SETTING_AUTO_INT: as many as there are values, else 5, without `vary` none; 0: the
                                     * spec as written */
    int cost;                       /* enum scenario_cost */
    struct setting_list weights;    /* of the mean; n = 0: all the same. Owned */
};

extern const struct setting_table scenario_table;

/* What each scenario is. */
struct scenarios {
    int n, n_path;                  /* n = 0: none are asked for */
    const char **path;              /* [n_path] of the spec: parameters.NAME, states.NAME.initial */
    double *nominal;                /* [n_path] the spec's own value; NAN: it has none */
    double *value;                  /* [n * n_path] */
    double *weight;                 /* [n], sum 1 */
    double *distance;               /* [n] from the spec's own values, each on a scale where all of them fill [0, 1] */
};

/* Reads the block (NULL: none) and finds its mistakes, those of `vary` among them. */
enum status scenario_settings_read(const struct spec_node *root, struct model *model, struct scenario_settings *out,
                                   struct diag *diag);
void scenario_settings_free(struct scenario_settings *settings);

/* The scenarios that the block asks for; texts and numbers in mem. */
enum status scenarios_read(const struct spec_node *root, struct model *model,
                           const struct scenario_settings *settings, struct arena *mem, struct scenarios *out,
                           struct diag *diag);

/* The one that is nearest to the spec as written. */
int scenarios_nominal(const struct scenarios *scenarios);

#endif
