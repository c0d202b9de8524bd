/* Starting values of a program of phases from samples: lengths from the times of events, forces, accelerations and
 * alpha by solving the conditions of each point's mode, impulses from the jump of velocities. */
#include "transcription/multiphase/multiphase.h"

#include "core/base/mem.h"
#include "transcription/multiphase/point_solver.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_FORCE 1e-2            /* N: a force that starts at 0 sticks to its bound */
#define SHORTEST_START 1e-4         /* of an interval: the shortest piece to start from */
#define BEFORE_JUMP 1e-12           /* of a piece: where its end is read, that of the next being another */

static void write_unknowns(struct phases *ph, const struct point_solver *at, const struct phase_point *point)
{
    double *block = mem_alloc((size_t)point->layout->n, sizeof *block);
    point_solver_unknowns(at, point->layout, block);
    for (int i = 0; i < point->layout->n; i++)
        program_set_guess(ph->prog, point->first + i, block[i]);
    for (int c = 0; c < ph->sys->n_contact; c++)
        if (point->layout->lambda_n[c] >= 0)
            program_set_guess(ph->prog, point->first + point->layout->lambda_n[c],
                              fmax(block[point->layout->lambda_n[c]], LEAST_FORCE));
    free(block);
}

static struct point_inputs inputs_of(const struct phases *ph, const struct samples *samples, int interval)
{
    return (struct point_inputs){ samples->u + interval * samples->n_u, samples->p, samples->horizon,
                                  ph->grid.width };
}

/* Unknowns of a stage, or right after an event, in state y. */
static void guess_mode(struct phases *ph, struct point_solver *at, const struct samples *samples,
                       const struct phase_point *point, const double *y)
{
    const struct point_inputs in = inputs_of(ph, samples, point->interval);
    point_solver_mode(at, point, &in, y);
    write_unknowns(ph, at, point);
}

static void guess_impact(struct phases *ph, struct point_solver *at, const struct samples *samples, int j,
                         const double *y_plus)
{
    const struct phase_point point = phases_impact_point(ph, j);
    const struct point_inputs in = inputs_of(ph, samples, point.interval);
    double *y = mem_alloc((size_t)ph->sys->n_y, sizeof *y);
    samples_at(samples, samples->t_event[j], j, y);
    point_solver_impact(at, &point, &in, y, y_plus);
    write_unknowns(ph, at, &point);
    free(y);
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static void set_state(struct phases *ph, const int *var, const double *y)
{
    for (int i = 0; i < ph->sys->n_y; i++)
        program_set_guess(ph->prog, var[i], y[i]);
}

static double shortest(const struct phases *ph, const double *grid, int k)
{
    const int i = ph->piece[k].interval;
    return SHORTEST_START * (grid[i + 1] - grid[i]);
}

/* Starts of pieces: of intervals, and times of events inside, in order and not too close. start [n_piece + 1]. */
static void time_pieces(const struct phases *ph, const struct samples *samples, double *start)
{
    double *grid = mem_alloc((size_t)ph->n_interval + 1, sizeof *grid);
    model_grid(ph->sys->model, samples->horizon, samples->p, grid);
    for (int i = 0; samples->t_interval && i <= ph->n_interval; i++)
        grid[i] = samples->t_interval[i];
    for (int k = 0; k < ph->n_piece; k++) {
        const struct phase_piece *piece = &ph->piece[k];
        const bool first = k == 0 || ph->piece[k - 1].interval != piece->interval;
        start[k] = first ? grid[piece->interval] : samples->t_event[piece->before];
    }
    start[ph->n_piece] = grid[ph->n_interval];
    for (int k = ph->n_piece - 1; k > 0; k--)
        start[k] = fmin(start[k], start[k + 1] - shortest(ph, grid, k));
    for (int k = 1; k < ph->n_piece; k++)
        if (ph->piece[k].interval == ph->piece[k - 1].interval)
            start[k] = fmax(start[k], start[k - 1] + shortest(ph, grid, k));
        else
            start[k] = grid[ph->piece[k].interval];
    free(grid);
}

static void guess_piece(struct phases *ph, struct point_solver *at, const struct samples *samples, int k,
                        double start, double end)
{
    const struct phase_piece *piece = &ph->piece[k];
    double *y = mem_alloc((size_t)ph->sys->n_y, sizeof *y);
    const bool jumps = ph->at.reset[k + 1] >= 0;
    samples_at(samples, start, piece->mode, y);
    for (int i = 0; i < ph->sys->n_y && ph->at.reset[k] >= 0; i++)
        program_set_guess(ph->prog, ph->at.reset[k] + i, y[i]);
    if (piece->before >= 0 && ph->at.impact[piece->before] >= 0)
        guess_impact(ph, at, samples, piece->before, y);
    for (int e = piece->first; e < piece->first + piece->n_element; e++)
        for (int r = 0; r < ph->n_point; r++) {
            const struct phase_point point = phases_stage_point(ph, e, r);
            const double t = start + (end - start) * (ph->from[e] + ph->c[r] * ph->part[e]);
            samples_at(samples, jumps ? fmin(t, end - BEFORE_JUMP * (end - start)) : t, piece->mode, y);
            set_state(ph, point.y, y);
            guess_mode(ph, at, samples, &point, y);
        }
    if (piece->length >= 0 && piece->length != phases_interval(ph, piece->interval).var)
        program_set_guess(ph->prog, piece->length, end - start);
    free(y);
}

static void guess_instants(struct phases *ph, struct point_solver *at, const struct samples *samples)
{
    double *y = mem_alloc((size_t)ph->sys->n_y, sizeof *y);
    for (int k = 0; k < ph->n_instant; k++) {
        const int e = ph->instant[k].element;
        struct phase_point point = phases_stage_point(ph, e, 0);
        point.first = ph->instant[k].first;
        for (int i = 0; i < ph->sys->n_y; i++)
            y[i] = ph->mpcc.w0[phases_left(ph, e)[i]];
        guess_mode(ph, at, samples, &point, y);
    }
    free(y);
}

void phases_apply_samples(struct phases *ph, const struct samples *samples)
{
    struct point_solver *at = point_solver_create(ph->sys);
    double *start = mem_alloc((size_t)ph->n_piece + 1, sizeof *start),
           *y = mem_alloc((size_t)ph->sys->n_y, sizeof *y);
    for (int k = 0; k < samples->n_p; k++)
        program_set_guess(ph->prog, ph->at.p + k, samples->p[k]);
    if (ph->at.T >= 0)
        program_set_guess(ph->prog, ph->at.T, samples->horizon);
    for (int i = 0; i < ph->n_interval; i++)
        for (int k = 0; k < samples->n_u; k++)
            program_set_guess(ph->prog, ph->at.u[i] + k, samples->u[i * samples->n_u + k]);
    samples_at(samples, 0, 0, y);
    set_state(ph, ph->at.reset[0] >= 0 ? ph->at.start_y : phases_left(ph, 0), y);
    time_pieces(ph, samples, start);
    for (int k = 0; k < ph->n_piece; k++)
        guess_piece(ph, at, samples, k, start[k], start[k + 1]);
    if (ph->at.reset[ph->n_piece] >= 0) {
        samples_at(samples, start[ph->n_piece], ph->seq->n_event, y);
        set_state(ph, phases_left(ph, ph->n_element), y);
    }
    guess_instants(ph, at, samples);
    phases_set_interior_times(ph, program_guess(ph->prog));
    free(start);
    free(y);
    point_solver_free(at);
}
