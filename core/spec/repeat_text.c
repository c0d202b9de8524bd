#define _POSIX_C_SOURCE 200809L    /* open_memstream */

/* core/spec/repeat_text.c - a text with its indices filled in, its sums and products written out */
#include "core/spec/repeat.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool repeat_mistake(struct repeating *r, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    diag_vadd(r->diag, DIAG_ERROR, STATUS_SPEC, r->pos, r->node->path, fmt, args);
    va_end(args);
    r->mistaken = true;
    return false;
}

/* --- Ranges and tuples --------------------------------------------------------------------------------------- */

static bool is_opening(char c)
{
    return c == '(' || c == '[';
}

static bool is_closing(char c)
{
    return c == ')' || c == ']';
}

size_t repeat_closing(const char *text, size_t at, size_t n)
{
    int depth = 0;
    for (size_t i = at; i < n; i++) {
        depth += is_opening(text[i]) - is_closing(text[i]);
        if (depth == 0)
            return i;
    }
    return n;
}

/* The first place from `start` on, outside of brackets, where `word` stands; n if nowhere. */
static size_t find_outside(const char *text, size_t start, size_t n, const char *word)
{
    const size_t length = strlen(word);
    int depth = 0;
    for (size_t i = start; i + length <= n; i++) {
        depth += is_opening(text[i]) - is_closing(text[i]);
        if (depth == 0 && strncmp(text + i, word, length) == 0)
            return i;
    }
    return n;
}

size_t repeat_for(const char *text, size_t n)
{
    return find_outside(text, 0, n, " for ");
}

static bool read_whole(struct repeating *r, const char *text, size_t n, long *value)
{
    struct whole_error error;
    const struct whole_names names = { r->n_name, r->name };
    if (whole_value(&names, text, n, value, &error))
        return true;
    return error.n_bad
               ? repeat_mistake(r, "\"%.*s\" %s, in \"%.*s\"", error.n_bad, error.bad, error.why, (int)n, text)
               : repeat_mistake(r, "\"%.*s\" %s", (int)n, text, error.why);
}

/* A part of a tuple: `i=a..b`, or a number, which is a range of one without a name. */
struct range { struct whole_name index; long from, to; };

static bool read_range(struct repeating *r, const char *text, size_t n, bool needed, struct range *range)
{
    while (n && *text == ' ') {
        text++;
        n--;
    }
    *range = (struct range){ { NULL, 0, 0 }, 0, 0 };
    const size_t dots = find_outside(text, 0, n, ".."), length = whole_name_length(text);
    const size_t equals = length + strspn(text + length, " ");
    if (dots == n && !needed) {
        const bool is_read = read_whole(r, text, n, &range->from);
        range->to = range->from;
        return is_read;
    }
    if (dots == n || !length || equals >= n || text[equals] != '=')
        return repeat_mistake(r, "\"%.*s\": a range is written i=1..N", (int)n, text);
    range->index = (struct whole_name){ text, length, 0 };
    if (!read_whole(r, text + equals + 1, dots - equals - 1, &range->from)
        || !read_whole(r, text + dots + 2, n - dots - 2, &range->to))
        return false;
    return range->to - range->from < REPEAT_MAX_RANGE
           || repeat_mistake(r, "\"%.*s\": a range has at most %d numbers", (int)n, text, REPEAT_MAX_RANGE);
}

struct pass {
    const char *text;
    size_t n;
    bool only_ranges;
    repeat_each *each;
    void *user;
    struct tuple tuple;
};

static bool pass_from(struct repeating *r, struct pass *pass, size_t start);

/* One value of the part that ends before `end`, and the rest of the parts with it. */
static bool pass_one(struct repeating *r, struct pass *pass, const struct range *range, long value, size_t end)
{
    const int n_name = r->n_name;
    if (range->index.name) {
        r->name[r->n_name] = range->index;
        r->name[r->n_name++].value = value;
    }
    pass->tuple.value[pass->tuple.n++] = value;
    const bool ok = end < pass->n ? pass_from(r, pass, end + 1) : pass->each(r, &pass->tuple, pass->user);
    pass->tuple.n--;
    r->n_name = n_name;
    return ok;
}

static bool pass_from(struct repeating *r, struct pass *pass, size_t start)
{
    struct range range;
    const size_t end = find_outside(pass->text, start, pass->n, ",");
    if (pass->tuple.n == REPEAT_MAX_PARTS || r->n_name == REPEAT_MAX_NAMES)
        return repeat_mistake(r, "too many indices");
    if (!read_range(r, pass->text + start, end - start, pass->only_ranges, &range))
        return false;
    for (long value = range.from; value <= range.to; value++)
        if (!pass_one(r, pass, &range, value, end))
            return false;
    return true;
}

bool repeat_over(struct repeating *r, const char *text, size_t n, bool only_ranges, repeat_each *each, void *user)
{
    struct pass pass = { .text = text, .n = n, .only_ranges = only_ranges, .each = each, .user = user };
    return pass_from(r, &pass, 0);
}

/* --- Texts --------------------------------------------------------------------------------------------------- */

static bool rewrite(struct repeating *r, const char *text, size_t n, FILE *out);

/* What is written counts: sums within sums grow fast. */
static bool put(struct repeating *r, const char *text, size_t n, FILE *out)
{
    r->spec->n_bytes += n;
    if (tree_is_full(r->spec))
        return repeat_mistake(r, "the spec grows too large: its repetitions write too much");
    (void)fwrite(text, 1, n, out);
    return true;
}

static bool put_text(struct repeating *r, const char *text, FILE *out)
{
    return put(r, text, strlen(text), out);
}

static bool put_number(struct repeating *r, long value, FILE *out)
{
    char text[32];
    snprintf(text, sizeof text, value < 0 ? "(%ld)" : "%ld", value);
    return put_text(r, text, out);
}

