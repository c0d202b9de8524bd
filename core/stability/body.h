/* core/stability/body.h - a planar body at rest on two contacts, in the units of stability.md 1
 *
 * Mass and radius of gyration 1, q = (y, z, theta), v = (u, w, omega). Foot i is at (l_i, -h) from the centre of
 * mass, its contact normal tilted by phi_i. Without contact the acceleration is g = (F sin alpha, -F cos alpha,
 * T).
 *
 *   n_i = (-sin phi_i, cos phi_i, l_i cos phi_i - h sin phi_i)      gap rate  n_i v
 *   t_i = ( cos phi_i, sin phi_i, l_i sin phi_i + h cos phi_i)      slip      t_i v
 *   tau = (1, 0, h)                                                 X = tau q
 *   g = gs tau - w_1 n_1 - w_2 n_2;     n_1 d = n_2 d = 0, tau d = 1
 *   v = (t_i v) d_i + (n_j v) r_i + (n_i v) m_i                     j: the other contact
 *
 * Errors  zod_init says whether the geometry is regular; the modes say whether they exist.
 */
#ifndef COCP_CORE_STABILITY_BODY_H
#define COCP_CORE_STABILITY_BODY_H

#include <stdbool.h>

struct body {
    double l[2], h, phi[2];         /* lengths over the radius of gyration; l[0] < l[1] */
    double mu[2], e[2];
    double g[3];
};

/* Has an impact flights after it? */
static inline bool body_bounces(const struct body *body)
{
    return body->e[0] > 0 || body->e[1] > 0;
}

/* The same body seen from behind: l, alpha, phi, T change sign; the contacts change places. */
struct body body_mirror(const struct body *body);

/* How an impact ends; of the two slips 0 is P (+1), 1 is N (-1). */
enum branch { SLIP_P, SLIP_N, STICK };

static inline double slip_sign(int s)
{
    return s == 0 ? 1 : -1;
}

struct zod {                        /* the zero-order dynamics: what follows from the body */
    struct body body;
    double n[2][3], t[2][3], tau[3], gs, w[2], dir[3];
    double d[2][3], r[2][3], m[2][3];
    double W_inv[2][4];             /* of W = [n t]' [n t], by columns */
    double G[2];                    /* -n_i g */
    double f[2][2][3], den[2][2];   /* [contact][slip]: f = n - s mu t, den = n f */
};

/* False if the two normals and the foot line do not span the plane's motions (then nothing else is set). */
bool zod_init(const struct body *body, struct zod *zod);

/* --- Modes: constant accelerations a [3] and forces; false if the mode does not exist (stability.md 1) ------- */
bool zod_slip(const struct zod *zod, int i, int s, double *a, double *lambda);
bool zod_stick(const struct zod *zod, int i, double *a, double lambda[2]);      /* lambda: normal, tangential */
/* Both feet slide, X growing (s = 0) or falling. lambda: normal forces. */
bool zod_double(const struct zod *zod, int s, double *a, double lambda[2]);

/* --- Impact maps v_plus = M v_minus at contact i ------------------------------------------------------------- */
void zod_impact_slip(const struct zod *zod, int i, int s, double M[9]);
void zod_impact_stick(const struct zod *zod, int i, double M[9]);
/* Impulses (normal, tangential) of a sticking impact. */
void zod_stick_impulse(const struct zod *zod, int i, const double *v_minus, double impulse[2]);
/* The cone of sticking impacts is p = -n v >= 0, slope[0] p <= t v <= slope[1] p. */
void zod_stick_slopes(const struct zod *zod, int i, double slope[2]);

#endif
