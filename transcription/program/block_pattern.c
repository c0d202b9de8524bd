#include "transcription/program/block_pattern.h"

#include "core/base/mem.h"
#include "transcription/program/block_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- Triplets ------------------------------------------------------------------------------------------------ */

void triplets_add(struct triplets *list, int row, int col)
{
    list->row = mem_grow(list->row, list->n, 1, sizeof *list->row);
    list->col = mem_grow(list->col, list->n, 1, sizeof *list->col);
    list->row[list->n] = row;
    list->col[list->n++] = col;
}

void triplets_add_lower(struct triplets *list, int a, int b)
{
    triplets_add(list, a > b ? a : b, a > b ? b : a);
}

void triplets_free(struct triplets *list)
{
    free(list->row);
    free(list->col);
}

/* --- Sparsity: the loops below name and place contributions in one and the same order ----------------------- */

typedef void jac_visitor(void *user, const struct out_place *out, int var);
typedef void pair_visitor(void *user, int var, int other);

static const struct slot_term *terms_of(const struct program_block *block, int p, int slot, int *n)
{
    const int k = p * block->fun->n_in + slot;
    if (block->term) {
        *n = block->term_start[k + 1] - block->term_start[k];
        return block->term + block->term_start[k];
    }
    assert(block->terms);                       /* while the block is being built */
    *n = block->n_terms[k];
    return block->terms[k];
}

/* Every (output, variable) that the Jacobian entries touch. */
static void visit_jac(const struct program_block *block, jac_visitor *visit, void *user)
{
    const struct pointfun *fun = block->fun;
    for (int p = 0; p < block->n_point; p++)
        for (int k = 0; k < fun->n_jac; k++) {
            int n;
            const struct slot_term *term = terms_of(block, p, fun->jac_in[k], &n);
            const struct out_place *out = &block->out[p * fun->n_out + fun->jac_out[k]];
            for (int i = 0; i < n; i++)
                visit(user, out, term[i].var);
        }
}

/* Every (scale variable, variable) of a scaled output: a and b for each term; -1 where there is none. */
static void visit_cross(const struct program_block *block, pair_visitor *visit, void *user)
{
    const struct pointfun *fun = block->fun;
    for (int p = 0; p < block->n_point; p++)
        for (int k = 0; k < fun->n_jac; k++) {
            int n;
            const struct slot_term *term = terms_of(block, p, fun->jac_in[k], &n);
            const struct out_place *out = &block->out[p * fun->n_out + fun->jac_out[k]];
            if (out->row == PROGRAM_NO_ROW || out->a == PROGRAM_ONE)
                continue;
            for (int i = 0; i < n; i++) {
                visit(user, out->a, term[i].var);
                visit(user, out->b, term[i].var);
            }
        }
}

/* Every (variable, variable) of the Hessian entries: within one slot only the lower half of the square. */
static void visit_hess(const struct program_block *block, pair_visitor *visit, void *user)
{
    const struct pointfun *fun = block->fun;
    for (int p = 0; p < block->n_point; p++)
        for (int k = 0; k < fun->n_hess; k++) {
            int n_r, n_c;
            const struct slot_term *r = terms_of(block, p, fun->hess_row[k], &n_r);
            const struct slot_term *c = terms_of(block, p, fun->hess_col[k], &n_c);
            const bool same = fun->hess_row[k] == fun->hess_col[k];
            for (int i = 0; i < n_r; i++)
                for (int j = 0; j < (same ? i + 1 : n_c); j++)
                    visit(user, r[i].var, c[j].var);
        }
}

static void list_jac(void *user, const struct out_place *out, int var)
{
    if (out->row >= 0)
        triplets_add(user, out->row, var);
}

static void list_pair(void *user, int var, int other)
{
    if (var >= 0)
        triplets_add_lower(user, var, other);
}

void block_list(const struct program_block *block, struct triplets *jac, struct triplets *hess)
{
    visit_jac(block, list_jac, jac);
    visit_cross(block, list_pair, hess);
    visit_hess(block, list_pair, hess);
    for (int k = 0; k < block->n_point * block->fun->n_out; k++) {
        const struct out_place *out = &block->out[k];
        if (out->row == PROGRAM_NO_ROW || out->a == PROGRAM_ONE)
            continue;
        if (out->row >= 0) {
            triplets_add(jac, out->row, out->a);
            if (out->b != PROGRAM_ONE)
                triplets_add(jac, out->row, out->b);
        }
        if (out->b != PROGRAM_ONE)
            triplets_add_lower(hess, out->a, out->b);
    }
}

