#include "core/replay/replay.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/model/kinematics.h"
#include "core/replay/replay_parts.h"
#include "core/simulation/variation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNSTABLE 100                /* amplification */
#define PERTURBATION 1e-8           /* relative; rounding is amplified alike, 1e8 times less */
#define UNLUCKY 1000                /* how much less one change may grow than the one that does most */
#define CHANGED_STEPS 300           /* of an interval from a changed start: what is at the edge of slip may creep for ever from there */
#define ROW_ROUNDING 1e-12          /* of the horizon: control intervals that begin this close together begin at one time */
#define FORCE_MIN 1e-3              /* of the largest one of the contact: what relaxation leaves is less */
#define STIFFNESS_MIN 1.0           /* N/m: force over gap of a closed contact. Where gap times force is what a relaxation
                                     * leaves, 1e-6 and less, a gap of a millimetre or more is no closed one */
#define LATE_IMPACT 1e-3            /* of the window of events: how late a simulation may come to an impact at the end of its part */
enum { CLOSING_ROUNDS = 10 };

static const struct setting_key keys[] = {
    { .name = "tol", .type = SETTING_DOUBLE, .offset = offsetof(struct verify_settings, tol), .initial = REPLAY_TOL,
      .min = 0, .open_min = true, .max = INFINITY, .open_max = true,
      .help = "largest error of a state, relative to its largest magnitude",
      .why = "ten times finish.tol: a finished solution passes with room" },
    { .name = "floor", .type = SETTING_DOUBLE, .offset = offsetof(struct verify_settings, floor),
      .initial = REPLAY_FLOOR, .min = 0, .open_min = true, .max = INFINITY, .open_max = true,
      .help = "least magnitude that errors of a state are relative to, in its own unit",
      .why = "below it a state counts as zero" },
};

struct replay_settings replay_settings_default(void)
{
    return (struct replay_settings){ .tol = REPLAY_TOL, .tol_others = REPLAY_TOL, .floor = REPLAY_FLOOR,
                                     .rtol = REPLAY_RTOL, .atol = REPLAY_ATOL, .max_events = REPLAY_EVENTS,
                                     .max_seconds = INFINITY, .restitution = JUMP_NEWTON };
}

const struct setting_table verify_table = { .block = "verify", keys, sizeof keys / sizeof keys[0] };

struct sim_controls replay_rows(const struct model *model, int n, const double *t, const double *u,
                                struct arena *mem)
{
    const double rounding = model->switching.n_machine ? 0 : ROW_ROUNDING * model->time.horizon;
    const size_t n_u = (size_t)model->n_u;
    double *start = arena_alloc(mem, (size_t)n, sizeof *start),
           *row = arena_alloc(mem, (size_t)n * n_u, sizeof *row);
    int m = 0;
    for (int i = 0; i < n; i++, m++) {
        if (m > 0 && !(t[i] > start[m - 1] + rounding))
            m--;
        start[m] = t[i];
        memcpy(row + (size_t)m * n_u, u + (size_t)i * n_u, n_u * sizeof *row);
    }
    return (struct sim_controls){ m, start, row };
}

/* --- Access -------------------------------------------------------------------------------------------------- */

const double *replay_controls(const struct replay *r, double t, int side)
{
    const struct sim_controls *rows = &r->solution->controls;
    const double tol = 1e-9 * fmax(1, replay_last(r->solution)->t);
    int k = 0;
    while (k + 1 < rows->n && (side < 0 ? rows->t[k + 1] < t - tol : rows->t[k + 1] <= t + tol))
        k++;
    return rows->u ? rows->u + (size_t)k * (size_t)r->model->n_u : NULL;
}

bool replay_has_contact(const struct replay *r, int c, double t, int side)
{
    const double *u = r->model->time.n_phase ? replay_controls(r, t, side) : NULL;
    const struct model_phase *phase = u ? model_phase_of_row(r->model, u) : NULL;
    return !phase || phase->contact[c] != CONTACT_ABSENT;
}

