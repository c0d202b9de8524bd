/* test_fesd_j_extremes.c - FESD-J at the ends of what contacts can be: restitution and friction,
 * contacts that never or always act, many at once; the pyramid and the cone; exact step equilibration */
#include "tests/unit/simulated.h"
#include "tests/unit/small_problem.h"
#include "tests/unit/assertions.h"

#include <stdio.h>

static const double tolerance = 1e-8;
static const double g = 9.81;

static int count(const struct simulated *s, const char *kind)
{
    int n = 0;
    while (simulated_find(s, kind, n) >= 0) n++;
    return n;
}

/* --- Friction ------------------------------------------------------------------------------------------------ */

/* A mass that lands on the plane with v_x = 1 after 0.2 s of fall (v_z = -0.2 g); mu is to be given. */
#define LANDING(mu, method)                                                                                       \
    "cocp: 1\n"                                                                                                   \
    "parameters: {nothing: 0}\n"                                                                                  \
    "time: {horizon: 0.5, intervals: 1, elements: 3}\n"                                                           \
    "states: {x: {initial: 0}, z: {initial: 0.02*9.81}, vx: {initial: 1}, vz: {initial: 0}}\n"                    \
    "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {z: -9.81}}\n"        \
    "contacts: {ground: {gap: z, tangent: x, friction: " mu "}}\n"                                                \
    "discretization: {method: fesd-j" method "}\n"                                                                \
    "simulate: {steps: 4}\n"

/* mu = 0, as a number and as a parameter (its friction law is then there, with a cone of no width): it slides on.
 */
static void without_friction_it_slides_on(void **state)
{
    (void)state;
    static const char *const text[] = {LANDING("0", ""), LANDING("nothing", ""),
                                       LANDING("nothing", ", friction_form: cone")};
    for (int k = 0; k < 3; k++) {
        struct simulated s = simulated_read(text[k]);
        simulated_run(&s);
        assert_near(simulated_event(&s, "impact", 0, "t"), 0.2, tolerance);
        assert_near(simulated_event(&s, "impact", 0, "impulse_t"), 0, tolerance);
        assert_near(simulated_end(&s, 0), 0.5, tolerance);
        assert_near(simulated_end(&s, 2), 1, tolerance);
        simulated_free(&s);
    }
}

static void with_much_friction_it_stops_at_once(void **state)
{
    (void)state;
    static const char *const text[] = {LANDING("1e3", ""), LANDING("100", ", friction_form: cone")};
    for (int k = 0; k < 2; k++) {
        struct simulated s = simulated_read(text[k]);
        simulated_run(&s);
        assert_near(simulated_event(&s, "impact", 0, "impulse_t"), -1, tolerance);
        assert_near(simulated_end(&s, 0), 0.2, tolerance);
        assert_near(simulated_end(&s, 2), 0, tolerance);
        assert_int_equal(count(&s, "slip"), 0);
        simulated_free(&s);
    }
}

/* A pyramid of n directions, and a slip midway between two of them: both friction forces act alike, with
 * mu cos(pi/n) in all, and the error of the speed after the impact is mu Lambda (1 - cos(pi/n)), of order 1/n^2.
 */
static double speed_after(int directions, double angle)
{
    char text[800];
    snprintf(text, sizeof text,
             "cocp: 1\n"
             "time: {horizon: 0.3, intervals: 1, elements: 2}\n"
             "states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 0.1}, vx: {initial: %.17g}, vy: {initial: "
             "%.17g},\n"
             "  vz: {initial: 0}}\n"
             "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, z: vz}, mass: {diag: [1, 1, 1]}, force: "
             "{z: -5}}\n"
             "contacts: {ground: {gap: z, tangent: [x, y], friction: 0.2}}\n"
             "discretization: {method: fesd-j, friction_form: %s, directions: %d}\n"
             "simulate: {steps: 2}\n",
             2 * cos(angle), 2 * sin(angle), directions ? "polyhedral" : "cone", directions ? directions : 4);
    struct simulated s = simulated_read(text);
    simulated_run(&s);
    const double vx = simulated_after(&s, "impact", 0, 3), vy = simulated_after(&s, "impact", 0, 4);
    assert_near(vx * sin(angle) - vy * cos(angle), 0, 1e-6); /* straight on, by symmetry */
    simulated_free(&s);
    return hypot(vx, vy);
}

