/* The loop of an event-driven simulation: steps, each up to the next event. */
#include "core/simulation/events/run.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/stop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PENETRATION = 1e-8;     /* m: what a gap may be below zero at the start */
static const double FIRST_STEP = 1e-2;      /* of the horizon; steps adapt at once */
static const double LEAST_STEP = 1e-6; /* of the horizon, after an event: short bounces want short steps, as the
                                        * rounding of a long one is that of its end */
static const double FINEST = 1e-9;          /* of the horizon: what lasts longer is found between the samples of a step */
static const double SHORTEST = 1e-14;       /* s, relative to max(1, |t|): a step cannot be shorter */
enum { STUCK_MAX = 60 };                    /* events at one time before a run gives up */
enum {                              /* of slip in space that creeps: */
    CREEP_STEPS = 60,               /* steps in a row before it is pushed on, */
    BALKS_MAX = 8,                  /* of them steps that were too long, likewise, */
    PUSH_MAX = 100                  /* how often */
};
enum { PACE_STEPS = 2000 };                 /* steps that have to come on, */
static const double PACE_LEAST = 1e-7;      /* of the time to be simulated, or a run gives up */

void sim_task_init(struct sim_task *task, struct model *model)
{
    *task = (struct sim_task){ .model = model, .t_end = model->time.horizon, .rtol = 1e-12, .atol = 1e-14,
                               .max_events = 10000, .max_seconds = INFINITY };
}

/* --- The start ----------------------------------------------------------------------------------------------- */

static enum status set_state(struct sim *sim, struct diag *diag)
{
    const struct model *model = sim->task.model;
    if (!sim->task.x_initial)
        return model_initial_state(model, sim->x, diag);
    memcpy(sim->x, sim->task.x_initial, (size_t)model->n_x * sizeof *sim->x);
    return STATUS_OK;
}

/* In its phase a control acts or is 0. */
static void switch_controls_off(const struct model *model, double *u)
{
    const struct model_phase *phase = model_phase_of_row(model, u);
    for (int i = 0; i < model->n_u && phase; i++)
        if (!model_is_given(model, i) && !phase->has_u[i])
            u[i] = 0;
}

static void add_steps(struct sim *sim)
{
    const struct sim_controls given = sim->task.controls;
    const struct model_rows rows = model_rows_with_steps(
        sim->task.model, sim->task.t_end, (struct model_rows){ given.n, given.t, given.u }, &sim->mem);
    sim->task.controls = (struct sim_controls){ rows.n, rows.t, rows.u };
}

/* Rows of controls without gaps: a control that is not given keeps its guess. */
static void set_controls(struct sim *sim)
{
    const struct model *model = sim->task.model;
    const struct sim_controls *given = &sim->task.controls;
    phases_add_rows(sim);
    add_steps(sim);
    jumps_list(sim);
    sim->n_row = given->n > 0 ? given->n : 1;
    sim->u = arena_alloc(&sim->mem, (size_t)(sim->n_row * model->n_u), sizeof(double));
    for (int k = 0; k < sim->n_row; k++)
        for (int i = 0; i < model->n_u; i++) {
            const double guess = isnan(model->u[i].guess) ? 0 : model->u[i].guess;
            const double u = given->n > 0 ? given->u[k * model->n_u + i] : NAN;
            sim->u[k * model->n_u + i] = isnan(u) ? guess : u;
        }
    for (int k = 0; k < sim->n_row; k++)
        switch_controls_off(model, &sim->u[k * model->n_u]);
    while (sim->row + 1 < sim->n_row && given->t[sim->row + 1] <= sim->t)
        sim->row++;
    sim->mode.u = &sim->u[sim->row * model->n_u];
}

/* Of a contact that was closed before the start. */
static enum sim_mode mode_of_rest(const struct system *sys, int c)
{
    const struct contact_at at = system_contact(sys, c);
    if (system_has_friction(sys, c) && slip_size(at.v_t) <= SELECT_REST)
        return SIM_STICKS;
    return system_has_friction(sys, c) && sys->model->contacts.contact[c].n_t == 1 && at.v_t[0] < 0 ? SIM_BACKWARD
                                                                                                    : SIM_FORWARD;
}

