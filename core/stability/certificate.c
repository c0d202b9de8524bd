#include "core/stability/certificate.h"

#include "core/stability/enclosure.h"
#include "core/stability/settings.h"

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Why the equalities of stability.md 4 hold by construction. The three numbers (Xdot, v of gap 2, v of gap 1) =
 * (tau, n_2, n_1) v are coordinates of v, their dual basis is (dir, r_1, r_2), as tau r_i = 0: rolling about a foot
 * moves the foot line across itself. So
 *   v'Qv = q_D Xdot^2 + 2 Xdot (b_1 n_2 v + b_2 n_1 v) + C_1 (n_2 v)^2 + C_2 (n_1 v)^2 + 2 C_12 (n_1 v)(n_2 v),
 * b_i = dir'Q r_i, C_i = r_i'Q r_i. In a slip or stick at i, a and impulses differ by multiples of u_t only, so that
 * "no gap rate in the flow" (4.1) is r_i'Q u_t = 0, that is b_i = -kappa_i C_i t_i dir with kappa_i = n_j u_t, and
 *   k_i = -2 r_i'Q (g + G_i u_n)                 coefficient of gap j, supported by i
 *   k_F = -r_i'Q_F (2 g + (1 + e_i) G_i u_n)     the same, bounces on i (4.3, Delta = 2 p/G_i)
 * Relabelling (4.4) gives all functions of a level the same q_D, b_i, and S_i and F_i the same C_i. Where the gap
 * rate is free before an impact (P, and E with flights), r_i'Q u_n = 0 too; with r_i normal to n_i and t_i that is
 * Q = q_0 I + q_1 tau tau', k_i = 2 q_0 w_i. Two entries vanish then and are not looked at: nothing happens at a
 * slip with p = 0, and by equal b_i, C_i nothing that it shares with the gap rate of the other foot. */

static const double BOX = 1e-12;
static const double RESIDUAL = 1e-11;       /* of p with largest entry 1 */
static const double MARGIN_TOL = 1e-9;      /* found again on another machine: sin, cos and eigenvalues may differ */

enum { MAX_N = 5 };

struct function { struct interval k[2], Q[9]; };        /* c X + k_1 gap_1 + k_2 gap_2 + v'Qv */

struct checker {
    struct enclosure en;
    int level;
    struct interval c, q_D;
    struct function V;              /* P, E */
    struct function S[2], F[2];     /* M: S_i takes n_i v = 0 for granted */
    struct certificate_side *side;
    bool is_used[CERTIFICATE_MAX_COND];
    double margin;                  /* least so far */
    char *why;                      /* empty while all is well */
    size_t size;
};

/* --- Words --------------------------------------------------------------------------------------------------- */

static void refuse(struct checker *ck, const char *what, const char *name)
{
    if (!*ck->why)
        (void)snprintf(ck->why, ck->size, "%s%s%s", name, *name ? ": " : "", what);
}

/* Multipliers: none below 0, and none but the n_nu that have a place. */
static bool has_proper_multipliers(const struct certificate_cond *cond, int n_nu)
{
    for (int k = 0; k < CERTIFICATE_MAX_NU; k++)
        if (!(k < n_nu ? cond->nu[k] >= 0 : fabs(cond->nu[k]) <= 0))
            return false;
    return true;
}

/* The condition of that name; refused if it is not there, or twice used. */
static struct certificate_cond *take(struct checker *ck, const char *name, int n, int n_nu)
{
    for (int c = 0; c < ck->side->n_cond; c++) {
        struct certificate_cond *cond = &ck->side->cond[c];
        if (ck->is_used[c] || strncmp(cond->name, name, sizeof cond->name) != 0)
            continue;
        ck->is_used[c] = true;
        if (cond->n == n && cond->scale > 0 && isfinite(cond->scale) && has_proper_multipliers(cond, n_nu))
            return cond;
        refuse(ck, "wrong size, scale or multipliers", name);
        return NULL;
    }
    refuse(ck, "not stated", name);
    return NULL;
}

