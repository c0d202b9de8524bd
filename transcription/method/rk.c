#include "transcription/method/rk.h"

#include "core/base/mem.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STAGES = 9 };

/* A tableau before rounding; also the Gauss quadrature that computes it. */
struct tableau {
    int s;
    long double A[MAX_STAGES][MAX_STAGES], b[MAX_STAGES], c[MAX_STAGES];
};

/* --- Nodes --------------------------------------------------------------------------------------------- */

/* Legendre polynomials P_n (return value) and P_{n-1} at x in [-1, 1], n >= 1. */
static long double legendre(int n, long double x, long double *previous)
{
    long double p = x, q = 1;
    for (int k = 2; k <= n; k++) {
        const long double next = ((2 * k - 1) * x * p - (k - 1) * q) / k;
        q = p;
        p = next;
    }
    *previous = q;
    return p;
}

/* The polynomial whose roots in (-1, 1) are the inner nodes of an s-stage scheme. */
static long double node_polynomial(enum rk_family family, int s, long double x)
{
    long double q;
    const long double p = legendre(family == RK_LOBATTO_IIIC ? s - 1 : s, x, &q);
    switch (family) {
    case RK_RADAU_IIA:      return p - q;
    case RK_LOBATTO_IIIC:   return x * p - q;           /* (x^2 - 1) P'_{s-1} / (s - 1) */
    case RK_GAUSS_LEGENDRE:
    case RK_EXPLICIT:       break;
    }
    return p;
}

static long double bisect_root(enum rk_family family, int s, long double lo, long double hi)
{
    const bool rising = node_polynomial(family, s, lo) < 0;
    while (hi - lo > LDBL_EPSILON) {
        const long double mid = lo + (hi - lo) / 2;
        if ((node_polynomial(family, s, mid) < 0) == rising)
            lo = mid;
        else
            hi = mid;
    }
    return lo + (hi - lo) / 2;
}

/* The inner nodes on [0, 1], ascending. The search grid is equidistant in the angle, as the roots nearly are, and
 * has 40 cells per root; its odd offset keeps it off the roots 0 and +-1. */
static int inner_nodes(enum rk_family family, int s, long double *c)
{
    const int n_cells = 40 * s + 1;
    const long double pi = acosl(-1.0L);
    int n = 0;
    for (int i = 0; i + 1 < n_cells; i++) {
        const long double lo = -cosl(pi * (i + 0.5L) / n_cells);
        const long double hi = -cosl(pi * (i + 1.5L) / n_cells);
        if ((node_polynomial(family, s, lo) < 0) != (node_polynomial(family, s, hi) < 0))
            c[n++] = (1 + bisect_root(family, s, lo, hi)) / 2;
    }
    return n;
}

static void find_nodes(enum rk_family family, int s, long double *c)
{
    int n = 0;
    if (family == RK_LOBATTO_IIIC)
        c[n++] = 0;
    n += inner_nodes(family, s, c + n);
    if (family != RK_GAUSS_LEGENDRE)
        c[n++] = 1;
    assert(n == s);
    (void)n;
}

/* --- Coefficients -------------------------------------------------------------------------------------- */

/* Lagrange polynomial of node j on the n nodes c. */
static long double lagrange(int n, const long double *c, int j, long double t)
{
    long double l = 1;
    for (int r = 0; r < n; r++)
        if (r != j)
            l *= (t - c[r]) / (c[j] - c[r]);
    return l;
}

/* Gauss quadrature on [0, 1] with n nodes, exact to degree 2n - 1; only b and c are filled. */
static void gauss_quadrature(int n, struct tableau *gauss)
{
    gauss->s = n;
    find_nodes(RK_GAUSS_LEGENDRE, n, gauss->c);
    for (int k = 0; k < n; k++) {
        const long double x = 2 * gauss->c[k] - 1;
        long double q;
        legendre(n, x, &q);
        gauss->b[k] = (1 - x * x) / ((long double)(n * n) * q * q);
    }
}

/* Integral over [0, end] of Lagrange polynomial j. Quadrature and not monomials, whose large coefficients of
 * changing sign would cost seven digits at nine stages. */