/* Modes to start the selection from: what gaps and signs say. */
static enum status set_modes(struct sim *sim, struct diag *diag)
{
    struct system *sys = sim->sys;
    enum status st = STATUS_OK;
    for (int k = 0; k < sys->n_s; k++) {
        const bool off = sys->relay[k] && !(sim->task.memory ? sim->task.memory[k] == SIM_POSITIVE
                                                             : sys->relay[k]->starts_on);
        sim->flow.alpha[k] = 0.5;
        sim->mode.of[sys->n_c + k] = off ? SIM_NEGATIVE : SIM_POSITIVE;
    }
    for (int m = 0; m < sys->n_m; m++) {
        const int start = sys->model->switching.machine[m].start;
        sim->mode.of[sys->n_c + sys->n_s + m] =
            sim->task.memory ? sim->task.memory[sys->n_s + m] : (enum sim_mode)start;
        sim->t_entered[m] = sim->task.entered ? sim->task.entered[m]
                                              : sim->t - sys->model->switching.machine[m].since;
    }
    corners_settle(sim);
    flow_set_inputs(&sim->flow, &sim->mode, sim->t, sim->x);
    system_eval_contacts(sys);
    system_eval_switches(sys);
    for (int k = 0; k < sys->n_s; k++) {
        const struct model_projection *wall = sys->wall[k];
        sim->mode.of[sys->n_c + k] = wall || sys->at.c[k] >= 0 ? SIM_POSITIVE : SIM_NEGATIVE;
        if (wall && !wall->is_pair && !(sys->at.c[k] >= -PENETRATION) && !sim->task.penetration_is_fine)
            st = diag_error(diag, wall->pos, wall->path, "the gap is %.6g at the start: it starts outside",
                            sys->at.c[k]);
    }
    for (int c = 0; c < sys->n_c; c++) {
        const struct model_contact *contact = &sys->model->contacts.contact[c];
        const double gap = system_contact(sys, c).gap;
        sim->mode.of[c] = sim->task.rests && sim->task.rests[c] ? mode_of_rest(sys, c) : SIM_OPEN;
        sim->rest.t[c] = INFINITY;
        zeno_init(&sim->rest.zeno[c]);
        if (!(gap >= -PENETRATION) && !sim->task.penetration_is_fine)
            st = diag_error(diag, contact->pos, contact->path, "the gap is %.6g at the start: the bodies overlap",
                            gap);
    }
    return st;
}

static void allocate(struct sim *sim)
{
    const struct system *sys = sim->sys;
    const size_t n_x = (size_t)sys->n_x, n_q = (size_t)sys->n_q, n_c = (size_t)sys->n_c;
    struct arena *mem = &sim->mem;
    flow_init(&sim->flow, mem, sim->sys);
    step_init(&sim->step, mem, sys->n_x);
    guards_init(&sim->guards, mem, sys);
    sim->guards.resolution.finest = FINEST * (sim->task.t_end - sim->task.t_start);
    select_init(&sim->select, mem, &sim->flow);
    mode_init(&sim->mode, mem, sys);
    sim->pieces.n_coef = (STEP_STAGES + 1) * n_x;
    sim->x = arena_alloc(mem, n_x, sizeof(double));
    sim->now.x_minus = arena_alloc(mem, n_x, sizeof(double));
    sim->scratch = arena_alloc(mem, 3 * n_x, sizeof(double));
    sim->now.v_plus = arena_alloc(mem, n_q, sizeof(double));
    sim->now.before = arena_alloc(mem, (size_t)sys->n_subject, sizeof *sim->now.before);
    sim->t_entered = arena_alloc(mem, (size_t)sys->n_m, sizeof(double));
    sim->fired = sim->turned = sim->pace.turn_of = -1;
    sim->now.impulse = arena_alloc(mem, CONTACT_ROWS * n_c, sizeof(double));
    sim->now.touches = arena_alloc(mem, n_c, sizeof(bool));
    sim->rest.accumulates = arena_alloc(mem, n_c, sizeof(bool));
    sim->rest.zeno = arena_alloc(mem, n_c, sizeof *sim->rest.zeno);
    sim->rest.t = arena_alloc(mem, n_c, sizeof(double));
    sim->rest.steepest = arena_alloc(mem, n_c, sizeof(double));
}

/* --- The way ------------------------------------------------------------------------------------------------- */

static double shortest(const struct sim *sim) { return SHORTEST * fmax(1, fabs(sim->t)); }

/* The next time at which something is known to happen: controls jump, a table has a break, a
 * Zeno sequence ends, the end. */