double replay_time_of_part(const struct replay *r, double part)
{
    const struct model *model = r->model;
    double T = replay_last(r->solution)->t;
    if (!model->time.n_phase)
        return part * T;
    double *grid = mem_alloc((size_t)model->time.n_intervals + 1, sizeof *grid);
    model_grid(model, T, r->solution->p, grid);
    T = grid[lround(part * model->time.n_intervals)];
    free(grid);
    return T;
}

/* is_part: from a state after what jumps where it starts. max_steps 0: any number. */
static enum status simulate(struct replay *r, const double *x, double t_start, double t_end, bool is_part,
                            int max_steps, struct sim **sim)
{
    struct sim_task task;
    sim_task_init(&task, r->model);
    task.p = r->solution->p;
    task.x_initial = x;
    task.t_start = t_start;
    task.t_end = t_end;
    task.is_part = is_part;
    task.rests = r->rests;
    if (r->solution->controls.u)        /* else times alone, where no step has to end */
        task.controls = r->solution->controls;
    task.u_expr = r->solution->u_expr;
    task.rtol = r->settings->rtol;
    task.atol = r->settings->atol;
    task.max_events = r->settings->max_events;
    task.max_steps = max_steps;
    task.max_seconds = r->settings->max_seconds - (clock_seconds() - r->start);
    task.restitution = r->settings->restitution;
    task.penetration_is_fine = true;
    task.interrupt = r->settings->interrupt;
    const struct sim *whole = r->report->sim;   /* what remembers starts as it was there */
    task.like = whole;
    double *entered = mem_alloc((size_t)r->model->switching.n_machine, sizeof *entered);
    if (whole && sim_n_pieces(whole) > 0) {
        task.memory = sim_piece_at(whole, sim_find_piece(whole, t_start, 1)).mode + r->model->contacts.n_contact;
        sim_entered(whole, t_start, entered);
        task.entered = entered;
    }
    const double horizon = r->model->time.horizon;
    /* formulas may name it: while a solve runs the model has its guess */
    r->model->time.horizon = r->fork->time.horizon;
    const enum status st = sim_run(&task, sim, r->diag);
    r->model->time.horizon = horizon;
    free(entered);
    return st;
}

/* --- The end ------------------------------------------------------------------------------------------------- */

/* A jump at the very end belongs to neither side. */
static void compare_end(struct replay *r)
{
    struct replay_report *report = r->report;
    const struct replay_point *last = replay_last(r->solution);
    sim_eval(report->sim, last->t, -1, r->x);
    sim_eval(report->sim, last->t, 1, r->y);
    const struct difference before = replay_difference(r, r->x, last->x),
                            after = replay_difference(r, r->y, last->x);
    const bool is_before = before.size <= after.size;
    const double *x = is_before ? r->x : r->y;
    report->error = is_before ? before.size : after.size;
    report->state = is_before ? before.state : after.state;
    for (int i = 0; i < r->model->n_x; i++)
        report->error_end[i] = fabs(x[i] - last->x[i]) / r->scale[i];
}

/* --- Single intervals ------------------------------------------------------------------------------------- */

/* s: points closer than that are at one time. */
static double same_point(const struct replay_solution *solution)
{
    return 1e-9 * fmax(1, replay_last(solution)->t);
}

/* The last point at or before t: of a jump at t its right limit, or its left one. */
static int point_at(const struct replay_solution *solution, double t, bool before_jump)
{
    const double tol = same_point(solution);
    int k = 0;
    while (k + 1 < solution->n_point && solution->point[k + 1].t <= t + tol)
        k++;
    while (before_jump && k > 0 && solution->point[k].side > 0 && solution->point[k - 1].t >= t - tol)
        k--;
    return k;
}

/* One Newton step towards gap = 0 of n closed contacts, the shortest one; orientations
 * get their length back before. */
static void close_gaps(struct replay *r, int n, double t, double *x)
{
    const int n_position = r->model->mechanics.n_position;
    kinematics_normalize(r->model, x);
    inputs_set(&r->contacts.f.inputs, t, x, NULL);
    contact_functions_eval(&r->contacts);
    for (int k = 0; k < n; k++) {
        const struct contact_at at = contact_functions_at(&r->contacts, r->closed[k]);
        r->miss[k] = -at.gap;
        memcpy(r->J + k * n_position, at.slope, (size_t)n_position * sizeof *r->J);
    }
    dense_least_change(&r->dense, n, n_position, r->J, r->miss, r->dq);
    for (int i = 0; i < n_position; i++)
        x[r->model->mechanics.q_index[i]] += r->dq[i];
}

