/* transcription/report/sensitivities.h - how a finished solution moves with the numbers of its spec: /sensitivity
 *
 * Derivatives of objective, horizon, event times, states, controls and optimized parameters, each number of the
 * spec in a row of its own. States are those at the times of /uniform, which stand still; at the end of a free
 * horizon the state is x_final.
 * Where a number moves the start off what its first mode holds (a closed contact that is to be closed at a fixed
 * start), there is no derivative on this sequence: the row is NaN, and its note says why. At a corner (bang-bang
 * controls that leave nothing free) the objective alone has one, by the multipliers that were found.
 *
 * Units   of the quantity per unit of the number.
 * Errors  none: a derivative that is not there is NaN.
 */
#ifndef COCP_TRANSCRIPTION_REPORT_SENSITIVITIES_H
#define COCP_TRANSCRIPTION_REPORT_SENSITIVITIES_H

#include "core/results/results.h"
#include "transcription/sensitivity/sensitivity.h"

struct sensitivities;

/* finish is borrowed; n_uniform times of /uniform. */
struct sensitivities *sensitivities_create(const struct finish *finish, int n_uniform);
void sensitivities_free(struct sensitivities *list);

/* One number: its name, unit and what it is ("initial value", "parameter"), its value, and the models of the
 * problem with it `step` / 2 less and more, both borrowed; NULL if there is no such model. */
void sensitivities_add(struct sensitivities *list, const char *name, const char *units, const char *kind,
                       double value, struct model *less, struct model *more, double step);

void sensitivities_write(const struct sensitivities *list, struct result *result);

#endif
