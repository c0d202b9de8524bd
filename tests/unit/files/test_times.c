/* test_times.c - constraints at given times, and tables over time */
#include "core/results/results.h"

#include "tests/unit/phase_problem.h"

/* --- Reading ------------------------------------------------------------------------------------------------- */

static void expect_times(const struct model_constraint *c, int at, int n, const double *time)
{
    assert_int_equal(c->at, at);
    assert_int_equal(c->n_time, n);
    for (int k = 0; k < n; k++)
        assert_near(c->time[k], time[k], 1e-15);
}

static const char places[] =
    "cocp: 1\n"
    "parameters: {half: 1, s: 0.5}\n"
    "time: {horizon: 2, intervals: 8, elements: 2}\n"
    "states: {x: {initial: free}}\n"
    "dynamics: {type: ode, rhs: {x: 1}}\n"
    "constraints:\n"
    "  a: {expr: x^2 <= 10, at: 0.5 s}\n"
    "  b: {expr: x^2 <= 11, at: [0.25, 1.5s, (half + half) s]}\n"
    "  c: {expr: x^2 <= 12, at: {every: half/2 s}}\n"
    "  d: {expr: x^2 <= 13, at: [initial, {every: 0.25, from: 0.5 s, to: 0.9}]}\n"
    "  e: {expr: x^2 <= 14, at: 0.5 * s}\n"
    "  f: {expr: 0 <= x <= s, at: stages}\n";

/* Seconds have their unit; 2 * s is half of a parameter s. Ends are ends. */
static void times_are_read(void **state)
{
    (void)state;
    struct small_problem problem = small_read(places);
    const struct model_constraint *c = problem.model->constraints.constraint;
    expect_times(&c[0], AT_TIMES, 1, (double[]){ 0.25 });
    expect_times(&c[1], AT_TIMES | AT_FINAL, 2, (double[]){ 0.25, 0.75 });
    expect_times(&c[2], AT_TIMES | AT_INITIAL | AT_FINAL, 3, (double[]){ 0.25, 0.5, 0.75 });
    expect_times(&c[3], AT_TIMES | AT_INITIAL, 3, (double[]){ 0.25, 0.5, 0.75 });
    expect_times(&c[4], AT_TIMES, 1, (double[]){ 0.25 });
    small_free(&problem);
}

/* Hours, and what is written in other units: 30 min, 1800 s and 0.0625 d are 0.5, 0.5 and 1.5 h. Data of m^3 per hour. */
static void times_are_in_the_unit_of_the_spec(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "parameters: {h: 0.5}\n"
        "time: {unit: h, horizon: 2, intervals: 8, elements: 2}\n"
        "states: {x: {initial: free}}\n"
        "define: {ref: {through: {0 h: 1, 30 min: 2, 0.0625 d: 4}}}\n"
        "dynamics: {type: ode, rhs: {x: 1}}\n"
        "constraints:\n"
        "  a: {expr: x^2 <= 10, at: 0.5 h}\n"
        "  b: {expr: x^2 <= 11, at: [30 min, 5400s, (h + h) h]}\n"
        "  c: {expr: x^2 <= 12, at: {every: 1800 s}}\n"
        "  d: {expr: x^2 <= 13, at: 0.5 * h}\n"
        "  e: {expr: x^2 <= ref, at: final}\n");
    const struct model_constraint *c = problem.model->constraints.constraint;
    assert_string_equal(problem.model->time.unit, "h");
    assert_near(model_unit_seconds(problem.model), 3600, 0);
    expect_times(&c[0], AT_TIMES, 1, (double[]){ 0.25 });
    expect_times(&c[1], AT_TIMES, 3, (double[]){ 0.25, 0.5, 0.75 });
    expect_times(&c[2], AT_TIMES | AT_INITIAL | AT_FINAL, 3, (double[]){ 0.25, 0.5, 0.75 });
    expect_times(&c[3], AT_TIMES, 1, (double[]){ 0.25 });
    small_free(&problem);
}

