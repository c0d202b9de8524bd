/* Machines - discrete states with transitions, timers and resets - from event to event, against closed forms. Times to
 * 1e-12, as in test_simulation.c. */
#include "tests/unit/event_run.h"
#include "tests/unit/assertions.h"

#include <string.h>

static const double in_time = 1e-12, in_state = 1e-11;

/* 4 s to fill, 5 s to wash, 2 s to drain; turns are halved each time that it is empty. */
static void washers_go_round(void **state)
{
    (void)state;
    static const char *const name[] = { "washer.full", "washer.done", "washer.empty" };
    static const double lasts[] = { 4, 5, 2 };
    struct event_run r = event_run_solved("problems/washer.yaml");
    double t = 0;
    for (int k = 0; k < 7; k++) {
        const struct sim_event event = event_run_event(&r, SIM_TRANSITION, k);
        t += lasts[k % 3];
        assert_near(event.t, t, in_time);
        assert_string_equal(sim_subject_name(r.sim, event.subject), name[k % 3]);
    }
    assert_near(event_run_event(&r, SIM_TRANSITION, 2).x_minus[1], 15, in_state);
    assert_near(event_run_event(&r, SIM_TRANSITION, 2).x_plus[1], 7.5, in_state);
    assert_near(event_run_end(&r, 1), 0.5 * 22.5 + 3 * 4, in_state);    /* 4 s of the third wash */
    event_run_free(&r);
}

/* The thermostat of problems/thermostat.yaml as a machine. */
static void machines_can_be_relays(void **state)
{
    (void)state;
    struct event_run relay = event_run_solved("problems/thermostat.yaml");
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 12}\nstates: {T: {initial: 20}}\n"
                                "machines:\n  heater:\n    states: {warm: {on: 1}, cool: {}}\n    transitions:\n"
                                "      up: {from: warm, to: cool, when: T >= 22}\n"
                                "      down: {from: cool, to: warm, when: 18 >= T}\n"
                                "dynamics: {type: ode, rhs: {T: (14 + 16*on - T)/2}}\n");
    assert_int_equal(sim_n_events(r.sim), 11);
    for (int k = 0; k < 11; k++)
        assert_near(sim_event_at(r.sim, k)->t, sim_event_at(relay.sim, k)->t, in_time);
    assert_near(event_run_end(&r, 0), event_run_end(&relay, 0), in_state);
    event_run_free(&relay);
    event_run_free(&r);
}

/* A controller that samples every 0.1 s and holds: x_(k+1) = (1 - 0.1 * 3) x_k. */
static void timers_sample_and_hold(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 1.05}\nstates: {x: {initial: 1}, u: {initial: -3}}\n"
                                "machines:\n  clock:\n    states: {tick: {}}\n    transitions:\n"
                                "      sample: {from: tick, to: tick, after: 0.1, reset: {u: -3*x}}\n"
                                "dynamics: {type: ode, rhs: {x: u, u: 0}}\n");
    assert_int_equal(event_run_count(&r, SIM_TRANSITION), 10);
    assert_near(event_run_event(&r, SIM_TRANSITION, 9).t, 1, in_time);
    assert_near(event_run_end(&r, 0), pow(0.7, 10) * (1 - 3 * 0.05), in_state);
    event_run_free(&r);
}

/* A reset as an impact: bounces of a ball with e = 0.8, v = -sqrt(2 g) 0.8^k at k-th one. */
static void resets_can_be_impacts(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 2}\nstates: {z: {initial: 1}, v: {initial: 0}}\n"
                                "machines:\n  ball:\n    states: {falls: {}, rises: {}}\n    transitions:\n"
                                "      hits: {from: falls, to: rises, when: z <= 0, reset: {v: -0.8*v, z: 0}}\n"
                                "      turns: {from: rises, to: falls, when: v <= 0}\n"
                                "dynamics: {type: ode, rhs: {z: v, v: -9.81}}\n");
    const double fall = sqrt(2 / 9.81);
    double t = fall;
    for (int k = 0; k < 2; k++) {
        assert_near(event_run_event(&r, SIM_TRANSITION, 2 * k).t, t, in_time);
        assert_near(event_run_event(&r, SIM_TRANSITION, 2 * k).x_plus[1], sqrt(2 * 9.81) * pow(0.8, k + 1), in_state);
        t += 2 * fall * pow(0.8, k + 1);
    }
    event_run_free(&r);
}

