/* FESD-J: impacts at the left boundaries of elements (fesd_j.md 2, 3, 7; derivatives.md 5).
 *
 * At a junction positions go on and velocities may jump. Of its own it has the velocities after the jump and what
 * follows them (slip), an impulse for each force, and the parts P, N of the restitution law. With e the
 * coefficient of restitution, v- the velocities at the end of the element before, and L = J_n'(v+ + e v-):
 *
 *   M(q) (v+ - v-) = J_n Lambda_n + J_t Lambda_t                               fesd_j.md (2)
 *   L = P - N                                                                  fesd_j.md (4)
 *   split     0 <= Lambda_n _|_ gap + P + N >= 0,  0 <= P _|_ N >= 0           fesd_j.md (4)
 *   product   0 <= Lambda_n _|_ gap >= 0,  Lambda_n L = 0                      fesd_j.md (5); N is 0 and P is L
 *   friction of impulses as that of forces, with the slip after the impact     fesd_j.md (6), (7)
 *   gap + eps_c h J_n'v+ >= -GUARD_TOLERANCE                                   fesd_j.md (8), linearized
 *
 * The guard excludes the solution without an impact, which falls through; its tolerance lets persistent contacts
 * of curved gaps drift without corrective impulses (fesd_j.md 11). Pairs of impulses are relaxed by h0 sigma: an
 * impulse is a force times a time.
 */
#include "transcription/discretize/parts.h"

#include "core/base/mem.h"
#include "transcription/discretize/recipe.h"

#include <math.h>
#include <stdlib.h>

/* --- Variables ----------------------------------------------------------------------------------------------- */

static int *place_jumping(struct transcription *tr, const struct dcs_var *var, int n, int *next)
{
    int *place = arena_alloc(&tr->mem, (size_t)n, sizeof *place);
    for (int i = 0; i < n; i++)
        place[i] = var[i].jumps ? (*next)++ : -1;
    return place;
}

void tr_lay_out_junctions(struct transcription *tr)
{
    const struct dcs *dcs = tr->dcs;
    struct junctions *junctions = arena_alloc(&tr->mem, 1, sizeof *junctions);
    int next = 0;
    junctions->y_place = place_jumping(tr, dcs->y, dcs->n_y, &next);
    junctions->lam_place = place_jumping(tr, dcs->lam, dcs->n_lam, &next);
    junctions->impulse = next;
    junctions->part = next + dcs->n_sel;
    junctions->n = tr->n_element + (tr->settings->terminal_junction && tr->task.optimize);
    junctions->first = arena_alloc(&tr->mem, (size_t)junctions->n, sizeof(int));
    junctions->row = arena_alloc(&tr->mem, (size_t)junctions->n, sizeof(int));
    tr->junctions = junctions;
}

static void add_var(struct transcription *tr, const struct dcs_var *var, const char *name, double guess, bool free,
                    int j)
{
    program_var(tr->prog, free ? -INFINITY : var->lb, free ? INFINITY : var->ub, guess,
                tr_label(tr, name, var->path, var->pos, -1, j, 0));
}

/* A part of the restitution law. With the product form the first one is L itself, the second is not used. */
static void add_part(struct transcription *tr, int c, int side, int j)
{
    const struct model_contact *contact = &tr->model->contacts.contact[c];
    const struct dcs_var part = { dcs_name(tr->dcs, contact->name,
                                           side ? " restitution, closing" : " restitution, opening"),
                                  contact->path,
                                  contact->pos,
                                  EXPR_NONE,
                                  tr_splits_restitution(tr) || side ? 0 : -INFINITY,
                                  !tr_splits_restitution(tr) && side ? 0 : INFINITY,
                                  0,
                                  false };
    add_var(tr, &part, part.name, 0, false, j);
}

/* A contact that is not there is not hit, and its velocity is free. */
static void switch_off(struct transcription *tr, int c, int j)
{
    int first, end;
    dcs_sel_of(tr->dcs, c, &first, &end);
    for (int i = first; i < end; i++) {
        program_set_bounds(tr->prog, tr_impulse(tr, j) + i, 0, 0);
        program_set_guess(tr->prog, tr_impulse(tr, j) + i, 0);
    }
    program_set_bounds(tr->prog, tr_part(tr, j, c, 0), -INFINITY, INFINITY);
    program_set_bounds(tr->prog, tr_part(tr, j, c, 1), 0, 0);
}

