/* Cross complementarity (fesd.md 4): in each element every lam at every point, the left boundary included, against
 * every sel at every stage; or, on a fixed grid, stage by stage only. And what time-freezing needs beside it: see
 * add_freezing_pairs. */
#include "transcription/discretize/parts.h"

#include "core/base/mem.h"
#include "transcription/discretize/recipe.h"

#include <math.h>
#include <stdlib.h>

struct sums {                       /* terms of one pair while it is put together */
    struct mpcc_term *G, *H;
    int n_G, n_H;
    double H0;
};

static void clear(struct sums *sums)
{
    sums->n_G = sums->n_H = 0;
    sums->H0 = 0;
}

static void add_lam(struct sums *sums, const struct transcription *tr, const struct dcs_pair *pair, int j, int k)
{
    sums->G[sums->n_G++] = (struct mpcc_term){ tr_lam(tr, j, k, pair->lam), 1 };
}

static void add_sel(struct sums *sums, const struct transcription *tr, const struct dcs_pair *pair, int j, int k)
{
    const int var = pair->sel_is_lam ? tr_lam(tr, j, k, pair->sel) : tr_sel(tr, j, k) + pair->sel;
    sums->H[sums->n_H++] = (struct mpcc_term){ var, pair->coef };
    sums->H0 += pair->offset;
}

static void emit(struct transcription *tr, struct sums *sums, const struct dcs_pair *pair, int group, int j, int k)
{
    const struct dcs_var *lam = &tr->dcs->lam[pair->lam];
    program_pair(tr->prog, &(struct mpcc_pair){
        .n_G = sums->n_G, .n_H = sums->n_H, .G = sums->G, .H = sums->H, .G0 = 0, .H0 = sums->H0, .scale = 1,
        .group = group, .label = tr_label(tr, lam->name, lam->path, lam->pos, -1, j, k) });
}

/* All pairs of one dcs pair in element j: lam at points first..last. */
static void add_element(struct transcription *tr, struct sums *sums, const struct dcs_pair *pair, int j)
{
    const int n_lam = tr->n_point + 1, group = program_new_group(tr->prog);
    const int first = pair->sel_is_lam ? 0 : 1, last = pair->sel_is_lam ? tr->n_point : tr->rk->s;     /* of H */
    const enum aggregation how = tr->settings->aggregation;
    const bool sum_lam = how == AGGREGATE_STAGE_FE || how == AGGREGATE_FE_FE;
    const bool sum_sel = how == AGGREGATE_FE_STAGE || how == AGGREGATE_FE_FE;
    for (int l = 0; l < (sum_lam ? 1 : n_lam); l++)
        for (int k = first; k <= (sum_sel ? first : last); k++) {
            clear(sums);
            for (int r = sum_lam ? 0 : l; r < (sum_lam ? n_lam : l + 1); r++)
                add_lam(sums, tr, pair, j, r);
            for (int r = sum_sel ? first : k; r <= (sum_sel ? last : k); r++)
                add_sel(sums, tr, pair, j, r);
            emit(tr, sums, pair, group, j, sum_sel ? -1 : k);
        }
}

/* On a fixed grid: 0 <= lam_k _|_ sel_k >= 0 at each stage alone. */
static void add_same_stage(struct transcription *tr, struct sums *sums, const struct dcs_pair *pair, int j)
{
    for (int k = 1; k <= tr->rk->s; k++) {
        clear(sums);
        add_lam(sums, tr, pair, j, k);
        add_sel(sums, tr, pair, j, k);
        emit(tr, sums, pair, program_new_group(tr->prog), j, k);
    }
}

/* The initial point's own pair, where its multipliers are variables. */
static void add_initial(struct transcription *tr, struct sums *sums, const struct dcs_pair *pair)
{
    sums->G[0] = (struct mpcc_term){ tr->lam0 + pair->lam, 1 };
    sums->H[0] = (struct mpcc_term){ (pair->sel_is_lam ? tr->lam0 : tr->sel0) + pair->sel, pair->coef };
    sums->n_G = sums->n_H = 1;
    sums->H0 = pair->offset;
    emit(tr, sums, pair, program_new_group(tr->prog), 0, 0);
}

/* --- Friction in the exact cone ------------------------------------------------------------------------------ */

