#include "core/expression/parse.h"

#include "core/base/mem.h"
#include "core/expression/lexer.h"
#include "core/expression/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Brackets, signs and powers within each other: far more than anyone writes, far less than the stack holds. */
enum { DEPTH_MAX = 400 };

struct parser {
    struct expr_graph *g;
    const struct parse_text *src;
    const struct parse_scope *scope;
    struct diag *diag;
    struct lexer lexer;
    struct token token;             /* the next one */
    struct token last;              /* the one before */
    int depth;
    bool failed;                    /* an error was reported; the result means nothing */
    bool stopped;                   /* it was one of syntax: `token` is the end from now on */
};

/* A part of the text: a number, or a condition (truth). */
struct operand { expr e; bool truth; struct srcpos pos; };

static struct operand parse_or(struct parser *p);
static struct operand parse_unary(struct parser *p);

/* --- Tokens and errors ------------------------------------------------------------------------------------- */

static void next(struct parser *p)
{
    p->last = p->token;
    if (!p->stopped)
        p->token = lexer_next(&p->lexer);
}

/* A name or a token as text for a message, cut to a bearable length. */
struct quoted { char text[64]; };

static struct quoted quote(const struct token *token)
{
    struct quoted q;
    snprintf(q.text, sizeof q.text, "%.*s", token->len, token->text);
    return q;
}

