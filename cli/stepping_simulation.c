#include "cli/stepping_simulation.h"

#include "cli/bundle.h"
#include "cli/interrupt.h"
#include "cli/outcome.h"
#include "cli/result_parts.h"
#include "cli/trajectory.h"
#include "core/base/mem.h"
#include "core/simulation/stepping.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct stepping_task set_up(const struct simulate_run *run, const double *x_initial)
{
    const struct problem *problem = run->problem;
    struct stepping_task task = {
        .model = problem->model, .x_initial = x_initial, .t_end = problem->model->horizon, .n_steps = run->steps,
        .scheme = problem->simulate.method == SIMULATE_MOREAU ? STEPPING_MOREAU : STEPPING_STEWART_TRINKLE,
        .max_seconds = run->args->max_time, .interrupt = interrupt_flag()
    };
    if (run->controls)
        task.controls = (struct sim_controls){ run->controls->n, run->controls->t, run->controls->u };
    return task;
}

/* --- Points of time --------------------------------------------------------------------------------------- */

/* Mean force over step k. */
static void mean_force(const struct stepping *found, int k, double *force)
{
    const int n = 3 * found->n_contact;
    for (int i = 0; i < n; i++)
        force[i] = found->impulse[k * n + i] / (found->t[k + 1] - found->t[k]);
}

/* The ends of the steps; forces are those of the step that ends there. */
static void add_steps(const struct stepping *found, int n_u, struct trajectory *to)
{
    double *force = mem_alloc(3 * (size_t)found->n_contact, sizeof *force);
    for (int k = 0; k <= found->n; k++) {
        if (k > 0)
            mean_force(found, k - 1, force);
        trajectory_add(to, found->t[k], k > 0 ? k - 1 : 0, 0, found->x + (size_t)k * (size_t)found->n_x,
                       found->u + (size_t)k * (size_t)n_u, force);
    }
    free(force);
}

/* Given times, linear between steps; those after the end of the run are left out. */
static void add_times(const struct stepping *found, int n_u, const struct bundle_times *times,
                      struct trajectory *to)
{
    const size_t n_x = (size_t)found->n_x;
    double *x = mem_alloc(n_x, sizeof *x), *force = mem_alloc(3 * (size_t)found->n_contact, sizeof *force);
    int step = 0;
    for (int k = 0; k < times->n && found->n > 0; k++) {
        const double t = times->t[k];
        while (step + 1 < found->n && found->t[step + 1] <= t)
            step++;
        const double h = found->t[step + 1] - found->t[step], part = (t - found->t[step]) / h;
        if (part > 1 + 1e-9)
            break;
        for (size_t i = 0; i < n_x; i++)
            x[i] = (1 - part) * found->x[(size_t)step * n_x + i] + part * found->x[(size_t)(step + 1) * n_x + i];
        mean_force(found, step, force);
        trajectory_add(to, t, step, 0, x, found->u + (size_t)step * (size_t)n_u, force);
    }
    free(x);
    free(force);
}

static enum status sample(void *user, int k, const double *x_initial, const struct bundle_times *times,
                          struct trajectory *points, int *n_events, struct diag *diag)
{
    (void)k;
    const struct simulate_run *run = user;
    const struct stepping_task task = set_up(run, x_initial);
    struct stepping *found;
    const enum status st = stepping_run(&task, &found, diag);
    if (found) {
        add_times(found, task.model->n_u, times, points);
        free(stepping_events(found, n_events));
    }
    stepping_free(found);
    return st;
}

/* --- The result ------------------------------------------------------------------------------------------- */

static void write_trajectory(const struct simulate_run *run, const struct stepping *found, struct result *result)
{
    const struct model *model = run->problem->model;
    const int n = run->problem->output.points;
    struct trajectory *points = trajectory_create(model, NULL, run->u_expr);
    add_steps(found, model->n_u, points);
    trajectory_write(points, result);
    double *t = mem_alloc((size_t)n, sizeof *t);
    for (int k = 0; k < n; k++)
        t[k] = found->t[0] + (found->t[found->n] - found->t[0]) * k / (n - 1);
    trajectory_clear(points);
    add_times(found, model->n_u, &(struct bundle_times){ n, t }, points);
    if (trajectory_n(points) > 0)
        trajectory_write_uniform(points, result, "/uniform");
    free(t);
    trajectory_free(points);
}

static void write_events(const struct simulate_run *run, const struct stepping *found, struct result *result)
{
    const struct model *model = run->problem->model;
    const char **name = mem_alloc((size_t)model->n_contact, sizeof *name);
    int n;
    struct sim_event *event = stepping_events(found, &n);
    for (int c = 0; c < model->n_contact; c++)
        name[c] = model->contact[c].name;
    trajectory_write_events(model, n, event, name, result);
    free(event);
    free(name);
}

/* The intervals of constant controls, in the layout that --controls reads; not if an expression varies within. */
static void write_intervals(const struct simulate_run *run, const struct stepping *found,
                            struct result_group *group)
{
    const struct model *model = run->problem->model;
    const int n_u = model->n_u;
    double *t = mem_alloc((size_t)found->n + 1, sizeof *t);
    double *u = mem_alloc(((size_t)found->n + 1) * (size_t)n_u, sizeof *u);
    const char **name = mem_alloc((size_t)n_u, sizeof *name);
    bool varies = n_u == 0;
    int n = 0;
    for (int k = 0; k < n_u; k++) {
        name[k] = model->u[k].name;
        varies = varies || run->u_expr[k] != EXPR_NONE;
    }
    for (int k = 0; k < found->n && !varies; k++) {
        const double *row = found->u + (size_t)k * (size_t)n_u;
        if (n > 0 && memcmp(row, u + (size_t)(n - 1) * (size_t)n_u, (size_t)n_u * sizeof *u) == 0)
            continue;
        t[n] = found->t[k];
        memcpy(u + (size_t)n++ * (size_t)n_u, row, (size_t)n_u * sizeof *u);
    }
    if (n > 0) {
        const int axes[2] = { result_axis(group, "interval", n, NULL, NULL, NULL),
                              result_axis(group, "control", n_u, NULL, NULL, NULL) };
        result_doubles(group, "t_interval", 1, axes, t, "s", "start of the control interval", NULL);
        result_doubles(group, "u", 2, axes, u, NULL, "controls", NULL);
        result_texts(group, "control_name", 1, &axes[1], name, "order of the axis control");
    }
    free(t);
    free(u);
    free(name);
}

