/* cli/setting_words.h - what value a setting takes, in words; of `cocp explain` and the manual */
#ifndef COCP_CLI_SETTING_WORDS_H
#define COCP_CLI_SETTING_WORDS_H

#include "core/spec/settings.h"

/* "a, b, c" */
void setting_words_choices(const char *const *words, FILE *out);

/* A line for each choice of a key with `meanings`; nothing for others. */
void setting_words_meanings(const struct setting_key *key, FILE *out);

/* "a number, above 0, or auto"; "radau-iia, gauss-legendre"; without a newline. */
void setting_words_value(const struct setting_key *key, FILE *out);

#endif
