#include "core/base/triplets.h"

#include "core/base/mem.h"

#include <stdlib.h>

int triplets_add(struct triplets *list, int row, int col)
{
    list->row = mem_grow(list->row, list->n, 1, sizeof *list->row);
    list->col = mem_grow(list->col, list->n, 1, sizeof *list->col);
    list->row[list->n] = row;
    list->col[list->n] = col;
    return list->n++;
}

int triplets_add_lower(struct triplets *list, int a, int b)
{
    return triplets_add(list, a > b ? a : b, a > b ? b : a);
}

struct sparse triplets_finish(struct triplets *list, struct arena *mem, int n_rows, int n_cols)
{
    list->slot = mem_alloc((size_t)list->n, sizeof *list->slot);
    return sparse_from_triplets(mem, n_rows, n_cols, list->n, list->row, list->col, list->slot);
}

void triplets_free(struct triplets *list)
{
    free(list->row);
    free(list->col);
    free(list->slot);
}