static void settle(struct checker *ck, struct certificate_cond *cond, double margin, double sum)
{
    cond->margin = margin;
    cond->sum = sum;
    ck->margin = fmin(ck->margin, margin);
    if (!(margin > 0))
        refuse(ck, "does not hold", cond->name);
}

static void positive(struct checker *ck, struct interval value, const char *name)
{
    struct certificate_cond *cond = take(ck, name, 1, 0);
    if (cond)
        settle(ck, cond, value.lo / cond->scale, iv_mid(value) / cond->scale);
}

/* --- Matrices ------------------------------------------------------------------------------------------------ */

/* A lower bound of the least eigenvalue, proved by elimination; NaN if none is found. The guess may be any. */
static double least_eigenvalue(int n, const struct interval *K)
{
    double A[MAX_N * MAX_N], eigen[MAX_N], size = 0;
    for (int k = 0; k < n * n; k++) {
        A[k] = iv_mid(K[k]);
        size = fmax(size, iv_mag(K[k]));
        if (!isfinite(A[k]))
            return NAN;
    }
    if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', n, A, n, eigen) != 0)
        return NAN;
    for (double slack = 1e-10; slack < 1; slack *= 10) {
        const double bound = eigen[0] - slack * size;
        if (bound > 0 && iv_positive_definite(n, K, bound))
            return bound;
    }
    return NAN;
}

/* K - scale N(nu) > 0; nu NULL: none. */
static void definite(struct checker *ck, int n, struct interval *K, bool is_cop, const char *name)
{
    struct certificate_cond *cond = take(ck, name, n, is_cop ? n * (n - 1) / 2 : 0);
    if (!cond)
        return;
    for (int col = 0, k = 0; is_cop && col < n; col++)
        for (int row = 0; row < col; row++, k++) {
            const struct interval nu = iv_scale(cond->scale, iv(cond->nu[k]));
            K[row + n * col] = iv_sub(K[row + n * col], nu);
            K[col + n * row] = K[row + n * col];
        }
    double sum = 0;
    for (int k = 0; k < n * n; k++)
        sum += (k + 1) * iv_mid(K[k]) / cond->scale;
    settle(ck, cond, least_eigenvalue(n, K) / cond->scale, sum);
}

/* --- Vectors ------------------------------------------------------------------------------------------------- */

static void combine(struct interval x, const struct interval *a, struct interval y, const struct interval *b,
                    struct interval *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = iv_add(iv_mul(x, a[k]), iv_mul(y, b[k]));
}

static struct interval form(const struct interval *Q, const struct interval *x, const struct interval *y)
{
    struct interval Qy[3];
    for (int row = 0; row < 3; row++) {
        Qy[row] = iv(0);
        for (int col = 0; col < 3; col++)
            Qy[row] = iv_add(Qy[row], iv_mul(Q[row + 3 * col], y[col]));
    }
    return iv_dot3(x, Qy);
}

static void add_outer(struct interval x, const struct interval *a, const struct interval *b, struct interval *Q)
{
    for (int col = 0; col < 3; col++)
        for (int row = 0; row < 3; row++)
            Q[row + 3 * col] = iv_add(Q[row + 3 * col], iv_mul(x, iv_mul(a[row], b[col])));
}

static void add_outer_both(struct interval x, const struct interval *a, const struct interval *b, struct interval *Q)
{
    add_outer(x, a, b, Q);
    add_outer(x, b, a, Q);
}

/* --- The functions from their free numbers ------------------------------------------------------------------- */

static struct interval stated(const double *packed, const struct interval *a, const struct interval *b)
{
    static const int place[9] = { 0, 1, 2, 1, 3, 4, 2, 4, 5 };
    struct interval Q[9];
    for (int k = 0; k < 9; k++)
        Q[k] = iv(packed[place[k]]);
    return iv(iv_mid(form(Q, a, b)));       /* a number that defines the function: its rounding is part of it */
}

