/* Impulsive controls: jumps, times and sizes against momentum, closed forms and Lawden's primer vector. */
#include "tests/unit/event_run.h"
#include "tests/unit/phase_problem.h"

#include <string.h>

static const double promised = 1e-7, in_state = 1e-10;

/* --- Simulation ---------------------------------------------------------------------------------------------- */

/* A pendulum on a cart, pushed at its cart: momentum of the cart grows by J, that of the angle does not, at the
 * start, once in between, where no control interval of an equal grid ends, and at the end. */
static void impulses_are_momentum(void **state)
{
    (void)state;
    struct event_run r = event_run_read(
        "cocp: 1\nparameters: {m: 2, M: 1, l: 0.7}\ntime: {horizon: 1, intervals: 4}\n"
        "states: {x: {initial: 0}, a: {initial: 0.5}, v: {initial: 0.3}, w: {initial: -1}}\n"
        "controls: {J: {guess: [2, -1.5, 0.5], impulsive: {at: [initial, 0.37 s, final]}}}\n"
        "dynamics:\n  type: mechanical\n  coordinates: {x: v, a: w}\n"
        "  kinetic: 0.5*(M + m)*ddt(x)^2 + m*l*cos(a)*ddt(x)*ddt(a) + 0.5*m*l^2*ddt(a)^2\n"
        "  potential: -9.81*m*l*cos(a)\n  force: {x: J - 0.2*sign(v), a: 3*J*0}\n");
    static const double t[] = { 0, 0.37, 1 }, J[] = { 2, -1.5, 0.5 };
    const double m = 2, M = 1, l = 0.7;
    assert_int_equal(event_run_go(&r), STATUS_OK);
    assert_int_equal(event_run_count(&r, SIM_IMPULSE), 3);
    for (int k = 0; k < 3; k++) {
        const struct sim_event event = event_run_event(&r, SIM_IMPULSE, k);
        const double *minus = event.x_minus, *plus = event.x_plus, c = m * l * cos(minus[1]);
        const double dv = plus[2] - minus[2], dw = plus[3] - minus[3];
        assert_near(event.t, t[k], 1e-12);
        assert_string_equal(sim_subject_name(r.sim, event.subject), "J");
        assert_near(plus[0], minus[0], 0);
        assert_near(plus[1], minus[1], 0);
        assert_near((M + m) * dv + c * dw, J[k], in_state);
        assert_near(c * dv + m * l * l * dw, 0, in_state);
    }
    double before[4], after[4];
    sim_eval(r.sim, 1, -1, before);
    sim_eval(r.sim, 1, 1, after);
    assert_near(before[2], event_run_event(&r, SIM_IMPULSE, 2).x_minus[2], in_state);
    assert_near(after[2], event_run_event(&r, SIM_IMPULSE, 2).x_plus[2], in_state);
    event_run_free(&r);
}

/* A dose D of a drug that decays with k, every 2 h of 6: c(6) = D (1 + e^-2k + e^-4k) e^-2k. */
static void doses_add_up(void **state)
{
    (void)state;
    struct event_run r = event_run_read(
        "cocp: 1\nparameters: {k: 0.3}\ntime: {horizon: 6, intervals: 3}\nstates: {c: {initial: 0}}\n"
        "controls: {D: {guess: 5, impulsive: {at: intervals, jump: {c: D}}}}\ndynamics: {type: ode, rhs: {c: -k*c}}\n");
    const double decay = exp(-0.6);
    assert_int_equal(event_run_go(&r), STATUS_OK);
    assert_near(event_run_end(&r, 0), 5 * (1 + decay + decay * decay) * decay, in_state);
    event_run_free(&r);
}

/* --- Programs ------------------------------------------------------------------------------------------------ */

/* From rest to rest over 1 m in 2 s, with two jumps of the velocity: the longer between them the less, so at the
 * bounds of their times, 0.2 and 1.8 s, by 1/1.6 m/s each; |dv| of both is 1.25. */
