#include "core/mpcc/relax.h"

#include "core/base/mem.h"
#include "core/base/triplets.h"
#include "core/mpcc/psi.h"
#include "core/mpcc/recipe.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row psi - scale s <= 0 or a row G >= 0, with the terms of both sides in one list. */
struct pair_row {
    int pair;
    bool is_second;                 /* the second row of Lin-Fukushima, or of a two-sided pair */
    int elastic;                    /* variable s, -1: none */
    int jac_slot;                   /* into relax.slot_jac: n_G + n_H places, then that of s */
    int hess_slot;                  /* into relax.slot_hess */
};

struct linear_row {
    int pair;
    bool is_G;
    int before;                     /* the row before it whose side begins with the same variable, or -1 */
    int jac_slot;
};

struct relax {
    struct arena mem;               /* owns every array below */
    const struct mpcc *mpcc;
    enum relax_kind kind;
    struct nlp nlp;
    double sigma;
    double *lbw, *ubw, *lbg, *ubg;
    int n_w, n_g;                   /* of the MPCC */
    int n_elastic;
    bool is_elastic, has_no_cost;
    int n_pair_row, n_linear_row;
    struct pair_row *pair_row;
    struct linear_row *linear_row;
    int *last_linear;               /* [n_w] newest linear row whose side begins with the variable, or -1 */
    int *row_of_pair;               /* [n_pair] */
    double *pair_size;              /* [n_pair] of the products that are relaxed; 1 where the MPCC has no sizes */
    struct nlp_sizes sizes;         /* of the relaxed program */
    int *slot_mpcc_jac, *slot_mpcc_hess;        /* places of the MPCC's own entries */
    int *slot_jac, *slot_hess;      /* places of the entries of pair and linear rows; -1: upper triangle */
    double *val_jac, *val_hess;     /* the MPCC's own values, scratch */
};

/* psi of the row at w, as in relax_psi; the elastic part is apart. */
static void eval_psi(const struct relax *relax, const struct pair_row *row, const double *w, double d[6])
{
    const struct mpcc_pair *pair = &relax->mpcc->pair[row->pair];
    const double a = mpcc_pair_G(pair, w), b = mpcc_pair_H(pair, w);
    const bool sigma_is_elastic = relax->is_elastic && (relax->kind == RELAX_SCHOLTES || pair->two_sided);
    const double sigma = sigma_is_elastic ? 0.0 : pair->scale * relax->pair_size[row->pair] * relax->sigma;
    if (pair->two_sided)
        relax_two_sided(row->is_second, a, b, sigma, d);
    else if (row->is_second)
        relax_lin_fukushima_second(a, b, sigma, d);
    else
        relax_psi(relax->kind, a, b, sigma, d);
}

/* --- Callbacks ---------------------------------------------------------------------------------------------- */

static bool relaxed_f(void *user, const double *w, bool new_w, double *f)
{
    const struct relax *relax = user;
    const struct nlp *inner = &relax->mpcc->nlp;
    const bool ok = inner->eval_f(inner->user, w, new_w, f);    /* even without a cost: tells inner of a new w */
    if (relax->has_no_cost)
        *f = 0;
    else if (!ok)
        return false;
    for (int k = 0; k < relax->n_elastic; k++)
        *f += 1.0 / relax->sigma * w[relax->n_w + k];
    return true;
}

static bool relaxed_grad(void *user, const double *w, bool new_w, double *grad)
{
    const struct relax *relax = user;
    const struct nlp *inner = &relax->mpcc->nlp;
    for (int k = 0; k < relax->n_elastic; k++)
        grad[relax->n_w + k] = 1.0 / relax->sigma;
    const bool ok = inner->eval_grad(inner->user, w, new_w, grad);
    if (relax->has_no_cost)
        memset(grad, 0, (size_t)relax->n_w * sizeof *grad);
    return ok || relax->has_no_cost;
}

