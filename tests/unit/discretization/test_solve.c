/* test_solve.c - attempts and fallbacks: what a solve tries, and what it says of it */
#include "transcription/solve/solve.h"

#include "tests/unit/small_problem.h"
#include "transcription/solve/fallback.h"
#include "transcription/solve/recipe.h"
#include "transcription/start/presolve.h"

static struct solver_settings no_options;

static struct solve_task task_of(struct small_problem *problem)
{
    return (struct solve_task){ .model = problem->model, .discretization = &problem->settings,
                                .homotopy = &problem->homotopy, .solver = &no_options, .max_seconds = 60 };
}

/* A mass falls on the ground without bounce while another state sinks from 2 to 1, on one side of its switch. */
static const char falling_beside_a_switch[] =
    "cocp: 1\n"
    "time: {horizon: 1, intervals: 1, elements: 6}\n"
    "states: {q: {initial: 0.5}, v: {initial: 0}, s: {initial: 2}}\n"
    "controls: {u: {bounds: [-1, 1]}}\n"
    "dynamics:\n"
    "  type: mechanical\n"
    "  coordinates: {q: v}\n"
    "  mass: {diag: [1]}\n"
    "  force: {q: -9.81 + u}\n"
    "  rhs: {s: -sign(s)}\n"
    "contacts: {ground: {gap: q}}\n"
    "cost: {running: {effort: u^2}}\n"
    "discretization: {method: time-freezing}\n";

/* Time-stepping takes no switches beside contacts: no presolve, and no word of it to the user. */
static void a_presolve_that_does_not_fit_says_nothing(void **state)
{
    (void)state;
    struct small_problem problem = small_read(falling_beside_a_switch);
    const struct solve_task task = task_of(&problem);
    struct solve_result result;
    assert_false(presolve_fits(problem.model, &problem.settings));
    assert_int_equal(solve_ocp(&task, &result, problem.diag), STATUS_UNVERIFIED);       /* its jump takes time */
    assert_int_equal(diag_n_errors(problem.diag), 0);
    const struct transcription *tr = result.tr;
    assert_true(fabs(result.homotopy.w[tr_y(tr, tr->n_element, 0, 0)]) <= 1e-6);        /* on the ground */
    assert_true(fabs(result.homotopy.w[tr_y(tr, tr->n_element, 0, 2)] - 1) <= 1e-6);
    solve_result_free(&result);
    small_free(&problem);
}

static const char smooth[] =
    "cocp: 1\n"
    "time: {horizon: 1, intervals: 2}\n"
    "states: {x: {initial: 0, final: 1}}\n"
    "controls: {u: }\n"
    "dynamics: {type: ode, rhs: {x: u - sign(x - 0.5)}}\n"
    "cost: {running: {effort: u^2}}\n";

/* Each fallback is made once, perturbed guesses differ in their seeds, and the list ends. */
static void fallbacks_end(void **state)
{
    (void)state;
    struct small_problem problem = small_read(smooth);
    const struct solve_task task = task_of(&problem);
    struct solve_result out = { .tr = small_transcribe(&problem) };
    out.homotopy.w = program_guess(problem.tr->prog);
    const struct solver solver = { .task = &task, .out = &out };
    const struct attempt base = fallback_plain(&solver);
    struct attempt attempt;
    int next = 0, n = 0;
    unsigned seeds = 0;
    while (fallback_next(&solver, &base, &next, &attempt)) {
        assert_true(attempt.extra_elements == 0);               /* no clock stands in the way */
        assert_false(attempt.seed != 0 && (seeds & 1u << attempt.seed));
        seeds |= attempt.seed ? 1u << attempt.seed : 0;
        n++;
    }
    assert_int_equal(n, 5);                     /* led to the goal, slower, other aggregation, two perturbed guesses */
    assert_int_equal(fallback_restarts(&solver), 0);
    small_free(&problem);
}

/* Stages lead on from each other: sigma falls, constraints and goal come back and stay. */
static void stages_to_the_goal_follow_each_other(void **state)
{
    (void)state;
    for (int k = 0; k < N_GUIDE_STAGES; k++) {
        assert_true(guide_stages[k].to < guide_stages[k].from);
        if (k == 0)
            continue;
        assert_true(guide_stages[k].to < guide_stages[k - 1].to);
        assert_true(guide_stages[k].constraints >= guide_stages[k - 1].constraints);
        assert_true(guide_stages[k].goal >= guide_stages[k - 1].goal);
    }
    assert_true(guide_stages[N_GUIDE_STAGES - 1].goal && guide_stages[N_GUIDE_STAGES - 1].constraints);
    assert_true(guide_stages[N_GUIDE_STAGES - 1].to >= GUIDED_SIGMA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_presolve_that_does_not_fit_says_nothing),
        cmocka_unit_test(fallbacks_end),
        cmocka_unit_test(stages_to_the_goal_follow_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
