#include "cli/commands.h"
#include "cli/experiments.h"
#include "cli/finished_output.h"
#include "cli/interrupt.h"
#include "cli/line.h"
#include "cli/progress.h"
#include "cli/scenarios.h"
#include "cli/output_file.h"
#include "cli/spec_command.h"
#include "cli/ticker.h"
#include "cli/verification.h"

#include "core/base/stop.h"
#include "core/mpcc/report.h"
#include "transcription/report/solved.h"
#include "transcription/report/verified.h"

#include <math.h>
#include <string.h>

struct time_of { const struct transcription *tr; const double *w; };

static double time_of(void *user, const struct mpcc_label *label)
{
    const struct time_of *at = user;
    return tr_time_of(at->tr, label, at->w);
}

/* Why it is no solution: the likeliest cause, the worst constraints, what stands on its bounds. */
static void report_failure(const struct solve_result *found, double comp_tol, FILE *out)
{
    enum { N_ITEMS = 6, N_BOUNDS = 6 };
    const struct homotopy_result *best = &found->homotopy;
    const struct mpcc *mpcc = &found->tr->mpcc;
    struct time_of at = { found->tr, best->w_last ? best->w_last : best->w };
    struct report_item item[2 * N_ITEMS];
    struct report_bound bound[N_BOUNDS];
    char text[600];
    const int n = report_worst(mpcc, at.w, HOMOTOPY_VIOLATION_OK, comp_tol, N_ITEMS, item);
    const char *advice = report_advice(best, item, n);
    if (advice)
        fprintf(out, "  likeliest: %s\n", advice);
    for (int k = 0; k < n; k++) {
        const struct mpcc_label *label = item[k].label;
        report_item_text(&item[k], time_of, &at, text, sizeof text);
        if (label->pos.line > 0)
            fprintf(out, "  %s:%d:%d: %s\n", label->pos.file, label->pos.line, label->pos.col, text);
        else
            fprintf(out, "  %s\n", text);
    }
    const int n_bound = report_bounds(mpcc, at.w, 1e-6, N_BOUNDS, bound);
    for (int k = 0; k < n_bound; k++)
        fprintf(out, "  %s at its %s bound in %d place%s\n", bound[k].label->name, bound[k].at_upper ? "upper" : "lower",
                bound[k].count, bound[k].count == 1 ? "" : "s");
}

static void print_outcome(const struct cli_args *args, const struct problem *problem, const struct solve_result *found)
{
    const struct homotopy_result *best = &found->homotopy;
    run_line_print(args->out, &(struct run_line){
        .status = best->status, .name = problem->model->name, .objective = best->objective,
        .complementarity = best->complementarity, .infeasibility = best->violation, .error = NAN, .steps = found->n_step,
        .iterations = found->iterations, .seconds = found->seconds, .out_path = args->out_path }, args->json);
}

/* Discovers and finishes. A finished solution is written here, or what comes nearest to one where there is nothing else;
 * without one the discovery's is left in *found. */
static enum status finish_first(const struct cli_args *args, struct problem *problem, const struct solve_task *task,
                                struct solve_result *found, struct diag *diag)
{
    struct finished finished;
    enum status st = solve_finished(task, &problem->finish, &finished, diag);
    ticker_end(args->ticker);
    memset(found, 0, sizeof *found);
    if (finished.best.ph) {
        st = finished_output(args, problem, &finished, NULL, diag);
    } else {
        *found = finished.discovery;
        found->seconds = finished.seconds;      /* of all that was tried */
        memset(&finished.discovery, 0, sizeof finished.discovery);
    }
    finished_free(&finished);
    return st;
}

/* A solution of the method holds on its grid; is it one between the points of the grid? */
static enum status judge_between(const struct cli_args *args, struct solve_result *found, struct result *result,
                                 enum status st)
{
    char why[300];
    if (verified_between(result, args->out_path, why, sizeof why) == STATUS_OK)
        return st;
    if (args->verbosity >= 0)
        fprintf(args->err, "not verified between grid points: %s\n", why);
    return found->homotopy.status = STATUS_UNVERIFIED;
}

static enum status solve(const struct cli_args *args, struct problem *problem, struct diag *diag)
{
    struct progress progress;
    struct guess *guess = NULL;
    struct solve_result found;
    struct scenario_problems scenarios;
    enum status st = scenario_problems_read(args, problem, &scenarios, diag);
    const bool fits = problem->model->n_experiment > 0;
    if (st == STATUS_OK && fits && scenarios.list.n)
        st = spec_error(diag, spec_get(spec_root(problem->spec), scenario_table.block), "experiments have no scenarios: write "
                        "number: 0");
    if (st == STATUS_OK && !fits)
        st = problem_read_guess(args, problem, &guess, diag);
    if (st != STATUS_OK || fits) {
        scenario_problems_free(&scenarios);
        return st == STATUS_OK ? experiments_run(args, problem, diag) : st;
    }
    progress_init(&progress, args, problem->finish.use == FINISH_ON);
    const struct solve_task task = {
        .model = problem->model, .discretization = &problem->discretization, .homotopy = &problem->homotopy,
        .solver = &problem->solver, .guess = guess, .max_seconds = args->max_time,
        .print_level = args->verbosity >= 2 ? 5 : 0, .interrupt = interrupt_flag(), .jobs = args->jobs,
        .hooks = { progress_note, progress_headline, progress_step, progress_iteration, &progress }
    };
    if (scenarios.list.n)
        st = scenarios_solve(args, problem, &task, &scenarios, &found, diag);
    else if (problem->finish.use == FINISH_ON)
        st = finish_first(args, problem, &task, &found, diag);
    else
        st = solve_ocp(&task, &found, diag);
    ticker_end(args->ticker);
    if (found.tr) {
        if (stop_asked() && found.homotopy.status != STATUS_OK)
            found.homotopy.status = st = stop_status();
        if (st != STATUS_OK && args->verbosity >= 0)
            report_failure(&found, problem->homotopy.comp_tol, args->err);
        if (st == STATUS_UNVERIFIED && args->verbosity >= 0)
            fprintf(args->err, "  jumps take time: a contact approaches at %.2g m/s while time runs\n", found.loose_speed);
        const struct output_origin origin = problem_origin(args, problem, NULL);
        struct result *result = solved_result(&origin, &problem->solver, &found, problem->output.points);
        if (st == STATUS_OK || st == STATUS_ACCEPTABLE)
            st = judge_between(args, &found, result, st);
        const enum status written = output_file_write(args, result, diag);
        if (written == STATUS_OK)
            print_outcome(args, problem, &found);
        else
            st = written;
    }
    solve_result_free(&found);
    scenario_problems_free(&scenarios);
    guess_free(guess);
    if (args->verify && (st == STATUS_OK || st == STATUS_ACCEPTABLE)) {
        struct cli_args judged = *args;         /* here the spec is the user's own: its tolerances are, too */
        judged.tol = isnan(args->tol) ? problem->verify.tol : args->tol;
        judged.floor = problem->verify.floor;
        const enum status verified = verification_run(&judged, args->out_path, diag);
        st = verified != STATUS_OK ? verified : st;
    }
    return st;
}

enum status cmd_solve(const struct cli_args *args, struct diag *diag)
{
    return spec_command_unless_done(args, MODEL_FOR_SOLVE, "solved", solve, diag);
}
