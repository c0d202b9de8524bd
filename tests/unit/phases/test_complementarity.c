/* test_complementarity.c - complementarity by the user: what is read, programs and optima derived by hand */
#include "transcription/moves/neighbours.h"
#include "transcription/program/check.h"
#include "transcription/reading/extract.h"

#include "tests/unit/assertions.h"
#include "tests/unit/phase_problem.h"
#include "transcription/sequence/legal.h"

#include <math.h>
#include <string.h>

/* A finger comes to a box and pushes it: meeting it after t1, 0.25/t1 + 0.26/(2 - t1), at t1 = 1 on a grid of 0.1. */
static const char *const finger =
    "cocp: 1\ntime: {horizon: 2, intervals: 20, elements: 2}\n"
    "states: {box: {initial: 0.5, final: 1}, finger: {initial: 0}}\n"
    "controls: {v: {bounds: [-1, 1]}, f: {bounds: [-3, 10]}}\n"
    "dynamics: {type: ode, rhs: {box: f/2, finger: v}}\n"
    "complementarity: {push: {G: f, H: box - finger}}\ncost: {running: {effort: v^2 + 0.01*f^2}}\n";

static double cost_of_meeting(double t1)
{
    return 0.25 / t1 + 0.26 / (2 - t1);
}

/* --- Reading ------------------------------------------------------------------------------------------------- */

static void sides_are_read_and_stored(void **state)
{
    (void)state;
    struct small_problem problem = small_read(finger);
    const struct model *m = problem.model;
    assert_int_equal(m->constraints.n_pair, 1);
    assert_string_equal(m->constraints.pair[0].name, "push");
    assert_string_equal(m->constraints.pair[0].path, "complementarity.push");
    assert_true(m->constraints.pair[0].side[SIDE_G] == m->u_sym[1]);
    assert_int_equal(m->defines.n_output, 2);
    assert_string_equal(m->defines.output[0].name, "push_G");
    assert_true(m->defines.output[1].e == m->constraints.pair[0].side[SIDE_H]);
    small_free(&problem);
}

/* --- Methods ------------------------------------------------------------------------------------------------- */

/* The force is a control, so that it is a side itself: at least 0, whatever its bounds. The other one is a variable at
 * each of 20 x 2 x 2 stages and at the start. In each element the force is complementary to it at 3 points. */
static void variables_and_pairs_of_the_grid(void **state)
{
    (void)state;
    struct small_problem problem = small_read(finger);
    const struct transcription *tr = small_transcribe(&problem);
    assert_int_equal(tr->n_lift, 81);
    assert_int_equal(tr->mpcc.n_pair, 40 * 3);
    for (int i = 0; i < 20; i++) {
        assert_true(program_lb(tr->prog, tr->u[i] + 1) == 0);
        assert_true(program_ub(tr->prog, tr->u[i] + 1) == 10);
    }
    const struct derivative_check check = derivative_check(&tr->mpcc.nlp, tr->mpcc.w0, 3, 1);
    assert_true(check.finite && check.jac < 1e-7 && check.hess < 1e-6);
    small_free(&problem);
}

/* The guess of a side is what the states say: 0.5 everywhere. */
static void sides_start_as_the_states_say(void **state)
{
    (void)state;
    struct small_problem problem = small_read(finger);
    const struct transcription *tr = small_transcribe(&problem);
    for (int i = 0; i < tr->n_lift; i++)
        assert_near(tr->mpcc.w0[tr->lift[i].var], 0.5, 1e-15);
    small_free(&problem);
}

/* Alone they may end one interval beside the best meeting, where no small change of a side is better. */
static void methods_find_meetings(void **state)
{
    (void)state;
    for (int method = 0; method < 2; method++) {
        struct small_problem problem = small_read(finger);
        problem.settings.method = method ? METHOD_TIME_STEPPING : METHOD_FESD;
        small_transcribe(&problem);
        tr_apply_guess(problem.tr, NULL, false);
        struct homotopy_result result = small_solve(&problem);
        assert_int_equal(result.status, STATUS_OK);
        assert_near(result.objective, cost_of_meeting(fabs(result.objective - 0.51) < 1e-3 ? 1 : 1.1), 1e-5);
        homotopy_result_free(&result);
        small_free(&problem);
    }
}

/* --- The smooth program -------------------------------------------------------------------------------------- */

