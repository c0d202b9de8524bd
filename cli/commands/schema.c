#define _POSIX_C_SOURCE 200809L    /* open_memstream */

#include "cli/commands.h"
#include "cli/problem.h"

#include "core/base/mem.h"
#include "core/model/shapes.h"
#include "core/results/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char any_name[] = "^[A-Za-z_][A-Za-z0-9_]*(\\[.*\\])?$", any_time[] = "^[^ ].*$",
                  any_path[] = "^[A-Za-z_][A-Za-z0-9_.]*(\\[.*\\])?$";

static void print_shape(const struct shape *shape);

/* --- Words --------------------------------------------------------------------------------------------------- */

/* What other readers of YAML make of a word: on and off are truths to those of YAML 1.1. */
static const char *as_truth(const char *word)
{
    static const char *const yes[] = { "true", "yes", "on" }, *const no[] = { "false", "no", "off" };
    for (int k = 0; k < 3; k++) {
        if (strcmp(word, yes[k]) == 0)
            return "true";
        if (strcmp(word, no[k]) == 0)
            return "false";
    }
    return NULL;
}

static void print_word(const char *word)
{
    char *end = NULL;
    print_json_text(word, stdout);
    if (as_truth(word))
        printf(", %s", as_truth(word));
    if (isfinite(strtod(word, &end)) && end != word && !*end)
        printf(", %s", word);
}

/* null: a key without a value counts as absent. */
static void print_words(const char *const *words)
{
    fputs("\"enum\": [", stdout);
    for (int k = 0; words[k]; k++) {
        print_word(words[k]);
        fputs(", ", stdout);
    }
    fputs("null]", stdout);
}

static const char *const truths[] = { "true", "false", "yes", "no", "on", "off", NULL };

/* --- Settings ------------------------------------------------------------------------------------------------ */

/* JSON asks for the range of numbers alone; expressions are texts. */
static void print_range(const struct setting_key *key)
{
    if (key->min >= key->max && !(key->min == key->max && key->min != 0))
        return;
    if (isfinite(key->min))
        printf(", \"%s\": %.17g", key->open_min ? "exclusiveMinimum" : "minimum", key->min);
    if (isfinite(key->max))
        printf(", \"%s\": %.17g", key->open_max ? "exclusiveMaximum" : "maximum", key->max);
}

static void print_number(const struct setting_key *key, const char *type)
{
    printf("\"type\": [\"%s\", \"string\", \"null\"]", type);
    print_range(key);
}

static void print_setting(const struct setting_key *key)
{
    switch (key->type) {
    case SETTING_INT:    print_number(key, "integer"); break;
    case SETTING_DOUBLE: print_number(key, "number"); break;
    case SETTING_BOOL:   print_words(truths); break;
    case SETTING_CHOICE: print_words(key->choices); break;
    case SETTING_LIST:
        fputs("\"type\": [\"array\", \"string\", \"null\"], \"items\": {", stdout);
        print_number(key, "number");
        fputs("}", stdout);
        break;
    case SETTING_SET:
        fputs("\"anyOf\": [{", stdout);
        print_words(key->choices);
        printf("}, {\"type\": \"array\", \"minItems\": %g, \"items\": {", key->min);
        print_words(key->choices);
        fputs("}}]", stdout);
        break;
    }
}

/* --- Keys ---------------------------------------------------------------------------------------------------- */

/* `"name": {"description": "help (default: initial)", `, the rest to follow. */
static void print_head(bool first, const char *name, const char *help, const char *units, const char *initial)
{
    struct arena mem = { NULL };
    fputs(first ? "\n" : ",\n", stdout);
    print_json_text(name, stdout);
    fputs(": {\"description\": ", stdout);
    const char *text = help ? help : "";
    if (units && *units)
        text = arena_printf(&mem, "%s (%s)", text, units);
    if (initial)
        text = arena_printf(&mem, "%s (default: %s)", text, initial);
    print_json_text(text, stdout);
    fputs(", ", stdout);
    arena_free(&mem);
}

static void print_setting_key(const struct setting_key *key, bool first)
{
    char *initial = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&initial, &size);
    if (!out)
        return;
    setting_print_default(key, out);
    (void)fclose(out);
    print_head(first, key->name, key->help, key->units, initial);
    print_setting(key);
    fputs("}", stdout);
    free(initial);
}

static void print_block(const struct setting_table *table);

static void print_keys(const struct shape_key *key, bool first)
{
    for (; key && key->name; key++, first = false) {
        const struct setting_table *table = key->shape ? NULL : problem_block_find(key->name);
        print_head(first, key->name, key->help, NULL, key->initial);
        if (table)
            print_block(table);
        else
            print_shape(key->shape ? key->shape : &solver_shape);
        fputs("}", stdout);
    }
}

/* Those that nothing can stand in for. */
static void print_always_needed(const struct shape_key *key)
{
    bool any = false;
    for (; key->name; key++)
        if (key->needed && !key->unless[0]) {
            fputs(any ? ", " : "\"required\": [", stdout);
            print_json_text(key->name, stdout);
            any = true;
        }
    fputs(any ? "]" : "", stdout);
}

