/* Friction beyond one coefficient, against closed forms and an integrator of its own: ellipses, resistance to rolling and
 * drilling, limit surfaces. */
#include "tests/unit/assertions.h"
#include "tests/unit/event_run.h"
#include "tests/unit/phase_problem.h"
#include "tests/unit/simulated.h"

#include <math.h>
#include <string.h>

static const double in_time = 1e-10, in_state = 1e-9;           /* of runs with rtol 1e-12 */

/* Classical Runge-Kutta steps of a field of n <= 6 numbers up to T. */
static void integrate(void (*field)(const double *y, double *dy), int n, int steps, double T, double *y)
{
    static const double part[4] = { 0.5, 0.5, 1, 0 };
    const double h = T / steps;
    for (int k = 0; k < steps; k++) {
        double d[4][6], z[6];
        field(y, d[0]);
        for (int s = 0; s < 3; s++) {
            for (int i = 0; i < n; i++)
                z[i] = y[i] + h * part[s] * d[s][i];
            field(z, d[s + 1]);
        }
        for (int i = 0; i < n; i++)
            y[i] += h / 6 * (d[0][i] + 2 * d[1][i] + 2 * d[2][i] + d[3][i]);
    }
}

/* --- Ellipses ------------------------------------------------------------------------------------------------ */

/* A puck with mu = (0.2, 0.5): v' = -g D^2 v / |D v|, D = diag(mu). */
static void puck_field(const double *y, double *dy)
{
    const double size = hypot(0.2 * y[2], 0.5 * y[3]);
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = -10 * 0.04 * y[2] / size;
    dy[3] = -10 * 0.25 * y[3] / size;
}

#define PUCK_STATES "states: {x: {initial: 0}, y: {initial: 0}, vx: {initial: 1.5}, vy: {initial: 2}"
static const char puck_of_a_load[] =
    "cocp: 1\ntime: {horizon: 0.5}\n" PUCK_STATES "}\n"
    "dynamics: {type: mechanical, coordinates: {x: vx, y: vy}, mass: {diag: [2, 2]}}\n"
    "friction: {table: {slip: [vx, vy], load: 20, coefficient: [0.2, 0.5]}}\n";
static const char puck_of_a_contact[] =
    "cocp: 1\ntime: {horizon: 0.5}\n" PUCK_STATES ", z: {initial: 0}, vz: {initial: 0}}\n"
    "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, z: vz}, mass: {diag: [2, 2, 2]}, force: {z: -20}}\n"
    "contacts: {table: {gap: z, tangent: [x, y], friction: [0.2, 0.5]}}\n";

/* vx^(1/a^2) / vy^(1/b^2) is constant; the force along y is 2.5 times weighted slip's and lies on the ellipse. */
static void friction_is_normal_to_its_ellipse(void **state)
{
    (void)state;
    const char *const spec[] = { puck_of_a_load, puck_of_a_contact };
    double y[4] = { 0, 0, 1.5, 2 };
    integrate(puck_field, 4, 20000, 0.5, y);
    for (int k = 0; k < 2; k++) {
        struct event_run r = event_run_solved(spec[k]);
        for (int i = 0; i < 4; i++)
            assert_near(event_run_end(&r, i), y[i], in_state);
        assert_near(pow(event_run_end(&r, 2) / 1.5, 1 / 0.04), pow(event_run_end(&r, 3) / 2, 1 / 0.25), 1e-8);
        struct sim_contact contact;
        sim_eval_contacts(r.sim, 0, 0, &contact);
        const double size = hypot(0.2 * 1.5, 0.5 * 2);
        double weight[SLIP_MAX];
        model_weights(r.model, NULL, weight);
        assert_near(weight[1], 2.5, 1e-15);
        assert_near(weight[0] * contact.lambda_t[0], -20 * 0.04 * 1.5 / size, 1e-12);
        assert_near(weight[1] * contact.lambda_t[1], -20 * 0.25 * 2 / size, 1e-12);
        event_run_free(&r);
    }
}

