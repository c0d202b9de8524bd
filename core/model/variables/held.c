/* Controls that are continuous: states whose slopes are what `solve` chooses
 *
 *   hold: linear    u' = u_rate, constant in each control interval: u is continuous and piecewise linear
 *   hold: spline    u' = u_rate, u_rate' = u_curvature, constant in each interval: a quadratic spline with a continuous
 *                   slope
 *
 * Runge-Kutta methods of two stages and more integrate both exactly. Bounds of `rate` are bounds of u_rate.
 */
#include "core/model/variables/read.h"

#include "core/model/shapes.h"

#include <string.h>

int held_order(const struct spec_node *node)
{
    const struct spec_node *hold = spec_get(node, "hold");
    if (!hold || hold->kind != SPEC_SCALAR)
        return spec_get(node, "rate") ? 1 : 0;
    for (int order = 0; model_hold_words[order]; order++)
        if (strcmp(hold->text, model_hold_words[order]) == 0)
            return order;
    return 0;
}

void held_collect(struct reader *r, const struct spec_node *node, int order)
{
    struct model *m = r->model;
    const char *rate = arena_printf(r->mem, "%s_rate", node->key);
    m->held[m->n_held++] = (struct model_held){ m->n_x, order, m->n_u };
    variables_add(r, node, node->key, &m->n_x, m->x, m->x_sym);
    if (order == 2)
        variables_add(r, node, rate, &m->n_x, m->x, m->x_sym);
    const char *decision = order == 1 ? rate : arena_printf(r->mem, "%s_curvature", node->key);
    variables_add(r, node, decision, &m->n_u, m->u, m->u_sym);
}

static void describe_slope(struct reader *r, struct model_var *slope, const struct model_var *of)
{
    slope->units = *of->units ? arena_printf(r->mem, strchr(of->units, '/') ? "(%s)/s" : "%s/s", of->units) : "";
    slope->long_name = arena_printf(r->mem, "slope of %s", of->name);
    slope->initial.kind = END_FREE;
}

void held_read(struct reader *r, const struct spec_node *node, const struct model_held *held)
{
    struct model *m = r->model;
    struct model_var *var = &m->x[held->x], *slope = held->order == 1 ? &m->u[held->u] : var + 1;
    const struct spec_node *hold = spec_get(node, "hold"), *rate = spec_get(node, "rate");
    var->initial.kind = END_FREE;
    if (shape_check_keys(r->diag, node, &model_control_shape) != STATUS_OK && node->kind != SPEC_MAPPING)
        return;
    if (hold)
        reader_choice(r, hold, model_hold_words);
    if (spec_get(node, "values"))
        spec_error(r->diag, spec_get(node, "values"),
                   "a control that takes a few values jumps: not with hold: linear or spline");
    starts_refuse(r, node, "is of controls with values, as [0, 1]: this one is continuous");
    variables_read_common(r, node, var);
    variables_read_ends(r, node, var);
    describe_slope(r, slope, var);
    if (rate && rate->kind != SPEC_NULL)
        reader_range(r, rate, &slope->lb, &slope->ub);
    if (held->order == 2)
        describe_slope(r, &m->u[held->u], slope);
}

void held_add_rates(struct reader *r, bool *given)
{
    const struct model *m = r->model;
    for (int k = 0; k < m->n_held; k++) {
        const struct model_held *held = &m->held[k];
        for (int i = held->x; i < held->x + held->order; i++) {
            m->dynamics.rhs[i] = i + 1 < held->x + held->order ? m->x_sym[i + 1] : m->u_sym[held->u];
            given[i] = true;
        }
    }
}
