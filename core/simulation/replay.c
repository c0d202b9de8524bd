#include "core/simulation/replay.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/simulation/replay_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENT_WINDOW 1e-3           /* of the horizon: how far the time of an event may be off */
#define UNSTABLE 100                /* amplification */
#define PERTURBATION 1e-8           /* relative; rounding is amplified alike, 1e8 times less */

struct replay {
    struct model *model;
    const struct replay_solution *solution;
    const struct replay_settings *settings;
    struct replay_report *report;
    double *scale;                  /* [n_x] max(1, largest magnitude) */
    double *x, *y;                  /* [n_x] scratch */
    struct model *fork;             /* owned: what the checks derive goes with it */
    struct contact_functions contacts;      /* of fork */
    struct replay_closing closing;
    double start;                   /* of the clock */
    struct diag *diag;
};

static const struct replay_point *last_point(const struct replay_solution *solution)
{
    return &solution->point[solution->n_point - 1];
}

static void set_scale(struct replay *r)
{
    const struct replay_solution *solution = r->solution;
    for (int i = 0; i < r->model->n_x; i++) {
        r->scale[i] = 1;
        for (int k = 0; k < solution->n_point; k++)
            r->scale[i] = fmax(r->scale[i], fabs(solution->point[k].x[i]));
    }
}

/* Largest scaled difference of two states; *state is whose it is. NaN is infinitely far. */
static double distance(const struct replay *r, const double *a, const double *b, int *state)
{
    double largest = 0;
    *state = 0;
    for (int i = 0; i < r->model->n_x; i++) {
        const double error = fabs(a[i] - b[i]) / r->scale[i];
        if (!(error <= largest)) {
            largest = isnan(error) ? INFINITY : error;
            *state = i;
        }
    }
    return largest;
}

static enum status simulate(struct replay *r, const double *x, double t_start, double t_end, struct sim **sim)
{
    struct sim_task task;
    sim_task_init(&task, r->model);
    task.p = r->solution->p;
    task.x_initial = x;
    task.t_start = t_start;
    task.t_end = t_end;
    task.controls = r->solution->controls;
    task.rtol = r->settings->rtol;
    task.atol = r->settings->atol;
    task.max_events = r->settings->max_events;
    task.max_seconds = r->settings->max_seconds - (clock_seconds() - r->start);
    task.restitution = r->settings->restitution;
    task.penetration_is_fine = true;
    task.interrupt = r->settings->interrupt;
    return sim_run(&task, sim, r->diag);
}

