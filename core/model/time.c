#include "core/model/time.h"

#include "core/model/steps.h"
#include "core/model/units.h"

#include <math.h>

static const double SAME_TIME = 1e-9;       /* of the horizon */

static const struct model_stretch *stretch_of(const struct model *model, int i)
{
    for (int k = 0; k < model->time.n_stretch; k++)
        if (i < model->time.stretch[k].first + model->time.stretch[k].n_interval)
            return &model->time.stretch[k];
    return NULL;
}

struct model_interval model_interval(const struct model *model, int i)
{
    const struct model_stretch *stretch = stretch_of(model, i);
    if (!stretch)
        return (struct model_interval){ LENGTH_OF_HORIZON, 1.0 / model->time.n_intervals };
    return (struct model_interval){ stretch->p, stretch->length / stretch->n_interval };
}

static double length_of(const struct model *model, const struct model_stretch *stretch, double T, const double *p)
{
    switch (stretch->p) {
    case LENGTH_FIXED:      return stretch->length;
    case LENGTH_OF_HORIZON: return stretch->length * T;
    }
    return stretch->length * (p ? p[stretch->p] : model->param[model->p_param[stretch->p]].value);
}

void model_grid(const struct model *model, double T, const double *p, double *t)
{
    const int n = model->time.n_intervals;
    for (int i = 0; i <= n && !model->time.n_stretch; i++)
        t[i] = T * i / n;
    for (int k = 0, i = 0; k < model->time.n_stretch; k++) {
        const struct model_stretch *stretch = &model->time.stretch[k];
        const double length = length_of(model, stretch, T, p), start = i ? t[i] : 0;
        for (int j = 0; j <= stretch->n_interval; j++)
            t[i + j] = start + length * j / stretch->n_interval;
        i += stretch->n_interval;
    }
}

bool model_lengths_add_up(const struct model *model)
{
    for (int k = 0; k < model->time.n_stretch; k++)
        if (model->time.stretch[k].p >= 0)
            return true;
    return false;
}

int model_grid_inside(int n, const double *t, double time)
{
    int low = 0, high = n - 1;
    while (low < high) {                                        /* the first interval that ends behind it */
        const int middle = (low + high) / 2;
        if (t[middle + 1] > time)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

int model_grid_point(int n, const double *t, double time, double near)
{
    const int i = model_grid_inside(n, t, time);
    const int nearest = time - t[i] < t[i + 1] - time ? i : i + 1;
    return nearest > 0 && nearest < n && fabs(time - t[nearest]) < near ? nearest : -1;
}

bool model_has_until(const struct model *model)
{
    for (int k = 0; k < model->time.n_phase; k++)
        if (model->time.phase[k].until != EXPR_NONE)
            return true;
    return false;
}

double model_length(const struct model *model, const double *p)
{
    double sum = 0;
    for (int k = 0; k < model->time.n_phase; k++)
        sum += model->time.phase[k].p >= 0 ? p[model->time.phase[k].p] : model->time.phase[k].length;
    return sum;
}

void model_set_lengths(struct model *model, const double *p)
{
    for (int k = 0; k < model->time.n_phase; k++) {
        struct model_phase *phase = &model->time.phase[k];
        if (phase->p >= 0)
            model->param[model->p_param[phase->p]].value = phase->length = p[phase->p];
    }
    model->time.horizon = model_length(model, p);
}

const struct model_phase *model_phase_of(const struct model *model, int i)
{
    for (int k = 0; k < model->time.n_phase; k++)
        if (i < model->time.phase[k].first + model->time.phase[k].n_interval)
            return &model->time.phase[k];
    return NULL;
}

const struct model_phase *model_phase_begins(const struct model *model, int i)
{
    const struct model_phase *phase = i > 0 && i < model->time.n_intervals ? model_phase_of(model, i) : NULL;
    return phase && phase->first == i ? phase : NULL;
}

const struct model_phase *model_phase_of_row(const struct model *model, const double *u)
{
    for (int k = 0; k < model->time.n_phase; k++)
        if (u[model->time.phase[k].u] > 0.5)
            return &model->time.phase[k];
    return NULL;
}

enum contact_role model_contact_in(const struct model *model, int c, int i)
{
    const struct model_phase *phase = model_phase_of(model, i);
    return phase ? phase->contact[c] : CONTACT_THERE;
}

bool model_has_contact(const struct model *model, int c, int i)
{
    return model_contact_in(model, c, i) != CONTACT_ABSENT;
}

/* The middle of interval i, where no length is a parameter, as a part of the horizon. */
static double middle_of(const struct model *model, int i)
{
    const struct model_stretch *stretch = stretch_of(model, i);
    double start = 0;
    for (int k = 0; stretch && &model->time.stretch[k] < stretch; k++)
        start += model->time.stretch[k].length;
    return stretch ? start + stretch->length * (i - stretch->first + 0.5) / stretch->n_interval
                   : (i + 0.5) / model->time.n_intervals;
}

void model_control_bounds(const struct model *model, int k, int i, double *lb, double *ub)
{
    const struct model_phase *phase = model_phase_of(model, i);
    *lb = model->u[k].lb;
    *ub = model->u[k].ub;
    if (phase && phase->u == k)
        *lb = *ub = 1;
    else if (phase && (model_is_phase(model, k) || !phase->has_u[k]))
        *lb = *ub = 0;
    else if (model_steps_of(model, k))
        *lb = *ub = model_steps_value(model_steps_of(model, k), middle_of(model, i));
}

bool model_is_phase(const struct model *model, int k)
{
    return model->time.n_phase && k >= model->time.phase[0].u;
}

bool model_is_given(const struct model *model, int k)
{
    return model_is_phase(model, k) || model_steps_of(model, k);
}

expr model_boundary_time(const struct model *model, struct expr_graph *g, int i)
{
    expr t = expr_const(g, 0);
    if (!model->time.n_stretch)
        return expr_scale(g, (double)i / model->time.n_intervals, model->T_sym);
    for (int k = 0; k < model->time.n_stretch && model->time.stretch[k].first < i; k++) {
        const struct model_stretch *stretch = &model->time.stretch[k];
        const double part = fmin(1, (double)(i - stretch->first) / stretch->n_interval) * stretch->length;
        t = expr_add(g, t, stretch->p == LENGTH_FIXED ? expr_const(g, part)
                           : expr_scale(g, part, stretch->p >= 0 ? model->p_sym[stretch->p] : model->T_sym));
    }
    return t;
}

bool model_same_time(double a, double b)
{
    return fabs(a - b) <= SAME_TIME;
}

bool model_asks_at(int n, const double *time, double fraction)
{
    for (int k = 0; k < n; k++)
        if (model_same_time(fraction, time[k]))
            return true;
    return false;
}

double model_unit_seconds(const struct model *model)
{
    const struct dimension unit = units_read(model->time.unit);
    return units_is_time(&unit) ? unit.factor : NAN;
}
