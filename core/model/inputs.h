/* core/model/inputs.h - functions of a point of a trajectory, compiled; and what they may depend on
 *
 * In this order: states, controls, optimized parameters, time, the horizon where it is free, contact forces and
 * impulses where costs or constraints speak of them, what the caller adds.
 */
#ifndef COCP_CORE_MODEL_INPUTS_H
#define COCP_CORE_MODEL_INPUTS_H

#include "core/expression/tape.h"
#include "core/model/parts/model.h"

struct inputs {
    const struct model *model;      /* borrowed */
    int n;
    expr *sym;                      /* [n] */
    double *value;                  /* [n] */
};

/* p [n_p], NULL: their guesses; the horizon is the model's. Then n_extra symbols. Arrays in mem. */
struct inputs inputs_create(const struct model *model, const double *p, int n_extra, const expr *extra,
                            struct arena *mem);

/* Places of the point in `value`; u NULL: zero. */
void inputs_set(const struct inputs *inputs, double t, const double *x, const double *u);

/* Forces [model_n_force] and impulses [CONTACT_ROWS * n_contact] as in results; NULL: zero, as they are at first.
 * Nothing where none is asked for. */
void inputs_set_forces(const struct inputs *inputs, const double *force, const double *impulse);

/* Expressions of a point, ready to be evaluated. Numbers among them, as most masses of many bodies are, stand in
 * `out` from the first on: the tape has the others. */
struct function {
    struct arena mem, inputs_mem;   /* inputs_mem: empty where they are shared */
    struct inputs inputs;
    struct tape *tape;
    int n_out, n_moving;            /* outputs, and those of them that are no numbers */
    int *place;                     /* [n_moving] which of the outputs each of the tape's is */
    double *out, *work;             /* [n_out] */
    double *moving;                 /* [n_moving] what the tape has written; `out` where all are moving */
    double *seen;                   /* [inputs.n] where `out` was evaluated; NULL: nowhere yet */
    long n_eval;                    /* how often `out` has changed */
    struct ahead {                  /* points that will be asked for, one after the other */
        int n, most, next;          /* how many, room for, the one that is expected */
        int first, n_block;         /* those that have been evaluated */
        double *point;              /* [most * inputs.n] */
        double *in, *out;           /* of the block [inputs.n * AHEAD_BLOCK], [n_moving * AHEAD_BLOCK], by rows */
    } ahead;
};
enum { AHEAD_BLOCK = 32 };          /* points that a tape takes at a time for little more than one */

/* Several may share inputs, whose values then serve them all. */
struct function function_of(const struct inputs *inputs, int n, const expr *e);
struct function function_create(const struct model *model, const double *p, int n, const expr *e);
void function_free(struct function *function);

/* The values at the inputs' values; borrowed until the next call. Nothing is evaluated where the inputs
 * are those of the last call. */
const double *function_values(struct function *function);

/* The n points (rows of inputs.n values) that will be asked for next: they are evaluated many at a time, the
 * first ones when one of them is asked for. They take the place of those that were given before. */
void function_ahead(struct function *function, int n, const double *point);

/* The values at a point; u NULL: zero. */
const double *function_eval(struct function *function, double t, const double *x, const double *u);

#endif
