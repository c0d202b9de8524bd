/* core/sos/products.h - products of dense matrices and Cholesky factors: those of the reference BLAS, faster
 *
 * Semidefinite programs spend nine tenths of their time here. The program has these in the place of dgemm and
 * dpotrf of the reference BLAS and LAPACK 3.11, for all that it links; the library takes those of the machine.
 * Every sum is taken in the order of the reference, each product and each sum rounded for itself, so that results
 * are the same bit by bit, whatever the machine: only which sums go side by side differs.
 *
 * Arguments  as in BLAS and LAPACK, matrices by columns. `trans`: 'N', or 'T', 'C'; `uplo`: 'U' or 'L'. The
 * lengths of these texts, which callers written in Fortran add behind, are not looked at.
 * Errors     info > 0: the minor of this order is not positive. Arguments are not checked.
 */
#ifndef COCP_CORE_SOS_PRODUCTS_H
#define COCP_CORE_SOS_PRODUCTS_H

/* C := alpha op(A) op(B) + beta C, op(A) [m x k], op(B) [k x n] */
void dgemm_(const char *trans_a, const char *trans_b, const int *m, const int *n, const int *k,
            const double *alpha, const double *A, const int *lda, const double *B, const int *ldb,
            const double *beta, double *C, const int *ldc);

/* A := R with A = R'R ('U') or A = R R' ('L'), A [n x n]; the other triangle stays. */
void dpotrf_(const char *uplo, const int *n, double *A, const int *lda, int *info);

#endif