static void add_row(struct replay *r, int *n, const double *J, double speed)
{
    const int n_q = r->model->mechanics.n_q;
    memcpy(r->J + *n * n_q, J, (size_t)n_q * sizeof *r->J);
    r->miss[(*n)++] = -speed;
}

/* The shortest change of velocities that takes closed contacts to v_n = 0, and what rests without a slip to v_t =
 * 0: off by rounding alone it would slip or leave, where it may, or be in no mode at all. */
static void stop_closing(struct replay *r, int n, double t, double *x)
{
    int n_row = 0;
    inputs_set(&r->contacts.f.inputs, t, x, NULL);
    contact_functions_eval(&r->contacts);
    for (int k = 0; k < n; k++) {
        const int c = r->closed[k], n_t = r->rests[c] ? r->model->contacts.contact[c].n_t : 0;
        const struct contact_at at = contact_functions_at(&r->contacts, c);
        add_row(r, &n_row, at.J_n, at.v_n);
        for (int i = 0; i < n_t && slip_size(at.v_t) <= REPLAY_STILL; i++)
            add_row(r, &n_row, at.J_t[i], at.v_t[i]);
    }
    dense_least_change(&r->dense, n_row, r->model->mechanics.n_q, r->J, r->miss, r->dq);
    for (int i = 0; i < r->model->mechanics.n_q; i++)
        x[r->model->mechanics.v_index[i]] += r->dq[i];
}

/* Does the contact carry a force, other than what a relaxation leaves of one in flight? */
static bool carries_force(const struct replay *r, const struct replay_point *point, int c, double gap)
{
    double largest = 0;
    for (int k = 0; k < r->solution->n_point; k++)
        largest = fmax(largest, r->solution->point[k].force[CONTACT_ROWS * c]);
    return point->force[CONTACT_ROWS * c] > fmax(FORCE_MIN * largest, STIFFNESS_MIN * gap);
}

/* Lists what is closed at the point, as it overlaps or carries a force; says what rests.
 * Returns how many are closed. */
static int find_closed(struct replay *r, const struct replay_point *point)
{
    int n = 0;
    inputs_set(&r->contacts.f.inputs, point->t, point->x, NULL);
    contact_functions_eval(&r->contacts);
    for (int c = 0; c < r->model->contacts.n_contact; c++) {
        const double gap = contact_functions_at(&r->contacts, c).gap;
        const bool is_there = replay_has_contact(r, c, point->t, 1);
        r->rests[c] = is_there && carries_force(r, point, c, gap);
        if (is_there && (gap < 0 || r->rests[c]))
            r->closed[n++] = c;
    }
    return n;
}

/* x: the state of the point, moved the shortest way to where closed contacts have gap zero. They are a little open
 * or shut in a solution: dead bands of time-freezing, tolerances. Returns how many are. */
static int close_contacts(struct replay *r, const struct replay_point *point, double *x)
{
    const int n = find_closed(r, point);
    memcpy(x, point->x, (size_t)r->model->n_x * sizeof *x);
    for (int k = 0; k < CLOSING_ROUNDS && n > 0; k++)
        close_gaps(r, n, point->t, x);
    return n;
}

/* The same, and what carries a force, which may drift by rounding and tolerances, does not leave. */
static void start_part(struct replay *r, const struct replay_point *point, double *x)
{
    const int n = close_contacts(r, point, x);
    int n_rest = 0;
    for (int k = 0; k < n; k++)
        if (r->rests[r->closed[k]])
            r->closed[n_rest++] = r->closed[k];
    if (n_rest > 0)
        stop_closing(r, n_rest, point->t, x);
}

