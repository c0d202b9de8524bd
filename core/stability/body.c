#include "core/stability/body.h"

#include "core/stability/vec3.h"

#include <math.h>
#include <string.h>

struct body body_mirror(const struct body *body)
{
    struct body out = *body;
    for (int i = 0; i < 2; i++) {
        out.l[i] = -body->l[1 - i];
        out.phi[i] = -body->phi[1 - i];
        out.mu[i] = body->mu[1 - i];
        out.e[i] = body->e[1 - i];
    }
    out.g[0] = -body->g[0];
    out.g[2] = -body->g[2];
    return out;
}

/* The vectors dual to a, b, c: out[0] a = 1, out[0] b = out[0] c = 0 and so on. */
static bool dual_basis(const double *a, const double *b, const double *c, double *out_a, double *out_b,
                       double *out_c)
{
    double bc[3], ca[3], ab[3];
    cross3(b, c, bc);
    cross3(c, a, ca);
    cross3(a, b, ab);
    const double det = dot3(a, bc), size = sqrt(dot3(a, a) * dot3(b, b) * dot3(c, c));
    if (!(fabs(det) > 1e-12 * size))
        return false;
    combine3(1 / det, bc, 0, bc, out_a);
    combine3(1 / det, ca, 0, ca, out_b);
    combine3(1 / det, ab, 0, ab, out_c);
    return true;
}

static void set_contact(struct zod *zod, int i)
{
    const struct body *body = &zod->body;
    const double s = sin(body->phi[i]), c = cos(body->phi[i]);
    memcpy(zod->n[i], (double[3]){ -s, c, body->l[i] * c - body->h * s }, sizeof zod->n[i]);
    memcpy(zod->t[i], (double[3]){ c, s, body->l[i] * s + body->h * c }, sizeof zod->t[i]);
    const double NN = dot3(zod->n[i], zod->n[i]), NT = dot3(zod->n[i], zod->t[i]), TT = dot3(zod->t[i], zod->t[i]);
    const double det = NN * TT - NT * NT;
    memcpy(zod->W_inv[i], (double[4]){ TT / det, -NT / det, -NT / det, NN / det }, sizeof zod->W_inv[i]);
    zod->G[i] = -dot3(zod->n[i], body->g);
    for (int k = 0; k < 2; k++) {
        combine3(1, zod->n[i], -slip_sign(k) * body->mu[i], zod->t[i], zod->f[i][k]);
        zod->den[i][k] = dot3(zod->n[i], zod->f[i][k]);
    }
}

bool zod_init(const struct body *body, struct zod *zod)
{
    double dual_n[2][3];
    *zod = (struct zod){ .body = *body, .tau = { 1, 0, body->h } };
    for (int i = 0; i < 2; i++)
        set_contact(zod, i);
    if (!dual_basis(zod->tau, zod->n[0], zod->n[1], zod->dir, dual_n[0], dual_n[1]))
        return false;
    zod->gs = dot3(zod->dir, body->g);
    for (int i = 0; i < 2; i++) {
        zod->w[i] = -dot3(dual_n[i], body->g);
        if (!dual_basis(zod->t[i], zod->n[1 - i], zod->n[i], zod->d[i], zod->r[i], zod->m[i]))
            return false;
    }
    return true;
}

/* --- Modes --------------------------------------------------------------------------------------------------- */

bool zod_slip(const struct zod *zod, int i, int s, double *a, double *lambda)
{
    *lambda = zod->G[i] / zod->den[i][s];
    combine3(1, zod->body.g, *lambda, zod->f[i][s], a);
    return *lambda >= 0;
}

