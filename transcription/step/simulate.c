#include "transcription/step/simulate.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/stop.h"
#include "core/mpcc/report.h"
#include "transcription/step/runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Going on ------------------------------------------------------------------------------------------------ */

static void add_log(const struct runner *run, const struct simulate_step *log)
{
    struct simulate_result *out = run->out;
    out->step = mem_grow(out->step, out->n_step, 1, sizeof *out->step);
    out->step[out->n_step++] = *log;
    out->iterations += log->iterations;
    if (log->status == STATUS_OK || log->status == STATUS_ACCEPTABLE) {
        out->complementarity = fmax(out->complementarity, log->complementarity);
        out->violation = fmax(out->violation, log->violation);
    }
    if (run->sim->on_step)
        run->sim->on_step(run->sim->user, log);
}

static void note_sizes(struct simulate_result *out, const struct step_solution *step)
{
    out->n_var = step->tr->mpcc.nlp.n_w;
    out->n_con = step->tr->mpcc.nlp.n_g;
    out->n_comp = step->tr->mpcc.n_pair;
    out->nnz_jac = step->result.nnz_jac;
    out->nnz_hess = step->result.nnz_hess;
}

static void fill_log(const struct runner *run, const struct step_solution *step, struct simulate_step *log)
{
    log->t_start = run->t;
    log->t_end = run->t;
    log->n_element = step->tr->n_element;
    log->sigma = step->result.sigma;
    log->complementarity = step->result.complementarity;
    log->violation = step->result.violation;
    log->status = step->result.status;
}

/* The clock at the end of the step, or what it would be. */
static double end_time(const struct runner *run, const struct step_solution *step, double length)
{
    const struct transcription *tr = step->tr;
    const int clock = tr->dcs->clock;
    return clock < 0 ? run->t + length : step->result.w[tr_y(tr, tr->n_element - 1, tr_right(tr), clock)];
}

/* What contacts did last says what they go on with. */
static void remember_forces(struct runner *run, const struct transcription *tr, const double *w)
{
    const int j = tr->n_element - 1, k = tr->rk->s;
    const size_t n_lam = (size_t)tr->dcs->n_lam, n_sel = (size_t)tr->dcs->n_sel;
    if (!run->lam) {
        run->lam = mem_alloc(n_lam, sizeof *run->lam);
        run->sel = mem_alloc(n_sel, sizeof *run->sel);
    }
    memcpy(run->lam, &w[tr_lam(tr, j, k, 0)], n_lam * sizeof *run->lam);
    memcpy(run->sel, &w[tr_sel(tr, j, k)], n_sel * sizeof *run->sel);
}

/* Appends the solution to the record and moves on to its end. */
static void take_step(struct runner *run, const struct step_solution *step, double t_end, struct simulate_step *log)
{
    const double *w = step->result.w;
    const struct transcription *tr = step->tr;
    record_add(run->out->record, step->tr, w,
               step->result.polished ? step->result.complementarity : step->result.sigma);
    tr_get_y(tr, w, tr->n_element, 0, tr->model->n_x, run->x);
    remember_forces(run, tr, w);
    run->t = t_end;
    log->t_end = t_end;
    if (log->status == STATUS_ACCEPTABLE)
        run->out->status = STATUS_ACCEPTABLE;
    note_sizes(run->out, step);
    add_log(run, log);
}

struct failure { const struct transcription *tr; const double *w; double t; };

static double failure_time(void *user, const struct mpcc_label *label, const char **unit)
{
    const struct failure *at = user;
    *unit = at->tr->dcs->model->time.unit;
    return tr_time_of(at->tr, label, at->w) + (at->tr->dcs->clock >= 0 ? 0 : at->t);
}

/* Where and why the simulation ends early: the worst constraint of the last attempt. */
static void explain_failure(struct runner *run, struct step_solution *step, struct simulate_step *log)
{
    struct report_item item[2];
    char where[300] = "", text[500];
    struct failure at = { step->tr, step->result.w_last, run->t };
    if (at.w && report_worst(&step->tr->mpcc, at.w, HOMOTOPY_VIOLATION_OK, run->homotopy.comp_tol, 1, item) > 0)
        report_item_text(&item[0], failure_time, &at, where, sizeof where);
    (void)snprintf(text, sizeof text, "the step at t = %g was not solved%s%s", run->t, *where ? ": " : "", where);
    free(run->out->failure);
    run->out->failure = mem_copy_text(text);
    run->out->status = runner_is_interrupted(run) ? stop_status()
                       : runner_seconds_left(run) <= 0 ? STATUS_LIMIT : log->status;
    add_log(run, log);
}

/* Numerical time at which the clock of a step that went too far passes t. */
static double length_until(const struct step_solution *step, double t, double length)
{
    const struct transcription *tr = step->tr;
    const double *w = step->result.w;
    double at = 0, t_before = w[tr->y0 + tr->dcs->clock];
    for (int j = 0; j < tr->n_element; j++) {
        const double h = w[tr->h[j]], t_after = w[tr_y(tr, j, tr_right(tr), tr->dcs->clock)];
        if (t_after >= t)
            return at + (t_after > t_before ? h * (t - t_before) / (t_after - t_before) : 0);
        at += h;
        t_before = t_after;
    }
    return length;
}

static enum status stopped_status(const struct runner *run)
{
    return runner_is_interrupted(run) ? stop_status() : STATUS_LIMIT;
}

