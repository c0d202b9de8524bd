#include "core/simulation/step.h"

#include "core/base/pi.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    S = STEP_STAGES,
    SWEEPS_MAX = 40,
    SWEEPS_MANY = 18                /* a step that takes more does not get a longer successor */
};

/* --- Shifted Legendre polynomials ---------------------------------------------------------------------------- */

/* P_0 .. P_n at tau in [0, 1]. */
static void legendre(int n, double tau, double *P)
{
    const double y = 2 * tau - 1;
    P[0] = 1;
    P[1] = y;
    for (int l = 1; l < n; l++)
        P[l + 1] = ((2 * l + 1) * y * P[l] - l * P[l - 1]) / (l + 1);
}

/* Integrals of P_0 .. P_{n-1} from 0 to tau. */
static void legendre_integrals(int n, double tau, double *I)
{
    double P[S + 2];
    legendre(n, tau, P);
    I[0] = tau;
    for (int l = 1; l < n; l++)
        I[l] = (P[l + 1] - P[l - 1]) / (2 * (2 * l + 1));
}

/* Zeros of P_S and their weights, by Newton's method. */
static void gauss_points(double *c, double *w)
{
    for (int i = 0; i < S; i++) {
        double tau = 0.5 - 0.5 * cos(PI * (i + 0.75) / (S + 0.5)), slope = 1;
        for (int round = 0; round < 50; round++) {
            double P[S + 1];
            legendre(S, tau, P);
            slope = S * ((2 * tau - 1) * P[S] - P[S - 1]) / (2 * tau * (tau - 1));
            tau -= P[S] / slope;
        }
        c[i] = tau;
        w[i] = 1 / (tau * (1 - tau) * slope * slope);
    }
}

void step_init(struct step *step, struct arena *mem, int n_x)
{
    double w[S], P[S + 1], I[S];
    *step = (struct step){ .n_x = n_x };
    gauss_points(step->c, w);
    for (int j = 0; j < S; j++) {
        legendre(S, step->c[j], P);
        for (int l = 0; l < S; l++)
            step->to_legendre[l][j] = (2 * l + 1) * w[j] * P[l];
    }
    for (int i = 0; i < S; i++) {
        legendre_integrals(S, step->c[i], I);
        for (int j = 0; j < S; j++)
            for (int l = 0; l < S; l++)
                step->a[i][j] += I[l] * step->to_legendre[l][j];
    }
    step->K = arena_alloc(mem, (size_t)(S * n_x), sizeof(double));
    step->X = arena_alloc(mem, (size_t)(S * n_x), sizeof(double));
    step->coef = arena_alloc(mem, (size_t)((S + 1) * n_x), sizeof(double));
    step->mem = mem;
    step->newton = (struct newton){ .n = n_x, .c = step->c, .a = step->a, .K = step->K, .X = step->X };
}

void step_poly_at(int n_x, const double *coef, double tau, double *x)
{
    double I[S];
    legendre_integrals(S, tau, I);
    memcpy(x, coef, (size_t)n_x * sizeof *x);
    for (int l = 0; l < S; l++)
        for (int i = 0; i < n_x; i++)
            x[i] += I[l] * coef[(l + 1) * n_x + i];
}

void step_poly_slope(int n_x, const double *coef, double tau, double *dx)
{
    double P[S + 1];
    legendre(S, tau, P);
    memset(dx, 0, (size_t)n_x * sizeof *dx);
    for (int l = 0; l < S; l++)
        for (int i = 0; i < n_x; i++)
            dx[i] += P[l] * coef[(l + 1) * n_x + i];
}

/* |P_l| <= 1 and |P_l'| <= l (l + 1) on [0, 1]. */
void step_poly_range(int n_x, const double *coef, double a, double b, struct interval *x)
{
    const double middle = 0.5 * (a + b), radius = 0.5 * (b - a);
    double P[S + 1], I[S];
    legendre(S, middle, P);
    legendre_integrals(S, middle, I);
    for (int i = 0; i < n_x; i++) {
        double at = coef[i], slope = 0, steepest = 0, bend = 0;
        for (int l = 0; l < S; l++) {
            const double c = coef[(l + 1) * n_x + i];
            at += I[l] * c;
            slope += P[l] * c;
            steepest += fabs(c);
            bend += l * (l + 1) * fabs(c);
        }
        x[i] = iv_around(at, radius * fmin(steepest, fabs(slope) + 0.5 * radius * bend));
    }
}

/* --- Stages -------------------------------------------------------------------------------------------------- */

/* Stage i from the x' of all; *change is raised to its change, relative to its tolerance. */
static void move_stage(struct step *step, int i, double h, const double *x, double rtol, double atol, double *change)
{
    const int n_x = step->n_x;
    double *X = &step->X[i * n_x];
    for (int k = 0; k < n_x; k++) {
        double sum = 0;
        for (int j = 0; j < S; j++)
            sum += step->a[i][j] * step->K[j * n_x + k];
        const double now = x[k] + h * sum;
        const double size = fmax(fabs(now), fabs(x[k]));
        const double moved = fmax(0, fabs(now - X[k]) - 2 * DBL_EPSILON * size) / (atol + rtol * size);
        if (!(moved <= *change))
            *change = moved;
        X[k] = now;
    }
}

