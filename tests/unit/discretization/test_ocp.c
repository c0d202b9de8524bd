/* test_ocp.c - small optimal control problems whose solutions are derived by hand */
#include "core/results/results.h"
#include "transcription/start/perturb.h"

#include "tests/unit/small_problem.h"
#include "tests/unit/assertions.h"

#include <stdio.h>

/* Solves and returns the result; fails the test unless solved. */
static struct homotopy_result solve(struct small_problem *problem)
{
    small_transcribe(problem);
    struct guess *guess = guess_from_waypoints(problem->model);
    tr_apply_guess(problem->tr, guess, false);
    guess_free(guess);
    struct homotopy_result result = small_solve(problem);
    assert_int_equal(result.status, STATUS_OK);
    assert_true(result.complementarity <= 1e-7 && result.violation <= 1e-8);
    return result;
}

/* --- Switched systems ---------------------------------------------------------------------------------------- */

static const double promised = 1e-6;            /* what the project promises of these problems */

/* From rest to 10 m/s with 5 m/s^2 takes 2 s and 10 m; with the turbo from 10 to 20 m/s 2/3 s and 10 m;
 * braking is the same backwards; the 160 m between at 20 m/s take 8 s: T = 8 + 2 (2 + 2/3) = 40/3. An interval
 * is T/10 = 4/3 s, two are the 8/3 s of thrust, so that the grid does not cost anything. */
static void turbo_car_takes_forty_thirds_of_a_second(void **state)
{
    (void)state;
    static const char spec[] =
        "cocp: 1\n"
        "time: {horizon: {min: 1, max: 100, guess: 10}, intervals: 10, elements: 3}\n"
        "states: {q: {initial: 0, final: 200}, v: {bounds: [-20, 20], initial: 0, final: 0}}\n"
        "controls: {u: {bounds: [-5, 5]}}\n"
        "dynamics:\n"
        "  type: piecewise\n"
        "  switches: {turbo: v - 10}\n"
        "  modes:\n"
        "    normal: {where: turbo < 0, rhs: {q: v, v: u}}\n"
        "    boost:  {where: turbo > 0, rhs: {q: v, v: 3*u}}\n"
        "cost: {terminal: {time: t}}\n";
    static const double u[] = { 5, 5, 0, 0, 0, 0, 0, 0, -5, -5 };
    for (int form = FORM_STEP; form <= FORM_STEWART; form++) {
        struct small_problem problem = small_read(spec);
        problem.settings.form = form;
        struct homotopy_result result = solve(&problem);
        assert_near(result.w[problem.tr->T], 40.0 / 3, promised);
        assert_near(result.objective, 40.0 / 3, promised);
        for (int i = 0; i < 10; i++)
            assert_near(result.w[problem.tr->u[i]], u[i], 1e-4);     /* flat: an error of T squared */
        homotopy_result_free(&result);
        small_free(&problem);
    }
}

/* min over c = x(0) of int_0^2 x^2 dt + (x(2) - 5/3)^2, x' = 2 - sign x: 3 below zero, 1 above. For -6 < c < 0
 * the surface is reached at t_s = -c/3, and x(2) = 2 + c/3. The integral is (-c)^3/9 before and (2 + c/3)^3/3
 * after t_s:
 *   J(c) = -c^3/9 + (2 + c/3)^3/3 + (c/3 + 1/3)^2
 *   J'(c) = -c^2/3 + (2 + c/3)^2/3 + 2 (c + 1)/9 = (-8 c^2 + 18 c + 42)/27 = 0  <=>  4 c^2 - 9 c - 21 = 0,
 * whose negative root is c = (9 - sqrt 417)/8 = -1.42757...; J'' = (18 - 16 c)/27 > 0 there. For c > 0 and c <
 * -6 J is monotone and larger. */
