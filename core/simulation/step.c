#include "core/simulation/step.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    S = STEP_STAGES,
    SWEEPS_MAX = 40,
    SWEEPS_MANY = 18,               /* a step that takes more does not get a longer successor */
    BOUND_MAX = 5,                  /* steps that sweeps keep short, before stages are found by Newton's */
    FREE_MAX = 10                   /* method, with fewer others in a row between them */
};
static const double LEAST_ERROR = 0.1, LEAST_TREND = 0.3;       /* from which on errors tell a trend, no steeper */
/* lengths of a step that is guessed by the last one; how near to f its slope must be, relative */
static const double REACH_MOST = 1.3, GOES_ON = 1e-3;
static const double SWEEPS_REACH = 3;   /* time constants of the fastest part in a step for which sweeps settle */

void step_init(struct step *step, struct arena *mem, int n_x)
{
    *step = (struct step){ .n_x = n_x };
    collocation_gauss(&step->gauss);
    step->K = arena_alloc(mem, (size_t)(S * n_x), sizeof(double));
    step->X = arena_alloc(mem, (size_t)(S * n_x), sizeof(double));
    step->coef = arena_alloc(mem, (size_t)((S + 1) * n_x), sizeof(double));
    step->mem = mem;
    step->newton = (struct newton){ .n = n_x, .c = step->gauss.c, .a = step->gauss.a, .K = step->K, .X = step->X };
    stiff_init(&step->stiff, n_x, step->K, step->X);
}

/* --- The polynomial ------------------------------------------------------------------------------------------ */

void step_poly_at(int n_x, const double *coef, double tau, double *x)
{
    double I[S];
    collocation_integrals(tau, I);
    memcpy(x, coef, (size_t)n_x * sizeof *x);
    for (int l = 0; l < S; l++)
        for (int i = 0; i < n_x; i++)
            x[i] += I[l] * coef[(l + 1) * n_x + i];
}

