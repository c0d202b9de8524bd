/* Event-driven simulation against closed forms. Unless a comment says otherwise tolerances are 1e-12 for the times
 * of events (rounding of the position there over the speed), 1e-11 for states: rtol = 1e-12 over a few steps. */

#include "core/simulation/run.h"

#include "tests/unit/event_run.h"
#include "tests/unit/assertions.h"

static const double in_time = 1e-12, in_state = 1e-11, rounding = 1e-14;

struct heard { char text[600]; };

static void hear(void *user, const char *text)
{
    struct heard *heard = user;
    if (!heard->text[0])
        (void)snprintf(heard->text, sizeof heard->text, "%s", text);
}

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
        struct heard heard = { "" };
        (void)snprintf(text, sizeof text,
                       "cocp: 1\ntime: {horizon: 3}\nstates: {z: {initial: %.17g}, v: {initial: -1}}\n"
                       "dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: 1}}\n"
                       "contacts: {ground: {gap: z, restitution: 1}}\n", 0.5 + depth[k]);
        struct event_run r = event_run_read(text);
        r.task.on_note = hear;
        r.task.user = &heard;
        assert_int_equal(event_run_go(&r), STATUS_OK);
        assert_int_equal(sim_n_events(r.sim), k == 0);
        if (k == 0)
            assert_near(event_run_event(&r, SIM_IMPACT, 0).t, 1 - sqrt(2e-11), 1e-10);
        assert_int_equal(strstr(heard.text, "a graze at t = 1") != NULL, k == 1);
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

/* --- Space --------------------------------------------------------------------------------------------------- */

/* Slip on a straight line: mu g slows it down against its direction. */
static void ball_slips_in_space(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("problems/ball_3d.yaml");
    const double t1 = sqrt(0.2), v1 = sqrt(5) - 0.2 * sqrt(20), s = sqrt(5) * t1 + v1 * v1 / 4;
    assert_near(event_run_event(&r, SIM_IMPACT, 0).t, t1, in_time);
    assert_near(event_run_event(&r, SIM_STICK, 0).t, t1 + v1 / 2, in_time);
    assert_near(event_run_end(&r, 0), s * 2 / sqrt(5), in_state);
    assert_near(event_run_end(&r, 1), s / sqrt(5), in_state);
    event_run_free(&r);
}

/* A puck on an incline, k = mu / tan(slope): v (k + cos phi) falls at the rate g sin(slope) (k^2 - 1), phi the
 * angle of slip from the line of fall, which goes to 0 as the puck stops; there its direction is singular. On the
 * way v sin phi tan(phi / 2)^-k is constant. */
static void puck_curves_down_an_incline(void **state)
{
    (void)state;
    static const double k[] = { 1.1, 1.5, 3, 8 };
    for (int i = 0; i < 4; i++) {
        char text[800];
        (void)snprintf(
            text, sizeof text,
            "cocp: 1\nparameters: {g: 10, a: 0.5, k: %g, mu: k*tan(a)}\ntime: {horizon: 2}\n"
            "states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 0}, vx: {initial: 2*cos(2)},\n"
            "  vy: {initial: 2*sin(2)}, vz: {initial: 0}}\n"
            "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, z: vz}, mass: {diag: [1, 1, 1]},\n"
            "  force: {x: g*sin(a), z: -g*cos(a)}}\n"
            "contacts: {plane: {gap: z, tangent: [x, y], friction: mu}}\n",
            k[i]);
        struct event_run r = event_run_solved(text);
        const double stop = 2 * (k[i] + cos(2)) / (10 * sin(0.5) * (k[i] * k[i] - 1));
        double x[6];
        assert_int_equal(sim_n_events(r.sim), 1);
        assert_near(event_run_event(&r, SIM_STICK, 0).t, stop, 1e-11);
        sim_eval(r.sim, 0.5 * stop, 1, x);
        const double phi = atan2(x[4], x[3]), v = hypot(x[3], x[4]);
        assert_near(v * sin(phi) * pow(tan(phi / 2), -k[i]), 2 * sin(2) * pow(tan(1), -k[i]), in_state);
        assert_near(v * (k[i] + cos(phi)), k[i] + cos(2), in_state);
        event_run_free(&r);
    }
}

