/* A curve through points: lines, or a cubic spline without knots at its second and last
 * but one point (not-a-knot); through three points a parabola, through two a line
 */
#include "core/model/define/read.h"

#include "core/base/mem.h"
#include "core/model/shapes.h"
#include "core/model/time/read.h"

#include <math.h>
#include <stdlib.h>

struct through_point { double s, y; };

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

/* The table: points in the order of s joined by lines or a spline, as a function of e; beyond them constant. */
static expr through_table(struct expr_graph *g, int n, const struct through_point *point, bool spline, expr e)
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

/* --- As it is written ------------------------------------------------------------------------------------------ */

struct points { int n; bool has_unit; struct through_point *point; };

static int by_time(const void *a, const void *b)
{
    const struct through_point *p = a, *q = b;
    return (p->s > q->s) - (p->s < q->s);
}

/* In units of time a table may be longer than the horizon, as measurements are. */
static enum status read_time(struct reader *r, const struct spec_node *node, bool has_unit, double *s)
{
    const struct spec_node key = reader_key(node);
    struct moment moment;
    if (!has_unit)
        return reader_fraction(r, &key, s);
    if (reader_moment(r, &key, &moment) != STATUS_OK)
        return STATUS_SPEC;
    *s = moment.value;
    if (!moment.has_unit && moment.value != 0)
        return spec_error(r->diag, &key, "other points have a unit: write \"%.15g %s\"", moment.value,
                          r->model->time.unit);
    return moment.value >= 0 ? STATUS_OK
                             : spec_error(r->diag, &key, "the horizon begins at 0 %s", r->model->time.unit);
}

static bool any_has_unit(const struct spec_node *node)
{
    bool any = false;
    for (int i = 0; i < node->n; i++)
        any = any || moment_has_unit(node->child[i]->key);
    return any;
}

static enum status read_points(struct reader *r, const struct spec_node *node, struct points *points)
{
    if (node->kind != SPEC_MAPPING || node->n == 0) {
        spec_error(r->diag, node, "expected points {time: value}, as {0: 0.4, 1: 0.6} by fraction of the horizon, or "
                   "{0 %s: 0.4, 2 %s: 0.6}", r->model->time.unit, r->model->time.unit);
        return STATUS_SPEC;
    }
    enum status st = STATUS_OK;
    points->n = node->n;
    points->has_unit = any_has_unit(node);
    points->point = arena_alloc(r->mem, (size_t)node->n, sizeof *points->point);
    for (int i = 0; i < node->n; i++)
        if (read_time(r, node->child[i], points->has_unit, &points->point[i].s) != STATUS_OK
            || reader_finite(r, node->child[i], &points->point[i].y) != STATUS_OK)
            st = STATUS_SPEC;
    qsort(points->point, (size_t)points->n, sizeof *points->point, by_time);
    for (int i = 1; i < points->n && st == STATUS_OK; i++)
        if (points->point[i].s == points->point[i - 1].s)
            st = spec_error(r->diag, node, "two points at the %s %.15g", points->has_unit ? "time" : "fraction",
                            points->point[i].s);
    return st;
}

void reader_through(struct reader *r, const struct spec_node *node, expr *out)
{
    const struct model *m = r->model;
    const struct spec_node *by = spec_get(node, "by");
    const int choice = by ? reader_choice(r, by, model_curve_words) : 0;
    struct points points = { .n = 0 };
    if (read_points(r, spec_get(node, "through"), &points) != STATUS_OK || choice < 0)
        return;
    if (isnan(m->time.horizon) && !points.has_unit) {
        spec_error(r->diag, node, "points by fraction of the horizon need time.horizon");
        return;
    }
    const expr time = points.has_unit ? m->t_sym : expr_div(r->g, m->t_sym, m->T_sym);
    *out = through_table(r->g, points.n, points.point, choice == 1, time);
}
