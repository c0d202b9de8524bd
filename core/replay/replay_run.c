/* What the controls and contacts of a solution are at a time, and simulations under them. */
#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/replay/replay_parts.h"

#include <math.h>
#include <stdlib.h>

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

enum status replay_simulate(struct replay *r, const double *x, double t_start, double t_end, bool is_part,
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
