/* core/expression/grammar.c - expressions, conditions and constraints by recursive descent */
#include "core/expression/parser.h"

#include "core/base/mem.h"
#include "core/base/pi.h"
#include "core/expression/names.h"
#include "core/expression/ops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ARGS_MAX = 64 };             /* arguments of min and max */

static struct operand parse_or(struct parser *p);
static struct operand parse_unary(struct parser *p);

/* What stands for a part that was in error: any number will do. */
static struct operand nothing(struct parser *p)
{
    return (struct operand){ expr_const(p->g, 1), false, p->token.pos };
}

/* A number or symbol is not marked: it is the same node wherever it is written. */
static struct operand made(struct parser *p, expr e, bool truth, struct srcpos pos)
{
    if (expr_n_args(p->g, e) > 0)
        expr_set_pos(p->g, e, pos);
    return (struct operand){ e, truth, pos };
}

/* --- Names ------------------------------------------------------------------------------------------------- */

/* The name of a function or of anything else that is a slip in at most every third letter away, or NULL. */
static const char *find_nearest(struct parser *p, const char *name, bool is_function)
{
    struct nearest best = names_nearest(name, is_function);
    const char *candidate;
    for (int i = 0; !is_function && p->scope->name && (candidate = p->scope->name(p->scope->user, i)); i++)
        names_consider(&best, name, candidate);
    return best.name;
}

static void report_unknown(struct parser *p, const char *name, bool is_function, struct srcpos pos)
{
    const char *kind = is_function ? "function" : "name";
    const char *nearest = find_nearest(p, name, is_function);
    diag_error(p->diag, pos, p->src->path, "unknown %s \"%s\"%s%s%s", kind, name,
               nearest ? " (did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?)" : "");
    p->failed = true;
}

/* The expression of a name that is no function; EXPR_NONE if there is none. */
static expr resolve(struct parser *p, const char *name, struct srcpos pos, bool *reported)
{
    if (strcmp(name, "pi") == 0)
        return expr_const(p->g, PI);
    if (strcmp(name, "inf") == 0)
        return expr_const(p->g, INFINITY);
    *reported = false;
    return p->scope->resolve(p->scope->user, name, pos, p->diag, reported);
}

static struct operand parse_variable(struct parser *p, const char *name, struct srcpos pos)
{
    bool reported = false;
    const expr e = resolve(p, name, pos, &reported);
    if (e >= 0)
        return made(p, e, false, pos);
    enum expr_op op;
    if (names_find_function(name, &op))
        parser_stop(p, pos, "\"%s\" is a function: its argument is missing", name);
    else if (!reported)
        report_unknown(p, name, false, pos);
    p->failed = true;
    return nothing(p);
}

/* --- Calls ------------------------------------------------------------------------------------------------- */

/* Arguments after the opening bracket, the closing one included. Returns how many. */
static int parse_args(struct parser *p, struct operand *arg)
{
    const struct srcpos open = p->token.pos;
    int n = 0;
    parser_next(p);
    while (p->token.kind != TOKEN_CLOSE && !p->stopped) {
        if (n == ARGS_MAX) {
            parser_stop(p, p->token.pos, "more than %d arguments", ARGS_MAX);
            break;
        }
        arg[n++] = parse_or(p);
        if (p->token.kind != TOKEN_COMMA)
            break;
        parser_next(p);
        if (p->token.kind == TOKEN_CLOSE)
            parser_stop_at_token(p, "an argument");
    }
    parser_close(p, open, "an operator, \",\" or \")\"");
    return n;
}

static struct operand call_function(struct parser *p, enum expr_op op, int n, const struct operand *arg,
                                    struct srcpos pos)
{
    const int n_args = op_info[op].n_args;
    const bool any_more = op == EXPR_MIN || op == EXPR_MAX;
    if (n < n_args || (n > n_args && !any_more)) {
        parser_stop(p, pos, "%s takes %s%d argument%s, got %d", op_info[op].name, any_more ? "at least " : "",
                    n_args, n_args > 1 ? "s" : "", n);
        return nothing(p);
    }
    for (int i = op == EXPR_IF; i < n; i++)
        parser_want_number(p, &arg[i]);
    if (op == EXPR_IF) {
        parser_want_truth(p, &arg[0]);
        return made(p, expr_if(p->g, arg[0].e, arg[1].e, arg[2].e), false, pos);
    }
    if (n == 1)
        return made(p, expr_unary(p->g, op, arg[0].e), false, pos);
    expr e = arg[0].e;
    for (int i = 1; i < n; i++)
        e = expr_binary(p->g, op, e, arg[i].e);
    return made(p, e, false, pos);
}