static const char ivp[] =
    "cocp: 1\n"
    "time: {horizon: 2, intervals: 1, elements: 25}\n"
    "states: {x: {initial: free}}\n"
    "dynamics: {type: ode, rhs: {x: 2 - sign(x)}}\n"
    "cost: {running: {path: 'x^2'}, terminal: {end: '(x - 5/3)^2'}}\n";

static double ivp_minimizer(void)
{
    return (9 - sqrt(417)) / 8;
}

static double solve_ivp(struct small_problem *problem, double start)
{
    problem->model->x[0].guess = start;
    struct homotopy_result result = solve(problem);
    const double x0 = result.w[problem->tr->y0];
    homotopy_result_free(&result);
    return x0;
}

static void ivp_reaches_its_minimizer_from_everywhere(void **state)
{
    (void)state;
    static const double start[] = { -2, -1, 0 };
    struct small_problem problem = small_read(ivp);
    for (int k = 0; k < 3; k++)
        assert_near(solve_ivp(&problem, start[k]), ivp_minimizer(), promised);
    small_free(&problem);
}

/* With fixed steps x(2) and the cost depend on x(0) as if the field of the step that meets the surface held
 * for all of it: the discrete cost is kinked and has local minima at many places. Led by large sigma, the
 * solver stops at one near the minimizer, off by a good part of a step wherever it starts; without that help
 * it stops near its guess. All of them are reported as solved, and are, as discrete problems. */
static void ivp_on_a_fixed_grid_stops_anywhere(void **state)
{
    (void)state;
    const double h = 2.0 / 25;
    struct small_problem problem = small_read(ivp);
    problem.settings.method = METHOD_TIME_STEPPING;
    const double off = fabs(solve_ivp(&problem, -1) - ivp_minimizer());
    assert_true(off > 0.1 * h && off < 3 * h);
    problem.homotopy.sigma_0 = 1e-5;
    double x0[2];
    for (int k = 0; k < 2; k++) {
        problem.model->x[0].guess = k - 1;
        small_transcribe(&problem);
        tr_apply_guess(problem.tr, NULL, true);
        struct homotopy_result result = small_solve(&problem);
        assert_int_equal(result.status, STATUS_OK);
        x0[k] = result.w[problem.tr->y0];
        homotopy_result_free(&result);
    }
    assert_true(fabs(x0[0] - x0[1]) > 0.1);
    small_free(&problem);
}

/* An optimized threshold: x' = 1 below p, 3 above, from 0: x(1) = p + 3 (1 - p). min (x(1) - 2)^2 is p = 1/2. The
 * multipliers at the fixed start depend on p. */
static void a_threshold_is_found(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "parameters: {p: {value: 0.2, optimize: [0.05, 0.9]}}\n"
        "time: {horizon: 1, intervals: 1, elements: 3}\n"
        "states: {x: {initial: 0}}\n"
        "dynamics: {type: ode, rhs: {x: 2 + sign(x - p)}}\n"
        "cost: {terminal: {end: '(x - 2)^2'}}\n");
    struct homotopy_result result = solve(&problem);
    assert_near(result.w[problem.tr->p], 0.5, 1e-5);     /* the cost is quadratic: 1e-10 of it */
    homotopy_result_free(&result);
    small_free(&problem);
}

/* --- Smooth problems ----------------------------------------------------------------------------------------- */

/* Least energy from rest to rest over a distance of 1 in T = 1 with four constant controls: u_k = lambda (1/2
 * - m_k) by the multipliers of x(1) = sum u_k h (1 - m_k) and v(1) = sum u_k h, m_k the middle of interval k:
 * lambda = 1/(h sum (m_k - 1/2)^2) = 1/(5/64), u = (4.8, 1.6, -1.6, -4.8), int u^2 = 12.8. */
