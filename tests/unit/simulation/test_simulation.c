/* Event-driven simulation against closed forms. Unless a comment says otherwise tolerances are 1e-12 for the times
 * of events (rounding of the position there over the speed), 1e-11 for states: rtol = 1e-12 over a few steps. */

#include "core/simulation/events/run.h"

#include "tests/unit/assertions.h"
#include "tests/unit/event_run.h"

static const double in_time = 1e-12, in_state = 1e-11, rounding = 1e-14;

/* --- Switches; cases.md 1 ------------------------------------------------------------------------------------ */

static void oscillator_crosses_the_circle_at_one(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("problems/oscillator.yaml");
    const double pi = acos(-1), T = pi / 2;
    assert_int_equal(sim_n_events(r.sim), 1);
    assert_near(event_run_event(&r, SIM_CROSSING, 0).t, 1, in_time);
    assert_near(event_run_event(&r, SIM_CROSSING, 0).x_minus[0], 1, in_state);
    assert_near(event_run_end(&r, 0), exp(T - 1) * cos(2 * pi * (T - 1)), in_state);
    assert_near(event_run_end(&r, 1), -exp(T - 1) * sin(2 * pi * (T - 1)), in_state);
    event_run_free(&r);
}

/* Steps of the switches at t in piece k. */
static void eval_alpha(const struct sim *sim, int k, double t, double *alpha)
{
    sim_eval_contacts(sim, k, t, NULL);
    memcpy(alpha, sim->flow.alpha, (size_t)sim->sys->n_s * sizeof *alpha);
}

static void simplest_switch_is_crossed(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("problems/simplest_switch.yaml");
    assert_near(event_run_event(&r, SIM_CROSSING, 0).t, 0.5, in_time);
    assert_near(event_run_end(&r, 0), 0.2, in_state);
    event_run_free(&r);
}

static void sliding_is_reached_and_kept(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("problems/sliding.yaml");
    double alpha;
    assert_int_equal(sim_n_events(r.sim), 1);
    assert_near(event_run_event(&r, SIM_SLIDING, 0).t, sqrt(2), in_time);
    assert_near(event_run_end(&r, 0), 0, in_time);
    eval_alpha(r.sim, sim_n_pieces(r.sim) - 1, 1.9, &alpha);
    assert_near(alpha, 0.5, in_state);                          /* Filippov: -1 alpha + 1 (1 - alpha) = 0 */
    event_run_free(&r);
}

static void sliding_is_left_in_time(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("problems/leaving_sliding.yaml");
    assert_near(event_run_event(&r, SIM_LEAVING, 0).t, 1, in_time);
    assert_near(event_run_end(&r, 0), 0.125, in_state);
    event_run_free(&r);
}

/* Two surfaces at once: x' = -sign(x) + 1/2, y' = -2 sign(y) - 1 from (1, 1) reach x = 0 at 2, y = 0 at 1/3. */
static void surfaces_meet(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 3}\nstates: {x: {initial: 1}, y: {initial: 1}}\n"
                                "dynamics: {type: ode, rhs: {x: 0.5 - sign(x), y: -2*sign(y) - 1}}\n");
    double alpha[2];
    assert_near(event_run_event(&r, SIM_SLIDING, 0).t, 1.0 / 3, in_time);
    assert_near(event_run_event(&r, SIM_SLIDING, 1).t, 2, in_time);
    eval_alpha(r.sim, sim_n_pieces(r.sim) - 1, 2.5, alpha);
    assert_near(alpha[0], 0.75, in_state);                      /* 2 alpha - 1 = 1/2 */
    assert_near(alpha[1], 0.25, in_state);
    event_run_free(&r);
}

/* On the intersection of two surfaces of one group the field is bilinear in alpha: with the velocities of the four
 * modes (1, 1), (-2, 1), (1, -3), (-1, -1), alpha solves a quadratic equation. */
