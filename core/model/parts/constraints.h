/* core/model/parts/constraints.h - what must hold */
#ifndef COCP_CORE_MODEL_PARTS_CONSTRAINTS_H
#define COCP_CORE_MODEL_PARTS_CONSTRAINTS_H

#include "core/expression/expr.h"
#include "core/spec/spec.h"

enum { AT_STAGES = 1, AT_ELEMENTS = 2, AT_INTERVALS = 4, AT_INITIAL = 8, AT_FINAL = 16, AT_TIMES = 32,
       AT_PATH = AT_STAGES | AT_ELEMENTS | AT_INITIAL };

/* lb <= e <= ub. A constraint whose bounds are no numbers (they depend on optimized parameters) may be two of the
 * same name here. */
struct model_constraint {
    const char *name, *path;
    struct srcpos pos;
    expr e;
    double lb, ub;
    int at;                         /* AT_ flags; 0: a boundary constraint, e of x_initial and x_final symbols */
    int n_time;                     /* of AT_TIMES: inner parts of the horizon */
    const double *time;             /* [n_time]; rows of one constraint share it */
    int first, end;                 /* control intervals it is about, those of a phase; end 0: all */
    bool of_forces;
};

/* Complementarity by the user, along the path: 0 <= G _|_ H >= 0, or H of any sign. Outputs
 * name_G and name_H are its sides. */
enum pair_side { SIDE_G, SIDE_H };
struct model_pair {
    const char *name, *path;
    struct srcpos pos;
    expr side[2];                   /* G, H: smooth, of x, u, p, t */
    expr product;                   /* G H */
    bool any_sign;                  /* of H: written as zero */
    const char *side_name[2];       /* "push G" for reports */
};

/* One along the path that holds where all of its conditions are above 0. */
struct model_conditional {
    struct model_constraint of;
    int n_if;
    expr *only;                     /* [n_if] smooth, of states, parameters and t */
    expr when;                      /* the product of their steps: 1 where all are above 0, else 0 */
};

struct model_constraints {
    int n_constraint;
    struct model_constraint *constraint;
    int n_impact;
    struct model_constraint *impact;            /* at every impact, of the state before it and impulses; `at` says nothing */
    int n_conditional;
    struct model_conditional *conditional;      /* [n_conditional] */
    int first_noted, n_noted;                   /* states: values of constraints at times that are optimized */
    int n_pair;
    struct model_pair *pair;                    /* [n_pair] */
};

#endif