static void least_energy_is_a_ramp(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "time: {horizon: 1, intervals: 4, elements: 1}\n"
        "states: {x: {initial: 0, final: 1}, v: {initial: 0, final: 0}}\n"
        "controls: {u: {}}\n"
        "dynamics: {type: ode, rhs: {x: v, v: u}}\n"
        "cost: {running: {effort: u^2}}\n");
    static const double u[] = { 4.8, 1.6, -1.6, -4.8 };
    for (int method = METHOD_FESD; method <= METHOD_TIME_STEPPING; method += METHOD_TIME_STEPPING - METHOD_FESD)
        for (int scheme = RK_RADAU_IIA; scheme <= RK_EXPLICIT; scheme++) {
            if (method == METHOD_FESD && scheme > RK_GAUSS_LEGENDRE)
                continue;
            problem.settings.method = method;
            problem.settings.scheme = scheme;       /* two stages of each are exact for parabolas in x */
            struct homotopy_result result = solve(&problem);
            assert_near(result.objective, 12.8, 1e-7);
            for (int i = 0; i < 4; i++)
                assert_near(result.w[problem.tr->u[i]], u[i], promised);
            homotopy_result_free(&result);
        }
    small_free(&problem);
}

/* x' = u from 1, min int_0^2 x^2 + u^2 with two constant controls: int (x + u t)^2 over an interval is x^2 + x
 * u + u^2/3. The second: u_1 = -3 x_1/8, cost-to-go 13/16 x_1^2. The first: u_0 (8/3 + 13/8) = -21/8, so u_0 =
 * -63/103, u_1 = -15/103, J = 104/103. Two stages integrate parabolas exactly. */
static void a_regulator_has_its_closed_form(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "time: {horizon: 2, intervals: 2, elements: 2}\n"
        "states: {x: {initial: 1}}\n"
        "controls: {u: {}}\n"
        "dynamics: {type: ode, rhs: {x: u}}\n"
        "cost: {running: {a: x^2, b: {squares: {u: 1}}}}\n");
    for (int scheme = RK_RADAU_IIA; scheme <= RK_GAUSS_LEGENDRE; scheme++) {
        problem.settings.scheme = scheme;
        struct homotopy_result result = solve(&problem);
        assert_near(result.w[problem.tr->u[0]], -63.0 / 103, promised);
        assert_near(result.w[problem.tr->u[1]], -15.0 / 103, promised);
        assert_near(result.objective, 104.0 / 103, 1e-8);
        homotopy_result_free(&result);
    }
    small_free(&problem);
}

/* int_0^1 t^2 dt by four steps: x' = 1. The weights are b_i (cost.md): right ends for Radau IIA with one stage,
 * (1 + 4 + 9 + 16)/64; middles for Gauss with one, 1/3 - h^2/12; both exact with two stages. */
static void running_costs_have_the_weights_of_the_scheme(void **state)
{
    (void)state;
    static const struct { int scheme, stages; double want; } cases[] = {
        { RK_RADAU_IIA, 1, 30.0 / 64 }, { RK_GAUSS_LEGENDRE, 1, 1.0 / 3 - 1.0 / 192 },
        { RK_RADAU_IIA, 2, 1.0 / 3 }, { RK_GAUSS_LEGENDRE, 2, 1.0 / 3 }, { RK_LOBATTO_IIIC, 3, 1.0 / 3 },
        { RK_EXPLICIT, 1, 14.0 / 64 }, { RK_EXPLICIT, 4, 1.0 / 3 } };
    static const char *const integrand[] = { "x^2", "t^2" };     /* the clock is integrated as a state is */
    for (int which = 0; which < 2; which++) {
        char spec[400];
        snprintf(spec, sizeof spec,
                 "cocp: 1\ntime: {horizon: 1, intervals: 2, elements: 2}\nstates: {x: {initial: 0}}\n"
                 "dynamics: {type: ode, rhs: {x: 1}}\ncost: {running: {a: '%s'}}\n", integrand[which]);
        struct small_problem problem = small_read(spec);
        problem.settings.method = METHOD_TIME_STEPPING;
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            problem.settings.scheme = cases[k].scheme;
            problem.settings.stages = cases[k].stages;
            struct homotopy_result result = solve(&problem);
            assert_near(result.objective, cases[k].want, 1e-8);
            homotopy_result_free(&result);
        }
        small_free(&problem);
    }
}

