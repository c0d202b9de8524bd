/* test_sensitivity.c - how the end moves with the start and the control, across a switch
 *
 * A fixed grid gets this wrong whatever its step (its derivative is that of the branch it happens to sit on);
 * with detected switches it is the saltation matrix: dx+ = (I + (f+ - f-) n'/(n'f-)) dx-. Derivatives here are
 * differences of solutions, so that they see everything that an optimizer sees.
 */
#include "tests/unit/small_problem.h"
#include "tests/unit/assertions.h"

#include "transcription/discretize/initial.h"

struct trial { double x0[2], u; };

/* The end state from the given start; fails the test unless solved. */
static void solve_from(struct small_problem *problem, const struct trial *trial, double *x_end)
{
    struct transcription *tr = problem->tr;
    tr_set_initial(tr, trial->x0, 0);
    if (problem->model->n_u)
        program_set_bounds(tr->prog, tr->u[0], trial->u, trial->u);
    tr_apply_guess(tr, NULL, false);
    struct homotopy_result result = small_solve(problem);
    assert_int_equal(result.status, STATUS_OK);
    for (int i = 0; i < problem->model->n_x; i++)
        x_end[i] = small_final(tr, result.w, i);
    homotopy_result_free(&result);
}

/* d x_end by component k of (x0, u): fourth-order differences with steps of 0.02, whose truncation is 1e-7 times a
 * thirtieth of the fifth derivative. */
static void differentiate(struct small_problem *problem, const struct trial *trial, int k, double *d)
{
    static const double step[] = { 0.02, -0.02, 0.04, -0.04 },
                        weight[] = { 8.0 / 12, -8.0 / 12, -1.0 / 12, 1.0 / 12 };
    d[0] = d[1] = 0;
    for (int side = 0; side < 4; side++) {
        struct trial moved = *trial;
        double x_end[2];
        *(k < 2 ? &moved.x0[k] : &moved.u) += step[side];
        solve_from(problem, &moved, x_end);
        for (int i = 0; i < problem->model->n_x; i++)
            d[i] += weight[side] / step[0] * x_end[i];
    }
}

static const double tolerance = 1e-6;           /* what the project promises */

/* x' = 2 (x < 0), 0.2 (x > 0) from -1: x(T) = 0.2 (T + x0/2), so dx(T)/dx0 = 0.2/2 = 0.1 = f+/f-. */
static void simplest_switch(void **state)
{
    (void)state;
    static const char spec[] =
        "cocp: 1\n"
        "time: {horizon: 1.5, intervals: 1, elements: 3}\n"
        "states: {x: {initial: -1}}\n"
        "dynamics:\n"
        "  type: piecewise\n"
        "  switches: {c: x}\n"
        "  modes: {fast: {where: c < 0, rhs: {x: 2}}, slow: {where: c > 0, rhs: {x: 0.2}}}\n";
    for (int form = FORM_STEP; form <= FORM_STEWART; form++)
        for (int scheme = RK_RADAU_IIA; scheme <= RK_GAUSS_LEGENDRE; scheme++) {
            struct small_problem problem = small_read(spec);
            problem.settings.form = form;
            problem.settings.scheme = scheme;
            small_transcribe(&problem);
            const struct trial trial = { { -1, 0 }, 0 };
            double x_end[2], d[2];
            solve_from(&problem, &trial, x_end);
            assert_near(x_end[0], 0.2, 1e-7);
            differentiate(&problem, &trial, 0, d);
            assert_near(d[0], 0.1, tolerance);
            small_free(&problem);
        }
}

/* x' = v, v' = u before the surface x = 0 and u - 2 beyond it, from (-1, 0.5) with u = 1, T = 2. With t_s the
 * root of x0 + v0 t + u t^2/2, V = v0 + u t_s and r = T - t_s:
 *   x(T) = V r + (u - 2) r^2/2,  v(T) = V + (u - 2) r,  and dt_s = -(dx0 + t_s dv0 + t_s^2/2 du)/V.
 * Radau IIA and Gauss with two stages are exact for these parabolas. */