static bool relaxed_g(void *user, const double *w, bool new_w, double *g)
{
    const struct relax *relax = user;
    const struct nlp *inner = &relax->mpcc->nlp;
    if (!inner->eval_g(inner->user, w, new_w, g))
        return false;
    double *out = g + relax->n_g;
    for (int r = 0; r < relax->n_pair_row; r++) {
        const struct pair_row *row = &relax->pair_row[r];
        double d[6];
        eval_psi(relax, row, w, d);
        out[r] = d[0];
        if (row->elastic >= 0)
            out[r] -= relax->mpcc->pair[row->pair].scale * relax->pair_size[row->pair] * w[row->elastic];
    }
    out += relax->n_pair_row;
    for (int r = 0; r < relax->n_linear_row; r++) {
        const struct linear_row *row = &relax->linear_row[r];
        const struct mpcc_pair *pair = &relax->mpcc->pair[row->pair];
        out[r] = row->is_G ? mpcc_pair_G(pair, w) : mpcc_pair_H(pair, w);
    }
    return true;
}

/* psi_a grad G + psi_b grad H, and -scale of the elastic variable. */
static void add_pair_jac(const struct relax *relax, const struct pair_row *row, const double *w, double *val)
{
    const struct mpcc_pair *pair = &relax->mpcc->pair[row->pair];
    const int *slot = relax->slot_jac + row->jac_slot;
    double d[6];
    eval_psi(relax, row, w, d);
    for (int k = 0; k < pair->n_G; k++)
        val[*slot++] += d[1] * pair->G[k].coef;
    for (int k = 0; k < pair->n_H; k++)
        val[*slot++] += d[2] * pair->H[k].coef;
    if (row->elastic >= 0)
        val[*slot] -= pair->scale * relax->pair_size[row->pair];
}

static void add_linear_jac(const struct relax *relax, const struct linear_row *row, double *val)
{
    const struct mpcc_side side = mpcc_side(&relax->mpcc->pair[row->pair], row->is_G);
    for (int k = 0; k < side.n; k++)
        val[relax->slot_jac[row->jac_slot + k]] += side.term[k].coef;
}

static bool relaxed_jac(void *user, const double *w, bool new_w, double *val)
{
    const struct relax *relax = user;
    const struct nlp *inner = &relax->mpcc->nlp;
    if (!inner->eval_jac(inner->user, w, new_w, relax->val_jac))
        return false;
    memset(val, 0, (size_t)relax->nlp.jac.nnz * sizeof *val);
    for (int k = 0; k < inner->jac.nnz; k++)
        val[relax->slot_mpcc_jac[k]] = relax->val_jac[k];
    for (int r = 0; r < relax->n_pair_row; r++)
        add_pair_jac(relax, &relax->pair_row[r], w, val);
    for (int r = 0; r < relax->n_linear_row; r++)
        add_linear_jac(relax, &relax->linear_row[r], val);
    return true;
}

/* The terms of both sides as one list: term k of G, then of H. */
static const struct mpcc_term *pair_term(const struct mpcc_pair *pair, int k)
{
    return k < pair->n_G ? &pair->G[k] : &pair->H[k - pair->n_G];
}

/* Scholtes, Lin-Fukushima and two-sided rows are bilinear: no entries within a side. */
static bool has_curvature(enum relax_kind kind, const struct mpcc_pair *pair, int k, int l)
{
    const bool same_side = (k < pair->n_G) == (l < pair->n_G);
    return !same_side || (kind != RELAX_SCHOLTES && kind != RELAX_LIN_FUKUSHIMA && !pair->two_sided);
}

