#include "transcription/program/check.h"

#include "core/base/random.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Differences of fourth order, (8 (F(h) - F(-h)) - (F(2 h) - F(-2 h))) / 12 h: with w of order 1 the round-off
 * is 1e-12, and the truncation stays below 1e-7 where fifth derivatives are below 1e10, as in products of many
 * sums. */
enum { N_SIDES = 4 };
static const double step = 1e-4;
static const double side_step[N_SIDES] = { 1e-4, -1e-4, 2e-4, -2e-4 };
static const double side_weight[N_SIDES] = { 8.0 / 12, -8.0 / 12, -1.0 / 12, 1.0 / 12 };    /* over step */

struct derivative_checker {
    const struct nlp *nlp;
    uint64_t random;
    double *w, *d, *w_side, *lambda;
    double f[N_SIDES], *g[N_SIDES], *grad[N_SIDES], *jac[N_SIDES];      /* at w + side_step d */
    double *jac_mid, *hess, *grad_mid;
    double *diff, *exact, *size;    /* [max(n_w, n_g)] */
    bool finite;
};

static void random_point(struct derivative_checker *check, const double *w0)
{
    const struct nlp *nlp = check->nlp;
    for (int k = 0; k < nlp->n_w; k++) {
        const double width = fmin(nlp->ubw[k] - nlp->lbw[k], 1);
        const double w = w0[k] + 0.3 * width * random_signed(random_next(&check->random));
        check->w[k] = fmin(fmax(w, nlp->lbw[k]), nlp->ubw[k]);
        check->d[k] = random_signed(random_next(&check->random));
    }
    for (int k = 0; k < nlp->n_g; k++)
        check->lambda[k] = random_signed(random_next(&check->random));
}

static void eval_sides(struct derivative_checker *check)
{
    const struct nlp *nlp = check->nlp;
    for (int side = 0; side < N_SIDES; side++) {
        for (int k = 0; k < nlp->n_w; k++)
            check->w_side[k] = check->w[k] + side_step[side] * check->d[k];
        check->finite = nlp->eval_f(nlp->user, check->w_side, true, &check->f[side]) && check->finite;
        check->finite = nlp->eval_g(nlp->user, check->w_side, false, check->g[side]) && check->finite;
        check->finite = nlp->eval_grad(nlp->user, check->w_side, false, check->grad[side]) && check->finite;
        check->finite = nlp->eval_jac(nlp->user, check->w_side, false, check->jac[side]) && check->finite;
    }
    check->finite = nlp->eval_jac(nlp->user, check->w, true, check->jac_mid) && check->finite;
    check->finite = nlp->eval_grad(nlp->user, check->w, false, check->grad_mid) && check->finite;
    check->finite = nlp->eval_hess(nlp->user, check->w, false, 1, check->lambda, check->hess) && check->finite;
}

/* Largest |diff - exact| / (1 + size) over n rows; *where is its row. */
static double worst(const struct derivative_checker *check, int n, int *where)
{
    double most = 0;
    for (int k = 0; k < n; k++) {
        const double error = fabs(check->diff[k] - check->exact[k]) / (1 + check->size[k]);
        if (!(error <= most)) {
            most = isnan(error) ? INFINITY : error;
            *where = k;
        }
    }
    return most;
}

static void clear(struct derivative_checker *check, int n)
{
    memset(check->diff, 0, (size_t)n * sizeof(double));
    memset(check->exact, 0, (size_t)n * sizeof(double));
    memset(check->size, 0, (size_t)n * sizeof(double));
}

static void add_exact(struct derivative_checker *check, int row, double part)
{
    check->exact[row] += part;
    check->size[row] += fabs(part);
}