/* A jump at the end of an interval belongs to neither side of it: `to` is the last point before it. */
static double end_error(struct replay *r, const struct sim *sim, double t_end, int to)
{
    const int after = point_at(r->solution, t_end, false);
    const double error = replay_error_at(r, sim, t_end, r->solution->point[to].x).size;
    return after == to ? error : fmin(error, replay_error_at(r, sim, t_end, r->solution->point[after].x).size);
}

/* Until when the part that ends at t_end is simulated: a little longer where the solution has an impact there, as a
 * simulation that is off by next to nothing comes to it next to no time later. */
static double end_of_part(const struct replay *r, double t_end)
{
    const double window = replay_window(r->solution);
    for (int k = 0; k < r->solution->n_event; k++) {
        const struct replay_event *event = &r->solution->event[k];
        if (replay_is(event, SIM_IMPACT) && fabs(event->t - t_end) <= window)
            return fmin(t_end + LATE_IMPACT * window, fmax(t_end, replay_last(r->solution)->t));
    }
    return t_end;
}

static void keep_state(struct comparison *to, const struct comparison *from)
{
    to->state = from->state;
    to->i_state = from->i_state;
    to->t_state = from->t_state;
}

static double end_of_interval(const struct replay *r, int i)
{
    const struct sim_controls *rows = &r->solution->controls;
    return i + 1 < rows->n ? rows->t[i + 1] : replay_last(r->solution)->t;
}

/* Does the interval last so short that its start and its end are one point? As a part of the whole alone it can be
 * simulated. */
static bool is_instant(const struct replay *r, int i)
{
    return end_of_interval(r, i) - r->solution->controls.t[i] <= same_point(r->solution);
}

/* The whole interval is compared, its end and what happens on the way. */
static void check_interval(struct replay *r, int i)
{
    const struct sim_controls *rows = &r->solution->controls;
    const double t_end = end_of_interval(r, i);
    const int from = point_at(r->solution, rows->t[i], false), to = point_at(r->solution, t_end, true);
    const struct comparison before = r->parts;
    struct sim *sim = NULL;
    start_part(r, &r->solution->point[from], r->x);
    double error = INFINITY;
    r->parts.state = 0;
    if (simulate(r, r->x, rows->t[i], end_of_part(r, t_end), true, 0, &sim) != STATUS_SPEC && sim_status(sim) == STATUS_OK) {
        replay_compare(r, sim, from + 1, to, &r->parts);
        error = end_error(r, sim, t_end, to);
        sim_eval(sim, t_end, -1, r->end + (size_t)i * (size_t)r->model->n_x);
    }
    sim_free(sim);
    r->report->interval_error[i] = error;
    r->parts.state = fmax(r->parts.state, isinf(error) ? error : 0);
    r->report->interval_between[i] = r->parts.state;
    if (before.state > r->parts.state)
        keep_state(&r->parts, &before);
}

static void check_intervals(struct replay *r)
{
    struct replay_report *report = r->report;
    report->n_interval = r->solution->controls.n;
    report->interval_error = arena_alloc(&report->mem, (size_t)report->n_interval, sizeof(double));
    report->interval_between = arena_alloc(&report->mem, (size_t)report->n_interval, sizeof(double));
    r->end = arena_alloc(&r->mem, (size_t)(report->n_interval * r->model->n_x), sizeof *r->end);
    for (int k = 0; k < report->n_interval * r->model->n_x; k++)
        r->end[k] = NAN;
    for (int i = 0; i < report->n_interval; i++) {
        if (!is_instant(r, i))
            check_interval(r, i);
        if (report->interval_error[i] > report->interval_worst) {
            report->interval_worst = report->interval_error[i];
            report->interval = i;
        }
    }
}

/* --- Instability ------------------------------------------------------------------------------------------ */

/* r->x: the state of the point, changed by that much of v [n_x], in scales; closed contacts stay closed. */
static void start_changed(struct replay *r, const struct replay_point *point, const double *v, double by)
{
    const int n = close_contacts(r, point, r->x);
    for (int k = 0; k < r->model->n_x; k++)
        r->x[k] += by * v[k] * r->scale[k];
    if (n > 0) {
        close_gaps(r, n, point->t, r->x);
        stop_closing(r, n, point->t, r->x);
    }
}

