/* core/sos/proof.h - what an answer of a sum-of-squares program proves, by interval arithmetic
 *
 * The numbers y, G_j and f_l of an answer are taken as they are stated, as exact ones, and so are the
 * coefficients of p_0, p_k, g_j and h_l. In (1) of sos.h they leave a remainder
 *
 *   r = p_0 + sum_k y_k p_k - sum_j g_j z_j'G_j z_j - sum_l h_l f_l,
 *
 * whose coefficients are enclosed. Where a monomial of r is z_a z_b of the plain sum of squares (the first Gram
 * matrix with g = 1) it is a change of that matrix by a norm of at most its coefficient; the others are bounded
 * over the box. G_j >= least_j I is shown by a Cholesky factor R of G_j - least_j I in floating point, whose
 * error G_j - least_j I - R'R is enclosed. Together
 *
 *   p >= at_least  on { g_j >= 0, h_l = 0 } in the box,                                                    (2)
 *
 * at_least being what is left of least_j: below 0 it is multiplied by the largest g_j z_j'z_j of the box, above 0
 * it counts where z_j has the monomial 1 and g_j is 1. Nothing depends on the box, which may be infinite, where
 * no least_j is below 0 and r is a change of the plain Gram matrix.
 *
 * Shapes  box [number of variables].
 * Errors  NaN or -INFINITY in at_least: nothing is proved.
 */
#ifndef COCP_CORE_SOS_PROOF_H
#define COCP_CORE_SOS_PROOF_H

#include "core/sos/sos.h"

#include <stddef.h>

struct sos_proof {
    double at_least;                /* (2) */
    double remainder;               /* sum of magnitudes of r's coefficients */
    double *least;                  /* [n_gram] */
};

/* Moves r into the plain Gram matrix, as far as its monomials are there: what rounding and the solver left. */
void sos_round(const struct sos_identity *identity, const double *y, struct sos_weights *weights);

/* What is proved; out->least lives in mem. */
void sos_measure(struct arena *mem, const struct sos_identity *identity, const double *y,
                 const struct sos_weights *weights, const struct interval *box, struct sos_proof *out);

/* The same where coefficients of p_0, p_k, g_j and h_l are known to lie in intervals whose middles those of the
 * identity are: what is proved holds for all of them. NULL: they are exact. */
struct sos_enclosure { struct interval_poly constant; const struct interval_poly *part, *gram, *free; };  /* as in sos_identity */
void sos_round_within(const struct sos_identity *identity, const struct sos_enclosure *wide, const double *y,
                      struct sos_weights *weights);
void sos_measure_within(struct arena *mem, const struct sos_identity *identity, const struct sos_enclosure *wide,
                        const double *y, const struct sos_weights *weights, const struct interval *box,
                        struct sos_proof *out);

/* Is it as stated? Measures again and compares, to 1e-9 of the largest numbers of each Gram
 * matrix. If not, why [size]. */
bool sos_check(const struct sos_identity *identity, const double *y, const struct sos_weights *weights,
               const struct interval *box, const struct sos_proof *stated, char *why, size_t size);

/* A lower bound of the eigenvalues of the symmetric matrix A [n x n] by columns; NaN if A
 * is not finite and symmetric. */
double sos_least_eigenvalue(int n, const double *A);

#endif
