#include "core/expression/nonsmooth.h"

#include "core/base/mem.h"
#include "core/expression/graph.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* --- Is one switching function a multiple of another? ------------------------------------------------------ */

/* Terms that a switching function is split into; one with more is only equal to itself. */
enum { TERMS_MAX = 32 };

struct term { double c; expr e; };              /* c * e; e is no number, no product with one, no sum */

struct terms { int n; struct term term[TERMS_MAX]; };   /* ascending by e */

/* Takes numbers off the front of a term: 3*e, -e, 3/y, 3. */
static struct term split_term(struct expr_graph *g, double c, expr e)
{
    double number;
    const enum expr_op op = expr_op_of(g, e);
    if (expr_is_const(g, e, &number))
        return (struct term){ c * number, expr_const(g, 1) };
    if (op == EXPR_NEG)
        return (struct term){ -c, expr_arg(g, e, 0) };
    if (op == EXPR_MUL && expr_is_const(g, expr_arg(g, e, 0), &number))
        return (struct term){ c * number, expr_arg(g, e, 1) };
    if (op == EXPR_DIV && expr_is_const(g, expr_arg(g, e, 0), &number))
        return (struct term){ c * number, expr_div(g, expr_const(g, 1), expr_arg(g, e, 1)) };
    return (struct term){ c, e };
}

static void insert_term(struct terms *t, struct term term)
{
    int at = 0;
    while (at < t->n && t->term[at].e < term.e)
        at++;
    if (at < t->n && t->term[at].e == term.e) {
        t->term[at].c += term.c;
        return;
    }
    for (int k = t->n++; k > at; k--)
        t->term[k] = t->term[k - 1];
    t->term[at] = term;
}

/* The terms of e, through brackets: 2*(x + y) has two. */
static struct terms list_terms(struct expr_graph *g, expr e)
{
    struct term open[TERMS_MAX] = { split_term(g, 1, e) };
    struct terms t = { .n = 0 };
    for (int n = 1; n > 0; ) {
        const struct term term = open[--n];
        if (expr_op_of(g, term.e) != EXPR_ADD) {
            insert_term(&t, term);
            continue;
        }
        if (t.n + n + 2 > TERMS_MAX)
            return (struct terms){ 1, { split_term(g, 1, e) } };
        for (int i = 0; i < 2; i++)
            open[n++] = split_term(g, term.c, expr_arg(g, term.e, i));
    }
    return t;
}

/* k with p = k q, 0 if there is none. */
static double ratio(const struct terms *p, const struct terms *q)
{
    const double rounding = 1e-14;              /* relative, of coefficients that went through a few products */
    if (p->n != q->n)
        return 0;
    const double k = p->term[0].c / q->term[0].c;
    for (int i = 0; i < p->n; i++)
        if (p->term[i].e != q->term[i].e ||
            !(fabs(p->term[i].c - k * q->term[i].c) <= rounding * fabs(p->term[i].c)))
            return 0;
    return isfinite(k) ? k : 0;
}

/* --- The set of switching functions ------------------------------------------------------------------------ */

static expr add_switch(struct expr_graph *g, struct switch_set *set, expr c, struct srcpos pos)
{
    enum { NAME_MAX_SIZE = 80 };
    set->c = mem_grow(set->c, set->n, 1, sizeof *set->c);
    set->alpha = mem_grow(set->alpha, set->n, 1, sizeof *set->alpha);
    set->pos = mem_grow(set->pos, set->n, 1, sizeof *set->pos);
    char *name = graph_text(g, expr_unary(g, EXPR_STEP, c), NAME_MAX_SIZE);
    set->c[set->n] = c;
    set->alpha[set->n] = expr_sym(g, name);
    set->pos[set->n] = pos;
    free(name);
    return set->alpha[set->n++];
}

/* alpha(c), that of a multiple of c if there is one: fesd.md 3. */
static expr alpha_of(struct expr_graph *g, struct switch_set *set, expr c, struct srcpos pos)
{
    double number;
    if (expr_is_const(g, c, &number))
        return expr_const(g, graph_op_value(EXPR_STEP, number, 0, 0));
    const struct terms new = list_terms(g, c);
    for (int i = 0; i < set->n; i++) {
        const struct terms old = list_terms(g, set->c[i]);
        const double k = ratio(&new, &old);
        if (k > 0)
            return set->alpha[i];
        if (k < 0)
            return expr_sub(g, expr_const(g, 1), set->alpha[i]);
    }
    return add_switch(g, set, c, pos);
}