static struct interval kappa(const struct enclosure *en, int i)
{
    return iv_dot3(en->n[1 - i], en->u_t[i]);
}

/* b_1 and b_2 times their share, C_1, C_2, C_12. */
static void set_form(const struct enclosure *en, struct interval q_D, const struct interval own[2],
                     const struct interval C[2], struct interval C_12, struct interval *Q)
{
    for (int k = 0; k < 9; k++)
        Q[k] = iv(0);
    add_outer(q_D, en->tau, en->tau, Q);
    for (int i = 0; i < 2; i++) {
        const struct interval b = iv_neg(iv_mul(iv_mul(kappa(en, i), own[i]), en->td[i]));
        add_outer_both(b, en->tau, en->n[1 - i], Q);
        add_outer(C[i], en->n[1 - i], en->n[1 - i], Q);
    }
    add_outer_both(C_12, en->n[0], en->n[1], Q);
}

static struct interval support_k(const struct enclosure *en, int i, const struct interval *Q)
{
    struct interval a[3];
    combine(iv(1), en->g, en->G[i], en->u_n[i], a);
    return iv_scale(-2, form(Q, en->r[i], a));
}

static struct interval bounce_k(const struct enclosure *en, int i, const struct interval *Q)
{
    struct interval a[3];
    combine(iv(2), en->g, iv_mul(iv_add(iv(1), en->e[i]), en->G[i]), en->u_n[i], a);
    return iv_neg(form(Q, en->r[i], a));
}

static bool has_rotation_form(const struct checker *ck)
{
    return ck->level == LEVEL_P || ck->en.flight;
}

static void set_one_function(struct checker *ck)
{
    const struct enclosure *en = &ck->en;
    const double *Q = ck->side->p + 3;
    if (has_rotation_form(ck)) {
        const struct interval q_0 = iv(Q[3]), q_1 = iv(Q[0] - Q[3]);
        for (int k = 0; k < 9; k++)
            ck->V.Q[k] = k % 4 == 0 ? q_0 : iv(0);
        add_outer(q_1, en->tau, en->tau, ck->V.Q);
        for (int i = 0; i < 2; i++)
            ck->V.k[i] = iv_scale(2, iv_mul(q_0, en->w[i]));
    } else {
        struct interval C[2];
        for (int i = 0; i < 2; i++)
            C[i] = stated(Q, en->r[i], en->r[i]);
        set_form(en, stated(Q, en->dir, en->dir), C, C, stated(Q, en->r[0], en->r[1]), ck->V.Q);
        for (int i = 0; i < 2; i++)
            ck->V.k[1 - i] = support_k(en, i, ck->V.Q);
    }
    ck->q_D = form(ck->V.Q, en->dir, en->dir);
}

static void set_functions(struct checker *ck)
{
    const struct enclosure *en = &ck->en;
    const double *p = ck->side->p;
    const struct interval zero = iv(0);
    struct interval own[2];
    ck->q_D = iv(p[1]);
    for (int i = 0; i < 2; i++)
        own[i] = iv(p[2 + 11 * i + 10]);
    for (int i = 0; i < 2; i++) {
        const int j = 1 - i;
        const double *Q_F = p + 2 + 11 * i + 1;
        struct interval C[2], only[2];
        only[i] = own[i];
        only[j] = zero;
        set_form(en, ck->q_D, only, only, zero, ck->S[i].Q);
        ck->S[i].k[j] = support_k(en, i, ck->S[i].Q);
        C[i] = own[i];
        C[j] = stated(Q_F, en->r[j], en->r[j]);
        set_form(en, ck->q_D, own, C, stated(Q_F, en->r[0], en->r[1]), ck->F[i].Q);
        ck->F[i].k[j] = bounce_k(en, i, ck->F[i].Q);
        ck->S[i].k[i] = ck->F[i].k[i] = zero;
    }
}

/* --- Agreement of p with them -------------------------------------------------------------------------------- */

static void compare(double *residual, double said, struct interval is)
{
    const double off = fabs(said - iv_mid(is));
    if (!(off <= *residual))
        *residual = off;                    /* NaN included */
}

