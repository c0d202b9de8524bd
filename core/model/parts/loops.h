/* core/model/parts/loops.h - closed kinematic loops: points of bodies that stay together
 *
 * Conditions g(q) = 0 of all loops, G = dg/dq N, so that G v = 0. Those that follow from the others are not kept:
 * P is made of the others. Shapes  gap, follows [n]; G [n * n_q] by rows; P [n_q * n_q].
 */
#ifndef COCP_CORE_MODEL_PARTS_LOOPS_H
#define COCP_CORE_MODEL_PARTS_LOOPS_H

#include "core/expression/expr.h"
#include "core/spec/spec.h"

struct model_loop {
    const char *name, *path;
    struct srcpos pos;
    const char *end[2]; /* what a and b are, in words */
    int first, n;       /* its conditions: three of points, along the axes of the world, then those of axes */
};

struct model_loops {
    int n_loop;
    struct model_loop *loop;
    int n, n_kept;
    expr *gap;
    bool *follows; /* from others, or from how the joints are: it has no part in P */
    expr *G;
    expr *P;    /* I - G'(G G')^-1 G of the kept ones; NULL: not made yet, or there are no loops */
    expr *plus; /* [n_q * n_kept] G'(G G')^-1 of the kept ones, by columns */
    expr *free_rate, *free_M, *free_f; /* [n_position] N v, M and f_v before P had its part in them */
    expr *force;       /* [n] of b on a, by each condition, without contacts; NULL: friction in joints and the
                        * like leave it open */
    expr *per_contact; /* [n * CONTACT_ROWS n_contact] by columns: what is added per force of each contact; of
                        * impulses the same */
    int n_shown;       /* forces with a name: of points, along the axes of the world that loops can move along */
    int *shown;        /* [n_shown] their conditions */
    const char **shown_name; /* [n_shown] "pin_lambda_x" */
    struct tape *tape; /* gap, dg/dq, G as functions of the states; NULL: they depend on optimized parameters */
    struct tape *owned_tape; /* the same, or NULL in a copy of the model */
};

#endif