/* The state of relay e with lowered arguments; its own switching function says when it changes. */
static expr state_of_relay(struct expr_graph *g, struct switch_set *set, const expr arg[3], struct srcpos pos)
{
    const expr state = arg[2];
    if (expr_is_const(g, arg[0], NULL))
        return state;
    for (int i = 0; i < set->n; i++)
        if (set->alpha[i] == state)
            return state;
    add_switch(g, set, expr_add(g, arg[0], expr_mul(g, expr_sub(g, arg[1], arg[0]), state)), pos);
    return set->alpha[set->n - 1] = state;
}

void switch_set_free(struct switch_set *set)
{
    free(set->c);
    free(set->alpha);
    free(set->pos);
    *set = (struct switch_set){ 0 };
}

/* --- Lowering ---------------------------------------------------------------------------------------------- */

/* b + (a - b) alpha: a where alpha is 1, b where it is 0. */
static expr blend(struct expr_graph *g, expr alpha, expr a, expr b)
{
    return expr_add(g, b, expr_mul(g, expr_sub(g, a, b), alpha));
}

static expr complement(struct expr_graph *g, expr a)
{
    return expr_sub(g, expr_const(g, 1), a);
}

/* The product of two truths; one and the same is no square, as alpha is any number in [0, 1]. */
static expr both(struct expr_graph *g, expr a, expr b)
{
    return a == b ? a : expr_mul(g, a, b);
}

/* Node e without its kink; `image` says what its arguments have become. */
static expr lower(struct expr_graph *g, expr e, const expr *image, struct switch_set *set)
{
    const struct node node = g->node[e];
    const struct srcpos pos = g->pos[e];
    expr arg[3] = { EXPR_NONE, EXPR_NONE, EXPR_NONE };
    if (!op_info[node.op].is_nonsmooth)
        return graph_rebuild(g, e, image);
    for (int i = 0; i < op_info[node.op].n_args; i++)
        arg[i] = image[node.arg[i]];
    const expr one = expr_const(g, 1), minus_one = expr_const(g, -1);
    switch (node.op) {
    case EXPR_STEP: return alpha_of(g, set, arg[0], pos);
    case EXPR_SIGN: return blend(g, alpha_of(g, set, arg[0], pos), one, minus_one);
    case EXPR_ABS:  return expr_mul(g, arg[0], blend(g, alpha_of(g, set, arg[0], pos), one, minus_one));
    case EXPR_MAX:  return blend(g, alpha_of(g, set, expr_sub(g, arg[0], arg[1]), pos), arg[0], arg[1]);
    case EXPR_MIN:  return blend(g, alpha_of(g, set, expr_sub(g, arg[0], arg[1]), pos), arg[1], arg[0]);
    case EXPR_LT:
    case EXPR_LE:   return alpha_of(g, set, expr_sub(g, arg[1], arg[0]), pos);
    case EXPR_AND:  return both(g, arg[0], arg[1]);
    case EXPR_OR:   return complement(g, both(g, complement(g, arg[0]), complement(g, arg[1])));
    case EXPR_NOT:  return complement(g, arg[0]);
    case EXPR_IF:   return blend(g, arg[0], arg[1], arg[2]);
    case EXPR_RELAY: return state_of_relay(g, set, arg, pos);
    default:        break;
    }
    assert(0 && "not a nonsmooth node");
    return EXPR_NONE;
}

enum status nonsmooth_lower(struct expr_graph *g, expr e, struct switch_set *set, expr *out, struct diag *diag)
{
    enum status st = STATUS_OK;
    int count;
    expr *reach = expr_reach(g, 1, &e, &count);
    expr *image = mem_alloc((size_t)e + 1, sizeof *image);
    for (int k = 0; k < count && st == STATUS_OK; k++)
        if (expr_op_of(g, reach[k]) == EXPR_EQ)
            st = diag_error(diag, expr_pos(g, reach[k]), NULL,
                            "== cannot switch the dynamics: it holds at single points; use <= or >=");
        else
            image[reach[k]] = lower(g, reach[k], image, set);
    *out = st == STATUS_OK ? image[e] : EXPR_NONE;
    free(image);
    free(reach);
    return st;
}

expr nonsmooth_recall(struct expr_graph *g, expr e)
{
    int count;
    expr *reach = expr_reach(g, 1, &e, &count);
    expr *image = mem_alloc((size_t)e + 1, sizeof *image);
    for (int k = 0; k < count; k++)
        image[reach[k]] = expr_op_of(g, reach[k]) == EXPR_RELAY ? image[expr_arg(g, reach[k], 2)]
                                                                : graph_rebuild(g, reach[k], image);
    const expr out = image[e];
    free(image);
    free(reach);
    return out;
}
