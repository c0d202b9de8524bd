/* Tableaus against the simplifying assumptions that define their order, and against known coefficients. */
#include "transcription/method/rk.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Sums of at most nine terms of size one: a few roundings. */
#define TOL (8 * DBL_EPSILON)

static const enum rk_family implicit_families[] = { RK_RADAU_IIA, RK_GAUSS_LEGENDRE, RK_LOBATTO_IIIC };

static struct rk *tableau(enum rk_family family, int s)
{
    struct diag *diag = diag_create();
    struct rk *rk;
    assert_int_equal(rk_create(family, s, &rk, diag), STATUS_OK);
    diag_free(diag);
    return rk;
}

static void for_each_tableau(void (*check)(const struct rk *rk))
{
    for (enum rk_family family = RK_RADAU_IIA; family <= RK_EXPLICIT; family++)
        for (int s = family == RK_LOBATTO_IIIC ? 2 : 1; s <= (family == RK_EXPLICIT ? 4 : 9); s++) {
            struct rk *rk = tableau(family, s);
            check(rk);
            rk_free(rk);
        }
}

static double power(double x, int n)
{
    return n == 0 ? 1 : pow(x, n);
}

/* B(p): sum_j b_j c_j^{q-1} = 1/q. */
static double defect_B(const struct rk *rk, int q)
{
    double sum = 0;
    for (int j = 0; j < rk->s; j++)
        sum += rk->b[j] * power(rk->c[j], q - 1);
    return fabs(sum - 1.0 / q);
}

/* C(eta): sum_j a_ij c_j^{q-1} = c_i^q / q; the worst row. */
static double defect_C(const struct rk *rk, int q)
{
    double worst = 0;
    for (int i = 0; i < rk->s; i++) {
        double sum = 0;
        for (int j = 0; j < rk->s; j++)
            sum += rk->A[i * rk->s + j] * power(rk->c[j], q - 1);
        worst = fmax(worst, fabs(sum - power(rk->c[i], q) / q));
    }
    return worst;
}

/* D(zeta): sum_i b_i c_i^{q-1} a_ij = b_j (1 - c_j^q) / q; the worst column. */
static double defect_D(const struct rk *rk, int q)
{
    double worst = 0;
    for (int j = 0; j < rk->s; j++) {
        double sum = 0;
        for (int i = 0; i < rk->s; i++)
            sum += rk->b[i] * power(rk->c[i], q - 1) * rk->A[i * rk->s + j];
        worst = fmax(worst, fabs(sum - rk->b[j] * (1 - power(rk->c[j], q)) / q));
    }
    return worst;
}

/* Hairer, Wanner II, table IV.5.13: eta and zeta of each family. */
static int eta_of(const struct rk *rk)
{
    return rk->family == RK_LOBATTO_IIIC ? rk->s - 1 : rk->s;
}

static int zeta_of(const struct rk *rk)
{
    return rk->family == RK_GAUSS_LEGENDRE ? rk->s : rk->s - 1;
}

static void check_simplifying_assumptions(const struct rk *rk)
{
    for (int q = 1; q <= rk->order; q++)
        assert_true(defect_B(rk, q) < TOL);
    if (rk->family == RK_EXPLICIT)
        return;
    for (int q = 1; q <= eta_of(rk); q++)
        assert_true(defect_C(rk, q) < TOL);
    for (int q = 1; q <= zeta_of(rk); q++)
        assert_true(defect_D(rk, q) < TOL);
}

/* By Butcher's theorem B(p), C(eta), D(zeta) with p <= eta + zeta + 1, 2 eta + 2 are order p. */
static void simplifying_assumptions_hold(void **state)
{
    (void)state;
    for_each_tableau(check_simplifying_assumptions);
}

static void check_order_is_sharp(const struct rk *rk)
{
    if (rk->family != RK_EXPLICIT && rk->order < 8)        /* beyond, the defect itself is below 1e-5 */
        assert_true(defect_B(rk, rk->order + 1) > 1e-6);
}

static void quadrature_is_no_better_than_its_order(void **state)
{
    (void)state;
    for_each_tableau(check_order_is_sharp);
}

static void check_shape(const struct rk *rk)
{
    for (int i = 0; i < rk->s; i++) {
        double sum = 0;
        for (int j = 0; j < rk->s; j++)
            sum += rk->A[i * rk->s + j];
        assert_true(fabs(sum - rk->c[i]) < TOL);
        if (i > 0 && rk->family != RK_EXPLICIT)
            assert_true(rk->c[i] > rk->c[i - 1]);
    }
}

