/* core/base/sparse.h - the pattern of a sparse matrix, by columns
 *
 * 0-based; rowind ascends within a column; val arrays that go with it have nnz entries in the same order. Of a
 * symmetric matrix the lower triangle is stored (row >= col).
 */
#ifndef COCP_CORE_BASE_SPARSE_H
#define COCP_CORE_BASE_SPARSE_H

#include "core/base/arena.h"

struct sparse {
    int n_rows, n_cols, nnz;
    int *colptr;                    /* [n_cols + 1] */
    int *rowind;                    /* [nnz] */
};

/* The pattern of n triplets (row[k], col[k]), repeated ones merged; slot[k] (may be NULL) is the place of
 * triplet k in [0, nnz). Arrays live in `mem`. */
struct sparse sparse_from_triplets(struct arena *mem, int n_rows, int n_cols, int n,
                                   const int *row, const int *col, int *slot);

#endif
