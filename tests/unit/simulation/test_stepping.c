/* The time-stepping schemes against closed forms, and their orders of convergence. */
#include "core/stepping/stepping.h"

#include "tests/unit/assertions.h"
#include "tests/unit/read_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STATES = 140 };

struct run {
    struct diag *diag;
    struct spec *spec;
    struct model *model;
    struct stepping *stepping;
};

static enum status try_run(struct run *run, const char *text, enum stepping_scheme scheme, int n_steps,
                           struct sim_controls controls)
{
    double x[MAX_STATES];
    *run = (struct run){ .diag = diag_create() };
    read_spec(text, MODEL_FOR_SIMULATE, run->diag, &run->spec, &run->model);
    for (int i = 0; i < run->model->n_x; i++)
        x[i] = run->model->x[i].initial.lo;
    const struct stepping_task task = {
        .model = run->model, .scheme = scheme, .x_initial = x, .t_end = run->model->time.horizon,
        .n_steps = n_steps, .controls = controls, .max_seconds = INFINITY
    };
    return stepping_run(&task, &run->stepping, run->diag);
}

static struct run run_spec(const char *text, enum stepping_scheme scheme, int n_steps)
{
    struct run run;
    const enum status st = try_run(&run, text, scheme, n_steps, (struct sim_controls){ .n = 0 });
    if (st != STATUS_OK)
        fail_msg("%s", run.stepping && run.stepping->message ? run.stepping->message : diag_line(run.diag, 0));
    return run;
}

static void run_free(struct run *run)
{
    stepping_free(run->stepping);
    model_free(run->model);
    spec_free(run->spec);
    diag_free(run->diag);
}

static const double *end_of(const struct run *run)
{
    return run->stepping->x + (size_t)run->stepping->n * (size_t)run->model->n_x;
}

static double error_of(const char *text, enum stepping_scheme scheme, int n_steps, const double *exact)
{
    struct run run = run_spec(text, scheme, n_steps);
    double error = 0;
    for (int i = 0; i < run.model->n_x; i++)
        error = fmax(error, fabs(end_of(&run)[i] - exact[i]));
    run_free(&run);
    return error;
}

/* The largest error of step counts near n: one alone is better or worse by where an event falls in its step. */
static double error_near(const char *text, enum stepping_scheme scheme, int n, const double *exact)
{
    double error = 0;
    for (int k = 0; k < 8; k++)
        error = fmax(error, error_of(text, scheme, n + 7 * k, exact));
    return error;
}

/* The order seen from n to 16 n steps. */
static double order_of(const char *text, enum stepping_scheme scheme, int n, const double *exact)
{
    return log2(error_near(text, scheme, n, exact) / error_near(text, scheme, 16 * n, exact)) / 4;
}

static const char *const pendulum =
    "cocp: 1\nname: pendulum\ntime: {horizon: 3}\n"
    "states: {a: {initial: 1}, w: {initial: 0}}\n"
    "dynamics: {type: mechanical, coordinates: {a: w}, kinetic: 0.5*ddt(a)^2*(2 + cos(a)),\n"
    "  potential: -5*cos(a)}\n";

/* Without contacts: the implicit midpoint rule of order 2, the symplectic Euler method of order 1. Energy is
 * (2 + cos a) w^2/2 - 5 cos a, so the exact motion follows from quadrature; here from 40,000 steps, whose own
 * error is 1e-8. */
static void smooth_motion_has_the_order_of_the_rule(void **state)
{
    (void)state;
    struct run fine = run_spec(pendulum, STEPPING_MOREAU, 40000);
    const double exact[] = { end_of(&fine)[0], end_of(&fine)[1] };
    const double energy = 0.5 * (2 + cos(exact[0])) * exact[1] * exact[1] - 5 * cos(exact[0]);
    assert_near(energy, -5 * cos(1), 1e-7);
    assert_near(order_of(pendulum, STEPPING_MOREAU, 50, exact), 2, 0.1);
    assert_near(order_of(pendulum, STEPPING_STEWART_TRINKLE, 200, exact), 1, 0.1);
    run_free(&fine);
}