static void fields_of_one_group_blend(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 2}\nstates: {x: {initial: -0.5}, y: {initial: -0.5}}\n"
                                "dynamics:\n  type: piecewise\n  switches: {a: x, b: y}\n  modes:\n"
                                "    nn: {where: a < 0 and b < 0, rhs: {x: 1, y: 1}}\n    pn: {where: a > 0 and b "
                                "< 0, rhs: {x: -2, y: 1}}\n"
                                "    np: {where: a < 0 and b > 0, rhs: {x: 1, y: -3}}\n    pp: {where: a > 0 and "
                                "b > 0, rhs: {x: -1, y: -1}}\n");
    double alpha[2];
    eval_alpha(r.sim, sim_n_pieces(r.sim) - 1, 1.5, alpha);
    const double a = alpha[0], b = alpha[1];
    assert_near(event_run_event(&r, SIM_SLIDING, 0).t, 0.5, in_time);
    assert_near((1 - a) * (1 - b) - 2 * a * (1 - b) + (1 - a) * b - a * b, 0, in_state);
    assert_near((1 - a) * (1 - b) + a * (1 - b) - 3 * (1 - a) * b - a * b, 0, in_state);
    assert_near(event_run_end(&r, 0), 0, in_time);
    assert_near(event_run_end(&r, 1), 0, in_time);
    event_run_free(&r);
}

/* r' = -r outside of the unit circle and r inside, th' = 1: from r = 2 the circle is reached at ln 2 and kept. */
static void curved_surfaces_are_kept(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 3}\nstates: {x: {initial: 2}, y: {initial: 0}}\n"
                                "define: {c: x^2 + y^2 - 1}\n"
                                "dynamics: {type: ode, rhs: {x: -y - x*sign(c), y: x - y*sign(c)}}\n");
    double x[2];
    assert_near(event_run_event(&r, SIM_SLIDING, 0).t, log(2), in_time);
    assert_string_equal(sim_subject_name(r.sim, 0), "c");
    for (int k = 0; k < 1000; k++) {
        sim_eval(r.sim, 0.7 + 2.3 * k / 1000, 1, x);
        assert_near(x[0] * x[0] + x[1] * x[1], 1, in_time);
    }
    assert_near(event_run_end(&r, 0), cos(3), in_state);
    assert_near(event_run_end(&r, 1), sin(3), in_state);
    event_run_free(&r);
}

/* A switch within a switch: |x| - 1 is reached from x = 3 at t = 2, and x stays at 1. */
static void nested_switches(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 4}\nstates: {x: {initial: 3}, y: {initial: 0}}\n"
                                "dynamics: {type: ode, rhs: {x: '-sign(abs(x) - 1)', y: 'max(x, 2 - t, 0.5)'}}\n");
    assert_near(event_run_event(&r, SIM_SLIDING, 0).t, 2, in_time);
    assert_near(event_run_end(&r, 0), 1, in_time);
    assert_near(event_run_end(&r, 1), 6, in_state);             /* (3 + 1) / 2 * 2 + 2 */
    event_run_free(&r);
}

/* A parcel that goes with a belt of 0.5 m/s from 0.25 s on comes to another one at x = 0.8. Friction of 2 m/s^2 takes it
 * to that one's speed, up or down. */
static void what_slid_on_a_surface_that_jumps_is_beside_it(void **state)
{
    (void)state;
    static const double belt[] = { 1.5, 0.2 };
    for (int k = 0; k < 2; k++) {
        char text[400];
        (void)snprintf(text, sizeof text, "cocp: 1\ntime: {horizon: 3}\nstates: {x: {initial: 0}, v: {initial: 0}}\n"
                       "dynamics: {type: ode, rhs: {x: v, v: '-2*sign(v - if(x < 0.8, 0.5, %g))'}}\n", belt[k]);
        struct event_run r = event_run_solved(text);
        const double t = 0.25 + 0.7375 / 0.5, turn = fabs(belt[k] - 0.5) / 2, mean = 0.5 * (0.5 + belt[k]);
        assert_near(event_run_event(&r, SIM_CROSSING, 0).t, t, in_time);
        assert_near(event_run_event(&r, SIM_LEAVING, 0).t, t, in_time);
        assert_near(event_run_event(&r, SIM_SLIDING, 1).t, t + turn, in_time);
        assert_near(event_run_end(&r, 0), 0.8 + mean * turn + belt[k] * (3 - t - turn), in_state);
        assert_near(event_run_end(&r, 1), belt[k], in_state);
        event_run_free(&r);
    }
}

/* x'' = -2 sign(x) - sign(x'): from (1, 0) on x'' = -1 up to x = 0, where v = -sqrt 2, then 3 up to v = 0: each
 * turn is a third of the one before, and they end at the origin in finite time. */