static void compare_packed(double *residual, const double *packed, const struct interval *Q)
{
    static const int place[6] = { 0, 1, 2, 4, 5, 8 };
    for (int k = 0; k < 6; k++)
        compare(residual, packed[k], Q[place[k]]);
}

static double residual_of(const struct checker *ck)
{
    const struct enclosure *en = &ck->en;
    const double *p = ck->side->p;
    double residual = 0, largest = 0;
    const int n_p = ck->level == LEVEL_M ? 24 : 9;
    for (int q = 0; q < CERTIFICATE_MAX_P; q++)
        largest = fmax(largest, fabs(p[q]));
    compare(&residual, largest, iv(1));
    for (int q = n_p; q < CERTIFICATE_MAX_P; q++)
        compare(&residual, p[q], iv(0));
    if (ck->level != LEVEL_M) {
        for (int i = 0; i < 2; i++)
            compare(&residual, p[1 + i], ck->V.k[i]);
        compare_packed(&residual, p + 3, ck->V.Q);
        return residual;
    }
    for (int i = 0; i < 2; i++) {
        const double *own = p + 2 + 11 * i;
        const struct interval *S = ck->S[i].Q, *const z[2] = { en->d[i], en->r[i] };
        static const int place[3][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 } };
        compare(&residual, own[7], ck->S[i].k[1 - i]);
        for (int k = 0; k < 3; k++)
            compare(&residual, own[8 + k], form(S, z[place[k][0]], z[place[k][1]]));
        compare(&residual, own[0], en->flight ? ck->F[i].k[1 - i] : iv(0));
        for (int k = 0; k < 6 && !en->flight; k++)
            compare(&residual, own[1 + k], iv(0));
        if (en->flight)
            compare_packed(&residual, own + 1, ck->F[i].Q);
    }
    return residual;
}

/* --- Flow (4.1) ---------------------------------------------------------------------------------------------- */

static void check_slip(struct checker *ck, int i, const struct function *S)
{
    const struct enclosure *en = &ck->en;
    char name[CERTIFICATE_NAME];
    for (int s = 0; s < 2; s++) {
        struct interval a[3];
        combine(iv(1), en->g, en->G[i], en->impulse[i][s], a);
        const struct interval rate = iv_add(iv_mul(ck->c, iv_dot3(en->tau, en->d[i])),
                                            iv_scale(2, form(S->Q, en->d[i], a)));
        (void)snprintf(name, sizeof name, "slip %c%d", s == 0 ? 'P' : 'N', i + 1);
        positive(ck, iv_scale(-slip_sign(s), rate), name);
    }
}

static void check_double(struct checker *ck)
{
    for (int s = 0; s < 2; s++) {
        struct interval Xddot;
        if (!enclosure_double(&ck->en, s, &Xddot))
            continue;
        const struct interval rate = iv_add(ck->c, iv_scale(2, iv_mul(ck->q_D, Xddot)));
        positive(ck, iv_scale(-slip_sign(s), rate), s == 0 ? "double slip +" : "double slip -");
    }
}

/* --- Before and after an impact ------------------------------------------------------------------------------ */

/* One extreme ray of the cone of an impact at i: flight time, velocity at its start and just after the impact. */
struct ray { struct interval Delta, start[3], end[3], before[3]; };

enum branch { SLIP_P, SLIP_N, STICK };