static double next_stop(const struct sim *sim)
{
    double stop = sim->task.t_end;
    if (sim->row + 1 < sim->n_row)
        stop = fmin(stop, sim->task.controls.t[sim->row + 1]);
    stop = fmin(stop, jumps_next(sim));
    stop = fmin(stop, machines_next(sim));
    stop = fmin(stop, breaks_next(&sim->sys->breaks, sim->t, shortest(sim)));
    for (int c = 0; c < sim->sys->n_c; c++)             /* one whose last impact was before others' may rest already */
        stop = fmin(stop, fmax(sim->rest.t[c], sim->t + shortest(sim)));
    return stop;
}

static bool slips_in_space(const struct sim *sim, int c)
{
    const struct system *sys = sim->sys;
    return sim->mode.of[c] == SIM_FORWARD && sys->model->contacts.contact[c].n_t > 1 && sys->mu[c] > 0;
}

/* Slip counts as positive on the side to which it goes now. */
static void follow_slip(struct sim *sim, int c, const struct contact_at *at)
{
    const double speed = slip_size(at->v_t);
    if (sim->mode.of[c] != SIM_FORWARD || sim->sys->model->contacts.contact[c].n_t < 2 || speed <= SELECT_REST)
        return;
    slip_unit(at->v_t, sim->mode.direction + SLIP_MAX * c);
}

/* What a step starts from. */
static void look_at_contacts(struct sim *sim)
{
    struct system *sys = sim->sys;
    bool creeps = false, begins = false;
    flow_set_inputs(&sim->flow, &sim->mode, sim->t, sim->x);
    system_eval_contacts(sys);
    for (int c = 0; c < sys->n_c; c++) {
        const struct contact_at at = system_contact(sys, c);
        sim->rest.steepest[c] = fmax(sim->rest.steepest[c], sqrt(vec_dot(sys->n_q, at.J_n, at.J_n)));
        creeps = creeps || (slips_in_space(sim, c) && slip_size(at.v_t) < CREEP);
        begins = begins || (slips_in_space(sim, c) && slip_size(at.v_t) < SELECT_REST);     /* what ends is over there */
        follow_slip(sim, c, &at);
    }
    sim->pace.n_creep = creeps ? sim->pace.n_creep + 1 : 0;
    sim->pace.n_balk = begins ? sim->pace.n_balk : 0;
}

/* Is there slip in space that has become so slow that no step can follow its direction? It ends with this event. */
static bool stop_creeping(struct sim *sim)
{
    struct system *sys = sim->sys;
    flow_set_inputs(&sim->flow, &sim->mode, sim->t, sim->x);
    system_eval_contacts(sys);
    for (int c = 0; c < sys->n_c; c++)
        sim->now.creeps =
            sim->now.creeps || (slips_in_space(sim, c) && slip_size(system_contact(sys, c).v_t) < CREEP);
    return sim->now.creeps;
}

/* Deals with the event at the present time, if there may be one more. */
static enum status change_mode(struct sim *sim)
{
    if (sim->n_event >= sim->task.max_events)
        return run_fail(sim, STATUS_LIMIT,
                        "%d events up to t = %.9g; simulate.max_events (--max-events) allows no more",
                        sim->n_event, sim->t);
    return events_settle(sim, false);
}

/* The present mode does not hold here. */
static void ban_mode(struct sim *sim)
{
    select_ban(&sim->select, &sim->mode);
    sim->pace.t_banned = sim->t;
}

static enum status give_up_step(struct sim *sim, enum flow_outcome why)
{
    const char *const unit = sim->sys->model->time.unit;
    char text[500] = "";
    if (why == FLOW_NAN && system_trace(sim->sys, text, sizeof text))
        return run_fail(sim, STATUS_NUMERIC, "t = %.9g: %s", sim->t, text);
    if (why == FLOW_MASS)
        return run_fail(sim, STATUS_NUMERIC, "t = %.9g: the mass matrix is not positive definite", sim->t);
    if (sim->pace.n_stuck++ > STUCK_MAX)
        return run_fail(sim, STATUS_NUMERIC, "t = %.9g: the state changes faster than steps of %.0e %s can follow",
                        sim->t, shortest(sim), unit);
    if (!stop_creeping(sim))
        ban_mode(sim);
    sim->h = FIRST_STEP * (sim->task.t_end - sim->task.t_start);
    return change_mode(sim);
}

