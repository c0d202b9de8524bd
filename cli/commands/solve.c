#include "cli/commands.h"
#include "cli/experiments.h"
#include "cli/finished_output.h"
#include "cli/interrupt.h"
#include "cli/method_output.h"
#include "cli/progress.h"
#include "cli/scenarios.h"
#include "cli/spec_command.h"
#include "cli/ticker.h"
#include "cli/verification.h"
#include "core/base/stop.h"
#include "transcription/diagnose/diagnose.h"
#include "transcription/judge/verified.h"

#include <math.h>
#include <string.h>

/* Ended without a solution by itself? */
static bool has_failed(enum status st)
{
    return (st == STATUS_INFEASIBLE || st == STATUS_LIMIT || st == STATUS_NUMERIC) && !stop_asked();
}

/* Which conditions cannot be met; w: where the solve of mpcc has ended. */
static void explain(const struct problem *problem, const struct solve_task *task, double seconds, const struct mpcc *mpcc,
                    const double *w, struct diagnosis *why, struct diag *diag)
{
    diagnose(task, &problem->finish, seconds, why);
    diagnosis_look_at(why, mpcc, w);
    diagnosis_report(why, diag);
}

/* seconds: that all of it took. */
static void explain_solved(const struct problem *problem, const struct solve_task *task, enum status st, double seconds,
                           struct solve_result *found, struct diagnosis *why, struct diag *diag)
{
    const struct homotopy_result *best = &found->homotopy;
    if (!found->tr || !has_failed(st))
        return;
    explain(problem, task, seconds, &found->tr->mpcc, best->w_last ? best->w_last : best->w, why, diag);
    found->failure = diagnosis_text(why);
    found->advice = diagnosis_advice(why, task->model);
}

static void explain_finished(const struct problem *problem, const struct solve_task *task,
                             struct finished *finished, struct diagnosis *why, struct diag *diag)
{
    struct solution *found = &finished->solution;
    if (found->best.solved || !has_failed(found->status))
        return;
    explain(problem, task, finished->record.seconds, &found->best.ph->mpcc, found->best.w, why, diag);
    found->failure = diagnosis_text(why);
    found->advice = diagnosis_advice(why, task->model);
}

/* Discovers and finishes. A finished solution is written here, or what comes nearest to one where there is nothing else;
 * without one the discovery's is left in *found. */
static enum status finish_first(const struct cli_args *args, struct problem *problem, const struct solve_task *task,
                                struct solve_result *found, struct diagnosis *why, struct diag *diag)
{
    struct finished finished;
    enum status st = solve_finished(task, &problem->finish, &finished, diag);
    if (finished.solution.best.ph)
        explain_finished(problem, task, &finished, why, diag);
    else
        explain_solved(problem, task, st, finished.record.seconds, &finished.record.discovery, why, diag);
    ticker_end(args->ticker);
    memset(found, 0, sizeof *found);
    if (finished.solution.best.ph) {
        st = finished_output(args, problem, &finished, NULL, diag);
    } else {
        *found = finished.record.discovery;
        found->seconds = finished.record.seconds;       /* of all that was tried */
        memset(&finished.record.discovery, 0, sizeof finished.record.discovery);
        if (st == STATUS_OK && !found->tr)
            st = diag_fail(diag, STATUS_NUMERIC, "%s: no program was solved, and there is no result: what finish.only and "
                           "finish.without leave of the search has no start for this problem", args->input[0]);
    }
    finished_free(&finished);
    return st;
}

static enum status solve(const struct cli_args *args, struct problem *problem, struct diag *diag)
{
    struct progress progress;
    struct guess *guess = NULL;
    struct solve_result found;
    struct scenario_problems scenarios;
    struct diagnosis why = { .n = 0 };
    enum status st = scenario_problems_read(args, problem, &scenarios, diag);
    const bool fits = problem->model->data.n_experiment > 0;
    if (st == STATUS_OK && fits && scenarios.list.n)
        st = spec_error(diag, spec_get(spec_root(problem->spec), scenario_table.block), "experiments have no scenarios: write "
                        "number: 0");
    if (st == STATUS_OK && !fits)
        st = problem_read_guess(args, problem, &guess, diag);
    if (st != STATUS_OK || fits) {
        scenario_problems_free(&scenarios);
        return st == STATUS_OK ? experiments_run(args, problem, diag) : st;
    }
    const struct replay_settings judged = verified_settings(&problem->verify, &problem->simulate);
    progress_init(&progress, args, problem->finish.use == FINISH_ON);
    const struct solve_task task = {
        .model = problem->model, .discretization = &problem->discretization, .homotopy = &problem->homotopy,
        .solver = &problem->solver, .guess = guess, .max_seconds = args->max_time, .judged = &judged,
        .print_level = args->verbosity >= 2 ? 5 : 0, .interrupt = interrupt_flag(), .jobs = args->jobs,
        .hooks = { progress_note, progress_headline, progress_step, progress_iteration, &progress }
    };
    if (scenarios.list.n)
        st = scenarios_solve(args, problem, &task, &scenarios, &found, diag);
    else if (problem->finish.use == FINISH_ON)
        st = finish_first(args, problem, &task, &found, &why, diag);
    else
        st = solve_ocp(&task, &found, diag);
    if (problem->finish.use == FINISH_OFF && !scenarios.list.n)
        explain_solved(problem, &task, st, found.seconds, &found, &why, diag);
    ticker_end(args->ticker);
    if (found.tr)
        st = method_output(args, problem, &found, st, diag);
    solve_result_free(&found);
    diagnosis_free(&why);
    scenario_problems_free(&scenarios);
    guess_free(guess);
    if (args->verify && (st == STATUS_OK || st == STATUS_ACCEPTABLE)) {
        struct cli_args strict = *args;         /* here the spec is the user's own: its tolerances are, too */
        strict.tol = isnan(args->tol) ? problem->verify.tol : args->tol;
        strict.floor = problem->verify.floor;
        const enum status verified = verification_run(&strict, args->out_path, diag);
        st = verified != STATUS_OK ? verified : st;
    }
    return st;
}

enum status cmd_solve(const struct cli_args *args, struct diag *diag)
{
    return spec_command_unless_done(args, MODEL_FOR_SOLVE, "solved", solve, diag);
}