/* Time-optimal double integrator over a distance of 1, |u| <= 1: bang-bang, T = 2. Three equal intervals
 * cannot switch in the middle: u = (1, 0, -1) covers 2 h^2, T = 3/sqrt 2; with a free control grid the middle
 * one shrinks. */
static void free_control_grids_find_the_bang(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "time: {horizon: {min: 0.5, max: 10, guess: 3}, intervals: 3, elements: 1}\n"
        "states: {x: {initial: 0, final: 1}, v: {initial: 0, final: 0}}\n"
        "controls: {u: {bounds: [-1, 1]}}\n"
        "dynamics: {type: ode, rhs: {x: v, v: u}}\n"
        "cost: {terminal: {time: t}}\n");
    struct homotopy_result result = solve(&problem);
    assert_near(result.objective, 3 / sqrt(2), promised);
    homotopy_result_free(&result);
    problem.settings.control_grid = CONTROL_GRID_FREE;
    result = solve(&problem);
    assert_near(result.objective, 2, 1e-5);      /* the pull to equal lengths fades to 1e-6 of its weight */
    homotopy_result_free(&result);
    small_free(&problem);
}

/* x' = p from 0: (x(1) - 0.6)^2 + p^2 is least at p = 0.3; a parameter may scale the horizon's share of a cost
 * too. */
static void parameters_are_optimized(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "parameters: {p: {value: 1, optimize: [-2, 2]}, twice: 2*p}\n"
        "time: {horizon: 1, intervals: 2, elements: 1}\n"
        "states: {x: {initial: 0}}\n"
        "dynamics: {type: ode, rhs: {x: twice/2}}\n"
        "cost: {running: {effort: p^2}, terminal: {end: '(x - 0.6)^2'}}\n");
    struct homotopy_result result = solve(&problem);
    assert_near(result.w[problem.tr->p], 0.3, promised);
    assert_near(result.objective, 0.09 + 0.09, 1e-8);
    homotopy_result_free(&result);
    small_free(&problem);
}

/* x' = 1, x(0) in [0, 0.3]: the end wants 1.2, or more than can be had. */
static void initial_ranges_are_used(void **state)
{
    (void)state;
    static const double want[][2] = { { 1.2, 0.2 }, { 2, 0.3 } };
    for (int k = 0; k < 2; k++) {
        char spec[300];
        snprintf(spec, sizeof spec,
                 "cocp: 1\ntime: {horizon: 1, intervals: 1, elements: 2}\nstates: {x: {initial: [0, 0.3]}}\n"
                 "dynamics: {type: ode, rhs: {x: 1}}\ncost: {terminal: {a: '(x - %g)^2'}}\n", want[k][0]);
        struct small_problem problem = small_read(spec);
        struct homotopy_result result = solve(&problem);
        assert_near(result.w[problem.tr->y0], want[k][1], promised);
        homotopy_result_free(&result);
        small_free(&problem);
    }
}

/* A periodic motion that covers its own change: x' = u, v = x^2 integrated; final(x) == initial(x), the mean
 * of u is 0 then, and the cost int (u - 1)^2 over two intervals is least at u = 0. */
static void boundary_constraints_tie_the_ends(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "time: {horizon: 1, intervals: 2, elements: 1}\n"
        "states: {x: {initial: free, bounds: [-5, 5]}}\n"
        "controls: {u: {}}\n"
        "dynamics: {type: ode, rhs: {x: u}}\n"
        "cost: {running: {a: '(u - 1)^2', b: '(x - 3)^2'}}\n"
        "constraints: {periodic: {expr: final(x) == initial(x), at: boundary}}\n");
    struct homotopy_result result = solve(&problem);
    assert_near(result.w[problem.tr->u[0]], 0, promised);
    assert_near(result.w[problem.tr->y0], 3, promised);
    assert_near(result.objective, 1, 1e-8);
    homotopy_result_free(&result);
    small_free(&problem);
}

