/* core/model/inputs.h - functions of a point of a trajectory: what they may depend on, as inputs of a tape
 *
 * In this order: states, controls, optimized parameters, time, and the horizon where it is free.
 */
#ifndef COCP_CORE_MODEL_INPUTS_H
#define COCP_CORE_MODEL_INPUTS_H

#include "core/expression/tape.h"
#include "core/model/model.h"

struct inputs {
    const struct model *model;      /* borrowed */
    int n;
    expr *sym;                      /* [n] */
    double *value;                  /* [n] */
};

/* p [n_p], NULL: their guesses; the horizon is the model's. Arrays in mem. */
struct inputs inputs_create(const struct model *model, const double *p, struct arena *mem);

/* Places of the point in `value`; u NULL: zero. */
void inputs_set(const struct inputs *inputs, double t, const double *x, const double *u);

/* Expressions of a point, ready to be evaluated. */
struct function { struct arena mem; struct inputs inputs; struct tape *tape; double *out, *work; };

struct function function_create(const struct model *model, const double *p, int n, const expr *e);
void function_free(struct function *function);

/* The values, borrowed until the next call; u NULL: zero. */
const double *function_eval(struct function *function, double t, const double *x, const double *u);

#endif
