#include "core/stability/enclosure.h"

#include <math.h>
#include <string.h>

static struct interval near(double x, double box)
{
    return iv_around(x, box * fmax(1, fabs(x)));
}

/* mu = 0 and e = 0 are statements, not measurements. */
static struct interval near_unless_zero(double x, double box)
{
    return x > 0 ? near(x, box) : iv(0);
}

static void scale3(struct interval x, const struct interval *a, struct interval *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = iv_mul(x, a[k]);
}

/* out = a + x b; out may be a or b. */
static void add_scaled3(const struct interval *a, struct interval x, const struct interval *b, struct interval *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = iv_add(a[k], iv_mul(x, b[k]));
}

/* The multiple of b x c with product 1 with a. */
static void dual(const struct interval *a, const struct interval *b, const struct interval *c,
                 struct interval *out)
{
    struct interval bc[3];
    iv_cross3(b, c, bc);
    scale3(iv_div(iv(1), iv_dot3(a, bc)), bc, out);
}

static void set_impulses(struct enclosure *en, int i)
{
    const struct interval *n = en->n[i], *t = en->t[i];
    const struct interval NN = iv_dot3(n, n), NT = iv_dot3(n, t), TT = iv_dot3(t, t);
    const struct interval det = iv_sub(iv_mul(NN, TT), iv_square(NT));
    struct interval a[3];
    scale3(iv_div(TT, det), n, a);
    add_scaled3(a, iv_div(iv_neg(NT), det), t, en->u_n[i]);
    scale3(iv_div(NN, det), t, a);
    add_scaled3(a, iv_div(iv_neg(NT), det), n, en->u_t[i]);
    for (int s = 0; s < 2; s++) {
        const struct interval weight = iv_scale(-slip_sign(s), en->mu[i]);
        en->den[i][s] = iv_add(NN, iv_mul(weight, NT));
        add_scaled3(n, weight, t, a);
        scale3(iv_div(iv(1), en->den[i][s]), a, en->impulse[i][s]);
        en->slope[i][s] = iv_neg(iv_mul(iv_add(iv(1), en->e[i]), iv_dot3(t, en->impulse[i][s])));
    }
    en->G[i] = iv_neg(iv_dot3(n, en->g));
}

static void set_contact(const struct body *body, double box, int i, struct enclosure *en)
{
    const struct interval phi = near(body->phi[i], box), l = near(body->l[i], box), h = en->tau[2];
    const struct interval s = iv_sin(phi), c = iv_cos(phi);
    en->mu[i] = near_unless_zero(body->mu[i], box);
    en->e[i] = near_unless_zero(body->e[i], box);
    memcpy(en->n[i], (struct interval[3]){ iv_neg(s), c, iv_sub(iv_mul(l, c), iv_mul(h, s)) }, sizeof en->n[i]);
    memcpy(en->t[i], (struct interval[3]){ c, s, iv_add(iv_mul(l, s), iv_mul(h, c)) }, sizeof en->t[i]);
    set_impulses(en, i);
}

void enclosure_init(const struct body *body, double box, struct enclosure *out)
{
    struct interval dual_n[3];
    memset(out, 0, sizeof *out);
    for (int k = 0; k < 3; k++)
        out->g[k] = near(body->g[k], box);
    out->tau[0] = iv(1);
    out->tau[1] = iv(0);
    out->tau[2] = near(body->h, box);
    for (int i = 0; i < 2; i++)
        set_contact(body, box, i, out);
    dual(out->tau, out->n[0], out->n[1], out->dir);
    out->gs = iv_dot3(out->g, out->dir);
    for (int i = 0; i < 2; i++) {
        const int j = 1 - i;
        dual(out->n[i], out->n[j], out->tau, dual_n);
        out->w[i] = iv_neg(iv_dot3(out->g, dual_n));
        out->td[i] = iv_dot3(out->t[i], out->dir);
        dual(out->t[i], out->n[j], out->n[i], out->d[i]);
        dual(out->n[j], out->n[i], out->t[i], out->r[i]);
        dual(out->n[i], out->t[i], out->n[j], out->m[i]);
    }
    out->flight = body_bounces(body);
}

