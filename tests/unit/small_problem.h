/* tests/unit/small_problem.h - a spec in a string, transcribed and solved, for the tests of transcription/
 *
 * Reading fails the test with the messages of the spec. Fields of `settings`, `homotopy` and the model may be
 * changed between small_read and small_transcribe; one problem may be transcribed many times.
 */
#ifndef COCP_TESTS_UNIT_SMALL_PROBLEM_H
#define COCP_TESTS_UNIT_SMALL_PROBLEM_H

#include "core/mpcc/homotopy.h"
#include "transcription/discretize/initial.h"
#include "transcription/start/guess.h"
#include "transcription/step/simulate.h"
#include "transcription/discretize/transcription.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct small_problem {
    struct spec *spec;
    struct model *model;
    struct discretization settings;
    struct homotopy_settings homotopy;
    struct transcription *tr;       /* of the last small_transcribe */
    struct diag *diag;
};

static inline void small_fail(struct small_problem *problem)
{
    diag_print(problem->diag, stderr);
    fail_msg("the problem was refused");
}

static inline struct small_problem small_read(const char *text)
{
    struct small_problem problem = { .diag = diag_create() };
    if (spec_read_text("test.yaml", text, 0, NULL, &problem.spec, problem.diag) != STATUS_OK)
        small_fail(&problem);
    if (model_read(problem.spec, MODEL_FOR_SOLVE, &problem.model, problem.diag) != STATUS_OK)
        small_fail(&problem);
    const struct setting_eval eval = model_eval(problem.model);
    const struct spec_node *root = spec_root(problem.spec);
    if (discretization_read(spec_get(root, "discretization"), &eval, &problem.settings, problem.diag) != STATUS_OK)
        small_fail(&problem);
    if (homotopy_settings_read(spec_get(root, "homotopy"), &eval, &problem.homotopy, problem.diag) != STATUS_OK)
        small_fail(&problem);
    if (problem.settings.method == METHOD_UNSET)
        problem.settings.method = METHOD_FESD;
    return problem;
}

static inline void small_free(struct small_problem *problem)
{
    transcription_free(problem->tr);
    discretization_free(&problem->settings);
    homotopy_settings_free(&problem->homotopy);
    model_free(problem->model);
    spec_free(problem->spec);
    diag_free(problem->diag);
}

/* The whole problem on the grid of its spec, with the present settings. */
static inline struct transcription *small_transcribe_banded(struct small_problem *problem, double dead_band)
{
    const struct model *model = problem->model;
    const struct transcription_task task = { .grid = { model->n_intervals, model->elements, model->horizon },
                                             .optimize = true, .end = END_ON_GRID, .dead_band = dead_band };
    transcription_free(problem->tr);
    if (transcription_create(problem->model, &problem->settings, &task, &problem->tr, problem->diag) != STATUS_OK)
        small_fail(problem);
    return problem->tr;
}

static inline struct transcription *small_transcribe(struct small_problem *problem)
{
    return small_transcribe_banded(problem, 0);
}

/* One step of a simulation, over the whole horizon from the initial values; all guessed as it is at the start. */
static inline struct transcription *small_transcribe_step(struct small_problem *problem)
{
    const struct model *model = problem->model;
    const struct transcription_task task = { .grid = { 1, model->elements, model->horizon },
                                             .end = END_OF_NUMERICAL_TIME };
    double *x = test_malloc((size_t)model->n_x * sizeof *x);
    transcription_free(problem->tr);
    if (transcription_create(problem->model, &problem->settings, &task, &problem->tr, problem->diag) != STATUS_OK
        || simulate_read_initial(model, x, problem->diag) != STATUS_OK)
        small_fail(problem);
    tr_set_initial(problem->tr, x, 0);
    tr_apply_guess(problem->tr, NULL, false);
    tr_guess_junctions(problem->tr);
    tr_hold_first_junction(problem->tr);
    test_free(x);
    return problem->tr;
}

/* The homotopy from the program's guess; homotopy_result_free afterwards. */
static inline struct homotopy_result small_solve(struct small_problem *problem)
{
    struct homotopy_run run;
    struct homotopy_result result;
    homotopy_run_init(&run);
    homotopy_solve(&problem->tr->mpcc, &problem->homotopy, &run, &result, problem->diag);
    return result;
}

/* State i at the end of the horizon. */
static inline double small_final(const struct transcription *tr, const double *w, int i)
{
    return w[tr_y(tr, tr->n_element, 0, i)];
}

static inline void small_assert_close(double got, double want, double tol)
{
    if (!(fabs(got - want) <= tol))
        fail_msg("got %.15g, want %.15g: off by %.3g, allowed %.3g", got, want, fabs(got - want), tol);
}

#endif
