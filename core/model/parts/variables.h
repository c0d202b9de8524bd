/* core/model/parts/variables.h - states, controls and parameters */
#ifndef COCP_CORE_MODEL_PARTS_VARIABLES_H
#define COCP_CORE_MODEL_PARTS_VARIABLES_H

#include "core/expression/expr.h"
#include "core/spec/spec.h"

enum end_kind { END_FREE, END_FIXED, END_RANGE, END_MISSING };
struct model_end { enum end_kind kind; double lo, hi; struct srcpos pos; };     /* FIXED: lo = hi; pos: no line where a joint
                                                                                 * says it, not the spec */

/* What it takes to start a control with values, which is off at its least value and on at any other (starts.h). */
struct model_starts {
    bool given;                     /* the spec says some of it */
    double cost;                    /* of each start, in units of the cost */
    double min_on, min_off;         /* least lengths of stays, in the unit of time; 0: any */
    int most;                       /* starts within the horizon; -1: any number */
    double before;                  /* what the control was before the horizon, for long */
    struct srcpos pos;
};

struct model_var {                  /* a state or a control */
    const char *name, *units, *long_name;       /* units, long_name: "" if not given */
    const char *path;               /* spec path: "states.x" */
    struct srcpos pos;
    double lb, ub;                  /* +-INFINITY: none */
    int n_value;
    const double *value;            /* [n_value] ascending: all that a control may be; 0: anything within the bounds */
    struct model_starts starts;     /* of a control with values */
    double guess;                   /* NAN: not given */
    double size;                    /* `scale`; NAN: not given */
    struct model_end initial, final;            /* states; initial MISSING: not given; final FREE if absent */
};

/* A control that is continuous (held.c): state x, whose slope is the control u of the model; of a spline the
 * slope is state x + 1, and u the slope of that. */
struct model_held { int x, order, u; };         /* order 1: linear, 2: spline */

struct model_param {
    const char *name, *units, *long_name, *path;
    struct srcpos pos;
    double value;                   /* its value; of an optimized one the guess */
    bool optimize;
    double lb, ub;                  /* of an optimized one */
    expr sym;                       /* symbol of an optimized one, else EXPR_NONE */
    expr value_expr;                /* constant, or an expression of optimized ones */
    bool is_length;                 /* of a phase: written there */
    double size;                    /* `scale`; NAN: not given */
    bool is_used;                   /* some expression names it */
};

#endif
