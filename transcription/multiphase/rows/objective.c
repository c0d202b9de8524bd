/* The user's costs and constraints on the pieces (cost.md). */
#include "transcription/multiphase/rows/rows.h"

#include "core/base/mem.h"
#include "transcription/multiphase/rows/choices.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>

/* --- Cost ---------------------------------------------------------------------------------------------------- */

static struct program_block *block_of(struct phases *ph, int n, const expr *e)
{
    return program_block(ph->prog, phase_system_function(ph->sys, n, e));
}

/* Of the force of a pair that has one: it is at the level of the state. */
static bool is_of_pairs(const struct phases *ph, expr e)
{
    const struct phase_system *sys = ph->sys;
    bool found = false;
    for (int l = 0; l < sys->n_switch; l++)
        found = found || (sys->sw[l].own && expr_depends(sys->g, e, 1, &sys->slot[sys->sw[l].alpha]));
    return found;
}

/* Costs of controls and parameters alone are constant in an interval of known length. */
static bool is_constant_in_interval(const struct phases *ph, expr e)
{
    const struct model *model = ph->sys->model;
    return !ph->grid.free_intervals && !expr_depends(model->graph, e, model->n_x, model->x_sym)
           && !expr_depends(model->graph, e, 1, &model->t_sym) && !is_of_pairs(ph, e);
}

static void add_interval_cost(struct phases *ph, expr L)
{
    if (expr_is_zero(ph->sys->g, L))
        return;
    struct program_block *block = block_of(ph, 1, &L);
    for (int i = 0, k = 0; i < ph->n_interval; i++) {
        while (ph->piece[k].interval != i) k++;
        const struct phase_point point = phases_stage_point(ph, ph->piece[k].first, 0);
        phases_fill(ph, block, &point);
        const struct phases_length length = phases_interval(ph, i);
        block_out(block, 0, PROGRAM_COST, length.coef, length.var >= 0 ? length.var : PROGRAM_ONE, PROGRAM_ONE);
    }
}

static void add_stage_cost(struct phases *ph, expr L)
{
    if (expr_is_zero(ph->sys->g, L))
        return;
    struct program_block *block = block_of(ph, 1, &L);
    for (int e = 0; e < ph->n_element; e++)
        for (int k = 0; k < ph->n_point; k++) {
            const struct phase_piece *piece = &ph->piece[ph->piece_of[e]];
            const struct phase_point point = phases_stage_point(ph, e, k);
            phases_fill(ph, block, &point);
            block_out(block, 0, PROGRAM_COST, ph->b[k] * piece->coef * ph->part[e], piece->length, PROGRAM_ONE);
        }
}

/* The left of an element before what jumps there, if that is the start. */
static struct phase_point start_point(const struct phases *ph, int e)
{
    struct phase_point point = phases_boundary_point(ph, e);
    if (e == 0 && ph->at.reset[0] >= 0)
        point.y = ph->at.start_y;
    return point;
}

static void add_terminal_cost(struct phases *ph)
{
    struct expr_graph *g = ph->sys->g;
    const expr sum = model_terminal_cost(ph->sys->model, g);
    if (expr_is_zero(g, sum))
        return;
    struct program_block *block = block_of(ph, 1, &sum);
    const struct phase_point point = phases_boundary_point(ph, ph->n_element);
    phases_fill(ph, block, &point);
    block_out(block, 0, PROGRAM_COST, 1, PROGRAM_ONE, PROGRAM_ONE);
}

/* The sampled costs at a part of the horizon, at a point, or inside an interval (point NULL). */
static void add_sampled_cost(struct phases *ph, double fraction, const struct phase_point *point)
{
    const expr sum = model_sampled_cost(ph->sys->model, ph->sys->g, fraction);
    if (expr_is_zero(ph->sys->g, sum))
        return;
    struct program_block *block = block_of(ph, 1, &sum);
    if (point)
        phases_fill(ph, block, point);
    else
        phases_fill_interior_time(ph, block, phases_interior_time(ph, fraction));
    block_out(block, 0, PROGRAM_COST, 1, PROGRAM_ONE, PROGRAM_ONE);
}

