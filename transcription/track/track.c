#define _POSIX_C_SOURCE 200809L     /* clock_gettime */

#include "transcription/track/track.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/base/stop.h"
#include "core/model/kinematics.h"
#include "transcription/report/finished.h"
#include "transcription/track/controls.h"
#include "transcription/track/outcome.h"
#include "transcription/track/problem_at.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SOFT_WEIGHT 1e3             /* of the first plan's objective, at least of 1: what final values that are missed cost */
#define NO_TIME 1e-6                /* of a control interval: this close to its end it has ended */
enum { PLAN_POINTS = 501 };         /* of a plan's /uniform: the next one's start */

struct tracking {
    const struct track_task *task;
    const struct model *model;      /* of the solve */
    struct tracked *out;
    struct result *last;            /* the last plan that was found, */
    struct finished found;          /* and its program, */
    struct model *found_model;      /* of its own model; NULL: that of the solve */
    double last_t, last_end;        /* where it begins and ends, */
    int last_n;                     /* and its control intervals */
    struct sim_controls controls;   /* carried out, by the plant's clock */
    double t, t_end;
    double *x;                      /* [n_x] of the plant, now; */
    double *value;                  /* [n_param] impulses among them as they are carried out, */
    double *grid;                   /* [n_intervals + 1] when intervals of the whole begin, and its end, of the newest plans */
    double *p;                      /* [n_p] of the plant */
    int *machine;                   /* [n_machine] the states of its machines, */
    double *entered;                /* [n_machine] and when they came into them, by its clock */
    enum sim_mode *memory;          /* [switches, machines] the same as a run of the plant starts with it; NULL: before the first */
};

static double cpu_seconds(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) == 0 ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec
                                                              : NAN;
}

/* --- What can be tracked ------------------------------------------------------------------------------------- */

static enum status check_plant(const struct model *model, const struct model *plant, struct diag *diag)
{
    bool same = model->n_x == plant->n_x && model->n_u == plant->n_u && model->n_param == plant->n_param;
    for (int i = 0; same && i < model->n_x; i++)
        same = strcmp(model->x[i].name, plant->x[i].name) == 0;
    for (int i = 0; same && i < model->n_u; i++)
        same = strcmp(model->u[i].name, plant->u[i].name) == 0;
    same = same && model->switching.n_machine == plant->switching.n_machine;
    for (int m = 0; same && m < model->switching.n_machine; m++)
        same = model->switching.machine[m].n_state == plant->switching.machine[m].n_state;
    if (same)
        return STATUS_OK;
    return diag_error(diag, (struct srcpos){ .file = model->file }, "track.plant",
                      "the plant must have the states, controls, parameters and machines of the spec, and no others");
}

/* Impulses at times of one grid, which shrinks, are left out of it one after the other. */
static enum status check_impulses(const struct model *model, bool moves, struct diag *diag)
{
    const struct model_var *var = &model->impulses.impulse[0].var;
    if (model->time.n_stretch && model->time.n_steps == 0)
        return diag_error(diag, var->pos, var->path, "impulses are tracked at times at which control intervals of one length "
                          "begin: give such times, and time.intervals that meet them");
    if (moves)
        return diag_error(diag, var->pos, var->path, "impulses cannot be tracked with a receding or free horizon: their times "
                          "would move along");
    for (int i = 0; i < model->n_x; i++)
        if (model_jump_at(model, 0) && model->x[i].initial.kind != END_FIXED)
            return diag_error(diag, model->x[i].pos, model->x[i].path, "an impulse at the start is tracked from initial values "
                              "that are given");
    return STATUS_OK;
}

