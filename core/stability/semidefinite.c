#include "core/stability/semidefinite.h"

#include "core/base/mem.h"

#include <csdp/declarations.h>
#include <stdbool.h>
#include <stdlib.h>

/* Takes the place of the library's function of this name, which reads param.csdp from the working directory and
 * asks for output. The values are those of its user's guide. */
void initparams(struct paramstruc *params, int *printlevel)
{
    *params = (struct paramstruc){
        .axtol = 1e-8, .atytol = 1e-8, .objtol = 1e-8, .pinftol = 1e8, .dinftol = 1e8, .maxiter = 100,
        .minstepfrac = 0.9, .maxstepfrac = 0.97, .minstepp = 1e-8, .minstepd = 1e-8, .usexzgap = 1,
        .tweakgap = 0, .affine = 0, .perturbobj = 1, .fastmode = 0
    };
    *printlevel = 0;
}

/* CSDP counts from 1 and frees what it is given with free(). The rows are its last block, a diagonal one. */
static struct blockmatrix make_constant(const struct lmi_program *program)
{
    struct blockmatrix C = { .nblocks = program->n_block + 1 };
    C.blocks = mem_alloc((size_t)C.nblocks + 1, sizeof *C.blocks);
    for (int block = 0; block < program->n_block; block++) {
        const int n = program->size[block];
        C.blocks[block + 1] = (struct blockrec){ .blockcategory = MATRIX, .blocksize = n };
        C.blocks[block + 1].data.mat = mem_alloc((size_t)(n * n), sizeof(double));
    }
    struct blockrec *rows = &C.blocks[C.nblocks];
    *rows = (struct blockrec){ .blockcategory = DIAG, .blocksize = program->n_row };
    rows->data.vec = mem_alloc((size_t)program->n_row + 1, sizeof(double));
    for (int row = 0; row < program->n_row; row++)
        rows->data.vec[row + 1] = -program->rhs[row];
    return C;
}

static int block_of(const struct lmi_program *program, const struct lmi_entry *entry)
{
    return entry->block < 0 ? program->n_block + 1 : entry->block + 1;
}

static struct sparseblock *make_block(const struct lmi_program *program, int k, int block, int n)
{
    struct sparseblock *out = mem_alloc(1, sizeof *out);
    out->blocknum = block;
    out->blocksize = block > program->n_block ? program->n_row : program->size[block - 1];
    out->constraintnum = k + 1;
    out->numentries = n;
    out->issparse = 1;
    out->entries = mem_alloc((size_t)n + 1, sizeof *out->entries);
    out->iindices = mem_alloc((size_t)n + 1, sizeof *out->iindices);
    out->jindices = mem_alloc((size_t)n + 1, sizeof *out->jindices);
    return out;
}

/* The entries of y_k by block, ascending. */
static struct constraintmatrix make_constraint(const struct lmi_program *program, int k)
{
    struct constraintmatrix constraint = { NULL };
    struct sparseblock **last = &constraint.blocks;
    for (int block = 1; block <= program->n_block + 1; block++) {
        int n = 0;
        for (int e = 0; e < program->n_entry; e++)
            n += program->entry[e].k == k && block_of(program, &program->entry[e]) == block;
        if (n == 0)
            continue;
        *last = make_block(program, k, block, n);
        for (int e = 0, place = 0; e < program->n_entry; e++) {
            const struct lmi_entry *entry = &program->entry[e];
            if (entry->k != k || block_of(program, entry) != block)
                continue;
            place++;
            (*last)->entries[place] = entry->val;
            (*last)->iindices[place] = entry->i + 1;
            (*last)->jindices[place] = entry->j + 1;
        }
        last = &(*last)->next;
    }
    return constraint;
}

static int total_size(const struct lmi_program *program)
{
    int n = program->n_row;
    for (int block = 0; block < program->n_block; block++)
        n += program->size[block];
    return n;
}

int lmi_solve(const struct lmi_program *program, double *y)
{
    const int n = total_size(program), k = program->n_y;
    struct blockmatrix C = make_constant(program), X, Z;
    struct constraintmatrix *constraints = mem_alloc((size_t)k + 1, sizeof *constraints);
    double *b = mem_alloc((size_t)k + 1, sizeof *b), *found = NULL, primal, dual;
    for (int i = 0; i < k; i++) {
        b[i + 1] = program->b[i];
        constraints[i + 1] = make_constraint(program, i);
    }
    initsoln(n, k, C, b, constraints, &X, &found, &Z);
    const int code = easy_sdp(n, k, C, b, constraints, 0, &X, &found, &Z, &primal, &dual);
    for (int i = 0; i < k; i++)
        y[i] = found[i + 1];
    free_prob(n, k, C, b, constraints, X, found, Z);
    return code;
}
