#include "transcription/start/coarse.h"

#include "core/base/mem.h"
#include "transcription/discretize/initial.h"
#include "transcription/start/recipe.h"

#include <math.h>
#include <stdlib.h>

/* The tangential force of planar friction is half the difference of the cone's sides (contact_forces.c). */
static double tangential_force(const struct transcription *from, const double *sel, int c)
{
    const struct dcs_contact *force = &from->dcs->contact[c];
    if (force->force_t[0] >= 0)
        return sel[force->force_t[0]];
    if (force->end_pair - force->first_pair != 3)
        return 0;
    const struct dcs_pair *pair = &from->dcs->pair[force->first_pair];
    return 0.5 * (sel[pair[1].sel] - sel[pair[2].sel]);
}

static void read_contact(const struct transcription *from, const double *w, int c, struct coarse_step *step)
{
    const struct model_contact *contact = &from->model->contacts.contact[c];
    step->gap[c] = tr_value_of(from, contact->gap, step->t_end, step->x_end, w);
    step->v_n[c] = tr_value_of(from, contact->v_n, step->t_end, step->x_end, w);
    step->v_t[c] = contact->n_t ? tr_value_of(from, contact->v_t[0], step->t_end, step->x_end, w) : 0;
    step->lambda_n[c] = step->sel[from->dcs->contact[c].force];
    step->lambda_t[c] = tangential_force(from, step->sel, c);
}

struct coarse coarse_read(const struct transcription *from, const double *w)
{
    struct coarse coarse = { from, w, from->n_element, from->model->contacts.n_contact, w[from->h[0]],
                             mem_alloc((size_t)from->n_element, sizeof *coarse.step) };
    double t = 0;
    for (int j = 0; j < from->n_element; j++) {
        struct coarse_step *step = &coarse.step[j];
        step->t_start = t;
        step->t_end = t += w[from->h[j]];
        step->x_start = &w[tr_y(from, j, 0, 0)];
        step->x_end = &w[tr_y(from, j, 1, 0)];
        step->lam = &w[tr_lam(from, j, 1, 0)];
        step->sel = &w[tr_sel(from, j, 1)];
        for (int c = 0; c < from->model->contacts.n_contact; c++)
            read_contact(from, w, c, step);
    }
    return coarse;
}

void coarse_free(struct coarse *coarse)
{
    free(coarse->step);
    coarse->step = NULL;
}

bool coarse_is_closed(const struct coarse_step *step, int c)
{
    return step->lambda_n[c] > STEP_PUSHES && step->gap[c] < STEP_CLOSED;
}

double coarse_steady_force(const struct coarse *coarse, int j, int c)
{
    const int later = j + 2 < coarse->n ? j + 2 : coarse->n - 1;
    const struct coarse_step *step = &coarse->step[later];
    return later > j && coarse_is_closed(step, c) ? step->lambda_n[c] : 0;
}

double coarse_impulse(const struct coarse *coarse, int j, int c)
{
    const struct coarse_step *step = coarse->step;
    if (j == 0 || !coarse_is_closed(&step[j], c) || coarse_is_closed(&step[j - 1], c))
        return 0;
    if (step[j - 1].v_n[c] > -STEP_APPROACH)
        return 0;
    const double steady = coarse_steady_force(coarse, j, c);
    double impulse = step[j].lambda_n[c] - steady;
    if (j + 1 < coarse->n && coarse_is_closed(&step[j + 1], c))
        impulse += step[j + 1].lambda_n[c] - steady;
    return fmax(impulse * (step[j].t_end - step[j].t_start), 0);
}

int coarse_step_at(const struct coarse *coarse, double t)
{
    int n = (int)floor(t / coarse->h);
    n = n < 0 ? 0 : n >= coarse->n ? coarse->n - 1 : n;
    while (n > 0 && coarse->step[n].t_start >= t)
        n--;
    while (n + 1 < coarse->n && coarse->step[n].t_end < t)
        n++;
    return n;
}

void coarse_state(const struct coarse *coarse, int j, double t, double *x)
{
    const struct coarse_step *step = &coarse->step[j];
    const double part = fmin(fmax((t - step->t_start) / (step->t_end - step->t_start), 0), 1);
    for (int i = 0; i < coarse->from->model->n_x; i++)
        x[i] = (1 - part) * step->x_start[i] + part * step->x_end[i];
}

double coarse_first_hit(const struct coarse *coarse, int j)
{
    double first = NAN;
    for (int c = 0; c < coarse->n_contact; c++)
        if (coarse_impulse(coarse, j, c) > 0)
            first = fmin(first, coarse_impact_time(coarse, j, c));      /* fmin skips a NAN */
    return first;
}

double coarse_impact_time(const struct coarse *coarse, int j, int c)
{
    const struct coarse_step *before = &coarse->step[j - 1], *step = &coarse->step[j];
    return fmin(fmax(before->t_end + before->gap[c] / -before->v_n[c], step->t_start), step->t_end);
}
