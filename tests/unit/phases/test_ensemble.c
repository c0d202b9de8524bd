/* test_ensemble.c - programs as one, and plans for several scenarios, against closed forms */
#include "core/nlp/joined.h"
#include "transcription/ensemble/ensemble.h"
#include "transcription/ensemble/settings.h"

#include "core/model/read/read.h"
#include "tests/unit/quadratic.h"
#include "tests/unit/small_problem.h"
#include "transcription/program/check.h"

/* --- Programs as one ----------------------------------------------------------------------------------------- */

/* f = sum_i (i + 1) (w_i - place)^2 / 2, one curved row w'w <= 100, no bounds to speak of. */
static struct mpcc bowl(struct quadratic *q, int n, double place)
{
    quadratic_init(q, n, 1);
    for (int i = 0; i < n; i++) {
        q->Q[i][i] = i + 1;
        q->c[i] = -(i + 1) * place;
        q->f0 += 0.5 * (i + 1) * place * place;
        q->P[0][i][i] = 2;
        q->a[0][i] = 0.1 * i;
        q->lbw[i] = -50;
        q->ubw[i] = 50;
    }
    q->Q[0][n - 1] = q->Q[n - 1][0] = 0.5;
    q->lbg[0] = -INFINITY;
    q->ubg[0] = 100;
    return quadratic_mpcc(q);
}

/* Two bowls of three variables: the first of one is the last of the other, at other places of the whole. */
static const int places[2][3] = { { 3, 1, 0 }, { 2, 4, 3 } };

static void derivatives_are_those_of_differences(void **state)
{
    (void)state;
    for (int worst = 0; worst < 2; worst++) {
        struct quadratic q[2];
        const struct mpcc a = bowl(&q[0], 3, 1), b = bowl(&q[1], 3, -2);
        const struct joined_part part[] = { { &a.nlp, places[0], 0.3 }, { &b.nlp, places[1], 0.7 } };
        struct joined *joined = joined_create(2, part, 5, worst);
        const double w0[6] = { 0.3, -0.2, 0.5, 0.1, 1.2, 4 };
        const struct derivative_check found = derivative_check(joined_nlp(joined), w0, 5, 1);
        assert_true(found.finite);
        assert_near(found.grad, 0, 1e-8);
        assert_near(found.jac, 0, 1e-8);
        assert_near(found.hess, 0, 1e-8);
        joined_free(joined);
    }
}

static double solve_joint(const struct joined_part *part, bool worst, double *w)
{
    const struct nlp_settings settings = { .tol = 1e-10, .dual_inf_tol = NAN, .constr_viol_tol = NAN, .compl_inf_tol = NAN,
                                           .acceptable_tol = NAN, .max_iter = 200, .monotone = true, .mu_init = 0.1,
                                           .push = NAN, .max_seconds = INFINITY };
    struct joined *joined = joined_create(2, part, 1, worst);
    double lambda[4] = { 0 }, z[4] = { 0 };
    struct nlp_point point = { w, lambda, z, z + 2 };
    struct nlp_info info;
    struct diag *diag = diag_create();
    assert_int_equal(nlp_solve(joined_nlp(joined), &settings, &point, NULL, NULL, &info, diag), STATUS_OK);
    assert_int_equal(info.outcome, NLP_SOLVED);
    diag_free(diag);
    joined_free(joined);
    return info.f;
}

/* min over one variable of (w - 1)^2/2 and (w + 2)^2/2: the weighted mean at the mean place, the worst case half-way. */
static void a_common_variable_stands_between(void **state)
{
    (void)state;
    struct quadratic q[2];
    struct mpcc a = bowl(&q[0], 1, 1), b = bowl(&q[1], 1, -2);
    q[0].Q[0][0] = q[1].Q[0][0] = 1;            /* the corner of a bowl of one variable is its diagonal */
    const int var[] = { 0 };
    const struct joined_part part[] = { { &a.nlp, var, 0.25 }, { &b.nlp, var, 0.75 } };
    double w[2] = { 0, 3 };
    assert_near(solve_joint(part, false, w), 0.25 * 2.25 * 2.25 / 2 + 0.75 * 0.75 * 0.75 / 2, 1e-8);
    assert_near(w[0], -1.25, 1e-8);
    assert_near(solve_joint(part, true, w), 1.125, 1e-6);
    assert_near(w[0], -0.5, 1e-6);
}

