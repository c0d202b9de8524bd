/* tests/unit/search/test_stationarity.c - how fast the objective falls in other sequences of a motion, by hand */
#define _POSIX_C_SOURCE 200809L
#include "transcription/stationarity/stationarity.h"

#include "tests/unit/phase_problem.h"
#include "tests/unit/sequence_text.h"

static struct stationarity stationarity_in(struct phase_problem *problem, struct finish *solution)
{
    const struct stationarity_limits limits = { .n_branch = 64, .work = INFINITY, .task = &problem->task };
    return stationarity_of(solution, &limits, 0, NULL);
}

static void check(const char *spec, const char *sequence, const double *t, enum stationarity_is is, int n_pair,
                  double fall, const char *to)
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

/* x' = u below x = 1, 3 u above, u held in each of two seconds: with the crossing at time s, u_0 + u_1 = (X + 2) /
 * 3 whatever s is. From 0 to 2.5 the best is u_0 = u_1 = 0.75, and crosses in the second interval. Those that
 * cross in the first one have u_0 >= 1, so u_0 = 1, u_1 = 0.5, at its end, where u_0 - d, u_1 + d is cheaper by d,
 * and later by 2 d, which is 0.001 at most: half the radius, of a cost of 1.25. */
static const char faster_beyond_1[] = "cocp: 1\n"
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

/* x and y rise from -1 to 0, x in one second, y in 1/u; z = 1/u - 1 in the end, whichever is first. Where x is
 * first u is 1 at most, and there -dz/du = 1; y, which ends at 2 u - 1, goes twice as far as u. */
static void events_at_one_time_would_rather_change_places(void **state)
{
    (void)state;
    static const char spec[] = "cocp: 1\n"
                               "time: {horizon: 2, intervals: 1, elements: 2}\n"
                               "states: {x: {initial: -1}, y: {initial: -1}, z: {initial: 0}}\n"
                               "controls: {u: {bounds: [0.5, 2], guess: 0.8}}\n"
                               "dynamics: {type: ode, rhs: {x: 1, y: u, z: (sign(x) - sign(y))/2}}\n"
                               "cost: {terminal: {z: z}}\n"
                               "discretization: {method: fesd}\n";
    check(spec, "nn 0.5 pn 0.5 pp", (const double[]){ 1, 1.2 }, STATIONARITY_DESCENT, -1, 0.5, "nn 0.5 np 0.5 pp");
}

/* x' = u_0 for a second and u_1 for another, from -1 and back to it. Of u^2 - 8 x the integral is 2 u_0^2 - 8 u_0
 * + 16: 10 at u_0 = 1, where x touches 0, with the slope -4. Beyond, the time above 0, z, grows twice as fast as
 * u_0. */
static void what_touches_its_surface_would_rather_cross_it(void **state)
{
    (void)state;
    static const char spec[] = "cocp: 1\n"
                               "time: {horizon: 2, intervals: 2, elements: 2}\n"
                               "states: {x: {initial: -1, final: -1}, z: {initial: 0}}\n"
                               "controls: {u: {bounds: [-5, 5]}}\n"
                               "dynamics: {type: ode, rhs: {x: u, z: step(x)}}\n"
                               "cost: {running: {effort: u^2, height: -8*x}}\n"
                               "discretization: {method: fesd}\n";
    check(spec, "n", NULL, STATIONARITY_DESCENT, -1, 4 * 0.5 / 10, "n 0.5 p 1.5 n");
}

/* The steepest program, run from the motion, is that of the better sequence: u_0 = u_1 = 0.75, 1.125. */
static void the_steepest_program_leads_to_the_better_sequence(void **state)
{
    (void)state;
    char spec[600];
    (void)snprintf(spec, sizeof spec, faster_beyond_1, "2.5");
    struct phase_problem problem = phase_read(spec, 3, 1);
    struct finish solution = phase_solve(&problem, "n 0.5 p", (const double[]){ 0.9 }), steepest;
    struct pool pool = { 0 };
    struct stationarity_limits limits = { .n_branch = 64, .work = INFINITY, .task = &problem.task, .run = &pool };
    struct stationarity found = stationarity_of(&solution, &limits, 1, &steepest);
    assert_near(solution.objective, 1.25, 1e-7);
    assert_non_null(steepest.ph);
    assert_near(steepest.objective, 1.25, 1e-6);
    assert_text(steepest.ph->seq, "n 1.5 p");
    assert_string_equal(steepest.move[0].what, "event 0 moved into the interval after it");
    assert_true(pool_is_new(&pool, POOL_DESCENT, steepest.ph->seq));
    assert_int_equal(finish_run(&problem.task, FINISH_WARM, 100, &steepest, problem.small.diag), STATUS_OK);
    assert_true(steepest.solved);
    assert_near(steepest.objective, 1.125, 1e-7);
    finish_free(&steepest);
    stationarity_free(&found);
    found = stationarity_of(&solution, &limits, 1, &steepest); /* it is known by now */
    assert_int_equal(found.is, STATIONARITY_DESCENT);
    assert_null(steepest.ph);
    stationarity_free(&found);
    pool_free(&pool);
    finish_free(&solution);
    phase_free(&problem);
}

/* Without work nothing is decided. */
static void a_limit_leaves_it_undecided(void **state)
{
    (void)state;
    char spec[600];
    (void)snprintf(spec, sizeof spec, faster_beyond_1, "2.5");
    struct phase_problem problem = phase_read(spec, 3, 1);
    struct finish solution = phase_solve(&problem, "n 0.5 p", (const double[]){ 0.9 });
    const struct stationarity_limits limits = { .n_branch = 1, .work = INFINITY, .task = &problem.task };
    struct stationarity found = stationarity_of(&solution, &limits, 0, NULL);
    assert_int_equal(found.is, STATIONARITY_NOT_DECIDED);
    assert_int_equal(found.n_branch, 1);
    assert_string_equal(stationarity_word(found.is), "not-decided");
    stationarity_free(&found);
    finish_free(&solution);
    phase_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_at_the_end_of_its_interval_would_rather_be_later),
        cmocka_unit_test(where_both_sides_meet_their_optimum_it_is_b_stationary),
        cmocka_unit_test(events_at_one_time_would_rather_change_places),
        cmocka_unit_test(what_touches_its_surface_would_rather_cross_it),
        cmocka_unit_test(the_steepest_program_leads_to_the_better_sequence),
        cmocka_unit_test(a_limit_leaves_it_undecided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
