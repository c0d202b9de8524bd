/* tests/unit/sparse_find.h - an entry of a sparse matrix by its row and column */
#ifndef COCP_TESTS_UNIT_SPARSE_FIND_H
#define COCP_TESTS_UNIT_SPARSE_FIND_H

#include "core/base/sparse.h"

/* The place of (row, col), or -1 if it is not in the pattern. */
static inline int sparse_find(const struct sparse *pattern, int row, int col)
{
    for (int k = pattern->colptr[col]; k < pattern->colptr[col + 1]; k++)
        if (pattern->rowind[k] == row)
            return k;
    return -1;
}

#endif
