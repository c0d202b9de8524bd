/* test_stopped.c - transcription/discover/discover.h: what a solve that is stopped without a solution leaves, and
 * that what it has found by then is replayed */
#define _POSIX_C_SOURCE 199309L

#include "tests/unit/phase_problem.h"

#include "transcription/discover/discover.h"
#include "transcription/candidates/discovery.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>

/* A ball that falls from 1 m, with a hundredth of a gravity to steer with: nothing takes it to 3 m. */
static const char spec[] =
    "cocp: 1\ntime: {horizon: 1, intervals: 4, elements: 1}\n"
    "states: {h: {initial: 1, final: 3}, v: {initial: 0}}\n"
    "controls: {u: {bounds: [-0.1, 0.1]}}\n"
    "dynamics: {type: mechanical, coordinates: {h: v}, mass: {diag: [1]}, force: {h: u - 9.81}}\n"
    "contacts: {floor: {gap: h, restitution: 0.5}}\n"
    "discretization: {method: fesd-j}\n";

struct watch { volatile sig_atomic_t interrupt; int n_line; };

/* Once a sequence has been told of. */
static void stop_then(void *user, const char *text)
{
    struct watch *watch = user;
    watch->n_line++;
    if (strstr(text, "event"))
        watch->interrupt = 1;
}

static void the_nearest_sequence_is_kept(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(spec, 3, 1);
    struct watch watch = { .interrupt = 0 };
    struct solver_settings solver = { .n_option = 0 };
    struct finish_settings settings;
    const struct setting_eval eval = { .number = NULL };
    assert_int_equal(finish_settings_read(NULL, &eval, &settings, problem.small.diag), STATUS_OK);
    const struct solve_task task = { .model = problem.small.model, .discretization = &problem.small.settings,
                                     .homotopy = &problem.small.homotopy, .solver = &solver, .max_seconds = 60, .jobs = 1,
                                     .interrupt = &watch.interrupt, .hooks = { .headline = stop_then, .user = &watch } };
    struct finished out;
    assert_int_equal(solve_finished(&task, &settings, &out, problem.small.diag), STATUS_INTERRUPTED);
    assert_true(watch.interrupt);
    assert_int_equal(out.solution.status, STATUS_INTERRUPTED);
    assert_non_null(out.solution.best.ph);
    assert_false(out.solution.best.solved);
    assert_non_null(strstr(out.solution.reason, "final value of h"));
    const struct homotopy_result *method = &out.record.discovery.homotopy;
    if (out.record.discovery.tr)
        assert_true(out.solution.best.violation < fmax(method->violation, method->complementarity));
    finished_free(&out);
    phase_free(&problem);
}

/* A heater that may start as often as it likes, at a price: there are more orders than time for them. */
static const char heater[] =
    "cocp: 1\ntime: {horizon: 40, intervals: 6, elements: 1}\n"
    "states: {T: {initial: 68.5}, miss: {initial: 0}, starts: {initial: 0}}\n"
    "controls: {call: {bounds: [0, 1], guess: 1}}\n"
    "machines:\n  heater:\n    states: {off: {}, on: {on: 1}}\n    transitions:\n"
    "      lit: {from: off, to: on, when: call >= 0.5, reset: {starts: starts + 1}}\n"
    "      out: {from: on, to: off, when: call <= 0.5}\n"
    "dynamics: {type: ode, rhs: {T: (40 + 60*on - T)/120, miss: \"max(0, T - 70) + max(0, 68 - T)\", starts: 0}}\n"
    "cost: {terminal: {miss: miss, starts: 4*starts}}\n"
    "discretization: {control_grid: free}\n";

struct slowly { double start, most; bool found; };

static void note_solution(void *user, const char *text)
{
    struct slowly *slowly = user;
    slowly->found |= strstr(text, "a solution with") != NULL;
}

/* Once there is a solution all else takes long, but for what is said when the time is over. */
static void take_long(void *user, const char *text)
{
    const struct slowly *slowly = user;
    const double left = slowly->most - (clock_seconds() - slowly->start);
    const struct timespec nap = { .tv_nsec = 200000000 };
    (void)text;
    if (slowly->found && left > 0)
        (void)nanosleep(&nap, NULL);
}

/* The search would go on for ever; the solution that it has by then is replayed all the same. */
static void time_is_kept_for_the_replay(void **state)
{
    (void)state;
    enum { SECONDS = 8 };
    struct phase_problem problem = phase_read(heater, 3, 1);
    struct solver_settings solver = { .n_option = 0 };
    struct finish_settings settings;
    struct slowly slowly = { .start = clock_seconds(), .most = SECONDS * (1 - REPLAY_SHARE) };
    const struct setting_eval eval = { .number = NULL };
    assert_int_equal(finish_settings_read(NULL, &eval, &settings, problem.small.diag), STATUS_OK);
    const struct solve_task task = { .model = problem.small.model, .discretization = &problem.small.settings,
                                     .homotopy = &problem.small.homotopy, .solver = &solver, .max_seconds = SECONDS, .jobs = 1,
                                     .hooks = { .note = take_long, .headline = note_solution, .user = &slowly } };
    struct finished out;
    assert_int_equal(solve_finished(&task, &settings, &out, problem.small.diag), STATUS_OK);
    assert_true(slowly.found && out.record.seconds > slowly.most && out.record.seconds < SECONDS);
    assert_int_equal(out.solution.status, STATUS_OK);
    assert_string_equal(out.solution.refusal, "");
    assert_true(out.solution.replay.error < 1e-6);
    assert_false(out.solution.exhausted);
    finished_free(&out);
    phase_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_nearest_sequence_is_kept),
                                        cmocka_unit_test(time_is_kept_for_the_replay) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
