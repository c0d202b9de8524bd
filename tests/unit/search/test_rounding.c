/* test_rounding.c - runs of controls with values: integrals are kept, intervals are shared out */
#include "tests/unit/phase_problem.h"

#include "transcription/finish/rounding.h"
#include "transcription/multiphase/rows/choices.h"

static const char spec[] =
    "cocp: 1\ntime: {horizon: 4, intervals: 4, elements: 1}\nstates: {x: {initial: 0}}\n"
    "controls: {u: {values: [3, 0, 1]}, w: {bounds: [-9, 9]}}\ndynamics: {type: ode, rhs: {x: u + w}}\n";

/* A program without events whose controls are u and 10, 11, 12, 13. */
static struct finish with_controls(struct phase_problem *problem, const double *u)
{
    struct sequence *seq = phase_sequence(problem, "");
    struct samples *samples = phase_constant(problem, seq, NULL);
    struct finish finish;
    assert_int_equal(finish_build(&problem->task, seq, samples, &finish, problem->small.diag), STATUS_OK);
    for (int i = 0; i < 4; i++) {
        finish.w[finish.ph->at.u[i]] = u[i];
        finish.w[finish.ph->at.u[i] + 1] = 10 + i;
    }
    samples_free(samples);
    sequence_free(seq);
    return finish;
}

static double integral(const struct runs *runs)
{
    double sum = 0;
    for (int r = 0; r < runs->n; r++)
        sum += runs->length[r] * runs->value[2 * r];
    return sum;
}

/* 1 for 0.25, 0 for 1.75, 1 for 0.75, 3 for 1.25: what is equal is beside each other. */
static void intervals_are_cut_with_the_same_integral(void **state)
{
    (void)state;
    static const double u[] = { 0.25, 0, 1.5, 3 }, value[] = { 1, 0, 1, 3 }, length[] = { 0.25, 1.75, 0.75, 1.25 };
    struct phase_problem problem = phase_read(spec, 2, 1);
    struct finish finish = with_controls(&problem, u);
    struct runs runs = runs_of_relaxed(finish.ph, finish.w);
    assert_int_equal(runs.n, 4);
    for (int r = 0; r < 4; r++) {
        assert_near(runs.length[r], length[r], 1e-14);
        assert_true(runs.value[2 * r] == value[r] && isnan(runs.value[2 * r + 1]));
    }
    assert_near(integral(&runs), 4.75, 1e-14);
    runs_free(&runs);
    finish_free(&finish);
    phase_free(&problem);
}

/* Cut, half on would have five runs: one value in each interval, on and off in turn. */
static void too_many_runs_are_summed_up(void **state)
{
    (void)state;
    static const double u[] = { 0.5, 0.5, 0.5, 0.5 }, value[] = { 0, 1, 0, 1 };
    struct phase_problem problem = phase_read(spec, 2, 1);
    struct finish finish = with_controls(&problem, u);
    struct runs runs = runs_of_relaxed(finish.ph, finish.w);
    assert_int_equal(runs.n, 4);
    for (int r = 0; r < 4; r++)
        assert_true(runs.value[2 * r] == value[r]);
    assert_near(integral(&runs), 2, 1e-14);
    runs_free(&runs);
    finish_free(&finish);
    phase_free(&problem);
}

/* On for a tenth of each interval: five runs cut one by one, none on if each is rounded; two by two on once, for 0.4.
 * What fits one by one is not cut in groups. */
