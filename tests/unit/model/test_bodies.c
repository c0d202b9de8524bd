/* Rigid bodies in space: rotations against their definition, free bodies against Euler's equations integrated here, a
 * top against its closed form, rolling, points against written gaps, a box that tumbles. */
#include "core/model/inputs.h"
#include "core/model/rotation.h"
#include "core/stepping/stepping.h"

#include "tests/unit/assertions.h"
#include "tests/unit/event_run.h"

/* --- Rotations ----------------------------------------------------------------------------------------------- */

static void cross(const double *a, const double *b, double *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* R and q' at q, w; n = 4 or 3. */
static void evaluate(int n, const double *q, const double *w, double *R, double *rate)
{
    struct expr_graph *g = expr_graph_create();
    expr sym[7], matrix[9], rates[4];
    double value[7];
    for (int i = 0; i < n + 3; i++) {
        sym[i] = expr_sym(g, "s");
        value[i] = i < n ? q[i] : w[i - n];
    }
    rotation_matrix(g, n, sym, matrix);
    rotation_rates(g, n, sym, sym + n, rates);
    for (int i = 0; i < 9; i++)
        R[i] = expr_eval(g, matrix[i], n + 3, sym, value);
    for (int i = 0; i < n; i++)
        rate[i] = expr_eval(g, rates[i], n + 3, sym, value);
    expr_graph_free(g);
}

/* R p by Rodrigues' formula for a turn by |r| about r. */
static void turn(const double *r, const double *p, double *out)
{
    const double angle = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    double once[3], twice[3];
    cross(r, p, once);
    cross(r, once, twice);
    const double sine = angle > 0 ? sin(angle) / angle : 1;
    const double cosine = angle > 0 ? 2 * pow(sin(angle / 2) / angle, 2) : 0.5;
    for (int i = 0; i < 3; i++)
        out[i] = p[i] + sine * once[i] + cosine * twice[i];
}

/* The angle of the quaternion is that of the vector, both turn as Rodrigues says, up to a whole turn. */
static void both_turn_by_their_angle(void **state)
{
    (void)state;
    static const double axis[] = { 2.0 / 7, -3.0 / 7, 6.0 / 7 }, angles[] = { 0, 1e-9, 1e-4, 0.5, 3, 6.2 };
    for (int k = 0; k < 6; k++) {
        const double a = angles[k], r[] = { a * axis[0], a * axis[1], a * axis[2] }, s = sin(a / 2), w[3] = { 0 };
        const double q[] = { cos(a / 2), s * axis[0], s * axis[1], s * axis[2] };
        double by_q[9], by_r[9], rate[4];
        evaluate(4, q, w, by_q, rate);
        evaluate(3, r, w, by_r, rate);
        for (int j = 0; j < 3; j++) {
            double out[3];
            turn(r, (const double[]){ j == 0, j == 1, j == 2 }, out);
            for (int i = 0; i < 3; i++) {
                assert_near(by_q[i + 3 * j], out[i], 2e-15);
                assert_near(by_r[i + 3 * j], out[i], 4e-15);
            }
        }
    }
}

/* dR/dt = R [w]x, by central differences along q'. */
static void rates_turn_the_axes(void **state)
{
    (void)state;
    static const double w[] = { 0.7, -1.1, 0.4 }, at[2][4] = { { 0.9, 0.3, 0.1, -0.3 }, { 1.3, -2.4, 0.6 } };
    const double h = 1e-5;
    for (int n = 3; n <= 4; n++) {
        const double *q = at[4 - n];
        double R[9], rate[4], ahead[9], behind[9], scratch[4], q_a[4], q_b[4], out[3];
        evaluate(n, q, w, R, rate);
        for (int i = 0; i < n; i++) {
            q_a[i] = q[i] + h * rate[i];
            q_b[i] = q[i] - h * rate[i];
        }
        evaluate(n, q_a, w, ahead, scratch);
        evaluate(n, q_b, w, behind, scratch);
        for (int j = 0; j < 3; j++) {
            cross(w, (const double[]){ j == 0, j == 1, j == 2 }, out);
            for (int i = 0; i < 3; i++)
                assert_near((ahead[i + 3 * j] - behind[i + 3 * j]) / (2 * h),
                            R[i] * out[0] + R[i + 3] * out[1] + R[i + 6] * out[2], 1e-9);
        }
    }
}

/* --- Free bodies --------------------------------------------------------------------------------------------- */

#define FREE(positions, orientation)                                                                                   \
    "cocp: 1\ntime: {horizon: 2}\nstates:\n" positions                                                                 \
    "  wx: {initial: 0.1}\n  wy: {initial: 5}\n  wz: {initial: -0.2}\n"                                                \
    "bodies:\n  book:\n    inertia: [[1, 0.1, 0], [0.1, 2, 0.2], [0, 0.2, 3]]\n"                                       \
    "    orientation: " orientation "\n    angular_velocity: [wx, wy, wz]\n"                                           \
    "    points: {p: [1, 2, 3]}\ndynamics: {type: mechanical, force: {wx: wz}}\n"
static const char *const by_quaternion =
    FREE("  q0: {initial: 1}\n  q1: {initial: 0}\n  q2: {initial: 0}\n  q3: {initial: 0}\n", "[q0, q1, q2, q3]");
static const char *const by_vector =
    FREE("  r1: {initial: 0}\n  r2: {initial: 0}\n  r3: {initial: 0}\n", "[r1, r2, r3]");

/* w' = I^-1 ((I w) x w + (w_z, 0, 0)) and R' = R [w]x: rate of w, then R by columns. */
static void euler(const double *y, double *rate)
{
    static const double I[] = { 1, 0.1, 0, 0.1, 2, 0.2, 0, 0.2, 3 }, det = 1 * (6 - 0.04) - 0.1 * 0.3;
    double Iw[3], torque[3], R_rate[3];
    for (int i = 0; i < 3; i++)
        Iw[i] = I[i] * y[0] + I[i + 3] * y[1] + I[i + 6] * y[2];
    cross(Iw, y, torque);
    torque[0] += y[2];
    for (int i = 0; i < 3; i++) {                       /* Cramer's rule */
        double A[9];
        memcpy(A, I, sizeof A);
        memcpy(A + 3 * i, torque, sizeof torque);
        rate[i] = (A[0] * (A[4] * A[8] - A[7] * A[5]) - A[3] * (A[1] * A[8] - A[7] * A[2])
                   + A[6] * (A[1] * A[5] - A[4] * A[2])) / det;
    }
    for (int i = 0; i < 3; i++) {                       /* rows of R: R' = R [w]x */
        const double row[] = { y[3 + i], y[6 + i], y[9 + i] };
        cross(row, y, R_rate);
        for (int j = 0; j < 3; j++)
            rate[3 + i + 3 * j] = R_rate[j];
    }
}

/* Runge and Kutta's fourth-order method. */
static void integrate(int n_steps, double h, double *y)
{
    for (int s = 0; s < n_steps; s++) {
        double k[4][12], at[12];
        for (int l = 0; l < 4; l++) {
            for (int i = 0; i < 12; i++)
                at[i] = l == 0 ? y[i] : y[i] + (l == 3 ? h : h / 2) * k[l - 1][i];
            euler(at, k[l]);
        }
        for (int i = 0; i < 12; i++)
            y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

static double point_at_end(struct event_run *r, int i)
{
    double x[16];
    const struct inputs inputs = { .n = r->model->n_x, .sym = r->model->x_sym, .value = x };
    sim_eval(r->sim, sim_t_end(r->sim), -1, x);
    return expr_eval(r->model->graph, r->model->mechanics.point[1].at[i], inputs.n, inputs.sym, inputs.value);
}

static void free_bodies_obey_euler(void **state)
{
    (void)state;
    double y[12] = { 0.1, 5, -0.2, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    const double p[] = { 1, 2, 3 };
    integrate(20000, 1e-4, y);
    for (int k = 0; k < 2; k++) {
        struct event_run r = event_run_read(k ? by_vector : by_quaternion);
        const int w = k ? 3 : 4;
        r.task.t_end = k ? 1 : 2;                       /* of the vector before it has turned once */
        if (k) {
            const double start[12] = { 0.1, 5, -0.2, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
            memcpy(y, start, sizeof y);
            integrate(10000, 1e-4, y);
        }
        assert_int_equal(event_run_go(&r), STATUS_OK);
        for (int i = 0; i < 3; i++) {
            assert_near(event_run_end(&r, w + i), y[i], 2e-9);
            assert_near(point_at_end(&r, i), y[3 + i] * p[0] + y[6 + i] * p[1] + y[9 + i] * p[2], 2e-8);
        }
        event_run_free(&r);
    }
}

/* A point mass k on a body that turns about the origin, once in its inertia tensor k (|p|^2 - p p') and once as a kinetic
 * energy of its own, which depends on the orientation: Hamel's equations. */
#define CARRIER(orientation, names, inertia, kinetic)                                                                  \
    "cocp: 1\nparameters: {k: 0.7}\ntime: {horizon: 1}\nstates:\n" orientation                                        \
    "  wx: {initial: 1}\n  wy: {initial: 2}\n  wz: {initial: -1}\n"                                                    \
    "bodies:\n  carrier:\n    inertia: " inertia "\n    orientation: " names "\n"                                      \
    "    angular_velocity: [wx, wy, wz]\n    points: {p: [0.3, -0.5, 0.8]}\n"                                          \
    "dynamics:\n  type: mechanical\n  potential: 9.81*k*p.z\n" kinetic
#define WITHOUT "[[1, 0, 0], [0, 2, 0], [0, 0, 3]]"
#define WITH                                                                                                           \
    "[[1 + 0.89*k, 0.15*k, -0.24*k], [0.15*k, 2 + 0.73*k, 0.4*k], [-0.24*k, 0.4*k, 3 + 0.34*k]]"
#define ITS_ENERGY "  kinetic: 0.5*k*(ddt(p.x)^2 + ddt(p.y)^2 + ddt(p.z)^2)\n"
#define QUATERNION "  q0: {initial: 0.6}\n  q1: {initial: 0}\n  q2: {initial: 0.8}\n  q3: {initial: 0}\n"
#define VECTOR "  q0: {initial: 0}\n  q1: {initial: 2*acos(0.6)}\n  q2: {initial: 0}\n"

static void energies_may_depend_on_orientations(void **state)
{
    (void)state;
    static const char *const text[] = {
        CARRIER(QUATERNION, "[q0, q1, q2, q3]", WITH, ""), CARRIER(QUATERNION, "[q0, q1, q2, q3]", WITHOUT, ITS_ENERGY),
        CARRIER(VECTOR, "[q0, q1, q2]", WITH, ""), CARRIER(VECTOR, "[q0, q1, q2]", WITHOUT, ITS_ENERGY)
    };
    double first[3] = { 0 };
    for (int k = 0; k < 4; k++) {
        struct event_run r = event_run_read(text[k]);
        assert_int_equal(event_run_go(&r), STATUS_OK);
        for (int i = 0; i < 3; i++) {
            const double w = event_run_end(&r, r.model->mechanics.v_index[i]);
            if (k == 0)
                first[i] = w;
            assert_near(w, first[i], 1e-8);
        }
        event_run_free(&r);
    }
    assert_true(fabs(first[0] - 1) > 0.1);
}

/* --- Tops ---------------------------------------------------------------------------------------------------- */

/* The knob of problems/spinning_top.yaml goes round its circle at 3 rad/s, the tip sticks. */
static void tops_precess(void **state)
{
    (void)state;
    struct event_run r = event_run_read("problems/spinning_top.yaml");
    assert_int_equal(event_run_go(&r), STATUS_OK);
    assert_int_equal(sim_n_events(r.sim), 0);
    for (int k = 0; k <= 20; k++) {
        double x[13];
        const double t = sim_t_end(r.sim) * k / 20;
        sim_eval(r.sim, t, -1, x);
        assert_near(x[0], 0.02 * sin(3 * t), 1e-9);
        assert_near(x[1], -0.02 * cos(3 * t), 1e-9);
        assert_near(x[2], 0.04 * cos(acos(-1) / 6), 1e-12);
        assert_near(x[6] * x[6] + x[7] * x[7] + x[8] * x[8] + x[9] * x[9], 1, 1e-12);
    }
    event_run_free(&r);
}

/* --- Contacts ------------------------------------------------------------------------------------------------ */

#define BALL(more)                                                                                                     \
    "cocp: 1\nparameters: {g: 9.81, mu: 0.2, r: 0.1}\ntime: {horizon: 2}\nstates:\n"                                   \
    "  x: {initial: 0}\n  y: {initial: 0}\n  z: {initial: r}\n"                                                        \
    "  q0: {initial: 1}\n  q1: {initial: 0}\n  q2: {initial: 0}\n  q3: {initial: 0}\n"                                 \
    "  vx: {initial: 1.2}\n  vy: {initial: 1.6}\n  vz: {initial: 0}\n"                                                 \
    "  wx: {initial: 0}\n  wy: {initial: 0}\n  wz: {initial: 0}\n"                                                     \
    "bodies:\n  ball:\n    mass: 3\n    inertia: [0.4*3*r^2, 0.4*3*r^2, 0.4*3*r^2]\n    position: [x, y, z]\n"         \
    "    velocity: [vx, vy, vz]\n    orientation: [q0, q1, q2, q3]\n    angular_velocity: [wx, wy, wz]\n"              \
    "dynamics: {type: mechanical, potential: 3*g*ball.z}\n"                                                            \
    "contacts: {floor: {point: ball, radius: r, friction: mu" more "}}\n"

/* A sphere that slides, v = 2 m/s, rolls from t = 2 v/(7 mu g) on at 5/7 of its speed. */
static void balls_begin_to_roll(void **state)
{
    (void)state;
    struct event_run r = event_run_read(BALL(""));
    assert_int_equal(event_run_go(&r), STATUS_OK);
    assert_near(event_run_event(&r, SIM_STICK, 0).t, 2 * 2 / (7 * 0.2 * 9.81), 1e-10);
    assert_near(event_run_end(&r, 7), 1.2 * 5 / 7, 1e-10);
    assert_near(event_run_end(&r, 8), 1.6 * 5 / 7, 1e-10);
    assert_near(hypot(event_run_end(&r, 10), event_run_end(&r, 11)), 2 * 5.0 / 7 / 0.1, 1e-9);
    event_run_free(&r);
}

/* On a wall at x = 0.5 of any length of its normal it bounces off with friction: the same law in other directions. */
static void grounds_may_be_walls(void **state)
{
    (void)state;
    struct event_run r = event_run_read(BALL("}, wall: {point: ball, radius: r, restitution: 0.5, "
                                             "ground: {normal: [-2, 0, 0], through: [0.5, 7, 7]}"));
    assert_int_equal(event_run_go(&r), STATUS_OK);
    const struct sim_event hit = event_run_event(&r, SIM_IMPACT, 0);
    assert_near(hit.x_minus[0], 0.4, 1e-11);
    assert_near(hit.x_plus[7], -0.5 * hit.x_minus[7], 1e-11);
    assert_near(hit.x_plus[8], hit.x_minus[8], 1e-12);
    event_run_free(&r);
}

/* On a belt at 1.2 and 1.6 m/s, which sinks, a ball that moves with it stays at rest on it; one that stands is taken
 * along: it rolls at 2/7 of the belt's speed. */
static void grounds_may_move(void **state)
{
    (void)state;
    struct event_run r = event_run_read(BALL(", ground: {through: [1.2*t, 1.6*t, -0.1*t]}"));
    const double along[] = { 0, 0, 0.1, 1, 0, 0, 0, 1.2, 1.6, -0.1, 0, 0, 0 }, stands[13] = { 0, 0, 0.1, 1, [9] = -0.1 };
    r.task.x_initial = along;
    assert_int_equal(event_run_go(&r), STATUS_OK);
    assert_near(event_run_end(&r, 7), 1.2, 1e-10);
    assert_near(event_run_end(&r, 10), 0, 1e-10);
    assert_near(event_run_end(&r, 2), 0.1 - 0.2, 1e-10);
    r.task.x_initial = stands;
    assert_int_equal(event_run_go(&r), STATUS_OK);
    assert_near(event_run_end(&r, 7), 1.2 * 2 / 7, 1e-9);
    assert_near(event_run_end(&r, 8), 1.6 * 2 / 7, 1e-9);
    assert_near(event_run_end(&r, 2), 0.1 - 0.2, 1e-10);
    event_run_free(&r);
}

/* J of points by their formula is that of the written gap and tangents by derivatives: the same run. */
static void points_are_written_gaps(void **state)
{
    (void)state;
    static const char point[] = "{point: \"c[k]\"", gap[] = "{gap: \"c[k].z\", tangent: [\"c[k].x\", \"c[k].y\"]";
    char text[6000], written[6000];
    FILE *file = fopen("problems/tumbling_box.yaml", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    const char *at = strstr(text, point);
    assert_non_null(at);
    snprintf(written, sizeof written, "%.*s%s%s", (int)(at - text), text, gap, at + strlen(point));
    struct event_run points = event_run_read(text), gaps = event_run_read(written);
    points.task.t_end = gaps.task.t_end = 0.6;          /* some impacts: later rounding has grown */
    assert_int_equal(event_run_go(&points), STATUS_OK);
    assert_int_equal(event_run_go(&gaps), STATUS_OK);
    assert_true(event_run_count(&points, SIM_IMPACT) >= 2);
    assert_int_equal(sim_n_events(points.sim), sim_n_events(gaps.sim));
    for (int i = 0; i < 13; i++)
        assert_near(event_run_end(&points, i), event_run_end(&gaps, i), 1e-9);
    event_run_free(&gaps);
    event_run_free(&points);
}

/* Energy is kept in flight and never grows; in the end the box lies still on a side. */
static void boxes_come_to_rest(void **state)
{
    (void)state;
    struct event_run r = event_run_read("problems/tumbling_box.yaml");
    assert_int_equal(event_run_go(&r), STATUS_OK);
    struct function energy = function_create(r.model, NULL, 1, &r.model->defines.output[0].e);
    double before = INFINITY, x[13];
    for (int k = 0; k <= 3000; k++) {
        const double t = sim_t_end(r.sim) * k / 3000;
        sim_eval(r.sim, t, 1, x);
        const double now = *function_eval(&energy, t, x, NULL);
        assert_true(now <= before + 1e-9);
        if (t < event_run_event(&r, SIM_IMPACT, 0).t)
            assert_near(now, 0.5 * 1.04 + 9.81 + 0.5 * (0.0325 / 3 * 9 + 0.05 / 3 + 0.0625 / 3 * 4), 1e-10);
        before = now;
    }
    for (int i = 3; i < 13; i++)
        if (i < 6 || i > 9)
            assert_near(x[i], 0, 1e-9);
    assert_true(fmin(fabs(x[2] - 0.2), fmin(fabs(x[2] - 0.15), fabs(x[2] - 0.1))) < 1e-9);
    function_free(&energy);
    event_run_free(&r);
}

/* --- Time-stepping ------------------------------------------------------------------------------------------- */

static double stepping_error(enum stepping_scheme scheme, int n_steps, const double *exact, double *length)
{
    struct diag *diag = diag_create();
    struct spec *spec;
    struct model *model;
    read_spec(by_quaternion, MODEL_FOR_SIMULATE, diag, &spec, &model);
    const double start[] = { 1, 0, 0, 0, 0.1, 5, -0.2 };
    const struct stepping_task task = { .model = model, .scheme = scheme, .x_initial = start, .t_end = 2,
                                        .n_steps = n_steps, .max_seconds = INFINITY };
    struct stepping *run;
    read_check(diag, stepping_run(&task, &run, diag));
    assert_int_equal(run->status, STATUS_OK);
    const double *x = run->x + (size_t)run->n * 7;
    double error = 0;
    for (int i = 0; i < 7; i++)
        error = fmax(error, fabs(x[i] - exact[i]));
    *length = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
    stepping_free(run);
    model_free(model);
    spec_free(spec);
    diag_free(diag);
    return error;
}

/* Second and first order, and quaternions of unit length. */
static void schemes_turn_bodies(void **state)
{
    (void)state;
    struct event_run r = event_run_read(by_quaternion);
    assert_int_equal(event_run_go(&r), STATUS_OK);
    double exact[7], length;
    for (int i = 0; i < 7; i++)
        exact[i] = event_run_end(&r, i);
    for (int k = 0; k < 2; k++) {
        const enum stepping_scheme scheme = k ? STEPPING_STEWART_TRINKLE : STEPPING_MOREAU;
        const double coarse = stepping_error(scheme, 2000, exact, &length);
        const double fine = stepping_error(scheme, 4000, exact, &length);
        assert_near(log2(coarse / fine), k ? 1 : 2, 0.1);
        assert_near(length, 1, 1e-11);
    }
    event_run_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_turn_by_their_angle), cmocka_unit_test(rates_turn_the_axes),
        cmocka_unit_test(free_bodies_obey_euler),   cmocka_unit_test(energies_may_depend_on_orientations),
        cmocka_unit_test(tops_precess),
        cmocka_unit_test(balls_begin_to_roll),      cmocka_unit_test(grounds_may_be_walls),
        cmocka_unit_test(grounds_may_move),         cmocka_unit_test(points_are_written_gaps),  cmocka_unit_test(boxes_come_to_rest),
        cmocka_unit_test(schemes_turn_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