/* What the caller makes of a call whose arguments are numbers; EXPR_NONE: nothing. */
static expr ask_scope(struct parser *p, const char *name, int n, const struct operand *arg, struct srcpos pos,
                      bool *reported)
{
    expr e[ARGS_MAX];
    for (int i = 0; i < n; i++) {
        parser_want_number(p, &arg[i]);
        e[i] = arg[i].e;
    }
    if (!p->scope->call || p->failed || (n != 1 && names_is_taken(name)))
        return EXPR_NONE;
    return p->scope->call(p->scope->user, name, n, e, pos, p->diag, reported);
}

/* ddt(e) and the like, which the caller knows. */
static struct operand call_scope(struct parser *p, const char *name, int n, const struct operand *arg,
                                 struct srcpos pos)
{
    bool reported = false;
    const expr e = ask_scope(p, name, n, arg, pos, &reported);
    if (e >= 0)
        return made(p, e, false, pos);
    const bool is_called =
        names_is_taken(name) || (p->scope->is_called && p->scope->is_called(p->scope->user, name));
    bool is_variable = false;
    if (!reported && !is_called)
        is_variable = resolve(p, name, pos, &reported) >= 0;
    if (is_variable)
        parser_stop(p, pos, "\"%s\" is not a function; a product needs *", name);
    else if (!reported && n != 1 && names_is_taken(name))
        parser_stop(p, pos, "%s takes 1 argument, got %d", name, n);
    else if (!reported && !(p->failed && is_called))
        report_unknown(p, name, true, pos);
    p->failed = true;
    return nothing(p);
}

static struct operand parse_call(struct parser *p, const char *name, struct srcpos pos)
{
    struct operand *arg = mem_alloc(ARGS_MAX, sizeof *arg);
    const int n = parse_args(p, arg);
    struct operand result = nothing(p);
    if (!p->stopped) {
        enum expr_op op;
        result = names_find_function(name, &op) ? call_function(p, op, n, arg, pos)
                                                : call_scope(p, name, n, arg, pos);
    }
    free(arg);
    return result;
}

static struct operand parse_name(struct parser *p)
{
    const struct token token = p->token;
    char *name = mem_alloc((size_t)token.len + 1, 1);
    memcpy(name, token.text, (size_t)token.len);
    parser_next(p);
    const struct operand result = p->token.kind == TOKEN_OPEN ? parse_call(p, name, token.pos)
                                                              : parse_variable(p, name, token.pos);
    free(name);
    return result;
}

/* --- Grammar, from tight to loose -------------------------------------------------------------------------- */

static struct operand parse_brackets(struct parser *p)
{
    const struct token open = p->token;
    parser_next(p);
    struct operand inner = parse_or(p);
    parser_close(p, open.pos, "an operator or \")\"");
    inner.pos = open.pos;
    return inner;
}

static struct operand parse_atom(struct parser *p)
{
    struct operand result = nothing(p);
    if (!parser_enter(p)) {
        parser_leave(p);
        return result;
    }
    if (p->token.kind == TOKEN_NUMBER) {
        result = made(p, expr_const(p->g, p->token.value), false, p->token.pos);
        parser_next(p);
    } else if (p->token.kind == TOKEN_NAME) {
        result = parse_name(p);
    } else if (p->token.kind == TOKEN_OPEN) {
        result = parse_brackets(p);
    } else {
        parser_stop_at_token(p, "a number, a name or \"(\"");
    }
    parser_leave(p);
    return result;
}

/* a ^ b ^ c = a ^ (b ^ c), and the exponent may have a sign. */
static struct operand parse_power(struct parser *p)
{
    const struct operand base = parse_atom(p);
    if (p->token.kind != TOKEN_POWER)
        return base;
    const struct srcpos pos = p->token.pos;
    parser_next(p);
    const struct operand exponent = parse_unary(p);
    parser_want_number(p, &base);
    parser_want_number(p, &exponent);
    return made(p, expr_binary(p->g, EXPR_POW, base.e, exponent.e), false, pos);
}

