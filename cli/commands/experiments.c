#include "cli/commands/experiments.h"

#include "cli/interrupt.h"
#include "cli/output_file.h"
#include "cli/outputs/finished_output.h"
#include "cli/outputs/method_output.h"
#include "cli/outputs/progress.h"
#include "cli/ticker.h"
#include "cli/verification.h"
#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/stop.h"
#include "transcription/discover/experiments.h"
#include "transcription/judge/verified.h"
#include "transcription/report/fitted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct run {
    struct cli_args args;           /* the user's, with a name and a file of its own */
    struct problem problem;
    struct solve_task task;
    struct replay_settings judged;  /* of the task */
    double start;                   /* of its solve, by clock_seconds */
    struct finished finished;
    struct progress progress;
};

/* "fit.h5" and "run1" give "fit_run1.h5", with room for what a failed run is called. */
static char *path_of(const struct cli_args *args, const char *name, struct arena *mem)
{
    const char *slash = strrchr(args->out_path, '/'), *dot = strrchr(slash ? slash : args->out_path, '.');
    const int n = dot ? (int)(dot - args->out_path) : (int)strlen(args->out_path);
    const char *path = arena_printf(mem, "%.*s_%s%s", n, args->out_path, name, dot ? dot : "");
    return memcpy(arena_alloc(mem, strlen(path) + 1 + ARGS_OUT_ROOM, 1), path, strlen(path) + 1);
}

static enum status open_run(const struct cli_args *args, const char *name, struct run *run, struct arena *mem,
                            struct diag *diag)
{
    run->args = *args;
    run->args.experiment = name;
    run->args.out_path = args->out_path ? path_of(args, name, mem) : NULL;
    return problem_read(&run->args, MODEL_FOR_SOLVE, &run->problem, diag);
}

/* By itself, with parameters of its own. All are to be done by the deadline. */
static enum status solve_one(struct run *run, double deadline, struct diag *diag)
{
    struct problem *problem = &run->problem;
    const struct cli_args *args = &run->args;
    progress_init(&run->progress, args, true);
    run->start = clock_seconds();
    run->judged = verified_settings(&problem->verify, &problem->simulate);
    run->task = (struct solve_task){
        .model = problem->model, .discretization = &problem->discretization, .homotopy = &problem->homotopy,
        .solver = &problem->solver, .max_seconds = deadline - run->start, .judged = &run->judged,
        .print_level = args->verbosity >= 2 ? 5 : 0, .interrupt = interrupt_flag(), .jobs = args->jobs,
        .hooks = { progress_note, progress_headline, progress_step, progress_iteration, &run->progress }
    };
    if (args->verbosity >= 0)
        fprintf(args->err, "experiment %s:\n", args->experiment);
    const enum status st = solve_finished(&run->task, &problem->finish, &run->finished, diag);
    ticker_end(args->ticker);
    if (!run->finished.solution.best.solved && args->verbosity >= 0)
        fprintf(args->err, "experiment %s has no finished solution by itself\n", args->experiment);
    if (run->finished.solution.best.solved)
        return !solve_must_stop(&run->task, run->start) ? STATUS_OK : stop_asked() ? stop_status() : STATUS_LIMIT;
    return st != STATUS_OK ? st : STATUS_NUMERIC;
}

/* The same optimized parameters, in the same order. */
static enum status check_parameters(const struct run *run, int n, struct diag *diag)
{
    const struct model *first = run[0].problem.model;
    for (int k = 1; k < n; k++) {
        const struct model *model = run[k].problem.model;
        bool same = model->n_p == first->n_p && model->data.n_series > 0;
        for (int i = 0; i < first->n_p && same; i++)
            same = strcmp(model->param[model->p_param[i]].name, first->param[first->p_param[i]].name) == 0;
        if (!same)
            return diag_fail(diag, STATUS_SPEC, "data: %s and %s do not optimize the same parameters",
                             run[0].args.experiment, run[k].args.experiment);
    }
    return STATUS_OK;
}

/* Its result as `cocp verify` sees it, by the spec's own tolerances. */
static enum status verify(const struct run *run, struct diag *diag)
{
    struct cli_args judged = run->args;
    judged.tol = isnan(judged.tol) ? run->problem.verify.tol : judged.tol;
    judged.floor = run->problem.verify.floor;
    return verification_run(&judged, judged.out_path, diag);
}

