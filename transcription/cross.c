/* Cross complementarity (math.md B.3): in each element every lam at every point, the left boundary included, against
 * every sel at every stage; or, on a fixed grid, stage by stage only. */
#include "transcription/transcription.h"

#include "core/base/mem.h"

#include <stdlib.h>

struct sums {                       /* terms of one pair while it is put together */
    struct mpcc_term *G, *H;
    int n_G, n_H;
    double H0;
};

static void add_lam(struct sums *sums, const struct transcription *tr, const struct dcs_pair *pair, int e, int k)
{
    sums->G[sums->n_G++] = (struct mpcc_term){ tr_lam(tr, e, k) + pair->lam, 1 };
}

static void add_sel(struct sums *sums, const struct transcription *tr, const struct dcs_pair *pair, int e, int k)
{
    sums->H[sums->n_H++] = (struct mpcc_term){ tr_sel(tr, e, k) + pair->sel, pair->coef };
    sums->H0 += pair->offset;
}

static void emit(struct transcription *tr, struct sums *sums, const struct dcs_pair *pair, int group, int e, int k)
{
    const struct dcs_var *lam = &tr->dcs->lam[pair->lam];
    program_pair(tr->prog, &(struct mpcc_pair){
        .n_G = sums->n_G, .n_H = sums->n_H, .G = sums->G, .H = sums->H, .G0 = 0, .H0 = sums->H0, .scale = 1,
        .group = group, .label = tr_label(tr, lam->name, lam->path, lam->pos, -1, e, k) });
}

/* All pairs of one dcs pair in element e: lam at points first..last. */
static void add_element(struct transcription *tr, struct sums *sums, const struct dcs_pair *pair, int e)
{
    const int s = tr->rk->s, n_lam = tr->n_point + 1, group = program_new_group(tr->prog);
    const enum aggregation how = tr->settings->aggregation;
    const bool sum_lam = how == AGGREGATE_STAGE_FE || how == AGGREGATE_FE_FE;
    const bool sum_sel = how == AGGREGATE_FE_STAGE || how == AGGREGATE_FE_FE;
    for (int j = 0; j < (sum_lam ? 1 : n_lam); j++)
        for (int k = 1; k <= (sum_sel ? 1 : s); k++) {
            sums->n_G = sums->n_H = 0;
            sums->H0 = 0;
            for (int r = sum_lam ? 0 : j; r < (sum_lam ? n_lam : j + 1); r++)
                add_lam(sums, tr, pair, e, r);
            for (int r = sum_sel ? 1 : k; r <= (sum_sel ? s : k); r++)
                add_sel(sums, tr, pair, e, r);
            emit(tr, sums, pair, group, e, sum_sel ? -1 : k);
        }
}

static void add_same_stage(struct transcription *tr, struct sums *sums, const struct dcs_pair *pair, int e)
{
    for (int k = 1; k <= tr->rk->s; k++) {
        sums->n_G = sums->n_H = 0;
        sums->H0 = 0;
        add_lam(sums, tr, pair, e, k);
        add_sel(sums, tr, pair, e, k);
        emit(tr, sums, pair, program_new_group(tr->prog), e, k);
    }
}

/* The initial point's own pair, where its multipliers are variables. */
static void add_initial(struct transcription *tr, struct sums *sums, const struct dcs_pair *pair)
{
    sums->G[0] = (struct mpcc_term){ tr->lam0 + pair->lam, 1 };
    sums->H[0] = (struct mpcc_term){ tr->sel0 + pair->sel, pair->coef };
    sums->n_G = sums->n_H = 1;
    sums->H0 = pair->offset;
    emit(tr, sums, pair, program_new_group(tr->prog), 0, 0);
}

void tr_add_pairs(struct transcription *tr)
{
    struct sums sums = { 0 };
    sums.G = mem_alloc((size_t)tr->n_point + 1, sizeof *sums.G);
    sums.H = mem_alloc((size_t)tr->n_point + 1, sizeof *sums.H);
    for (int i = 0; i < tr->dcs->n_pair; i++) {
        const struct dcs_pair *pair = &tr->dcs->pair[i];
        if (tr->sel0 >= 0)
            add_initial(tr, &sums, pair);
        for (int e = 0; e < tr->n_element; e++) {
            if (tr->switching)
                add_element(tr, &sums, pair, e);
            else
                add_same_stage(tr, &sums, pair, e);
        }
    }
    free(sums.G);
    free(sums.H);
}
