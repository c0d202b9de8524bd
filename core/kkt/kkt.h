/* core/kkt/kkt.h - sparse symmetric indefinite linear systems whose pattern stays: P S A S P' = L D L'
 *
 * Multifrontal. What depends on the pattern alone (order, assembly tree, maps) is made once by kkt_create; after
 * that a matrix of this pattern costs little more than its flops. Fronts are dense, with pivots of 1 x 1 and 2 x 2
 * chosen by threshold; what no pivot of a front passes goes on to the parent's. Notes with formulas: kkt.md.
 *
 * Shapes  A is n x n, given by triplets (row, col) of one triangle, in any order; repeated ones add up, as they do
 *         in interior-point methods (Hessian, barrier, regularization). D is block diagonal, S diagonal of powers
 *         of two, so that scaling rounds nothing.
 * Units   of the caller; pivots are judged in the scaled matrix, whose rows have largest entries around 1.
 * Errors  matrices that cannot be factorized are outcomes. Nothing is allocated after the first factorization but
 *         when later ones delay many more pivots. Results do not depend on the width of the processor's vectors.
 */
#ifndef COCP_CORE_KKT_KKT_H
#define COCP_CORE_KKT_KKT_H

struct kkt;

enum kkt_outcome {
    KKT_FACTORIZED,
    KKT_SINGULAR,                   /* some pivots are 0; the factors solve for the rest */
    KKT_TOO_MANY_NEGATIVE,          /* stopped: more than max_negative eigenvalues are negative; no factors */
    KKT_NOT_FINITE,                 /* NaN or Inf in A, or on the way; no factors */
    KKT_STOPPED                     /* somebody asked the program to stop (core/base/stop.h); no factors */
};

struct kkt_inertia {
    int positive, negative, zero;   /* of the eigenvalues; after KKT_TOO_MANY_NEGATIVE lower bounds */
    int uncertain;                  /* pivots so small that rounding decides their sign; counted above as well */
};

#define KKT_THRESHOLD 1e-6          /* a pivot may be this much smaller than its column; MUMPS's within IPOPT */
enum { KKT_ANY_INERTIA = 2147483647 };

/* Orders and analyses the pattern. row, col [n_entry], 0-based. */
struct kkt *kkt_create(int n, int n_entry, const int *row, const int *col);

/* val [n_entry]; threshold in (0, 0.5]; stops early where more than max_negative eigenvalues are negative. */
enum kkt_outcome kkt_factorize(struct kkt *kkt, const double *val, double threshold, int max_negative);

struct kkt_inertia kkt_inertia(const struct kkt *kkt);

/* Solves A x = b in place, refined where that helps. Returns |b - A x| / (|b| + min(|x|, 1e6 |b|)) in the largest
 * norm, by which IPOPT judges solutions, too; NAN where there are no factors. */
double kkt_solve(struct kkt *kkt, double *b);

/* As kkt_create has left it: the factors are given back, and the next factorization does not start from the scaling
 * of the one before. */
void kkt_forget(struct kkt *kkt);

void kkt_free(struct kkt *kkt);

struct kkt_size {
    int n, n_front, largest_front, n_two_by_two;
    int n_delayed;                  /* pivots passed on to a parent, counted at each passing */
    double n_factor, flops;         /* entries of L, multiplications and additions: of the last factorization */
};

struct kkt_size kkt_size(const struct kkt *kkt);

#endif