/* Reports an error of syntax, unless there was one before, and ends the text here. */
static void stop(struct parser *p, struct srcpos pos, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void stop(struct parser *p, struct srcpos pos, const char *fmt, ...)
{
    if (!p->stopped) {
        va_list args;
        va_start(args, fmt);
        diag_vadd(p->diag, DIAG_ERROR, STATUS_SPEC, pos, p->src->path, fmt, args);
        va_end(args);
    }
    p->failed = p->stopped = true;
    p->token = (struct token){ .kind = TOKEN_END, .pos = p->token.pos, .text = "" };
}

/* The next token cannot stand where it does. */
static void stop_at_token(struct parser *p, const char *wanted)
{
    const struct token *token = &p->token;
    if (token->kind == TOKEN_BAD)
        stop(p, token->pos, "\"%s\": %s", quote(token).text, token->hint);
    else if (token->kind == TOKEN_END && p->last.kind != TOKEN_END)
        stop(p, token->pos, "%s is missing after \"%s\"", wanted, quote(&p->last).text);
    else if (token->kind == TOKEN_END)
        stop(p, token->pos, "%s is missing", wanted);
    else
        stop(p, token->pos, "%s is missing before \"%s\"", wanted, quote(token).text);
}

static bool enter(struct parser *p)
{
    if (++p->depth > DEPTH_MAX)
        stop(p, p->token.pos, "nested more than %d deep", DEPTH_MAX);
    return !p->stopped;
}

static void leave(struct parser *p)
{
    p->depth--;
}

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

static void want_number(struct parser *p, const struct operand *operand)
{
    if (operand->truth)
        stop(p, operand->pos, "a comparison stands where a number is wanted");
}

static void want_truth(struct parser *p, const struct operand *operand)
{
    if (!operand->truth && !p->stopped)
        stop(p, operand->pos, "a condition is wanted here, as c > 0");
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
    if (nearest)
        diag_error(p->diag, pos, p->src->path, "unknown %s \"%s\" (did you mean \"%s\"?)", kind, name, nearest);
    else
        diag_error(p->diag, pos, p->src->path, "unknown %s \"%s\"", kind, name);
    p->failed = true;
}

/* The expression of a name that is no function; EXPR_NONE if there is none. */
static expr resolve(struct parser *p, const char *name, struct srcpos pos, bool *reported)
{
    if (strcmp(name, "pi") == 0)
        return expr_const(p->g, 3.14159265358979323846);
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
    if (names_find_function(name))
        stop(p, pos, "\"%s\" is a function: its argument is missing", name);
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
    next(p);
    while (p->token.kind != TOKEN_CLOSE && !p->stopped) {
        if (n == ARGS_MAX) {
            stop(p, p->token.pos, "more than %d arguments", ARGS_MAX);
            break;
        }
        arg[n++] = parse_or(p);
        if (p->token.kind != TOKEN_COMMA)
            break;
        next(p);
        if (p->token.kind == TOKEN_CLOSE)
            stop_at_token(p, "an argument");
    }
    if (p->token.kind == TOKEN_END)
        stop(p, open, "\")\" is missing: this bracket is not closed");
    else if (p->token.kind != TOKEN_CLOSE)
        stop_at_token(p, "an operator, \",\" or \")\"");
    else
        next(p);
    return n;
}

static struct operand call_function(struct parser *p, const struct function *f, int n, const struct operand *arg,
                                    struct srcpos pos)
{
    if (n < f->min_args || n > f->max_args) {
        if (f->min_args == f->max_args)
            stop(p, pos, "%s takes %d argument%s, got %d", f->name, f->min_args, f->min_args > 1 ? "s" : "", n);
        else
            stop(p, pos, "%s takes at least %d arguments, got %d", f->name, f->min_args, n);
        return nothing(p);
    }
    for (int i = f->op == EXPR_IF; i < n; i++)
        want_number(p, &arg[i]);
    if (f->op == EXPR_IF) {
        want_truth(p, &arg[0]);
        return made(p, expr_if(p->g, arg[0].e, arg[1].e, arg[2].e), false, pos);
    }
    if (n == 1)
        return made(p, expr_unary(p->g, f->op, arg[0].e), false, pos);
    expr e = arg[0].e;
    for (int i = 1; i < n; i++)
        e = expr_binary(p->g, f->op, e, arg[i].e);
    return made(p, e, false, pos);
}

/* ddt(e) and the like, which the caller knows. */
static struct operand call_scope(struct parser *p, const char *name, int n, const struct operand *arg,
                                 struct srcpos pos)
{
    bool reported = false;
    if (n == 1)
        want_number(p, &arg[0]);
    if (n == 1 && p->scope->call && !p->failed) {
        const expr e = p->scope->call(p->scope->user, name, arg[0].e, pos, p->diag, &reported);
        if (e >= 0)
            return made(p, e, false, pos);
    }
    bool is_variable = false;
    if (!reported && !parse_name_is_taken(name))
        is_variable = resolve(p, name, pos, &reported) >= 0;
    if (is_variable)
        stop(p, pos, "\"%s\" is not a function; a product needs *", name);
    else if (!reported && n != 1 && parse_name_is_taken(name))
        stop(p, pos, "%s takes 1 argument, got %d", name, n);
    else if (!reported && !(p->failed && parse_name_is_taken(name)))
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
        const struct function *f = names_find_function(name);
        result = f ? call_function(p, f, n, arg, pos) : call_scope(p, name, n, arg, pos);
    }
    free(arg);
    return result;
}

static struct operand parse_name(struct parser *p)
{
    const struct token token = p->token;
    char *name = mem_alloc((size_t)token.len + 1, 1);
    memcpy(name, token.text, (size_t)token.len);
    next(p);
    const struct operand result = p->token.kind == TOKEN_OPEN ? parse_call(p, name, token.pos)
                                                              : parse_variable(p, name, token.pos);
    free(name);
    return result;
}

/* --- Grammar, from tight to loose -------------------------------------------------------------------------- */

static struct operand parse_brackets(struct parser *p)
{
    const struct token open = p->token;
    next(p);
    struct operand inner = parse_or(p);
    if (p->token.kind == TOKEN_CLOSE)
        next(p);
    else if (p->token.kind == TOKEN_END)
        stop(p, open.pos, "\")\" is missing: this bracket is not closed");
    else
        stop_at_token(p, "an operator or \")\"");
    inner.pos = open.pos;
    return inner;
}