static const double disc_decay = 0.4 * 1 * 10 * 0.5 / (0.2 + 0.25);     /* mu m g r / (J + m r^2), see below */

/* Accelerations (v_x, v_y, w) of the disc below while both contacts slip; y is (th, v_x, v_y, w). */
static void disc_field(const double *y, double *dy)
{
    double moment = 0;
    dy[0] = y[3];
    dy[1] = dy[2] = 0;
    for (int side = -1; side <= 1; side += 2) {
        const double r_x = side * 0.5 * cos(y[0]), r_y = side * 0.5 * sin(y[0]);
        const double u_x = y[1] - r_y * y[3], u_y = y[2] + r_x * y[3], speed = hypot(u_x, u_y);
        const double f_x = -0.4 * 5 * u_x / speed, f_y = -0.4 * 5 * u_y / speed;
        dy[1] += f_x;
        dy[2] += f_y;
        moment += r_x * f_y - r_y * f_x;
    }
    dy[3] = moment / 0.2;
}

/* Classical Runge-Kutta steps up to T. */
static void disc_reference(int n, double T, double *y)
{
    const double h = T / n;
    for (int k = 0; k < n; k++) {
        double d[4][4], z[4];
        disc_field(y, d[0]);
        for (int s = 1; s < 4; s++) {
            for (int i = 0; i < 4; i++)
                z[i] = y[i] + (s == 3 ? 1 : 0.5) * h * d[s - 1][i];
            disc_field(z, d[s]);
        }
        for (int i = 0; i < 4; i++)
            y[i] += h / 6 * (d[0][i] + 2 * d[1][i] + 2 * d[2][i] + d[3][i]);
    }
}

/* A bar on two contacts in space slips and spins: against Runge-Kutta steps, extrapolated (order 4), shortly
 * before its first contact sticks; from there on it turns about that contact and stops after w / disc_decay. */
static void spinning_bar_on_two_contacts(void **state)
{
    (void)state;
    struct event_run r = event_run_solved(
        "cocp: 1\nparameters: {g: 10, m: 1, r: 0.5, J: 0.2, mu: 0.4}\ntime: {horizon: 1}\n"
        "states: {x: {initial: 0}, y: {initial: 0}, th: {initial: 0.3}, z: {initial: 0}, b: {initial: 0},\n"
        "  vx: {initial: 1}, vy: {initial: 0.5}, w: {initial: 6}, vz: {initial: 0}, wb: {initial: 0}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, th: w, z: vz, b: wb},\n"
        "  mass: {diag: [m, m, J, m, J]}, force: {z: -m*g}}\n"
        "contacts:\n"
        "  one: {gap: z + r*sin(b), slip: [vx - r*sin(th)*w, vy + r*cos(th)*w], friction: mu}\n"
        "  two: {gap: z - r*sin(b), slip: [vx + r*sin(th)*w, vy - r*cos(th)*w], friction: mu}\n");
    const double start[] = { 0.3, 1, 0.5, 6 };
    double coarse[4], fine[4], x[10];
    memcpy(coarse, start, sizeof start);
    memcpy(fine, start, sizeof start);
    disc_reference(2000, 0.5, coarse);
    disc_reference(4000, 0.5, fine);
    sim_eval(r.sim, 0.5, 1, x);
    static const int place[] = { 2, 5, 6, 7 };
    for (int i = 0; i < 4; i++)
        assert_near(x[place[i]], fine[i] + (fine[i] - coarse[i]) / 15, 1e-10);
    const struct sim_event one = event_run_event(&r, SIM_STICK, 0), two = event_run_event(&r, SIM_STICK, 1);
    assert_near(two.t, one.t + one.x_plus[7] / disc_decay, 1e-11);
    for (int i = 5; i < 10; i++)
        assert_near(event_run_end(&r, i), 0, in_time);
    event_run_free(&r);
}

/* --- Contacts that share a load, paradoxes, energy ----------------------------------------------------------- */

/* A block on two feet, of one rigid body and both sticking: forces are not unique, but it sticks until the load is
 * mu m g as a whole, though the feet carry different parts of the weight; then both slip. */
