/* core/stability/polynomial.h - sparse polynomials of a few variables
 *
 * Terms are sorted by monomial, none twice, none 0. Polynomials live in an arena and never change.
 */
#ifndef COCP_CORE_STABILITY_POLYNOMIAL_H
#define COCP_CORE_STABILITY_POLYNOMIAL_H

#include "core/base/arena.h"

enum { POLY_MAX_VAR = 6 };

struct monomial { unsigned char e[POLY_MAX_VAR]; };     /* exponents */

struct poly_term { struct monomial m; double c; };

struct poly { int n; const struct poly_term *term; };   /* n = 0: zero */

struct poly poly_constant(struct arena *mem, double c);
struct poly poly_variable(struct arena *mem, int k);
struct poly poly_monomial(struct arena *mem, struct monomial m);
/* x a + y b */
struct poly poly_combine(struct arena *mem, double x, struct poly a, double y, struct poly b);
struct poly poly_multiply(struct arena *mem, struct poly a, struct poly b);
struct poly poly_derive(struct arena *mem, struct poly a, int k);
/* a with variable k replaced by by[k] (k < POLY_MAX_VAR; those that do not occur may be anything). */
struct poly poly_substitute(struct arena *mem, struct poly a, const struct poly *by);
int poly_degree(struct poly a);
double poly_eval(struct poly a, const double *x);
/* Coefficient of a monomial. */
double poly_coefficient(struct poly a, struct monomial m);

int monomial_compare(struct monomial a, struct monomial b);
struct monomial monomial_multiply(struct monomial a, struct monomial b);
/* All monomials of n_var variables with degrees from low to high: their number; out may be NULL. */
int monomial_list(int n_var, int low, int high, struct monomial *out);

#endif
