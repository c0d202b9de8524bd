/* core/model/parts/dynamics.h - right-hand sides, and modes that switches select */
#ifndef COCP_CORE_MODEL_PARTS_DYNAMICS_H
#define COCP_CORE_MODEL_PARTS_DYNAMICS_H

#include "core/expression/expr.h"
#include "core/spec/spec.h"

enum model_type { MODEL_ODE, MODEL_MECHANICAL, MODEL_PIECEWISE };

struct model_mode {
    const char *name;
    struct srcpos pos;
    expr *rhs;                      /* [n_x] */
};

struct model_group {                /* one family of modes of a piecewise system */
    const char *name;
    int n_c;                        /* switching functions */
    expr *c;                        /* [n_c] */
    const char **c_name;            /* [n_c] */
    struct srcpos *c_pos;           /* [n_c] */
    int n_mode;
    struct model_mode *mode;        /* [n_mode] */
    int *mode_of_pattern;           /* [2^n_c]: bit l set means c_l > 0; every pattern has its mode */
};

struct model_dynamics {
    enum model_type type;
    bool type_known;                            /* false: reported, and ddt and what hangs on it stay silent */
    expr *rhs;                                  /* [n_x] (0 constant: none); mechanical: q' rows hold N v, v' rows
                                                 * are EXPR_NONE */
    struct srcpos *rhs_pos;                     /* [n_x] */
    int n_group;
    struct model_group *group;
};

#endif