static void block_on_two_feet_sticks_as_a_whole(void **state)
{
    (void)state;
    struct event_run r = event_run_solved(
        "cocp: 1\nparameters: {m: 2, g: 10, mu: 0.5}\ntime: {horizon: 2}\n"
        "states: {x: {initial: 0}, z: {initial: 0}, th: {initial: 0}, vx: {initial: 0}, vz: {initial: 0},\n"
        "  w: {initial: 0}}\ncontrols: {u: {}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, z: vz, th: w}, mass: {diag: [m, m, 1]},\n"
        "  force: {x: u, z: -m*g}}\n"
        "contacts:\n  rear: {gap: z - 0.2*th, tangent: x, friction: mu}\n"
        "  front: {gap: z + 0.8*th, tangent: x, friction: mu}\n"
        "simulate: {controls: {u: 8*t}}\n");
    struct sim_contact contact[2];
    sim_eval_contacts(r.sim, 0, 0.01, contact);
    assert_near(contact[0].lambda_n, 16, in_state);
    assert_near(contact[1].lambda_n, 4, in_state);
    assert_near(event_run_event(&r, SIM_SLIP, 0).t, 10.0 / 8, in_time);
    assert_near(event_run_event(&r, SIM_SLIP, 1).t, 10.0 / 8, in_time);
    assert_near(event_run_end(&r, 3), (4 * 4 - 4 * 1.5625 - 10 * 0.75) / 2, in_state);
    event_run_free(&r);
}

/* Eight boxes in a row, 0.1 apart; the first is pushed by 40 N and takes one after the other with it. n of them
 * move with (40 - 3 n) / n, and keep n / (n + 1) of their speed when they meet the next. With 15 contacts at the
 * end modes are found by complementarity. */
static void boxes_are_pushed_together(void **state)
{
    (void)state;
    enum { N = 8 };
    char text[6000];
    size_t n = (size_t)sprintf(text, "cocp: 1\ntime: {horizon: 1}\nstates:\n");
    for (int i = 0; i < N; i++)
        n += (size_t)sprintf(
            text + n, "  x%d: {initial: %g}\n  z%d: {initial: 0}\n  v%d: {initial: 0}\n  w%d: {initial: 0}\n", i,
            1.1 * i, i, i, i);
    n += (size_t)sprintf(text + n, "dynamics:\n  type: mechanical\n  coordinates: {");
    for (int i = 0; i < N; i++)
        n += (size_t)sprintf(text + n, "%sx%d: v%d, z%d: w%d", i ? ", " : "", i, i, i, i);
    n += (size_t)sprintf(text + n,
                         "}\n  mass: {diag: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}\n  force: {x0: 40");
    for (int i = 0; i < N; i++)
        n += (size_t)sprintf(text + n, ", z%d: -10", i);
    n += (size_t)sprintf(text + n, "}\ncontacts:\n");
    for (int i = 0; i < N; i++)
        n += (size_t)sprintf(text + n, "  g%d: {gap: z%d, tangent: x%d, friction: 0.3}\n", i, i, i);
    for (int i = 0; i < N - 1; i++)
        n += (size_t)sprintf(text + n, "  p%d: {gap: x%d - x%d - 1, tangent: z%d - z%d, friction: 0.1}\n", i,
                             i + 1, i, i + 1, i);
    struct event_run r = event_run_solved(text);
    double t = 0, v = 0;
    for (int k = 1; k < N; k++) {
        const double a = (40.0 - 3 * k) / k, hit = sqrt(v * v + 0.2 * a);
        t += (hit - v) / a;
        v = hit * k / (k + 1);
        assert_near(event_run_event(&r, SIM_SLIP, k - 1).t, t, 1e-11);
    }
    for (int i = 0; i < N; i++) {
        assert_near(event_run_end(&r, 4 * i + 2), v + 2 * (1 - t), in_state);
        assert_near(event_run_end(&r, 4 * i + 1), 0, in_time);
    }
    event_run_free(&r);
}