/* --- Preconditions ------------------------------------------------------------------------------------------- */

/* 1: forces inside both cones. They are the solutions of F x = -g, x >= 0, with the columns n -+ mu t; x[skip] is
 * set to the value given, the others follow. */
static bool balances_with(const struct enclosure *en, int skip, double value)
{
    struct interval column[4][3], rest[3], product[3];
    int other[3], n_other = 0;
    for (int k = 0; k < 4; k++) {
        add_scaled3(en->n[k / 2], iv_scale(-slip_sign(k % 2), en->mu[k / 2]), en->t[k / 2], column[k]);
        if (k != skip)
            other[n_other++] = k;
    }
    for (int k = 0; k < 3; k++)
        rest[k] = iv_neg(iv_add(en->g[k], iv_scale(value, column[skip][k])));
    for (int k = 0; k < 3; k++) {
        iv_cross3(column[other[(k + 1) % 3]], column[other[(k + 2) % 3]], product);
        const struct interval x = iv_div(iv_dot3(rest, product), iv_dot3(column[other[k]], product));
        if (!(x.lo > 0))
            return false;
    }
    return value > 0;
}

/* Any value that works is a proof: a grid of them, as large as forces that balance a load of 1 can be. */
static bool has_equilibrium(const struct enclosure *en)
{
    for (int skip = 0; skip < 4; skip++)
        for (double value = 16; value > 1e-10; value *= 0.9)
            if (balances_with(en, skip, value))
                return true;
    return false;
}

/* 2: a slip at i ends, or the other foot stays down. */
static bool slip_is_inconsistent(const struct enclosure *en, int i, int s)
{
    struct interval a[3];
    add_scaled3(en->g, en->G[i], en->impulse[i][s], a);
    return iv_scale(slip_sign(s), iv_dot3(en->t[i], a)).hi < 0 || iv_dot3(en->n[1 - i], a).hi < 0;
}

static bool stick_is_inconsistent(const struct enclosure *en, int i)
{
    struct interval a[3];
    const struct interval tg = iv_dot3(en->t[i], en->g), *n = en->n[i], *t = en->t[i];
    scale3(en->G[i], en->u_n[i], a);
    add_scaled3(a, iv_neg(tg), en->u_t[i], a);  /* the force: n lambda_n + t lambda_t */
    const struct interval det = iv_sub(iv_mul(iv_dot3(n, n), iv_dot3(t, t)), iv_square(iv_dot3(n, t)));
    const struct interval lambda_n =
        iv_div(iv_sub(iv_mul(iv_dot3(t, t), en->G[i]), iv_mul(iv_dot3(n, t), iv_neg(tg))), det);
    const struct interval lambda_t =
        iv_div(iv_sub(iv_mul(iv_dot3(n, n), iv_neg(tg)), iv_mul(iv_dot3(n, t), en->G[i])), det);
    const struct interval bound = iv_mul(en->mu[i], lambda_n);
    add_scaled3(en->g, iv(1), a, a);
    return iv_dot3(en->n[1 - i], a).hi < 0 || lambda_n.hi < 0 || iv_sub(lambda_t, bound).lo > 0
           || iv_add(lambda_t, bound).hi < 0;
}

/* --- Double sliding where the matrix of its forces may be singular -------------------------------------------- */

/* A lambda = G, lambda >= 0; A[row][col]. */
struct forces { struct interval A[2][2], G[2]; };

/* A is nearly p r', l'p = 0. */
struct rank_one { double p[2], r[2], l[2]; };

static struct rank_one nearest_rank_one(const struct forces *forces)
{
    double A[2][2], size[2];
    for (int row = 0; row < 2; row++) {
        for (int col = 0; col < 2; col++)
            A[row][col] = iv_mid(forces->A[row][col]);
        size[row] = hypot(A[row][0], A[row][1]);
    }
    const int longer = size[1] > size[0];
    struct rank_one one = { .r = { A[longer][0] / size[longer], A[longer][1] / size[longer] } };
    for (int row = 0; row < 2; row++)
        one.p[row] = A[row][0] * one.r[0] + A[row][1] * one.r[1];
    const double length = hypot(one.p[0], one.p[1]);
    one.l[0] = -one.p[1] / length;
    one.l[1] = one.p[0] / length;
    return one;
}

