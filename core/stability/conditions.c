#include "core/stability/conditions.h"

#include "core/stability/settings.h"
#include "core/stability/vec3.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* V = c X + k_1 gap_1 + k_2 gap_2 + v'Qv */
struct function { double c, k[2], Q[9]; };

/* S_i = c X + k gap_j + z'Qz */
struct support { double k, Q[3]; };

struct builder {
    const struct zod *zod;
    struct cond_list *out;
};

/* --- Adding conditions --------------------------------------------------------------------------------------- */

__attribute__((format(printf, 5, 6)))
static void add(const struct builder *b, enum cond_kind kind, int n, const double *K, const char *fmt, ...)
{
    va_list args;
    assert(b->out->n < COND_MAX && n <= COND_MAX_N);
    struct cond *cond = &b->out->cond[b->out->n++];
    *cond = (struct cond){ .kind = kind, .n = n };
    memcpy(cond->K, K, (size_t)n * (size_t)n * sizeof *K);
    va_start(args, fmt);
    (void)vsnprintf(cond->name, sizeof cond->name, fmt, args);
    va_end(args);
}

static void add_eq(const struct builder *b, double value)
{
    add(b, COND_EQ, 1, &value, "equality");
}

static char slip_letter(int s)
{
    return s == 0 ? 'P' : 'N';
}

/* --- Parameters ---------------------------------------------------------------------------------------------- */

void cond_unpack(const double packed[6], double Q[9])
{
    static const int place[9] = { 0, 1, 2, 1, 3, 4, 2, 4, 5 };
    for (int k = 0; k < 9; k++)
        Q[k] = packed[place[k]];
}

/* --- Flow (4.1) ---------------------------------------------------------------------------------------------- */

/* The rate of S_i in a mode of acceleration a is row (t_i v, n_j v). */
static void flow_row(const struct zod *zod, int i, double c, const struct support *S, const double *a,
                     double row[2])
{
    const double alpha[2] = { dot3(zod->t[i], a), dot3(zod->n[1 - i], a) };
    row[0] = c * dot3(zod->tau, zod->d[i]) + 2 * (S->Q[0] * alpha[0] + S->Q[1] * alpha[1]);
    row[1] = c * dot3(zod->tau, zod->r[i]) + S->k + 2 * (S->Q[1] * alpha[0] + S->Q[2] * alpha[1]);
}

/* The slips differ by an impulse that turns t_i v alone. Asked for by itself, so that it holds with mu = 0 too:
 * r_i'Q u_t = 0 with n_i u_t = 0, t_i u_t = 1. */
static void add_tangential(const struct builder *b, int i, const struct support *S)
{
    const struct zod *zod = b->zod;
    const double *W = zod->W_inv[i];
    double u_t[3];
    combine3(W[2], zod->n[i], W[3], zod->t[i], u_t);
    add_eq(b, S->Q[1] + S->Q[2] * dot3(zod->n[1 - i], u_t));
}

static void add_flow(const struct builder *b, int i, double c, const struct support *S)
{
    double a[3], lambda, row[2];
    add_tangential(b, i, S);
    for (int s = 0; s < 2; s++) {
        zod_slip(b->zod, i, s, a, &lambda);
        flow_row(b->zod, i, c, S, a, row);
        add_eq(b, row[1]);
        const double value = -slip_sign(s) * row[0];
        add(b, COND_GE, 1, &value, "slip %c%d", slip_letter(s), i + 1);
    }
}

static const double BEYOND = 1e9;       /* of an acceleration: of a matrix of forces that is singular, its direction counts */

static void add_double(const struct builder *b, double c, double q)
{
    double a[3], lambda[2];
    for (int s = 0; s < 2; s++) {
        if (!zod_double(b->zod, s, a, lambda))
            continue;
        const double Xddot = dot3(b->zod->tau, a), size = fabs(Xddot) > BEYOND ? fabs(Xddot) : 1;
        const double value = -slip_sign(s) * (c / size + 2 * q * (Xddot / size));
        add(b, COND_GE, 1, &value, "double slip %c", s == 0 ? '+' : '-');
    }
}

/* --- Rays of states before an impact ------------------------------------------------------------------------- */

/* Pre-impact velocity with -n_i v = p, t_i v = slip, n_j v = rate. */
static void pre_velocity(const struct zod *zod, int i, double p, double slip, double rate, double *v)
{
    combine3(slip, zod->d[i], rate, zod->r[i], v);
    combine3(1, v, -p, zod->m[i], v);
}

