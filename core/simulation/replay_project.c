/* Where a control interval is simulated from: the solution's state with its closed contacts closed. */
#include "core/simulation/replay_parts.h"

#include "core/base/mem.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ITERATIONS = 10 };

#define RANK_TOL 1e-10              /* contacts that depend on each other, relative */
#define FORCE_MIN 1e-3              /* of the largest one of the contact: what relaxation leaves is less */
#define STIFFNESS_MIN 1.0           /* N/m: force over gap of a closed contact. Where gap times force is what a relaxation
                                     * leaves, 1e-6 and less, a gap of a millimetre or more is no closed one */

static double largest_force(const struct replay_solution *solution, int c)
{
    double largest = 0;
    for (int k = 0; k < solution->n_point; k++)
        largest = fmax(largest, solution->point[k].force[3 * c]);
    return largest;
}

struct replay_closing replay_closing_create(const struct model *model, const struct replay_solution *solution)
{
    const int n_c = model->n_contact, n_q = model->n_q;
    expr *e = mem_alloc((size_t)(n_c * (1 + n_q)), sizeof *e);
    for (int c = 0; c < n_c; c++) {
        e[c] = model->contact[c].gap;
        memcpy(e + n_c + c * n_q, model->contact[c].J_n, (size_t)n_q * sizeof *e);
    }
    struct replay_closing closing = { .gaps = function_create(model, solution->p, n_c * (1 + n_q), e) };
    free(e);
    struct arena *mem = &closing.gaps.mem;
    const size_t rows = (size_t)n_c, columns = (size_t)n_q;
    closing.J = arena_alloc(mem, rows * columns, sizeof(double));
    closing.dq = arena_alloc(mem, rows > columns ? rows : columns, sizeof(double));
    closing.singular = arena_alloc(mem, rows < columns ? rows : columns, sizeof(double));
    closing.closed = arena_alloc(mem, rows, sizeof(int));
    closing.force_min = arena_alloc(mem, rows, sizeof(double));
    for (int c = 0; c < n_c; c++)
        closing.force_min[c] = FORCE_MIN * largest_force(solution, c);
    return closing;
}

/* One Newton step towards gap = 0 of the closed contacts, the shortest one. False if it is not finite. */
static bool close_gaps(struct replay_closing *closing, int n, double *x)
{
    const struct model *model = closing->gaps.inputs.model;
    const int n_q = model->n_q;
    const double *val = function_eval(&closing->gaps, 0, x, NULL);
    lapack_int rank;
    for (int k = 0; k < n; k++) {
        const int c = closing->closed[k];
        closing->dq[k] = -val[c];
        for (int i = 0; i < n_q; i++)
            closing->J[k + i * n] = val[model->n_contact + c * n_q + i];
    }
    if (LAPACKE_dgelsd(LAPACK_COL_MAJOR, n, n_q, 1, closing->J, n, closing->dq, n > n_q ? n : n_q,
                       closing->singular, RANK_TOL, &rank) != 0)
        return false;
    for (int i = 0; i < n_q; i++)
        x[model->q_index[i]] += closing->dq[i];
    return true;
}

void replay_close(struct replay_closing *closing, const struct replay_point *point, double *x)
{
    const struct model *model = closing->gaps.inputs.model;
    int n = 0;
    memcpy(x, point->x, (size_t)model->n_x * sizeof *x);
    if (model->n_contact == 0)
        return;
    const double *gap = function_eval(&closing->gaps, 0, x, NULL);
    for (int c = 0; c < model->n_contact; c++)
        if (gap[c] < 0 || point->force[3 * c] > fmax(closing->force_min[c], STIFFNESS_MIN * gap[c]))
            closing->closed[n++] = c;
    for (int k = 0; k < MAX_ITERATIONS && n > 0; k++)
        if (!close_gaps(closing, n, x))
            return;
}

void replay_closing_free(struct replay_closing *closing)
{
    function_free(&closing->gaps);
}
