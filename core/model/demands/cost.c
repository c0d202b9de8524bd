/* core/model/demands/cost.c - what the solver minimizes: expressions and weighted squares */
#include "core/model/demands/read.h"

static const char *const cost_hint =
    "write it smooth, as sqrt(e^2 + 1e-6) for abs(e), or use a control and constraints";
static const char *const running_hint =
    "let a state of its own grow by it, \"rhs: {spent: ...}\" with \"initial: 0\", and be a terminal cost";

static struct model_cost read_cost(struct reader *r, const struct spec_node *node, const struct shape *shape,
                                   int allowed, const char *what)
{
    struct model_cost cost = { node->key, node->path, node->pos, reader_cost_entry(r, node, shape), false };
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
    m->costs.n_sampled = block ? block->n : 0;
    m->costs.sampled = arena_alloc(r->mem, (size_t)m->costs.n_sampled, sizeof *m->costs.sampled);
    for (int i = 0; i < m->costs.n_sampled; i++) {
        const struct spec_node *node = block->child[i], *at = spec_get(node, "at");
        r->contacts_allowed = true;
        const struct model_cost cost = read_cost(r, node, &model_sampled_shape, USES_STATES | USES_TIME,
                                                 "a sampled cost, a function of states and time,");
        r->contacts_allowed = false;
        refuse_at_times(r, node, cost.e);
        if (!at) {
            spec_error(r->diag, node, "\"at\" is missing: the times, as [0.2 %s, 0.5 %s] or {every: 0.1 %s}",
                       m->time.unit, m->time.unit, m->time.unit);
            continue;
        }
        const struct model_places places = reader_places(r, at);
        if (places.at & ~(AT_INITIAL | AT_FINAL | AT_TIMES))
            spec_error(r->diag, at, "a sampled cost is at times, initial and final among them");
        m->costs.sampled[i] = (struct model_sampled){ cost, places.at, places.n_time, places.time };
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
    for (int k = 0; k < m->costs.n_running; k++)
        refuse_impulse(r, reader_block(r, block, "running")->child[k], m->costs.running[k].e);
    for (int k = 0; k < m->costs.n_impact; k++)
        if (m->costs.impact[k].of_forces)
            spec_error(r->diag, reader_block(r, block, "impacts")->child[k],
                       "at an impact there are impulses, not forces: "
                       "impulse_n, impulse_t");
    if (m->costs.n_impact && m->contacts.n_contact == 0)
        spec_error(r->diag, spec_get(block, "impacts"), "without contacts there are no impacts");
}

void model_read_cost(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *block = reader_block(r, r->root, "cost");
    m->costs.reference = arena_alloc(r->mem, (size_t)(m->n_x + m->n_u + m->defines.n_define),
                                     sizeof *m->costs.reference);
    if (!block)
        return;
    shape_check_keys(r->diag, block, &model_cost_shape);
    r->contacts_allowed = true;
    m->costs.running = read_costs(r, reader_block(r, block, "running"), USES_ALL, "a running cost",
                                  &m->costs.n_running);
    m->costs.impact = read_costs(r, reader_block(r, block, "impacts"), USES_STATES | USES_TIME,
                                 "a cost of impacts, a function of states and impulses,", &m->costs.n_impact);
    r->contacts_allowed = false;
    refuse_forces(r, block);
    read_sampled(r, reader_block(r, block, "sampled"));
    const int n_curve = m->costs.n_reference;   /* what is wanted at the end is none */
    m->costs.terminal = read_terminal(r, reader_block(r, block, "terminal"), &m->costs.n_terminal);
    m->costs.n_reference = n_curve;
    impulse_add_cost(r, reader_block(r, block, "impulses"));
}

void reader_add_running(struct reader *r, const struct spec_node *block, expr factor)
{
    struct model *m = r->model;
    int n = 0;
    r->contacts_allowed = true;
    const struct model_cost *more = read_costs(r, block, USES_ALL, "a running cost", &n),
                             *before = m->costs.running;
    r->contacts_allowed = false;
    for (int k = 0; k < n; k++)
        refuse_impulse(r, block->child[k], more[k].e);
    m->costs.running = arena_alloc(r->mem, (size_t)(m->costs.n_running + n), sizeof *m->costs.running);
    for (int k = 0; k < m->costs.n_running; k++)
        m->costs.running[k] = before[k];
    for (int k = 0; k < n; k++) {
        m->costs.running[m->costs.n_running] = more[k];
        m->costs.running[m->costs.n_running++].e = expr_mul(r->g, factor, more[k].e);
    }
}

void reader_add_terminal(struct reader *r, const struct spec_node *block, const struct model_places *places)
{
    struct model *m = r->model;
    int n = 0;
    const struct model_cost *more = read_terminal(r, block, &n);
    const struct model_sampled *before = m->costs.sampled;
    m->costs.sampled = arena_alloc(r->mem, (size_t)(m->costs.n_sampled + n), sizeof *m->costs.sampled);
    for (int k = 0; k < m->costs.n_sampled; k++)
        m->costs.sampled[k] = before[k];
    for (int k = 0; k < n; k++)
        m->costs.sampled[m->costs.n_sampled++] = (struct model_sampled){ more[k], places->at, places->n_time,
                                                                         places->time };
}
