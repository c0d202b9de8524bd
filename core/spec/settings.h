/* core/spec/settings.h - a block of settings from one table
 *
 * A module lists its keys once - field, type, range, default, help - and the reader, `check --resolved`, the
 * man page and README's table are made from that list.
 */
#ifndef COCP_CORE_SPEC_SETTINGS_H
#define COCP_CORE_SPEC_SETTINGS_H

#include "core/spec/shape.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SETTING_SET_WORDS = 2 };      /* of 64 choices each, that a set may have at most */
enum { SETTING_AUTO_INT = -1 };      /* what the auto word (or a NAN default) stores in an int */

enum setting_type {
    SETTING_INT, SETTING_DOUBLE, SETTING_BOOL, SETTING_CHOICE,
    SETTING_LIST,                   /* doubles: struct setting_list */
    SETTING_SET                     /* words of `choices`, in any order: a uint64_t for each 64 of them, bit i % 64
                                     * of number i / 64 for choice i */
};

struct setting_list { int n; double *val; };                /* owned by the settings struct; free(val) */

struct setting_key {
    const char *name;
    enum setting_type type;
    size_t offset;                  /* of the field: int (INT, CHOICE), uint64_t (SET, its first),
                                     * double, bool, struct setting_list */
    double initial;                 /* default; a choice: its index, a set: its bits. A NAN double is "auto" or
                                     * "not given" */
    double min, max;                /* closed range; open_min, open_max exclude the ends; 0, 0: any number. A set
                                     * has at least min words */
    bool open_min, open_max;
    const char *const *choices;     /* NULL-terminated, for CHOICE and SET, in the order of the enum */
    const char *const *meanings;    /* of the choices, one by one, where they are many; or NULL */
    const char *auto_word;          /* a word that may stand for NAN ("auto"); or NULL. Of a choice: the one that
                                     * means "not given" and is not offered in messages */
    const char *units, *help;
    const char *why;                /* the default is what it is; NULL: nothing to say */
};

struct setting_table {
    const char *block;              /* "homotopy" */
    const struct setting_key *key;
    int n;
    const struct shape_key *also;   /* keys with a structure of their own, which the module reads itself; core/spec/shape.h.
                                     * NULL: none */
    const char *main;               /* the key whose value may stand for the block; or NULL */
};

/* Evaluates the text of a number (an expression of parameters). STATUS_SPEC with a message if it is none. */
struct setting_eval {
    void *user;
    enum status (*number)(void *user, const struct spec_node *node, double *out, struct diag *diag);
};

/* Sets every field of `out` to its default. */
void settings_init(const struct setting_table *table, void *out);

/* Sets all defaults, then reads the keys of the table from a block (NULL: defaults
 * only). Unknown keys are errors. */
enum status settings_read(const struct setting_table *table, const struct spec_node *block,
                          const struct setting_eval *eval, void *out, struct diag *diag);

/* The default as it would be written in a spec. */
void setting_print_default(const struct setting_key *key, FILE *out);

/* `key: value   # help` lines of the resolved block, as YAML, indented by `indent`. */
void settings_print(const struct setting_table *table, const void *settings, int indent, FILE *out);

#endif
