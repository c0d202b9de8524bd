/* Relays with two thresholds against closed forms: from event to event, and their sequences finished as phases. Times
 * to 1e-12, as in test_simulation.c. */
#include "tests/unit/event_run.h"
#include "tests/unit/assertions.h"

#include <string.h>

static const double in_time = 1e-12, in_state = 1e-11;

/* From 20 degrees up: 2 ln(10/8) h to 22; then 2 ln(8/4) down to 18 and 2 ln(12/8) up again, for ever. */
static void thermostats_cycle(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("problems/thermostat.yaml");
    double t = 2 * log(1.25);
    for (int k = 0; k < 11; k++) {
        assert_near(event_run_event(&r, SIM_CROSSING, k).t, t, in_time);
        t += k % 2 ? 2 * log(1.5) : 2 * log(2);
    }
    assert_int_equal(sim_n_events(r.sim), 11);
    assert_string_equal(sim_subject_name(r.sim, 0), "heater");
    event_run_free(&r);
}

/* x' = +-1 between -h and h: a triangle of period 4 h. */
static void integrators_draw_triangles(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 10}\nstates: {x: {initial: 0}}\n"
                                "hysteresis: {r: {of: x, on_at: 0.3, off_at: -0.3}}\n"
                                "dynamics: {type: ode, rhs: {x: 1 - 2*r}}\n");
    for (int k = 0; k < 17; k++)
        assert_near(event_run_event(&r, SIM_CROSSING, k).t, 0.3 + 0.6 * k, in_time);
    assert_int_equal(sim_n_events(r.sim), 17);
    assert_near(event_run_end(&r, 0), 0.2, in_time);            /* 0.3 at 9.9 */
    event_run_free(&r);
}

/* x'' = -sign(x) with a threshold of d on either side: energy grows by 2 d at each switch, v_k^2 = v_0^2 + 4 d k at
 * x = 0, the crests go on for ever (the describing function of a relay with hysteresis has a lag). */
static void oscillators_with_lag_grow(void **state)
{
    (void)state;
    const double d = 0.1;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 12}\nstates: {x: {initial: 0}, v: {initial: 1}}\n"
                                "hysteresis: {r: {of: x, on_at: 0.1, off_at: -0.1}}\n"
                                "dynamics: {type: ode, rhs: {x: v, v: 1 - 2*r}}\n");
    double v = 1;                                               /* v^2/2 at x = +-d after the way from the other side */
    for (int k = 0; k < 3; k++) {
        const struct sim_event event = event_run_event(&r, SIM_CROSSING, k);
        v = sqrt(v * v + (k == 0 ? 2 : 4) * d);                 /* accelerated over d, then over 2 d */
        assert_near(fabs(event.x_plus[0]), d, in_time);
        assert_near(fabs(event.x_plus[1]), v, in_state);
    }
    event_run_free(&r);
}

/* Between the thresholds the start decides, beyond them it does not matter; thresholds may be the other way round. */
static void starts_are_remembered(void **state)
{
    (void)state;
    static const struct { const char *x, *relay; double end; } all[] = {
        { "0", "{of: x, on_at: 1, off_at: -1}", 0 },              { "0", "{of: x, on_at: 1, off_at: -1, start: on}", 1 },
        { "2", "{of: x, on_at: 1, off_at: -1, start: off}", 1 },  { "-2", "{of: x, on_at: 1, off_at: -1, start: on}", 0 },
        { "0", "{of: x, on_at: -1, off_at: 1, start: on}", 1 },   { "2", "{of: x, on_at: -1, off_at: 1, start: on}", 0 },
        { "-2", "{of: x, on_at: -1, off_at: 1}", 1 },             { "0", "{of: x, on_at: -1, off_at: 1}", 0 },
    };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        char text[300];
        (void)snprintf(text, sizeof text, "cocp: 1\ntime: {horizon: 1}\nstates: {y: {initial: 0}, x: {initial: %s}}\n"
                       "hysteresis: {r: %s}\ndynamics: {type: ode, rhs: {x: 0, y: r}}\n", all[k].x, all[k].relay);
        struct event_run r = event_run_solved(text);
        assert_near(event_run_end(&r, 0), all[k].end, in_time);
        event_run_free(&r);
    }
}