static struct operand parse_atom(struct parser *p)
{
    struct operand result = nothing(p);
    if (!enter(p)) {
        leave(p);
        return result;
    }
    if (p->token.kind == TOKEN_NUMBER) {
        result = made(p, expr_const(p->g, p->token.value), false, p->token.pos);
        next(p);
    } else if (p->token.kind == TOKEN_NAME) {
        result = parse_name(p);
    } else if (p->token.kind == TOKEN_OPEN) {
        result = parse_brackets(p);
    } else {
        stop_at_token(p, "a number, a name or \"(\"");
    }
    leave(p);
    return result;
}

/* a ^ b ^ c = a ^ (b ^ c), and the exponent may have a sign. */
static struct operand parse_power(struct parser *p)
{
    const struct operand base = parse_atom(p);
    if (p->token.kind != TOKEN_POWER)
        return base;
    const struct srcpos pos = p->token.pos;
    next(p);
    const struct operand exponent = parse_unary(p);
    want_number(p, &base);
    want_number(p, &exponent);
    return made(p, expr_binary(p->g, EXPR_POW, base.e, exponent.e), false, pos);
}

static struct operand parse_unary(struct parser *p)
{
    if (p->token.kind != TOKEN_MINUS && p->token.kind != TOKEN_PLUS) {
        struct operand power = nothing(p);
        if (enter(p))
            power = parse_power(p);
        leave(p);
        return power;
    }
    const struct token sign = p->token;
    bool minus = false;
    for (; p->token.kind == TOKEN_MINUS || p->token.kind == TOKEN_PLUS; next(p))
        minus ^= p->token.kind == TOKEN_MINUS;
    const struct operand inner = parse_unary(p);
    want_number(p, &inner);
    return made(p, minus ? expr_neg(p->g, inner.e) : inner.e, false, sign.pos);
}

static struct operand parse_product(struct parser *p)
{
    struct operand left = parse_unary(p);
    while (p->token.kind == TOKEN_TIMES || p->token.kind == TOKEN_OVER) {
        const struct token sign = p->token;
        const struct srcpos start = left.pos;
        next(p);
        const struct operand right = parse_unary(p);
        want_number(p, &left);
        want_number(p, &right);
        left = made(p, expr_binary(p->g, sign.kind == TOKEN_TIMES ? EXPR_MUL : EXPR_DIV, left.e, right.e), false,
                    sign.pos);
        left.pos = start;
    }
    return left;
}

static struct operand parse_sum(struct parser *p)
{
    struct operand left = parse_product(p);
    while (p->token.kind == TOKEN_PLUS || p->token.kind == TOKEN_MINUS) {
        const struct token sign = p->token;
        const struct srcpos start = left.pos;
        next(p);
        const struct operand right = parse_product(p);
        want_number(p, &left);
        want_number(p, &right);
        left = made(p, sign.kind == TOKEN_PLUS ? expr_add(p->g, left.e, right.e)
                                               : expr_sub(p->g, left.e, right.e), false, sign.pos);
        left.pos = start;
    }
    return left;
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
            stop(p, sign.pos, "at most two comparisons in a chain, as a <= e <= b");
        else if (chain.n_signs == 1 && (sign.kind == TOKEN_EQ || chain.sign[0].kind == TOKEN_EQ ||
                                        is_ascending(sign.kind) != is_ascending(chain.sign[0].kind)))
            stop(p, sign.pos, "a chain of comparisons goes one way, as a <= e <= b");
        if (p->stopped)
            break;
        next(p);
        chain.sign[chain.n_signs++] = sign;
        chain.side[chain.n_signs] = parse_sum(p);
    }
    for (int i = 0; chain.n_signs > 0 && i <= chain.n_signs; i++)
        want_number(p, &chain.side[i]);
    return chain;
}