static void add_sampled_costs(struct phases *ph)
{
    const struct phase_point start = start_point(ph, 0), end = phases_boundary_point(ph, ph->n_element);
    add_sampled_cost(ph, 0, &start);
    for (int k = 0; k + 1 < ph->n_piece; k++) {
        const struct phase_piece *piece = &ph->piece[k];
        const struct phase_point point =
            phases_stage_point(ph, piece->first + piece->n_element - 1, ph->n_point - 1);
        if (piece[1].interval != piece->interval)
            add_sampled_cost(ph, (piece->interval + 1.0) / ph->n_interval, &point);
    }
    for (int k = 0; k < ph->n_interior_time; k++)
        add_sampled_cost(ph, ph->interior_time[k].fraction, NULL);
    add_sampled_cost(ph, 1, &end);
}

/* Where controls have no part, so that those of the interval do. */
static void add_impact_costs(struct phases *ph)
{
    const struct model *model = ph->sys->model;
    for (int k = 0; k < model->costs.n_impact; k++) {
        struct program_block *block = block_of(ph, 1, &model->costs.impact[k].e);
        for (int j = 0; j < ph->seq->n_event; j++) {
            if (ph->at.impact[j] < 0)
                continue;
            const struct phase_point point = phases_impact_point(ph, j);
            phases_fill(ph, block, &point);
            block_out(block, 0, PROGRAM_COST, 1, PROGRAM_ONE, PROGRAM_ONE);
        }
    }
}

void phases_add_cost(struct phases *ph)
{
    struct expr_graph *g = ph->sys->g;
    const struct model *model = ph->sys->model;
    expr per_interval = expr_const(g, 0), per_stage = expr_const(g, 0);
    for (int k = 0; k < model->costs.n_running; k++) {
        expr *sum = !model->costs.running[k].of_forces && is_constant_in_interval(ph, model->costs.running[k].e)
                    ? &per_interval : &per_stage;
        *sum = expr_add(g, *sum, model->costs.running[k].e);
    }
    add_interval_cost(ph, per_interval);
    add_stage_cost(ph, per_stage);
    if (model_has_samples(model))
        add_sampled_costs(ph);
    add_impact_costs(ph);
    add_terminal_cost(ph);
}

/* --- Constraints --------------------------------------------------------------------------------------------- */

static bool is_along_path(const struct model_constraint *c)
{
    return (c->at & (AT_STAGES | AT_ELEMENTS | AT_INTERVALS)) != 0;
}

bool phases_has_path(const struct model *model)
{
    bool path = model->constraints.n_conditional > 0;
    for (int k = 0; k < model->constraints.n_constraint; k++)
        path = path || is_along_path(&model->constraints.constraint[k]);
    return path;
}

static void constrain(struct phases *ph, struct program_block *block, const struct model_constraint *c,
                      const struct phase_point *point)
{
    const double slack = ph->grid.slack && is_along_path(c)
                         ? ph->grid.slack[c - ph->sys->model->constraints.constraint] : 0;
    phases_fill(ph, block, point);
    block_out(block, 0,
              program_row(ph->prog, c->lb - slack, c->ub + slack, phases_label(c->name, c->path, c->pos, point)),
              1, PROGRAM_ONE, PROGRAM_ONE);
}

/* Inside an interval. */
static void constrain_interior_time(struct phases *ph, struct program_block *block,
                                    const struct model_constraint *c, struct phase_interior_time *at)
{
    const struct phase_point point = phases_interior_time_point(ph, at);
    const int row = program_row(ph->prog, c->lb, c->ub, phases_label(c->name, c->path, c->pos, &point));
    phases_fill_interior_time(ph, block, at);
    block_out(block, 0, row, 1, PROGRAM_ONE, PROGRAM_ONE);
    at->row[at->n_row++] = row;
}

