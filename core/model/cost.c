/* core/model/cost.c - what the solver minimizes: expressions and weighted squares */
#include "core/model/read.h"
#include "core/model/shapes.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const cost_hint =
    "write it smooth, as sqrt(e^2 + 1e-6) for abs(e), or use a control and constraints";
static const char *const running_hint =
    "let a state of its own grow by it, \"rhs: {spent: ...}\" with \"initial: 0\", and be a terminal cost";

/* What a key of `squares` stands for: a state, a control or a define. */
static expr term_of(struct reader *r, const struct spec_node *node)
{
    const struct spec_node name = { .kind = SPEC_SCALAR, .pos = node->key_pos, .path = node->path,
                                    .text = node->key };
    expr e;
    if (!spec_is_name(node->key)) {
        spec_error(r->diag, &name, "\"%s\" is no name: squares are of states, controls and defines", node->key);
        return r->broken;
    }
    reader_expr(r, &name, &e);
    return e;
}

/* The first reference of each name is what pictures show. */
static void note_reference(struct model *m, const char *name, expr e)
{
    if (m->n_reference == m->n_x + m->n_u + m->n_define)        /* others are mistakes, reported elsewhere */
        return;
    for (int k = 0; k < m->n_reference; k++)
        if (strcmp(m->reference[k].name, name) == 0)
            return;
    m->reference[m->n_reference++] = (struct model_reference){ name, e };
}

/* sum of w (e - reference)^2 */
static expr read_squares(struct reader *r, const struct spec_node *squares, const struct spec_node *reference)
{
    expr sum = expr_const(r->g, 0);
    if (squares->kind != SPEC_MAPPING) {
        spec_error(r->diag, squares, "expected weights {name: weight}");
        return r->broken;
    }
    for (int i = 0; i < squares->n; i++) {
        const struct spec_node *node = squares->child[i], *target = spec_get(reference, node->key);
        double weight = 1;
        expr e = term_of(r, node), ref = expr_const(r->g, 0);
        reader_finite(r, node, &weight);
        if (target && reader_expr(r, target, &ref) == STATUS_OK)
            note_reference(r->model, node->key, ref);
        e = expr_square(r->g, expr_sub(r->g, e, ref));
        sum = expr_add(r->g, sum, expr_scale(r->g, weight, e));
    }
    for (int i = 0; reference && i < reference->n; i++)
        if (!spec_get(squares, reference->child[i]->key))
            diag_error(r->diag, reference->child[i]->key_pos, reference->child[i]->path,
                       "\"%s\" is not among the squares", reference->child[i]->key);
    return sum;
}

/* A text, {expr, weight} or {squares, reference, weight}. */
static expr read_entry(struct reader *r, const struct spec_node *node, const struct shape *shape)
{
    if (node->kind == SPEC_MAPPING)
        shape_check_keys(r->diag, node, shape);
    const struct spec_node *e_node = reader_main(node, "expr"), *squares = spec_get(node, "squares");
    const struct spec_node *weight = spec_get(node, "weight"), *reference = spec_get(node, "reference");
    double w = 1;
    expr e = r->broken;
    if (weight)
        reader_finite(r, weight, &w);
    if (reference && !squares)
        spec_error(r->diag, reference, "\"reference\" belongs to \"squares\"");
    if (e_node && squares)
        spec_error(r->diag, squares, "either \"expr\" or \"squares\", not both");
    else if (squares)
        e = read_squares(r, squares, reader_block(r, node, "reference"));
    else if (e_node)
        reader_expr(r, e_node, &e);
    else
        spec_error(r->diag, node, "needs an \"expr\" or \"squares\"");
    return expr_scale(r->g, w, e);
}

expr reader_cost_entry(struct reader *r, const struct spec_node *node)
{
    return read_entry(r, node, &model_cost_entry_shape);
}

static struct model_cost read_cost(struct reader *r, const struct spec_node *node, const struct shape *shape, int allowed,
                                   const char *what)
{
    struct model_cost cost = { node->key, node->path, node->pos, read_entry(r, node, shape), false };
    cost.of_forces = quantity_is_force(r->model, cost.e);
    if (check_smooth(r, node, cost.e, allowed & USES_CONTROLS ? running_hint : cost_hint) == STATUS_OK)
        check_uses(r, node, cost.e, allowed, what);
    return cost;
}