static expr compare(struct parser *p, enum token_kind sign, expr a, expr b)
{
    switch (sign) {
    case TOKEN_LT: return expr_binary(p->g, EXPR_LT, a, b);
    case TOKEN_LE: return expr_binary(p->g, EXPR_LE, a, b);
    case TOKEN_GE: return expr_binary(p->g, EXPR_LE, b, a);
    case TOKEN_GT: return expr_binary(p->g, EXPR_LT, b, a);
    default:       return expr_binary(p->g, EXPR_EQ, a, b);
    }
}

static struct operand parse_comparison(struct parser *p)
{
    const struct chain chain = parse_chain(p);
    struct operand result = chain.side[0];
    for (int i = 0; i < chain.n_signs; i++) {
        const struct token *sign = &chain.sign[i];
        const struct operand one = made(p, compare(p, sign->kind, chain.side[i].e, chain.side[i + 1].e), true,
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
    for (; p->token.kind == TOKEN_NOT; next(p))
        count++;
    struct operand inner = parse_comparison(p);
    if (count > 0)
        want_truth(p, &inner);
    return count % 2 ? made(p, expr_unary(p->g, EXPR_NOT, inner.e), true, sign.pos) : inner;
}

static struct operand parse_and(struct parser *p)
{
    struct operand left = parse_not(p);
    while (p->token.kind == TOKEN_AND) {
        const struct token sign = p->token;
        next(p);
        const struct operand right = parse_not(p);
        want_truth(p, &left);
        want_truth(p, &right);
        left = made(p, expr_binary(p->g, EXPR_AND, left.e, right.e), true, sign.pos);
    }
    return left;
}

static struct operand parse_or(struct parser *p)
{
    struct operand left = parse_and(p);
    while (p->token.kind == TOKEN_OR) {
        const struct token sign = p->token;
        next(p);
        const struct operand right = parse_and(p);
        want_truth(p, &left);
        want_truth(p, &right);
        left = made(p, expr_binary(p->g, EXPR_OR, left.e, right.e), true, sign.pos);
    }
    return left;
}

/* --- Whole texts ------------------------------------------------------------------------------------------- */

static struct parser parser_create(struct expr_graph *g, const struct parse_text *src,
                                   const struct parse_scope *scope, struct diag *diag)
{
    struct parser p = { .g = g, .src = src, .scope = scope, .diag = diag };
    lexer_init(&p.lexer, src->text ? src->text : "", src->pos);
    p.token = lexer_next(&p.lexer);
    p.last = (struct token){ .kind = TOKEN_END };
    if (p.token.kind == TOKEN_END)
        stop(&p, src->pos, "an expression is missing");
    return p;
}

/* The text must end here. */
static enum status finish(struct parser *p)
{
    if (p->token.kind == TOKEN_CLOSE)
        stop(p, p->token.pos, "\")\" without its \"(\"");
    else if (p->token.kind == TOKEN_COMMA)
        stop(p, p->token.pos, "a comma outside of brackets");
    else if (p->token.kind != TOKEN_END)
        stop_at_token(p, "an operator");
    return p->failed ? STATUS_SPEC : STATUS_OK;
}

enum status parse_expression(struct expr_graph *g, const struct parse_text *src, const struct parse_scope *scope,
                             expr *out, struct diag *diag)
{
    struct parser p = parser_create(g, src, scope, diag);
    const struct operand result = parse_or(&p);
    want_number(&p, &result);
    *out = result.e;
    return finish(&p);
}

enum status parse_condition(struct expr_graph *g, const struct parse_text *src, const struct parse_scope *scope,
                            expr *out, struct diag *diag)
{
    struct parser p = parser_create(g, src, scope, diag);
    const struct operand result = parse_or(&p);
    const enum status st = finish(&p);
    want_truth(&p, &result);
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
        stop(&p, p.token.pos, "a constraint is one comparison: write one constraint for each");
    const enum status st = finish(&p);
    if (chain.n_signs == 0)
        stop(&p, chain.side[0].pos, chain.side[0].truth ? "a constraint stands without brackets"
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