/* Where the puck comes to says what its two coefficients are. */
static void ellipse_is_found_from_a_motion(void **state)
{
    (void)state;
    const double coefficient[2] = { 0.2, 0.5 };
    double y[4] = { 0, 0, 1.5, 2 };
    char text[900];
    integrate(puck_field, 4, 20000, 0.4, y);
    (void)snprintf(text, sizeof text,
                   "cocp: 1\ntime: {horizon: 0.4, intervals: 2, elements: 1}\n"
                   "parameters: {a: {value: 0.3, optimize: [0.05, 1]}, b: {value: 0.3, optimize: [0.05, 1]}}\n"
                   "states: {x: {initial: 0, final: %.15g}, y: {initial: 0, final: %.15g}, vx: {initial: 1.5}, vy: {initial: 2}}\n"
                   "dynamics: {type: mechanical, coordinates: {x: vx, y: vy}, mass: {diag: [2, 2]}}\n"
                   "friction: {table: {slip: [vx, vy], load: 20, coefficient: [a, b]}}\n", y[0], y[1]);
    struct phase_problem problem = phase_read(text, 4, 4);
    struct finish out = phase_solve(&problem, "s", NULL);
    double weight[SLIP_MAX];
    for (int k = 0; k < 2; k++)
        assert_near(out.w[out.ph->at.p + k], coefficient[k], 1e-7);
    model_weights(problem.small.model, out.w + out.ph->at.p, weight);
    assert_near(weight[1], 2.5, 1e-6);
    finish_free(&out);
    phase_free(&problem);
}

/* Tangents turn with `along`: from 2 m/s along the first one, mu = 0.25, it stops after 0.8 s. */
static void first_tangent_is_where_it_is_told(void **state)
{
    (void)state;
    struct event_run r = event_run_solved(
        "cocp: 1\ntime: {horizon: 1}\n"
        "states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 0}, vx: {initial: 1.2}, vy: {initial: 1.6}, vz: {initial: 0}}\n"
        "bodies: {puck: {mass: 3, position: [x, y, z], velocity: [vx, vy, vz]}}\n"
        "dynamics: {type: mechanical, force: {z: -30}}\n"
        "contacts: {table: {point: puck, friction: [0.25, 0.75], ground: {along: [3, 4, 0]}}}\n");
    assert_near(event_run_event(&r, SIM_STICK, 0).t, 0.8, in_time);
    assert_near(event_run_end(&r, 0), 0.6 * 0.8, in_state);
    assert_near(event_run_end(&r, 1), 0.8 * 0.8, in_state);
    event_run_free(&r);
}

/* --- Rolling ------------------------------------------------------------------------------------------------- */

/* A disc of 2 kg, r = 0.1 m, J = 0.01 kg m^2, with an arm of 5 mm, dropped with 1 m/s from 0.2 m: the floor gives 4 N
 * s, friction -0.8 N s, resistance 0.02 N m s; then it rolls with 0.6 m/s and 6 rad/s, slower by arm g / (r (1 + J/(m
 * r^2))) = 1/3 m/s^2, up to 0.2 + 1.8 s and 0.2 + 0.54 m. */
static const char disc[] =
    "cocp: 1\ntime: {horizon: 2.5, intervals: 5}\n"
    "states: {x: {initial: 0}, z: {initial: 0.3}, th: {initial: 0}, v: {initial: 1}, vz: {initial: 0}, w: {initial: 0}}\n"
    "dynamics: {type: mechanical, coordinates: {x: v, z: vz, th: w}, mass: {diag: [2, 2, 0.01]}, force: {z: -20}}\n"
    "contacts: {floor: {gap: z - 0.1, slip: v - 0.1*w, friction: 0.2}}\n"
    "friction: {roll: {slip: w, load: floor.lambda_n, coefficient: 0.005}}\n";

static void disc_comes_to_rest_by_rolling(void **state)
{
    (void)state;
    struct event_run r = event_run_solved(disc);
    const struct sim_event floor = event_run_event(&r, SIM_IMPACT, 0), roll = event_run_event(&r, SIM_IMPACT, 1);
    assert_near(floor.t, 0.2, in_time);
    assert_near(floor.impulse[0], 4, in_state);
    assert_near(floor.impulse[1], -0.8, in_state);
    assert_near(roll.impulse[0], 4, in_state);
    assert_near(roll.impulse[1], -0.02, in_state);
    assert_near(event_run_event(&r, SIM_STICK, 0).t, 2, in_time);
    assert_near(event_run_end(&r, 0), 0.74, in_state);
    event_run_free(&r);
}

