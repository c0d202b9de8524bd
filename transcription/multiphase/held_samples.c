/* Controls that hold a trajectory of which nothing but states are known. */
#include "transcription/multiphase/multiphase.h"

#include "core/base/mem.h"
#include "transcription/multiphase/point_solver.h"

#include <math.h>
#include <stdlib.h>

/* Of each control that is ours to choose in an interval, else 0: [n_u]. */
static void find_sizes(const struct phases *ph, int interval, double *size)
{
    const struct model *model = ph->sys->model;
    for (int k = 0; k < model->n_u; k++) {
        const int var = ph->at.u[interval] + k;
        const double about = model_var_size(&model->u[k]);
        size[k] = ph->mpcc.nlp.lbw[var] >= ph->mpcc.nlp.ubw[var] ? 0 : about > 0 ? about : 1;
    }
}

static void at_rest(const struct phase_system *sys, double *y)
{
    for (int i = 0; i < sys->n_a; i++)
        y[sys->model->mechanics.v_index[i]] = 0;
}

/* Controls u [n_u] of piece k, which hold its state at time t, and contact forces, or NULL (point_solver_hold); u
 * as they were where no forces do: false. */
static bool hold(const struct phases *ph, struct point_solver *at, const struct samples *samples, int k, double t,
                 double *u, double *force)
{
    const struct phase_piece *piece = &ph->piece[k];
    const int n_y = ph->sys->n_y, n_u = samples->n_u, first = ph->at.u[piece->interval];
    double *y = mem_alloc((size_t)(n_y + 2 * n_u), sizeof *y), *size = y + n_y, *held = size + n_u;
    const struct point_inputs in = { u, samples->p, samples->horizon, ph->grid.width };
    const struct phase_point point = phases_stage_point(ph, piece->first, 0);
    samples_at(samples, t, piece->mode, y);
    at_rest(ph->sys, y);
    find_sizes(ph, piece->interval, size);
    const bool holds = point_solver_hold(at, &point, &in, y, size, held, force);
    for (int i = 0; i < n_u && holds; i++)
        u[i] = fmin(fmax(held[i], ph->mpcc.nlp.lbw[first + i]), ph->mpcc.nlp.ubw[first + i]);
    free(y);
    return holds;
}

struct samples *samples_held(const struct phases *ph, const struct samples *from)
{
    struct samples *out = samples_remap(from, from->n_event, from->t_event, true);
    struct point_solver *at = point_solver_create(ph->sys);
    double *grid = mem_alloc((size_t)ph->n_interval + 1, sizeof *grid);
    model_grid(ph->sys->model, out->horizon, out->p, grid);
    for (int k = 0; k < ph->n_piece; k++) {
        const int i = ph->piece[k].interval;
        hold(ph, at, out, k, 0.5 * (grid[i] + grid[i + 1]), out->u + i * out->n_u, NULL);
    }
    free(grid);
    point_solver_free(at);
    return out;
}

void held_forces(const struct phases *ph, const struct samples *from, double *u, double *force)
{
    struct point_solver *at = point_solver_create(ph->sys);
    const int n_u = ph->sys->model->n_u, n_force = (1 + SLIP_MAX) * ph->sys->n_contact;
    for (int k = 0; k < ph->n_piece; k++) {
        const int i = ph->piece[k].interval;
        double *own_u = u + i * n_u, *own_force = force + i * n_force;
        for (int j = 0; j < n_u; j++)
            own_u[j] = from->u[i * n_u + j];
        const bool holds = hold(ph, at, from, k, from->t[i], own_u, own_force);
        for (int j = 0; j < n_u && !holds; j++)
            own_u[j] = NAN;
        for (int j = 0; j < n_force && !holds; j++)
            own_force[j] = NAN;
    }
    point_solver_free(at);
}