static const char rest_to_rest[] =
    "cocp: 1\ntime: {horizon: 2, intervals: 5, elements: 2}\n"
    "states: {x: {initial: 0, final: 1}, v: {initial: 0, final: 0}}\n"
    "controls:\n  dv:\n    bounds: [-3, 3]\n    guess: [0.3, -0.3]\n"
    "    impulsive: {at: [{min: 0.2 s, max: 0.8 s, guess: 0.5 s}, {min: 0.6, max: 0.9}], jump: {v: dv}}\n"
    "dynamics: {type: ode, rhs: {x: v, v: 0}}\n"
    "cost: {impulses: {fuel: abs(dv)}}\n";

static double parameter(const struct model *model, const double *p, const char *name)
{
    for (int k = 0; k < model->n_p; k++)
        if (strcmp(model->param[model->p_param[k]].name, name) == 0)
            return p[k];
    fail_msg("%s is no parameter", name);
    return NAN;
}

static void check_rest_to_rest(const struct model *model, const double *p, double objective)
{
    assert_near(objective, 1.25, promised);
    assert_near(parameter(model, p, "dv_1"), 0.625, promised);
    assert_near(parameter(model, p, "dv_2"), -0.625, promised);
    assert_near(parameter(model, p, "before_dv_1"), 0.2, promised);
    assert_near(parameter(model, p, "before_dv_2"), 1.6, promised);
    assert_near(parameter(model, p, "after_dv_2"), 0.2, promised);
}

static void methods_find_times_and_sizes(void **state)
{
    (void)state;
    static const int methods[] = { METHOD_FESD, METHOD_TIME_STEPPING };
    for (int k = 0; k < 2; k++) {
        struct small_problem problem = small_read(rest_to_rest);
        problem.settings.method = methods[k];
        struct transcription *tr = small_transcribe(&problem);
        tr_apply_guess(tr, NULL, true);
        struct homotopy_result result = small_solve(&problem);
        assert_int_equal(result.status, STATUS_OK);
        check_rest_to_rest(problem.model, result.w + tr->p, result.objective);
        homotopy_result_free(&result);
        small_free(&problem);
    }
}

static void the_finish_finds_times_and_sizes(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(rest_to_rest, 3, 2);
    struct finish found = phase_solve(&problem, "", NULL);
    check_rest_to_rest(problem.small.model, found.w + found.ph->at.p, found.objective);
    assert_near(phase_final(&found, 0), 1, promised);
    finish_free(&found);
    phase_free(&problem);
}

/* Jumps at both ends, and where what is asked of them is asked: the least sum of squares from x = 0 to 1 in 1 s is
 * 1/2 + 1/2 of speed 1, but after the first jump the speed may be 0.8 at most, so that the middle one makes it 1.2. */
static void ends_and_paths_are_of_what_follows(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\ntime: {horizon: 1, intervals: 4, elements: 1}\n"
        "states: {x: {initial: 0, final: 1}, v: {initial: 0}}\n"
        "controls: {dv: {impulsive: {at: [initial, 0.5, final], jump: {v: dv}}}}\n"
        "dynamics: {type: ode, rhs: {x: v, v: 0}}\n"
        "cost: {impulses: {effort: 0.5*dv^2}}\n"
        "constraints:\n  slow: {expr: dv*(1 - t) <= 0.8, at: impulses}\n"
        "  rest: {expr: final(v) == initial(v), at: boundary}\n", 2, 1);
    struct finish found = phase_solve(&problem, "", NULL);
    assert_near(found.objective, 0.5 * (0.64 + 0.16 + 1.44), promised);
    assert_near(found.w[phases_left(found.ph, 0)[1]], 0.8, promised);
    assert_near(found.w[found.ph->at.start_y[1]], 0, promised);
    finish_free(&found);
    phase_free(&problem);
}

/* --- Primer vector --------------------------------------------------------------------------------------------- */

