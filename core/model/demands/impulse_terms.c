/* core/model/demands/impulse_terms.c - costs and constraints of each impulse
 *
 * |dv| in a cost is a parameter s >= 0 with s - dv >= 0 and s + dv >= 0, sqrt(e) one with s^2 >= e: what is
 * minimized is then equal.
 */
#include "core/model/demands/read.h"

#include "core/model/variables/read.h"

#include <math.h>

/* Whose impulses an expression is of: those that act at one time. -1 (reported): nobody's, or of several times. */
static int leader_of(struct reader *r, const struct spec_node *node, expr e)
{
    const struct model *m = r->model;
    int leader = -1;
    for (int k = 0; k < m->impulses.n_impulse; k++) {
        if (!expr_depends(r->g, e, 1, &m->impulses.impulse[k].sym))
            continue;
        if (leader >= 0 && m->impulses.impulse[k].leader != leader) {
            spec_error(r->diag, node,
                       "%s and %s have times of their own: one entry for each, or impulsive: {with: ...}",
                       m->impulses.impulse[leader].var.name, m->impulses.impulse[k].var.name);
            return -1;
        }
        leader = m->impulses.impulse[k].leader;
    }
    if (leader < 0 && !reader_is_broken(r, e))
        spec_error(r->diag, node, "speaks of no impulsive control");
    return leader;
}

/* e for the j-th impulses of a leader and those with it. */
static expr of_impulse(struct reader *r, expr e, int leader, int j)
{
    const struct model *m = r->model;
    for (int k = 0; k < m->impulses.n_impulse; k++)
        if (m->impulses.impulse[k].leader == leader && j < m->impulses.impulse[k].n)
            expr_substitute(r->g, 1, &e, 1, &m->impulses.impulse[k].sym,
                            &m->param[m->impulses.impulse[k].param[j]].value_expr, &e);
    const expr t = model_boundary_time(m, r->g, m->impulses.impulse[leader].at[j]);
    expr_substitute(r->g, 1, &e, 1, &m->t_sym, &t, &e);
    return e;
}

/* What may be left of an expression once impulses are numbers. */
static enum status check_rest(struct reader *r, const struct spec_node *node, expr e, const char *what)
{
    const struct model *m = r->model;
    const expr number = impulse_some_number(r);
    for (int k = 0; k < m->impulses.n_impulse; k++)
        expr_substitute(r->g, 1, &e, 1, &m->impulses.impulse[k].sym, &number, &e);
    return check_uses(r, node, e, USES_TIME, what);
}

struct roots { const struct spec_node *node; const char *name; int leader, j, n; };

/* The parameter that takes the place of |e| or sqrt(e), weight a factor that is not negative, and its rows. */
static expr add_root(struct reader *r, struct roots *at, expr root)
{
    struct model *m = r->model;
    const bool is_abs = expr_op_of(r->g, root) == EXPR_ABS;
    const expr e = of_impulse(r, expr_arg(r->g, root, 0), at->leader, at->j);
    const struct model_var *of = &m->impulses.impulse[at->leader].var;
    const char *name = arena_printf(r->mem, at->n ? "%s_%d_%d" : "%s_%d", at->name, at->j + 1, at->n + 1);
    const double value = model_value_at(m, of_impulse(r, root, at->leader, at->j), AT_GUESS);
    const int k = reader_add_parameter(r, of, name, "", 0, INFINITY, isfinite(value) ? value : 0);
    const expr s = m->param[k].value_expr;
    const expr row[2] = { is_abs ? expr_sub(r->g, s, e) : expr_sub(r->g, expr_square(r->g, s), e),
                          expr_add(r->g, s, e) };
    at->n++;
    reader_make_constraint_room(r, 2);
    for (int i = 0; i < (is_abs ? 2 : 1); i++)
        m->constraints.constraint[m->constraints.n_constraint++] = (struct model_constraint){
            .name = name, .path = at->node->path, .pos = at->node->pos, .e = row[i], .lb = 0, .ub = INFINITY,
            .at = AT_FINAL };
    return s;
}

/* Is |e| the impulse itself, as that is never negative? */
static bool is_positive(const struct reader *r, expr e)
{
    const struct model *m = r->model;
    for (int k = 0; k < m->impulses.n_impulse; k++)
        if (m->impulses.impulse[k].sym == e && m->impulses.impulse[k].var.lb >= 0)
            return true;
    return false;
}

