#include "cli/event_simulation.h"

#include "cli/bundle.h"
#include "cli/sampled_law.h"
#include "cli/interrupt.h"
#include "cli/outcome.h"
#include "cli/result_parts.h"
#include "cli/trajectory.h"
#include "core/base/clock.h"
#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_INSIDE = 4 };         /* points of /trajectory between the ends of a piece */

static void show_note(void *user, const char *text)
{
    const struct simulate_run *run = user;
    if (run->args->verbosity >= 0)
        fprintf(stderr, "%s: %s\n", run->args->input[0], text);
}

/* The law of run r, for --impacts set. */
static struct sampled_law make_law(const struct simulate_run *run, int r)
{
    const struct problem *problem = run->problem;
    return (struct sampled_law){
        .settings = &problem->impact, .n_dir_3d = problem->discretization.directions, .run = r,
        .restitution = problem->simulate.impact_law == IMPACT_LAW_POISSON ? JUMP_POISSON : JUMP_NEWTON
    };
}

/* law is used with --impacts set alone. */
static struct sim_task set_up(const struct simulate_run *run, const double *x_initial, struct sampled_law *law)
{
    const struct simulate_settings *settings = &run->problem->simulate;
    struct sim_task task;
    sim_task_init(&task, run->problem->model);
    task.x_initial = x_initial;
    task.u_expr = run->u_expr;
    task.rtol = settings->rtol;
    task.atol = settings->atol;
    task.max_events = settings->max_events;
    task.max_seconds = run->args->max_time;
    task.restitution = settings->impact_law == IMPACT_LAW_POISSON ? JUMP_POISSON : JUMP_NEWTON;
    if (run->args->impacts) {
        task.law = sampled_law_apply;
        task.law_user = law;
    }
    task.interrupt = interrupt_flag();
    task.on_note = show_note;
    task.user = (void *)run;
    if (run->controls)
        task.controls = (struct sim_controls){ run->controls->n, run->controls->t, run->controls->u };
    return task;
}

/* --- Points of time ------------------------------------------------------------------------------------------ */

struct point { double *x, *u, *force; struct sim_contact *contact; };   /* scratch */

static struct point point_create(const struct model *model)
{
    const size_t n_c = (size_t)model->n_contact;
    return (struct point){mem_alloc((size_t)model->n_x, sizeof(double)),
                          mem_alloc((size_t)model->n_u, sizeof(double)), mem_alloc(3 * n_c, sizeof(double)),
                          mem_alloc(n_c, sizeof(struct sim_contact))};
}

static void point_free(struct point *at)
{
    free(at->x);
    free(at->u);
    free(at->force);
    free(at->contact);
}

static void add_point(const struct sim *sim, int n_contact, int piece, double t, int side, struct point *at,
                      struct trajectory *to)
{
    sim_eval_x(sim, piece, t, at->x);
    sim_eval_u(sim, piece, t, at->u);
    sim_eval_contacts(sim, piece, t, at->contact);
    for (int c = 0; c < n_contact; c++) {
        at->force[3 * c] = at->contact[c].lambda_n;
        at->force[3 * c + 1] = at->contact[c].lambda_t[0];
        at->force[3 * c + 2] = at->contact[c].lambda_t[1];
    }
    trajectory_add(to, t, piece, side, at->x, at->u, at->force);
}

/* Does something happen at t? Events ascend; *next moves on with t. */
static bool has_event(const struct sim *sim, double t, int *next)
{
    while (*next < sim_n_events(sim) && sim_event_at(sim, *next)->t < t)
        ++*next;
    return *next < sim_n_events(sim) && sim_event_at(sim, *next)->t == t;
}

/* Every piece with a few points inside; both limits where something happens. */
static void add_pieces(const struct sim *sim, const struct model *model, struct trajectory *to)
{
    struct point at = point_create(model);
    int next = 0;
    for (int k = 0; k < sim_n_pieces(sim); k++) {
        const struct sim_piece piece = sim_piece_at(sim, k);
        const double length = piece.t_end - piece.t_start;
        if (k == 0 || has_event(sim, piece.t_start, &next))
            add_point(sim, model->n_contact, k, piece.t_start, k == 0 ? 0 : 1, &at, to);
        for (int i = 1; i <= POINTS_INSIDE; i++)
            add_point(sim, model->n_contact, k, piece.t_start + length * i / (POINTS_INSIDE + 1), 0, &at, to);
        add_point(sim, model->n_contact, k, piece.t_end, has_event(sim, piece.t_end, &next) ? -1 : 0, &at, to);
    }
    point_free(&at);
}

void event_add_times(const struct sim *sim, const struct model *model, const struct bundle_times *times,
                     struct trajectory *to)
{
    struct point at = point_create(model);
    const double end = sim_t_end(sim);
    for (int k = 0; k < times->n && sim_n_pieces(sim) > 0 && times->t[k] <= end * (1 + 1e-12); k++)
        add_point(sim, model->n_contact, sim_find_piece(sim, times->t[k], 1), times->t[k], 0, &at, to);
    point_free(&at);
}

