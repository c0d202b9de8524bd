#include "core/simulation/events/run.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum status run_fail(struct sim *sim, enum status st, const char *fmt, ...)
{
    char text[700];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    sim->status = st;
    sim->message = arena_copy_text(&sim->mem, text);
    return st;
}

void run_note(struct sim *sim, const char *fmt, ...)
{
    char text[500];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (sim->task.on_note)
        sim->task.on_note(sim->task.user, text);
}

enum status run_check_slope(struct sim *sim, int c, double t)
{
    static const double flat = 1e-6;                            /* of the steepest so far */
    const struct model_contact *contact = &sim->sys->model->contacts.contact[c];
    const struct contact_at at = system_contact(sim->sys, c);
    const double slope = sqrt(vec_dot(sim->sys->n_q, at.J_n, at.J_n));
    if (slope > flat * sim->rest.steepest[c])
        return STATUS_OK;
    return run_fail(sim, STATUS_NUMERIC, "t = %.9g: %s:%d:%d: %s.gap: its gradient vanishes where it is 0; give it a "
                    "slope there, as q in place of q^2", t, contact->pos.file, contact->pos.line, contact->pos.col,
                    contact->path);
}

enum status run_check_sets(struct sim *sim)
{
    static const double outside = 1e-8;                         /* as at the start of a run */
    struct system *sys = sim->sys;
    flow_set_inputs(&sim->flow, &sim->mode, sim->t, sim->x);
    system_eval_switches(sys);
    for (int k = 0; k < sys->n_s && !sim->task.penetration_is_fine; k++)
        if (sys->wall[k] && !sys->wall[k]->is_pair && sys->at.c[k] < -outside)
            return run_fail(sim, STATUS_NUMERIC, "t = %.9g: the state jumps out of its set: the gap of %s is %.6g",
                            sim->t, sys->wall[k]->name, sys->at.c[k]);
    return STATUS_OK;
}

void run_add_event(struct sim *sim, struct sim_event event)
{
    sim->event = mem_grow(sim->event, sim->n_event, 1, sizeof *sim->event);
    sim->event[sim->n_event++] = event;
}

enum sim_kind run_kind_of_change(enum sim_mode before, enum sim_mode now)
{
    if (now == SIM_SLIDES || before == SIM_SLIDES)
        return now == SIM_SLIDES ? SIM_SLIDING : SIM_LEAVING;
    if (now == SIM_NEGATIVE || now == SIM_POSITIVE)
        return SIM_CROSSING;
    if (now == SIM_OPEN || before == SIM_OPEN)
        return now == SIM_OPEN ? SIM_LIFTOFF : SIM_IMPACT;
    return now == SIM_STICKS ? SIM_STICK : before == SIM_STICKS ? SIM_SLIP : SIM_REVERSAL;
}

void run_add_piece(struct sim *sim, double t_end)
{
    const size_t n_m = (size_t)sim->sys->n_subject, n_d = SLIP_MAX * (size_t)sim->sys->n_c;
    sim->pieces.of = mem_grow(sim->pieces.of, sim->pieces.n, 1, sizeof *sim->pieces.of);
    sim->pieces.coef = mem_grow(sim->pieces.coef, sim->pieces.n, 1, sim->pieces.n_coef * sizeof(double));
    sim->pieces.modes = mem_grow(sim->pieces.modes, sim->pieces.n, 1, n_m * sizeof *sim->pieces.modes);
    sim->pieces.direction = mem_grow(sim->pieces.direction, sim->pieces.n, 1, n_d * sizeof(double));
    const size_t k = (size_t)sim->pieces.n++;
    sim->pieces.of[k] = (struct piece){ sim->t, t_end, sim->h, sim->row };
    memcpy(&sim->pieces.coef[k * sim->pieces.n_coef], sim->step.coef, sim->pieces.n_coef * sizeof(double));
    memcpy(&sim->pieces.modes[k * n_m], sim->mode.of, n_m * sizeof *sim->pieces.modes);
    memcpy(&sim->pieces.direction[k * n_d], sim->mode.direction, n_d * sizeof(double));
}
