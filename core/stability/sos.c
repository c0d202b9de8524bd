#include "core/stability/sos.h"

#include "core/base/mem.h"
#include "core/stability/semidefinite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double WEIGHT = 1e-6;          /* of the unknowns in the objective: keeps both their parts bounded */

struct sos_program {
    struct arena mem;
    int n_unknown, n_block, n_row, n_entry, n_free;
    int *size;                      /* [n_block] of the Gram matrices */
    double *rhs;                    /* [n_row] */
    struct lmi_entry *entry;        /* [n_entry] k is the row; block -1 is the unknowns: i = 2 q, 2 q + 1 */
};

struct sos_program *sos_create(int n_unknown)
{
    struct sos_program *program = mem_alloc(1, sizeof *program);
    program->n_unknown = n_unknown;
    return program;
}

void sos_free(struct sos_program *program)
{
    if (!program)
        return;
    arena_free(&program->mem);
    free(program->size);
    free(program->rhs);
    free(program->entry);
    free(program);
}

struct sos_size sos_size_of(const struct sos_program *program)
{
    struct sos_size out = { program->n_block, 0, program->n_row };
    for (int k = 0; k < program->n_block; k++)
        if (program->size[k] > out.largest)
            out.largest = program->size[k];
    return out;
}

/* --- Writing ------------------------------------------------------------------------------------------------- */

static void put(struct sos_program *program, int row, int block, int i, int j, double val)
{
    if (!(fabs(val) > 0))
        return;
    if (program->n_entry == program->n_free) {
        program->n_free = 2 * program->n_free + 1024;
        program->entry = mem_resize(program->entry, (size_t)program->n_free, sizeof *program->entry);
    }
    program->entry[program->n_entry++] = (struct lmi_entry){ row, block, i, j, val };
}

static int place_of(const struct monomial *list, int n, struct monomial m)
{
    int k = 0;
    while (k < n && monomial_compare(list[k], m) != 0) k++;
    return k;
}

/* sigma g with sigma = z'Xz: the entry (a, b) of X stands, once for each order, at the monomials of z_a z_b g. */
static void add_multiplier(struct sos_program *program, int n_var, int degree, struct poly g,
                           const struct monomial *row, int n_row, int first_row)
{
    const int half = (degree - poly_degree(g)) / 2;
    if (half < 0 || poly_degree(g) > degree)
        return;
    const int n = monomial_list(n_var, 0, half, NULL);
    struct monomial *z = mem_alloc((size_t)n, sizeof *z);
    monomial_list(n_var, 0, half, z);
    program->size = mem_resize(program->size, (size_t)program->n_block + 1, sizeof *program->size);
    program->size[program->n_block] = n;
    for (int b = 0; b < n; b++)
        for (int a = 0; a <= b; a++)
            for (int t = 0; t < g.n; t++) {
                const struct monomial m = monomial_multiply(monomial_multiply(z[a], z[b]), g.term[t].m);
                put(program, first_row + place_of(row, n_row, m), program->n_block, a, b, g.term[t].c);
            }
    program->n_block++;
    free(z);
}

void sos_require(struct sos_program *program, int n_var, int degree, const struct poly *f, int n_g,
                 const struct poly *g)
{
    const int n = monomial_list(n_var, 0, degree, NULL), first = program->n_row;
    struct monomial *row = mem_alloc((size_t)n, sizeof *row);
    monomial_list(n_var, 0, degree, row);
    program->rhs = mem_resize(program->rhs, (size_t)(first + n), sizeof *program->rhs);
    for (int k = 0; k < n; k++) {
        program->rhs[first + k] = poly_coefficient(f[0], row[k]);
        for (int q = 0; q < program->n_unknown; q++) {
            const double c = poly_coefficient(f[q + 1], row[k]);
            put(program, first + k, -1, 2 * q, 2 * q, -c);
            put(program, first + k, -1, 2 * q + 1, 2 * q + 1, c);
        }
    }
    add_multiplier(program, n_var, degree, poly_constant(&program->mem, 1), row, n, first);
    for (int a = 0; a < n_g; a++) {
        add_multiplier(program, n_var, degree, g[a], row, n, first);
        for (int b = 0; b < a; b++)
            add_multiplier(program, n_var, degree, poly_multiply(&program->mem, g[a], g[b]), row, n, first);
    }
    program->n_row += n;
    free(row);
}

/* --- Solving ------------------------------------------------------------------------------------------------- */

static double violation(const struct sos_program *program, const struct trace_solution *found, const double *p)
{
    double *left = mem_alloc((size_t)program->n_row, sizeof *left), largest = 0, size = 1;
    for (int e = 0; e < program->n_entry; e++) {
        const struct lmi_entry *entry = &program->entry[e];
        left[entry->k] +=
            entry->val * (entry->i == entry->j ? 1 : 2) * trace_value(found, entry->block, entry->i, entry->j);
    }
    for (int q = 0; q < program->n_unknown; q++)
        size = fmax(size, fabs(p[q]));
    for (int row = 0; row < program->n_row; row++)
        largest = fmax(largest, fabs(left[row] - program->rhs[row]));
    free(left);
    return largest / size;
}

int sos_solve(const struct sos_program *program, double *p, double *residual)
{
    const int n_free = 2 * program->n_unknown;
    double *weight = mem_alloc((size_t)n_free, sizeof *weight);
    for (int k = 0; k < n_free; k++)
        weight[k] = -WEIGHT;
    const struct trace_program task = { program->n_row, program->n_block, n_free, program->n_entry, program->rhs,
                                        program->size, weight, program->entry };
    struct trace_solution *found = trace_solve(&task);
    for (int q = 0; q < program->n_unknown; q++)
        p[q] = trace_value(found, -1, 2 * q, 2 * q) - trace_value(found, -1, 2 * q + 1, 2 * q + 1);
    *residual = violation(program, found, p);
    const int code = trace_code(found);
    trace_free(found);
    free(weight);
    return code;
}