static double slope_of_slip(const struct zod *zod, int i, int s)
{
    return -(1 + zod->body.e[i]) * dot3(zod->t[i], zod->f[i][s]) / zod->den[i][s];
}

static void normalize(int n, double *x)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[k] * x[k];
    for (int k = 0; k < n; k++)
        x[k] /= sqrt(sum);
}

/* K = R'FR of n rays of length m */
static void project(int n, int m, const double *R, const double *F, double *K)
{
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            double sum = 0;
            for (int row = 0; row < m; row++)
                for (int col = 0; col < m; col++)
                    sum += R[row + m * a] * F[row + m * col] * R[col + m * b];
            K[a + n * b] = sum;
        }
}

/* F = Q_minus - M'Q_plus M */
static void impact_form(const double *Q_minus, const double *Q_plus, const double *M, double F[9])
{
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            F[a + 3 * b] = Q_minus[a + 3 * b] - form3(Q_plus, &M[3 * a], &M[3 * b]);
}

static void impact_map(const struct zod *zod, int i, enum branch branch, double M[9])
{
    if (branch == STICK)
        zod_impact_stick(zod, i, M);
    else
        zod_impact_slip(zod, i, branch, M);
}

/* --- Impacts without flight (4.2) ---------------------------------------------------------------------------- */

/* The gap rate of the other foot is not changed by an impact of e = 0; P takes any, E one that is not negative. */
static void add_cross(const struct builder *b, int level, double value, const char *what, int i, int k)
{
    if (level == LEVEL_P)
        add_eq(b, value);
    else
        add(b, COND_GE, 1, &value, "%s %d.%d gap rate", what, i + 1, k + 1);
}

/* The extreme rays of the cone of an impact at i. */
static void planar_rays(const struct zod *zod, int i, enum branch branch, double R[6])
{
    double slope[2];
    zod_stick_slopes(zod, i, slope);
    if (branch == STICK) {
        pre_velocity(zod, i, 1, slope[0], 0, &R[0]);
        pre_velocity(zod, i, 1, slope[1], 0, &R[3]);
    } else {
        pre_velocity(zod, i, 1, slope_of_slip(zod, i, branch), 0, &R[0]);
        pre_velocity(zod, i, 0, slip_sign(branch), 0, &R[3]);
    }
    normalize(3, &R[0]);
    normalize(3, &R[3]);
}

/* K: a form on these rays. Of a slip sigma^2 vanishes, as nothing happens there. */
static void add_planar(const struct builder *b, const double K[4], const char *what, int i, enum branch branch)
{
    if (branch == STICK) {
        add(b, COND_COP, 2, K, "%s S%d", what, i + 1);
        return;
    }
    add(b, COND_GE, 1, &K[0], "%s %c%d p p", what, slip_letter(branch), i + 1);
    add(b, COND_GE, 1, &K[2], "%s %c%d p slip", what, slip_letter(branch), i + 1);
}

static void add_plain_impacts(const struct builder *b, int level, int i, const double *Q)
{
    double M[9], F[9], R[6], K[4];
    const struct zod *zod = b->zod;
    for (enum branch branch = SLIP_P; branch <= STICK; branch++) {
        impact_map(zod, i, branch, M);
        impact_form(Q, Q, M, F);
        planar_rays(zod, i, branch, R);
        project(2, 3, R, F, K);
        add_planar(b, K, "impact", i, branch);
        if (branch != STICK)
            add_cross(b, level, form3(F, &R[0], zod->r[i]), "slip", i, branch);
        for (int k = 0; k < 2 && branch == STICK; k++)
            add_cross(b, level, form3(F, &R[3 * k], zod->r[i]), "stick", i, k);
    }
}

/* --- Flight, then impact (4.3): forms in (v, Delta) ---------------------------------------------------------- */

/* A(start) - B(end); k weighs gap_m(start) - gap_m(end). */
static void flight_form(const struct zod *zod, double c, const double k[2], const double *Q_A, const double *Q_B,
                        const double *M, double F[16])
{
    double linear[3], F_v[9], Qg[3];
    const double *g = zod->body.g;
    impact_form(Q_A, Q_B, M, F_v);
    combine3(c, zod->tau, k[0], zod->n[0], linear);
    combine3(1, linear, k[1], zod->n[1], linear);
    apply3(Q_A, g, Qg);
    for (int a = 0; a < 3; a++) {
        for (int col = 0; col < 3; col++)
            F[a + 4 * col] = F_v[a + 3 * col];
        F[a + 12] = F[3 + 4 * a] = -0.5 * linear[a] - Qg[a];
    }
    F[15] = 0.5 * dot3(linear, g) + dot3(g, Qg);
}

