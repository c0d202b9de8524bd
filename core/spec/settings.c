#include "core/spec/settings.h"

#include "core/base/mem.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Fields of the settings struct, by offset ---------------------------------------------------------------- */

static void *field(const struct setting_key *key, void *settings)
{
    return (char *)settings + key->offset;
}

/* Of a set: one for each 64 of its choices. */
static size_t n_words(const struct setting_key *key)
{
    size_t n = 0;
    while (key->choices[n]) n++;
    assert(n <= 64 * SETTING_SET_WORDS);
    return (n + 63) / 64;
}

/* As bits of its first word. */
static void set_default_set(const struct setting_key *key, uint64_t *out)
{
    memset(out, 0, n_words(key) * sizeof *out);
    out[0] = (uint64_t)key->initial;
}

static void set_default(const struct setting_key *key, void *out)
{
    switch (key->type) {
    case SETTING_INT: *(int *)field(key, out) = isnan(key->initial) ? SETTING_AUTO_INT : (int)key->initial; break;
    case SETTING_CHOICE: *(int *)field(key, out) = (int)key->initial; break;
    case SETTING_SET: set_default_set(key, field(key, out)); break;
    case SETTING_DOUBLE: *(double *)field(key, out) = key->initial; break;
    case SETTING_BOOL: *(bool *)field(key, out) = key->initial != 0; break;
    case SETTING_LIST: *(struct setting_list *)field(key, out) = (struct setting_list){0, NULL}; break;
    }
}

void settings_init(const struct setting_table *table, void *out)
{
    for (int i = 0; i < table->n; i++) set_default(&table->key[i], out);
}

/* --- Reading values ------------------------------------------------------------------------------------------ */

static bool has_range(const struct setting_key *key)
{
    return key->min < key->max || (key->min == key->max && key->min != 0);
}

/* "must be > 0", "must lie in [0, 1)" */
static enum status range_error(const struct setting_key *key, const struct spec_node *node, double got,
                               struct diag *diag)
{
    if (isnan(got) || (isinf(key->max) && isinf(key->min)))
        return spec_error(diag, node, "must be a finite number, got %g", got);
    if (isinf(key->max))
        return spec_error(diag, node, "must be %s %g, got %g", key->open_min ? ">" : ">=", key->min, got);
    if (isinf(key->min))
        return spec_error(diag, node, "must be %s %g, got %g", key->open_max ? "<" : "<=", key->max, got);
    return spec_error(diag, node, "must lie in %c%g, %g%c, got %g", key->open_min ? '(' : '[', key->min, key->max,
                      key->open_max ? ')' : ']', got);
}

/* Without an evaluator a number is a number, no expression. */
static enum status plain_number(const struct spec_node *node, double *out, struct diag *diag)
{
    char *end = NULL;
    *out = strtod(node->text, &end);
    if (end == node->text || *end) return spec_error(diag, node, "expected a number, got \"%s\"", node->text);
    return STATUS_OK;
}

/* *out keeps its value (the default) after a mistake. */
static enum status read_number(const struct setting_key *key, const struct spec_node *node,
                               const struct setting_eval *eval, double *out, struct diag *diag)
{
    if (node->kind != SPEC_SCALAR)
        return spec_error(diag, node, "expected a number, got %s",
                          node->kind == SPEC_SEQUENCE  ? "a list"
                          : node->kind == SPEC_MAPPING ? "a mapping"
                                                       : "nothing");
    double val = NAN;
    if (key->auto_word && strcmp(node->text, key->auto_word) == 0) {
        *out = NAN;
        return STATUS_OK;
    }
    const enum status st =
        eval && eval->number ? eval->number(eval->user, node, &val, diag) : plain_number(node, &val, diag);
    if (st != STATUS_OK) return st;
    const bool above = key->open_min ? val > key->min : val >= key->min; /* NaN fails, too */
    const bool below = key->open_max ? val < key->max : val <= key->max;
    if (isnan(val) || (has_range(key) && !(above && below))) return range_error(key, node, val, diag);
    *out = val;
    return STATUS_OK;
}

static enum status read_int(const struct setting_key *key, const struct spec_node *node,
                            const struct setting_eval *eval, int *out, struct diag *diag)
{
    double val;
    const enum status st = read_number(key, node, eval, &val, diag);
    if (st != STATUS_OK) return st;
    if (isnan(val)) {
        *out = SETTING_AUTO_INT;
        return STATUS_OK;
    }
    if (val != floor(val) || fabs(val) > INT_MAX)
        return spec_error(diag, node, "must be a whole number, got %g", val);
    *out = (int)val;
    return STATUS_OK;
}