static void sequences_cost_what_they_should(void **state)
{
    (void)state;
    static const int meets[] = { 5, 9, 10, 14 };
    for (size_t k = 0; k < sizeof meets / sizeof *meets; k++) {
        struct phase_problem problem = phase_read(finger, 3, 1);
        char text[20];
        (void)snprintf(text, sizeof text, "G %d H", meets[k]);
        const double t = 0.1 * meets[k];
        struct finish out = phase_solve(&problem, text, &t);
        assert_near(out.objective, cost_of_meeting(t), 1e-9);
        assert_true(phases_complementarity(out.ph, out.w) < 1e-9);
        finish_free(&out);
        phase_free(&problem);
    }
}

/* x' = v, v' = u from (1, -1), in intervals of 1 s; x >= 0 is complementary to g, which pays 1 a second. Where x is held
 * at 0 it begins with x = v = 0, and u is 0 in each interval. So before that u has least norm. */
static const char *const stop =
    "cocp: 1\ntime: {horizon: 4, intervals: 4, elements: 1}\n"
    "states: {x: {initial: 1, bounds: [0, inf]}, v: {initial: -1}}\n"
    "controls: {u: {}, g: {bounds: [0, 1]}}\ndynamics: {type: ode, rhs: {x: v, v: u}}\n"
    "complementarity: {wall: {G: g, H: x}}\ncost: {running: {effort: u^2 - g}}\n";

/* At rest at 0 after n intervals: sum u = 1, sum (n - i - 1/2) u_i = n - 1 for i = 0 .. n - 1; the least norm by its
 * normal equations. */
static double least_norm(int n)
{
    double a11 = 0, a12 = 0, a22 = 0;
    for (int i = 0; i < n; i++) {
        const double p = n - i - 0.5;
        a11 += 1;
        a12 += p;
        a22 += p * p;
    }
    const double det = a11 * a22 - a12 * a12, b1 = 1, b2 = n - 1;
    return (b1 * (a22 * b1 - a12 * b2) + b2 * (a11 * b2 - a12 * b1)) / det;
}

static void a_side_of_second_order_comes_to_rest(void **state)
{
    (void)state;
    for (int n = 2; n <= 3; n++) {
        struct phase_problem problem = phase_read(stop, 3, 1);
        const double t = n;
        char text[20];
        (void)snprintf(text, sizeof text, "G %d H", n);
        struct finish out = phase_solve(&problem, text, &t);
        assert_near(out.objective, least_norm(n) - (4 - n), 1e-7);
        assert_near(phase_final(&out, 1), 0, 1e-9);
        for (int e = n; e < out.ph->n_element; e++)
            assert_near(out.w[phases_left(out.ph, e)[0]], 0, 1e-9);
        assert_int_equal(problem.sys->pair[0].side[SIDE_H].n_rate, 2);
        finish_free(&out);
        phase_free(&problem);
    }
}

/* What is held at 0 at the end and both final values: three conditions of which two are independent. */
static void final_values_that_a_side_implies(void **state)
{
    (void)state;
    char spec[800];
    const char *after = strstr(finger, "finger: {initial: 0}");
    (void)snprintf(spec, sizeof spec, "%.*sfinger: {initial: 0, final: 1}%s", (int)(after - finger), finger,
                   after + strlen("finger: {initial: 0}"));
    struct phase_problem problem = phase_read(spec, 3, 1);
    const double t = 1;
    struct finish out = phase_solve(&problem, "G 10 H", &t);
    assert_near(out.objective, cost_of_meeting(1), 1e-9);
    assert_near(phase_final(&out, 1), 1, 1e-9);
    finish_free(&out);
    phase_free(&problem);
}

/* --- Any sign ------------------------------------------------------------------------------------------------ */

/* To x = -1 in 4 s, held fast for n of them, each of which pays 1: 1/(4 - n) - n. */
static const char *const grip =
    "cocp: 1\ntime: {horizon: 4, intervals: 4, elements: 1}\nstates: {x: {initial: 0, final: -1}}\n"
    "controls: {v: {bounds: [-2, 2], guess: -0.25}, g: {bounds: [0, 1]}}\ndynamics: {type: ode, rhs: {x: v}}\n"
    "complementarity: {grip: {G: g, zero: v}}\ncost: {running: {effort: v^2 - g}}\n";

