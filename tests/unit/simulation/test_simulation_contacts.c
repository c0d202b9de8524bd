/* Simulations of bodies in contact against closed forms and integrators of their own: in space, with contacts that
 * share a load, where contacts have paradoxes, and where impacts accumulate. Times to 1e-12 and states to 1e-11, as
 * in test_simulation.c. */
#include "core/simulation/events/run.h"

#include "tests/unit/assertions.h"
#include "tests/unit/event_run.h"

static const double in_time = 1e-12, in_state = 1e-11;

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

/* A box that a finger pushes away comes to rest on its table at 1.06996 s. Where steps are right to 1e-10 m/s alone,
 * their errors turned its slip round every 5e-10 s from there on: it never stopped. Events are those of a fine
 * simulation. */
static void errors_of_steps_keep_nothing_from_rest(void **state)
{
    (void)state;
    static const double t[] = { 0, 0.4, 0.8, 1.2, 1.6 };
    static const double push[] = { 14.081144236984294, 3.2070853338226879, -0.12697300820288612, -12.031035543482847,
                                   10.608227748834789, -5.709040816776076, -13.934092693536453, -9.0447385714863096,
                                   5.198251167267486, 11.657407013967067 };
    static const char *const spec = "tests/study/problems/push_box.yaml";
    struct event_run fine = event_run_read(spec), coarse = event_run_read(spec);
    fine.task.controls = coarse.task.controls = (struct sim_controls){ 5, t, push };
    coarse.task.rtol = 1e-8;
    coarse.task.atol = 1e-10;
    coarse.task.max_steps = 1000;
    assert_int_equal(event_run_go(&fine), STATUS_OK);
    assert_int_equal(event_run_go(&coarse), STATUS_OK);
    assert_int_equal(sim_n_events(coarse.sim), sim_n_events(fine.sim));
    for (int k = 0; k < sim_n_events(fine.sim); k++) {
        assert_int_equal(sim_event_at(coarse.sim, k)->kind, sim_event_at(fine.sim, k)->kind);
        assert_near(sim_event_at(coarse.sim, k)->t, sim_event_at(fine.sim, k)->t, 1e-5);
    }
    event_run_free(&fine);
    event_run_free(&coarse);
}

/* A push that turns and is a billionth above what friction bears: slip of 1e-9 m/s follows it, in steps of
 * nanoseconds. It is given the speed at which steps can follow, which is nothing either. */
static void creeping_is_pushed_on(void **state)
{
    (void)state;
    struct event_run r = event_run_read(
        "cocp: 1\nparameters: {g: 10, mu: 0.5, f: 5*(1 + 1e-9)}\ntime: {horizon: 1e-3}\n"
        "states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 0}, vx: {initial: 0}, vy: {initial: 0}, vz: {initial: 0}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, z: vz}, mass: {diag: [1, 1, 1]},\n"
        "  force: {x: f*cos(3*t), y: f*sin(3*t), z: -g}}\n"
        "contacts: {plane: {gap: z, tangent: [x, y], friction: mu}}\n");
    assert_int_equal(event_run_go(&r), STATUS_OK);
    assert_true(sim_n_pieces(r.sim) < 1000);
    for (int i = 0; i < 6; i++)
        assert_near(event_run_end(&r, i), 0, 1e-6);
    event_run_free(&r);
}

enum { FIELD_MAX = 4 };
typedef void field(double t, const double *y, double *dy);

/* n classical Runge-Kutta steps of y [n_y] from t on to T. */
static void runge_kutta(field *f, int n_y, double t, double T, int n, double *y)
{
    const double h = (T - t) / n;
    for (int k = 0; k < n; k++) {
        double d[4][FIELD_MAX], z[FIELD_MAX];
        f(t + k * h, y, d[0]);
        for (int s = 1; s < 4; s++) {
            const double part = s == 3 ? 1 : 0.5;
            for (int i = 0; i < n_y; i++)
                z[i] = y[i] + part * h * d[s - 1][i];
            f(t + (k + part) * h, z, d[s]);
        }
        for (int i = 0; i < n_y; i++)
            y[i] += h / 6 * (d[0][i] + 2 * d[1][i] + 2 * d[2][i] + d[3][i]);
    }
}

