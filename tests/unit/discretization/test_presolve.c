/* test_presolve.c - time steps read as events, and written as phases of time-freezing */
#include "transcription/start/presolve.h"

#include "tests/unit/small_problem.h"
#include "transcription/multiphase/multiphase.h"
#include "transcription/start/coarse.h"
#include "transcription/start/recipe.h"

/* A ball of 2 kg falls 0.5 m on the ground and stays: it hits after sqrt(2 * 0.5 / 9.81) s with 2 sqrt(9.81) N s. */
static const char falling[] =
    "cocp: 1\n"
    "time: {horizon: 0.6, intervals: 3, elements: 3}\n"
    "states: {q: {initial: 0.5}, v: {initial: 0}}\n"
    "controls: {u: {bounds: [-1, 1]}}\n"
    "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [2]}, force: {q: -19.62 + u}}\n"
    "contacts: {ground: {gap: q}}\n"
    "cost: {running: {effort: u^2}}\n"
    "discretization: {method: time-freezing}\n";

enum { STEPS = 10, N_STEPS = 3 * STEPS };
static const double h = 0.6 / N_STEPS, t_hit = 0.31927542840705045, impulse = 2 * 3.1320919526731650;

struct fall {
    struct small_problem problem;
    struct transcription *from;
    struct homotopy_result result;
    struct coarse coarse;
};

static struct fall fall_in_steps(void)
{
    struct fall fall = { .problem = small_read(falling) };
    int *elements = fall.problem.model->time.elements, own[3];
    memcpy(own, elements, sizeof own);
    for (int i = 0; i < 3; i++)
        elements[i] = STEPS;
    fall.problem.settings.method = METHOD_TIME_STEPPING;
    fall.from = small_transcribe(&fall.problem);
    fall.result = small_solve(&fall.problem);
    assert_int_equal(fall.result.status, STATUS_OK);
    fall.problem.tr = NULL;
    fall.problem.settings.method = METHOD_TIME_FREEZING;
    memcpy(elements, own, sizeof own);
    fall.coarse = coarse_read(fall.from, fall.result.w);
    return fall;
}

static void fall_free(struct fall *fall)
{
    coarse_free(&fall->coarse);
    homotopy_result_free(&fall->result);
    transcription_free(fall->from);
    small_free(&fall->problem);
}

/* Times that are the ends of two steps belong to the first of them; times outside to the first and the last step. */
static void steps_are_found_by_time(void **state)
{
    (void)state;
    struct fall fall = fall_in_steps();
    const struct coarse_step *step = fall.coarse.step;
    assert_int_equal(coarse_step_at(&fall.coarse, -1), 0);
    assert_int_equal(coarse_step_at(&fall.coarse, 0), 0);
    for (int e = 0; e < N_STEPS; e++) {
        assert_int_equal(coarse_step_at(&fall.coarse, step[e].t_end), e);
        assert_int_equal(coarse_step_at(&fall.coarse, 0.5 * (step[e].t_start + step[e].t_end)), e);
    }
    assert_int_equal(coarse_step_at(&fall.coarse, 7), N_STEPS - 1);
    fall_free(&fall);
}

/* One impact, put together from the steps over which implicit Euler spreads it: to the first order of the step. */
static void an_impact_is_put_together(void **state)
{
    (void)state;
    struct fall fall = fall_in_steps();
    int n = 0;
    for (int e = 0; e < N_STEPS; e++) {
        const double t = coarse_first_hit(&fall.coarse, e);
        assert_true(isnan(t) == (coarse_impulse(&fall.coarse, e, 0) == 0));
        if (isnan(t))
            continue;
        n++;
        assert_near(t, t_hit, h);
        assert_near(coarse_impulse(&fall.coarse, e, 0), impulse, 19.62 * h);
        assert_near(coarse_steady_force(&fall.coarse, e, 0), 19.62, 1e-2);
    }
    assert_int_equal(n, 1);
    fall_free(&fall);
}

/* Lengths of the elements add up to the numerical time of each interval at its speed of time; the clock runs to the
 * end; time stands still for impulse / a_n. */
static void phases_fill_the_intervals(void **state)
{
    (void)state;
    struct fall fall = fall_in_steps();
    struct transcription *tr = small_transcribe(&fall.problem);
    tr_apply_presolve(tr, fall.from, fall.result.w);
    const double *w = tr->mpcc.w0;
    double frozen = 0;
    for (int i = 0; i < tr->n_interval; i++) {
        double sum = 0;
        for (int j = tr->first[i]; j < tr->first[i] + tr->elements[i]; j++)
            sum += w[tr->h[j]];
        assert_near(sum, 0.2, 1e-12);
        frozen += w[tr->s[i]] * 0.2 - 0.2;
    }
    assert_near(w[tr_y(tr, tr->n_element - 1, tr_right(tr), tr->dcs->clock)], 0.6, 1e-12);
    const double a_n = tr->settings->a_n, rest = (0.6 - t_hit) * 19.62 / a_n;    /* and slowly at rest: time_freezing.md 10 */
    assert_near(frozen, impulse / a_n + rest, 2 * 19.62 * h / a_n);
    fall_free(&fall);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_found_by_time),
        cmocka_unit_test(an_impact_is_put_together),
        cmocka_unit_test(phases_fill_the_intervals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
