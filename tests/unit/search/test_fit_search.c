/* test_fit_search.c - parameters of a fit whose simulation jumps, found by simulations alone */
#include "tests/unit/small_problem.h"

#include "transcription/proposals/fit_search.h"

#include <math.h>

static const struct simulated_limits none = { INFINITY, NULL };

/* 10 exp(-0.3 t), and 6 more where it is 2: its values to six digits. */
#define DOSES(guess, rest) \
    "cocp: 1\n" \
    "parameters: {ke: {value: " guess ", optimize: [0.05, 1]}}\n" \
    "time: {horizon: 20, intervals: 10, elements: 2}\n" \
    "states: {a: {initial: 10}}\n" \
    "machines: {pump: {start: on, states: {on: }, transitions: {gives: {from: on, to: on, when: a <= 2, reset: {a: a + 6}}}}}\n" \
    "dynamics: {type: ode, rhs: {a: -ke*a}}\n" \
    "data:\n" \
    "  table:\n" \
    "    t: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]\n" \
    "    level: [7.408182, 5.488116, 4.065697, 3.011942, 2.231302, 6.611956, 4.898257, 3.628718, 2.688221, 7.965931,\n" \
    "            5.901307, 4.371796, 3.238706, 2.399292, 7.109758, 5.267038, 3.901918, 2.890612, 2.141418]\n" \
    "  columns: {a: level}\n" rest

static void another_order_of_events_is_left(void **state)
{
    (void)state;
    static const char *const spec[] = { DOSES("0.21", "  sigma: {a: 0.1}\n"), DOSES("0.33", "  sigma: {a: 0.1}\n"),
                                        DOSES("0.8", "") };
    for (int k = 0; k < 3; k++) {
        struct small_problem problem = small_read(spec[k]);
        struct fit_search *at = fit_search_run(problem.model, 1, &none);
        assert_true(fit_search_fits(problem.model) && fit_search_n(at) > 0);
        struct sim *sim = fit_search_motion(at, 0, &none);
        assert_non_null(sim);
        assert_near(sim_p(sim)[0], 0.3, 2e-3);
        assert_int_equal(sim_n_events(sim), 4);
        for (int i = 1; i < fit_search_n(at); i++)
            assert_true(fit_search_misfit(at, i) >= fit_search_misfit(at, i - 1));
        sim_free(sim);
        fit_search_free(at);
        small_free(&problem);
    }
}

/* Upper quantiles 0.001 of chi-squared, from published tables. */
static void errors_stay_below_the_limit(void **state)
{
    (void)state;
    struct small_problem problem = small_read(DOSES("0.3", "  sigma: {a: 0.1}\n"));
    assert_near(fit_search_limit(problem.model), 42.312, 0.2);              /* 18 degrees of freedom */
    problem.model->data.n_row = 11;
    assert_near(fit_search_limit(problem.model), 29.588, 0.2);              /* 10 */
    problem.model->data.n_row = 1;
    assert_true(isinf(fit_search_limit(problem.model)));
    small_free(&problem);
}

/* A run with the compiled functions of another one is that with its own, whose restitution and gravity differ. */
static void functions_serve_other_parameters(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\nparameters: {g: {value: 9, optimize: [1, 20]}, e: {value: 0.5, optimize: [0, 1]}}\n"
        "time: {horizon: 2, intervals: 4}\nstates: {z: {initial: 1}, v: {initial: 0}}\n"
        "dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: -g}}\n"
        "contacts: {floor: {gap: z, restitution: e}}\n");
    const double first[] = { 9, 0.5 }, second[] = { 11, 0.8 };
    struct sim_task task;
    struct sim *by, *like, *own;
    struct diag *diag = diag_create();
    sim_task_init(&task, problem.model);
    task.p = first;
    assert_int_equal(sim_run(&task, &by, diag), STATUS_OK);
    task.p = second;
    assert_int_equal(sim_run(&task, &own, diag), STATUS_OK);
    task.like = by;
    assert_int_equal(sim_run(&task, &like, diag), STATUS_OK);
    double a[2], b[2];
    sim_eval(own, 2, -1, a);
    sim_eval(like, 2, -1, b);
    assert_int_equal(sim_n_events(own), sim_n_events(like));
    assert_true(sim_n_events(own) >= 3);
    assert_near(a[0], b[0], 1e-13);
    assert_near(a[1], b[1], 1e-13);
    sim_free(like);
    sim_free(own);
    sim_free(by);
    diag_free(diag);
    small_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_order_of_events_is_left),
        cmocka_unit_test(errors_stay_below_the_limit),
        cmocka_unit_test(functions_serve_other_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
