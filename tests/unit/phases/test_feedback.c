/* test_feedback.c - the controls of a plan that follow a measured state, against those of a re-solve
 *
 * A body falls under thrust against gravity, is hit by the floor and slips on, against friction and a drag. The rest
 * of its plan from interval `from` on, with the state there off by eps d, is solved again; the first-order answer of
 * the plan's KKT matrix misses those controls by O(eps^2): halved deviations leave a quarter.
 */
#include "tests/unit/assertions.h"
#include "tests/unit/phase_problem.h"

#include "transcription/track/controls.h"
#include "transcription/track/problem_at.h"

enum { N = 8, N_X = 4, N_U = 2 };

static const char spec[] =
    "cocp: 1\n"
    "time: {horizon: 0.8, intervals: 8, elements: 1}\n"
    "states: {x: {initial: 0}, z: {initial: 0.5}, v: {initial: 0.5}, w: {initial: 0}}\n"
    "controls: {s: {bounds: [-30, 30]}, f: {bounds: [-30, 30]}}\n"
    "dynamics: {type: mechanical, coordinates: {x: v, z: w}, mass: {diag: [1, 1]},\n"
    "           force: {x: s - 0.3*v^3, z: f - 9.81 - 0.2*w^3}}\n"
    "contacts: {foot: {gap: z + 0.05*x^2, tangent: x, friction: 0.3}}\n"
    "cost: {running: {way: 50*(x - 1)^2, effort: 0.05*s^2 + 0.1*f^2}, terminal: {end: 20*(x - 1)^2 + v^2}}\n";
static const char sequence[] = "o 4.5!+ +";

struct plan {
    struct phase_problem problem;
    struct finish finish;
    struct sim_controls rows;       /* those of the plan, as they are carried out */
    double t[N];
};

static struct plan make_plan(void)
{
    struct plan plan = { .problem = phase_read(spec, 3, 2) };
    const double hit = 0.45;
    plan.finish = phase_solve(&plan.problem, sequence, &hit);
    return plan;
}

static void plan_free(struct plan *plan)
{
    finish_free(&plan->finish);
    phase_free(&plan->problem);
}

static void state_at(const struct plan *plan, int from, double *x)
{
    double force[CONTACT_ROWS];
    phase_trace_start(plan->finish.ph, plan->finish.w, from, x, force);
}

/* The first controls of the problem from interval `from` on and x; its guess is the rest of the plan. */
static void solve_again(struct plan *plan, int from, const double *x, double *u)
{
    const struct problem_from part = { .horizon = TRACK_SHRINKING, .t0 = 0.1 * from, .t_from = 0.1 * from, .total = 0.8,
                                       .n_interval = N - from, .x = x, .x_start = x };
    struct model *rest = problem_at(plan->problem.small.model, &part);
    struct finish_task task = plan->problem.task;
    struct diag *diag = plan->problem.small.diag;
    struct phase_system *sys;
    struct finish out;
    assert_int_equal(phase_system_create(rest, &sys, diag), STATUS_OK);
    task.sys = sys;
    struct sequence *seq = sequence_copy(plan->finish.ph->seq);
    struct samples *samples = samples_of(plan->finish.ph, plan->finish.w), *moved;
    const bool is_over = seq->place[0] < 2 * from;
    if (is_over)
        sequence_remove(seq, 0, 0, NULL);
    else
        seq->place[0] -= 2 * from;
    moved = samples_create(sys, seq->n_event);
    if (!is_over)
        moved->t_event[0] = samples->t_event[0] - 0.1 * from;
    for (int k = 0; k < samples->n; k++) {
        const bool passed = samples->t[k] < 0.1 * from || (is_over && samples->mode[k] == 0);
        if (!passed)
            memcpy(samples_add(moved, samples->t[k] - 0.1 * from, is_over ? 0 : samples->mode[k]),
                   samples->y + k * samples->n_y, (size_t)samples->n_y * sizeof *u);
    }
    memcpy(moved->u, samples->u + from * N_U, (size_t)((N - from) * N_U) * sizeof *u);
    assert_int_equal(finish_solve(&task, seq, moved, FINISH_WARM, 200, &out, diag), STATUS_OK);
    assert_true(out.solved);
    memcpy(u, out.w + out.ph->at.u[0], N_U * sizeof *u);
    finish_free(&out);
    samples_free(samples);
    samples_free(moved);
    sequence_free(seq);
    phase_system_free(sys);
    model_free(rest);
}

