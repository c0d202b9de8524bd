/* core/sos/enclosed.h - polynomials whose coefficients are enclosed by intervals
 *
 * As polynomial.h, with every operation containing the exact result: what is read from numbers that rounding has
 * touched stays a statement about the exact ones. A term whose coefficient is exactly 0 goes; one that is only
 * close to 0 stays. Terms are in ascending order of their monomials and live in the arena that the call was given.
 * Errors  none; exponents above POLY_MAX_EXPONENT are the caller's mistake.
 */
#ifndef COCP_CORE_SOS_ENCLOSED_H
#define COCP_CORE_SOS_ENCLOSED_H

#include "core/sos/polynomial.h"

#include <stdbool.h>

struct interval_poly enclosed_constant(struct arena *mem, struct interval c);
struct interval_poly enclosed_monomial(struct arena *mem, uint64_t monomial, struct interval c);
/* c_0 + c_1 x_k */
struct interval_poly enclosed_affine(struct arena *mem, struct interval c_0, struct interval c_1, int k);
/* a + c b */
struct interval_poly enclosed_add(struct arena *mem, struct interval_poly a, struct interval c,
                                  struct interval_poly b);
struct interval_poly enclosed_scale(struct arena *mem, struct interval c, struct interval_poly a);
struct interval_poly enclosed_mul(struct arena *mem, struct interval_poly a, struct interval_poly b);
struct interval_poly enclosed_derivative(struct arena *mem, struct interval_poly a, int k);
/* a with x_k = with[k] for every k whose bit is set in `which`; with [POLY_MAX_VAR]. */
struct interval_poly enclosed_substitute(struct arena *mem, struct interval_poly a, unsigned which,
                                         const struct interval_poly *with);
/* a / x_k, the terms without x_k left out: for what is known to vanish at x_k = 0. */
struct interval_poly enclosed_divide(struct arena *mem, struct interval_poly a, int k);

/* Coefficient of a monomial; [0, 0] if there is none. */
struct interval enclosed_coefficient(struct interval_poly a, uint64_t monomial);
/* Bits of the variables that occur. */
unsigned enclosed_variables(struct interval_poly a);
/* Largest exponent of x_k. */
int enclosed_degree_in(struct interval_poly a, int k);

/* The middles of the coefficients; terms whose coefficient may be 0 are left out. */
struct poly enclosed_middle(struct arena *mem, struct interval_poly a);

#endif
