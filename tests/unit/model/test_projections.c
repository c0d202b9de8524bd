/* Projected systems against closed forms: from event to event, and by the steps of FESD. Times to 1e-12 and states to
 * 1e-11, as in test_simulation.c. */
#include "tests/unit/assertions.h"
#include "tests/unit/event_run.h"
#include "tests/unit/simulated.h"

static const double in_time = 1e-12, in_state = 1e-11;

/* State i and force k (the last ones are reactions) at t, after what happens there. */
static double state_at(const struct event_run *r, double t, int i)
{
    double x[8];
    sim_eval(r->sim, t, 1, x);
    return x[i];
}

static double force_at(const struct event_run *r, double t, int k)
{
    double force[8];
    sim_eval_forces(r->sim, sim_find_piece(r->sim, t, 1), t, force);
    return force[k];
}

/* Scalar sweeping process: a slider y between the ends of a rod at sin(3 t) -+ r rests where the rod turns, and is taken
 * along by the other end once the rod has gone back by 2 r. */
static void play_has_its_hysteresis(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 6}\nparameters: {r: 0.3}\nstates: {y: {initial: 0}}\n"
                                "dynamics: {type: ode, rhs: {y: 0}}\n"
                                "projection: {low: {gap: y - (sin(3*t) - r)}, high: {gap: sin(3*t) + r - y}}\n");
    const double half = acos(-1) / 3, back = acos(1 - 2 * 0.3) / 3;     /* sin has gone back by 2 r after it */
    assert_near(event_run_event(&r, SIM_SLIDING, 0).t, asin(0.3) / 3, in_time);
    for (int k = 0; k < 5; k++) {
        const double turn = half / 2 + k * half, rest = (k % 2 ? -1 : 1) * (1 - 0.3);
        assert_near(event_run_event(&r, SIM_LEAVING, k).t, turn, in_time);
        assert_near(event_run_event(&r, SIM_SLIDING, k + 1).t, turn + back, in_time);
        assert_near(state_at(&r, turn + 0.5 * back, 0), rest, in_state);
        assert_near(force_at(&r, turn + 0.5 * back, k % 2), 0, in_state);
    }
    assert_near(state_at(&r, 0.3, 0), sin(0.9) - 0.3, in_state);
    assert_near(force_at(&r, 0.3, 0), 3 * cos(0.9), 1e-9);              /* it goes with the rod */
    assert_int_equal(sim_n_events(r.sim), 12);
    event_run_free(&r);
}

/* A disc of a distance R pushes another one off centre, along x with 1 m/s: phi' = sin(phi)/R is the angle at which
 * that is seen, tan(phi/2) = tan(phi_0/2) e^(t/R), until the push ends beside it, at phi = pi/2. */
#define PUSHED(from) \
    "parameters: {R: 0.5, phi: 0.2}\n" \
    "states: {x: {initial: " from "R*cos(phi)}, y: {initial: R*sin(phi)}}\n" \
    "dynamics: {type: ode, rhs: {x: 0, y: 0}}\n" \
    "projection: {push: {gap: 'sqrt((x - t)^2 + y^2) - R'}}\n"

static double angle_at(double t)
{
    return 2 * atan(tan(0.1) * exp(t / 0.5));
}

static void a_pushed_disc_goes_round(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 1.5}\n" PUSHED(""));
    const double end = -0.5 * log(tan(0.1));
    for (int k = 1; k < 10; k++) {
        const double t = end * k / 10, phi = angle_at(t);
        assert_near(state_at(&r, t, 0), t + 0.5 * cos(phi), in_state);
        assert_near(state_at(&r, t, 1), 0.5 * sin(phi), in_state);
        assert_near(force_at(&r, t, 0), cos(phi), 1e-9);
    }
    assert_near(event_run_event(&r, SIM_LEAVING, 0).t, end, 1e-10);     /* the reaction ends with a slope of 2 */
    assert_near(event_run_end(&r, 1), 0.5, in_state);
    event_run_free(&r);
}

/* Three carts in contact with mobilities m_i, drawn with f_i: they move with v = sum(f_i/m_i)/sum(1/m_i), the
 * reactions are (f_1 - v)/m_1 and (v - f_3)/m_3. */
static void reactions_act_together(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 1}\nstates: {a: {initial: 0}, b: {initial: 1}, c: {initial: 2}}\n"
                                "dynamics: {type: ode, rhs: {a: 3, b: 0, c: -1}}\n"
                                "projection:\n  ab: {gap: b - a - 1, mobility: {a: 2, b: 0.5}}\n"
                                "  bc: {gap: c - b - 1, mobility: {b: 0.5, c: 4}}\n");
    const double v = (3.0 / 2 + 0 - 1.0 / 4) / (1.0 / 2 + 2 + 1.0 / 4);
    for (int i = 0; i < 3; i++)
        assert_near(event_run_end(&r, i), i + v, in_state);
    assert_near(force_at(&r, 0.5, 0), (3 - v) / 2, in_state);
    assert_near(force_at(&r, 0.5, 1), (v + 1) / 4, in_state);
    event_run_free(&r);
}

/* An oblique reaction: at x = 0 it stops x' = -1 with 1, and y goes with -0.5. */
static void directions_may_be_oblique(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 2}\nstates: {x: {initial: 1}, y: {initial: 0}}\n"
                                "dynamics: {type: ode, rhs: {x: -1, y: 0}}\n"
                                "projection: {wall: {gap: x, direction: {x: 1, y: -0.5}}}\n");
    assert_near(event_run_event(&r, SIM_SLIDING, 0).t, 1, in_time);
    assert_near(event_run_end(&r, 1), -0.5, in_state);
    event_run_free(&r);
}

