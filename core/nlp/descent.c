#include "core/nlp/descent.h"

#include "core/base/arena.h"
#include "core/kkt/kkt.h"

#include <math.h>
#include <string.h>

#define DESCENT_TOL 1e-7  /* of IPOPT, in rates of descent */
#define ACTIVE 0.1        /* of the radius: slack of what counts as active, for multipliers */
#define ROWS_REPEAT 1e-10 /* minus that on the diagonal of rows, which may repeat each other */
enum {
    DESCENT_MAX_ITER = 60, /* it takes 10 to 25 */
    ROUNDS = 4             /* of least squares, each without what had a multiplier of the wrong sign */
};

/* In steps e = d / (radius size): |e| <= 1, rows over the radius. */
struct linear {
    struct arena mem;             /* owns every array */
    struct nlp nlp;               /* of it */
    double *cost;                 /* [n_w] */
    double *jac;                  /* [nnz] */
    double *size;                 /* [n_w] */
    const struct sparse *pattern; /* of jac; borrowed */
};

static bool eval_f(void *user, const double *w, bool new_w, double *f)
{
    const struct linear *at = user;
    (void)new_w;
    *f = 0;
    for (int k = 0; k < at->nlp.n_w; k++)
        *f += at->cost[k] * w[k];
    return true;
}

static bool eval_grad(void *user, const double *w, bool new_w, double *grad)
{
    const struct linear *at = user;
    (void)w;
    (void)new_w;
    memcpy(grad, at->cost, (size_t)at->nlp.n_w * sizeof *grad);
    return true;
}

static bool eval_g(void *user, const double *w, bool new_w, double *g)
{
    const struct linear *at = user;
    (void)new_w;
    for (int i = 0; i < at->nlp.n_g; i++)
        g[i] = 0;
    for (int k = 0; k < at->nlp.n_w; k++)
        for (int e = at->pattern->colptr[k]; e < at->pattern->colptr[k + 1]; e++)
            g[at->pattern->rowind[e]] += at->jac[e] * w[k];
    return true;
}

static bool eval_jac(void *user, const double *w, bool new_w, double *val)
{
    const struct linear *at = user;
    (void)w;
    (void)new_w;
    memcpy(val, at->jac, (size_t)at->pattern->nnz * sizeof *val);
    return true;
}

static bool eval_hess(void *user, const double *w, bool new_w, double obj_factor, const double *lambda,
                      double *val)
{
    (void)user;
    (void)w;
    (void)new_w;
    (void)obj_factor;
    (void)lambda;
    (void)val;
    return true;
}

/* What is left of a bound for a step; none where no step within the radius gets there. */
static double lower_left(double lower, double value, double radius, double reach)
{
    const double left = fmin((lower - value) / radius, 0);
    return left < -reach ? -INFINITY : left;
}

static void bound_steps(struct linear *at, const struct nlp *nlp, const double *w, double radius)
{
    double *lb = arena_alloc(&at->mem, (size_t)nlp->n_w, sizeof *lb),
           *ub = arena_alloc(&at->mem, (size_t)nlp->n_w, sizeof *ub);
    for (int k = 0; k < nlp->n_w; k++) {
        at->size[k] = fmax(1, fabs(w[k]));
        const bool is_fixed = nlp->lbw[k] == nlp->ubw[k];
        lb[k] = is_fixed ? 0 : fmax(-1, fmin((nlp->lbw[k] - w[k]) / (radius * at->size[k]), 0));
        ub[k] = is_fixed ? 0 : fmin(1, fmax((nlp->ubw[k] - w[k]) / (radius * at->size[k]), 0));
    }
    at->nlp.lbw = lb;
    at->nlp.ubw = ub;
}

/* Rows that no step reaches are left open. */
static void bound_rows(struct linear *at, const struct nlp *nlp, const double *g, double radius)
{
    const size_t n_g = (size_t)nlp->n_g;
    double *lb = arena_alloc(&at->mem, n_g, sizeof *lb), *ub = arena_alloc(&at->mem, n_g, sizeof *ub);
    double *reach = arena_alloc(&at->mem, n_g, sizeof *reach);
    for (int k = 0; k < nlp->n_w; k++)
        for (int e = nlp->jac.colptr[k]; e < nlp->jac.colptr[k + 1]; e++)
            reach[nlp->jac.rowind[e]] += fabs(at->jac[e]);
    for (int i = 0; i < nlp->n_g; i++) {
        const bool is_equation = nlp->lbg[i] == nlp->ubg[i];
        lb[i] = is_equation ? 0 : lower_left(nlp->lbg[i], g[i], radius, reach[i]);
        ub[i] = is_equation ? 0 : -lower_left(-nlp->ubg[i], -g[i], radius, reach[i]);
    }
    at->nlp.lbg = lb;
    at->nlp.ubg = ub;
}