/* Rolling by FESD-J, whose elements end at events: quadratic in time, up to 0.6/(1/3) = 1.8 s and 0.54 m. */
static void disc_rolls_in_elements(void **state)
{
    (void)state;
    struct simulated s = simulated_read(
        "cocp: 1\ndiscretization: {method: fesd-j}\ntime: {horizon: 2.1, intervals: 3, elements: 2}\n"
        "states: {x: {initial: 0}, z: {initial: 0.1}, th: {initial: 0}, v: {initial: 0.6}, vz: {initial: 0}, w: {initial: 6}}\n"
        "dynamics: {type: mechanical, coordinates: {x: v, z: vz, th: w}, mass: {diag: [2, 2, 0.01]}, force: {z: -20}}\n"
        "contacts: {floor: {gap: z - 0.1, slip: v - 0.1*w, friction: 0.2}}\n"
        "friction: {roll: {slip: w, load: floor.lambda_n, coefficient: 0.005}}\nsimulate: {steps: 3}\n");
    simulated_run(&s);
    assert_near(simulated_event(&s, "stick", 0, "t"), 1.8, 1e-6);
    assert_near(simulated_end(&s, 0), 0.54, 1e-6);
    simulated_free(&s);
}

/* In flight there is nothing to roll on. */
static void no_load_no_resistance(void **state)
{
    (void)state;
    struct event_run r = event_run_read(disc);
    double x[8] = { 0, 5, 0, 1, 0, -7 };
    r.task.x_initial = x;
    r.task.t_end = 0.9;
    assert_int_equal(event_run_go(&r), STATUS_OK);
    assert_near(event_run_end(&r, 5), -7, 1e-14);
    assert_int_equal(sim_n_events(r.sim), 0);
    event_run_free(&r);
}

#define BALL(velocity, spin, friction) \
    "cocp: 1\ntime: {horizon: 3}\n" \
    "states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 0.1}, vx: {initial: " velocity "}, vy: {initial: 0}, vz: {initial: 0},\n" \
    "  q0: {initial: 1}, q1: {initial: 0}, q2: {initial: 0}, q3: {initial: 0}, " spin "}\n" \
    "bodies: {ball: {mass: 2, inertia: [0.008, 0.008, 0.008], position: [x, y, z], velocity: [vx, vy, vz],\n" \
    "  orientation: [q0, q1, q2, q3], angular_velocity: [wx, wy, wz]}}\n" \
    "dynamics: {type: mechanical, force: {z: -20}}\n" \
    "contacts: {floor: {point: ball, radius: 0.1, " friction "}}\n"

/* arm g / (r 7/5) = 5/14 m/s^2 slows down a ball that rolls with 0.5 m/s. */
static void ball_comes_to_rest_by_rolling(void **state)
{
    (void)state;
    struct event_run r = event_run_solved(BALL("0.5", "wx: {initial: 0}, wy: {initial: 5}, wz: {initial: 0}", "friction: 0.4, rolling: 0.005"));
    assert_near(event_run_event(&r, SIM_STICK, 0).t, 1.4, in_time);
    assert_near(event_run_end(&r, 0), 0.35, in_state);
    event_run_free(&r);
}

/* --- Drilling ------------------------------------------------------------------------------------------------ */

/* A moment of 0.8 mm times 20 N stops 4 rad/s of a ball in J w / M = 2 s; it turns by 4 rad. */
static void spin_dies_by_drilling(void **state)
{
    (void)state;
    struct event_run r = event_run_solved(BALL("0", "wx: {initial: 0}, wy: {initial: 0}, wz: {initial: 4}", "friction: 0.4, drilling: 0.0008"));
    assert_near(event_run_event(&r, SIM_STICK, 0).t, 2, in_time);
    assert_near(event_run_end(&r, 6), cos(2), in_state);        /* of half the angle */
    assert_near(event_run_end(&r, 9), sin(2), in_state);
    event_run_free(&r);
}

/* --- Limit surfaces ------------------------------------------------------------------------------------------ */

/* (vx, vy, w) of a disc with mu = 0.3, m = 1, c = 0.06 m, J = m c^2 / 2. */
static void disc_field(const double *y, double *dy)
{
    const double size = sqrt(y[3] * y[3] + y[4] * y[4] + 0.0036 * y[5] * y[5]);
    for (int i = 0; i < 3; i++)
        dy[i] = y[3 + i];
    dy[3] = -3 * y[3] / size;
    dy[4] = -3 * y[4] / size;
    dy[5] = -3 * 0.0036 * y[5] / size / 0.0018;
}

