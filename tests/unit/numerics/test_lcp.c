/* Lemke's method: closed forms, and random problems for which the theory promises a solution or a ray. */
#include "core/lcp/lcp.h"

#include "tests/unit/lcp_problems.h"
#include "tests/unit/assertions.h"

#include <float.h>

/* Of 100,000, all of which bench_lcp solves. */
enum { N_RANDOM = 15000 };

static enum lcp_outcome solve(int n, const double *M, const double *q, const struct lcp_choice *choice, double *z,
                              struct lcp_info *info)
{
    double w[LCP_MAX_N];
    struct lcp *lcp = lcp_create(n);
    const struct lcp_problem problem = { .n = n, .M = M, .ld = n, .q = q };
    const enum lcp_outcome outcome = lcp_solve(lcp, &problem, choice, z, w, info);
    info->ray_z = info->ray_w = NULL;       /* they go with the workspace */
    lcp_free(lcp);
    return outcome;
}

/* M z + q = 0 has a positive solution, which is then the only one: 2 a + b = 5, a + 2 b = 6. */
static void solution_of_the_equations_is_found(void **state)
{
    (void)state;
    const double M[] = { 2, 1, 1, 2 }, q[] = { -5, -6 };
    struct lcp_info info;
    double z[2];
    assert_int_equal(solve(2, M, q, NULL, z, &info), LCP_SOLVED);
    assert_near(z[0], 4.0 / 3, 4 * DBL_EPSILON);
    assert_near(z[1], 7.0 / 3, 4 * DBL_EPSILON);
    assert_true(info.z_0 == 0);
}

/* w = q solves at once if q >= 0, and so does q that is negative by rounding only. */
static void nonnegative_q_takes_no_pivot(void **state)
{
    (void)state;
    const double M[] = { 2, 1, 1, 2 }, q[] = { 3, -1e-16 };
    struct lcp_info info;
    double z[2];
    assert_int_equal(solve(2, M, q, NULL, z, &info), LCP_SOLVED);
    assert_int_equal(info.n_pivots, 0);
    assert_true(z[0] == 0 && z[1] == 0);
}

/* Rounding of a well-conditioned basis: 100 units in the last place of the largest term. */
static void random_copositive_problems_are_solved(void **state)
{
    (void)state;
    static struct lcp_case c;
    struct lcp *lcp = lcp_create(LCP_MAX_N);
    for (int k = 0; k < N_RANDOM; k++) {
        double z[LCP_MAX_N], w[LCP_MAX_N];
        struct lcp_info info;
        lcp_case_draw(&c, k);
        const struct lcp_problem problem = lcp_case_problem(&c);
        if (lcp_solve(lcp, &problem, NULL, z, w, &info) != LCP_SOLVED)
            fail_msg("problem %d %s", k, lcp_outcome_text(info.outcome));
        if (lcp_violation(&problem, z) > 100 * DBL_EPSILON * lcp_case_size(&c, z))
            fail_msg("problem %d: violation %g", k, lcp_violation(&problem, z));
        for (int i = 0; i < c.n; i++)
            assert_true(z[i] >= 0 && w[i] >= 0 && (z[i] == 0 || w[i] == 0));
    }
    lcp_free(lcp);
}

/* M = A A' + skew is copositive-plus: if there is no z >= 0 with M z + q >= 0, a ray u comes out with u >= 0,
 * M'u <= 0 and q'u < 0, and then Farkas' lemma says that there is indeed none. */
