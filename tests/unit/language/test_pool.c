/* Tests of core/base/pool.h. */
#define _POSIX_C_SOURCE 200809L

#include "core/base/pool.h"
#include "core/base/stop.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { N = 100 };

static const volatile sig_atomic_t nothing = 0, stop = SIGINT;

struct answer { double root; int piece; };

/* What came home; `refused` is a piece that is not taken, -1: none. */
struct home { int n, times[N], refused; double root[N]; };

static void find_root(void *user, int piece, void *answer)
{
    (void)user;
    *(struct answer *)answer = (struct answer){ sqrt(piece), piece };
}

static enum status take(void *user, int piece, const void *answer, struct diag *diag)
{
    struct home *home = user;
    const struct answer *got = answer;
    assert_int_equal(got->piece, piece);
    if (piece == home->refused)
        return diag_fail(diag, STATUS_SPEC, "piece %d is refused", piece);
    home->n++;
    home->times[piece]++;
    home->root[piece] = got->root;
    return STATUS_OK;
}

static struct pool_task task_of(struct home *home)
{
    *home = (struct home){ .refused = -1 };
    return (struct pool_task){ .n = N, .size = sizeof(struct answer), .work = find_root, .take = take, .user = home,
                               .max_seconds = INFINITY, .interrupt = &nothing };
}

static void every_piece_is_answered_once(void **state)
{
    (void)state;
    struct home home;
    struct diag *diag = diag_create();
    const struct pool_task task = task_of(&home);
    assert_int_equal(pool_run(&task, diag), STATUS_OK);
    assert_int_equal(home.n, N);
    for (int k = 0; k < N; k++) {
        assert_int_equal(home.times[k], 1);
        assert_true(home.root[k] == sqrt(k));
    }
    diag_free(diag);
}

static void nothing_to_do_is_done(void **state)
{
    (void)state;
    struct home home;
    struct diag *diag = diag_create();
    struct pool_task task = task_of(&home);
    task.n = 0;
    assert_int_equal(pool_run(&task, diag), STATUS_OK);
    assert_int_equal(home.n, 0);
    diag_free(diag);
}

static void a_refused_answer_ends_it(void **state)
{
    (void)state;
    struct home home;
    struct diag *diag = diag_create();
    const struct pool_task task = task_of(&home);
    home.refused = 17;
    assert_int_equal(pool_run(&task, diag), STATUS_SPEC);
    assert_non_null(strstr(diag_line(diag, 0), "piece 17 is refused"));
    assert_int_equal(home.times[17], 0);
    diag_free(diag);
}

static void an_interrupt_ends_it(void **state)
{
    (void)state;
    struct home home;
    struct diag *diag = diag_create();
    struct pool_task task = task_of(&home);
    task.interrupt = &stop;
    assert_int_equal(pool_run(&task, diag), STATUS_INTERRUPTED);
    assert_int_equal(home.n, 0);
    diag_free(diag);
}

static void sleep_a_little(void *user, int piece, void *answer)
{
    (void)nanosleep(&(struct timespec){ .tv_nsec = 500000000 }, NULL);
    find_root(user, piece, answer);
}

static void time_that_is_up_ends_it(void **state)
{
    (void)state;
    struct home home;
    struct diag *diag = diag_create();
    struct pool_task task = task_of(&home);
    task.work = sleep_a_little;
    task.max_seconds = 0.005;
    assert_int_equal(pool_run(&task, diag), STATUS_LIMIT);
    assert_int_equal(home.n, 0);
    diag_free(diag);
}

static void die(void *user, int piece, void *answer)
{
    find_root(user, piece, answer);
    if (piece == 5)
        _exit(1);
}

static void a_worker_that_dies_is_noticed(void **state)
{
    (void)state;
    struct home home;
    struct diag *diag = diag_create();
    struct pool_task task = task_of(&home);
    task.work = die;
    assert_int_equal(pool_run(&task, diag), STATUS_INTERNAL);
    assert_int_equal(home.times[5], 0);
    diag_free(diag);
}

static void burn(void *user, int piece, void *answer)
{
    struct timespec now;
    (void)user;
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    while (now.tv_sec < 20);
    *(struct answer *)answer = (struct answer){ 0, piece };
}

/* The workers have the CPU time together: the caller itself has used none of it. */
static void cpu_time_of_workers_counts(void **state)
{
    (void)state;
    struct home home;
    struct diag *diag = diag_create();
    struct pool_task task = task_of(&home);
    task.work = burn;
    task.interrupt = stop_flag();
    stop_limit_cpu(0.2);
    assert_int_equal(pool_run(&task, diag), STATUS_LIMIT);
    assert_true(stop_is_late());
    assert_string_equal(stop_late_option(), "--max-cpu");
    stop_forget();
    assert_false(stop_is_late());
    diag_free(diag);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_piece_is_answered_once), cmocka_unit_test(nothing_to_do_is_done),
        cmocka_unit_test(a_refused_answer_ends_it),     cmocka_unit_test(an_interrupt_ends_it),
        cmocka_unit_test(time_that_is_up_ends_it),      cmocka_unit_test(a_worker_that_dies_is_noticed),
        cmocka_unit_test(cpu_time_of_workers_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