bool zod_stick(const struct zod *zod, int i, double *a, double lambda[2])
{
    const double *W = zod->W_inv[i], Bg[2] = { dot3(zod->n[i], zod->body.g), dot3(zod->t[i], zod->body.g) };
    for (int k = 0; k < 2; k++)
        lambda[k] = -(W[k] * Bg[0] + W[k + 2] * Bg[1]);
    combine3(lambda[0], zod->n[i], lambda[1], zod->t[i], a);
    combine3(1, zod->body.g, 1, a, a);
    return lambda[0] >= 0 && fabs(lambda[1]) <= zod->body.mu[i] * lambda[0];
}

static const double SINGULAR = 1e-12;       /* of a determinant, relative to its terms: not to be told from 0 */

/* +1 or -1: which way foot i slides when X grows. */
static double double_sign(const struct zod *zod, int i)
{
    return dot3(zod->t[i], zod->dir) >= 0 ? 1 : -1;
}

bool zod_double(const struct zod *zod, int s, double *a, double lambda[2])
{
    double f[2][3], A[2][2];
    for (int i = 0; i < 2; i++)
        combine3(1, zod->n[i], -slip_sign(s) * double_sign(zod, i) * zod->body.mu[i], zod->t[i], f[i]);
    for (int i = 0; i < 2; i++)
        for (int m = 0; m < 2; m++)
            A[i][m] = dot3(zod->n[i], f[m]);
    const double scaled[2] = { A[1][1] * zod->G[0] - A[0][1] * zod->G[1], A[0][0] * zod->G[1] - A[1][0] * zod->G[0] };
    double det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
    const double least = SINGULAR * (fabs(A[0][0] * A[1][1]) + fabs(A[0][1] * A[1][0]));
    if (fabs(det) <= least)                     /* as on that side of it where forces may be above 0 */
        det = copysign(least, scaled[0]);
    for (int i = 0; i < 2; i++)
        lambda[i] = scaled[i] / det;
    combine3(lambda[0], f[0], lambda[1], f[1], a);
    combine3(1, zod->body.g, 1, a, a);
    return lambda[0] >= 0 && lambda[1] >= 0;
}

/* --- Impacts ------------------------------------------------------------------------------------------------- */

static void set_identity(double M[9])
{
    for (int k = 0; k < 9; k++)
        M[k] = k % 4 == 0 ? 1 : 0;
}

void zod_impact_slip(const struct zod *zod, int i, int s, double M[9])
{
    const double factor = (1 + zod->body.e[i]) / zod->den[i][s];
    set_identity(M);
    for (int col = 0; col < 3; col++)
        for (int row = 0; row < 3; row++)
            M[row + 3 * col] -= factor * zod->f[i][s][row] * zod->n[i][col];
}

void zod_stick_impulse(const struct zod *zod, int i, const double *v_minus, double impulse[2])
{
    const double *W = zod->W_inv[i];
    const double jump[2] = { (1 + zod->body.e[i]) * dot3(zod->n[i], v_minus), dot3(zod->t[i], v_minus) };
    for (int k = 0; k < 2; k++)
        impulse[k] = -(W[k] * jump[0] + W[k + 2] * jump[1]);
}

void zod_impact_stick(const struct zod *zod, int i, double M[9])
{
    set_identity(M);
    for (int col = 0; col < 3; col++) {
        double unit[3] = { 0, 0, 0 }, impulse[2];
        unit[col] = 1;
        zod_stick_impulse(zod, i, unit, impulse);
        for (int row = 0; row < 3; row++)
            M[row + 3 * col] += zod->n[i][row] * impulse[0] + zod->t[i][row] * impulse[1];
    }
}

/* The ends are where |impulse_t| = mu impulse_n: with slip s, t M_s v = 0, so that t v = -(1 + e)(t f)/den p. */
void zod_stick_slopes(const struct zod *zod, int i, double slope[2])
{
    double end[2];
    for (int s = 0; s < 2; s++)
        end[s] = -(1 + zod->body.e[i]) * dot3(zod->t[i], zod->f[i][s]) / zod->den[i][s];
    slope[0] = fmin(end[0], end[1]);
    slope[1] = fmax(end[0], end[1]);
}
