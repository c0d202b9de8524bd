#include "cli/commands.h"
#include "cli/commands/direct.h"
#include "cli/interrupt.h"
#include "cli/output_file.h"
#include "cli/outputs/line.h"
#include "cli/spec_command.h"
#include "cli/ticker.h"
#include "core/base/stop.h"

#include "core/model/read/read.h"
#include "transcription/report/stepped.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- What is to be done -------------------------------------------------------------------------------------- */

static const struct spec_node *simulate_node(const struct problem *problem, const char *key)
{
    return spec_get(spec_get(spec_root(problem->spec), simulate_table.block), key);
}

/* Switch detection moves the grid: schemes for fixed ones do not go with it. */
static enum status check_scheme(const struct problem *problem, struct diag *diag)
{
    const struct discretization *settings = &problem->discretization;
    const struct spec_node *block = spec_get(spec_root(problem->spec), "discretization");
    if (settings->method == METHOD_TIME_STEPPING || settings->scheme == RK_RADAU_IIA
        || settings->scheme == RK_GAUSS_LEGENDRE)
        return STATUS_OK;
    return spec_error(diag, spec_get(block, "scheme"), "works on fixed grids only; method %s needs radau-iia or "
                      "gauss-legendre", method_name((enum method)settings->method));
}

/* Steps of a scheme know no memory of relays and machines. */
static enum status refuse_memory(const struct problem *problem, struct diag *diag)
{
    const struct model *model = problem->model;
    const char *said = "is simulated from event to event alone (--method event)";
    if (problem->simulate.method == SIMULATE_EVENT)
        return STATUS_OK;
    if (model->time.n_phase)
        return diag_error(diag, model->time.phase[0].pos, model->time.phase[0].path, "%s", said);
    if (model->impulses.n_impulse)
        return diag_error(diag, model->impulses.impulse[0].var.pos, model->impulses.impulse[0].var.path, "%s",
                          said);
    if (model->switching.n_machine)
        return diag_error(diag, model->switching.machine[0].pos, model->switching.machine[0].path, "%s", said);
    return model->switching.n_hysteresis
           ? diag_error(diag, model->switching.hysteresis[0].pos, model->switching.hysteresis[0].path, "%s", said)
           : STATUS_OK;
}

/* Controls that are given are not chosen so that a side is 0. */
static enum status refuse_complementarity(const struct model *model, struct diag *diag)
{
    if (model->constraints.n_pair == 0)
        return STATUS_OK;
    return diag_error(diag, model->constraints.pair[0].pos, model->constraints.pair[0].path,
                      "is for `solve`, which chooses controls so that one side "
                      "is 0; a simulation moves as its controls say. Where H determines the force, leave G out, and write "
                      "%s.lambda for it in rhs, force and H; --set 'complementarity={}' leaves all out",
                      model->constraints.pair[0].name);
}

/* The method of `simulate`, else that of `discretization`, which is then the one to use. */
static enum status choose_method(struct problem *problem, struct diag *diag)
{
    int *method = &problem->discretization.method;
    switch ((enum simulate_method)problem->simulate.method) {
    case SIMULATE_FESD:             *method = METHOD_FESD; break;
    case SIMULATE_FESD_J:           *method = METHOD_FESD_J; break;
    case SIMULATE_TIME_FREEZING:    *method = METHOD_TIME_FREEZING; break;
    case SIMULATE_TIME_STEPPING:    *method = METHOD_TIME_STEPPING; break;
    case SIMULATE_EVENT:
    case SIMULATE_MOREAU:
    case SIMULATE_STEWART_TRINKLE:
        return STATUS_OK;
    }
    return check_scheme(problem, diag);
}

static enum status choose_steps(const struct problem *problem, int *steps, struct diag *diag)
{
    *steps = problem->simulate.steps;
    if (problem->simulate.method == SIMULATE_EVENT)
        return STATUS_OK;
    if (*steps == SETTING_AUTO_INT)
        *steps = problem->model->time.n_intervals;
    if (*steps > 0)
        return STATUS_OK;
    return diag_error(diag, problem->model->time.horizon_pos, "simulate.steps",
                      "is missing, as is time.intervals in its "
                      "place");
}

