/* A curve through points in time: lines, a spline, or steps */
#include "core/model/define/read.h"

#include "core/base/curve.h"
#include "core/model/shapes.h"
#include "core/model/time/read.h"

enum { MOST_JUMPS = 100 };          /* that are switches */

/* The table: points in the order of s joined by lines or a spline, as a function of e; beyond them constant. */
static expr through_table(struct expr_graph *g, int n, const struct time_point *point, bool spline, expr e)
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

/* Where no control interval begins at a known time each jump is a switch: the first
 * value, and what it changes by. */
static void add_switches(struct reader *r, const struct spec_node *node, const struct time_points *points,
                         expr *out)
{
    const struct model *m = r->model;
    expr sum = expr_const(r->g, points->point[0].y);
    if (points->n - 1 > MOST_JUMPS) {
        spec_error(r->diag, node, "has %d jumps, and each one is a switch here, where no control interval begins at a known "
                   "time: at most %d are possible", points->n - 1, MOST_JUMPS);
        return;
    }
    for (int i = 1; i < points->n; i++) {
        const struct time_point *point = &points->point[i];
        const expr time = points->has_unit ? expr_const(r->g, point->s) : expr_scale(r->g, point->s, m->T_sym);
        const expr step = expr_unary(r->g, EXPR_STEP, expr_sub(r->g, m->t_sym, time));
        expr_set_pos(r->g, step, node->pos);
        sum = expr_add(r->g, sum, expr_scale(r->g, point->y - point[-1].y, step));
    }
    *out = sum;
}

void reader_through(struct reader *r, const struct spec_node *node, expr *out)
{
    const struct model *m = r->model;
    const struct spec_node *by = spec_get(node, "by");
    const int choice = by ? reader_choice(r, by, model_curve_words) : CURVE_LINEAR;
    struct time_points points;
    if (reader_points(r, node, &points) != STATUS_OK || choice < 0)
        return;
    reader_keep_points(r, node, &points);
    if (choice == CURVE_STEPS) {
        add_switches(r, node, &points, out);
        return;
    }
    const expr time = points.has_unit ? m->t_sym : expr_div(r->g, m->t_sym, m->T_sym);
    *out = through_table(r->g, points.n, points.point, choice == CURVE_SPLINE, time);
}