/* The first control by feedback. */
static void answer(struct plan *plan, int from, const double *x, double *u)
{
    struct arena mem = { NULL };
    for (int i = 0; i < N; i++)
        plan->t[i] = 0.1 * i;
    plan->rows = (struct sim_controls){ N, plan->t, NULL };     /* its own rows are not looked at */
    assert_true(controls_feed_back(&plan->rows, 0.1 * from, 1e-7, &plan->finish, x, &mem));
    assert_int_equal(plan->rows.n, N - from);
    memcpy(u, plan->rows.u, N_U * sizeof *u);
    arena_free(&mem);
}

/* How far the answer is from the re-solved control, and the planned one from it. */
static double error_of(struct plan *plan, int from, const double *d, double eps, double *moved)
{
    double x[N_X], again[N_U], fed[N_U], most = 0;
    state_at(plan, from, x);
    for (int i = 0; i < N_X; i++)
        x[i] += eps * d[i];
    solve_again(plan, from, x, again);
    answer(plan, from, x, fed);
    *moved = 0;
    for (int k = 0; k < N_U; k++) {
        most = fmax(most, fabs(fed[k] - again[k]));
        *moved = fmax(*moved, fabs(plan->finish.w[plan->finish.ph->at.u[from] + k] - again[k]));
    }
    return most;
}

static void check_order(int from, const double *d)
{
    struct plan plan = make_plan();
    double moved, half;
    const double error = error_of(&plan, from, d, 0.04, &moved), less = error_of(&plan, from, d, 0.02, &half);
    assert_true(moved > 10 * error);            /* a correction of nine tenths at least */
    assert_near(error / less, 4, 0.5);
    assert_near(moved / half, 2, 0.2);
    plan_free(&plan);
}

static void before_an_impact(void **state)
{
    (void)state;
    const double d[N_X] = { 0.5, 0.2, -0.5, 0.2 };
    check_order(2, d);
}

static void from_the_start(void **state)
{
    (void)state;
    const double d[N_X] = { -0.5, 0.5, 1, -1 };
    check_order(0, d);
}

/* On the floor the first mode holds x and v alone; dz, dw follow the floor: z = -0.05 x^2, w = -0.1 x v. */
static void while_it_slips(void **state)
{
    (void)state;
    struct plan plan = make_plan();
    double x[N_X], error[2];
    for (int k = 0; k < 2; k++) {
        double again[N_U], fed[N_U];
        state_at(&plan, 5, x);
        x[0] += 0.04 / (1 + k);
        x[2] -= 0.08 / (1 + k);
        x[1] = -0.05 * x[0] * x[0];
        x[3] = -0.1 * x[0] * x[2];
        solve_again(&plan, 5, x, again);
        answer(&plan, 5, x, fed);
        error[k] = fabs(fed[0] - again[0]);
        assert_true(fabs(plan.finish.w[plan.finish.ph->at.u[5]] - again[0]) > 10 * error[k]);
    }
    assert_near(error[0] / error[1], 4, 0.5);
    plan_free(&plan);
}

static void the_planned_state_leaves_the_plan(void **state)
{
    (void)state;
    struct plan plan = make_plan();
    double x[N_X], u[N_U];
    for (int from = 0; from < N; from++) {
        state_at(&plan, from, x);
        answer(&plan, from, x, u);
        for (int k = 0; k < N_U; k++)
            assert_near(u[k], plan.finish.w[plan.finish.ph->at.u[from] + k], 1e-6);
    }
    plan_free(&plan);
}

/* A state far away asks for more than there is. */
static void bounds_hold(void **state)
{
    (void)state;
    struct plan plan = make_plan();
    double x[N_X], u[N_U];
    state_at(&plan, 0, x);
    x[0] -= 100;
    answer(&plan, 0, x, u);
    assert_near(u[0], 30, 1e-12);
    plan_free(&plan);
}

/* Between the beginnings of intervals, and behind the last one, there is nothing to move. */
static void there_is_an_interval_to_begin(void **state)
{
    (void)state;
    struct plan plan = make_plan();
    struct arena mem = { NULL };
    double x[N_X];
    state_at(&plan, 0, x);
    answer(&plan, 0, x, (double[N_U]){ 0 });
    struct sim_controls rows = plan.rows;
    assert_false(controls_feed_back(&rows, 0.05, 1e-7, &plan.finish, x, &mem));
    assert_false(controls_feed_back(&rows, 0.8, 1e-7, &plan.finish, x, &mem));
    assert_int_equal(rows.n, plan.rows.n);
    arena_free(&mem);
    plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_an_impact),
        cmocka_unit_test(from_the_start),
        cmocka_unit_test(while_it_slips),
        cmocka_unit_test(the_planned_state_leaves_the_plan),
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(there_is_an_interval_to_begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
