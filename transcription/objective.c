/* Cost and constraints of the user on the grid (math.md F, C.8, H.8). */
#include "transcription/transcription.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* --- Cost ---------------------------------------------------------------------------------------------------- */

/* Running costs of controls and parameters alone are constant in an interval of known physical length. */
static bool is_constant_in_interval(const struct transcription *tr, expr e)
{
    const struct model *model = tr->model;
    return tr->settings->control_grid == CONTROL_GRID_EQUIDISTANT
           && !expr_depends(model->graph, e, model->n_x, model->x_sym)
           && !expr_depends(model->graph, e, 1, &model->t_sym);
}

static void add_interval_cost(struct transcription *tr, expr L)
{
    if (expr_is_zero(tr->dcs->g, L))
        return;
    const struct tr_slots slots = tr_slots(tr, 0, NULL);
    struct program_block *block = program_block(tr->prog, pointfun_create(tr->dcs->g, slots.n, slots.sym, 1, &L));
    const double part = 1.0 / tr->n_interval;
    for (int i = 0; i < tr->n_interval; i++) {
        tr_fill(tr, block, &slots, tr->first[i], 1, i);
        block_out(block, 0, PROGRAM_COST, tr->T >= 0 ? part : part * tr->task.grid.horizon, tr->T, PROGRAM_ONE);
    }
}

/* sum h s b_i rate L: not charged while time stands still (C.8). */
static void add_stage_cost(struct transcription *tr, expr L)
{
    if (expr_is_zero(tr->dcs->g, L))
        return;
    const struct tr_slots slots = tr_slots(tr, 0, NULL);
    const expr weighted = expr_mul(tr->dcs->g, tr->dcs->rate, L);
    struct program_block *block = program_block(tr->prog, pointfun_create(tr->dcs->g, slots.n, slots.sym, 1, &weighted));
    for (int e = 0; e < tr->n_element; e++)
        for (int k = 1; k <= tr->rk->s; k++) {
            const int i = tr->interval_of[e];
            tr_fill(tr, block, &slots, e, k, i);
            block_out(block, 0, PROGRAM_COST, tr->rk->b[k - 1], tr->h[e], tr->s[i]);
        }
}

static void add_terminal_cost(struct transcription *tr)
{
    struct expr_graph *g = tr->dcs->g;
    const struct model *model = tr->model;
    expr sum = expr_const(g, 0);
    for (int k = 0; k < model->n_terminal; k++)
        sum = expr_add(g, sum, model->terminal[k].e);
    expr_substitute(g, 1, &sum, 1, &model->t_sym, &model->T_sym, &sum);     /* t there is the final time */
    if (expr_is_zero(g, sum))
        return;
    const struct tr_slots slots = tr_slots(tr, 0, NULL);
    struct program_block *block = program_block(tr->prog, pointfun_create(g, slots.n, slots.sym, 1, &sum));
    tr_fill(tr, block, &slots, tr->n_element - 1, tr_right(tr), tr->n_interval - 1);
    block_out(block, 0, PROGRAM_COST, 1, PROGRAM_ONE, PROGRAM_ONE);
}

/* w_d h0 d^2 on the shifts of gaps (homotopy.md 1.1), w_d = 1. */
static void add_band_penalty(struct transcription *tr)
{
    for (int b = 0; b < tr->dcs->n_band; b++)
        for (int e = 0; e < tr->n_element; e++)
            for (int k = 1; k <= tr->n_point; k++) {
                const int d = tr_lam(tr, e, k) + tr->dcs->band[b];
                program_bilinear(tr->prog, PROGRAM_PENALTY, d, d, tr->h0[e]);
            }
}

void tr_add_cost(struct transcription *tr)
{
    struct expr_graph *g = tr->dcs->g;
    expr per_interval = expr_const(g, 0), per_stage = expr_const(g, 0);
    for (int k = 0; k < tr->model->n_running; k++) {
        expr *sum = is_constant_in_interval(tr, tr->model->running[k].e) ? &per_interval : &per_stage;
        *sum = expr_add(g, *sum, tr->model->running[k].e);
    }
    add_interval_cost(tr, per_interval);
    add_stage_cost(tr, per_stage);
    add_terminal_cost(tr);
    add_band_penalty(tr);
}

/* --- Constraints --------------------------------------------------------------------------------------------- */

/* Constraints that hold at the same kinds of points share one function. */
struct constraint_kind {
    int at, n;
    const struct model_constraint **member;     /* [n] */
    struct tr_slots slots;
    struct program_block *block;
};

static void create_kind(struct transcription *tr, struct constraint_kind *kind)
{
    expr *out = mem_alloc((size_t)kind->n, sizeof *out);
    for (int k = 0; k < kind->n; k++)
        out[k] = kind->member[k]->e;
    kind->slots = tr_slots(tr, 0, NULL);
    kind->block = program_block(tr->prog, pointfun_create(tr->dcs->g, kind->slots.n, kind->slots.sym, kind->n, out));
    free(out);
}

static void constrain_point(struct transcription *tr, const struct constraint_kind *kind, int e, int k, int interval)
{
    tr_fill(tr, kind->block, &kind->slots, e, k, interval);
    for (int m = 0; m < kind->n; m++) {
        const struct model_constraint *c = kind->member[m];
        const int row = program_row(tr->prog, c->lb, c->ub, tr_label(tr, c->name, c->path, c->pos, -1, e, k));
        block_out(kind->block, m, row, 1, PROGRAM_ONE, PROGRAM_ONE);
    }
}

