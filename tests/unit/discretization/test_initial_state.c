/* test_initial_state.c - free initial values that meet what is asked at the start, against what geometry
 * says */
#include "tests/unit/assertions.h"
#include "tests/unit/small_problem.h"

#include "transcription/start/initial_state.h"

static bool meet(const char *spec, double *x)
{
    struct small_problem problem = small_read(spec);
    const bool met = initial_state_meet(problem.model, NULL, x);
    small_free(&problem);
    return met;
}

/* From (3, 4) the nearest point of the unit circle is (0.6, 0.8); what is given stays. */
static void nearest_point_of_a_curve(void **state)
{
    (void)state;
    double x[] = { 3, 4, 5 };
    assert_true(meet("cocp: 1\n"
                     "time: {horizon: 1, intervals: 1}\n"
                     "states: {a: {initial: free}, b: {initial: free}, c: {initial: 5}}\n"
                     "dynamics: {type: ode, rhs: {a: 0, b: 0, c: 0}}\n"
                     "constraints: {on: {expr: a^2 + b^2 == 1, at: initial}}\n", x));
    assert_near(x[0], 0.6, 1e-12);
    assert_near(x[1], 0.8, 1e-12);
    assert_near(x[2], 5, 0);
}

/* A leg of two links of 0.5 m: its hip is at 0.9 m and its foot 3 cm below the ground, at guesses of 0.9 and 0.2 rad.
 * The knee straightens no further: hip and angle give way along the gradient (1, sin) of the gap z - cos a. */
static void feet_come_up_to_the_ground(void **state)
{
    (void)state;
    double x[] = { 0.9, 0.2, 0, 0 };
    assert_true(meet("cocp: 1\n"
                     "time: {horizon: 1, intervals: 1}\n"
                     "states: {z: {initial: free}, a: {initial: free}, v: {initial: 0}, w: {initial: 0}}\n"
                     "dynamics: {type: mechanical, coordinates: {z: v, a: w}, mass: {diag: [1, 1]}, force: {z: -9.81}}\n"
                     "contacts: {foot: {gap: z - cos(a)}}\n"
                     "discretization: {method: fesd-j}\n", x));
    assert_near(x[0] - cos(x[1]), 0, 1e-14);
    const double along = (x[1] - 0.2) / (x[0] - 0.9);           /* of a Gauss-Newton step from the guess: sin 0.2, to second order */
    assert_near(along, sin(0.2), 5e-3);
}

/* What is open may be. */
static void open_feet_stay(void **state)
{
    (void)state;
    double x[] = { 1.5, 0 };
    assert_true(meet("cocp: 1\n"
                     "time: {horizon: 1, intervals: 1}\n"
                     "states: {z: {initial: free}, v: {initial: 0}}\n"
                     "dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: -9.81}}\n"
                     "contacts: {foot: {gap: z}}\n"
                     "discretization: {method: fesd-j}\n", x));
    assert_near(x[0], 1.5, 0);
}

static void contradictions_change_nothing(void **state)
{
    (void)state;
    double x[] = { 0.25 };
    assert_false(meet("cocp: 1\n"
                      "time: {horizon: 1, intervals: 1}\n"
                      "states: {a: {initial: free}}\n"
                      "dynamics: {type: ode, rhs: {a: 0}}\n"
                      "constraints: {one: {expr: a == 1, at: initial}, two: {expr: a == 2, at: initial}}\n", x));
    assert_near(x[0], 0.25, 0);
}

/* The same at the end, of what is given and asked there: from (3, 4) onto the unit circle, and what begins at 5 ends
 * at 7. */
static void the_end_is_met_likewise(void **state)
{
    (void)state;
    double x[] = { 3, 4, 7 };
    struct small_problem problem = small_read("cocp: 1\n"
                     "time: {horizon: 1, intervals: 1}\n"
                     "states: {a: {initial: 3}, b: {initial: 4}, c: {initial: 5, final: 7}}\n"
                     "dynamics: {type: ode, rhs: {a: 0, b: 0, c: 0}}\n"
                     "constraints: {on: {expr: a^2 + b^2 == t, at: final}, on_first: {expr: a == 3, at: initial}}\n");
    assert_true(final_state_meet(problem.model, NULL, x));
    assert_near(x[0], 0.6, 1e-12);
    assert_near(x[1], 0.8, 1e-12);
    assert_near(x[2], 7, 0);
    small_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_point_of_a_curve), cmocka_unit_test(feet_come_up_to_the_ground),
        cmocka_unit_test(open_feet_stay), cmocka_unit_test(contradictions_change_nothing),
        cmocka_unit_test(the_end_is_met_likewise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
