#include "core/expression/degree.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

static int at_most(int degree)
{
    return degree < EXPR_NOT_POLYNOMIAL ? degree : EXPR_NOT_POLYNOMIAL;
}

static int largest(int a, int b)
{
    return a > b ? a : b;
}

static int power_degree(const struct expr_graph *g, expr e, int a)
{
    double n;
    if (!expr_is_const(g, expr_arg(g, e, 1), &n) || n != trunc(n) || n < 0 || n > EXPR_NOT_POLYNOMIAL)
        return EXPR_NOT_POLYNOMIAL;
    return at_most(a * (int)n);
}

/* Of node e, whose arguments have degrees a and b. */
static int node_degree(const struct expr_graph *g, expr e, int a, int b)
{
    switch (expr_op_of(g, e)) {
    case EXPR_CONST:  return 0;
    case EXPR_NEG:    return a;
    case EXPR_ADD:    return largest(a, b);
    case EXPR_MUL:    return at_most(a + b);
    case EXPR_SQUARE: return at_most(2 * a);
    case EXPR_POW:    return b == 0 && a == 0 ? 0 : power_degree(g, e, a);
    case EXPR_DIV:    return b == 0 ? a : EXPR_NOT_POLYNOMIAL;
    default:          return EXPR_NOT_POLYNOMIAL;
    }
}

int expr_degree(const struct expr_graph *g, expr e, int n_sym, const expr *sym, const int *degree)
{
    int count;
    expr *node = expr_reach(g, 1, &e, &count);
    int *of = mem_alloc((size_t)e + 1, sizeof *of);
    for (int k = 0; k < n_sym; k++)
        if (sym[k] <= e)
            of[sym[k]] = degree[k];
    for (int k = 0; k < count; k++) {
        int arg[3] = { 0, 0, 0 }, most = 0;
        if (expr_op_of(g, node[k]) == EXPR_SYM)
            continue;
        for (int i = 0; i < expr_n_args(g, node[k]); i++) {
            arg[i] = of[expr_arg(g, node[k], i)];
            most = largest(most, arg[i]);
        }
        of[node[k]] = most == 0 ? 0 : node_degree(g, node[k], arg[0], arg[1]);
    }
    const int result = of[e];
    free(of);
    free(node);
    return result;
}

enum { NESTED_MAX = 8 };            /* products within products that are looked through */

static double power_of(const struct expr_graph *g, expr e, int depth, expr *base)
{
    const enum expr_op op = expr_op_of(g, e);
    double n;
    if (op == EXPR_SQUARE && depth > 0)
        return 2 * power_of(g, expr_arg(g, e, 0), depth - 1, base);
    if (op == EXPR_POW && expr_is_const(g, expr_arg(g, e, 1), &n) && n > 1 && depth > 0)
        return n * power_of(g, expr_arg(g, e, 0), depth - 1, base);
    if (op == EXPR_MUL && depth > 0) {
        expr other;
        const double first = power_of(g, expr_arg(g, e, 0), depth - 1, base);
        const double second = power_of(g, expr_arg(g, e, 1), depth - 1, &other);
        if (*base == other)
            return first + second;
    }
    *base = e;
    return 1;
}

double expr_power(const struct expr_graph *g, expr e, expr *base)
{
    return power_of(g, e, NESTED_MAX, base);
}

double expr_multiple(const struct expr_graph *g, expr e, expr *rest)
{
    const enum expr_op op = expr_op_of(g, e);
    double number = op == EXPR_NEG ? -1 : 1;
    const bool has_number = op == EXPR_MUL && expr_is_const(g, expr_arg(g, e, 0), &number);
    *rest = has_number ? expr_arg(g, e, 1) : op == EXPR_NEG ? expr_arg(g, e, 0) : e;
    return number;
}
