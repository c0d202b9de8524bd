#include "core/sos/semidefinite.h"

#include "core/base/mem.h"
#include "core/base/stop.h"

#include <csdp/declarations.h>
#include <stdlib.h>
#include <string.h>

/* Takes the place of the library's function of this name, which reads param.csdp from the working directory and
 * asks for output. The values are those of its user's guide. */
__attribute__((visibility("default"))) void initparams(struct paramstruc *params, int *printlevel)
{
    *params = (struct paramstruc){
        .axtol = 1e-8, .atytol = 1e-8, .objtol = 1e-8, .pinftol = 1e8, .dinftol = 1e8, .maxiter = 100,
        .minstepfrac = 0.9, .maxstepfrac = 0.97, .minstepp = 1e-8, .minstepd = 1e-8, .usexzgap = 1,
        .tweakgap = 0, .affine = 0, .perturbobj = 1, .fastmode = 0
    };
    *printlevel = 0;
}

/* Likewise: the library asks it after each step whether to go on. */
__attribute__((visibility("default"))) int user_exit(int n, int k, struct blockmatrix C, double *a, double dobj,
                                                     double pobj, double constant_offset,
                                                     struct constraintmatrix *constraints, struct blockmatrix X,
                                                     double *y, struct blockmatrix Z, struct paramstruc params)
{
    (void)n, (void)k, (void)C, (void)a, (void)dobj, (void)pobj, (void)constant_offset, (void)constraints, (void)X,
        (void)y;
    (void)Z, (void)params;
    return stop_asked();
}

static int count_blocks(const struct lmi_program *program)
{
    return program->n_block + (program->n_row > 0);
}

/* What CSDP sees: the blocks, then the rows as one diagonal block, which is block -1 of the entries; the entries of
 * y_k. It counts from 1 and frees what it is given with free(). */
static struct blockmatrix make_constant(const struct lmi_program *program)
{
    struct blockmatrix C = { .nblocks = count_blocks(program) };
    C.blocks = mem_alloc((size_t)C.nblocks + 1, sizeof *C.blocks);
    for (int block = 0; block < program->n_block; block++) {
        const int n = program->size[block];
        C.blocks[block + 1] = (struct blockrec){ .blockcategory = MATRIX, .blocksize = n };
        C.blocks[block + 1].data.mat = mem_alloc((size_t)n * (size_t)n, sizeof(double));
    }
    for (int e = 0; e < program->n_entry; e++) {
        const struct lmi_entry *entry = &program->entry[e];
        if (entry->k >= 0)
            continue;
        const int n = program->size[entry->block];
        double *mat = C.blocks[entry->block + 1].data.mat;
        mat[entry->i + n * entry->j] = mat[entry->j + n * entry->i] = -entry->val;
    }
    if (program->n_row == 0)
        return C;
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

/* Entries by constraint, then by block: counts first, then places. */
static struct constraintmatrix *make_constraints(const struct lmi_program *program)
{
    const int n_block = count_blocks(program);
    struct constraintmatrix *out = mem_alloc((size_t)program->n_y + 1, sizeof *out);
    int *count = mem_alloc((size_t)program->n_y * (size_t)n_block, sizeof *count);
    struct sparseblock **made = mem_alloc((size_t)program->n_y * (size_t)n_block, sizeof(struct sparseblock *));
    for (int e = 0; e < program->n_entry; e++)
        if (program->entry[e].k >= 0)
            count[program->entry[e].k * n_block + block_of(program, &program->entry[e]) - 1]++;
    for (int k = 0; k < program->n_y; k++) {
        struct sparseblock **last = &out[k + 1].blocks;
        for (int block = 1; block <= n_block; block++) {
            const int place = k * n_block + block - 1;
            if (count[place] == 0)
                continue;
            *last = made[place] = make_block(program, k, block, count[place]);
            last = &(*last)->next;
            count[place] = 0;
        }
    }
    for (int e = 0; e < program->n_entry; e++) {
        const struct lmi_entry *entry = &program->entry[e];
        if (entry->k < 0)
            continue;
        const int place = entry->k * n_block + block_of(program, entry) - 1, next = ++count[place];
        made[place]->entries[next] = entry->val;
        made[place]->iindices[next] = entry->i + 1;
        made[place]->jindices[next] = entry->j + 1;
    }
    free(count);
    free(made);
    return out;
}

static int total_size(const struct lmi_program *program)
{
    int n = program->n_row;
    for (int block = 0; block < program->n_block; block++)
        n += program->size[block];
    return n;
}

static void copy_blocks(const struct lmi_program *program, struct blockmatrix X, double *out)
{
    for (int block = 0; block < program->n_block; block++) {
        const size_t n = (size_t)program->size[block] * (size_t)program->size[block];
        memcpy(out, X.blocks[block + 1].data.mat, n * sizeof *out);
        out += n;
    }
}

int lmi_solve(const struct lmi_program *program, double *y, double *X_out)
{
    const int n = total_size(program), n_y = program->n_y;
    struct blockmatrix C = make_constant(program), X, Z;
    struct constraintmatrix *constraints = make_constraints(program);
    double *b = mem_alloc((size_t)n_y + 1, sizeof *b), *found, primal, dual;
    memcpy(b + 1, program->b, (size_t)n_y * sizeof *b);
    initsoln(n, n_y, C, b, constraints, &X, &found, &Z);
    const int code = easy_sdp(n, n_y, C, b, constraints, 0, &X, &found, &Z, &primal, &dual);
    memcpy(y, found + 1, (size_t)n_y * sizeof *y);
    if (X_out)
        copy_blocks(program, X, X_out);
    free_prob(n, n_y, C, b, constraints, X, found, Z);
    return code;
}
