/* The indicator of step equilibration: eta is positive at a junction between two elements if and only if nothing
 * switches there (fesd.md 5, fesd_j.md 9).
 *
 * Of a pair (lam, sel) let L_B, T_B be the sums over the element before the junction, L_F, T_F those over the one
 * after it, and L the value of lam at the junction:
 *
 *   without contacts   eta = prod over pairs (L_B L_F + T_B T_F)                                 fesd.md (5)
 *   with FESD-J        eta = prod over contacts nu,   nu = kappa zeta                            fesd_j.md (9)
 *     kappa            gap gap_B gap_F + lambda_B lambda_F, with the gap at the junction: an elastic impact is open on
 *                      both sides, and not there                                                 FESD-J (28)
 *     zeta             gap_B + gap_F + friction; 1 without friction
 *     friction         scalar       prod over both sides (x_B x_F + c_B c_F)
 *                      polyhedral   bet_B bet_F + gam_B gam_F prod over directions (del_B del_F + lambda_B
 *                                   lambda_F)
 *                      cone         bet_B bet_F + |v_t|^2 sp_B sp_F, with the slip at the junction
 *                      conic-paper  bet_B bet_F + prod over components (xi+_B xi+_F + xi-_B xi-_F)
 */
#include "transcription/discretize/parts.h"

#include "core/base/mem.h"
#include "transcription/discretize/recipe.h"

#include <stdlib.h>

/* Slots of a pair; behind those of all pairs stand those of contacts, and dh is the last. */
enum { L_B, L_F, T_B, T_F, OF_PAIR };
enum { GAP_THERE, SLIP_THERE, OF_CONTACT = SLIP_THERE + SLIP_MAX };

static int slot_of_contact(const struct transcription *tr, int c)
{
    return OF_PAIR * tr->dcs->n_pair + OF_CONTACT * c;
}

static int slot_of_dh(const struct transcription *tr)
{
    return slot_of_contact(tr, tr->junctions ? tr->model->contacts.n_contact : 0);
}

/* --- The function -------------------------------------------------------------------------------------------- */

static expr before_and_after_lam(struct expr_graph *g, const expr *pair)
{
    return expr_mul(g, pair[L_B], pair[L_F]);
}
static expr before_and_after_sel(struct expr_graph *g, const expr *pair)
{
    return expr_mul(g, pair[T_B], pair[T_F]);
}

/* Is the same side of the pair the positive one before and after? */
static expr pair_stays(struct expr_graph *g, const expr *pair)
{
    return expr_add(g, before_and_after_lam(g, pair), before_and_after_sel(g, pair));
}

/* The product of that over pairs first..end-1. */
static expr pairs_stay(struct expr_graph *g, const expr *in, int first, int end)
{
    expr all = expr_const(g, 1);
    for (int l = first; l < end; l++)
        all = expr_mul(g, all, pair_stays(g, &in[OF_PAIR * l]));
    return all;
}

/* Positive if the contact, being closed, sticks or slips on; the pair of its gap is the first of its pairs. */
static expr friction_stays(const struct transcription *tr, const expr *in, int c)
{
    struct expr_graph *g = tr->dcs->g;
    const struct dcs_contact *contact = &tr->dcs->contact[c];
    const int first = contact->first_pair + 1, last = contact->end_pair - 1;
    const expr *slip = &in[slot_of_contact(tr, c) + SLIP_THERE];
    const expr *own = &in[OF_PAIR * (contact->friction == DCS_POLYHEDRAL ? last : first)];     /* that of bet */
    const expr sticks = before_and_after_sel(g, own);
    expr slips = before_and_after_lam(g, own), squares = expr_const(g, 0);
    switch (contact->friction) {
    case DCS_FRICTIONLESS:
        break;
    case DCS_SCALAR:
        return pairs_stay(g, in, first, last + 1);
    case DCS_POLYHEDRAL:
        return expr_add(g, sticks, expr_mul(g, slips, pairs_stay(g, in, first, last)));
    case DCS_CONE:
        for (int k = 0; k < SLIP_MAX; k++)
            squares = expr_add(g, squares, expr_square(g, slip[k]));
        return expr_add(g, sticks, expr_mul(g, squares, slips));
    case DCS_CONIC_PAPER:
        return expr_add(g, sticks, pairs_stay(g, in, first + 1, last + 1));
    }
    return expr_const(g, 1);
}

/* The sums of the gap before and after: no friction acts where it is open. */
static expr openness(const struct transcription *tr, const expr *in, int c)
{
    const expr *gap = &in[OF_PAIR * tr->dcs->contact[c].first_pair];
    return expr_add(tr->dcs->g, gap[L_B], gap[L_F]);
}

/* nu of contact c. A seat is always closed; friction acts in it while the contact does that presses on it. */
static expr contact_stays(const struct transcription *tr, const expr *in, int c)
{
    struct expr_graph *g = tr->dcs->g;
    const struct model *model = tr->model;
    const struct dcs_contact *contact = &tr->dcs->contact[c];
    const bool seat = c >= model->contacts.n_contact - model->contacts.n_load;
    const int opens = seat ? model->contacts.contact[c].load_of : c;
    const expr *gap = &in[OF_PAIR * contact->first_pair];
    const expr open = expr_mul(g, in[slot_of_contact(tr, c) + GAP_THERE], before_and_after_lam(g, gap));
    const expr kappa = seat ? expr_const(g, 1) : expr_add(g, open, before_and_after_sel(g, gap));
    if (contact->friction == DCS_FRICTIONLESS)
        return kappa;
    const expr friction = friction_stays(tr, in, c);
    return expr_mul(g, kappa, opens < 0 ? friction : expr_add(g, openness(tr, in, opens), friction));
}

