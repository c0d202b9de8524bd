/* core/model/starts.h - on and off: starts of controls with values, and how long these stay what they are
 *
 *   off     the least of its values; on: any other
 *   start   from off to on; before the horizon the control was starts.before, for long, so that being on where
 *           the horizon begins is a start unless it was on already
 *   stay    a stretch of rows in which it is on, or off; one that begins and ends within the horizon lasts
 *           min_on, or min_off, at least
 *
 * Shapes  value [n * n_u], rows of all controls: of control intervals, say.
 */
#ifndef COCP_CORE_MODEL_STARTS_H
#define COCP_CORE_MODEL_STARTS_H

#include "core/model/parts/model.h"

/* Does any control say what starts take? */
bool model_has_starts(const struct model *model);

bool starts_is_on(const struct model_var *u, double value);

struct starts_stay { int first, end; bool is_on, is_whole; };   /* rows; whole: it begins and ends within the horizon */

/* The stays of control k, one after the other: how many, in out [n]. */
int starts_stays(const struct model *model, int k, int n, const double *value, struct starts_stay *out);

/* The starts of control k; what those of all controls cost. */
int starts_count(const struct model *model, int k, int n, const double *value);
double starts_cost(const struct model *model, int n, const double *value);

/* How many control intervals, of the length that they have at the guess, a stay lasts at least: one or more. */
int starts_intervals(const struct model *model, double least);

#endif