static struct model_cost *read_costs(struct reader *r, const struct spec_node *block, int allowed,
                                     const char *what, int *count)
{
    const int n = block ? block->n : 0;
    struct model_cost *cost = arena_alloc(r->mem, (size_t)n, sizeof *cost);
    for (int i = 0; i < n; i++)
        cost[i] = read_cost(r, block->child[i], &model_cost_entry_shape, allowed, what);
    *count = n;
    return cost;
}

/* Gaps and velocities are of the state; forces are not, and are known at stages alone. */
static void refuse_at_times(struct reader *r, const struct spec_node *node, expr e)
{
    if (quantity_is_force(r->model, e) || quantity_is_impulse(r->model, e))
        spec_error(r->diag, node, "forces, reactions and impulses are no functions of the state at one time: charge for forces "
                   "in cost.running, for impulses in cost.impacts, or bound a force by a constraint with \"at: final\"");
}

static struct model_cost *read_terminal(struct reader *r, const struct spec_node *block, int *count)
{
    r->contacts_allowed = true;
    struct model_cost *cost = read_costs(r, block, USES_STATES | USES_TIME,
                                         "a terminal cost, a function of the final state and time,", count);
    r->contacts_allowed = false;
    for (int k = 0; k < *count; k++)
        refuse_at_times(r, block->child[k], cost[k].e);
    return cost;
}

static void read_sampled(struct reader *r, const struct spec_node *block)
{
    struct model *m = r->model;
    m->n_sampled = block ? block->n : 0;
    m->sampled = arena_alloc(r->mem, (size_t)m->n_sampled, sizeof *m->sampled);
    for (int i = 0; i < m->n_sampled; i++) {
        const struct spec_node *node = block->child[i], *at = spec_get(node, "at");
        r->contacts_allowed = true;
        const struct model_cost cost = read_cost(r, node, &model_sampled_shape, USES_STATES | USES_TIME,
                                                 "a sampled cost, a function of states and time,");
        r->contacts_allowed = false;
        refuse_at_times(r, node, cost.e);
        if (!at) {
            spec_error(r->diag, node, "\"at\" is missing: the times, as [0.2 %s, 0.5 %s] or {every: 0.1 %s}", m->time_unit,
                       m->time_unit, m->time_unit);
            continue;
        }
        const struct model_places places = reader_places(r, at);
        if (places.at & ~(AT_INITIAL | AT_FINAL | AT_TIMES))
            spec_error(r->diag, at, "a sampled cost is at times, initial and final among them");
        m->sampled[i] = (struct model_sampled){ cost, places.at, places.n_time, places.time };
    }
}

static void refuse_impulse(struct reader *r, const struct spec_node *node, expr e)
{
    if (quantity_is_impulse(r->model, e))
        spec_error(r->diag, node, "an impulse takes no time: its cost is summed over impacts, in cost.impacts");
}

/* Impulses are at impacts, forces between them. */
static void refuse_forces(struct reader *r, const struct spec_node *block)
{
    const struct model *m = r->model;
    for (int k = 0; k < m->n_running; k++)
        refuse_impulse(r, reader_block(r, block, "running")->child[k], m->running[k].e);
    for (int k = 0; k < m->n_impact_cost; k++)
        if (m->impact_cost[k].of_forces)
            spec_error(r->diag, reader_block(r, block, "impacts")->child[k], "at an impact there are impulses, not forces: "
                       "impulse_n, impulse_t");
    if (m->n_impact_cost && m->n_contact == 0)
        spec_error(r->diag, spec_get(block, "impacts"), "without contacts there are no impacts");
}

void model_read_cost(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *block = reader_block(r, r->root, "cost");
    m->reference = arena_alloc(r->mem, (size_t)(m->n_x + m->n_u + m->n_define), sizeof *m->reference);
    if (!block)
        return;
    shape_check_keys(r->diag, block, &model_cost_shape);
    r->contacts_allowed = true;
    m->running = read_costs(r, reader_block(r, block, "running"), USES_ALL, "a running cost", &m->n_running);
    m->impact_cost = read_costs(r, reader_block(r, block, "impacts"), USES_STATES | USES_TIME,
                                "a cost of impacts, a function of states and impulses,", &m->n_impact_cost);
    r->contacts_allowed = false;
    refuse_forces(r, block);
    read_sampled(r, reader_block(r, block, "sampled"));
    const int n_curve = m->n_reference;         /* what is wanted at the end is none */
    m->terminal = read_terminal(r, reader_block(r, block, "terminal"), &m->n_terminal);
    m->n_reference = n_curve;
    jumps_add_cost(r, reader_block(r, block, "impulses"));
}

