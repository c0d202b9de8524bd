/* core/spec/spec.h - a YAML file as a tree of values with positions
 *
 * Reads the file with libyaml's events, expands anchors, aliases and merge keys, applies `--set` overrides and
 * reports what libyaml is silent on: duplicate keys, commas inside flow mappings that tear an expression apart,
 * & * ! at the start of an expression, tabs, too deep nesting, alias bombs. Knows nothing of what the keys mean:
 * that is core/model's and the settings tables' business; they mark what they have read, and what nobody has
 * read is an unknown key.
 *
 * Scalars stay text. Numbers may be expressions of parameters, so that only the model can evaluate them.
 * Errors  STATUS_SPEC with positions in `diag`, all of one file in one run; STATUS_IO if it cannot be read.
 */
#ifndef COCP_CORE_SPEC_SPEC_H
#define COCP_CORE_SPEC_SPEC_H

#include "core/base/diag.h"

#include <stdbool.h>

enum spec_kind { SPEC_NULL, SPEC_SCALAR, SPEC_SEQUENCE, SPEC_MAPPING };

struct spec_node {
    enum spec_kind kind;
    struct srcpos pos;              /* of the value's first character */
    struct srcpos key_pos;          /* of its key in a mapping */
    const char *key;                /* in a mapping, else NULL */
    const char *path;               /* "contacts.foot.gap", "guess.waypoints.0.5.x"; "" at the root */
    const char *text;               /* of a scalar, as written (folded by YAML) */
    bool quoted;                    /* the scalar was written in quotes (text starts one column later) */
    bool is_made;                   /* the text is not as written: indices were filled in */
    int n;                          /* children of a sequence or mapping */
    struct spec_node **child;       /* [n] in the order of the file */
};

struct spec;                        /* a tree and its text; owns every node */

struct spec_override { const char *path, *value; };     /* --set PATH=VALUE; VALUE is YAML */

/* Of libyaml, as "0.2.5". */
const char *spec_yaml_version(void);

/* Reads the file (or `text` under the name `name`) and applies the overrides. After STATUS_SPEC *out is NULL if
 * the text is no YAML, or if the file of a robot could not be read; after other mistakes (duplicate keys, torn
 * expressions, bad overrides) it is the tree all the same, so that its reader can report the rest of the mistakes.
 * Overrides have positions in a file named "--set PATH". Setting a mapping that is a record (has main key, see
 * spec_main_key) to a scalar changes its main value and keeps the rest. */
enum status spec_read_file(const char *path, int n_override, const struct spec_override *override,
                           struct spec **out, struct diag *diag);
enum status spec_read_text(const char *name, const char *text, int n_override,
                           const struct spec_override *override, struct spec **out, struct diag *diag);
/* The same of a text that a result holds: it is data, and whoever reads its tree opens no file that it names. */
enum status spec_read_stored(const char *name, const char *text, struct spec **out, struct diag *diag);
bool spec_is_stored(const struct spec *spec);
void spec_free(struct spec *spec);

const struct spec_node *spec_root(const struct spec *spec);
const char *spec_text(const struct spec *spec);             /* the file, verbatim */
const char *spec_sha256(const struct spec *spec);           /* of the file's bytes, hexadecimal */

/* Child of a mapping by key, NULL if absent or node is no mapping (or NULL). */
const struct spec_node *spec_get(const struct spec_node *node, const char *key);

/* Adds `file:line:column: error: path: message` and returns STATUS_SPEC; the caller carries on. */
enum status spec_error(struct diag *diag, const struct spec_node *node, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports every child of a mapping whose key is not in the NULL-terminated list, at the key's position, with
 * the nearest known key; also a node that is no mapping ("expected a mapping of ..."). */
enum status spec_check_keys(struct diag *diag, const struct spec_node *node, const char *const *known);

/* The nearest of the candidates to word by edit distance, if near enough to suggest; else NULL. */
const char *spec_suggest(const char *word, int n, const char *const *candidate);

/* The main key of the record at this path, "value" for "parameters.mu", "expr" for entries of define, constraints,
 * cost.running and cost.terminal; NULL if what stands there is no such record. */
const char *spec_main_key(const char *path);

/* Is this a legal name (letters, digits, _, not starting with a digit)? */
bool spec_is_name(const char *text);

/* Puts child `name` of a block of the root in the block's place. Its key `set`, {path: value}, leaves, and
 * is applied as overrides are. */
enum status spec_take(struct spec *spec, const char *block, const char *name, struct diag *diag);

/* The tree as YAML text again, overrides applied, aliases expanded; malloc'ed. */
char *spec_to_yaml(const struct spec_node *node);

#endif
