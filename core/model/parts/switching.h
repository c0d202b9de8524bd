/* core/model/parts/switching.h - what switches besides contacts: projections, relays, machines */
#ifndef COCP_CORE_MODEL_PARTS_SWITCHING_H
#define COCP_CORE_MODEL_PARTS_SWITCHING_H

#include "core/expression/expr.h"
#include "core/spec/spec.h"

/* A set that first-order states are kept in: gap >= 0, by a reaction lambda >= 0 where it is 0
 * (projections.c). Or a pair of the block complementarity whose force H determines (own_pairs.c): its gap is
 * H, which depends on forces. */
struct model_projection {
    const char *name, *path;
    struct srcpos pos;
    bool is_pair;
    expr gap;                       /* of x without velocities, t, p; smooth. H: of x, u, p, t and lambda of pairs */
    expr lambda;                    /* 1 - state, as a nonsmooth node; of a pair a symbol, that of force_sym */
    expr state;                     /* symbol of the step of its switch: 1 while open, below while the gap stays 0 */
    expr *push;                     /* [n_x] what the reaction adds to the rates of first-order states; else 0; NULL: a pair */
};

/* A relay with two thresholds: on from when `of` passes one until it passes the other, lower or higher. Its name
 * stands for 0 or 1 (a relay of expr.h). */
struct model_hysteresis {
    const char *name, *path;
    struct srcpos pos;
    expr state;                     /* symbol of the relay */
    bool starts_on;
};

/* A machine is in one of its states; its signals, numbers by name in right sides, are what the state says. */
struct model_transition {
    const char *name, *path;        /* "washer.full" for reports */
    struct srcpos pos;
    int from, to;
    expr when;                      /* smooth; it happens where this rises above 0; EXPR_NONE: after a time */
    int n_only;
    expr *only;                     /* [n_only] smooth, of states: it happens only where these are above 0, too */
    double after;                   /* s in its state; NAN: by `when` */
    int n_reset;
    int *reset_x;                   /* [n_reset] states that jump */
    expr *reset;                    /* [n_reset] what to, of what is before */
};
struct model_machine {
    const char *name, *path;
    struct srcpos pos;
    int n_state, start;
    int n_final;                    /* 0: it may end in any state */
    int *final;                     /* [n_final] */
    double since;                   /* s that it has been in its first state when the motion starts: a measured one; else 0 */
    const char **state;             /* [n_state] names */
    int first_signal, n_signal;     /* among the model's */
    double *value;                  /* [n_state * n_signal] */
    int n_transition;
    struct model_transition *transition;        /* [n_transition] the first that can happen does */
};

struct model_switching {
    int n_projection;
    struct model_projection *projection;        /* [n_projection] pairs with forces of their own last */
    int n_hysteresis;
    struct model_hysteresis *hysteresis;        /* [n_hysteresis] */
    int n_machine, n_signal;
    struct model_machine *machine;              /* [n_machine] */
    expr *signal;                               /* [n_signal] symbols; their names are those of defines before those of
                                                 * projections */
};

#endif
