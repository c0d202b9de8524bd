/* Runs whose violation no longer falls. */
#include "core/nlp/stall.h"

#include "tests/unit/assertions.h"

#include <math.h>

/* Iterations until it stalls, violation by violation(k); -1: not within n. */
static int stalls_at(int patience, int n, double (*violation)(int k))
{
    struct stall stall = stall_begin(patience);
    for (int k = 0; k < n; k++)
        if (stall_watch(&stall, k, violation(k)))
            return k;
    return -1;
}

static double stays(int k)
{
    (void)k;
    return 1.8;
}

static double falls_by_a_tenth(int k) { return 1.8 * pow(0.89, k / 10); }       /* every ten iterations */

static double creeps(int k) { return 1.8 * pow(0.999, k); }     /* 0.9 of it after ln 0.9/ln 0.999 = 105.3 iterations */

static double rises_and_falls(int k) { return k % 7 ? 300 : 1.8; }

static double is_small(int k)
{
    (void)k;
    return 9e-4;
}

static double is_lost(int k) { return k < 5 ? 1.0 : NAN; }

static void what_stays_stalls(void **state)
{
    (void)state;
    assert_int_equal(stalls_at(20, 100, stays), 20);
    assert_int_equal(stalls_at(20, 100, rises_and_falls), 20);
    assert_int_equal(stalls_at(0, 1000, stays), -1);
}

/* Above 1e-3 it may take as long as it falls; below, 1.8 * 0.89^65 = 9.2e-4, it may stay. */
static void what_falls_does_not(void **state)
{
    (void)state;
    assert_int_equal(stalls_at(20, 2000, falls_by_a_tenth), -1);
    assert_int_equal(stalls_at(106, 2000, creeps), -1);
    assert_int_equal(stalls_at(105, 2000, creeps), 105);
    assert_int_equal(stalls_at(20, 1000, is_small), -1);
}

/* Of what cannot be evaluated nothing is said: that is the solver's to judge. */
static void nothing_is_said_of_nan(void **state)
{
    (void)state;
    assert_int_equal(stalls_at(20, 100, is_lost), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stays_stalls), cmocka_unit_test(what_falls_does_not), cmocka_unit_test(nothing_is_said_of_nan)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
