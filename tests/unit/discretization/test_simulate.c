/* test_simulate.c - simulations of cases.md 1 and 3 against what is known of them
 *
 * Piecewise-smooth systems: 1e-7, what the project promises for n_s = 3; closer where the solution is a polynomial.
 * Time-freezing: 1e-6; the sharpened active set leaves rounding, and the truncation error of the smooth parts.
 */
#include "tests/unit/simulated.h"

#include "transcription/method/rk.h"

#include "tests/unit/assertions.h"

static const double promise = 1e-7;

#define OSCILLATOR(omega, horizon, elements, x1, x2) \
    "cocp: 1\n" \
    "parameters: {omega: " omega "}\n" \
    "time: {horizon: " horizon ", elements: " elements "}\n" \
    "states: {x1: {initial: " x1 "}, x2: {initial: " x2 "}}\n" \
    "dynamics:\n" \
    "  type: piecewise\n" \
    "  switches: {circle: x1^2 + x2^2 - 1}\n" \
    "  modes:\n" \
    "    inside: {where: circle < 0, rhs: {x1: x1 + omega*x2, x2: -omega*x1 + x2}}\n" \
    "    outside: {where: circle > 0, rhs: {x1: x1 - omega*x2, x2: omega*x1 + x2}}\n" \
    "discretization: {method: fesd, stages: 3}\n"

/* cases.md 1: the switch is at t = 1 in (1, 0), x(T) = e^(T-1) (cos 2 pi (T-1), -sin 2 pi (T-1)). */
static void oscillator_switches_at_one(void **state)
{
    (void)state;
    struct simulated s = simulated_read(OSCILLATOR("-2*pi", "pi/2", "2", "exp(-1)", "0"));
    const double pi = acos(-1), T = pi / 2;
    s.simulate.steps = 62;
    simulated_run(&s);
    assert_near(simulated_event(&s, "crossing", 0, "t"), 1, promise);
    assert_near(simulated_end(&s, 0), exp(T - 1) * cos(2 * pi * (T - 1)), promise);
    assert_near(simulated_end(&s, 1), -exp(T - 1) * sin(2 * pi * (T - 1)), promise);
    simulated_free(&s);
}

/* cases.md 3.1: one step from t = 0.98 over 0.1; h and error of the end state in both forms and all aggregations. */
struct j1 { int scheme, stages, elements; double h, h_tol, error; };

static void check_j1(const struct j1 *known, int form, int aggregation)
{
    const double pi = acos(-1), t = 1.08;
    struct simulated s = simulated_read(OSCILLATOR("2*pi", "0.1", "2", "exp(-0.02)*cos(1.96*pi)",
                                                   "-exp(-0.02)*sin(1.96*pi)"));
    s.settings.scheme = known->scheme;
    s.settings.stages = known->stages;
    s.settings.form = form;
    s.settings.aggregation = aggregation;
    s.model->time.elements[0] = known->elements;
    s.simulate.steps = 1;
    simulated_run(&s);
    const double error = hypot(simulated_end(&s, 0) - exp(t - 1) * cos(2 * pi * (t - 1)),
                               simulated_end(&s, 1) - exp(t - 1) * sin(2 * pi * (t - 1)));
    assert_near(simulated_h(&s, 0), known->h, known->h_tol);
    if (!(error < 1.1 * known->error && error > 0.3 * known->error))            /* in what norm, is not said */
        fail_msg("error %.3g with %d stages, known is %.3g", error, known->stages, known->error);
    simulated_free(&s);
}

static void one_switch_in_one_step(void **state)
{
    static const struct j1 known[] = {
        { RK_RADAU_IIA, 2, 2, 0.0200030, 6e-8, 9.94e-4 },
        { RK_RADAU_IIA, 3, 2, 0.0200000006, 1e-9, 2.46e-6 },       /* known from a homotopy to sigma = 1e-9 */
        { RK_GAUSS_LEGENDRE, 2, 2, 0.0200000331, 1e-9, 4.90e-5 },
        { RK_RADAU_IIA, 3, 4, 0.02, 2e-9, 7.1e-9 },
    };
    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        for (int form = FORM_STEP; form <= FORM_STEWART; form++)
            for (int how = AGGREGATE_STAGE_FE; how <= AGGREGATE_FE_FE; how++)
                check_j1(&known[k], form, how);
}

