/* core/stability/sos.h - sums of squares: polynomials with unknown coefficients that are to be nonnegative on sets
 *
 *   f_0 + sum_q p_q f_q = sigma_0 + sum_k sigma_k g_k,  sigma_k = z_k' X_k z_k,  X_k positive semidefinite,
 * with z_k all monomials such that sigma_k g_k has at most the degree asked for, gives f >= 0 where all g_k >= 0.
 * One linear equation per monomial; the unknowns p are differences of two numbers that are not negative.
 *
 * Errors  none: sos_solve returns the code of CSDP: 0 solved, 1 infeasible, 3 partly, others failed. Whatever it
 *         says is numerical only: equations hold to 1e-7 or so, which near the origin may be everything.
 */
#ifndef COCP_CORE_STABILITY_SOS_H
#define COCP_CORE_STABILITY_SOS_H

#include "core/stability/polynomial.h"

struct sos_program;

struct sos_program *sos_create(int n_unknown);
void sos_free(struct sos_program *program);

/* f [n_unknown + 1], the part without unknowns first; g [n_g]. Products of two g are used, too, where the degree
 * allows. */
void sos_require(struct sos_program *program, int n_var, int degree, const struct poly *f, int n_g,
                 const struct poly *g);

struct sos_size { int n_block, largest, n_row; };
struct sos_size sos_size_of(const struct sos_program *program);

/* p [n_unknown]. residual: the largest violation of an equation, relative to 1 + |p|. */
int sos_solve(const struct sos_program *program, double *p, double *residual);

#endif
