/* core/simulation/stiff.h - the stages of a step by Newton's method, for what is damped much faster than it moves
 *
 *   X_i = x + h sum_j a_ij f(t + c_j h, X_j)       Radau IIA of SIM_DEGREE stages, L-stable                 HW IV.5
 *   (A^-1/h (x) I - I (x) J) dX = A^-1 (x - X)/h + f(X)       simplified Newton, J = df/dx at the start     HW IV.8
 *
 * Sweeps settle for steps of a few time constants of the fastest part of a system, be it at rest long since: a
 * joint of 3 N m s with 1e-5 kg m^2 has 3e-6 s. A^-1 is diagonal in its eigenvectors, five complex pairs, so
 * that a step factors five matrices of the size of J. J is made of differences: it decides how fast stages
 * settle and not what they are. x' at the stages comes from them, A^-1 (X - x)/h: f would bring their rounding
 * back multiplied by J.
 */
#ifndef COCP_CORE_SIMULATION_STIFF_H
#define COCP_CORE_SIMULATION_STIFF_H

#include "core/base/collocation.h"
#include "core/simulation/flow.h"

enum { STIFF_PAIRS = COLLOCATION_STAGES / 2 };

struct stiff {                      /* S = COLLOCATION_STAGES stages of n numbers */
    int n;
    double *K, *X;                  /* [S n] x' and x at the stages, the caller's */
    enum flow_outcome why;          /* of a failed field */
    double h;                       /* of the step */
    double fastest;                 /* 1/s, |J^4|^(1/4) of the last J; 0: none was wanted */
    double *J, *power, *product;    /* [n * n] by columns; from here on made at the first use */
    struct collocation radau;
    double a_inverse[COLLOCATION_STAGES][COLLOCATION_STAGES];
    double _Complex root[STIFF_PAIRS];                          /* of A^-1, one of each pair */
    double _Complex from[COLLOCATION_STAGES][STIFF_PAIRS];      /* its eigenvectors */
    double _Complex to[STIFF_PAIRS][COLLOCATION_STAGES];        /* and their inverse */
    double *near, *t;               /* [n * n] states of differences, [n] and [S] times */
    double *g;                      /* [S n] */
    double _Complex *LU, *W;        /* [STIFF_PAIRS * n * n], [STIFF_PAIRS * n] */
    int *pivot, *row;               /* [STIFF_PAIRS * n], [n] */
};

void stiff_init(struct stiff *stiff, int n, double *K, double *X);

/* Finds X and K and returns the rounds that it took; 0 if they are not found. Arrays in mem. */
int stiff_find(struct stiff *stiff, struct arena *mem, struct flow *flow, const struct mode *mode, double t,
               double h, const double *x, double rtol, double atol);

/* After stiff_find: what a defect h x' - h f [n] leaves of itself in x, |(1 - h J/z)^-1 defect|, in its place; z
 * is the root nearest to real. */
void stiff_damp(struct stiff *stiff, double *defect);

#endif