static double check_jacobian(struct derivative_checker *check, int *where)
{
    const struct nlp *nlp = check->nlp;
    clear(check, nlp->n_g);
    for (int col = 0; col < nlp->n_w; col++)
        for (int k = nlp->jac.colptr[col]; k < nlp->jac.colptr[col + 1]; k++)
            add_exact(check, nlp->jac.rowind[k], check->jac_mid[k] * check->d[col]);
    for (int side = 0; side < N_SIDES; side++)
        for (int row = 0; row < nlp->n_g; row++)
            check->diff[row] += side_weight[side] / step * check->g[side][row];
    return worst(check, nlp->n_g, where);
}

static double check_gradient(struct derivative_checker *check)
{
    int row;
    clear(check, 1);
    for (int k = 0; k < check->nlp->n_w; k++)
        add_exact(check, 0, check->grad_mid[k] * check->d[k]);
    for (int side = 0; side < N_SIDES; side++)
        check->diff[0] += side_weight[side] / step * check->f[side];
    return worst(check, 1, &row);
}

/* The gradient of the Lagrangian at a side, with its weight in the difference. */
static void add_lagrangian(struct derivative_checker *check, int side)
{
    const struct nlp *nlp = check->nlp;
    const double factor = side_weight[side] / step;
    for (int col = 0; col < nlp->n_w; col++) {
        double sum = check->grad[side][col];
        for (int k = nlp->jac.colptr[col]; k < nlp->jac.colptr[col + 1]; k++)
            sum += check->lambda[nlp->jac.rowind[k]] * check->jac[side][k];
        check->diff[col] += factor * sum;
    }
}

static double check_hessian(struct derivative_checker *check, int *where)
{
    const struct nlp *nlp = check->nlp;
    clear(check, nlp->n_w);
    for (int side = 0; side < N_SIDES; side++)
        add_lagrangian(check, side);
    for (int col = 0; col < nlp->n_w; col++)
        for (int k = nlp->hess.colptr[col]; k < nlp->hess.colptr[col + 1]; k++) {
            const int row = nlp->hess.rowind[k];
            add_exact(check, row, check->hess[k] * check->d[col]);
            if (row != col)
                add_exact(check, col, check->hess[k] * check->d[row]);
        }
    return worst(check, nlp->n_w, where);
}

struct derivative_check derivative_check(const struct nlp *nlp, const double *w0, int n_points, unsigned seed)
{
    struct arena mem = { 0 };
    const size_t n_w = (size_t)nlp->n_w, n_g = (size_t)nlp->n_g, n = n_w > n_g ? n_w : n_g;
    const size_t n_jac = (size_t)nlp->jac.nnz;
    struct derivative_checker check = { .nlp = nlp, .random = seed, .finite = true };
    double **const vectors[] = { &check.w, &check.d, &check.w_side, &check.grad_mid, &check.lambda, &check.diff,
                                 &check.exact, &check.size };
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = arena_alloc(&mem, n, sizeof(double));
    for (int side = 0; side < N_SIDES; side++) {
        check.g[side] = arena_alloc(&mem, n_g, sizeof(double));
        check.grad[side] = arena_alloc(&mem, n_w, sizeof(double));
        check.jac[side] = arena_alloc(&mem, n_jac, sizeof(double));
    }
    check.jac_mid = arena_alloc(&mem, n_jac, sizeof(double));
    check.hess = arena_alloc(&mem, (size_t)nlp->hess.nnz, sizeof(double));
    struct derivative_check out = { .jac_row = -1, .hess_var = -1, .finite = true };
    for (int k = 0; k < n_points; k++) {
        int row = -1, var = -1;
        random_point(&check, w0);
        eval_sides(&check);
        const double jac = check_jacobian(&check, &row), hess = check_hessian(&check, &var);
        out.grad = fmax(out.grad, check_gradient(&check));
        if (jac > out.jac) {
            out.jac = jac;
            out.jac_row = row;
        }
        if (hess > out.hess) {
            out.hess = hess;
            out.hess_var = var;
        }
    }
    out.finite = check.finite;
    arena_free(&mem);
    return out;
}