/* --controls, or simulate.controls: expressions that take the controls' place, or the name of a table. */
static enum status read_controls(const struct cli_args *args, struct problem *problem, struct arena *mem,
                                 expr *u_expr, struct control_table **table, struct diag *diag)
{
    const struct spec_node *node = simulate_node(problem, "controls");
    *table = NULL;
    for (int k = 0; k < problem->model->n_u; k++)
        u_expr[k] = EXPR_NONE;
    if (args->controls_path)
        return control_table_read(problem->model, args->controls_path, table, diag);
    if (!node)
        return STATUS_OK;
    if (node->kind != SPEC_SCALAR)
        return model_replace_controls(problem->model, node, u_expr, diag);
    return control_table_read(problem->model, problem_path_beside(args, node->text, mem), table, diag);
}

/* Continuous controls start where the table says, where the spec says, or at their guess. */
static void start_held(struct model *model, const struct control_table *table)
{
    for (int i = 0; i < model->n_x; i++) {
        struct model_end *initial = &model->x[i].initial;
        if (!model_find_held(model, i) || initial->kind == END_FIXED)
            continue;
        const double given = table ? table->start[i] : NAN, start = isnan(given) ? model_var_guess(&model->x[i]) : given;
        *initial = (struct model_end){ END_FIXED, start, start, initial->pos };
    }
}

/* Impulses are what the table says, or their guess. */
static void set_impulses(struct model *model, const struct control_table *table)
{
    for (int k = 0; k < model->impulses.n_param && table; k++)
        if (!isnan(table->impulse[k]))
            model->param[model->n_param - model->impulses.n_param + k].value = table->impulse[k];
}

/* --- While it runs ------------------------------------------------------------------------------------------- */

struct watcher { const struct cli_args *args; int n; };

static void show_step(void *user, const struct simulate_step *step)
{
    struct watcher *watcher = user;
    watcher->n++;
    char text[120];
    (void)snprintf(text, sizeof text, "step %d, to t = %.6g", watcher->n, step->t_end);
    ticker_set(watcher->args->ticker, text);
    ticker_clear(watcher->args->ticker);
    if (watcher->args->verbosity >= 1)
        fprintf(watcher->args->err,
                "%4d  t = %.6g to %.6g  elements %d  sigma %.1e  comp %.1e  viol %.1e  iter %d  %.2fs  %s\n",
                watcher->n, step->t_start, step->t_end, step->n_element, step->sigma, step->complementarity,
                step->violation, step->iterations, step->seconds, status_text(step->status));
}

static void show_note(void *user, const char *text)
{
    const struct watcher *watcher = user;
    ticker_clear(watcher->args->ticker);
    if (watcher->args->verbosity >= 0)
        fprintf(watcher->args->err, "%s\n", text);
}

/* --- The command --------------------------------------------------------------------------------------------- */

static struct simulation set_up(const struct cli_args *args, const struct problem *problem, int steps,
                                struct watcher *watcher)
{
    struct simulation sim;
    simulation_init(&sim, problem->model);
    sim.discretization = &problem->discretization;
    sim.homotopy = &problem->homotopy;
    sim.steps = steps;
    sim.max_seconds = args->max_time;
    sim.interrupt = interrupt_flag();
    sim.n_option = problem->solver.n_option;
    sim.option = problem->solver.option;
    sim.print_level = args->verbosity >= 2 ? 5 : 0;
    sim.on_step = show_step;
    sim.on_note = show_note;
    sim.user = watcher;
    return sim;
}

