/* Step equilibration (fesd.md 5, fesd_j.md 9): what settles element lengths where nothing switches. */
#include "transcription/discretize/parts.h"

#include "core/base/mem.h"
#include "transcription/discretize/recipe.h"

#include <stdlib.h>

/* rho (h - h0)^2, h0 moving with a free horizon. */
static void add_mean(struct transcription *tr, int j)
{
    const double rho = discretization_rho_h(tr->settings), h0 = tr->h0[j];
    const struct tr_length length = tr_length(tr, tr->interval_of[j]);
    program_bilinear(tr->prog, PROGRAM_PENALTY, tr->h[j], tr->h[j], rho);
    if (length.var == PROGRAM_ONE) {
        program_linear(tr->prog, PROGRAM_PENALTY, tr->h[j], -2 * rho * h0);
        return;
    }
    const double part = length.coef / tr->elements[tr->interval_of[j]];
    program_bilinear(tr->prog, PROGRAM_PENALTY, tr->h[j], length.var, -2 * rho * part);
    program_bilinear(tr->prog, PROGRAM_PENALTY, length.var, length.var, rho * part * part);
}

/* rho (h_j - h_(j-1))^2. */
static void add_diff(struct transcription *tr, int j)
{
    const double rho = discretization_rho_h(tr->settings);
    program_bilinear(tr->prog, PROGRAM_PENALTY, tr->h[j], tr->h[j], rho);
    program_bilinear(tr->prog, PROGRAM_PENALTY, tr->h[j - 1], tr->h[j - 1], rho);
    program_bilinear(tr->prog, PROGRAM_PENALTY, tr->h[j], tr->h[j - 1], -2 * rho);
}

/* The indicator of a junction as a point function of the sums before (b) and after (f) it, and of dh:
 *   eta = prod over pairs (lam_b lam_f + sel_b sel_f), positive iff nothing switches there.
 * With FESD-J the gap may be open on both sides and zero in between, at an elastic impact: there the first product
 * has the gap at the junction as a third factor (fesd_j.md 9). */
struct indicator { struct program_block *block; int n_pair, n_slot; };     /* n_slot: of a pair */

/* eta dh, eta dh^2, or tanh(eta / width) dh^2, as the settings say. */
static struct indicator create_indicator(struct transcription *tr)
{
    struct expr_graph *g = tr->dcs->g;
    const int n = tr->dcs->n_pair, n_slot = tr->junctions ? 5 : 4, n_in = n_slot * n + 1;
    expr *in = mem_alloc((size_t)n_in, sizeof *in);
    for (int k = 0; k < n_in; k++)
        in[k] = expr_sym(g, "sum");
    const expr dh = in[n_slot * n];
    expr eta = expr_const(g, 1);
    for (int l = 0; l < n; l++) {
        const expr *sum = &in[n_slot * l];      /* lam before, lam after, sel before, sel after, lam there */
        expr lam = expr_mul(g, sum[0], sum[1]);
        if (tr->junctions)
            lam = expr_mul(g, lam, sum[4]);
        eta = expr_mul(g, eta, expr_add(g, lam, expr_mul(g, sum[2], sum[3])));
    }
    expr out;
    switch ((enum equilibration)tr->settings->equilibration) {
    case EQUILIBRATE_DIRECT:
        out = expr_mul(g, eta, dh);
        break;
    case EQUILIBRATE_L2_RELAXED_SCALED:
        eta = expr_unary(g, EXPR_TANH, expr_scale(g, 1 / EQUILIBRATION_WIDTH, eta));
        out = expr_mul(g, eta, expr_square(g, dh));
        break;
    default:
        out = expr_mul(g, eta, expr_square(g, dh));
        break;
    }
    struct indicator indicator = { program_block(tr->prog, pointfun_create(g, n_in, in, 1, &out)), n, n_slot };
    free(in);
    return indicator;
}

/* The sum of lam over the points of element j is the slot. */
static void add_sums(struct transcription *tr, struct program_block *block, int slot, const struct dcs_pair *pair,
                     int j, bool with_left)
{
    for (int k = with_left ? 0 : 1; k <= tr->n_point; k++)
        block_slot_add(block, slot, tr_lam(tr, j, k, pair->lam), 1);
}

/* The sum of offset + coef sel over the stages of element j is the slot. */
static void add_sel_sum(struct transcription *tr, struct program_block *block, int slot, const struct dcs_pair *pair,
                        int j)
{
    block_slot_const(block, slot, tr->rk->s * pair->offset);
    for (int k = 1; k <= tr->rk->s; k++)
        block_slot_add(block, slot, tr_sel(tr, j, k) + pair->sel, pair->coef);
}

/* Junction between elements j - 1 and j. */
static void add_junction(struct transcription *tr, const struct indicator *indicator, int j)
{
    struct program_block *block = indicator->block;
    block_point(block);
    for (int l = 0; l < indicator->n_pair; l++) {
        const struct dcs_pair *pair = &tr->dcs->pair[l];
        const int slot = indicator->n_slot * l;
        add_sums(tr, block, slot, pair, j - 1, false);
        add_sums(tr, block, slot + 1, pair, j, true);
        add_sel_sum(tr, block, slot + 2, pair, j - 1);
        add_sel_sum(tr, block, slot + 3, pair, j);
        if (tr->junctions)
            block_slot(block, slot + 4, tr_lam(tr, j, 0, pair->lam));
    }
    const int dh = indicator->n_slot * indicator->n_pair;
    block_slot_add(block, dh, tr->h[j], 1);
    block_slot_add(block, dh, tr->h[j - 1], -1);
    if (tr->settings->equilibration == EQUILIBRATE_DIRECT) {
        const struct mpcc_label label = tr_label(tr, "step equilibration", "discretization.equilibration",
                                                 (struct srcpos){ NULL, 0, 0 }, -1, j, -1);
        block_out(block, 0, program_row(tr->prog, 0, 0, label), 1, PROGRAM_ONE, PROGRAM_ONE);
    } else {
        block_out(block, 0, PROGRAM_PENALTY, discretization_rho_h(tr->settings), PROGRAM_ONE, PROGRAM_ONE);
    }
}

void tr_add_equilibration(struct transcription *tr)
{
    const enum equilibration how = (enum equilibration)tr->settings->equilibration;
    if (!tr->switching || how == EQUILIBRATE_NONE)
        return;
    const bool indicated = how == EQUILIBRATE_L2_RELAXED || how == EQUILIBRATE_L2_RELAXED_SCALED
                           || how == EQUILIBRATE_DIRECT;
    const struct indicator indicator = indicated ? create_indicator(tr) : (struct indicator){ .block = NULL };
    for (int j = 0; j < tr->n_element; j++) {
        const bool junction = j > tr->first[tr->interval_of[j]];
        if (how == EQUILIBRATE_HEURISTIC_MEAN)
            add_mean(tr, j);
        else if (how == EQUILIBRATE_HEURISTIC_DIFF && junction)
            add_diff(tr, j);
        else if (indicated && junction)
            add_junction(tr, &indicator, j);
    }
}
