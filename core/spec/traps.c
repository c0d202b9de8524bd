#include "core/spec/traps.h"

#include <string.h>

/* End of a quoted text that begins at `start`. */
static size_t skip_quote(const struct trap_text *src, size_t start)
{
    size_t i = start + 1;
    while (i < src->size && src->text[i] != src->text[start]) i++;
    return i;
}

size_t trap_torn_end(const struct trap_text *src, size_t start)
{
    int depth = 0;
    bool torn = false;
    for (size_t i = start; i < src->size; i++) {
        const char c = src->text[i];
        if (c == '\'' || c == '"') {
            i = skip_quote(src, i);
        } else if (c == '(') {
            depth++;
        } else if (c == ')') {
            depth--;
        } else if (depth > 0 && c == ',') {
            torn = true;
        } else if (strchr(",{}[]#", c)) { /* the end of the value, or of our wits */
            while (i > start && strchr(" \n\r\t", src->text[i - 1])) i--;
            return torn && depth == 0 ? i : 0;
        }
    }
    return 0;
}

/* Behind one more byte: lines end with \n, columns count UTF-8 characters. */
static void pass(struct srcpos *pos, char c)
{
    if (c == '\n') {
        pos->line++;
        pos->col = 1;
    } else if (((unsigned char)c & 0xc0) != 0x80) { /* not a continuation byte */
        pos->col++;
    }
}

static struct srcpos position(const struct trap_text *src, size_t offset)
{
    struct srcpos pos = {src->file, 1, 1};
    for (size_t i = 0; i < offset && i < src->size; i++) pass(&pos, src->text[i]);
    return pos;
}

struct srcpos trap_content(const struct trap_text *src, size_t offset, struct srcpos pos, bool anchored, bool block)
{
    bool in_anchor = anchored, in_comment = false, before_bar = block;
    for (size_t i = offset; i < src->size; i++) {
        const char c = src->text[i];
        const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
        in_anchor = in_anchor && !blank;
        in_comment = (in_comment && c != '\n') || (!in_anchor && c == '#');
        if (!in_anchor && !in_comment && !blank) {
            if (!before_bar) break;
            before_bar = false;
            in_comment = true; /* what follows | in its line */
        }
        pass(&pos, c);
    }
    return pos;
}

enum status trap_report_byte(struct diag *diag, const struct trap_text *src, size_t offset)
{
    const struct srcpos pos = position(src, offset);
    const unsigned char c = offset < src->size ? (unsigned char)src->text[offset] : 0;
    if (c < 0x80) return diag_error(diag, pos, NULL, "control character 0x%02x: a spec is plain text", c);
    return diag_error(diag, pos, NULL, "byte 0x%02x: the file is not UTF-8; save it in that encoding", c);
}

/* --- A value that begins with a character of YAML's own ------------------------------------------------------ */

static enum status report_indicator(struct diag *diag, struct srcpos pos, char c)
{
    switch (c) {
    case '*':
        return diag_error(diag, pos, NULL,
                          "\"*\" at the start of a value makes it an alias, and this is none: "
                          "put the expression in quotes");
    case '&':
        return diag_error(diag, pos, NULL,
                          "\"&\" at the start of a value makes it an anchor: put the expression in "
                          "quotes (conditions are joined by \"and\")");
    case '!':
        return diag_error(diag, pos, NULL,
                          "\"!\" at the start of a value makes it a YAML tag, which specs do not "
                          "have: put the expression in quotes (negation is \"not\")");
    case '\t': return diag_error(diag, pos, NULL, "a tab where YAML wants spaces: indent with spaces");
    default: return diag_error(diag, pos, NULL, "\"%c\" cannot begin a value in YAML: put the value in quotes", c);
    }
}

/* Offset of the first value of the line up to `offset` that begins with *, & or !; SIZE_MAX if there is none. */
static size_t find_indicator(const struct trap_text *src, size_t offset)
{
    size_t line = offset < src->size ? offset : src->size;
    while (line > 0 && src->text[line - 1] != '\n') line--;
    char before = '\n'; /* the last character that is no space */
    for (size_t i = line; i <= offset && i < src->size; i++) {
        const char c = src->text[i];
        if ((c == '*' || c == '&' || c == '!') && strchr(":-,{[\n", before) &&
            (i == line || src->text[i - 1] != ':'))
            return i;
        if (c != ' ') before = c;
    }
    return (size_t)-1;
}

