#include "transcription/program/block.h"

#include "core/base/mem.h"
#include "transcription/program/block_parts.h"

#include <stdlib.h>

struct program_block *block_create(struct pointfun *fun)
{
    struct program_block *block = mem_alloc(1, sizeof *block);
    block->fun = fun;
    return block;
}

void block_free(struct program_block *block)
{
    if (!block)
        return;
    if (block->terms)
        for (int k = 0; k < block->n_point * block->fun->n_in; k++)
            free(block->terms[k]);
    free(block->terms);
    free(block->offset);
    free(block->n_terms);
    free(block->out);
    free(block->jac_place.at);
    free(block->scale_place.at);
    free(block->hess_place.at);
    free(block->cross_place.at);
    free(block->ab_place.at);
    arena_free(&block->mem);
    pointfun_free(block->fun);
    free(block);
}

int block_point(struct program_block *block)
{
    const size_t n_in = (size_t)block->fun->n_in, n_out = (size_t)block->fun->n_out;
    const int n = block->n_point;
    block->offset = mem_grow(block->offset, n, 1, n_in * sizeof *block->offset);
    block->n_terms = mem_grow(block->n_terms, n, 1, n_in * sizeof *block->n_terms);
    block->terms = mem_grow(block->terms, n, 1, n_in * sizeof *block->terms);
    block->out = mem_grow(block->out, n, 1, n_out * sizeof *block->out);
    const size_t p = (size_t)block->n_point++;
    for (size_t j = p * n_in; j < (p + 1) * n_in; j++) {
        block->offset[j] = 0;
        block->n_terms[j] = 0;
        block->terms[j] = NULL;
    }
    for (size_t o = p * n_out; o < (p + 1) * n_out; o++)
        block->out[o] = (struct out_place){ PROGRAM_NO_ROW, 0, PROGRAM_ONE, PROGRAM_ONE };
    return (int)p;
}

void block_slot_add(struct program_block *block, int slot, int var, double coef)
{
    const int k = (block->n_point - 1) * block->fun->n_in + slot;
    for (int i = 0; i < block->n_terms[k]; i++)
        if (block->terms[k][i].var == var) {
            block->terms[k][i].coef += coef;
            return;
        }
    block->terms[k] = mem_grow(block->terms[k], block->n_terms[k], 1, sizeof **block->terms);
    block->terms[k][block->n_terms[k]++] = (struct slot_term){ var, coef };
}

void block_slot(struct program_block *block, int slot, int var)
{
    block_slot_add(block, slot, var, 1);
}

void block_slot_const(struct program_block *block, int slot, double value)
{
    block->offset[(block->n_point - 1) * block->fun->n_in + slot] = value;
}

void block_out(struct program_block *block, int out, int row, double coef, int a, int b)
{
    if (a == PROGRAM_ONE) {                     /* a single factor is always a */
        a = b;
        b = PROGRAM_ONE;
    }
    block->out[(block->n_point - 1) * block->fun->n_out + out] = (struct out_place){ row, coef, a, b };
}
