/* Small systems of equations: regular, redundant, without a solution, not finite. */
#include "core/contact/dense.h"

#include "tests/unit/assertions.h"

static double solve(int n, const double *A, const double *b, const double *weight, double *z, bool *is_redundant)
{
    struct arena mem = {0};
    struct dense dense;
    dense_init(&dense, &mem, n);
    const double left = dense_solve(&dense, n, A, b, weight, z, is_redundant);
    arena_free(&mem);
    return left;
}

static void regular_system_is_solved(void **state)
{
    (void)state;
    const double A[] = {0, 2e-8, 3e5, 1e-8}, b[] = {6e5, 4e-8}; /* z = 1, 2 */
    double z[2];
    bool is_redundant;
    assert_true(solve(2, A, b, NULL, z, &is_redundant) <= 1e-9);
    assert_false(is_redundant);
    assert_true(fabs(z[0] - 1) < 1e-14 && fabs(z[1] - 2) < 1e-14);
}

/* z_0 + z_1 = 2 twice: the shortest solution is 1, 1; with weights 3 and 1 the least (z_0/3)^2 + z_1^2. */
static void redundant_system_has_the_least_solution(void **state)
{
    (void)state;
    const double A[] = {1, 1, 1, 1}, b[] = {2, 2}, contradiction[] = {2, 3}, weight[] = {3, 1};
    double z[2];
    bool is_redundant;
    assert_true(solve(2, A, b, NULL, z, &is_redundant) < 1e-14);
    assert_true(is_redundant);
    assert_true(fabs(z[0] - 1) < 1e-14 && fabs(z[1] - 1) < 1e-14);
    assert_true(solve(2, A, b, weight, z, &is_redundant) < 1e-14);
    assert_true(fabs(z[0] - 1.8) < 1e-14 && fabs(z[1] - 0.2) < 1e-14);
    assert_true(fabs(solve(2, A, contradiction, NULL, z, &is_redundant) - 0.5) < 1e-14);
}

/* z_1 overflows: the first row is 0 times infinity, and the infinite residual of the second does not hide that. */
static void nan_stays(void **state)
{
    (void)state;
    const double A[] = {1, 0, 0, 1e-200}, b[] = {1, 1e200}, weight[] = {1, 1e200};
    double z[2];
    bool is_redundant;
    assert_true(isnan(solve(2, A, b, weight, z, &is_redundant)));
}

/* M x = b for the x that b was made of: M of two masses that know nothing of each other, of a tree whose root all know,
 * and full. */
static void factors_leave_out_what_is_zero(void **state)
{
    (void)state;
    enum { N = 5 };
    for (int kind = 0; kind < 3; kind++) {
        double M[N * N] = {0}, b[N] = {0};
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                const bool knows = i == j || kind == 2 || (kind == 1 && (i == 0 || j == 0));
                M[i + j * N] = i == j ? 10 + i : knows ? 1 + 0.1 * (i + j) : 0;
                b[i] += M[i + j * N] * (j - 2);
            }
        assert_true(dense_factor(N, M));
        dense_back(N, M, 1, b);
        for (int i = 0; i < N; i++)
            assert_true(fabs(b[i] - (i - 2)) < 1e-14);
    }
    double indefinite[] = {1, 2, 2, 1};
    assert_false(dense_factor(2, indefinite));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular_system_is_solved),
        cmocka_unit_test(redundant_system_has_the_least_solution),
        cmocka_unit_test(nan_stays),
        cmocka_unit_test(factors_leave_out_what_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
