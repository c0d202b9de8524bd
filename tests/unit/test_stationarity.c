/* tests/unit/test_stationarity.c - directions of descent of linear programs, and of the neighbours of a motion, by hand */
#define _POSIX_C_SOURCE 200809L
#include "core/nlp/descent.h"
#include "transcription/stationarity/stationarity.h"

#include "tests/unit/phase_problem.h"
#include "tests/unit/quadratic.h"
#include "tests/unit/sequence_text.h"

/* --- Pairs of two variables, 0 <= x _|_ y >= 0, at x = y = 0 ------------------------------------------------------ */

/* How fast f falls on the branch where x, or y, is held at 0. */
static double fall_on(struct quadratic *q, int held, double least)
{
    static const double origin[MAX_W] = { 0 };
    for (int i = 0; i < 2; i++) {
        q->lbw[i] = 0;
        q->ubw[i] = i == held ? 0 : INFINITY;
    }
    const struct mpcc mpcc = quadratic_mpcc(q);
    const struct nlp_descent found = nlp_find_descent(&mpcc.nlp, origin, NULL, DESCENT_RADIUS, least, NULL, NULL, NULL);
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

/* y^2 + y - x^2 ... with multipliers 1 and 0 - 1: -y + x^2 is M-stationary (0 and -1), and falls by 1 where y is free. */
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

/* Without independent gradients: x >= y twice as a row, and f = -x + 2 y. With y held at 0 f falls by 1, with x held y is
 * held, too. */
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

/* A bound from which a barrier has kept 1e-9 holds: f = x falls by that, over the radius. Along the row x + y = 1 the
 * direction is (-1, 1) / 1000. */
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

/* --- Motions ------------------------------------------------------------------------------------------------------- */

static struct stationarity stationarity_in(struct phase_problem *problem, struct finish *solution)
{
    const struct stationarity_limits limits = { .n_branch = 64, .work = INFINITY, .task = &problem->task };
    return stationarity_of(solution, &limits, NULL);
}

static void check(const char *spec, const char *sequence, const double *t, enum stationarity_is is, int n_pair, double fall,
                  const char *to)
{
    struct phase_problem problem = phase_read(spec, 3, 1);
    struct finish solution = phase_solve(&problem, sequence, t);
    struct stationarity found = stationarity_in(&problem, &solution);
    if (found.is != is)
        fail_msg("%s: %s, falls by %.3g to %s", sequence, stationarity_word(found.is), found.fall, found.what);
    if (n_pair >= 0)
        assert_int_equal(found.n_pair, n_pair);
    assert_true(found.n_branch > found.n_pair);
    assert_near(found.fall, fall, 1e-4);
    if (to)
        assert_text(found.seq, to);
    stationarity_free(&found);
    finish_free(&solution);
    phase_free(&problem);
}

/* x' = u below x = 1, 3 u above, u held in each of two seconds: with the crossing at time s, u_0 + u_1 = (X + 2) / 3 whatever
 * s is. From 0 to 2.5 the best is u_0 = u_1 = 0.75, and crosses in the second interval. Those that cross in the first one
 * have u_0 >= 1, so u_0 = 1, u_1 = 0.5, at its end, where u_0 - d, u_1 + d is cheaper by d, and later by 2 d, which is
 * 0.001 at most: half the radius, of a cost of 1.25. */
static const char faster_beyond_1[] =
        "cocp: 1\n"
        "time: {horizon: 2, intervals: 2, elements: 2}\n"
        "states: {x: {initial: 0, final: %s}}\n"
        "controls: {u: {bounds: [-5, 5], guess: 1.5}}\n"
        "dynamics: {type: ode, rhs: {x: u*(2 + sign(x - 1))}}\n"
        "cost: {running: {effort: u^2}}\n"
        "discretization: {method: fesd}\n";

static void an_event_at_the_end_of_its_interval_would_rather_be_later(void **state)
{
    (void)state;
    char spec[600];
    (void)snprintf(spec, sizeof spec, faster_beyond_1, "2.5");
    check(spec, "n 0.5 p", (const double[]){ 0.9 }, STATIONARITY_DESCENT, -1, 0.5 / 1.25, "n 1.5 p");
}

/* To 4 it takes u = 1 in both, and crosses just between them. */
static void where_both_sides_meet_their_optimum_it_is_b_stationary(void **state)
{
    (void)state;
    char spec[600];
    (void)snprintf(spec, sizeof spec, faster_beyond_1, "4");
    check(spec, "n 0.5 p", (const double[]){ 0.9 }, STATIONARITY_B, -1, 0, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_c_stationary_point_descends_on_both_branches),
        cmocka_unit_test(an_m_stationary_point_descends_on_one_branch),
        cmocka_unit_test(an_s_stationary_point_descends_on_none),
        cmocka_unit_test(rows_that_repeat_each_other_do_no_harm),
        cmocka_unit_test(slacks_are_kept_and_the_direction_is_told),
        cmocka_unit_test(an_event_at_the_end_of_its_interval_would_rather_be_later),
        cmocka_unit_test(where_both_sides_meet_their_optimum_it_is_b_stationary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
