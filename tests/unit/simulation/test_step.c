/* One step of collocation, and small systems of equations. */

#include "core/simulation/step.h"
#include "tests/unit/event_run.h"
#include "tests/unit/assertions.h"

struct oscillator {                 /* x'' = -x, ready for steps */
    struct event_run run;
    struct system *sys;
    struct arena mem;
    struct flow flow;
    struct mode mode;
    struct step step;
};

static void set_up(struct oscillator *o)
{
    *o = (struct oscillator){ .run = event_run_read("cocp: 1\ntime: {horizon: 1}\n"
                                                    "states: {x: {initial: 1}, v: {initial: 0}}\n"
                                                    "dynamics: {type: ode, rhs: {x: v, v: -x}}\n") };
    assert_int_equal(system_create(o->run.model, NULL, NULL, &o->sys, o->run.diag), STATUS_OK);
    flow_init(&o->flow, &o->mem, o->sys);
    mode_init(&o->mode, &o->mem, o->sys);
    step_init(&o->step, &o->mem, 2);
}

static void tear_down(struct oscillator *o)
{
    system_free(o->sys);
    arena_free(&o->mem);
    event_run_free(&o->run);
}

/* Of cos, over a step of length h, at tau. */
static double error_at(struct oscillator *o, double h, double tau)
{
    static const double u = 0;
    const double start[] = { 1, 0 };
    double x[2];
    o->mode.u = &u;
    (void)step_try(&o->step, &o->flow, &o->mode, 0, h, start, 1e-14, 1e-14);     /* too long for that, on purpose */
    step_poly_at(2, o->step.coef, tau, x);
    return hypot(x[0] - cos(tau * h), x[1] + sin(tau * h));
}

/* Order s + 1 = 11 inside of a step: from 4 to 2 its error falls by 2^11. At the end, of order 20, rounding is all that
 * is left of it. */
static void step_has_its_order(void **state)
{
    (void)state;
    struct oscillator o;
    set_up(&o);
    double inside[2] = { 0, 0 };
    for (int k = 1; k < 40; k++) {
        inside[0] = fmax(inside[0], error_at(&o, 4, k / 40.0));
        inside[1] = fmax(inside[1], error_at(&o, 2, k / 40.0));
    }
    assert_near(log2(inside[0] / inside[1]), 11, 0.5);
    assert_true(inside[1] > 1e-12);
    assert_near(error_at(&o, 2, 1), 0, 1e-14);
    tear_down(&o);
}

/* What a step says of its error holds everywhere in it. */
static void dense_output_is_as_good_as_the_tolerance(void **state)
{
    (void)state;
    struct oscillator o;
    set_up(&o);
    static const double u = 0;
    const double start[] = { 1, 0 };
    o.mode.u = &u;
    double h = 10;
    while (step_try(&o.step, &o.flow, &o.mode, 0, h, start, 1e-12, 1e-14) != STEP_OK)
        h = o.step.h_next;
    assert_true(h > 0.5);
    for (int k = 0; k <= 50; k++) {
        double x[2];
        step_poly_at(2, o.step.coef, k / 50.0, x);
        assert_near(hypot(x[0] - cos(h * k / 50), x[1] + sin(h * k / 50)), 0, 1e-12);
    }
    tear_down(&o);
}

/* --- Equations ----------------------------------------------------------------------------------------------- */

/* x + y = 3 twice: the least solution is (1.5, 1.5), that of x^2/4 + y^2 is (2.4, 0.6); x + y = 3 and 4 has none. */
static void redundant_equations_have_a_least_solution(void **state)
{
    (void)state;
    struct arena mem = { 0 };
    struct dense dense;
    const double A[] = { 1, 1, 1, 1 }, twice[] = { 3, 3 }, not_both[] = { 3, 4 }, weight[] = { 2, 1 };
    double z[2];
    bool is_redundant;
    dense_init(&dense, &mem, 2);
    assert_near(dense_solve(&dense, 2, A, twice, NULL, z, &is_redundant), 0, 1e-14);
    assert_true(is_redundant);
    assert_near(z[0], 1.5, 1e-14);
    assert_near(z[1], 1.5, 1e-14);
    assert_near(dense_solve(&dense, 2, A, twice, weight, z, &is_redundant), 0, 1e-14);
    assert_near(z[0], 2.4, 1e-14);
    assert_near(z[1], 0.6, 1e-14);
    assert_near(dense_solve(&dense, 2, A, not_both, NULL, z, &is_redundant), 0.5, 1e-14);
    arena_free(&mem);
}

/* Equations whose sizes differ by 1e12 are no redundancy. */
static void scales_are_no_redundancy(void **state)
{
    (void)state;
    struct arena mem = { 0 };
    struct dense dense;
    const double A[] = { 1e6, 0, 0, 1e-6 }, b[] = { 2e6, 3e-6 };
    double z[2];
    bool is_redundant;
    dense_init(&dense, &mem, 2);
    (void)dense_solve(&dense, 2, A, b, NULL, z, &is_redundant);
    assert_false(is_redundant);
    assert_near(z[0], 2, 1e-14);
    assert_near(z[1], 3, 1e-14);
    arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(step_has_its_order),
        cmocka_unit_test(dense_output_is_as_good_as_the_tolerance),
        cmocka_unit_test(redundant_equations_have_a_least_solution),
        cmocka_unit_test(scales_are_no_redundancy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