/* cases.md 1: x' = 2, then 0.2 from x = 0 on; both pieces are straight lines. */
static void simplest_switch_is_exact(void **state)
{
    (void)state;
    struct simulated s = simulated_read(
        "cocp: 1\ntime: {horizon: 1.5, elements: 2}\nstates: {x: {initial: -1}}\n"
        "dynamics: {type: ode, rhs: {x: 'if(x < 0, 2, 0.2)'}}\nsimulate: {steps: 7}\n");
    simulated_run(&s);
    assert_near(simulated_event(&s, "crossing", 0, "t"), 0.5, 1e-11);
    assert_near(simulated_end(&s, 0), 0.2, 1e-11);
    simulated_free(&s);
}

/* cases.md 1: reaches 0 at sqrt 2 and stays there. */
static void sliding_is_reached_and_kept(void **state)
{
    (void)state;
    struct simulated s = simulated_read(
        "cocp: 1\ntime: {horizon: 2, elements: 2}\nstates: {x: {initial: -sqrt(2)}}\n"
        "dynamics: {type: ode, rhs: {x: -sign(x)}}\nsimulate: {steps: 7}\n");
    simulated_run(&s);
    assert_near(simulated_event(&s, "sliding", 0, "t"), sqrt(2), 1e-11);
    assert_near(simulated_end(&s, 0), 0, 1e-11);
    simulated_free(&s);
}

/* cases.md 3.2: the convex combination in sliding is 0.35 and 0.65, which y' shows, for every equilibration. */
static void sliding_has_filippovs_combination(void **state)
{
    (void)state;
    struct simulated s = simulated_read(
        "cocp: 1\ntime: {horizon: 1, elements: 2}\nstates: {x: {initial: 0}, y: {initial: 0}}\n"
        "dynamics: {type: piecewise, switches: {c: x}, modes: {left: {where: c < 0, rhs: {x: 1.3, y: 0}},\n"
        "  right: {where: c > 0, rhs: {x: -0.7, y: 1}}}}\nsimulate: {steps: 2}\n");
    for (int form = FORM_STEP; form <= FORM_STEWART; form++)
        for (int how = EQUILIBRATE_HEURISTIC_MEAN; how <= EQUILIBRATE_NONE; how++) {
            s.settings.form = form;
            s.settings.equilibration = how;
            simulated_run(&s);
            assert_near(simulated_end(&s, 0), 0, 1e-10);
            assert_near(simulated_end(&s, 1), 0.65, 1e-9);
        }
    simulated_free(&s);
}

/* cases.md 1: leaves at t = 1, x(1.5) = 0.125. Nothing crosses: without sharpening it leaves early by O(h). */
static void sliding_mode_is_left_in_time(void **state)
{
    (void)state;
    struct simulated s = simulated_read(
        "cocp: 1\ntime: {horizon: 1.5, elements: 2}\nstates: {x: {initial: 0}}\n"
        "dynamics: {type: ode, rhs: {x: t - sign(x)}}\ndiscretization: {stages: 3}\nsimulate: {steps: 7}\n");
    simulated_run(&s);
    assert_near(simulated_event(&s, "leaving", 0, "t"), 1, promise);
    assert_near(simulated_end(&s, 0), 0.125, promise);
    simulated_free(&s);
}