/* Between steps: true, with the reason, if there is to be no other. */
static bool stops_here(struct runner *run)
{
    char text[60];
    if (!runner_must_stop(run))
        return false;
    (void)snprintf(text, sizeof text, "stopped at t = %g", run->t);
    free(run->out->failure);
    run->out->failure = mem_copy_text(text);
    run->out->status = stopped_status(run);
    return true;
}

/* A step of that length, or until physical time is `target`; false if the simulation ends here. */
static bool advance(struct runner *run, double length, double target, int depth)
{
    struct step_shape shape = { length, END_OF_NUMERICAL_TIME, 0 };
    struct step_solution step;
    struct simulate_step log = { 0 };
    if (run->t >= target - runner_time_tol(run))
        return true;
    if (stops_here(run))
        return false;
    enum status st = step_solve(run, &shape, &step, &log);
    const bool usable = st == STATUS_OK || st == STATUS_ACCEPTABLE;
    if (usable && run->freezes && end_time(run, &step, length) > target + runner_time_tol(run)) {
        shape = (struct step_shape){ fmax(length_until(&step, target, length), LEAST_STEP * length),
                                     END_OF_PHYSICAL_TIME, target };
        step_free(&step);
        st = step_solve(run, &shape, &step, &log);
    }
    if (st == STATUS_SPEC || st == STATUS_USAGE || st == STATUS_INTERNAL) {
        run->out->status = st;
        return false;
    }
    fill_log(run, &step, &log);
    bool goes_on = st == STATUS_OK || st == STATUS_ACCEPTABLE;
    if (goes_on) {
        const double t_end = shape.end == END_OF_PHYSICAL_TIME ? target : end_time(run, &step, shape.length);
        take_step(run, &step, t_end, &log);
    } else if (depth < MAX_DEPTH && !runner_must_stop(run)) {
        runner_say(run, "the step at t = %g failed and is done in two halves", run->t);
        goes_on = advance(run, 0.5 * length, target, depth + 1) && advance(run, 0.5 * length, target, depth + 1);
    } else {
        explain_failure(run, &step, &log);
    }
    step_free(&step);
    return goes_on;
}

/* Physical time up to which the controls stay as they are from now on. */
static double next_jump(const struct runner *run, double horizon)
{
    const struct control_table *table = run->sim->controls;
    return table && run->row + 1 < table->n ? fmin(table->t[run->row + 1], horizon) : horizon;
}

/* Time that is frozen goes on in steps of the same length: how many there will be, nobody knows. */
static bool follow_clock(struct runner *run, double target)
{
    const double length = run->sim->model->time.horizon / run->sim->steps;
    const int n_max = run->out->n_step + SLOWEST_CLOCK * run->sim->steps;
    while (run->t < target - runner_time_tol(run)) {
        if (!advance(run, length, target, 0))
            return false;
        if (run->out->n_step > n_max) {
            run->out->failure =
                mem_copy_text("physical time does not get ahead: impacts without end, or a_n too small");
            run->out->status = STATUS_LIMIT;
            return false;
        }
    }
    return true;
}

/* Steps end on the equidistant grid and at target. */
static bool follow_grid(struct runner *run, double target)
{
    const double length = run->sim->model->time.horizon / run->sim->steps, tol = runner_time_tol(run);
    while (run->t < target - tol) {
        const double next = length * (floor((run->t + tol) / length) + 1);
        const double end = next > target - tol ? target : next;
        const double full = fabs(end - run->t - length) <= tol ? length : end - run->t;
        if (!advance(run, full, end, 0))
            return false;
        run->t = end;
    }
    return true;
}

static void run_all(struct runner *run)
{
    const double horizon = run->sim->model->time.horizon;
    bool goes_on = true;
    while (goes_on && run->t < horizon - runner_time_tol(run)) {
        if (run->sim->controls)
            run->row = control_table_row(run->sim->controls, run->t + runner_time_tol(run));
        const double target = next_jump(run, horizon);
        goes_on = run->freezes ? follow_clock(run, target) : follow_grid(run, target);
    }
}

/* --- Around it ----------------------------------------------------------------------------------------------- */

void simulation_init(struct simulation *sim, struct model *model)
{
    *sim = (struct simulation){ .model = model, .max_seconds = INFINITY };
}

enum status simulate_run(const struct simulation *sim, struct simulate_result *out, struct diag *diag)
{
    struct runner run = { .sim = sim, .out = out, .diag = diag, .homotopy = *sim->homotopy,
                          .start = clock_seconds(), .freezes = sim->discretization->method == METHOD_TIME_FREEZING };
    *out = (struct simulate_result){ .status = STATUS_OK, .record = record_create(sim->model, sim->u_expr) };
    run.x = mem_alloc((size_t)sim->model->n_x, sizeof *run.x);
    out->status = model_initial_state(sim->model, run.x, diag);
    if (out->status == STATUS_OK)
        run_all(&run);
    out->t_end = run.t;
    out->seconds = clock_seconds() - run.start;
    for (int k = 0; k < N_CACHE; k++)
        transcription_free(run.kept[k].tr);
    free(run.x);
    free(run.lam);
    free(run.sel);
    return out->status;
}

void simulate_result_free(struct simulate_result *result)
{
    record_free(result->record);
    free(result->step);
    free(result->failure);
    *result = (struct simulate_result){ .record = NULL };
}
