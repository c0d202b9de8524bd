/* core/expression/parser.h - where a parser stands in a text, and what it says of mistakes; for grammar.c
 *
 * The first error of syntax ends the text: from then on the next token is its end, and nothing more is said.
 */
#ifndef COCP_CORE_EXPRESSION_PARSER_H
#define COCP_CORE_EXPRESSION_PARSER_H

#include "core/expression/lexer.h"
#include "core/expression/parse.h"

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

struct parser parser_create(struct expr_graph *g, const struct parse_text *src, const struct parse_scope *scope,
                            struct diag *diag);

/* The text must end here. */
enum status parser_finish(struct parser *p);

void parser_next(struct parser *p);

/* Reports an error of syntax, unless there was one before, and ends the text here. */
void parser_stop(struct parser *p, struct srcpos pos, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The next token cannot stand where it does. */
void parser_stop_at_token(struct parser *p, const char *wanted);

/* A closing bracket is next, or `wanted` says what else could be; `open` is where the bracket was opened. */
void parser_close(struct parser *p, struct srcpos open, const char *wanted);

/* Around what may stand within itself; false: too deep. */
bool parser_enter(struct parser *p);
void parser_leave(struct parser *p);

/* Reports an operand of the other kind. */
void parser_want_number(struct parser *p, const struct operand *operand);
void parser_want_truth(struct parser *p, const struct operand *operand);

#endif