/* The first step after an event: a few times as long as it took to come there. */
static void shorten_step(struct sim *sim)
{
    const double horizon = sim->task.t_end - sim->task.t_start;
    sim->h = fmin(sim->h, fmax(4 * (sim->t - sim->t_event), LEAST_STEP * horizon));
    sim->t_event = sim->t;
}

/* Slip in space that turns round goes on in the same mode the other way. */
static bool may_turn_round(const struct sim *sim, struct guard guard)
{
    return guard.kind == GUARD_SLIP && sim->sys->model->contacts.contact[guard.subject].n_t > 1;
}

/* Slip in space that turns round twice in next to no time, too slow to matter: errors of
 * steps move what is at rest. */
static void note_turn(struct sim *sim, struct guard guard)
{
    const double soon = LEAST_STEP * (sim->task.t_end - sim->task.t_start);
    const bool turns = may_turn_round(sim, guard);
    if (turns && guard.subject == sim->pace.turn_of && sim->t - sim->pace.t_turn < soon) {
        flow_set_inputs(&sim->flow, &sim->mode, sim->t, sim->x);
        system_eval_contacts(sim->sys);
        sim->now.creeps = slip_size(system_contact(sim->sys, guard.subject).v_t) < CREEP;
    }
    sim->pace.turn_of = turns ? guard.subject : -1;
    sim->pace.t_turn = sim->t;
}

/* Time has come to t: has it moved on since the last event? */
static enum status note_progress(struct sim *sim, double t_before, struct guard guard)
{
    if (sim->t > t_before + shortest(sim)) {
        sim->pace.n_stuck = 0;
        select_forget_banned(&sim->select);
        return STATUS_OK;
    }
    if (!may_turn_round(sim, guard) && !stop_creeping(sim))
        ban_mode(sim);
    if (sim->pace.n_stuck++ < STUCK_MAX)
        return STATUS_OK;
    return run_fail(sim, STATUS_NUMERIC,
                    "t = %.9g: no mode of contacts and switches is consistent for longer than a moment", sim->t);
}

/* A gap that comes down to zero and opens again: a graze, or one that has no slope there. */
static enum status note_graze(struct sim *sim, const struct guard_event *event, double t_end)
{
    if (event->n_graze == 0 || event->graze_t >= t_end)
        return STATUS_OK;
    step_poly_at(sim->sys->n_x, sim->step.coef, (event->graze_t - sim->t) / sim->h, sim->scratch);
    flow_set_inputs(&sim->flow, &sim->mode, event->graze_t, sim->scratch);
    system_eval_contacts(sim->sys);
    if (sim->n_graze++ == 0)
        run_note(sim, "%s: it grazes at t = %.9g, where the gap comes down to %.1e and opens again",
                 sim->sys->model->contacts.contact[event->graze_contact].name, event->graze_t, event->graze_gap);
    return run_check_slope(sim, event->graze_contact, event->graze_t);
}

/* What is known to happen at the present time happens: new controls, contacts that are at rest. */
static void reach_stop(struct sim *sim)
{
    for (int c = 0; c < sim->sys->n_c; c++)
        if (sim->t >= sim->rest.t[c]) {
            const double *x = arena_copy(&sim->mem, sim->x, (size_t)sim->sys->n_x, sizeof *x);
            run_add_event(sim, (struct sim_event){ sim->t, SIM_REST, c, .x_minus = x, .x_plus = x });
            sim->rest.t[c] = INFINITY;
        }
    const struct model *model = sim->sys->model;
    const struct model_phase *phase = model_phase_of_row(model, sim->mode.u);
    while (sim->row + 1 < sim->n_row && sim->task.controls.t[sim->row + 1] <= sim->t)
        sim->row++;
    sim->mode.u = &sim->u[sim->row * sim->sys->n_u];
    if (model_phase_of_row(model, sim->mode.u) != phase)
        sim->begins = model_phase_of_row(model, sim->mode.u);
}

/* Tries a step over sim->h: its stages, and what may hide between them. */
static enum step_outcome try_length(struct sim *sim)
{
    struct step *step = &sim->step;
    const struct sim_task *task = &sim->task;
    const enum step_outcome outcome = step_try(step, &sim->flow, &sim->mode, sim->t, sim->h, sim->x, task->rtol,
                                               task->atol);
    const struct hidden_step tried = { step->coef, sim->t, sim->h, task->rtol, task->atol,
                                       step->is_stiff ? &step->stiff : NULL };
    if (outcome == STEP_OK && hidden_find(&sim->guards.resolution, &sim->flow, &sim->mode, &tried, sim->scratch,
                                          &step->h_next))
        return STEP_TOO_LONG;
    return outcome;
}

