#include "core/simulation/replay.h"

#include "core/base/clock.h"
#include "core/contact/dense.h"
#include "core/simulation/replay_parts.h"

#include <math.h>
#include <string.h>

#define EVENT_WINDOW 1e-3           /* of the horizon: how far the time of an event may be off */
#define UNSTABLE 100                /* amplification */
#define PERTURBATION 1e-8           /* relative; rounding is amplified alike, 1e8 times less */
#define FORCE_MIN 1e-3              /* of the largest one of the contact: what relaxation leaves is less */
#define STIFFNESS_MIN 1.0           /* N/m: force over gap of a closed contact. Where gap times force is what a relaxation
                                     * leaves, 1e-6 and less, a gap of a millimetre or more is no closed one */
enum { CLOSING_ROUNDS = 10 };

static const struct setting_key keys[] = {
    { .name = "tol", .type = SETTING_DOUBLE, .offset = offsetof(struct verify_settings, tol), .initial = 1e-3,
      .min = 0, .open_min = true, .max = INFINITY, .open_max = true,
      .help = "largest error of a state at the end, relative to max(1, its largest magnitude)",
      .why = "ten times finish.tol: a finished solution passes with room" },
};

const struct setting_table verify_table = { .block = "verify", keys, sizeof keys / sizeof keys[0] };