/* State (v, Delta) with r = -n_i v - G_i Delta/2; rate_end = n_j v + G_j Delta/2, of the other foot at the end. */
static void flight_state(const struct zod *zod, int i, double Delta, double r, double slope, double rate_end,
                         double *u)
{
    const double p = r + 0.5 * zod->G[i] * Delta;
    pre_velocity(zod, i, p, slope * p, rate_end - 0.5 * zod->G[1 - i] * Delta, u);
    u[3] = Delta;
    normalize(4, u);
}

static void add_flight_slip(const struct builder *b, const double *F, int n_ray, int i, int s)
{
    double R[12], K[9], both[8], pair[4];
    const double slope = slope_of_slip(b->zod, i, s);
    flight_state(b->zod, i, 1, 0, slope, 0, &R[0]);
    flight_state(b->zod, i, 0, 1, slope, 0, &R[4]);
    flight_state(b->zod, i, 0, 0, slope, 1, &R[8]);
    pre_velocity(b->zod, i, 0, slip_sign(s), 0, both);
    both[3] = 0;
    normalize(4, both);
    for (int k = 0; k < 2; k++) {
        memcpy(both + 4, &R[4 * k], 4 * sizeof *both);
        project(2, 4, both, F, pair);
        add(b, COND_GE, 1, &pair[2], "flight %c%d %s slip", slip_letter(s), i + 1, k == 0 ? "Delta" : "r");
    }
    project(n_ray, 4, R, F, K);
    add(b, COND_COP, n_ray, K, "flight %c%d", slip_letter(s), i + 1);
}

static void add_flight_stick(const struct builder *b, const double *F, int n_ray, int i)
{
    double R[20], K[25], slope[2];
    zod_stick_slopes(b->zod, i, slope);
    for (int k = 0; k < 2; k++) {
        flight_state(b->zod, i, 1, 0, slope[k], 0, &R[8 * k]);
        flight_state(b->zod, i, 0, 1, slope[k], 0, &R[8 * k + 4]);
    }
    flight_state(b->zod, i, 0, 0, 0, 1, &R[16]);
    project(n_ray, 4, R, F, K);
    add(b, COND_COP, n_ray, K, "flight S%d", i + 1);
}

/* across: the gap rate of the other foot at the end is a ray of its own. */
static void add_flight(const struct builder *b, const double *F, bool across, int i, enum branch branch)
{
    if (branch == STICK)
        add_flight_stick(b, F, 4 + across, i);
    else
        add_flight_slip(b, F, 2 + across, i, branch);
}

/* n_i v and t_i v decide about the impact at i; the gap rate of the other foot has no sign, and no term of it may
 * be left. */
static void add_free_rate(const struct builder *b, const double *F, int i)
{
    const struct zod *zod = b->zod;
    const double *const other[3] = { zod->d[i], zod->m[i], zod->r[i] };
    double u[8] = { 0 }, K[4];
    memcpy(u, zod->r[i], sizeof zod->r[i]);
    for (int k = 0; k < 3; k++) {
        memcpy(u + 4, other[k], 3 * sizeof *u);
        project(2, 4, u, F, K);
        add_eq(b, K[1]);
    }
    memcpy(u + 4, (double[4]){ 0, 0, 0, 1 }, 4 * sizeof *u);
    project(2, 4, u, F, K);
    add_eq(b, K[1]);
}

/* From a bounce on the other foot, of A, to one on i, of B; from anywhere if they are the same function. */
static void add_flights(const struct builder *b, int i, const struct function *A, const struct function *B)
{
    double M[9], F[16], k[2];
    k[i] = A->k[i];
    k[1 - i] = B->k[1 - i];
    for (enum branch branch = SLIP_P; branch <= STICK; branch++) {
        impact_map(b->zod, i, branch, M);
        flight_form(b->zod, A->c, k, A->Q, B->Q, M, F);
        if (A == B)
            add_free_rate(b, F, i);
        add_flight(b, F, A != B, i, branch);
    }
}