/* t v = slope p: at the end of a slip (s) on the cone of both. rate: n_j v. */
static struct ray make_ray(const struct enclosure *en, int i, enum branch branch, int s, struct interval Delta,
                           struct interval p, struct interval rate)
{
    struct ray ray = { .Delta = Delta };
    const struct interval slip = iv_mul(en->slope[i][s], p), bounce = iv_mul(iv_add(iv(1), en->e[i]), p);
    struct interval norm = iv_square(Delta);
    combine(slip, en->d[i], rate, en->r[i], ray.before);
    combine(iv(1), ray.before, iv_neg(p), en->m[i], ray.before);
    for (int k = 0; k < 3; k++)
        norm = iv_add(norm, iv_square(ray.before[k]));
    const struct interval unit = iv_div(iv(1), iv_sqrt(norm));
    if (branch == STICK) {
        combine(iv(1), ray.before, bounce, en->u_n[i], ray.end);
        combine(iv(1), ray.end, iv_neg(slip), en->u_t[i], ray.end);
    } else {
        combine(iv(1), ray.before, bounce, en->impulse[i][branch], ray.end);
    }
    combine(iv(1), ray.before, iv_neg(Delta), en->g, ray.start);
    ray.Delta = iv_mul(unit, Delta);
    combine(unit, ray.before, iv(0), ray.before, ray.before);
    combine(unit, ray.start, iv(0), ray.start, ray.start);
    combine(unit, ray.end, iv(0), ray.end, ray.end);
    return ray;
}

/* Sliding at i with p = 0: nothing happens. */
static struct ray slip_ray(const struct enclosure *en, int i, int s)
{
    struct ray ray = { .Delta = iv(0) };
    const struct interval length = iv_sqrt(iv_dot3(en->d[i], en->d[i]));
    combine(iv_div(iv(slip_sign(s)), length), en->d[i], iv(0), en->d[i], ray.before);
    memcpy(ray.start, ray.before, sizeof ray.start);
    memcpy(ray.end, ray.before, sizeof ray.end);
    return ray;
}

/* A at the start minus B at the end, k[m] weighing the difference of gap m; as a bilinear form of two rays. */
struct change { const struct interval *A, *B; struct interval k[2]; };

/* The rate of the linear part along the flight, averaged: (c tau + k n)(v - g Delta/2). */
static struct interval linear_part(const struct checker *ck, const struct change *change, const struct ray *ray)
{
    const struct enclosure *en = &ck->en;
    struct interval weight[3], v[3];
    combine(ck->c, en->tau, change->k[0], en->n[0], weight);
    combine(iv(1), weight, change->k[1], en->n[1], weight);
    combine(iv(1), ray->before, iv_scale(-0.5, ray->Delta), en->g, v);
    return iv_neg(iv_dot3(weight, v));
}

static struct interval change_of(const struct checker *ck, const struct change *change, const struct ray *x,
                                 const struct ray *y)
{
    const struct interval lost = iv_sub(form(change->A, x->start, y->start), form(change->B, x->end, y->end));
    const struct interval linear = iv_add(iv_mul(x->Delta, linear_part(ck, change, y)),
                                          iv_mul(y->Delta, linear_part(ck, change, x)));
    return iv_add(lost, iv_scale(0.5, linear));
}

static void change_matrix(const struct checker *ck, const struct change *change, int n, const struct ray *ray,
                          struct interval *K)
{
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            K[a + n * b] = change_of(ck, change, &ray[a < b ? a : b], &ray[a < b ? b : a]);
}

/* --- Impacts that are decided in the plane of (p, t v): landing, bounce, and all of P and E without flights ------ */

/* Delta_p: flight time per p. */
static void planar_ray(const struct enclosure *en, int i, enum branch branch, int s, struct interval Delta_p,
                       struct ray *ray)
{
    *ray = make_ray(en, i, branch, s, Delta_p, iv(1), iv(0));
}

/* A ray of a bounce is of length 1 in v alone. */
static void planar_norm(struct ray *ray)
{
    const struct interval unit = iv_div(iv(1), iv_sqrt(iv_dot3(ray->before, ray->before)));
    ray->Delta = iv_mul(unit, ray->Delta);
    combine(unit, ray->before, iv(0), ray->before, ray->before);
    combine(unit, ray->start, iv(0), ray->start, ray->start);
    combine(unit, ray->end, iv(0), ray->end, ray->end);
}