struct placing {
    const struct sparse *pattern;
    int *place, n;
};

static void place_jac(void *user, const struct out_place *out, int var)
{
    struct placing *to = user;
    to->place[to->n++] = out->row >= 0 ? sparse_find(to->pattern, out->row, var) : var;
}

static int find_lower(const struct sparse *pattern, int a, int b)
{
    return a > b ? sparse_find(pattern, a, b) : sparse_find(pattern, b, a);
}

static void place_pair(void *user, int var, int other)
{
    struct placing *to = user;
    to->place[to->n++] = var >= 0 ? find_lower(to->pattern, var, other) : -1;
}

static void count_jac(void *user, const struct out_place *out, int var)
{
    (void)out;
    (void)var;
    ++*(int *)user;
}

static void count_pair(void *user, int var, int other)
{
    (void)var;
    (void)other;
    ++*(int *)user;
}

static int *place_pairs(const struct program_block *block, const struct sparse *pattern,
                        void (*visit)(const struct program_block *, pair_visitor *, void *))
{
    int n = 0;
    visit(block, count_pair, &n);
    struct placing to = { pattern, mem_alloc((size_t)n, sizeof(int)), 0 };
    visit(block, place_pair, &to);
    return to.place;
}

static void place_scales(struct program_block *block, const struct sparse *jac, const struct sparse *hess)
{
    const int n = block->n_point * block->fun->n_out;
    block->scale_place = mem_alloc(2 * (size_t)n, sizeof(int));
    block->ab_place = mem_alloc((size_t)n, sizeof(int));
    for (int k = 0; k < n; k++) {
        const struct out_place *out = &block->out[k];
        int *place = &block->scale_place[2 * k];
        place[0] = place[1] = block->ab_place[k] = -1;
        if (out->row == PROGRAM_NO_ROW || out->a == PROGRAM_ONE)
            continue;
        place[0] = out->row >= 0 ? sparse_find(jac, out->row, out->a) : out->a;
        if (out->b == PROGRAM_ONE)
            continue;
        place[1] = out->row >= 0 ? sparse_find(jac, out->row, out->b) : out->b;
        block->ab_place[k] = find_lower(hess, out->a, out->b);
    }
}

/* Puts the terms of all slots into one array. */
static void pack_terms(struct program_block *block)
{
    const int n = block->n_point * block->fun->n_in;
    block->term_start = mem_alloc((size_t)n + 1, sizeof(int));
    for (int k = 0; k < n; k++)
        block->term_start[k + 1] = block->term_start[k] + block->n_terms[k];
    struct slot_term *all = mem_alloc((size_t)block->term_start[n], sizeof *all);
    for (int k = 0; k < n; k++) {
        if (block->n_terms[k])
            memcpy(all + block->term_start[k], block->terms[k], (size_t)block->n_terms[k] * sizeof *all);
        free(block->terms[k]);
    }
    free(block->terms);
    block->terms = NULL;
    block->term = all;
}

static void allocate_work(struct program_block *block)
{
    const struct pointfun *fun = block->fun;
    const size_t n = (size_t)block->n_point;
    block->in = mem_alloc(((size_t)fun->n_in + (size_t)fun->n_out) * n, sizeof(double));
    block->value = mem_alloc((size_t)fun->n_out * n, sizeof(double));
    block->jac = mem_alloc((size_t)fun->n_jac * n, sizeof(double));
    block->hess = mem_alloc((size_t)fun->n_hess * n, sizeof(double));
    size_t work = tape_work_size(fun->value);
    if (work < tape_work_size(fun->jac))
        work = tape_work_size(fun->jac);
    if (work < tape_work_size(fun->hess))
        work = tape_work_size(fun->hess);
    block->work = mem_alloc(work, sizeof(double));
}

void block_place(struct program_block *block, const struct sparse *jac, const struct sparse *hess)
{
    pack_terms(block);
    int n = 0;
    visit_jac(block, count_jac, &n);
    struct placing to = { jac, mem_alloc((size_t)n, sizeof(int)), 0 };
    visit_jac(block, place_jac, &to);
    block->jac_place = to.place;
    block->cross_place = place_pairs(block, hess, visit_cross);
    block->hess_place = place_pairs(block, hess, visit_hess);
    place_scales(block, jac, hess);
    allocate_work(block);
}