/* Cross complementarity of slip speed and cone alone lets a force jump to the opposite side of the cone where slip
 * ends (fesd_j.md 6); so no force may act along the slip of another point of its element. */
static void add_dissipation(struct transcription *tr, int c, int j, int r, int k)
{
    const struct dcs_contact *force = &tr->dcs->contact[c];
    const struct model_contact *contact = &tr->model->contacts.contact[c];
    const char *name = dcs_name(tr->dcs, contact->name, " friction against slip");
    const int row = program_row(tr->prog, -INFINITY, 0, tr_label(tr, name, contact->path, contact->pos, -1, j, r));
    for (int q = 0; q < contact->n_t; q++)
        program_bilinear(tr->prog, row, tr_sel(tr, j, r) + force->force_t[q], tr_lam(tr, j, k, force->slip[q]), 1);
}

/* Of every contact with friction in the exact cone: each stage against each other point of its element. */
static void add_dissipations(struct transcription *tr)
{
    for (int c = 0; c < tr->model->contacts.n_contact && tr->dcs->kind == DCS_FORCES; c++)
        for (int j = 0; j < tr->n_element && tr->dcs->contact[c].slip[0] >= 0; j++)
            for (int r = 1; r <= tr->rk->s && tr_has_contact(tr, c, j); r++)
                for (int k = 0; k <= tr->n_point; k++)
                    if (k != r)
                        add_dissipation(tr, c, j, r, k);
}

/* --- Time stands still all through a jump -------------------------------------------------------------------- */

/* The switches of contact c: gap and normal velocity, one after the other
 * (time_freezing.c); -1 if there are none. */
static int first_switch_of(const struct dcs *dcs, int c)
{
    for (int k = 0; k + 1 < dcs->n_switch; k++)
        if (dcs->sw[k].contact == c && dcs->sw[k + 1].contact == c && dcs->sw[k].sel >= 0)
            return k;
    return -1;
}

/* While contact c jumps (gap = 0, v_n < 0) the step aq of its gap must be 0 at all stages. In the exact dynamics
 * that follows from q' = rate v; but at a last stage that is the end of the jump v_n = 0, and aq is free there:
 * time would run on while the velocity still jumps, and optimizers find that (TF Ex. 5 drops 3e-4 below its exact
 * optimum). So, with a variable r per element and contact,
 *     r >= eps sum v_n^- - sum gap^+   (both over all points of the element),      0 <= r _|_ sum aq >= 0
 * In free flight the gap at the left boundary is at least about half the way that v_n makes in the element, so
 * that r is 0 unless the element is shorter than a few eps; in contact v_n = 0. */
static void add_freezing_pair(struct transcription *tr, struct sums *sums, int first, int j)
{
    const struct dcs_switch *gap = &tr->dcs->sw[first], *v_n = &tr->dcs->sw[first + 1];
    const double eps = FREEZING_SHARE * tr->h0[j];
    const struct mpcc_label label = tr_label(tr, dcs_name(tr->dcs, gap->name, ", time frozen in a jump"), gap->path,
                                             gap->pos, -1, j, -1);
    const int r = program_var(tr->prog, 0, INFINITY, 0, label);
    const int row = program_row(tr->prog, 0, INFINITY, label);
    tr->frozen.var[tr->frozen.n] = r;
    tr->frozen.row[tr->frozen.n++] = row;
    program_linear(tr->prog, row, r, 1);
    for (int k = 0; k <= tr->n_point; k++) {
        program_linear(tr->prog, row, tr_lam(tr, j, k, v_n->lam_n), -eps);
        program_linear(tr->prog, row, tr_lam(tr, j, k, gap->lam_p), 1);
    }
    clear(sums);
    sums->G[sums->n_G++] = (struct mpcc_term){ r, 1 };
    for (int k = 1; k <= tr->rk->s; k++)
        sums->H[sums->n_H++] = (struct mpcc_term){ tr_sel(tr, j, k) + gap->sel, 1 };
    program_pair(tr->prog, &(struct mpcc_pair){
        .n_G = sums->n_G, .n_H = sums->n_H, .G = sums->G, .H = sums->H, .scale = eps,
        .group = program_new_group(tr->prog), .label = label });
}

