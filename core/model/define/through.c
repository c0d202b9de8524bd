/* A curve through points in time: lines, or a spline */
#include "core/model/define/read.h"

#include "core/base/curve.h"
#include "core/model/shapes.h"
#include "core/model/time/read.h"

#include <math.h>
#include <stdlib.h>

struct through_point { double s, y; };

/* The table: points in the order of s joined by lines or a spline, as a function of e; beyond them constant. */
static expr through_table(struct expr_graph *g, int n, const struct through_point *point, bool spline, expr e)
{
    if (n == 1)
        return expr_const(g, point[0].y);
    struct arena mem = { NULL };
    double *s = arena_alloc(&mem, (size_t)n, sizeof *s), *y = arena_alloc(&mem, (size_t)n, sizeof *y);
    double *coef = arena_alloc(&mem, 4 * (size_t)(n - 1), sizeof *coef);
    for (int i = 0; i < n; i++) {
        s[i] = point[i].s;
        y[i] = point[i].y;
    }
    curve_cubics(n, s, y, spline, coef);
    const expr table = expr_table(g, n - 1, s, coef, y[0], y[n - 1], e);
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