/* ball 2D with friction, cases.md 1. */
static const char *const ball_2d =
    "cocp: 1\nname: ball_2d\ntime: {horizon: 3}\n"
    "states: {q1: {initial: 0}, q2: {initial: 1}, v1: {initial: 4}, v2: {initial: 0}}\n"
    "dynamics: {type: mechanical, coordinates: {q1: v1, q2: v2}, mass: {diag: [1, 1]}, force: {q2: -10}}\n"
    "contacts: {ground: {gap: q2, tangent: q1, friction: 0.3}}\n";

static void both_schemes_converge_to_the_planar_ball(void **state)
{
    (void)state;
    const double exact[] = { 2.0 / 3 * 4.45, 0, 0, 0 };         /* 2.9666667 */
    for (int scheme = 0; scheme < 2; scheme++) {
        assert_near(order_of(ball_2d, (enum stepping_scheme)scheme, 70, exact), 1, 0.3);
        assert_true(error_of(ball_2d, (enum stepping_scheme)scheme, 20000, exact) < 5e-4);
    }
}

/* ball 3D: impact at sqrt(2/g) with the impulse sqrt(2 g); it takes mu times that from the speed sqrt 5, then
 * friction mu g stops the ball; all along (2, 1). The pyramids turn into that direction exactly. */
static const char *const ball_3d =
    "cocp: 1\nname: ball_3d\ntime: {horizon: 2}\n"
    "states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 1}, vx: {initial: 2}, vy: {initial: 1}, "
    "vz: {initial: 0}}\n"
    "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, z: vz}, mass: {diag: [1, 1, 1]}, force: {z: -10}}\n"
    "contacts: {ground: {gap: z, tangent: [x, y], friction: 0.2}}\n";

static void both_schemes_converge_to_the_spatial_ball(void **state)
{
    (void)state;
    const double t = sqrt(0.2), v = sqrt(5), after = v - 0.2 * sqrt(20);
    const double way = v * t + after * after / (2 * 0.2 * 10);
    const double exact[] = { way * 2 / v, way / v, 0, 0, 0, 0 };
    for (int scheme = 0; scheme < 2; scheme++) {
        assert_near(order_of(ball_3d, (enum stepping_scheme)scheme, 70, exact), 1, 0.3);
        struct run run = run_spec(ball_3d, (enum stepping_scheme)scheme, 333);
        const double *x = end_of(&run);
        assert_near(x[0], 2 * x[1], 1e-12);
        run_free(&run);
    }
}

/* ball 1D with e = 1: four impacts of 7.9236 N s each; energy is kept by Moreau's rule but for the step of the
 * impact, and none gains. */
static const char *const ball_1d =
    "cocp: 1\nname: ball_1d\ntime: {horizon: 3}\n"
    "states: {q: {initial: 0.8}, v: {initial: 0}}\n"
    "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [1]}, force: {q: -9.81}}\n"
    "contacts: {ground: {gap: q, restitution: 1}}\n";

static void elastic_ball_bounces_four_times(void **state)
{
    (void)state;
    const double exact[] = { 0.538626350702, 2.264542116901 };
    for (int scheme = 0; scheme < 2; scheme++) {
        struct run run = run_spec(ball_1d, (enum stepping_scheme)scheme, 6000);
        int n_impacts = 0;
        for (int k = 0; k < run.stepping->n; k++)
            if (run.stepping->impulse[CONTACT_ROWS * k] > 0) {
                n_impacts++;
                assert_near(run.stepping->impulse[CONTACT_ROWS * k], 7.923635529, 0.05);      /* 10 h g */
            }
        assert_int_equal(n_impacts, 4);
        assert_near(end_of(&run)[0], exact[0], 0.05);
        assert_near(end_of(&run)[1], exact[1], 0.05);
        run_free(&run);
    }
}

/* Two contacts, cases.md 1: on the floor at 0.2316625 s, at the wall at 0.5333333 s, at rest in the corner. */
static const char *const corner =
    "cocp: 1\nname: corner\ntime: {horizon: 1.5}\n"
    "states: {q1: {initial: 0.8}, q2: {initial: 0.5}, v1: {initial: -1.5}, v2: {initial: -1}}\n"
    "dynamics: {type: mechanical, coordinates: {q1: v1, q2: v2}, mass: {diag: [1, 1]}, force: {q2: -10}}\n"
    "contacts: {wall: {gap: q1}, floor: {gap: q2}}\n";

