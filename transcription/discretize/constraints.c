/* The user's constraints on the grid: final values, path and boundary constraints (cost.md). */
#include "transcription/discretize/parts.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* Constraints that hold at the same kinds of points share one function. */
struct constraint_kind {
    int n;
    const struct model_constraint **member;     /* [n] */
    struct point_block points;
};

static bool depends_on_velocity(const struct transcription *tr, expr e)
{
    const struct dcs *dcs = tr->dcs;
    for (int i = 0; i < dcs->n_y; i++)
        if (dcs->y[i].jumps && expr_depends(dcs->g, e, 1, &dcs->y[i].sym))
            return true;
    return false;
}

/* Point 0 is the start, of all or a phase, or the right limit where velocities may jump: there only
 * those that depend on them. */
static void constrain_point(struct transcription *tr, const struct constraint_kind *kind, int j, int k,
                            int interval)
{
    const bool is_start = j == 0 && k == 0, begins = k == 0 && j == tr->first[kind->member[0]->first];
    tr_fill(tr, &kind->points, is_start ? -1 : j, is_start ? tr_right(tr) : k, interval);
    for (int m = 0; m < kind->n; m++) {
        const struct model_constraint *c = kind->member[m];
        if (k == 0 && !begins && !depends_on_velocity(tr, c->e))
            continue;
        tr_add_row(tr, &kind->points, m, c->lb, c->ub, tr_label(tr, c->name, c->path, c->pos, -1, j, k));
    }
}

static bool jump_reaches(const struct transcription *tr, int j, expr e)
{
    const struct model_jump *jump =
        model_jump_at(tr->model, j == tr->n_element ? tr->n_interval : tr->interval_of[j]);
    for (int k = 0; k < jump->n; k++)
        if (expr_depends(tr->dcs->g, e, 1, &tr->model->x_sym[jump->x[k]]))
            return true;
    return false;
}

/* After the jump where element j begins, n_element: at the end; of all members, or those that it reaches. */
static void constrain_jump(struct transcription *tr, const struct constraint_kind *kind, int j, bool all)
{
    tr_fill(tr, &kind->points, j, 0, tr->interval_of[j]);
    for (int m = 0; m < kind->n; m++) {
        const struct model_constraint *c = kind->member[m];
        if (all || jump_reaches(tr, j, c->e))
            tr_add_row(tr, &kind->points, m, c->lb, c->ub, tr_label(tr, c->name, c->path, c->pos, -1, j, 0));
    }
}

static void constrain_inside(struct transcription *tr, const struct constraint_kind *kind, double fraction)
{
    const int interval = (int)(fraction * tr->n_interval);
    tr_fill_inside(tr, &kind->points, fraction);
    for (int m = 0; m < kind->n; m++) {
        const struct model_constraint *c = kind->member[m];
        tr_add_row(tr, &kind->points, m, c->lb, c->ub, tr_label(tr, c->name, c->path, c->pos, interval, -1, -1));
    }
}

/* The element behind the intervals that the constraint is about. */
static int end_of(const struct transcription *tr, const struct model_constraint *c)
{
    return c->end == 0 || c->end == tr->n_interval ? tr->n_element : tr->first[c->end];
}

/* Is point k of element j one where the constraint is asked for? */
static bool is_asked_for(const struct transcription *tr, const struct model_constraint *c, int j, int k)
{
    const int at = c->at;
    const bool right = k == tr_right(tr), last = right && tr_last_of_interval(tr, j);
    return (at & AT_STAGES && tr_is_stage(tr, k)) || (at & AT_ELEMENTS && right) || (at & AT_INTERVALS && last)
           || (at & AT_FINAL && right && j == end_of(tr, c) - 1
               && !(j + 1 == tr->n_element && tr->reset[j + 1] >= 0))
           || (at & AT_TIMES && last
               && model_asks_at(c->n_time, c->time, (tr->interval_of[j] + 1.0) / tr->n_interval));
}

static bool same_places(const struct model_constraint *a, const struct model_constraint *b)
{
    return a->at == b->at && a->n_time == b->n_time && (a->n_time == 0 || a->time == b->time)
           && a->first == b->first && a->end == b->end;
}

static void add_kind(struct transcription *tr, const struct model_constraint *first)
{
    const struct model *model = tr->model;
    const int at = first->at;
    const size_t n_most = (size_t)model->constraints.n_constraint;
    struct constraint_kind kind = { .member = arena_alloc(&tr->mem, n_most, sizeof *kind.member) };
    expr *out = mem_alloc(n_most, sizeof *out);
    for (int k = 0; k < model->constraints.n_constraint; k++)
        if (!model->constraints.constraint[k].of_forces && same_places(&model->constraints.constraint[k], first)) {
            out[kind.n] = model->constraints.constraint[k].e;
            kind.member[kind.n++] = &model->constraints.constraint[k];
        }
    kind.points = tr_point_block(tr, 0, NULL, kind.n, out);
    free(out);
    const int start = tr->first[first->first], end = end_of(tr, first);
    if (at & (AT_INITIAL | AT_ELEMENTS | AT_INTERVALS))         /* the start is a boundary too */
        constrain_point(tr, &kind, start, 0, first->first);
    for (int j = start; j < end; j++) {
        if (at & AT_ELEMENTS && tr->reset[j] >= 0 && (j > start || j == 0))
            constrain_jump(tr, &kind, j, false);
        else if (at & AT_ELEMENTS && tr->junctions && j > start)
            constrain_point(tr, &kind, j, 0, tr->interval_of[j]);
        for (int k = 1; k <= tr->n_point; k++)
            if (is_asked_for(tr, first, j, k))
                constrain_point(tr, &kind, j, k, tr->interval_of[j]);
    }
    for (int k = 0; k < first->n_time; k++)
        if (tr_is_inside(tr, first->time[k]))
            constrain_inside(tr, &kind, first->time[k]);
    if (at & (AT_ELEMENTS | AT_FINAL) && end == tr->n_element && tr->reset[tr->n_element] >= 0)
        constrain_jump(tr, &kind, tr->n_element, at & AT_FINAL);
    else if (at & (AT_ELEMENTS | AT_INTERVALS | AT_FINAL) && end == tr->n_element
             && tr_has_junction(tr, tr->n_element))
        constrain_point(tr, &kind, tr->n_element, 0, tr->n_interval - 1);
}