/* From a bounce on i to the next on i: Delta = 2 p/G_i, so that the form is one in v. */
static void bounce_form(const struct zod *zod, int i, const struct function *V, const double *M, double F[9])
{
    double G[16], U[12];
    flight_form(zod, V->c, V->k, V->Q, V->Q, M, G);
    for (int col = 0; col < 3; col++) {
        for (int row = 0; row < 3; row++)
            U[row + 4 * col] = row == col ? 1 : 0;
        U[3 + 4 * col] = -2 / zod->G[i] * zod->n[i][col];
    }
    project(3, 4, U, G, F);
}

static void add_bounces(const struct builder *b, int i, const struct function *V)
{
    double M[9], F[9], R[6], K[4];
    const struct zod *zod = b->zod;
    for (enum branch branch = SLIP_P; branch <= STICK; branch++) {
        impact_map(zod, i, branch, M);
        bounce_form(zod, i, V, M, F);
        planar_rays(zod, i, branch, R);
        project(2, 3, R, F, K);
        add_planar(b, K, "bounce", i, branch);
        for (int k = 0; k < 2 && branch != STICK; k++)
            add_eq(b, form3(F, &R[3 * k], zod->r[i]));
    }
}

/* --- From supported by i to an impact at j (4.2, M) ---------------------------------------------------------- */

/* The form of S_i before, of B after: z = (t v, rate of the other foot) by rows z_t, z_n. */
static double support_form(const struct support *S, const double *z_t, const double *z_n, const double *a,
                           const double *b)
{
    const double za[2] = { dot3(z_t, a), dot3(z_n, a) }, zb[2] = { dot3(z_t, b), dot3(z_n, b) };
    return S->Q[0] * za[0] * zb[0] + S->Q[1] * (za[0] * zb[1] + za[1] * zb[0]) + S->Q[2] * za[1] * zb[1];
}

/* after: F_j with flights, else S_j. */
static void landing_block(const struct zod *zod, int i, const struct support *S, const struct function *F_j,
                          const double *M, const double R[6], double K[4])
{
    const int j = 1 - i;
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            double after[2][3];
            apply3(M, &R[3 * a], after[0]);
            apply3(M, &R[3 * b], after[1]);
            K[a + 2 * b] = support_form(&S[i], zod->t[i], zod->n[j], &R[3 * a], &R[3 * b])
                           - (F_j ? form3(F_j->Q, after[0], after[1])
                                  : support_form(&S[j], zod->t[j], zod->n[i], after[0], after[1]));
        }
}

/* Before, foot i is down: n_i v = 0 is the rate of the other foot, seen from j. */
static void add_landing(const struct builder *b, int i, const struct support *S, const struct function *F_j)
{
    const int j = 1 - i;
    double M[9], R[6], K[4];
    for (enum branch branch = SLIP_P; branch <= STICK; branch++) {
        impact_map(b->zod, j, branch, M);
        planar_rays(b->zod, j, branch, R);
        landing_block(b->zod, i, S, F_j, M, R, K);
        add_planar(b, K, "landing", j, branch);
    }
}

/* --- Relabelling (4.4) --------------------------------------------------------------------------------------- */

static void add_relabelling(const struct builder *b, int i, double q_D, const struct support *S,
                            const struct function *F)
{
    const struct zod *zod = b->zod;
    const int j = 1 - i;
    const double td = dot3(zod->t[i], zod->dir);
    add_eq(b, S[i].Q[0] * td * td - q_D);
    if (!body_bounces(&zod->body))
        return;
    /* Zeno: F_i becomes S_i. The term of the gap rates squared is tied by the bounces wherever slips differ in it;
     * equal everywhere, so that no rank hangs on that. */
    add_eq(b, form3(F[i].Q, zod->d[i], zod->d[i]) - S[i].Q[0]);
    add_eq(b, form3(F[i].Q, zod->d[i], zod->r[i]) - S[i].Q[1]);
    add_eq(b, form3(F[i].Q, zod->r[i], zod->r[i]) - S[i].Q[2]);
    const double gap = F[i].k[j] - S[i].k;
    add(b, COND_GE, 1, &gap, "rest of bounces %d", i + 1);
    /* F_i with the other foot touching down at rate 0 is F_j too. */
    add_eq(b, form3(F[i].Q, zod->d[j], zod->d[j]) - form3(F[j].Q, zod->d[j], zod->d[j]));
    add_eq(b, form3(F[i].Q, zod->d[j], zod->r[j]) - form3(F[j].Q, zod->d[j], zod->r[j]));
}

