#include "transcription/track/problem_at.h"

#include <math.h>

#define SHORTEST 1e-6               /* of the horizon: what a free one may still be */

/* What time and horizon become. */
struct shift { struct expr_graph *g; struct arena *mem; int n; expr sym[2], by[2]; };

static void shift_in_place(const struct shift *by, expr *e)
{
    if (*e != EXPR_NONE)
        expr_substitute(by->g, 1, e, by->n, by->sym, by->by, e);
}

static expr *shifted(const struct shift *by, int n, const expr *e)
{
    expr *out = n > 0 ? arena_copy(by->mem, e, (size_t)n, sizeof *e) : NULL;
    for (int i = 0; i < n; i++)
        shift_in_place(by, &out[i]);
    return out;
}

static void shift_groups(const struct shift *by, struct model *model)
{
    model->group = arena_copy(by->mem, model->group, (size_t)model->n_group, sizeof *model->group);
    for (int k = 0; k < model->n_group; k++) {
        struct model_group *group = &model->group[k];
        group->c = shifted(by, group->n_c, group->c);
        group->mode = arena_copy(by->mem, group->mode, (size_t)group->n_mode, sizeof *group->mode);
        for (int m = 0; m < group->n_mode; m++)
            group->mode[m].rhs = shifted(by, model->n_x, group->mode[m].rhs);
    }
}

static struct model_cost *shifted_costs(const struct shift *by, int n, const struct model_cost *cost)
{
    struct model_cost *out = arena_copy(by->mem, cost, (size_t)n, sizeof *cost);
    for (int k = 0; k < n; k++)
        shift_in_place(by, &out[k].e);
    return out;
}

/* All that may depend on time. */
static void shift_model(const struct shift *by, struct model *model)
{
    model->rhs = shifted(by, model->n_x, model->rhs);
    model->f_v = shifted(by, model->n_q, model->f_v);
    shift_groups(by, model);
    model->running = shifted_costs(by, model->n_running, model->running);
    model->terminal = shifted_costs(by, model->n_terminal, model->terminal);
    model->constraint = arena_copy(by->mem, model->constraint, (size_t)model->n_constraint, sizeof *model->constraint);
    for (int k = 0; k < model->n_constraint; k++)
        shift_in_place(by, &model->constraint[k].e);
    model->output = arena_copy(by->mem, model->output, (size_t)model->n_output, sizeof *model->output);
    for (int k = 0; k < model->n_output; k++)
        shift_in_place(by, &model->output[k].e);
    model->define_expr = shifted(by, model->n_define, model->define_expr);
    model->n_reference = model->n_draw = 0;     /* pictures are drawn of the whole */
}

static void shrink(struct model *model, double t0, double total, int n_interval)
{
    const double rest = fmax(total - t0, SHORTEST * total), least = SHORTEST * total;
    model->n_intervals = n_interval;
    model->horizon = rest;
    if (!model->horizon_free) {
        model->T_sym = expr_const(model->graph, rest);
        return;
    }
    model->horizon_min = fmax(model->horizon_min - t0, least);
    model->horizon_max = fmax(model->horizon_max - t0, 2 * model->horizon_min);
}

struct model *problem_at(const struct model *model, enum track_horizon horizon, double t0, double total, int n_interval,
                         const double *x)
{
    struct model *at = model_fork(model);
    struct expr_graph *g = at->graph;
    struct shift by = { .g = g, .mem = &at->mem, .n = 1, .sym = { model->t_sym, model->T_sym } };
    const expr from = expr_const(g, t0);
    by.by[0] = expr_add(g, model->t_sym, from);
    by.by[1] = expr_add(g, model->T_sym, from);
    if (horizon == TRACK_SHRINKING && model->horizon_free)
        by.n = 2;
    shift_model(&by, at);
    if (horizon == TRACK_SHRINKING)
        shrink(at, t0, total, n_interval);
    at->x = arena_copy(&at->mem, at->x, (size_t)at->n_x, sizeof *at->x);
    for (int i = 0; i < at->n_x; i++)
        at->x[i].initial = (struct model_end){ END_FIXED, x[i], x[i], at->x[i].initial.pos };
    return at;
}
