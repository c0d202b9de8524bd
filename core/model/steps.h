/* core/model/steps.h - functions of time with steps: controls that the spec gives */
#ifndef COCP_CORE_MODEL_STEPS_H
#define COCP_CORE_MODEL_STEPS_H

#include "core/model/parts/model.h"

/* The steps that control k is; NULL: it is none of them. */
const struct model_steps *model_steps_of(const struct model *model, int k);
/* The value at a part of the horizon, at a jump what follows. */
double model_steps_value(const struct model_steps *steps, double part);

/* n rows of controls u [n * n_u], each from its time on, ascending; in mem those with all jumps and
 * values of steps in a horizon T, but where the rows have values of all steps already. n 0: one row
 * from 0 on, NAN but for steps. */
struct model_rows { int n; const double *t, *u; };
struct model_rows model_rows_with_steps(const struct model *model, double T, struct model_rows rows,
                                        struct arena *mem);

#endif