void step_poly_slope(int n_x, const double *coef, double tau, double *dx)
{
    double P[S + 1];
    collocation_legendre(S, tau, P);
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
    collocation_legendre(S, middle, P);
    collocation_integrals(middle, I);
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
static void move_stage(struct step *step, int i, double h, const double *x, double rtol, double atol,
                       double *change)
{
    const int n_x = step->n_x;
    double *X = &step->X[i * n_x];
    for (int k = 0; k < n_x; k++) {
        const double now = collocation_stage(step->gauss.a[i], h, x[k], &step->K[k], n_x);
        const double size = fmax(fabs(now), fabs(x[k]));
        const double moved = fmax(0, fabs(now - X[k]) - 2 * DBL_EPSILON * size) / (atol + rtol * size);
        if (!(moved <= *change))
            *change = moved;
        X[k] = now;
    }
}

/* One sweep over the stages; *change is the largest change of a stage, relative to its tolerance. Each new x' is
 * used at once, but where evaluation is what costs: there all stages are moved first, and evaluated together. */
static bool sweep(struct step *step, struct flow *flow, const struct mode *mode, double t, double h,
                  const double *x, double rtol, double atol, double *change)
{
    const int n_x = step->n_x;
    const bool together = system_is_large(flow->sys);
    double times[S];
    *change = 0;
    for (int i = 0; i < S && together; i++) {
        times[i] = t + step->gauss.c[i] * h;
        move_stage(step, i, h, x, rtol, atol, change);
    }
    if (together)
        system_ahead(flow->sys, S, times, step->X);
    for (int i = 0; i < S; i++) {
        double *X = &step->X[i * n_x];
        if (!together)
            move_stage(step, i, h, x, rtol, atol, change);
        step->why = flow_eval(flow, mode, t + step->gauss.c[i] * h, X);
        if (step->why != FLOW_OK)
            return false;
        memcpy(&step->K[i * n_x], flow->dx, (size_t)n_x * sizeof *X);
    }
    return true;
}

/* Does the last polynomial go on as x' = flow->dx at t, where it ends or, as it was too long, where it starts?
 * Then K is guessed by it. */
static bool guess_slopes(struct step *step, const struct flow *flow, double t, double h)
{
    const struct step_poly *poly = &step->poly;
    const int n_x = step->n_x;
    const double from = (t - poly->t) / poly->h, reach = h / poly->h;
    double off = 0, most = 0;
    if (!(poly->h > 0 && from >= 0 && from <= 1 && reach <= REACH_MOST))
        return false;
    step_poly_slope(n_x, step->coef, from, step->K);
    for (int k = 0; k < n_x; k++) {
        off = fmax(off, fabs(step->K[k] - poly->h * flow->dx[k]));
        most = fmax(most, fabs(poly->h * flow->dx[k]));
    }
    if (!(off <= GOES_ON * most))
        return false;
    for (int i = 0; i < S; i++) {
        step_poly_slope(n_x, step->coef, from + step->gauss.c[i] * reach, &step->K[i * n_x]);
        for (int k = 0; k < n_x; k++)
            step->K[i * n_x + k] /= poly->h;
    }
    return true;
}

/* K where sweeps begin, X as at the start: is K guessed by the last polynomial? */
static bool start_stages(struct step *step, const struct flow *flow, double t, double h, const double *x)
{
    const int n_x = step->n_x;
    const bool is_guessed = guess_slopes(step, flow, t, h);
    for (int i = 0; i < S; i++) {
        if (!is_guessed)
            memcpy(&step->K[i * n_x], flow->dx, (size_t)n_x * sizeof *x);
        memcpy(&step->X[i * n_x], x, (size_t)n_x * sizeof *x);
    }
    return is_guessed;
}

/* Sweeps until nothing changes; the number of sweeps, 0 if they do not settle. */
static int find_stages(struct step *step, struct flow *flow, const struct mode *mode, double t, double h,
                       const double *x, double rtol, double atol)
{
    const bool is_guessed = start_stages(step, flow, t, h, x);
    double before = INFINITY, change = 0;
    for (int i = 0; i < S && is_guessed; i++)
        move_stage(step, i, h, x, rtol, atol, &change);
    if (is_guessed && !sweep(step, flow, mode, t, h, x, rtol, atol, &change))
        return 0;
    for (int n = 1; n <= SWEEPS_MAX; n++) {
        if (!sweep(step, flow, mode, t, h, x, rtol, atol, &change))
            return 0;
        const double rate = fmin(change / before, 0.9);
        /* what is left to come is change rate / (1 - rate); far below the tolerance, as it accumulates while the
         * error of converged stages nearly cancels at the end of a step */
        if (change == 0 || (n > 1 && change * rate < 1e-6 * (1 - rate)))
            return n;
        if (n > 4 && change > 0.8 * before)
            return change < NEWTON_ROUNDING ? n : 0;            /* rounding, or no contraction */
        before = change;
    }
    return 0;
}

/* --- Error --------------------------------------------------------------------------------------------------- */

static void find_coefficients(struct step *step, const struct collocation *points, double h, const double *x)
{
    const int n_x = step->n_x;
    memcpy(step->coef, x, (size_t)n_x * sizeof *x);
    for (int l = 0; l < S; l++)
        for (int k = 0; k < n_x; k++) {
            double sum = 0;
            for (int j = 0; j < S; j++)
                sum += points->to_legendre[l][j] * step->K[j * n_x + k];
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
        if (!(err <= worst) && !isnan(worst))
            worst = err;
    }
    return worst;
}

/* The stages by sweeps, or by Newton's method for directions of slip; how many rounds that took, 0: they are not
 * found. */
static int find_by_sweeps(struct step *step, struct flow *flow, const struct mode *mode, double t, double h,
                          const double *x, double rtol, double atol)
{
    const bool from_rest = newton_starts_from_rest(flow, mode);
    int n = from_rest ? 0 : find_stages(step, flow, mode, t, h, x, rtol, atol);
    if (n == 0 && step->why == FLOW_OK && newton_is_wanted(flow, mode)) {
        n = newton_find(&step->newton, step->mem, flow, mode, t, h, x, rtol, atol);
        step->why = step->newton.why;
    }
    return n;
}

/* Sweeps that took n rounds, 0: they do not settle. Is it they that keep steps short again and again? */
static void note_bound(struct step *step, int n)
{
    const bool is_bound = n == 0 || n > SWEEPS_MANY;
    step->n_free = is_bound ? 0 : step->n_free + 1;
    step->n_bound = step->n_free >= FREE_MAX ? 0 : step->n_bound + is_bound;
}

static bool may_be_stiff(const struct step *step, double h)
{
    return step->n_bound > BOUND_MAX || h * step->stiff.fastest > SWEEPS_REACH;
}

/* The stages by one way and, if they are not found, by the other one: what has found the last ones
 * comes first. Sweeps are not tried on what is stiff, but for slow slip in space, whose direction has a
 * method of its own beside them. */
static int find_either_way(struct step *step, struct flow *flow, const struct mode *mode, double t, double h,
                           const double *x, double rtol, double atol)
{
    const bool from_rest = newton_starts_from_rest(flow, mode), slips = newton_is_wanted(flow, mode);
    bool is_tried[] = { may_be_stiff(step, h) && !slips, from_rest };   /* sweeps, stiff: or there is no use */
    bool by_stiff = !from_rest && may_be_stiff(step, h) && (!slips || step->is_stiff || step->is_at_reach);
    for (int n = 0;; by_stiff = !by_stiff) {
        step->is_stiff = by_stiff;
        step->is_at_reach = false;
        is_tried[by_stiff] = true;
        if (by_stiff) {
            n = stiff_find(&step->stiff, step->mem, flow, mode, t, h, x, rtol, atol);
            step->why = step->stiff.why;
            step->n_bound = 0;
        } else {
            if (is_tried[true])
                (void)flow_eval(flow, mode, t, x);              /* where sweeps start */
            n = find_by_sweeps(step, flow, mode, t, h, x, rtol, atol);
            step->is_at_reach = n > SWEEPS_MANY;
            note_bound(step, n);
        }
        if (n > 0 || step->why != FLOW_OK || is_tried[!by_stiff] || (!by_stiff && !may_be_stiff(step, h)))
            return n;
    }
}

/* By which a next step may be longer, from the error; no longer than one that follows one that was too long, and
 * much shorter than two that were. Where steps become shorter and shorter, as slip comes to its end, the last two
 * tell by how much (Gustafsson 1994). */
static double length_factor(const struct step *step, double t, double h, double err)
{
    const struct step_last *last = &step->last;
    double factor = 0.9 * pow(fmax(err, 1e-30), -1.0 / S);
    if (err <= 1 && last->t == t)
        factor *= fmin(1, fmax(h / last->h * pow(last->err / fmax(err, LEAST_ERROR), 1.0 / S), LEAST_TREND));
    if (err > 1 && last->is_too_long)
        factor = fmin(factor, 0.7);
    return fmin(fmax(factor, 0.2), step->is_at_reach || last->is_too_long ? 1 : 5);
}

static enum step_outcome try_once(struct step *step, struct flow *flow, const struct mode *mode, double t, double h,
                                  const double *x, double rtol, double atol)
{
    step->h_next = 0.3 * h;
    step->why = flow_eval(flow, mode, t, x);
    if (step->why != FLOW_OK)
        return STEP_FIELD_FAILED;
    const int n = find_either_way(step, flow, mode, t, h, x, rtol, atol);
    if (n == 0)
        return step->why == FLOW_OK ? STEP_TOO_LONG : STEP_FIELD_FAILED;
    find_coefficients(step, step->is_stiff ? &step->stiff.radau : &step->gauss, h, x);
    step->poly = (struct step_poly){ t, h };
    const double err = error_of(step, rtol, atol);
    if (!isfinite(err))
        return STEP_TOO_LONG;
    step->h_next = h * length_factor(step, t, h, err);
    if (err > 1)
        return STEP_TOO_LONG;
    step->last = (struct step_last){ t + h, h, fmax(err, LEAST_ERROR), false };
    return STEP_OK;
}

enum step_outcome step_try(struct step *step, struct flow *flow, const struct mode *mode, double t, double h,
                           const double *x, double rtol, double atol)
{
    const enum step_outcome outcome = try_once(step, flow, mode, t, h, x, rtol, atol);
    step->last.is_too_long = outcome == STEP_TOO_LONG;
    return outcome;
}