/* lambda (psi_aa ga ga' + psi_ab (ga gb' + gb ga') + psi_bb gb gb'), lower triangle; mpcc.md 3 */
static void add_pair_hess(const struct relax *relax, const struct pair_row *row, const double *w, double lambda,
                          double *val)
{
    const struct mpcc_pair *pair = &relax->mpcc->pair[row->pair];
    const int n = pair->n_G + pair->n_H;
    const int *slot = relax->slot_hess + row->hess_slot;
    double d[6];
    eval_psi(relax, row, w, d);
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++) {
            if (!has_curvature(relax->kind, pair, k, l))
                continue;
            const int place = *slot++;
            const double curve = d[3 + (k >= pair->n_G) + (l >= pair->n_G)];
            if (place >= 0)
                val[place] += lambda * curve * pair_term(pair, k)->coef * pair_term(pair, l)->coef;
        }
}

static bool relaxed_hess(void *user, const double *w, bool new_w, double obj_factor, const double *lambda,
                         double *val)
{
    const struct relax *relax = user;
    const struct nlp *inner = &relax->mpcc->nlp;
    const double factor = relax->has_no_cost ? 0 : obj_factor;
    if (!inner->eval_hess(inner->user, w, new_w, factor, lambda, relax->val_hess))
        return false;
    memset(val, 0, (size_t)relax->nlp.hess.nnz * sizeof *val);
    for (int k = 0; k < inner->hess.nnz; k++)
        val[relax->slot_mpcc_hess[k]] = relax->val_hess[k];
    for (int r = 0; r < relax->n_pair_row; r++)
        if (lambda[relax->n_g + r] != 0.0)
            add_pair_hess(relax, &relax->pair_row[r], w, lambda[relax->n_g + r], val);
    return true;
}

/* --- Rows and patterns, once -------------------------------------------------------------------------------- */

static bool same_side(const struct mpcc_side *a, const struct mpcc_side *b)
{
    if (a->n != b->n || a->constant != b->constant)
        return false;
    for (int k = 0; k < a->n; k++)
        if (a->term[k].var != b->term[k].var || a->term[k].coef != b->term[k].coef)
            return false;
    return true;
}

/* A row side >= 0, unless the bounds or an earlier row say so. */
static void add_linear_row(struct relax *relax, int m, bool is_G)
{
    const struct mpcc_side side = mpcc_side(&relax->mpcc->pair[m], is_G);
    assert(side.n > 0);
    if (relax->mpcc->pair[m].two_sided && !is_G)
        return;
    if (mpcc_side_least(&relax->mpcc->nlp, &side) >= -SIDE_IS_ZERO)
        return;
    int *last = &relax->last_linear[side.term[0].var];
    for (int r = *last; r >= 0; r = relax->linear_row[r].before) {
        const struct linear_row *row = &relax->linear_row[r];
        const struct mpcc_side other = mpcc_side(&relax->mpcc->pair[row->pair], row->is_G);
        if (same_side(&side, &other))
            return;
    }
    relax->linear_row[relax->n_linear_row] = (struct linear_row){ .pair = m, .is_G = is_G, .before = *last };
    *last = relax->n_linear_row++;
}

static void list_rows(struct relax *relax, enum relax_elastic elastic, const bool *keep)
{
    const struct mpcc *mpcc = relax->mpcc;
    const int n_pair = mpcc->n_pair;
    relax->pair_row = arena_alloc(&relax->mem, (size_t)n_pair * 2, sizeof *relax->pair_row);
    relax->linear_row = arena_alloc(&relax->mem, (size_t)n_pair * 2, sizeof *relax->linear_row);
    relax->row_of_pair = arena_alloc(&relax->mem, (size_t)n_pair, sizeof *relax->row_of_pair);
    relax->last_linear = arena_alloc(&relax->mem, (size_t)relax->n_w, sizeof *relax->last_linear);
    for (int i = 0; i < relax->n_w; i++)
        relax->last_linear[i] = -1;
    for (int m = 0; m < n_pair; m++) {
        add_linear_row(relax, m, true);
        add_linear_row(relax, m, false);
        relax->row_of_pair[m] = -1;
        if ((keep && !keep[m]) || mpcc_pair_holds(&mpcc->nlp, &mpcc->pair[m]))
            continue;
        relax->row_of_pair[m] = relax->n_g + relax->n_pair_row;
        int s = -1;
        if (elastic == ELASTIC_L1 || (elastic == ELASTIC_LINF && relax->n_elastic == 0))
            relax->n_elastic++;
        if (elastic != ELASTIC_NONE)
            s = relax->n_w + relax->n_elastic - 1;
        relax->pair_row[relax->n_pair_row++] = (struct pair_row){ .pair = m, .elastic = s };
        const bool sided = mpcc->pair[m].two_sided;
        if (sided || relax->kind == RELAX_LIN_FUKUSHIMA)
            relax->pair_row[relax->n_pair_row++] = (struct pair_row){ .pair = m, .is_second = true,
                                                                      .elastic = sided ? s : -1 };
    }
}

