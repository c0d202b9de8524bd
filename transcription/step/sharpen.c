#include "transcription/step/sharpen.h"

#include "core/base/mem.h"
#include "core/mpcc/polish.h"
#include "transcription/program/project.h"
#include "transcription/step/hold.h"
#include "transcription/step/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Largest value of component lam over element j, its left end included. */
static double largest_lam(const struct transcription *tr, const double *w, int j, int lam)
{
    double largest = 0;
    for (int k = 0; k <= tr->n_point; k++)
        largest = fmax(largest, w[tr_lam(tr, j, k, lam)]);
    return largest;
}

static double mean_sel(const struct transcription *tr, const double *w, int j, int sel)
{
    double sum = 0;
    for (int k = 1; k <= tr->rk->s; k++)
        sum += w[tr_sel(tr, j, k) + sel];
    return sum / tr->rk->s;
}

static bool is_inside(double alpha)
{
    return alpha > INSIDE && alpha < 1 - INSIDE;
}

/* The same of the step of a switch: that of a wall has one end. */
static bool slides(const struct dcs_switch *sw, double alpha)
{
    return sw->wall ? alpha < 1 - INSIDE : is_inside(alpha);
}

static bool is_short(const struct transcription *tr, const double *w, int j)
{
    return w[tr->h[j]] < SHORT_ELEMENT * tr->h0[j];
}

/* --- Contacts of time-freezing ------------------------------------------------------------------------------- */

static bool is_gap(const struct transcription *tr, int k)
{
    const struct dcs *dcs = tr->dcs;
    const int c = dcs->sw[k].contact;
    return c >= 0 && dcs->sw[k].sel >= 0 && tr->model->contacts.contact[c].e <= 0
           && (k == 0 || dcs->sw[k - 1].contact != c);
}

/* Share of element j that the contact of gap switch k pushes: kap = (1 - aq)(1 - av), time_freezing.md (1). */
static double share(const struct transcription *tr, const double *w, int k, int j)
{
    double kap = 0;
    for (int r = 1; r <= tr->rk->s; r++) {
        const double *sel = &w[tr_sel(tr, j, r)];
        kap += (1 - sel[tr->dcs->sw[k].sel]) * (1 - sel[tr->dcs->sw[k + 1].sel]) / tr->rk->s;
    }
    return kap;
}

/* The step of switch k is `value` at all stages of element j. */
static void hold_step(struct transcription *tr, struct hold *list, int k, int j, double value)
{
    for (int r = 1; r <= tr->rk->s; r++)
        hold_at(list, tr, tr_sel(tr, j, r) + tr->dcs->sw[k].sel, value);
}

/* A closed contact that pushes has its gap's step at 0. One that does not push, though gap and normal velocity are
 * zero, is as good as open. */
static void fix_contacts(struct transcription *tr, const double *w, struct hold *list)
{
    const struct dcs *dcs = tr->dcs;
    for (int k = 0; k < dcs->n_switch; k++)
        for (int j = 0; j < tr->n_element && is_gap(tr, k); j++) {
            const struct dcs_switch *gap = &dcs->sw[k], *v_n = gap + 1;
            const bool rests = largest_lam(tr, w, j, v_n->lam_p) < ON_SURFACE
                               && largest_lam(tr, w, j, v_n->lam_n) < ON_SURFACE
                               && largest_lam(tr, w, j, gap->lam_n) < ON_SURFACE;
            if (is_short(tr, w, j) || largest_lam(tr, w, j, gap->lam_p) > ON_SURFACE)
                continue;
            if (share(tr, w, k, j) > INSIDE) {
                hold_step(tr, list, k, j, 0);
            } else if (rests) {
                hold_step(tr, list, k, j, 1);
                hold_step(tr, list, k + 1, j, 1);
            }
        }
}

/* --- Places where a step ends sliding ------------------------------------------------------------------------ */

