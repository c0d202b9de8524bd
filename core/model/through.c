/* core/model/through.c - a curve through points: lines, or a cubic spline without knots at its second and last
 * but one point (not-a-knot); through three points a parabola, through two a line
 */
#include "core/model/read.h"

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

expr through_table(struct expr_graph *g, int n, const struct through_point *point, bool spline, expr e)
{
    if (n == 1)
        return expr_const(g, point[0].y);
    const int n_pieces = n - 1;
    struct arena mem = { NULL };
    double *s = arena_alloc(&mem, (size_t)n, sizeof *s), *h = arena_alloc(&mem, (size_t)n, sizeof *h);
    double *d = arena_alloc(&mem, (size_t)n, sizeof *d), *m = arena_alloc(&mem, (size_t)n, sizeof *m);
    double *coef = arena_alloc(&mem, 4 * (size_t)n_pieces, sizeof *coef);
    for (int i = 0; i < n; i++)
        s[i] = point[i].s;
    for (int i = 0; i < n_pieces; i++) {
        h[i] = s[i + 1] - s[i];
        d[i] = (point[i + 1].y - point[i].y) / h[i];
    }
    if (spline && n == 3)
        m[0] = m[1] = m[2] = 2 * (d[1] - d[0]) / (h[0] + h[1]);
    if (spline && n > 3)
        not_a_knot(n_pieces, h, d, m);
    for (int i = 0; i < n_pieces; i++) {
        coef[4 * i] = point[i].y;
        coef[4 * i + 1] = d[i] - h[i] * (2 * m[i] + m[i + 1]) / 6;
        coef[4 * i + 2] = m[i] / 2;
        coef[4 * i + 3] = (m[i + 1] - m[i]) / (6 * h[i]);
    }
    const expr table = expr_table(g, n_pieces, s, coef, point[0].y, point[n - 1].y, e);
    arena_free(&mem);
    return table;
}