static void set_reason(struct replay *r, enum status st, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void set_reason(struct replay *r, enum status st, const char *fmt, ...)
{
    char text[400];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    free(r->report->reason);
    r->report->reason = mem_copy_text(text);
    r->report->status = st;
}

/* --- States ----------------------------------------------------------------------------------------------- */

/* How far the simulation is from a point of the solution; of events nearby it may be on either side. */
static double error_at(struct replay *r, const struct replay_point *point, int *state)
{
    const struct sim *sim = r->report->sim;
    const double window = EVENT_WINDOW * (sim_t_end(sim) - sim_t_start(sim));
    int other;
    sim_eval(sim, point->t, point->side ? point->side : 1, r->x);
    double error = distance(r, r->x, point->x, state);
    for (int k = 0; k < sim_n_events(sim); k++) {
        const struct sim_event *event = sim_event_at(sim, k);
        if (fabs(event->t - point->t) > window)
            continue;
        error = fmin(error, distance(r, event->x_minus, point->x, &other));
        error = fmin(error, distance(r, event->x_plus, point->x, &other));
    }
    return error;
}

static void compare_states(struct replay *r)
{
    struct replay_report *report = r->report;
    const struct replay_solution *solution = r->solution;
    const double reached = sim_t_end(report->sim);
    for (int k = 0; k < solution->n_point && solution->point[k].t <= reached; k++) {
        int state;
        const double error = error_at(r, &solution->point[k], &state);
        if (error > report->error_worst) {
            report->error_worst = error;
            report->t_worst = solution->point[k].t;
            report->state_worst = state;
        }
    }
}

/* A jump at the very end belongs to neither side. */
static void compare_end(struct replay *r)
{
    struct replay_report *report = r->report;
    const struct replay_point *last = last_point(r->solution);
    int state[2];
    sim_eval(report->sim, last->t, -1, r->x);
    sim_eval(report->sim, last->t, 1, r->y);
    const double before = distance(r, r->x, last->x, &state[0]), after = distance(r, r->y, last->x, &state[1]);
    const double *x = before <= after ? r->x : r->y;
    report->error = fmin(before, after);
    report->state = state[before <= after ? 0 : 1];
    for (int i = 0; i < r->model->n_x; i++)
        report->error_end[i] = fabs(x[i] - last->x[i]) / r->scale[i];
}

/* --- Single intervals ------------------------------------------------------------------------------------- */

/* The last point at or before t: of a jump at t its right limit, or its left one. */
static const struct replay_point *point_at(const struct replay_solution *solution, double t, bool before_jump)
{
    const double tol = 1e-9 * fmax(1, last_point(solution)->t);
    int k = 0;
    while (k + 1 < solution->n_point && solution->point[k + 1].t <= t + tol)
        k++;
    while (before_jump && k > 0 && solution->point[k].side > 0 && solution->point[k - 1].t >= t - tol)
        k--;
    return &solution->point[k];
}

static void check_interval(struct replay *r, int i)
{
    const struct sim_controls *rows = &r->solution->controls;
    const double t_last = last_point(r->solution)->t, t_end = i + 1 < rows->n ? rows->t[i + 1] : t_last;
    const struct replay_point *from = point_at(r->solution, rows->t[i], false);
    const struct replay_point *left = point_at(r->solution, t_end, true);
    const struct replay_point *right = point_at(r->solution, t_end, false);
    struct sim *sim = NULL;
    int state;
    double error = INFINITY;
    replay_close(&r->closing, from, r->x);
    if (simulate(r, r->x, rows->t[i], t_end, &sim) != STATUS_SPEC && sim_status(sim) == STATUS_OK) {
        sim_eval(sim, t_end, -1, r->x);
        sim_eval(sim, t_end, 1, r->y);
        error = fmin(distance(r, r->x, left->x, &state), distance(r, r->y, left->x, &state));
        error = fmin(error, distance(r, r->x, right->x, &state));
        error = fmin(error, distance(r, r->y, right->x, &state));
    }
    sim_free(sim);
    r->report->interval_error[i] = error;
}

static void check_intervals(struct replay *r)
{
    struct replay_report *report = r->report;
    report->n_interval = r->solution->controls.n;
    report->interval_error = mem_alloc((size_t)report->n_interval, sizeof(double));
    for (int i = 0; i < report->n_interval; i++) {
        check_interval(r, i);
        if (report->interval_error[i] > report->interval_worst) {
            report->interval_worst = report->interval_error[i];
            report->interval = i;
        }
    }
}

/* --- Instability ------------------------------------------------------------------------------------------ */

/* How much more a change of state i at the start is at the end. 0 if the run fails. */
static double amplify(struct replay *r, int i)
{
    const struct replay_point *first = &r->solution->point[0], *last = last_point(r->solution);
    struct sim *sim = NULL;
    double amplification = 0;
    int state;
    memcpy(r->y, first->x, (size_t)r->model->n_x * sizeof *r->y);
    r->y[i] += PERTURBATION * r->scale[i];
    if (simulate(r, r->y, first->t, last->t, &sim) != STATUS_SPEC && sim_status(sim) == STATUS_OK) {
        sim_eval(sim, last->t, -1, r->x);
        sim_eval(r->report->sim, last->t, -1, r->y);
        amplification = distance(r, r->x, r->y, &state) / PERTURBATION;
    }
    sim_free(sim);
    return amplification;
}

/* Errors of intervals grow on the way; at most amplification times those of all of them is left at the end. */
static void judge_stability(struct replay *r)
{
    struct replay_report *report = r->report;
    double sum = 0;
    report->amplification = 0;
    for (int i = 0; i < r->model->n_x; i++)
        report->amplification = fmax(report->amplification, amplify(r, i));
    for (int i = 0; i < report->n_interval; i++)
        sum += report->interval_error[i];
    report->unstable = report->amplification > UNSTABLE && report->error <= report->amplification * sum;
}

/* --- The whole -------------------------------------------------------------------------------------------- */

static void judge(struct replay *r)
{
    struct replay_report *report = r->report;
    const double tol = r->settings->tol;
    const char *name = r->model->x[report->state].name;
    report->status = STATUS_OK;
    if (report->error <= tol)
        return;
    judge_stability(r);
    if (!report->unstable)
        set_reason(r, STATUS_UNVERIFIED, "%s is off by %.2g at the end, the tolerance is %g", name, report->error,
                   tol);
    else if (!(report->interval_worst <= tol))
        set_reason(r, STATUS_UNVERIFIED, "unstable, and interval %d is off by %.2g, the tolerance is %g",
                   report->interval, report->interval_worst, tol);
}

static void check_all(struct replay *r)
{
    struct replay_report *report = r->report;
    compare_states(r);
    replay_match_events(r->solution, report);
    replay_find_penetration(&r->contacts, r->solution, report);
    replay_check_cone(&r->contacts, r->solution, report);
    check_intervals(r);
    const enum status st = sim_status(report->sim);
    if (st != STATUS_OK) {
        set_reason(r, st == STATUS_INTERRUPTED || st == STATUS_LIMIT ? st : STATUS_UNVERIFIED,
                   "the simulation ends at t = %g of %g: %s", report->t_end, last_point(r->solution)->t,
                   sim_message(report->sim));
        return;
    }
    compare_end(r);
    replay_balance_energy(r->fork, r->solution, report);
    replay_integrate_cost(r->fork, r->solution, report);
    judge(r);
}

enum status replay_verify(struct model *model, const struct replay_solution *solution,
                          const struct replay_settings *settings, struct replay_report *out, struct diag *diag)
{
    const size_t n_x = (size_t)model->n_x;
    struct replay r = { .model = model, .solution = solution, .settings = settings, .report = out,
                        .start = clock_seconds(), .diag = diag };
    *out = (struct replay_report){ .error = NAN, .amplification = NAN, .energy = NAN, .objective = NAN,
                                   .objective_error = NAN };
    out->error_end = mem_alloc(n_x, sizeof(double));
    r.scale = mem_alloc(n_x, sizeof(double));
    r.x = mem_alloc(n_x, sizeof(double));
    r.y = mem_alloc(n_x, sizeof(double));
    for (int i = 0; i < model->n_x; i++)
        out->error_end[i] = NAN;
    r.fork = model_fork(model);
    r.contacts = contact_functions_of_model(r.fork, solution->p);
    r.closing = replay_closing_create(&r.contacts, solution);
    set_scale(&r);
    const struct replay_point *first = &solution->point[0];
    enum status st = simulate(&r, first->x, first->t, last_point(solution)->t, &out->sim);
    if (st != STATUS_SPEC) {
        out->t_end = sim_t_end(out->sim);
        check_all(&r);
        st = STATUS_OK;
    }
    out->seconds = clock_seconds() - r.start;
    replay_closing_free(&r.closing);
    contact_functions_free(&r.contacts);
    model_free(r.fork);
    free(r.scale);
    free(r.x);
    free(r.y);
    return st;
}

void replay_report_free(struct replay_report *report)
{
    free(report->reason);
    free(report->error_end);
    free(report->interval_error);
    sim_free(report->sim);
    *report = (struct replay_report){ .reason = NULL };
}
