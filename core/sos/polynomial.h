/* core/sos/polynomial.h - polynomials in several variables
 *
 *   p(x) = sum of coefficient * x_0^e_0 * x_1^e_1 * ...
 *
 * A monomial is one number: exponent k takes the bits 5 k to 5 k + 4, so that products of monomials are sums of
 * these numbers. There are up to POLY_MAX_VAR variables with exponents up to POLY_MAX_EXPONENT. Terms come in
 * ascending order of their monomials, none twice. A polynomial does not change once it is made; its terms live in
 * the arena that the call was given. The zero polynomial has no terms, and { 0 } is one.
 *
 * Coefficients are doubles: exact for what is written with them, rounded where polynomials are added, multiplied,
 * or put into each other. interval_poly holds all that rounding could make of them.
 * Errors  none; exponents that are too large are the caller's mistake.
 */
#ifndef COCP_CORE_SOS_POLYNOMIAL_H
#define COCP_CORE_SOS_POLYNOMIAL_H

#include "core/base/arena.h"
#include "core/base/interval.h"

#include <stdint.h>

enum { POLY_MAX_VAR = 12, POLY_MAX_EXPONENT = 31 };

struct poly_term { uint64_t monomial; double coefficient; };
struct poly { int n; const struct poly_term *term; };       /* [n] */

struct interval_term { uint64_t monomial; struct interval coefficient; };
struct interval_poly { int n; const struct interval_term *term; };

/* --- Monomials ----------------------------------------------------------------------------------------------- */

/* x_k^e */
static inline uint64_t monomial_power(int k, int e)
{
    return (uint64_t)e << (5 * k);
}

static inline int monomial_exponent(uint64_t monomial, int k)
{
    return (int)(monomial >> (5 * k) & POLY_MAX_EXPONENT);
}

int monomial_degree(uint64_t monomial);

/* All monomials up to the degree in the variables whose bit is set in `variables`, by degree; their number. */
int monomial_basis(struct arena *mem, unsigned variables, int degree, uint64_t **out);

/* --- Polynomials --------------------------------------------------------------------------------------------- */

struct poly poly_constant(struct arena *mem, double c);
struct poly poly_monomial(struct arena *mem, uint64_t monomial, double c);
/* c_0 + sum of slope[k] x_k, k < n */
struct poly poly_affine(struct arena *mem, double c_0, int n, const double *slope);
/* a + c b */
struct poly poly_add(struct arena *mem, struct poly a, double c, struct poly b);
struct poly poly_mul(struct arena *mem, struct poly a, struct poly b);
/* d/dx_k */
struct poly poly_derivative(struct arena *mem, struct poly a, int k);
/* a(x) with x_k = with[k](x), k < n; other variables stay. */
struct poly poly_substitute(struct arena *mem, struct poly a, int n, const struct poly *with);

int poly_degree(struct poly a);
double poly_coefficient(struct poly a, uint64_t monomial);
double poly_eval(struct poly a, const double *x);
/* Contains the values for all x in the box. */
struct interval poly_range(struct poly a, const struct interval *box);

/* --- With rounding enclosed ---------------------------------------------------------------------------------- */

/* Sums of products in which every coefficient contains the exact one: from terms in any order to a polynomial. */
struct interval_sum { struct arena *mem; int n, room; struct interval_term *term; };

/* Adds c a b. */
void interval_sum_add(struct interval_sum *sum, struct interval c, struct poly a, struct poly b);
/* The terms put together; the sum is spent. */
struct interval_poly interval_sum_end(struct interval_sum *sum);

struct interval interval_poly_range(struct interval_poly a, const struct interval *box);

/* x^e for all x of the interval: never below 0 where e is even. */
struct interval interval_power(struct interval x, int e);
struct interval monomial_range(uint64_t monomial, const struct interval *box);

#endif
