#include "core/base/curve.h"

#include "core/base/arena.h"
#include "core/base/mem.h"

#include <stdlib.h>

/* Second derivatives m[0..n] of the spline over n >= 3 intervals of width h with slopes d. Inner points:
 *   h[i-1] m[i-1] + 2 (h[i-1] + h[i]) m[i] + h[i] m[i+1] = 6 (d[i] - d[i-1]),
 * ends: the third derivative is continuous at the second and the last but one point, which gives m[0] and m[n]
 * as combinations of their two neighbours. */
static void not_a_knot(int n, const double *h, const double *d, double *m)
{
    double *diag = mem_alloc((size_t)n + 1, sizeof *diag), *upper = mem_alloc((size_t)n + 1, sizeof *upper);
    for (int i = 1; i < n; i++) {
        double lower = h[i - 1];
        diag[i] = 2 * (h[i - 1] + h[i]);
        upper[i] = h[i];
        m[i] = 6 * (d[i] - d[i - 1]);
        if (i == 1) {
            diag[i] += h[0] * (h[0] + h[1]) / h[1];
            upper[i] -= h[0] * h[0] / h[1];
            continue;
        }
        if (i == n - 1) {
            diag[i] += h[i] * (h[i - 1] + h[i]) / h[i - 1];
            lower -= h[i] * h[i] / h[i - 1];
        }
        diag[i] -= lower / diag[i - 1] * upper[i - 1];
        m[i] -= lower / diag[i - 1] * m[i - 1];
    }
    m[n - 1] /= diag[n - 1];
    for (int i = n - 2; i >= 1; i--)
        m[i] = (m[i] - upper[i] * m[i + 1]) / diag[i];
    m[0] = m[1] + (m[1] - m[2]) * h[0] / h[1];
    m[n] = m[n - 1] + (m[n - 1] - m[n - 2]) * h[n - 1] / h[n - 2];
    free(diag);
    free(upper);
}

void curve_cubics(int n, const double *s, const double *y, bool spline, double *coef)
{
    struct arena mem = { NULL };
    double *h = arena_alloc(&mem, (size_t)n, sizeof *h), *d = arena_alloc(&mem, (size_t)n, sizeof *d);
    double *m = arena_alloc(&mem, (size_t)n, sizeof *m);
    for (int i = 0; i < n - 1; i++) {
        h[i] = s[i + 1] - s[i];
        d[i] = (y[i + 1] - y[i]) / h[i];
    }
    if (spline && n == 3)
        m[0] = m[1] = m[2] = 2 * (d[1] - d[0]) / (h[0] + h[1]);
    if (spline && n > 3)
        not_a_knot(n - 1, h, d, m);
    for (int i = 0; i < n - 1; i++) {
        coef[4 * i] = y[i];
        coef[4 * i + 1] = d[i] - h[i] * (2 * m[i] + m[i + 1]) / 6;
        coef[4 * i + 2] = m[i] / 2;
        coef[4 * i + 3] = (m[i + 1] - m[i]) / (6 * h[i]);
    }
    arena_free(&mem);
}

void curve_slopes(int n, const double *s, const double *y, double *slope)
{
    double *coef = mem_alloc(4 * (size_t)(n - 1), sizeof *coef);
    curve_cubics(n, s, y, true, coef);
    for (int i = 0; i < n - 1; i++)
        slope[i] = coef[4 * i + 1];
    const double *last = &coef[4 * (n - 2)], h = s[n - 1] - s[n - 2];
    slope[n - 1] = last[1] + h * (2 * last[2] + h * 3 * last[3]);
    free(coef);
}
