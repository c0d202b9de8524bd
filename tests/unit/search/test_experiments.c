/* test_experiments.c - transcription/discover/experiments.h: two lines with one slope, to the end and stopped
 * before it */
#define _POSIX_C_SOURCE 200809L    /* SIGALRM */

#include "tests/unit/phase_problem.h"

#include "core/base/stop.h"
#include "transcription/discover/experiments.h"

#include <math.h>
#include <signal.h>

/* x' = a from x(0) = 0, measured once at t = 1 with a deviation of 1: a = y by itself, together their mean. */
#define LINE(y) \
    "cocp: 1\nparameters: {a: {value: 0, optimize: [-9, 9]}}\ntime: {horizon: 1, intervals: 2}\n" \
    "states: {x: {initial: 0}}\ndynamics: {type: ode, rhs: {x: a}}\n" \
    "data: {table: {t: [1], y: [" y "]}, columns: {x: y}, sigma: {x: 1}}\n"

static const double promised = 1e-7;            /* of solutions of multiphase programs (phases.md "IPOPT") */

struct pair {
    struct phase_problem problem[2];
    struct solver_settings solver;
    struct finish_settings settings;
    struct solve_task task[2];
    struct finished finished[2];
    struct experiment experiment[2];
    volatile sig_atomic_t interrupt;
};

/* Each by itself. */
static void pair_solve(struct pair *pair)
{
    static const char *const spec[2] = { LINE("1"), LINE("3") }, *const name[2] = { "one", "two" };
    const struct setting_eval eval = { .number = NULL };
    *pair = (struct pair){ .interrupt = 0 };
    for (int k = 0; k < 2; k++) {
        pair->problem[k] = phase_read(spec[k], 3, 1);
        struct small_problem *small = &pair->problem[k].small;
        assert_int_equal(finish_settings_read(NULL, &eval, &pair->settings, small->diag), STATUS_OK);
        pair->task[k] = (struct solve_task){ .model = small->model, .discretization = &small->settings,
                                             .homotopy = &small->homotopy, .solver = &pair->solver, .max_seconds = INFINITY,
                                             .jobs = 1, .interrupt = &pair->interrupt };
        assert_int_equal(solve_finished(&pair->task[k], &pair->settings, &pair->finished[k], small->diag), STATUS_OK);
        pair->experiment[k] = (struct experiment){ name[k], &pair->task[k], &pair->settings, 0, &pair->finished[k] };
    }
}

static void pair_free(struct pair *pair)
{
    for (int k = 0; k < 2; k++) {
        finished_free(&pair->finished[k]);
        phase_free(&pair->problem[k]);
    }
}

static double slope(const struct pair *pair, int k)
{
    const struct finish *best = &pair->finished[k].solution.best;
    return best->w[best->ph->at.p];
}

/* sum (a - y)^2 is least at the mean, where it is 1 + 1. */
static void together_the_slope_is_the_mean(void **state)
{
    (void)state;
    struct pair pair;
    pair_solve(&pair);
    assert_int_equal(experiments_solve(2, pair.experiment, pair.problem[0].small.diag), STATUS_OK);
    for (int k = 0; k < 2; k++) {
        assert_near(slope(&pair, k), 2, promised);
        assert_near(pair.finished[k].solution.best.objective, 1, promised);
        assert_int_equal(pair.finished[k].solution.status, STATUS_OK);
    }
    pair_free(&pair);
}

/* A signal before their programs are solved as one: each has the line through its own value, which costs nothing. */
static void stopped_each_keeps_its_own(void **state)
{
    (void)state;
    static const struct { int signal; enum status st; } all[] = { { SIGINT, STATUS_INTERRUPTED }, { SIGALRM, STATUS_LIMIT } };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct pair pair;
        pair_solve(&pair);
        pair.interrupt = 1;
        stop_ask(all[i].signal);
        assert_int_equal(experiments_solve(2, pair.experiment, pair.problem[0].small.diag), all[i].st);
        stop_forget();
        for (int k = 0; k < 2; k++) {
            assert_near(slope(&pair, k), 2 * k + 1, promised);
            assert_near(pair.finished[k].solution.best.objective, 0, promised);
            assert_true(pair.finished[k].solution.best.solved);
        }
        pair_free(&pair);
    }
}

/* The same at the end of the time. */
static void late_each_keeps_its_own(void **state)
{
    (void)state;
    struct pair pair;
    pair_solve(&pair);
    pair.task[0].max_seconds = pair.task[1].max_seconds = 0;
    assert_int_equal(experiments_solve(2, pair.experiment, pair.problem[0].small.diag), STATUS_LIMIT);
    assert_near(slope(&pair, 0), 1, promised);
    assert_near(slope(&pair, 1), 3, promised);
    pair_free(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(together_the_slope_is_the_mean), cmocka_unit_test(stopped_each_keeps_its_own),
        cmocka_unit_test(late_each_keeps_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
