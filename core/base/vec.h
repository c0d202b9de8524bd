/* core/base/vec.h - vectors that are plain arrays of doubles; what is more than a loop is LAPACK's */
#ifndef COCP_CORE_BASE_VEC_H
#define COCP_CORE_BASE_VEC_H

/* a'b of vectors [n], summed from the front. */
static inline double vec_dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

#endif
