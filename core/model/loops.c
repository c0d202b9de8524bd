#include "core/model/loops.h"

#include "core/base/mem.h"
#include "core/expression/diff.h"
#include "core/expression/tape.h"
#include "core/model/quaternions.h"
#include "core/model/variables.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double CLOSED = 1e-14;  /* of a gap, m: rounding */
static const double RANK_TOL = 1e-9; /* singular values below it, relative to the largest, are rounding */
static const double ROW_TOL =
    1e-7; /* of a row: less of it left repeats others, whose points are closed to 1e-13 */
enum { MAX_STEPS = 60, MAX_HALVINGS = 12 };

/* --- Values ----------------------------------------------------------------------------------------------------
 */

static int n_values(const struct model *m)
{
    return m->mechanics.loops.n * (1 + m->mechanics.n_position + m->mechanics.n_q);
}

/* The tape of a model, or one for a moment; the symbols of optimized parameters follow the states. */
static struct tape *compile(const struct model *m)
{
    const struct model_loops *loops = &m->mechanics.loops;
    const int n = loops->n, n_position = m->mechanics.n_position, n_q = m->mechanics.n_q;
    expr *out = mem_alloc((size_t)n_values(m), sizeof *out),
         *sym = mem_alloc((size_t)(m->n_x + m->n_p), sizeof *sym);
    expr *slope = mem_alloc((size_t)n_position, sizeof *slope), *q = mem_alloc((size_t)n_position, sizeof *q);
    for (int i = 0; i < n_position; i++)
        q[i] = m->x_sym[m->mechanics.q_index[i]];
    memcpy(sym, m->x_sym, (size_t)m->n_x * sizeof *sym);
    memcpy(sym + m->n_x, m->p_sym, (size_t)m->n_p * sizeof *sym);
    for (int k = 0; k < n; k++) {
        out[k] = loops->gap[k];
        expr_gradient(m->graph, loops->gap[k], n_position, q, slope);
        for (int i = 0; i < n_position; i++)
            out[n + k + i * n] = slope[i];
        for (int i = 0; i < n_q; i++)
            out[n * (1 + n_position) + k + i * n] = loops->G[k * n_q + i];
    }
    struct tape *tape = tape_create(m->graph, m->n_x + m->n_p, sym, n_values(m), out);
    free(q);
    free(slope);
    free(sym);
    free(out);
    return tape;
}

void loops_compile(struct model *m)
{
    struct model_loops *loops = &m->mechanics.loops;
    for (int k = 0; k < loops->n; k++)
        if (expr_depends(m->graph, loops->gap[k], m->n_p, m->p_sym))
            return;
    loops->tape = loops->owned_tape = compile(m);
}

void loops_eval(const struct model *m, const double *x, double *out)
{
    struct tape *kept = m->mechanics.loops.tape, *tape = kept ? kept : compile(m);
    double *in = mem_alloc((size_t)(m->n_x + m->n_p), sizeof *in),
           *work = mem_alloc(tape_work_size(tape), sizeof *work);
    memcpy(in, x, (size_t)m->n_x * sizeof *in);
    model_p_guess(m, in + m->n_x);
    tape_eval(tape, 1, in, 1, out, 1, work);
    free(work);
    free(in);
    if (!kept)
        tape_free(tape);
}

expr loops_rate(const struct model *m, struct expr_graph *g, int k)
{
    expr sum = expr_const(g, 0);
    for (int i = 0; i < m->mechanics.n_q; i++)
        sum = expr_add(
            g, sum,
            expr_mul(g, m->mechanics.loops.G[k * m->mechanics.n_q + i], m->x_sym[m->mechanics.v_index[i]]));
    return sum;
}

/* --- Steps -----------------------------------------------------------------------------------------------------
 */

static double largest(int n, const double *a)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fabs(a[i]) <= most ? most : fabs(a[i]);
    return most;
}

/* The shortest step of the states index [n_columns] that may move, which comes nearest to A step = -r. */
static void shortest_step(int n, int n_columns, const double *A, const int *index, const bool *moves,
                          const double *r, double *step)
{
    const int n_room = n > n_columns ? n : n_columns;
    double *B = mem_alloc((size_t)(n * n_columns), sizeof *B), *b = mem_alloc((size_t)n_room, sizeof *b);
    double *s = mem_alloc((size_t)n_room, sizeof *s);
    lapack_int rank;
    for (int j = 0; j < n_columns; j++)
        for (int i = 0; i < n; i++)
            B[i + j * n] = !moves || moves[index[j]] ? A[i + j * n] : 0;
    for (int i = 0; i < n; i++)
        b[i] = -r[i];
    if (LAPACKE_dgelsd(LAPACK_COL_MAJOR, n, n_columns, 1, B, n, b, n_room, s, RANK_TOL, &rank) != 0)
        memset(b, 0, (size_t)n_room * sizeof *b);
    memcpy(step, b, (size_t)n_columns * sizeof *step);
    free(s);
    free(b);
    free(B);
}

