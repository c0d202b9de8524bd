#include "transcription/step/simulate.h"

#include "core/base/mem.h"
#include "core/mpcc/report.h"
#include "transcription/discretize/initial.h"
#include "transcription/step/foresee.h"
#include "transcription/step/sharpen.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME_TOL 1e-9               /* relative to max(1, horizon): times this close are the same */
#define SNAP 1e-9                   /* a switching function this small at the start of a step is zero */
#define MAX_DEPTH 4                 /* a step is halved at most this often */
#define SLOWEST_CLOCK 1000          /* time-freezing: at most this many steps per step of the horizon */
#define SLOPE 0.1                   /* of sigma, where the spec does not say */
#define N_CACHE 8
#define PLACED_SIGMA 1e-2           /* where the homotopy of a step starts whose impact is in its place */

/* One way to try a step. */
struct attempt {
    const char *what;               /* for the note when it was needed; "": usual */
    bool foreseen;                  /* FESD-J: without a homotopy, or not at all (foresee.h) */
    bool consistent;                /* algebraic variables guessed from the state, else half open */
    double sigma_0, slope;          /* NAN: as usual */
    int extra_elements;
    double band;                    /* dead band of curved gaps, in units of the usual one */
    bool settles;                   /* foreseen: bounces may end at once */
};

static const struct attempt ladder[] = {
    { "", true, false, NAN, NAN, 0, 1, false },
    { "with one element more", true, false, NAN, NAN, 1, 1, false },
    { "with two elements more", true, false, NAN, NAN, 2, 1, false },
    { "with bounces cut short", true, false, NAN, NAN, 2, 1, true },
    { "", false, false, NAN, NAN, 0, 1, false },
    { "with multipliers guessed from the state", false, true, NAN, NAN, 0, 1, false },
    { "with a slower homotopy", false, false, 10, 0.5, 0, 1, false },
    { "with one element more", false, false, NAN, NAN, 1, 1, false },
    { "with one element more and a slower homotopy", false, true, 10, 0.5, 1, 1, false },
    { "with a wider dead band", false, false, NAN, NAN, 0, 30, false },
};
static const struct attempt *const first_homotopy = &ladder[4];
enum { N_ATTEMPT = sizeof ladder / sizeof ladder[0] };

/* Relaxations from which a step is sharpened, one after the other. */
static const double quick_sigma[] = { 1e-3, 1e-5 };
enum { N_QUICK = sizeof quick_sigma / sizeof quick_sigma[0] };

/* A transcription of a step, kept for the steps that are like it. */
struct kept { struct transcription *tr; double length; int n_element; double band; };

struct runner {
    const struct simulation *sim;
    struct simulate_result *out;
    struct diag *diag;
    struct homotopy_settings homotopy;      /* the user's, in part tightened; borrowed arrays */
    struct kept kept[N_CACHE];
    int n_kept;
    double *x;                      /* [n_x] now */
    double *lam, *sel;              /* of the last stage of the last step; NULL before the first one */
    double t, start;                /* physical time now; of the wall clock at the start */
    int row;                        /* of the table of controls */
    bool freezes, curved;
};

/* What one step is to be. */
struct step_shape {
    double length;                  /* in numerical time */
    enum transcription_end end;
    double t_end;                   /* END_OF_PHYSICAL_TIME */
};

struct step_solution {
    struct transcription *tr;
    bool owns_tr;
    struct homotopy_result result;
};

void simulation_init(struct simulation *sim, struct model *model)
{
    *sim = (struct simulation){ .model = model, .max_seconds = INFINITY };
}

static double time_tol(const struct runner *run)
{
    return TIME_TOL * fmax(1, run->sim->model->horizon);
}