static enum status check_model(const struct model *model, const struct track_settings *settings, struct diag *diag)
{
    const bool moves = model->time.horizon_free || settings->horizon == TRACK_RECEDING;
    enum status st = STATUS_OK;
    if (model->time.n_phase)
        st = diag_error(diag, model->time.phase[0].pos, "phases",
                        "are not tracked: `solve --guess` plans anew from a measured "
                        "state");
    if (model->constraints.n_pair)
        st = diag_error(diag, model->constraints.pair[0].pos, model->constraints.pair[0].path,
                        "cannot be tracked: what the plant does under given "
                        "controls keeps no side at 0; contacts, of which it does, can");
    if (model->impulses.n_impulse && check_impulses(model, moves, diag) != STATUS_OK)
        st = STATUS_SPEC;
    if (model->switching.n_hysteresis)
        st = diag_error(diag, model->switching.hysteresis[0].pos, model->switching.hysteresis[0].path,
                        "relays cannot be tracked: what they "
                        "remember is no state");
    if (model->data.n_series)
        st = diag_error(diag, model->data.series[0].pos, "data", "are of the whole horizon, and cannot be fitted to what is left "
                        "of it: solve");
    if (model->costs.n_sampled && moves)
        st = diag_error(diag, model->costs.sampled[0].cost.pos, model->costs.sampled[0].cost.path,
                        "cannot be tracked with a receding "
                        "or free horizon: its times would move along");
    if (model->time.n_steps && (model->time.n_stretch || model->time.horizon_free))
        st = diag_error(diag, model->u[model->time.steps[0].u].pos, model->u[model->time.steps[0].u].path,
                        "is tracked in a fixed horizon, with jumps where intervals of one length begin: give such times, and "
                        "time.intervals that meet them");
    for (int k = 0; k < model->constraints.n_constraint && moves; k++)
        if (model->constraints.constraint[k].n_time)
            st = diag_error(diag, model->constraints.constraint[k].pos, model->constraints.constraint[k].path,
                            "cannot be tracked with a receding "
                            "or free horizon: its times would move along");
    for (int k = 0; k < model->n_u; k++)
        if (model->u[k].n_value)
            st = diag_error(diag, model->u[k].pos, model->u[k].path, "a control with \"values\" cannot be tracked: its "
                            "intervals have no fixed length to plan again after; with \"bounds\" in their place it can");
    if (isnan(settings->delay) && isnan(model_unit_seconds(model)))
        st = diag_error(diag, (struct srcpos){ .file = model->file }, "track.delay", "nobody knows how many %s a re-solve takes: "
                        "time.unit is no unit like s, min or h; give a number", model->time.unit);
    const int n_given = model->n_param - model->impulses.n_param;       /* impulses follow */
    if (model->n_p && model->p_param[0] < n_given && !model->time.n_phase)          /* whose lengths are told of */
        st = diag_error(diag, model->param[model->p_param[0]].pos, model->param[model->p_param[0]].path, "cannot be "
                        "optimized while it is tracked; solve it first, and give its value");
    return st;
}

/* --- Time ---------------------------------------------------------------------------------------------------- */

static double interval_length(const struct tracking *at)
{
    return (at->last_end - at->last_t) / at->last_n;
}

/* Of the last plan, from time t on. */
static int intervals_left(const struct tracking *at, double t)
{
    return (int)fmax(1, round((at->last_end - t) / interval_length(at)));
}

/* Impulses before that time after a measurement are the last plan's: it is not known in time what the next one
 * wants. */
static double first_choice(const struct tracking *at)
{
    const double delay = at->task->settings->delay;
    return isnan(delay) ? 2 * NO_TIME * interval_length(at) : delay;
}

/* When the next state is measured: where an interval of the last plan ends, not before the newest plan
 * takes over. At the very end where a shrinking horizon leaves fewer controls than final values to reach:
 * the last plan reaches them. */
static double next_measurement(const struct tracking *at)
{
    const struct track_plan *plan = &at->out->plan[at->out->n_plan - 1];
    const struct track_settings *settings = at->task->settings;
    const struct model *model = at->model;
    const double H = interval_length(at), busy = ceil((plan->t_from - plan->t) / H - NO_TIME);
    const double due = plan->t + H * fmax(settings->period, busy);
    const double chosen = due + first_choice(at) - NO_TIME * H; /* what impulses act later a plan from there may choose */
    int n_final = 0, n_left = model->n_u * intervals_left(at, due);
    for (int k = 0; k < model->impulses.n_impulse; k++)
        for (int j = 0; j < model->impulses.impulse[k].n; j++)
            n_left += at->grid[model->impulses.impulse[k].at[j]] > chosen;
    for (int i = 0; i < model->n_x; i++)
        n_final += model->x[i].final.kind == END_FIXED;
    const bool shrinks = settings->horizon == TRACK_SHRINKING;
    const bool is_last = due > at->t_end - NO_TIME * H || (shrinks && n_left < n_final);
    return is_last ? at->t_end : due;
}