/* Clohessy-Wiltshire, n = 1: column k of the part of the transition matrix over t by which a velocity moves the state. */
static void respond(double t, double phi[4][2])
{
    const double s = sin(t), c = cos(t);
    const double all[4][2] = { { s, 2 * (1 - c) }, { -2 * (1 - c), 4 * s - 3 * t }, { c, 2 * s }, { -2 * s, 4 * c - 3 } };
    memcpy(phi, all, sizeof all);
}

static double primer(const double *lambda, double t, double *p)
{
    double phi[4][2];
    respond(t, phi);
    for (int k = 0; k < 2; k++) {
        p[k] = 0;
        for (int i = 0; i < 4; i++)
            p[k] += lambda[i] * phi[i][k];
    }
    return hypot(p[0], p[1]);
}

/* Least fuel of a linear system is a convex problem, and Lawden's conditions are sufficient: with p(t) = B' Phi(T -
 * t)' lambda, every impulse along p where |p| = 1, and |p| <= 1 everywhere. lambda follows from the first and the
 * last one. */
static void rendezvous_meets_lawdens_conditions(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\ntime: {horizon: 5.6, intervals: 10, elements: 1}\n"
        "states:\n  x: {initial: 0.2, final: 0}\n  y: {initial: -2, final: 0}\n"
        "  v_x: {initial: 0, final: 0}\n  v_y: {initial: 0, final: 0}\n"
        "controls:\n"
        "  dv_x: {bounds: [-2, 2], guess: 0.02, impulsive: {at: [initial, {min: 0.1, max: 0.9}, final], jump: {v_x: dv_x}}}\n"
        "  dv_y: {bounds: [-2, 2], guess: 0.02, impulsive: {with: dv_x, jump: {v_y: dv_y}}}\n"
        "dynamics: {type: ode, rhs: {x: v_x, y: v_y, v_x: 3*x + 2*v_y, v_y: -2*v_x}}\n"
        "cost: {impulses: {fuel: sqrt(dv_x^2 + dv_y^2)}}\n", 4, 2);
    struct finish found = phase_solve(&problem, "", NULL);
    const struct model *model = problem.small.model;
    const double *p = found.w + found.ph->at.p, T = 5.6, t_2 = parameter(model, p, "before_dv_x_2");
    const char *name[3][2] = { { "dv_x_1", "dv_y_1" }, { "dv_x_2", "dv_y_2" }, { "dv_x_3", "dv_y_3" } };
    double dir[3][2], phi[4][2], fuel = 0, lambda[4], at[2];
    for (int k = 0; k < 3; k++) {
        const double dx = parameter(model, p, name[k][0]), dy = parameter(model, p, name[k][1]);
        fuel += hypot(dx, dy);
        dir[k][0] = dx / hypot(dx, dy);
        dir[k][1] = dy / hypot(dx, dy);
    }
    assert_near(found.objective, fuel, promised);
    respond(T, phi);
    lambda[2] = dir[2][0];
    lambda[3] = dir[2][1];
    double b[2];
    for (int k = 0; k < 2; k++)
        b[k] = dir[0][k] - lambda[2] * phi[2][k] - lambda[3] * phi[3][k];
    const double det = phi[0][0] * phi[1][1] - phi[0][1] * phi[1][0];
    lambda[0] = (b[0] * phi[1][1] - b[1] * phi[1][0]) / det;
    lambda[1] = (b[1] * phi[0][0] - b[0] * phi[0][1]) / det;
    const double tol = 1e-5;                    /* of the square root of what the time of an impulse is off by, 1e-10 */
    assert_near(primer(lambda, T - t_2, at), 1, tol);
    assert_near(at[0], dir[1][0], tol);
    assert_near(at[1], dir[1][1], tol);
    for (int k = 0; k <= 1000; k++)
        assert_true(primer(lambda, T * k / 1000, at) <= 1 + tol);
    finish_free(&found);
    phase_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impulses_are_momentum),
        cmocka_unit_test(doses_add_up),
        cmocka_unit_test(methods_find_times_and_sizes),
        cmocka_unit_test(the_finish_finds_times_and_sizes),
        cmocka_unit_test(ends_and_paths_are_of_what_follows),
        cmocka_unit_test(rendezvous_meets_lawdens_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