static void ray_proves_that_there_is_no_solution(void **state)
{
    (void)state;
    static struct lcp_case c;
    struct lcp *lcp = lcp_create(LCP_MAX_N);
    int n_rays = 0;
    uint64_t seed = 5;
    for (int trial = 0; trial < 1000; trial++) {
        c.n = 2 + trial % 20;
        lcp_draw_monotone(&c, c.n, 1 + c.n / 4, trial % 2, &seed);
        for (int i = 0; i < c.n; i++)
            c.q[i] = lcp_draw_entry(&seed, trial % 2) - 1;
        double z[LCP_MAX_N], w[LCP_MAX_N];
        struct lcp_info info;
        const struct lcp_problem problem = lcp_case_problem(&c);
        if (lcp_solve(lcp, &problem, NULL, z, w, &info) != LCP_RAY) {
            assert_int_equal(info.outcome, LCP_SOLVED);
            assert_null(info.ray_z);
            assert_true(lcp_violation(&problem, z) < 1e-11 * lcp_case_size(&c, z));
            continue;
        }
        n_rays++;
        double size = 0, slope = 0;
        for (int i = 0; i < c.n; i++) {
            assert_true(info.ray_z[i] >= 0 && info.ray_w[i] >= 0);
            size = fmax(size, info.ray_z[i]);
            slope += info.ray_z[i] * c.q[i];
        }
        for (int i = 0; i < c.n; i++) {
            double column = 0, row = info.ray_z_0;
            for (int j = 0; j < c.n; j++) {
                column += c.M[j + i * c.n] * info.ray_z[j];
                row += c.M[i + j * c.n] * info.ray_z[j];
            }
            assert_true(column <= 1e-9 * size);                 /* tolerances: rounding along some 30 pivots */
            assert_near(row, info.ray_w[i], 1e-9 * size);
        }
        assert_true(info.z_0 > 0 && slope < -1e-9 * size);
    }
    assert_in_range(n_rays, 50, 950);                           /* both outcomes have been seen */
    lcp_free(lcp);
}

/* Solutions are (1, 0), (0, 1) and (1/3, 1/3); with more cover on an unknown, its w is positive earlier. */
static void covering_vector_chooses_among_solutions(void **state)
{
    (void)state;
    const double M[] = { 1, 2, 2, 1 }, q[] = { -1, -1 };
    const double covers[][2] = { { 1, 2 }, { 2, 1 } };
    for (int k = 0; k < 2; k++) {
        const struct lcp_choice choice = { .cover = covers[k] };
        struct lcp_info info;
        double z[2];
        assert_int_equal(solve(2, M, q, &choice, z, &info), LCP_SOLVED);
        assert_true(z[k] == 1 && z[1 - k] == 0);
    }
}

/* With equal covers the two are tied, and the order decides. */
static void order_chooses_among_ties(void **state)
{
    (void)state;
    const double M[] = { 1, 2, 2, 1 }, q[] = { -1, -1 };
    const int orders[][2] = { { 0, 1 }, { 1, 0 } };
    double found[2][2];
    for (int k = 0; k < 2; k++) {
        const struct lcp_choice choice = { .order = orders[k] };
        struct lcp_info info;
        assert_int_equal(solve(2, M, q, &choice, found[k], &info), LCP_SOLVED);
    }
    assert_true(found[0][0] == found[1][1] && found[0][1] == found[1][0]);
    assert_true(found[0][0] != found[1][0]);
}

/* -u'' = 1 with u(0) = u(n + 1) = 0 has the solution i (n + 1 - i)/2; a floor u >= 0 does not touch it. A load of
 * -1 on the right half presses that part down. The condition of M is (n/pi)^2, about 1e4; z is of that size and
 * the terms of w are four times larger, so that rounding leaves 1e-7 of their products. */
static void several_hundred_unknowns(void **state)
{
    (void)state;
    enum { N = 300 };
    double *M = calloc((size_t)N * N, sizeof *M), *q = calloc(N, sizeof *q), *z = calloc(N, sizeof *z),
           *w = calloc(N, sizeof *w);
    for (int i = 0; i < N; i++) {
        M[i + i * N] = 2;
        if (i > 0)
            M[i + (i - 1) * N] = M[i - 1 + i * N] = -1;
        q[i] = -1;
    }
    struct lcp *lcp = lcp_create(N);
    struct lcp_info info;
    const struct lcp_problem problem = { .n = N, .M = M, .ld = N, .q = q };
    assert_int_equal(lcp_solve(lcp, &problem, NULL, z, w, &info), LCP_SOLVED);
    for (int i = 0; i < N; i++)
        assert_near(z[i], 0.5 * (i + 1) * (N - i), 1e-8);
    for (int i = N / 2; i < N; i++)
        q[i] = 1;
    assert_int_equal(lcp_solve(lcp, &problem, NULL, z, w, &info), LCP_SOLVED);
    assert_true(lcp_violation(&problem, z) < 1e-6);
    assert_true(z[N / 2] > 0 && z[N - 1] == 0);
    lcp_free(lcp);
    free(M);
    free(q);
    free(z);
    free(w);
}

