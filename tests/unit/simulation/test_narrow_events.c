/* Simulated systems against closed forms, with guards and forces that are narrow compared with the steps between them:
 * what happens between the samples of a step is found. Tolerances as in test_simulation.c, of pulses that of the
 * integration: rtol = 1e-12 of a rate that is 1/width for a time of width. */

#include "core/simulation/simulation.h"

#include "tests/unit/event_run.h"
#include "tests/unit/assertions.h"

#include <string.h>

static const double in_time = 1e-12, in_state = 1e-10;

#define ODE(horizon, states, rhs) "cocp: 1\ntime: {horizon: " horizon "}\nstates: {" states "}\n" \
    "dynamics: {type: ode, rhs: {" rhs "}}\n"

/* A mass of 1 kg that starts at x = 0, z = 1/4 with 1 m/s along x, nothing pulls it. */
#define FLYING(gap) "cocp: 1\ntime: {horizon: 3}\nstates: {x: {initial: 0}, z: {initial: 0.25}, vx: {initial: 1}, " \
    "vz: {initial: 0}}\ndynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, " \
    "force: {x: 0, z: 0}}\ncontacts: {post: {gap: \"" gap "\", restitution: 1}}\n"

/* --- Posts --------------------------------------------------------------------------------------------------- */

struct post { const char *gap; double x, slope; };              /* where it is hit; -dgap/dx there over dgap/dz = 1 */

/* v_plus = v - 2 n (n'v)/(n'n) with n = (-slope, 1): the mirror image. */
static void check_post(const struct post *post)
{
    struct event_run r = event_run_solved(post->gap);
    const double nn = 1 + post->slope * post->slope, vx = 1 - 2 * post->slope * post->slope / nn, vz = 2 * post->slope / nn;
    assert_near(event_run_event(&r, SIM_IMPACT, 0).t, post->x, in_time);
    assert_near(event_run_event(&r, SIM_IMPACT, 0).x_plus[2], vx, 1e-8);
    assert_near(event_run_event(&r, SIM_IMPACT, 0).x_plus[3], vz, 1e-8);
    event_run_free(&r);
}

/* Half as high again as the flight: bells and edges of all kinds, down to a thousandth of a step and less. */
static void posts_are_hit(void **state)
{
    (void)state;
    const double ln2 = log(2), pi = acos(-1), y = pow(0.5, 1.0 / 200), angle = acos(y);
    const struct post post[] = {
        { FLYING("z - 0.5*exp(-((x - 1)/0.003)^2)"), 1 - 0.003 * sqrt(ln2), 0.5 * sqrt(ln2) / 0.003 },
        { FLYING("z - 0.5*exp(-((x - 1)/1e-4)^2)"), 1 - 1e-4 * sqrt(ln2), 0.5 * sqrt(ln2) / 1e-4 },
        { FLYING("z - 0.5*exp(-((x - 1)/1e-6)^2)"), 1 - 1e-6 * sqrt(ln2), 0.5 * sqrt(ln2) / 1e-6 },
        { FLYING("z - 0.5/(1 + ((x - 1)/0.002)^2)"), 1 - 0.002, 0.25 / 0.002 },
        { FLYING("z - 0.5/cosh((x - 1)/0.001)"), 1 - 0.001 * acosh(2), 0.25 * sqrt(0.75) / 0.001 },
        { FLYING("z - 0.5*tanh((x - 1)/1e-4)"), 1 + 1e-4 * atanh(0.5), 0.5 * 0.75 / 1e-4 },
        { FLYING("z - 0.5*sin(pi*x/2)^200"), 1 - 2 * angle / pi, 0.25 * 100 * pi * tan(angle) },
        { FLYING("z - 0.1*exp(-((x - 0.5)/1e-3)^2) - 0.5*exp(-((x - 1)/1e-3)^2)"), 1 - 1e-3 * sqrt(ln2),
          0.5 * sqrt(ln2) / 1e-3 },
    };
    for (size_t k = 0; k < sizeof post / sizeof post[0]; k++)
        check_post(&post[k]);
}

/* Of posts with round outlines only the place is looked at; the last one is a disc of a millimetre. */
static void round_posts_are_hit(void **state)
{
    (void)state;
    static const struct { const char *text; double t; } post[] = {
        { FLYING("((x - 1)/0.001)^2 + (z/0.5)^2 - 1"), 0.99913397459621556 },        /* 1 - 0.001 sqrt(3)/2 */
        { FLYING("hypot(x - 1, z - 0.2495) - 0.001"), 0.99913397459621556 },
        { FLYING("sqrt((x - 2)^2 + (z - 0.2495)^2) - 0.001"), 1.99913397459621556 },
    };
    for (size_t k = 0; k < sizeof post / sizeof post[0]; k++) {
        struct event_run r = event_run_solved(post[k].text);
        assert_near(event_run_event(&r, SIM_IMPACT, 0).t, post[k].t, in_time);
        assert_int_equal(event_run_count(&r, SIM_IMPACT), 1);
        event_run_free(&r);
    }
}