/* --- Constraints at each kind of place ----------------------------------------------------------------------- */

static int rows_named(const struct transcription *tr, const char *name, int element, int stage)
{
    int n = 0;
    for (int row = tr->rows.first_constraint; row < tr->rows.end_constraint; row++) {
        const struct mpcc_label *label = &tr->mpcc.row[row];
        n += strcmp(label->name, name) == 0 &&
             (element < 0 || (label->element == element && label->stage == stage));
    }
    return n;
}

/* Two intervals with two and one elements of Gauss with two stages, whose right end is a point 3 of its own:
 * stages 6, element boundaries 4, interval boundaries 3 (README.md "The spec"). */
static void constraints_hold_where_they_are_asked_for(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "time: {horizon: 1, intervals: 2, elements: [2, 1]}\n"
        "states: {x: {initial: free}}\n"
        "dynamics: {type: ode, rhs: {x: 1}}\n"
        "constraints:\n"
        "  p: {expr: x^2 <= 10, at: path}\n"
        "  s: {expr: x^2 <= 11, at: stages}\n"
        "  e: {expr: x^2 <= 12, at: elements}\n"
        "  i: {expr: x^2 <= 13, at: intervals}\n"
        "  a: {expr: x^2 <= 14, at: initial}\n"
        "  z: {expr: x^2 <= 15, at: final}\n"
        "  az: {expr: x^2 <= 16, at: [initial, final]}\n"
        "  d: x^2 <= 17\n"
        "discretization: {scheme: gauss-legendre}\n");
    const struct transcription *tr = small_transcribe(&problem);
    static const struct { const char *name; int n; } want[] = {
        { "p", 10 }, { "s", 6 }, { "e", 4 }, { "i", 3 }, { "a", 1 }, { "z", 1 }, { "az", 2 }, { "d", 10 } };
    for (size_t k = 0; k < sizeof want / sizeof *want; k++)
        if (rows_named(tr, want[k].name, -1, -1) != want[k].n)
            fail_msg("%s has %d rows, not %d", want[k].name, rows_named(tr, want[k].name, -1, -1), want[k].n);
    assert_int_equal(rows_named(tr, "i", 1, 3), 1);
    assert_int_equal(rows_named(tr, "i", 0, 3), 0);
    assert_int_equal(rows_named(tr, "z", 2, 3), 1);
    assert_int_equal(rows_named(tr, "e", 0, 0), 1);
    small_free(&problem);
}

/* x' = u, x - u >= 0 at interval boundaries with the control of the interval that ends: from x(0) = 0.5 with
 * two intervals of 1, max x(2) = 0.5 + u_0 + u_1. At t = 0: u_0 <= 0.5; at 1: 0.5 + u_0 >= u_0; at 2: 0.5 +
 * u_0 >= 0. */
static void constraints_take_the_control_of_the_interval_that_ends(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "time: {horizon: 2, intervals: 2, elements: 1}\n"
        "states: {x: {initial: 0.5}}\n"
        "controls: {u: {bounds: [-1, 1]}}\n"
        "dynamics: {type: ode, rhs: {x: u}}\n"
        "cost: {terminal: {e: -x}}\n"
        "constraints: {c: {expr: x - u >= 0, at: intervals}}\n");
    struct homotopy_result result = solve(&problem);
    assert_near(result.w[problem.tr->u[0]], 0.5, promised);
    assert_near(result.w[problem.tr->u[1]], 1, promised);
    homotopy_result_free(&result);
    small_free(&problem);
}

/* --- Guesses ------------------------------------------------------------------------------------------------- */

