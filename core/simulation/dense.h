/* core/simulation/dense.h - small dense systems of equations, also where they are redundant
 *
 * Shapes  A [n * n] by columns; b, z [n].
 * Errors  dense_solve returns the residual max |A z - b| (NaN if there is a NaN), which tells whether there is a
 *         solution at all.
 */
#ifndef COCP_CORE_SIMULATION_DENSE_H
#define COCP_CORE_SIMULATION_DENSE_H

#include "core/base/arena.h"

#include <stdbool.h>

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

/* The smallest change of dx (n_x unknowns) with C dx = d, n rows: C[row + col * n]. */
void dense_least_change(struct dense *dense, int n, int n_x, const double *C, const double *d, double *dx);

/* Factor M = L L' of a symmetric matrix in place of its lower triangle; false if it is not positive definite. */
bool dense_factor(int n, double *M);
/* M^-1 b in place of b. */
void dense_back(int n, const double *L, double *b);

#endif
