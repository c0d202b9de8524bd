/* core/contact/dense.h - small dense vectors and systems of equations, also where they are redundant
 *
 * Shapes  a, b, v, z [n]; A, M [n * n] by columns.
 * Errors  dense_solve returns the residual max |A z - b| (NaN if there is a NaN), which tells whether there is a
 *         solution at all.
 */
#ifndef COCP_CORE_CONTACT_DENSE_H
#define COCP_CORE_CONTACT_DENSE_H

#include "core/base/arena.h"
#include "core/base/vec.h"

#include <math.h>
#include <stdbool.h>

/* The largest magnitude; NaN if there is one. */
static inline double dense_largest(int n, const double *a)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i]) <= most) && !isnan(most))
            most = fabs(a[i]);
    return most;
}

/* The largest difference. */
static inline double dense_distance(int n, const double *a, const double *b)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

static inline bool dense_is_finite(int n, const double *a)
{
    return isfinite(dense_largest(n, a));
}

/* v'M v / 2. */
static inline double dense_kinetic(int n, const double *M, const double *v)
{
    double sum = 0;
    for (int j = 0; j < n; j++)
        sum += 0.5 * v[j] * vec_dot(n, M + j * n, v);
    return sum;
}

struct dense {                      /* workspace for up to n_max unknowns */
    int n_max, lwork;
    double *A, *b, *scale, *row_scale, *work, *gram, *y;
    int *pivot;
};

void dense_init(struct dense *dense, struct arena *mem, int n_max);

/* Solves A z = b. Where A is singular (relative to 1e-11 after scaling) z is the solution of least
 * sum (z_i / weight_i)^2, or comes nearest to one in the sense of least squares; *is_redundant tells that.
 * weight may be NULL: ones. */
double dense_solve(struct dense *dense, int n, const double *A, const double *b, const double *weight, double *z,
                   bool *is_redundant);

/* The smallest change of dx (n_x unknowns) with C dx = d, n rows of C one after the other. */
void dense_least_change(struct dense *dense, int n, int n_x, const double *C, const double *d, double *dx);

/* C = A B, all [n * n] by columns; zeros of B, and columns of A with few entries, as of one mass among many, cost
 * next to nothing. row [n] is scratch. */
void dense_multiply(int n, const double *A, const double *B, double *C, int *row);

/* Factor M = L L' of a symmetric matrix in place of its lower triangle; false if it is not positive definite. */
bool dense_factor(int n, double *M);
/* M^-1 B in place of B [n * k] by columns. */
void dense_back(int n, const double *L, int k, double *B);

/* What impulses of contacts do to their velocities (Delassus' operator):
 *
 *   M (v_plus - v) = J r,  u = J'v   give   u_plus = u + G r,   M W = J,   G = J'W
 *
 * M [n_q * n_q], J and W [n_q * n], G [n * n]. */
void dense_product(int n_q, int n, const double *J, const double *W, double *G);
/* W and G; false if M is not positive definite. */
bool dense_delassus(int n_q, const double *M, int n, const double *J, double *W, double *G);

#endif