/* Tries a step of at most sim->h towards stop. True if it stands, with the event in it; else sim->h is what to try
 * instead, or *why tells why not even the shortest step can be taken. */
static bool try_step(struct sim *sim, double stop, struct guard_event *event, bool *gives_up,
                     enum flow_outcome *why)
{
    *gives_up = false;
    if (sim->h > stop - sim->t || stop - sim->t - sim->h < 1e-3 * sim->h)
        sim->h = stop - sim->t;
    look_at_contacts(sim);
    guards_list(&sim->guards, sim->sys, &sim->mode);
    const enum step_outcome outcome = try_length(sim);
    *why = sim->step.why;
    if (outcome == STEP_OK)
        *why = guards_search(&sim->guards, &sim->flow, &sim->mode, sim->step.coef, sim->t, sim->h, event);
    if (outcome != STEP_OK || *why != FLOW_OK) {
        *gives_up = sim->h <= shortest(sim);
        sim->h = outcome == STEP_OK ? 0.3 * sim->h : sim->step.h_next;
        return false;
    }
    if (event->found && !event->is_of_start && event->t <= sim->t + shortest(sim) && sim->h > 100 * shortest(sim)) {
        sim->h = fmax(0.03 * sim->h, shortest(sim));            /* at once: or is it the rounding of a long step? */
        return false;
    }
    return true;
}

/* Keeps the step up to t_end. */
static void take_step(struct sim *sim, double t_end)
{
    if (t_end > sim->t)
        run_add_piece(sim, t_end);
    step_poly_at(sim->sys->n_x, sim->step.coef, (t_end - sim->t) / sim->h, sim->x);
    sim->t = t_end;
    sim->h = sim->step.h_next;
    if (sim->select.n_banned > 0 && sim->t > sim->pace.t_banned + FINEST * (sim->task.t_end - sim->task.t_start)) {
        select_forget_banned(&sim->select);
        sim->pace.n_stuck = 0;
    }
    flow_project(&sim->flow, &sim->mode, sim->t, sim->x, 0);
}

/* One step, or the way to the next event. */
static enum status go_on(struct sim *sim)
{
    const double stop = next_stop(sim), t_before = sim->t;
    struct guard_event event;
    enum flow_outcome why;
    bool gives_up;
    if (!try_step(sim, stop, &event, &gives_up, &why)) {
        sim->pace.n_balk++;
        return gives_up ? give_up_step(sim, why) : STATUS_OK;
    }
    double t_end = event.found ? event.t : event.t_searched;
    if (!event.found && t_end > stop - shortest(sim))
        t_end = stop;
    enum status st = note_graze(sim, &event, t_end);
    if (st != STATUS_OK)
        return st;
    take_step(sim, t_end);
    if (!event.found && sim->t < stop)
        return STATUS_OK;
    if (event.found) {
        const struct guard guard = sim->guards.guard[event.guard];
        sim->fired = guard.kind == GUARD_WHEN ? guard.subject : -1;
        sim->turned = guard.kind == GUARD_CORNER ? guard.subject : -1;
        shorten_step(sim);
        note_turn(sim, guard);
        st = note_progress(sim, t_before, guard);
        if (st != STATUS_OK)
            return st;
    }
    if (sim->t >= sim->task.t_end)
        return jumps_make(sim);
    if (sim->t >= stop)
        reach_stop(sim);
    return change_mode(sim);
}

/* Does slip in space that creeps become slower? Then it comes to its end, and no push must keep it from that. */
static bool creep_ends(struct sim *sim)
{
    struct system *sys = sim->sys;
    bool ends = false;
    if (flow_eval(&sim->flow, &sim->mode, sim->t, sim->x) != FLOW_OK)
        return false;
    for (int c = 0; c < sys->n_c; c++) {
        const struct contact_at at = system_contact(sys, c);
        double a[CONTACT_ROWS];
        flow_contact_acceleration(&sim->flow, c, a);
        ends = ends || (slips_in_space(sim, c) && slip_size(at.v_t) < CREEP && slip_dot(a + 1, at.v_t) < 0);
    }
    return ends;
}

