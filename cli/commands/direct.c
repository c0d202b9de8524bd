#include "cli/commands/direct.h"

#include "cli/interrupt.h"
#include "cli/output_file.h"
#include "cli/outputs/line.h"
#include "cli/spec_command.h"
#include "cli/ticker.h"
#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/stop.h"
#include "core/impact/sampled_law.h"
#include "core/simulation/until.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- A run --------------------------------------------------------------------------------------------------- */

/* What came out, of either simulator. */
struct direct {
    struct output_run groups;        /* borrows the next two */
    struct sim *sim;
    struct stepping *steps;
    enum status status;
    const char *message;            /* or NULL; borrowed */
    int n_steps, iterations;        /* -1: none */
    double seconds;
};

static void direct_free(struct direct *found)
{
    sim_free(found->sim);
    stepping_free(found->steps);
}

static void show_note(void *user, const char *text)
{
    const struct direct_run *run = user;
    ticker_clear(run->args->ticker);
    if (run->args->verbosity >= 0)
        fprintf(run->args->err, "%s: %s\n", run->args->input[0], text);
}

static struct sim_controls controls_of(const struct direct_run *run)
{
    const struct control_table *table = run->controls;
    return table ? (struct sim_controls){ table->n, table->t, table->u } : (struct sim_controls){ .n = 0 };
}

/* n is the number of the run, of which 0 has its notes shown. */
static struct sim_task task_of(const struct direct_run *run, int n, const double *x_initial,
                               struct sampled_law *law)
{
    const struct problem *problem = run->problem;
    const struct simulate_settings *settings = &problem->simulate;
    const enum jump_law restitution = settings->impact_law == IMPACT_LAW_POISSON ? JUMP_POISSON : JUMP_NEWTON;
    *law = (struct sampled_law){ .settings = &problem->impact, .n_dir_3d = problem->discretization.directions,
                                 .run = n, .restitution = restitution };
    struct sim_task task;
    sim_task_init(&task, problem->model);
    task.x_initial = x_initial;
    task.u_expr = run->u_expr;
    task.rtol = settings->rtol;
    task.atol = settings->atol;
    task.max_events = settings->max_events;
    task.max_seconds = run->args->max_time;
    task.restitution = restitution;
    task.law = run->args->impacts ? sampled_law_apply : NULL;
    task.law_user = law;
    task.interrupt = interrupt_flag();
    task.on_note = n == 0 ? show_note : NULL;
    task.user = (void *)run;
    task.controls = controls_of(run);
    return task;
}

/* Phases that end by a condition get the lengths that a simulation gives them, unless the table of
 * controls says which phase is when. */
static enum status find_lengths(const struct direct_run *run, struct diag *diag)
{
    struct model *model = run->problem->model;
    struct sampled_law law;
    struct sim_task task = task_of(run, 0, run->x_initial, &law);
    const struct sim_controls *rows = &task.controls;
    if (!model_has_until(model) || (rows->n > 0 && !isnan(rows->u[model->time.phase[0].u])))
        return STATUS_OK;
    if (run->args->samples > 0)
        return diag_error(diag, model->time.phase[0].pos, "phases",
                          "phases that end by a condition end at other times in each sample: "
                          "without --samples, or with machines in place of phases");
    task.on_note = NULL;
    double *p = mem_alloc((size_t)model->n_p, sizeof *p);
    model_p_guess(model, p);
    const enum status st = sim_find_lengths(&task, p, diag);
    if (st == STATUS_OK)
        model_set_lengths(model, p);
    free(p);
    return st;
}

/* From event to event. */
static enum status run_events(const struct direct_run *run, int n, const double *x_initial, struct direct *found,
                              struct diag *diag)
{
    struct sampled_law law;
    const struct sim_task task = task_of(run, n, x_initial, &law);
    const double start = clock_seconds();
    const enum status st = sim_run(&task, &found->sim, diag);
    if (!found->sim)
        return st;
    found->status = sim_status(found->sim);
    found->message = sim_message(found->sim);
    found->n_steps = sim_n_pieces(found->sim);
    found->seconds = clock_seconds() - start;
    return STATUS_OK;
}

