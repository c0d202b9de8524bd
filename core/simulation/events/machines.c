/* Machines: transitions that are due, by the clock or by a condition, and their resets. */
#include "core/simulation/events/run.h"

#include <math.h>
#include <string.h>

static const double MET = 1e-10;            /* of a condition at its start: what is above that holds */
enum { ROUNDS_MAX = 50 };           /* transitions of one machine at one time */

static enum sim_mode *state_of(struct sim *sim, int machine)
{
    return &sim->mode.of[sim->sys->n_c + sim->sys->n_s + machine];
}

static double due(const struct sim *sim, const struct system_transition *transition)
{
    return sim->t_entered[transition->machine] + transition->of->after;
}

double machines_next(const struct sim *sim)
{
    const struct system *sys = sim->sys;
    double next = INFINITY;
    for (int k = 0; k < sys->transitions.n; k++) {
        const struct system_transition *one = &sys->transitions.of[k];
        if (one->of->when == EXPR_NONE
            && one->of->from == (int)sim->mode.of[sys->n_c + sys->n_s + one->machine])
            next = fmin(next, due(sim, one));
    }
    return next;
}

/* The first transition that can happen now, -1: none. */
static int find_due(struct sim *sim)
{
    struct system *sys = sim->sys;
    flow_set_inputs(&sim->flow, &sim->mode, sim->t, sim->x);
    const double *when = system_eval_when(sys), slack = 1e-14 * fmax(1, fabs(sim->t));
    for (int k = 0; k < sys->transitions.n; k++) {
        const struct system_transition *one = &sys->transitions.of[k];
        const bool is_by_time = one->of->when == EXPR_NONE;
        if (one->of->from == (int)*state_of(sim, one->machine)
            && (is_by_time ? sim->t >= due(sim, one) - slack : k == sim->fired || when[k] > MET))
            return k;
    }
    return -1;
}

static void make_transition(struct sim *sim, int k)
{
    struct system *sys = sim->sys;
    const struct system_transition *one = &sys->transitions.of[k];
    const size_t n_x = (size_t)sys->n_x;
    const double *before = arena_copy(&sim->mem, sim->x, n_x, sizeof(double));
    const double *reset = function_values(&sys->transitions.resets) + one->reset;
    for (int i = 0; i < one->of->n_reset; i++)
        sim->x[one->of->reset_x[i]] = reset[i];
    *state_of(sim, one->machine) = (enum sim_mode)one->of->to;
    sim->t_entered[one->machine] = sim->t;
    run_add_event(sim, (struct sim_event){ sim->t, SIM_TRANSITION, sys->n_c + sys->n_s + k, { 0, 0, 0 }, 0, before,
                                           arena_copy(&sim->mem, sim->x, n_x, sizeof(double)) });
}

void sim_entered(const struct sim *sim, double t, double *entered)
{
    const struct system *sys = sim->sys;
    for (int m = 0; m < sys->n_m; m++)
        entered[m] = sim->task.entered ? sim->task.entered[m]
                                       : sim->task.t_start - sys->model->switching.machine[m].since;
    for (int k = 0; k < sim->n_event && sim->event[k].t <= t; k++)
        if (sim->event[k].kind == SIM_TRANSITION)
            entered[sys->transitions.of[sim->event[k].subject - sys->n_c - sys->n_s].machine] = sim->event[k].t;
}

enum status machines_run(struct sim *sim)
{
    for (int round = 0; round < ROUNDS_MAX * sim->sys->n_m; round++) {
        const int k = find_due(sim);
        if (k < 0)
            return round > 0 ? run_check_sets(sim) : STATUS_OK;
        make_transition(sim, k);
        sim->fired = -1;
    }
    if (sim->sys->n_m > 0 && find_due(sim) >= 0)
        return run_fail(sim, STATUS_NUMERIC,
                        "t = %.9g: infinitely many transitions at one time, %s again and again", sim->t,
                        sim->sys->transitions.of[find_due(sim)].of->name);
    return STATUS_OK;
}