/* base + y'G, a lower bound of base + weight'lambda: A'y <= weight. -INFINITY: y does not prove any. */
static double proved_by(const struct forces *forces, struct interval base, const struct interval weight[2],
                        const double y[2])
{
    struct interval bound = base;
    for (int col = 0; col < 2; col++) {
        const struct interval Ay = iv_add(iv_scale(y[0], forces->A[0][col]), iv_scale(y[1], forces->A[1][col]));
        if (!(iv_sub(weight[col], Ay).lo >= 0))
            return -INFINITY;
        bound = iv_add(bound, iv_scale(y[col], forces->G[col]));
    }
    return isnan(bound.lo) ? -INFINITY : bound.lo;
}

/* A number k with k r <= weight, away from the ends of where these are. */
static double inside(const double r[2], const struct interval weight[2])
{
    double lo = -INFINITY, hi = INFINITY;
    for (int col = 0; col < 2; col++) {
        const double end = iv_mid(weight[col]) / r[col];
        lo = r[col] < 0 ? fmax(lo, end) : lo;
        hi = r[col] > 0 ? fmin(hi, end) : hi;
    }
    return isinf(lo) ? hi - 1 : isinf(hi) ? lo + 1 : 0.5 * (lo + hi);
}

/* The largest lower bound found of base + weight'lambda over all forces of all bodies of the box,
 * by weak duality, which asks for no inverse: y = k p/p'p + far l. Above 0 with base and weight
 * 0: there are no such forces. */
static double least_over_forces(const struct forces *forces, struct interval base, const struct interval weight[2])
{
    const struct rank_one one = nearest_rank_one(forces);
    const double pp = one.p[0] * one.p[0] + one.p[1] * one.p[1], k = inside(one.r, weight) / pp;
    double best = -INFINITY;
    for (double far = 1e-3; far < 1e7; far *= 10)
        for (int side = -1; side <= 1; side += 2) {
            const double y[2] = { k * one.p[0] + side * far * one.l[0], k * one.p[1] + side * far * one.l[1] };
            best = fmax(best, proved_by(forces, base, weight, y));
        }
    return best;
}

/* Xddot = base + weight'lambda; an end that nothing is known of is infinite. */
static bool singular_double(const struct forces *forces, struct interval base, const struct interval weight[2],
                            struct interval *Xddot)
{
    const struct interval zero[2] = { iv(0), iv(0) }, minus[2] = { iv_neg(weight[0]), iv_neg(weight[1]) };
    if (least_over_forces(forces, iv(0), zero) > 0)
        return false;
    *Xddot = (struct interval){ least_over_forces(forces, base, weight), -least_over_forces(forces, iv_neg(base), minus) };
    return true;
}

bool enclosure_double(const struct enclosure *en, int s, struct interval *Xddot)
{
    struct interval f[2][3], A[2][2], lambda[2];
    for (int i = 0; i < 2; i++) {
        const double sign = en->td[i].lo > 0 ? 1 : en->td[i].hi < 0 ? -1 : (double)NAN;
        add_scaled3(en->n[i], iv_scale(-slip_sign(s) * sign, en->mu[i]), en->t[i], f[i]);
    }
    for (int i = 0; i < 2; i++)
        for (int m = 0; m < 2; m++)
            A[i][m] = iv_dot3(en->n[i], f[m]);
    const struct interval det = iv_sub(iv_mul(A[0][0], A[1][1]), iv_mul(A[0][1], A[1][0]));
    if (!(det.lo > 0 || det.hi < 0)) {
        const struct forces forces = { { { A[0][0], A[0][1] }, { A[1][0], A[1][1] } }, { en->G[0], en->G[1] } };
        const struct interval weight[2] = { iv_dot3(en->tau, f[0]), iv_dot3(en->tau, f[1]) };
        return singular_double(&forces, iv_dot3(en->tau, en->g), weight, Xddot);
    }
    lambda[0] = iv_div(iv_sub(iv_mul(A[1][1], en->G[0]), iv_mul(A[0][1], en->G[1])), det);
    lambda[1] = iv_div(iv_sub(iv_mul(A[0][0], en->G[1]), iv_mul(A[1][0], en->G[0])), det);
    *Xddot = iv_dot3(en->tau, en->g);
    for (int i = 0; i < 2; i++)
        *Xddot = iv_add(*Xddot, iv_mul(lambda[i], iv_dot3(en->tau, f[i])));
    return !(lambda[0].hi < 0 || lambda[1].hi < 0);
}