/* The derivative of the state at the end of interval i by a change of that at its start, in the direction v
 * [n_x], by differences; all in scales of the states. Where the change leads out of the domain of a formula, or
 * its run fails otherwise, it is made the other way. False if both fail, or the interval itself does. */
static bool differ(struct replay *r, int i, const double *v, double *out)
{
    const int n_x = r->model->n_x;
    const double t_start = r->solution->controls.t[i], t_end = end_of_interval(r, i),
                 *end = r->end + (ptrdiff_t)i * n_x;
    const struct replay_point *from = &r->solution->point[point_at(r->solution, t_start, false)];
    bool done = false;
    for (double by = PERTURBATION; isfinite(*end) && !done; by = -by) {
        struct sim *sim = NULL;
        start_changed(r, from, v, by);
        done = simulate(r, r->x, t_start, t_end, true, CHANGED_STEPS, &sim) != STATUS_SPEC
               && sim_status(sim) == STATUS_OK;
        if (done)
            sim_eval(sim, t_end, -1, out);
        sim_free(sim);
        for (int j = 0; j < n_x && done; j++)
            out[j] = (out[j] - end[j]) / (r->scale[j] * by);
        if (by < 0)
            break;
    }
    return done;
}

/* All directions at once, D [n_x * n_x] by columns, of the state at the end of interval i by that at its start:
 * by the variational equation, for changes that keep closed contacts closed. False where something happens in it.
 * work [n_x * (n_x + 1)]. */
static bool differentiate(struct replay *r, int i, double *D, double *work)
{
    const int n = r->model->n_x;
    const double t_start = r->solution->controls.t[i], t_end = end_of_interval(r, i);
    const struct replay_point *from = &r->solution->point[point_at(r->solution, t_start, false)];
    struct sim *sim = NULL;
    double *Y = work, *start = Y + n * n;
    start_part(r, from, r->x);
    const bool done = simulate(r, r->x, t_start, t_end, true, CHANGED_STEPS, &sim) != STATUS_SPEC
                      && variation_solve(sim, r->scale, Y);
    sim_free(sim);
    memset(r->y, 0, (size_t)n * sizeof *r->y);
    if (done) {
        start_changed(r, from, r->y, 0);
        memcpy(start, r->x, (size_t)n * sizeof *start);
    }
    for (int k = 0; k < n && done; k++) {
        memset(r->y, 0, (size_t)n * sizeof *r->y);
        r->y[k] = 1;
        start_changed(r, from, r->y, PERTURBATION);
        for (int l = 0; l < n; l++)
            D[l + k * n] = 0;
        for (int j = 0; j < n; j++) {
            const double by = (r->x[j] - start[j]) / PERTURBATION;
            for (int l = 0; l < n && by != 0; l++)
                D[l + k * n] += Y[l + j * n] * by / r->scale[l];
        }
    }
    return done;
}

/* The same by a run from each changed start. A column whose runs fail is 0. */
static void differ_each(struct replay *r, int i, double *D)
{
    const int n = r->model->n_x;
    for (int k = 0; k < n; k++) {
        memset(r->y, 0, (size_t)n * sizeof *r->y);
        r->y[k] = 1;
        if (!differ(r, i, r->y, D + k * n))
            memset(D + k * n, 0, (size_t)n * sizeof *D);
    }
}

/* growth := growth D, D the derivative of the state at the end of interval i by that at its start; both [n_x *
 * n_x] by columns, scaled. work [n_x * (2 n_x + 1)]. */
static void multiply_growth(struct replay *r, int i, double *growth, double *work)
{
    const int n = r->model->n_x;
    double *D = work, *product = D + n * n;             /* of no use before D is found */
    if (!differentiate(r, i, D, product))
        differ_each(r, i, D);
    memset(product, 0, (size_t)(n * n) * sizeof *product);
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < n; l++)
                product[l + k * n] += growth[l + j * n] * D[j + k * n];
    memcpy(growth, product, (size_t)(n * n) * sizeof *growth);
}

static double largest_row(int n, const double *a)
{
    double most = 0;
    for (int l = 0; l < n; l++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += fabs(a[l + k * n]);
        most = fmax(most, sum);
    }
    return most;
}