static expr nothing_switches(const struct transcription *tr, const expr *in)
{
    struct expr_graph *g = tr->dcs->g;
    if (!tr->junctions)
        return pairs_stay(g, in, 0, tr->dcs->n_pair);
    expr eta = expr_const(g, 1);
    for (int c = 0; c < tr->model->contacts.n_contact; c++)
        eta = expr_mul(g, eta, contact_stays(tr, in, c));
    return eta;
}

/* eta dh^2, tanh(eta / width) dh^2 or eta dh, as the settings say. For pairs (equilibration.c) eta/sqrt(1 +
 * eta^2) and eta: as a product of forces and gaps it may be 1e5, and a relaxed |eta dh| <= h0 sigma then holds
 * lengths long before a homotopy knows what switches. */
struct program_block *tr_indicator(struct transcription *tr)
{
    struct expr_graph *g = tr->dcs->g;
    const enum equilibration how = (enum equilibration)tr->settings->equilibration;
    const int n_in = slot_of_dh(tr) + 1;
    expr *in = mem_alloc((size_t)n_in, sizeof *in);
    for (int k = 0; k < n_in; k++)
        in[k] = expr_sym(g, "sum");
    const expr dh = in[n_in - 1], eta = nothing_switches(tr, in);
    expr out[2] = { eta, eta };
    if (tr->dh)
        out[0] = expr_div(g, eta, expr_sqrt(g, expr_add(g, expr_square(g, eta), expr_const(g, 1))));
    else if (how == EQUILIBRATE_L2_RELAXED_SCALED)
        out[0] =
            expr_mul(g, expr_unary(g, EXPR_TANH, expr_scale(g, 1 / EQUILIBRATION_WIDTH, eta)), expr_square(g, dh));
    else
        out[0] = expr_mul(g, eta, how == EQUILIBRATE_DIRECT ? dh : expr_square(g, dh));
    struct program_block *block = program_block(tr->prog, pointfun_create(g, n_in, in, tr->dh ? 2 : 1, out));
    free(in);
    return block;
}

/* --- Its points ---------------------------------------------------------------------------------------------- */

/* The sum of lam over the points of element j is the slot. */
static void add_lam_sum(struct transcription *tr, struct program_block *block, int slot, int lam, int j,
                        bool with_left)
{
    for (int k = with_left ? 0 : 1; k <= tr->n_point; k++)
        block_slot_add(block, slot, tr_lam(tr, j, k, lam), 1);
}

/* The sum of offset + coef sel over the stages of element j is the slot. */
static void add_sel_sum(struct transcription *tr, struct program_block *block, int slot,
                        const struct dcs_pair *pair, int j)
{
    block_slot_const(block, slot, tr->rk->s * pair->offset);
    for (int k = 1; k <= tr->rk->s; k++)
        block_slot_add(block, slot, tr_sel(tr, j, k) + pair->sel, pair->coef);
}

static void fill_pair(struct transcription *tr, struct program_block *block, int l, int j)
{
    const struct dcs_pair *pair = &tr->dcs->pair[l];
    const int slot = OF_PAIR * l;
    for (int after = 0; after < 2; after++) {
        const int at = j - 1 + after;
        add_lam_sum(tr, block, slot + L_B + after, pair->lam, at, after);
        if (pair->sel_is_lam)
            add_lam_sum(tr, block, slot + T_B + after, pair->sel, at, after);
        else
            add_sel_sum(tr, block, slot + T_B + after, pair, at);
    }
}

/* A contact that is not there counts as one with kappa = zeta = 1, that is open before the junction. */
static void fill_missing(struct transcription *tr, struct program_block *block, int c)
{
    const int slot = OF_PAIR * tr->dcs->contact[c].first_pair;
    block_slot_const(block, slot + L_B, 1);
    block_slot_const(block, slot + T_B, 1);
    block_slot_const(block, slot + T_F, 1);
}

static void fill_contact(struct transcription *tr, struct program_block *block, int c, int j)
{
    const struct dcs_contact *contact = &tr->dcs->contact[c];
    const int slot = slot_of_contact(tr, c);
    if (!tr_has_contact(tr, c, j)) {
        fill_missing(tr, block, c);
        return;
    }
    for (int l = contact->first_pair; l < contact->end_pair; l++)
        fill_pair(tr, block, l, j);
    block_slot(block, slot + GAP_THERE, tr_lam(tr, j, 0, contact->gap));
    for (int k = 0; k < SLIP_MAX; k++)
        if (contact->slip[k] >= 0)
            block_slot(block, slot + SLIP_THERE + k, tr_lam(tr, j, 0, contact->slip[k]));
}

void tr_fill_indicator(struct transcription *tr, struct program_block *indicator, int j)
{
    block_point(indicator);
    for (int c = 0; c < tr->model->contacts.n_contact && tr->junctions; c++)
        fill_contact(tr, indicator, c, j);
    for (int l = 0; l < tr->dcs->n_pair && !tr->junctions; l++)
        fill_pair(tr, indicator, l, j);
    block_slot_add(indicator, slot_of_dh(tr), tr->h[j], 1);
    block_slot_add(indicator, slot_of_dh(tr), tr->h[j - 1], -1);
}
