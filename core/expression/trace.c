#include "core/expression/trace.h"

#include "core/expression/graph.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

enum { PART_MAX = 60 };             /* characters of an expression that is quoted */
enum { SYMBOLS_MAX = 6 };           /* symbols whose values are told */
enum { NODES_MAX = 200 };           /* of an expression that are looked at for numbers that are not finite */

/* A text that is filled up to its size. */
struct sink { char *text; size_t size, used; };

__attribute__((format(printf, 2, 3)))
static void put(struct sink *sink, const char *fmt, ...)
{
    if (sink->used + 1 >= sink->size)
        return;
    va_list args;
    va_start(args, fmt);
    const int len = vsnprintf(sink->text + sink->used, sink->size - sink->used, fmt, args);
    va_end(args);
    sink->used += len > 0 ? (size_t)len : 0;
}

static void put_value(struct sink *sink, const struct expr_graph *g, expr e, const double *value)
{
    char *part = graph_text(g, e, PART_MAX);
    put(sink, "%s = %.6g", part, value[e]);
    free(part);
}

/* The argument that brings a NaN or infinity into e, EXPR_NONE if e makes it of finite ones. A branch that is
 * not taken does no harm; infinity as a number was written on purpose. */
static expr bad_argument(const struct expr_graph *g, expr e, const double *value)
{
    const struct node *node = &g->node[e];
    for (int i = 0; i < 3 && node->arg[i] >= 0; i++) {
        const bool skipped =
            (node->op == EXPR_IF || node->op == EXPR_PICK) && i > 0 && (value[node->arg[0]] != 0) == (i == 2);
        if (!skipped && !isfinite(value[node->arg[i]]) && !expr_is_const(g, node->arg[i], NULL))
            return node->arg[i];
    }
    return EXPR_NONE;
}

/* "a = 1, b = 2": the arguments of e that are neither numbers nor symbols. Returns how many. */
static int put_arguments(struct sink *sink, const struct expr_graph *g, expr e, const double *value)
{
    int n = 0;
    for (int i = 0; i < expr_n_args(g, e); i++) {
        const expr arg = expr_arg(g, e, i);
        if (expr_n_args(g, arg) == 0 || (i > 0 && arg == expr_arg(g, e, 0)))
            continue;
        put(sink, n++ ? ", " : ": ");
        put_value(sink, g, arg, value);
    }
    return n;
}

/* The values of the symbols that e depends on; in brackets after those of arguments. */
static void put_symbols(struct sink *sink, const struct expr_graph *g, expr e, const double *value, bool brackets)
{
    int count, n = 0;
    expr *reach = expr_reach(g, 1, &e, &count);
    for (int k = 0; k < count; k++) {
        if (expr_op_of(g, reach[k]) != EXPR_SYM)
            continue;
        if (n == SYMBOLS_MAX) {
            put(sink, ", ...");
            break;
        }
        put(sink, n++ ? ", " : brackets ? " (" : ": ");
        put_value(sink, g, reach[k], value);
    }
    if (n > 0 && brackets)
        put(sink, ")");
    free(reach);
}

/* The argument of a table that has no values on its sides. */
static void put_table(struct sink *sink, const char *arg, double at, const struct table_data *table)
{
    put(sink, "%s = %.10g lies outside of the table, which goes from %.6g to %.6g", arg, at, table->breaks[0],
        table->breaks[table->n]);
}

static void describe(struct sink *sink, const struct expr_graph *g, expr e, const double *value)
{
    const bool is_table = expr_op_of(g, e) == EXPR_TABLE;
    char *part = graph_text(g, is_table ? expr_arg(g, e, 0) : e, PART_MAX);
    if (is_table)
        put_table(sink, part, value[expr_arg(g, e, 0)], expr_table_data(g, e));
    else
        put(sink, "%s is not finite", part);
    free(part);
    const int n = put_arguments(sink, g, e, value);
    put_symbols(sink, g, e, value, n > 0);
}

struct srcpos expr_trace(const struct expr_graph *g, expr e, int n_sym, const expr *sym, const double *value,
                         char *text, size_t size)
{
    struct srcpos pos = { NULL, 0, 0 };
    struct sink sink = { text, size, 0 };
    if (size > 0)
        text[0] = '\0';
    double *val = graph_values(g, e, n_sym, sym, value);
    if (!isfinite(val[e])) {
        for (expr arg = e; arg >= 0; arg = bad_argument(g, e, val)) {
            e = arg;
            pos = g->pos[e].line > 0 ? g->pos[e] : pos;
        }
        describe(&sink, g, e, val);
    }
    free(val);
    return pos;
}

static bool is_never_finite(const struct expr_graph *g, expr e, int *budget)
{
    const enum expr_op op = expr_op_of(g, e);
    const int n = expr_n_args(g, e);
    double value;
    bool of_numbers = n > 0, of_bad = false;
    if (expr_is_const(g, e, &value))
        return !isfinite(value);
    if (n > 2 || --*budget < 0)
        return false;
    for (int i = 0; i < n; i++) {
        const expr arg = expr_arg(g, e, i);
        of_numbers = of_numbers && expr_is_const(g, arg, NULL);
        of_bad = of_bad || (!(op == EXPR_DIV && i == 1) && is_never_finite(g, arg, budget));
    }
    if (of_numbers)
        return !isfinite(expr_eval(g, e, 0, NULL, NULL));
    return of_bad && (op == EXPR_ADD || op == EXPR_MUL || op == EXPR_NEG || op == EXPR_SQUARE || op == EXPR_DIV);
}

bool expr_is_never_finite(const struct expr_graph *g, expr e)
{
    int budget = NODES_MAX;
    return is_never_finite(g, e, &budget);
}