/* --- Plans --------------------------------------------------------------------------------------------------- */

static struct track_plan *add_plan(struct tracking *at)
{
    struct tracked *out = at->out;
    const size_t n_x = (size_t)at->model->n_x;
    out->plan = mem_grow(out->plan, out->n_plan, 1, sizeof *out->plan);
    struct track_plan *plan = &out->plan[out->n_plan++];
    *plan = (struct track_plan){ .t = at->t, .t_from = at->t, .objective = NAN, .violation = NAN, .error = NAN,
                                 .horizon = NAN };
    plan->x = arena_alloc(&out->mem, n_x, sizeof *plan->x);
    plan->x_measured = arena_alloc(&out->mem, n_x, sizeof *plan->x);
    return plan;
}

static const char *why(const struct solution *found, enum status st)
{
    if (found->best.solved)
        return found->reason;
    return st == STATUS_LIMIT ? "no time was left" : "no solution from what is left of the last plan";
}

static enum status status_of_failure(const struct solve_result *discovery, enum status st, bool is_late)
{
    if (is_late)
        return STATUS_LIMIT;
    if (st == STATUS_OK && discovery->tr)
        st = discovery->homotopy.status;
    return st == STATUS_OK ? STATUS_INFEASIBLE : st;
}

/* What came of the solve; a solution is carried out after the delay. */
static void note_plan(struct tracking *at, struct track_plan *plan, const struct finished *found, enum status st)
{
    const struct track_settings *settings = at->task->settings;
    plan->is_used = found->solution.best.solved;
    const bool is_late = at->out->n_plan > 1 && plan->seconds >= settings->max_solve;
    plan->status = plan->is_used ? found->solution.status : stop_asked() ? stop_status()
                                 : status_of_failure(&found->record.discovery, st, is_late);
    plan->iterations = found->record.work.iterations;
    if (plan->status != STATUS_OK)
        (void)snprintf(plan->reason, sizeof plan->reason, "%s", why(&found->solution, plan->status));
    if (plan->is_used && plan->soft && plan->status == STATUS_OK) {
        plan->status = STATUS_ACCEPTABLE;
        (void)snprintf(plan->reason, sizeof plan->reason, "%s: the plan comes as near as it can",
                       plan->soft == TRACK_SOFT_END ? "final values cannot be reached from there"
                                                    : "constraints along the path cannot be kept from there");
    }
    if (at->out->n_plan > 1)
        plan->t_from =
            at->t + (isnan(settings->delay) ? plan->seconds / model_unit_seconds(at->model) : settings->delay);
    if (!plan->is_used)
        return;
    const struct finish *best = &found->solution.best;
    plan->objective = best->objective;
    plan->violation = best->violation;
    plan->error = found->solution.replay.error;
    plan->n_event = best->ph->seq->n_event;
    plan->n_interval = best->ph->n_interval;
}

static void forget(struct tracking *at)
{
    result_free(at->last);
    finished_free(&at->found);
    model_free(at->found_model);
}

/* What impulses are from when the plan takes over; those before stay as they were. */
static void take_impulses(struct tracking *at, const struct model *model, const struct track_plan *plan,
                          const struct phase_trace *trace)
{
    const int n = at->model->time.n_intervals, passed = n - trace->n_interval;
    const double near = NO_TIME * trace->horizon / trace->n_interval;
    for (int i = 0; i < trace->n_interval; i++)
        at->grid[passed + i] = plan->t + trace->t_interval[i];
    at->grid[n] = plan->t + trace->horizon;
    for (int k = 0; k < model->n_p; k++) {
        double acts = INFINITY;
        for (int i = 0; i < model->impulses.n_impulse; i++)
            for (int j = 0; j < model->impulses.impulse[i].n; j++)
                acts = model->impulses.impulse[i].param[j] == model->p_param[k]
                       ? at->grid[passed + model->impulses.impulse[i].at[j]] : acts;
        if (acts >= plan->t_from - near)
            at->value[model->p_param[k]] = trace->p[k];
    }
    for (int k = 0; k < at->model->n_p; k++)
        at->out->p[k] = at->p[k] = at->value[at->model->p_param[k]];
}

