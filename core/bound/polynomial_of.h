/* core/bound/polynomial_of.h - expressions as polynomials in scaled variables
 *
 * Every coefficient encloses the exact one, numbers of the expression being the doubles that they are.
 * Errors  what is no polynomial is reported at the place where it was written.
 */
#ifndef COCP_CORE_BOUND_POLYNOMIAL_OF_H
#define COCP_CORE_BOUND_POLYNOMIAL_OF_H

#include "core/expression/expr.h"
#include "core/sos/enclosed.h"

struct polynomial_names { /* what symbols stand for */
    const struct expr_graph *graph;
    int n;
    const expr *sym;                /* [n] */
    const struct interval_poly *is; /* [n] */
};

/* Where an expression is from, for messages. */
struct written {
    struct srcpos pos;
    const char *path;
};

enum { POLYNOMIAL_MAX_TERMS = 20000 };

/* e in mem. STATUS_SPEC with a message: it has another function, a divisor that varies, a symbol that is none of
 * the names, or more than POLYNOMIAL_MAX_TERMS terms. */
enum status polynomial_of(struct arena *mem, const struct polynomial_names *names, expr e, struct written at,
                          struct interval_poly *out, struct diag *diag);

#endif