/* A crest that touches the threshold leaves the relay as it is, one a little higher switches it, a thin one too. */
static void crests_switch_if_they_pass(void **state)
{
    (void)state;
    static const struct { const char *of; int n; } all[] = {
        { "1 - (t - 0.5)^2", 0 }, { "1 + 1e-9 - (t - 0.5)^2", 1 }, { "1.5*exp(-((t - 0.5)/1e-5)^2)", 1 },
    };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        char text[300];
        (void)snprintf(text, sizeof text, "cocp: 1\ntime: {horizon: 1}\nstates: {y: {initial: 0}}\n"
                       "hysteresis: {r: {of: '%s', on_at: 1, off_at: -1}}\ndynamics: {type: ode, rhs: {y: r}}\n", all[k].of);
        struct event_run r = event_run_solved(text);
        assert_int_equal(sim_n_events(r.sim), all[k].n);
        event_run_free(&r);
    }
}

/* Four gears as three relays: v' = 1 + r1 + r2 + r3 up to 8 s, then -1; up at 2, 4, 6 m/s, down at 1, 3, 5. */
static void gears_are_sums_of_relays(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 12}\nstates: {v: {initial: 0}}\n"
                                "hysteresis: {a: {of: v, on_at: 2, off_at: 1}, b: {of: v, on_at: 4, off_at: 3}, c: {of: v, on_at: 6, off_at: 5}}\n"
                                "define: {gear: 1 + a + b + c}\n"
                                "dynamics: {type: ode, rhs: {v: 'if(t < 5, gear, -gear)'}}\n");
    const double up[] = { 2, 3, 3 + 2.0 / 3 }, top = 6 + 4 * (5 - up[2]);
    const double down[] = { 5 + (top - 5) / 4, 5 + (top - 5) / 4 + 2.0 / 3, 5 + (top - 5) / 4 + 2.0 / 3 + 1 };
    for (int k = 0; k < 3; k++) {
        assert_near(event_run_event(&r, SIM_CROSSING, k).t, up[k], in_time);
        assert_near(event_run_event(&r, SIM_CROSSING, k + 4).t, down[k], in_time);
    }
    assert_near(event_run_end(&r, 0), 1 - (12 - down[2]), in_state);
    event_run_free(&r);
}

/* An impact that turns the velocity takes a relay with it: a ball that drives upwards, by 1 N, once it has bounced. */
static void impacts_switch_relays(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 1}\nstates: {z: {initial: 1}, v: {initial: -2}}\n"
                                "hysteresis: {r: {of: v, on_at: 0.5, off_at: -5}}\n"
                                "dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: r}}\n"
                                "contacts: {floor: {gap: z, restitution: 0.5}}\n");
    assert_near(event_run_event(&r, SIM_IMPACT, 0).t, 0.5, in_time);
    assert_near(event_run_event(&r, SIM_CROSSING, 0).t, 0.5, in_time);
    assert_near(event_run_end(&r, 0), 1 * 0.5 + 0.5 * 0.25, in_state);
    event_run_free(&r);
}

/* A relay may steer a control; thresholds may be parameters. */
static void relays_may_be_controllers(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\nparameters: {width: 0.5}\ntime: {horizon: 4}\nstates: {x: {initial: 0}}\n"
                                "controls: {u: {}}\nhysteresis: {pump: {of: x, on_at: -width, off_at: width, start: on}}\n"
                                "dynamics: {type: ode, rhs: {x: u - 1}}\nsimulate: {controls: {u: 3*pump}}\n");
    assert_near(event_run_event(&r, SIM_CROSSING, 0).t, 0.25, in_time);
    assert_near(event_run_event(&r, SIM_CROSSING, 1).t, 1.25, in_time);
    assert_near(event_run_event(&r, SIM_CROSSING, 2).t, 1.75, in_time);
    event_run_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thermostats_cycle),
        cmocka_unit_test(integrators_draw_triangles),
        cmocka_unit_test(oscillators_with_lag_grow),
        cmocka_unit_test(starts_are_remembered),
        cmocka_unit_test(crests_switch_if_they_pass),
        cmocka_unit_test(gears_are_sums_of_relays),
        cmocka_unit_test(impacts_switch_relays),
        cmocka_unit_test(relays_may_be_controllers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
