/* test_problem_at.c - transcription/track/problem_at.h: what costs what it is missed by where it is out of
 * reach */
#include "tests/unit/small_problem.h"

#include "core/model/inputs.h"
#include "transcription/track/problem_at.h"

#include <math.h>

static const double weight = 50, horizon = 2;
static const double rounding = 1e-3;            /* of what is broken: near 0 its square is off by that, and its square */

static const char spec[] =
    "cocp: 1\ntime: {horizon: 2, intervals: 4}\n"
    "states: {x: {bounds: [0, 0.5], initial: 0.1, final: 0.2}, v: {initial: 0, final: [-1, 1]}, w: {initial: 0}}\n"
    "controls: {u: {bounds: [-9, 9]}}\n"
    "dynamics: {type: ode, rhs: {x: v, v: u, w: 0}}\n"
    "cost: {running: {effort: u^2}}\n"
    "constraints: {slow: -3 <= v <= 2, tie: x == x + w, gate: {expr: x <= 0.4, at: intervals}}\n";

/* The problem from a measured state on; model_free it. */
static struct model *measured(const struct small_problem *problem, const double *x)
{
    const struct problem_from from = { .horizon = TRACK_RECEDING, .t0 = 0.5, .total = horizon, .n_interval = 4, .x = x,
                                       .x_start = x };
    return problem_at(problem->model, &from);
}

/* Of x, v, w at rest; the control is none of its inputs but one that costs 0. */
static double value_of(struct model *model, expr e, const double *x)
{
    const double u = 0;
    struct function f = function_create(model, NULL, 1, &e);
    const double value = function_eval(&f, 0, x, &u)[0];
    function_free(&f);
    return value;
}

static double running_at(struct model *model, double position, double velocity)
{
    const double x[3] = { position, velocity, 0 };
    double sum = 0;
    for (int k = 0; k < model->costs.n_running; k++)
        sum += value_of(model, model->costs.running[k].e, x);
    return sum;
}

/* weight / horizon times the squares of what is broken, the position's of the width 0.5 of its bounds. */
static void what_is_broken_on_the_way_costs_its_square(void **state)
{
    (void)state;
    static const double x[3] = { -0.1, 0, 0 };
    struct small_problem problem = small_read(spec);
    struct model *at = measured(&problem, x);
    assert_true(problem_soften_path(at, weight));
    const double unit = weight / horizon, near = 2 * rounding;
    assert_near(running_at(at, -0.1, 0), unit * 0.01 / 0.25, near * unit);
    assert_near(running_at(at, 0.7, 0), unit * 0.04 / 0.25, near * unit);
    assert_near(running_at(at, 0.2, 2.3), unit * 0.09, near * unit);
    assert_near(running_at(at, 0.2, -4), unit, near * unit);
    assert_near(running_at(at, 0.2, 1), 0, near * near * unit);
    model_free(at);
    small_free(&problem);
}

/* Equalities, and what is asked where intervals end alone, are no inequalities along the path. */
static void others_stay(void **state)
{
    (void)state;
    static const double x[3] = { 0.1, 0, 0 };
    struct small_problem problem = small_read(spec);
    struct model *at = measured(&problem, x);
    assert_true(problem_soften_path(at, weight));
    assert_int_equal(at->constraints.n_constraint, 2);
    assert_string_equal(at->constraints.constraint[0].name, "tie");
    assert_string_equal(at->constraints.constraint[1].name, "gate");
    assert_false(isfinite(at->x[0].lb) || isfinite(at->x[0].ub));
    /* a copy was changed */
    assert_true(isfinite(problem.model->x[0].lb) && problem.model->constraints.n_constraint == 3);
    assert_false(problem_soften_path(at, weight));
    model_free(at);
    small_free(&problem);
}

/* A value that is fixed from both sides, a range from outside it. */
static void what_the_end_misses_costs_its_square(void **state)
{
    (void)state;
    static const double start[3] = { 0.1, 0, 0 }, end[2][3] = { { 0.1, 0, 0 }, { 0.2, 1.5, 0 } };
    struct small_problem problem = small_read(spec);
    struct model *at = measured(&problem, start);
    assert_true(problem_soften_end(at, weight));
    assert_int_equal(at->costs.n_terminal, 2);
    assert_near(value_of(at, at->costs.terminal[0].e, end[0]), weight * 0.01 / 0.25, 1e-12);
    assert_near(value_of(at, at->costs.terminal[1].e, end[0]), 0, weight * rounding * rounding);
    assert_near(value_of(at, at->costs.terminal[0].e, end[1]), 0, 1e-12);
    assert_near(value_of(at, at->costs.terminal[1].e, end[1]), weight * 0.25, 2 * rounding * weight);
    assert_int_equal(at->x[0].final.kind, END_FREE);
    assert_false(problem_soften_end(at, weight));
    model_free(at);
    small_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_broken_on_the_way_costs_its_square), cmocka_unit_test(others_stay),
        cmocka_unit_test(what_the_end_misses_costs_its_square),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