#define SLIDE(J) \
    "cocp: 1\ntime: {horizon: 0.6, intervals: 1, elements: 1}\n" \
    "states: {x: {initial: 0}, y: {initial: 0}, th: {initial: 0}, vx: {initial: 0.6}, vy: {initial: 0.8}, w: {initial: 20}}\n" \
    "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, th: w}, mass: {diag: [1, 1, " J "]}}\n" \
    "friction: {table: {slip: [vx, vy, w], load: 10, coefficient: [0.3, 0.3, 0.018]}}\n"

/* Friction is normal to an ellipsoid; spin makes it slide farther. Between, w is to v^2 as at the start: J/(m c^2) =
 * 1/2. */
static void disc_slides_and_spins(void **state)
{
    (void)state;
    struct event_run r = event_run_solved(SLIDE("0.0018"));
    double y[6] = { 0, 0, 0, 0.6, 0.8, 20 }, x[8];
    integrate(disc_field, 6, 20000, 0.3, y);
    sim_eval(r.sim, 0.3, -1, x);
    for (int i = 0; i < 6; i++)
        assert_near(x[i], y[i], in_state);
    assert_near(x[5] / 20, x[3] * x[3] / 0.36, in_state);
    assert_int_equal(event_run_count(&r, SIM_STICK), 1);
    event_run_free(&r);
}

/* With J = m c^2 all three slow down alike, and stop after |(v, c w)| / (mu g) = sqrt(1 + 1.44) / 3: in simulations,
 * and as a smooth program that is given the sequence. */
static void all_stop_at_once(void **state)
{
    (void)state;
    const double stop = sqrt(2.44) / 3, guess = 0.4;
    struct event_run r = event_run_solved(SLIDE("0.0036"));
    assert_near(event_run_event(&r, SIM_STICK, 0).t, stop, in_time);
    assert_near(event_run_end(&r, 2), 10 * stop, in_state);
    event_run_free(&r);
    struct phase_problem problem = phase_read(SLIDE("0.0036"), 2, 1);
    struct finish out = phase_solve(&problem, "s 0.5 k", &guess);
    double start[20], t[1];
    phases_times(out.ph, out.w, start, t);
    assert_near(t[0], stop, 1e-9);
    assert_near(phase_final(&out, 0), 0.3 * stop, 1e-9);
    assert_near(phase_final(&out, 2), 10 * stop, 1e-8);
    finish_free(&out);
    phase_free(&problem);
}

/* Pushing a disc of radius R = 0.05 m from behind by a wall that moves with (0.1, V) m/s, c = 0.06 m: quasi-static
 * motion is normal to the limit surface at the wall's force (Goyal, Ruina, Papadopoulos; Lynch). Inside the motion
 * cone, V/V_x <= mu (c^2 + R^2)/c^2, it sticks to the wall: v_y = V c^2/(c^2 + R^2), w = -V R/(c^2 + R^2). Outside it
 * slides along it, at the edge of the friction cone: v_y = mu V_x, w = -mu V_x R/c^2. */
static void check_push(double V, double v_y, double w, bool sticks)
{
    char text[900];
    (void)snprintf(text, sizeof text,
                   "cocp: 1\ntime: {horizon: 2}\n"
                   "states: {x: {initial: 0.05}, y: {initial: 0}, th: {initial: 0}, vx: {initial: 0.1}, vy: {initial: 0}, w: {initial: 0}}\n"
                   "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, th: w}, mass: {diag: [1, 1, 0.001]}}\n"
                   "contacts: {wall: {gap: x - 0.05 - 0.1*t, slip: vy - 0.05*w - %.17g, friction: 0.4}}\n"
                   "friction: {table: {slip: [vx, vy, w], load: 10, coefficient: [0.3, 0.3, 0.018]}}\n", V);
    struct event_run r = event_run_solved(text);
    struct sim_contact contact[2];
    sim_eval_contacts(r.sim, sim_n_pieces(r.sim) - 1, 2, contact);
    assert_near(event_run_end(&r, 3), 0.1, 1e-9);
    assert_near(event_run_end(&r, 4), v_y, 1e-9);
    assert_near(event_run_end(&r, 5), w, 1e-7);
    assert_near(contact[0].lambda_t[0] / contact[0].lambda_n, v_y / 0.1, 1e-7);
    assert_true((fabs(contact[0].v_t[0]) < 1e-9) == sticks);
    event_run_free(&r);
}