static enum status read_bool(const struct spec_node *node, bool *out, struct diag *diag)
{
    static const char *const word[] = {"false", "true", "no", "yes", "off", "on"};
    for (int i = 0; node->kind == SPEC_SCALAR && i < 6; i++)
        if (strcmp(node->text, word[i]) == 0) {
            *out = i % 2;
            return STATUS_OK;
        }
    return spec_error(diag, node, "must be true or false");
}

/* The choices to offer in messages: all but the word for "not given". */
static void join_choices(const struct setting_key *key, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; key->choices[i] && used < size; i++)
        if (!key->auto_word || strcmp(key->choices[i], key->auto_word) != 0)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", key->choices[i]);
}

static enum status read_choice(const struct setting_key *key, const struct spec_node *node, int *out,
                               struct diag *diag)
{
    char list[400];
    int n = 0;
    join_choices(key, list, sizeof list);
    if (node->kind != SPEC_SCALAR) return spec_error(diag, node, "must be one of %s", list);
    for (; key->choices[n]; n++)
        if (strcmp(node->text, key->choices[n]) == 0) {
            *out = n;
            return STATUS_OK;
        }
    const char *near = spec_suggest(node->text, n, key->choices);
    if (key->meanings)
        (void)snprintf(list, sizeof list, "the words that `cocp explain` lists");
    return spec_error(diag, node, "must be one of %s; got \"%s\"%s%s%s", list, node->text,
                      near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "");
}

static enum status read_list(const struct setting_key *key, const struct spec_node *node,
                             const struct setting_eval *eval, struct setting_list *out, struct diag *diag)
{
    if (node->kind == SPEC_SCALAR && key->auto_word && strcmp(node->text, key->auto_word) == 0) return STATUS_OK;
    if (node->kind != SPEC_SEQUENCE) return spec_error(diag, node, "expected a list of numbers, [a, b]");
    struct setting_list list = {node->n, mem_alloc((size_t)node->n, sizeof(double))};
    enum status st = STATUS_OK;
    for (int i = 0; i < node->n; i++)
        if (read_number(key, node->child[i], eval, &list.val[i], diag) != STATUS_OK) st = STATUS_SPEC;
    if (st == STATUS_OK) *out = list;
    else free(list.val);
    return st;
}

/* One word may stand without brackets. */
static enum status read_set(const struct setting_key *key, const struct spec_node *node, uint64_t *out,
                            struct diag *diag)
{
    const bool is_list = node->kind == SPEC_SEQUENCE;
    enum status st = STATUS_OK;
    const int n = is_list ? node->n : 1;
    uint64_t set[SETTING_SET_WORDS] = {0};
    int i = 0;
    for (int k = 0; k < n; k++) {
        if (read_choice(key, is_list ? node->child[k] : node, &i, diag) == STATUS_OK)
            set[i / 64] |= UINT64_C(1) << i % 64;
        else st = STATUS_SPEC;
    }
    if (st != STATUS_OK) return st;
    if (n == 0 && key->min > 0) return spec_error(diag, node, "must name at least one");
    memcpy(out, set, n_words(key) * sizeof *out);
    return STATUS_OK;
}

/* A key without a value keeps its default, as if its line were not there. */
static enum status read_value(const struct setting_key *key, const struct spec_node *node,
                              const struct setting_eval *eval, void *out, struct diag *diag)
{
    if (node->kind == SPEC_NULL) return STATUS_OK;
    switch (key->type) {
    case SETTING_INT: return read_int(key, node, eval, field(key, out), diag);
    case SETTING_DOUBLE: return read_number(key, node, eval, field(key, out), diag);
    case SETTING_BOOL: return read_bool(node, field(key, out), diag);
    case SETTING_CHOICE: return read_choice(key, node, field(key, out), diag);
    case SETTING_LIST: return read_list(key, node, eval, field(key, out), diag);
    case SETTING_SET: return read_set(key, node, field(key, out), diag);
    }
    return STATUS_INTERNAL;
}

/* --- Reading a block ----------------------------------------------------------------------------------------- */

/* The names of the table, then those of its other keys; NULL-terminated, to be freed. */
static const char **known_keys(const struct setting_table *table)
{
    int n_also = 0, n = 0;
    while (table->also && table->also[n_also].name) n_also++;
    const char **known = mem_alloc((size_t)(table->n + n_also + 1), sizeof *known);
    for (int i = 0; i < table->n; i++) known[n++] = table->key[i].name;
    for (int i = 0; i < n_also; i++) known[n++] = table->also[i].name;
    return known;
}