static bool linearize(struct linear *at, const struct nlp *nlp, const double *w, double radius)
{
    const size_t n_w = (size_t)nlp->n_w;
    double *g = arena_alloc(&at->mem, (size_t)nlp->n_g, sizeof *g);
    at->pattern = &nlp->jac;
    at->cost = arena_alloc(&at->mem, n_w, sizeof *at->cost);
    at->size = arena_alloc(&at->mem, n_w, sizeof *at->size);
    at->jac = arena_alloc(&at->mem, (size_t)nlp->jac.nnz, sizeof *at->jac);
    if (!nlp->eval_g(nlp->user, w, true, g) || !nlp->eval_grad(nlp->user, w, false, at->cost)
        || !nlp->eval_jac(nlp->user, w, false, at->jac))
        return false;
    at->nlp = (struct nlp){ .n_w = nlp->n_w,
                            .n_g = nlp->n_g,
                            .jac = nlp->jac,
                            .user = at,
                            .eval_f = eval_f,
                            .eval_grad = eval_grad,
                            .eval_g = eval_g,
                            .eval_jac = eval_jac,
                            .eval_hess = eval_hess };
    at->nlp.hess = (struct sparse){ .n_rows = nlp->n_w,
                                    .n_cols = nlp->n_w,
                                    .colptr = arena_alloc(&at->mem, n_w + 1, sizeof(int)) };
    bound_steps(at, nlp, w, radius);
    for (int k = 0; k < nlp->n_w; k++) {
        at->cost[k] *= at->size[k];
        for (int e = nlp->jac.colptr[k]; e < nlp->jac.colptr[k + 1]; e++)
            at->jac[e] *= at->size[k];
    }
    bound_rows(at, nlp, g, radius);
    return true;
}

/* --- By multipliers ---------------------------------------------------------------------------------------- */

/* What least squares are over: free steps, and rows that are active. */
struct multipliers {
    bool *free, *active;   /* [n_w], [n_g] */
    int *var_at, *row_at;  /* places in the system, -1: none */
    double *lambda, *rest; /* [n_g]; [n_w] c + A'lambda */
};

/* The most that a term of the value falls by: of r e or lambda v between their bounds. */
static double most_fall(double r, double lower, double upper)
{
    return r > 0 ? -r * lower : r < 0 ? -r * upper : 0;
}

static void begin(struct linear *at, struct multipliers *by)
{
    const struct nlp *nlp = &at->nlp;
    const size_t n_w = (size_t)nlp->n_w, n_g = (size_t)nlp->n_g;
    by->free = arena_alloc(&at->mem, n_w, sizeof *by->free);
    by->active = arena_alloc(&at->mem, n_g, sizeof *by->active);
    by->var_at = arena_alloc(&at->mem, n_w, sizeof *by->var_at);
    by->row_at = arena_alloc(&at->mem, n_g, sizeof *by->row_at);
    by->lambda = arena_alloc(&at->mem, n_g, sizeof *by->lambda);
    by->rest = arena_alloc(&at->mem, n_w, sizeof *by->rest);
    for (int k = 0; k < nlp->n_w; k++)
        by->free[k] = nlp->lbw[k] < -ACTIVE && nlp->ubw[k] > ACTIVE;
    for (int i = 0; i < nlp->n_g; i++)
        by->active[i] = nlp->lbg[i] > -ACTIVE || nlp->ubg[i] < ACTIVE;
}

/* lambda: min |r| of free steps. False: it could not be found. */
static bool least_squares(struct linear *at, struct multipliers *by)
{
    const struct nlp *nlp = &at->nlp;
    const size_t most = (size_t)(nlp->jac.nnz + nlp->n_w + nlp->n_g);
    int *row = arena_alloc(&at->mem, most, sizeof *row), *col = arena_alloc(&at->mem, most, sizeof *col), m = 0,
        n = 0;
    double *val = arena_alloc(&at->mem, most, sizeof *val);
    double *x = arena_alloc(&at->mem, (size_t)(nlp->n_w + nlp->n_g), sizeof *x);
    for (int k = 0; k < nlp->n_w; k++)
        by->var_at[k] = by->free[k] ? n++ : -1;
    for (int i = 0; i < nlp->n_g; i++)
        by->row_at[i] = by->active[i] ? n++ : -1;
    for (int k = 0; k < nlp->n_w; k++)
        for (int e = nlp->jac.colptr[k]; e < nlp->jac.colptr[k + 1] && by->free[k]; e++)
            if (by->active[nlp->jac.rowind[e]]) {
                row[m] = by->row_at[nlp->jac.rowind[e]];
                col[m] = by->var_at[k];
                val[m++] = at->jac[e];
            }
    for (int k = 0; k < nlp->n_w; k++)
        if (by->free[k]) {
            row[m] = col[m] = by->var_at[k];
            val[m++] = 1;
            x[by->var_at[k]] = -at->cost[k];
        }
    for (int i = 0; i < nlp->n_g; i++)
        if (by->active[i]) {
            row[m] = col[m] = by->row_at[i];
            val[m++] = -ROWS_REPEAT;
        }
    if (n == 0)
        return true;
    struct kkt *kkt = kkt_create(n, m, row, col);
    const bool done =
        kkt_factorize(kkt, val, KKT_THRESHOLD, KKT_ANY_INERTIA) == KKT_FACTORIZED && isfinite(kkt_solve(kkt, x));
    for (int i = 0; i < nlp->n_g; i++)
        by->lambda[i] = by->active[i] && done ? x[by->row_at[i]] : 0;
    kkt_free(kkt);
    return done;
}