static void a_control_beyond_a_switch(void **state)
{
    (void)state;
    static const char spec[] =
        "cocp: 1\n"
        "time: {horizon: 2, intervals: 1, elements: 3}\n"
        "states: {x: {initial: -1}, v: {initial: 0.5}}\n"
        "controls: {u: {guess: 1}}\n"
        "dynamics: {type: ode, rhs: {x: v, v: 'u - 2*step(x)'}}\n";
    const double x0 = -1, v0 = 0.5, u = 1, T = 2;
    const double V = sqrt(v0 * v0 - 2 * u * x0), t_s = (V - v0) / u, r = T - t_s;
    /* by the partial derivatives of x(T), v(T) with t_s held, and by t_s: 2 r (to x) and 2 (to v) */
    const double dt[] = { -1 / V, -t_s / V, -t_s * t_s / 2 / V };
    const double by_t[] = { u * r - V - (u - 2) * r, u - (u - 2) };
    const double held[3][2] = { { 0, 0 }, { r, 1 }, { t_s * r + r * r / 2, t_s + r } };
    for (int scheme = RK_RADAU_IIA; scheme <= RK_GAUSS_LEGENDRE; scheme++) {
        struct small_problem problem = small_read(spec);
        problem.settings.scheme = scheme;
        small_transcribe(&problem);
        const struct trial trial = { { x0, v0 }, u };
        double x_end[2], d[2];
        solve_from(&problem, &trial, x_end);
        assert_near(x_end[0], V * r + (u - 2) * r * r / 2, 1e-7);
        assert_near(x_end[1], V + (u - 2) * r, 1e-7);
        for (int k = 0; k < 3; k++) {
            differentiate(&problem, &trial, k, d);
            for (int i = 0; i < 2; i++)
                assert_near(d[i], held[k][i] + by_t[i] * dt[k], tolerance);
        }
        small_free(&problem);
    }
}

/* x' = -sign(x), y' = x from x0 = 1: x slides on 0 from t = x0 on, y(T) = x0^2/2. The start is forgotten:
 * dx(T)/dx0 = 0, dy(T)/dx0 = x0. */
static void a_sliding_mode_forgets(void **state)
{
    (void)state;
    static const char spec[] =
        "cocp: 1\n"
        "time: {horizon: 2, intervals: 1, elements: 3}\n"
        "states: {x: {initial: 1}, y: {initial: 0}}\n"
        "dynamics: {type: ode, rhs: {x: -sign(x), y: x}}\n";
    struct small_problem problem = small_read(spec);
    small_transcribe(&problem);
    const struct trial trial = { { 1, 0 }, 0 };
    double d[2];
    differentiate(&problem, &trial, 0, d);
    assert_near(d[0], 0, tolerance);
    assert_near(d[1], 1, tolerance);
    differentiate(&problem, &trial, 1, d);
    assert_near(d[0], 0, tolerance);
    assert_near(d[1], 1, tolerance);
    small_free(&problem);
}

/* On a fixed grid the same x(T) of the simplest switch moves in steps: between two of them its derivative is
 * that of neither branch nor of the saltation. Time-stepping with Euler steps of 0.25: the step that meets the
 * surface ends on it (alpha between 0 and 1) or beyond it. */
static void fixed_grids_get_it_wrong(void **state)
{
    (void)state;
    static const char spec[] =
        "cocp: 1\n"
        "time: {horizon: 1.5, intervals: 1, elements: 6}\n"
        "states: {x: {initial: -1}}\n"
        "dynamics: {type: ode, rhs: {x: '1.1 - 0.9*sign(x)'}}\n"
        "discretization: {method: time-stepping, stages: 1}\n";
    struct small_problem problem = small_read(spec);
    small_transcribe(&problem);
    /* Steps end at -0.9 + 0.5 k; the one from -0.4 would reach 0.1 with the fast field, below 0 with the slow one
     * (-0.35): it ends on 0 with a field in between, whatever x0 is. The end is then 0.2 (T - 0.5). */
    const struct trial trial = { { -0.9, 0 }, 0 };
    double x_end[2], d[2];
    solve_from(&problem, &trial, x_end);
    assert_near(x_end[0], 0.2, 1e-7);
    differentiate(&problem, &trial, 0, d);
    assert_near(d[0], 0, tolerance);     /* and not 0.1 */
    small_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simplest_switch),
        cmocka_unit_test(a_control_beyond_a_switch),
        cmocka_unit_test(a_sliding_mode_forgets),
        cmocka_unit_test(fixed_grids_get_it_wrong),
    };
    return cmocka_run_group_tests_name("sensitivity", tests, NULL, NULL);
}
