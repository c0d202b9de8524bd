#include "core/nlp/options.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct library_option *find_option(const char *name)
{
    const struct library *library = library_get();
    for (int i = 0; i < library->n; i++)
        if (strcmp(library->option[i].name, name) == 0)
            return &library->option[i];
    return NULL;
}

static int common_prefix(const char *a, const char *b)
{
    int n = 0;
    while (a[n] && a[n] == b[n])
        n++;
    return n;
}

/* The known name that agrees longest from the left: IPOPT's names differ at their ends. Of equal ones
 * the first in the alphabet. */
static const char *nearest_name(const char *name)
{
    const struct library *library = library_get();
    const char *best = NULL;
    int longest = 2;
    for (int i = 0; i < library->n; i++) {
        const char *known = library->option[i].name;
        const int n = common_prefix(name, known);
        if (n > longest || (best && n == longest && strcmp(known, best) < 0))
            best = known;
        longest = n > longest ? n : longest;
    }
    return best;
}

/* What the program does in the place of an option that it keeps to itself, or NULL. */
static const char *instead_of(const char *name)
{
    static const char *const list[][2] = {
        { "max_cpu_time", "the time of a solve is bounded by `cocp solve --max-time SECONDS`" },
        { "max_wall_time", "the time of a solve is bounded by `cocp solve --max-time SECONDS`" },
        { "print_level", "its log is shown by `cocp solve -vv`" }, { "sb", "its banner is never shown" },
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if (strcmp(name, list[k][0]) == 0)
            return list[k][1];
    return NULL;
}

static bool has_word(const char *words, const char *word)
{
    const size_t len = strlen(word);
    for (const char *at = words; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == len && strncmp(at, word, len) == 0)
            return true;
    return false;
}

static bool in_range(const struct library_option *key, double x)
{
    return (key->open_min ? x > key->min : x >= key->min) && (key->open_max ? x < key->max : x <= key->max);
}

static bool read_number(const char *text, double *out)
{
    char *end = NULL;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out);
}

enum status option_read(const struct nlp_option *option, struct srcpos pos, const char *path,
                        struct option_value *out, struct diag *diag)
{
    const struct library_option *key = find_option(option->name);
    if (!key && instead_of(option->name))
        return diag_add(diag, DIAG_ERROR, STATUS_USAGE, pos, path, "reserved IPOPT option \"%s\": %s", option->name,
                        instead_of(option->name));
    if (!key) {
        const char *near = nearest_name(option->name);
        return diag_add(diag, DIAG_ERROR, STATUS_USAGE, pos, path, "unknown or reserved IPOPT option \"%s\"%s%s%s",
                        option->name, near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "");
    }
    *out = (struct option_value){ .type = key->type, .word = option->value };
    if (key->type == OPTION_WORD) {
        if (!key->words || has_word(key->words, option->value))
            return STATUS_OK;
        return diag_add(diag, DIAG_ERROR, STATUS_USAGE, pos, path, "%s must be one of: %s; got \"%s\"", key->name,
                        key->words, option->value);
    }
    if (!read_number(option->value, &out->x))
        return diag_add(diag, DIAG_ERROR, STATUS_USAGE, pos, path, "%s must be a number, got \"%s\"", key->name,
                        option->value);
    if (!in_range(key, out->x))
        return diag_add(diag, DIAG_ERROR, STATUS_USAGE, pos, path, "%s must lie in %c%g, %g%c, got %s", key->name,
                        key->open_min ? '(' : '[', key->min, key->max,
                        key->open_max ? ')' : ']', option->value);
    if (key->type == OPTION_INT && (out->x != floor(out->x) || out->x > INT_MAX))
        return diag_add(diag, DIAG_ERROR, STATUS_USAGE, pos, path, "%s must be a whole number, got \"%s\"",
                        key->name, option->value);
    if (key->type == OPTION_INT)
        out->i = (int)out->x;
    return STATUS_OK;
}

bool option_is_linear(const char *name)
{
    static const char *const parts[] = { "linear_", "mumps_", "ma57_", "ma77_", "ma86_", "ma97_", "pardiso", "spral_", "wsmp_",
                                         "hsllib" };
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (strncmp(name, parts[k], strlen(parts[k])) == 0)
            return true;
    return false;
}