static void mass_comes_to_rest_in_the_corner(void **state)
{
    (void)state;
    const double exact[] = { 0, 0, 0, 0 };
    for (int scheme = 0; scheme < 2; scheme++) {
        assert_true(error_of(corner, (enum stepping_scheme)scheme, 3000, exact) < 2e-3);       /* 4 m/s, 0.5 ms */
        struct run run = run_spec(corner, (enum stepping_scheme)scheme, 3000);
        int n;
        struct sim_event *event = stepping_events(run.stepping, &n);
        assert_int_equal(n, 2);
        assert_int_equal(event[0].kind, SIM_IMPACT);
        assert_int_equal(event[0].subject, 1);
        assert_near(event[0].t, 0.2316625, 1e-3);
        assert_int_equal(event[1].kind, SIM_IMPACT);
        assert_int_equal(event[1].subject, 0);
        assert_near(event[1].t, 0.5333333, 1e-3);
        free(event);
        run_free(&run);
    }
}

/* Two balls, cases.md 1, e = 0.8: x(1) with order one. Steps are 1/400 of the period of the spring, then a quarter
 * of that. */
static const char *const two_balls =
    "cocp: 1\nname: two_balls\ntime: {horizon: 1}\n"
    "states: {q1: {initial: 1}, q2: {initial: 2}, v1: {initial: 0}, v2: {initial: 0}}\n"
    "dynamics: {type: mechanical, coordinates: {q1: v1, q2: v2}, kinetic: 0.5*v1^2 + 0.5*v2^2,\n"
    "  potential: 9.81*(q1 + q2) + 5e3*(q2 - q1 - 1)^2}\n"
    "contacts: {ground: {gap: q1 - 0.2, restitution: 0.8}}\n";

static void two_balls_bounce_twice(void **state)
{
    (void)state;
    const double exact[] = { 0.246841886729, 1.228210312009, -2.379839521466, -3.114092393624 };
    for (int scheme = 0; scheme < 2; scheme++) {
        const double coarse = error_near(two_balls, (enum stepping_scheme)scheme, 9000, exact);
        assert_true(coarse < 0.05);
        assert_true(error_near(two_balls, (enum stepping_scheme)scheme, 36000, exact) < 0.4 * coarse);
    }
}

/* Two balls and a stiff spring: the implicit rule needs no step of the size of the spring's period. */
static const char *const stiff =
    "cocp: 1\nname: stiff\ntime: {horizon: 1}\n"
    "states: {q1: {initial: 0.2}, q2: {initial: 1.2}, v1: {initial: 0}, v2: {initial: 0}}\n"
    "dynamics: {type: mechanical, coordinates: {q1: v1, q2: v2}, kinetic: 0.5*v1^2 + 0.5*v2^2,\n"
    "  potential: 9.81*(q1 + q2) + 5e6*(q2 - q1 - 1)^2}\n"
    "contacts: {ground: {gap: q1 - 0.2}}\n";

static void midpoint_takes_stiff_springs(void **state)
{
    (void)state;
    struct run run = run_spec(stiff, STEPPING_MOREAU, 50);
    const double *x = end_of(&run);
    assert_near(x[0], 0.2, 1e-3);
    assert_near(x[1] - x[0], 1, 1e-4);
    run_free(&run);
}

/* A chain of 12 blocks on the ground, pushed together: gaps of neighbours and of the ground, 23 contacts; the push
 * of 60 N moves all of mass 12 against friction 0.3 m g. At the end all move alike. */