static bool put_suffix(struct repeating *r, const struct tuple *tuple, void *user)
{
    for (int i = 0; i < tuple->n; i++) {
        char text[32];
        snprintf(text, sizeof text, "_%ld", tuple->value[i]);
        if (tuple->value[i] < 0)
            return repeat_mistake(r, "the index %ld is negative", tuple->value[i]);
        if (!put_text(r, text, user))
            return false;
    }
    return true;
}

/* What joins the terms of a sum and the like. */
struct fold { const char *name, *empty, *between; bool nests; };
static const struct fold folds[] = {
    { "sum", "0", " + ", false }, { "prod", "1", " * ", false }, { "min", NULL, ", ", true }, { "max", NULL, ", ", true }
};

struct terms {
    const struct fold *fold;
    const char *body;
    size_t n;
    FILE *out;
    long count, left;               /* terms so far, and those still to come */
};

static bool count_term(struct repeating *r, const struct tuple *tuple, void *user)
{
    (void)r;
    (void)tuple;
    struct terms *terms = user;
    terms->left++;
    return true;
}

/* sum: (a) + (b) + (c); max: max((a), max((b), (c))). */
static bool put_term(struct repeating *r, const struct tuple *tuple, void *user)
{
    (void)tuple;
    struct terms *terms = user;
    const struct fold *fold = terms->fold;
    terms->left--;
    if (terms->count++ && !put_text(r, fold->between, terms->out))
        return false;
    if (fold->nests && terms->left && !(put_text(r, fold->name, terms->out) && put_text(r, "(", terms->out)))
        return false;
    return put_text(r, "(", terms->out) && rewrite(r, terms->body, terms->n, terms->out)
           && put_text(r, ")", terms->out);
}

/* `body for i=1..N` in the brackets of a fold. */
static bool put_fold(struct repeating *r, const struct fold *fold, const char *text, size_t n, size_t at, FILE *out)
{
    struct terms terms = { .fold = fold, .body = text, .n = at, .out = out };
    const char *ranges = text + at + 5;
    const size_t n_ranges = n - at - 5;
    if (!repeat_over(r, ranges, n_ranges, true, count_term, &terms))
        return false;
    if (terms.left == 0)
        return fold->empty ? put_text(r, fold->empty, out) : repeat_mistake(r, "%s of nothing", fold->name);
    if (!put_text(r, "(", out) || !repeat_over(r, ranges, n_ranges, true, put_term, &terms))
        return false;
    for (long k = 1; fold->nests && k < terms.count; k++)
        if (!put_text(r, ")", out))
            return false;
    return put_text(r, ")", out);
}

static const struct fold *find_fold(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof folds / sizeof *folds; i++)
        if (strlen(folds[i].name) == length && strncmp(folds[i].name, name, length) == 0)
            return &folds[i];
    return NULL;
}

static size_t number_length(const char *text, size_t n)
{
    size_t i = 0;
    while (i < n && (isdigit((unsigned char)text[i]) || text[i] == '.'))
        i++;
    if (i && i + 1 < n && (text[i] == 'e' || text[i] == 'E')) {
        const size_t sign = text[i + 1] == '-' || text[i + 1] == '+';
        if (i + 1 + sign < n && isdigit((unsigned char)text[i + 1 + sign]))
            for (i += 1 + sign; i < n && isdigit((unsigned char)text[i]);)
                i++;
    }
    return i;
}

/* A name and what belongs to it: its indices, the terms of a sum. Returns the bytes that were read, 0 after a
 * mistake. */
static size_t rewrite_name(struct repeating *r, const char *text, size_t length, size_t n, FILE *out)
{
    const bool has_index = length < n && text[length] == '[', is_call = length < n && text[length] == '(';
    const size_t close = has_index || is_call ? repeat_closing(text, length, n) : n;
    if (has_index && close == n)
        return repeat_mistake(r, "the \"[\" of %.*s is not closed", (int)length, text);
    if (has_index)
        return put(r, text, length, out)
               && repeat_over(r, text + length + 1, close - length - 1, false, put_suffix, out) ? close + 1 : 0;
    const struct fold *fold = is_call && close < n ? find_fold(text, length) : NULL;
    const char *inside = text + length + 1;
    const size_t n_inside = fold ? close - length - 1 : 0, at = repeat_for(inside, n_inside);
    if (at < n_inside)
        return put_fold(r, fold, inside, n_inside, at, out) ? close + 1 : 0;
    const struct whole_names indices = { r->n_name - r->n_size, r->name + r->n_size };
    const struct whole_name *index = whole_find(&indices, text, length);
    return (index ? put_number(r, index->value, out) : put(r, text, length, out)) ? length : 0;
}

static bool rewrite(struct repeating *r, const char *text, size_t n, FILE *out)
{
    for (size_t i = 0; i < n;) {
        const size_t number = number_length(text + i, n - i), full = whole_name_length(text + i);
        const size_t name = full < n - i ? full : n - i;
        size_t used = number ? number : 1;
        if (name && !number)
            used = rewrite_name(r, text + i, name, n - i, out);
        else if (!put(r, text + i, used, out))
            used = 0;
        if (!used)
            return false;
        i += used;
    }
    return true;
}

const char *repeat_text(struct repeating *r, const char *text)
{
    char *made = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&made, &n);
    bool ok = out && rewrite(r, text, strlen(text), out);
    if (!out)
        (void)repeat_mistake(r, "out of memory");
    if (out && fclose(out) != 0)
        ok = repeat_mistake(r, "out of memory");
    const char *kept = ok ? arena_copy_text(&r->spec->mem, made) : NULL;
    free(made);
    return kept;
}
