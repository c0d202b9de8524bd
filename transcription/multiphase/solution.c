/* The trajectory that a solution of the program is. */
#include "transcription/multiphase/multiphase.h"

#include "core/base/mem.h"

#include <stdlib.h>

static void add_point(struct samples *samples, double t, int mode, const double *w, const int *y)
{
    double *to = samples_add(samples, t, mode);
    for (int i = 0; i < samples->n_y; i++)
        to[i] = w[y[i]];
}

static void keep_intervals(struct samples *samples, const struct phases *ph, const double *start)
{
    samples->t_interval = mem_alloc((size_t)samples->n_interval + 1, sizeof *samples->t_interval);
    for (int k = ph->n_piece - 1; k >= 0; k--)
        samples->t_interval[ph->piece[k].interval] = start[k];
    samples->t_interval[samples->n_interval] = start[ph->n_piece];
}

struct samples *samples_of(const struct phases *ph, const double *w)
{
    struct samples *samples = samples_create(ph->sys, ph->seq->n_event);
    double *start = mem_alloc((size_t)ph->n_piece + 1, sizeof *start);
    phases_times(ph, w, start, samples->t_event);
    samples->horizon = phases_horizon(ph, w);
    if (ph->grid.free_intervals)
        keep_intervals(samples, ph, start);
    for (int k = 0; k < samples->n_p; k++)
        samples->p[k] = w[ph->at.p + k];
    for (int i = 0; i < samples->n_interval; i++)
        for (int k = 0; k < samples->n_u; k++)
            samples->u[i * samples->n_u + k] = w[ph->at.u[i] + k];
    for (int e = 0; e < ph->n_element; e++) {
        const struct phase_piece *piece = &ph->piece[ph->piece_of[e]];
        const double h = phases_element_length(ph, w, e);
        const double t = start[ph->piece_of[e]] + phases_length(ph, w, ph->piece_of[e]) * ph->from[e];
        add_point(samples, t, piece->mode, w, phases_left(ph, e));
        for (int k = 0; k < ph->n_point; k++)
            add_point(samples, t + ph->c[k] * h, piece->mode, w, phases_stage_point(ph, e, k).y);
    }
    free(start);
    return samples;
}