void reader_add_running(struct reader *r, const struct spec_node *block, expr factor)
{
    struct model *m = r->model;
    int n = 0;
    r->contacts_allowed = true;
    const struct model_cost *more = read_costs(r, block, USES_ALL, "a running cost", &n), *before = m->running;
    r->contacts_allowed = false;
    for (int k = 0; k < n; k++)
        refuse_impulse(r, block->child[k], more[k].e);
    m->running = arena_alloc(r->mem, (size_t)(m->n_running + n), sizeof *m->running);
    for (int k = 0; k < m->n_running; k++)
        m->running[k] = before[k];
    for (int k = 0; k < n; k++) {
        m->running[m->n_running] = more[k];
        m->running[m->n_running++].e = expr_mul(r->g, factor, more[k].e);
    }
}

void reader_add_terminal(struct reader *r, const struct spec_node *block, const struct model_places *places)
{
    struct model *m = r->model;
    int n = 0;
    const struct model_cost *more = read_terminal(r, block, &n);
    const struct model_sampled *before = m->sampled;
    m->sampled = arena_alloc(r->mem, (size_t)(m->n_sampled + n), sizeof *m->sampled);
    for (int k = 0; k < m->n_sampled; k++)
        m->sampled[k] = before[k];
    for (int k = 0; k < n; k++)
        m->sampled[m->n_sampled++] = (struct model_sampled){ more[k], places->at, places->n_time, places->time };
}

expr model_boundary_time(const struct model *model, struct expr_graph *g, int i)
{
    expr t = expr_const(g, 0);
    if (!model->n_stretch)
        return expr_scale(g, (double)i / model->n_intervals, model->T_sym);
    for (int k = 0; k < model->n_stretch && model->stretch[k].first < i; k++) {
        const struct model_stretch *stretch = &model->stretch[k];
        const double part = fmin(1, (double)(i - stretch->first) / stretch->n_interval) * stretch->length;
        t = expr_add(g, t, stretch->p == LENGTH_FIXED ? expr_const(g, part)
                           : expr_scale(g, part, stretch->p >= 0 ? model->p_sym[stretch->p] : model->T_sym));
    }
    return t;
}

static bool is_charged_at(const struct model_sampled *sampled, double fraction)
{
    return fraction == 0 ? sampled->at & AT_INITIAL : fraction == 1 ? sampled->at & AT_FINAL
                                                    : model_asks_at(sampled->n_time, sampled->time, fraction);
}

/* Of data: ((e - value) / sigma)^2, summed. */
static expr misfit_at(const struct model_data *data, struct expr_graph *g, double fraction)
{
    expr sum = expr_const(g, 0);
    for (int row = 0; row < data->n_row; row++)
        for (int k = 0; k < data->n_series && model_same_time(data->part[row], fraction); k++) {
            const struct model_series *series = &data->series[k];
            if (isnan(series->value[row]))
                continue;
            const expr r = expr_sub(g, series->e, expr_const(g, series->value[row]));
            sum = expr_add(g, sum, expr_square(g, expr_scale(g, 1 / series->sigma[row], r)));
        }
    return sum;
}

bool model_has_samples(const struct model *model)
{
    return model->n_sampled > 0 || model->data.n_series > 0;
}

expr model_sampled_cost(const struct model *model, struct expr_graph *g, double fraction)
{
    expr sum = expr_const(g, 0);
    for (int k = 0; k < model->n_sampled; k++)
        if (is_charged_at(&model->sampled[k], fraction))
            sum = expr_add(g, sum, model->sampled[k].cost.e);
    sum = expr_add(g, sum, misfit_at(&model->data, g, fraction));
    const expr t = model->n_stretch ? model_boundary_time(model, g, (int)lround(fraction * model->n_intervals))
                                    : expr_scale(g, fraction, model->T_sym);
    expr_substitute(g, 1, &sum, 1, &model->t_sym, &t, &sum);
    return sum;
}

expr model_terminal_cost(const struct model *model, struct expr_graph *g)
{
    expr sum = expr_const(g, 0);
    for (int k = 0; k < model->n_terminal; k++)
        sum = expr_add(g, sum, model->terminal[k].e);
    expr_substitute(g, 1, &sum, 1, &model->t_sym, &model->T_sym, &sum);
    return sum;
}
