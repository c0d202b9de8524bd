#include "core/stability/precheck.h"

#include "core/stability/vec3.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

const double PRECHECK_MARGINAL = 1e-9;

const char *certify_outcome_text(enum certify_outcome outcome)
{
    switch (outcome) {
    case CERTIFY_CERTIFIED:      return "certified";
    case CERTIFY_INCONCLUSIVE:   return "inconclusive";
    case CERTIFY_UNSTABLE:       return "unstable";
    case CERTIFY_NO_EQUILIBRIUM: return "no-equilibrium";
    }
    return "";
}

void verdict_set(struct verdict *verdict, enum certify_outcome outcome, const char *reason, double margin,
                 const char *fmt, ...)
{
    va_list args;
    verdict->outcome = outcome;
    verdict->reason = reason;
    verdict->margin = margin;
    va_start(args, fmt);
    (void)vsnprintf(verdict->words, sizeof verdict->words, fmt, args);
    va_end(args);
}

/* --- 1: forces balance the load ------------------------------------------------------------------------------ */

static double det3(const double *a, const double *b, const double *c)
{
    double bc[3];
    cross3(b, c, bc);
    return dot3(a, bc);
}

/* All x with F x = -g are x0 + kappa N: columns of F are the edges n -+ mu t of the two cones. */
static void balances(const struct zod *zod, double x0[4], double N[4])
{
    double F[4][3], rest[3];
    int skip = 0;
    for (int k = 0; k < 4; k++)
        for (int row = 0; row < 3; row++)
            F[k][row] = zod->f[k / 2][k % 2][row];
    for (int k = 0; k < 4; k++) {
        const double *a = F[(k + 1) % 4], *b = F[(k + 2) % 4], *c = F[(k + 3) % 4];
        N[k] = (k % 2 ? -1 : 1) * det3(a, b, c);
        if (fabs(N[k]) > fabs(N[skip]))
            skip = k;
    }
    combine3(-1, zod->body.g, 0, zod->body.g, rest);
    const double *a = F[(skip + 1) % 4], *b = F[(skip + 2) % 4], *c = F[(skip + 3) % 4], det = det3(a, b, c);
    x0[skip] = 0;
    x0[(skip + 1) % 4] = det3(rest, b, c) / det;
    x0[(skip + 2) % 4] = det3(a, rest, c) / det;
    x0[(skip + 3) % 4] = det3(a, b, rest) / det;
}

static double least_force(const double x0[4], const double N[4], double kappa)
{
    double least = INFINITY;
    for (int k = 0; k < 4; k++)
        least = fmin(least, x0[k] + kappa * N[k]);
    return least;
}

/* The largest force that all four edges of the friction cones can share in a balance of the load, of
 * length 1; below 0 there is none. The least of four lines is largest where two of them cross, or
 * grows forever (the feet wedge). */
static double shared_force(const struct zod *zod)
{
    double x0[4], N[4], best = -INFINITY;
    balances(zod, x0, N);
    if ((N[0] > 0 && N[1] > 0 && N[2] > 0 && N[3] > 0) || (N[0] < 0 && N[1] < 0 && N[2] < 0 && N[3] < 0))
        return INFINITY;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) {
            const double kappa = (x0[j] - x0[i]) / (N[i] - N[j]);
            if (isfinite(kappa))
                best = fmax(best, least_force(x0, N, kappa));
        }
    return best;
}

/* --- 2: no other mode is consistent at rest ------------------------------------------------------------------ */

struct mode { double margin; char words[96]; };     /* consistent if margin > 0 */

static const char *direction(int s)
{
    return s == 0 ? "with" : "against";
}

/* Keeps the mode that is closest to being consistent. */
__attribute__((format(printf, 3, 4)))
static void consider(struct mode *best, double margin, const char *fmt, ...)
{
    va_list args;
    if (!(margin > best->margin))
        return;
    best->margin = margin;
    va_start(args, fmt);
    (void)vsnprintf(best->words, sizeof best->words, fmt, args);
    va_end(args);
}

static void consider_contact(const struct zod *zod, int i, const char *const *name, struct mode *best)
{
    const int j = 1 - i;
    double a[3], lambda[2];
    for (int s = 0; s < 2; s++) {
        zod_slip(zod, i, s, a, lambda);
        consider(best, fmin(lambda[0], fmin(slip_sign(s) * dot3(zod->t[i], a), dot3(zod->n[j], a))),
                 "%s slips %s the load while %s lifts off", name[i], direction(s), name[j]);
    }
    zod_stick(zod, i, a, lambda);
    consider(best, fmin(zod->body.mu[i] * lambda[0] - fabs(lambda[1]), fmin(lambda[0], dot3(zod->n[j], a))),
             "%s sticks while %s lifts off", name[i], name[j]);
}

static struct mode most_consistent(const struct zod *zod, const char *const *name)
{
    struct mode best = { -INFINITY, "" };
    double a[3], lambda[2];
    consider(&best, fmin(-zod->G[0], -zod->G[1]), "both feet lift off");
    for (int i = 0; i < 2; i++)
        consider_contact(zod, i, name, &best);
    for (int s = 0; s < 2; s++) {
        zod_double(zod, s, a, lambda);
        consider(&best, fmin(slip_sign(s) * dot3(zod->tau, a), fmin(lambda[0], lambda[1])),
                 "both feet slip %s the load", direction(s));
    }
    return best;
}

