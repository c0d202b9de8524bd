/* core/sos/sos.h - polynomials that are nonnegative where others are, as semidefinite programs
 *
 * For numbers y that are sought, one identity for each inequality p >= 0 on { g_j >= 0, h_l = 0 }:
 *
 *   p_0 + sum_k y_k p_k  =  sum_j g_j z_j'G_j z_j  +  sum_l h_l f_l,     G_j positive semidefinite         (1)
 *
 * z_j are monomials (the basis of a Gram matrix G_j), f_l free polynomials, one of the g_j usually 1: sums of
 * squares, and Putinar's multipliers. sos_solve maximizes objective'y. It writes (1) coefficient by coefficient,
 * eliminates y and the f_l by pivots, and leaves the Gram matrices to CSDP (semidefinite.h).
 *
 * Shapes  G by columns, [n_basis x n_basis].
 * It ends without an answer where the program is asked to stop (core/base/stop.h).
 * Errors  a code other than 0 or 3: there is no answer; 1 says that a functional was found that separates p from
 *         all sums of squares. An answer proves nothing before proof.h has looked at it.
 */
#ifndef COCP_CORE_SOS_SOS_H
#define COCP_CORE_SOS_SOS_H

#include "core/sos/polynomial.h"

struct sos_part { int unknown; struct poly poly; };                         /* y_unknown times poly */
struct sos_affine { struct poly constant; int n_part; const struct sos_part *part; };
struct sos_basis { struct poly times; int n; const uint64_t *monomial; };   /* g_j or h_l, and the monomials z_j or of f_l */

struct sos_identity {
    struct sos_affine p;
    int n_gram, n_free;
    const struct sos_basis *gram, *free;        /* [n_gram], [n_free] */
};

struct sos_program {
    int n_y, n_identity;
    const double *objective;                    /* [n_y] */
    const struct sos_identity *identity;        /* [n_identity] */
};

struct sos_weights { double **gram, **free; };  /* of an identity: G_j, and the coefficients of f_l */

struct sos_answer {
    int code, n_equation;                       /* of CSDP; equations that it was given */
    double *y;                                  /* [n_y] */
    struct sos_weights *weights;                /* [n_identity] */
};

/* The identity for p >= 0 where region[j] >= 0 and zero[l] = 0: Gram bases and free polynomials in `variables`
 * (bits) as large as `degree` of the whole allows. The plain sum of squares comes first. */
struct sos_identity sos_nonnegative(struct arena *mem, struct sos_affine p, int n_region, const struct poly *region,
                                    int n_zero, const struct poly *zero, unsigned variables, int degree);

/* In mem. False: no answer, its code says why (-1: an equation has no solution, -2: nothing bounds the
 * objective). A solver that gave up (codes from 4 on) leaves what it had all the same; else y is NULL. */
bool sos_solve(struct arena *mem, const struct sos_program *program, struct sos_answer *out);

/* p_0 + sum y_k p_k, rounded. */
struct poly sos_value(struct arena *mem, const struct sos_affine *p, const double *y);

#endif
