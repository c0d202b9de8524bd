/* core/bound/polynomial_of.h - expressions as polynomials in scaled variables
 *
 * Every coefficient encloses the exact one, numbers of the expression being the doubles that they are. Where
 * divisors are welcome, 1/d is a variable of its own, if d is a polynomial that has no zero in the box;
 * divisors_clear multiplies by such d again, so that only polynomials are left.
 * Errors  what is no polynomial is reported at the place where it was written.
 */
#ifndef COCP_CORE_BOUND_POLYNOMIAL_OF_H
#define COCP_CORE_BOUND_POLYNOMIAL_OF_H

#include "core/expression/expr.h"
#include "core/sos/enclosed.h"

enum { DIVISORS_MAX = 4 };

/* Polynomials d that are positive on [-1, 1]; variable first - k stands for 1/d_k. */
struct divisors {
    int n, first, most;         /* most: how many there may be */
    struct interval_poly d[DIVISORS_MAX];
};

struct polynomial_names { /* what symbols stand for */
    const struct expr_graph *graph;
    int n;
    const expr *sym;                /* [n] */
    const struct interval_poly *is; /* [n] */
    struct divisors *divisors;      /* grows; NULL: only numbers divide */
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

/* What a is at least on [-1, 1], by dividing the box: closer than one range where it is near 0. */
double polynomial_least(struct interval_poly a);

/* The largest powers of 1/d_k in a, if they are more than power[k] [DIVISORS_MAX]. */
void divisors_powers(const struct divisors *divisors, struct interval_poly a, int *power);
/* a times the product of d_k ^ power[k], of which no 1/d_k is left. */
struct interval_poly divisors_clear(struct arena *mem, const struct divisors *divisors, const int *power,
                                    struct interval_poly a);

#endif