static void crossings_accumulate(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 6}\nstates: {x: {initial: 1}, v: {initial: 0}}\n"
                                "dynamics: {type: ode, rhs: {x: v, v: '-2*sign(x) - sign(v)'}}\n");
    assert_near(event_run_event(&r, SIM_CROSSING, 0).t, sqrt(2), in_time);
    assert_near(event_run_event(&r, SIM_CROSSING, 1).t, sqrt(2) + sqrt(2) / 3, in_time);
    assert_near(event_run_end(&r, 0), 0, in_time);
    assert_near(event_run_end(&r, 1), 0, 1e-9);
    event_run_free(&r);
}

/* A force that jumps in time: x'' = 1 until 0.3, then -1. */
static void controls_may_be_expressions_of_time(void **state)
{
    (void)state;
    struct event_run r = event_run_solved(
        "cocp: 1\ntime: {horizon: 1}\nstates: {x: {initial: 0}, v: {initial: 0}}\ncontrols: {u: {}}\n"
        "dynamics: {type: ode, rhs: {x: v, v: u}}\nsimulate: {controls: {u: 'if(t < 0.3, 1, -1)'}}\n");
    double before, after;
    assert_near(event_run_event(&r, SIM_CROSSING, 0).t, 0.3, in_time);
    assert_near(event_run_end(&r, 0), 0.5 * 0.09 + 0.3 * 0.7 - 0.5 * 0.49, in_state);
    const double t = event_run_event(&r, SIM_CROSSING, 0).t;
    sim_eval_u(r.sim, sim_find_piece(r.sim, t, -1), t, &before);
    sim_eval_u(r.sim, sim_find_piece(r.sim, t, 1), t, &after);
    assert_near(before, 1, 0);
    assert_near(after, -1, 0);
    event_run_free(&r);
}

/* Rows of a table hold until the next one: x' = u with 2 until 0.25, then -1. */
static void tables_of_controls_jump_where_they_say(void **state)
{
    (void)state;
    struct event_run r = event_run_read("cocp: 1\ntime: {horizon: 1}\nstates: {x: {initial: 0}}\n"
                                        "controls: {u: {}, w: {guess: 3}}\n"
                                        "dynamics: {type: ode, rhs: {x: u*w}}\n");
    const double t[] = { 0, 0.25 }, u[] = { 2, NAN, -1, 1 };
    r.task.controls = (struct sim_controls){ 2, t, u };
    assert_int_equal(event_run_go(&r), STATUS_OK);
    assert_near(event_run_end(&r, 0), 2 * 3 * 0.25 - 0.75, in_state);
    assert_int_equal(sim_n_events(r.sim), 0);
    event_run_free(&r);
}

/* --- Impacts and friction in the plane ----------------------------------------------------------------------- */

static void elastic_ball_keeps_its_energy(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("problems/ball_1d.yaml");
    assert_int_equal(event_run_count(&r, SIM_IMPACT), 4);
    assert_near(event_run_end(&r, 0), 0.538626350702, 1e-11);   /* cases.md 1, twelve digits */
    assert_near(event_run_end(&r, 1), 2.264542116901, 1e-11);
    assert_near(event_run_event(&r, SIM_IMPACT, 3).impulse[0], 7.923635529, 1e-9);
    event_run_free(&r);
}

/* Between impacts the two balls move in closed form: computed with 40 digits from that. The spring's frequency of
 * 141/s makes an error of 1e-12 in a position one of 1e-10 in a velocity. */
static void balls_on_a_spring_meet_their_closed_form(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("problems/two_balls.yaml");
    static const double end[] = { 0.246841886728835273, 1.22821031200850112, -2.37983952146643356,
                                  -3.11409239362375569 };
    assert_int_equal(sim_n_events(r.sim), 2);
    assert_near(event_run_event(&r, SIM_IMPACT, 0).t, 0.403855021876921781, in_time);
    assert_near(event_run_event(&r, SIM_IMPACT, 1).t, 0.423316968814706678, in_time);
    for (int i = 0; i < 4; i++)
        assert_near(event_run_end(&r, i), end[i], 1e-10);
    event_run_free(&r);
}