/* How much a change of one state at the start grows to the end, and what is left there of the errors of
 * intervals, which may be of all states at once. */
struct growth { double amplification, left; };

static double error_of(const struct replay *r, int i)
{
    return fmax(r->report->interval_error[i], r->settings->rtol);
}

static bool explains(const struct replay_report *report, const struct growth *growth, double factor)
{
    return factor * growth->amplification > UNSTABLE && report->error <= factor * growth->left;
}

/* Of all changes, from interval to interval towards the start until that explains the
 * error. known: of one of them. */
static struct growth largest_growth(struct replay *r, double known)
{
    const int n = r->model->n_x;
    struct growth found = { known, 0 };
    double *growth = arena_alloc(&r->mem, (size_t)(n * n), sizeof *growth);
    double *work = arena_alloc(&r->mem, (size_t)(n * (2 * n + 1)), sizeof *work);
    for (int k = 0; k < n; k++)
        growth[k + k * n] = 1;
    for (int i = r->report->n_interval - 1; i >= 0 && !explains(r->report, &found, 1); i--) {
        found.left += largest_row(n, growth) * error_of(r, i);
        if (!is_instant(r, i))
            multiply_growth(r, i, growth, work);
        for (int k = 0; k < n * n && i == 0; k++)
            found.amplification = fmax(found.amplification, fabs(growth[k]));
    }
    return found;
}

/* Of one change in a direction that is none in particular, followed from interval to interval: no
 * more than the above, and near it where anything grows, for one simulation. False where its run
 * fails or nothing is left of it. */
static bool follow_change(struct replay *r, struct growth *found)
{
    const int n = r->model->n_x, n_interval = r->report->n_interval;
    double *v = arena_alloc(&r->mem, (size_t)n, sizeof *v), *w = arena_alloc(&r->mem, (size_t)n, sizeof *w);
    double *factor = arena_alloc(&r->mem, (size_t)n_interval, sizeof *factor);
    uint64_t counter = 0;
    for (int k = 0; k < n; k++)
        v[k] = copysign(1, random_signed(random_next(&counter)));
    for (int i = 0; i < n_interval; i++) {
        factor[i] = 1;
        if (is_instant(r, i))
            continue;
        if (!differ(r, i, v, w) || !((factor[i] = dense_largest(n, w)) > 0))
            return false;
        for (int k = 0; k < n; k++)
            v[k] = w[k] / factor[i];
    }
    *found = (struct growth){ 1, 0 };
    for (int i = n_interval - 1; i >= 0; i--) {
        found->left += found->amplification * error_of(r, i);
        found->amplification *= factor[i];
    }
    found->amplification /= sqrt(n);            /* every state was changed, signs by chance: that is the root mean square of one's */
    return true;
}

/* Errors of intervals, and of their simulation, grow from each to the end. What is left of all of them there is
 * no more than their sum, each times its growth. Growth is that of intervals one after the other: over all of the
 * horizon at once a change grows out of its linear range. One change tells most of the time; where it does not,
 * though larger ones might, all are looked at, at the price of a simulation each. */
static void judge_stability(struct replay *r)
{
    struct replay_report *report = r->report;
    struct growth growth = { 0, 0 };
    const bool followed = follow_change(r, &growth);
    if (!followed || (!explains(report, &growth, 1) && explains(report, &growth, UNLUCKY)))
        growth = largest_growth(r, growth.amplification);
    report->amplification = growth.amplification;
    report->unstable = explains(report, &growth, 1);
}

/* --- The whole -------------------------------------------------------------------------------------------- */

static void judge_end(struct replay *r)
{
    struct replay_report *report = r->report;
    struct findings *to = &report->findings;
    const double tol = r->settings->tol;
    const char *name = r->model->x[report->state].name;
    findings_add(to, &(struct finding){
        "state at the end", report->error, report->unstable ? NAN : tol, name,
        arena_printf(&to->mem, "%s is off by %.2g at the end, the tolerance is %g", name, report->error, tol) });
    if (report->n_interval == 0)
        return;
    findings_add(to, &(struct finding){
        "single intervals", report->interval_worst, report->unstable ? tol : NAN,
        arena_printf(&to->mem, "the one from t = %.6g %s", r->solution->controls.t[report->interval],
                     r->model->time.unit),
        arena_printf(&to->mem, "unstable, and interval %d is off by %.2g, the tolerance is %g", report->interval,
                     report->interval_worst, tol) });
}