static void many_contacts_move_as_one(void **state)
{
    (void)state;
    enum { N = 12 };
    char text[4000];
    size_t n = (size_t)snprintf(text, sizeof text, "cocp: 1\nname: chain\ntime: {horizon: 0.5}\nstates:\n");
    for (int k = 0; k < N; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "  x%d: {initial: %d}\n  v%d: {initial: 0}\n"
                              "  y%d: {initial: 0}\n  w%d: {initial: 0}\n", k, k, k, k, k);
    n += (size_t)snprintf(text + n, sizeof text - n, "dynamics:\n  type: mechanical\n  coordinates: {");
    for (int k = 0; k < N; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%sx%d: v%d, y%d: w%d", k ? ", " : "", k, k, k, k);
    n += (size_t)snprintf(text + n, sizeof text - n, "}\n  mass: {diag: [");
    for (int k = 0; k < 2 * N; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s1", k ? ", " : "");
    n += (size_t)snprintf(text + n, sizeof text - n, "]}\n  force: {x0: 60");
    for (int k = 0; k < N; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, ", y%d: -10", k);
    n += (size_t)snprintf(text + n, sizeof text - n, "}\ncontacts:\n");
    for (int k = 0; k < N; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "  floor%d: {gap: y%d, tangent: x%d, friction: 0.3}\n", k, k,
                              k);
    for (int k = 1; k < N; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "  pair%d: {gap: x%d - x%d - 1}\n", k, k, k - 1);
    struct diag *diag = diag_create();
    struct spec *spec;
    struct model *model;
    read_spec(text, MODEL_FOR_SIMULATE, diag, &spec, &model);
    double x[4 * N];
    for (int i = 0; i < model->n_x; i++)
        x[i] = model->x[i].initial.lo;
    for (int scheme = 0; scheme < 2; scheme++) {
        struct stepping *run;
        const struct stepping_task task = { .model = model, .scheme = (enum stepping_scheme)scheme, .x_initial = x,
                                            .t_end = 0.5, .n_steps = 50, .max_seconds = INFINITY };
        assert_int_equal(stepping_run(&task, &run, diag), STATUS_OK);
        const double *end = run->x + (size_t)run->n * (size_t)run->n_x;
        for (int k = 0; k < N; k++)
            assert_near(end[4 * k + 1], (60 - 0.3 * 120) / 12 * 0.5, 1e-9);
        stepping_free(run);
    }
    model_free(model);
    spec_free(spec);
    diag_free(diag);
}

/* u = 1 until 0.505, then -1: with 10 steps the jump is within one, which therefore ends there. */
static const char *const pushed =
    "cocp: 1\nname: pushed\ntime: {horizon: 1}\n"
    "states: {q: {initial: 0}, v: {initial: 0}, s: {initial: 0}}\ncontrols: {u: {guess: 0}}\n"
    "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [1]}, force: {q: u}, rhs: {s: q}}\n";

static void steps_end_where_controls_jump(void **state)
{
    (void)state;
    const double t[] = { 0, 0.505 }, u[] = { 1, -1 };
    struct run run;
    assert_int_equal(try_run(&run, pushed, STEPPING_MOREAU, 10, (struct sim_controls){ 2, t, u }), STATUS_OK);
    assert_int_equal(run.stepping->n, 11);
    const double a = 0.505, b = 1 - a;
    assert_near(end_of(&run)[1], a - b, 1e-13);
    assert_near(end_of(&run)[0], 0.5 * a * a + a * b - 0.5 * b * b, 1e-13);
    /* s, the integral of q, to the error of the midpoint rule: h^2/12 of |q''| = 1 */
    assert_near(end_of(&run)[2], a * a * a / 6 + 0.5 * a * a * b + a * b * b / 2 - b * b * b / 6, 1e-3);
    run_free(&run);
}

static void what_the_schemes_do_not_take_is_refused(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        { "cocp: 1\nname: ode\ntime: {horizon: 1}\nstates: {x: {initial: 0}}\n"
          "dynamics: {type: ode, rhs: {x: 1}}\n",
          "schemes for mechanical systems" },
        { "cocp: 1\nname: dry\ntime: {horizon: 1}\nstates: {q: {initial: 0}, v: {initial: 0}}\n"
          "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [1]}, force: {q: -sign(v)}}\n",
          "take no switches" },
    };
    for (int k = 0; k < 2; k++) {
        struct run run;
        const enum status st = try_run(&run, bad[k][0], STEPPING_MOREAU, 10, (struct sim_controls){ .n = 0 });
        assert_int_equal(st, STATUS_SPEC);
        assert_null(run.stepping);
        assert_non_null(strstr(diag_line(run.diag, 0), bad[k][1]));
        run_free(&run);
    }
}

/* A perturbed start may be below the ground. */
static void start_in_penetration_is_refused(void **state)
{
    (void)state;
    struct run run = run_spec(ball_1d, STEPPING_MOREAU, 1);
    struct stepping *none;
    const double x[] = { -1e-3, 0 };
    const struct stepping_task task = { .model = run.model, .x_initial = x, .t_end = 1, .n_steps = 10,
                                        .max_seconds = INFINITY };
    assert_int_equal(stepping_run(&task, &none, run.diag), STATUS_SPEC);
    assert_null(none);
    assert_non_null(strstr(diag_line(run.diag, 0), "error: contacts.ground: the gap at the initial "
                           "state is -0.001: "));
    run_free(&run);
}

/* log(t0 - t) has no value after t0: the run keeps what it found until then, and says where the NaN came from. */
static void nan_in_a_force_ends_the_run(void **state)
{
    (void)state;
    struct run run;
    const enum status st = try_run(&run, "cocp: 1\nname: log\ntime: {horizon: 1}\n"
                                   "states: {q: {initial: 0}, v: {initial: 0}}\n"
                                   "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [1]}, "
                                   "force: {q: log(0.5 - t)}}\n", STEPPING_STEWART_TRINKLE, 10,
                                   (struct sim_controls){ .n = 0 });
    assert_int_equal(st, STATUS_NUMERIC);
    assert_int_equal(run.stepping->n, 5);
    assert_non_null(strstr(run.stepping->message, "log(0.5 - t) is not finite"));
    run_free(&run);
}

/* Inelastic balls of radius 0 in a row, one step: the blow of the first one closes one contact after the other. */
static void blow_goes_through_a_long_row(void **state)
{
    (void)state;
    enum { N = 60 };
    char text[20000], *to = text;
    to += sprintf(to, "cocp: 1\nname: row\ntime: {horizon: 0.1}\nstates: {v0: {initial: 1}");
    for (int k = 0; k < N; k++)
        to += sprintf(to, ", q%d: {initial: %.6f}", k, 1e-6 * k);
    for (int k = 1; k < N; k++)
        to += sprintf(to, ", v%d: {initial: 0}", k);
    to += sprintf(to, "}\ndynamics: {type: mechanical, coordinates: {q0: v0");
    for (int k = 1; k < N; k++)
        to += sprintf(to, ", q%d: v%d", k, k);
    to += sprintf(to, "}, mass: {diag: [1");
    for (int k = 1; k < N; k++)
        to += sprintf(to, ", 1");
    to += sprintf(to, "]}}\ncontacts:\n");
    for (int k = 1; k < N; k++)
        to += sprintf(to, "  c%d: {gap: q%d - q%d}\n", k, k, k - 1);
    struct run run = run_spec(text, STEPPING_STEWART_TRINKLE, 1);
    for (int k = 1; k < N; k++) {
        const int place = run.model->mechanics.q_index[k], before = run.model->mechanics.q_index[k - 1];
        assert_true(end_of(&run)[place] >= end_of(&run)[before] - 1e-12);
    }
    run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_motion_has_the_order_of_the_rule),
        cmocka_unit_test(both_schemes_converge_to_the_planar_ball),
        cmocka_unit_test(both_schemes_converge_to_the_spatial_ball),
        cmocka_unit_test(elastic_ball_bounces_four_times),
        cmocka_unit_test(mass_comes_to_rest_in_the_corner),
        cmocka_unit_test(two_balls_bounce_twice),
        cmocka_unit_test(midpoint_takes_stiff_springs),
        cmocka_unit_test(many_contacts_move_as_one),
        cmocka_unit_test(steps_end_where_controls_jump),
        cmocka_unit_test(what_the_schemes_do_not_take_is_refused),
        cmocka_unit_test(start_in_penetration_is_refused),
        cmocka_unit_test(nan_in_a_force_ends_the_run),
        cmocka_unit_test(blow_goes_through_a_long_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