/* A force that jumps in time is located like any other switch: x'' = 1 for t < 0.3, then -1. */
static void controls_may_be_expressions_of_time(void **state)
{
    (void)state;
    struct simulated s = simulated_read(
        "cocp: 1\ntime: {horizon: 1, elements: 2}\nstates: {x: {initial: 0}, v: {initial: 0}}\ncontrols: {u: {}}\n"
        "dynamics: {type: ode, rhs: {x: v, v: u}}\nsimulate: {steps: 4, controls: {u: 'if(t < 0.3, 1, -1)'}}\n");
    simulated_run(&s);
    assert_near(simulated_event(&s, "crossing", 0, "t"), 0.3, 1e-10);
    assert_near(simulated_end(&s, 0), 0.5 * 0.09 + 0.3 * 0.7 - 0.5 * 0.49, 1e-10);
    const struct result_data *u = result_data_find(result_find(s.table, "/trajectory"), "u");
    assert_near(u->d[0], 1, 0);
    assert_near(u->d[u->n - 1], -1, 0);
    simulated_free(&s);
}

/* --- Time-freezing ------------------------------------------------------------------------------------------- */

static const double g = 9.81;

/* By numerical time, a_n = g: physical time goes at its own speed in flight, stands still in the jump, goes at half of it
 * under the weight until t = 1 (t_num = 2), at g/(2 g - u2) from there; the speed of time of a simulation is 1. */
static void assert_rates(const struct simulated *s)
{
    const struct result_data *t = result_data_of(s->table, "/trajectory", "t");
    const struct result_data *t_num = result_data_of(s->table, "/trajectory", "t_num");
    const struct result_data *rate = result_data_of(s->table, "/trajectory", "dt_dt_num");
    const struct result_data *speed = result_data_of(s->table, "/grid", "speed_of_time");
    const double t1 = sqrt(2 / g);
    assert_non_null(rate);
    assert_string_equal(rate->units, "1");
    assert_near(t_num->d[t_num->n - 1], 3.5, 1e-4);
    int n_still = 0, n_half = 0;
    for (int k = 0; k < rate->n; k++) {
        const double tau = t_num->d[k];
        if (tau < t1 - 1e-6 || t->d[k] > 1.51)
            assert_near(rate->d[k], 1, 1e-6);
        if (tau > t1 + 1e-6 && tau < 2 * t1 - 1e-6) {
            assert_near(rate->d[k], 0, 1e-6);
            n_still++;
        }
        if (tau > 2 * t1 + 0.1 && tau < 1.9) {
            assert_near(rate->d[k], 0.5, 1e-6);
            n_half++;
        }
    }
    assert_true(n_still > 10 && n_half > 10);
    assert_non_null(speed);
    for (int k = 0; k < speed->n; k++)
        assert_near(speed->d[k], 1, 1e-15);
}

/* TF Ex. 4 with its controls: impact at sqrt(2/g) takes 0.6 of the normal velocity from the tangential one, slip
 * until u2 exceeds the weight at 1.5; polynomials all the way. */
static void point_mass_lands_slides_and_lifts_off(void **state)
{
    (void)state;
    struct simulated s = simulated_read(
        "cocp: 1\nparameters: {g: 9.81}\ntime: {horizon: 2.25, elements: 3}\n"
        "states: {x: {initial: 0}, z: {initial: 1}, vx: {initial: 0}, vz: {initial: 0}}\ncontrols: {u1: {}, u2: {}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {x: u1, z: u2 - g}}\n"
        "contacts: {ground: {gap: z, tangent: x, friction: 0.6}}\n"
        "discretization: {method: time-freezing, stages: 3, a_n: g}\n"
        "simulate: {steps: 29, controls: {u1: 7, u2: 'if(t < 1, 0, 2*g*(t - 1))'}}\n");
    const double t1 = sqrt(2 / g), a = 7 - 0.6 * g;     /* slip: v = a t until t = 1 */
    const double x1 = 3.5 * t1 * t1 + 0.5 * a * (1 - t1 * t1), v15 = 1.5 * a + 0.6 * g * 0.25;
    const double x15 = x1 + 0.5 * a + 0.5 * a * 0.25 + 0.2 * g * 0.125;
    simulated_run(&s);
    assert_near(simulated_event(&s, "impact", 0, "t"), t1, 1e-7);
    assert_near(simulated_event(&s, "impact", 0, "impulse_n"), g * t1, 1e-6);
    assert_near(simulated_event(&s, "impact", 0, "impulse_t"), -0.6 * g * t1, 1e-6);
    assert_near(simulated_event(&s, "liftoff", 0, "t"), 1.5, 1e-3);     /* the state moves away cubically */
    assert_near(simulated_event(&s, "liftoff", 0, "t_num"), 2.75, 1e-3);
    assert_near(simulated_end(&s, 0), x15 + 0.75 * v15 + 3.5 * 0.5625, 1e-4);
    assert_near(simulated_end(&s, 1), g * 0.421875 / 3, 1e-4);
    assert_near(s.result.t_end, 2.25, 1e-9);
    assert_rates(&s);
    simulated_free(&s);
}

