#include "core/simulation/events/dip.h"

#include "core/base/pi.h"

#include <math.h>

enum {
    N = DIP_SAMPLES,
    SCAN = 4 * DIP_SAMPLES          /* points at which an interpolant is looked at */
};

double dip_point(int j, int n)
{
    return 0.5 - 0.5 * cos(PI * j / n);
}

void dip_cosines_init(struct dip_cosines *cosines)
{
    for (int k = 0; k < 2 * N; k++)
        cosines->of[k] = cos(PI * k / N);
}

void dip_interpolate(const struct dip_cosines *cosines, const double *value, int stride, double *coef)
{
    for (int k = 0; k <= N; k++) {
        double sum = 0;
        for (int j = 0; j <= N; j++) {
            const double part = value[j * stride] * cosines->of[k * (N - j) % (2 * N)];
            sum += j == 0 || j == N ? 0.5 * part : part;
        }
        coef[k] = (k == 0 || k == N ? 1.0 : 2.0) / N * sum;
    }
}

double dip_error(const double *coef)
{
    return fabs(coef[N]) + fabs(coef[N - 1]);
}

bool dip_stays_above(const double *coef, double least)
{
    double rest = 0;
    for (int k = 1; k <= N; k++)
        rest += fabs(coef[k]);
    return coef[0] > rest + least;
}

/* Clenshaw's sum at tau in [0, 1]. */
static double interpolant(const double *coef, double tau)
{
    const double y = 2 * tau - 1;
    double a = 0, b = 0;
    for (int k = N; k > 0; k--) {
        const double c = 2 * y * a - b + coef[k];
        b = a;
        a = c;
    }
    return y * a - b + coef[0];
}

/* Where the interpolant is smallest between a and b; golden section, to a millionth of the step. */
static double minimum(const double *coef, double a, double b)
{
    const double golden = 0.6180339887498949;
    double left = b - golden * (b - a), right = a + golden * (b - a);
    while (b - a > 1e-9) {
        if (interpolant(coef, left) < interpolant(coef, right))
            b = right;
        else
            a = left;
        left = b - golden * (b - a);
        right = a + golden * (b - a);
    }
    return 0.5 * (a + b);
}

/* Slope of the interpolant at tau = 0; T_k'(-1) = (-1)^(k + 1) k^2. */
static double slope_at_start(const double *coef)
{
    double sum = 0;
    for (int k = 1; k <= N; k++)
        sum += 2 * (k % 2 ? 1 : -1) * (double)(k * k) * coef[k];
    return sum;
}

/* A guard that starts at zero and rises may come back before the first point that is looked at: a bounce much
 * shorter than the step. The zero at the start is divided out, and the next one is between 0 and b. */
static double after_short_rise(const double *coef, double b)
{
    const double start = interpolant(coef, 0);
    double a = 0;
    while (b - a > 1e-3 * b) {
        const double middle = 0.5 * (a + b);
        if ((interpolant(coef, middle) - start) / middle > 0)
            a = middle;
        else
            b = middle;
    }
    return 0.5 * b;
}

/* Walks along the interpolant of one guard. */
struct dip dip_find(const double *coef, double noise)
{
    struct dip dip = { .found = false, .lowest = interpolant(coef, 0) };
    double before = interpolant(coef, 0), here = before, tau_before = 0, tau = 0;
    bool has_inside = before >= 0, was_away = before > DIP_GRAZE;
    for (int m = 1; m <= SCAN && !dip.found; m++) {
        const double tau_next = dip_point(m, SCAN), next = interpolant(coef, tau_next);
        if (here <= before && here < next && here >= -noise && m > 1) {
            const double lowest = minimum(coef, tau_before, tau_next), least = interpolant(coef, lowest);
            dip.lowest = fmin(dip.lowest, least);
            if (least < -noise) {
                dip.found = true;
                dip.outside = lowest;
            } else if (least < DIP_GRAZE && !dip.grazes && was_away) {
                dip.grazes = true;
                dip.tau = lowest;
                dip.least = least;
            }
        }
        dip.lowest = fmin(dip.lowest, next);
        if (!dip.found && next < -noise) {
            dip.found = true;
            dip.outside = tau_next;
        }
        if (here >= 0) {                                        /* the minimum may lie on either side of it */
            has_inside = true;
            dip.inside = dip.found && dip.outside < tau ? tau_before : tau;
        }
        was_away = was_away || here > DIP_GRAZE;
        before = here;
        tau_before = tau;
        here = next;
        tau = tau_next;
    }
    if (dip.found && dip.inside == 0 && fabs(interpolant(coef, 0)) <= noise && slope_at_start(coef) > 0)
        dip.inside = after_short_rise(coef, dip.outside);
    else if (dip.found && !has_inside)
        dip.inside = dip.outside = 0;
    return dip;
}
