#include "transcription/diagnose/elastic.h"

#include "transcription/diagnose/recipe.h"

#include <math.h>
#include <string.h>

/* A copy with room for more. */
static void *grown(struct arena *mem, const void *array, int n, int more, size_t size)
{
    char *out = arena_alloc(mem, (size_t)(n + more), size);
    if (n)
        memcpy(out, array, (size_t)n * size);
    return out;
}

/* Nothing is charged for but what gives way. */
static void drop_costs(struct model *at)
{
    at->costs.n_running = at->costs.n_terminal = at->costs.n_sampled = at->costs.n_impact = 0;
    at->data.n_series = 0;
}

static void own_arrays(struct model *at, int n_condition)
{
    at->x = arena_copy(&at->mem, at->x, (size_t)at->n_x, sizeof *at->x);
    at->u = arena_copy(&at->mem, at->u, (size_t)at->n_u, sizeof *at->u);
    at->param = grown(&at->mem, at->param, at->n_param, 2 * n_condition, sizeof *at->param);
    at->p_param = grown(&at->mem, at->p_param, at->n_p, 2 * n_condition, sizeof *at->p_param);
    at->p_sym = grown(&at->mem, at->p_sym, at->n_p, 2 * n_condition, sizeof *at->p_sym);
    at->constraints.constraint = grown(&at->mem, at->constraints.constraint, at->constraints.n_constraint,
                                       2 * n_condition, sizeof *at->constraints.constraint);
    at->constraints.impact = grown(&at->mem, at->constraints.impact, at->constraints.n_impact, 2 * n_condition,
                                   sizeof *at->constraints.impact);
    at->costs.running = arena_alloc(&at->mem, 1, sizeof *at->costs.running);
    at->costs.terminal = arena_alloc(&at->mem, 1, sizeof *at->costs.terminal);
}

static int add_slack(struct model *at, const struct condition *c, const char *side)
{
    const char *name = arena_printf(&at->mem, "%s, %s", c->row.name, side);
    const int k = at->n_p++;
    at->param[at->n_param] = (struct model_param){
        .name = name, .units = c->units, .long_name = "", .path = c->row.path, .pos = c->row.pos, .optimize = true, .lb = 0,
        .ub = INFINITY, .sym = expr_sym(at->graph, name), .size = c->size };
    at->param[at->n_param].value_expr = at->p_sym[k] = at->param[at->n_param].sym;
    at->p_param[k] = at->n_param++;
    return k;
}

/* Bounds of variables that have slack in a row of their own. */
static void widen(double *lo, double *hi, double size)
{
    const double by = WIDER * (isfinite(*hi - *lo) ? fmax(*hi - *lo, size) : size);
    *lo -= by;
    *hi += by;
}

/* The condition as it stands gives way to its rows with slack. */
static void withdraw(struct model *at, const struct condition *c)
{
    struct model_param *p;
    switch (c->kind) {
    case CONDITION_FINAL:
        at->x[c->index].final = (struct model_end){ END_FREE, -INFINITY, INFINITY, c->row.pos };
        break;
    case CONDITION_INITIAL:
        widen(&at->x[c->index].initial.lo, &at->x[c->index].initial.hi, c->size);
        break;
    case CONDITION_STATE:
        widen(&at->x[c->index].lb, &at->x[c->index].ub, c->size);
        break;
    case CONDITION_CONTROL:
        widen(&at->u[c->index].lb, &at->u[c->index].ub, c->size);
        break;
    case CONDITION_PARAMETER:
        p = &at->param[at->p_param[c->index]];
        widen(&p->lb, &p->ub, c->size);
        if (p->is_length) {
            p->lb = c->row.lb;                  /* no length is negative */
            at->time.horizon_max += p->ub - c->row.ub;
        }
        break;
    case CONDITION_CONSTRAINT:
        at->constraints.constraint[c->index].path = NULL;  /* left out once all have been looked at */
        break;
    case CONDITION_IMPACT:
        at->constraints.impact[c->index].path = NULL;
        break;
    case CONDITION_HORIZON:
        at->time.horizon_max = LONGEST * fmax(c->row.ub, at->time.horizon);
        if (!at->time.horizon_free) {
            at->time.horizon_free = true;
            at->T_sym = expr_sym(at->graph, "horizon");
            at->time.horizon_min = at->time.horizon;
        }
        break;
    }
}

