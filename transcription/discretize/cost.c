/* The user's cost on the grid, and what the method adds to it (cost.md 1, time_freezing.md 9, derivatives.md 8). */
#include "transcription/discretize/parts.h"

#include "transcription/discretize/recipe.h"

static bool is_of_pairs(const struct transcription *tr, expr e)
{
    for (int k = 0; k < tr->model->switching.n_projection; k++)
        if (tr->model->switching.projection[k].is_pair
            && expr_depends(tr->dcs->g, e, 1, &tr->model->switching.projection[k].state))
            return true;
    return false;
}

/* Running costs of controls and parameters alone are constant in an interval of known physical length. */
static bool is_constant_in_interval(const struct transcription *tr, expr e)
{
    const struct model *model = tr->model;
    return tr->settings->control_grid == CONTROL_GRID_EQUIDISTANT
           && !expr_depends(tr->dcs->g, e, model->n_x, model->x_sym)
           && !expr_depends(tr->dcs->g, e, 1, &model->t_sym) && !is_of_pairs(tr, e);
}

/* Of interval i in physical time, also where numerical time is another. */
static struct tr_length physical_length(const struct transcription *tr, int i)
{
    if (!tr->model->time.n_stretch && tr->T >= 0)
        return (struct tr_length){ tr->T, 1.0 / tr->n_interval };
    return tr_length(tr, i);
}

/* (T / N) sum_i L(u_i): a step function of time is integrated exactly. */
static void add_interval_cost(struct transcription *tr, expr L)
{
    if (expr_is_zero(tr->dcs->g, L))
        return;
    const struct point_block at = tr_point_block(tr, 0, NULL, 1, &L);
    for (int i = 0; i < tr->n_interval; i++) {
        const struct tr_length length = physical_length(tr, i);
        tr_fill(tr, &at, tr->first[i], 1, i);
        block_out(at.block, 0, PROGRAM_COST, length.coef, length.var, PROGRAM_ONE);
    }
}

/* sum h s b_i rate L: not charged while time stands still (time_freezing.md 9). */
static void add_stage_cost(struct transcription *tr, expr L)
{
    if (expr_is_zero(tr->dcs->g, L))
        return;
    const expr weighted = expr_mul(tr->dcs->g, tr->dcs->rate, L);
    const struct point_block at = tr_point_block(tr, 0, NULL, 1, &weighted);
    for (int j = 0; j < tr->n_element; j++)
        for (int k = 1; k <= tr->rk->s; k++) {
            const int i = tr->interval_of[j];
            tr_fill(tr, &at, j, k, i);
            block_out(at.block, 0, PROGRAM_COST, tr->rk->b[k - 1], tr->h[j], tr->s[i]);
        }
}

/* At the end of the horizon, where t is T. */
static void add_terminal_cost(struct transcription *tr)
{
    struct expr_graph *g = tr->dcs->g;
    const expr sum = model_terminal_cost(tr->model, g);
    if (expr_is_zero(g, sum))
        return;
    const struct point_block at = tr_point_block(tr, 0, NULL, 1, &sum);
    tr_fill(tr, &at, tr->n_element, 0, tr->n_interval - 1);
    block_out(at.block, 0, PROGRAM_COST, 1, PROGRAM_ONE, PROGRAM_ONE);
}

/* Where an interval ends; interval -1: at the start. */
static void add_sampled_cost(struct transcription *tr, int interval)
{
    struct expr_graph *g = tr->dcs->g;
    const int N = tr->n_interval;
    const expr sum = model_sampled_cost(tr->model, g, (interval + 1.0) / N);
    if (expr_is_zero(g, sum))
        return;
    const struct point_block at = tr_point_block(tr, 0, NULL, 1, &sum);
    if (interval < 0)
        tr_fill(tr, &at, -1, tr_right(tr), 0);
    else if (interval == N - 1)
        tr_fill(tr, &at, tr->n_element, 0, interval);
    else
        tr_fill(tr, &at, tr->first[interval] + tr->elements[interval] - 1, tr_right(tr), interval);
    block_out(at.block, 0, PROGRAM_COST, 1, PROGRAM_ONE, PROGRAM_ONE);
}

/* Inside intervals. */
static void add_inner_costs(struct transcription *tr)
{
    struct expr_graph *g = tr->dcs->g;
    for (int k = 0; k < tr->model->time.n_interior_time; k++) {
        const expr sum = model_sampled_cost(tr->model, g, tr->model->time.interior_time[k]);
        if (!tr_is_inside(tr, tr->model->time.interior_time[k]) || expr_is_zero(g, sum))
            continue;
        const struct point_block at = tr_point_block(tr, 0, NULL, 1, &sum);
        tr_fill_inside(tr, &at, tr->model->time.interior_time[k]);
        block_out(at.block, 0, PROGRAM_COST, 1, PROGRAM_ONE, PROGRAM_ONE);
    }
}

/* sum h0 d^2 over the shifts d of gaps (time_freezing.md 11, weight w_d = 1). */
static void add_band_penalty(struct transcription *tr)
{
    for (int b = 0; b < tr->dcs->n_band; b++)
        for (int j = 0; j < tr->n_element; j++)
            for (int k = 1; k <= tr->n_point; k++) {
                const int d = tr_lam(tr, j, k, tr->dcs->band[b]);
                program_bilinear(tr->prog, PROGRAM_PENALTY, d, d, tr->h0[j]);
            }
}

/* A way to the goal for the first steps of a hard problem (attempts.md 3): states with a fixed final value follow
 * the straight line from the start, and are drawn to the goal at the end. */
static void add_guide(struct transcription *tr)
{
    const struct model *model = tr->model;
    const double dt = tr->task.grid.horizon / tr->n_interval;
    for (int i = 0; i < model->n_x; i++) {
        const struct model_var *x = &model->x[i];
        if (x->final.kind != END_FIXED || x->initial.kind != END_FIXED)
            continue;
        for (int k = 0; k < tr->n_interval; k++) {
            const int var = tr_y(tr, tr->first[k] + tr->elements[k] - 1, tr_right(tr), i);
            const double part = (k + 1.0) / tr->n_interval;
            const double line = (1 - part) * x->initial.lo + part * x->final.lo;
            const double weight = dt * (k == tr->n_interval - 1 ? GUIDE_GOAL : 1);
            program_bilinear(tr->prog, PROGRAM_GUIDE, var, var, weight);
            program_linear(tr->prog, PROGRAM_GUIDE, var, -2 * weight * line);
        }
    }
}

void tr_add_cost(struct transcription *tr)
{
    struct expr_graph *g = tr->dcs->g;
    expr per_interval = expr_const(g, 0), per_stage = expr_const(g, 0);
    for (int k = 0; k < tr->model->costs.n_running; k++) {
        /* of steps where the spec's are of pairs */
        const struct model_cost *cost = &tr->dcs->model->costs.running[k];
        if (cost->of_forces)
            continue;                           /* of the finish alone (multiphase/rows/objective.c) */
        expr *sum = is_constant_in_interval(tr, cost->e) ? &per_interval : &per_stage;
        *sum = expr_add(g, *sum, cost->e);
    }
    add_interval_cost(tr, per_interval);
    add_stage_cost(tr, per_stage);
    for (int i = -1; i < tr->n_interval && model_has_samples(tr->model); i++)
        add_sampled_cost(tr, i);
    add_inner_costs(tr);
    add_terminal_cost(tr);
    add_band_penalty(tr);
    add_guide(tr);
}
