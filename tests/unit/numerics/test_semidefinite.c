/* Semidefinite programs with a known optimum. */
#include "core/sos/semidefinite.h"

#include "tests/unit/assertions.h"

/* The largest t with A - t I positive semidefinite is the least eigenvalue; A the second difference matrix. */
static void least_eigenvalue_is_an_optimum(void **state)
{
    (void)state;
    enum { N = 4 };
    struct lmi_entry entry[2 * N * N];
    int n = 0;
    for (int i = 0; i < N; i++) {
        entry[n++] = (struct lmi_entry){ 0, 0, i, i, -1 };
        entry[n++] = (struct lmi_entry){ 1, 0, i, i, 2 };
        if (i > 0)
            entry[n++] = (struct lmi_entry){ 1, 0, i - 1, i, -1 };
    }
    entry[n++] = (struct lmi_entry){ 1, -1, 0, 0, 1 };         /* 1 - y_1 >= 0 and y_1 - 1 >= 0, but for 1e-9 */
    entry[n++] = (struct lmi_entry){ 1, -1, 1, 1, -1 };
    const double b[2] = { -1, 0 }, rhs[2] = { -1 + 1e-9, 1 + 1e-9 };
    const int size[1] = { N };
    const struct lmi_program program = { 2, 1, 2, n, b, size, rhs, entry };
    double y[2];
    assert_int_equal(lmi_solve(&program, y, NULL), 0);
    assert_near(y[0], 2 - 2 * cos(acos(-1) / (N + 1)), 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(least_eigenvalue_is_an_optimum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