static int without_withdrawn(int n, struct model_constraint *c)
{
    int left = 0;
    for (int k = 0; k < n; k++)
        if (c[k].path)
            c[left++] = c[k];
    return left;
}

/* A side of the condition with its slack: e + sign slack, at least or at most the bound. */
static int add_side(struct model *at, const struct condition *c, bool is_below, expr *cost, double price)
{
    struct expr_graph *g = at->graph;
    const int slack = add_slack(at, c, is_below ? "below" : "above");
    struct model_constraint row = c->row;
    const expr e = c->kind == CONDITION_HORIZON ? at->T_sym : row.e;
    row.e = is_below ? expr_add(g, e, at->p_sym[slack]) : expr_sub(g, e, at->p_sym[slack]);
    row.lb = is_below ? row.lb : -INFINITY;
    row.ub = is_below ? INFINITY : row.ub;
    if (c->kind == CONDITION_IMPACT)
        at->constraints.impact[at->constraints.n_impact++] = row;
    else
        at->constraints.constraint[at->constraints.n_constraint++] = row;
    *cost = expr_add(g, *cost, expr_scale(g, price, at->p_sym[slack]));
    return slack;
}

/* Of controls, relative, on average over the horizon. */
static expr effort(struct model *at)
{
    struct expr_graph *g = at->graph;
    expr sum = expr_const(g, 0);
    for (int k = 0; k < at->n_u; k++) {
        const double size = model_var_size(&at->u[k]);
        if (!model_is_given(at, k))
            sum = expr_add(g, sum, expr_scale(g, 1 / (size > 0 ? size * size : 1), expr_square(g, at->u_sym[k])));
    }
    return expr_scale(g, EFFORT_WEIGHT / at->time.horizon, sum);
}

struct elastic elastic_create(const struct model *model, int n, const struct condition *condition,
                              const double *weight)
{
    struct model *at = model_fork(model);
    struct elastic out = { at, arena_alloc(&at->mem, (size_t)n, sizeof(int)), arena_alloc(&at->mem, (size_t)n, sizeof(int)),
                           arena_alloc(&at->mem, (size_t)n, sizeof(double)) };
    expr cost = expr_const(at->graph, 0);
    drop_costs(at);
    own_arrays(at, n);
    at->costs.running[at->costs.n_running++] = (struct model_cost){ .name = "effort", .path = "cost",
                                                                    .e = effort(at) };
    for (int k = 0; k < n; k++)
        if (isfinite(weight[k]))
            withdraw(at, &condition[k]);
    at->constraints.n_constraint = without_withdrawn(at->constraints.n_constraint, at->constraints.constraint);
    at->constraints.n_impact = without_withdrawn(at->constraints.n_impact, at->constraints.impact);
    for (int k = 0; k < n; k++) {
        const struct condition *c = &condition[k];
        const bool gives_way = isfinite(weight[k]);
        out.price[k] = weight[k] / c->size;
        out.below[k] = gives_way && isfinite(c->row.lb) ? add_side(at, c, true, &cost, out.price[k]) : -1;
        out.above[k] = gives_way && isfinite(c->row.ub) ? add_side(at, c, false, &cost, out.price[k]) : -1;
    }
    at->costs.terminal[at->costs.n_terminal++] = (struct model_cost){ .name = "slack", .path = "cost", .e = cost };
    return out;
}

void elastic_free(struct elastic *elastic)
{
    model_free(elastic->model);
}
