/* core/expression/degree.h - is an expression a polynomial, a power, a multiple?
 *
 * Errors  none.
 */
#ifndef COCP_CORE_EXPRESSION_DEGREE_H
#define COCP_CORE_EXPRESSION_DEGREE_H

#include "core/expression/expr.h"

/* Degree of e as a polynomial of symbols that have degrees themselves (0: constants); EXPR_NOT_POLYNOMIAL if it is
 * none. Degrees above that are not told apart. */
enum { EXPR_NOT_POLYNOMIAL = 1000 };
int expr_degree(const struct expr_graph *g, expr e, int n_sym, const expr *sym, const int *degree);

/* The n >= 1 with e = base^n, products of one base unfolded (q*q^2 is q^3); for any
 * other e it is 1 and e itself. */
double expr_power(const struct expr_graph *g, expr e, expr *base);

/* The number, or sign, in front of e = number * rest: graphs keep one alone, and no divisors that are numbers. */
double expr_multiple(const struct expr_graph *g, expr e, expr *rest);

#endif
