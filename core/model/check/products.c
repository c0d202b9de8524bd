#include "core/model/check/products.h"

#include "core/base/mem.h"
#include "core/expression/degree.h"

#include <math.h>
#include <stdlib.h>

#define NEARLY_ZERO 1e-2            /* in any unit: larger bounds of a product may be meant as they stand */
enum { MOST_TERMS = 100 };          /* of a sum of products */

/* --- What is never negative ------------------------------------------------------------------------------------ */

static bool has_lower_bound(const struct model *m, expr sym)
{
    for (int i = 0; i < m->n_x; i++)
        if (m->x_sym[i] == sym)
            return m->x[i].lb >= 0;
    for (int i = 0; i < m->n_u; i++)
        if (m->u_sym[i] == sym)
            return m->u[i].lb >= 0;
    for (int k = 0; k < m->n_p; k++)
        if (m->p_sym[k] == sym)
            return m->param[m->p_param[k]].lb >= 0;
    return sym == m->t_sym;
}

/* By a constraint along the path, or as the gap of a contact. */
static bool is_kept(const struct model *m, expr e)
{
    for (int k = 0; k < m->constraints.n_constraint; k++) {
        const struct model_constraint *c = &m->constraints.constraint[k];
        if ((c->at & AT_STAGES && c->e == e && c->lb >= 0)
            || (c->at & AT_STAGES && c->e == expr_neg(m->graph, e) && c->ub <= 0))
            return true;
    }
    for (int c = 0; c < m->contacts.n_contact; c++)
        if (m->contacts.contact[c].gap == e)
            return true;
    return false;
}

/* Of a node whose arguments are known to be so, or not. */
static bool node_is_nonnegative(const struct model *m, expr e, const bool *known)
{
    const struct expr_graph *g = m->graph;
    double value;
    switch (expr_op_of(g, e)) {
    case EXPR_CONST:
        return expr_is_const(g, e, &value) && value >= 0;
    case EXPR_SYM:
        return has_lower_bound(m, e) || is_kept(m, e);
    case EXPR_ADD: case EXPR_MUL: case EXPR_DIV:
        return (known[expr_arg(g, e, 0)] && known[expr_arg(g, e, 1)]) || is_kept(m, e);
    case EXPR_SQUARE: case EXPR_SQRT: case EXPR_EXP:
        return true;
    default:
        return is_kept(m, e);
    }
}

/* Each node once: products of products of the same are a short graph and a long formula. */
static bool is_nonnegative(const struct model *m, expr e)
{
    int n;
    expr *node = expr_reach(m->graph, 1, &e, &n);
    bool *known = mem_alloc((size_t)e + 1, sizeof *known);
    for (int k = 0; k < n; k++)
        known[node[k]] = node_is_nonnegative(m, node[k], known);
    const bool is = known[e];
    free(known);
    free(node);
    return is;
}

/* --- Products -------------------------------------------------------------------------------------------------- */

/* A product of two that are never negative. */
static bool is_product(const struct model *m, expr e)
{
    const struct expr_graph *g = m->graph;
    return expr_op_of(g, e) == EXPR_MUL && is_nonnegative(m, expr_arg(g, e, 0))
           && is_nonnegative(m, expr_arg(g, e, 1));
}

/* Is such a product, a multiple or a sum of them held at 0? *one: the first one. *most: terms
 * that may still be looked at. */
static bool holds_products(const struct model *m, expr e, double sign, int *most, expr *one)
{
    expr rest;
    const double number = sign * expr_multiple(m->graph, e, &rest);
    if (--*most < 0)
        return false;
    if (expr_op_of(m->graph, rest) == EXPR_ADD)
        return holds_products(m, expr_arg(m->graph, rest, 1), number, most, one)
               && holds_products(m, expr_arg(m->graph, rest, 0), number, most, one);
    *one = rest;
    return number > 0 && is_product(m, rest);
}

static void warn(const struct model *m, const struct model_constraint *c, expr product, struct diag *diag)
{
    char *G = expr_to_words(m->graph, expr_arg(m->graph, product, 0));
    char *H = expr_to_words(m->graph, expr_arg(m->graph, product, 1));
    diag_add(diag, DIAG_WARNING, STATUS_OK, c->pos, c->path, "holds a product of two at 0 that are never negative, which "
             "solvers take badly: write complementarity: {%s: {G: \"%s\", H: \"%s\"}} in its place", c->name, G, H);
    free(G);
    free(H);
}

void model_check_products(const struct model *model, struct diag *diag)
{
    for (int k = 0; k < model->constraints.n_constraint; k++) {
        const struct model_constraint *c = &model->constraints.constraint[k];
        const bool above = c->ub >= 0 && c->ub <= NEARLY_ZERO, below = c->lb <= 0 && c->lb >= -NEARLY_ZERO;
        expr one = EXPR_NONE;
        int up = MOST_TERMS, down = MOST_TERMS;
        if (!(c->at & (AT_STAGES | AT_ELEMENTS | AT_INTERVALS)))
            continue;
        if ((above && holds_products(model, c->e, 1, &up, &one))
            || (below && holds_products(model, c->e, -1, &down, &one)))
            warn(model, c, one, diag);
    }
}
