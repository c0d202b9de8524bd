/* core/base/interval.h: what is enclosed, and what is refused. */
#include "core/base/interval.h"
#include "tests/unit/stability_bodies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

/* long double has 11 more bits than double: its rounding is not seen at this tolerance, which is below one ulp. */
static bool contains(struct interval a, long double x)
{
    const long double tiny = fabsl(x) * 1e-18L;
    return (long double)a.lo <= x + tiny && x - tiny <= (long double)a.hi;
}

static void operations_contain_the_exact_result(void **state)
{
    (void)state;
    unsigned long long seed = 1;
    for (int k = 0; k < 20000; k++) {
        const double x = uniform(&seed, -3, 3), y = uniform(&seed, -3, 3);
        const struct interval a = iv(x), b = iv(y);
        assert_true(contains(iv_add(a, b), (long double)x + y));
        assert_true(contains(iv_sub(a, b), (long double)x - y));
        assert_true(contains(iv_mul(a, b), (long double)x * y));
        assert_true(contains(iv_div(a, b), (long double)x / y));
        assert_true(contains(iv_square(a), (long double)x * x));
        assert_true(contains(iv_sin(a), sinl(x)));
        assert_true(contains(iv_cos(a), cosl(x)));
        assert_true(contains(iv_sqrt(iv(fabs(x))), sqrtl(fabsl((long double)x))));
    }
}

/* For every pair of numbers of wide intervals, corners and insides. */
static void wide_intervals_contain_all_results(void **state)
{
    (void)state;
    unsigned long long seed = 2;
    for (int k = 0; k < 5000; k++) {
        const struct interval a = iv_around(uniform(&seed, -2, 2), uniform(&seed, 0, 1));
        const struct interval b = iv_around(uniform(&seed, -2, 2), uniform(&seed, 0, 1));
        for (int m = 0; m < 9; m++) {
            const double x = fmin(a.hi, a.lo + (a.hi - a.lo) * (m % 3) / 2);
            const double y = fmin(b.hi, b.lo + (b.hi - b.lo) * (m / 3) / 2);
            assert_true(contains(iv_mul(a, b), (long double)x * y));
            assert_true(contains(iv_square(a), (long double)x * x));
            assert_true(contains(iv_sin(a), sinl(x)));
            assert_true(contains(iv_cos(a), cosl(x)));
            if (b.lo > 0 || b.hi < 0)
                assert_true(contains(iv_div(a, b), (long double)x / y));
        }
        assert_true(iv_square(a).lo >= 0 || a.lo > 0 || a.hi < 0);
    }
}

static void what_is_undefined_passes_no_test(void **state)
{
    (void)state;
    const struct interval around_zero = { -1e-300, 1e-300 }, from_zero = { 0, 1 };
    const struct interval bad[] = { iv_div(iv(1), around_zero), iv_sqrt(iv(-1)), iv_mul(iv(NAN), iv(0)),
                                    iv_square(iv(NAN)), iv_add(iv_div(iv(1), iv(0)), iv(5)),
                                    iv_mul(from_zero, iv(INFINITY)), iv_mul(iv(INFINITY), from_zero),
                                    iv_div(iv(INFINITY), (struct interval){ 1, INFINITY }) };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        assert_false(bad[k].lo > 0);
        assert_false(bad[k].hi < 0);
        assert_false(iv_positive_definite(1, &bad[k], -1e300));
    }
}

/* The second difference matrix of order n has the eigenvalues 2 - 2 cos(k pi/(n + 1)). */
/* As products leave out what is multiplied by nothing, what is not known must not count as that. */
static void only_zero_is_zero(void **state)
{
    (void)state;
    assert_true(iv_is_zero(iv(0)) && iv_is_zero(iv(-0.0)));
    assert_false(iv_is_zero((struct interval){ 0, 1e-300 }) || iv_is_zero((struct interval){ -1, 0 }));
    assert_false(iv_is_zero(iv(NAN)) || iv_is_zero((struct interval){ 0, NAN })
                 || iv_is_zero((struct interval){ NAN, 0 }));
}

static void definite_up_to_the_least_eigenvalue(void **state)
{
    (void)state;
    for (int n = 1; n <= 5; n++) {
        struct interval A[25];
        const double least = 2 - 2 * cos(acos(-1) / (n + 1));
        for (int row = 0; row < n; row++)
            for (int col = 0; col < n; col++)
                A[row + n * col] = iv(row == col ? 2 : abs(row - col) == 1 ? -1 : 0);
        assert_true(iv_positive_definite(n, A, least - 1e-12));
        assert_false(iv_positive_definite(n, A, least + 1e-12));
        A[0] = iv_around(2, 0.5); /* one of the matrices within is no longer definite with the shift */
        assert_false(iv_positive_definite(n, A, least - 1e-3));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_contain_the_exact_result),
        cmocka_unit_test(wide_intervals_contain_all_results),
        cmocka_unit_test(what_is_undefined_passes_no_test),
        cmocka_unit_test(only_zero_is_zero),
        cmocka_unit_test(definite_up_to_the_least_eigenvalue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