/* --- Switches and pulses: the end of a state ---------------------------------------------------------------- */

struct integral { const char *text; int n_events; double end, tol; };

static void check_integral(const struct integral *integral)
{
    struct event_run r = event_run_solved(integral->text);
    if (sim_n_events(r.sim) != integral->n_events || fabs(event_run_end(&r, 0) - integral->end) > integral->tol)
        print_message("of %s", integral->text);
    assert_int_equal(sim_n_events(r.sim), integral->n_events);
    assert_near(event_run_end(&r, 0), integral->end, integral->tol);
    event_run_free(&r);
}

/* y' is on for a short time, x' = 1 from 0: areas of rectangles, triangles and crests. */
static void short_switches_are_seen(void **state)
{
    (void)state;
    const double d = acos(0.99), crest = 2 * (sin(d) - 0.99 * d) / 200, ln2 = log(2);
    const struct integral all[] = {
        { ODE("2", "y: {initial: 0}", "y: sign(sin(100*t) - 0.999)"), 64, -2 + 2 * 32 * 2 * acos(0.999) / 100, in_state },
        { ODE("0.5", "y: {initial: 0}", "y: step(sin(2000*t) - 0.9999)"), 318, 159 * 2 * acos(0.9999) / 2000, in_state },
        { ODE("2", "y: {initial: 0}", "y: step(exp(-((t - 0.7)/1e-4)^2) - 0.5)"), 2, 2e-4 * sqrt(ln2), in_state },
        { ODE("2", "y: {initial: 0}", "y: step(exp(-((t - 0.7)/1e-9)^2) - 0.5)"), 2, 2e-9 * sqrt(ln2), 1e-15 },
        { ODE("2", "y: {initial: 0}", "y: step(1/cosh((t - 0.7)/1e-5) - 0.5)"), 2, 2e-5 * acosh(2), in_state },
        { ODE("2", "y: {initial: 0}, x: {initial: 0}", "x: 1, y: step(1e-3 - abs(x - 0.5))"), 3, 2e-3, in_state },
        { ODE("2", "y: {initial: 0}, x: {initial: 0}", "x: 1, y: step(1e-8 - (x - 0.5)^2)"), 2, 2e-4, in_state },
        { ODE("2", "y: {initial: 0}, x: {initial: 0}", "x: 1, y: 'if(x > 0.5 and x < 0.5003, 1, 0)'"), 2, 3e-4, in_state },
        { ODE("2", "y: {initial: 0}, x: {initial: 0}", "x: 1, y: 'max(0, 1 - 1e4*abs(x - 0.5))'"), 3, 1e-4, in_state },
        { ODE("2", "y: {initial: 0}", "y: 'max(0, sin(200*t) - 0.99)'"), 128, 64 * crest, in_state },
        { ODE("2", "y: {initial: 0}, x: {initial: 0}", "x: 1, y: 'min(1, 1e4*abs(x - 0.5))'"), 3, 2 - 1e-4, in_state },
        { ODE("2", "y: {initial: 0}", "y: step(cos(pi*t)^200 - 0.5)"), 4, 4 * acos(pow(0.5, 0.005)) / acos(-1), in_state },
        { ODE("2", "y: {initial: 0}, x: {initial: 0}", "x: 2*x + 1, y: step(exp(-((x - 10)/1e-3)^2) - 0.5)"), 2,
          0.5 * log((21 + 2e-3 * sqrt(ln2)) / (21 - 2e-3 * sqrt(ln2))), in_state },
    };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        check_integral(&all[k]);
}

/* The middle binomial coefficient C(2n, n) / 4^n: the mean of cos^2n. */
static double middle_binomial(int n)
{
    double c = 1;
    for (int k = 1; k <= n; k++)
        c *= (2 * k - 1) / (2.0 * k);
    return c;
}

/* The mean of exp(k (cos - 1)) by the trapezoidal rule, which is exact to rounding for periodic functions. */
static double mean_of_crests(double k)
{
    enum { N = 2000 };
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += exp(k * (cos(2 * acos(-1) * i / N) - 1)) / N;
    return sum;
}