static void the_pyramid_tends_to_the_cone(void **state)
{
    (void)state;
    const double pi = acos(-1), impulse = 1; /* sqrt(2 * 5 * 0.1) */
    double error[3];
    for (int k = 0; k < 3; k++) {
        const int n = 4 << k;
        const double exact = speed_after(0, pi / n), speed = speed_after(n, pi / n);
        assert_near(exact, 2 - 0.2 * impulse, tolerance);
        assert_near(speed, 2 - 0.2 * impulse * cos(pi / n), 1e-6);
        error[k] = speed - exact;
    }
    assert_near(log2(error[0] / error[1]), 2, 0.1);
    assert_near(log2(error[1] / error[2]), 2, 0.1);
}

/* --- Contacts that never act, and always --------------------------------------------------------------------- */

/* A block pushed along the floor under a ceiling that it never meets: v = (7 - mu g) t; the floor carries its
 * weight all the time, and nothing ever happens. */
static void contacts_may_always_or_never_act(void **state)
{
    (void)state;
    struct simulated s =
        simulated_read("cocp: 1\n"
                       "time: {horizon: 1, intervals: 1, elements: 2}\n"
                       "states: {x: {initial: 0}, z: {initial: 0}, vx: {initial: 0}, vz: {initial: 0}}\n"
                       "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: "
                       "{x: 7, z: -9.81}}\n"
                       "contacts: {floor: {gap: z, tangent: x, friction: 0.2, restitution: 0.5}, ceiling: {gap: 1 "
                       "- z, restitution: 1}}\n"
                       "discretization: {method: fesd-j}\n"
                       "simulate: {steps: 5}\n");
    for (int scheme = RK_RADAU_IIA; scheme <= RK_GAUSS_LEGENDRE; scheme++) {
        s.settings.scheme = scheme;
        simulated_run(&s);
        assert_near(simulated_end(&s, 0), 0.5 * (7 - 0.2 * g), tolerance);
        assert_near(simulated_end(&s, 1), 0, tolerance);
        assert_int_equal(count(&s, "impact") + count(&s, "liftoff"), 0);
        const struct result_data *force = result_data_find(result_find(s.table, "/trajectory"), "floor_lambda_n");
        assert_near(force->d[force->n - 1], g, tolerance);
    }
    simulated_free(&s);
}

/* --- Many at once -------------------------------------------------------------------------------------------- */

/* A mass flies into a corner and hits both walls at t = 1, each with its own restitution. */
static void simultaneous_impacts_have_their_own_restitution(void **state)
{
    (void)state;
    struct simulated s = simulated_read(
        "cocp: 1\n"
        "time: {horizon: 2, intervals: 1, elements: 3}\n"
        "states: {q1: {initial: 1}, q2: {initial: 2}, v1: {initial: -1}, v2: {initial: -2}}\n"
        "dynamics: {type: mechanical, coordinates: {q1: v1, q2: v2}, mass: {diag: [1, 1]}, force: {q1: 0}}\n"
        "contacts: {a: {gap: q1, restitution: 0.5}, b: {gap: q2, restitution: 1}}\n"
        "discretization: {method: fesd-j}\n");
    for (int steps = 1; steps <= 7; steps += 3) {
        s.simulate.steps = steps;
        simulated_run(&s);
        assert_int_equal(count(&s, "impact"), 2);
        for (int k = 0; k < 2; k++) assert_near(simulated_event(&s, "impact", k, "t"), 1, tolerance);
        assert_near(simulated_end(&s, 0), 0.5, tolerance);
        assert_near(simulated_end(&s, 1), 2, tolerance);
    }
    simulated_free(&s);
}

/* Ten balls at 0.1 k^2 m, k = 1..10, each with its own contact and restitution, the first with none: ball k hits
 * at k sqrt(0.2/g). Those that bounce hit again after 2 e k sqrt(0.2/g). */
static int bounce(double height, double e, double T, double *q, double *v)
{
    double t = sqrt(2 * height / g), speed = g * t;
    int n = 0;
    *q = height - g * T * T / 2;
    *v = -g * T;
    while (t < T) {
        n++;
        speed *= e;
        *q = e > 0 ? speed * (T - t) - g * (T - t) * (T - t) / 2 : 0;
        *v = e > 0 ? speed - g * (T - t) : 0;
        t = e > 0 ? t + 2 * speed / g : T;
    }
    return n;
}

