/* core/stability/proof_functions.h - the functions of a certificate from their free numbers, as enclosures
 *
 * Why the equalities of stability.md 4 hold by construction. The three numbers (Xdot, v of gap 2, v of gap 1) =
 * (tau, n_2, n_1) v are coordinates of v, their dual basis is (dir, r_1, r_2), as tau r_i = 0: rolling about a
 * foot moves the foot line across itself. So
 *   v'Qv = q_D Xdot^2 + 2 Xdot (b_1 n_2 v + b_2 n_1 v) + C_1 (n_2 v)^2 + C_2 (n_1 v)^2 + 2 C_12 (n_1 v)(n_2 v),
 * b_i = dir'Q r_i, C_i = r_i'Q r_i. In a slip or stick at i, a and impulses differ by multiples of u_t only, so
 * that "no gap rate in the flow" (4.1) is r_i'Q u_t = 0, that is b_i = -kappa_i C_i t_i dir with kappa_i = n_j
 * u_t, and
 *   k_i = -2 r_i'Q (g + G_i u_n)                 coefficient of gap j, supported by i
 *   k_F = -r_i'Q_F (2 g + (1 + e_i) G_i u_n)     the same, bounces on i (4.3, Delta = 2 p/G_i)
 * Relabelling (4.4) gives all functions of a level the same q_D, b_i, and S_i and F_i the same C_i. Where the gap
 * rate is free before an impact (P, and E with flights), r_i'Q u_n = 0 too; with r_i normal to n_i and t_i that is
 * Q = q_0 I + q_1 tau tau', k_i = 2 q_0 w_i. Two entries vanish then and are not looked at: nothing happens at a
 * slip with p = 0, and by equal b_i, C_i nothing that it shares with the gap rate of the other foot.
 *
 * Errors  a degenerate body gives NaN bounds.
 */
#ifndef COCP_CORE_STABILITY_PROOF_FUNCTIONS_H
#define COCP_CORE_STABILITY_PROOF_FUNCTIONS_H

#include "core/stability/enclosure.h"

struct proof_function { struct interval k[2], Q[9]; };      /* c X + k_1 gap_1 + k_2 gap_2 + v'Qv */

struct proof_functions {
    struct interval c, q_D;
    struct proof_function V;                /* P, E */
    struct proof_function S[2], F[2];       /* M: S_i takes n_i v = 0 for granted */
};

/* p as in conditions.h: the numbers that are free are taken from it, the others follow. */
void proof_functions_init(const struct enclosure *en, int level, const double *p, struct proof_functions *out);

/* How far the stated p is from what follows, and from having the largest entry 1; what has no meaning must be 0.
 * */
double proof_functions_residual(const struct enclosure *en, int level, const double *p,
                                const struct proof_functions *fn);

#endif