/* Where its condition is 0 nothing is asked: condition (e - ub) <= 0 and condition (lb - e) <= 0 at stages, which
 * have the steps that it is made of. */
static void add_conditional(struct transcription *tr, const struct model_constraint *c, expr condition)
{
    struct expr_graph *g = tr->dcs->g;
    expr out[2];
    int n = 0;
    if (isfinite(c->ub))
        out[n++] = expr_mul(g, condition, expr_sub(g, c->e, expr_const(g, c->ub)));
    if (isfinite(c->lb))
        out[n++] = expr_mul(g, condition, expr_sub(g, expr_const(g, c->lb), c->e));
    const struct point_block points = tr_point_block(tr, 0, NULL, n, out);
    for (int j = tr->first[c->first]; j < end_of(tr, c); j++)
        for (int k = 1; k <= tr->n_point; k++) {
            if (!tr_is_stage(tr, k))
                continue;
            tr_fill(tr, &points, j, k, tr->interval_of[j]);
            for (int i = 0; i < n; i++)
                tr_add_row(tr, &points, i, -INFINITY, 0, tr_label(tr, c->name, c->path, c->pos, -1, j, k));
        }
}

/* Rows of initial(e) and final(e): a point function of the states at both ends. */
static void add_boundary(struct transcription *tr, const struct model_constraint *c)
{
    const struct model *model = tr->model;
    const int n_x = model->n_x, end = tr->n_element;
    expr *ends = mem_alloc(2 * (size_t)n_x, sizeof *ends);
    for (int i = 0; i < n_x; i++) {
        ends[i] = model->x_initial_sym[i];
        ends[n_x + i] = model->x_final_sym[i];
    }
    const struct point_block at = tr_point_block(tr, 2 * n_x, ends, 1, &c->e);
    free(ends);
    tr_fill(tr, &at, end, 0, tr->n_interval - 1);
    for (int i = 0; i < n_x; i++) {
        block_slot(at.block, at.slots.extra + i, tr->y0 + i);
        block_slot(at.block, at.slots.extra + n_x + i, tr_y(tr, end, 0, i));
    }
    tr_add_row(tr, &at, 0, c->lb, c->ub, tr_label(tr, c->name, c->path, c->pos, -1, end - 1, tr_right(tr)));
}

static void add_final_values(struct transcription *tr)
{
    const struct model *model = tr->model;
    const int j = tr->n_element - 1, right = tr_right(tr);
    tr->rows.first_goal = program_n_row(tr->prog);
    for (int i = 0; i < model->n_x; i++) {
        const struct model_var *x = &model->x[i];
        if (x->final.kind != END_FIXED && x->final.kind != END_RANGE)
            continue;
        const char *name = arena_printf(&tr->mem, "final value of %s", x->name);
        const struct srcpos pos = x->final.pos.line ? x->final.pos : x->pos;
        const int row =
            program_row(tr->prog, x->final.lo, x->final.hi, tr_label(tr, name, x->path, pos, -1, j, right));
        program_linear(tr->prog, row, tr_y(tr, tr->n_element, 0, i), 1);
    }
    tr->rows.end_goal = program_n_row(tr->prog);
}

/* Optimized positions of the ends may not start below ground: gap(x0) >= 0 where x0 is free. */
static void add_initial_gaps(struct transcription *tr)
{
    const struct model *model = tr->model;
    if (tr->sel0 < 0 || !model->contacts.n_contact)
        return;
    expr *gap = mem_alloc((size_t)model->contacts.n_contact, sizeof *gap);
    for (int c = 0; c < model->contacts.n_contact; c++)
        gap[c] = model->contacts.contact[c].gap;
    const struct point_block at = tr_point_block(tr, 0, NULL, model->contacts.n_contact, gap);
    free(gap);
    tr_fill(tr, &at, 0, 0, 0);
    for (int c = 0; c < model->contacts.n_contact; c++) {
        const struct model_contact *contact = &model->contacts.contact[c];
        tr_add_row(tr, &at, c, 0, INFINITY, tr_label(tr, contact->name, contact->path, contact->pos, -1, 0, 0));
    }
}

void tr_add_constraints(struct transcription *tr)
{
    const struct model *model = tr->model;
    add_final_values(tr);
    add_initial_gaps(tr);
    tr->rows.first_constraint = program_n_row(tr->prog);
    for (int k = 0; k < model->constraints.n_constraint; k++) {
        const struct model_constraint *c = &model->constraints.constraint[k];
        bool first = !c->of_forces;             /* those are the finish's alone (multiphase/rows/objective.c) */
        for (int j = 0; j < k; j++)
            first = first
                    && (model->constraints.constraint[j].of_forces
                        || !same_places(&model->constraints.constraint[j], c));
        if (c->at == 0)
            add_boundary(tr, c);
        else if (first)
            add_kind(tr, c);
    }
    for (int k = 0; k < model->constraints.n_conditional; k++)
        add_conditional(tr, &model->constraints.conditional[k].of, tr->dcs->condition[k]);
    tr->rows.end_constraint = program_n_row(tr->prog);
}