/* Is point k of element e one where the flags ask for the constraint? */
static bool is_asked_for(const struct transcription *tr, int at, int e, int k)
{
    const bool right = k == tr_right(tr), last = right && tr_last_of_interval(tr, e);
    return (at & AT_STAGES && tr_is_stage(tr, k)) || (at & AT_ELEMENTS && right) || (at & AT_INTERVALS && last)
           || (at & AT_FINAL && right && e == tr->n_element - 1);
}

static void add_kind(struct transcription *tr, int at)
{
    struct constraint_kind kind = { .at = at };
    const struct model *model = tr->model;
    kind.member = arena_alloc(&tr->mem, (size_t)model->n_constraint, sizeof *kind.member);
    for (int k = 0; k < model->n_constraint; k++)
        if (model->constraint[k].at == at)
            kind.member[kind.n++] = &model->constraint[k];
    create_kind(tr, &kind);
    if (at & (AT_INITIAL | AT_INTERVALS))
        constrain_point(tr, &kind, 0, 0, 0);
    for (int e = 0; e < tr->n_element; e++)
        for (int k = 1; k <= tr->n_point; k++)
            if (is_asked_for(tr, at, e, k))
                constrain_point(tr, &kind, e, k, tr->interval_of[e]);
}

/* Rows of initial(e) and final(e). */
static void add_boundary(struct transcription *tr, const struct model_constraint *c)
{
    const struct model *model = tr->model;
    const int n_x = model->n_x, n = 2 * n_x + model->n_p + model->horizon_free;
    expr *in = mem_alloc((size_t)n, sizeof *in);
    for (int i = 0; i < n_x; i++) {
        in[i] = model->x_initial_sym[i];
        in[n_x + i] = model->x_final_sym[i];
    }
    for (int i = 0; i < model->n_p; i++)
        in[2 * n_x + i] = model->p_sym[i];
    if (model->horizon_free)
        in[n - 1] = model->T_sym;
    struct program_block *block = program_block(tr->prog, pointfun_create(tr->dcs->g, n, in, 1, &c->e));
    block_point(block);
    for (int i = 0; i < n_x; i++) {
        block_slot(block, i, tr->y0 + i);
        block_slot(block, n_x + i, tr_y(tr, tr->n_element - 1, tr_right(tr)) + i);
    }
    for (int i = 0; i < model->n_p; i++)
        block_slot(block, 2 * n_x + i, tr->p + i);
    if (model->horizon_free)
        block_slot(block, n - 1, tr->T);
    const struct mpcc_label label = tr_label(tr, c->name, c->path, c->pos, -1, tr->n_element - 1, tr_right(tr));
    block_out(block, 0, program_row(tr->prog, c->lb, c->ub, label), 1, PROGRAM_ONE, PROGRAM_ONE);
    free(in);
}

static void add_final_values(struct transcription *tr)
{
    const struct model *model = tr->model;
    const int e = tr->n_element - 1, right = tr_right(tr);
    tr->final_row = arena_alloc(&tr->mem, (size_t)model->n_x, sizeof(int));
    for (int i = 0; i < model->n_x; i++) {
        const struct model_var *x = &model->x[i];
        tr->final_row[i] = -1;
        if (x->final.kind != END_FIXED && x->final.kind != END_RANGE)
            continue;
        const char *name = arena_printf(&tr->mem, "final value of %s", x->name);
        const struct srcpos pos = x->final.pos.line ? x->final.pos : x->pos;
        tr->final_row[i] = program_row(tr->prog, x->final.lo, x->final.hi, tr_label(tr, name, x->path, pos, -1, e, right));
        program_linear(tr->prog, tr->final_row[i], tr_y(tr, e, right) + i, 1);
    }
}

/* Optimized positions of the ends may not start below ground: gap(x0) >= 0 where x0 is free. */
static void add_initial_gaps(struct transcription *tr)
{
    const struct model *model = tr->model;
    if (tr->sel0 < 0 || !model->n_contact)
        return;
    const struct tr_slots slots = tr_slots(tr, 0, NULL);
    expr *out = mem_alloc((size_t)model->n_contact, sizeof *out);
    for (int c = 0; c < model->n_contact; c++)
        out[c] = model->contact[c].gap;
    struct program_block *block = program_block(tr->prog, pointfun_create(tr->dcs->g, slots.n, slots.sym, model->n_contact, out));
    free(out);
    tr_fill(tr, block, &slots, 0, 0, 0);
    for (int c = 0; c < model->n_contact; c++) {
        const struct model_contact *contact = &model->contact[c];
        const struct mpcc_label label = tr_label(tr, contact->name, contact->path, contact->pos, -1, 0, 0);
        block_out(block, c, program_row(tr->prog, 0, INFINITY, label), 1, PROGRAM_ONE, PROGRAM_ONE);
    }
}

void tr_add_constraints(struct transcription *tr)
{
    const struct model *model = tr->model;
    add_final_values(tr);
    add_initial_gaps(tr);
    for (int k = 0; k < model->n_constraint; k++) {
        const int at = model->constraint[k].at;
        bool first = true;
        for (int j = 0; j < k; j++)
            first = first && model->constraint[j].at != at;
        if (at == 0)
            add_boundary(tr, &model->constraint[k]);
        else if (first)
            add_kind(tr, at);
    }
}
