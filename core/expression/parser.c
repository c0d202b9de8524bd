#include "core/expression/parser.h"

#include <string.h>

/* Brackets, signs and powers within each other: far more than anyone writes, far less than the stack holds. */
enum { DEPTH_MAX = 400 };

void parser_next(struct parser *p)
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

void parser_stop(struct parser *p, struct srcpos pos, const char *fmt, ...)
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

void parser_stop_at_token(struct parser *p, const char *wanted)
{
    const struct token *token = &p->token;
    if (token->kind == TOKEN_BAD)
        parser_stop(p, token->pos, "\"%s\": %s", quote(token).text, token->hint);
    else if (token->kind == TOKEN_END && p->last.kind != TOKEN_END)
        parser_stop(p, token->pos, "%s is missing after \"%s\"", wanted, quote(&p->last).text);
    else if (token->kind == TOKEN_END)
        parser_stop(p, token->pos, "%s is missing", wanted);
    else
        parser_stop(p, token->pos, "%s is missing before \"%s\"%s", wanted, quote(token).text,
                    strcmp(quote(token).text, "if") == 0 ? "; a choice is if(condition, then, else)" : "");
}

void parser_close(struct parser *p, struct srcpos open, const char *wanted)
{
    if (p->token.kind == TOKEN_CLOSE)
        parser_next(p);
    else if (p->token.kind == TOKEN_END)
        parser_stop(p, open, "\")\" is missing: this bracket is not closed");
    else
        parser_stop_at_token(p, wanted);
}

bool parser_enter(struct parser *p)
{
    if (++p->depth > DEPTH_MAX)
        parser_stop(p, p->token.pos, "nested more than %d deep", DEPTH_MAX);
    return !p->stopped;
}

void parser_leave(struct parser *p)
{
    p->depth--;
}

void parser_want_number(struct parser *p, const struct operand *operand)
{
    if (operand->truth)
        parser_stop(p, operand->pos, "a comparison stands where a number is wanted");
}

void parser_want_truth(struct parser *p, const struct operand *operand)
{
    if (!operand->truth && !p->stopped)
        parser_stop(p, operand->pos, "a condition is wanted here, as c > 0");
}

struct parser parser_create(struct expr_graph *g, const struct parse_text *src, const struct parse_scope *scope,
                            struct diag *diag)
{
    struct parser p = { .g = g, .src = src, .scope = scope, .diag = diag };
    lexer_init(&p.lexer, src->text ? src->text : "", src->pos, src->is_made);
    p.token = lexer_next(&p.lexer);
    p.last = (struct token){ .kind = TOKEN_END };
    if (p.token.kind == TOKEN_END)
        parser_stop(&p, src->pos, "an expression is missing");
    return p;
}

enum status parser_finish(struct parser *p)
{
    if (p->token.kind == TOKEN_CLOSE)
        parser_stop(p, p->token.pos, "\")\" without its \"(\"");
    else if (p->token.kind == TOKEN_COMMA)
        parser_stop(p, p->token.pos, "a comma outside of brackets");
    else if (p->token.kind != TOKEN_END)
        parser_stop_at_token(p, "an operator");
    return p->failed ? STATUS_SPEC : STATUS_OK;
}
