#include "cli/setting_words.h"

#include <math.h>
#include <string.h>

void setting_words_choices(const char *const *words, FILE *out)
{
    for (int k = 0; words[k]; k++)
        fprintf(out, "%s%s", k ? ", " : "", words[k]);
}

static void print_words(const struct setting_key *key, FILE *out)
{
    if (key->meanings)
        fputs("words that `cocp explain` lists", out);
    else
        setting_words_choices(key->choices, out);
}

static void print_range(const struct setting_key *key, FILE *out)
{
    if (key->min >= key->max)
        return;
    if (isinf(key->max) && isfinite(key->min))
        fprintf(out, ", %s %g", key->open_min ? "above" : "at least", key->min);
    else if (isfinite(key->max))
        fprintf(out, " in %c%g, %g%c", key->open_min ? '(' : '[', key->min, key->max, key->open_max ? ')' : ']');
}

void setting_words_meanings(const struct setting_key *key, FILE *out)
{
    int width = 0;
    for (int k = 0; key->meanings && key->choices[k]; k++)
        width = (int)strlen(key->choices[k]) > width ? (int)strlen(key->choices[k]) : width;
    for (int k = 0; key->meanings && key->choices[k]; k++)
        fprintf(out, "    %-*s  %s\n", width, key->choices[k], key->meanings[k]);
}

void setting_words_value(const struct setting_key *key, FILE *out)
{
    switch (key->type) {
    case SETTING_INT:    fputs("a whole number", out); break;
    case SETTING_DOUBLE: fputs("a number", out); break;
    case SETTING_BOOL:   fputs("true or false", out); break;
    case SETTING_CHOICE: print_words(key, out); break;
    case SETTING_LIST:   fputs("a list of numbers", out); break;
    case SETTING_SET:    fputs("a list of: ", out); print_words(key, out); break;
    }
    if (key->type != SETTING_SET && key->type != SETTING_CHOICE)
        print_range(key, out);
    if (key->auto_word && key->type != SETTING_CHOICE)
        fprintf(out, ", or %s", key->auto_word);
}