static long double integrate_lagrange(const struct tableau *gauss, int n, const long double *c, int j,
                                      long double end)
{
    long double sum = 0;
    for (int k = 0; k < gauss->s; k++)
        sum += gauss->b[k] * lagrange(n, c, j, end * gauss->c[k]);
    return end * sum;
}

/* runge_kutta.md 1: a_ij = int_0^{c_i} l_j, b_j = int_0^1 l_j. */
static void fill_collocation(const struct tableau *gauss, struct tableau *t)
{
    for (int j = 0; j < t->s; j++) {
        t->b[j] = integrate_lagrange(gauss, t->s, t->c, j, 1);
        for (int i = 0; i < t->s; i++)
            t->A[i][j] = integrate_lagrange(gauss, t->s, t->c, j, t->c[i]);
    }
}

/* runge_kutta.md 1: a_i1 = b_1 and C(s-1). The latter says that row i integrates m_j, the Lagrange polynomial on
 * c_2..c_s: b_1 m_j(c_1) + a_ij = int_0^{c_i} m_j, which needs no Vandermonde solve. */
static void fill_lobatto(const struct tableau *gauss, struct tableau *t)
{
    const int n = t->s - 1;
    const long double *c = t->c + 1;
    for (int j = 0; j < t->s; j++)
        t->b[j] = integrate_lagrange(gauss, t->s, t->c, j, 1);
    for (int i = 0; i < t->s; i++) {
        t->A[i][0] = t->b[0];
        for (int j = 0; j < n; j++)
            t->A[i][j + 1] = integrate_lagrange(gauss, n, c, j, t->c[i]) - t->b[0] * lagrange(n, c, j, t->c[0]);
    }
}

/* Kutta 1901: Euler's, the midpoint, the third-order and the classical method. */
static const struct tableau explicit_schemes[] = {
    { 1, { { 0 } }, { 1 }, { 0 } },
    { 2, { { 0 }, { 0.5L } }, { 0, 1 }, { 0, 0.5L } },
    { 3, { { 0 }, { 0.5L }, { -1, 2 } }, { 1 / 6.0L, 2 / 3.0L, 1 / 6.0L }, { 0, 0.5L, 1 } },
    { 4, { { 0 }, { 0.5L }, { 0, 0.5L }, { 0, 0, 1 } }, { 1 / 6.0L, 1 / 3.0L, 1 / 3.0L, 1 / 6.0L }, { 0, 0.5L, 0.5L, 1 } },
};

static struct tableau compute_tableau(enum rk_family family, int s)
{
    struct tableau t = { .s = s }, gauss = { 0 };
    if (family == RK_EXPLICIT)
        return explicit_schemes[s - 1];
    gauss_quadrature(s, &gauss);
    find_nodes(family, s, t.c);
    if (family == RK_LOBATTO_IIIC)
        fill_lobatto(&gauss, &t);
    else
        fill_collocation(&gauss, &t);
    return t;
}

/* --- Inverse ------------------------------------------------------------------------------------------- */

static void swap_rows(long double *p, long double *q)
{
    long double row[MAX_STAGES];
    memcpy(row, p, sizeof row);
    memcpy(p, q, sizeof row);
    memcpy(q, row, sizeof row);
}

static int pivot_row(const struct tableau *t, int k)
{
    int best = k;
    for (int i = k + 1; i < t->s; i++)
        if (fabsl(t->A[i][k]) > fabsl(t->A[best][k]))
            best = i;
    return best;
}

/* Gauss-Jordan with row pivoting: turns t.A into the unit matrix and inv from the unit matrix into A^{-1}. */
static void invert(struct tableau t, long double inv[MAX_STAGES][MAX_STAGES])
{
    for (int i = 0; i < t.s; i++)
        for (int j = 0; j < t.s; j++)
            inv[i][j] = i == j;
    for (int k = 0; k < t.s; k++) {
        const int p = pivot_row(&t, k);
        swap_rows(t.A[k], t.A[p]);
        swap_rows(inv[k], inv[p]);
        const long double pivot = t.A[k][k];
        for (int j = 0; j < t.s; j++) {
            t.A[k][j] /= pivot;
            inv[k][j] /= pivot;
        }
        for (int i = 0; i < t.s; i++) {
            const long double factor = t.A[i][k];
            for (int j = 0; i != k && j < t.s; j++) {
                t.A[i][j] -= factor * t.A[k][j];
                inv[i][j] -= factor * inv[k][j];
            }
        }
    }
}