/* A unit that nobody knows is a label, and its times are read. */
static void a_unit_may_be_unknown(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\ntime: {unit: year, horizon: 2, intervals: 8}\nstates: {x: {initial: free}}\n"
        "dynamics: {type: ode, rhs: {x: 1}}\nconstraints: {a: {expr: x^2 <= 10, at: 0.5 year}}\n");
    assert_string_equal(problem.model->time.unit, "year");
    assert_true(isnan(model_unit_seconds(problem.model)));
    expect_times(&problem.model->constraints.constraint[0], AT_TIMES, 1, (double[]){ 0.25 });
    small_free(&problem);
}

/* One row for each time, where its control interval ends: interval 1 ends with element 3. */
static void each_time_has_a_row(void **state)
{
    (void)state;
    struct small_problem problem = small_read(places);
    const struct transcription *tr = small_transcribe(&problem);
    static const char *const name[] = { "a", "b", "c", "d", "e" };
    static const int want[] = { 1, 3, 5, 4, 1 };
    for (int i = 0; i < 5; i++) {
        int n = 0;
        for (int row = tr->rows.first_constraint; row < tr->rows.end_constraint; row++)
            n += strcmp(tr->mpcc.row[row].name, name[i]) == 0;
        assert_int_equal(n, want[i]);
    }
    const struct mpcc_label *first = &tr->mpcc.row[tr->rows.first_constraint];
    assert_string_equal(first->name, "a");
    assert_int_equal(first->element, 3);
    assert_int_equal(first->stage, 2);
    small_free(&problem);
}

/* --- Solutions ----------------------------------------------------------------------------------------------- */

/* Below 10 the rate of x is u - 1; it costs (u - 1)^2. From 0 past 1 at 0.5 s and -1 at 1.5 s back to 0 at 2 s straight
 * lines are the cheapest: 1/0.5 + 4/1 + 1/0.5 = 8. */
static const char posts[] =
    "cocp: 1\n"
    "time: {horizon: 2, intervals: 4, elements: 1}\n"
    "states: {x: {initial: 0, final: 0}}\n"
    "controls: {u: {guess: 1}}\n"
    "dynamics: {type: ode, rhs: {x: u + sign(x - 10)}}\n"
    "cost: {running: {effort: (u - 1)^2}}\n"
    "constraints:\n"
    "  high: {expr: x == 1, at: 0.5 s}\n"
    "  low: {expr: x <= -1, at: 0.75}\n";

static const double rate[] = { 2, -2, -2, 2 };

static void posts_are_passed_on_straight_lines(void **state)
{
    (void)state;
    static const enum method method[] = { METHOD_FESD, METHOD_TIME_STEPPING };
    for (int k = 0; k < 2; k++) {
        struct small_problem problem = small_read(posts);
        problem.settings.method = method[k];
        small_transcribe(&problem);
        struct guess *guess = guess_from_waypoints(problem.model);
        tr_apply_guess(problem.tr, guess, false);
        guess_free(guess);
        struct homotopy_result result = small_solve(&problem);
        assert_int_equal(result.status, STATUS_OK);
        assert_near(result.objective, 8, 1e-6);
        for (int i = 0; i < 4; i++)
            assert_near(result.w[problem.tr->u[i]] - 1, rate[i], 1e-6);
        homotopy_result_free(&result);
        small_free(&problem);
    }
}

static void finished_posts_are_exact(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(posts, 3, 1);
    struct finish out = phase_solve(&problem, "n", NULL);
    for (int i = 0; i < 4; i++)
        assert_near(out.w[out.ph->at.u[i]] - 1, rate[i], 1e-8);
    finish_free(&out);
    phase_free(&problem);
}

/* --- Sampled costs ------------------------------------------------------------------------------------------- */

/* x = 1 + p t below 10, seen as 1, 1.5, 3 and 4 at 0, 0.5, 1 and 2 s: the least sum of squares is at p = sum t (y - 1) /
 * sum t^2 = 8.25/5.25 = 11/7, sum (y - 1 - p t)^2 = 13.25 - 8.25^2/5.25 = 2/7. */
static const char fit[] =
    "cocp: 1\n"
    "parameters: {p: {value: 1, optimize: [-5, 5]}}\n"
    "time: {horizon: 2, intervals: 4, elements: 1}\n"
    "states: {x: {initial: 1}}\n"
    "define: {seen: {through: {0 s: 1, 0.5 s: 1.5, 1 s: 3, 2 s: 4}}}\n"
    "dynamics: {type: ode, rhs: {x: p + 1 + sign(x - 10)}}\n"
    "cost:\n"
    "  sampled: {misfit: {squares: {x: 2}, reference: {x: seen}, weight: 0.5, at: [2 s, 0.5, 0.5 s, 1 s, initial]}}\n";