/* --- libyaml's words in ours --------------------------------------------------------------------------------- */

static bool says(const char *text, const char *part)
{
    return text && strstr(text, part);
}

static char char_at(const struct trap_text *src, size_t offset)
{
    return offset < src->size ? src->text[offset] : '\n';
}

/* Errors of the scanner, which knows characters. STATUS_OK: it was none of them, and nothing is reported. */
static enum status report_scanner(struct diag *diag, const struct trap_text *src, const struct trap_syntax *e)
{
    const char *p = e->problem;
    const size_t indicator = find_indicator(src, e->offset);
    const bool is_tag = indicator != (size_t)-1 && src->text[indicator] == '!'; /* `!c > 0`: the > is innocent */
    if (is_tag && (says(e->context, "block scalar") || says(p, "cannot start any token")))
        return report_indicator(diag, position(src, indicator), src->text[indicator]);
    if (says(p, "cannot start any token")) return report_indicator(diag, e->pos, char_at(src, e->offset));
    if (says(p, "tab character")) return report_indicator(diag, e->pos, '\t');
    if (says(e->context, "scanning an alias") || says(e->context, "scanning an anchor"))
        return report_indicator(diag, e->context_pos, says(e->context, "alias") ? '*' : '&');
    if (says(e->context, "tag") || says(p, "tag handle"))
        return report_indicator(diag, e->context_pos.line ? e->context_pos : e->pos, '!');
    if (says(p, "mapping values are not allowed"))
        return diag_error(diag, e->pos, NULL,
                          "\": \" inside a value: put the value in quotes, or check the "
                          "indentation of a key that begins here");
    if (says(p, "could not find expected ':'"))
        return diag_error(diag, e->context_pos, NULL, "expected \"key: value\", with a space after the colon");
    if (says(p, "found unexpected ':'"))
        return diag_error(diag, e->pos, NULL, "expected a space after the colon of \"key: value\"");
    if (says(e->context, "quoted scalar") && says(p, "unexpected"))
        return diag_error(diag, e->context_pos, NULL, "this quote is never closed");
    if (says(p, "escape"))
        return diag_error(diag, e->pos, NULL, "\"\\\" begins an escape in double quotes: use single quotes");
    if (says(e->context, "block scalar"))
        return diag_error(diag, e->context_pos, NULL,
                          "\">\" or \"|\" at the start of a value begins a block of text "
                          "in YAML: put the expression in quotes");
    if (says(p, "block sequence entries"))
        return diag_error(diag, e->pos, NULL,
                          "\"- \" begins a list entry in YAML: write a minus without the space, "
                          "and a list in one line as [a, b]");
    return STATUS_OK;
}

enum status trap_report_syntax(struct diag *diag, const struct trap_text *src, const struct trap_syntax *e)
{
    if (report_scanner(diag, src, e) != STATUS_OK) return STATUS_SPEC;
    const size_t indicator = find_indicator(src, e->offset);
    if (indicator != (size_t)-1) {
        const struct srcpos pos = position(src, indicator);
        const bool known = pos.line == e->reported.line && pos.col == e->reported.col;
        return known ? STATUS_SPEC : report_indicator(diag, pos, src->text[indicator]);
    }
    if (says(e->problem, "',' or") && char_at(src, e->offset) == '[')
        return diag_error(diag, e->pos, NULL, "\"[\" within { } or [ ]: put a value or key with indices in quotes");
    if (says(e->problem, "',' or"))
        return diag_error(diag, e->pos, NULL,
                          "expected \",\" or \"%c\": a comma is missing, or the bracket of line "
                          "%d is not closed",
                          says(e->problem, "}") ? '}' : ']', e->context_pos.line);
    const char c = char_at(src, e->offset);
    if (c == '}' || c == ']')
        return diag_error(diag, e->pos, NULL, "\"%c\" closes a bracket that was not opened", c);
    if (says(e->problem, "expected key") || says(e->problem, "expected '-'"))
        return diag_error(diag, e->pos, NULL,
                          "this does not continue the block that begins in line %d: check the "
                          "indentation and the quotes",
                          e->context_pos.line);
    if (says(e->problem, "document start"))
        return diag_error(diag, e->pos, NULL, "this does not continue the spec: blocks begin in the first column");
    if (says(e->problem, "node content")) return diag_error(diag, e->pos, NULL, "a value is missing here");
    return diag_error(diag, e->pos, NULL, "not YAML: %s", e->problem ? e->problem : "unreadable");
}
