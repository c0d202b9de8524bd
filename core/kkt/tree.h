/* core/kkt/tree.h - the assembly tree of a pattern: which pivots are eliminated together, and where updates go
 *
 * Pivots are numbered 0..n-1 in the order of elimination, their "place". A front takes consecutive places (its
 * pivots) and the later places that these couple to (its rows). What eliminating them leaves on the rows is added
 * into the parent's front. Children come before their parents. Source: kkt.md 1.
 */
#ifndef COCP_CORE_KKT_TREE_H
#define COCP_CORE_KKT_TREE_H

#include "core/base/sparse.h"

#include <stdbool.h>

struct kkt_tree {
    int n, n_front;
    int *place;                     /* [n] of each row of the matrix */
    int *first;                     /* [n_front + 1] first pivot of each front */
    int *row_start, *row;           /* [n_front + 1]: rows of front f are row[row_start[f]..], ascending places */
    int *parent;                    /* [n_front], -1 at a root */
    int *child_start, *child;       /* [n_front + 1]: children, ascending */
    int *map;                       /* as row: local index of each row in the parent's front, pivots first */
    int *n_to_pivot;                /* [n_front] how many of its rows are pivots of the parent */
    bool *odd;                      /* [n_front] depth is odd */
};

/* pattern: the lower triangle. The arrays live in mem. */
struct kkt_tree kkt_tree_create(struct arena *mem, const struct sparse *pattern);

#endif
