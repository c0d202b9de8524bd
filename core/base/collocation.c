#include "core/base/collocation.h"

#include "core/base/pi.h"

#include <math.h>

enum { S = COLLOCATION_STAGES, ROUNDS = 50 };

void collocation_legendre(int n, double tau, double *P)
{
    const double y = 2 * tau - 1;
    P[0] = 1;
    P[1] = y;
    for (int l = 1; l < n; l++)
        P[l + 1] = ((2 * l + 1) * y * P[l] - l * P[l - 1]) / (l + 1);
}

void collocation_integrals(double tau, double *I)
{
    double P[S + 1];
    collocation_legendre(S, tau, P);
    I[0] = tau;
    for (int l = 1; l < S; l++)
        I[l] = (P[l + 1] - P[l - 1]) / (2 * (2 * l + 1));
}

/* a and to_legendre from the points and their weights: quadrature is exact for P_l x',
 * of degree 2 S - 2 at most. */
static void fill(struct collocation *points, const double *w)
{
    double P[S + 1], I[S];
    for (int j = 0; j < S; j++) {
        collocation_legendre(S, points->c[j], P);
        for (int l = 0; l < S; l++)
            points->to_legendre[l][j] = (2 * l + 1) * w[j] * P[l];
    }
    for (int i = 0; i < S; i++) {
        collocation_integrals(points->c[i], I);
        for (int j = 0; j < S; j++) {
            points->a[i][j] = 0;
            for (int l = 0; l < S; l++)
                points->a[i][j] += I[l] * points->to_legendre[l][j];
        }
    }
}

/* P_S' at tau, of P_0 .. P_S there; within (0, 1). */
static double slope_of(int n, double tau, const double *P)
{
    return n * ((2 * tau - 1) * P[n] - P[n - 1]) / (2 * tau * (tau - 1));
}

/* Zeros of P_S, by Newton's method. */
void collocation_gauss(struct collocation *points)
{
    double w[S], P[S + 1];
    for (int i = 0; i < S; i++) {
        double tau = 0.5 - 0.5 * cos(PI * (i + 0.75) / (S + 0.5)), slope = 1;
        for (int round = 0; round < ROUNDS; round++) {
            collocation_legendre(S, tau, P);
            slope = slope_of(S, tau, P);
            tau -= P[S] / slope;
        }
        points->c[i] = tau;
        w[i] = 1 / (tau * (1 - tau) * slope * slope);
    }
    fill(points, w);
}

/* Zeros of P_S - P_{S - 1}, likewise; the last one is 1. */
void collocation_radau(struct collocation *points)
{
    double w[S], P[S + 1];
    for (int i = 0; i < S; i++) {
        double tau = 0.5 + 0.5 * cos(2 * PI * (S - 1 - i) / (2 * S - 1));
        for (int round = 0; round < ROUNDS && i < S - 1; round++) {
            collocation_legendre(S, tau, P);
            tau -= (P[S] - P[S - 1]) / (slope_of(S, tau, P) - slope_of(S - 1, tau, P));
        }
        collocation_legendre(S, tau, P);
        points->c[i] = tau;
        w[i] = tau / (S * S * P[S - 1] * P[S - 1]);
    }
    fill(points, w);
}