static void say(const struct runner *run, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void say(const struct runner *run, const char *fmt, ...)
{
    char text[400];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (run->sim->on_note)
        run->sim->on_note(run->sim->user, text);
}

/* --- The program of a step ----------------------------------------------------------------------------------- */

static double usual_band(const struct runner *run)
{
    const double given = run->sim->discretization->dead_band;
    if (!run->curved || !run->freezes)
        return 0;
    return isnan(given) ? 1e-4 : given;
}

static enum status create_step(const struct runner *run, const struct step_shape *shape, const struct attempt *how,
                               struct transcription **out)
{
    const struct model *model = run->sim->model;
    const bool fixed_grid = run->sim->discretization->method == METHOD_TIME_STEPPING;
    const int n_element = model->elements[0] + (fixed_grid ? 0 : how->extra_elements);
    const struct transcription_task task = {
        .grid = { .n_interval = 1, .elements = &n_element, .horizon = shape->length },
        .optimize = false, .end = shape->end, .t_end = shape->t_end, .dead_band = usual_band(run) * how->band
    };
    return transcription_create(run->sim->model, run->sim->discretization, &task, out, run->diag);
}

/* The program of a step, new or kept; *is_new says whose it is. */
static enum status find_step(struct runner *run, const struct step_shape *shape, const struct attempt *how,
                             struct step_solution *step)
{
    struct kept key = { NULL, shape->length, how->extra_elements, how->band };
    step->owns_tr = shape->end == END_OF_PHYSICAL_TIME;
    if (step->owns_tr)
        return create_step(run, shape, how, &step->tr);
    for (int k = 0; k < N_CACHE; k++) {
        const struct kept *have = &run->kept[k];
        if (have->tr && have->n_element == key.n_element && have->band == key.band
            && fabs(have->length - key.length) <= 1e-3 * time_tol(run)) {
            step->tr = have->tr;
            return STATUS_OK;
        }
    }
    const enum status st = create_step(run, shape, how, &key.tr);
    if (st != STATUS_OK)
        return st;
    const int slot = run->n_kept++ % N_CACHE;
    transcription_free(run->kept[slot].tr);
    run->kept[slot] = key;
    step->tr = key.tr;
    return STATUS_OK;
}

static void set_controls(const struct runner *run, struct transcription *tr)
{
    const struct control_table *table = run->sim->controls;
    const struct model *model = tr->model;
    for (int k = 0; k < model->n_u; k++) {
        double u = isnan(model->u[k].guess) ? 0 : model->u[k].guess;
        if (table && !isnan(table->u[run->row * table->n_u + k]))
            u = table->u[run->row * table->n_u + k];
        program_set_bounds(tr->prog, tr->u[0] + k, u, u);
        program_guess(tr->prog)[tr->u[0] + k] = u;
    }
}

/* A switching function that is zero but for rounding is zero: a multiplier of 1e-12 would close the other side. */
static void snap_multipliers(struct transcription *tr, double tol)
{
    double *w0 = program_guess(tr->prog);
    for (int i = 0; i < tr->dcs->n_lam; i++) {
        const int var = tr->lam0 + i;
        if (fabs(w0[var]) > tol)
            continue;
        w0[var] = 0;
        if (!tr->start_is_free)
            program_set_bounds(tr->prog, var, 0, 0);
    }
}

/* Everything as it is now: states at all points, multipliers half open or as the state says (math.md E.5). */
static void guess_step(const struct runner *run, struct transcription *tr, const struct attempt *how)
{
    const struct dcs *dcs = tr->dcs;
    double *w0 = program_guess(tr->prog);
    double t = run->t;
    for (int e = 0; e < tr->n_element; e++) {
        w0[tr->h[e]] = tr->h0[e];
        for (int k = 1; k <= tr->n_point; k++) {
            double *y = &w0[tr_y(tr, e, k, 0)], *lam = &w0[tr_lam(tr, e, k, 0)];
            memcpy(y, run->x, (size_t)tr->model->n_x * sizeof *y);
            if (dcs->clock >= 0)
                y[dcs->clock] = t + (tr_is_stage(tr, k) ? tr->rk->c[k - 1] : 1) * tr->h0[e];
            for (int i = 0; i < dcs->n_lam; i++)
                lam[i] = how->consistent ? w0[tr->lam0 + i] : dcs->lam[i].guess;
            for (int i = 0; i < dcs->n_sel && tr_is_stage(tr, k); i++)
                w0[tr_sel(tr, e, k) + i] = dcs->sel[i].guess;
            for (int i = 0; i < dcs->n_z && tr_is_stage(tr, k); i++)
                w0[tr_z(tr, e, k) + i] = dcs->z[i].guess;
        }
        t += tr->h0[e];
    }
}

static void prepare_step(struct runner *run, struct transcription *tr, const struct attempt *how)
{
    tr_set_initial(tr, run->x, run->t);
    snap_multipliers(tr, fmax(SNAP, tr->task.dead_band));
    set_controls(run, tr);
    guess_step(run, tr, how);
    tr_guess_junctions(tr);
    tr_hold_first_junction(tr);
}

/* --- Solving it ---------------------------------------------------------------------------------------------- */

static double seconds_left(const struct runner *run)
{
    return run->sim->max_seconds - (nlp_wall_time() - run->start);
}

static bool is_interrupted(const struct runner *run)
{
    return run->sim->interrupt && *run->sim->interrupt;
}

static bool must_stop(const struct runner *run)
{
    return is_interrupted(run) || seconds_left(run) <= 0;
}

/* Settles what the solution leaves open, and judges it anew. */
static bool sharpen(struct step_solution *step)
{
    const struct mpcc *mpcc = &step->tr->mpcc;
    struct homotopy_result *result = &step->result;
    if (!tr_sharpen(step->tr, result->w, &result->iterations))
        return false;
    result->polished = true;
    result->complementarity = mpcc_complementarity(mpcc, result->w, NULL);
    result->violation = mpcc_violation(mpcc, result->w, NULL);
    result->status = STATUS_OK;
    return true;
}

static struct homotopy_run homotopy_of(const struct runner *run, const struct attempt *how)
{
    struct homotopy_run given;
    homotopy_run_init(&given);
    given.recipe.slope = SLOPE;
    given.sigma_start = how->sigma_0;
    given.slope = how->slope;
    given.max_seconds = seconds_left(run);
    given.interrupt = run->sim->interrupt;
    given.n_option = run->sim->n_option;
    given.option = run->sim->option;
    given.print_level = run->sim->print_level;
    return given;
}

/* The homotopy down to where active sets show, then a sharpening: enough for nearly every step. */
static enum status solve_quickly(const struct runner *run, const struct homotopy_run *given, double sigma,
                                 struct step_solution *step, bool *done)
{
    struct homotopy_run quick = *given;
    quick.is_stage = true;
    quick.sigma_stop = sigma;
    const enum status st = homotopy_solve(&step->tr->mpcc, &run->homotopy, &quick, &step->result, run->diag);
    *done = st == STATUS_USAGE || must_stop(run) || (st == STATUS_OK && sharpen(step));
    return st;
}

/* True if the user left the homotopy to us: down to zero, with crossovers. */
static bool may_be_quick(const struct runner *run)
{
    const struct homotopy_settings *homotopy = &run->homotopy;
    return homotopy->polish == POLISH_AUTO && homotopy->sigma.n == 0 && homotopy->sigma_N < quick_sigma[N_QUICK - 1];
}

/* The step as foreseen (foresee.h). */
static enum foresight foresee(const struct runner *run, const struct attempt *how, struct step_solution *step)
{
    const struct mpcc *mpcc = &step->tr->mpcc;
    struct homotopy_result *result = &step->result;
    const double start = nlp_wall_time();
    double *w = mem_alloc((size_t)mpcc->nlp.n_w, sizeof *w);
    const enum foresight foresight = tr_foresee(step->tr, run->lam, run->sel, how->settles, w, &result->iterations);
    if (foresight != FORESIGHT_SOLVED) {
        free(w);
        return foresight;
    }
    *result = (struct homotopy_result){ .status = STATUS_OK, .completed = true, .polished = true, .w = w,
                                        .complementarity = mpcc_complementarity(mpcc, w, NULL),
                                        .violation = mpcc_violation(mpcc, w, NULL), .iterations = result->iterations,
                                        .seconds = nlp_wall_time() - start, .nnz_jac = mpcc->nlp.jac.nnz,
                                        .nnz_hess = mpcc->nlp.hess.nnz };
    return foresight;
}

static enum status solve_once(struct runner *run, const struct step_shape *shape, const struct attempt *how,
                              struct step_solution *step)
{
    enum status st = find_step(run, shape, how, step);
    if (st != STATUS_OK)
        return st;
    prepare_step(run, step->tr, how);
    struct homotopy_run given = homotopy_of(run, how);
    const enum foresight foresight = how->foreseen || how == first_homotopy ? foresee(run, how, step) : FORESIGHT_NONE;
    if (foresight == FORESIGHT_SOLVED || how->foreseen)
        return foresight == FORESIGHT_SOLVED ? STATUS_OK : STATUS_INFEASIBLE;
    if (foresight == FORESIGHT_PLACED) {
        given.sigma_start = PLACED_SIGMA;
        given.recipe.push_first = given.recipe.push;
    }
    for (int k = 0; k < N_QUICK && may_be_quick(run); k++) {
        bool done;
        st = solve_quickly(run, &given, quick_sigma[k], step, &done);
        if (done)
            return st;
        homotopy_result_free(&step->result);
    }
    st = homotopy_solve(&step->tr->mpcc, &run->homotopy, &given, &step->result, run->diag);
    if ((st == STATUS_OK || st == STATUS_ACCEPTABLE) && sharpen(step))
        st = STATUS_OK;
    return st;
}

static void step_free(struct step_solution *step)
{
    homotopy_result_free(&step->result);
    if (step->owns_tr)
        transcription_free(step->tr);
    *step = (struct step_solution){ .tr = NULL };
}

static bool is_worth_trying(const struct runner *run, int k)
{
    if (ladder[k].foreseen)
        return run->sim->discretization->method == METHOD_FESD_J;
    if (ladder[k].band != 1)
        return usual_band(run) > 0;
    return !(ladder[k].extra_elements && run->sim->discretization->method == METHOD_TIME_STEPPING);
}

/* Climbs the ladder; *best is the first solution, else the best of what came out (an acceptable one is used). */
static enum status solve_step(struct runner *run, const struct step_shape *shape, struct step_solution *best,
                              struct simulate_step *log)
{
    *best = (struct step_solution){ .tr = NULL };
    for (int k = 0; k < N_ATTEMPT; k++) {
        struct step_solution now = { .tr = NULL };
        if (!is_worth_trying(run, k))
            continue;
        const enum status st = solve_once(run, shape, &ladder[k], &now);
        log->n_attempt++;
        log->iterations += now.result.iterations;
        log->seconds += now.result.seconds;
        run->out->eval_seconds += now.result.eval_seconds;
        if (st == STATUS_SPEC || st == STATUS_USAGE || st == STATUS_INTERNAL) {
            step_free(&now);
            step_free(best);
            return st;
        }
        if (ladder[k].foreseen && st != STATUS_OK) {
            step_free(&now);
            continue;                           /* leaves no iterate */
        }
        if (!best->tr || homotopy_result_better(&now.result, &best->result)) {
            step_free(best);
            *best = now;
        } else {
            step_free(&now);
        }
        if (best->result.status == STATUS_OK && *ladder[k].what)
            say(run, "the step at t = %g was solved %s", run->t, ladder[k].what);
        if (best->result.status == STATUS_OK || must_stop(run))
            break;
    }
    assert(best->tr);                           /* the first homotopy is always tried */
    return best->result.status;
}

/* --- Going on ------------------------------------------------------------------------------------------------ */

static void add_log(struct simulate_result *out, const struct simulate_step *log)
{
    out->step = mem_resize(out->step, (size_t)out->n_step + 1, sizeof *out->step);
    out->step[out->n_step++] = *log;
    out->iterations += log->iterations;
    if (log->status == STATUS_OK || log->status == STATUS_ACCEPTABLE) {
        out->complementarity = fmax(out->complementarity, log->complementarity);
        out->violation = fmax(out->violation, log->violation);
    }
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
    const int e = tr->n_element - 1, k = tr->rk->s;
    const size_t n_lam = (size_t)tr->dcs->n_lam, n_sel = (size_t)tr->dcs->n_sel;
    if (!run->lam) {
        run->lam = mem_alloc(n_lam, sizeof *run->lam);
        run->sel = mem_alloc(n_sel, sizeof *run->sel);
    }
    memcpy(run->lam, &w[tr_lam(tr, e, k, 0)], n_lam * sizeof *run->lam);
    memcpy(run->sel, &w[tr_sel(tr, e, k)], n_sel * sizeof *run->sel);
}

/* Appends the solution to the record and moves on to its end. */
static void take_step(struct runner *run, const struct step_solution *step, double t_end, struct simulate_step *log)
{
    const double *w = step->result.w;
    const struct transcription *tr = step->tr;
    record_add(run->out->record, step->tr, w, step->result.polished ? step->result.complementarity : step->result.sigma);
    tr_get_y(tr, w, tr->n_element, 0, tr->model->n_x, run->x);
    remember_forces(run, tr, w);
    run->t = t_end;
    log->t_end = t_end;
    if (log->status == STATUS_ACCEPTABLE)
        run->out->status = STATUS_ACCEPTABLE;
    note_sizes(run->out, step);
    add_log(run->out, log);
    if (run->sim->on_step)
        run->sim->on_step(run->sim->user, log);
}

struct failure { const struct transcription *tr; const double *w; double t; };

static double failure_time(void *user, const struct mpcc_label *label)
{
    const struct failure *at = user;
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
    run->out->status = is_interrupted(run) ? STATUS_INTERRUPTED : seconds_left(run) <= 0 ? STATUS_LIMIT : log->status;
    add_log(run->out, log);
    if (run->sim->on_step)
        run->sim->on_step(run->sim->user, log);
}

/* Numerical time at which the clock of a step that went too far passes t. */
static double length_until(const struct step_solution *step, double t, double length)
{
    const struct transcription *tr = step->tr;
    const double *w = step->result.w;
    double at = 0, t_before = w[tr->y0 + tr->dcs->clock];
    for (int e = 0; e < tr->n_element; e++) {
        const double h = w[tr->h[e]], t_after = w[tr_y(tr, e, tr_right(tr), tr->dcs->clock)];
        if (t_after >= t)
            return at + (t_after > t_before ? h * (t - t_before) / (t_after - t_before) : 0);
        at += h;
        t_before = t_after;
    }
    return length;
}

/* A step of that length, or until physical time is `target`; false if the simulation ends here. */
static bool advance(struct runner *run, double length, double target, int depth)
{
    struct step_shape shape = { length, END_OF_NUMERICAL_TIME, 0 };
    struct step_solution step;
    struct simulate_step log = { 0 };
    if (run->t >= target - time_tol(run))
        return true;
    enum status st = solve_step(run, &shape, &step, &log);
    const bool usable = st == STATUS_OK || st == STATUS_ACCEPTABLE;
    if (usable && run->freezes && end_time(run, &step, length) > target + time_tol(run)) {
        shape = (struct step_shape){ fmax(length_until(&step, target, length), 1e-3 * length), END_OF_PHYSICAL_TIME,
                                     target };
        step_free(&step);
        st = solve_step(run, &shape, &step, &log);
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
    } else if (depth < MAX_DEPTH && !must_stop(run)) {
        say(run, "the step at t = %g failed and is done in two halves", run->t);
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
    const double length = run->sim->model->horizon / run->sim->steps;
    const int n_max = run->out->n_step + SLOWEST_CLOCK * run->sim->steps;
    while (run->t < target - time_tol(run)) {
        if (!advance(run, length, target, 0))
            return false;
        if (run->out->n_step > n_max) {
            run->out->failure = mem_copy_text("physical time does not get ahead: impacts without end, or a_n too small");
            run->out->status = STATUS_LIMIT;
            return false;
        }
    }
    return true;
}

/* Steps end on the equidistant grid and at target. */
static bool follow_grid(struct runner *run, double target)
{
    const double length = run->sim->model->horizon / run->sim->steps, tol = time_tol(run);
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
    const double horizon = run->sim->model->horizon;
    bool goes_on = true;
    while (goes_on && run->t < horizon - time_tol(run)) {
        if (run->sim->controls)
            run->row = control_table_row(run->sim->controls, run->t + time_tol(run));
        const double target = next_jump(run, horizon);
        goes_on = run->freezes ? follow_clock(run, target) : follow_grid(run, target);
    }
}

/* --- Around it ----------------------------------------------------------------------------------------------- */

enum status simulate_read_initial(const struct model *model, double *x, struct diag *diag)
{
    enum status st = STATUS_OK;
    for (int i = 0; i < model->n_x; i++) {
        const struct model_end *initial = &model->x[i].initial;
        if (initial->kind != END_FIXED)
            st = diag_error(diag, initial->pos.line ? initial->pos : model->x[i].pos, model->x[i].path,
                            "a simulation needs one initial value of %s, not %s", model->x[i].name,
                            initial->kind == END_RANGE ? "a range" : "`free`");
        x[i] = initial->lo;
    }
    return st;
}

static bool has_curved_gap(const struct model *model)
{
    for (int c = 0; c < model->n_contact; c++)
        if (!model->contact[c].gap_is_linear && model->contact[c].e == 0)
            return true;
    return false;
}

enum status simulate_run(const struct simulation *sim, struct simulate_result *out, struct diag *diag)
{
    struct runner run = { .sim = sim, .out = out, .diag = diag, .homotopy = *sim->homotopy,
                          .start = nlp_wall_time(), .freezes = sim->discretization->method == METHOD_TIME_FREEZING,
                          .curved = has_curved_gap(sim->model) };
    *out = (struct simulate_result){ .status = STATUS_OK, .record = record_create(sim->model) };
    record_set_controls(out->record, sim->u_expr);
    run.x = mem_alloc((size_t)sim->model->n_x, sizeof *run.x);
    out->status = simulate_read_initial(sim->model, run.x, diag);
    if (out->status == STATUS_OK)
        run_all(&run);
    out->t_end = run.t;
    out->seconds = nlp_wall_time() - run.start;
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