/* --- Rounding ------------------------------------------------------------------------------------------ */

/* The first s of each of n rows; a vector is one row. */
static double *round_rows(struct rk *rk, int n, long double (*rows)[MAX_STAGES])
{
    double *out = arena_alloc(&rk->mem, (size_t)(n * rk->s), sizeof *out);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < rk->s; j++)
            out[i * rk->s + j] = (double)rows[i][j];
    return out;
}

static void add_inverse(struct rk *rk, const struct tableau *t)
{
    long double inv[MAX_STAGES][MAX_STAGES] = { { 0 } }, bA_inv[MAX_STAGES] = { 0 };
    invert(*t, inv);
    for (int j = 0; j < t->s; j++)
        for (int i = 0; i < t->s; i++)
            bA_inv[j] += t->b[i] * inv[i][j];
    for (int j = 0; rk->ends_at_one && j < t->s; j++)
        bA_inv[j] = j == t->s - 1;
    rk->A_inv = round_rows(rk, t->s, inv);
    rk->bA_inv = round_rows(rk, 1, &bA_inv);
}

/* Numbers of stages, and the order on smooth problems: per_stage s - less. */
static const struct { const char *name; int min, max, per_stage, less; } families[] = {
    [RK_RADAU_IIA] =      { "radau-iia", 1, MAX_STAGES, 2, 1 },
    [RK_GAUSS_LEGENDRE] = { "gauss-legendre", 1, MAX_STAGES, 2, 0 },
    [RK_LOBATTO_IIIC] =   { "lobatto-iiic", 2, MAX_STAGES, 2, 2 },
    [RK_EXPLICIT] =       { "explicit", 1, 4, 1, 0 },
};

const char *rk_name(enum rk_family family)
{
    return families[family].name;
}

enum status rk_create(enum rk_family family, int s, struct rk **out, struct diag *diag)
{
    *out = NULL;
    if (s < families[family].min || s > families[family].max)
        return diag_fail(diag, STATUS_SPEC, "scheme %s has %d to %d stages, got %d", families[family].name,
                         families[family].min, families[family].max, s);
    struct tableau t = compute_tableau(family, s);
    struct rk *rk = mem_alloc(1, sizeof *rk);
    rk->family = family;
    rk->s = s;
    rk->order = families[family].per_stage * s - families[family].less;
    rk->ends_at_one = family == RK_RADAU_IIA || family == RK_LOBATTO_IIIC;
    if (rk->ends_at_one)
        memcpy(t.b, t.A[s - 1], sizeof t.b);            /* equal but for rounding; now equal */
    rk->A = round_rows(rk, s, t.A);
    rk->b = round_rows(rk, 1, &t.b);
    rk->c = round_rows(rk, 1, &t.c);
    if (family != RK_EXPLICIT)
        add_inverse(rk, &t);
    *out = rk;
    return STATUS_OK;
}

void rk_free(struct rk *rk)
{
    if (!rk)
        return;
    arena_free(&rk->mem);
    free(rk);
}

/* Lagrange's polynomial of node k of 0, c_1, .., c_s (first = 0) or c_1, .., c_s (first = 1) at x. */
static double through_node(const struct rk *rk, int first, int k, double x)
{
    double product = 1;
    const double at = k == 0 ? 0 : rk->c[k - 1];
    for (int r = first; r <= rk->s; r++)
        if (r != k)
            product *= (x - (r == 0 ? 0 : rk->c[r - 1])) / (at - (r == 0 ? 0 : rk->c[r - 1]));
    return product;
}

void rk_weights(const struct rk *rk, double c, double *y, double *unknown)
{
    for (int k = 0; k <= rk->s; k++) {
        y[k] = through_node(rk, 0, k, c);
        unknown[k] = k ? through_node(rk, 1, k, c) : 0;
    }
}