static void pushing_obeys_the_motion_cone(void **state)
{
    (void)state;
    const double c2 = 0.0036, R = 0.05, edge = 0.1 * 0.4 * (c2 + R * R) / c2;
    check_push(0.9 * edge, 0.9 * edge * c2 / (c2 + R * R), -0.9 * edge * R / (c2 + R * R), true);
    check_push(1.2 * edge, 0.04, -0.04 * R / c2, false);
}

/* w'/v_x' = q of a motion that starts from rest under (F, 0, M): friction is against it. By bisection. */
static double started_by(double F, double M)
{
    double low = 0, high = 100;
    for (int k = 0; k < 100; k++) {
        const double q = 0.5 * (low + high), size = sqrt(1 + 0.0036 * q * q);
        const bool turns_more = (M - 3 * 0.0036 * q / size) / 0.001 > q * (F - 3 / size);
        *(turns_more ? &low : &high) = q;
    }
    return 0.5 * (low + high);
}

/* From rest a force just outside of the limit surface starts a motion along its normal: w'/v_x' = M/(c^2 F). */
static void motion_starts_along_the_normal(void **state)
{
    (void)state;
    const double M = 0.01, F = sqrt(9 - pow(M / 0.06, 2));
    assert_near(started_by(F * (1 + 1e-8), M * (1 + 1e-8)), M / (0.0036 * F), 1e-6);
    for (double more = 1.001; more < 3; more = 1 + 30 * (more - 1)) {
        char text[800];
        (void)snprintf(text, sizeof text,
                       "cocp: 1\ntime: {horizon: 1}\n"
                       "states: {x: {initial: 0}, y: {initial: 0}, th: {initial: 0}, vx: {initial: 0}, vy: {initial: 0}, w: {initial: 0}}\n"
                       "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, th: w}, mass: {diag: [1, 1, 0.001]},\n"
                       "  force: {x: %.17g, th: %.17g}}\n"
                       "friction: {table: {slip: [vx, vy, w], load: 10, coefficient: [0.3, 0.3, 0.018]}}\n", F * more, M * more);
        struct event_run r = event_run_solved(text);
        assert_near(event_run_end(&r, 5) / event_run_end(&r, 3), started_by(F * more, M * more), 1e-6);
        event_run_free(&r);
    }
}

/* --- Out of the cone by forces that grow ------------------------------------------------------------------------ */

/* Of x, y and a turn about the normal; forces push[i] + more[i] t come to what friction, mu[i] N, can bear. */
static const double ramp_mass[3] = { 0.02, 3.5, 2 }, ramp_mu[3] = { 0.03, 0.1, 0.08 }, ramp_load = 10;
static const double ramp_push[3] = { -0.13, -0.56, 0.06 }, ramp_more[3] = { 0.06, 0.8, -1.1 };
#define RAMP(clock, states, rhs)                                                                                \
    "cocp: 1\ntime: {horizon: 2, intervals: 1, elements: 1}\n"                                                  \
    "states: {x: {initial: 0}, y: {initial: 0}, th: {initial: 0}, "                                             \
    "vx: {initial: 0}, vy: {initial: 0}, w: {initial: 0}" states "}\n"                                          \
    "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, th: w}, mass: {diag: [0.02, 3.5, 2]}" rhs ",\n"   \
    "  force: {x: -0.13 + 0.06*" clock ", y: -0.56 + 0.8*" clock ", th: 0.06 - 1.1*" clock "}}\n"               \
    "friction: {table: {slip: [vx, vy, w], load: 10, coefficient: [0.03, 0.1, 0.08]}}\n"
static const char ramp[] = RAMP("t", "", ""),
                  ramp_of_state[] = RAMP("s", ", s: {initial: 0}", ", rhs: {s: 1}");     /* s is t */

/* How much of what the cone can bear is used up at time t: 1 at its edge. */
static double ramp_use(double t)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += pow((ramp_push[i] + ramp_more[i] * t) / (ramp_mu[i] * ramp_load), 2);
    return sqrt(sum);
}

/* Friction with a slope in place of the jump: mu_i^2 v_i / sqrt(|mu v|^2 + (width)^2); y: v, time, width. */
static void ramp_field(const double *y, double *dy)
{
    double size = y[4] * y[4];
    for (int i = 0; i < 3; i++)
        size += ramp_mu[i] * ramp_mu[i] * y[i] * y[i];
    for (int i = 0; i < 3; i++)
        dy[i] = (ramp_push[i] + ramp_more[i] * y[3] - ramp_load * ramp_mu[i] * ramp_mu[i] * y[i] / sqrt(size)) / ramp_mass[i];
    dy[3] = 1;
    dy[4] = 0;
}

