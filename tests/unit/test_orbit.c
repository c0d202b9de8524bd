/* tests/unit/test_orbit.c - turns of long motions against periods that are known */
#include "tests/unit/assertions.h"
#include "tests/unit/small_problem.h"

#include "transcription/proposals/orbit.h"

static const struct simulated_limits limits = { INFINITY, NULL };

/* Period of a turn, or 0; x [n_x]: where it begins. */
static double period(const char *spec, double *x)
{
    struct small_problem problem = small_read(spec);
    double T = 0;
    assert_true(orbit_fits(problem.model));
    struct sim *turn = orbit_of_start(problem.model, 1, 0, &limits);
    if (turn) {
        T = sim_t_end(turn);
        sim_eval_x(turn, 0, 0, x);
    }
    sim_free(turn);
    small_free(&problem);
    return T;
}

#define VAN_DER_POL(horizon, initial)                                            \
    "cocp: 1\n"                                                                  \
    "time: {horizon: {min: 3, max: " horizon ", guess: 6}, intervals: 10}\n"     \
    "states: {x: {initial: free, guess: 0.1}, v: {initial: " initial "}}\n"      \
    "dynamics: {type: ode, rhs: {x: v, v: (1 - x^2)*v - x}}\n"                   \
    "constraints: {same_x: {expr: final(x) == initial(x), at: boundary},\n"      \
    "              same_v: {expr: final(v) - initial(v) == 0, at: boundary}}\n"

/* Period and amplitude of van der Pol's oscillator with mu = 1 (published figures: 6.6632868593, 2.0086198609), from
 * next to its unstable equilibrium; the same where no initial value is given, and where two turns have room. */
static void van_der_pol(void **state)
{
    (void)state;
    double x[2];
    assert_near(period(VAN_DER_POL("9", "0"), x), 6.6632868593, 1e-6);
    assert_near(fabs(x[0]), 2.0086198609, 1e-6);
    assert_near(x[1], 0, 0);
    assert_near(period(VAN_DER_POL("15", "0"), x), 6.6632868593, 1e-6);
    assert_near(period(VAN_DER_POL("9", "free"), x), 6.6632868593, 0.1);        /* to a step of the times looked at */
}

/* A relay of +-1 with thresholds +-h before an integrator: a triangle of period 4 h, h = 0.5, begun where the relay
 * is off. */
static void a_relay_oscillates(void **state)
{
    (void)state;
    double x[1];
    assert_near(period("cocp: 1\n"
                       "time: {horizon: {min: 1, max: 3, guess: 1.5}, intervals: 10}\n"
                       "states: {x: {initial: [-0.4, 0.4], guess: 0.1}}\n"
                       "hysteresis: {on: {of: x, on_at: 0.5, off_at: -0.5}}\n"
                       "dynamics: {type: ode, rhs: {x: 1 - 2*on}}\n"
                       "constraints: {same: {expr: final(x) == initial(x), at: boundary}}\n", x), 2, 0.05);
}

/* What decays has no turn; what controls move, or what ends elsewhere, is no orbit. */
static void others_have_none(void **state)
{
    (void)state;
    double x[2];
    assert_near(period("cocp: 1\n"
                       "time: {horizon: {min: 1, max: 3, guess: 2}, intervals: 10}\n"
                       "states: {x: {initial: [0, 1], guess: 1}, z: {initial: [0, 9], guess: 0}}\n"
                       "dynamics: {type: ode, rhs: {x: -x, z: 1}}\n"
                       "constraints: {same: {expr: final(z) == initial(z), at: boundary}}\n", x), 0, 0);
    static const char *const none[] = {
        "states: {x: {initial: free}}\ncontrols: {u: {bounds: [-1, 1]}}\ndynamics: {type: ode, rhs: {x: u}}\n"
        "constraints: {same: {expr: final(x) == initial(x), at: boundary}}\n",
        "states: {x: {initial: free}}\ndynamics: {type: ode, rhs: {x: 1}}\n"
        "constraints: {on: {expr: final(x) == initial(x) + 1, at: boundary}}\n",
        "states: {x: {initial: free}}\ndynamics: {type: ode, rhs: {x: 1}}\n",
    };
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
        char spec[600];
        (void)snprintf(spec, sizeof spec, "cocp: 1\ntime: {horizon: {min: 1, max: 3, guess: 2}, intervals: 10}\n%s", none[k]);
        struct small_problem problem = small_read(spec);
        assert_false(orbit_fits(problem.model));
        small_free(&problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(van_der_pol),
        cmocka_unit_test(a_relay_oscillates),
        cmocka_unit_test(others_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