struct replay {
    struct arena mem;               /* owns every array below */
    struct model *model;
    const struct replay_solution *solution;
    const struct replay_settings *settings;
    struct replay_report *report;
    double *scale;                  /* [n_x] max(1, largest magnitude) */
    double *x, *y;                  /* [n_x] scratch */
    struct model *fork;             /* owned: what the checks derive goes with it */
    struct contact_functions contacts;      /* of fork */
    int *closed;                    /* contacts whose gaps are closed; how far they are, what closes them */
    double *J, *miss, *dq;
    struct dense dense;
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

/* Largest scaled difference of two states, and whose it is. NaN is infinitely far. */
struct difference { double size; int state; };

static struct difference difference(const struct replay *r, const double *a, const double *b)
{
    struct difference largest = { 0, 0 };
    for (int i = 0; i < r->model->n_x; i++) {
        const double error = fabs(a[i] - b[i]) / r->scale[i];
        if (!(error <= largest.size))
            largest = (struct difference){ isnan(error) ? INFINITY : error, i };
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

/* --- States ----------------------------------------------------------------------------------------------- */

/* How far the simulation is from a point of the solution; of events nearby it may be on either side. */
static struct difference error_at(struct replay *r, const struct replay_point *point)
{
    const struct sim *sim = r->report->sim;
    const double window = EVENT_WINDOW * (sim_t_end(sim) - sim_t_start(sim));
    sim_eval(sim, point->t, point->side ? point->side : 1, r->x);
    struct difference error = difference(r, r->x, point->x);
    for (int k = 0; k < sim_n_events(sim); k++) {
        const struct sim_event *event = sim_event_at(sim, k);
        if (fabs(event->t - point->t) > window)
            continue;
        error.size = fmin(error.size, difference(r, event->x_minus, point->x).size);
        error.size = fmin(error.size, difference(r, event->x_plus, point->x).size);
    }
    return error;
}

static void compare_states(struct replay *r)
{
    struct replay_report *report = r->report;
    const struct replay_solution *solution = r->solution;
    const double reached = sim_t_end(report->sim);
    for (int k = 0; k < solution->n_point && solution->point[k].t <= reached; k++) {
        const struct difference error = error_at(r, &solution->point[k]);
        if (error.size > report->error_worst) {
            report->error_worst = error.size;
            report->t_worst = solution->point[k].t;
            report->state_worst = error.state;
        }
    }
}

/* A jump at the very end belongs to neither side. */
static void compare_end(struct replay *r)
{
    struct replay_report *report = r->report;
    const struct replay_point *last = last_point(r->solution);
    sim_eval(report->sim, last->t, -1, r->x);
    sim_eval(report->sim, last->t, 1, r->y);
    const struct difference before = difference(r, r->x, last->x), after = difference(r, r->y, last->x);
    const bool is_before = before.size <= after.size;
    const double *x = is_before ? r->x : r->y;
    report->error = is_before ? before.size : after.size;
    report->state = is_before ? before.state : after.state;
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

/* One Newton step towards gap = 0 of n closed contacts, the shortest one. */
static void close_gaps(struct replay *r, int n, double *x)
{
    const int n_q = r->model->n_q;
    inputs_set(&r->contacts.f.inputs, 0, x, NULL);
    contact_functions_eval(&r->contacts);
    for (int k = 0; k < n; k++) {
        const struct contact_at at = contact_functions_at(&r->contacts, r->closed[k]);
        r->miss[k] = -at.gap;
        memcpy(r->J + k * n_q, at.J_n, (size_t)n_q * sizeof *r->J);
    }
    dense_least_change(&r->dense, n, n_q, r->J, r->miss, r->dq);
    for (int i = 0; i < n_q; i++)
        x[r->model->q_index[i]] += r->dq[i];
}

/* Does the contact overlap or carry a force, other than what a relaxation leaves of one in flight? */
static bool is_closed(const struct replay *r, const struct replay_point *point, int c)
{
    const double gap = contact_functions_at(&r->contacts, c).gap;
    double largest = 0;
    for (int k = 0; k < r->solution->n_point; k++)
        largest = fmax(largest, r->solution->point[k].force[3 * c]);
    return gap < 0 || point->force[3 * c] > fmax(FORCE_MIN * largest, STIFFNESS_MIN * gap);
}

/* x: the state of the point, moved the shortest way to where closed contacts have gap zero. They are a little open
 * or shut in a solution: dead bands of time-freezing, tolerances. */
static void close_contacts(struct replay *r, const struct replay_point *point, double *x)
{
    int n = 0;
    memcpy(x, point->x, (size_t)r->model->n_x * sizeof *x);
    inputs_set(&r->contacts.f.inputs, 0, x, NULL);
    contact_functions_eval(&r->contacts);
    for (int c = 0; c < r->model->n_contact; c++)
        if (is_closed(r, point, c))
            r->closed[n++] = c;
    for (int k = 0; k < CLOSING_ROUNDS && n > 0; k++)
        close_gaps(r, n, x);
}

static void check_interval(struct replay *r, int i)
{
    const struct sim_controls *rows = &r->solution->controls;
    const double t_last = last_point(r->solution)->t, t_end = i + 1 < rows->n ? rows->t[i + 1] : t_last;
    const struct replay_point *from = point_at(r->solution, rows->t[i], false);
    const struct replay_point *left = point_at(r->solution, t_end, true);
    const struct replay_point *right = point_at(r->solution, t_end, false);
    struct sim *sim = NULL;
    double error = INFINITY;
    close_contacts(r, from, r->x);
    if (simulate(r, r->x, rows->t[i], t_end, &sim) != STATUS_SPEC && sim_status(sim) == STATUS_OK) {
        sim_eval(sim, t_end, -1, r->x);
        sim_eval(sim, t_end, 1, r->y);
        error = fmin(difference(r, r->x, left->x).size, difference(r, r->y, left->x).size);
        error = fmin(error, difference(r, r->x, right->x).size);
        error = fmin(error, difference(r, r->y, right->x).size);
    }
    sim_free(sim);
    r->report->interval_error[i] = error;
}

static void check_intervals(struct replay *r)
{
    struct replay_report *report = r->report;
    report->n_interval = r->solution->controls.n;
    report->interval_error = arena_alloc(&report->mem, (size_t)report->n_interval, sizeof(double));
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
    memcpy(r->y, first->x, (size_t)r->model->n_x * sizeof *r->y);
    r->y[i] += PERTURBATION * r->scale[i];
    if (simulate(r, r->y, first->t, last->t, &sim) != STATUS_SPEC && sim_status(sim) == STATUS_OK) {
        sim_eval(sim, last->t, -1, r->x);
        sim_eval(r->report->sim, last->t, -1, r->y);
        amplification = difference(r, r->x, r->y).size / PERTURBATION;
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
    if (report->error <= tol)
        return;
    judge_stability(r);
    if (!report->unstable)
        report->reason = arena_printf(&report->mem, "%s is off by %.2g at the end, the tolerance is %g", name,
                                      report->error, tol);
    else if (!(report->interval_worst <= tol))
        report->reason = arena_printf(&report->mem, "unstable, and interval %d is off by %.2g, the tolerance is %g",
                                      report->interval, report->interval_worst, tol);
    if (report->reason)
        report->status = STATUS_UNVERIFIED;
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
        report->status = st == STATUS_INTERRUPTED || st == STATUS_LIMIT ? st : STATUS_UNVERIFIED;
        report->reason = arena_printf(&report->mem, "the simulation ends at t = %g of %g: %s", report->t_end,
                                      last_point(r->solution)->t, sim_message(report->sim));
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
    const size_t n_x = (size_t)model->n_x, n_q = (size_t)model->n_q, n_c = (size_t)model->n_contact;
    struct replay r = { .model = model, .solution = solution, .settings = settings, .report = out,
                        .start = clock_seconds(), .diag = diag };
    *out = (struct replay_report){ .error = NAN, .amplification = NAN, .energy = NAN, .objective = NAN,
                                   .objective_error = NAN };
    out->error_end = arena_alloc(&out->mem, n_x, sizeof(double));
    r.scale = arena_alloc(&r.mem, n_x, sizeof(double));
    r.x = arena_alloc(&r.mem, n_x, sizeof(double));
    r.y = arena_alloc(&r.mem, n_x, sizeof(double));
    r.closed = arena_alloc(&r.mem, n_c, sizeof(int));
    r.J = arena_alloc(&r.mem, n_c * n_q, sizeof(double));
    r.miss = arena_alloc(&r.mem, n_c, sizeof(double));
    r.dq = arena_alloc(&r.mem, n_q, sizeof(double));
    dense_init(&r.dense, &r.mem, model->n_contact);
    for (int i = 0; i < model->n_x; i++)
        out->error_end[i] = NAN;
    r.fork = model_fork(model);
    r.contacts = contact_functions_of_model(r.fork, solution->p);
    set_scale(&r);
    const struct replay_point *first = &solution->point[0];
    enum status st = simulate(&r, first->x, first->t, last_point(solution)->t, &out->sim);
    if (st != STATUS_SPEC) {
        out->t_end = sim_t_end(out->sim);
        check_all(&r);
        st = STATUS_OK;
    }
    out->seconds = clock_seconds() - r.start;
    contact_functions_free(&r.contacts);
    model_free(r.fork);
    arena_free(&r.mem);
    return st;
}

void replay_report_free(struct replay_report *report)
{
    arena_free(&report->mem);
    sim_free(report->sim);
    *report = (struct replay_report){ .reason = NULL };
}
