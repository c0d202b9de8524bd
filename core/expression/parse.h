/* core/expression/parse.h - text of a spec to expressions; the grammar is README.md "The spec"
 *
 * Names are resolved by the caller, who knows parameters, states and defines. Precedence from low to high:
 * or, and, not, comparisons (chained `a <= e <= b` allowed), + -, * /, unary -, ^ and ** (right-associative,
 * -a^2 = -(a^2)). A depth cap makes hostile input an error and not a crash.
 * Errors  each is reported in `diag` with the position of the offending token in the spec, and a hint: the
 *         nearest known name, the missing bracket.
 */
#ifndef COCP_CORE_EXPRESSION_PARSE_H
#define COCP_CORE_EXPRESSION_PARSE_H

#include "core/expression/expr.h"

struct parse_text {
    const char *text;
    struct srcpos pos;              /* where text starts in the spec; a plain or quoted YAML scalar */
    const char *path;               /* of the spec node, for messages: "dynamics.force.x" */
    bool is_made;                   /* from what stands at pos: that is where all its mistakes are */
};

struct parse_scope {
    void *user;
    /* The expression that `name` stands for, or EXPR_NONE (unknown; after having reported it in diag, sets
     * *reported). pos is the position of the name. */
    expr (*resolve)(void *user, const char *name, struct srcpos pos, struct diag *diag, bool *reported);
    /* Calls that the graph does not know: ddt(e), initial(e), final(e), tables of the user, with n >= 0 arguments.
     * EXPR_NONE as above. */
    expr (*call)(void *user, const char *name, int n, const expr *arg, struct srcpos pos, struct diag *diag,
                 bool *reported);
    /* Is this a name that `call` knows, whatever the arguments are? May be NULL. */
    bool (*is_called)(void *user, const char *name);
    /* The i-th known name, NULL past the end; for "did you mean". May be NULL. */
    const char *(*name)(void *user, int i);
};

/* A value: an expression without a relation at its top. */
enum status parse_expression(struct expr_graph *g, const struct parse_text *src, const struct parse_scope *scope,
                             expr *out, struct diag *diag);

/* A constraint `a <= e <= b`, `e >= a`, `e == a`, `c <= d`: body - with lb <= body <= ub and lb, ub numbers or
 * infinite. A side that is constant goes to the bound; otherwise body is the difference of the sides. Bounds
 * are expressions (they may depend on parameters): EXPR_NONE where there is none. `<` is read as `<=`. */
struct parse_relation { expr body, lb, ub; };
enum status parse_relation(struct expr_graph *g, const struct parse_text *src, const struct parse_scope *scope,
                           struct parse_relation *out, struct diag *diag);

/* A condition (`c > 0 and not d < 1`), a node of value 0 or 1. */
enum status parse_condition(struct expr_graph *g, const struct parse_text *src, const struct parse_scope *scope,
                            expr *out, struct diag *diag);

#endif