/* Pulses of the right side itself: bells of area 1 in time and in the way, trains of them, tables. */
static void pulses_are_integrated(void **state)
{
    (void)state;
    const double pi = acos(-1);
    /* t f = 400 with f = 2e6 (t - 0.8), then 2e6 (0.801 - t) */
    const double on = 0.4 + sqrt(0.16 + 2e-4), off = 0.4005 + sqrt(0.4005 * 0.4005 - 2e-4);
    const struct integral all[] = {
        { ODE("2", "y: {initial: 0}", "y: exp(-((t - 0.7)/1e-3)^2)/1e-3/sqrt(pi)"), 0, 1, in_state },
        { ODE("2", "y: {initial: 0}", "y: exp(-((t - 0.7)/1e-6)^2)/1e-6/sqrt(pi)"), 0, 1, 1e-9 },
        { ODE("2", "y: {initial: 0}", "y: 1e-4/pi/((t - 0.7)^2 + 1e-8)"), 0, (atan(1.3e4) + atan(0.7e4)) / pi, in_state },
        { ODE("2", "y: {initial: 0}", "y: 500/cosh(1000*(t - 0.7))^2"), 0, 1, in_state },
        { ODE("2", "y: {initial: 0}", "y: 500*(1 - tanh(1000*(t - 0.7))^2)"), 0, 1, in_state },
        { ODE("2", "y: {initial: 0}, x: {initial: 0}", "x: 1, y: exp(-((x - 0.7)/1e-4)^2)/1e-4/sqrt(pi)"), 0, 1, in_state },
        { ODE("2", "y: {initial: 0}, x: {initial: 0}", "x: 1 + x, y: exp(-((x - 3)/1e-4)^2)/1e-4/sqrt(pi)*(1 + x)"), 0, 1,
          in_state },
        { ODE("3", "y: {initial: 0}", "y: exp(2000*(cos(2*pi*t) - 1))"), 0, 3 * mean_of_crests(2000), in_state },
        { ODE("3", "y: {initial: 0}", "y: cos(pi*t)^400"), 0, 3 * middle_binomial(200), in_state },
        { "cocp: 1\ntime: {horizon: 2}\nstates: {y: {initial: 0}}\n"
          "define: {f: {through: {0: 0, 0.4: 0, 0.40025: 1000, 0.4005: 0, 1: 0}}}\n"
          "dynamics: {type: ode, rhs: {y: f}}\n", 0, 0.5, in_state },
        { "cocp: 1\ntime: {horizon: 2}\nstates: {y: {initial: 0}}\n"
          "define: {f: {through: {0: 0, 0.4: 0, 0.40025: 1000, 0.4005: 0, 1: 0}}, g: t*f}\n"
          "dynamics: {type: ode, rhs: {y: 'if(g > 400, 1, 0)'}}\n", 2, off - on, 1e-12 },
    };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        check_integral(&all[k]);
}

/* --- Forces that no state shows ------------------------------------------------------------------------------ */

/* What a mass at rest on the floor weighs is seen by its contact alone: a pull of a millisecond lifts it where it is as
 * large as the weight, before its crest. */
static void short_pulls_lift(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 2}\nstates: {z: {initial: 0}, v: {initial: 0}}\n"
                                "dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, "
                                "force: {z: '-10 + 40*exp(-((t - 0.7)/0.001)^2)'}}\ncontacts: {floor: {gap: z}}\n");
    assert_near(event_run_event(&r, SIM_LIFTOFF, 0).t, 0.7 - 0.001 * sqrt(log(4)), 1e-10);
    assert_int_equal(event_run_count(&r, SIM_LIFTOFF), 1);
    event_run_free(&r);
}

/* A push of half a millisecond, 20 t at its rise, on a block that sticks with 4.905 N. */
static void short_pushes_make_slip(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 1}\nstates: {x: {initial: 0}, z: {initial: 0}, "
                                "vx: {initial: 0}, vz: {initial: 0}}\n"
                                "define: {push: {through: {0: 0, 0.4: 0, 0.40025: 10, 0.4005: 0, 1: 0}}}\n"
                                "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, "
                                "force: {x: push, z: -9.81}}\n"
                                "contacts: {floor: {gap: z, tangent: x, friction: 0.5}}\n");
    assert_near(event_run_event(&r, SIM_SLIP, 0).t, 0.4 + 0.4905 * 0.00025, in_time);
    assert_int_equal(event_run_count(&r, SIM_STICK), 1);
    event_run_free(&r);
}