/* --- Positivity (4.5): gs V + c V1 --------------------------------------------------------------------------- */

static void add_definite(const struct builder *b, double c, const double *Q, const char *name)
{
    double K[9];
    for (int k = 0; k < 9; k++)
        K[k] = b->zod->gs * Q[k] + (k % 4 == 0 ? 0.5 * c : 0);
    add(b, COND_PSD, 3, K, "%s", name);
}

static void add_gap(const struct builder *b, double c, double k, int gap, const char *name)
{
    const double value = b->zod->gs * k + c * b->zod->w[gap];
    add(b, COND_GE, 1, &value, "%s gap %d", name, gap + 1);
}

static void add_supported_definite(const struct builder *b, int i, double c, const struct support *S)
{
    const struct zod *zod = b->zod;
    const double *const D[2] = { zod->d[i], zod->r[i] }, Q[4] = { S->Q[0], S->Q[1], S->Q[1], S->Q[2] };
    double K[4];
    for (int a = 0; a < 2; a++)
        for (int k = 0; k < 2; k++)
            K[a + 2 * k] = zod->gs * Q[a + 2 * k] + 0.5 * c * dot3(D[a], D[k]);
    add(b, COND_PSD, 2, K, "positive S%d", i + 1);
}

/* --- Levels -------------------------------------------------------------------------------------------------- */

static void one_function(const struct builder *b, int level, const double *p)
{
    const struct zod *zod = b->zod;
    struct function V = { .c = p[0], .k = { p[1], p[2] } };
    cond_unpack(p + 3, V.Q);
    for (int i = 0; i < 2; i++) {
        const double *d = zod->d[i], *r = zod->r[i];
        const struct support S = { V.k[1 - i], { form3(V.Q, d, d), form3(V.Q, d, r), form3(V.Q, r, r) } };
        add_flow(b, i, V.c, &S);
        if (body_bounces(&zod->body))
            add_flights(b, i, &V, &V);
        else
            add_plain_impacts(b, level, i, V.Q);
    }
    add_double(b, V.c, form3(V.Q, zod->dir, zod->dir));
    add_definite(b, V.c, V.Q, "positive V");
    for (int i = 0; i < 2; i++)
        add_gap(b, V.c, V.k[i], i, "positive V");
    add(b, COND_GE, 1, &V.c, "positive c");
}

static void function_per_situation(const struct builder *b, const double *p)
{
    const struct zod *zod = b->zod;
    const double c = p[0], q_D = p[1];
    struct support S[2];
    struct function F[2];
    for (int i = 0; i < 2; i++) {
        const double *own = p + 2 + 11 * i;
        F[i] = (struct function){ .c = c };
        F[i].k[1 - i] = own[0];
        cond_unpack(own + 1, F[i].Q);
        S[i] = (struct support){ own[7], { own[8], own[9], own[10] } };
    }
    for (int i = 0; i < 2; i++) {
        add_flow(b, i, c, &S[i]);
        add_landing(b, i, S, body_bounces(&zod->body) ? &F[1 - i] : NULL);
        add_relabelling(b, i, q_D, S, F);
        add_supported_definite(b, i, c, &S[i]);
        add_gap(b, c, S[i].k, 1 - i, i == 0 ? "positive S1" : "positive S2");
    }
    for (int i = 0; i < 2 && body_bounces(&zod->body); i++) {
        add_bounces(b, i, &F[i]);
        add_flights(b, i, &F[1 - i], &F[i]);
        add_definite(b, c, F[i].Q, i == 0 ? "positive F1" : "positive F2");
        add_gap(b, c, F[i].k[1 - i], 1 - i, i == 0 ? "positive F1" : "positive F2");
    }
    add_double(b, c, q_D);
    const double both = zod->gs * q_D + 0.5 * c * dot3(zod->dir, zod->dir);
    add(b, COND_GE, 1, &both, "positive D");
    add(b, COND_GE, 1, &c, "positive c");
}

void cond_eval(const struct zod *zod, int level, const double *p, struct cond_list *out)
{
    const struct builder b = { zod, out };
    out->n = 0;
    if (level == LEVEL_M)
        function_per_situation(&b, p);
    else
        one_function(&b, level, p);
}
