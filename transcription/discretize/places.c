#include "transcription/discretize/places.h"

#include <math.h>

int tr_right(const struct transcription *tr)
{
    return tr->n_point;
}

bool tr_is_stage(const struct transcription *tr, int k)
{
    return k >= 1 && k <= tr->rk->s;
}

double tr_c(const struct transcription *tr, int k)
{
    return k == 0 ? 0 : tr_is_stage(tr, k) ? tr->rk->c[k - 1] : 1;
}

bool tr_last_of_interval(const struct transcription *tr, int j)
{
    const int i = tr->interval_of[j];
    return j == tr->first[i] + tr->elements[i] - 1;
}

bool tr_horizon_moves(const struct transcription *tr)
{
    return tr->T >= 0 && tr->task.optimize && !tr->dcs->freezes;
}

/* Stretches are those of the model's grid; the grid of a task may be another one. */
static bool has_stretches(const struct transcription *tr)
{
    return tr->model->time.n_stretch > 0 && tr->n_interval == tr->model->time.n_intervals;
}

struct tr_length tr_length(const struct transcription *tr, int i)
{
    const struct model_interval interval = model_interval(tr->model, i);
    if (!has_stretches(tr))
        return tr_horizon_moves(tr) ? (struct tr_length){ tr->T, 1.0 / tr->n_interval }
                                    : (struct tr_length){ PROGRAM_ONE, tr->task.grid.horizon / tr->n_interval };
    if (interval.p == LENGTH_OF_HORIZON)
        return tr_horizon_moves(tr) ? (struct tr_length){ tr->T, interval.part }
                                    : (struct tr_length){ PROGRAM_ONE, interval.part * tr->task.grid.horizon };
    return (struct tr_length){ interval.p < 0 ? PROGRAM_ONE : tr->p + interval.p, interval.part };
}

double tr_nominal_length(const struct transcription *tr, int i)
{
    const struct model_interval interval = model_interval(tr->model, i);
    if (!has_stretches(tr))
        return tr->task.grid.horizon / tr->n_interval;
    if (interval.p == LENGTH_OF_HORIZON)
        return interval.part * tr->task.grid.horizon;
    return interval.part * (interval.p < 0 ? 1 : tr->model->param[tr->model->p_param[interval.p]].value);
}

bool tr_has_contact(const struct transcription *tr, int c, int j)
{
    return model_has_contact(tr->model, c, tr->interval_of[j]);
}

int tr_contact_of_pair(const struct transcription *tr, int pair)
{
    const struct dcs *dcs = tr->dcs;
    for (int c = 0; c < tr->model->contacts.n_contact && dcs->kind == DCS_FORCES; c++)
        if (pair >= dcs->contact[c].first_pair && pair < dcs->contact[c].end_pair)
            return c;
    return -1;
}

int tr_y_before(const struct transcription *tr, int j, int i)
{
    if (tr->reset[j] >= 0)
        return tr->reset[j] + i;
    return tr_y(tr, j - 1, tr->n_point, i);
}

bool tr_splits_restitution(const struct transcription *tr)
{
    return tr->settings->impact_form == IMPACT_SPLIT;
}

static int base_of(const struct transcription *tr, int j, int k)
{
    return tr->point[j * (tr->n_point + 1) + k];
}

bool tr_has_junction(const struct transcription *tr, int j)
{
    return tr->junctions && j < tr->junctions->n;
}

/* Component i of y or lam: `jumping` is its place in a junction's block, `start` the first one of the horizon's
 * start, `offset` that in the block of a point. */
static int component(const struct transcription *tr, int j, int k, int i, const int *jumping, int start, int offset)
{
    if (k == 0 && jumping && tr_has_junction(tr, j) && jumping[i] >= 0)
        return tr->junctions->first[j] + jumping[i];
    if (k == 0 && tr->reset[j] >= 0)
        return tr->reset[j] + offset + i;
    if (k == 0)
        return component(tr, j - 1, tr->n_point, i, jumping, start, offset);
    return (j < 0 ? start : base_of(tr, j, k) + offset) + i;
}

int tr_y(const struct transcription *tr, int j, int k, int i)
{
    return component(tr, j, k, i, tr->junctions ? tr->junctions->y_place : NULL, tr->y0, 0);
}

int tr_lam(const struct transcription *tr, int j, int k, int i)
{
    return component(tr, j, k, i, tr->junctions ? tr->junctions->lam_place : NULL, tr->lam0, tr->dcs->n_y);
}

void tr_get_y(const struct transcription *tr, const double *w, int j, int k, int n, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = w[tr_y(tr, j, k, i)];
}

int tr_impulse(const struct transcription *tr, int j)
{
    return tr->junctions->first[j] + tr->junctions->impulse;
}

int tr_part(const struct transcription *tr, int j, int c, int side)
{
    return tr->junctions->first[j] + tr->junctions->part + 2 * c + side;
}

int tr_sel(const struct transcription *tr, int j, int k)
{
    return base_of(tr, j, k) + tr->dcs->n_y + tr->dcs->n_lam;
}

int tr_z(const struct transcription *tr, int j, int k)
{
    return tr_sel(tr, j, k) + tr->dcs->n_sel;
}

int tr_rate(const struct transcription *tr, int j, int k)
{
    return tr_z(tr, j, k) + tr->dcs->n_z;
}

struct mpcc_label tr_label(const struct transcription *tr, const char *name, const char *path, struct srcpos pos,
                           int interval, int j, int k)
{
    return (struct mpcc_label){ name, pos, path, j >= 0 ? tr->interval_of[j] : interval, j, k };
}

double tr_time_of(const struct transcription *tr, const struct mpcc_label *label, const double *w)
{
    if (label->interval < 0)
        return NAN;
    const int j = label->element >= 0 ? label->element : tr->first[label->interval];
    const int k = label->stage > 0 ? label->stage : 0;
    if (tr->dcs->clock >= 0)
        return w[tr_y(tr, j, k, tr->dcs->clock)];
    double t = 0;
    for (int l = 0; l < j; l++)
        t += w[tr->h[l]];
    return t + (k ? tr_c(tr, k) * w[tr->h[j]] : 0);
}