static void rows_sum_to_nodes(void **state)
{
    (void)state;
    for_each_tableau(check_shape);
}

static void check_inverse(const struct rk *rk)
{
    const int s = rk->s;
    if (rk->family == RK_EXPLICIT) {
        assert_null(rk->A_inv);
        assert_null(rk->bA_inv);
        return;
    }
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            double sum = 0, size = 0;
            for (int k = 0; k < s; k++) {
                sum += rk->A_inv[i * s + k] * rk->A[k * s + j];
                size += fabs(rk->A_inv[i * s + k] * rk->A[k * s + j]);
            }
            assert_true(fabs(sum - (i == j)) < 4 * DBL_EPSILON * fmax(size, 1));
        }
    for (int j = 0; j < s; j++) {
        double sum = 0, size = 0;
        for (int i = 0; i < s; i++) {
            sum += rk->b[i] * rk->A_inv[i * s + j];
            size += fabs(rk->b[i] * rk->A_inv[i * s + j]);
        }
        assert_true(fabs(sum - rk->bA_inv[j]) < 4 * DBL_EPSILON * fmax(size, 1));
    }
}

static void inverse_is_an_inverse(void **state)
{
    (void)state;
    for_each_tableau(check_inverse);
}

/* R(inf) = 1 - b' A^{-1} e: zero for the L-stable families, (-1)^s for Gauss. */
static void stability_at_infinity(void **state)
{
    (void)state;
    for (int f = 0; f < 3; f++)
        for (int s = 2; s <= 9; s++) {
            struct rk *rk = tableau(implicit_families[f], s);
            double r = 1, size = 1;
            for (int j = 0; j < s; j++) {
                r -= rk->bA_inv[j];
                size += fabs(rk->bA_inv[j]);
            }
            const double expected = rk->family != RK_GAUSS_LEGENDRE ? 0 : s % 2 ? -1 : 1;
            assert_true(fabs(r - expected) < 4 * DBL_EPSILON * size);
            rk_free(rk);
        }
}

static void stiffly_accurate_schemes_end_at_one(void **state)
{
    (void)state;
    for (int f = 0; f < 3; f++)
        for (int s = 2; s <= 9; s++) {
            struct rk *rk = tableau(implicit_families[f], s);
            assert_int_equal(rk->ends_at_one, rk->family != RK_GAUSS_LEGENDRE);
            for (int j = 0; rk->ends_at_one && j < s; j++) {
                assert_true(rk->b[j] == rk->A[(s - 1) * s + j]);
                assert_true(rk->bA_inv[j] == (j == s - 1));
            }
            assert_int_equal(rk->ends_at_one, rk->c[s - 1] == 1.0);
            assert_int_equal(rk->family == RK_LOBATTO_IIIC, rk->c[0] == 0.0);
            rk_free(rk);
        }
}

/* Hairer, Wanner II, tables IV.5.2, 5.6 and 5.12. */
static void known_coefficients(void **state)
{
    (void)state;
    const double r6 = sqrt(6), r15 = sqrt(15);
    struct rk *rk = tableau(RK_RADAU_IIA, 3);
    const double radau[9] = { (88 - 7 * r6) / 360, (296 - 169 * r6) / 1800, (-2 + 3 * r6) / 225,
                              (296 + 169 * r6) / 1800, (88 + 7 * r6) / 360, (-2 - 3 * r6) / 225,
                              (16 - r6) / 36, (16 + r6) / 36, 1.0 / 9 };
    for (int k = 0; k < 9; k++)
        assert_true(fabs(rk->A[k] - radau[k]) < TOL);
    rk_free(rk);
    rk = tableau(RK_GAUSS_LEGENDRE, 3);
    const double gauss[9] = { 5.0 / 36, 2.0 / 9 - r15 / 15, 5.0 / 36 - r15 / 30,
                              5.0 / 36 + r15 / 24, 2.0 / 9, 5.0 / 36 - r15 / 24,
                              5.0 / 36 + r15 / 30, 2.0 / 9 + r15 / 15, 5.0 / 36 };
    for (int k = 0; k < 9; k++)
        assert_true(fabs(rk->A[k] - gauss[k]) < TOL);
    rk_free(rk);
    rk = tableau(RK_LOBATTO_IIIC, 3);
    const double lobatto[9] = { 1.0 / 6, -1.0 / 3, 1.0 / 6, 1.0 / 6, 5.0 / 12, -1.0 / 12,
                                1.0 / 6, 2.0 / 3, 1.0 / 6 };
    for (int k = 0; k < 9; k++)
        assert_true(fabs(rk->A[k] - lobatto[k]) < TOL);
    rk_free(rk);
}