static void small_controls_are_pulses(void **state)
{
    (void)state;
    static const double u[] = { 0.1, 0.1, 0.1, 0.1 }, fits[] = { 0.25, 0, 1.5, 3 }, length[] = { 1.8, 0.4, 1.8 };
    struct phase_problem problem = phase_read(spec, 2, 1);
    struct finish finish = with_controls(&problem, u);
    struct runs whole = runs_of_relaxed(finish.ph, finish.w), runs = runs_of_groups(finish.ph, finish.w);
    assert_int_equal(whole.n, 1);
    assert_near(integral(&whole), 0, 0);
    assert_int_equal(runs.n, 3);
    for (int r = 0; r < 3; r++) {
        assert_near(runs.length[r], length[r], 1e-14);
        assert_near(runs.value[2 * r], r == 1, 0);
    }
    runs_free(&whole);
    runs_free(&runs);
    finish_free(&finish);
    finish = with_controls(&problem, fits);
    runs = runs_of_groups(finish.ph, finish.w);
    assert_int_equal(runs.n, 0);
    runs_free(&runs);
    finish_free(&finish);
    const struct model_var *var = &problem.small.model->u[0];
    assert_near(rounding_value(var, 2.2, false), 3, 0);
    assert_near(rounding_value(var, 2.2, true), 1, 0);
    assert_near(rounding_value(var, -0.1, false) + rounding_value(var, 3.1, true), 1, 0);
    phase_free(&problem);
}

/* Two runs of 3 and 1 on four intervals of 1 each; the other control is what it was at their middles. */
static void runs_share_the_intervals(void **state)
{
    (void)state;
    static const double u[] = { 3, 3, 3, 0 };
    struct phase_problem problem = phase_read(spec, 2, 1);
    struct finish finish = with_controls(&problem, u);
    struct runs runs = runs_of_relaxed(finish.ph, finish.w);
    struct extract on;
    double *value;
    assert_int_equal(runs.n, 2);
    assert_true(runs_on_grid(&runs, finish.ph, finish.w, &on, &value));
    for (int i = 0; i < 4; i++) {
        assert_near(on.samples->t_interval[i], i, 1e-14);
        assert_true(value[2 * i] == u[i] && isnan(value[2 * i + 1]) && on.samples->u[2 * i + 1] == 10 + i);
    }
    extract_free(&on);
    free(value);
    runs_free(&runs);
    finish_free(&finish);
    phase_free(&problem);
}

/* Of three valves one is open: a half, three and two tenths of an interval are those parts of it, what is open at its end
 * goes on in the next one; no run has two. A combination that the constraint rules out is no choice: 3 of 8 are left. */
static void coupled_values_are_cut_together(void **state)
{
    (void)state;
    static const double u[4][3] = { { 0.5, 0.3, 0.2 }, { 0, 0, 1 }, { 0, 0.4, 0.6 }, { 0, 1, 0 } };
    static const double length[] = { 0.5, 0.3, 1.8, 1.4 };
    static const int open[] = { 0, 1, 2, 1 };
    struct phase_problem problem = phase_read(
        "cocp: 1\ntime: {horizon: 4, intervals: 4, elements: 1}\nstates: {x: {initial: 0}}\n"
        "controls: {a: {values: [0, 1]}, b: {values: [0, 1]}, c: {values: [0, 1]}}\n"
        "constraints: {one: {expr: a + b + c == 1, at: intervals}}\n"
        "dynamics: {type: ode, rhs: {x: a + 2*b - c}}\n", 2, 1);
    struct sequence *seq = phase_sequence(&problem, "");
    struct samples *samples = phase_constant(&problem, seq, NULL);
    struct choices choices = choices_of(problem.small.model);
    struct finish finish;
    assert_int_equal(choices.n, 3);
    assert_int_equal(finish_build(&problem.task, seq, samples, &finish, problem.small.diag), STATUS_OK);
    for (int i = 0; i < 12; i++)
        finish.w[finish.ph->at.u[i / 3] + i % 3] = u[i / 3][i % 3];
    struct runs runs = runs_of_relaxed(finish.ph, finish.w);
    assert_int_equal(runs.n, 4);
    for (int r = 0; r < 4; r++) {
        assert_near(runs.length[r], length[r], 1e-12);
        for (int k = 0; k < 3; k++)
            assert_true(runs.value[3 * r + k] == (k == open[r]));
    }
    runs_free(&runs);
    choices_free(&choices);
    finish_free(&finish);
    samples_free(samples);
    sequence_free(seq);
    phase_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_are_cut_with_the_same_integral),
        cmocka_unit_test(too_many_runs_are_summed_up), cmocka_unit_test(small_controls_are_pulses),
        cmocka_unit_test(runs_share_the_intervals), cmocka_unit_test(coupled_values_are_cut_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
