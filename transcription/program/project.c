#include "transcription/program/project.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#define MAX_ITERATIONS 25
#define CONVERGED 1e-14             /* last step relative to 1 + |w|; rows follow, as convergence is quadratic */
#define STALLED 1e-10               /* rounding may stop the steps above that */
#define RANK_TOL 1e-11              /* condition up to which a direction counts */

struct projection {
    struct arena mem;
    const struct nlp *nlp;
    int n_free, *column;            /* [n_w] dense column of a free variable, or -1 */
    int ld;
    double *J, *rhs, *val, *g;
    lapack_int *pivot;
};

static struct projection create_projection(const struct nlp *nlp, double *w)
{
    struct projection work = { .nlp = nlp };
    const size_t n_w = (size_t)nlp->n_w, n_g = (size_t)nlp->n_g;
    work.column = arena_alloc(&work.mem, n_w, sizeof(int));
    for (int i = 0; i < nlp->n_w; i++) {
        const bool held = nlp->lbw[i] == nlp->ubw[i];
        work.column[i] = held ? -1 : work.n_free++;
        if (held)
            w[i] = nlp->lbw[i];
    }
    work.ld = nlp->n_g > work.n_free ? nlp->n_g : work.n_free;
    work.J = arena_alloc(&work.mem, n_g * (size_t)work.n_free, sizeof(double));
    work.rhs = arena_alloc(&work.mem, (size_t)work.ld, sizeof(double));
    work.val = arena_alloc(&work.mem, (size_t)nlp->jac.nnz, sizeof(double));
    work.g = arena_alloc(&work.mem, n_g, sizeof(double));
    work.pivot = arena_alloc(&work.mem, (size_t)work.n_free, sizeof *work.pivot);
    return work;
}

static bool is_equation(const struct nlp *nlp, int row)
{
    return nlp->lbg[row] == nlp->ubg[row];
}

/* Rows with large entries, such as friction cones with a large coefficient, would outweigh the others where a
 * linearized system contradicts itself. */
static void balance_row(struct projection *work, int row)
{
    const size_t n_g = (size_t)work->nlp->n_g, at = (size_t)row;
    double largest = 1;
    for (size_t k = 0; k < (size_t)work->n_free; k++)
        largest = fmax(largest, fabs(work->J[k * n_g + at]));
    for (size_t k = 0; k < (size_t)work->n_free && largest > 1; k++)
        work->J[k * n_g + at] /= largest;
    work->rhs[row] /= largest;
}

/* J of the free variables and the residual at w. */
static bool linearize(struct projection *work, const double *w)
{
    const struct nlp *nlp = work->nlp;
    const struct sparse *jac = &nlp->jac;
    if (!nlp->eval_g(nlp->user, w, true, work->g) || !nlp->eval_jac(nlp->user, w, false, work->val))
        return false;
    memset(work->J, 0, (size_t)nlp->n_g * (size_t)work->n_free * sizeof(double));
    for (int i = 0; i < nlp->n_w; i++)
        for (int k = jac->colptr[i]; k < jac->colptr[i + 1] && work->column[i] >= 0; k++)
            if (is_equation(nlp, jac->rowind[k]))
                work->J[(size_t)work->column[i] * (size_t)nlp->n_g + (size_t)jac->rowind[k]] = work->val[k];
    memset(work->rhs, 0, (size_t)work->ld * sizeof(double));
    for (int r = 0; r < nlp->n_g; r++) {
        work->rhs[r] = is_equation(nlp, r) ? nlp->lbg[r] - work->g[r] : 0;
        balance_row(work, r);
    }
    return true;
}

/* The least step that solves the linearized rows best; its largest entry, relative. NAN: broken down. */
static double step(struct projection *work, double *w)
{
    lapack_int rank;
    if (!linearize(work, w))
        return NAN;
    memset(work->pivot, 0, (size_t)work->n_free * sizeof *work->pivot);
    if (LAPACKE_dgelsy(LAPACK_COL_MAJOR, work->nlp->n_g, work->n_free, 1, work->J, work->nlp->n_g, work->rhs,
                       work->ld, work->pivot, RANK_TOL, &rank) != 0)
        return NAN;
    double largest = 0;
    for (int i = 0; i < work->nlp->n_w; i++) {
        if (work->column[i] < 0)
            continue;
        const double d = work->rhs[work->column[i]];
        largest = fmax(largest, fabs(d) / (1 + fabs(w[i])));
        w[i] += d;
    }
    return largest;
}

bool project_on_rows(const struct nlp *nlp, double *w, int *iterations)
{
    struct projection work = create_projection(nlp, w);
    double size = INFINITY, before = INFINITY;
    for (int k = 0; k < MAX_ITERATIONS && work.n_free > 0; k++) {
        before = size;
        size = step(&work, w);
        ++*iterations;
        if (isnan(size) || size <= CONVERGED || (size <= STALLED && size >= before))
            break;
    }
    arena_free(&work.mem);
    return size <= STALLED;
}
