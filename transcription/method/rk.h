/* transcription/method/rk.h - Runge-Kutta tableaus, computed at start-up; runge_kutta.md 1, 2
 *
 *   Radau IIA         s = 1..9   order 2s - 1   c_s = 1, L-stable, the default
 *   Gauss-Legendre    s = 1..9   order 2s       c_s < 1: the right end of a step is an extra point
 *   Lobatto IIIC      s = 2..9   order 2s - 2   c_1 = 0, c_s = 1, L-stable
 *   explicit          s = 1..4   order s        Euler, midpoint, Kutta's third-order, the classical one
 *
 * Nodes are roots of Legendre polynomials found by bisection, coefficients integrals of Lagrange polynomials, all
 * in long double and rounded once: nothing is copied from tables.
 *
 * Shapes  A, A_inv [s x s] by rows, A[i * s + j] belongs to stage i and derivative j, as a tableau is printed;
 *         b, c, bA_inv [s].
 * Errors  a number of stages that the family does not have: STATUS_SPEC.
 */
#ifndef COCP_TRANSCRIPTION_METHOD_RK_H
#define COCP_TRANSCRIPTION_METHOD_RK_H

#include "core/base/arena.h"
#include "core/base/diag.h"

#include <stdbool.h>

enum rk_family { RK_RADAU_IIA, RK_GAUSS_LEGENDRE, RK_LOBATTO_IIIC, RK_EXPLICIT };

struct rk {
    struct arena mem;               /* owns the arrays */
    enum rk_family family;
    int s;                          /* number of stages */
    double *A;                      /* [s * s] by rows */
    double *A_inv;                  /* [s * s] by rows, the inverse of A; NULL if explicit */
    double *b, *c;                  /* [s] */
    double *bA_inv;                 /* [s], b' A_inv, exactly (0, .., 0, 1) if ends_at_one; NULL if explicit */
    bool ends_at_one;               /* b is the last row of A: the last stage is the right end of the step */
    int order;                      /* on smooth problems */
};

enum status rk_create(enum rk_family family, int s, struct rk **out, struct diag *diag);
void rk_free(struct rk *rk);
/* Weights of the polynomials at part c of a step, [s + 1]: of y those of its left end and the stages, of what
 * stages alone have those of the stages, the first one 0. */
void rk_weights(const struct rk *rk, double c, double *y, double *unknown);
/* As in specs. */
const char *rk_name(enum rk_family family);

#endif
