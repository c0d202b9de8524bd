/* tests/unit/lcp_problems.h - random linear complementarity problems whose theory says what Lemke's method does
 *
 * Every kind is copositive. With integers among the data many pivots are ties. For test_lcp.c and bench_lcp.c.
 */
#ifndef COCP_TESTS_UNIT_LCP_PROBLEMS_H
#define COCP_TESTS_UNIT_LCP_PROBLEMS_H

#include "core/lcp/lcp.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LCP_MAX_N = 60 };

enum lcp_kind {
    LCP_KIND_STRICT,            /* positive definite plus skew plus nonnegative: strictly copositive, any q */
    LCP_KIND_INTEGER,           /* the same of small integers, q of small integers with zeros */
    LCP_KIND_MONOTONE,          /* A A' of low rank plus skew, q = w - M z: feasible, so solvable */
    LCP_KIND_CONTACT,           /* one step of an impact (impact.md 3); n is a multiple of 5 */
    LCP_KIND_REPEATED,          /* MONOTONE with every unknown twice, so that bases are singular and ties abound */
    LCP_N_KINDS
};

struct lcp_case {
    enum lcp_kind kind;
    int n;
    double M[LCP_MAX_N * LCP_MAX_N], q[LCP_MAX_N];
};

/* A linear congruential generator (Knuth's MMIX constants): the same problems on every machine. */
static inline double lcp_draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* In [-1, 1], or one of -2 ... 2. */
static inline double lcp_draw_entry(uint64_t *seed, bool integer)
{
    const double u = lcp_draw(seed);
    return integer ? floor(5 * u) - 2 : 2 * u - 1;
}

/* M = A A' + skew, A [n x rank]. */
static inline void lcp_draw_monotone(struct lcp_case *c, int n, int rank, bool integer, uint64_t *seed)
{
    static double A[LCP_MAX_N * LCP_MAX_N];
    for (int k = 0; k < n * rank; k++)
        A[k] = lcp_draw_entry(seed, integer);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < rank; k++)
                sum += A[i * rank + k] * A[j * rank + k];
            const double skew = i != j && lcp_draw(seed) < 0.5 ? lcp_draw_entry(seed, integer) : 0;
            c->M[i + j * n] = sum + skew;
            c->M[j + i * n] = sum - skew;
        }
}

/* q = w - M z with complementary w, z, half of them zero on both sides when degenerate. */
static inline void lcp_draw_solvable_q(struct lcp_case *c, bool integer, uint64_t *seed)
{
    for (int i = 0; i < c->n; i++)
        c->q[i] = 0;
    for (int i = 0; i < c->n; i++) {
        const double value = fabs(lcp_draw_entry(seed, integer)), side = lcp_draw(seed);
        if (side < 0.4)
            c->q[i] += value;
        else if (side < 0.8)
            for (int k = 0; k < c->n; k++)
                c->q[k] -= c->M[k + i * c->n] * value;
    }
}

static inline void lcp_draw_strict(struct lcp_case *c, bool integer, uint64_t *seed)
{
    const int n = c->n;
    lcp_draw_monotone(c, n, 1 + n / 2, integer, seed);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c->M[i + j * n] += i == j ? 1 : lcp_draw(seed) < 0.3 ? fabs(lcp_draw_entry(seed, integer)) : 0;
    for (int i = 0; i < n; i++)
        c->q[i] = 2 * lcp_draw_entry(seed, integer);
}

/* m contacts of a system with m + 2 velocities: rows and columns are beta, lam_n, lam_D, gamma. Every third
 * contact rests (all its velocities are zero), one budget in four is zero. */