void tr_add_junction_variables(struct transcription *tr, int j)
{
    const struct dcs *dcs = tr->dcs;
    tr->junctions->first[j] = program_n_var(tr->prog);
    for (int i = 0; i < dcs->n_y; i++)
        if (dcs->y[i].jumps)
            add_var(tr, &dcs->y[i], dcs->y[i].name, program_guess(tr->prog)[tr->y0 + i], !tr->task.optimize, j);
    for (int i = 0; i < dcs->n_lam; i++)
        if (dcs->lam[i].jumps)
            add_var(tr, &dcs->lam[i], dcs->lam[i].name, dcs->lam[i].guess, false, j);
    for (int i = 0; i < dcs->n_sel; i++)
        add_var(tr, &dcs->sel[i], dcs_name(tr->dcs, dcs->sel[i].name, ", impulse"), 0, false, j);
    for (int c = 0; c < tr->model->contacts.n_contact; c++)
        for (int side = 0; side < 2; side++)
            add_part(tr, c, side, j);
    for (int c = 0; c < tr->model->contacts.n_contact; c++)
        if (!tr_has_contact(tr, c, j))
            switch_off(tr, c, j);
}

/* --- Rows ---------------------------------------------------------------------------------------------------- */

/* The function of a junction: after the jump in the usual slots, impulses in those of
 * sel, before it in extra ones. */
struct junction_kind {
    struct point_block points;
    int restitution, v_n, friction, slip;   /* first output of each family; the balance of impulses comes before them */
    int n_out;
};

/* M(q) (v+ - v-) - sum_c J_n Lambda_n + J_t Lambda_t, component i. */
static expr balance(const struct transcription *tr, const expr *before, int i)
{
    const struct dcs *dcs = tr->dcs;
    const struct model *model = tr->model;
    struct expr_graph *g = dcs->g;
    expr sum = expr_const(g, 0);
    for (int j = 0; j < model->mechanics.n_q; j++) {
        const int v = model->mechanics.v_index[j];
        const expr jump = expr_sub(g, dcs->y[v].sym, before[j]);
        sum = expr_add(g, sum, expr_mul(g, dcs->E[model->mechanics.v_index[i] * dcs->n_y + v], jump));
    }
    for (int c = 0; c < model->contacts.n_contact; c++) {
        const struct model_contact *contact = &model->contacts.contact[c];
        sum = expr_sub(g, sum, expr_mul(g, contact->J_n[i], dcs->contact[c].aux_n));
        for (int k = 0; k < contact->n_t; k++)
            sum = expr_sub(g, sum,
                           expr_mul(g, contact->J_t[i + k * model->mechanics.n_q], dcs->contact[c].aux_t[k]));
    }
    return sum;
}

/* J_n'(v+ + e v-) + (1 + e) drift */
static expr restitution(const struct transcription *tr, const expr *before, int c)
{
    const struct model_contact *contact = &tr->model->contacts.contact[c];
    struct expr_graph *g = tr->dcs->g;
    expr sum = expr_mul(g, expr_add(g, expr_const(g, 1), contact->restitution), contact->drift[0]);
    for (int i = 0; i < tr->model->mechanics.n_q; i++) {
        const expr after = tr->dcs->y[tr->model->mechanics.v_index[i]].sym;
        const expr both = expr_add(g, after, expr_mul(g, contact->restitution, before[i]));
        sum = expr_add(g, sum, expr_mul(g, contact->J_n[i], both));
    }
    return sum;
}

/* Outputs: fesd_j.md (2), J_n'(v+ + e v-) of fesd_j.md (4), v_n of fesd_j.md (8), friction of impulses fesd_j.md
 * (6), (7), what defines the slip. */
static struct junction_kind create_kind(struct transcription *tr)
{
    const struct dcs *dcs = tr->dcs;
    const struct model *model = tr->model;
    expr *before = arena_alloc(&tr->mem, (size_t)model->mechanics.n_q, sizeof *before);
    for (int i = 0; i < model->mechanics.n_q; i++)
        before[i] = expr_sym(dcs->g, "velocity before");
    struct junction_kind kind = { .restitution = model->mechanics.n_q };
    kind.v_n = kind.restitution + model->contacts.n_contact;
    kind.friction = kind.v_n + model->contacts.n_contact;
    kind.slip = kind.friction + dcs->n_stage;
    kind.n_out = kind.slip + dcs->n_cont;
    expr *out = mem_alloc((size_t)kind.n_out, sizeof *out);
    for (int i = 0; i < model->mechanics.n_q; i++)
        out[i] = balance(tr, before, i);
    for (int c = 0; c < model->contacts.n_contact; c++) {
        out[kind.restitution + c] = restitution(tr, before, c);
        out[kind.v_n + c] = model->contacts.contact[c].v_n;
    }
    for (int i = 0; i < dcs->n_stage; i++)
        out[kind.friction + i] = dcs->stage[i].e;
    for (int i = 0; i < dcs->n_cont; i++)
        out[kind.slip + i] = dcs->cont[i].jumps ? dcs->cont[i].e : expr_const(dcs->g, 0);
    kind.points = tr_point_block(tr, model->mechanics.n_q, before, kind.n_out, out);
    free(out);
    return kind;
}

