/* test_gap_changes.c - time steps whose gaps change as their velocities say (gaps.c) */
#include "transcription/program/check.h"

#include "tests/unit/small_problem.h"

#include <math.h>

#define TOL 0.1                     /* m/s */

/* A body on a turning leg, with its hip kept above a straight ground: only the foot's gap bends. */
static const char leg[] =
    "cocp: 1\n"
    "time: {horizon: 0.2, intervals: 1, elements: 2}\n"
    "states: {z: {initial: 1.5}, a: {initial: 0.3}, v: {initial: 0}, w: {initial: 2}}\n"
    "controls: {u: {bounds: [-1, 1]}}\n"
    "dynamics: {type: mechanical, coordinates: {z: v, a: w}, mass: {diag: [1, 1]}, force: {z: -9.81, a: u}}\n"
    "contacts: {foot: {gap: z - cos(a)}, hip: {gap: z}}\n"
    "cost: {running: {effort: u^2}}\n";
enum { Z, A, V, W, N_STATES };
enum { STEPS = 2 };

static struct transcription *steps_with(struct small_problem *problem, double gap_tol)
{
    const struct model *model = problem->model;
    const struct transcription_task task =
        { .grid = { model->time.n_intervals, model->time.elements, model->time.horizon },
          .optimize = true, .end = END_ON_GRID, .gap_tol = gap_tol };
    transcription_free(problem->tr);
    problem->settings.method = METHOD_TIME_STEPPING;
    assert_int_equal(transcription_create(problem->model, &problem->settings, &task, &problem->tr, problem->diag), STATUS_OK);
    return problem->tr;
}

static double gap(const double *y)
{
    return y[Z] - cos(y[A]);
}

static void each_step_of_a_bending_gap_has_a_row(void **state)
{
    (void)state;
    struct small_problem problem = small_read(leg);
    const int n_row = program_n_row(steps_with(&problem, 0)->prog);
    const struct transcription *tr = steps_with(&problem, TOL);
    const struct nlp *nlp = &tr->mpcc.nlp;
    assert_int_equal(program_n_row(tr->prog), n_row + STEPS);   /* the foot's; the hip's gap is z */
    double y[STEPS + 1][N_STATES] = { { 1.5, 0.3, 0, 2 }, { 1.4, 0.7, -1, 4 }, { 1.2, 1.1, -2, 3 } };
    double *w = test_malloc((size_t)nlp->n_w * sizeof *w), *g = test_malloc((size_t)nlp->n_g * sizeof *g);
    memcpy(w, tr->mpcc.w0, (size_t)nlp->n_w * sizeof *w);
    for (int j = 0; j < STEPS; j++)
        for (int i = 0; i < N_STATES; i++)
            w[tr_y(tr, j, 1, i)] = y[j + 1][i];
    assert_true(nlp->eval_g(nlp->user, w, true, g));
    int found = 0;
    for (int row = 0; row < nlp->n_g; row++) {
        if (strcmp(tr->mpcc.row[row].name, "change of the gap") != 0)
            continue;
        const double h = 0.1, *before = y[found], *now = y[found + 1], v_n = now[V] + sin(now[A]) * now[W];
        assert_near(g[row], gap(now) - gap(before) - h * v_n, 1e-14);
        assert_near(nlp->lbg[row], -TOL * h, 1e-15);
        assert_near(nlp->ubg[row], TOL * h, 1e-15);
        found++;
    }
    assert_int_equal(found, STEPS);
    test_free(w);
    test_free(g);
    small_free(&problem);
}

static void its_derivatives_are_exact(void **state)
{
    (void)state;
    struct small_problem problem = small_read(leg);
    const struct transcription *tr = steps_with(&problem, TOL);
    const struct derivative_check check = derivative_check(&tr->mpcc.nlp, tr->mpcc.w0, 2, 7);
    assert_true(check.finite && check.jac <= DERIVATIVE_TOL && check.grad <= DERIVATIVE_TOL && check.hess <= DERIVATIVE_TOL);
    small_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_step_of_a_bending_gap_has_a_row), cmocka_unit_test(its_derivatives_are_exact)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
