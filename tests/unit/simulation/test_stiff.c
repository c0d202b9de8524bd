/* What is damped much faster than it moves, against closed forms, published figures and the Radau method of another
 * program. */

#include "core/simulation/events/run.h"

#include "tests/unit/assertions.h"
#include "tests/unit/event_run.h"

/* HW IV.5: B(2 S - 1) and C(S), which Radau IIA alone fulfils with an end of 1. */
static void radau_has_its_order(void **state)
{
    (void)state;
    struct collocation radau;
    collocation_radau(&radau);
    assert_near(radau.c[COLLOCATION_STAGES - 1], 1, 1e-15);
    for (int p = 0; p < 2 * COLLOCATION_STAGES - 1; p++) {      /* quadrature of tau^p is exact below 2 S - 1 */
        double sum = 0;
        for (int j = 0; j < COLLOCATION_STAGES; j++)
            sum += radau.to_legendre[0][j] * pow(radau.c[j], p);
        assert_near(sum, 1.0 / (p + 1), 1e-14);
    }
    for (int i = 0; i < COLLOCATION_STAGES; i++)
        for (int p = 0; p < COLLOCATION_STAGES; p++) {          /* so are stages up to the order S */
            double sum = 0;
            for (int j = 0; j < COLLOCATION_STAGES; j++)
                sum += radau.a[i][j] * pow(radau.c[j], p);
            assert_near(sum, pow(radau.c[i], p + 1) / (p + 1), 1e-14);
        }
}

/* A mass of 1e-5 kg in a bath of 1 N s/m that is driven by sin 3t: v' = k (sin 3t - v), k = 1e5/s. */
static void damped_mass_follows_its_closed_form(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 1}\nstates: {x: {initial: 0}, v: {initial: 1}}\n"
                                      "dynamics: {type: mechanical, coordinates: {x: v}, kinetic: 0.5*1e-5*v^2,\n"
                                      "  force: {x: sin(3*t) - v}}\n");
    const double k = 1e5, size = k * k + 9;
    for (int i = 0; i < sim_n_pieces(r.sim); i++) {
        const struct sim_piece piece = sim_piece_at(r.sim, i);
        for (int part = 1; part <= 7; part++) {
            const double t = piece.t_start + part / 7.0 * (piece.t_end - piece.t_start);
            double x[2];
            sim_eval_x(r.sim, i, t, x);
            const double C = 1 + 3 * k / size;
            const double v = (k * k * sin(3 * t) - 3 * k * cos(3 * t)) / size + C * exp(-k * t);
            const double way = (k * k * (1 - cos(3 * t)) / 3 - k * sin(3 * t)) / size + C * (1 - exp(-k * t)) / k;
            assert_near(x[1], v, 3e-12);
            assert_near(x[0], way, 1e-12);
        }
    }
    assert_true(sim_n_pieces(r.sim) < 60);                      /* sweeps took 20274 */
    event_run_free(&r);
}

/* Down at -3 m/s through a bath of 1e-5 s, from 1 m: z = 1 - 3 t + 3 (1 - exp(-k t))/k is 0 at t = 1/3 + 1/k. */
static void event_of_a_stiff_motion_is_located(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 1}\nstates: {z: {initial: 1}, v: {initial: 0}}\n"
                                      "dynamics: {type: mechanical, coordinates: {z: v}, kinetic: 0.5*v^2,\n"
                                      "  force: {z: -1e5*(v + 3)}}\ncontacts: {floor: {gap: z}}\n");
    const struct sim_event hit = event_run_event(&r, SIM_IMPACT, 0);
    assert_near(hit.t, 1.0 / 3 + 1e-5, 1e-12);
    assert_near(hit.x_minus[1], -3, 1e-11);
    event_run_free(&r);
}

/* Van der Pol's oscillator relaxes within 1e-6 s: y(2) by F. Mazzia and C. Magherini, Test Set for Initial Value Problem
 * Solvers, release 2.4 (2008), problem VDPOL. */
static void relaxation_has_the_published_end(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 2}\nstates: {y: {initial: 2}, z: {initial: 0}}\n"
                                      "dynamics: {type: ode, rhs: {y: z, z: ((1 - y^2)*z - y)*1e6}}\n");
    assert_near(event_run_end(&r, 0), 1.706167732170469, 1e-12);
    assert_near(event_run_end(&r, 1), -0.8928097010248125, 1e-12);
    assert_true(sim_n_pieces(r.sim) < 500);
    event_run_free(&r);
}

/* Two links of a finger, of 10 g and 3 cm, let go from the horizontal against dampings of time constants from 7e-6 s.
 * SciPy 1.17.1, solve_ivp by Radau on equations of point masses written for it. */
static void damped_links_go_as_in_scipy(void **state)
{
    (void)state;
    struct event_run r = event_run_solved(
        "cocp: 1\ntime: {horizon: 100}\n"
        "bodies:\n"
        "  a: {joint: {name: p, type: revolute, axis: [0, 1, 0], damping: 0.5}, mass: 0.01, center: [0.03, 0, 0]}\n"
        "  b: {parent: a, joint: {name: q, type: revolute, at: [0.03, 0, 0], axis: [0, 1, 0], damping: 0.25}, mass: 0.01,\n"
        "      center: [0.03, 0, 0]}\n");
    const double end[] = { 1.118604185405859, 0.004818840741827564, 0.5074030098484761, -0.0006496057436268489 };
    for (int i = 0; i < 4; i++)
        assert_near(event_run_end(&r, i), end[i], 1e-12);
    assert_true(sim_n_pieces(r.sim) < 100);                     /* 2470 there, at rtol 1e-12 */
    event_run_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(radau_has_its_order),
        cmocka_unit_test(damped_mass_follows_its_closed_form),
        cmocka_unit_test(event_of_a_stiff_motion_is_located),
        cmocka_unit_test(relaxation_has_the_published_end),
        cmocka_unit_test(damped_links_go_as_in_scipy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
