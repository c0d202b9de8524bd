/* core/base/triplets.h - the entries of a sparse matrix while they are collected, and where they go then */
#ifndef COCP_CORE_BASE_TRIPLETS_H
#define COCP_CORE_BASE_TRIPLETS_H

#include "core/base/sparse.h"

/* Starts as { 0 }. An entry may be named more than once. */
struct triplets {
    int n;
    int *row, *col;                 /* [n] */
    int *slot;                      /* [n] places in the pattern, once finished */
};

/* Both return the number of the triplet. Of a symmetric matrix either order may be
 * given to a lower-triangle list. */
int triplets_add(struct triplets *list, int row, int col);
int triplets_add_lower(struct triplets *list, int a, int b);

/* The pattern, in mem; list->slot says which entry of it each triplet is. */
struct sparse triplets_finish(struct triplets *list, struct arena *mem, int n_rows, int n_cols);
void triplets_free(struct triplets *list);

#endif
