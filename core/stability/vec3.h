/* core/stability/vec3.h - vectors and 3 x 3 matrices of the velocities of a planar body
 *
 * Shapes  a vector [3] is (y, z, theta); a matrix [9] is by columns, A[row + 3 * col].
 */
#ifndef COCP_CORE_STABILITY_VEC3_H
#define COCP_CORE_STABILITY_VEC3_H

static inline double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* out = x a + y b; out may be a or b. */
static inline void combine3(double x, const double *a, double y, const double *b, double *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = x * a[k] + y * b[k];
}

static inline void cross3(const double *a, const double *b, double *out)
{
    const double c[3] = { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
    for (int k = 0; k < 3; k++)
        out[k] = c[k];
}

static inline void apply3(const double *A, const double *x, double *out)
{
    const double y[3] = { A[0] * x[0] + A[3] * x[1] + A[6] * x[2], A[1] * x[0] + A[4] * x[1] + A[7] * x[2],
                          A[2] * x[0] + A[5] * x[1] + A[8] * x[2] };
    for (int k = 0; k < 3; k++)
        out[k] = y[k];
}

/* x' A y */
static inline double form3(const double *A, const double *x, const double *y)
{
    double Ay[3];
    apply3(A, y, Ay);
    return dot3(x, Ay);
}

#endif
