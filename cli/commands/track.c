#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/output_file.h"
#include "cli/outputs/line.h"
#include "cli/outputs/progress.h"
#include "cli/spec_command.h"
#include "cli/ticker.h"

#include "core/base/mem.h"
#include "transcription/judge/verified.h"
#include "transcription/track/track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- The plant ----------------------------------------------------------------------------------------------- */

static const struct spec_node *track_node(const struct problem *problem, const char *key)
{
    return spec_get(spec_get(spec_root(problem->spec), track_table.block), key);
}

/* The spec again, with what differs in the plant laid over it. */
static enum status read_plant(const struct cli_args *args, const struct problem *problem, struct arena *mem,
                              struct problem *plant, struct diag *diag)
{
    struct cli_args with = *args;
    struct spec_override *changed, *all;
    int n;
    *plant = (struct problem){ .spec = NULL };
    if (track_plant_read(track_node(problem, "plant"), mem, &n, &changed, diag) != STATUS_OK)
        return STATUS_SPEC;
    all = arena_alloc(mem, (size_t)(args->n_override + n), sizeof *all);
    if (args->n_override)
        memcpy(all, args->override, (size_t)args->n_override * sizeof *all);
    if (n)
        memcpy(all + args->n_override, changed, (size_t)n * sizeof *all);
    with.n_override = args->n_override + n;
    with.override = all;
    return problem_read(&with, MODEL_FOR_SOLVE, plant, diag);
}

static struct sim_task plant_task(const struct problem *plant)
{
    struct sim_task task;
    sim_task_init(&task, plant->model);
    task.rtol = plant->simulate.rtol;
    task.atol = plant->simulate.atol;
    task.max_events = plant->simulate.max_events;
    task.restitution = plant->simulate.impact_law == IMPACT_LAW_POISSON ? JUMP_POISSON : JUMP_NEWTON;
    task.interrupt = interrupt_flag();
    return task;
}

/* --- While it runs ------------------------------------------------------------------------------------------- */

static void show_plan(void *user, int k, const struct track_plan *plan)
{
    const struct cli_args *args = user;
    char text[120];
    (void)snprintf(text, sizeof text, "plan %d, at t = %.6g", k, plan->t);
    ticker_set(args->ticker, text);
    ticker_clear(args->ticker);
    if (args->verbosity >= 1 || (args->verbosity == 0 && !plan->is_used))
        fprintf(args->err, "%4d  t = %-10.6g %-11s objective %-12.8g events %-3d iter %-4d %.3fs%s%s\n", k, plan->t,
                status_text(plan->status), plan->objective, plan->n_event, plan->iterations, plan->cpu_seconds,
                *plan->reason ? "  " : "", plan->reason);
}

static void print_line(const struct cli_args *args, const struct problem *problem, const struct tracked *found)
{
    const struct line line = { args->out, args->json };
    line_begin(&line, NULL, status_text(found->status), found->status, problem->model->name);
    line_number(&line, "objective", args->json ? "%.17g" : "%.8g", found->objective);
    line_number(&line, "planned", args->json ? "%.17g" : "%.8g", found->open_loop);
    line_number(&line, "miss", "%.1e", found->miss);
    line_count(&line, "resolves", found->n_plan > 0 ? found->n_plan - 1 : 0);
    line_count(&line, "failed", found->n_failed);
    line_number(&line, "cpu_median", "%.4f", found->median);
    line_number(&line, "cpu_99", "%.4f", found->slow);
    line_number(&line, "cpu_worst", "%.4f", found->worst);
    line_number(&line, "time", "%.2f", found->seconds);
    line_end(&line, args->out_path);
}

/* --- The command --------------------------------------------------------------------------------------------- */

static enum status report(const struct cli_args *args, const struct problem *problem, const struct track_task *task,
                          const struct tracked *found, struct diag *diag)
{
    struct result *result = tracked_result(task->origin, task, found, problem->output.points);
    ticker_end(args->ticker);
    const enum status written = output_file_write(args, result, diag);
    if (written != STATUS_OK)
        return written;
    if (*found->failure && args->verbosity >= 0)
        fprintf(args->err, "%s: %s\n", args->input[0], found->failure);
    print_line(args, problem, found);
    return found->status;
}

static enum status run(const struct cli_args *args, struct problem *problem, struct problem *plant,
                       struct guess *guess, struct diag *diag)
{
    struct arena mem = { NULL };
    struct progress progress;
    struct tracked found;
    const size_t n_x = (size_t)problem->model->n_x;
    double *noise = arena_alloc(&mem, n_x, sizeof *noise), *disturbance = arena_alloc(&mem, n_x, sizeof *noise);
    const struct sim_task in_plant = plant_task(plant);
    const struct output_origin origin = problem_origin(args, problem, "track");
    const struct replay_settings judged = verified_settings(&problem->verify, &problem->simulate);
    progress_init(&progress, args, true);
    const struct track_task task = {
        .solve = { .model = problem->model, .discretization = &problem->discretization, .homotopy = &problem->homotopy,
                   .solver = &problem->solver, .guess = guess, .max_seconds = args->max_time, .judged = &judged,
                   .print_level = args->verbosity >= 2 ? 5 : 0, .interrupt = interrupt_flag(), .jobs = args->jobs,
                   .hooks = { progress_note, progress_headline, progress_step, progress_iteration, &progress } },
        .finish = &problem->finish, .settings = &problem->track, .noise = noise, .disturbance = disturbance,
        .plant = &in_plant, .origin = &origin, .on_plan = show_plan, .user = (void *)args
    };
    (void)track_sizes_read(track_node(problem, "noise"), problem->model, noise, diag);          /* checked before */
    (void)track_sizes_read(track_node(problem, "disturbance"), problem->model, disturbance, diag);
    enum status st = track_run(&task, &found, diag);
    if (st == STATUS_OK)
        st = report(args, problem, &task, &found, diag);
    tracked_free(&found);
    arena_free(&mem);
    return st;
}

/* Its plans are made for one model. */
static enum status refuse_scenarios(struct problem *problem, struct diag *diag)
{
    struct arena mem = { NULL };
    struct scenarios list;
    const struct spec_node *root = spec_root(problem->spec);
    const enum status st = scenarios_read(root, problem->model, &problem->scenarios, &mem, &list, diag);
    arena_free(&mem);
    if (st != STATUS_OK || list.n == 0)
        return st;
    return spec_error(diag, spec_get(root, scenario_table.block), "track makes its plans for the spec as written: write "
                      "number: 0, or --set scenarios.number=0; a plan for all of them is made by solve");
}

static enum status track(const struct cli_args *args, struct problem *problem, struct diag *diag)
{
    struct arena mem = { NULL };
    struct problem plant;
    struct guess *guess = NULL;
    enum status st = refuse_scenarios(problem, diag);
    plant = (struct problem){ .spec = NULL };
    if (st == STATUS_OK)
        st = read_plant(args, problem, &mem, &plant, diag);
    if (st == STATUS_OK)
        st = problem_read_guess(args, problem, &guess, diag);
    if (st == STATUS_OK)
        st = run(args, problem, &plant, guess, diag);
    guess_free(guess);
    problem_free(&plant);
    arena_free(&mem);
    return st;
}

enum status cmd_track(const struct cli_args *args, struct diag *diag)
{
    return spec_command_unless_done(args, MODEL_FOR_SOLVE, "solved", track, diag);
}