/* Run 0 is the trajectory itself, sample k of the bundle run k + 1. */
static enum status sample(void *user, int k, const double *x_initial, const struct bundle_times *times,
                          struct trajectory *points, int *n_events, struct diag *diag)
{
    struct sampled_law law = make_law(user, k + 1);
    struct sim_task task = set_up(user, x_initial, &law);
    struct sim *sim;
    task.on_note = NULL;
    enum status st = sim_run(&task, &sim, diag);
    if (sim) {
        event_add_times(sim, task.model, times, points);
        *n_events = sim_n_events(sim);
        st = sim_status(sim);
    }
    sim_free(sim);
    return st;
}

/* --- The result ---------------------------------------------------------------------------------------------- */

static void write_trajectory(const struct simulate_run *run, const struct sim *sim, struct result *result)
{
    const struct model *model = run->problem->model;
    const int n = run->problem->output.points;
    const double start = sim_t_start(sim), end = sim_t_end(sim);
    struct trajectory *points = trajectory_create(model, NULL, NULL);
    double *t = mem_alloc((size_t)n, sizeof *t);
    add_pieces(sim, model, points);
    trajectory_write(points, result);
    for (int k = 0; k < n; k++)
        t[k] = start + (end - start) * k / (n - 1);
    trajectory_clear(points);
    event_add_times(sim, model, &(struct bundle_times){ n, t }, points);
    if (trajectory_n(points) > 1)
        trajectory_write_uniform(points, result, "/uniform");
    free(t);
    trajectory_free(points);
}

static void write_events(const struct simulate_run *run, const struct sim *sim, struct result *result)
{
    const struct model *model = run->problem->model;
    const int n = sim_n_events(sim), n_name = model->n_contact + sim_n_switch(sim);
    struct sim_event *event = mem_alloc((size_t)n, sizeof *event);
    const char **name = mem_alloc((size_t)n_name, sizeof *name);
    for (int k = 0; k < n; k++)
        event[k] = *sim_event_at(sim, k);
    for (int k = 0; k < n_name; k++)
        name[k] = sim_subject_name(sim, k);
    trajectory_write_events(model, n, event, name, result);
    free(event);
    free(name);
}

/* Impulses of the contacts at the start of each piece. */
static void write_impulses(const struct model *model, const struct sim *sim, struct result_group *group,
                           int element)
{
    static const char *const name[] = { "impulse_n", "impulse_t", "impulse_t2" };
    const int n = sim_n_pieces(sim), n_c = model->n_contact;
    if (n_c == 0)
        return;
    const int axes[2] = { element, result_axis(group, "contact", n_c, NULL, NULL, NULL) };
    double *val = mem_alloc((size_t)(n * n_c), sizeof *val);
    for (int q = 0; q < 3; q++) {
        memset(val, 0, (size_t)(n * n_c) * sizeof *val);
        for (int k = 0; k < sim_n_events(sim); k++) {
            const struct sim_event *event = sim_event_at(sim, k);
            if (event->subject < n_c)
                val[sim_find_piece(sim, event->t, 1) * n_c + event->subject] += event->impulse[q];
        }
        result_doubles(group, name[q], 2, axes, val, "N s", "impulse at the start of the piece", NULL);
    }
    free(val);
}

/* The rows of controls, in the layout that --controls reads; not if an expression varies within them. */
static void write_intervals(const struct simulate_run *run, struct result_group *group)
{
    const struct model *model = run->problem->model;
    const struct control_table *table = run->controls;
    const int n = table ? table->n : 1, n_u = model->n_u;
    bool varies = n_u == 0;
    for (int k = 0; k < n_u; k++)
        varies = varies || run->u_expr[k] != EXPR_NONE;
    if (varies)
        return;
    const int axes[2] = { result_axis(group, "interval", n, NULL, NULL, NULL),
                          result_axis(group, "control", n_u, NULL, NULL, NULL) };
    double *u = mem_alloc((size_t)(n * n_u), sizeof *u);
    const char **name = mem_alloc((size_t)n_u, sizeof *name);
    for (int i = 0; i < n_u; i++) {
        name[i] = model->u[i].name;
        for (int k = 0; k < n; k++) {
            const double given = table ? table->u[k * n_u + i] : NAN;
            u[k * n_u + i] = !isnan(given) ? given : isnan(model->u[i].guess) ? 0 : model->u[i].guess;
        }
    }
    result_doubles(group, "t_interval", 1, axes, table ? table->t : &(double){0}, "s",
                   "start of the control interval", NULL);
    result_doubles(group, "u", 2, axes, u, NULL, "controls", NULL);
    result_texts(group, "control_name", 1, &axes[1], name, "order of the axis control");
    free(u);
    free(name);
}