/* cases.md 1, ball 2D with friction: impact, slip, stick. */
static void ball_slips_and_sticks(void **state)
{
    (void)state;
    struct simulated s = simulated_read(
        "cocp: 1\ntime: {horizon: 1.6, elements: 4}\n"
        "states: {q1: {initial: 0}, q2: {initial: 1}, v1: {initial: 4}, v2: {initial: 0}}\n"
        "dynamics: {type: mechanical, coordinates: {q1: v1, q2: v2}, mass: {diag: [1, 1]}, force: {q2: -10}}\n"
        "contacts: {ground: {gap: q2, tangent: q1, friction: 0.3}}\n"
        "discretization: {method: time-freezing, stages: 3, a_n: 100}\nsimulate: {steps: 16}\n");
    simulated_run(&s);
    assert_near(simulated_event(&s, "impact", 0, "t"), 0.4472136, 5e-8);
    assert_near(simulated_event(&s, "impact", 0, "impulse_n"), 4.4721360, 1e-6);
    assert_near(simulated_after(&s, "impact", 0, 2), 2.6583592, 1e-6);
    assert_near(simulated_event(&s, "stick", 0, "t"), 4.0 / 3, 1e-6);
    assert_near(simulated_end(&s, 0), 2.9666667, 1e-6);
    simulated_free(&s);
}

/* cases.md 3.4: v_plus = v - M^-1 n (1 + e) n'v / D for any M, tau_jump = sqrt((pi^2 + ln(e)^2) / k). */
static void elastic_impact_has_its_restitution(void **state)
{
    (void)state;
    struct simulated s = simulated_read(
        "cocp: 1\ntime: {horizon: 0.4, elements: 3}\n"
        "states: {q1: {initial: 0.3}, q2: {initial: 0.4}, v1: {initial: 1}, v2: {initial: -3}}\n"
        "dynamics: {type: mechanical, coordinates: {q1: v1, q2: v2}, mass: {diag: [2, 3]}, force: {q1: 0}}\n"
        "contacts: {wall: {gap: 0.6*q1 + 0.8*q2, restitution: 0.6}}\n"
        "discretization: {method: time-freezing, stages: 3, k_aux: 10}\nsimulate: {steps: 4}\n");
    const double v_n = 0.6 * 1 - 0.8 * 3, D = 0.36 / 2 + 0.64 / 3, t1 = 0.5 / -v_n;
    simulated_run(&s);
    assert_near(simulated_event(&s, "impact", 0, "t"), t1, 1e-9);
    assert_near(simulated_event(&s, "impact", 0, "impulse_n"), -1.6 * v_n / D, 1e-6);
    assert_near(simulated_end(&s, 2), 1 - 0.6 / 2 * 1.6 * v_n / D, 1e-6);
    assert_near(simulated_end(&s, 3), -3 - 0.8 / 3 * 1.6 * v_n / D, 1e-6);
    const struct result_data *t_num = result_data_find(result_find(s.table, "/grid"), "t_num_end");
    assert_near(t_num->d[t_num->n - 1] - 0.4, 1.0065062, 1e-6);
    simulated_free(&s);
}