/* Signs that bounds do not have are dropped; how many there were. */
static int drop_wrong_signs(struct linear *at, struct multipliers *by)
{
    const struct nlp *nlp = &at->nlp;
    int n = 0;
    for (int i = 0; i < nlp->n_g; i++) {
        const bool wrong = by->lambda[i] > 0 ? nlp->ubg[i] >= ACTIVE : by->lambda[i] < 0 && nlp->lbg[i] <= -ACTIVE;
        if (!wrong)
            continue;
        by->active[i] = false;
        by->lambda[i] = 0;
        n++;
    }
    memcpy(by->rest, at->cost, (size_t)nlp->n_w * sizeof *by->rest);
    for (int k = 0; k < nlp->n_w; k++) {
        for (int e = nlp->jac.colptr[k]; e < nlp->jac.colptr[k + 1]; e++)
            by->rest[k] += at->jac[e] * by->lambda[nlp->jac.rowind[e]];
        const bool wrong = !by->free[k] && (by->rest[k] > 0 ? nlp->lbw[k] <= -ACTIVE : nlp->ubw[k] >= ACTIVE);
        by->free[k] = by->free[k] || wrong;
        n += wrong;
    }
    return n;
}

/* f falls by no more than that over the radius. */
static double bound_fall(const struct linear *at, const struct multipliers *by)
{
    const struct nlp *nlp = &at->nlp;
    double fall = 0;
    for (int k = 0; k < nlp->n_w; k++)
        fall += most_fall(by->rest[k], nlp->lbw[k], nlp->ubw[k]);
    for (int i = 0; i < nlp->n_g; i++)
        fall += most_fall(-by->lambda[i], nlp->lbg[i], nlp->ubg[i]);
    return fall;
}

static double fall_by_multipliers(struct linear *at, const double *lambda, double least, struct nlp_descent *out)
{
    struct multipliers by;
    double fall = INFINITY;
    begin(at, &by);
    if (lambda) {
        memcpy(by.lambda, lambda, (size_t)at->nlp.n_g * sizeof *lambda);
        (void)drop_wrong_signs(at, &by);
        if ((fall = bound_fall(at, &by)) <= least)
            return fall;
        begin(at, &by);
    }
    for (int round = 0, wrong = 1; round < ROUNDS && wrong && !(fall <= least) && least_squares(at, &by);
         round++) {
        out->iterations++;
        out->work.entries += at->nlp.jac.nnz;
        wrong = drop_wrong_signs(at, &by);
        fall = bound_fall(at, &by);
    }
    return fall;
}

/* --- By IPOPT ---------------------------------------------------------------------------------------------- */

static void solve(struct linear *at, nlp_monitor *monitor, void *monitor_user, double *e, struct nlp_descent *out)
{
    const size_t n_w = (size_t)at->nlp.n_w;
    const struct nlp_settings settings = { .tol = DESCENT_TOL,
                                           .dual_inf_tol = NAN,
                                           .constr_viol_tol = NAN,
                                           .compl_inf_tol = NAN,
                                           .acceptable_tol = NAN,
                                           .max_iter = DESCENT_MAX_ITER,
                                           .monotone = false,
                                           .mu_init = 1e-1,
                                           .push = 1e-2,
                                           .max_seconds = INFINITY };
    struct nlp_point point = { e, arena_alloc(&at->mem, (size_t)at->nlp.n_g, sizeof(double)),
                               arena_alloc(&at->mem, n_w, sizeof(double)),
                               arena_alloc(&at->mem, n_w, sizeof(double)) };
    struct nlp_info info;
    struct diag *quiet = diag_create();
    if (nlp_solve(&at->nlp, &settings, &point, monitor, monitor_user, &info, quiet) == STATUS_OK) {
        out->is_known = info.outcome == NLP_SOLVED || info.outcome == NLP_ACCEPTABLE;
        out->fall = fmax(-info.f, 0);
        out->iterations += info.iterations;
        nlp_add_linear_work(&out->work, &info.linear);
    }
    diag_free(quiet);
}

struct nlp_descent nlp_find_descent(const struct nlp *nlp, const double *w, const double *lambda, double radius,
                                    double least, double *d, nlp_monitor *monitor, void *monitor_user)
{
    struct linear at = { .mem = { NULL } };
    struct nlp_descent out = { .is_known = false };
    if (linearize(&at, nlp, w, radius)) {
        double *e = arena_alloc(&at.mem, (size_t)nlp->n_w, sizeof *e);
        const double fall = fall_by_multipliers(&at, lambda, least, &out);
        out.is_known = fall <= least;
        out.fall = fall;
        if (!out.is_known)
            solve(&at, monitor, monitor_user, e, &out);
        for (int k = 0; k < nlp->n_w && d; k++)
            d[k] = radius * at.size[k] * e[k];
    }
    arena_free(&at.mem);
    return out;
}