static void ball_slips_and_sticks(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("problems/ball_2d.yaml");
    const double t1 = sqrt(0.2), v1 = 4 - 0.3 * sqrt(20);       /* impact, speed after it */
    const struct sim_event impact = event_run_event(&r, SIM_IMPACT, 0), stick = event_run_event(&r, SIM_STICK, 0);
    assert_near(impact.t, t1, in_time);
    assert_near(impact.impulse[0], sqrt(20), in_state);
    assert_near(impact.impulse[1], -0.3 * sqrt(20), in_state);
    assert_near(impact.loss, 10 + 8 - 0.5 * v1 * v1, in_state); /* all of the fall, part of the rest */
    assert_near(stick.t, t1 + v1 / 3, in_time);
    assert_near(event_run_end(&r, 0), 4 * t1 + v1 * v1 / 6, in_state);
    assert_near(event_run_end(&r, 1), 0, in_time);
    assert_near(sim_friction_loss(r.sim, sim_n_pieces(r.sim) - 1), 0.5 * v1 * v1, in_state);
    event_run_free(&r);
}

/* cases.md 1, TF Ex. 3 and 4 in physical time: polynomials in t. */
static void point_mass_lands_slides_and_lifts_off(void **state)
{
    (void)state;
    const double g = 9.81, t1 = sqrt(2 / g);
    for (int with_friction = 0; with_friction < 2; with_friction++) {
        struct event_run r = event_run_solved(with_friction ? "problems/tf_ex4.yaml" : "problems/tf_ex3.yaml");
        const double mu = with_friction ? 0.6 : 0, a = 7 - mu * g;
        const double v1 = 7 * t1 - mu * g * t1, v2 = v1 + a * (1 - t1), v3 = v2 + 0.5 * a + mu * g * 0.25;
        const double x2 = 3.5 * t1 * t1 + v1 * (1 - t1) + 0.5 * a * (1 - t1) * (1 - t1);
        const double x3 = x2 + 0.5 * v2 + 0.125 * a + mu * g * 0.125 / 3;
        assert_near(event_run_event(&r, SIM_IMPACT, 0).t, t1, in_time);
        assert_near(event_run_event(&r, SIM_LIFTOFF, 0).t, 1.5, in_time);
        assert_near(event_run_end(&r, 0), x3 + 0.75 * v3 + 3.5 * 0.5625, in_state);
        assert_near(event_run_end(&r, 1), g * 0.421875 / 3, in_state);
        assert_near(event_run_end(&r, 2), v3 + 7 * 0.75, in_state);
        assert_near(event_run_end(&r, 3), g * 0.5625, in_state);
        event_run_free(&r);
    }
}

static void contacts_close_one_after_the_other(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("problems/two_contacts.yaml");
    assert_near(event_run_event(&r, SIM_IMPACT, 0).t, (sqrt(11) - 1) / 10, in_time);
    assert_near(event_run_event(&r, SIM_IMPACT, 1).t, 0.8 / 1.5, in_time);
    for (int i = 0; i < 4; i++)
        assert_near(event_run_end(&r, i), 0, in_time);
    event_run_free(&r);
}

/* A mass pulled by u = 8 t sticks until u = mu g, then slips; pulled back it stops and slips the other way. */
static void stick_slip_and_reversal(void **state)
{
    (void)state;
    struct event_run r = event_run_solved(
        "cocp: 1\ntime: {horizon: 3}\nstates: {x: {initial: 0}, z: {initial: 0}, vx: {initial: 0}, vz: {initial: "
        "0}}\n"
        "controls: {u: {}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {x: u, z: -10}}\n"
        "contacts: {ground: {gap: z, tangent: x, friction: 0.4}}\n"
        "simulate: {controls: {u: 'if(t < 1, 8*t, -8)'}}\n");
    const double v = 4 * 0.75 - 4 * 0.5, stop = 1 + v / 12;     /* slips from 1/2 on with 8 t - 4, then -12 */
    assert_near(event_run_event(&r, SIM_SLIP, 0).t, 0.5, in_time);
    assert_near(event_run_event(&r, SIM_REVERSAL, 0).t, stop, in_time);
    assert_near(event_run_end(&r, 2), -4 * (3 - stop), in_state);
    event_run_free(&r);
}

