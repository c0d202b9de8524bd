/* test_budget.c - shares of the work so far, and what goes on where one has cut it short */
#include "tests/unit/phase_problem.h"

#include "transcription/candidates/budget.h"
#include "transcription/generators/generator.h"

/* Programs and homotopies count; a moment is always allowed; what is asked for beside the default has no bounds. */
static void a_share_is_of_all_work_before(void **state)
{
    (void)state;
    struct finished out = { .record = { .work = { .linear = { .entries = 3e6 } } } };
    struct discovery at = { .out = &out };
    out.record.discovery.linear.entries = 1e6;
    assert_true(budget_spent(&at) == 4e6);
    assert_true(budget_share(&at, 0.5) == 2e6);
    assert_true(budget_share(&at, 1e-3) == BUDGET_MOMENT);
    at.effort = AS_ASKED;
    assert_true(isinf(budget_share(&at, 0.5)));
}

/* A force that grows as 2 t moves a mass against dry friction of 1 N from t = 1/2 on, to (1 - 1/2)^3 / 3. The
 * sequence that moves at once has no solution; one beside it has. */
static void a_repair_that_was_cut_short_goes_on(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 1, intervals: 1, elements: 1}\n"
        "states: {x: {initial: 0}, v: {initial: 0}, f: {initial: 0}}\n"
        "dynamics: {type: ode, rhs: {x: v, v: f - sign(v), f: 2}}\n"
        "discretization: {method: fesd}\n", 3, 1);
    struct solver_settings solver = { .n_option = 0 };
    struct finish_settings settings;
    const struct setting_eval eval = { .number = NULL };
    assert_int_equal(finish_settings_read(NULL, &eval, &settings, problem.small.diag), STATUS_OK);
    const struct solve_task task = { .model = problem.small.model, .discretization = &problem.small.settings,
                                     .homotopy = &problem.small.homotopy, .solver = &solver,
                                     .max_seconds = INFINITY };
    struct finished out = { .sys = problem.sys };
    struct record *record = &out.record;
    struct discovery at = { .task = &task, .limited = task, .settings = &settings, .out = &out,
                            .diag = problem.small.diag };
    record->counts = (struct counts){ .used = mechanisms_used(settings.without, settings.only),
                                      .iterations = { &record->work.iterations, &record->discovery.iterations },
                                      .generator = MECHANISM_NONE };
    search_init(&at.search, &problem.task, &at.pool);

    struct sequence *seq = phase_sequence(&problem, "p");
    struct samples *samples = phase_constant(&problem, seq, NULL);
    struct finish cut;
    assert_int_equal(finish_solve(&problem.task, seq, samples, FINISH_COLD, 100, &cut, at.diag), STATUS_OK);
    assert_false(cut.solved);
    discovery_keep(&at, &cut);
    assert_false(repairs_were_cut(&at));
    at.pool.found[0].cut_short = true;
    assert_true(repairs_were_cut(&at));
    assert_int_equal(generate(&at, &cut_repairs), STATUS_OK);
    assert_true(pool_has_solution(&at.pool));
    assert_near(phase_final(&at.pool.found[0], 0), 0.125 / 3, 1e-9);
    assert_false(repairs_were_cut(&at));
    assert_true(record->counts.of[REPAIR].calls == 1 && budget_spent(&at) > 0);
    pool_free(&at.pool);
    samples_free(samples);
    sequence_free(seq);
    phase_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_share_is_of_all_work_before),
                                        cmocka_unit_test(a_repair_that_was_cut_short_goes_on) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