static struct operand parse_unary(struct parser *p)
{
    if (p->token.kind != TOKEN_MINUS && p->token.kind != TOKEN_PLUS) {
        struct operand power = nothing(p);
        if (parser_enter(p))
            power = parse_power(p);
        parser_leave(p);
        return power;
    }
    const struct token sign = p->token;
    bool minus = false;
    for (; p->token.kind == TOKEN_MINUS || p->token.kind == TOKEN_PLUS; parser_next(p))
        minus ^= p->token.kind == TOKEN_MINUS;
    const struct operand inner = parse_unary(p);
    parser_want_number(p, &inner);
    return made(p, minus ? expr_neg(p->g, inner.e) : inner.e, false, sign.pos);
}

static expr combine(struct parser *p, enum token_kind sign, expr a, expr b)
{
    switch (sign) {
    case TOKEN_PLUS:  return expr_add(p->g, a, b);
    case TOKEN_MINUS: return expr_sub(p->g, a, b);
    case TOKEN_TIMES: return expr_mul(p->g, a, b);
    case TOKEN_OVER:  return expr_div(p->g, a, b);
    case TOKEN_AND:   return expr_binary(p->g, EXPR_AND, a, b);
    case TOKEN_OR:    return expr_binary(p->g, EXPR_OR, a, b);
    case TOKEN_LT:    return expr_binary(p->g, EXPR_LT, a, b);
    case TOKEN_LE:    return expr_binary(p->g, EXPR_LE, a, b);
    case TOKEN_GE:    return expr_binary(p->g, EXPR_LE, b, a);
    case TOKEN_GT:    return expr_binary(p->g, EXPR_LT, b, a);
    default:          return expr_binary(p->g, EXPR_EQ, a, b);
    }
}

/* Parts that a sign joins from the left, as numbers or as truths. */
static struct operand parse_joined(struct parser *p, struct operand (*part)(struct parser *p), enum token_kind sign,
                                   enum token_kind other_sign, bool truth)
{
    void (*const want)(struct parser *, const struct operand *) = truth ? parser_want_truth : parser_want_number;
    struct operand left = part(p);
    while (p->token.kind == sign || p->token.kind == other_sign) {
        const struct token joint = p->token;
        const struct srcpos start = truth ? joint.pos : left.pos;
        parser_next(p);
        const struct operand right = part(p);
        want(p, &left);
        want(p, &right);
        left = made(p, combine(p, joint.kind, left.e, right.e), truth, joint.pos);
        left.pos = start;
    }
    return left;
}

static struct operand parse_product(struct parser *p)
{
    return parse_joined(p, parse_unary, TOKEN_TIMES, TOKEN_OVER, false);
}

static struct operand parse_sum(struct parser *p)
{
    return parse_joined(p, parse_product, TOKEN_PLUS, TOKEN_MINUS, false);
}

static bool is_comparison(enum token_kind kind)
{
    return kind == TOKEN_LT || kind == TOKEN_LE || kind == TOKEN_EQ || kind == TOKEN_GE || kind == TOKEN_GT;
}

static bool is_ascending(enum token_kind kind)
{
    return kind == TOKEN_LT || kind == TOKEN_LE;
}

/* side[0] sign[0] side[1] sign[1] ...: one side without a sign, or up to three. */
struct chain { struct operand side[3]; struct token sign[2]; int n_signs; };

static struct chain parse_chain(struct parser *p)
{
    struct chain chain = { .n_signs = 0 };
    chain.side[0] = parse_sum(p);
    while (is_comparison(p->token.kind) && !p->stopped) {
        const struct token sign = p->token;
        if (chain.n_signs == 2)
            parser_stop(p, sign.pos, "at most two comparisons in a chain, as a <= e <= b");
        else if (chain.n_signs == 1 && (sign.kind == TOKEN_EQ || chain.sign[0].kind == TOKEN_EQ ||
                                        is_ascending(sign.kind) != is_ascending(chain.sign[0].kind)))
            parser_stop(p, sign.pos, "a chain of comparisons goes one way, as a <= e <= b");
        if (p->stopped)
            break;
        parser_next(p);
        chain.sign[chain.n_signs++] = sign;
        chain.side[chain.n_signs] = parse_sum(p);
    }
    for (int i = 0; chain.n_signs > 0 && i <= chain.n_signs; i++)
        parser_want_number(p, &chain.side[i]);
    return chain;
}