/* A velocity into a closed contact is an impact at the start; the states before and after it are both there. */
static void impact_at_the_start(void **state)
{
    (void)state;
    struct event_run r = event_run_solved(
        "cocp: 1\ntime: {horizon: 0.5}\nstates: {z: {initial: 0}, v: {initial: -4}}\n"
        "dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [2]}, force: {z: -20}}\n"
        "contacts: {ground: {gap: z, restitution: 0.5}}\n");
    const struct sim_event impact = event_run_event(&r, SIM_IMPACT, 0);
    assert_near(impact.t, 0, 0);
    assert_near(impact.impulse[0], 12, in_state);
    assert_near(impact.x_minus[1], -4, 0);
    assert_near(impact.x_plus[1], 2, in_state);
    assert_near(event_run_event(&r, SIM_IMPACT, 1).t, 0.4, in_time);
    event_run_free(&r);
}

/* The depth of a touch decides: gap (t - 1)^2 / 2 + d has its least value d. Below zero by 1e-11 it is an impact
 * at the first zero, at zero it is a graze that is told, above by 1e-6 nothing happens. The times of touches so
 * short are known to rounding over their speed of 4e-6 m/s. */
static void grazes_are_told_from_impacts(void **state)
{
    (void)state;
    static const double depth[] = { -1e-11, 0, 1e-6 };
    for (int k = 0; k < 3; k++) {
        char text[400];
        struct event_run_note heard = { "" };
        (void)snprintf(text, sizeof text,
                       "cocp: 1\ntime: {horizon: 3}\nstates: {z: {initial: %.17g}, v: {initial: -1}}\n"
                       "dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: 1}}\n"
                       "contacts: {ground: {gap: z, restitution: 1}}\n", 0.5 + depth[k]);
        struct event_run r = event_run_read(text);
        r.task.on_note = event_run_hear;
        r.task.user = &heard;
        assert_int_equal(event_run_go(&r), STATUS_OK);
        assert_int_equal(sim_n_events(r.sim), k == 0);
        if (k == 0)
            assert_near(event_run_event(&r, SIM_IMPACT, 0).t, 1 - sqrt(2e-11), 1e-10);
        assert_int_equal(strstr(heard.text, "it grazes at t = 1") != NULL, k == 1);
        event_run_free(&r);
    }
}

/* Takes all of v_n and gives back a tenth of v_t, of one contact. */
static enum status odd_law(void *user, const struct jump_impact *impact, double *v_plus, double *impulse, char *why,
                           size_t why_size)
{
    (void)why;
    (void)why_size;
    ++*(int *)user;
    memset(impulse, 0, CONTACT_ROWS * (size_t)impact->n_c * sizeof *impulse);
    v_plus[0] = 0.1 * impact->v_minus[0];
    v_plus[1] = 0;
    impulse[0] = -impact->v_minus[1];
    return STATUS_OK;
}

static void laws_of_impact_can_be_handed_over(void **state)
{
    (void)state;
    struct event_run r = event_run_read("problems/ball_2d.yaml");
    int n_calls = 0;
    r.task.law = odd_law;
    r.task.law_user = &n_calls;
    assert_int_equal(event_run_go(&r), STATUS_OK);
    assert_int_equal(n_calls, 1);
    assert_near(event_run_event(&r, SIM_IMPACT, 0).x_plus[2], 0.4, rounding);
    assert_near(event_run_event(&r, SIM_STICK, 0).t, sqrt(0.2) + 0.4 / 3, in_time);
    event_run_free(&r);
}

/* A mass falls at 1 m/s on another one that lies on the ground; e = 0 between them, 1 at the ground, which does
 * not approach: by Newton both stop. By Poisson each contact is compressed by 1 N s, and the ground gives its part
 * back: both leave with half of it. */
static void poisson_gives_back_what_it_compressed(void **state)
{
    (void)state;
    for (int law = 0; law < 2; law++) {
        struct event_run r = event_run_read(
            "cocp: 1\ntime: {horizon: 0.01}\nstates: {a: {initial: 0}, b: {initial: 0}, va: {initial: 0},\n"
            "  vb: {initial: -1}}\n"
            "dynamics: {type: mechanical, coordinates: {a: va, b: vb}, mass: {diag: [1, 1]}, force: {a: 0}}\n"
            "contacts:\n  ground: {gap: a, restitution: 1}\n  pair: {gap: b - a, restitution: 0}\n");
        r.task.restitution = law ? JUMP_POISSON : JUMP_NEWTON;
        assert_int_equal(event_run_go(&r), STATUS_OK);
        const double *x = event_run_event(&r, SIM_IMPACT, 0).x_plus;
        assert_near(x[2], law ? 0.5 : 0, rounding);
        assert_near(x[3], law ? 0.5 : 0, rounding);
        event_run_free(&r);
    }
}

