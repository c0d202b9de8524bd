#include "transcription/discretize/initial.h"

#include "core/base/mem.h"
#include "transcription/discretize/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Initial state ------------------------------------------------------------------------------------------- */

void tr_set_initial(struct transcription *tr, const double *x, double t)
{
    const struct dcs *dcs = tr->dcs;
    double *y = mem_alloc((size_t)dcs->n_y, sizeof *y), *lam = mem_alloc((size_t)dcs->n_lam, sizeof *lam);
    double *sel = mem_alloc((size_t)dcs->n_sel, sizeof *sel), *p = mem_alloc((size_t)tr->model->n_p, sizeof *p);
    for (int i = 0; i < tr->model->n_x; i++)
        y[i] = x[i];
    if (dcs->clock >= 0)
        y[dcs->clock] = t;
    model_p_guess(tr->model, p);
    double *w0 = program_guess(tr->prog);
    dcs_lam_at(dcs, y, p, tr->T >= 0 ? w0[tr->T] : tr->task.grid.horizon, lam, sel);
    for (int i = 0; i < dcs->n_y; i++) {
        program_set_bounds(tr->prog, tr->y0 + i, y[i], y[i]);
        w0[tr->y0 + i] = y[i];
    }
    for (int i = 0; i < dcs->n_lam; i++) {
        w0[tr->lam0 + i] = lam[i];
        if (!tr->start_is_free)
            program_set_bounds(tr->prog, tr->lam0 + i, lam[i], lam[i]);
    }
    for (int i = 0; i < dcs->n_sel && tr->sel0 >= 0; i++)
        w0[tr->sel0 + i] = sel[i];
    free(y);
    free(lam);
    free(sel);
    free(p);
}

/* --- Where the solver starts --------------------------------------------------------------------------------- */

double tr_value_of(const struct transcription *tr, expr what, double t, const double *x, const double *w)
{
    const struct model *model = tr->model;
    const size_t n_x = (size_t)model->n_x, n_p = (size_t)model->n_p, n = n_x + n_p + model->time.horizon_free + 1;
    expr *sym = mem_alloc(n, sizeof *sym);
    double *val = mem_alloc(n, sizeof *val);
    memcpy(sym, model->x_sym, n_x * sizeof *sym);
    memcpy(val, x, n_x * sizeof *val);
    if (n_p) {
        memcpy(sym + n_x, model->p_sym, n_p * sizeof *sym);
        memcpy(val + n_x, &w[tr->p], n_p * sizeof *val);
    }
    if (model->time.horizon_free) {
        sym[n - 2] = model->T_sym;
        val[n - 2] = w[tr->T];
    }
    sym[n - 1] = model->t_sym;
    val[n - 1] = t;
    const double value = expr_eval(tr->dcs->g, what, (int)n, sym, val);
    free(sym);
    free(val);
    return value;
}

double tr_value_at(const struct transcription *tr, expr what, int j, int k)
{
    const double *w0 = program_guess(tr->prog);
    double *x = mem_alloc((size_t)tr->model->n_x, sizeof *x);
    tr_get_y(tr, w0, j, k, tr->model->n_x, x);
    const double t = tr->dcs->clock >= 0 ? w0[tr_y(tr, j, k, tr->dcs->clock)] : 0;
    const double value = tr_value_of(tr, what, t, x, w0);
    free(x);
    return value;
}

/* L = J_n'(v+ + e v-) at junction j; positions there are those of both sides. */
static double law_at(const struct transcription *tr, int j, int c)
{
    const struct model_contact *contact = &tr->model->contacts.contact[c];
    const double restitution = tr_value_at(tr, contact->restitution, j, 0);
    return tr_value_at(tr, contact->v_n, j, 0) + restitution * tr_value_at(tr, contact->v_n, j - 1, tr_right(tr));
}

void tr_guess_parts(struct transcription *tr, int j)
{
    for (int c = 0; c < tr->model->contacts.n_contact; c++) {
        const double L = law_at(tr, j, c);
        program_set_guess(tr->prog, tr_part(tr, j, c, 0), tr_splits_restitution(tr) ? fmax(L, 0) : L);
        program_set_guess(tr->prog, tr_part(tr, j, c, 1), fmax(-L, 0));
    }
}

/* After a jump as at the point that follows, or precedes the end. */
static void guess_resets(struct transcription *tr)
{
    const struct dcs *dcs = tr->dcs;
    const double *w0 = program_guess(tr->prog);
    for (int j = 0; j <= tr->n_element; j++) {
        const int e = j < tr->n_element ? j : j - 1, k = j < tr->n_element ? 1 : tr->n_point;
        for (int i = 0; i < dcs->n_y && tr->reset[j] >= 0; i++)
            program_set_guess(tr->prog, tr->reset[j] + i, w0[tr_y(tr, e, k, i)]);
        for (int i = 0; i < dcs->n_lam && tr->reset[j] >= 0; i++)
            program_set_guess(tr->prog, tr->reset[j] + dcs->n_y + i, w0[tr_lam(tr, e, k, i)]);
    }
}

