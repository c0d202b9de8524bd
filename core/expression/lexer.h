/* core/expression/lexer.h - an expression's text as tokens with positions
 *
 * Positions count from where the text starts in the spec. YAML has folded a scalar of several lines into one
 * before we see it, so that a column beyond the first line is that of the folded text.
 * Errors  a character that starts no token and a malformed number are tokens of kind TOKEN_BAD.
 */
#ifndef COCP_CORE_EXPRESSION_LEXER_H
#define COCP_CORE_EXPRESSION_LEXER_H

#include "core/base/diag.h"

#include <stdbool.h>

enum token_kind {
    TOKEN_END, TOKEN_BAD, TOKEN_NUMBER, TOKEN_NAME,
    TOKEN_PLUS, TOKEN_MINUS, TOKEN_TIMES, TOKEN_OVER, TOKEN_POWER,
    TOKEN_OPEN, TOKEN_CLOSE, TOKEN_COMMA,
    TOKEN_LT, TOKEN_LE, TOKEN_EQ, TOKEN_GE, TOKEN_GT,
    TOKEN_AND, TOKEN_OR, TOKEN_NOT
};

struct token {
    enum token_kind kind;
    struct srcpos pos;
    const char *text;               /* borrowed from the source */
    int len;                        /* bytes */
    double value;                   /* of a number */
    const char *hint;               /* of a bad token: what is wrong with it */
};

struct lexer {
    const char *next;               /* what has not been read yet */
    struct srcpos pos;              /* of *next */
    bool stays;                     /* everything is at pos */
};

void lexer_init(struct lexer *lexer, const char *text, struct srcpos pos, bool stays);

/* The next token; TOKEN_END again and again at the end. */
struct token lexer_next(struct lexer *lexer);

#endif