static inline void lcp_draw_contact(struct lcp_case *c, int m, uint64_t *seed)
{
    enum { MAX_M = LCP_MAX_N / 5, LCP_MAX_V = MAX_M + 2 };
    const int n = 5 * m, n_v = m + 2;
    double J[3 * MAX_M][LCP_MAX_V], v[LCP_MAX_V];
    c->n = n;
    memset(c->M, 0, sizeof c->M);
    for (int k = 0; k < n_v; k++)
        v[k] = 2 * lcp_draw(seed) - 1;
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n_v; k++) {
            J[i][k] = 2 * lcp_draw(seed) - 1;
            J[m + 2 * i][k] = 2 * lcp_draw(seed) - 1;
            J[m + 2 * i + 1][k] = -J[m + 2 * i][k];
        }
    for (int i = 0; i < 3 * m; i++) {
        const int contact = i < m ? i : (i - m) / 2;
        c->q[m + i] = 0;
        for (int k = 0; k < n_v && contact % 3 != 2; k++)
            c->q[m + i] += J[i][k] * v[k];
        for (int j = 0; j < 3 * m; j++)
            for (int k = 0; k < n_v; k++)
                c->M[m + i + (m + j) * n] += J[i][k] * J[j][k] / (1 + k % 3);
    }
    for (int i = 0; i < m; i++) {
        c->M[i + (m + i) * n] = -1;
        c->M[m + i + i * n] = 1;
        c->M[4 * m + i + (m + i) * n] = lcp_draw(seed);
        for (int d = 2 * m + 2 * i; d < 2 * m + 2 * i + 2; d++) {
            c->M[d + (4 * m + i) * n] = 1;
            c->M[4 * m + i + d * n] = -1;
        }
        c->q[i] = lcp_draw(seed) < 0.25 ? 0 : lcp_draw(seed);
        c->q[4 * m + i] = 0;
    }
}

/* Unknown i + n/2 is unknown i once more. */
static inline void lcp_draw_repeated(struct lcp_case *c, int half, uint64_t *seed)
{
    static struct lcp_case small;
    small.n = half;
    c->n = 2 * half;
    lcp_draw_monotone(&small, half, 1 + half / 2, true, seed);
    lcp_draw_solvable_q(&small, true, seed);
    for (int j = 0; j < c->n; j++)
        for (int i = 0; i < c->n; i++)
            c->M[i + j * c->n] = small.M[i % half + j % half * half];
    for (int i = 0; i < c->n; i++)
        c->q[i] = small.q[i % half];
}

/* Problem number k: kinds take turns, n runs over 2 ... 60. */
static inline void lcp_case_draw(struct lcp_case *c, int k)
{
    uint64_t seed = 2 * (uint64_t)k + 1;
    lcp_draw(&seed);
    c->kind = (enum lcp_kind)(k % LCP_N_KINDS);
    c->n = 2 + k / LCP_N_KINDS % (LCP_MAX_N - 1);
    switch (c->kind) {
    case LCP_KIND_STRICT: lcp_draw_strict(c, false, &seed); break;
    case LCP_KIND_INTEGER: lcp_draw_strict(c, true, &seed); break;
    case LCP_KIND_MONOTONE:
        lcp_draw_monotone(c, c->n, 1 + c->n / 2, false, &seed);
        lcp_draw_solvable_q(c, false, &seed);
        break;
    case LCP_KIND_CONTACT: lcp_draw_contact(c, 1 + c->n % (LCP_MAX_N / 5), &seed); break;
    case LCP_KIND_REPEATED: lcp_draw_repeated(c, c->n / 2, &seed); break;
    case LCP_N_KINDS: break;
    }
}

static inline struct lcp_problem lcp_case_problem(const struct lcp_case *c)
{
    return (struct lcp_problem){ .n = c->n, .M = c->M, .ld = c->n, .q = c->q };
}

/* The violation that rounding may leave: it grows with the size of w's terms, |M| |z| + |q|. */
static inline double lcp_case_size(const struct lcp_case *c, const double *z)
{
    double size = 1;
    for (int i = 0; i < c->n; i++) {
        double sum = fabs(c->q[i]);
        for (int j = 0; j < c->n; j++)
            sum += fabs(c->M[i + j * c->n] * z[j]);
        size = fmax(size, sum * (1 + fabs(z[i])));
    }
    return size;
}

/* How far z is from a solution: the largest of -z_i, -w_i and |z_i w_i| with w = M z + q; 0 if it is exact. */
static inline double lcp_violation(const struct lcp_problem *problem, const double *z)
{
    double worst = 0;
    for (int i = 0; i < problem->n; i++) {
        double w = problem->q[i];
        for (int j = 0; j < problem->n; j++)
            w += problem->M[(size_t)i + (size_t)j * (size_t)problem->ld] * z[j];
        if (isnan(w) || isnan(z[i]))
            return INFINITY;
        worst = fmax(worst, fmax(fabs(z[i] * w), fmax(-z[i], -w)));
    }
    return worst;
}

#endif
