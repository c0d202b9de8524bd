/* tests/unit/test_stopped.c - transcription/solve/finishing.h: what a solve that is stopped without a solution leaves */
#include "tests/unit/phase_problem.h"

#include "transcription/solve/finishing.h"

#include <math.h>
#include <signal.h>
#include <string.h>

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
    assert_int_equal(out.status, STATUS_INTERRUPTED);
    assert_non_null(out.best.ph);
    assert_false(out.best.solved);
    assert_non_null(strstr(out.reason, "final value of h"));
    if (out.discovery.tr)
        assert_true(out.best.violation < fmax(out.discovery.homotopy.violation, out.discovery.homotopy.complementarity));
    finished_free(&out);
    phase_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_nearest_sequence_is_kept) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