void tr_guess_junctions(struct transcription *tr)
{
    const struct dcs *dcs = tr->dcs;
    const double *w0 = program_guess(tr->prog);
    guess_resets(tr);
    for (int j = 0; tr->junctions && j < tr->junctions->n; j++) {
        for (int i = 0; i < dcs->n_y; i++)
            if (dcs->y[i].jumps)
                program_set_guess(
                    tr->prog, tr_y(tr, j, 0, i),
                    j < tr->n_element ? w0[tr_y(tr, j, 1, i)] : w0[tr_y(tr, j - 1, tr_right(tr), i)]);
        for (int i = 0; i < dcs->n_sel; i++)
            program_set_guess(tr->prog, tr_impulse(tr, j) + i, 0);
        tr_guess_parts(tr, j);
    }
    tr_guess_user_pairs(tr);
}

/* --- The first junction -------------------------------------------------------------------------------------- */

static void hold(struct transcription *tr, int var, double value)
{
    program_set_bounds(tr->prog, var, value, value);
    program_guess(tr->prog)[var] = value;
}

/* Nothing happens at the start: impulses are zero, velocities as before, and the law's parts follow. */
static void hold_first(struct transcription *tr)
{
    const struct dcs *dcs = tr->dcs;
    const double *w0 = program_guess(tr->prog);
    for (int i = 0; i < dcs->n_y; i++)
        if (dcs->y[i].jumps)
            hold(tr, tr_y(tr, 0, 0, i), w0[tr->y0 + i]);
    for (int i = 0; i < dcs->n_sel; i++)
        hold(tr, tr_impulse(tr, 0) + i, 0);
    for (int c = 0; c < tr->model->contacts.n_contact; c++) {
        const double L = law_at(tr, 0, c);
        hold(tr, tr_part(tr, 0, c, 0), tr_splits_restitution(tr) ? fmax(L, 0) : L);
        hold(tr, tr_part(tr, 0, c, 1), tr_splits_restitution(tr) ? fmax(-L, 0) : 0);
    }
}

/* Those of a contact that is not there. */
static void hold_impulses(struct transcription *tr, int c)
{
    int first, end;
    dcs_sel_of(tr->dcs, c, &first, &end);
    for (int i = first; i < end; i++)
        hold(tr, tr_impulse(tr, 0) + i, 0);
}

/* Something hits: only contacts that are open have no part in it. */
static void release_first(struct transcription *tr)
{
    const struct dcs *dcs = tr->dcs;
    const double *w0 = program_guess(tr->prog);
    for (int i = 0; i < dcs->n_y; i++)
        if (dcs->y[i].jumps)
            program_set_bounds(tr->prog, tr_y(tr, 0, 0, i), tr->task.optimize ? dcs->y[i].lb : -INFINITY,
                               tr->task.optimize ? dcs->y[i].ub : INFINITY);
    for (int i = 0; i < dcs->n_sel; i++)
        program_set_bounds(tr->prog, tr_impulse(tr, 0) + i, dcs->sel[i].lb, INFINITY);
    for (int c = 0; c < tr->model->contacts.n_contact; c++) {
        if (!tr_has_contact(tr, c, 0)) {
            hold_impulses(tr, c);
            continue;
        }
        program_set_bounds(tr->prog, tr_part(tr, 0, c, 0), tr_splits_restitution(tr) ? 0 : -INFINITY, INFINITY);
        if (tr_splits_restitution(tr))
            program_set_bounds(tr->prog, tr_part(tr, 0, c, 1), 0, INFINITY);
        if (w0[tr->lam0 + dcs->contact[c].gap] > GAP_CLOSED)
            hold(tr, tr_impulse(tr, 0) + dcs->contact[c].force, 0);
    }
}

void tr_hold_first_junction(struct transcription *tr)
{
    if (!tr->junctions || tr->start_is_free)
        return;
    const double *w0 = program_guess(tr->prog);
    bool hits = false;
    for (int c = 0; c < tr->model->contacts.n_contact; c++)
        hits = hits || (tr_has_contact(tr, c, 0) && w0[tr->lam0 + tr->dcs->contact[c].gap] <= GAP_CLOSED
                        && tr_value_at(tr, tr->model->contacts.contact[c].v_n, -1, tr_right(tr)) < -AT_REST);
    if (hits)
        release_first(tr);
    else
        hold_first(tr);
    for (int k = 0; k < tr->junctions->n_row; k++)              /* nothing in them is free then */
        program_set_row_bounds(tr->prog, tr->junctions->row[0] + k, hits ? 0 : -INFINITY, hits ? 0 : INFINITY);
}
