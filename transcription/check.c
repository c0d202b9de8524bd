#include "transcription/check.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double step = 1e-5;    /* of w, which is of order 1: truncation 1e-10, round-off 1e-11 */

struct checker {
    const struct nlp *nlp;
    uint64_t random;
    double *w, *d, *w_side, *lambda;
    double *g[2], *grad[2];         /* at w + step d and w - step d */
    double *jac[2], *jac_mid, *hess, *grad_mid;
    double *diff, *exact, *size;    /* [max(n_w, n_g)] */
    bool finite;
};

static double uniform(struct checker *check)                /* in [-1, 1) */
{
    check->random = check->random * 6364136223846793005u + 1442695040888963407u;
    return (double)(check->random >> 11) * 0x1p-52 - 1;
}

static void random_point(struct checker *check, const double *w0)
{
    const struct nlp *nlp = check->nlp;
    for (int k = 0; k < nlp->n_w; k++) {
        const double width = fmin(nlp->ubw[k] - nlp->lbw[k], 1);
        check->w[k] = fmin(fmax(w0[k] + 0.3 * width * uniform(check), nlp->lbw[k]), nlp->ubw[k]);
        check->d[k] = uniform(check);
    }
    for (int k = 0; k < nlp->n_g; k++)
        check->lambda[k] = uniform(check);
}

static void eval_sides(struct checker *check)
{
    const struct nlp *nlp = check->nlp;
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < nlp->n_w; k++)
            check->w_side[k] = check->w[k] + (side ? -step : step) * check->d[k];
        check->finite = nlp->eval_g(nlp->user, check->w_side, true, check->g[side]) && check->finite;
        check->finite = nlp->eval_grad(nlp->user, check->w_side, false, check->grad[side]) && check->finite;
        check->finite = nlp->eval_jac(nlp->user, check->w_side, false, check->jac[side]) && check->finite;
    }
    check->finite = nlp->eval_jac(nlp->user, check->w, true, check->jac_mid) && check->finite;
    check->finite = nlp->eval_grad(nlp->user, check->w, false, check->grad_mid) && check->finite;
    check->finite = nlp->eval_hess(nlp->user, check->w, false, 1, check->lambda, check->hess) && check->finite;
}

/* Largest |diff - exact| / (1 + size) over n rows; *where is its row. */
static double worst(const struct checker *check, int n, int *where)
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

static void clear(struct checker *check, int n)
{
    memset(check->diff, 0, (size_t)n * sizeof(double));
    memset(check->exact, 0, (size_t)n * sizeof(double));
    memset(check->size, 0, (size_t)n * sizeof(double));
}

static double check_jacobian(struct checker *check, int *where)
{
    const struct nlp *nlp = check->nlp;
    clear(check, nlp->n_g);
    for (int col = 0; col < nlp->n_w; col++)
        for (int k = nlp->jac.colptr[col]; k < nlp->jac.colptr[col + 1]; k++) {
            check->exact[nlp->jac.rowind[k]] += check->jac_mid[k] * check->d[col];
            check->size[nlp->jac.rowind[k]] += fabs(check->jac_mid[k] * check->d[col]);
        }
    for (int row = 0; row < nlp->n_g; row++)
        check->diff[row] = (check->g[0][row] - check->g[1][row]) / (2 * step);
    return worst(check, nlp->n_g, where);
}

static double check_gradient(struct checker *check, double f_plus, double f_minus)
{
    const struct nlp *nlp = check->nlp;
    double exact = 0, size = 0;
    for (int k = 0; k < nlp->n_w; k++) {
        exact += check->grad_mid[k] * check->d[k];
        size += fabs(check->grad_mid[k] * check->d[k]);
    }
    return fabs((f_plus - f_minus) / (2 * step) - exact) / (1 + size);
}

/* Gradient of the Lagrangian at a side. */
static void add_lagrangian(struct checker *check, int side, double factor)
{
    const struct nlp *nlp = check->nlp;
    for (int col = 0; col < nlp->n_w; col++) {
        double sum = check->grad[side][col];
        for (int k = nlp->jac.colptr[col]; k < nlp->jac.colptr[col + 1]; k++)
            sum += check->lambda[nlp->jac.rowind[k]] * check->jac[side][k];
        check->diff[col] += factor * sum;
    }
}

static double check_hessian(struct checker *check, int *where)
{
    const struct nlp *nlp = check->nlp;
    clear(check, nlp->n_w);
    add_lagrangian(check, 0, 1 / (2 * step));
    add_lagrangian(check, 1, -1 / (2 * step));
    for (int col = 0; col < nlp->n_w; col++)
        for (int k = nlp->hess.colptr[col]; k < nlp->hess.colptr[col + 1]; k++) {
            const int row = nlp->hess.rowind[k];
            check->exact[row] += check->hess[k] * check->d[col];
            check->size[row] += fabs(check->hess[k] * check->d[col]);
            if (row != col) {
                check->exact[col] += check->hess[k] * check->d[row];
                check->size[col] += fabs(check->hess[k] * check->d[row]);
            }
        }
    return worst(check, nlp->n_w, where);
}

static double eval_side_f(struct checker *check, int side)
{
    const struct nlp *nlp = check->nlp;
    double f = NAN;
    for (int k = 0; k < nlp->n_w; k++)
        check->w_side[k] = check->w[k] + (side ? -step : step) * check->d[k];
    check->finite = nlp->eval_f(nlp->user, check->w_side, true, &f) && check->finite;
    return f;
}

struct derivative_check derivative_check(const struct nlp *nlp, const double *w0, int n_points, unsigned seed)
{
    struct arena mem = { 0 };
    const size_t n_w = (size_t)nlp->n_w, n_g = (size_t)nlp->n_g, n = n_w > n_g ? n_w : n_g;
    const size_t n_jac = (size_t)nlp->jac.nnz;
    struct checker check = { .nlp = nlp, .random = seed, .finite = true };
    double **const vectors[] = { &check.w, &check.d, &check.w_side, &check.grad[0], &check.grad[1], &check.grad_mid,
                                 &check.lambda, &check.g[0], &check.g[1], &check.diff, &check.exact, &check.size };
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = arena_alloc(&mem, n, sizeof(double));
    check.jac[0] = arena_alloc(&mem, n_jac, sizeof(double));
    check.jac[1] = arena_alloc(&mem, n_jac, sizeof(double));
    check.jac_mid = arena_alloc(&mem, n_jac, sizeof(double));
    check.hess = arena_alloc(&mem, (size_t)nlp->hess.nnz, sizeof(double));
    struct derivative_check out = { .jac_row = -1, .hess_var = -1, .finite = true };
    for (int k = 0; k < n_points; k++) {
        int row = -1, var = -1;
        random_point(&check, w0);
        const double f_plus = eval_side_f(&check, 0), f_minus = eval_side_f(&check, 1);
        eval_sides(&check);
        const double jac = check_jacobian(&check, &row), hess = check_hessian(&check, &var);
        out.grad = fmax(out.grad, check_gradient(&check, f_plus, f_minus));
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