/* /grid: the pieces. */
static void write_grid(const struct simulate_run *run, const struct sim *sim, struct result *result)
{
    static const char *const name[] = { "h", "t_start", "t_end" };
    const struct model *model = run->problem->model;
    const int n = sim_n_pieces(sim), n_x = model->n_x;
    struct result_group *group = result_group(result, "/grid");
    const int element = result_axis(group, "element", n, NULL, NULL, NULL);
    const int states[2] = { element, result_axis(group, "state", n_x, NULL, NULL, NULL) };
    double *val = mem_alloc((size_t)(n * (n_x + 1)), sizeof *val);
    for (int q = 0; q < 3; q++) {
        for (int k = 0; k < n; k++) {
            const struct sim_piece piece = sim_piece_at(sim, k);
            val[k] = q == 0 ? piece.t_end - piece.t_start : q == 1 ? piece.t_start : piece.t_end;
        }
        result_doubles(group, name[q], 1, &element, val, "s", q == 0 ? "length of the smooth piece" : NULL, NULL);
    }
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < n; k++) {
            const struct sim_piece piece = sim_piece_at(sim, k);
            sim_eval_x(sim, k, side ? piece.t_end : piece.t_start, val + k * n_x);
        }
        result_doubles(group, side ? "x_end" : "x_start", 2, states, val, NULL, NULL, NULL);
    }
    free(val);
    write_impulses(model, sim, group, element);
    write_intervals(run, group);
}

static void print_outcome(const struct simulate_run *run, const struct sim *sim, enum status st, double seconds)
{
    const struct outcome outcome = {
        .status = st, .name = run->problem->model->name, .objective = NAN, .complementarity = NAN,
        .infeasibility = NAN, .steps = sim_n_pieces(sim), .iterations = -1, .seconds = seconds,
        .out_path = run->out_path
    };
    if (sim_message(sim) && run->args->verbosity >= 0)
        fprintf(stderr, "%s: %s\n", run->args->input[0], sim_message(sim));
    for (int k = 0; k < sim_n_events(sim) && run->args->verbosity >= 1; k++) {
        const struct sim_event *event = sim_event_at(sim, k);
        fprintf(stderr, "%4d  t = %-17.12g %-9s %s\n", k + 1, event->t, sim_kind_text(event->kind),
                sim_subject_name(sim, event->subject));
    }
    outcome_print(&outcome, run->args->json, stdout);
}

static enum status write_bundle(const struct simulate_run *run, struct result *result, struct diag *diag)
{
    const struct problem *problem = run->problem;
    const struct bundle_task bundle = {
        .args = run->args, .model = problem->model, .u_expr = NULL, .x_initial = run->x_initial,
        .t_end = problem->model->horizon, .seed = problem->homotopy.seed, .n_points = problem->output.points,
        .sample = sample, .user = (void *)run
    };
    return run->args->samples > 0 ? bundle_run(&bundle, result, diag) : STATUS_OK;
}

static enum status write_result(const struct simulate_run *run, const struct sim *sim, double seconds,
                                struct diag *diag)
{
    const struct problem *problem = run->problem;
    struct result *result = result_create();
    struct result_group *root = result_group(result, "/"), *solver = result_group(result, "/solver");
    const enum status bundled = write_bundle(run, result, diag);
    enum status st = sim_status(sim) == STATUS_OK ? bundled : sim_status(sim);
    if (bundled != STATUS_SPEC) {
        write_head(run->args, problem, &(struct result_head){ st, NAN, NAN, NAN }, result);
        result_set_text(root, "method", simulate_method_name(SIMULATE_EVENT));
        if (sim_message(sim))
            result_set_text(root, "failure", sim_message(sim));
        write_parameters(problem, NULL, result);
        if (sim_n_pieces(sim) > 0) {
            write_trajectory(run, sim, result);
            write_grid(run, sim, result);
        }
        write_events(run, sim, result);
        write_spec(problem, result);
        result_set_int(solver, "steps", sim_n_pieces(sim));
        result_set_int(solver, "events", sim_n_events(sim));
        result_set_int(solver, "zeno_impacts", sim_n_resolved(sim));
        if (run->args->impacts)
            result_set_text(solver, "impacts", run->args->impacts);
        result_set_double(solver, "time_total", seconds);
        const enum status written = result_write(result, run->out_path, diag);
        if (written != STATUS_OK)
            st = written;
        else
            print_outcome(run, sim, st, seconds);
    }
    result_free(result);
    return st;
}

enum status event_simulate(const struct simulate_run *run, struct diag *diag)
{
    struct sampled_law law = make_law(run, 0);
    const struct sim_task task = set_up(run, run->x_initial, &law);
    const double start = clock_seconds();
    struct sim *sim;
    enum status st = sim_run(&task, &sim, diag);
    if (sim)
        st = write_result(run, sim, clock_seconds() - start, diag);
    sim_free(sim);
    return st;
}
