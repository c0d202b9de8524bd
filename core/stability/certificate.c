#include "core/stability/certificate.h"

#include "core/stability/proof_functions.h"

#include <lapacke.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double BOX = 1e-12;
static const double RESIDUAL = 1e-11;       /* of p with largest entry 1 */
static const double MARGIN_TOL = 1e-9; /* found again on another machine: sin, cos and eigenvalues may differ */

enum { MAX_N = 5 };

struct checker {
    struct enclosure en;
    int level;
    struct proof_functions fn;
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

static char slip_letter(int s)
{
    return s == SLIP_P ? 'P' : 'N';
}

/* The condition of that name; refused if it is not there, or twice used. */
__attribute__((format(printf, 4, 0)))
static struct certificate_cond *take(struct checker *ck, int n, int n_nu, const char *fmt, va_list args)
{
    char name[CERTIFICATE_NAME];
    (void)vsnprintf(name, sizeof name, fmt, args);
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

__attribute__((format(printf, 3, 4)))
static void positive(struct checker *ck, struct interval value, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    struct certificate_cond *cond = take(ck, 1, 0, fmt, args);
    va_end(args);
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

/* K - scale N(nu) > 0; without nu unless K is copositive. */
__attribute__((format(printf, 5, 6)))
static void definite(struct checker *ck, int n, struct interval *K, bool is_cop, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    struct certificate_cond *cond = take(ck, n, is_cop ? n * (n - 1) / 2 : 0, fmt, args);
    va_end(args);
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

/* --- Flow (4.1) ---------------------------------------------------------------------------------------------- */

static void check_slip(struct checker *ck, int i, const struct proof_function *S)
{
    const struct enclosure *en = &ck->en;
    for (int s = 0; s < 2; s++) {
        struct interval a[3];
        iv_combine3(iv(1), en->g, en->G[i], en->impulse[i][s], a);
        const struct interval rate = iv_add(iv_mul(ck->fn.c, iv_dot3(en->tau, en->d[i])),
                                            iv_scale(2, iv_form3(S->Q, en->d[i], a)));
        positive(ck, iv_scale(-slip_sign(s), rate), "slip %c%d", slip_letter(s), i + 1);
    }
}

static void check_double(struct checker *ck)
{
    for (int s = 0; s < 2; s++) {
        struct interval Xddot;
        if (!enclosure_double(&ck->en, s, &Xddot))
            continue;
        if (ck->fn.q_D.lo > 0)                  /* then its worst end decides, and the other one may be infinite */
            Xddot = iv(s == 0 ? Xddot.hi : Xddot.lo);
        const struct interval rate = iv_add(ck->fn.c, iv_scale(2, iv_mul(ck->fn.q_D, Xddot)));
        positive(ck, iv_scale(-slip_sign(s), rate), "double slip %c", s == 0 ? '+' : '-');
    }
}

/* --- Before and after an impact ------------------------------------------------------------------------------ */

/* One extreme ray of the cone of an impact at i: flight time, velocity at its start and just after the impact. */
struct ray { struct interval Delta, start[3], end[3], before[3]; };

static void scale_ray(struct interval unit, struct ray *ray)
{
    ray->Delta = iv_mul(unit, ray->Delta);
    iv_combine3(unit, ray->before, iv(0), ray->before, ray->before);
    iv_combine3(unit, ray->start, iv(0), ray->start, ray->start);
    iv_combine3(unit, ray->end, iv(0), ray->end, ray->end);
}

/* t v = slope p: at the end of a slip (s) on the cone of both. rate: n_j v. */
static struct ray make_ray(const struct enclosure *en, int i, enum branch branch, int s, struct interval Delta,
                           struct interval p, struct interval rate)
{
    struct ray ray = { .Delta = Delta };
    const struct interval slip = iv_mul(en->slope[i][s], p), bounce = iv_mul(iv_add(iv(1), en->e[i]), p);
    struct interval norm = iv_square(Delta);
    iv_combine3(slip, en->d[i], rate, en->r[i], ray.before);
    iv_combine3(iv(1), ray.before, iv_neg(p), en->m[i], ray.before);
    for (int k = 0; k < 3; k++)
        norm = iv_add(norm, iv_square(ray.before[k]));
    if (branch == STICK) {
        iv_combine3(iv(1), ray.before, bounce, en->u_n[i], ray.end);
        iv_combine3(iv(1), ray.end, iv_neg(slip), en->u_t[i], ray.end);
    } else {
        iv_combine3(iv(1), ray.before, bounce, en->impulse[i][branch], ray.end);
    }
    iv_combine3(iv(1), ray.before, iv_neg(Delta), en->g, ray.start);
    scale_ray(iv_div(iv(1), iv_sqrt(norm)), &ray);
    return ray;
}

/* Sliding at i with p = 0: nothing happens. */
static struct ray slip_ray(const struct enclosure *en, int i, int s)
{
    struct ray ray = { .Delta = iv(0) };
    const struct interval length = iv_sqrt(iv_dot3(en->d[i], en->d[i]));
    iv_combine3(iv_div(iv(slip_sign(s)), length), en->d[i], iv(0), en->d[i], ray.before);
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
    iv_combine3(ck->fn.c, en->tau, change->k[0], en->n[0], weight);
    iv_combine3(iv(1), weight, change->k[1], en->n[1], weight);
    iv_combine3(iv(1), ray->before, iv_scale(-0.5, ray->Delta), en->g, v);
    return iv_neg(iv_dot3(weight, v));
}

static struct interval change_of(const struct checker *ck, const struct change *change, const struct ray *x,
                                 const struct ray *y)
{
    const struct interval lost =
        iv_sub(iv_form3(change->A, x->start, y->start), iv_form3(change->B, x->end, y->end));
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

/* --- Impacts that are decided in the plane of (p, t v): landing, bounce, and all of P and E without flights -- */

/* Delta_p: flight time per p. The ray is of length 1 in v alone. */
static struct ray planar_ray(const struct enclosure *en, int i, enum branch branch, int s, struct interval Delta_p)
{
    struct ray ray = make_ray(en, i, branch, s, Delta_p, iv(1), iv(0));
    scale_ray(iv_div(iv(1), iv_sqrt(iv_dot3(ray.before, ray.before))), &ray);
    return ray;
}

static void check_planar(struct checker *ck, int i, const struct change *change, struct interval Delta_p,
                         const char *what)
{
    const struct enclosure *en = &ck->en;
    struct ray ray[2];
    struct interval K[4] = { { 0, 0 } };
    for (int s = 0; s < 2; s++) {
        ray[0] = planar_ray(en, i, (enum branch)s, s, Delta_p);
        ray[1] = slip_ray(en, i, s);
        positive(ck, change_of(ck, change, &ray[0], &ray[0]), "%s %c%d p p", what, slip_letter(s), i + 1);
        positive(ck, change_of(ck, change, &ray[0], &ray[1]), "%s %c%d p slip", what, slip_letter(s), i + 1);
    }
    for (int k = 0; k < 2; k++)                 /* the lower end is that of N */
        ray[k] = planar_ray(en, i, STICK, 1 - k, Delta_p);
    change_matrix(ck, change, 2, ray, K);
    definite(ck, 2, K, true, "%s S%d", what, i + 1);
}

/* E: products of the gap rate of the other foot, which is not negative, with the rays. */
static void check_gap_rates(struct checker *ck, int i, const struct change *change)
{
    const struct enclosure *en = &ck->en;
    struct ray rate = { .Delta = iv(0) };
    for (int k = 0; k < 3; k++)
        rate.start[k] = rate.end[k] = rate.before[k] = en->r[i][k];
    for (int stick = 0; stick < 2; stick++)
        for (int k = 0; k < 2; k++) {
            const struct ray ray = make_ray(en, i, stick ? STICK : (enum branch)k, stick ? 1 - k : k, iv(0), iv(1),
                                            iv(0));
            positive(ck, change_of(ck, change, &ray, &rate), "%s %d.%d gap rate", stick ? "stick" : "slip", i + 1,
                     k + 1);
        }
}

/* --- Flight, then impact at i -------------------------------------------------------------------------------- */

/* across: the gap rate of the other foot at the end is a ray of its own, else it plays no role. */
static void check_flight(struct checker *ck, int i, const struct change *change, bool across)
{
    const struct enclosure *en = &ck->en;
    const struct interval half_G = iv_scale(0.5, en->G[i]), zero = iv(0), one = iv(1);
    const struct interval rate = iv_scale(-0.5, en->G[1 - i]);
    struct ray ray[MAX_N];
    struct interval K[MAX_N * MAX_N] = { { 0, 0 } };
    for (int s = 0; s < 2; s++) {
        const enum branch branch = (enum branch)s;
        const struct ray slip = slip_ray(en, i, s);
        ray[0] = make_ray(en, i, branch, s, one, half_G, rate);
        ray[1] = make_ray(en, i, branch, s, zero, one, zero);
        ray[2] = make_ray(en, i, branch, s, zero, zero, one);
        for (int k = 0; k < 2; k++)
            positive(ck, change_of(ck, change, &slip, &ray[k]), "flight %c%d %s slip", slip_letter(s), i + 1,
                     k == 0 ? "Delta" : "r");
        change_matrix(ck, change, across ? 3 : 2, ray, K);
        definite(ck, across ? 3 : 2, K, true, "flight %c%d", slip_letter(s), i + 1);
    }
    for (int k = 0; k < 2; k++) {
        ray[2 * k] = make_ray(en, i, STICK, 1 - k, one, half_G, rate);
        ray[2 * k + 1] = make_ray(en, i, STICK, 1 - k, zero, one, zero);
    }
    ray[4] = make_ray(en, i, STICK, 0, zero, zero, one);
    change_matrix(ck, change, across ? 5 : 4, ray, K);
    definite(ck, across ? 5 : 4, K, true, "flight S%d", i + 1);
}

/* --- Positivity (4.5) ---------------------------------------------------------------------------------------- */

static void check_energy(struct checker *ck, const struct proof_function *V, int n,
                         const struct interval *const *basis, const char *what)
{
    struct interval K[9] = { { 0, 0 } };
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            const struct interval *x = basis[a < b ? a : b], *y = basis[a < b ? b : a];
            K[a + n * b] =
                iv_add(iv_mul(ck->en.gs, iv_form3(V->Q, x, y)), iv_scale(0.5, iv_mul(ck->fn.c, iv_dot3(x, y))));
        }
    definite(ck, n, K, false, "%s", what);
}

static void check_gap(struct checker *ck, const struct proof_function *V, int gap, const char *what)
{
    const struct enclosure *en = &ck->en;
    positive(ck, iv_add(iv_mul(en->gs, V->k[gap]), iv_mul(ck->fn.c, en->w[gap])), "%s gap %d", what, gap + 1);
}

/* --- Levels -------------------------------------------------------------------------------------------------- */

static const struct interval axes[3][3] = { { { 1, 1 }, { 0, 0 }, { 0, 0 } }, { { 0, 0 }, { 1, 1 }, { 0, 0 } },
                                            { { 0, 0 }, { 0, 0 }, { 1, 1 } } };
static const struct interval *const space[3] = { axes[0], axes[1], axes[2] };

static void check_one_function(struct checker *ck)
{
    const struct change same = { ck->fn.V.Q, ck->fn.V.Q, { ck->fn.V.k[0], ck->fn.V.k[1] } };
    for (int i = 0; i < 2; i++) {
        check_slip(ck, i, &ck->fn.V);
        if (ck->en.flight) {
            check_flight(ck, i, &same, false);
        } else {
            check_planar(ck, i, &same, iv(0), "impact");
            if (ck->level == LEVEL_E)
                check_gap_rates(ck, i, &same);
        }
        check_gap(ck, &ck->fn.V, i, "positive V");
    }
    check_energy(ck, &ck->fn.V, 3, space, "positive V");
}

static void check_supports(struct checker *ck)
{
    const struct enclosure *en = &ck->en;
    for (int i = 0; i < 2; i++) {
        const int j = 1 - i;
        const struct interval *const down[2] = { en->d[i], en->r[i] };
        const struct change landing = {ck->fn.S[j].Q, en->flight ? ck->fn.F[i].Q : ck->fn.S[i].Q, {iv(0), iv(0)}};
        const char *name = i == 0 ? "positive S1" : "positive S2";
        check_slip(ck, i, &ck->fn.S[i]);
        check_planar(ck, i, &landing, iv(0), "landing");
        check_energy(ck, &ck->fn.S[i], 2, down, name);
        check_gap(ck, &ck->fn.S[i], j, name);
    }
    positive(ck, iv_add(iv_mul(en->gs, ck->fn.q_D), iv_scale(0.5, iv_mul(ck->fn.c, iv_dot3(en->dir, en->dir)))),
             "positive D");
}

static void check_bounces(struct checker *ck)
{
    const struct enclosure *en = &ck->en;
    for (int i = 0; i < 2; i++) {
        const int j = 1 - i;
        const char *name = i == 0 ? "positive F1" : "positive F2";
        struct change bounce = { ck->fn.F[i].Q, ck->fn.F[i].Q, { iv(0), iv(0) } }, flight = bounce;
        bounce.k[j] = flight.k[j] = ck->fn.F[i].k[j];
        flight.A = ck->fn.F[j].Q;
        flight.k[i] = ck->fn.F[j].k[i];
        check_planar(ck, i, &bounce, iv_div(iv(2), en->G[i]), "bounce");
        check_flight(ck, i, &flight, true);
        check_energy(ck, &ck->fn.F[i], 3, space, name);
        check_gap(ck, &ck->fn.F[i], j, name);
        positive(ck, iv_sub(ck->fn.F[i].k[j], ck->fn.S[i].k[j]), "rest of bounces %d", i + 1);
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
    positive(ck, ck->fn.c, "positive c");
    for (int c = 0; c < ck->side->n_cond; c++)
        if (!ck->is_used[c])
            refuse(ck, "no such condition", ck->side->cond[c].name);
}

static void check_side(struct certificate *certificate, int k, char *why, size_t size)
{
    struct checker ck = {
        .level = certificate->level, .side = &certificate->side[k], .margin = INFINITY, .why = why, .size = size};
    enclosure_init(&ck.side->body, BOX, &ck.en);
    const char *missing = enclosure_check(&ck.en, certificate->n_side == 2);
    if (missing)
        refuse(&ck, missing, "");
    proof_functions_init(&ck.en, ck.level, ck.side->p, &ck.fn);
    const double residual = proof_functions_residual(&ck.en, ck.level, ck.side->p, &ck.fn);
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
    if (differs(found.margin, certificate->margin, MARGIN_TOL) ||
        differs(found.residual, certificate->residual, RESIDUAL))
        (void)snprintf(why, size, "the margin or the residual is not as stated");
    for (int k = 0; k < found.n_side && !*why; k++)
        for (int c = 0; c < found.side[k].n_cond && !*why; c++)
            if (differs(found.side[k].cond[c].margin, certificate->side[k].cond[c].margin, MARGIN_TOL)
                || differs(found.side[k].cond[c].sum, certificate->side[k].cond[c].sum, MARGIN_TOL))
                (void)snprintf(why, size, "%s: the margin or the sum is not as stated",
                               found.side[k].cond[c].name);
    return !*why;
}