static void add_freezing_pairs(struct transcription *tr, struct sums *sums)
{
    const size_t most = (size_t)tr->model->contacts.n_contact * (size_t)tr->n_element;
    tr->frozen.row = arena_alloc(&tr->mem, most, sizeof(int));
    tr->frozen.var = arena_alloc(&tr->mem, most, sizeof(int));
    for (int c = 0; c < tr->model->contacts.n_contact; c++) {
        const int first = first_switch_of(tr->dcs, c);
        for (int j = 0; j < tr->n_element && first >= 0; j++)
            add_freezing_pair(tr, sums, first, j);
    }
}

void tr_set_strict_jumps(struct transcription *tr, bool strict)
{
    for (int k = 0; k < tr->frozen.n; k++) {
        program_set_row_bounds(tr->prog, tr->frozen.row[k], strict ? 0 : -INFINITY, INFINITY);
        program_set_bounds(tr->prog, tr->frozen.var[k], 0, strict ? INFINITY : 0);
        program_guess(tr->prog)[tr->frozen.var[k]] = 0;
    }
}

/* The step sum aq of the pair whose r is a variable. */
static double time_that_runs(const struct transcription *tr, int r, const double *w)
{
    const struct mpcc *mpcc = &tr->mpcc;
    for (int m = 0; m < mpcc->n_pair; m++)
        if (mpcc->pair[m].n_G == 1 && mpcc->pair[m].G[0].var == r)
            return mpcc_pair_H(&mpcc->pair[m], w);
    return 0;
}

double tr_loose_speed(const struct transcription *tr, const double *w)
{
    double most = 0, *g = mem_alloc((size_t)tr->mpcc.nlp.n_g, sizeof *g);
    if (tr->frozen.n == 0 || !tr->mpcc.nlp.eval_g(tr->mpcc.nlp.user, w, true, g)) {
        free(g);
        return 0;
    }
    for (int k = 0; k < tr->frozen.n; k++) {
        const int element = tr->mpcc.row[tr->frozen.row[k]].element;
        const double speed = (w[tr->frozen.var[k]] - g[tr->frozen.row[k]]) / (FREEZING_SHARE * tr->h0[element]);
        if (speed > most)
            most = fmax(most, speed * fmin(1, time_that_runs(tr, tr->frozen.var[k], w)));
    }
    free(g);
    return most;
}

/* Is it the pair of a seat's gap? Where seats are held at rest (contact_forces.c) that is 0 whatever
 * its force is: a bound and a pair of it would be conditions without an interior. Simulations hold
 * nothing, and their pairs do. */
static bool holds_anyway(const struct transcription *tr, int pair, int contact)
{
    return tr->task.optimize && contact >= tr->model->contacts.n_contact - tr->model->contacts.n_load
           && pair == tr->dcs->contact[contact].first_pair;
}

static void free_gap(struct transcription *tr, int lam)
{
    if (tr->sel0 >= 0)
        program_set_bounds(tr->prog, tr->lam0 + lam, -INFINITY, INFINITY);
    for (int j = 0; j < tr->n_element; j++)
        for (int k = 1; k <= tr->n_point; k++)
            program_set_bounds(tr->prog, tr_lam(tr, j, k, lam), -INFINITY, INFINITY);
}

void tr_add_pairs(struct transcription *tr)
{
    struct sums sums = { 0 };
    sums.G = mem_alloc((size_t)tr->n_point + 1, sizeof *sums.G);
    sums.H = mem_alloc((size_t)tr->n_point + 1, sizeof *sums.H);
    for (int i = 0; i < tr->dcs->n_pair; i++) {
        const struct dcs_pair *pair = &tr->dcs->pair[i];
        const int contact = tr_contact_of_pair(tr, i);
        if (contact >= 0 && holds_anyway(tr, i, contact)) {
            free_gap(tr, pair->lam);
            continue;
        }
        if (tr->sel0 >= 0)
            add_initial(tr, &sums, pair);
        for (int j = 0; j < tr->n_element; j++) {
            if (contact >= 0 && !tr_has_contact(tr, contact, j))
                continue;
            if (tr->switching)
                add_element(tr, &sums, pair, j);
            else
                add_same_stage(tr, &sums, pair, j);
        }
    }
    if (tr->dcs->freezes && tr->dcs->kind == DCS_STEP)
        add_freezing_pairs(tr, &sums);
    if (tr->switching)
        add_dissipations(tr);
    free(sums.G);
    free(sums.H);
}
