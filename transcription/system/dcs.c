#include "transcription/system/dcs.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

const char *dcs_name(struct dcs *dcs, const char *name, const char *suffix)
{
    return arena_printf(&dcs->mem, "%s%s", name, suffix);
}

void dcs_free(struct dcs *dcs)
{
    if (!dcs)
        return;
    model_free(dcs->model);
    arena_free(&dcs->mem);
    free(dcs);
}

/* --- Multipliers at a point ---------------------------------------------------------------------------------- */

void dcs_sel_of(const struct dcs *dcs, int c, int *first, int *end)
{
    *first = dcs->contact[c].force;             /* they are added contact by contact */
    *end = c + 1 < dcs->model->contacts.n_contact ? dcs->contact[c + 1].force : dcs->n_sel;
}

static bool varies(const struct dcs *dcs, expr e)
{
    const struct model *model = dcs->model;
    return expr_depends(dcs->g, e, model->n_p, model->p_sym)
           || (model->time.horizon_free && expr_depends(dcs->g, e, 1, &model->T_sym));
}

bool dcs_lam_varies(const struct dcs *dcs)
{
    bool found = false;
    for (int c = 0; c < dcs->model->contacts.n_contact && dcs->impacts; c++)
        found = found || varies(dcs, dcs->model->contacts.contact[c].gap);
    for (int k = 0; k < dcs->n_switch; k++)
        found = found || varies(dcs, dcs->sw[k].c) || (dcs->sw[k].wall && dcs->sw[k].wall->is_pair);
    return found;
}

/* Symbols of y, p, T and sel with their values, for expr_eval. */
struct point { int n; expr *sym; double *val; int first_sel; };

static struct point point_create(const struct dcs *dcs, const double *y, const double *p, double T)
{
    const struct model *model = dcs->model;
    const int n = dcs->n_y + model->n_p + 1 + dcs->n_sel + dcs->n_band;
    struct point at = { 0, mem_alloc((size_t)n, sizeof(expr)), mem_alloc((size_t)n, sizeof(double)), 0 };
    for (int i = 0; i < dcs->n_y; i++) {
        at.sym[at.n] = dcs->y[i].sym;
        at.val[at.n++] = y[i];
    }
    for (int i = 0; i < model->n_p; i++) {
        at.sym[at.n] = model->p_sym[i];
        at.val[at.n++] = p[i];
    }
    if (model->time.horizon_free) {
        at.sym[at.n] = model->T_sym;
        at.val[at.n++] = T;
    }
    for (int k = 0; k < dcs->n_band; k++)
        at.sym[at.n++] = dcs->lam[dcs->band[k]].sym;            /* 0: no shift */
    at.first_sel = at.n;
    for (int k = 0; k < dcs->n_sel; k++)
        at.sym[at.n++] = dcs->sel[k].sym;
    return at;
}

static void steps_at(const struct dcs *dcs, struct point *at, double *lam)
{
    for (int k = 0; k < dcs->n_switch; k++) {                   /* a nested function comes after its inner ones */
        const struct dcs_switch *sw = &dcs->sw[k];
        if (sw->sel < 0)
            continue;
        if (sw->relay)
            at->val[at->first_sel + sw->sel] = sw->relay->starts_on;
        const double c = expr_eval(dcs->g, sw->c, at->n, at->sym, at->val);
        lam[sw->lam_p] = fmax(c, 0);
        lam[sw->lam_n] = sw->wall ? 0 : fmax(-c, 0);
        at->val[at->first_sel + sw->sel] = c > 0 ? 1 : c < 0 && !sw->wall ? 0 : 0.5;
        if (sw->wall && sw->wall->is_pair)
            lam[sw->lam_n] = 1 - at->val[at->first_sel + sw->sel];
    }
}

static void stewart_at(const struct dcs *dcs, const struct dcs_stewart_group *group, struct point *at,
                       double *lam)
{
    double mu = -INFINITY;
    for (int m = 0; m < 1 << group->n_switch; m++) {
        double g = 0;
        for (int l = 0; l < group->n_switch; l++)
            g -= (m >> l & 1 ? 1 : -1) * expr_eval(dcs->g, dcs->sw[group->sw[l]].c, at->n, at->sym, at->val);
        lam[group->lam + m] = g;
        mu = fmax(mu, -g);
    }
    lam[group->mu] = mu;                                        /* mu = -min g, lambda = g - min g */
    int n_least = 0;
    for (int m = 0; m < 1 << group->n_switch; m++) {
        lam[group->lam + m] += mu;
        n_least += lam[group->lam + m] == 0;
    }
    for (int m = 0; m < 1 << group->n_switch; m++)
        at->val[at->first_sel + group->sel + m] = lam[group->lam + m] == 0 ? 1.0 / n_least : 0;
}

void dcs_lam_at(const struct dcs *dcs, const double *y, const double *p, double T, double *lam, double *sel)
{
    struct point at = point_create(dcs, y, p, T);
    for (int k = 0; k < dcs->n_lam; k++)
        lam[k] = 0;
    for (int c = 0; c < dcs->model->contacts.n_contact && dcs->impacts; c++)
        lam[dcs->contact[c].gap] =
            fmax(expr_eval(dcs->g, dcs->model->contacts.contact[c].gap, at.n, at.sym, at.val), 0);
    steps_at(dcs, &at, lam);
    for (int k = 0; k < dcs->n_group; k++)
        stewart_at(dcs, &dcs->group[k], &at, lam);
    for (int k = 0; k < dcs->n_sel; k++)
        sel[k] = at.val[at.first_sel + k];
    free(at.sym);
    free(at.val);
}
