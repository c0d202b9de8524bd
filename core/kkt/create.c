#include "core/kkt/kkt.h"

#include "core/base/mem.h"
#include "core/kkt/factor.h"

#include <stdlib.h>

/* Lower triangle of the triplets as they stand, then by places; slots of the triplets in the latter. */
static void make_patterns(struct kkt *kkt, const int *row, const int *col)
{
    const size_t room = (size_t)kkt->n_entry + 1;
    int *low_row = mem_alloc(room, sizeof *low_row), *low_col = mem_alloc(room, sizeof *low_col);
    struct arena own = { 0 };
    for (int k = 0; k < kkt->n_entry; k++) {
        low_row[k] = row[k] > col[k] ? row[k] : col[k];
        low_col[k] = row[k] > col[k] ? col[k] : row[k];
    }
    const int n = kkt->tree.n;
    const struct sparse pattern = sparse_from_triplets(&own, n, n, kkt->n_entry, low_row, low_col, NULL);
    kkt->tree = kkt_tree_create(&kkt->mem, &pattern);
    for (int k = 0; k < kkt->n_entry; k++) {
        const int i = kkt->tree.place[row[k]], j = kkt->tree.place[col[k]];
        low_row[k] = i > j ? i : j;
        low_col[k] = i > j ? j : i;
    }
    kkt->slot = arena_alloc(&kkt->mem, room, sizeof *kkt->slot);
    kkt->low = sparse_from_triplets(&kkt->mem, n, n, kkt->n_entry, low_row, low_col, kkt->slot);
    arena_free(&own);
    free(low_row);
    free(low_col);
}

/* Each entry's row within the front of its column. */
static void find_local_rows(struct kkt *kkt)
{
    const struct kkt_tree *tree = &kkt->tree;
    for (int f = 0; f < tree->n_front; f++) {
        const int first = tree->first[f], end = tree->first[f + 1];
        for (int k = tree->row_start[f]; k < tree->row_start[f + 1]; k++)
            kkt->local[tree->row[k]] = end - first + k - tree->row_start[f];
        for (int k = kkt->low.colptr[first]; k < kkt->low.colptr[end]; k++) {
            const int row = kkt->low.rowind[k];
            kkt->local_row[k] = row < end ? row - first : kkt->local[row];
        }
    }
}

struct kkt *kkt_create(int n, int n_entry, const int *row, const int *col)
{
    struct kkt *kkt = mem_alloc(1, sizeof *kkt);
    const size_t rows = (size_t)n + 1;
    kkt->tree.n = n;
    kkt->n_entry = n_entry;
    make_patterns(kkt, row, col);
    const size_t n_front = (size_t)kkt->tree.n_front + 1, nnz = (size_t)kkt->low.nnz + 1;
    kkt->local_row = arena_alloc(&kkt->mem, nnz, sizeof *kkt->local_row);
    kkt->val = arena_alloc(&kkt->mem, nnz, sizeof *kkt->val);
    kkt->scale = arena_alloc(&kkt->mem, rows, sizeof *kkt->scale);
    kkt->front = arena_alloc(&kkt->mem, n_front, sizeof *kkt->front);
    kkt->pivots.d = arena_alloc(&kkt->mem, rows, sizeof *kkt->pivots.d);
    kkt->pivots.e = arena_alloc(&kkt->mem, rows, sizeof *kkt->pivots.e);
    kkt->pivots.kind = arena_alloc(&kkt->mem, rows, sizeof *kkt->pivots.kind);
    kkt->local = arena_alloc(&kkt->mem, rows, sizeof *kkt->local);
    kkt->x = arena_alloc(&kkt->mem, rows, sizeof *kkt->x);
    kkt->r = arena_alloc(&kkt->mem, rows, sizeof *kkt->r);
    kkt->b = arena_alloc(&kkt->mem, rows, sizeof *kkt->b);
    kkt->trial = arena_alloc(&kkt->mem, rows, sizeof *kkt->trial);
    kkt->work = arena_alloc(&kkt->mem, rows + FRONT_SLACK, sizeof *kkt->work);
    kkt->kernel = kkt_kernel_get(0);
    find_local_rows(kkt);
    return kkt;
}

static void release(struct buffer *buffer)
{
    free(buffer->at);
    *buffer = (struct buffer){ NULL };
}

void kkt_forget(struct kkt *kkt)
{
    kkt->is_scaled = kkt->has_factors = false;
    release(&kkt->L);
    release(&kkt->W);
    release(&kkt->stack[0]);
    release(&kkt->stack[1]);
    free(kkt->front_place);
    kkt->front_place = NULL;
    kkt->n_place_room = 0;
}

struct kkt_inertia kkt_inertia(const struct kkt *kkt)
{
    return kkt->inertia;
}

struct kkt_size kkt_size(const struct kkt *kkt)
{
    return kkt->size;
}

void kkt_free(struct kkt *kkt)
{
    if (!kkt)
        return;
    kkt_forget(kkt);
    arena_free(&kkt->mem);
    free(kkt);
}