/* cases.md 3.9: the impulse in 3D keeps the direction of slip; |v_t| after the impact. */
static void friction_in_3d_keeps_its_direction(void **state)
{
    (void)state;
    struct simulated s = simulated_read(
        "cocp: 1\ntime: {horizon: 0.08, elements: 3}\n"
        "states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 0.05}, vx: {initial: 1}, vy: {initial: 0.5},\n"
        "  vz: {initial: -0.5}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, z: vz}, mass: {diag: [1, 1, 1]},\n"
        "  force: {z: -9.81}}\n"
        "contacts: {ground: {gap: z, tangent: [x, y], friction: 0.5}}\n"
        "discretization: {method: time-freezing, stages: 3, a_n: 9.81, eps_t: 1e-2}\nsimulate: {steps: 2}\n"
        "homotopy: {comp_tol: 1e-9}\n");
    simulated_run(&s);
    const double vx = simulated_after(&s, "impact", 0, 3), vy = simulated_after(&s, "impact", 0, 4);
    assert_near(hypot(vx, vy), 0.5632818, 1e-6);
    assert_near(vy / vx, 0.5, 1e-9);
    simulated_free(&s);
}

/* problems/ball_3d.yaml: it slips on a straight line, and sticks at t = sqrt(5)/2 in (2.9, 1.45)/sqrt(5). By time-freezing
 * it creeps from there on, 1 mm/s. */
static void a_ball_sticks_in_space(void **state)
{
    (void)state;
    struct simulated s = simulated_read(
        "cocp: 1\ntime: {horizon: 2, elements: 3}\n"
        "states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 1}, vx: {initial: 2}, vy: {initial: 1}, vz: {initial: 0}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, z: vz}, mass: {diag: [1, 1, 1]}, force: {z: -10}}\n"
        "contacts: {ground: {gap: z, tangent: [x, y], friction: 0.2}}\n"
        "discretization: {method: time-freezing, stages: 2}\nsimulate: {steps: 20}\n");
    simulated_run(&s);
    assert_near(simulated_end(&s, 0), 2.9 / sqrt(5), 1e-3);
    assert_near(simulated_end(&s, 1), 1.45 / sqrt(5), 1e-3);
    assert_near(hypot(simulated_end(&s, 3), simulated_end(&s, 4)), 1e-3 * sqrt(1 - 0.01), 1e-6);
    simulated_free(&s);
}

/* --- Time-stepping ------------------------------------------------------------------------------------------- */

/* On a fixed grid a switch inside a step costs O(h): x' = 2, then 0.2; the switching time 0.5 is no grid point. */
static double stepping_error(struct simulated *s, int steps)
{
    s->simulate.steps = steps;
    simulated_run(s);
    return fabs(simulated_end(s, 0) - 0.2);
}

static void time_stepping_misses_switches_by_its_step(void **state)
{
    (void)state;
    struct simulated s = simulated_read(
        "cocp: 1\ntime: {horizon: 1.5, elements: 1}\nstates: {x: {initial: -1}}\n"
        "dynamics: {type: ode, rhs: {x: 'if(x < 0, 2, 0.2)'}}\ndiscretization: {method: time-stepping, stages: 2}\n");
    const double coarse = stepping_error(&s, 10), fine = stepping_error(&s, 160);   /* both at 1/3 of a step */
    assert_true(fine > 1e-5 && coarse < 0.3);
    assert_near(log(coarse / fine) / log(16), 1, 0.3);
    simulated_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oscillator_switches_at_one),
        cmocka_unit_test(one_switch_in_one_step),
        cmocka_unit_test(simplest_switch_is_exact),
        cmocka_unit_test(sliding_is_reached_and_kept),
        cmocka_unit_test(sliding_has_filippovs_combination),
        cmocka_unit_test(sliding_mode_is_left_in_time),
        cmocka_unit_test(controls_may_be_expressions_of_time),
        cmocka_unit_test(point_mass_lands_slides_and_lifts_off),
        cmocka_unit_test(ball_slips_and_sticks),
        cmocka_unit_test(elastic_impact_has_its_restitution),
        cmocka_unit_test(friction_in_3d_keeps_its_direction),
        cmocka_unit_test(a_ball_sticks_in_space),
        cmocka_unit_test(time_stepping_misses_switches_by_its_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