/* The solution becomes the plan. */
static void adopt(struct tracking *at, struct model *model, struct track_plan *plan, const struct finished *found)
{
    struct output_origin origin = *at->task->origin;
    const struct finish *best = &found->solution.best;
    struct phase_trace *trace = phase_trace_create(best->ph, best->w);
    origin.model = model;
    forget(at);
    at->found = *found;
    at->found_model = model == at->model ? NULL : model;
    at->last = finished_result(&origin, at->task->solve.solver, found, PLAN_POINTS);
    at->last_t = plan->t;
    at->last_end = plan->t + trace->horizon;
    at->last_n = trace->n_interval;
    plan->horizon = trace->horizon;
    if (model->impulses.n_impulse)
        take_impulses(at, model, plan, trace);
    at->controls =
        controls_take_over(&at->controls, at->t, trace, model->n_u, plan->t, plan->t_from, &at->out->mem);
    if (at->out->n_plan == 1) {
        double *force = mem_alloc((size_t)model_n_force(model), sizeof *force);
        phase_trace_start(best->ph, best->w, 0, at->x, force);
        for (int i = 0; i < model->n_x && model_jump_at(model, 0); i++)
            at->x[i] = model->x[i].initial.lo;                  /* before the impulse */
        memcpy(plan->x, at->x, (size_t)model->n_x * sizeof *plan->x);
        memcpy(plan->x_measured, at->x, (size_t)model->n_x * sizeof *plan->x);
        free(force);
    }
    phase_trace_free(trace);
}

/* What the measured state has put out of reach, one after the other: final values where the horizon ends, then what
 * holds along the path. False: there is nothing more. */
static bool soften(const struct tracking *at, struct model *model, struct track_plan *plan)
{
    const struct track_settings *settings = at->task->settings;
    const double weight = SOFT_WEIGHT * fmax(1, fabs(at->out->open_loop));
    if (!settings->soften || model == at->model || stop_asked())
        return false;
    if (plan->soft == TRACK_HARD && settings->horizon == TRACK_SHRINKING && problem_soften_end(model, weight)) {
        plan->soft = TRACK_SOFT_END;
        return true;
    }
    const bool more = plan->soft != TRACK_SOFT_PATH && problem_soften_path(model, weight);
    plan->soft = more ? TRACK_SOFT_PATH : plan->soft;
    return more;
}

/* Solves `task`, whose model is the problem from now on, into the newest plan, which
 * takes over a model of its own. */
static enum status make_plan(struct tracking *at, const struct solve_task *task,
                             const struct finish_settings *settings, struct diag *diag)
{
    struct track_plan *plan = &at->out->plan[at->out->n_plan - 1];
    struct finished found;
    const double start = clock_seconds(), cpu = cpu_seconds();
    enum status st = solve_finished(task, settings, &found, diag);
    struct solve_task again = *task;
    while (!found.solution.best.solved && (again.max_seconds = task->max_seconds - (clock_seconds() - start)) > 0
           && soften(at, task->model, plan)) {
        finished_free(&found);
        st = solve_finished(&again, settings, &found, diag);
    }
    plan->cpu_seconds = cpu_seconds() - cpu;
    plan->seconds = clock_seconds() - start;
    note_plan(at, plan, &found, st);
    if (plan->is_used) {
        adopt(at, task->model, plan, &found);
    } else {
        finished_free(&found);
        model_free(task->model == at->model ? NULL : task->model);
    }
    if (at->task->on_plan)
        at->task->on_plan(at->task->user, at->out->n_plan - 1, plan);
    return st;
}

static enum status first_plan(struct tracking *at, struct diag *diag)
{
    const struct track_plan *plan = add_plan(at);
    const enum status st = make_plan(at, &at->task->solve, at->task->finish, diag);
    if (plan->is_used) {
        at->out->open_loop = plan->objective;
        return STATUS_OK;
    }
    at->out->status = plan->status;
    (void)snprintf(at->out->failure, sizeof at->out->failure, "the first plan was not found: %s", plan->reason);
    return st == STATUS_SPEC || st == STATUS_USAGE ? st : STATUS_OK;
}

/* Until the newest plan takes over the last one goes on, with its controls moved by the measured state. */
static void feed_back(struct tracking *at, const double *x)
{
    struct track_plan *plan = &at->out->plan[at->out->n_plan - 1];
    if (at->task->settings->feedback && !at->model->impulses.n_impulse && !plan->is_fed_back)
        plan->is_fed_back = controls_feed_back(&at->controls, at->t, NO_TIME * interval_length(at),
                                               &at->found.solution.best, x, &at->out->mem);
}

