#include "core/replay/replay.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/model/kinematics.h"
#include "core/replay/replay_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROW_ROUNDING 1e-12          /* of the horizon: control intervals that begin this close begin at one time */

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
        replay_judge_stability(r);
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
    replay_check_intervals(r);
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
    (void)replay_find_closed(&r, first);               /* for what rests there */
    enum status st = replay_simulate(&r, first->x, first->t, replay_last(solution)->t, false, 0, &out->sim);
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
