#include "core/base/mem.h"
#include "core/spec/spec.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A text that grows. */
struct buffer {
    char *text;
    int n;
};

static void put(struct buffer *out, const char *text, size_t n)
{
    out->text = mem_grow(out->text, out->n, (int)n + 1, 1);
    memcpy(out->text + out->n, text, n);
    out->n += (int)n;
    out->text[out->n] = '\0';
}

static void put_text(struct buffer *out, const char *text)
{
    put(out, text, strlen(text));
}

/* --- Scalars ------------------------------------------------------------------------------------------------- */

/* Plain text stays plain where YAML cannot take it for anything else: letters, digits, operators and single
 * spaces, beginning with a letter, digit or bracket, or a minus before one. */
static bool is_safe(const char *text)
{
    const char *first = *text == '-' ? text + 1 : text;
    if (!(isalnum((unsigned char)*first) || *first == '_' || *first == '(') || strcmp(text, "null") == 0)
        return false;
    for (const char *c = text; *c; c++) {
        if (!isalnum((unsigned char)*c) && !strchr("_ .+-*/^()<>=", *c)) return false;
        if (*c == ' ' && (c[1] == ' ' || !c[1])) return false;
    }
    return true;
}

/* The code point of a UTF-8 sequence, which libyaml has checked. */
static unsigned long code_point(const char *text, size_t *len)
{
    const unsigned char c = (unsigned char)*text;
    *len = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    unsigned long code = *len == 1 ? c : c & (0xffu >> (*len + 1));
    for (size_t i = 1; i < *len; i++) code = code << 6 | ((unsigned char)text[i] & 0x3f);
    return code;
}

/* YAML's printable characters, less those that break lines or mark byte orders. */
static bool is_printable(unsigned long code)
{
    if (code < 0xa0) return code >= 0x20 && code < 0x7f;
    if (code == 0x2028 || code == 0x2029 || code == 0xfeff) return false;
    return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || code >= 0x10000;
}

static void put_quoted(struct buffer *out, const char *text)
{
    put_text(out, "\"");
    for (size_t len; *text; text += len) {
        const unsigned long code = code_point(text, &len);
        char escape[16];
        if (*text == '"' || *text == '\\') put_text(out, "\\");
        if (is_printable(code)) {
            put(out, text, len);
        } else if (code == '\n') {
            put_text(out, "\\n");
        } else {
            snprintf(escape, sizeof escape, code > 0xffff ? "\\U%08lX" : "\\u%04lX", code);
            put_text(out, escape);
        }
    }
    put_text(out, "\"");
}

static void put_word(struct buffer *out, const char *text, bool quoted)
{
    if (!quoted && is_safe(text)) put_text(out, text);
    else put_quoted(out, text);
}

/* --- Nodes --------------------------------------------------------------------------------------------------- */

static bool is_leaf(const struct spec_node *node)
{
    return node->kind == SPEC_SCALAR || node->kind == SPEC_NULL || node->n == 0;
}

/* Number of leaves below a node that has at most `levels` levels; a large number if it has more. */
static int count_leaves(const struct spec_node *node, int levels)
{
    int n = 0;
    if (is_leaf(node)) return 1;
    if (levels == 0) return 1000;
    for (int i = 0; i < node->n && n < 1000; i++) n += count_leaves(node->child[i], levels - 1);
    return n;
}

static void put_flow(struct buffer *out, const struct spec_node *node)
{
    if (node->kind == SPEC_NULL) {
        put_text(out, "null");
        return;
    }
    if (node->kind == SPEC_SCALAR) {
        put_word(out, node->text, node->quoted);
        return;
    }
    put_text(out, node->kind == SPEC_MAPPING ? "{" : "[");
    for (int i = 0; i < node->n; i++) {
        if (i) put_text(out, ", ");
        if (node->kind == SPEC_MAPPING) {
            put_word(out, node->child[i]->key, false);
            put_text(out, ": ");
        }
        put_flow(out, node->child[i]);
    }
    put_text(out, node->kind == SPEC_MAPPING ? "}" : "]");
}

static void put_block(struct buffer *out, const struct spec_node *node, int indent)
{
    for (int i = 0; i < node->n; i++) {
        const struct spec_node *child = node->child[i];
        for (int k = 0; k < indent; k++) put_text(out, " ");
        if (node->kind == SPEC_MAPPING) {
            put_word(out, child->key, false);
            put_text(out, ":");
        } else {
            put_text(out, "-");
        }
        /* small records stand in one line, as people write them */
        if (is_leaf(child) || (indent > 0 && count_leaves(child, 2) <= 12)) {
            put_text(out, " ");
            put_flow(out, child);
            put_text(out, "\n");
        } else {
            put_text(out, "\n");
            put_block(out, child, indent + 2);
        }
    }
}

char *spec_to_yaml(const struct spec_node *node)
{
    struct buffer out = {NULL, 0};
    put_text(&out, "");
    if (is_leaf(node)) {
        put_flow(&out, node);
        put_text(&out, "\n");
    } else {
        put_block(&out, node, 0);
    }
    return out.text;
}