/* Speed and direction of the slip below: y is (s, theta). */
static void turning_field(double t, const double *y, double *dy)
{
    const double push = 5 * (0.9 + t), off = 3 * (t - 0.1) - y[1];
    dy[0] = push * cos(off) - 5;
    dy[1] = push * sin(off) / y[0];
}

/* A push that turns and grows slowly beyond what friction bears from t = 0.1 on: slip begins without acceleration,
 * when its direction is rounding. Against classical Runge-Kutta steps from a moment later, where s = 2.5 (t - 0.1)^2;
 * slip forgets the error of that start within milliseconds. */
static void slip_begins_under_a_load_that_grows(void **state)
{
    (void)state;
    struct event_run r = event_run_solved(
        "cocp: 1\nparameters: {g: 10, mu: 0.5}\ntime: {horizon: 0.5}\n"
        "states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 0}, vx: {initial: 0}, vy: {initial: 0}, vz: {initial: 0}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, z: vz}, mass: {diag: [1, 1, 1]},\n"
        "  force: {x: 5*(0.9 + t)*cos(3*(t - 0.1)), y: 5*(0.9 + t)*sin(3*(t - 0.1)), z: -g}}\n"
        "contacts: {plane: {gap: z, tangent: [x, y], friction: mu}}\n");
    const double start = 1e-3;
    double y[2] = { 2.5 * start * start, 0 };
    runge_kutta(turning_field, 2, 0.1 + start, 0.5, 399000, y);
    assert_near(event_run_event(&r, SIM_SLIP, 0).t, 0.1, 1e-9);
    assert_near(event_run_end(&r, 3), y[0] * cos(y[1]), 1e-6);
    assert_near(event_run_end(&r, 4), y[0] * sin(y[1]), 1e-6);
    event_run_free(&r);
}

/* A fingertip slips on a block that slips on a table, and comes to rest on it just when the controls jump to where
 * all that friction bears moves both alike. Slip that is 0 but for rounding ended and began at every step. */
static void a_load_at_the_edge_holds_at_rest(void **state)
{
    (void)state;
    struct event_run r = event_run_read(
        "cocp: 1\nparameters: {mb: 1, mf: 0.1, g: 9.81, mu: 0.3, nu: 0.8, h: 0.1}\ntime: {horizon: 0.08}\n"
        "states: {xb: {initial: 0}, zb: {initial: 0}, xf: {initial: 3}, zf: {initial: h},\n"
        "  vb: {initial: 0.7322386865754541}, wb: {initial: 0}, vf: {initial: 1.294867572911212}, wf: {initial: 0}}\n"
        "controls: {fx: {}, fz: {}}\n"
        "dynamics: {type: mechanical, coordinates: {xb: vb, zb: wb, xf: vf, zf: wf}, mass: {diag: [mb, mb, mf, mf]},\n"
        "  force: {xf: fx, zf: fz - mf*g, zb: -mb*g}}\n"
        "contacts: {table: {gap: zb, tangent: xb, friction: mu}, tip: {gap: zf - zb - h, tangent: xf - xb, friction: nu}}\n");
    static const double push[] = { 3.607764141596864, -6.801046034455404, 4.692594981812059, -4.885935273224775 };
    const double load = 0.981 - push[1], pull = 0.981 - push[3];       /* of the tip, before and after */
    const double block = 0.8 * load - 0.3 * (9.81 + load), tip = (push[0] - 0.8 * load) / 0.1;
    const double t[] = { 0, (1.294867572911212 - 0.7322386865754541) / (block - tip) };
    const double both = 0.8 * pull - 0.3 * (9.81 + pull), speed = 0.7322386865754541 + block * t[1] + both * (0.08 - t[1]);
    r.task.controls = (struct sim_controls){ 2, t, push };
    assert_int_equal(event_run_go(&r), STATUS_OK);
    assert_near(event_run_end(&r, 4), speed, 1e-10);   /* slip below that is none */
    assert_near(event_run_end(&r, 6), speed, 1e-10);
    assert_true(sim_n_pieces(r.sim) < 10);
    event_run_free(&r);
}

