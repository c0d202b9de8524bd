#include "core/expression/expr.h"

#include "core/base/mem.h"
#include "core/expression/graph.h"

#include <math.h>
#include <stdlib.h>

static double sign_of(double a)
{
    return isnan(a) ? a : (double)((a > 0) - (a < 0));
}

/* Values of the nonsmooth functions and the conditions; a condition on NaN is false. */
static double nonsmooth_value(enum expr_op op, double a, double b, double c)
{
    switch (op) {
    case EXPR_MIN:  return isnan(a) || isnan(b) ? NAN : fmin(a, b);
    case EXPR_MAX:  return isnan(a) || isnan(b) ? NAN : fmax(a, b);
    case EXPR_SIGN: return sign_of(a);
    case EXPR_STEP: return 0.5 + 0.5 * sign_of(a);
    case EXPR_LT:   return a < b;
    case EXPR_LE:   return a <= b;
    case EXPR_EQ:   return a == b;
    case EXPR_AND:  return a != 0 && b != 0;
    case EXPR_OR:   return a != 0 || b != 0;
    case EXPR_NOT:  return a == 0;
    case EXPR_IF:   return a != 0 ? b : c;
    case EXPR_RELAY: return a > 0 ? 1 : b < 0 ? 0 : isnan(c) ? 0 : c;
    default:        return NAN;
    }
}

double graph_op_value(enum expr_op op, double a, double b, double c)
{
    if (op_info[op].call1)
        return op_info[op].call1(a);
    if (op_info[op].call2)
        return op_info[op].call2(a, b);
    switch (op) {
    case EXPR_ADD:    return a + b;
    case EXPR_MUL:    return a * b;
    case EXPR_DIV:    return a / b;
    case EXPR_NEG:    return -a;
    case EXPR_SQUARE: return a * a;
    case EXPR_SIDE:   return a >= 0;
    case EXPR_PICK:   return a != 0 ? b : c;
    default:          return nonsmooth_value(op, a, b, c);
    }
}

double graph_node_value(const struct expr_graph *g, expr e, const double *arg)
{
    const struct node *node = &g->node[e];
    if (node->op == EXPR_CONST)
        return node->value;
    if (node->op == EXPR_SYM)
        return NAN;
    if (node->op == EXPR_TABLE)
        return graph_table_value(&g->table[node->payload].data, arg[0]);
    if (node->op == EXPR_GRID)
        return graph_grid_value(&g->grid[node->payload].data, arg[0], arg[1]);
    return graph_op_value(node->op, arg[0], arg[1], arg[2]);
}

double *graph_values(const struct expr_graph *g, expr e, int n_sym, const expr *sym, const double *value)
{
    int count;
    expr *reach = expr_reach(g, 1, &e, &count);
    double *val = mem_alloc((size_t)e + 1, sizeof *val);
    for (int k = 0; k < count; k++)
        val[reach[k]] = NAN;                    /* a symbol that has no value */
    for (int s = 0; s < n_sym; s++)
        if (sym[s] <= e)
            val[sym[s]] = value[s];
    for (int k = 0; k < count; k++) {
        const struct node *node = &g->node[reach[k]];
        if (node->op == EXPR_SYM)
            continue;
        double arg[3] = { 0, 0, 0 };
        for (int i = 0; i < 3 && node->arg[i] >= 0; i++)
            arg[i] = val[node->arg[i]];
        val[reach[k]] = graph_node_value(g, reach[k], arg);
    }
    free(reach);
    return val;
}

static int by_index(const void *a, const void *b)
{
    return *(const expr *)a - *(const expr *)b;
}

/* Place of e among the ascending nodes of reach; -1: it is not there. */
static int place_in(int count, const expr *reach, expr e)
{
    const expr *found = bsearch(&e, reach, (size_t)count, sizeof *reach, by_index);
    return found ? (int)(found - reach) : -1;
}

/* Values by place among the nodes that e is made of: for an expression that is a small part of a large graph. */
static double eval_few(const struct expr_graph *g, int count, const expr *reach, int n_sym, const expr *sym,
                       const double *value)
{
    double *val = mem_alloc((size_t)count, sizeof *val);
    for (int k = 0; k < count; k++)
        val[k] = NAN;
    for (int s = 0; s < n_sym; s++)
        if (place_in(count, reach, sym[s]) >= 0)
            val[place_in(count, reach, sym[s])] = value[s];
    for (int k = 0; k < count; k++) {
        const struct node *node = &g->node[reach[k]];
        double arg[3] = { 0, 0, 0 };
        for (int i = 0; i < 3 && node->arg[i] >= 0; i++)
            arg[i] = val[place_in(count, reach, node->arg[i])];
        if (node->op != EXPR_SYM)
            val[k] = graph_node_value(g, reach[k], arg);
    }
    const double result = val[count - 1];
    free(val);
    return result;
}

double expr_eval(const struct expr_graph *g, expr e, int n_sym, const expr *sym, const double *value)
{
    enum { SHARE = 16 };            /* a search for a place costs as much as so many values that are cleared */
    int count;
    double number;
    if (expr_is_const(g, e, &number))
        return number;
    expr *reach = expr_reach(g, 1, &e, &count);
    double *val = count <= e / SHARE ? NULL : graph_values(g, e, n_sym, sym, value);
    const double result = val ? val[e] : eval_few(g, count, reach, n_sym, sym, value);
    free(val);
    free(reach);
    return result;
}