static void check_planar(struct checker *ck, int i, const struct change *change, struct interval Delta_p,
                         const char *what)
{
    const struct enclosure *en = &ck->en;
    char name[CERTIFICATE_NAME];
    struct ray ray[2];
    struct interval K[4];
    for (int s = 0; s < 2; s++) {
        const char letter = s == 0 ? 'P' : 'N';
        planar_ray(en, i, s == 0 ? SLIP_P : SLIP_N, s, Delta_p, &ray[0]);
        planar_norm(&ray[0]);
        ray[1] = slip_ray(en, i, s);
        (void)snprintf(name, sizeof name, "%s %c%d p p", what, letter, i + 1);
        positive(ck, change_of(ck, change, &ray[0], &ray[0]), name);
        (void)snprintf(name, sizeof name, "%s %c%d p slip", what, letter, i + 1);
        positive(ck, change_of(ck, change, &ray[0], &ray[1]), name);
    }
    for (int k = 0; k < 2; k++) {               /* the lower end is that of N */
        planar_ray(en, i, STICK, 1 - k, Delta_p, &ray[k]);
        planar_norm(&ray[k]);
    }
    change_matrix(ck, change, 2, ray, K);
    (void)snprintf(name, sizeof name, "%s S%d", what, i + 1);
    definite(ck, 2, K, true, name);
}

/* E: products of the gap rate of the other foot, which is not negative, with the rays. */
static void check_gap_rates(struct checker *ck, int i, const struct change *change)
{
    const struct enclosure *en = &ck->en;
    char name[CERTIFICATE_NAME];
    struct ray rate = { .Delta = iv(0) }, ray;
    for (int k = 0; k < 3; k++)
        rate.start[k] = rate.end[k] = rate.before[k] = en->r[i][k];
    for (int stick = 0; stick < 2; stick++)
        for (int k = 0; k < 2; k++) {
            const enum branch branch = stick ? STICK : k == 0 ? SLIP_P : SLIP_N;
            planar_ray(en, i, branch, stick ? 1 - k : k, iv(0), &ray);
            (void)snprintf(name, sizeof name, "%s %d.%d gap rate", stick ? "stick" : "slip", i + 1, k + 1);
            positive(ck, change_of(ck, change, &ray, &rate), name);
        }
}

/* --- Flight, then impact at i -------------------------------------------------------------------------------- */

/* across: the gap rate of the other foot at the end is a ray of its own, else it plays no role. */
static void check_flight(struct checker *ck, int i, const struct change *change, bool across)
{
    const struct enclosure *en = &ck->en;
    const struct interval half_G = iv_scale(0.5, en->G[i]), zero = iv(0), one = iv(1);
    const struct interval rate = iv_scale(-0.5, en->G[1 - i]);
    char name[CERTIFICATE_NAME];
    struct ray ray[MAX_N];
    struct interval K[MAX_N * MAX_N];
    for (int s = 0; s < 2; s++) {
        const enum branch branch = s == 0 ? SLIP_P : SLIP_N;
        const struct ray slip = slip_ray(en, i, s);
        ray[0] = make_ray(en, i, branch, s, one, half_G, rate);
        ray[1] = make_ray(en, i, branch, s, zero, one, zero);
        ray[2] = make_ray(en, i, branch, s, zero, zero, one);
        for (int k = 0; k < 2; k++) {
            (void)snprintf(name, sizeof name, "flight %c%d %s slip", s == 0 ? 'P' : 'N', i + 1, k == 0 ? "Delta" : "r");
            positive(ck, change_of(ck, change, &slip, &ray[k]), name);
        }
        change_matrix(ck, change, across ? 3 : 2, ray, K);
        (void)snprintf(name, sizeof name, "flight %c%d", s == 0 ? 'P' : 'N', i + 1);
        definite(ck, across ? 3 : 2, K, true, name);
    }
    for (int k = 0; k < 2; k++) {
        ray[2 * k] = make_ray(en, i, STICK, 1 - k, one, half_G, rate);
        ray[2 * k + 1] = make_ray(en, i, STICK, 1 - k, zero, one, zero);
    }
    ray[4] = make_ray(en, i, STICK, 0, zero, zero, one);
    change_matrix(ck, change, across ? 5 : 4, ray, K);
    (void)snprintf(name, sizeof name, "flight S%d", i + 1);
    definite(ck, across ? 5 : 4, K, true, name);
}

