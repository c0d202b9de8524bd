/* core/model/parts/impulses.h - controls that are impulsive, and what jumps at boundaries of control intervals */
#ifndef COCP_CORE_MODEL_PARTS_IMPULSES_H
#define COCP_CORE_MODEL_PARTS_IMPULSES_H

#include "core/model/parts/variables.h"

/* An impulsive control (impulses.c): it acts at moments alone, where a state jumps by what it says. Each of its
 * impulses is a parameter: "dv_1", "dv_2", ... */
struct model_impulse {
    struct model_var var;           /* of every one: name, units, bounds, guess */
    expr sym;                       /* any one of them, in formulas that are about each; never in those of the model */
    int leader;                     /* the impulsive control whose moments these are; itself, where it has its own */
    int n;                          /* impulses */
    int *at;                        /* [n] ascending: the control interval that it is at the start of; n_intervals: the end */
    int *param;                     /* [n] among all parameters */
};

/* What jumps where control interval `at` begins, or, n_intervals, at the end of the horizon: x+ = to(x-). */
struct model_jump {
    int at;
    const char *what;               /* "flight, dv_2": for rows */
    const char *path;
    struct srcpos pos;
    int n, *x;                      /* [n] states that jump */
    expr *to;                       /* [n] what to, of what is before */
};

struct model_impulses {
    int n_impulse;
    struct model_impulse *impulse;              /* [n_impulse] controls that are impulsive; not among u */
    int n_param;                                /* parameters that they add, the last ones of all */
    int n_jump;
    struct model_jump *jump;                    /* [n_jump] ascending */
};

#endif
