/* Prints cocp(5), the page on the spec, from the tables that the reader, `cocp schema` and `cocp explain` use. */
#define _POSIX_C_SOURCE 200809L

#include "cli/problem.h"
#include "cli/setting_words.h"

#include "core/model/shapes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- Texts as mdoc ------------------------------------------------------------------------------------------- */

/* Does a new sentence begin after this point? Each has a line of its own. */
static bool ends_sentence(const char *at)
{
    return *at == '.' && at[1] == ' ' && isupper((unsigned char)at[2]);
}

static void print_text(const char *text)
{
    fputs(*text == '.' || *text == '\'' ? "\\&" : "", stdout);
    for (const char *c = text; *c; c++) {
        if (ends_sentence(c)) {
            fputs(".\n", stdout);
            c++;
        } else if (*c == '\\') {
            fputs("\\e", stdout);
        } else {
            putchar(*c);
        }
    }
    putchar('\n');
}

static void print_sentence(const char *words)
{
    char *line = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&line, &size);
    if (!out)
        return;
    fprintf(out, "%c%s.", toupper((unsigned char)*words), words + 1);
    (void)fclose(out);
    print_text(line);
    free(line);
}

static void begin_list(void)
{
    puts(".Bl -tag -width Ds");
}

static void end_list(void)
{
    puts(".El");
}

/* --- Keys ---------------------------------------------------------------------------------------------------- */

static void print_shape(const struct shape *shape);

/* A record's key, and what stands below it. */
static void print_key(const struct shape_key *key)
{
    printf(".It Ic %s\n", key->name);
    if (key->help)
        print_sentence(key->help);
    if (key->needed && key->unless[0])
        printf("It has to be there, but where\n.Ic %s\n%s%s%ssay it.\n", key->unless[0],
               key->unless[1] ? "or\n.Ic " : "", key->unless[1] ? key->unless[1] : "", key->unless[1] ? "\n" : "");
    else if (key->needed)
        puts("It has to be there.");
    if (key->shape)
        print_shape(key->shape);
    if (key->initial) {
        fputs("Default: ", stdout);
        print_text(key->initial);
    }
}

static void print_keys(const struct shape_key *key)
{
    if (!key)
        return;
    begin_list();
    for (; key->name; key++)
        print_key(key);
    end_list();
}

/* What print writes of the key, as a sentence. */
static void print_of(const struct setting_key *key, void (*print)(const struct setting_key *key, FILE *out))
{
    char *line = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&line, &size);
    if (!out)
        return;
    print(key, out);
    (void)fclose(out);
    print_sentence(line);
    free(line);
}

static void setting_help(const struct setting_key *key, FILE *out)
{
    fprintf(out, "%s%s%s%s", key->help ? key->help : "a setting", key->units ? " (" : "", key->units ? key->units : "",
            key->units ? ")" : "");
}

static void setting_value(const struct setting_key *key, FILE *out)
{
    fputs(key->type == SETTING_CHOICE ? "one of: " : "", out);
    setting_words_value(key, out);
}

static void setting_default(const struct setting_key *key, FILE *out)
{
    fputs("default: ", out);
    setting_print_default(key, out);
}

static void print_setting(const struct setting_key *key)
{
    printf(".It Ic %s\n", key->name);
    print_of(key, setting_help);
    print_of(key, setting_value);
    print_of(key, setting_default);
    if (key->why)
        print_sentence(key->why);
}

static void print_settings(const struct setting_table *table)
{
    if (table->main)
        printf("Short for its key\n.Ic %s ,\nor:\n", table->main);
    begin_list();
    for (int k = 0; k < table->n; k++)
        print_setting(&table->key[k]);
    for (const struct shape_key *key = table->also; key && key->name; key++)
        print_key(key);
    end_list();
}

/* --- Shapes -------------------------------------------------------------------------------------------------- */

static void print_choices(const char *const *words)
{
    puts("One of:");
    setting_words_choices(words, stdout);
    puts(".");
}

static void print_list(const struct shape *shape)
{
    if (shape->n_min == shape->n_max && shape->n_min > 0)
        printf("A list of %d, each:\n", shape->n_min);
    else
        puts("A list, each:");
    print_shape(shape->of);
}

static void print_shape(const struct shape *shape)
{
    switch (shape->kind) {
    case SHAPE_NUMBER:  puts("A number, or an expression of parameters."); break;
    case SHAPE_COUNT:   puts("A whole number from 1 on."); break;
    case SHAPE_FORMULA: puts("An expression."); break;
    case SHAPE_TIME:    puts("A fraction of the horizon, or a time with its unit, as\n.Li 0.5 s ."); break;
    case SHAPE_TEXT:    puts("A text."); break;
    case SHAPE_FLAG:    puts("True or false."); break;
    case SHAPE_CHOICE:  print_choices(shape->words); break;
    case SHAPE_LIST:    print_list(shape); break;
    case SHAPE_TABLE:
        puts(shape->by_time ? "By times, fractions of the horizon or with their unit:"
                            : "By names of your choice:");
        print_shape(shape->of);
        break;
    case SHAPE_RECORD:
        if (shape->main)
            printf("Short for its key\n.Ic %s ,\nor:\n", shape->main);
        print_keys(shape->key);
        break;
    case SHAPE_EITHER:
        for (int k = 0; shape->either[k]; k++) {
            if (k)
                puts("Or:");
            print_shape(shape->either[k]);
        }
        break;
    }
}

/* --- The page ------------------------------------------------------------------------------------------------ */

/* Then it makes a paragraph itself. */
static bool begins_with_list(const struct shape *shape, const struct setting_table *table)
{
    if (shape && shape->kind == SHAPE_EITHER)
        return begins_with_list(shape->either[0], NULL);
    return table ? !table->main : !shape || (shape->kind == SHAPE_RECORD && !shape->main);
}

static void print_block(const struct shape_key *key)
{
    const struct setting_table *table = key->shape ? NULL : problem_block_find(key->name);
    printf(".Ss %s\n", key->name);
    if (key->help)
        print_sentence(key->help);
    if (!begins_with_list(key->shape, table))
        puts(".Pp");
    if (table)
        print_settings(table);
    else
        print_shape(key->shape ? key->shape : &solver_shape);
    if (key->initial) {
        fputs("Default: ", stdout);
        print_text(key->initial);
    }
}

int main(void)
{
    puts(".Dd $Mdocdate: November 22 2026 $\n.Dt COCP 5\n.Os\n.Sh NAME\n.Nm cocp\n.Nd the spec of a problem, a YAML file\n.Sh DESCRIPTION\n"
         "A spec is one mapping whose keys are the blocks below.\nFormulas are plain text: the usual operators and functions,\n"
         ".Li pi , inf ,\nthe time\n.Li t ,\nnames of states, controls, parameters and definitions, and\n.Li ddt(e) ,\n"
         "the rate of an expression of positions.\n.Ic cocp explain\nsays the same of single keys,\n.Ic cocp init\n"
         "begins a spec.\n.Sh BLOCKS");
    for (const struct shape_key *key = model_spec_shape.key; key->name; key++)
        print_block(key);
    puts(".Sh SEE ALSO\n.Xr cocp 1");
    return 0;
}