static void ten_contacts_are_ten_balls(void **state)
{
    (void)state;
    enum { N = 10 };
    char text[4000];
    const double T = 0.6;
    int n_impact = 0,
        at = snprintf(text, sizeof text, "cocp: 1\ntime: {horizon: 0.6, intervals: 1, elements: 3}\nstates: {");
    for (int k = 0; k < N; k++)
        at += snprintf(text + at, sizeof text - (size_t)at, "q%d: {initial: %g}, v%d: {initial: 0}, ", k,
                       0.1 * (k + 1) * (k + 1), k);
    at += snprintf(text + at, sizeof text - (size_t)at, "}\ndynamics: {type: mechanical, coordinates: {");
    for (int k = 0; k < N; k++) at += snprintf(text + at, sizeof text - (size_t)at, "q%d: v%d, ", k, k);
    at +=
        snprintf(text + at, sizeof text - (size_t)at, "}, mass: {diag: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}, force: {");
    for (int k = 0; k < N; k++) at += snprintf(text + at, sizeof text - (size_t)at, "q%d: -9.81, ", k);
    at += snprintf(text + at, sizeof text - (size_t)at, "}}\ncontacts: {");
    for (int k = 0; k < N; k++)
        at += snprintf(text + at, sizeof text - (size_t)at, "c%d: {gap: q%d, restitution: %g}, ", k, k,
                       k == 0 ? 0 : 0.5 + 0.05 * k);
    snprintf(text + at, sizeof text - (size_t)at, "}\ndiscretization: {method: fesd-j}\nsimulate: {steps: 40}\n");
    struct simulated s = simulated_read(text);
    simulated_run(&s);
    for (int k = 0; k < N; k++) {
        double q, v;
        n_impact += bounce(0.1 * (k + 1) * (k + 1), k == 0 ? 0 : 0.5 + 0.05 * k, T, &q, &v);
        assert_near(simulated_end(&s, 2 * k), q, tolerance);
        assert_near(simulated_end(&s, 2 * k + 1), v, tolerance);
    }
    assert_int_equal(count(&s, "impact"), n_impact);
    assert_true(n_impact >= 4);
    simulated_free(&s);
}

/* --- Exact step equilibration -------------------------------------------------------------------------------- */

/* cases.md 3.5 with one element more: the impact ends an element, the others share the rest in equal parts on their
 * side of it. The gap is open on both sides of an elastic impact: without its third factor the indicator would
 * want all three alike. */
static void steps_are_equal_where_nothing_happens(void **state)
{
    (void)state;
    static const char *const text[] = {"0", "0.8"};
    const double v1 = sqrt(1 + 0.4 * g), t1 = (v1 - 1) / g;
    for (int elastic = 0; elastic < 2; elastic++) {
        char spec[500];
        snprintf(spec, sizeof spec,
                 "cocp: 1\n"
                 "time: {horizon: 0.3, intervals: 1, elements: 3}\n"
                 "states: {q: {initial: 0.2}, v: {initial: -1}}\n"
                 "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [1]}, force: {q: -9.81}}\n"
                 "contacts: {ground: {gap: q, restitution: %s}}\n"
                 "discretization: {method: fesd-j}\n"
                 "simulate: {steps: 1}\n",
                 text[elastic]);
        struct simulated s = simulated_read(spec);
        for (int how = EQUILIBRATE_L2_RELAXED; how <= EQUILIBRATE_DIRECT; how++) {
            s.settings.equilibration = how;
            simulated_run(&s);
            double t = 0;
            int before = 0;
            while (before < 3 && t < t1 - 1e-6) t += simulated_h(&s, before++);
            assert_near(t, t1, tolerance);
            for (int e = 1; e < 3; e++)
                if (e != before) assert_near(simulated_h(&s, e), simulated_h(&s, e - 1), 1e-6);
            assert_near(simulated_event(&s, "impact", 0, "impulse_n"), (elastic ? 1.8 : 1) * v1, tolerance);
        }
        simulated_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_friction_it_slides_on),
        cmocka_unit_test(with_much_friction_it_stops_at_once),
        cmocka_unit_test(the_pyramid_tends_to_the_cone),
        cmocka_unit_test(contacts_may_always_or_never_act),
        cmocka_unit_test(simultaneous_impacts_have_their_own_restitution),
        cmocka_unit_test(ten_contacts_are_ten_balls),
        cmocka_unit_test(steps_are_equal_where_nothing_happens),
    };
    return cmocka_run_group_tests_name("fesd_j_extremes", tests, NULL, NULL);
}