/* --- Plans --------------------------------------------------------------------------------------------------- */

enum { MOST = 5 };

struct plan {
    int n;
    struct small_problem nominal, one[MOST];
    struct ensemble found;
};

/* A plan for the values of the spec's %g, the first of which is the nominal one. */
static void solve_plan(struct plan *plan, const char *spec, int n, const double *value, const double *weight, bool worst)
{
    static struct solver_settings no_options;
    struct finish_settings finish;
    struct model *model[MOST];
    static const char *const name[MOST] = { "1", "2", "3", "4", "5" };
    const double distance[MOST] = { 0, 1, 2, 3, 4 };
    char text[1200];
    plan->n = n;
    for (int k = 0; k <= n; k++) {
        struct small_problem *one = k ? &plan->one[k - 1] : &plan->nominal;
        (void)snprintf(text, sizeof text, spec, value[k ? k - 1 : 0]);
        *one = small_read(text);
        if (k)
            model[k - 1] = one->model;
    }
    struct small_problem *first = &plan->nominal;
    const struct setting_eval eval = model_eval(first->model);
    assert_int_equal(finish_settings_read(NULL, &eval, &finish, first->diag), STATUS_OK);
    const struct ensemble_task task = {
        .solve = { .model = first->model, .discretization = &first->settings, .homotopy = &first->homotopy,
                   .solver = &no_options, .max_seconds = 60 },
        .finish = &finish, .n = n, .model = model, .name = name, .weight = weight, .distance = distance, .worst = worst
    };
    if (ensemble_check(&task, first->diag) != STATUS_OK || ensemble_solve(&task, &plan->found, first->diag) != STATUS_OK)
        small_fail(first);
    assert_int_equal(plan->found.status, STATUS_OK);
}

static void plan_free(struct plan *plan)
{
    ensemble_free(&plan->found);
    for (int k = 0; k < plan->n; k++)
        small_free(&plan->one[k]);
    small_free(&plan->nominal);
}

/* A mass whose motor is b times as strong as it should be, from 0 to 1 in 1 s: with u constant in 10 intervals of h,
 * q(1) = b c'u, c_i = h (1 - t_i) from the middle of each. The cost depends on c'u alone, so u = k c, with S = c'c:
 *   k = 5 E[b] / (h + 5 E[b^2] S): the more uncertain, the more careful. */
static const char motor[] =
    "cocp: 1\n"
    "parameters: {b: %g}\n"
    "time: {horizon: 1, intervals: 10}\n"
    "states: {q: {initial: 0}, v: {initial: 0}}\n"
    "controls: {u: }\n"
    "dynamics: {type: ode, rhs: {q: v, v: b*u}}\n"
    "cost: {running: {effort: u^2}, terminal: {goal: 5*(q - 1)^2}}\n";
#define H 0.1

static double motor_S(void)
{
    double S = 0;
    for (int i = 0; i < 10; i++)
        S += H * H * (1 - (i + 0.5) * H) * (1 - (i + 0.5) * H);
    return S;
}

static double motor_cost(double k, double b)
{
    const double S = motor_S(), miss = b * k * S - 1;
    return H * k * k * S + 5 * miss * miss;
}

/* Controls of every scenario are k c. */
static void assert_motor(const struct plan *plan, double k, double tol)
{
    for (int s = 0; s < plan->n; s++) {
        const struct finish *best = &plan->found.one[s].solution.best;
        for (int i = 0; i < 10; i++)
            assert_near(best->w[best->ph->at.u[i]], k * H * (1 - (i + 0.5) * H), tol);
    }
}