/* What holds at the start happens at once, one transition after the other; of several the first. */
static void transitions_follow_each_other(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 1}\nstates: {y: {initial: 0}, x: {initial: 5}}\n"
                                "machines:\n  stairs:\n    states: {a: {s: 1}, b: {s: 2}, c: {s: 3}, d: {s: 4}}\n    transitions:\n"
                                "      one: {from: a, to: b, when: x >= 1}\n      two: {from: b, to: c, when: x >= 4}\n"
                                "      no: {from: b, to: d, when: x >= 3}\n      three: {from: c, to: d, when: x >= 6}\n"
                                "dynamics: {type: ode, rhs: {x: 0, y: s}}\n");
    assert_int_equal(event_run_count(&r, SIM_TRANSITION), 2);
    assert_near(event_run_end(&r, 0), 3, in_time);
    event_run_free(&r);
}

/* A condition that holds for a microsecond only; two machines that watch the same. */
static void short_conditions_are_seen(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 1}\nstates: {y: {initial: 0}}\n"
                                "machines:\n  a:\n    states: {off: {p: 0}, on: {p: 1}}\n    transitions:\n"
                                "      go: {from: off, to: on, when: exp(-((t - 0.3)/1e-6)^2) >= 0.5}\n"
                                "  b:\n    states: {off: {q: 0}, on: {q: 10}}\n    transitions:\n"
                                "      go: {from: off, to: on, when: exp(-((t - 0.3)/1e-6)^2) >= 0.5}\n"
                                "dynamics: {type: ode, rhs: {y: p + q}}\n");
    const double t = 0.3 - 1e-6 * sqrt(log(2));
    assert_near(event_run_event(&r, SIM_TRANSITION, 0).t, t, in_time);
    assert_near(event_run_event(&r, SIM_TRANSITION, 1).t, t, 1e-9);
    assert_near(event_run_end(&r, 0), 11 * (1 - t), 1e-8);
    event_run_free(&r);
}

/* A machine beside contacts: a ball that is thrown again each second after it has come to rest. */
static void machines_go_with_contacts(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 3.7}\nstates: {z: {initial: 0}, v: {initial: 0}}\n"
                                "machines:\n  hand:\n    states: {wait: {}}\n    transitions:\n"
                                "      throw: {from: wait, to: wait, after: 1, reset: {v: 2.4525}}\n"
                                "dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: -9.81}}\n"
                                "contacts: {floor: {gap: z}}\n");
    for (int k = 0; k < 3; k++) {
        assert_near(event_run_event(&r, SIM_TRANSITION, k).t, k + 1, in_time);
        assert_near(event_run_event(&r, SIM_IMPACT, k).t, k + 1.5, in_time);
    }
    event_run_free(&r);
}

static void loops_are_told(void **state)
{
    (void)state;
    struct event_run r = event_run_read("cocp: 1\ntime: {horizon: 1}\nstates: {x: {initial: 1}}\n"
                                        "machines:\n  m:\n    states: {a: {}, b: {}}\n    transitions:\n"
                                        "      go: {from: a, to: b, when: x >= 0}\n      back: {from: b, to: a, when: x >= 0}\n"
                                        "dynamics: {type: ode, rhs: {x: 0}}\n");
    assert_int_equal(event_run_go(&r), STATUS_NUMERIC);
    assert_non_null(strstr(sim_message(r.sim), "m.go again and again"));
    event_run_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(washers_go_round),
        cmocka_unit_test(machines_can_be_relays),
        cmocka_unit_test(timers_sample_and_hold),
        cmocka_unit_test(resets_can_be_impacts),
        cmocka_unit_test(transitions_follow_each_other),
        cmocka_unit_test(short_conditions_are_seen),
        cmocka_unit_test(machines_go_with_contacts),
        cmocka_unit_test(loops_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