static const char to_guess[] =
    "cocp: 1\n"
    "time: {horizon: {min: 1, max: 10, guess: 2}, intervals: 2, elements: 1}\n"
    "states: {x: {initial: 0, final: 2}, v: {initial: 1, guess: 5}}\n"
    "controls: {u: {bounds: [-1, 1], guess: 0.25}}\n"
    "dynamics: {type: ode, rhs: {x: v, v: 'u - sign(x - 0.5)'}}\n"
    "guess: {waypoints: {0.5: {x: 4}, 0.75: {u: 3}}}\n";

/* Linear between the start, the waypoints and the end (README.md "The spec"); states not named keep their own guess;
 * controls are moved into their bounds. */
static void waypoints_are_joined_by_lines(void **state)
{
    (void)state;
    struct small_problem problem = small_read(to_guess);
    struct transcription *tr = small_transcribe(&problem);
    struct guess *guess = guess_from_waypoints(problem.model);
    tr_apply_guess(tr, guess, true);
    const double *w0 = tr->mpcc.w0;
    static const double c[] = { 1.0 / 3, 1 };       /* Radau IIA with two stages */
    for (int k = 1; k <= 2; k++) {
        assert_near(w0[tr_y(tr, 0, k, 0)], 4 * c[k - 1], 1e-14);
        assert_near(w0[tr_y(tr, 1, k, 0)], 4 - 2 * c[k - 1], 1e-14);
        assert_near(w0[tr_y(tr, 1, k, 1)], 5, 0);
    }
    assert_near(w0[tr->y0 + 1], 1, 0);       /* the start itself is fixed */
    assert_near(w0[tr->u[0]], 1, 0);
    const struct dcs_switch *sw = &tr->dcs->sw[0];  /* consistent: lam and sel follow the states */
    assert_near(w0[tr_lam(tr, 0, 1, sw->lam_p)], 4.0 / 3 - 0.5, 1e-14);
    assert_near(w0[tr_sel(tr, 0, 1) + sw->sel], 1, 0);
    guess_free(guess);
    tr_apply_guess(tr, NULL, false);
    assert_near(w0[tr_y(tr, 0, 1, 0)], 0, 0);
    assert_near(w0[tr_y(tr, 0, 1, 1)], 5, 0);
    small_free(&problem);
}

/* A result over [1, 5] in four steps: x = (t - 1)/2, u = 0.5 then -0.5; variables it does not have keep their
 * guess, the horizon is 4, and with it the lengths and the clock. */
static void a_file_is_regridded(void **state)
{
    (void)state;
    char path[] = "test_ocp_guess.h5";
    static const double t[] = { 1, 2, 3, 4, 5 }, x[] = { 0, 0.5, 1, 1.5, 2 }, u[] = { 0.5, 0.5, 0, -0.5, -0.5 };
    struct small_problem problem = small_read(to_guess);
    struct transcription *tr = small_transcribe(&problem);
    struct result *result = result_create();
    struct result_group *group = result_group(result, "/uniform");
    const int axis = result_axis(group, "t", 5, t, "s", NULL);
    result_doubles(group, "x", 1, &axis, x, NULL, NULL, "state");
    result_doubles(group, "u", 1, &axis, u, NULL, NULL, "control");
    assert_int_equal(result_write(result, path, problem.diag), STATUS_OK);
    result_free(result);
    struct guess *guess;
    assert_int_equal(guess_from_file(problem.model, path, &guess, problem.diag), STATUS_OK);
    remove(path);
    tr_apply_guess(tr, guess, false);
    guess_free(guess);
    const double *w0 = tr->mpcc.w0;
    assert_near(w0[tr->T], 4, 0);
    assert_near(w0[tr->h[0]], 2, 1e-14);
    assert_near(w0[tr_y(tr, 0, 1, 0)], 1.0 / 3, 1e-14);
    assert_near(w0[tr_y(tr, 1, 2, 0)], 2, 1e-14);
    assert_near(w0[tr_y(tr, 1, 2, 1)], 5, 0);
    assert_near(w0[tr->u[0]], 0.5, 1e-14);
    assert_near(w0[tr->u[1]], -0.5, 1e-14);
    assert_int_equal(guess_from_file(problem.model, "no_such_file.h5", &guess, problem.diag), STATUS_IO);
    assert_null(guess);
    small_free(&problem);
}