static enum status report(const struct cli_args *args, struct problem *problem, const struct simulate_result *found,
                          struct diag *diag)
{
    const struct output_origin origin = problem_origin(args, problem, NULL);
    const enum status st = output_file_write(
        args, stepped_result(&origin, &problem->solver, found, problem->output.points), diag);
    if (st != STATUS_OK)
        return st;
    if (found->failure && args->verbosity >= 0)
        fprintf(args->err, "%s: %s\n", args->input[0], found->failure);
    run_line_print(args->out, &(struct run_line){
        .status = found->status, .name = problem->model->name, .objective = NAN,
        .complementarity = found->complementarity, .infeasibility = found->violation, .error = NAN,
        .steps = found->n_step, .iterations = found->iterations, .seconds = found->seconds, .out_path = args->out_path }, args->json);
    return found->status;
}

static bool is_by_program(const struct problem *problem)
{
    const int method = problem->simulate.method;
    return method != SIMULATE_EVENT && method != SIMULATE_MOREAU && method != SIMULATE_STEWART_TRINKLE;
}

/* --samples is for methods that take many runs in their stride. */
static enum status check_bundle(const struct cli_args *args, const struct problem *problem,
                                struct perturbation **perturbed, struct diag *diag)
{
    *perturbed = NULL;
    if (is_by_program(problem) && (args->samples > 0 || args->n_perturb > 0))
        return diag_fail(diag, STATUS_USAGE,
                         "--samples and --perturb go with --method event, moreau and stewart-trinkle");
    if (args->impacts && problem->simulate.method != SIMULATE_EVENT)
        return diag_fail(diag, STATUS_USAGE, "--impacts goes with --method event");
    return perturb_read(args, problem->model, perturbed, diag);
}

/* By a program for each step. */
static enum status simulate_by_program(const struct cli_args *args, struct problem *problem, int steps,
                                       const struct control_table *table, const expr *u_expr, struct diag *diag)
{
    struct simulate_result found = { .record = NULL };
    struct watcher watcher = { args, 0 };
    struct simulation sim = set_up(args, problem, steps, &watcher);
    sim.controls = table;
    sim.u_expr = u_expr;
    stop_keep();
    enum status st = simulate_run(&sim, &found, diag);
    if (st != STATUS_SPEC && st != STATUS_USAGE && st != STATUS_INTERNAL)
        st = report(args, problem, &found, diag);
    simulate_result_free(&found);
    return st;
}

static enum status simulate(const struct cli_args *args, struct problem *problem, struct diag *diag)
{
    struct arena mem = { NULL };
    expr *u_expr = arena_alloc(&mem, (size_t)problem->model->n_u, sizeof *u_expr);
    double *x = arena_alloc(&mem, (size_t)problem->model->n_x, sizeof *x);
    struct control_table *table = NULL;
    struct perturbation *perturbed = NULL;
    int steps = 0;
    enum status st = refuse_memory(problem, diag);
    if (st == STATUS_OK)
        st = refuse_complementarity(problem->model, diag);
    if (st == STATUS_OK)
        st = choose_method(problem, diag);
    if (st == STATUS_OK)
        st = choose_steps(problem, &steps, diag);
    if (st == STATUS_OK)
        st = check_bundle(args, problem, &perturbed, diag);
    if (st == STATUS_OK)
        st = read_controls(args, problem, &mem, u_expr, &table, diag);
    table = control_table_with_steps(problem->model, table);
    start_held(problem->model, table);
    set_impulses(problem->model, table);
    if (st == STATUS_OK && is_by_program(problem)) {
        st = simulate_by_program(args, problem, steps, table, u_expr, diag);
    } else if (st == STATUS_OK) {
        const struct direct_run run = { args, problem, table, u_expr, x, steps, perturbed };
        st = model_initial_state(problem->model, x, diag);
        if (st == STATUS_OK)
            st = direct_simulate(&run, diag);
    }
    free(perturbed);
    control_table_free(table);
    arena_free(&mem);
    return st;
}

enum status cmd_simulate(const struct cli_args *args, struct diag *diag)
{
    return spec_command_unless_done(args, MODEL_FOR_SIMULATE, "solved", simulate, diag);
}
