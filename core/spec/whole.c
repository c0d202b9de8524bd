#include "core/spec/whole.h"

#include <ctype.h>
#include <string.h>

enum { LARGEST = 1000000000, MAX_BRACKETS = 20 };

struct scan {
    const struct whole_names *names;
    const char *next, *end;
    int depth;
    struct whole_error *error;
};

size_t whole_name_length(const char *text)
{
    size_t n = 0;
    if (isalpha((unsigned char)*text) || *text == '_')
        while (isalnum((unsigned char)text[n]) || text[n] == '_')
            n++;
    return n;
}

const struct whole_name *whole_find(const struct whole_names *names, const char *text, size_t length)
{
    for (int i = names->n - 1; i >= 0; i--)
        if (names->name[i].length == length && strncmp(names->name[i].name, text, length) == 0)
            return &names->name[i];
    return NULL;
}

static bool fail(struct scan *at, const char *why, size_t n)
{
    *at->error = (struct whole_error){ why, at->next, (int)n };
    return false;
}

static char peek(struct scan *at)
{
    while (at->next < at->end && *at->next == ' ')
        at->next++;
    return at->next < at->end ? *at->next : '\0';
}

static bool read_sum(struct scan *at, long *value);

static bool read_digits(struct scan *at, long *value)
{
    const char *start = at->next;
    for (*value = 0; at->next < at->end && isdigit((unsigned char)*at->next) && *value <= LARGEST; at->next++)
        *value = 10 * *value + (*at->next - '0');
    if (*value > LARGEST || (at->next < at->end && (*at->next == '.' || isalpha((unsigned char)*at->next)))) {
        at->next = start;
        return fail(at, "is no whole number", strspn(start, "0123456789.eE"));
    }
    return true;
}

static bool read_name(struct scan *at, long *value)
{
    const size_t length = whole_name_length(at->next);
    const struct whole_name *name = whole_find(at->names, at->next, length);
    if (!name)
        return fail(at, "is no index and no entry of sizes", length);
    *value = name->value;
    at->next += length;
    return true;
}

static bool read_bracket(struct scan *at, long *value)
{
    at->next++;
    if (++at->depth > MAX_BRACKETS)
        return fail(at, "has too many brackets", 1);
    if (!read_sum(at, value))
        return false;
    if (peek(at) != ')')
        return fail(at, "lacks a closing bracket", 0);
    at->next++;
    at->depth--;
    return true;
}

static bool read_factor(struct scan *at, long *value)
{
    const char c = peek(at);
    if (c == '-') {
        at->next++;
        if (!read_factor(at, value))
            return false;
        *value = -*value;
        return true;
    }
    if (isdigit((unsigned char)c))
        return read_digits(at, value);
    if (whole_name_length(at->next) && c)
        return read_name(at, value);
    return c == '(' ? read_bracket(at, value) : fail(at, "is no whole number", c != '\0');
}

static bool divide(struct scan *at, long *value, long by)
{
    if (by == 0 || *value % by)
        return fail(at, "does not divide without a rest", 0);
    *value /= by;
    return true;
}

static bool read_product(struct scan *at, long *value)
{
    if (!read_factor(at, value))
        return false;
    for (char c; (c = peek(at)) == '*' || c == '/';) {
        long by;
        at->next++;
        if (!read_factor(at, &by) || (c == '/' && !divide(at, value, by)))
            return false;
        if (c == '*' && __builtin_mul_overflow(*value, by, value))
            return fail(at, "is too large", 0);
    }
    return true;
}

static bool read_sum(struct scan *at, long *value)
{
    if (!read_product(at, value))
        return false;
    for (char c; (c = peek(at)) == '+' || c == '-';) {
        long term;
        at->next++;
        if (!read_product(at, &term))
            return false;
        if (__builtin_add_overflow(*value, c == '+' ? term : -term, value))
            return fail(at, "is too large", 0);
    }
    return true;
}

bool whole_value(const struct whole_names *names, const char *text, size_t n, long *value,
                 struct whole_error *error)
{
    struct scan at = { .names = names, .next = text, .end = text + n, .error = error };
    if (!read_sum(&at, value))
        return false;
    if (peek(&at))
        return fail(&at, "is too much", (size_t)(at.end - at.next));
    return (*value >= -LARGEST && *value <= LARGEST) || fail(&at, "is too large", 0);
}