/* Their joint solution. */
static enum status write_all(struct run *run, int n, const struct experiment *experiment, struct diag *diag)
{
    struct fit_part *part = mem_alloc((size_t)n, sizeof *part);
    struct fit *fit = experiments_fit(n, experiment, part);
    const struct joint_fit joint = { fit, n, part };
    enum status worst = STATUS_OK;
    for (int k = 0; k < n; k++) {
        enum status st = finished_output(&run[k].args, &run[k].problem, &run[k].finished, &joint, NULL, diag);
        if (st == STATUS_OK && run[k].args.verify)
            st = verify(&run[k], diag);
        worst = worst == STATUS_OK ? st : worst;
    }
    if (run[0].args.verbosity >= 0) {
        struct result *words = result_create();
        fitted_write(fit, n, part, words);
        finished_tell_lines("together: ", result_data_of(words, "/fit", "words"), run[0].args.err);
        result_free(words);
    }
    fit_free(fit);
    free(part);
    return worst;
}

/* Without a joint solution, what it came to by itself: with parameters of its own that
 * is no answer, st says why. */
static enum status write_own(struct run *run, enum status st, struct diag *diag)
{
    struct finished *finished = &run->finished;
    struct solution *own = &finished->solution;
    struct solve_result *discovery = &finished->record.discovery;
    if (!own->best.ph)
        return discovery->tr ? method_output(&run->args, &run->problem, discovery, st, NULL, diag) : st;
    if (own->status == STATUS_OK) {
        own->status = st;
        (void)snprintf(own->reason, sizeof own->reason, "its parameters are its own, %s",
                       st == STATUS_INTERRUPTED || st == STATUS_LIMIT ? "as there was no time for those of all experiments"
                                                                     : "as there are none for all experiments");
    }
    return finished_output(&run->args, &run->problem, finished, NULL, NULL, diag);
}

/* Of the n that were begun. Returns st, or the first failure to write. */
static enum status write_each(struct run *run, int n, enum status st, struct diag *diag)
{
    for (int k = 0; k < n; k++) {
        const enum status written = write_own(&run[k], st, diag);
        if (written == STATUS_IO)
            return written;
    }
    return st;
}

static enum status solve_together(struct run *run, int n, struct diag *diag)
{
    struct experiment *experiment = mem_alloc((size_t)n, sizeof *experiment);
    for (int k = 0; k < n; k++)
        experiment[k] = (struct experiment){ run[k].args.experiment, &run[k].task, &run[k].problem.finish,
                                             run[k].start, &run[k].finished };
    const enum status st = experiments_solve(n, experiment, diag);
    if (st == STATUS_NUMERIC && run[0].args.verbosity >= 0)
        fprintf(run[0].args.err, "the experiments have no solution with the same parameters near their own\n");
    const enum status written =
        st == STATUS_OK ? write_all(run, n, experiment, diag) : write_each(run, n, st, diag);
    free(experiment);
    return written;
}

static enum status solve_all(struct run *run, int n, struct diag *diag)
{
    const double deadline = clock_seconds() + run[0].args.max_time;
    for (int k = 0; k < n; k++) {
        const enum status st = solve_one(&run[k], deadline, diag);
        if (st != STATUS_OK)
            return write_each(run, k + 1, st, diag);
    }
    return solve_together(run, n, diag);
}

static void close_run(struct run *run)
{
    finished_free(&run->finished);
    problem_free(&run->problem);
}

enum status experiments_run(const struct cli_args *args, const struct problem *problem, struct diag *diag)
{
    const struct model *model = problem->model;
    const int n = model->data.n_experiment;
    struct arena mem = { NULL };
    struct run *run = arena_alloc(&mem, (size_t)n, sizeof *run);
    enum status st = STATUS_OK;
    int n_open = 0;
    if (args->call)
        st = diag_fail(diag, STATUS_USAGE, "several experiments leave a result each: the program writes them, a call of "
                       "the library keeps one");
    else if (problem->finish.use != FINISH_ON || args->guess_path)
        st = diag_fail(diag, STATUS_USAGE, "several experiments need finish: on, and find their own guesses");
    for (; n_open < n && st == STATUS_OK; n_open++)
        st = open_run(args, model->data.experiment[n_open], &run[n_open], &mem, diag);
    for (int k = 0; k < n && st == STATUS_OK && args->out_path; k++)
        st = output_file_check(&run[k].args, diag);         /* the files of all of them are known by now */
    if (st == STATUS_OK)
        st = check_parameters(run, n, diag);
    if (st == STATUS_OK)
        st = solve_all(run, n, diag);
    for (int k = 0; k < n_open; k++)
        close_run(&run[k]);
    arena_free(&mem);
    return st;
}

enum status experiments_check(const struct cli_args *args, const struct model *model, struct diag *diag)
{
    enum status worst = STATUS_OK;
    for (int k = 0; k < model->data.n_experiment; k++) {
        struct cli_args one = *args;
        struct problem problem;
        one.experiment = model->data.experiment[k];
        const enum status st = problem_read(&one, MODEL_FOR_CHECK, &problem, diag);
        worst = worst == STATUS_OK ? st : worst;
        problem_free(&problem);
    }
    return worst;
}
