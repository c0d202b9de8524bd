/* core/stability/conditions.h - what makes functions of a level prove stability; stability.md 3 and 4
 *
 * A condition is linear in the parameters p, so that its coefficients are its values at unit vectors.
 *
 *   P, E   p = (c, k_1, k_2, Q[6]):  V = c X + k_1 gap_1 + k_2 gap_2 + v'Qv
 *   M      p = (c, q_D, then for contact 1 and 2: k_F, Q_F[6], k_S, Q_S[3])
 *          F_i  c X + k_F gap_j + v'Q_F v                   just bounced on i
 *          S_i  c X + k_S gap_j + z'Q_S z, z = (t_i v, n_j v)   supported by i
 *          D    c X + q_D Xdot^2                            both feet down
 *
 * Q[6] lists the lower triangle by columns: yy, zy, ty, zz, tz, tt; Q_S[3]: 00, 10, 11.
 * With restitution, E asks for what P asks for: the equalities of E then leave only Q = q_0 I + q_1 tau tau', for
 * which nothing depends on the gap rate of the other foot, and that was all the difference.
 *
 * A cone of states is given by its extreme rays of length 1, in a fixed order (the check knows it too):
 *   landing, bounce   slip: p, s (t v)_plus;  stick: lower and upper slope, each at p = -n v = 1
 *   flight            slip: Delta, r, [gap rate of the other foot at the end];  stick: Delta and r at the lower
 *                     slope, Delta and r at the upper slope, [the same]
 */
#ifndef COCP_CORE_STABILITY_CONDITIONS_H
#define COCP_CORE_STABILITY_CONDITIONS_H

#include "core/stability/body.h"

enum { COND_MAX_N = 5, COND_MAX = 80, COND_NAME = 32 };

enum cond_kind {
    COND_EQ,                        /* value = 0 */
    COND_GE,                        /* value >= 0 */
    COND_COP,                       /* copositive: x'Kx >= 0 for x >= 0 */
    COND_PSD                        /* positive semidefinite */
};

struct cond {
    enum cond_kind kind;
    int n;                          /* K is n x n by columns, symmetric; EQ and GE: 1 x 1 */
    double K[COND_MAX_N * COND_MAX_N];
    char name[COND_NAME];
};

struct cond_list { int n; struct cond cond[COND_MAX]; };

/* The conditions of the level (a LEVEL_ bit) at p. Which ones there are depends on the body alone. */
void cond_eval(const struct zod *zod, int level, const double *p, struct cond_list *out);

/* Q by columns from its packed lower triangle. */
void cond_unpack(const double packed[6], double Q[9]);

#endif