static void fill(struct transcription *tr, const struct junction_kind *kind, int j)
{
    const struct model *model = tr->model;
    tr_fill(tr, &kind->points, j, 0, tr->interval_of[j]);
    for (int i = 0; i < tr->dcs->n_sel; i++)
        block_slot(kind->points.block, kind->points.slots.sel + i, tr_impulse(tr, j) + i);
    for (int i = 0; i < model->mechanics.n_q; i++)
        block_slot(kind->points.block, kind->points.slots.extra + i,
                   tr_y_before(tr, j, model->mechanics.v_index[i]));
}

static struct mpcc_label label_of(struct transcription *tr, int c, const char *suffix, int j)
{
    const struct model_contact *contact = &tr->model->contacts.contact[c];
    return tr_label(tr, dcs_name(tr->dcs, contact->name, suffix), contact->path, contact->pos, -1, j, 0);
}

/* gap + eps_c h v_n >= -tolerance at (j, 0), where the newest point of the block is; h that of element e_h. */
static void add_guard(struct transcription *tr, struct program_block *block, int out, int c, int j, int e_h)
{
    const int row =
        program_row(tr->prog, -GUARD_TOLERANCE, INFINITY, label_of(tr, c, " guard against falling through", j));
    program_linear(tr->prog, row, tr_lam(tr, j, 0, tr->dcs->contact[c].gap), 1);
    block_out(block, out, row, tr->settings->eps_c, tr->h[e_h], PROGRAM_ONE);
}

static void add_rows(struct transcription *tr, const struct junction_kind *kind, int j)
{
    const struct model *model = tr->model;
    const struct dcs *dcs = tr->dcs;
    fill(tr, kind, j);
    tr->junctions->row[j] = program_n_row(tr->prog);
    for (int i = 0; i < model->mechanics.n_q; i++) {
        const struct dcs_row *F = &dcs->F[model->mechanics.v_index[i]];
        const char *name = dcs_name(tr->dcs, model->x[model->mechanics.v_index[i]].name, ": balance of impulses");
        tr_add_row(tr, &kind->points, i, 0, 0, tr_label(tr, name, F->path, F->pos, -1, j, 0));
    }
    for (int c = 0; c < model->contacts.n_contact; c++) {
        const int row =
            tr_add_row(tr, &kind->points, kind->restitution + c, 0, 0, label_of(tr, c, " restitution law", j));
        program_linear(tr->prog, row, tr_part(tr, j, c, 0), -1);
        program_linear(tr->prog, row, tr_part(tr, j, c, 1), 1);
    }
    tr->junctions->n_row = program_n_row(tr->prog) - tr->junctions->row[j];
    for (int i = 0; i < dcs->n_stage; i++)
        tr_add_row(tr, &kind->points, kind->friction + i, 0, 0,
                   tr_label(tr, dcs_name(tr->dcs, dcs->stage[i].name, ", impulse"), dcs->stage[i].path,
                            dcs->stage[i].pos, -1, j, 0));
    for (int i = 0; i < dcs->n_cont; i++)
        if (dcs->cont[i].jumps)
            tr_add_row(tr, &kind->points, kind->slip + i, 0, dcs->cont[i].at_least ? INFINITY : 0,
                    tr_label(tr, dcs->cont[i].name, dcs->cont[i].path, dcs->cont[i].pos, -1, j, 0));
    for (int c = 0; c < model->contacts.n_contact; c++)
        if (tr_has_contact(tr, c, j))
            add_guard(tr, kind->points.block, kind->v_n + c, c, j, j < tr->n_element ? j : tr->n_element - 1);
}

/* Without a junction at the end nothing may hit there: what the optimizer would gain by an impact that comes too
 * late to be an event is no gain (fesd_j.md 7). */
