/* core/base/curve.h - a curve through points: lines, or a cubic spline without knots at its second and last but
 * one point (not-a-knot); through three points the spline is a parabola, through two a line
 *
 * Shapes  s, y, slope [n], s ascending, n >= 2; coef [4 (n - 1)]: on [s[i], s[i+1]] the curve is
 *         sum_k coef[4 i + k] (x - s[i])^k.
 * Errors  none.
 */
#ifndef COCP_CORE_BASE_CURVE_H
#define COCP_CORE_BASE_CURVE_H

#include <stdbool.h>

void curve_cubics(int n, const double *s, const double *y, bool spline, double *coef);

/* Slopes of the spline at its points. */
void curve_slopes(int n, const double *s, const double *y, double *slope);

#endif