/* When it leaves its cone, and k n: then v = k n s^2/2, n = normal, s = t - t_out, in n's direction, which is not
 * that of M^-1 times what grows; k = n'force'/n'M n. */
static double ramp_out(double kn[3])
{
    double out = 0, in = 2, grows = 0, mass = 0;
    for (int k = 0; k < 100; k++)
        *(ramp_use(0.5 * (in + out)) < 1 ? &out : &in) = 0.5 * (in + out);
    for (int i = 0; i < 3; i++) {
        kn[i] = (ramp_push[i] + ramp_more[i] * out) / (ramp_mu[i] * ramp_mu[i]);
        grows += kn[i] * ramp_more[i];
        mass += kn[i] * ramp_mass[i] * kn[i];
    }
    for (int i = 0; i < 3; i++)
        kn[i] *= grows / mass;
    return out;
}

/* Twice v/(s^2/2) at s/2 less that at s is k n but for terms of s^2. */
static void assert_ramp_starts(const struct event_run *r, double s, double tol)
{
    enum { MOST_STATES = 16 };
    double kn[3], x[MOST_STATES], x_half[MOST_STATES];
    const double out = ramp_out(kn);
    assert_true(r->model->n_x <= MOST_STATES);
    sim_eval(r->sim, out + s, -1, x);
    sim_eval(r->sim, out + s / 2, -1, x_half);
    for (int i = 0; i < 3; i++) {
        const double lead = 2 * x_half[3 + i] / (s * s / 8) - x[3 + i] / (s * s / 2);
        assert_near(lead / kn[i], 1, tol);
    }
}

/* Then as with friction that has a slope; what its width does goes to 0 with it. */
static void growing_forces_lead_out_of_the_cone(void **state)
{
    (void)state;
    double kn[3];
    assert_true(ramp_use(0) < 1 && ramp_use(2) > 1);
    struct event_run r = event_run_solved(ramp);
    assert_near(event_run_event(&r, SIM_SLIP, 0).t, ramp_out(kn), 1e-8);
    assert_ramp_starts(&r, 1e-3, 1e-4);
    double with_slope[3][5];
    for (int k = 0; k < 3; k++) {
        double y[5] = { 0, 0, 0, 0, ldexp(4e-6, -k) };
        integrate(ramp_field, 5, 1000000, 2, y);
        memcpy(with_slope[k], y, sizeof y);
    }
    for (int i = 0; i < 3; i++) {               /* to a width of 0 (Aitken) */
        const double before = with_slope[1][i] - with_slope[0][i], change = with_slope[2][i] - with_slope[1][i];
        assert_near(event_run_end(&r, 3 + i), with_slope[2][i] + change * change / (before - change), 0.03 * fabs(change));
    }
    event_run_free(&r);
}

/* The same where forces grow with the state, as those of legs do: slip is no faster than it is from its first
 * moment on. */
static void growing_states_lead_out_of_the_cone(void **state)
{
    (void)state;
    struct event_run r = event_run_solved(ramp_of_state), of_time = event_run_solved(ramp);
    assert_ramp_starts(&r, 1e-3, 1e-4);
    assert_ramp_starts(&r, 1e-4, 1e-4);
    for (int i = 0; i < 6; i++)
        assert_near(event_run_end(&r, i), event_run_end(&of_time, i), 1e-10);
    event_run_free(&r);
    event_run_free(&of_time);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_is_normal_to_its_ellipse), cmocka_unit_test(first_tangent_is_where_it_is_told),
        cmocka_unit_test(ellipse_is_found_from_a_motion),
        cmocka_unit_test(disc_comes_to_rest_by_rolling),     cmocka_unit_test(disc_rolls_in_elements),
        cmocka_unit_test(no_load_no_resistance),             cmocka_unit_test(ball_comes_to_rest_by_rolling),
        cmocka_unit_test(spin_dies_by_drilling),             cmocka_unit_test(disc_slides_and_spins),
        cmocka_unit_test(all_stop_at_once),                  cmocka_unit_test(pushing_obeys_the_motion_cone),
        cmocka_unit_test(motion_starts_along_the_normal),    cmocka_unit_test(growing_forces_lead_out_of_the_cone),
        cmocka_unit_test(growing_states_lead_out_of_the_cone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
