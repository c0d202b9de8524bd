/* core/kkt/factor.h - the state of a factorization, for factor.c and solve.c */
#ifndef COCP_CORE_KKT_FACTOR_H
#define COCP_CORE_KKT_FACTOR_H

#include "core/kkt/front.h"
#include "core/kkt/kkt.h"
#include "core/kkt/tree.h"

#include <stddef.h>

struct buffer {                     /* grows, never shrinks */
    double *at;
    size_t capacity;
};

/* A front of the last factorization. Its pivots stand in the list of all by order of elimination. */
struct front {
    int n_full, n_row, n_pivot;     /* columns summed up, rows, pivots found */
    int first_pivot;
    size_t L, place;                /* starts in kkt->L and kkt->front_place */
    size_t update, passed;          /* starts in the stack: update matrix of the rows behind the fully summed, and the
                                     * n_full - n_pivot columns passed on, each with the rows from the first one on */
};

struct kkt {
    struct arena mem;
    struct kkt_tree tree;
    struct sparse low;              /* lower triangle by places; columns of a front stand in a row */
    int n_entry, *slot;             /* [n_entry] place of each triplet in low */
    int *local_row;                 /* [low.nnz] row within the front of the column */
    double *val;                    /* [low.nnz] not scaled */
    double *scale;                  /* [n] S by places: powers of two */
    bool is_scaled;                 /* scale holds that of an earlier matrix */
    const struct kkt_kernel *kernel;

    struct front *front;            /* [n_front] */
    struct kkt_pivots pivots;
    struct buffer L, W;
    struct buffer stack[2];         /* by parity of depth: what a front reads and what it leaves do not meet */
    int *front_place;               /* grows: places of the rows of each front */
    size_t n_place_room;
    int *local;                     /* [n] scratch: rows of a child in its parent */
    double *x, *r, *b, *trial;      /* [n] scratch of solves */
    double *work;                   /* [n + FRONT_SLACK] */
    bool has_factors;
    struct kkt_inertia inertia;
    struct kkt_size size;
};

#endif
