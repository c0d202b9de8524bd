#include "transcription/start/coarse.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLOSED 1e-3                 /* m: gaps below it count as closed */
#define PUSHES 1e-3                 /* N: forces above it count */
#define APPROACH 0.05               /* m/s: what is slower is no impact, homotopy_fesdj.md 3 */

double coarse_value(const struct transcription *tr, expr e, const double *x, const double *p)
{
    const struct model *model = tr->model;
    const int n = model->n_x + model->n_p;
    expr *sym = mem_alloc((size_t)n, sizeof *sym);
    double *val = mem_alloc((size_t)n, sizeof *val);
    memcpy(sym, model->x_sym, (size_t)model->n_x * sizeof *sym);
    memcpy(val, x, (size_t)model->n_x * sizeof *val);
    for (int k = 0; k < model->n_p; k++) {
        sym[model->n_x + k] = model->p_sym[k];
        val[model->n_x + k] = p[k];
    }
    const double value = expr_eval(model->graph, e, n, sym, val);
    free(sym);
    free(val);
    return value;
}

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

static void read_contact(const struct transcription *from, const double *p, int c, struct coarse_step *step)
{
    const struct model_contact *contact = &from->model->contact[c];
    step->gap[c] = coarse_value(from, contact->gap, step->x_end, p);
    step->v_n[c] = coarse_value(from, contact->v_n, step->x_end, p);
    step->v_t[c] = contact->n_t ? coarse_value(from, contact->v_t[0], step->x_end, p) : 0;
    step->lambda_n[c] = step->sel[from->dcs->contact[c].force];
    step->lambda_t[c] = tangential_force(from, step->sel, c);
}

struct coarse coarse_read(const struct transcription *from, const double *w)
{
    struct coarse coarse = { from->n_element, w[from->h[0]],
                             mem_alloc((size_t)from->n_element, sizeof *coarse.step) };
    double t = 0;
    for (int e = 0; e < from->n_element; e++) {
        struct coarse_step *step = &coarse.step[e];
        step->t_start = t;
        step->t_end = t += w[from->h[e]];
        step->x_start = &w[tr_y(from, e, 0, 0)];
        step->x_end = &w[tr_y(from, e, 1, 0)];
        step->lam = &w[tr_lam(from, e, 1, 0)];
        step->sel = &w[tr_sel(from, e, 1)];
        for (int c = 0; c < from->model->n_contact; c++)
            read_contact(from, &w[from->p], c, step);
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
    return step->lambda_n[c] > PUSHES && step->gap[c] < CLOSED;
}

double coarse_steady_force(const struct coarse *coarse, int e, int c)
{
    const int later = e + 2 < coarse->n ? e + 2 : coarse->n - 1;
    const struct coarse_step *step = &coarse->step[later];
    return later > e && coarse_is_closed(step, c) ? step->lambda_n[c] : 0;
}

double coarse_impulse(const struct coarse *coarse, int e, int c)
{
    const struct coarse_step *step = coarse->step;
    if (e == 0 || !coarse_is_closed(&step[e], c) || coarse_is_closed(&step[e - 1], c))
        return 0;
    if (step[e - 1].v_n[c] > -APPROACH)
        return 0;
    const double steady = coarse_steady_force(coarse, e, c);
    double impulse = step[e].lambda_n[c] - steady;
    if (e + 1 < coarse->n && coarse_is_closed(&step[e + 1], c))
        impulse += step[e + 1].lambda_n[c] - steady;
    return fmax(impulse * coarse->h, 0);
}

double coarse_impact_time(const struct coarse *coarse, int e, int c)
{
    const struct coarse_step *before = &coarse->step[e - 1], *step = &coarse->step[e];
    return fmin(fmax(before->t_end + before->gap[c] / -before->v_n[c], step->t_start), step->t_end);
}