/* Restarts: every free state moves, by at most the given size, the same way for the same seed. */
static void perturbations_are_repeatable(void **state)
{
    (void)state;
    struct small_problem problem = small_read(to_guess);
    struct transcription *tr = small_transcribe(&problem);
    double first[2];
    for (int k = 0; k < 2; k++) {
        tr_apply_guess(tr, NULL, false);
        tr_perturb_guess(tr, 3, 0.1);
        first[k] = tr->mpcc.w0[tr_y(tr, 1, 1, 0)];
        assert_true(first[k] != 0 && fabs(first[k]) <= 0.1);
        assert_true(tr->mpcc.w0[tr->y0] == 0);
    }
    assert_true(first[0] == first[1]);
    tr_apply_guess(tr, NULL, false);
    tr_perturb_guess(tr, 4, 0.1);
    assert_true(tr->mpcc.w0[tr_y(tr, 1, 1, 0)] != first[0]);
    small_free(&problem);
}

/* Detours: far from the guess in between, back at it at the end, the same way for the same seed. */
static void detours_lead_away_and_back(void **state)
{
    (void)state;
    struct small_problem problem = small_read(to_guess);
    struct transcription *tr = small_transcribe(&problem);
    const int last = tr_y(tr, tr->n_element - 1, tr->n_point, 0), middle = tr_y(tr, tr->n_element / 2, 1, 0);
    double away[3], farthest = 0;
    tr_apply_guess(tr, NULL, false);
    const double guess_last = tr->mpcc.w0[last], guess_middle = tr->mpcc.w0[middle];
    for (int k = 0; k < 3; k++) {
        tr_apply_guess(tr, NULL, false);
        tr_detour_guess(tr, k < 2 ? 3 : 4, 0.1);
        away[k] = tr->mpcc.w0[middle] - guess_middle;
        farthest = fmax(farthest, fabs(away[k]));
        assert_true(fabs(tr->mpcc.w0[last] - guess_last) < 1e-12);
    }
    assert_true(farthest > 1e-3 && farthest <= 0.1 * (1 + 1. / 2 + 1. / 3));
    assert_true(away[0] == away[1] && away[0] != away[2]);
    small_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turbo_car_takes_forty_thirds_of_a_second),
        cmocka_unit_test(ivp_reaches_its_minimizer_from_everywhere),
        cmocka_unit_test(ivp_on_a_fixed_grid_stops_anywhere),
        cmocka_unit_test(a_threshold_is_found),
        cmocka_unit_test(least_energy_is_a_ramp),
        cmocka_unit_test(a_regulator_has_its_closed_form),
        cmocka_unit_test(running_costs_have_the_weights_of_the_scheme),
        cmocka_unit_test(free_control_grids_find_the_bang),
        cmocka_unit_test(parameters_are_optimized),
        cmocka_unit_test(initial_ranges_are_used),
        cmocka_unit_test(boundary_constraints_tie_the_ends),
        cmocka_unit_test(constraints_hold_where_they_are_asked_for),
        cmocka_unit_test(constraints_take_the_control_of_the_interval_that_ends),
        cmocka_unit_test(waypoints_are_joined_by_lines),
        cmocka_unit_test(a_file_is_regridded),
        cmocka_unit_test(perturbations_are_repeatable),
        cmocka_unit_test(detours_lead_away_and_back),
    };
    return cmocka_run_group_tests_name("ocp", tests, NULL, NULL);
}