static enum status run_steps(const struct direct_run *run, const double *x_initial, struct direct *found,
                             struct diag *diag)
{
    const struct problem *problem = run->problem;
    const struct stepping_task task = {
        .model = problem->model, .x_initial = x_initial, .t_end = problem->model->time.horizon,
        .n_steps = run->steps,
        .scheme = problem->simulate.method == SIMULATE_MOREAU ? STEPPING_MOREAU : STEPPING_STEWART_TRINKLE,
        .max_seconds = run->args->max_time, .interrupt = interrupt_flag(), .controls = controls_of(run)
    };
    const enum status st = stepping_run(&task, &found->steps, diag);
    if (!found->steps)
        return st;
    found->status = found->steps->status;
    found->message = found->steps->message;
    found->n_steps = found->steps->n;
    found->iterations = found->steps->n_pivots;
    found->seconds = found->steps->seconds;
    return STATUS_OK;
}

/* direct_free it, whatever came back; STATUS_OK if there is a run, however it ended. */
static enum status run_once(const struct direct_run *run, int n, const double *x_initial, struct direct *found,
                            struct diag *diag)
{
    *found = (struct direct){ .iterations = -1 };
    const enum status st = run->problem->simulate.method == SIMULATE_EVENT ? run_events(run, n, x_initial, found, diag)
                                                                           : run_steps(run, x_initial, found, diag);
    found->groups = (struct output_run){ .model = run->problem->model, .u_expr = run->u_expr,
                                        .controls = controls_of(run), .sim = found->sim, .steps = found->steps };
    return st;
}

/* --- A bundle ------------------------------------------------------------------------------------------------ */

/* STATE=SIZE */
static enum status read_perturbation(const struct model *model, const char *text, struct perturbation *out,
                                     struct diag *diag)
{
    const char *equals = strchr(text, '=');
    char *end = NULL;
    const double size = equals ? strtod(equals + 1, &end) : NAN;
    if (!equals || equals == text || end == equals + 1 || *end || !(size >= 0) || isinf(size))
        return diag_fail(diag, STATUS_USAGE, "--perturb wants STATE=SIZE with SIZE a number >= 0, got \"%s\"",
                         text);
    struct arena mem = { NULL };
    const char *word = arena_printf(&mem, "%.*s", (int)(equals - text), text);
    const char **names = arena_alloc(&mem, (size_t)model->n_x, sizeof *names);
    enum status st = STATUS_OK;
    *out = (struct perturbation){ -1, size };
    for (int i = 0; i < model->n_x; i++) {
        names[i] = model->x[i].name;
        out->state = strcmp(names[i], word) == 0 ? i : out->state;
    }
    if (out->state < 0) {
        const char *near = spec_suggest(word, model->n_x, names);
        st = diag_fail(diag, STATUS_USAGE, "--perturb: no state is called \"%s\"%s%s%s", word,
                       near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "");
    }
    arena_free(&mem);
    return st;
}

enum status perturb_read(const struct cli_args *args, const struct model *model, struct perturbation **out,
                         struct diag *diag)
{
    *out = NULL;
    if (args->samples > 0 && args->n_perturb == 0 && !args->impacts)
        return diag_fail(diag, STATUS_USAGE, "--samples wants something that differs: --perturb STATE=SIZE, or "
                         "--impacts set");
    if (args->samples == 0 && args->n_perturb > 0)
        return diag_fail(diag, STATUS_USAGE, "--perturb wants the number of runs: --samples N");
    struct perturbation *list = mem_alloc((size_t)args->n_perturb, sizeof *list);
    enum status st = STATUS_OK;
    for (int k = 0; k < args->n_perturb && st == STATUS_OK; k++)
        st = read_perturbation(model, args->perturb[k], &list[k], diag);
    if (st == STATUS_OK)
        *out = list;
    else
        free(list);
    return st;
}

/* Run 0 is the trajectory itself, sample k of the bundle run k + 1. */
static enum status sample(void *user, int k, const double *x_initial, const struct output_times *times,
                          struct trajectory *points, int *n_events, struct diag *diag)
{
    struct direct found;
    enum status st = run_once(user, k + 1, x_initial, &found, diag);
    if (st == STATUS_OK) {
        output_run_add_times(&found.groups, times, points);
        *n_events = output_run_n_events(&found.groups);
        st = found.status;
    }
    direct_free(&found);
    return st;
}

