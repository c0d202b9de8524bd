#include "core/stability/semidefinite.h"

#include "core/base/mem.h"

#include <csdp/declarations.h>
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

/* What CSDP sees of both forms: matrices, then one diagonal block, which is block -1 of the entries; the entries
 * of constraint k. It counts from 1 and frees what it is given with free(). */
struct shape {
    int n_block, n_diagonal, n_constraint, n_entry;
    const int *size;
    const struct lmi_entry *entry;
};

static struct blockmatrix make_constant(const struct shape *shape, double sign, const double *diagonal)
{
    struct blockmatrix C = { .nblocks = shape->n_block + 1 };
    C.blocks = mem_alloc((size_t)C.nblocks + 1, sizeof *C.blocks);
    for (int block = 0; block < shape->n_block; block++) {
        const int n = shape->size[block];
        C.blocks[block + 1] = (struct blockrec){ .blockcategory = MATRIX, .blocksize = n };
        C.blocks[block + 1].data.mat = mem_alloc((size_t)n * (size_t)n, sizeof(double));
    }
    struct blockrec *rows = &C.blocks[C.nblocks];
    *rows = (struct blockrec){ .blockcategory = DIAG, .blocksize = shape->n_diagonal };
    rows->data.vec = mem_alloc((size_t)shape->n_diagonal + 1, sizeof(double));
    for (int row = 0; row < shape->n_diagonal; row++)
        rows->data.vec[row + 1] = sign * diagonal[row];
    return C;
}

static int block_of(const struct shape *shape, const struct lmi_entry *entry)
{
    return entry->block < 0 ? shape->n_block + 1 : entry->block + 1;
}

static struct sparseblock *make_block(const struct shape *shape, int k, int block, int n)
{
    struct sparseblock *out = mem_alloc(1, sizeof *out);
    out->blocknum = block;
    out->blocksize = block > shape->n_block ? shape->n_diagonal : shape->size[block - 1];
    out->constraintnum = k + 1;
    out->numentries = n;
    out->issparse = 1;
    out->entries = mem_alloc((size_t)n + 1, sizeof *out->entries);
    out->iindices = mem_alloc((size_t)n + 1, sizeof *out->iindices);
    out->jindices = mem_alloc((size_t)n + 1, sizeof *out->jindices);
    return out;
}

/* Entries by constraint, then by block: counts first, then places. */
static struct constraintmatrix *make_constraints(const struct shape *shape)
{
    const int n_block = shape->n_block + 1;
    struct constraintmatrix *out = mem_alloc((size_t)shape->n_constraint + 1, sizeof *out);
    int *count = mem_alloc((size_t)shape->n_constraint * (size_t)n_block, sizeof *count);
    struct sparseblock **made = mem_alloc((size_t)shape->n_constraint * (size_t)n_block, sizeof(struct sparseblock *));
    for (int e = 0; e < shape->n_entry; e++)
        count[shape->entry[e].k * n_block + block_of(shape, &shape->entry[e]) - 1]++;
    for (int k = 0; k < shape->n_constraint; k++) {
        struct sparseblock **last = &out[k + 1].blocks;
        for (int block = 1; block <= n_block; block++) {
            const int place = k * n_block + block - 1;
            if (count[place] == 0)
                continue;
            *last = made[place] = make_block(shape, k, block, count[place]);
            last = &(*last)->next;
            count[place] = 0;
        }
    }
    for (int e = 0; e < shape->n_entry; e++) {
        const struct lmi_entry *entry = &shape->entry[e];
        const int place = entry->k * n_block + block_of(shape, entry) - 1, next = ++count[place];
        made[place]->entries[next] = entry->val;
        made[place]->iindices[next] = entry->i + 1;
        made[place]->jindices[next] = entry->j + 1;
    }
    free(count);
    free(made);
    return out;
}

static int total_size(const struct shape *shape)
{
    int n = shape->n_diagonal;
    for (int block = 0; block < shape->n_block; block++)
        n += shape->size[block];
    return n;
}

/* --- A solve ------------------------------------------------------------------------------------------------- */

struct trace_solution {
    struct blockmatrix C, X, Z;
    struct constraintmatrix *constraints;
    double *b, *y;
    int n, k, code;
};

/* b [n_constraint] */
static struct trace_solution *solve(const struct shape *shape, double sign, const double *diagonal,
                                    const double *b)
{
    struct trace_solution *s = mem_alloc(1, sizeof *s);
    double primal, dual;
    s->n = total_size(shape);
    s->k = shape->n_constraint;
    s->C = make_constant(shape, sign, diagonal);
    s->constraints = make_constraints(shape);
    s->b = mem_alloc((size_t)s->k + 1, sizeof *s->b);
    for (int k = 0; k < s->k; k++)
        s->b[k + 1] = b[k];
    initsoln(s->n, s->k, s->C, s->b, s->constraints, &s->X, &s->y, &s->Z);
    s->code = easy_sdp(s->n, s->k, s->C, s->b, s->constraints, 0, &s->X, &s->y, &s->Z, &primal, &dual);
    return s;
}

void trace_free(struct trace_solution *s)
{
    free_prob(s->n, s->k, s->C, s->b, s->constraints, s->X, s->y, s->Z);
    free(s);
}

int lmi_solve(const struct lmi_program *program, double *y)
{
    const struct shape shape = { program->n_block, program->n_row, program->n_y, program->n_entry, program->size,
                                 program->entry };
    struct trace_solution *found = solve(&shape, -1, program->rhs, program->b);
    const int code = found->code;
    for (int i = 0; i < program->n_y; i++)
        y[i] = found->y[i + 1];
    trace_free(found);
    return code;
}

struct trace_solution *trace_solve(const struct trace_program *program)
{
    const struct shape shape = { program->n_block, program->n_x, program->n_row, program->n_entry, program->size,
                                 program->entry };
    return solve(&shape, 1, program->weight, program->rhs);
}

int trace_code(const struct trace_solution *solution)
{
    return solution->code;
}

double trace_value(const struct trace_solution *solution, int block, int i, int j)
{
    const struct blockmatrix *X = &solution->X;
    const struct blockrec *rec = &X->blocks[block < 0 ? X->nblocks : block + 1];
    return block < 0 ? rec->data.vec[i + 1] : rec->data.mat[i + rec->blocksize * j];
}