static void interrupts_keep_what_is_there(void **state)
{
    (void)state;
    struct event_run r = event_run_read("problems/ball_2d.yaml");
    const volatile sig_atomic_t raised = SIGINT;
    r.task.interrupt = &raised;
    assert_int_equal(event_run_go(&r), STATUS_INTERRUPTED);
    assert_non_null(sim_message(r.sim));
    r.task.interrupt = NULL;
    r.task.max_seconds = 0;
    assert_int_equal(event_run_go(&r), STATUS_LIMIT);
    event_run_free(&r);
}

/* --- What cannot be simulated -------------------------------------------------------------------------------- */

static void events_are_limited(void **state)
{
    (void)state;
    struct event_run r = event_run_read("problems/ball_1d.yaml");
    r.task.max_events = 2;
    assert_int_equal(event_run_go(&r), STATUS_LIMIT);
    assert_non_null(strstr(sim_message(r.sim), "max_events"));
    assert_int_equal(sim_n_events(r.sim), 2);
    event_run_free(&r);
}

static void nan_is_traced_to_its_line(void **state)
{
    (void)state;
    struct event_run r = event_run_read("cocp: 1\ntime: {horizon: 2}\nstates: {x: {initial: 1}}\n"
                                        "dynamics:\n  type: ode\n  rhs: {x: '-1 - 1e-9*sqrt(x)'}\n");
    assert_int_equal(event_run_go(&r), STATUS_NUMERIC);
    assert_non_null(strstr(sim_message(r.sim), "test.yaml:6:"));
    assert_non_null(strstr(sim_message(r.sim), "sqrt"));
    assert_near(sim_t_end(r.sim), 1, 1e-6);
    event_run_free(&r);
}

static void overlap_at_the_start_is_refused(void **state)
{
    (void)state;
    struct event_run r = event_run_read("problems/ball_2d.yaml");
    const double x[] = { 0, -0.1, 0, 0 };
    r.task.x_initial = x;
    assert_int_equal(sim_run(&r.task, &r.sim, r.diag), STATUS_SPEC);
    assert_non_null(strstr(diag_line(r.diag, 0), "contacts.ground: the gap is -0.1"));
    assert_null(r.sim);
    event_run_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oscillator_crosses_the_circle_at_one),
        cmocka_unit_test(simplest_switch_is_crossed),
        cmocka_unit_test(sliding_is_reached_and_kept),
        cmocka_unit_test(sliding_is_left_in_time),
        cmocka_unit_test(surfaces_meet),
        cmocka_unit_test(fields_of_one_group_blend),
        cmocka_unit_test(curved_surfaces_are_kept),
        cmocka_unit_test(nested_switches),
        cmocka_unit_test(what_slid_on_a_surface_that_jumps_is_beside_it),
        cmocka_unit_test(crossings_accumulate),
        cmocka_unit_test(controls_may_be_expressions_of_time),
        cmocka_unit_test(tables_of_controls_jump_where_they_say),
        cmocka_unit_test(elastic_ball_keeps_its_energy),
        cmocka_unit_test(balls_on_a_spring_meet_their_closed_form),
        cmocka_unit_test(ball_slips_and_sticks),
        cmocka_unit_test(point_mass_lands_slides_and_lifts_off),
        cmocka_unit_test(contacts_close_one_after_the_other),
        cmocka_unit_test(stick_slip_and_reversal),
        cmocka_unit_test(impact_at_the_start),
        cmocka_unit_test(grazes_are_told_from_impacts),
        cmocka_unit_test(laws_of_impact_can_be_handed_over),
        cmocka_unit_test(poisson_gives_back_what_it_compressed),
        cmocka_unit_test(interrupts_keep_what_is_there),
        cmocka_unit_test(events_are_limited),
        cmocka_unit_test(nan_is_traced_to_its_line),
        cmocka_unit_test(overlap_at_the_start_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