static void samples_are_fitted(void **state)
{
    (void)state;
    struct small_problem problem = small_read(fit);
    small_transcribe(&problem);
    tr_apply_guess(problem.tr, NULL, false);
    struct homotopy_result result = small_solve(&problem);
    assert_int_equal(result.status, STATUS_OK);
    assert_near(result.w[problem.tr->p], 11.0 / 7, 1e-6);
    assert_near(result.objective, 2.0 / 7, 1e-8);
    homotopy_result_free(&result);
    small_free(&problem);
}

static void finished_samples_are_exact(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(fit, 3, 1);
    struct finish out = phase_solve(&problem, "n", NULL);
    assert_near(out.w[out.ph->at.p], 11.0 / 7, 1e-9);
    assert_near(out.objective, 2.0 / 7, 1e-10);
    finish_free(&out);
    phase_free(&problem);
}

/* Parts of a free horizon: t is 1 half-way where the horizon is 2. */
static void samples_move_with_a_free_horizon(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "time: {horizon: {min: 1, max: 5, guess: 4}, intervals: 2, elements: 1}\n"
        "states: {x: {initial: 0}}\n"
        "dynamics: {type: ode, rhs: {x: 1}}\n"
        "cost: {sampled: {a: {expr: '(x - 1)^2 + (t - 1)^2', at: 0.5}}}\n");
    small_transcribe(&problem);
    tr_apply_guess(problem.tr, NULL, false);
    struct homotopy_result result = small_solve(&problem);
    assert_int_equal(result.status, STATUS_OK);
    assert_near(result.w[problem.tr->T], 2, 1e-6);
    homotopy_result_free(&result);
    small_free(&problem);
}

/* --- Tables in seconds --------------------------------------------------------------------------------------- */

/* The table is t^2 whatever the horizon becomes: x(T) = T^3/3 = 8/3 at T = 2. */
static void tables_in_seconds_do_not_stretch(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "time: {horizon: {min: 1, max: 2.5, guess: 1.5}, intervals: 2, elements: 1}\n"
        "states: {x: {initial: 0, final: 8/3}}\n"
        "define: {rate: {through: {0: 0, 1 s: 1, 3 s: 9}, by: spline}}\n"
        "dynamics: {type: ode, rhs: {x: rate}}\n"
        "cost: {terminal: {time: t}}\n");
    small_transcribe(&problem);
    tr_apply_guess(problem.tr, NULL, false);
    struct homotopy_result result = small_solve(&problem);
    assert_int_equal(result.status, STATUS_OK);
    assert_near(result.objective, 2, 1e-7);
    homotopy_result_free(&result);
    small_free(&problem);
}

/* Guesses in seconds: of a fixed horizon. */
static void waypoints_have_seconds(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\ntime: {horizon: 4, intervals: 2}\nstates: {x: {initial: 0}}\n"
        "dynamics: {type: ode, rhs: {x: 1}}\nguess: {waypoints: {3 s: {x: 2}, 0.5: {x: 1}}}\n");
    assert_near(problem.model->guess.waypoint[0].fraction, 0.5, 0);
    assert_near(problem.model->guess.waypoint[1].fraction, 0.75, 1e-16);
    small_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_read),
        cmocka_unit_test(times_are_in_the_unit_of_the_spec),
        cmocka_unit_test(a_unit_may_be_unknown),
        cmocka_unit_test(each_time_has_a_row),
        cmocka_unit_test(posts_are_passed_on_straight_lines),
        cmocka_unit_test(finished_posts_are_exact),
        cmocka_unit_test(samples_are_fitted),
        cmocka_unit_test(finished_samples_are_exact),
        cmocka_unit_test(samples_move_with_a_free_horizon),
        cmocka_unit_test(tables_in_seconds_do_not_stretch),
        cmocka_unit_test(waypoints_have_seconds),
    };
    return cmocka_run_group_tests_name("times", tests, NULL, NULL);
}