static bool depends_on_velocity(const struct phases *ph, expr e)
{
    const struct model *model = ph->sys->model;
    for (int i = 0; i < model->mechanics.n_q; i++)
        if (expr_depends(model->graph, e, 1, &model->x_sym[model->mechanics.v_index[i]]))
            return true;
    return false;
}

/* Is stage k of element e one where the constraint is asked for? */
static bool is_asked_for(const struct phases *ph, const struct model_constraint *c, int e, int k)
{
    const int at = c->at, i = ph->piece[ph->piece_of[e]].interval;
    const bool right = k == ph->n_point - 1, last = e + 1 == ph->n_element;
    const bool ends = right && (last || ph->piece[ph->piece_of[e + 1]].interval != i);
    const bool final = ends && (last ? ph->at.reset[ph->n_piece] < 0 : i + 1 == c->end);
    if (c->end && (i < c->first || i >= c->end))
        return false;
    return at & AT_STAGES || (at & AT_ELEMENTS && right) || (at & AT_INTERVALS && ends) || (at & AT_FINAL && final)
           || (at & AT_TIMES && ends && model_asks_at(c->n_time, c->time, (i + 1.0) / ph->n_interval));
}

/* Impact j lies in the intervals of the constraint, and not where these begin. */
static bool is_hit_in(const struct phases *ph, const struct model_constraint *c, int j, int start)
{
    const struct phase_point point = phases_impact_point(ph, j);
    return point.element != start && (c->end == 0 || (point.interval >= c->first && point.interval < c->end));
}

/* After jumps, where what is constrained is another than before; at the end also what is asked for there. */
static void constrain_jumps(struct phases *ph, struct program_block *block, const struct model_constraint *c)
{
    for (int k = 0; k <= ph->n_piece; k++) {
        const bool ends = k == ph->n_piece;
        const int i = ends ? ph->n_interval : ph->piece[k].interval;
        const bool is_path =
            c->at & (AT_STAGES | AT_ELEMENTS) && (c->end == 0 || (i > c->first && i < c->end + ends));
        const bool is_end = ends && c->at & AT_FINAL && (c->end == 0 || c->end == i);
        if (ph->at.reset[k] < 0
            || !(is_end || (is_path && phases_jump_is_given(ph, k) && phases_jump_reaches(ph, k, c->e))))
            continue;
        const struct phase_point after = phases_boundary_point(ph, ends ? ph->n_element : ph->piece[k].first);
        constrain(ph, block, c, &after);
    }
}

static void add_constraint(struct phases *ph, const struct model_constraint *c)
{
    struct program_block *block = block_of(ph, 1, &c->e);
    const struct phase_piece *first = ph->piece;
    while (first->interval != c->first) first++;
    const struct phase_point start = start_point(ph, first->first);
    const bool is_given = ph->sys->model->is_measured && start.element == 0;
    const bool at_left = !c->of_forces;         /* forces are known at stages */
    if (at_left && !is_given && c->at & (AT_INITIAL | AT_ELEMENTS | AT_INTERVALS))      /* the start is a boundary too */
        constrain(ph, block, c, &start);
    for (int j = 0; j < ph->seq->n_event; j++)
        if (at_left && ph->at.impact[j] >= 0 && c->at & (AT_ELEMENTS | AT_STAGES) && depends_on_velocity(ph, c->e)
            && is_hit_in(ph, c, j, start.element)) {
            const struct phase_point after = phases_boundary_point(ph, phases_impact_point(ph, j).element);
            constrain(ph, block, c, &after);
        }
    for (int e = 0; e < ph->n_element; e++)
        for (int r = 0; r < ph->n_point; r++)
            if (is_asked_for(ph, c, e, r)) {
                const struct phase_point point = phases_stage_point(ph, e, r);
                if (!phase_system_keeps(ph->sys, c, point.interval))
                    constrain(ph, block, c, &point);
            }
    if (at_left)
        constrain_jumps(ph, block, c);
    for (int k = 0; k < ph->n_interior_time; k++)
        if (c->at & AT_TIMES && model_asks_at(c->n_time, c->time, ph->interior_time[k].fraction))
            constrain_interior_time(ph, block, c, &ph->interior_time[k]);
}

