#include "core/expression/expr.h"

#include "core/base/mem.h"
#include "core/expression/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How tightly a piece of text binds, from loose to tight; as the parser's precedence. */
enum level { LEVEL_OR, LEVEL_AND, LEVEL_NOT, LEVEL_COMPARE, LEVEL_SUM, LEVEL_PRODUCT, LEVEL_POWER, LEVEL_ATOM };

/* What is still to be written: a node, or a piece of text if node is EXPR_NONE. A stack of them replaces
 * recursion, as graphs may be deep. */
struct piece {
    expr node;
    enum level level;               /* a node that binds less tightly gets brackets */
    bool flip;                      /* without the minus that it begins with */
    const char *text;
};

struct writer {
    const struct expr_graph *g;
    struct piece *stack;            /* [n], the next one last */
    int n;
    char *text;                     /* [size] so far, no terminating zero */
    int size;
};

static void push(struct writer *w, struct piece piece)
{
    w->stack = mem_grow(w->stack, w->n, 1, sizeof *w->stack);
    w->stack[w->n++] = piece;
}

static void push_text(struct writer *w, const char *text)
{
    push(w, (struct piece){ EXPR_NONE, LEVEL_ATOM, false, text });
}

static void push_node(struct writer *w, expr e, enum level level)
{
    push(w, (struct piece){ e, level, false, NULL });
}

static void put(struct writer *w, const char *text)
{
    const int len = (int)strlen(text);
    w->text = mem_grow(w->text, w->size, len + 1, 1);
    memcpy(w->text + w->size, text, (size_t)len);
    w->size += len;
}