/* The re-solve from the measured state. */
static void next_plan(struct tracking *at, const double *x)
{
    const struct track_settings *settings = at->task->settings;
    double *since = arena_alloc(&at->out->mem, (size_t)at->model->switching.n_machine, sizeof *since);
    const struct problem_from from = {
        .horizon = (enum track_horizon)settings->horizon, .t0 = at->t,
        .total = at->model->time.horizon_free ? at->last_end : at->model->time.horizon,
        .n_interval = intervals_left(at, at->t), .x = x, .x_start = at->out->plan[0].x,
        .t_from = at->t + first_choice(at), .value = at->value,
        .machine = at->machine, .since = since
    };
    for (int m = 0; m < at->model->switching.n_machine; m++)
        since[m] = at->t - at->entered[m];
    struct solve_task task = at->task->solve;
    struct finish_settings finish = *at->task->finish;
    struct guess *guess = NULL;
    struct diag *silent = diag_create();        /* what fails is told by the plan */
    task.model = problem_at(at->model, &from);
    (void)guess_from_result(task.model, at->last, "the last plan", at->t - at->last_t, &guess, silent);
    task.guess = guess;
    task.guess_alone = !settings->rediscover;
    task.once = true;                           /* the next plan corrects what this one does not see */
    task.max_seconds = settings->max_solve;
    task.hooks = (struct solve_hooks){ .note = NULL };
    task.jobs = 1;
    finish.tries = settings->tries;
    if (settings->delay != 0)
        feed_back(at, x);
    (void)make_plan(at, &task, &finish, silent);
    if (!at->out->plan[at->out->n_plan - 1].is_used)
        feed_back(at, x);
    guess_free(guess);
    diag_free(silent);
}

/* --- The plant ----------------------------------------------------------------------------------------------- */

/* What the machines of the plant are in at the end of a run, which the next one goes on from. */
static void note_machines(struct tracking *at, const struct sim *sim)
{
    const int n = at->model->switching.n_machine, n_switch = sim_n_switch(sim);
    if (n == 0 || sim_n_pieces(sim) == 0)
        return;
    const enum sim_mode *mode = sim_piece_at(sim, sim_n_pieces(sim) - 1).mode + at->model->contacts.n_contact;
    double *entered = arena_alloc(&at->out->mem, (size_t)n, sizeof *entered);
    sim_entered(sim, at->t, entered);
    at->entered = entered;
    at->memory = arena_copy(&at->out->mem, mode, (size_t)(n_switch + n), sizeof *mode);
    for (int m = 0; m < n; m++)
        at->machine[m] = (int)mode[n_switch + m];
}

/* One period under the controls; *at goes on to its end. */
static enum status run_plant(struct tracking *at, double t_next, struct diag *diag)
{
    struct tracked *out = at->out;
    struct sim_task task = *at->task->plant;
    struct sim *sim = NULL;
    task.x_initial = at->x;
    task.t_start = at->t;
    task.t_end = t_next;
    task.controls = at->controls;
    task.grid = at->model->impulses.n_impulse ? at->grid : NULL;
    task.p = at->model->impulses.n_impulse ? at->p : task.p;
    task.penetration_is_fine = true;            /* a disturbance may have pushed it there */
    task.memory = at->memory;
    task.entered = at->memory ? at->entered : NULL;
    const enum status st = sim_run(&task, &sim, diag);
    if (!sim)
        return st;
    out->run = mem_grow(out->run, out->n_run, 1, sizeof *out->run);
    out->run[out->n_run++] = (struct track_run){ sim, at->controls };
    at->t = sim_t_end(sim);
    sim_eval(sim, at->t, 1, at->x);
    note_machines(at, sim);
    if (sim_status(sim) != STATUS_OK) {
        out->status = sim_status(sim);
        (void)snprintf(out->failure, sizeof out->failure, "the plant: %s",
                       sim_message(sim) ? sim_message(sim) : "it stopped");
    } else {
        at->t = t_next;
    }
    return STATUS_OK;
}