/* x' = 1 - 2 sign(x - wall) slides along a wall that a table of time moves away and back. */
static void surfaces_of_time_are_followed(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\ntime: {horizon: 1}\nstates: {x: {initial: -0.2}}\n"
                                "define: {wall: {through: {0: 0, 0.5: 0, 0.5005: 0.01, 0.501: 0, 1: 0}}}\n"
                                "dynamics: {type: ode, rhs: {x: 1 - 2*sign(x - wall)}}\n");
    assert_near(event_run_event(&r, SIM_SLIDING, 0).t, 0.2 / 3, in_time);
    assert_near(event_run_event(&r, SIM_LEAVING, 0).t, 0.5, in_time);
    /* x rises with 3 and the wall with 20; on its way down it meets x: 3 (t - 0.5) = 0.01 - 20 (t - 0.5005) */
    assert_near(event_run_event(&r, SIM_CROSSING, 0).t, 0.5 + 0.02 / 23, in_time);
    assert_near(event_run_end(&r, 0), 0, in_time);
    event_run_free(&r);
}

/* --- Gaps that bend ------------------------------------------------------------------------------------------ */

/* A ball falls from 1 m and bounces with e = 1/2, whatever function of its height the gap is; its slope at 0 counts. */
static void gaps_bend_as_they_like(void **state)
{
    (void)state;
    static const char *const gap[] = { "exp(q) - 1", "q + q^3", "tanh(1000*q)", "(q + 1)^5 - 1", "1e-6*q", "log(1 + 1e4*q)" };
    const double t_1 = sqrt(2 / 9.81);
    for (size_t k = 0; k < sizeof gap / sizeof gap[0]; k++) {
        char text[400];
        (void)snprintf(text, sizeof text, "cocp: 1\ntime: {horizon: 0.9}\nstates: {q: {initial: 1}, v: {initial: 0}}\n"
                       "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [1]}, force: {q: -9.81}}\n"
                       "contacts: {floor: {gap: '%s', restitution: 0.5}}\n", gap[k]);
        struct event_run r = event_run_solved(text);
        const double s = 0.9 - t_1;
        assert_near(event_run_event(&r, SIM_IMPACT, 0).t, t_1, 1e-11);
        assert_near(event_run_end(&r, 0), 0.5 * 9.81 * t_1 * s - 0.5 * 9.81 * s * s, 1e-9);
        event_run_free(&r);
    }
}

/* Where the gradient vanishes with the gap nothing tells how to bounce. */
static void gaps_without_slope_are_refused(void **state)
{
    (void)state;
    static const char *const gap[] = { "1 - cos(q)", "q - sin(q)", "q*q*(1 + q)", "cosh(q) - 1" };
    for (size_t k = 0; k < sizeof gap / sizeof gap[0]; k++) {
        char text[400];
        (void)snprintf(text, sizeof text, "cocp: 1\ntime: {horizon: 2}\nstates: {q: {initial: 1}, v: {initial: 0}}\n"
                       "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [1]}, force: {q: -9.81}}\n"
                       "contacts: {floor: {gap: '%s', restitution: 0.5}}\n", gap[k]);
        struct event_run r = event_run_read(text);
        assert_int_equal(event_run_go(&r), STATUS_NUMERIC);
        assert_non_null(strstr(sim_message(r.sim), ":5:12: contacts.floor.gap: its gradient vanishes where it is 0"));
        assert_memory_equal(sim_message(r.sim), "t = 0.45152", 11);            /* sqrt(2 / 9.81) */
        event_run_free(&r);
    }
}

/* --- What cannot be followed --------------------------------------------------------------------------------- */

static void hear(void *user, const char *text)
{
    char *heard = user;
    (void)snprintf(heard, 300, "%s", text);
}

/* Two waves of a million radians per second that nearly meet the threshold for ever: followed for some seconds, and then
 * it is said what may be missed. */
static void what_is_not_followed_is_said(void **state)
{
    (void)state;
    char heard[300] = "";
    struct event_run r = event_run_read(ODE("10", "y: {initial: 0}",
                                            "y: step(sin(1e6*t)*cos(1.1e6*t) + sin(1.3e6*t) - 1.99999)"));
    r.task.on_note = hear;
    r.task.user = heard;
    assert_int_equal(event_run_go(&r), STATUS_OK);
    assert_non_null(strstr(heard, "last less than"));
    event_run_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(posts_are_hit),
        cmocka_unit_test(round_posts_are_hit),
        cmocka_unit_test(short_switches_are_seen),
        cmocka_unit_test(pulses_are_integrated),
        cmocka_unit_test(short_pulls_lift),
        cmocka_unit_test(short_pushes_make_slip),
        cmocka_unit_test(surfaces_of_time_are_followed),
        cmocka_unit_test(gaps_bend_as_they_like),
        cmocka_unit_test(gaps_without_slope_are_refused),
        cmocka_unit_test(what_is_not_followed_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
