/* core/base/collocation.h - polynomials that obey x' = f at COLLOCATION_STAGES points of a step
 *
 *   x(t_0 + tau h) = x_0 + h sum_l k_l I_l(tau),   x' = f at tau = c_i             HNW II.7
 *   X_i = x_0 + h sum_j a_ij f(X_j),               k_l = sum_j to_legendre[l][j] f(X_j)
 *
 * k_l are the Legendre coefficients of x', I_l the integrals of shifted Legendre polynomials P_l from 0. Points
 * are those of Gauss, of order 2 S at the end of a step, or of Radau (IIA), of order 2 S - 1, whose last one is
 * the end: what is stiff is damped there (HW IV.5).
 */
#ifndef COCP_CORE_BASE_COLLOCATION_H
#define COCP_CORE_BASE_COLLOCATION_H

enum { COLLOCATION_STAGES = 10 };

struct collocation {
    double c[COLLOCATION_STAGES], a[COLLOCATION_STAGES][COLLOCATION_STAGES];
    double to_legendre[COLLOCATION_STAGES][COLLOCATION_STAGES];
};

void collocation_gauss(struct collocation *points);
void collocation_radau(struct collocation *points);

/* A component of X_i = x_0 + h sum_j a_ij f_j: a_i is row i, x that of x_0, f that of f_0, those of the next f_j stand
 * n apart. */
static inline double collocation_stage(const double *a_i, double h, double x, const double *f, int n)
{
    double sum = 0;
    for (int j = 0; j < COLLOCATION_STAGES; j++)
        sum += a_i[j] * f[j * n];
    return x + h * sum;
}

/* P_0 .. P_n at tau in [0, 1]; P [n + 1]. */
void collocation_legendre(int n, double tau, double *P);

/* I_0 .. I_{S - 1} at tau; I [S]. */
void collocation_integrals(double tau, double *I);

#endif
