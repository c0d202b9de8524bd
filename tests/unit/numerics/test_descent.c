/* tests/unit/numerics/test_descent.c - directions of descent, by hand: stationary points of programs with
 * complementarity that are stationary in one sense and not in another */
#include "core/nlp/descent.h"

#include "tests/unit/assertions.h"
#include "tests/unit/quadratic.h"

/* --- Pairs of two variables, 0 <= x _|_ y >= 0, at x = y = 0 ----------------------------------------------- */

/* How fast f falls on the branch where x, or y, is held at 0. */
static double fall_on(struct quadratic *q, int held, double least)
{
    static const double origin[MAX_W] = { 0 };
    for (int i = 0; i < 2; i++) {
        q->lbw[i] = 0;
        q->ubw[i] = i == held ? 0 : INFINITY;
    }
    const struct mpcc mpcc = quadratic_mpcc(q);
    const struct nlp_descent found =
        nlp_find_descent(&mpcc.nlp, origin, NULL, DESCENT_RADIUS, least, NULL, NULL, NULL);
    assert_true(found.is_known);
    return found.fall;
}

/* (x - 1)^2 + (y - 1)^2: both multipliers are -2, so the origin is C-stationary; f falls by 2 on either branch. */
static void a_c_stationary_point_descends_on_both_branches(void **state)
{
    (void)state;
    struct quadratic q;
    quadratic_init(&q, 2, 0);
    quadratic_square(&q, 0, 1, 1);
    quadratic_square(&q, 1, 1, 1);
    assert_near(fall_on(&q, 0, 1e-5), 2, 1e-6);
    assert_near(fall_on(&q, 1, 1e-5), 2, 1e-6);
}

/* x^2 - y: the multipliers are 0 and -1, so the origin is M-stationary; f falls by 1 where y is free. */
static void an_m_stationary_point_descends_on_one_branch(void **state)
{
    (void)state;
    struct quadratic q;
    quadratic_init(&q, 2, 0);
    quadratic_square(&q, 0, 0, 1);
    q.c[1] = -1;
    assert_near(fall_on(&q, 0, 1e-5), 1, 1e-6);
    assert_near(fall_on(&q, 1, 1e-5), 0, 1e-5);
}

/* x + y: strongly stationary; shown by multipliers, and by IPOPT where nothing is enough. */
static void an_s_stationary_point_descends_on_none(void **state)
{
    (void)state;
    struct quadratic q;
    quadratic_init(&q, 2, 0);
    q.c[0] = q.c[1] = 1;
    for (int held = 0; held < 2; held++) {
        assert_near(fall_on(&q, held, 1e-5), 0, 1e-5);
        assert_near(fall_on(&q, held, -1), 0, 1e-5);
    }
}

/* Without independent gradients: x >= y twice as a row, and f = -x + 2 y. With y held at 0 f falls by 1, with x
 * held y is held, too. */
static void rows_that_repeat_each_other_do_no_harm(void **state)
{
    (void)state;
    struct quadratic q;
    quadratic_init(&q, 2, 2);
    q.c[0] = -1;
    q.c[1] = 2;
    for (int i = 0; i < 2; i++) {
        q.a[i][0] = 1;
        q.a[i][1] = -1;
        q.ubg[i] = INFINITY;
    }
    assert_near(fall_on(&q, 1, 1e-5), 1, 1e-6);
    assert_near(fall_on(&q, 0, 1e-5), 0, 1e-5);
}

/* A bound from which a barrier has kept 1e-9 holds: f = x falls by that, over the radius. Along the row x + y = 1
 * the direction is (-1, 1) / 1000. */
static void slacks_are_kept_and_the_direction_is_told(void **state)
{
    (void)state;
    struct quadratic q;
    double w[MAX_W] = { 1e-9 }, d[2];
    quadratic_init(&q, 1, 0);
    q.c[0] = 1;
    q.lbw[0] = 0;
    struct mpcc mpcc = quadratic_mpcc(&q);
    struct nlp_descent found = nlp_find_descent(&mpcc.nlp, w, NULL, DESCENT_RADIUS, 1e-12, NULL, NULL, NULL);
    assert_true(found.is_known);
    assert_near(found.fall, 1e-9 / DESCENT_RADIUS, 1e-7);
    quadratic_init(&q, 2, 1);
    q.c[0] = 1;
    q.a[0][0] = q.a[0][1] = q.lbg[0] = q.ubg[0] = 1;
    w[0] = w[1] = 0.5;
    mpcc = quadratic_mpcc(&q);
    found = nlp_find_descent(&mpcc.nlp, w, NULL, DESCENT_RADIUS, 1e-5, d, NULL, NULL);
    assert_true(found.is_known);
    assert_near(found.fall, 1, 1e-6);
    assert_near(d[0], -DESCENT_RADIUS, 1e-8);
    assert_near(d[1], DESCENT_RADIUS, 1e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_c_stationary_point_descends_on_both_branches),
        cmocka_unit_test(an_m_stationary_point_descends_on_one_branch),
        cmocka_unit_test(an_s_stationary_point_descends_on_none),
        cmocka_unit_test(rows_that_repeat_each_other_do_no_harm),
        cmocka_unit_test(slacks_are_kept_and_the_direction_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
