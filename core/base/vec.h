/* core/base/vec.h - vectors that are plain arrays of doubles; what is more than a loop is LAPACK's
 *
 * Shapes  a, b, x [n].
 */
#ifndef COCP_CORE_BASE_VEC_H
#define COCP_CORE_BASE_VEC_H

#include <math.h>

/* a'b, summed from the front. */
static inline double vec_dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* The largest |x[k]|; 0 of none. NaN is passed over. */
static inline double vec_largest(int n, const double *x)
{
    double largest = 0;
    for (int k = 0; k < n; k++)
        largest = fmax(largest, fabs(x[k]));
    return largest;
}

/* How far a value is outside of [lower, upper]; NaN is infinitely far. */
static inline double vec_outside(double value, double lower, double upper)
{
    return isnan(value) ? INFINITY : fmax(0, fmax(lower - value, value - upper));
}

/* Of qsort: doubles in ascending order. */
static inline int vec_ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