static void the_mean_of_linear_quadratic_scenarios(void **state)
{
    (void)state;
    const double b[] = { 1, 0.5, 1.8 }, weight[] = { 0.5, 0.25, 0.25 };
    double mean = 0, square = 0, cost = 0;
    struct plan plan;
    for (int s = 0; s < 3; s++) {
        mean += weight[s] * b[s];
        square += weight[s] * b[s] * b[s];
    }
    const double k = 5 * mean / (H + 5 * square * motor_S());
    solve_plan(&plan, motor, 3, b, weight, false);
    assert_motor(&plan, k, 1e-7);
    for (int s = 0; s < 3; s++) {
        assert_near(plan.found.one[s].solution.best.objective, motor_cost(k, b[s]), 1e-7);
        cost += weight[s] * motor_cost(k, b[s]);
    }
    assert_near(plan.found.objective, cost, 1e-8);
    plan_free(&plan);
}

static double motor_worst(double k)
{
    return fmax(motor_cost(k, 0.5), fmax(motor_cost(k, 1), motor_cost(k, 1.8)));
}

/* The largest of three parabolas in k, by golden sections. */
static void the_worst_of_linear_quadratic_scenarios(void **state)
{
    (void)state;
    const double b[] = { 1, 0.5, 1.8 }, weight[] = { 0.4, 0.3, 0.3 }, ratio = 0.5 * (sqrt(5) - 1);
    double lo = 0, hi = 100;
    struct plan plan;
    for (int i = 0; i < 100; i++) {
        const double c = hi - ratio * (hi - lo), d = lo + ratio * (hi - lo);
        if (motor_worst(c) < motor_worst(d))
            hi = d;
        else
            lo = c;
    }
    solve_plan(&plan, motor, 3, b, weight, true);
    assert_near(plan.found.objective, motor_worst(lo), 1e-6);
    assert_motor(&plan, lo, 1e-5);
    plan_free(&plan);
}

static void equal_scenarios_are_one(void **state)
{
    (void)state;
    const double b[] = { 1, 1, 1, 1 }, weight[] = { 0.1, 0.2, 0.3, 0.4 };
    for (int worst = 0; worst < 2; worst++) {
        struct plan plan;
        solve_plan(&plan, motor, 4, b, weight, worst);
        assert_near(plan.found.objective, plan.found.nominal.solution.best.objective, 1e-7);
        assert_motor(&plan, 5 / (H + 5 * motor_S()), 1e-6);
        plan_free(&plan);
    }
}

/* q' = p b and q' = b over a time T to be chosen: p and T are the same for all, E[b]/E[b^2]. */
static void parameters_and_horizon_are_common(void **state)
{
    (void)state;
    static const char slope[] =
        "cocp: 1\n"
        "parameters: {b: %g, p: {value: 0.5, optimize: [0, 10]}}\n"
        "time: {horizon: 1, intervals: 2}\n"
        "states: {q: {initial: 0}}\n"
        "dynamics: {type: ode, rhs: {q: p*b}}\n"
        "cost: {terminal: {goal: (q - 1)^2}}\n";
    static const char duration[] =
        "cocp: 1\n"
        "parameters: {b: %g}\n"
        "time: {horizon: {min: 0.1, max: 5, guess: 2}, intervals: 2}\n"
        "states: {q: {initial: 0}}\n"
        "dynamics: {type: ode, rhs: {q: b}}\n"
        "cost: {terminal: {goal: (q - 1)^2}}\n";
    const double b[] = { 1, 2 }, weight[] = { 0.5, 0.5 }, want = 1.5 / 2.5;
    struct plan plan;
    solve_plan(&plan, slope, 2, b, weight, false);
    for (int s = 0; s < 2; s++)
        assert_near(plan.found.one[s].solution.best.w[plan.found.one[s].solution.best.ph->at.p], want, 1e-7);
    plan_free(&plan);
    solve_plan(&plan, duration, 2, b, weight, false);
    for (int s = 0; s < 2; s++)
        assert_near(plan.found.one[s].solution.best.w[plan.found.one[s].solution.best.ph->at.T], want, 1e-7);
    plan_free(&plan);
}