/* Those in whose place other keys may stand; comma: behind what is printed already. */
static void print_needed_unless(const struct shape_key *key, bool comma)
{
    bool any = false;
    for (; key->name; key++)
        if (key->needed && key->unless[0]) {
            fputs(any ? ", " : comma ? ", \"allOf\": [" : "\"allOf\": [", stdout);
            fputs("{\"anyOf\": [{\"required\": [", stdout);
            print_json_text(key->name, stdout);
            for (int k = 0; k < 2 && key->unless[k]; k++) {
                fputs("]}, {\"required\": [", stdout);
                print_json_text(key->unless[k], stdout);
            }
            fputs("]}]}", stdout);
            any = true;
        }
    fputs(any ? "]" : "", stdout);
}

/* Where files can be included, blocks may stand in these. */
static void print_needed(const struct shape_key *key)
{
    const bool includes = shape_key_find(key, "include");
    bool always = false, any = false;
    for (const struct shape_key *k = key; k->name; k++) {
        always = always || (k->needed && !k->unless[0]);
        any = any || k->needed;
    }
    if (!any)
        return;
    fputs(includes ? ", \"anyOf\": [{\"required\": [\"include\"]}, {" : ", ", stdout);
    print_always_needed(key);
    print_needed_unless(key, always);
    fputs(includes ? "}]" : "", stdout);
}

/* --- Blocks -------------------------------------------------------------------------------------------------- */

static void print_settings(const struct setting_table *table)
{
    fputs("\"type\": [\"object\", \"null\"], \"additionalProperties\": false, \"properties\": {", stdout);
    for (int k = 0; k < table->n; k++)
        print_setting_key(&table->key[k], k == 0);
    print_keys(table->also, table->n == 0);
    fputs("}", stdout);
}

static void print_block(const struct setting_table *table)
{
    for (int k = 0; table->main && k < table->n; k++)
        if (strcmp(table->key[k].name, table->main) == 0) {
            fputs("\"anyOf\": [{", stdout);
            print_setting(&table->key[k]);
            fputs("}, {", stdout);
            print_settings(table);
            fputs("}]", stdout);
            return;
        }
    print_settings(table);
}

static void print_record(const struct shape *shape)
{
    fputs("\"type\": [\"object\"", stdout);
    bool nothing_needed = true;
    for (const struct shape_key *key = shape->key; key->name; key++)
        nothing_needed = nothing_needed && !key->needed;
    fputs(nothing_needed ? ", \"null\"], " : "], ", stdout);
    fputs("\"additionalProperties\": false, \"properties\": {", stdout);
    print_keys(shape->key, true);
    fputs("}", stdout);
    print_needed(shape->key);
}

static void print_list(const struct shape *shape)
{
    fputs("\"type\": [\"array\", \"null\"], \"items\": {", stdout);
    print_shape(shape->of);
    fputs("}", stdout);
    if (shape->n_min > 0)
        printf(", \"minItems\": %d", shape->n_min);
    if (shape->n_max > 0)
        printf(", \"maxItems\": %d", shape->n_max);
}

static void print_alternatives(const struct shape *const *either)
{
    fputs("\"anyOf\": [", stdout);
    for (int k = 0; either[k]; k++) {
        fputs(k ? ", {" : "{", stdout);
        print_shape(either[k]);
        fputs("}", stdout);
    }
    fputs("]", stdout);
}

/* The members of the schema's object, without its braces. */
static void print_shape(const struct shape *shape)
{
    const struct shape *main = shape->main ? shape_key_find(shape->key, shape->main)->shape : NULL;
    switch (shape->kind) {
    case SHAPE_NUMBER:
    case SHAPE_TIME:
    case SHAPE_FORMULA: fputs("\"type\": [\"number\", \"string\", \"null\"]", stdout); break;
    case SHAPE_COUNT:   fputs("\"type\": [\"integer\", \"string\", \"null\"], \"minimum\": 1", stdout); break;
    case SHAPE_TEXT:    fputs("\"type\": [\"string\", \"number\", \"boolean\", \"null\"]", stdout); break;
    case SHAPE_FLAG:    print_words(truths); break;
    case SHAPE_CHOICE:  print_words(shape->words); break;
    case SHAPE_LIST:    print_list(shape); break;
    case SHAPE_EITHER:  print_alternatives(shape->either); break;
    case SHAPE_TABLE:
        fputs("\"type\": [\"object\", \"null\"], \"propertyNames\": {\"pattern\": ", stdout);
        print_json_text(shape->by_time ? any_time : shape->by_path ? any_path : any_name, stdout);
        fputs("}, \"additionalProperties\": {", stdout);
        print_shape(shape->of);
        fputs("}", stdout);
        break;
    case SHAPE_RECORD:
        if (main) {
            fputs("\"anyOf\": [{", stdout);
            print_shape(main);
            fputs("}, {", stdout);
        }
        print_record(shape);
        fputs(main ? "}]" : "", stdout);
        break;
    }
}

enum status cmd_schema(const struct cli_args *args, struct diag *diag)
{
    (void)args;
    (void)diag;
    fputs("{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"title\": \"spec of cocp\", ", stdout);
    print_shape(&model_spec_shape);
    fputs("}\n", stdout);
    return STATUS_OK;
}