static void judge_energy(struct replay *r)
{
    struct replay_report *report = r->report;
    struct findings *to = &report->findings;
    replay_balance_energy(r->fork, r->solution, report);
    if (!isnan(report->energy))
        findings_add(to, &(struct finding){
            "energy balance", report->energy, r->settings->tol_others, NULL,
            arena_printf(&to->mem, "the simulation's energy is off by %.2g", report->energy) });
}

static void conclude(struct replay_report *report)
{
    const struct finding *failed = findings_first_failure(&report->findings);
    if (failed) {
        report->reason = failed->reason;
        report->status = STATUS_UNVERIFIED;
    }
}

/* What the replay shows, and what the spec asks. */
static void judge_all(struct replay *r)
{
    struct replay_report *report = r->report;
    judge_end(r);
    replay_judge_comparison(r, report->unstable ? &r->parts : &r->whole);
    replay_judge_impulses(r);
    replay_check_gaps(r);
    replay_check_cone(r);
    judge_energy(r);
    replay_judge_demands(r, report->unstable ? NULL : report->sim);
}

/* By the whole; where that misses anything and the trajectory is unstable, by single intervals. */
static void judge(struct replay *r)
{
    struct replay_report *report = r->report;
    report->error_worst = r->whole.state;
    report->state_worst = r->whole.i_state;
    report->t_worst = r->whole.t_state;
    judge_all(r);
    const bool matters = !r->settings->brief || report->interval_worst <= r->settings->tol;
    if (findings_first_failure(&report->findings) && matters)
        judge_stability(r);
    if (report->unstable) {
        report->findings.n = 0;
        judge_all(r);
    }
    conclude(report);
}

static void check_all(struct replay *r)
{
    struct replay_report *report = r->report;
    replay_compare(r, report->sim, 0, r->solution->n_point - 1, &r->whole);
    replay_match_events(r->solution, report);
    check_intervals(r);
    const enum status st = sim_status(report->sim);
    if (st == STATUS_OK) {
        compare_end(r);
        judge(r);
        return;
    }
    report->status = st == STATUS_INTERRUPTED || st == STATUS_LIMIT ? st : STATUS_UNVERIFIED;
    report->reason = arena_printf(&report->mem, "the simulation ends at t = %g of %g: %s", report->t_end,
                                  replay_last(r->solution)->t, sim_message(report->sim));
    report->error_worst = report->penetration = report->cone = NAN;     /* not judged */
    findings_add(&report->findings, &(struct finding){
        "simulation", 1 - report->t_end / replay_last(r->solution)->t, 0, "part of the horizon without one", report->reason });
}

/* The terms of the running cost. */
static struct function running_cost(const struct replay *r)
{
    const int n = r->fork->costs.n_running;
    expr *e = mem_alloc((size_t)n, sizeof *e);
    for (int k = 0; k < n; k++)
        e[k] = r->fork->costs.running[k].e;
    struct function f = function_create(r->fork, r->solution->p, n, e);
    free(e);
    return f;
}

/* J of the force on bodies and the push on states, projection by projection. */
static struct function reactions_of(const struct model *model, const double *p)
{
    const int n = model->mechanics.n_q + model->n_x;
    expr *e = mem_alloc((size_t)(n * model->switching.n_projection), sizeof *e);
    for (int k = 0; k < model->switching.n_projection; k++) {
        if (model->switching.projection[k].is_pair) {           /* what its force does is in the states */
            for (int i = 0; i < n; i++)
                e[k * n + i] = expr_const(model->graph, 0);
            continue;
        }
        kinematics_gradient(model, model->switching.projection[k].gap, e + k * n);
        memcpy(e + k * n + model->mechanics.n_q, model->switching.projection[k].push,
               (size_t)model->n_x * sizeof *e);
    }
    const struct function f = function_create(model, p, n * model->switching.n_projection, e);
    free(e);
    return f;
}