/* Step form: switch k slides in element j - 1 and has left in j. */
static bool leaves_at(const struct transcription *tr, const double *w, const struct dcs_switch *sw, int j)
{
    const double before = mean_sel(tr, w, j - 1, sw->sel), after = mean_sel(tr, w, j, sw->sel);
    return slides(sw, before) && !slides(sw, after) && !is_short(tr, w, j - 1) && !is_short(tr, w, j)
           && fmax(largest_lam(tr, w, j - 1, sw->lam_p), largest_lam(tr, w, j - 1, sw->lam_n)) < ON_SURFACE;
}

/* Stewart's form: mode m has a share in element j - 1 and none in j. */
static bool fades_at(const struct transcription *tr, const double *w, int theta, int lam, int j)
{
    return is_inside(mean_sel(tr, w, j - 1, theta)) && mean_sel(tr, w, j, theta) < INSIDE
           && largest_lam(tr, w, j - 1, lam) < ON_SURFACE && !is_short(tr, w, j - 1) && !is_short(tr, w, j);
}

/* The last step of every sliding mode that ends inside has reached its bound. */
static void fix_leavings(struct transcription *tr, const double *w, struct hold *list)
{
    const struct dcs *dcs = tr->dcs;
    if (tr->n_point > tr->rk->s)
        return;                                 /* no stage at the end: the step there is not a variable */
    for (int j = 1; j < tr->n_element; j++) {
        const int last = tr_sel(tr, j - 1, tr->rk->s);
        for (int k = 0; k < dcs->n_switch; k++)
            if (dcs->sw[k].sel >= 0 && !is_gap(tr, k) && leaves_at(tr, w, &dcs->sw[k], j))
                hold_at(list, tr, last + dcs->sw[k].sel, mean_sel(tr, w, j, dcs->sw[k].sel) > 0.5);
        for (int g = 0; g < dcs->n_group; g++)
            for (int m = 0; m < 1 << dcs->group[g].n_switch; m++)
                if (fades_at(tr, w, dcs->group[g].sel + m, dcs->group[g].lam + m, j))
                    hold_at(list, tr, last + dcs->group[g].sel + m, 0);
    }
}

/* --- Solving once more --------------------------------------------------------------------------------------- */

/* Holds the sides of the pairs that the active set at w makes zero (polish.h). */
static void fix_pairs(struct transcription *tr, const double *w, struct hold *list)
{
    const struct mpcc *mpcc = &tr->mpcc;
    enum polish_decision *decision = mem_alloc((size_t)mpcc->n_group, sizeof *decision);
    polish_decide(mpcc, w, POLISH_DECIDE_ALL, decision);
    for (int m = 0; m < mpcc->n_pair; m++) {
        const struct mpcc_pair *pair = &mpcc->pair[m];
        const enum polish_decision what = decision[pair->group];
        const struct mpcc_side side = mpcc_side(pair, what == POLISH_FIX_G);
        for (int k = 0; k < side.n && what != POLISH_KEEP; k++) {
            const int var = side.term[k].var;
            if (mpcc->nlp.lbw[var] < mpcc->nlp.ubw[var])
                hold_at(list, tr, var, mpcc_fixed_value(&mpcc->nlp, &side.term[k]));
        }
    }
    free(decision);
}

bool tr_sharpen(struct transcription *tr, double *w, int *iterations)
{
    if ((tr->dcs->kind == DCS_FORCES && !tr->junctions) || !tr->switching)
        return false;
    struct arena mem = { 0 };
    const size_t n_w = (size_t)tr->mpcc.nlp.n_w;
    struct hold list = hold_create(&mem, tr);
    double *sharp = arena_copy(&mem, w, n_w, sizeof *sharp);
    fix_contacts(tr, w, &list);
    fix_leavings(tr, w, &list);
    fix_pairs(tr, w, &list);
    const bool solved = project_on_rows(&tr->mpcc.nlp, sharp, iterations);
    hold_release(&list, tr);
    const bool sharper = solved && hold_is_exact(tr, sharp);
    if (sharper)
        memcpy(w, sharp, n_w * sizeof *w);
    arena_free(&mem);
    return sharper;
}