/* e with a parameter for each |.| and sqrt(.) in sums with factors >= 0; *refused: others. */
static expr lift_roots(struct reader *r, struct roots *at, expr e, double weight, bool *refused)
{
    struct expr_graph *g = r->g;
    const enum expr_op op = expr_op_of(g, e);
    const int n = expr_n_args(g, e);
    const expr a = n > 0 ? expr_arg(g, e, 0) : EXPR_NONE, b = n > 1 ? expr_arg(g, e, 1) : EXPR_NONE;
    double c = 0;
    if (op == EXPR_ABS && is_positive(r, a))
        return of_impulse(r, a, at->leader, at->j);
    if ((op == EXPR_ABS || op == EXPR_SQRT) && expr_find_nonsmooth(g, a) == EXPR_NONE) {
        *refused = *refused || weight < 0;
        return *refused ? r->broken : add_root(r, at, e);
    }
    switch (op) {
    case EXPR_NEG: return expr_neg(g, lift_roots(r, at, a, -weight, refused));
    case EXPR_ADD: return expr_add(g, lift_roots(r, at, a, weight, refused), lift_roots(r, at, b, weight, refused));
    case EXPR_DIV:
        if (expr_is_const(g, b, &c))
            return expr_div(g, lift_roots(r, at, a, weight * c, refused), b);
        break;
    case EXPR_MUL:
        if (expr_is_const(g, a, &c))
            return expr_mul(g, a, lift_roots(r, at, b, weight * c, refused));
        if (expr_is_const(g, b, &c))
            return expr_mul(g, b, lift_roots(r, at, a, weight * c, refused));
        break;
    default: break;
    }
    *refused = *refused || expr_find_nonsmooth(g, e) != EXPR_NONE;
    return *refused ? r->broken : of_impulse(r, e, at->leader, at->j);
}

/* The sum over impulses, a terminal cost as it has no time of its own. */
static void add_cost(struct reader *r, const struct spec_node *node, expr e)
{
    struct model *m = r->model;
    const int leader = leader_of(r, node, e);
    if (leader < 0 || check_rest(r, node, e, "a cost of impulses, a function of impulses and time,") != STATUS_OK)
        return;
    expr sum = expr_const(r->g, 0);
    bool refused = false;
    for (int j = 0; j < m->impulses.impulse[leader].n && !refused; j++) {
        struct roots at = { node, node->key, leader, j, 0 };
        sum = expr_add(r->g, sum, lift_roots(r, &at, e, 1, &refused));
    }
    if (refused)
        spec_error(r->diag, node,
                   "is not smooth: abs and sqrt of impulses may stand in sums, with numbers above 0 as factors");
    else
        m->costs.terminal[m->costs.n_terminal++] = (struct model_cost){ node->key, node->path, node->pos, sum,
                                                                        false };
}

void impulse_add_cost(struct reader *r, const struct spec_node *block)
{
    struct model *m = r->model;
    if (!block)
        return;
    struct model_cost *all = arena_alloc(r->mem, (size_t)(m->costs.n_terminal + block->n), sizeof *all);
    for (int k = 0; k < m->costs.n_terminal; k++)
        all[k] = m->costs.terminal[k];
    m->costs.terminal = all;
    for (int i = 0; i < block->n; i++)
        add_cost(r, block->child[i], reader_cost_entry(r, block->child[i], &model_cost_entry_shape));
}

void impulse_add_relation(struct reader *r, const struct spec_node *node, const struct parse_relation *rel,
                          void (*add)(struct reader *r, const struct spec_node *node,
                                      const struct parse_relation *rel, const struct model_places *places))
{
    const struct model *m = r->model;
    const struct model_places end = { .at = AT_FINAL };
    const int leader = leader_of(r, node, rel->body);
    if (leader < 0
        || check_rest(r, node, rel->body, "a constraint of impulses, a function of impulses and time,")
               != STATUS_OK)
        return;
    reader_make_constraint_room(r, 2 * m->impulses.impulse[leader].n);
    for (int j = 0; j < m->impulses.impulse[leader].n; j++) {
        struct parse_relation one = *rel;
        one.body = of_impulse(r, rel->body, leader, j);
        add(r, node, &one, &end);
    }
}
