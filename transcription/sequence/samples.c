#include "transcription/sequence/samples.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct samples *samples_create(const struct phase_system *sys, int n_event)
{
    struct samples *samples = mem_alloc(1, sizeof *samples);
    const struct model *model = sys->model;
    samples->n_y = sys->n_y;
    samples->n_u = model->n_u;
    samples->n_p = model->n_p;
    samples->n_interval = model->time.n_intervals;
    samples->n_event = n_event;
    samples->horizon = model->time.horizon;
    samples->t_event = mem_alloc((size_t)n_event, sizeof(double));
    samples->u = mem_alloc((size_t)(model->time.n_intervals * model->n_u), sizeof(double));
    samples->p = mem_alloc((size_t)model->n_p, sizeof(double));
    model_p_guess(model, samples->p);
    return samples;
}

void samples_free(struct samples *samples)
{
    if (!samples)
        return;
    free(samples->t);
    free(samples->y);
    free(samples->mode);
    free(samples->t_event);
    free(samples->u);
    free(samples->t_interval);
    free(samples->p);
    free(samples);
}

double *samples_add(struct samples *samples, double t, int mode)
{
    if (samples->n == samples->cap) {
        samples->cap = samples->cap ? 2 * samples->cap : 256;
        const size_t cap = (size_t)samples->cap;
        samples->t = mem_resize(samples->t, cap, sizeof(double));
        samples->mode = mem_resize(samples->mode, cap, sizeof(int));
        samples->y = mem_resize(samples->y, cap * (size_t)samples->n_y, sizeof(double));
    }
    samples->t[samples->n] = t;
    samples->mode[samples->n] = mode;
    return samples->y + (size_t)samples->n++ * (size_t)samples->n_y;
}

/* Points before and after t among those of the mode; -1 where there is none. */
static void neighbours(const struct samples *samples, double t, int mode, int *before, int *after)
{
    *before = *after = -1;
    for (int k = 0; k < samples->n; k++) {
        if (samples->mode[k] != mode)
            continue;
        if (samples->t[k] <= t)
            *before = k;
        else if (*after < 0)
            *after = k;
    }
}

static int nearest(const struct samples *samples, double t)
{
    int best = 0;
    for (int k = 1; k < samples->n; k++)
        if (fabs(samples->t[k] - t) < fabs(samples->t[best] - t))
            best = k;
    return best;
}

void samples_at(const struct samples *samples, double t, int mode, double *y)
{
    int a, b;
    neighbours(samples, t, mode, &a, &b);
    if (a < 0 && b < 0)
        a = nearest(samples, t);
    a = a < 0 ? b : a;
    b = b < 0 ? a : b;
    const double width = samples->t[b] - samples->t[a];
    const double part = width > 0 ? (t - samples->t[a]) / width : 0;
    for (int i = 0; i < samples->n_y; i++)
        y[i] = (1 - part) * samples->y[a * samples->n_y + i] + part * samples->y[b * samples->n_y + i];
}

double *samples_of_modes(const struct samples *samples)
{
    const int n = samples->n_event;
    double *y = mem_alloc((size_t)((n + 1) * samples->n_y), sizeof *y);
    for (int j = 0; j <= n; j++) {
        const double from = j ? samples->t_event[j - 1] : 0, to = j < n ? samples->t_event[j] : samples->horizon;
        samples_at(samples, 0.5 * (from + to), j, y + j * samples->n_y);
    }
    return y;
}

struct samples *samples_remap(const struct samples *from, int n_event, const double *t_event, bool same)
{
    struct samples *to = mem_alloc(1, sizeof *to);
    *to = *from;
    to->t = to->y = NULL;
    to->mode = NULL;
    to->n = to->cap = 0;
    to->n_event = n_event;
    to->t_event = mem_alloc((size_t)n_event, sizeof(double));
    const size_t n_u = (size_t)to->n_interval * (size_t)to->n_u;
    to->u = mem_alloc(n_u, sizeof(double));
    to->p = mem_alloc((size_t)to->n_p, sizeof(double));
    to->t_interval = from->t_interval ? mem_alloc((size_t)to->n_interval + 1, sizeof(double)) : NULL;
    if (to->t_interval)
        memcpy(to->t_interval, from->t_interval, ((size_t)to->n_interval + 1) * sizeof(double));
    if (n_event)
        memcpy(to->t_event, t_event, (size_t)n_event * sizeof(double));
    if (n_u)
        memcpy(to->u, from->u, n_u * sizeof(double));
    if (to->n_p)
        memcpy(to->p, from->p, (size_t)to->n_p * sizeof(double));
    for (int k = 0; k < from->n; k++) {
        const bool right = k > 0 && from->mode[k] != from->mode[k - 1];      /* of an event: the mode after it */
        int mode = same ? from->mode[k] : 0;
        while (!same && mode < n_event && (right ? t_event[mode] <= from->t[k] : t_event[mode] < from->t[k]))
            mode++;
        memcpy(samples_add(to, from->t[k], mode), from->y + k * from->n_y, (size_t)from->n_y * sizeof(double));
    }
    return to;
}

/* --- Stretched to other times of events ---------------------------------------------------------------------- */

/* Where a time is in `to` that is in mode m of `from`; both [n_event], between 0 and the horizon. */
static double stretched(const struct samples *samples, const double *from, const double *to, int m, double t)
{
    const int n = samples->n_event;
    const double a = m > 0 ? from[m - 1] : 0, b = m < n ? from[m] : samples->horizon;
    const double start = m > 0 ? to[m - 1] : 0, end = m < n ? to[m] : samples->horizon;
    const double part = b > a ? fmin(fmax((t - a) / (b - a), 0), 1) : 0;
    return start + part * (end - start);
}

static int mode_at(int n_event, const double *t_event, double t)
{
    int m = 0;
    while (m < n_event && t_event[m] <= t) m++;
    return m;
}

/* Mean of control k from a to b, where a < b. */
static double mean_control(const struct samples *samples, const double *grid, int k, double a, double b)
{
    double sum = 0;
    for (int i = 0; i < samples->n_interval; i++)
        sum += fmax(fmin(b, grid[i + 1]) - fmax(a, grid[i]), 0) * samples->u[i * samples->n_u + k];
    return sum / (b - a);
}

void samples_stretch(struct samples *samples, const double *t_event, const double *grid)
{
    const int n = samples->n_event, n_u = samples->n_u;
    double *u = mem_alloc((size_t)(samples->n_interval * n_u), sizeof *u);
    for (int k = 0; k < samples->n; k++)
        samples->t[k] = stretched(samples, t_event, samples->t_event, samples->mode[k], samples->t[k]);
    for (int i = 0; i < samples->n_interval; i++) {
        const double middle = 0.5 * (grid[i] + grid[i + 1]);
        double edge[2];
        for (int side = 0; side < 2; side++) {
            const double t = grid[i + side];
            edge[side] = stretched(samples, samples->t_event, t_event, mode_at(n, samples->t_event, t), t);
        }
        if (!(edge[1] > edge[0]))
            edge[0] = edge[1] =
                stretched(samples, samples->t_event, t_event, mode_at(n, samples->t_event, middle), middle);
        for (int k = 0; k < n_u; k++)
            u[i * n_u + k] = edge[1] > edge[0] ? mean_control(samples, grid, k, edge[0], edge[1])
                                               : samples->u[i * n_u + k];
    }
    free(samples->u);
    samples->u = u;
}
