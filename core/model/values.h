/* core/model/values.h - values of expressions where the spec says them: at the guess, at the start, at the end */
#ifndef COCP_CORE_MODEL_VALUES_H
#define COCP_CORE_MODEL_VALUES_H

#include "core/model/parts/model.h"

/* The value of e at the guess or at the initial values. Is e zero for all values of the symbols, up to
 * rounding? (Tries a few points.) */
enum model_when { AT_GUESS, AT_START };
double model_value_at(const struct model *model, expr e, enum model_when where);
/* The same of n expressions at once. */
void model_values_at(const struct model *model, int n, const expr *e, enum model_when where, double *value);
bool model_is_zero(const struct model *model, expr e);
/* What e is at an end where time and given values alone say it, before what jumps there; else NAN. */
double model_value_at_end(const struct model *model, expr e, bool at_start);
/* A simulation starts somewhere: x [n_x], the one initial value of each state; a range or `free` is an error. */
enum status model_initial_state(const struct model *model, double *x, struct diag *diag);

#endif
