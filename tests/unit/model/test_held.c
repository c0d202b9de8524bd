/* test_held.c - continuous controls: solutions that are derived by hand, and what is read */
#include "tests/unit/small_problem.h"
#include "tests/unit/assertions.h"

static double solved(struct small_problem *problem, double *T)
{
    small_transcribe(problem);
    struct guess *guess = guess_from_waypoints(problem->model);
    tr_apply_guess(problem->tr, guess, false);
    guess_free(guess);
    struct homotopy_result result = small_solve(problem);
    assert_int_equal(result.status, STATUS_OK);
    const double objective = result.objective;
    if (T)
        *T = result.w[problem->tr->T];
    homotopy_result_free(&result);
    return objective;
}

/* Rest to rest over 1 in 1 s with the least integral of u^2: u = 6 - 12 t, 12. Piecewise linear and quadratic controls
 * contain it, on any number of intervals; constant ones do not: on four, u = 6 - 12 t at the middles, 12.8. */
static void lines_and_splines_contain_the_best_line(void **state)
{
    (void)state;
    static const struct { const char *hold; double objective; } of[] =
        { { "constant", 12.8 }, { "linear", 12 }, { "spline", 12 } };
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        char spec[500];
        (void)snprintf(spec, sizeof spec, "cocp: 1\ntime: {horizon: 1, intervals: 4, elements: 1}\n"
                       "states: {x: {initial: 0, final: 1}, v: {initial: 0, final: 0}}\n"
                       "controls: {u: {hold: %s, bounds: [-10, 10]}}\n"
                       "dynamics: {type: ode, rhs: {x: v, v: u}}\ncost: {running: {effort: u^2}}\n", of[k].hold);
        struct small_problem problem = small_read(spec);
        assert_near(solved(&problem, NULL), of[k].objective, 1e-8);
        small_free(&problem);
    }
}

/* Rest to rest over 1 in the shortest time with |u'| <= 1, u = 0 at both ends: u' = 1, -1, 1 with switches at a quarter
 * and three quarters, T^3 = 32. */
static void rates_are_bounded(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\ntime: {horizon: {min: 0.5, max: 9, guess: 3}, intervals: 4, elements: 1}\n"
        "states: {x: {initial: 0, final: 1}, v: {initial: 0, final: 0}}\n"
        "controls: {u: {rate: [-1, 1], initial: 0, final: 0}}\n"
        "dynamics: {type: ode, rhs: {x: v, v: u}}\ncost: {terminal: {time: t}}\n");
    double T;
    assert_near(solved(&problem, &T), cbrt(32), 1e-7);
    assert_near(T, cbrt(32), 1e-7);
    small_free(&problem);
}

/* The states of a spline are the control and its slope, after those of the spec; the decision is the slope's slope. */
static void names_and_bounds(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\ntime: {horizon: 1, intervals: 4}\nstates: {x: {initial: 0}}\n"
        "controls: {a: {bounds: [0, 1]}, b: {hold: spline, bounds: [-3, 4], rate: [-5, 6], initial: 2, units: N}}\n"
        "dynamics: {type: ode, rhs: {x: a*b + b_rate}}\ncost: {running: {smooth: b_curvature^2}}\n");
    const struct model *m = problem.model;
    assert_int_equal(m->n_x, 3);
    assert_int_equal(m->n_u, 2);
    assert_string_equal(m->x[1].name, "b");
    assert_string_equal(m->x[2].name, "b_rate");
    assert_string_equal(m->x[2].units, "N/s");
    assert_string_equal(m->u[1].name, "b_curvature");
    assert_true(m->x[1].lb == -3 && m->x[1].ub == 4 && m->x[2].lb == -5 && m->x[2].ub == 6);
    assert_true(m->x[1].initial.kind == END_FIXED && m->x[1].initial.lo == 2 && m->x[2].initial.kind == END_FREE);
    assert_true(m->dynamics.rhs[1] == m->x_sym[2] && m->dynamics.rhs[2] == m->u_sym[1]);
    assert_null(model_find_held(m, 0));
    assert_int_equal(model_find_held(m, 2)->x, 1);
    small_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_and_splines_contain_the_best_line),
        cmocka_unit_test(rates_are_bounded),
        cmocka_unit_test(names_and_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