static void add_pattern(struct triplets *list, const struct sparse *pattern)
{
    for (int j = 0; j < pattern->n_cols; j++)
        for (int k = pattern->colptr[j]; k < pattern->colptr[j + 1]; k++)
            triplets_add(list, pattern->rowind[k], j);
}

/* The pattern of the relaxed NLP: rows of the MPCC, of pairs, of sides. Places of the
 * MPCC's own entries come first. */
static void build_jac(struct relax *relax)
{
    const struct sparse *inner = &relax->mpcc->nlp.jac;
    struct triplets list = { 0 };
    add_pattern(&list, inner);
    for (int r = 0; r < relax->n_pair_row; r++) {
        struct pair_row *row = &relax->pair_row[r];
        const struct mpcc_pair *pair = &relax->mpcc->pair[row->pair];
        row->jac_slot = list.n - inner->nnz;
        for (int k = 0; k < pair->n_G + pair->n_H; k++)
            triplets_add(&list, relax->n_g + r, pair_term(pair, k)->var);
        if (row->elastic >= 0)
            triplets_add(&list, relax->n_g + r, row->elastic);
    }
    for (int r = 0; r < relax->n_linear_row; r++) {
        struct linear_row *row = &relax->linear_row[r];
        const struct mpcc_side side = mpcc_side(&relax->mpcc->pair[row->pair], row->is_G);
        row->jac_slot = list.n - inner->nnz;
        for (int k = 0; k < side.n; k++)
            triplets_add(&list, relax->n_g + relax->n_pair_row + r, side.term[k].var);
    }
    relax->nlp.jac = triplets_finish(&list, &relax->mem, relax->nlp.n_g, relax->nlp.n_w);
    relax->slot_mpcc_jac = arena_copy(&relax->mem, list.slot, (size_t)list.n, sizeof(int));
    relax->slot_jac = relax->slot_mpcc_jac + inner->nnz;
    triplets_free(&list);
}

/* Entries of the pairs in the order of add_pair_hess: a triplet of the lower triangle, or -1 above it. */
static void list_hess(struct relax *relax, struct triplets *list, int *triplet)
{
    int n = 0;
    for (int r = 0; r < relax->n_pair_row; r++) {
        struct pair_row *row = &relax->pair_row[r];
        const struct mpcc_pair *pair = &relax->mpcc->pair[row->pair];
        row->hess_slot = n;
        for (int k = 0; k < pair->n_G + pair->n_H; k++)
            for (int l = 0; l < pair->n_G + pair->n_H; l++) {
                const int i = pair_term(pair, k)->var, j = pair_term(pair, l)->var;
                if (has_curvature(relax->kind, pair, k, l))
                    triplet[n++] = i >= j ? triplets_add(list, i, j) : -1;
            }
    }
}