static enum status read_keys(const struct setting_table *table, const struct spec_node *block,
                             const struct setting_eval *eval, void *out, struct diag *diag)
{
    const char **known = known_keys(table);
    enum status st = spec_check_keys(diag, block, known);
    free(known);
    for (int i = 0; i < table->n; i++) {
        const struct spec_node *node = spec_get(block, table->key[i].name);
        if (node && read_value(&table->key[i], node, eval, out, diag) != STATUS_OK) st = STATUS_SPEC;
    }
    return st;
}

enum status settings_read(const struct setting_table *table, const struct spec_node *block,
                          const struct setting_eval *eval, void *out, struct diag *diag)
{
    settings_init(table, out);
    if (!table->main || !block || block->kind != SPEC_SCALAR)
        return read_keys(table, block, eval, out, diag);
    struct spec_node use = *block, *child = &use, alone = *block; /* `finish: off` is short for {use: off} */
    use.key = table->main;
    alone.kind = SPEC_MAPPING;
    alone.n = 1;
    alone.child = &child;
    return read_keys(table, &alone, eval, out, diag);
}

/* --- Printing ------------------------------------------------------------------------------------------------ */

/* The shortest text that reads back as the same number. */
static void number_text(double val, char text[32])
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, val);
        if (strtod(text, NULL) == val) return;
    }
}

static void print_number(const struct setting_key *key, double val, FILE *out)
{
    char text[32];
    if (isnan(val)) {
        fputs(key->auto_word ? key->auto_word : "null", out);
        return;
    }
    number_text(val, text);
    fputs(text, out);
}

/* An int as the number it was read from. */
static double int_number(const struct setting_key *key, int val)
{
    const bool may_be_auto = key->auto_word || isnan(key->initial);
    return may_be_auto && val == SETTING_AUTO_INT ? (double)NAN : (double)val;
}

static void print_list(const struct setting_key *key, const struct setting_list *list, FILE *out)
{
    if (!list->n) {
        fputs(key->auto_word ? key->auto_word : "null", out);
        return;
    }
    for (int i = 0; i < list->n; i++) {
        fputs(i ? ", " : "[", out);
        print_number(key, list->val[i], out);
    }
    fputs("]", out);
}

static void print_set(const struct setting_key *key, const uint64_t *set, FILE *out)
{
    bool any = false;
    for (int i = 0; key->choices[i]; i++)
        if (set[i / 64] >> i % 64 & 1) {
            fprintf(out, "%s%s", any ? ", " : "[", key->choices[i]);
            any = true;
        }
    fputs(any ? "]" : "[]", out);
}

static void print_value(const struct setting_key *key, const void *val, FILE *out)
{
    switch (key->type) {
    case SETTING_INT: print_number(key, int_number(key, *(const int *)val), out); break;
    case SETTING_DOUBLE: print_number(key, *(const double *)val, out); break;
    case SETTING_BOOL: fputs(*(const bool *)val ? "true" : "false", out); break;
    case SETTING_CHOICE: fputs(key->choices[*(const int *)val], out); break;
    case SETTING_LIST: print_list(key, val, out); break;
    case SETTING_SET: print_set(key, val, out); break;
    }
}

void settings_print(const struct setting_table *table, const void *settings, int indent, FILE *out)
{
    for (int i = 0; i < table->n; i++) {
        const struct setting_key *key = &table->key[i];
        fprintf(out, "%*s%s: ", indent, "", key->name);
        print_value(key, (const char *)settings + key->offset, out);
        if (key->help) fprintf(out, "   # %s", key->help);
        if (key->units && *key->units) fprintf(out, "%s(%s)", key->help ? " " : "   # ", key->units);
        fputs("\n", out);
    }
}

void setting_print_default(const struct setting_key *key, FILE *out)
{
    switch (key->type) {
    case SETTING_INT:
    case SETTING_DOUBLE: print_number(key, key->initial, out); break;
    case SETTING_BOOL: fputs(key->initial != 0 ? "true" : "false", out); break;
    case SETTING_CHOICE: fputs(key->choices[(int)key->initial], out); break;
    case SETTING_LIST: fputs(key->auto_word ? key->auto_word : "null", out); break;
    case SETTING_SET: print_set(key, (const uint64_t[SETTING_SET_WORDS]){(uint64_t)key->initial}, out); break;
    }
}
