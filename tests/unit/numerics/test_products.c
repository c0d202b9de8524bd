/* Products and factors of matrices are those of the reference BLAS and LAPACK, bit by bit: sums in the same order.
 */
#include "core/sos/products.h"

#include "core/base/mem.h"
#include "core/base/random.h"
#include "tests/unit/assertions.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static double *some_matrix(uint64_t *random, int rows, int cols)
{
    double *A = mem_alloc((size_t)rows * (size_t)cols, sizeof *A);
    for (int k = 0; k < rows * cols; k++)
        A[k] = random_signed(random_next(random));
    return A;
}

/* As the reference writes it: of a transposed A the sum first, else products are added to beta C. */
static void plain_product(bool trans_a, bool trans_b, int m, int n, int k, double alpha, const double *A, int lda,
                          const double *B, int ldb, double beta, double *C, int ldc)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double *const c = &C[i + ldc * j], old = fabs(beta) > 0 ? beta * *c : 0;
            double sum = trans_a ? 0 : old;
            for (int l = 0; l < k; l++) {
                const double a = trans_a ? A[l + lda * i] : A[i + lda * l],
                             b = trans_b ? B[j + ldb * l] : B[l + ldb * j];
                if (trans_a)
                    sum += a * b;
                else
                    sum += alpha * b * a;
            }
            *c = !trans_a ? sum : fabs(beta) > 0 ? alpha * sum + old : alpha * sum;
        }
}

static void check_product(uint64_t *random, int m, int n, int k, double alpha, double beta)
{
    for (int which = 0; which < 4; which++) {
        const bool trans_a = which & 1, trans_b = which & 2;
        const int lda = (trans_a ? k : m) + 3, ldb = (trans_b ? n : k) + 1, ldc = m + 2;
        double *A = some_matrix(random, lda, trans_a ? m : k), *B = some_matrix(random, ldb, trans_b ? k : n),
               *C = some_matrix(random, ldc, n), *plain = mem_alloc((size_t)(ldc * n), sizeof *plain);
        memcpy(plain, C, (size_t)(ldc * n) * sizeof *C);
        dgemm_(trans_a ? "T" : "N", trans_b ? "T" : "N", &m, &n, &k, &alpha, A, &lda, B, &ldb, &beta, C, &ldc);
        plain_product(trans_a, trans_b, m, n, k, alpha, A, lda, B, ldb, beta, plain, ldc);
        for (int e = 0; e < ldc * n; e++)
            assert_true(!(C[e] < plain[e]) && !(C[e] > plain[e]));
        free(A);
        free(B);
        free(C);
        free(plain);
    }
}

static void test_products_are_those_of_the_reference(void **state)
{
    static const int size[][3] = { { 1, 1, 1 },   { 3, 5, 7 },      { 8, 4, 16 },
                                   { 9, 5, 300 }, { 64, 256, 256 }, { 70, 259, 257 } };
    static const double factor[][2] = { { 1, 0 }, { -1, 1 }, { 0.3, -2 } };
    uint64_t random = 7;
    (void)state;
    for (size_t s = 0; s < sizeof size / sizeof *size; s++)
        for (int f = 0; f < 3; f++)
            check_product(&random, size[s][0], size[s][1], size[s][2], factor[f][0], factor[f][1]);
}

/* Without products, or with alpha = 0, what is left is beta C. */
static void test_nothing_to_add(void **state)
{
    const int two = 2, none = 0;
    const double half = 0.5, zero = 0, A[4] = { 1, 2, NAN, 4 };
    double C[4] = { 2, 4, 6, 8 };
    (void)state;
    dgemm_("N", "N", &two, &two, &none, &half, A, &two, A, &two, &half, C, &two);
    dgemm_("T", "N", &two, &two, &two, &zero, A, &two, A, &two, &half, C, &two);
    for (int k = 0; k < 4; k++)
        assert_true(fabs(C[k] - 0.5 * (k + 1)) <= 0);
}

/* The factor of a positive matrix of 150, and the order of the first minor of another one that is not. */
static void test_cholesky(void **state)
{
    enum { N = 150, BROKEN = 101 };
    const int n = N;
    const double one = 1, zero = 0;
    uint64_t random = 3;
    double *G = some_matrix(&random, N, N), *A = mem_alloc((size_t)N * N, sizeof *A),
           *R = mem_alloc((size_t)N * N, sizeof *R);
    int info;
    (void)state;
    dgemm_("T", "N", &n, &n, &n, &one, G, &n, G, &n, &zero, A, &n);
    for (int k = 0; k < N; k++)
        A[k + N * k] += 1;
    for (int upper = 0; upper < 2; upper++) {
        memcpy(R, A, (size_t)N * N * sizeof *A);
        dpotrf_(upper ? "U" : "L", &n, R, &n, &info);
        assert_int_equal(info, 0);
        for (int j = 0; j < N; j++)
            for (int i = 0; i <= j; i++) {
                double sum = 0;
                for (int k = 0; k <= i; k++)
                    sum += upper ? R[k + N * i] * R[k + N * j] : R[i + N * k] * R[j + N * k];
                assert_true(fabs(sum - A[i + N * j]) < 1e-10);
                const double other = upper ? R[j + N * i] : R[i + N * j];
                assert_true(i == j || fabs(other - A[i + N * j]) <= 0);
            }
    }
    A[(BROKEN - 1) * (N + 1)] = -1;
    dpotrf_("U", &n, A, &n, &info);
    assert_int_equal(info, BROKEN);
    free(G);
    free(A);
    free(R);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_products_are_those_of_the_reference),
                                        cmocka_unit_test(test_nothing_to_add), cmocka_unit_test(test_cholesky) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