/* Solves M v = r of at most 18 unknowns in place; M by rows, no pivoting trouble expected but handled. */
static void solve_dense(int n, long double *M, long double *r)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabsl(M[i * n + k]) > fabsl(M[p * n + k]))
                p = i;
        for (int j = 0; j < n; j++) {
            const long double swap = M[k * n + j];
            M[k * n + j] = M[p * n + j];
            M[p * n + j] = swap;
        }
        const long double swap = r[k];
        r[k] = r[p];
        r[p] = swap;
        for (int i = k + 1; i < n; i++) {
            const long double factor = M[i * n + k] / M[k * n + k];
            for (int j = k; j < n; j++)
                M[i * n + j] -= factor * M[k * n + j];
            r[i] -= factor * r[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            r[i] -= M[i * n + j] * r[j];
        r[i] /= M[i * n + i];
    }
}

/* One step of the oscillator q' = v, v' = -q: derivatives V solve V_i = L (x + h sum_j a_ij V_j). */
static void step_oscillator(const struct rk *rk, long double h, long double *x)
{
    const int s = rk->s, n = 2 * s;
    long double M[18 * 18] = { 0 }, V[18] = { 0 };
    for (int i = 0; i < s; i++) {
        V[2 * i] = x[1];
        V[2 * i + 1] = -x[0];
        M[2 * i * n + 2 * i] = M[(2 * i + 1) * n + 2 * i + 1] = 1;
        for (int j = 0; j < s; j++) {
            M[2 * i * n + 2 * j + 1] -= h * rk->A[i * s + j];
            M[(2 * i + 1) * n + 2 * j] += h * rk->A[i * s + j];
        }
    }
    solve_dense(n, M, V);
    for (int i = 0; i < s; i++) {
        x[0] += h * rk->b[i] * V[2 * i];
        x[1] += h * rk->b[i] * V[2 * i + 1];
    }
}

static double oscillator_error(const struct rk *rk, int n_steps)
{
    const long double end = 3;
    long double x[2] = { 1, 0 };
    for (int k = 0; k < n_steps; k++)
        step_oscillator(rk, end / n_steps, x);
    return (double)hypotl(x[0] - cosl(end), x[1] + sinl(end));
}

/* Halving the step divides the error by 2^order; step counts keep errors above the rounding of the tableau, and
 * 0.35 is the share of the next order that is then left. */
static void check_observed_order(const struct rk *rk)
{
    if (rk->order > 11)                             /* one step is already exact to rounding */
        return;
    const int n = rk->order <= 2 ? 64 : rk->order <= 4 ? 16 : rk->order <= 7 ? 6 : 2;
    const double observed = log2(oscillator_error(rk, n) / oscillator_error(rk, 2 * n));
    if (fabs(observed - rk->order) > 0.35)
        fail_msg("family %d, %d stages: order %g", (int)rk->family, rk->s, observed);
}

static void oscillator_converges_with_the_order(void **state)
{
    (void)state;
    for_each_tableau(check_observed_order);
}

static void wrong_number_of_stages_is_refused(void **state)
{
    (void)state;
    static const struct { enum rk_family family; int s; } bad[] = {
        { RK_RADAU_IIA, 0 }, { RK_RADAU_IIA, 10 }, { RK_GAUSS_LEGENDRE, -1 }, { RK_LOBATTO_IIIC, 1 },
        { RK_EXPLICIT, 5 },
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        struct diag *diag = diag_create();
        struct rk *rk;
        assert_int_equal(rk_create(bad[k].family, bad[k].s, &rk, diag), STATUS_SPEC);
        assert_null(rk);
        assert_int_equal(diag_n_errors(diag), 1);
        diag_free(diag);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simplifying_assumptions_hold),
        cmocka_unit_test(quadrature_is_no_better_than_its_order),
        cmocka_unit_test(rows_sum_to_nodes),
        cmocka_unit_test(inverse_is_an_inverse),
        cmocka_unit_test(stability_at_infinity),
        cmocka_unit_test(stiffly_accurate_schemes_end_at_one),
        cmocka_unit_test(known_coefficients),
        cmocka_unit_test(oscillator_converges_with_the_order),
        cmocka_unit_test(wrong_number_of_stages_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