/* One step, halved until less is open; what is open then, `open` where none of them helps. */
static double improve(const struct model *m, const bool *moves, double open, double *value, double *x)
{
    const int n = m->mechanics.loops.n, n_position = m->mechanics.n_position;
    double *step = mem_alloc((size_t)n_position, sizeof *step), *next = mem_alloc((size_t)m->n_x, sizeof *next),
           left = open;
    shortest_step(n, n_position, value + n, m->mechanics.q_index, moves, value, step);
    double part = fmin(1, 1 / fmax(largest(n_position, step), 1e-300)); /* of a radian, or a metre, at most */
    for (int k = 0; k < MAX_HALVINGS && !(left < open); k++, part /= 2) {
        memcpy(next, x, (size_t)m->n_x * sizeof *next);
        for (int i = 0; i < n_position; i++)
            next[m->mechanics.q_index[i]] += part * step[i];
        quaternions_normalize(m, next);
        loops_eval(m, next, value);
        left = largest(n, value);
    }
    if (left < open)
        memcpy(x, next, (size_t)m->n_x * sizeof *x);
    free(next);
    free(step);
    return left < open ? left : open;
}

double loops_close_positions(const struct model *m, const bool *moves, double *x)
{
    double *value = mem_alloc((size_t)n_values(m), sizeof *value);
    loops_eval(m, x, value);
    double open = largest(m->mechanics.loops.n, value), before = INFINITY;
    for (int k = 0; k < MAX_STEPS && open > CLOSED && open < before; k++) {
        before = open;
        open = improve(m, moves, open, value, x);
    }
    free(value);
    return open;
}

/* G v. */
static void rates(const struct model *m, const double *G, const double *x, double *out)
{
    const int n = m->mechanics.loops.n;
    memset(out, 0, (size_t)n * sizeof *out);
    for (int j = 0; j < m->mechanics.n_q; j++)
        for (int i = 0; i < n; i++)
            out[i] += G[i + j * n] * x[m->mechanics.v_index[j]];
}

double loops_close_velocities(const struct model *m, const bool *moves, double *x)
{
    const int n = m->mechanics.loops.n, n_q = m->mechanics.n_q;
    double *value = mem_alloc((size_t)n_values(m), sizeof *value), *r = mem_alloc((size_t)n, sizeof *r);
    double *step = mem_alloc((size_t)n_q, sizeof *step);
    loops_eval(m, x, value);
    const double *G = value + n * (1 + m->mechanics.n_position);
    rates(m, G, x, r);
    if (largest(n, r) > CLOSED) {
        shortest_step(n, n_q, G, m->mechanics.v_index, moves, r, step);
        for (int i = 0; i < n_q; i++)
            x[m->mechanics.v_index[i]] += step[i];
        rates(m, G, x, r);
    }
    const double open = largest(n, r);
    free(step);
    free(r);
    free(value);
    return open;
}

void loops_close(const struct model *m, double *x)
{
    if (!m->mechanics.loops.tape)
        return;
    (void)loops_close_positions(m, NULL, x);
    (void)loops_close_velocities(m, NULL, x);
}

/* --- Rank ------------------------------------------------------------------------------------------------------
 */

int loops_independent(int n, int n_columns, const double *A, bool *keeps)
{
    double *basis = mem_alloc((size_t)(n * n_columns), sizeof *basis);
    int n_kept = 0;
    for (int k = 0; k < n; k++) {
        double *row = basis + n_kept * n_columns, length = 0, left = 0;
        for (int j = 0; j < n_columns; j++)
            length = hypot(length, row[j] = A[k + j * n]);
        for (int pass = 0; pass < 2; pass++)
            for (int l = 0; l < n_kept; l++) {
                const double *other = basis + l * n_columns;
                double part = 0;
                for (int j = 0; j < n_columns; j++)
                    part += row[j] * other[j];
                for (int j = 0; j < n_columns; j++)
                    row[j] -= part * other[j];
            }
        for (int j = 0; j < n_columns; j++)
            left = hypot(left, row[j]);
        keeps[k] = left > ROW_TOL * fmax(length, 1e-3) && n_kept < n_columns;
        for (int j = 0; j < n_columns && keeps[k]; j++)
            row[j] /= left;
        n_kept += keeps[k];
    }
    free(basis);
    return n_kept;
}
