#include "transcription/step/runner.h"

#include "core/base/clock.h"
#include "transcription/step/predict.h"
#include "transcription/step/sharpen.h"

#include <assert.h>
#include <math.h>

/* Settles what the solution leaves open, and judges it anew. */
static bool sharpen(struct step_solution *step)
{
    const struct mpcc *mpcc = &step->tr->mpcc;
    struct homotopy_result *result = &step->result;
    if (!tr_sharpen(step->tr, result->w, &result->iterations))
        return false;
    result->polished = true;
    result->complementarity = mpcc_complementarity(mpcc, result->w);
    result->violation = mpcc_violation(mpcc, result->w);
    result->status = STATUS_OK;
    return true;
}

static struct homotopy_run homotopy_of(const struct runner *run, const struct step_try *how)
{
    struct homotopy_run given;
    homotopy_run_init(&given);
    given.recipe.slope = STEP_SLOPE;
    given.sigma_start = how->sigma_0;
    given.slope = how->slope;
    given.max_seconds = runner_seconds_left(run);
    given.interrupt = run->sim->interrupt;
    given.n_option = run->sim->n_option;
    given.option = run->sim->option;
    given.print_level = run->sim->print_level;
    return given;
}

/* The homotopy down to where active sets show, then a sharpening: enough for nearly every step. */
static enum status solve_quickly(const struct runner *run, const struct homotopy_run *given, double sigma,
                                 struct step_solution *step, bool *done)
{
    struct homotopy_run quick = *given;
    quick.is_stage = true;
    quick.sigma_stop = sigma;
    const enum status st = homotopy_solve(&step->tr->mpcc, &run->homotopy, &quick, &step->result, run->diag);
    *done = st == STATUS_USAGE || runner_must_stop(run) || (st == STATUS_OK && sharpen(step));
    return st;
}

/* True if the user left the homotopy to us: down to zero, with crossovers. */
static bool may_be_quick(const struct runner *run)
{
    const struct homotopy_settings *homotopy = &run->homotopy;
    return homotopy->polish == POLISH_AUTO && homotopy->sigma.n == 0 && homotopy->sigma_N < quick_sigma[N_QUICK - 1];
}

/* The step as predicted (predict.h). */
static enum prediction_outcome predict(const struct runner *run, const struct step_try *how,
                                       struct step_solution *step)
{
    const struct mpcc *mpcc = &step->tr->mpcc;
    struct homotopy_result *result = &step->result;
    const double start = clock_seconds();
    double *w = arena_alloc(&result->mem, (size_t)mpcc->nlp.n_w, sizeof *w);
    const enum prediction_outcome outcome = tr_predict(step->tr, run->lam, run->sel, how->may_rest, w,
                                                       &result->iterations);
    if (outcome != PREDICTION_SOLVED) {
        arena_free(&result->mem);
        return outcome;
    }
    *result = (struct homotopy_result){ .mem = result->mem, .status = STATUS_OK, .completed = true, .polished = true, .w = w,
                                        .complementarity = mpcc_complementarity(mpcc, w),
                                        .violation = mpcc_violation(mpcc, w), .iterations = result->iterations,
                                        .seconds = clock_seconds() - start, .nnz_jac = mpcc->nlp.jac.nnz,
                                        .nnz_hess = mpcc->nlp.hess.nnz };
    return outcome;
}

static enum status solve_once(struct runner *run, const struct step_shape *shape, const struct step_try *how,
                              struct step_solution *step)
{
    enum status st = step_find_program(run, shape, how, step);
    if (st != STATUS_OK)
        return st;
    step_prepare(run, step->tr, how);
    struct homotopy_run given = homotopy_of(run, how);
    const bool may_predict = how->predicted || how == &step_tries[FIRST_HOMOTOPY];
    const enum prediction_outcome outcome = may_predict ? predict(run, how, step) : PREDICTION_NONE;
    if (outcome == PREDICTION_SOLVED || how->predicted)
        return outcome == PREDICTION_SOLVED ? STATUS_OK : STATUS_INFEASIBLE;
    if (outcome == PREDICTION_PLACED) {
        given.sigma_start = PLACED_SIGMA;
        given.recipe.push_first = given.recipe.push;
    }
    for (int k = 0; k < N_QUICK && may_be_quick(run); k++) {
        bool done;
        st = solve_quickly(run, &given, quick_sigma[k], step, &done);
        if (done)
            return st;
        homotopy_result_free(&step->result);
    }
    st = homotopy_solve(&step->tr->mpcc, &run->homotopy, &given, &step->result, run->diag);
    if ((st == STATUS_OK || st == STATUS_ACCEPTABLE) && sharpen(step))
        st = STATUS_OK;
    return st;
}

void step_free(struct step_solution *step)
{
    homotopy_result_free(&step->result);
    if (step->owns_tr)
        transcription_free(step->tr);
    *step = (struct step_solution){ .tr = NULL };
}

static bool is_worth_trying(const struct runner *run, int k)
{
    if (step_tries[k].predicted)
        return run->sim->discretization->method == METHOD_FESD_J;
    if (step_tries[k].band != 1)
        return step_band(run) > 0;
    return !(step_tries[k].extra_elements && run->sim->discretization->method == METHOD_TIME_STEPPING);
}

enum status step_solve(struct runner *run, const struct step_shape *shape, struct step_solution *best,
                              struct simulate_step *log)
{
    *best = (struct step_solution){ .tr = NULL };
    for (int k = 0; k < N_TRIES; k++) {
        struct step_solution now = { .tr = NULL };
        if (!is_worth_trying(run, k))
            continue;
        const enum status st = solve_once(run, shape, &step_tries[k], &now);
        log->n_attempt++;
        log->iterations += now.result.iterations;
        log->seconds += now.result.seconds;
        run->out->eval_seconds += now.result.eval_seconds;
        nlp_add_linear_work(&run->out->linear, &now.result.linear);
        if (st == STATUS_SPEC || st == STATUS_USAGE || st == STATUS_INTERNAL) {
            step_free(&now);
            step_free(best);
            return st;
        }
        if (step_tries[k].predicted && st != STATUS_OK) {
            step_free(&now);
            continue;                           /* leaves no iterate */
        }
        if (!best->tr || homotopy_result_better(&now.result, &best->result)) {
            step_free(best);
            *best = now;
        } else {
            step_free(&now);
        }
        if (best->result.status == STATUS_OK && *step_tries[k].what)
            runner_say(run, "the step at t = %g was solved %s", run->t, step_tries[k].what);
        if (best->result.status == STATUS_OK || runner_must_stop(run))
            break;
    }
    assert(best->tr);                           /* the first homotopy is always tried */
    return best->result.status;
}
