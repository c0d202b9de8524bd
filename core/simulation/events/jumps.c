/* What jumps because the spec says so: where phases by the user begin, and impulses act. */
#include "core/simulation/events/run.h"

#include <math.h>
#include <string.h>

static const double SAME = 1e-9;            /* of the horizon: a jump there is at an end of the run */

/* Of a stretch of a whole: those where it begins, between, and at the end of the whole. */
static bool is_of_stretch(const struct sim *sim, const struct model_jump *jump)
{
    const struct sim_task *task = &sim->task;
    const int n = task->model->time.n_intervals;
    const double t = task->grid[jump->at], near = SAME * (task->grid[n] - task->grid[0]);
    return t >= task->t_start - near && t <= task->t_end + (jump->at == n ? near : -near);
}

/* Impulses at times of the grid; those where a phase begins come with it, as rows of controls tell. */
void jumps_list(struct sim *sim)
{
    const struct model *model = sim->task.model;
    const struct sim_controls *rows = &sim->task.controls;
    const double length = sim->task.t_end - sim->task.t_start;
    if (model->impulses.n_jump == 0)
        return;
    double *grid = arena_alloc(&sim->mem, (size_t)model->time.n_intervals + 1, sizeof *grid);
    if (sim->task.grid)
        memcpy(grid, sim->task.grid, (size_t)(model->time.n_intervals + 1) * sizeof *grid);
    else
        model_grid(model, sim->task.t_end, sim_p(sim), grid);
    sim->jump = arena_alloc(&sim->mem, (size_t)model->impulses.n_jump, sizeof *sim->jump);
    for (int k = 0; k < model->impulses.n_jump; k++) {
        const struct model_jump *jump = &model->impulses.jump[k];
        const bool by_rows = rows->n == model->time.n_intervals && sim->task.is_part && jump->at < rows->n;
        const double t = by_rows ? rows->t[jump->at] : grid[jump->at];
        const bool starts = t <= sim->task.t_start + SAME * length, ends = t >= sim->task.t_end - SAME * length;
        if (sim->task.grid && !is_of_stretch(sim, jump))
            continue;
        if ((jump->at > 0 && model_phase_begins(model, jump->at)) || (sim->task.is_part && (starts || ends)))
            continue;
        sim->jump[sim->n_jump].t = starts ? sim->task.t_start : ends ? sim->task.t_end : t;
        sim->jump[sim->n_jump++].of = jump;
    }
}

double jumps_next(const struct sim *sim)
{
    return sim->next_jump < sim->n_jump ? sim->jump[sim->next_jump].t : INFINITY;
}

static double kinetic(struct sim *sim)
{
    struct system *sys = sim->sys;
    flow_set_inputs(&sim->flow, &sim->mode, sim->t, sim->x);
    system_eval_dynamics(sys);
    for (int i = 0; i < sys->n_q; i++)
        sim->now.v_plus[i] = sim->x[sys->model->mechanics.v_index[i]];
    return dense_kinetic(sys->n_q, sys->at.M, sim->now.v_plus);
}

static void set_states(struct sim *sim, const struct model_jump *jump)
{
    int first = 0;
    for (const struct model_jump *before = sim->sys->model->impulses.jump; before != jump; before++)
        first += before->n;
    flow_set_inputs(&sim->flow, &sim->mode, sim->t, sim->x);
    const double *to = function_values(&sim->sys->starts) + first;
    for (int i = 0; i < jump->n; i++)
        sim->x[jump->x[i]] = to[i];
}

void jumps_apply(struct sim *sim, const struct model_jump *jump, const struct model_phase *phase)
{
    const struct system *sys = sim->sys;
    const struct model *model = sys->model;
    const size_t n_x = (size_t)sys->n_x;
    const int first = sys->n_c + sys->n_s + sys->transitions.n;
    const double *before = arena_copy(&sim->mem, sim->x, n_x, sizeof(double));
    double loss = kinetic(sim);
    if (jump)
        set_states(sim, jump);
    loss -= kinetic(sim);
    const double *after = arena_copy(&sim->mem, sim->x, n_x, sizeof(double));
    if (phase)
        run_add_event(sim,
                      (struct sim_event){ sim->t, SIM_PHASE, first + (int)(phase - model->time.phase), { 0, 0, 0 },
                                          loss, before, after });
    for (int k = 0; k < model->impulses.n_impulse && jump; k++)
        if (model_impulse_at(model, k, jump->at) >= 0) {
            run_add_event(sim,
                          (struct sim_event){ sim->t, SIM_IMPULSE, first + model->time.n_phase + k, { 0, 0, 0 },
                                              phase ? 0 : loss, before, after });
            loss = 0;
        }
    if (sim->t <= sim->task.t_start && sim->pieces.n == 0 && jump)
        sim->x_start = sim->x_start ? sim->x_start : before;
    sim->jumped_at_end = sim->t >= sim->task.t_end;
}

enum status jumps_make(struct sim *sim)
{
    if (jumps_next(sim) > sim->t)
        return STATUS_OK;
    while (jumps_next(sim) <= sim->t)
        jumps_apply(sim, sim->jump[sim->next_jump++].of, NULL);
    return phases_check_overlaps(sim);
}
