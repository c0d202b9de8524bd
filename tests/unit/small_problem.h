/* tests/unit/small_problem.h - a spec in a string, transcribed and solved, for the tests of transcription/
 *
 * What goes wrong in reading is printed and ends the program. Fields of `settings`, `homotopy` and the model may be
 * changed between small_read and small_transcribe; one problem may be transcribed many times.
 */
#ifndef COCP_TESTS_UNIT_SMALL_PROBLEM_H
#define COCP_TESTS_UNIT_SMALL_PROBLEM_H

#include "core/mpcc/homotopy.h"
#include "transcription/discretize/initial.h"
#include "transcription/start/guess.h"
#include "transcription/step/simulate.h"
#include "transcription/discretize/transcription.h"

#include "tests/unit/assertions.h"
#include "tests/unit/read_settings.h"

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
    read_spec(text, MODEL_FOR_SOLVE, problem.diag, &problem.spec, &problem.model);
    read_settings(problem.spec, problem.model, &problem.settings, &problem.homotopy, problem.diag);
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
    const struct transcription_task task =
        { .grid = { model->time.n_intervals, model->time.elements, model->time.horizon },
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
    const struct transcription_task task = { .grid = { 1, model->time.elements, model->time.horizon },
                                             .end = END_OF_NUMERICAL_TIME };
    double *x = test_malloc((size_t)model->n_x * sizeof *x);
    transcription_free(problem->tr);
    if (transcription_create(problem->model, &problem->settings, &task, &problem->tr, problem->diag) != STATUS_OK
        || model_initial_state(model, x, problem->diag) != STATUS_OK)
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

#endif