static enum status write_bundle(const struct direct_run *run, struct result *result, struct diag *diag)
{
    const struct problem *problem = run->problem;
    const struct bundle_task bundle = {
        .model = problem->model, .u_expr = problem->simulate.method == SIMULATE_EVENT ? NULL : run->u_expr,
        .x_initial = run->x_initial, .n_samples = run->args->samples, .n_perturbed = run->args->n_perturb,
        .perturbed = run->perturbed, .t_end = problem->model->time.horizon, .seed = problem->homotopy.seed,
        .n_points = problem->output.points, .interrupt = interrupt_flag(), .sample = sample, .user = (void *)run
    };
    return bundle_run(&bundle, result, diag);
}

/* --- The result ---------------------------------------------------------------------------------------------- */

static void write_effort(const struct direct_run *run, const struct direct *found, struct result *result)
{
    struct result_group *group = result_group(result, "/solver");
    result_set_int(group, "steps", found->n_steps);
    if (found->sim) {
        result_set_int(group, "events", sim_n_events(found->sim));
        result_set_int(group, "zeno_impacts", sim_n_resolved(found->sim));
        if (run->args->impacts)
            result_set_text(group, "impacts", run->args->impacts);
    } else {
        result_set_int(group, "n_lcp", found->steps->n_lcp);
        result_set_int(group, "pivots", found->steps->n_pivots);
        result_set_int(group, "newton_iterations", found->steps->n_newton);
    }
    result_set_double(group, "time_total", found->seconds);
}

static void report(const struct direct_run *run, const struct direct *found, enum status st)
{
    if (found->message && run->args->verbosity >= 0)
        fprintf(run->args->err, "%s: %s\n", run->args->input[0], found->message);
    for (int k = 0; found->sim && k < sim_n_events(found->sim) && run->args->verbosity >= 1; k++) {
        const struct sim_event *event = sim_event_at(found->sim, k);
        fprintf(run->args->err, "%4d  t = %-17.12g %-9s %s\n", k + 1, event->t, sim_kind_text(event->kind),
                sim_subject_name(found->sim, event->subject));
    }
    run_line_print(run->args->out, &(struct run_line){
        .status = st, .name = run->problem->model->name, .objective = NAN, .complementarity = NAN,
        .infeasibility = NAN, .error = NAN, .steps = found->n_steps, .iterations = found->iterations,
        .seconds = found->seconds, .out_path = run->args->out_path }, run->args->json);
}

/* The status of the run, else the worst of the bundle's; a bundle that cannot start leaves no file. */
static enum status write_result(const struct direct_run *run, const struct direct *found, struct diag *diag)
{
    struct problem *problem = run->problem;
    const struct output_origin origin = problem_origin(
        run->args, problem, simulate_method_name((enum simulate_method)problem->simulate.method));
    const struct output_head head = { found->status, NAN, NAN, NAN, found->message };
    struct result *result = output_begin(&origin, &head, NULL);
    const enum status bundled = run->args->samples > 0 ? write_bundle(run, result, diag) : STATUS_OK;
    const enum status st = found->status == STATUS_OK ? bundled : found->status;
    if (bundled == STATUS_SPEC) {
        result_free(result);
        return st;
    }
    output_set_status(result, st);
    output_run_write(&found->groups, problem->output.points, result);
    output_write_spec(&origin, result);
    write_effort(run, found, result);
    const enum status written = output_file_write(run->args, result, diag);
    if (written != STATUS_OK)
        return written;
    report(run, found, st);
    return st;
}

/* Both schemes restore velocities as Newton does. */
static enum status check_law(const struct problem *problem, struct diag *diag)
{
    const struct spec_node *block = spec_get(spec_root(problem->spec), simulate_table.block);
    if (problem->simulate.method == SIMULATE_EVENT || problem->simulate.impact_law == IMPACT_LAW_NEWTON)
        return STATUS_OK;
    return spec_error(diag, spec_get(block, "impact_law"), "%s has Newton's restitution alone; event has both",
                      simulate_method_name((enum simulate_method)problem->simulate.method));
}

enum status direct_simulate(const struct direct_run *run, struct diag *diag)
{
    struct direct found;
    if (check_law(run->problem, diag) != STATUS_OK)
        return STATUS_SPEC;
    stop_keep();
    enum status st = find_lengths(run, diag);
    if (st != STATUS_OK)
        return st;
    st = run_once(run, 0, run->x_initial, &found, diag);
    if (st == STATUS_OK)
        st = write_result(run, &found, diag);
    direct_free(&found);
    return st;
}