/* Would steps like the last ones ever come to the end? Where load grows slowly over what friction bears
 * the direction of slip is rounding for long: it is given the speed at which steps can follow it, in
 * the direction that it has. */
static enum status note_pace(struct sim *sim)
{
    if (sim->pace.n_creep > CREEP_STEPS && creep_ends(sim)) {
        sim->now.creeps = true;
        sim->pace.n_creep = 0;
        return change_mode(sim);
    }
    if (sim->pace.n_creep > CREEP_STEPS || sim->pace.n_balk > BALKS_MAX) {
        if (sim->pace.n_push++ >= PUSH_MAX)
            return run_fail(sim, STATUS_NUMERIC, "t = %.9g: it makes no progress, a contact has slipped by less than %.0e m/%s for "
                            "%d steps: its load is at the limit of what friction bears", sim->t, CREEP,
                            sim->sys->model->time.unit, CREEP_STEPS);
        flow_project(&sim->flow, &sim->mode, sim->t, sim->x, 2 * CREEP);
        sim->pace.n_creep = sim->pace.n_balk = 0;
    }
    if (++sim->pace.n < PACE_STEPS)
        return STATUS_OK;
    const double passed = sim->t - sim->pace.t;
    sim->pace.n = 0;
    sim->pace.t = sim->t;
    if (passed >= PACE_LEAST * (sim->task.t_end - sim->task.t_start))
        return STATUS_OK;
    return run_fail(sim, STATUS_NUMERIC, "t = %.9g: it makes no progress, the last %d steps covered %.1e %s; a contact may be between "
                    "slip and stick", sim->t, PACE_STEPS, passed, sim->sys->model->time.unit);
}

static void note_unresolved(struct sim *sim)
{
    const struct resolution *res = &sim->guards.resolution;
    if (res->coarsest > 0)
        run_note(sim, "functions of this system vary too fast to be resolved throughout: from t = %.9g on, events that "
                 "last less than %.2g %s may have been missed", res->t_coarsest, res->coarsest,
                 sim->sys->model->time.unit);
}

static void run(struct sim *sim)
{
    const double start = clock_seconds();
    int n_tried = 0;
    sim->h = FIRST_STEP * (sim->task.t_end - sim->task.t_start);
    enum status st = events_settle(sim, true);
    while (st == STATUS_OK && sim->t < sim->task.t_end) {
        if (sim->task.interrupt && *sim->task.interrupt)
            st = run_fail(sim, stop_status(), "stopped at t = %.9g", sim->t);
        else if (clock_seconds() - start > sim->task.max_seconds)
            st = run_fail(sim, STATUS_LIMIT, "%.3g s of computing time are used up at t = %.9g",
                          sim->task.max_seconds, sim->t);
        else if (sim->task.max_steps && n_tried++ >= sim->task.max_steps)
            st = run_fail(sim, STATUS_LIMIT, "%d steps are used up at t = %.9g", sim->task.max_steps, sim->t);
        else if ((st = note_pace(sim)) == STATUS_OK)
            st = go_on(sim);
    }
    note_unresolved(sim);
}

enum status sim_run(const struct sim_task *task, struct sim **out, struct diag *diag)
{
    struct sim *sim = mem_alloc(1, sizeof *sim);
    sim->task = *task;
    sim->t = sim->t_event = sim->pace.t = task->t_start;
    enum status st = STATUS_OK;
    if (task->like)
        system_forget(sim->sys = task->like->sys, task->p);
    else
        st = system_create(task->model, task->p, task->u_expr, &sim->sys, diag);
    if (st == STATUS_OK) {
        allocate(sim);
        set_controls(sim);
        st = set_state(sim, diag);
        if (st == STATUS_OK)
            st = set_modes(sim, diag);
    }
    if (st == STATUS_OK) {
        run(sim);
    } else {
        sim_free(sim);
        sim = NULL;
    }
    *out = sim;
    return st;
}

void sim_free(struct sim *sim)
{
    if (!sim)
        return;
    free(sim->select.banned);
    guards_free(&sim->guards);
    if (!sim->task.like)
        system_free(sim->sys);
    free(sim->pieces.of);
    free(sim->pieces.coef);
    free(sim->pieces.modes);
    free(sim->pieces.direction);
    free(sim->event);
    arena_free(&sim->mem);
    free(sim);
}