/* Scales are powers of two, so that they change no bit of the solution. */
static void units_do_not_matter(void **state)
{
    (void)state;
    static struct lcp_case c, scaled;
    struct lcp_info info;
    for (int k = 0; k < 50; k++) {
        double z[LCP_MAX_N], z_scaled[LCP_MAX_N];
        lcp_case_draw(&c, k);
        scaled = c;
        for (int i = 0; i < c.n; i++) {
            scaled.q[i] = ldexp(c.q[i], -40);
            for (int j = 0; j < c.n; j++)
                scaled.M[i + j * c.n] = ldexp(c.M[i + j * c.n], 60);
        }
        assert_int_equal(solve(c.n, c.M, c.q, NULL, z, &info), LCP_SOLVED);
        assert_int_equal(solve(c.n, scaled.M, scaled.q, NULL, z_scaled, &info), LCP_SOLVED);
        for (int i = 0; i < c.n; i++)
            assert_true(z_scaled[i] == ldexp(z[i], -100));
    }
}

static void nan_and_infinity_are_reported(void **state)
{
    (void)state;
    const double bad[] = { NAN, INFINITY };
    for (int k = 0; k < 2; k++) {
        const double M[] = { 1, 0, 0, 1 }, M_bad[] = { 1, 0, bad[k], 1 };
        const double q[] = { -1, -1 }, q_bad[] = { -1, bad[k] };
        struct lcp_info info;
        double z[2];
        assert_int_equal(solve(2, M, q_bad, NULL, z, &info), LCP_NUMERIC);
        assert_int_equal(solve(2, M_bad, q, NULL, z, &info), LCP_NUMERIC);
        assert_true(isnan(z[0]));
        const struct lcp_problem problem = { .n = 2, .M = M_bad, .ld = 2, .q = q };
        assert_true(isinf(lcp_violation(&problem, q)));
    }
}

static void limit_on_pivots_is_kept(void **state)
{
    (void)state;
    const double M[] = { 2, 1, 1, 2 }, q[] = { -5, -6 };
    const struct lcp_choice choice = { .max_pivots = 2 };
    struct lcp_info info;
    double z[2];
    assert_int_equal(solve(2, M, q, &choice, z, &info), LCP_LIMIT);
    assert_int_equal(info.n_pivots, 2);
    assert_true(info.z_0 > 0);
}

static void violation_sees_each_kind(void **state)
{
    (void)state;
    const double M[] = { 1, 0, 0, 1 }, q[] = { -1, 2 };
    const struct lcp_problem problem = { .n = 2, .M = M, .ld = 2, .q = q };
    const double good[] = { 1, 0 }, negative_z[] = { 1, -0.25 }, negative_w[] = { 0.5, 0 }, product[] = { 1, 0.5 };
    assert_true(lcp_violation(&problem, good) == 0);
    assert_near(lcp_violation(&problem, negative_z), 0.25 * 1.75, 1e-15);
    assert_near(lcp_violation(&problem, negative_w), 0.5, 1e-15);
    assert_near(lcp_violation(&problem, product), 0.5 * 2.5, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solution_of_the_equations_is_found),
        cmocka_unit_test(nonnegative_q_takes_no_pivot),
        cmocka_unit_test(random_copositive_problems_are_solved),
        cmocka_unit_test(ray_proves_that_there_is_no_solution),
        cmocka_unit_test(covering_vector_chooses_among_solutions),
        cmocka_unit_test(order_chooses_among_ties),
        cmocka_unit_test(several_hundred_unknowns),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(nan_and_infinity_are_reported),
        cmocka_unit_test(limit_on_pivots_is_kept),
        cmocka_unit_test(violation_sees_each_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