/* One sweep over the stages; *change is the largest change of a stage, relative to its tolerance. Each new x' is used at
 * once, but where evaluation is what costs: there all stages are moved first, and evaluated together. */
static bool sweep(struct step *step, struct flow *flow, const struct mode *mode, double t, double h,
                  const double *x, double rtol, double atol, double *change)
{
    const int n_x = step->n_x;
    const bool together = system_is_large(flow->sys);
    double times[S];
    *change = 0;
    for (int i = 0; i < S && together; i++) {
        times[i] = t + step->c[i] * h;
        move_stage(step, i, h, x, rtol, atol, change);
    }
    if (together)
        system_ahead(flow->sys, S, times, step->X);
    for (int i = 0; i < S; i++) {
        double *X = &step->X[i * n_x];
        if (!together)
            move_stage(step, i, h, x, rtol, atol, change);
        step->why = flow_eval(flow, mode, t + step->c[i] * h, X);
        if (step->why != FLOW_OK)
            return false;
        memcpy(&step->K[i * n_x], flow->dx, (size_t)n_x * sizeof *X);
    }
    return true;
}

/* Sweeps until nothing changes; the number of sweeps, 0 if they do not settle. */
static int find_stages(struct step *step, struct flow *flow, const struct mode *mode, double t, double h,
                       const double *x, double rtol, double atol)
{
    double before = INFINITY, change;
    for (int n = 1; n <= SWEEPS_MAX; n++) {
        if (!sweep(step, flow, mode, t, h, x, rtol, atol, &change))
            return 0;
        const double rate = fmin(change / before, 0.9);
        /* what is left to come is change rate / (1 - rate); far below the tolerance, as it accumulates while the
         * error of converged stages nearly cancels at the end of a step */
        if (change == 0 || (n > 1 && change * rate < 1e-6 * (1 - rate)))
            return n;
        if (n > 4 && change > 0.8 * before)
            return change < 1 ? n : 0;                          /* rounding, or no contraction */
        before = change;
    }
    return 0;
}

/* --- Error --------------------------------------------------------------------------------------------------- */

static void find_coefficients(struct step *step, double h, const double *x)
{
    const int n_x = step->n_x;
    memcpy(step->coef, x, (size_t)n_x * sizeof *x);
    for (int l = 0; l < S; l++)
        for (int k = 0; k < n_x; k++) {
            double sum = 0;
            for (int j = 0; j < S; j++)
                sum += step->to_legendre[l][j] * step->K[j * n_x + k];
            step->coef[(l + 1) * n_x + k] = h * sum;
        }
}

/* The last terms of the polynomial, relative to their tolerance. Of the last but one a tenth counts, as by
 * symmetry every other term may be missing. */
static double error_of(const struct step *step, double rtol, double atol)
{
    const int n_x = step->n_x;
    double worst = 0;
    for (int k = 0; k < n_x; k++) {
        double size = fabs(step->coef[k]), moves = 0;
        for (int i = 0; i < S; i++)
            size = fmax(size, fabs(step->X[i * n_x + k]));
        for (int l = 0; l < S; l++)
            moves = fmax(moves, fabs(step->coef[(l + 1) * n_x + k]));
        const double tol = fmax(atol + rtol * size, 4 * DBL_EPSILON * (size + moves));
        const double last = fabs(step->coef[S * n_x + k]), last_but_one = fabs(step->coef[(S - 1) * n_x + k]);
        const double err = fmax(last, 0.1 * last_but_one) / (2 * (2 * S - 1)) / tol;
        if (!(err <= worst))
            worst = err;
    }
    return worst;
}

enum step_outcome step_try(struct step *step, struct flow *flow, const struct mode *mode, double t, double h,
                           const double *x, double rtol, double atol)
{
    const int n_x = step->n_x;
    step->h_next = 0.3 * h;
    step->why = flow_eval(flow, mode, t, x);
    if (step->why != FLOW_OK)
        return STEP_FIELD_FAILED;
    const bool from_rest = newton_starts_from_rest(flow, mode);
    for (int i = 0; i < S; i++) {
        memcpy(&step->K[i * n_x], flow->dx, (size_t)n_x * sizeof *x);
        memcpy(&step->X[i * n_x], x, (size_t)n_x * sizeof *x);
    }
    int n = from_rest ? 0 : find_stages(step, flow, mode, t, h, x, rtol, atol);
    if (n == 0 && step->why == FLOW_OK && newton_is_wanted(flow, mode)) {
        n = newton_find(&step->newton, step->mem, flow, mode, t, h, x, rtol, atol);
        step->why = step->newton.why;
    }
    if (n == 0)
        return step->why == FLOW_OK ? STEP_TOO_LONG : STEP_FIELD_FAILED;
    find_coefficients(step, h, x);
    const double err = error_of(step, rtol, atol);
    if (!isfinite(err))
        return STEP_TOO_LONG;
    const double factor = 0.9 * pow(fmax(err, 1e-30), -1.0 / S);
    step->h_next = h * fmin(fmax(factor, 0.2), n > SWEEPS_MANY ? 1 : 5);
    return err <= 1 ? STEP_OK : STEP_TOO_LONG;
}