static double energy_of_rod(const double *x)
{
    return 0.5 * (x[3] * x[3] + x[4] * x[4] + x[5] * x[5] / 3) + 9.81 * x[1];
}

/* Never grows: at any of 1000 times it is at most what it was, up to the tolerance of the flow. */
static void check_energy(struct event_run *r)
{
    double x[6], before = INFINITY;
    for (int k = 0; k <= 1000; k++) {
        sim_eval(r->sim, r->model->horizon * k / 1000, 1, x);
        assert_true(energy_of_rod(x) <= before + 1e-11);
        before = energy_of_rod(x);
    }
}

/* cases.md 1: the lower end lands, slips, reverses; then the upper one. What is lost is lost in friction and
 * impacts. */
static void falling_rod_only_loses_energy(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("problems/falling_rod.yaml");
    double loss = 0, start[6], end[6];
    check_energy(&r);
    sim_eval(r.sim, 0, 1, start);
    for (int i = 0; i < 6; i++)
        end[i] = event_run_end(&r, i);
    for (int k = 0; k < sim_n_events(r.sim); k++)
        loss += sim_event_at(r.sim, k)->loss;
    loss += sim_friction_loss(r.sim, sim_n_pieces(r.sim) - 1);
    assert_near(energy_of_rod(start) - energy_of_rod(end), loss, 1e-10);
    assert_near(event_run_event(&r, SIM_IMPACT, 0).t, sqrt(2 * (1.5 - sin(0.5)) / 9.81), in_time);
    event_run_free(&r);
}

/* A slab on four contacts in space, more than its normal forces are determined by, bounces on its corners, sequences of
 * impacts within sequences, spins and stops. Its energy never grows and it ends flat. */
static void slab_on_four_contacts_comes_to_rest(void **state)
{
    (void)state;
    struct event_run r = event_run_read(
        "cocp: 1\nparameters: {g: 10, m: 1, r: 0.5, J: 0.2, mu: 0.4}\ntime: {horizon: 2}\n"
        "states: {x: {initial: 0}, y: {initial: 0}, th: {initial: 0.3}, z: {initial: 0.1}, a: {initial: 0.05},\n"
        "  b: {initial: 0.02}, vx: {initial: 1}, vy: {initial: 0.5}, w: {initial: 6}, vz: {initial: 0},\n"
        "  wa: {initial: 0}, wb: {initial: 0}}\n"
        "define: {cx: r*cos(th), sx: r*sin(th)}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, th: w, z: vz, a: wa, b: wb},\n"
        "  mass: {diag: [m, m, J, m, 0.1, 0.1]}, force: {z: -m*g}}\n"
        "contacts:\n"
        "  c1: {gap: z + r*a, slip: [vx - sx*w, vy + cx*w], friction: mu, restitution: 0.3}\n"
        "  c2: {gap: z - r*a, slip: [vx + sx*w, vy - cx*w], friction: mu, restitution: 0.3}\n"
        "  c3: {gap: z + r*b, slip: [vx - cx*w, vy - sx*w], friction: mu, restitution: 0.3}\n"
        "  c4: {gap: z - r*b, slip: [vx + cx*w, vy + sx*w], friction: mu, restitution: 0.3}\n");
    double x[12], before = INFINITY;
    r.task.on_note = NULL;
    assert_int_equal(event_run_go(&r), STATUS_OK);
    assert_true(event_run_count(&r, SIM_REST) > 4);
    for (int k = 0; k <= 1000; k++) {
        const double t = 2 * k / 1000.0;
        sim_eval(r.sim, t, 1, x);
        const double energy = sim_kinetic(r.sim, sim_find_piece(r.sim, t, 1), t) + 10 * x[3];
        assert_true(energy <= before + 1e-10);
        before = energy;
    }
    for (int i = 3; i < 12; i++)
        assert_near(x[i], 0, in_state);
    event_run_free(&r);
}

/* The paradox: 1 + 3 cos th (cos th - mu sin th) < 0 at th = 1, mu = 1.6. At rest the end would accelerate into
 * the ground, no mode is consistent and an impact without collision stops its slip: with D the matrix of J M^-1
 * J', r_t = -(D_nn / D_nt) r_n, v_t = -(D_nt - D_nn D_tt / D_nt) r_n. With a spin it would lift off, and slip is
 * consistent as well. */