static void build_hess(struct relax *relax)
{
    const struct sparse *inner = &relax->mpcc->nlp.hess;
    struct triplets list = { 0 };
    size_t n_entry = 0;
    for (int r = 0; r < relax->n_pair_row; r++) {
        const struct mpcc_pair *pair = &relax->mpcc->pair[relax->pair_row[r].pair];
        n_entry += ((size_t)pair->n_G + (size_t)pair->n_H) * ((size_t)pair->n_G + (size_t)pair->n_H);
    }
    add_pattern(&list, inner);
    relax->slot_hess = arena_alloc(&relax->mem, n_entry, sizeof(int));
    for (size_t k = 0; k < n_entry; k++)
        relax->slot_hess[k] = -1;
    list_hess(relax, &list, relax->slot_hess);
    relax->nlp.hess = triplets_finish(&list, &relax->mem, relax->nlp.n_w, relax->nlp.n_w);
    relax->slot_mpcc_hess = arena_copy(&relax->mem, list.slot, (size_t)inner->nnz, sizeof(int));
    for (size_t k = 0; k < n_entry; k++)
        relax->slot_hess[k] = relax->slot_hess[k] >= 0 ? list.slot[relax->slot_hess[k]] : -1;
    triplets_free(&list);
}

static void build_bounds(struct relax *relax)
{
    const struct nlp *inner = &relax->mpcc->nlp;
    const int n_w = relax->n_w, n_g = relax->n_g;
    relax->lbw = arena_alloc(&relax->mem, (size_t)relax->nlp.n_w, sizeof(double));
    relax->ubw = arena_alloc(&relax->mem, (size_t)relax->nlp.n_w, sizeof(double));
    relax->lbg = arena_alloc(&relax->mem, (size_t)relax->nlp.n_g, sizeof(double));
    relax->ubg = arena_alloc(&relax->mem, (size_t)relax->nlp.n_g, sizeof(double));
    memcpy(relax->lbw, inner->lbw, (size_t)n_w * sizeof(double));
    memcpy(relax->ubw, inner->ubw, (size_t)n_w * sizeof(double));
    for (int k = 0; k < relax->n_elastic; k++)
        relax->ubw[n_w + k] = ELASTIC_MAX;
    for (int i = 0; i < n_g; i++) {
        relax->lbg[i] = inner->lbg[i];
        relax->ubg[i] = inner->ubg[i];
    }
    for (int r = 0; r < relax->n_pair_row; r++)
        relax->lbg[n_g + r] = -INFINITY;
    for (int r = 0; r < relax->n_linear_row; r++)
        relax->ubg[n_g + relax->n_pair_row + r] = INFINITY;
}

/* Products are as large as both sides together where the relaxation is one of products. */
static void find_pair_sizes(struct relax *relax)
{
    const struct mpcc *mpcc = relax->mpcc;
    relax->pair_size = arena_alloc(&relax->mem, (size_t)mpcc->n_pair, sizeof(double));
    for (int m = 0; m < mpcc->n_pair; m++) {
        const bool is_product = relax->kind == RELAX_SCHOLTES || relax->kind == RELAX_LIN_FUKUSHIMA
                                || mpcc->pair[m].two_sided;
        relax->pair_size[m] = is_product ? mpcc_pair_size(mpcc, &mpcc->pair[m]) : 1;
    }
}

static void build_sizes(struct relax *relax)
{
    const struct nlp_sizes *inner = relax->mpcc->nlp.sizes;
    const int n_w = relax->n_w, n_g = relax->n_g;
    if (!inner)
        return;
    relax->sizes = (struct nlp_sizes){ arena_alloc(&relax->mem, (size_t)relax->nlp.n_w, sizeof(double)),
                                       arena_alloc(&relax->mem, (size_t)relax->nlp.n_g, sizeof(double)), inner->f };
    memcpy(relax->sizes.w, inner->w, (size_t)n_w * sizeof(double));
    memcpy(relax->sizes.g, inner->g, (size_t)n_g * sizeof(double));
    for (int k = 0; k < relax->n_elastic; k++)
        relax->sizes.w[n_w + k] = 1;
    for (int r = 0; r < relax->n_pair_row; r++)
        relax->sizes.g[n_g + r] = relax->pair_size[relax->pair_row[r].pair];
    for (int r = 0; r < relax->n_linear_row; r++) {
        const struct linear_row *row = &relax->linear_row[r];
        const struct mpcc_side side = mpcc_side(&relax->mpcc->pair[row->pair], row->is_G);
        relax->sizes.g[n_g + relax->n_pair_row + r] = mpcc_side_size(&relax->mpcc->nlp, &side);
    }
    relax->nlp.sizes = &relax->sizes;
}

