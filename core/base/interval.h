/* core/base/interval.h - real numbers enclosed by two doubles
 *
 * Each operation contains the exact result for all numbers of its arguments: what is rounded to nearest moves
 * outwards by one unit in the last place. Functions of the C library are allowed four such units. A NaN anywhere
 * makes NaN bounds, which pass no test, as `lo > 0` is false then.
 */
#ifndef COCP_CORE_BASE_INTERVAL_H
#define COCP_CORE_BASE_INTERVAL_H

#include <stdbool.h>

struct interval { double lo, hi; };

struct interval iv(double x);
/* All numbers within `radius` of x. */
struct interval iv_around(double x, double radius);
struct interval iv_add(struct interval a, struct interval b);
struct interval iv_sub(struct interval a, struct interval b);
struct interval iv_neg(struct interval a);
struct interval iv_mul(struct interval a, struct interval b);
struct interval iv_scale(double x, struct interval a);
/* NaN if b contains 0. */
struct interval iv_div(struct interval a, struct interval b);
struct interval iv_square(struct interval a);
/* NaN if a goes below 0. */
struct interval iv_sqrt(struct interval a);
/* The exact range: 1 or -1 where a crest lies within. */
struct interval iv_sin(struct interval a);
struct interval iv_cos(struct interval a);
/* Of a function of the C library that grows all over a. */
struct interval iv_growing(double (*f)(double), struct interval a);
struct interval iv_hull(struct interval a, struct interval b);
/* Is it 0, and nothing else? A NaN is not. */
bool iv_is_zero(struct interval a);
double iv_mid(struct interval a);
/* Largest magnitude. */
double iv_mag(struct interval a);
struct interval iv_dot3(const struct interval *a, const struct interval *b);
void iv_cross3(const struct interval *a, const struct interval *b, struct interval *out);
/* out = x a + y b */
void iv_combine3(struct interval x, const struct interval *a, struct interval y, const struct interval *b,
                 struct interval *out);
/* x'Q y, Q [3 x 3] by columns */
struct interval iv_form3(const struct interval *Q, const struct interval *x, const struct interval *y);

/* Is every symmetric matrix within A [n x n] by columns, n <= 5, minus shift times the identity, positive
 * definite? By elimination: all pivots must lie above 0. */
bool iv_positive_definite(int n, const struct interval *A, double shift);

#endif
