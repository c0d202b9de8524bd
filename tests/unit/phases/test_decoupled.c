/* Least squares by groups, against the whole by hand. */
#include "transcription/multiphase/decoupled.h"

#include "tests/unit/assertions.h"

/* Two masses of 2 and 4 kg on their own, and a table of 3 kg under 6 N on two feet that share its load: m a = f, m a - n_1 -
 * n_2 = -6 and a = 0. Entries in no order. */
static void masses_are_groups(void **state)
{
    (void)state;
    enum { FIRST, SECOND, TABLE, FOOT_1, FOOT_2, N };
    const int row[] = { 1, 2, 2, 0, 2, 3 }, column[] = { SECOND, FOOT_2, TABLE, FIRST, FOOT_1, TABLE };
    const double value[] = { 4, -1, 3, 2, -1, 1 }, b[] = { 5, 6, -6, 0 }, right[N] = { 2.5, 1.5, 0, 3, 3 };
    double x[N];
    struct decoupled *de = decoupled_create(N, 4, 6);
    decoupled_set(de, N, 4, 6, row, column);
    assert_int_equal(decoupled_n_groups(de), 3);
    assert_true(decoupled_solve(de, value, b, x));
    for (int i = 0; i < N; i++)
        assert_near(x[i], right[i], 1e-14);
    decoupled_free(de);
}

/* Rows that contradict each other meet in the middle; a column without rows stays 0, a row without columns is nobody's. A second
 * pattern takes the place of the first. */
static void what_cannot_hold_is_nearly_held(void **state)
{
    (void)state;
    const int row[] = { 0, 1, 2, 2 }, column[] = { 0, 0, 0, 1 };
    const double one[] = { 1, 1, 1, 1 }, b[] = { 1, 3, 7 };
    double x[3] = { 9, 9, 9 };
    struct decoupled *de = decoupled_create(3, 3, 4);
    decoupled_set(de, 2, 3, 4, row, column);
    assert_int_equal(decoupled_n_groups(de), 1);
    assert_true(decoupled_solve(de, one, b, x));                /* x_0 is 2, and x_1 takes what row 2 needs */
    assert_near(x[0], 2, 1e-14);
    assert_near(x[1], 5, 1e-14);
    decoupled_set(de, 3, 3, 2, row, column);
    assert_int_equal(decoupled_n_groups(de), 4);
    assert_true(decoupled_solve(de, one, b, x));
    assert_near(x[0], 2, 1e-14);
    assert_true(x[1] == 0 && x[2] == 0);
    decoupled_free(de);
    decoupled_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_are_groups),
        cmocka_unit_test(what_cannot_hold_is_nearly_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