static struct operand parse_comparison(struct parser *p)
{
    const struct chain chain = parse_chain(p);
    struct operand result = chain.side[0];
    for (int i = 0; i < chain.n_signs; i++) {
        const struct token *sign = &chain.sign[i];
        const struct operand one = made(p, combine(p, sign->kind, chain.side[i].e, chain.side[i + 1].e), true,
                                        sign->pos);
        result = i == 0 ? one : made(p, expr_binary(p->g, EXPR_AND, result.e, one.e), true, sign->pos);
    }
    result.pos = chain.side[0].pos;
    return result;
}

static struct operand parse_not(struct parser *p)
{
    const struct token sign = p->token;
    int count = 0;
    for (; p->token.kind == TOKEN_NOT; parser_next(p))
        count++;
    struct operand inner = parse_comparison(p);
    if (count > 0)
        parser_want_truth(p, &inner);
    return count % 2 ? made(p, expr_unary(p->g, EXPR_NOT, inner.e), true, sign.pos) : inner;
}

static struct operand parse_and(struct parser *p)
{
    return parse_joined(p, parse_not, TOKEN_AND, TOKEN_AND, true);
}

static struct operand parse_or(struct parser *p)
{
    return parse_joined(p, parse_and, TOKEN_OR, TOKEN_OR, true);
}

/* --- Whole texts ------------------------------------------------------------------------------------------- */

enum status parse_expression(struct expr_graph *g, const struct parse_text *src, const struct parse_scope *scope,
                             expr *out, struct diag *diag)
{
    struct parser p = parser_create(g, src, scope, diag);
    const struct operand result = parse_or(&p);
    parser_want_number(&p, &result);
    *out = result.e;
    return parser_finish(&p);
}

enum status parse_condition(struct expr_graph *g, const struct parse_text *src, const struct parse_scope *scope,
                            expr *out, struct diag *diag)
{
    struct parser p = parser_create(g, src, scope, diag);
    const struct operand result = parse_or(&p);
    const enum status st = parser_finish(&p);
    parser_want_truth(&p, &result);
    *out = result.e;
    return p.failed ? STATUS_SPEC : st;
}

/* a sign b: a constant side is the bound, otherwise a - b is compared with 0. */
static struct parse_relation relate(struct parser *p, enum token_kind sign, expr a, expr b)
{
    struct parse_relation r = { EXPR_NONE, EXPR_NONE, EXPR_NONE };
    expr bound = b;
    bool body_is_left = true;
    if (expr_is_const(p->g, b, NULL)) {
        r.body = a;
    } else if (expr_is_const(p->g, a, NULL)) {
        r.body = b;
        bound = a;
        body_is_left = false;
    } else {
        r.body = expr_sub(p->g, a, b);
        bound = expr_const(p->g, 0);
    }
    if (sign == TOKEN_EQ || is_ascending(sign) == body_is_left)
        r.ub = bound;
    if (sign == TOKEN_EQ || is_ascending(sign) != body_is_left)
        r.lb = bound;
    return r;
}

enum status parse_relation(struct expr_graph *g, const struct parse_text *src, const struct parse_scope *scope,
                           struct parse_relation *out, struct diag *diag)
{
    struct parser p = parser_create(g, src, scope, diag);
    const struct chain chain = parse_chain(&p);
    *out = (struct parse_relation){ chain.side[0].e, EXPR_NONE, EXPR_NONE };
    if (p.token.kind == TOKEN_AND || p.token.kind == TOKEN_OR)
        parser_stop(&p, p.token.pos, "a constraint is one comparison: write one constraint for each");
    const enum status st = parser_finish(&p);
    if (chain.n_signs == 0)
        parser_stop(&p, chain.side[0].pos, chain.side[0].truth ? "a constraint stands without brackets"
                                                        : "a constraint needs <=, == or >=");
    if (p.failed)
        return STATUS_SPEC;
    if (chain.n_signs == 1)
        *out = relate(&p, chain.sign[0].kind, chain.side[0].e, chain.side[1].e);
    else if (is_ascending(chain.sign[0].kind))
        *out = (struct parse_relation){ chain.side[1].e, chain.side[0].e, chain.side[2].e };
    else
        *out = (struct parse_relation){ chain.side[1].e, chain.side[2].e, chain.side[0].e };
    return st;
}