/* The shortest text that reads back as the same number. */
static void put_number(struct writer *w, double value)
{
    char text[40];
    if (isnan(value)) {
        put(w, "(inf - inf)");
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    put(w, text);
}

/* Level and sign of an operator between two arguments. */
static enum level infix(enum expr_op op, const char **sign)
{
    switch (op) {
    case EXPR_ADD: *sign = " + ";   return LEVEL_SUM;
    case EXPR_MUL: *sign = "*";     return LEVEL_PRODUCT;
    case EXPR_DIV: *sign = "/";     return LEVEL_PRODUCT;
    case EXPR_POW: *sign = "^";     return LEVEL_POWER;
    case EXPR_LT:  *sign = " < ";   return LEVEL_COMPARE;
    case EXPR_LE:  *sign = " <= ";  return LEVEL_COMPARE;
    case EXPR_EQ:  *sign = " == ";  return LEVEL_COMPARE;
    case EXPR_AND: *sign = " and "; return LEVEL_AND;
    case EXPR_OR:  *sign = " or ";  return LEVEL_OR;
    default:       *sign = "";      return LEVEL_ATOM;
    }
}

/* The a of a*a^2, which is what a^3 is built as; EXPR_NONE for anything else. */
static expr cube_root(const struct expr_graph *g, const struct node *node)
{
    for (int k = 0; node->op == EXPR_MUL && k < 2; k++) {
        const struct node *square = &g->node[node->arg[k]];
        if (square->op == EXPR_SQUARE && square->arg[0] == node->arg[!k])
            return node->arg[!k];
    }
    return EXPR_NONE;
}

static enum level level_of(const struct expr_graph *g, expr e)
{
    const char *sign;
    const struct node *node = &g->node[e];
    switch (node->op) {
    case EXPR_CONST:  return node->value < 0 ? LEVEL_PRODUCT : LEVEL_ATOM;
    case EXPR_NEG:    return LEVEL_PRODUCT;
    case EXPR_MUL:    return cube_root(g, node) >= 0 ? LEVEL_POWER : LEVEL_PRODUCT;
    case EXPR_SQUARE: return LEVEL_POWER;
    case EXPR_NOT:    return LEVEL_NOT;
    default:          return infix(node->op, &sign);
    }
}

/* Is e written with a minus in front: a negative number, one times something, or -a? */
static bool has_minus(const struct expr_graph *g, expr e)
{
    const struct node *node = &g->node[e];
    if (node->op == EXPR_MUL || node->op == EXPR_DIV)
        node = &g->node[node->arg[0]];
    return node->op == EXPR_NEG || (node->op == EXPR_CONST && node->value < 0);
}

/* a + b: what has a minus comes last, which makes it the operator; then a constant. */
static void push_sum(struct writer *w, expr a, expr b)
{
    if (has_minus(w->g, a) ? !has_minus(w->g, b) || expr_is_const(w->g, a, NULL)
                           : !has_minus(w->g, b) && expr_is_const(w->g, a, NULL)) {
        const expr swap = a;
        a = b;
        b = swap;
    }
    const bool minus = has_minus(w->g, b);
    push(w, (struct piece){ b, LEVEL_SUM, minus, NULL });
    push_text(w, minus ? " - " : " + ");
    push_node(w, a, LEVEL_SUM);
}

static void push_power(struct writer *w, expr base, const char *exponent)
{
    push_text(w, exponent);
    push_node(w, base, LEVEL_ATOM);
}

static void push_call(struct writer *w, const struct node *node)
{
    push_text(w, ")");
    for (int i = op_info[node->op].n_args - 1; i >= 0; i--) {
        push_node(w, node->arg[i], LEVEL_OR);
        push_text(w, i > 0 ? ", " : "(");
    }
    push_text(w, op_info[node->op].name);
}

static void push_infix(struct writer *w, const struct node *node, bool flip)
{
    const char *sign;
    const enum level level = infix(node->op, &sign);
    enum level left = level, right = level + 1;
    if (level == LEVEL_COMPARE)
        left = right = LEVEL_SUM;
    else if (node->op == EXPR_POW)
        left = LEVEL_ATOM;
    else if (node->op == EXPR_MUL && w->g->node[node->arg[1]].op == EXPR_MUL)
        right = LEVEL_PRODUCT;                  /* a*(b*c) is written a*b*c */
    else if (node->op == EXPR_MUL && expr_is_const(w->g, node->arg[0], NULL))
        right = LEVEL_PRODUCT;                  /* 2*(a/b) is written 2*a/b */
    push_node(w, node->arg[1], right);
    push_text(w, sign);
    push(w, (struct piece){ node->arg[0], left, flip, NULL });
}

/* Writes what comes first of a node and pushes the rest. */
static void open_node(struct writer *w, const struct node *node, bool flip)
{
    const char *sign;
    switch (node->op) {
    case EXPR_CONST:
        put_number(w, flip ? -node->value : node->value);
        break;
    case EXPR_SYM:
        put(w, w->g->sym_name[node->payload]);
        break;
    case EXPR_ADD:
        push_sum(w, node->arg[0], node->arg[1]);
        break;
    case EXPR_NEG:
        push_node(w, node->arg[0], LEVEL_PRODUCT);
        if (!flip)
            put(w, "-");
        break;
    case EXPR_SQUARE:
        push_power(w, node->arg[0], "^2");
        break;
    case EXPR_RELAY:
        push_node(w, node->arg[2], LEVEL_ATOM);
        break;
    case EXPR_NOT:
        push_node(w, node->arg[0], LEVEL_NOT);
        put(w, "not ");
        break;
    default:
        if (cube_root(w->g, node) >= 0)
            push_power(w, cube_root(w->g, node), "^3");
        else if (infix(node->op, &sign) == LEVEL_ATOM)
            push_call(w, node);
        else
            push_infix(w, node, flip);
    }
}

char *graph_text(const struct expr_graph *g, expr e, size_t max_size)
{
    struct writer w = { .g = g };
    put(&w, "");
    push_node(&w, e, LEVEL_OR);
    while (w.n > 0 && (size_t)w.size < max_size) {
        const struct piece piece = w.stack[--w.n];
        if (piece.text) {
            put(&w, piece.text);
            continue;
        }
        if (level_of(g, piece.node) < piece.level) {
            put(&w, "(");
            push_text(&w, ")");
        }
        open_node(&w, &g->node[piece.node], piece.flip);
    }
    if (w.n > 0)
        put(&w, "...");
    w.text[w.size] = '\0';
    free(w.stack);
    return w.text;
}

/* Shared parts are written out each time they occur, which can take any amount of room. */
enum { TEXT_MAX = 1 << 20 };

char *expr_to_text(const struct expr_graph *g, expr e)
{
    return graph_text(g, e, TEXT_MAX);
}

char *expr_to_words(const struct expr_graph *g, expr e)
{
    return graph_text(g, e, EXPR_WORDS);
}