/* A cart that slips hits its like, which rests: it takes its place, and the other one goes on with all its speed. */
static void who_comes_to_rest_holds_nobody_else(void **state)
{
    (void)state;
    struct event_run r = event_run_solved(
        "cocp: 1\nparameters: {g: 9.81, mu: 0.2, m: 1.5}\ntime: {horizon: 2}\n"
        "states: {x1: {initial: 0}, z1: {initial: 0}, x2: {initial: 0.5}, z2: {initial: 0},\n"
        "  v1: {initial: 3}, w1: {initial: 0}, v2: {initial: 0}, w2: {initial: 0}}\n"
        "dynamics: {type: mechanical, coordinates: {x1: v1, z1: w1, x2: v2, z2: w2}, mass: {diag: [m, m, m, m]},\n"
        "  force: {z1: -m*g, z2: -m*g}}\n"
        "contacts: {hit: {gap: x2 - x1, restitution: 1}, ground1: {gap: z1, tangent: x1, friction: mu},\n"
        "  ground2: {gap: z2, tangent: x2, friction: mu}}\n");
    assert_near(event_run_end(&r, 0), 0.5, in_state);
    assert_near(event_run_end(&r, 2), 3 * 3 / (2 * 0.2 * 9.81), in_state);
    event_run_free(&r);
}

/* A table turns about one of its four feet, which begins to slip when the push on it is another one and grows slowly
 * beyond what friction bears: of 1e-9 m/s its direction is rounding, and steps are as short. A solution by
 * collocation says where it is then. */
static void a_pivot_begins_to_slip(void **state)
{
    (void)state;
    struct event_run r = event_run_read(
        "cocp: 1\n"
        "parameters: {g: 9.81, m: 20, a: 0.6, b: 0.35, J: m*(a^2 + b^2)/3, mu: 0.3, th0: 1.4486133117598472, w0: 0.8683134893502763}\n"
        "time: {horizon: 0.096}\n"
        "states: {x: {initial: 0.5722864010771344}, y: {initial: -0.04752284431798512}, th: {initial: th0},\n"
        "  vx: {initial: -(a*sin(th0) - b*cos(th0))*w0}, vy: {initial: (a*cos(th0) + b*sin(th0))*w0}, w: {initial: w0}}\n"
        "controls: {fx: {}, fy: {}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, th: w}, mass: {diag: [m, m, J]},\n"
        "  force: {x: fx, y: fy, th: 'fy*(a*cos(th) - b*sin(th)) - fx*(a*sin(th) + b*cos(th))'}}\n"
        "friction:\n"
        "  f1: {tangent: [x + a*cos(th) - b*sin(th), y + a*sin(th) + b*cos(th)], load: m*g/4, coefficient: mu}\n"
        "  f2: {tangent: [x - a*cos(th) - b*sin(th), y - a*sin(th) + b*cos(th)], load: m*g/4, coefficient: mu}\n"
        "  f3: {tangent: [x + a*cos(th) + b*sin(th), y + a*sin(th) - b*cos(th)], load: m*g/4, coefficient: mu}\n"
        "  f4: {tangent: [x - a*cos(th) + b*sin(th), y - a*sin(th) - b*cos(th)], load: m*g/4, coefficient: mu}\n");
    static const double t[] = { 0, 0.048 }, end[] = { 0.5320994376348877, -0.019150552963891898, 1.5194112907464654,
                                                      -0.34434592751171544, 0.22490456630628794, 0.5897127392021605 };
    static const double push[] = { -12.920543317932461, 0.7843818223444571, -5.906733616974979, 0.12930356901383247 };
    r.task.controls = (struct sim_controls){ 2, t, push };
    assert_int_equal(event_run_go(&r), STATUS_OK);
    assert_near(event_run_event(&r, SIM_SLIP, 0).t, 0.048, 1e-6);
    for (int i = 0; i < 6; i++)
        assert_near(event_run_end(&r, i), end[i], 1e-6);
    event_run_free(&r);
}