/* /grid: the steps. */
static void write_grid(const struct simulate_run *run, const struct stepping *found, struct result *result)
{
    const struct model *model = run->problem->model;
    const int n = found->n, n_c = model->n_contact;
    struct result_group *group = result_group(result, "/grid");
    const int element = result_axis(group, "element", n, NULL, NULL, NULL);
    double *val = mem_alloc((size_t)n * (size_t)(n_c + 1), sizeof *val);
    for (int k = 0; k < n; k++)
        val[k] = found->t[k + 1] - found->t[k];
    result_doubles(group, "h", 1, &element, val, "s", "length of the step", NULL);
    result_doubles(group, "t_start", 1, &element, found->t, "s", NULL, NULL);
    result_doubles(group, "t_end", 1, &element, found->t + 1, "s", NULL, NULL);
    const int states[2] = { element, result_axis(group, "state", model->n_x, NULL, NULL, NULL) };
    result_doubles(group, "x_start", 2, states, found->x, NULL, NULL, NULL);
    result_doubles(group, "x_end", 2, states, found->x + found->n_x, NULL, NULL, NULL);
    static const char *const name[] = { "impulse_n", "impulse_t", "impulse_t2" };
    for (int q = 0; q < 3 && n_c > 0; q++) {
        const int axes[2] = { element, result_axis(group, "contact", n_c, NULL, NULL, NULL) };
        for (int k = 0; k < n * n_c; k++)
            val[k] = found->impulse[3 * k + q];
        result_doubles(group, name[q], 2, axes, val, "N s", "impulse of the step", NULL);
    }
    free(val);
    write_intervals(run, found, group);
}

static void write_effort(const struct stepping *found, struct result *result)
{
    struct result_group *group = result_group(result, "/solver");
    result_set_int(group, "steps", found->n);
    result_set_int(group, "n_lcp", found->n_lcp);
    result_set_int(group, "pivots", found->n_pivots);
    result_set_int(group, "newton_iterations", found->n_newton);
    result_set_double(group, "time_total", found->seconds);
}

static void print_outcome(const struct simulate_run *run, const struct stepping *found, enum status st)
{
    const struct outcome outcome = {
        .status = st, .name = run->problem->model->name, .objective = NAN, .complementarity = NAN,
        .infeasibility = NAN, .steps = found->n, .iterations = found->n_pivots, .seconds = found->seconds,
        .out_path = run->out_path
    };
    if (found->message && run->args->verbosity >= 0)
        fprintf(stderr, "%s: %s\n", run->args->input[0], found->message);
    outcome_print(&outcome, run->args->json, stdout);
}

static enum status write_result(const struct simulate_run *run, const struct stepping *found, struct diag *diag)
{
    const struct problem *problem = run->problem;
    struct result *result = result_create();
    enum status st = found->status;
    if (run->args->samples > 0) {
        const struct bundle_task bundle = {
            .args = run->args, .model = problem->model, .u_expr = run->u_expr, .x_initial = run->x_initial,
            .t_end = problem->model->horizon, .seed = problem->homotopy.seed, .n_points = problem->output.points,
            .sample = sample, .user = (void *)run
        };
        const enum status bundled = bundle_run(&bundle, result, diag);
        st = st == STATUS_OK ? bundled : st;
    }
    if (st != STATUS_SPEC) {
        write_head(run->args, problem, &(struct result_head){ st, NAN, NAN, NAN }, result);
        result_set_text(result_group(result, "/"), "method",
                        simulate_method_name((enum simulate_method)problem->simulate.method));
        if (found->message)
            result_set_text(result_group(result, "/"), "failure", found->message);
        write_parameters(problem, NULL, result);
        write_trajectory(run, found, result);
        write_grid(run, found, result);
        write_events(run, found, result);
        write_spec(problem, result);
        write_effort(found, result);
        const enum status written = result_write(result, run->out_path, diag);
        if (written != STATUS_OK)
            st = written;
        else
            print_outcome(run, found, st);
    }
    result_free(result);
    return st;
}

/* Both schemes restore velocities as Newton does. */
static enum status check_law(const struct problem *problem, struct diag *diag)
{
    const struct spec_node *block = spec_get(spec_root(problem->spec), simulate_table.block);
    if (problem->simulate.impact_law == IMPACT_LAW_NEWTON)
        return STATUS_OK;
    return spec_error(diag, spec_get(block, "impact_law"), "%s has Newton's restitution alone; event has both",
                      simulate_method_name((enum simulate_method)problem->simulate.method));
}

enum status stepping_simulate(const struct simulate_run *run, struct diag *diag)
{
    if (check_law(run->problem, diag) != STATUS_OK)
        return STATUS_SPEC;
    const struct stepping_task task = set_up(run, run->x_initial);
    struct stepping *found;
    enum status st = stepping_run(&task, &found, diag);
    if (found)
        st = write_result(run, found, diag);
    stepping_free(found);
    return st;
}