static void add_final_guards(struct transcription *tr)
{
    const struct model *model = tr->model;
    expr *v_n = mem_alloc((size_t)model->contacts.n_contact, sizeof *v_n);
    for (int c = 0; c < model->contacts.n_contact; c++)
        v_n[c] = model->contacts.contact[c].v_n;
    const struct point_block at = tr_point_block(tr, 0, NULL, model->contacts.n_contact, v_n);
    free(v_n);
    tr_fill(tr, &at, tr->n_element, 0, tr->n_interval - 1);
    for (int c = 0; c < model->contacts.n_contact; c++)
        if (tr_has_contact(tr, c, tr->n_element))
            add_guard(tr, at.block, c, c, tr->n_element, tr->n_element - 1);
}

/* Gaps at a start that is not known beforehand. */
static void add_initial_gaps(struct transcription *tr)
{
    const struct dcs *dcs = tr->dcs;
    const struct point_block at = tr_cont_block(tr);
    tr_fill(tr, &at, -1, tr_right(tr), 0);
    for (int i = 0; i < dcs->n_cont; i++) {
        const struct dcs_row *cont = &dcs->cont[i];
        if (!cont->jumps)
            tr_add_row(tr, &at, i, 0, 0, tr_label(tr, cont->name, cont->path, cont->pos, -1, 0, 0));
    }
}

/* --- Pairs --------------------------------------------------------------------------------------------------- */

static void add_pair(struct transcription *tr, const struct mpcc_pair *like, int n_G, const int *G, int H,
                     double scale)
{
    struct mpcc_term terms[3], other = { H, 1 };
    struct mpcc_pair pair = *like;
    for (int k = 0; k < n_G; k++)
        terms[k] = (struct mpcc_term){ G[k], 1 };
    pair.n_G = n_G;
    pair.n_H = 1;
    pair.G = terms;
    pair.H = &other;
    pair.scale = scale;
    pair.group = program_new_group(tr->prog);
    program_pair(tr->prog, &pair);
}

/* fesd_j.md (4) or fesd_j.md (5) for contact c; pairs of impulses are relaxed by h0 sigma. */
static void add_impact_pairs(struct transcription *tr, int c, int j, double h0)
{
    const struct dcs_contact *contact = &tr->dcs->contact[c];
    const int force = tr_impulse(tr, j) + contact->force, gap = tr_lam(tr, j, 0, contact->gap);
    const int part[2] = { tr_part(tr, j, c, 0), tr_part(tr, j, c, 1) }, side[3] = { gap, part[0], part[1] };
    const struct mpcc_pair like = { .label = label_of(tr, c, " impact", j) };
    if (tr_splits_restitution(tr)) {
        add_pair(tr, &like, 3, side, force, h0);
        add_pair(tr, &like, 1, &part[0], part[1], h0);
        return;
    }
    struct mpcc_pair product = like;
    product.two_sided = true;
    add_pair(tr, &like, 1, side, force, h0);
    add_pair(tr, &product, 1, &force, part[0], h0);
}

/* fesd_j.md (6) or fesd_j.md (7): the pairs of the contact after that of its gap, with
 * impulses in place of forces. */
static void add_friction_pairs(struct transcription *tr, int c, int j, double h0)
{
    const struct dcs *dcs = tr->dcs;
    for (int k = dcs->contact[c].first_pair + 1; k < dcs->contact[c].end_pair; k++) {
        const struct dcs_pair *pair = &dcs->pair[k];
        const struct mpcc_pair like = { .label = label_of(tr, c, " friction impulse", j) };
        const int lam = tr_lam(tr, j, 0, pair->lam);
        add_pair(tr, &like, 1, &lam, pair->sel_is_lam ? tr_lam(tr, j, 0, pair->sel) : tr_impulse(tr, j) + pair->sel,
                 h0);
    }
}

void tr_add_junctions(struct transcription *tr)
{
    const struct junction_kind kind = create_kind(tr);
    if (tr->start_is_free)
        add_initial_gaps(tr);
    for (int j = 0; j < tr->junctions->n; j++) {
        const double h0 = tr->h0[j < tr->n_element ? j : tr->n_element - 1];
        add_rows(tr, &kind, j);
        for (int c = 0; c < tr->model->contacts.n_contact; c++) {
            if (!tr_has_contact(tr, c, j))
                continue;
            add_impact_pairs(tr, c, j, h0);
            add_friction_pairs(tr, c, j, h0);
        }
    }
    if (tr->junctions->n == tr->n_element && tr->task.optimize)
        add_final_guards(tr);
}