/* At every impact. */
static void add_impact_limit(struct phases *ph, const struct model_constraint *c)
{
    struct program_block *block = block_of(ph, 1, &c->e);
    for (int j = 0; j < ph->seq->n_event; j++) {
        if (ph->at.impact[j] < 0)
            continue;
        const struct phase_point point = phases_impact_point(ph, j);
        constrain(ph, block, c, &point);
    }
}

/* Rows of initial(e) and final(e). */
static void add_boundary(struct phases *ph, const struct model_constraint *c)
{
    const struct model *model = ph->sys->model;
    const int n_x = model->n_x, n = 2 * n_x + model->n_p + model->time.horizon_free;
    expr *in = mem_alloc((size_t)n, sizeof *in);
    for (int i = 0; i < n_x; i++) {
        in[i] = model->x_initial_sym[i];
        in[n_x + i] = model->x_final_sym[i];
    }
    for (int i = 0; i < model->n_p; i++)
        in[2 * n_x + i] = model->p_sym[i];
    if (model->time.horizon_free)
        in[n - 1] = model->T_sym;
    struct program_block *block = program_block(ph->prog, pointfun_create(ph->sys->g, n, in, 1, &c->e));
    block_point(block);
    for (int i = 0; i < n_x; i++) {
        block_slot(block, i, ph->at.y0 + i);
        block_slot(block, n_x + i, phases_left(ph, ph->n_element)[i]);
    }
    for (int i = 0; i < model->n_p; i++)
        block_slot(block, 2 * n_x + i, ph->at.p + i);
    if (model->time.horizon_free)
        block_slot(block, n - 1, ph->at.T);
    const struct phase_point end = phases_boundary_point(ph, ph->n_element);
    block_out(block, 0, program_row(ph->prog, c->lb, c->ub, phases_label(c->name, c->path, c->pos, &end)), 1,
              PROGRAM_ONE, PROGRAM_ONE);
    free(in);
}

/* ------------------------------------------------------------------------------------------------------------- */

/* Has every control with values one of them in every interval? */
static bool are_values_known(const struct phases *ph)
{
    const struct model *model = ph->sys->model;
    bool known = ph->grid.value;
    for (int i = 0; i < ph->n_interval; i++)
        for (int k = 0; k < model->n_u && known; k++)
            known = !model->u[k].n_value || !isnan(ph->grid.value[i * model->n_u + k]);
    return known;
}

void phases_add_constraints(struct phases *ph)
{
    const struct model *model = ph->sys->model;
    const bool are_known = are_values_known(ph);
    phases_add_final_values(ph);
    ph->constraint_row = arena_alloc(&ph->mem, (size_t)model->constraints.n_constraint + 1, sizeof(int));
    for (int k = 0; k < model->constraints.n_constraint; k++) {
        ph->constraint_row[k] = program_n_row(ph->prog);
        if (model->constraints.constraint[k].at == 0)
            add_boundary(ph, &model->constraints.constraint[k]);
        else if (!are_known || !choices_settle(model, &model->constraints.constraint[k]))
            add_constraint(ph, &model->constraints.constraint[k]);
    }
    ph->constraint_row[model->constraints.n_constraint] = program_n_row(ph->prog);
    phases_add_conditional(ph);
    for (int k = 0; k < model->constraints.n_impact; k++)
        add_impact_limit(ph, &model->constraints.impact[k]);
}
