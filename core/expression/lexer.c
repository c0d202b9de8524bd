#include "core/expression/lexer.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void lexer_init(struct lexer *lexer, const char *text, struct srcpos pos, bool stays)
{
    lexer->stays = stays;
    lexer->next = text;
    lexer->pos = pos;
}

static void advance(struct lexer *lexer, int len)
{
    for (int i = 0; i < len; i++, lexer->next++) {
        if (lexer->stays)
            continue;
        if (*lexer->next == '\n') {
            lexer->pos.line++;
            lexer->pos.col = 1;
        } else if (((unsigned char)*lexer->next & 0xC0) != 0x80) {
            lexer->pos.col++;                   /* bytes that continue a UTF-8 character take no column */
        }
    }
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int count_digits(const char *text)
{
    int n = 0;
    while (is_digit(text[n]))
        n++;
    return n;
}

static int name_length(const char *text)
{
    int n = 0;
    while (is_letter(text[n]) || is_digit(text[n]))
        n++;
    return n;
}

/* Bytes of a number `12.5e-3` at the start of text, 0 if there is none. */
static int number_length(const char *text)
{
    int n = count_digits(text), digits = n;
    if (text[n] == '.') {
        const int decimals = count_digits(text + n + 1);
        digits += decimals;
        n += 1 + decimals;
    }
    if (digits == 0)
        return 0;
    if (text[n] == 'e' || text[n] == 'E') {
        const int sign = text[n + 1] == '+' || text[n + 1] == '-';
        const int exponent = count_digits(text + n + 1 + sign);
        n += exponent ? 1 + sign + exponent : 0;
    }
    return n;
}

static void read_number(struct token *token, int len)
{
    token->kind = TOKEN_NUMBER;
    token->len = len;
    token->value = strtod(token->text, NULL);
    const int name = name_length(token->text + len);
    if (name > 0 || token->text[len] == '.') {
        token->kind = TOKEN_BAD;
        token->len += name ? name : 1;
        token->hint = name ? "a product needs *" : "not a number";
    } else if (isinf(token->value)) {
        token->kind = TOKEN_BAD;
        token->hint = "too large for a number; infinity is inf";
    }
}

/* A name, or a part of something named: box.x. */
static int dotted_length(const char *text)
{
    int n = name_length(text);
    while (text[n] == '.' && is_letter(text[n + 1]))
        n += 1 + name_length(text + n + 1);
    return n;
}

static void read_name(struct token *token)
{
    token->len = dotted_length(token->text);
    token->kind = TOKEN_NAME;
    if (token->len == 3 && strncmp(token->text, "and", 3) == 0)
        token->kind = TOKEN_AND;
    else if (token->len == 2 && strncmp(token->text, "or", 2) == 0)
        token->kind = TOKEN_OR;
    else if (token->len == 3 && strncmp(token->text, "not", 3) == 0)
        token->kind = TOKEN_NOT;
}

struct sign { const char *text; enum token_kind kind; const char *hint; };

/* Longer ones first where one begins with another. */
static const struct sign signs[] = {
    { "**", TOKEN_POWER, NULL }, { "<=", TOKEN_LE, NULL }, { ">=", TOKEN_GE, NULL }, { "==", TOKEN_EQ, NULL },
    { "!=", TOKEN_BAD, "there is no such comparison" },
    { "&&", TOKEN_BAD, "write and" }, { "||", TOKEN_BAD, "write or" },
    { "+", TOKEN_PLUS, NULL }, { "-", TOKEN_MINUS, NULL }, { "*", TOKEN_TIMES, NULL }, { "/", TOKEN_OVER, NULL },
    { "^", TOKEN_POWER, NULL }, { "(", TOKEN_OPEN, NULL }, { ")", TOKEN_CLOSE, NULL }, { ",", TOKEN_COMMA, NULL },
    { "<", TOKEN_LT, NULL }, { ">", TOKEN_GT, NULL },
    { "=", TOKEN_BAD, "a comparison is written ==" }, { "!", TOKEN_BAD, "write not" },
    { "[", TOKEN_BAD, "use round brackets" }, { "]", TOKEN_BAD, "use round brackets" },
    { "{", TOKEN_BAD, "use round brackets" }, { "}", TOKEN_BAD, "use round brackets" },
};

static void read_sign(struct token *token)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const size_t len = strlen(signs[i].text);
        if (strncmp(token->text, signs[i].text, len) == 0) {
            token->kind = signs[i].kind;
            token->len = (int)len;
            token->hint = signs[i].hint;
            return;
        }
    }
    token->kind = TOKEN_BAD;
    token->len = 1;
    while (((unsigned char)token->text[token->len] & 0xC0) == 0x80)
        token->len++;
    token->hint = "not a character of an expression";
}

struct token lexer_next(struct lexer *lexer)
{
    while (*lexer->next && strchr(" \t\r\n", *lexer->next))
        advance(lexer, 1);
    struct token token = { .kind = TOKEN_END, .pos = lexer->pos, .text = lexer->next };
    const int len = number_length(token.text);
    if (len > 0)
        read_number(&token, len);
    else if (is_letter(*token.text))
        read_name(&token);
    else if (*token.text)
        read_sign(&token);
    advance(lexer, token.len);
    return token;
}