static void rod_in_the_paradox_of_painleve(void **state)
{
    (void)state;
    struct event_run r = event_run_read("problems/painleve_rod.yaml");
    struct heard heard = { "" };
    const double c = cos(1), s = sin(1), D_nn = 1 + 3 * c * c, D_tt = 1 + 3 * s * s, D_nt = -3 * s * c;
    assert_true(1 + 3 * c * (c - 1.6 * s) < 0);
    r.task.on_note = hear;
    r.task.user = &heard;
    assert_int_equal(event_run_go(&r), STATUS_OK);
    const struct sim_event stop = event_run_event(&r, SIM_IMPACT, 0);
    assert_non_null(strstr(heard.text, "no mode"));
    assert_near(stop.impulse[0], 3 / (D_nt - D_nn * D_tt / D_nt), in_state);
    assert_near(stop.impulse[1], -D_nn / D_nt * stop.impulse[0], in_state);
    assert_near(stop.loss, 0.5 * 3 * stop.impulse[1], in_state);
    check_energy(&r);

    const double x[] = { 0, s, 1, -3 - 5 * s, 5 * c, 5 };
    heard.text[0] = '\0';
    r.task.x_initial = x;
    assert_int_equal(event_run_go(&r), STATUS_OK);
    assert_non_null(strstr(heard.text, "2 modes"));
    check_energy(&r);
    event_run_free(&r);
}

/* M = (1, 0.9; 0.9, 1), forces (-15, -10), mu = 2: at rest on the ground the block may stick, held by (15, 10), or leave, as
 * pushed back it accelerates up with (-10 + 13.5)/0.19. What an impact has stopped there stays. */
static void what_an_impact_stops_sticks_though_it_might_leave(void **state)
{
    (void)state;
    struct event_run r = event_run_read(
        "cocp: 1\ntime: {horizon: 0.2}\n"
        "states: {x: {initial: 0}, z: {initial: 0.1}, v: {initial: 0}, w: {initial: -3}}\n"
        "dynamics:\n  type: mechanical\n  coordinates: {x: v, z: w}\n  mass: {rows: [[1, 0.9], [0.9, 1]]}\n"
        "  force: {x: -15, z: -10}\n"
        "contacts: {ground: {gap: z, tangent: x, friction: 2}}\n");
    struct heard heard = { "" };
    double x[4];
    r.task.on_note = hear;
    r.task.user = &heard;
    assert_int_equal(event_run_go(&r), STATUS_OK);
    assert_non_null(strstr(heard.text, "modes of the contacts are consistent"));
    assert_int_equal(sim_n_events(r.sim), 1);
    const double up = 3.5 / 0.19, speed = sqrt(9 - 0.2 * up), slip = -6 / 0.19 * (3 - speed) / up;
    const struct sim_event stop = event_run_event(&r, SIM_IMPACT, 0);
    assert_near(stop.impulse[0], speed - 0.9 * slip, in_state);
    sim_eval(r.sim, 0.2, -1, x);
    for (int i = 1; i < 4; i++)
        assert_near(x[i], 0, in_state);
    event_run_free(&r);
}

/* --- Zeno ---------------------------------------------------------------------------------------------------- */

/* t = sqrt(2 h / g) (1 + 2 e / (1 - e)); each bounce's time is known to about 1e-16 over its speed. */
static void bounces_accumulate(void **state)
{
    (void)state;
    static const double e[] = { 0.1, 0.5, 0.8, 0.95 };
    for (int k = 0; k < 4; k++) {
        char text[500];
        (void)snprintf(
            text, sizeof text,
            "cocp: 1\ntime: {horizon: 20}\nstates: {z: {initial: 1}, v: {initial: 0}, x: {initial: 0},\n"
            "  vx: {initial: 3}}\ndynamics: {type: mechanical, coordinates: {z: v, x: vx},\n"
            "  mass: {diag: [2, 2]}, force: {z: -19.62}}\ncontacts: {ground: {gap: z, restitution: %g}}\n",
            e[k]);
        struct event_run r = event_run_read(text);
        r.task.on_note = NULL;
        assert_int_equal(event_run_go(&r), STATUS_OK);
        assert_near(event_run_event(&r, SIM_REST, 0).t, sqrt(2 / 9.81) * (1 + 2 * e[k] / (1 - e[k])), 1e-10);
        assert_int_equal(sim_n_resolved(r.sim), event_run_count(&r, SIM_IMPACT));
        assert_near(event_run_end(&r, 0), 0, in_time);
        assert_near(event_run_end(&r, 2), 60, in_state * 60);
        event_run_free(&r);
    }
}

