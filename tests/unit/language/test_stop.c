#include "core/base/status.h"
#include "core/base/stop.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>
#include <cmocka.h>

static void a_search_stops_while_cpu_time_is_left(void **state)
{
    (void)state;
    stop_forget();
    stop_limit_cpu(1000);
    const volatile sig_atomic_t *flag = stop_early_flag(1);
    assert_int_equal(*flag, SIGXCPU);
    assert_false(stop_asked());                         /* what follows the search goes on */
    assert_true(stop_is_late());
    assert_string_equal(stop_late_option(), "--max-cpu");
    assert_int_equal(stop_status(), STATUS_LIMIT);
    stop_forget();
}

static void a_signal_stops_search_and_what_follows(void **state)
{
    (void)state;
    stop_forget();
    stop_limit_cpu(1000);
    const volatile sig_atomic_t *flag = stop_early_flag(0.15);
    assert_int_equal(*flag, 0);
    assert_false(stop_is_late());
    stop_ask(SIGINT);
    assert_int_equal(*flag, SIGINT);
    assert_true(stop_asked());
    assert_int_equal(stop_status(), STATUS_INTERRUPTED);
    stop_forget();
    assert_int_equal(*flag, 0);
}

static void without_a_limit_there_is_one_flag(void **state)
{
    (void)state;
    stop_forget();
    assert_ptr_equal(stop_early_flag(0.15), stop_flag());
}

/* s of the CPU that this process takes. */
static void work(double seconds)
{
    for (const clock_t start = clock(); (double)(clock() - start) < seconds * CLOCKS_PER_SEC;)
        ;
}

static void a_part_ends_alone(void **state)
{
    (void)state;
    stop_forget();
    stop_part_begin(0.05, INFINITY);
    assert_false(stop_asked());
    work(0.1);
    assert_true(stop_asked());
    assert_false(stop_is_late());
    assert_int_equal(*stop_flag(), 0);
    stop_part_end();
    assert_false(stop_asked());
    stop_part_begin(INFINITY, 0.02);
    work(0.05);
    assert_true(stop_asked());
    stop_part_end();
    assert_false(stop_asked());
}

static void cpu_time_is_left(void **state)
{
    (void)state;
    stop_forget();
    assert_true(isinf(stop_cpu_left()));
    stop_limit_cpu(1000);
    work(0.05);
    assert_in_range((int)(100 * stop_cpu_left()), 90000, 99996);
    stop_forget();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_stops_while_cpu_time_is_left),
        cmocka_unit_test(a_signal_stops_search_and_what_follows),
        cmocka_unit_test(a_part_ends_alone),
        cmocka_unit_test(cpu_time_is_left),
        cmocka_unit_test(without_a_limit_there_is_one_flag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