static void a_side_of_any_sign_is_zero_or_free(void **state)
{
    (void)state;
    for (int n = 1; n <= 3; n++) {
        struct phase_problem problem = phase_read(grip, 3, 1);
        char text[20];
        (void)snprintf(text, sizeof text, "G %d H", 4 - n);
        const double t = 4 - n;
        struct finish out = phase_solve(&problem, text, &t);
        assert_near(out.objective, 1.0 / (4 - n) - n, 1e-7);
        assert_near(out.w[out.ph->at.u[0]], -1.0 / (4 - n), 1e-8);
        finish_free(&out);
        phase_free(&problem);
    }
}

/* A velocity is no bound of itself: it is a difference of two that start as it does. */
static void any_sign_is_a_difference(void **state)
{
    (void)state;
    struct small_problem problem = small_read(grip);
    const struct transcription *tr = small_transcribe(&problem);
    assert_int_equal(tr->n_lift, 4);
    assert_int_equal(tr->mpcc.n_pair, 8);
    assert_true(program_lb(tr->prog, tr->u[0]) == -2);
    assert_near(tr->mpcc.w0[tr->lift[0].var], 0, 0);
    assert_near(tr->mpcc.w0[tr->lift[0].var + 1], 0.25, 1e-15);
    struct homotopy_result result = small_solve(&problem);
    assert_int_equal(result.status, STATUS_OK);
    double nearest = INFINITY;
    for (int n = 0; n < 4; n++)
        nearest = fmin(nearest, fabs(result.objective - (1.0 / (4 - n) - n)));
    assert_true(nearest < 1e-5);
    homotopy_result_free(&result);
    small_free(&problem);
}

/* --- Sequences ----------------------------------------------------------------------------------------------- */

/* From one interval late the best neighbour meets one earlier; none has a side that changes inside an interval. */
static void neighbours_move_by_an_interval(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(finger, 3, 1);
    const double t = 1.1;
    struct finish out = phase_solve(&problem, "G 11 H", &t);
    struct neighbours list = neighbours_of(&out, FOR_BETTER, 1e-6, NULL);
    struct sequence *wanted = phase_sequence(&problem, "G 10 H");
    bool found = false;
    for (int k = 0; k < list.n; k++) {
        found = found || sequence_equal(list.list[k].seq, wanted);
        assert_true(legal_sides(problem.sys, list.list[k].seq));
        assert_int_equal(list.list[k].seq->n_event, 1);
    }
    assert_true(found);
    sequence_free(wanted);
    neighbours_free(&list);
    finish_free(&out);
    phase_free(&problem);
}

/* The smaller side of each interval is 0; where both are, nothing changes. */
static void sequences_are_read_from_a_trajectory(void **state)
{
    (void)state;
    enum { N = 20 };
    struct phase_problem problem = phase_read(finger, 3, 1);
    struct stretch stretch[N];
    double t[N], y[2 * N], u[2 * N];
    for (int i = 0; i < N; i++) {
        const bool pushes = i == 7 || i == 8;
        t[i] = 0.1 * (i + 1);
        y[2 * i] = 1;
        y[2 * i + 1] = i < 6 ? 0.1 * i : 1;     /* the gap is 0 from 6 on, the force is none but in 7 and 8 */
        u[2 * i] = 0;
        u[2 * i + 1] = pushes ? 3 : i == 15 ? 1e-8 : 0;
        stretch[i] = (struct stretch){ 0.1 * i, t[i], i, 1, &t[i], &y[2 * i] };
    }
    y[2 * 15 + 1] = 0.8;
    const struct stretches from = { .n = N, .stretch = stretch, .horizon = 2, .equidistant = true, .u = u, .p = NULL };
    struct extract found = extract_stretches(problem.sys, &from);
    struct sequence *wanted = phase_sequence(&problem, "G 7 H 15 G");
    assert_true(sequence_equal(found.seq, wanted));
    sequence_free(wanted);
    extract_free(&found);
    phase_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_are_read_and_stored),
        cmocka_unit_test(variables_and_pairs_of_the_grid),
        cmocka_unit_test(sides_start_as_the_states_say),
        cmocka_unit_test(methods_find_meetings),
        cmocka_unit_test(sequences_cost_what_they_should),
        cmocka_unit_test(a_side_of_second_order_comes_to_rest),
        cmocka_unit_test(final_values_that_a_side_implies),
        cmocka_unit_test(a_side_of_any_sign_is_zero_or_free),
        cmocka_unit_test(any_sign_is_a_difference),
        cmocka_unit_test(neighbours_move_by_an_interval),
        cmocka_unit_test(sequences_are_read_from_a_trajectory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