/* A number in [-1, 1) of its own for each seed, plan, state and use. */
static double draw(const struct tracking *at, int state, int use)
{
    uint64_t z = random_mix((uint64_t)at->task->settings->seed);
    z = random_mix(z ^ (uint64_t)at->out->n_plan);
    return random_signed(random_mix(z ^ ((uint64_t)state * 2 + (uint64_t)use)));
}

/* The disturbance, then what is measured, in a new plan. */
static void measure(struct tracking *at)
{
    const int n_x = at->model->n_x;
    double *x = mem_alloc((size_t)n_x, sizeof *x);
    for (int i = 0; i < n_x; i++)
        at->x[i] += at->task->disturbance[i] * draw(at, i, 0);
    for (int i = 0; i < n_x; i++)
        x[i] = at->x[i] + at->task->noise[i] * draw(at, i, 1);
    kinematics_normalize(at->model, at->x);
    kinematics_normalize(at->model, x);
    const struct track_plan *plan = add_plan(at);
    memcpy(plan->x, at->x, (size_t)n_x * sizeof *x);
    memcpy(plan->x_measured, x, (size_t)n_x * sizeof *x);
    free(x);
}

/* --- The loop ------------------------------------------------------------------------------------------------ */

static void set_end(struct tracking *at)
{
    const struct track_settings *settings = at->task->settings;
    const bool recedes = settings->horizon == TRACK_RECEDING, is_first = at->out->n_plan == 1;
    const double asked = settings->period * settings->steps * interval_length(at);      /* by the first plan's intervals */
    if (is_first || (!recedes && at->model->time.horizon_free))
        at->t_end = at->last_end;
    if (is_first && settings->steps != SETTING_AUTO_INT)
        at->t_end = recedes ? asked : fmin(at->t_end, asked);
}

static enum status follow(struct tracking *at, struct diag *diag)
{
    enum status st = STATUS_OK;
    set_end(at);
    while (st == STATUS_OK && at->out->status == STATUS_OK) {
        st = run_plant(at, next_measurement(at), diag);
        if (st != STATUS_OK || at->out->status != STATUS_OK || at->t >= at->t_end)
            break;
        if (stop_asked()) {
            at->out->status = stop_status();
            (void)snprintf(at->out->failure, sizeof at->out->failure, "stopped at t = %.6g", at->t);
            break;
        }
        measure(at);
        next_plan(at, at->out->plan[at->out->n_plan - 1].x_measured);
        set_end(at);
    }
    return st;
}

enum status track_run(const struct track_task *task, struct tracked *out, struct diag *diag)
{
    *out = (struct tracked){ .median = NAN, .slow = NAN, .worst = NAN, .objective = NAN, .open_loop = NAN, .miss = NAN };
    const double start = clock_seconds();
    enum status st = check_model(task->solve.model, task->settings, diag);
    if (st == STATUS_OK)
        st = check_plant(task->solve.model, task->plant->model, diag);
    if (st != STATUS_OK)
        return st;
    struct tracking at = { .task = task, .model = task->solve.model, .out = out };
    at.x = arena_alloc(&out->mem, (size_t)at.model->n_x, sizeof *at.x);
    at.value = arena_alloc(&out->mem, (size_t)at.model->n_param, sizeof *at.value);
    at.grid = arena_alloc(&out->mem, (size_t)at.model->time.n_intervals + 1, sizeof *at.grid);
    at.p = arena_alloc(&out->mem, (size_t)at.model->n_p, sizeof *at.p);
    out->p = arena_alloc(&out->mem, (size_t)at.model->n_p, sizeof *out->p);
    for (int k = 0; k < at.model->n_param; k++)
        at.value[k] = at.model->param[k].value;
    at.machine = arena_alloc(&out->mem, (size_t)at.model->switching.n_machine, sizeof *at.machine);
    at.entered = arena_alloc(&out->mem, (size_t)at.model->switching.n_machine, sizeof *at.entered);
    st = first_plan(&at, diag);
    if (st == STATUS_OK && out->status == STATUS_OK) {
        stop_keep();
        st = follow(&at, diag);
        outcome_judge(task, out, at.x);
    }
    out->seconds = clock_seconds() - start;
    forget(&at);
    return st;
}

void tracked_free(struct tracked *tracked)
{
    for (int k = 0; k < tracked->n_run; k++)
        sim_free(tracked->run[k].sim);
    free(tracked->run);
    free(tracked->plan);
    arena_free(&tracked->mem);
}
