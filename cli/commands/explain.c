#include "cli/commands.h"
#include "cli/problem.h"
#include "cli/setting_words.h"

#include "core/base/mem.h"
#include "core/model/shapes.h"

#include <stdlib.h>
#include <string.h>

/* What a path leads to: a shape, with the key it belongs to; or a block of settings, or one of them. */
struct place {
    const struct shape *shape;
    const struct shape_key *key;
    const struct setting_table *table;
    const struct setting_key *setting;
};

/* --- The way ------------------------------------------------------------------------------------------------- */

static struct place place_of_key(const struct shape_key *key)
{
    const struct setting_table *table = key->shape ? NULL : problem_block_find(key->name);
    return (struct place){ .shape = table ? NULL : key->shape ? key->shape : &solver_shape, .key = key, .table = table };
}

static bool step_in_table(const struct setting_table *table, const char *word, struct place *to)
{
    const struct shape_key *key = shape_key_find(table->also, word);
    if (key)
        *to = place_of_key(key);
    for (int k = 0; k < table->n; k++)
        if (strcmp(table->key[k].name, word) == 0) {
            *to = (struct place){ .setting = &table->key[k] };
            return true;
        }
    return key;
}

/* One word further; false where there is no such key. Names of the user's choice stand for any. */
static bool step_in(const struct place *from, const char *word, struct place *to)
{
    const struct shape *shape = from->shape;
    if (from->table)
        return step_in_table(from->table, word, to);
    if (!shape)
        return false;
    if (shape->kind == SHAPE_TABLE || shape->kind == SHAPE_LIST) {
        *to = (struct place){ .shape = shape->of };
        return true;
    }
    for (int k = 0; shape->kind == SHAPE_EITHER && shape->either[k]; k++)
        if (step_in(&(struct place){ .shape = shape->either[k] }, word, to))
            return true;
    const struct shape_key *key = shape_key_find(shape->key, word);
    if (key)
        *to = place_of_key(key);
    return key;
}

/* The keys that may stand here, appended to list; NULL-terminated. */
static void add_keys(const struct place *at, const char ***list, int *n)
{
    const struct shape *shape = at->shape;
    for (int k = 0; at->table && k < at->table->n; k++) {
        *list = mem_grow(*list, *n, 1, sizeof **list);
        (*list)[(*n)++] = at->table->key[k].name;
    }
    for (int k = 0; shape && shape->kind == SHAPE_EITHER && shape->either[k]; k++)
        add_keys(&(struct place){ .shape = shape->either[k] }, list, n);
    for (const struct shape_key *key = shape ? shape->key : at->table ? at->table->also : NULL; key && key->name; key++) {
        *list = mem_grow(*list, *n, 1, sizeof **list);
        (*list)[(*n)++] = key->name;
    }
}

static enum status no_such_key(const struct place *at, const char *word, struct diag *diag)
{
    const char **list = NULL;
    int n = 0;
    add_keys(at, &list, &n);
    const char *near = spec_suggest(word, n, list);
    const enum status st =
        near ? diag_fail(diag, STATUS_USAGE, "there is no key \"%s\" (did you mean \"%s\"?)", word, near)
             : diag_fail(diag, STATUS_USAGE, "there is no key \"%s\" there", word);
    free(list);
    return st;
}

/* --- Words --------------------------------------------------------------------------------------------------- */

static void explain_setting(const char *path, const struct setting_key *key)
{
    printf("%s: %s%s%s%s\n", path, key->help ? key->help : "", key->units ? " (" : "", key->units ? key->units : "",
           key->units ? ")" : "");
    fputs("  value    ", stdout);
    setting_words_value(key, stdout);
    fputs("\n  default  ", stdout);
    setting_print_default(key, stdout);
    fputs("\n", stdout);
    if (key->why)
        printf("  why      %s\n", key->why);
    setting_words_meanings(key, stdout);
}

static void print_keys(const struct shape_key *key)
{
    for (; key && key->name; key++)
        printf("  %-14s  %s%s%s%s\n", key->name, key->help ? key->help : "", key->initial ? " (default: " : "",
               key->initial ? key->initial : "", key->initial ? ")" : "");
}

static void explain_table(const struct setting_table *table)
{
    for (int k = 0; k < table->n; k++) {
        const struct setting_key *key = &table->key[k];
        printf("  %-18s  %s (default: ", key->name, key->help ? key->help : "");
        setting_print_default(key, stdout);
        fputs(")\n", stdout);
    }
    print_keys(table->also);
}

static void explain_shape(const struct shape *shape)
{
    switch (shape->kind) {
    case SHAPE_NUMBER:  puts("  a number, or an expression of parameters"); break;
    case SHAPE_COUNT:   puts("  a whole number from 1 on"); break;
    case SHAPE_FORMULA: puts("  an expression"); break;
    case SHAPE_TIME:    puts("  a time: a fraction of the horizon, or one with its unit, as 0.5 s"); break;
    case SHAPE_TEXT:    puts("  a text"); break;
    case SHAPE_FLAG:    puts("  true or false"); break;
    case SHAPE_CHOICE:
        fputs("  one of: ", stdout);
        setting_words_choices(shape->words, stdout);
        fputs("\n", stdout);
        break;
    case SHAPE_LIST:
        if (shape->n_min == shape->n_max && shape->n_min > 0)
            printf("  a list of %d:\n", shape->n_min);
        else
            puts("  a list, each entry");
        explain_shape(shape->of);
        break;
    case SHAPE_TABLE:
        puts(shape->by_time ? "  times (fractions of the horizon, or with their unit, as 0.5 s), each with"
                            : "  names of your choice, each with");
        explain_shape(shape->of);
        break;
    case SHAPE_RECORD:
        if (shape->main)
            printf("  short for {%s: ...}, or\n", shape->main);
        print_keys(shape->key);
        break;
    case SHAPE_EITHER:
        for (int k = 0; shape->either[k]; k++) {
            if (k)
                puts("  or");
            explain_shape(shape->either[k]);
        }
        break;
    }
}

static void explain(const char *path, const struct place *at)
{
    if (at->setting) {
        explain_setting(path, at->setting);
        return;
    }
    if (*path)
        printf("%s: %s\n", path, at->key && at->key->help ? at->key->help : "");
    if (at->table)
        explain_table(at->table);
    else
        explain_shape(at->shape);
    if (at->key && at->key->initial)
        printf("  default  %s\n", at->key->initial);
}

enum status cmd_explain(const struct cli_args *args, struct diag *diag)
{
    const char *path = args->n_input > 0 ? args->input[0] : "";
    struct place at = { .shape = &model_spec_shape };
    struct arena mem = { NULL };
    enum status st = STATUS_OK;
    for (const char *word = path; *word && st == STATUS_OK;) {
        const size_t length = strcspn(word, ".");
        const struct place from = at;
        const char *key = arena_printf(&mem, "%.*s", (int)length, word);
        if (!step_in(&from, key, &at))
            st = no_such_key(&from, key, diag);
        word += length + (word[length] == '.');
    }
    if (st == STATUS_OK)
        explain(path, &at);
    arena_free(&mem);
    return st;
}