static bool double_is_inconsistent(const struct enclosure *en, int s)
{
    struct interval Xddot;
    if (!enclosure_double(en, s, &Xddot))
        return true;
    return s == 0 ? Xddot.hi < 0 : Xddot.lo > 0;
}

static bool is_unambiguous(const struct enclosure *en)
{
    for (int i = 0; i < 2; i++) {
        for (int s = 0; s < 2; s++)
            if (!slip_is_inconsistent(en, i, s) || !double_is_inconsistent(en, s))
                return false;
        if (!stick_is_inconsistent(en, i))
            return false;
    }
    return true;                                /* both feet in the air: G > 0 rules it out */
}

/* 4: twice the energy that a sticking impact takes, on the two ends of its cone; b^2 < a c where b < 0. */
static bool sticking_takes_energy(const struct enclosure *en, int i)
{
    struct interval before[2][3], after[2][3], K[3];
    for (int k = 0; k < 2; k++) {
        scale3(en->slope[i][k], en->d[i], before[k]);
        add_scaled3(before[k], iv(-1), en->m[i], before[k]);
        add_scaled3(before[k], iv_add(iv(1), en->e[i]), en->u_n[i], after[k]);
        add_scaled3(after[k], iv_neg(en->slope[i][k]), en->u_t[i], after[k]);
    }
    for (int k = 0; k < 3; k++)
        K[k] = iv_sub(iv_dot3(before[k / 2], before[(k + 1) / 2]), iv_dot3(after[k / 2], after[(k + 1) / 2]));
    return K[0].lo > 0 && K[2].lo > 0
           && (K[1].lo >= 0 || iv_sub(iv_mul(K[0], K[2]), iv_square(K[1])).lo > 0);
}

static bool slipping_takes_energy(const struct enclosure *en, int i, int s)
{
    const struct interval *n = en->n[i], *t = en->t[i], *mu = &en->mu[i], *e = &en->e[i];
    const struct interval normal = iv_mul(iv_sub(iv(1), *e), iv_dot3(n, n));
    const struct interval tangential = iv_mul(iv_mul(iv_add(iv(1), *e), iv_square(*mu)), iv_dot3(t, t));
    const struct interval both = iv_scale(2 * slip_sign(s), iv_mul(*mu, iv_dot3(n, t)));
    return iv_sub(iv_add(normal, tangential), both).lo > 0;
}

const char *enclosure_check(const struct enclosure *en, bool flat)
{
    if (!(flat || en->gs.lo > 0))
        return "the load does not pull along the foot line as stated";
    for (int i = 0; i < 2; i++) {
        if (!(en->e[i].lo >= 0 && en->e[i].hi < 1 && en->mu[i].lo >= 0))
            return "restitution or friction out of range";
        if (!(en->G[i].lo > 0 && en->den[i][0].lo > 0 && en->den[i][1].lo > 0))
            return "a flight does not end, or an impact jams";
        if (!(en->td[i].lo > 0 || en->td[i].hi < 0))
            return "a foot does not slide in double sliding";
        if (!(en->w[i].lo > 0))
            return "the load line does not pass between the feet";
        if (!sticking_takes_energy(en, i) || !slipping_takes_energy(en, i, 0) || !slipping_takes_energy(en, i, 1))
            return "an impact may add energy";
    }
    if (!is_unambiguous(en))
        return "a mode other than rest is consistent";
    return has_equilibrium(en) ? NULL : "no forces balance the load";
}