static void set_up(struct replay *r)
{
    const struct model *model = r->model;
    const size_t n_x = (size_t)model->n_x, n_q = (size_t)model->mechanics.n_q,
                 n_c = (size_t)model->contacts.n_contact;
    const size_t n_position = (size_t)model->mechanics.n_position;
    struct replay_report *out = r->report;
    *out = (struct replay_report){ .error = NAN, .amplification = NAN, .energy = NAN, .objective = NAN,
                                   .objective_error = NAN };
    out->error_end = arena_alloc(&out->mem, n_x, sizeof(double));
    out->event_unjudged = arena_alloc(&out->mem, (size_t)r->solution->n_event, sizeof *out->event_unjudged);
    r->scale = arena_alloc(&r->mem, n_x, sizeof(double));
    r->force_scale = arena_alloc(&r->mem, n_q + n_x, sizeof(double));
    r->x = arena_alloc(&r->mem, n_x, sizeof(double));
    r->y = arena_alloc(&r->mem, n_x, sizeof(double));
    r->change = arena_alloc(&r->mem, (size_t)model_n_force(model), sizeof(double));
    r->contact = arena_alloc(&r->mem, n_c, sizeof *r->contact);
    r->closed = arena_alloc(&r->mem, n_c, sizeof(int));
    r->rests = arena_alloc(&r->mem, n_c, sizeof(bool));
    r->J = arena_alloc(&r->mem, CONTACT_ROWS * n_c * n_position, sizeof(double));
    r->basis = arena_alloc(&r->mem, n_q * n_q, sizeof(double));
    r->miss = arena_alloc(&r->mem, CONTACT_ROWS * n_c, sizeof(double));
    r->dq = arena_alloc(&r->mem, n_position + n_x, sizeof(double));
    dense_init(&r->dense, &r->mem, CONTACT_ROWS * model->contacts.n_contact);
    for (int i = 0; i < model->n_x; i++)
        out->error_end[i] = NAN;
    r->fork = model_fork(model);
    if (model->time.horizon_free)               /* formulas may name it */
        r->fork->time.horizon = replay_last(r->solution)->t;
    r->contacts = contact_functions_of_model(r->fork, r->solution->p);
    r->reactions = reactions_of(r->fork, r->solution->p);
    r->running = running_cost(r);
    replay_comparison_init(r, &r->whole);
    replay_comparison_init(r, &r->parts);
    replay_set_scales(r);
}

static void tear_down(struct replay *r)
{
    contact_functions_free(&r->contacts);
    function_free(&r->reactions);
    function_free(&r->running);
    model_free(r->fork);
    arena_free(&r->mem);
}

enum status replay_verify(struct model *model, const struct replay_solution *solution,
                          const struct replay_settings *settings, struct replay_report *out, struct diag *diag)
{
    struct replay r = { .model = model, .solution = solution, .settings = settings, .report = out,
                        .start = clock_seconds(), .diag = diag };
    set_up(&r);
    const struct replay_point *first = &solution->point[0];
    (void)find_closed(&r, first);               /* for what rests there */
    enum status st = simulate(&r, first->x, first->t, replay_last(solution)->t, false, 0, &out->sim);
    if (st != STATUS_SPEC) {
        out->t_end = sim_t_end(out->sim);
        check_all(&r);
        st = STATUS_OK;
    }
    out->seconds = clock_seconds() - r.start;
    tear_down(&r);
    return st;
}

void replay_inspect(struct model *model, const struct replay_solution *solution,
                    const struct replay_settings *settings, struct replay_report *out)
{
    struct replay r = { .model = model, .solution = solution, .settings = settings, .report = out };
    set_up(&r);
    replay_check_gaps(&r);
    replay_judge_demands(&r, NULL);
    conclude(out);
    tear_down(&r);
}

void replay_report_free(struct replay_report *report)
{
    arena_free(&report->mem);
    findings_free(&report->findings);
    sim_free(report->sim);
    *report = (struct replay_report){ .reason = NULL };
}