struct relax *relax_create(const struct mpcc *mpcc, enum relax_kind kind, enum relax_elastic elastic,
                           const bool *keep)
{
    struct relax *relax = mem_alloc(1, sizeof *relax);
    relax->mpcc = mpcc;
    relax->kind = kind;
    relax->is_elastic = elastic != ELASTIC_NONE;
    relax->n_w = mpcc->nlp.n_w;
    relax->n_g = mpcc->nlp.n_g;
    find_pair_sizes(relax);
    list_rows(relax, elastic, keep);
    relax->nlp = (struct nlp){
        .n_w = relax->n_w + relax->n_elastic, .n_g = relax->n_g + relax->n_pair_row + relax->n_linear_row,
        .user = relax, .eval_f = relaxed_f, .eval_grad = relaxed_grad, .eval_g = relaxed_g,
        .eval_jac = relaxed_jac, .eval_hess = relaxed_hess
    };
    build_bounds(relax);
    relax->nlp.lbw = relax->lbw;
    relax->nlp.ubw = relax->ubw;
    relax->nlp.lbg = relax->lbg;
    relax->nlp.ubg = relax->ubg;
    build_jac(relax);
    build_hess(relax);
    build_sizes(relax);
    relax->val_jac = arena_alloc(&relax->mem, (size_t)mpcc->nlp.jac.nnz, sizeof(double));
    relax->val_hess = arena_alloc(&relax->mem, (size_t)mpcc->nlp.hess.nnz, sizeof(double));
    relax_set_sigma(relax, 1.0);
    return relax;
}

void relax_free(struct relax *relax)
{
    if (!relax)
        return;
    arena_free(&relax->mem);
    free(relax);
}

/* --- Numbers that change between NLPs ----------------------------------------------------------------------- */

const struct nlp *relax_nlp(const struct relax *relax)
{
    return &relax->nlp;
}

void relax_set_sigma(struct relax *relax, double sigma)
{
    relax->sigma = sigma;
}

void relax_start(const struct relax *relax, const double *w, double *w_relaxed)
{
    memcpy(w_relaxed, w, (size_t)relax->n_w * sizeof *w);
    for (int k = 0; k < relax->n_elastic; k++)
        w_relaxed[relax->n_w + k] = ELASTIC_START;
}

void relax_fix(struct relax *relax, int var, double value)
{
    relax->lbw[var] = relax->ubw[var] = value;
}

void relax_drop_cost(struct relax *relax)
{
    relax->has_no_cost = true;
}

void relax_free_fixed_rows(struct relax *relax)
{
    const struct sparse *jac = &relax->nlp.jac;
    bool *has_free = mem_alloc((size_t)relax->nlp.n_g, sizeof *has_free);
    for (int j = 0; j < jac->n_cols; j++)
        for (int k = jac->colptr[j]; k < jac->colptr[j + 1]; k++)
            has_free[jac->rowind[k]] |= relax->lbw[j] < relax->ubw[j];
    for (int i = 0; i < relax->nlp.n_g; i++)
        if (!has_free[i]) {
            relax->lbg[i] = -INFINITY;
            relax->ubg[i] = INFINITY;
        }
    free(has_free);
}

int relax_pair_row(const struct relax *relax, int m)
{
    return relax->row_of_pair[m];
}