/* A switch that each scenario passes at a time of its own: x' = 3 before x = 1, then 1, plus u, which is to be small.
 *   x(2) = 1 + (2 - t) (1 + u),  t = (1 - x0) / (3 + u) */
static void each_has_its_own_events(void **state)
{
    (void)state;
    static const char river[] =
        "cocp: 1\n"
        "parameters: {x0: %g}\n"
        "time: {horizon: 2, intervals: 1, elements: 4}\n"
        "states: {x: {initial: x0}}\n"
        "controls: {u: {bounds: [-0.9, 5]}}\n"
        "dynamics: {type: ode, rhs: {x: 'if(x < 1, 3, 1) + u'}}\n"
        "cost: {running: {effort: 0.01*u^2}, terminal: {goal: (x - 3.5)^2}}\n";
    const double x0[] = { 0, -1 }, weight[] = { 0.5, 0.5 };
    struct plan plan;
    solve_plan(&plan, river, 2, x0, weight, false);
    double least = INFINITY, at = NAN;
    for (double u = -0.9; u < 5; u += 1e-5) {
        double cost = 0.02 * u * u;
        for (int s = 0; s < 2; s++) {
            const double x = 1 + (2 - (1 - x0[s]) / (3 + u)) * (1 + u);
            cost += 0.5 * (x - 3.5) * (x - 3.5);
        }
        at = cost < least ? u : at;
        least = fmin(least, cost);
    }
    for (int s = 0; s < 2; s++) {
        const struct finish *best = &plan.found.one[s].solution.best;
        double start[8], event[4];
        assert_int_equal(best->ph->seq->n_event, 1);
        assert_near(best->w[best->ph->at.u[0]], at, 2e-5);
        phases_times(best->ph, best->w, start, event);
        assert_near(event[0], (1 - x0[s]) / (3 + best->w[best->ph->at.u[0]]), 1e-8);
    }
    assert_near(plan.found.objective, least, 1e-9);
    plan_free(&plan);
}

/* --- The block ----------------------------------------------------------------------------------------------- */

/* Quantiles of the normal distribution at 1/6, 1/2 and 5/6; a Latin hypercube; values in turn. */
static void scenarios_are_spread(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "parameters: {a: 2, b: 3}\n"
        "time: {horizon: 1, intervals: 1}\n"
        "states: {x: {initial: 0}}\n"
        "dynamics: {type: ode, rhs: {x: a*b}}\n"
        "scenarios: {vary: {parameters.a: {spread: 0.5}, parameters.b: {range: [1, 5]}}, number: 3}\n");
    struct scenario_settings settings;
    struct scenarios list;
    struct arena mem = { NULL };
    assert_int_equal(scenario_settings_read(spec_root(problem.spec), problem.model, &settings, problem.diag), STATUS_OK);
    assert_int_equal(scenarios_read(spec_root(problem.spec), problem.model, &settings, &mem, &list, problem.diag), STATUS_OK);
    assert_int_equal(list.n, 3);
    assert_int_equal(list.n_path, 2);
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        assert_near(list.value[2 * k], 2 + 0.5 * (k - 1) * 0.967421566101701, 1e-12);
        sum += list.value[2 * k + 1];
        assert_near(list.weight[k], 1.0 / 3, 1e-15);
    }
    assert_near(sum, 9, 1e-12);                 /* 1, 3 and 5 in some order */
    assert_int_equal(list.distance[scenarios_nominal(&list)] <= list.distance[0], 1);
    arena_free(&mem);
    scenario_settings_free(&settings);
    small_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_differences),
        cmocka_unit_test(a_common_variable_stands_between),
        cmocka_unit_test(the_mean_of_linear_quadratic_scenarios),
        cmocka_unit_test(the_worst_of_linear_quadratic_scenarios),
        cmocka_unit_test(equal_scenarios_are_one),
        cmocka_unit_test(parameters_and_horizon_are_common),
        cmocka_unit_test(each_has_its_own_events),
        cmocka_unit_test(scenarios_are_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