/* --- Positivity (4.5) ---------------------------------------------------------------------------------------- */

static void check_energy(struct checker *ck, const struct function *V, int n, const struct interval *const *basis,
                         const char *what)
{
    struct interval K[9];
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            const struct interval *x = basis[a < b ? a : b], *y = basis[a < b ? b : a];
            K[a + n * b] = iv_add(iv_mul(ck->en.gs, form(V->Q, x, y)), iv_scale(0.5, iv_mul(ck->c, iv_dot3(x, y))));
        }
    definite(ck, n, K, false, what);
}

static void check_gap(struct checker *ck, const struct function *V, int gap, const char *what)
{
    char name[CERTIFICATE_NAME];
    const struct enclosure *en = &ck->en;
    (void)snprintf(name, sizeof name, "%s gap %d", what, gap + 1);
    positive(ck, iv_add(iv_mul(en->gs, V->k[gap]), iv_mul(ck->c, en->w[gap])), name);
}

/* --- Levels -------------------------------------------------------------------------------------------------- */

static const struct interval axes[3][3] = { { { 1, 1 }, { 0, 0 }, { 0, 0 } }, { { 0, 0 }, { 1, 1 }, { 0, 0 } },
                                            { { 0, 0 }, { 0, 0 }, { 1, 1 } } };
static const struct interval *const space[3] = { axes[0], axes[1], axes[2] };

static void check_one_function(struct checker *ck)
{
    const struct change same = { ck->V.Q, ck->V.Q, { ck->V.k[0], ck->V.k[1] } };
    for (int i = 0; i < 2; i++) {
        check_slip(ck, i, &ck->V);
        if (ck->en.flight) {
            check_flight(ck, i, &same, false);
        } else {
            check_planar(ck, i, &same, iv(0), "impact");
            if (ck->level == LEVEL_E)
                check_gap_rates(ck, i, &same);
        }
        check_gap(ck, &ck->V, i, "positive V");
    }
    check_energy(ck, &ck->V, 3, space, "positive V");
}

static void check_supports(struct checker *ck)
{
    const struct enclosure *en = &ck->en;
    for (int i = 0; i < 2; i++) {
        const int j = 1 - i;
        const struct interval *const down[2] = { en->d[i], en->r[i] };
        const struct change landing = { ck->S[j].Q, en->flight ? ck->F[i].Q : ck->S[i].Q, { iv(0), iv(0) } };
        const char *name = i == 0 ? "positive S1" : "positive S2";
        check_slip(ck, i, &ck->S[i]);
        check_planar(ck, i, &landing, iv(0), "landing");
        check_energy(ck, &ck->S[i], 2, down, name);
        check_gap(ck, &ck->S[i], j, name);
    }
    positive(ck, iv_add(iv_mul(en->gs, ck->q_D), iv_scale(0.5, iv_mul(ck->c, iv_dot3(en->dir, en->dir)))), "positive D");
}

static void check_bounces(struct checker *ck)
{
    const struct enclosure *en = &ck->en;
    for (int i = 0; i < 2; i++) {
        const int j = 1 - i;
        const char *name = i == 0 ? "positive F1" : "positive F2";
        struct change bounce = { ck->F[i].Q, ck->F[i].Q, { iv(0), iv(0) } }, flight = bounce;
        bounce.k[j] = flight.k[j] = ck->F[i].k[j];
        flight.A = ck->F[j].Q;
        flight.k[i] = ck->F[j].k[i];
        check_planar(ck, i, &bounce, iv_div(iv(2), en->G[i]), "bounce");
        check_flight(ck, i, &flight, true);
        check_energy(ck, &ck->F[i], 3, space, name);
        check_gap(ck, &ck->F[i], j, name);
        positive(ck, iv_sub(ck->F[i].k[j], ck->S[i].k[j]), i == 0 ? "rest of bounces 1" : "rest of bounces 2");
    }
}