/* --- 3 and 4 ------------------------------------------------------------------------------------------------- */

static double painleve_margin(const struct zod *zod)
{
    double margin = INFINITY;
    for (int i = 0; i < 2; i++) {
        margin = fmin(margin, fmin(zod->G[i], fabs(dot3(zod->t[i], zod->dir))));
        margin = fmin(margin, fmin(zod->den[i][0], zod->den[i][1]));
    }
    return margin;
}

/* x'Kx over x >= 0: the least diagonal entry, or how far the product term is from making up for both. */
static double copositive_margin(double a, double b, double c)
{
    if (!(a > 0 && c > 0))
        return fmin(a, c);
    return fmin(fmin(a, c), b + sqrt(a * c));
}

static double slip_energy(const struct zod *zod, int i, int s)
{
    const double *n = zod->n[i], *t = zod->t[i], mu = zod->body.mu[i], e = zod->body.e[i];
    return (1 - e) * dot3(n, n) + (1 + e) * mu * mu * dot3(t, t) - 2 * slip_sign(s) * mu * dot3(n, t);
}

/* v'(I - M'M)v/2 on the two ends of the cone of sticking impacts. */
static double stick_energy(const struct zod *zod, int i)
{
    double M[9], slope[2], before[2][3], after[2][3];
    zod_impact_stick(zod, i, M);
    zod_stick_slopes(zod, i, slope);
    for (int k = 0; k < 2; k++) {
        combine3(slope[k], zod->d[i], -1, zod->m[i], before[k]);
        apply3(M, before[k], after[k]);
    }
    return copositive_margin(0.5 * (dot3(before[0], before[0]) - dot3(after[0], after[0])),
                             0.5 * (dot3(before[0], before[1]) - dot3(after[0], after[1])),
                             0.5 * (dot3(before[1], before[1]) - dot3(after[1], after[1])));
}

static double energy_margin(const struct zod *zod)
{
    double margin = INFINITY;
    for (int i = 0; i < 2; i++)
        margin = fmin(margin, fmin(stick_energy(zod, i), fmin(slip_energy(zod, i, 0), slip_energy(zod, i, 1))));
    return margin;
}

/* --- In their order ------------------------------------------------------------------------------------------ */

static bool fails_equilibrium(const struct zod *zod, struct verdict *out)
{
    const double margin = shared_force(zod);
    if (margin > PRECHECK_MARGINAL)
        return false;
    if (margin < -PRECHECK_MARGINAL)
        verdict_set(out, CERTIFY_NO_EQUILIBRIUM, "forces", margin,
                    "no forces inside the two friction cones balance the load (short by %.3g of it)", -margin);
    else
        verdict_set(out, CERTIFY_INCONCLUSIVE, "marginal", margin, "the load is at the edge of what the friction "
                    "cones can balance (margin %.1e)", margin);
    return true;
}

static bool fails_unambiguity(const struct zod *zod, const char *const *name, struct verdict *out)
{
    const struct mode mode = most_consistent(zod, name);
    if (mode.margin < -PRECHECK_MARGINAL)
        return false;
    if (mode.margin > PRECHECK_MARGINAL)
        verdict_set(out, CERTIFY_UNSTABLE, "ambiguity", mode.margin,
                    "ambiguous: besides rest it is consistent that %s (by %.3g)",
                    mode.words, mode.margin);
    else
        verdict_set(out, CERTIFY_INCONCLUSIVE, "marginal", mode.margin,
                    "it is on the verge of being consistent that %s (margin %.1e)",
                    mode.words, mode.margin);
    return true;
}

void precheck(const struct body *body, const char *const *name, struct verdict *out)
{
    struct zod zod;
    if (!zod_init(body, &zod)) {
        verdict_set(out, CERTIFY_INCONCLUSIVE, "model", NAN,
                    "the two normals and the foot line are not independent");
        return;
    }
    if (fails_equilibrium(&zod, out) || fails_unambiguity(&zod, name, out))
        return;
    const double painleve = painleve_margin(&zod), fading = 1 - fmax(body->e[0], body->e[1]);
    const double energy = energy_margin(&zod), load = fmin(zod.w[0], zod.w[1]);
    if (!(painleve > PRECHECK_MARGINAL))
        verdict_set(out, CERTIFY_INCONCLUSIVE, "painleve", painleve,
                    "a flight may not end, an impact jam, or a foot not slide: precondition 3 is short by %.3g",
                    -painleve);
    else if (!(fading > PRECHECK_MARGINAL))
        verdict_set(out, CERTIFY_INCONCLUSIVE, "restitution", fading, "bounces never end: a restitution is %g",
                    fmax(body->e[0], body->e[1]));
    else if (!(energy > PRECHECK_MARGINAL))
        verdict_set(out, CERTIFY_INCONCLUSIVE, "energy", energy, "an impact with friction may add energy "
                    "(precondition 4 is short by %.3g)", -energy);
    else if (!(load > PRECHECK_MARGINAL))
        verdict_set(out, CERTIFY_INCONCLUSIVE, "load", load,
                    "the line of the load does not pass between the feet: %s would carry %.3g of it",
                    name[zod.w[0] < zod.w[1] ? 0 : 1], load);
    else
        verdict_set(out, CERTIFY_CERTIFIED, "", fmin(fmin(painleve, fading), fmin(energy, load)),
                    "the preconditions hold");
}
