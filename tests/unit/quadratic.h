/* tests/unit/quadratic.h - small MPCCs with exact derivatives, for the tests of core/nlp and core/mpcc
 *
 *   f = w'Qw / 2 + c'w + f0,   g_i = w'P_i w / 2 + a_i'w
 *
 * with a dense Hessian and the entries of the Jacobian that can be nonzero. Fill the numbers, the bounds and the pairs, then call quadratic_mpcc.
 */
#ifndef COCP_TESTS_UNIT_QUADRATIC_H
#define COCP_TESTS_UNIT_QUADRATIC_H

#include "core/mpcc/mpcc.h"

#include <math.h>
#include <string.h>

enum { MAX_W = 10, MAX_G = 4, MAX_PAIR = 6, MAX_TERM = 4 };

struct quadratic {
    int n, m, n_pair;
    double Q[MAX_W][MAX_W], c[MAX_W], f0;       /* Q symmetric */
    double P[MAX_G][MAX_W][MAX_W], a[MAX_G][MAX_W];
    double lbw[MAX_W], ubw[MAX_W], lbg[MAX_G], ubg[MAX_G], w0[MAX_W];
    struct mpcc_pair pair[MAX_PAIR];
    struct mpcc_term term[MAX_PAIR][2][MAX_TERM];
    struct mpcc_label var[MAX_W], row[MAX_G];
    int colptr_jac[MAX_W + 1], rowind_jac[MAX_W * MAX_G];
    int colptr_hess[MAX_W + 1], rowind_hess[MAX_W * MAX_W];
    int n_eval;                                 /* of f */
    bool give_nan;
};

static double quadratic_form(int n, double Q[MAX_W][MAX_W], const double *c, const double *w)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += c[i] * w[i];
        for (int j = 0; j < n; j++)
            sum += 0.5 * Q[i][j] * w[i] * w[j];
    }
    return sum;
}

static double quadratic_slope(int n, double Q[MAX_W][MAX_W], const double *c, const double *w, int i)
{
    double sum = c[i];
    for (int j = 0; j < n; j++)
        sum += Q[i][j] * w[j];
    return sum;
}

static bool quadratic_f(void *user, const double *w, bool new_w, double *f)
{
    (void)new_w;
    struct quadratic *q = user;
    q->n_eval++;
    *f = q->give_nan ? NAN : q->f0 + quadratic_form(q->n, q->Q, q->c, w);
    return !q->give_nan;
}

static bool quadratic_grad(void *user, const double *w, bool new_w, double *grad)
{
    (void)new_w;
    struct quadratic *q = user;
    for (int i = 0; i < q->n; i++)
        grad[i] = quadratic_slope(q->n, q->Q, q->c, w, i);
    return true;
}

static bool quadratic_g(void *user, const double *w, bool new_w, double *g)
{
    (void)new_w;
    struct quadratic *q = user;
    for (int i = 0; i < q->m; i++)
        g[i] = quadratic_form(q->n, q->P[i], q->a[i], w);
    return true;
}

static bool quadratic_has_entry(struct quadratic *q, int i, int j)
{
    bool has = q->a[i][j] != 0.0;
    for (int k = 0; k < q->n; k++)
        has |= q->P[i][j][k] != 0.0;
    return has;
}

static bool quadratic_jac(void *user, const double *w, bool new_w, double *val)
{
    (void)new_w;
    struct quadratic *q = user;
    for (int j = 0; j < q->n; j++)
        for (int i = 0; i < q->m; i++)
            if (quadratic_has_entry(q, i, j))
                *val++ = quadratic_slope(q->n, q->P[i], q->a[i], w, j);
    return true;
}

static bool quadratic_hess(void *user, const double *w, bool new_w, double obj_factor, const double *lambda,
                           double *val)
{
    (void)w;
    (void)new_w;
    struct quadratic *q = user;
    for (int j = 0; j < q->n; j++)
        for (int i = j; i < q->n; i++) {
            *val = obj_factor * q->Q[i][j];
            for (int k = 0; k < q->m; k++)
                *val += lambda[k] * q->P[k][i][j];
            val++;
        }
    return true;
}

/* An empty problem: no bounds, no cost. */
static void quadratic_init(struct quadratic *q, int n, int m)
{
    memset(q, 0, sizeof *q);
    q->n = n;
    q->m = m;
    for (int i = 0; i < MAX_W; i++) {
        q->lbw[i] = -INFINITY;
        q->ubw[i] = INFINITY;
        q->var[i] = (struct mpcc_label){ .name = "w", .interval = -1, .element = -1, .stage = -1 };
    }
    for (int i = 0; i < MAX_G; i++)
        q->row[i] = (struct mpcc_label){ .name = "row", .interval = i, .element = -1, .stage = -1 };
}

/* (w_i - target)^2 * weight */
static inline void quadratic_square(struct quadratic *q, int i, double target, double weight)
{
    q->Q[i][i] += 2.0 * weight;
    q->c[i] -= 2.0 * weight * target;
    q->f0 += weight * target * target;
}

/* A pair of single variables, each >= 0, a group of its own. */
static inline void quadratic_pair(struct quadratic *q, int G, int H)
{
    const int m = q->n_pair++;
    q->term[m][0][0] = (struct mpcc_term){ G, 1.0 };
    q->term[m][1][0] = (struct mpcc_term){ H, 1.0 };
    q->lbw[G] = q->lbw[H] = 0.0;
    q->pair[m] = (struct mpcc_pair){ .n_G = 1, .n_H = 1, .scale = 1.0, .group = m,
                                     .label = { .name = "pair", .interval = m, .element = -1, .stage = -1 } };
}

static struct mpcc quadratic_mpcc(struct quadratic *q)
{
    int nnz_jac = 0, nnz_hess = 0;
    for (int j = 0; j < q->n; j++) {
        for (int i = 0; i < q->m; i++)
            if (quadratic_has_entry(q, i, j))
                q->rowind_jac[nnz_jac++] = i;
        for (int i = j; i < q->n; i++)
            q->rowind_hess[nnz_hess++] = i;
        q->colptr_jac[j + 1] = nnz_jac;
        q->colptr_hess[j + 1] = nnz_hess;
    }
    int n_group = 0;
    for (int m = 0; m < q->n_pair; m++) {
        q->pair[m].G = q->term[m][0];
        q->pair[m].H = q->term[m][1];
        n_group = q->pair[m].group >= n_group ? q->pair[m].group + 1 : n_group;
    }
    return (struct mpcc){
        .nlp = { .n_w = q->n, .n_g = q->m, .lbw = q->lbw, .ubw = q->ubw, .lbg = q->lbg, .ubg = q->ubg,
                 .jac = { q->m, q->n, nnz_jac, q->colptr_jac, q->rowind_jac },
                 .hess = { q->n, q->n, nnz_hess, q->colptr_hess, q->rowind_hess }, .user = q,
                 .eval_f = quadratic_f, .eval_grad = quadratic_grad, .eval_g = quadratic_g,
                 .eval_jac = quadratic_jac, .eval_hess = quadratic_hess },
        .w0 = q->w0, .var = q->var, .row = q->row, .n_pair = q->n_pair, .n_group = n_group, .pair = q->pair
    };
}

#endif