static void check_conditions(struct checker *ck)
{
    if (ck->level == LEVEL_M) {
        check_supports(ck);
        if (ck->en.flight)
            check_bounces(ck);
    } else {
        check_one_function(ck);
    }
    check_double(ck);
    positive(ck, ck->c, "positive c");
    for (int c = 0; c < ck->side->n_cond; c++)
        if (!ck->is_used[c])
            refuse(ck, "no such condition", ck->side->cond[c].name);
}

static void check_side(struct certificate *certificate, int k, char *why, size_t size)
{
    struct checker ck = { .level = certificate->level, .side = &certificate->side[k], .margin = INFINITY, .why = why,
                          .size = size };
    enclosure_init(&ck.side->body, BOX, &ck.en);
    const char *missing = enclosure_check(&ck.en, certificate->n_side == 2);
    if (missing)
        refuse(&ck, missing, "");
    ck.c = iv(ck.side->p[0]);
    if (ck.level == LEVEL_M)
        set_functions(&ck);
    else
        set_one_function(&ck);
    const double residual = residual_of(&ck);
    if (!(residual <= RESIDUAL))
        refuse(&ck, "the parameters do not satisfy the equalities", "");
    check_conditions(&ck);
    certificate->margin = fmin(certificate->margin, ck.margin);
    certificate->residual = fmax(certificate->residual, residual);
}

static bool is_mirror(const struct body *a, const struct body *b)
{
    const struct body mirror = body_mirror(a);
    bool same = !(mirror.h < b->h || mirror.h > b->h);
    for (int i = 0; i < 2; i++) {
        const double x[4] = { mirror.l[i], mirror.phi[i], mirror.mu[i], mirror.e[i] };
        const double y[4] = { b->l[i], b->phi[i], b->mu[i], b->e[i] };
        for (int k = 0; k < 4; k++)
            same = same && x[k] <= y[k] && x[k] >= y[k];
    }
    for (int k = 0; k < 3; k++)
        same = same && mirror.g[k] <= b->g[k] && mirror.g[k] >= b->g[k];
    return same;
}

bool certificate_measure(struct certificate *certificate, char *why, size_t size)
{
    *why = '\0';
    certificate->margin = INFINITY;
    certificate->residual = 0;
    const int level = certificate->level, n = certificate->n_side;
    if ((level != LEVEL_P && level != LEVEL_E && level != LEVEL_M) || n < 1 || n > 2) {
        (void)snprintf(why, size, "no such level or number of sides");
        return false;
    }
    for (int k = 0; k < n; k++)
        check_side(certificate, k, why, size);
    if (!*why && n == 2 && !is_mirror(&certificate->side[0].body, &certificate->side[1].body))
        (void)snprintf(why, size, "the second side is not the mirror image of the first");
    return !*why;
}

/* A difference that counts, NaN included. */
static bool differs(double a, double b, double tol)
{
    return !(fabs(a - b) <= tol);
}

bool certificate_check(const struct certificate *certificate, char *why, size_t size)
{
    struct certificate found = *certificate;
    if (!certificate_measure(&found, why, size))
        return false;
    if (differs(found.margin, certificate->margin, MARGIN_TOL) || differs(found.residual, certificate->residual, RESIDUAL))
        (void)snprintf(why, size, "the margin or the residual is not as stated");
    for (int k = 0; k < found.n_side && !*why; k++)
        for (int c = 0; c < found.side[k].n_cond && !*why; c++)
            if (differs(found.side[k].cond[c].margin, certificate->side[k].cond[c].margin, MARGIN_TOL)
                || differs(found.side[k].cond[c].sum, certificate->side[k].cond[c].sum, MARGIN_TOL))
                (void)snprintf(why, size, "%s: the margin or the sum is not as stated", found.side[k].cond[c].name);
    return !*why;
}