/* What has no mass is not hit: a body of 1 kg at 1 m/s meets a damper of 2 N s/m at 0.5 m and stops by e^(-2 t). */
static void bodies_push_what_has_no_mass(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 1.5}\nstates: {x: {initial: 0}, v: {initial: 1}, y: {initial: 0.5}}\n"
                                "dynamics: {type: mechanical, coordinates: {x: v}, mass: {diag: [1]}, rhs: {y: 0}}\n"
                                "projection: {plunger: {gap: y - x, mobility: {y: 1/2}}}\n");
    const double part = exp(-2 * 1.0);
    assert_int_equal(event_run_count(&r, SIM_IMPACT), 0);
    assert_near(event_run_end(&r, 0), 0.5 + 0.5 * (1 - part), in_state);
    assert_near(event_run_end(&r, 1), part, in_state);
    assert_near(event_run_end(&r, 2), event_run_end(&r, 0), in_state);
    assert_near(force_at(&r, 1.5, 0), 2 * part, in_state);
    event_run_free(&r);
}

/* A leg with spring, damper and a foot without mass: in the air its stretch s fades as e^(-k t/d); on the ground its
 * force is -k s - d s', and it leaves where that is 0, before s is. */
static void feet_without_mass_leave_in_time(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 1.2}\nparameters: {k: 200, d: 2, l: 1, g: 9.81}\n"
                                "states: {z: {initial: 1.5}, v: {initial: 0}, y: {initial: 0.5}}\n"
                                "dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: foot.lambda - g},\n"
                                "  rhs: {y: v + k/d*(z - y - l)}}\n"
                                "projection: {foot: {gap: y, mobility: {y: 1/d}}}\n");
    const double landed = sqrt(2 * 0.5 / 9.81);
    assert_near(event_run_event(&r, SIM_SLIDING, 0).t, landed, in_time);
    assert_near(force_at(&r, landed, 0), 2 * 9.81 * landed, 1e-9);     /* the damper at once, without an impulse */
    const struct sim_event leaves = event_run_event(&r, SIM_LEAVING, 0), lands = event_run_event(&r, SIM_SLIDING, 1);
    const double stretch = leaves.x_plus[0] - 1;
    assert_near(200 * stretch + 2 * leaves.x_plus[1], 0, 1e-8);
    assert_true(stretch < 0);
    const double later = lands.x_plus[0] - lands.x_plus[2] - 1;
    assert_near(later, stretch * exp(-100 * (lands.t - leaves.t)), in_state);
    event_run_free(&r);
}

/* A reset that leads out of the set has no solution. */
static void jumps_out_are_reported(void **state)
{
    (void)state;
    struct event_run r = event_run_read("cocp: 1\ntime: {horizon: 2}\nstates: {x: {initial: 1}}\n"
                                        "dynamics: {type: ode, rhs: {x: 0}}\nprojection: {wall: {gap: x}}\n"
                                        "machines: {m: {states: {a: {}, b: {}}, transitions: {go: {from: a, to: b, after: 1, "
                                        "reset: {x: -1}}}}}\n");
    assert_int_equal(event_run_go(&r), STATUS_NUMERIC);
    assert_non_null(strstr(sim_message(r.sim), "t = 1: the state jumps out of its set: the gap of wall is -1"));
    event_run_free(&r);
}

/* Order 2 s - 1 of Radau IIA with s stages, where a step goes round with the disc and where it meets it on the way. */
static double error_of_steps(struct simulated *s, int steps, double gone)
{
    const double phi = angle_at(1 - gone);
    s->simulate.steps = steps;
    simulated_run(s);
    return hypot(simulated_end(s, 0) - (1 + 0.5 * cos(phi)), simulated_end(s, 1) - 0.5 * sin(phi));
}

static void steps_keep_their_order(void **state)
{
    (void)state;
    static const char *const text[] = { "cocp: 1\ntime: {horizon: 1, elements: 1}\n" PUSHED(""),
                                        "cocp: 1\ntime: {horizon: 1, elements: 2}\n" PUSHED("0.2137 + ") };
    for (int k = 0; k < 4; k++) {
        struct simulated s = simulated_read(text[k % 2]);
        const double gone = k % 2 ? 0.2137 : 0;
        const int stages = s.settings.stages = 2 + k / 2, n = k % 2 ? 4 : 16;
        const double order = log2(error_of_steps(&s, n, gone) / error_of_steps(&s, 2 * n, gone));
        print_message("%d stages: order %.2f\n", stages, order);
        assert_true(order > 2 * stages - 1.2);                  /* 2.88, 3.12, 5.02 and 5.02 */
        if (k % 2)
            assert_near(simulated_event(&s, "sliding", 0, "t"), 0.2137, 1e-9);
        simulated_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(play_has_its_hysteresis), cmocka_unit_test(a_pushed_disc_goes_round),
        cmocka_unit_test(reactions_act_together), cmocka_unit_test(directions_may_be_oblique),
        cmocka_unit_test(bodies_push_what_has_no_mass), cmocka_unit_test(feet_without_mass_leave_in_time),
        cmocka_unit_test(jumps_out_are_reported), cmocka_unit_test(steps_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
