#include "cli/bounds/lower_bound.h"
#include "cli/commands.h"
#include "cli/commands/experiments.h"
#include "cli/commands/scenarios.h"
#include "cli/interrupt.h"
#include "cli/outputs/finished_output.h"
#include "cli/outputs/method_output.h"
#include "cli/outputs/progress.h"
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

/* What is solved, and what is found out beside it. */
struct solving {
    const struct cli_args *args;
    struct problem *problem;
    struct solve_task task;
    struct lower_bound *bound;      /* NULL: not asked for */
    struct diagnosis why;
};

/* Which conditions cannot be met; w: where the solve of mpcc has ended. seconds: that all of it took. */
static void explain(struct solving *at, double seconds, const struct mpcc *mpcc, const double *w,
                    const char **failure, const char **advice, struct diag *diag)
{
    diagnose(&at->task, &at->problem->finish, seconds, &at->why);
    diagnosis_look_at(&at->why, mpcc, w);
    diagnosis_report(&at->why, diag);
    *failure = diagnosis_text(&at->why);
    *advice = diagnosis_advice(&at->why, at->task.model);
}

/* It is proved that there is no motion at all. */
static bool is_refuted(struct solving *at, enum status *st, const char **failure)
{
    const char *words = at->bound ? lower_bound_refutes(at->bound) : NULL;
    if (words) {
        *st = STATUS_INFEASIBLE;
        *failure = words;
    }
    return words != NULL;
}

static void explain_solved(struct solving *at, enum status *st, struct solve_result *found, struct diag *diag)
{
    const struct homotopy_result *best = &found->homotopy;
    if (!has_failed(*st))
        return;
    if (is_refuted(at, st, &found->failure))
        found->homotopy.status = *st;
    else if (found->tr && !stop_is_late())
        explain(at, found->seconds, &found->tr->mpcc, best->w_last ? best->w_last : best->w, &found->failure,
                &found->advice, diag);
}

static void explain_finished(struct solving *at, struct finished *finished, struct diag *diag)
{
    struct solution *found = &finished->solution;
    if (found->best.solved || !has_failed(found->status) || is_refuted(at, &found->status, &found->failure)
        || stop_is_late())
        return;
    explain(at, finished->record.seconds, &found->best.ph->mpcc, found->best.w, &found->failure, &found->advice,
            diag);
}

/* Discovers and finishes. A finished solution is written here, or what comes nearest to one where there is
 * nothing else; without one the discovery's is left in *found. */
static enum status finish_first(struct solving *at, struct solve_result *found, struct diag *diag)
{
    struct finished finished;
    enum status st = solve_finished(&at->task, &at->problem->finish, &finished, diag);
    finished.record.discovery.seconds = finished.record.seconds;        /* of all that was tried */
    if (finished.solution.best.ph)
        explain_finished(at, &finished, diag);
    else
        explain_solved(at, &st, &finished.record.discovery, diag);
    memset(found, 0, sizeof *found);
    if (finished.solution.best.ph) {
        st = finished_output(at->args, at->problem, &finished, NULL, at->bound, diag);
    } else {
        *found = finished.record.discovery;
        memset(&finished.record.discovery, 0, sizeof finished.record.discovery);
        if (st == STATUS_OK && !found->tr)
            st = diag_fail(diag, STATUS_NUMERIC, "%s: no program was solved, and there is no result: what finish.only "
                           "and finish.without leave of the search has no start for this problem", at->args->input[0]);
    }
    finished_free(&finished);
    return st;
}

/* A bound is of one problem. */
static enum status refuse_bound(const struct cli_args *args, bool fits, int n_scenario, struct diag *diag)
{
    if (args->bound && (fits || n_scenario > 0))
        return diag_fail(diag, STATUS_USAGE, "--bound is of one problem: take it without %s", fits
                         ? "experiments" : "scenarios, --set scenarios.number=0");
    return STATUS_OK;
}

/* The search leaves a share of the time to it. */
static void leave_time(struct solve_task *task, const struct cli_args *args)
{
    if (isfinite(args->max_time)) {
        task->reserve = BOUND_SHARE * args->max_time;
        task->max_seconds -= task->reserve;
    }
    task->interrupt_late = task->interrupt;
    task->interrupt = stop_early_flag(BOUND_SHARE);
}

/* One problem, with its guess. */
static enum status solve_one(struct solving *at, struct scenario_problems *scenarios, struct diag *diag)
{
    struct solve_result found;
    enum status st = STATUS_OK;
    const bool finishes = at->problem->finish.use == FINISH_ON;
    if (scenarios->list.n)
        st = scenarios_solve(at->args, at->problem, &at->task, scenarios, &found, diag);
    else if (finishes)
        st = finish_first(at, &found, diag);
    else
        st = solve_ocp(&at->task, &found, diag);
    if (!finishes && !scenarios->list.n)
        explain_solved(at, &st, &found, diag);
    ticker_end(at->args->ticker);
    if (found.tr)
        st = method_output(at->args, at->problem, &found, st, at->bound, diag);
    solve_result_free(&found);
    return st;
}

static enum status solve(const struct cli_args *args, struct problem *problem, struct diag *diag)
{
    struct progress progress;
    struct guess *guess = NULL;
    struct scenario_problems scenarios;
    enum status st = scenario_problems_read(args, problem, &scenarios, diag);
    const bool fits = problem->model->data.n_experiment > 0;
    if (st == STATUS_OK && fits && scenarios.list.n)
        st = spec_error(diag, spec_get(spec_root(problem->spec), scenario_table.block), "experiments have no scenarios: write "
                        "number: 0");
    if (st == STATUS_OK)
        st = refuse_bound(args, fits, scenarios.list.n, diag);
    if (st == STATUS_OK && !fits)
        st = problem_read_guess(args, problem, &guess, diag);
    if (st != STATUS_OK || fits) {
        scenario_problems_free(&scenarios);
        return st == STATUS_OK ? experiments_run(args, problem, diag) : st;
    }
    const struct replay_settings judged = verified_settings(&problem->verify, &problem->simulate);
    struct lower_bound bound;
    lower_bound_init(&bound, args, problem);
    struct solving at = { .args = args, .problem = problem, .bound = args->bound ? &bound : NULL };
    progress_init(&progress, args, problem->finish.use == FINISH_ON);
    at.task = (struct solve_task){
        .model = problem->model, .discretization = &problem->discretization, .homotopy = &problem->homotopy,
        .solver = &problem->solver, .guess = guess, .max_seconds = args->max_time, .judged = &judged,
        .print_level = args->verbosity >= 2 ? 5 : 0, .interrupt = interrupt_flag(), .jobs = args->jobs,
        .hooks = { progress_note, progress_headline, progress_step, progress_iteration, &progress }
    };
    if (args->bound) {
        at.task.bound = (struct solve_judge){ lower_bound_is_near, &bound };
        leave_time(&at.task, args);
    }
    st = solve_one(&at, &scenarios, diag);
    diagnosis_free(&at.why);
    lower_bound_free(&bound);
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