static const double disc_decay = 0.4 * 1 * 10 * 0.5 / (0.2 + 0.25);     /* mu m g r / (J + m r^2), see below */

/* Accelerations (v_x, v_y, w) of the disc below while both contacts slip; y is (th, v_x, v_y, w). */
static void disc_field(double t, const double *y, double *dy)
{
    (void)t;
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
    runge_kutta(disc_field, 4, 0, 0.5, 2000, coarse);
    runge_kutta(disc_field, 4, 0, 0.5, 4000, fine);
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
        sim_eval(r->sim, r->model->time.horizon * k / 1000, 1, x);
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

/* A box falls flat on four corners, twelve conditions on six velocities, and slides: mu m g in all, however the corners
 * share it, so that it stops after v / (mu g) at v^2 / (2 mu g), straight on. The impact at v_n takes mu v_n of the slip. */
static void box_lands_on_four_corners_and_slides(void **state)
{
    (void)state;
    struct event_run r = event_run_solved(
        "cocp: 1\nparameters: {g: 10, mu: 0.4}\ntime: {horizon: 2}\n"
        "states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 0.3}, q0: {initial: 1}, q1: {initial: 0}, q2: {initial: 0},\n"
        "  q3: {initial: 0}, vx: {initial: 3}, vy: {initial: 4}, vz: {initial: 0}, wx: {initial: 0}, wy: {initial: 0},\n"
        "  wz: {initial: 0}}\n"
        "bodies: {box: {mass: 2, inertia: [0.3, 0.4, 0.5], position: [x, y, z], velocity: [vx, vy, vz],\n"
        "  orientation: [q0, q1, q2, q3], angular_velocity: [wx, wy, wz],\n"
        "  points: {a: [0.5, 0.4, -0.1], b: [-0.5, 0.4, -0.1], c: [-0.5, -0.4, -0.1], d: [0.5, -0.4, -0.1]}}}\n"
        "dynamics: {type: mechanical, potential: 2*g*z}\n"
        "contacts: {a: {point: a, friction: mu}, b: {point: b, friction: mu}, c: {point: c, friction: mu},\n"
        "  d: {point: d, friction: mu}}\n");
    const double v_n = sqrt(2 * 10 * 0.2), t_land = v_n / 10, v = 5 - 0.4 * v_n;
    const double stop = t_land + v / 4, way = 5 * t_land + v * v / (2 * 4);
    assert_near(event_run_event(&r, SIM_IMPACT, 0).t, t_land, in_time);
    assert_near(event_run_event(&r, SIM_STICK, 0).t, stop, 1e-10);
    assert_near(event_run_end(&r, 0), 0.6 * way, 1e-9);
    assert_near(event_run_end(&r, 1), 0.8 * way, 1e-9);
    assert_near(event_run_end(&r, 2), 0.1, in_state);
    for (int k = 7; k < 13; k++)
        assert_near(event_run_end(&r, k), 0, 1e-9);
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
    struct event_run_note heard = { "" };
    const double c = cos(1), s = sin(1), D_nn = 1 + 3 * c * c, D_tt = 1 + 3 * s * s, D_nt = -3 * s * c;
    assert_true(1 + 3 * c * (c - 1.6 * s) < 0);
    r.task.on_note = event_run_hear;
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

/* M = (1, 0.9; 0.9, 1), forces (-15, -10), mu = 2: at rest on the ground the block may stick, held by (15, 10), or
 * leave, as pushed back it accelerates up with (-10 + 13.5)/0.19. What an impact has stopped there stays. */
static void what_an_impact_stops_sticks_though_it_might_leave(void **state)
{
    (void)state;
    struct event_run r = event_run_read(
        "cocp: 1\ntime: {horizon: 0.2}\n"
        "states: {x: {initial: 0}, z: {initial: 0.1}, v: {initial: 0}, w: {initial: -3}}\n"
        "dynamics:\n  type: mechanical\n  coordinates: {x: v, z: w}\n  mass: {rows: [[1, 0.9], [0.9, 1]]}\n"
        "  force: {x: -15, z: -10}\n"
        "contacts: {ground: {gap: z, tangent: x, friction: 2}}\n");
    struct event_run_note heard = { "" };
    double x[4];
    r.task.on_note = event_run_hear;
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

/* A load that is 1e-10 beyond what friction bears counts as borne, until it is seen at once that it is not: the foot
 * slips, by far less than 1e-10 m/s, and sticks as soon as the load is off, without an event between. A hundred times. */
static void what_did_not_stick_may_stick_later(void **state)
{
    (void)state;
    enum { TIMES = 100 };
    struct event_run r = event_run_read(
        "cocp: 1\ntime: {horizon: 1}\n"
        "states: {x: {initial: 0}, y: {initial: 0}, vx: {initial: 0}, vy: {initial: 0}}\n"
        "controls: {u: {bounds: [-10, 10]}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, y: vy}, mass: {diag: [1, 1]}, force: {x: u, y: -10}}\n"
        "contacts: {floor: {gap: y, tangent: x, friction: 0.5}}\n");
    double t[1 + 2 * TIMES] = { 0 }, u[1 + 2 * TIMES] = { 0 };
    for (int k = 0; k < TIMES; k++) {
        t[1 + 2 * k] = 0.01 * k + 0.002;
        t[2 + 2 * k] = 0.01 * k + 0.007;
        u[1 + 2 * k] = 5 * (1 + 1e-10);
    }
    r.task.controls = (struct sim_controls){ 1 + 2 * TIMES, t, u };
    assert_int_equal(event_run_go(&r), STATUS_OK);
    assert_int_equal(sim_n_events(r.sim), 2 * TIMES);
    for (int k = 0; k < 2 * TIMES; k++) {
        assert_int_equal(sim_event_at(r.sim, k)->kind, k % 2 == 0 ? SIM_SLIP : SIM_STICK);
        assert_near(sim_event_at(r.sim, k)->t, t[1 + k], 1e-12);
    }
    assert_near(event_run_end(&r, 0), TIMES * 0.5 * 5e-10 * 0.005 * 0.005, 1e-15);
    event_run_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_slips_in_space),
        cmocka_unit_test(puck_curves_down_an_incline),
        cmocka_unit_test(errors_of_steps_keep_nothing_from_rest),
        cmocka_unit_test(creeping_is_pushed_on),
        cmocka_unit_test(slip_begins_under_a_load_that_grows),
        cmocka_unit_test(a_load_at_the_edge_holds_at_rest),
        cmocka_unit_test(who_comes_to_rest_holds_nobody_else),
        cmocka_unit_test(a_pivot_begins_to_slip),
        cmocka_unit_test(what_did_not_stick_may_stick_later),
        cmocka_unit_test(spinning_bar_on_two_contacts),
        cmocka_unit_test(block_on_two_feet_sticks_as_a_whole),
        cmocka_unit_test(boxes_are_pushed_together),
        cmocka_unit_test(falling_rod_only_loses_energy),
        cmocka_unit_test(slab_on_four_contacts_comes_to_rest),
        cmocka_unit_test(box_lands_on_four_corners_and_slides),
        cmocka_unit_test(rod_in_the_paradox_of_painleve),
        cmocka_unit_test(what_an_impact_stops_sticks_though_it_might_leave),
        cmocka_unit_test(bounces_accumulate),
        cmocka_unit_test(rocking_block_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
