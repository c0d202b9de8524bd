/* core/spec/repeat.h - entries and terms written once for all their indices; for the sources of this folder alone
 *
 *   sizes: {N: 7}
 *   states: {"x[i=1..N]": {initial: 0.1*i}}        x_1, ..., x_7; also x: {size: N, initial: 0.1*i}
 *   force:  {"x[i=1..N]": u[i] - k*x[i+1]}          u_1 - k*x_2, ...
 *   expr:   sum(x[i]*y[j] for i=1..N, j=i+1..N)     also prod, min and max
 *   diag:   ["m[i] for i=1..N"]
 *
 * The tree is that of a spec that was typed out; nobody above this folder knows of indices. Sizes are parameters,
 * too.
 */
#ifndef COCP_CORE_SPEC_REPEAT_H
#define COCP_CORE_SPEC_REPEAT_H

#include "core/spec/tree.h"
#include "core/spec/whole.h"

enum { REPEAT_MAX_NAMES = 64, REPEAT_MAX_PARTS = 8, REPEAT_MAX_RANGE = 1000000 };

struct repeating {
    struct spec *spec;
    struct diag *diag;
    const struct spec_node *node;               /* whose text or key is looked at */
    struct srcpos pos;                          /* of it */
    struct whole_name name[REPEAT_MAX_NAMES];   /* sizes, then indices */
    int n_size, n_name;
    bool mistaken;
};

/* The numbers of one pass of a repetition, one for each part of `i=1..N, j=2`. */
struct tuple { int n; long value[REPEAT_MAX_PARTS]; };

/* Calls `each` for every tuple of the parts in text[0 .. n), with the indices of ranges set. Parts are ranges
 * `i=a..b`, or whole numbers unless all must be ranges. false after a mistake. */
typedef bool repeat_each(struct repeating *r, const struct tuple *tuple, void *user);
bool repeat_over(struct repeating *r, const char *text, size_t n, bool only_ranges, repeat_each *each, void *user);

/* The bracket that closes the one at text[at]; n if none does. */
size_t repeat_closing(const char *text, size_t at, size_t n);

/* Where ` for ` stands outside of brackets; n if nowhere. */
size_t repeat_for(const char *text, size_t n);

/* The text with its indices filled in and its sums written out; NULL after a mistake. */
const char *repeat_text(struct repeating *r, const char *text);

/* Reports a mistake at r->pos and returns false. */
bool repeat_mistake(struct repeating *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Writes the whole tree out, if anything in it repeats. */
enum status repeat_tree(struct spec *spec, struct diag *diag);

#endif