/* impact.md 10: half cycles last 2 int dth / w(th) and each begins with 0.7 of the spin of the one before. The
 * integral is Gauss' rule after th = top s^2, which takes the root of the energy's difference out of it. */
static double half_cycle(double w)
{
    static const double c[] = { 0.046910077030668, 0.230765344947158, 0.5, 0.769234655052842, 0.953089922969332 };
    static const double b[] = { 0.118463442528095, 0.239314335249683, 0.284444444444444, 0.239314335249683,
                                0.118463442528095 };
    const double g = 9.81, l = sqrt(5) / 2, inertia = 5.0 / 3, alpha = atan(2);
    const double top = asin(inertia * w * w / (2 * g * l) + sin(alpha)) - alpha;
    double sum = 0;
    for (int part = 0; part < 20; part++)
        for (int k = 0; k < 5; k++) {
            const double s = (part + c[k]) / 20, d = top * s * s;
            const double fall = 2 * cos(top + alpha - d / 2) * sin(d / 2) / (s * s);
            sum += b[k] / 20 * 2 * top / sqrt(2 * g * l / inertia * fall);
        }
    return 2 * sum;
}

static void rocking_block_comes_to_rest(void **state)
{
    (void)state;
    struct event_run r = event_run_read("problems/rocking_block_zeno.yaml");
    r.task.on_note = NULL;
    assert_int_equal(event_run_go(&r), STATUS_OK);
    double t = 0, w = 1;
    for (int k = 0; k < 40; k++, w *= 0.7) {
        t += half_cycle(w);
        if (k < 20) {
            const struct sim_event impact = event_run_event(&r, SIM_IMPACT, k);
            assert_near(impact.t, t, 1e-11);
            assert_near(fabs(impact.x_plus[5]), 0.7 * w, 1e-11);
        }
    }
    for (int k = 0; k <= 3000; k++) {                           /* the block turns about a corner that stays */
        struct sim_contact contact[2];
        const double now = 4.0 * k / 3000;
        sim_eval_contacts(r.sim, sim_find_piece(r.sim, now, 1), now, contact);
        assert_near(fmin(contact[0].gap, contact[1].gap), 0, in_time);
    }
    t += half_cycle(w) / 0.3;                                   /* geometric from there on */
    assert_near(t, 2.67, 5e-3);
    assert_near(event_run_event(&r, SIM_REST, 0).t, t, 1e-9);
    assert_near(event_run_event(&r, SIM_REST, 1).t, t, 1e-9);
    for (int i = 0; i < 6; i++)
        assert_near(event_run_end(&r, i), i == 1 ? 1 : 0, in_state);
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
        cmocka_unit_test(ball_slips_in_space),
        cmocka_unit_test(puck_curves_down_an_incline),
        cmocka_unit_test(spinning_bar_on_two_contacts),
        cmocka_unit_test(block_on_two_feet_sticks_as_a_whole),
        cmocka_unit_test(boxes_are_pushed_together),
        cmocka_unit_test(falling_rod_only_loses_energy),
        cmocka_unit_test(slab_on_four_contacts_comes_to_rest),
        cmocka_unit_test(rod_in_the_paradox_of_painleve),
        cmocka_unit_test(what_an_impact_stops_sticks_though_it_might_leave),
        cmocka_unit_test(bounces_accumulate),
        cmocka_unit_test(rocking_block_comes_to_rest),
        cmocka_unit_test(events_are_limited),
        cmocka_unit_test(nan_is_traced_to_its_line),
        cmocka_unit_test(overlap_at_the_start_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
