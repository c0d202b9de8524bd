#include "transcription/program/block_use.h"

#include "core/base/mem.h"
#include "transcription/program/block_parts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- Before: which triplet each contribution is -------------------------------------------------------------- */

/* Puts the terms of all slots into one array. */
static void pack_terms(struct program_block *block)
{
    const int n = block->n_point * block->fun->n_in;
    block->term_start = arena_alloc(&block->mem, (size_t)n + 1, sizeof(int));
    for (int k = 0; k < n; k++)
        block->term_start[k + 1] = block->term_start[k] + block->n_terms[k];
    struct slot_term *all = arena_alloc(&block->mem, (size_t)block->term_start[n], sizeof *all);
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
    block->in = arena_alloc(&block->mem, ((size_t)fun->n_in + (size_t)fun->n_out) * n, sizeof(double));
    block->value = arena_alloc(&block->mem, (size_t)fun->n_out * n, sizeof(double));
    block->jac = arena_alloc(&block->mem, (size_t)fun->n_jac * n, sizeof(double));
    block->hess = arena_alloc(&block->mem, (size_t)fun->n_hess * n, sizeof(double));
    size_t work = tape_work_size(fun->value);
    if (work < tape_work_size(fun->jac))
        work = tape_work_size(fun->jac);
    if (work < tape_work_size(fun->hess))
        work = tape_work_size(fun->hess);
    block->work = arena_alloc(&block->mem, work, sizeof(double));
}

/* Until the pattern is known a place is the number of its triplet, ~place if that is known already, or NONE. */
enum { NONE = INT_MIN };

static void add_place(struct places *list, int place)
{
    list->at = mem_grow(list->at, list->n, 1, sizeof *list->at);
    list->at[list->n++] = place;
}

/* (row, v); of a cost the place is the variable's in the gradient. */
static int first_derivative(struct triplets *jac, int row, int var)
{
    return row >= 0 ? triplets_add(jac, row, var) : ~var;
}

static int second_derivative(struct triplets *hess, int a, int b)
{
    return a >= 0 && b >= 0 ? triplets_add_lower(hess, a, b) : NONE;
}

/* Entry k of the Jacobian of F at point p: (row, v) for each v of its slot, and beside
 * a scale (a, v) and (b, v). */
static void list_jac_entry(struct program_block *block, int p, int k, struct triplets *jac, struct triplets *hess)
{
    const struct pointfun *fun = block->fun;
    const int slot = p * fun->n_in + fun->jac_in[k];
    const struct out_place *out = &block->out[p * fun->n_out + fun->jac_out[k]];
    const bool is_scaled = out->row != PROGRAM_NO_ROW && out->a != PROGRAM_ONE;
    for (int i = block->term_start[slot]; i < block->term_start[slot + 1]; i++) {
        const int var = block->term[i].var;
        add_place(&block->jac_place, first_derivative(jac, out->row, var));
        if (is_scaled) {
            add_place(&block->cross_place, second_derivative(hess, out->a, var));
            add_place(&block->cross_place, second_derivative(hess, out->b, var));
        }
    }
}

/* Entry k of the Hessian of F at point p: (v, v') for the variables of both slots, of one slot the lower half. */
static void list_hess_entry(struct program_block *block, int p, int k, struct triplets *hess)
{
    const struct pointfun *fun = block->fun;
    const int r = p * fun->n_in + fun->hess_row[k], c = p * fun->n_in + fun->hess_col[k];
    for (int i = block->term_start[r]; i < block->term_start[r + 1]; i++)
        for (int j = block->term_start[c]; j < (r == c ? i + 1 : block->term_start[c + 1]); j++)
            add_place(&block->hess_place, second_derivative(hess, block->term[i].var, block->term[j].var));
}

/* Output k with a scale: (row, a), (row, b) and (a, b). */
static void list_scale(struct program_block *block, int k, struct triplets *jac, struct triplets *hess)
{
    const struct out_place *out = &block->out[k];
    const bool is_scaled = out->row != PROGRAM_NO_ROW && out->a != PROGRAM_ONE,
               by_two = is_scaled && out->b != PROGRAM_ONE;
    add_place(&block->scale_place, is_scaled ? first_derivative(jac, out->row, out->a) : NONE);
    add_place(&block->scale_place, by_two ? first_derivative(jac, out->row, out->b) : NONE);
    add_place(&block->ab_place, by_two ? second_derivative(hess, out->a, out->b) : NONE);
}

void block_list(struct program_block *block, struct triplets *jac, struct triplets *hess)
{
    const struct pointfun *fun = block->fun;
    pack_terms(block);
    for (int p = 0; p < block->n_point; p++) {
        for (int k = 0; k < fun->n_jac; k++)
            list_jac_entry(block, p, k, jac, hess);
        for (int k = 0; k < fun->n_hess; k++)
            list_hess_entry(block, p, k, hess);
        for (int o = 0; o < fun->n_out; o++)
            list_scale(block, p * fun->n_out + o, jac, hess);
    }
    allocate_work(block);
}

/* --- After: where that triplet went -------------------------------------------------------------------------- */

static void place(struct places *list, const int *slot)
{
    for (int k = 0; k < list->n; k++)
        list->at[k] = list->at[k] >= 0 ? slot[list->at[k]] : list->at[k] == NONE ? -1 : ~list->at[k];
}

void block_place(struct program_block *block, const int *jac_slot, const int *hess_slot)
{
    place(&block->jac_place, jac_slot);
    place(&block->scale_place, jac_slot);
    place(&block->hess_place, hess_slot);
    place(&block->cross_place, hess_slot);
    place(&block->ab_place, hess_slot);
}
