/* The variational equation along simulated motions against closed forms. Differences of the field by 1e-7 leave
 * 1e-7 of its second derivatives, and 1e-9 of rounding. */

#include "core/simulation/events/variation.h"

#include "tests/unit/assertions.h"
#include "tests/unit/event_run.h"

static const double by_differences = 1e-6;

/* Y of the run, n states of size 1; false as variation_solve. */
static bool solve(const struct event_run *r, double *Y)
{
    double scale[8];
    for (int k = 0; k < 8; k++)
        scale[k] = 1;
    return variation_solve(r->sim, scale, Y);
}

/* q'' = 25 q: exp of the matrix. */
static void a_linear_motion_has_its_exponential(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 1}\n"
                                          "states: {q: {initial: 0.1}, v: {initial: 0.3}}\n"
                                          "dynamics: {type: ode, rhs: {q: v, v: 25*q}}\n");
    double Y[4];
    assert_true(solve(&r, Y));
    assert_near(Y[0] / cosh(5), 1, by_differences);
    assert_near(Y[1] / (5 * sinh(5)), 1, by_differences);
    assert_near(Y[2] / (sinh(5) / 5), 1, by_differences);
    assert_near(Y[3] / cosh(5), 1, by_differences);
    event_run_free(&r);
}

/* x' = x^2 cos t is 1/(2 - sin t) from 1/2, whose derivative by the start is (x/x_0)^2. */
static void a_field_that_moves_with_time_is_followed(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 2}\nstates: {x: {initial: 0.5}}\n"
                                          "dynamics: {type: ode, rhs: {x: x^2*cos(t)}}\n");
    double Y;
    assert_true(solve(&r, &Y));
    assert_near(Y, pow(2 / (2 - sin(2)), 2), 4 * by_differences);
    event_run_free(&r);
}

/* A block slides through oil, v' = -mu g - c v, and a jump of its drive at half time changes nothing: dv/dv_0 =
 * exp(-c T), dx/dv_0 = (1 - exp(-c T))/c; the floor's force does not depend on how fast it would rise. */
static void forces_of_contacts_are_part_of_the_field(void **state)
{
    (void)state;
    struct event_run r = event_run_read(
        "cocp: 1\nparameters: {g: 10, mu: 0.2, c: 1.5}\ntime: {horizon: 1, intervals: 2}\n"
        "states: {x: {initial: 0}, y: {initial: 0}, vx: {initial: 8}, vy: {initial: 0}}\n"
        "controls: {u: {bounds: [-1, 1]}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, y: vy}, mass: {diag: [1, 1]},\n"
        "  force: {x: u - c*vx, y: -g}}\n"
        "contacts: {floor: {gap: y, tangent: x, friction: mu}}\n");
    static const double t[] = { 0, 0.5 }, u[] = { 1, -1 };
    double Y[16];
    r.task.controls = (struct sim_controls){ 2, t, u };
    assert_int_equal(event_run_go(&r), STATUS_OK);
    assert_true(sim_n_pieces(r.sim) > 1);
    assert_true(solve(&r, Y));
    assert_near(Y[2 + 2 * 4], exp(-1.5), by_differences);
    assert_near(Y[0 + 2 * 4], (1 - exp(-1.5)) / 1.5, by_differences);
    assert_near(Y[0 + 0 * 4], 1, by_differences);
    assert_near(Y[1 + 3 * 4], 1, by_differences);
    assert_near(Y[3 + 3 * 4], 1, by_differences);
    assert_near(Y[2 + 3 * 4], 0, by_differences);
    event_run_free(&r);
}

/* Six integrators in a row, whose field has one entry in a column: t^k/k! below each other. */
static void a_sparse_field_has_its_exponential(void **state)
{
    (void)state;
    struct event_run r = event_run_solved(
        "cocp: 1\ntime: {horizon: 2}\n"
        "states: {a: {initial: 1}, b: {initial: 0}, c: {initial: 0}, d: {initial: 0}, e: {initial: 0},\n"
        "  f: {initial: 0}}\n"
        "dynamics: {type: ode, rhs: {a: 0, b: a, c: b, d: c, e: d, f: e}}\n");
    double Y[36];
    assert_true(solve(&r, Y));
    for (int col = 0; col < 6; col++)
        for (int row = 0; row < 6; row++) {
            const int k = row - col;
            assert_near(Y[row + col * 6], k < 0 ? 0 : pow(2, k) / tgamma(k + 1), by_differences);
        }
    event_run_free(&r);
}

/* An impact on the way would want its own derivative. */
static void events_are_left_to_others(void **state)
{
    (void)state;
    struct event_run r = event_run_solved(
        "cocp: 1\ntime: {horizon: 0.8}\nstates: {y: {initial: 1}, v: {initial: 0}}\n"
        "dynamics: {type: mechanical, coordinates: {y: v}, mass: {diag: [1]}, force: {y: -10}}\n"
        "contacts: {floor: {gap: y, restitution: 0.5}}\n");
    double Y[4];
    assert_int_equal(sim_n_events(r.sim), 1);
    assert_false(solve(&r, Y));
    event_run_free(&r);
}

/* 1 + 1e-19 is 1: there is no difference to tell b' by, though that of a is as good as ever. */
static void a_change_that_is_lost_gives_no_answer(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 1}\nstates: {a: {initial: 1}, b: {initial: 1}}\n"
                                          "dynamics: {type: ode, rhs: {a: -a, b: -b}}\n");
    const double scale[] = { 1, 1e-12 };
    double Y[4];
    assert_false(variation_solve(r.sim, scale, Y));
    event_run_free(&r);
}

/* A stiff motion, of steps in which sweeps do not settle: runs from changed starts tell of it. */
static void stiff_motions_are_left_to_others(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 1}\nstates: {x: {initial: 1}}\n"
                                          "dynamics: {type: ode, rhs: {x: 1e5*(sin(3*t) - x)}}\n");
    double Y;
    assert_true(sim_n_pieces(r.sim) < 60);
    assert_false(solve(&r, &Y));
    event_run_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_linear_motion_has_its_exponential),
        cmocka_unit_test(a_field_that_moves_with_time_is_followed),
        cmocka_unit_test(a_sparse_field_has_its_exponential),
        cmocka_unit_test(forces_of_contacts_are_part_of_the_field),
        cmocka_unit_test(events_are_left_to_others),
        cmocka_unit_test(a_change_that_is_lost_gives_no_answer),
        cmocka_unit_test(stiff_motions_are_left_to_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
