#include "core/base/sparse.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* Stable counting sort of `order` (a permutation of 0..n-1) by key. */
static void sort_by(int n, int n_keys, const int *key, const int *order, int *sorted)
{
    int *start = mem_alloc((size_t)n_keys + 1, sizeof *start);
    for (int k = 0; k < n; k++)
        start[key[k] + 1]++;
    for (int i = 0; i < n_keys; i++)
        start[i + 1] += start[i];
    for (int k = 0; k < n; k++)
        sorted[start[key[order[k]]]++] = order[k];
    free(start);
}

struct sparse sparse_from_triplets(struct arena *mem, int n_rows, int n_cols, int n,
                                   const int *row, const int *col, int *slot)
{
    int *identity = mem_alloc((size_t)n, sizeof(int));
    int *by_row = mem_alloc((size_t)n, sizeof(int));
    int *by_col = mem_alloc((size_t)n, sizeof(int));
    for (int k = 0; k < n; k++)
        identity[k] = k;
    sort_by(n, n_rows, row, identity, by_row);
    sort_by(n, n_cols, col, by_row, by_col);

    struct sparse pat = { .n_rows = n_rows, .n_cols = n_cols };
    pat.colptr = arena_alloc(mem, (size_t)n_cols + 1, sizeof(int));
    pat.rowind = arena_alloc(mem, (size_t)n, sizeof(int));
    for (int i = 0; i < n; i++) {
        const int k = by_col[i], prev = i > 0 ? by_col[i - 1] : -1;
        if (prev < 0 || row[prev] != row[k] || col[prev] != col[k]) {
            pat.rowind[pat.nnz++] = row[k];
            pat.colptr[col[k] + 1]++;
        }
        if (slot)
            slot[k] = pat.nnz - 1;
    }
    for (int j = 0; j < n_cols; j++)
        pat.colptr[j + 1] += pat.colptr[j];
    free(identity);
    free(by_row);
    free(by_col);
    return pat;
}
