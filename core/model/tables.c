#include "core/model/tables.h"

#include "core/base/curve.h"
#include "core/base/mem.h"
#include "core/expression/ranges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 1e-9                 /* of the width of an axis: rounding may lead that far out of it */

int model_find_table(const struct model *model, const char *name)
{
    for (int k = 0; k < model->tables.n_table; k++)
        if (strcmp(model->tables.table[k].name, name) == 0)
            return k;
    return -1;
}

/* --- Splines ------------------------------------------------------------------------------------------------- */

/* Coefficients of c(d + by), each `step` from the next. */
static void shift(const double *c, int step, double by, double *out)
{
    const double c0 = c[0], c1 = c[step], c2 = c[2 * step], c3 = c[3 * step];
    out[0] = c0 + by * (c1 + by * (c2 + by * c3));
    out[step] = c1 + by * (2 * c2 + by * 3 * c3);
    out[2 * step] = c2 + by * 3 * c3;
    out[3 * step] = c3;
}

/* The axis with one more piece at each end, as long as its neighbour: there a table that refuses goes on as the
 * cubics at its edge, so that derivatives do not jump at the very edge; beyond that as a line. */
static double *widen(struct arena *mem, int n, const double *at)
{
    double *out = arena_alloc(mem, (size_t)n + 2, sizeof *out);
    memcpy(out + 1, at, (size_t)n * sizeof *out);
    out[0] = 2 * at[0] - at[1];
    out[n + 1] = 2 * at[n - 1] - at[n - 2];
    return out;
}

static expr spline(struct expr_graph *g, const struct model_table *table, expr s)
{
    const int n = table->n[0], wide = table->outside == TABLE_REFUSE;
    struct arena mem = { NULL };
    const double *at = wide ? widen(&mem, n, table->at[0]) : table->at[0];
    const int n_piece = n - 1 + 2 * wide;
    double *coef = arena_alloc(&mem, 4 * (size_t)(n_piece + 1), sizeof *coef), *inner = coef + 4 * (size_t)wide;
    curve_cubics(n, table->at[0], table->value, true, inner);
    if (wide) {
        shift(inner, 1, at[0] - at[1], coef);
        shift(&inner[4 * (n - 2)], 1, at[n] - at[n - 1], &inner[4 * (n - 1)]);
    }
    double *end = &coef[4 * n_piece];           /* value and slope at the end of the last piece, 0 of nothing more */
    shift(&coef[4 * (n_piece - 1)], 1, at[n_piece] - at[n_piece - 1], end);
    const struct table_data data = { n_piece, at, coef, coef[0], end[0], coef[1], end[1] };
    const expr e = expr_table_of(g, &data, s);
    arena_free(&mem);
    return e;
}

/* Slopes of f [n_a * n_b] along one axis. */
static void slopes_along(const struct model_table *table, int axis, const double *f, double *slope)
{
    const int n = table->n[axis], n_other = table->n[!axis];
    const size_t step = axis ? 1 : (size_t)table->n[1], other = axis ? (size_t)table->n[1] : 1;
    double *y = mem_alloc((size_t)n, sizeof *y), *d = mem_alloc((size_t)n, sizeof *d);
    for (int j = 0; j < n_other; j++) {
        for (int i = 0; i < n; i++)
            y[i] = f[(size_t)j * other + (size_t)i * step];
        curve_slopes(n, table->at[axis], y, d);
        for (int i = 0; i < n; i++)
            slope[(size_t)j * other + (size_t)i * step] = d[i];
    }
    free(y);
    free(d);
}

/* Coefficients of the cubic on [0, h] with these values and slopes at its ends. */
static void hermite(double h, const double *end, double *c)
{
    const double rise = (end[1] - end[0]) / h;
    c[0] = end[0];
    c[1] = end[2];
    c[2] = (3 * rise - 2 * end[2] - end[3]) / h;
    c[3] = (end[2] + end[3] - 2 * rise) / (h * h);
}

/* Of a piece whose corners are at[0], at[1] (next b), at[2] (next a), at[3]; corner: values, slopes by a and by
 * b, and how they change by a and b. */
static void bicubic(double h_a, double h_b, const double *const corner[4], const size_t at[4], double *coef)
{
    double along_b[4][4];                       /* of value at a and next a, slope at both: cubics of b */
    for (int k = 0; k < 4; k++) {
        const double *value = corner[k < 2 ? 0 : 1], *slope = corner[k < 2 ? 2 : 3];
        const size_t here = at[k % 2 ? 2 : 0], next = at[k % 2 ? 3 : 1];
        hermite(h_b, (double[]){ value[here], value[next], slope[here], slope[next] }, along_b[k]);
    }
    for (int l = 0; l < 4; l++) {
        double c[4];
        hermite(h_a, (double[]){ along_b[0][l], along_b[1][l], along_b[2][l], along_b[3][l] }, c);
        for (int k = 0; k < 4; k++)
            coef[4 * k + l] = c[k];
    }
}

/* Pieces of the table within its axes, at coef[16 (i n + j)], n of them in a row. */
static void list_pieces(const struct model_table *table, int n, double *coef)
{
    const int n_a = table->n[0], n_b = table->n[1];
    const size_t n_value = (size_t)n_a * (size_t)n_b;
    struct arena mem = { NULL };
    double *f_a = arena_alloc(&mem, n_value, sizeof *f_a), *f_b = arena_alloc(&mem, n_value, sizeof *f_b);
    double *f_ab = arena_alloc(&mem, n_value, sizeof *f_ab);
    const double *const corner[4] = { table->value, f_a, f_b, f_ab };
    slopes_along(table, 0, table->value, f_a);
    slopes_along(table, 1, table->value, f_b);
    slopes_along(table, 1, f_a, f_ab);
    for (int i = 0; i < n_a - 1; i++)
        for (int j = 0; j < n_b - 1; j++) {
            const size_t here = (size_t)i * (size_t)n_b + (size_t)j, next = here + (size_t)n_b;
            bicubic(table->at[0][i + 1] - table->at[0][i], table->at[1][j + 1] - table->at[1][j], corner,
                    (size_t[]){ here, here + 1, next, next + 1 }, &coef[16 * ((size_t)i * (size_t)n + (size_t)j)]);
        }
    arena_free(&mem);
}

/* The pieces around those of a wide grid, n [2] in all. */
static void list_outer_pieces(const int *n, const double *const at[2], double *coef)
{
    const size_t row = 16 * (size_t)n[1];
    const int a = n[0] - 1, b = n[1] - 1;
    for (int i = 1; i < a; i++)
        for (int k = 0; k < 4; k++) {
            double *first = &coef[(size_t)i * row + 4 * (size_t)k], *last = first + 16 * (size_t)b;
            shift(first + 16, 1, at[1][0] - at[1][1], first);
            shift(last - 16, 1, at[1][b] - at[1][b - 1], last);
        }
    for (int j = 0; j <= b; j++)
        for (int k = 0; k < 4; k++) {
            double *first = &coef[16 * (size_t)j + (size_t)k], *last = first + (size_t)a * row;
            shift(first + row, 4, at[0][0] - at[0][1], first);
            shift(last - row, 4, at[0][a] - at[0][a - 1], last);
        }
}

static expr spline_of_two(struct expr_graph *g, const struct model_table *table, const expr *arg)
{
    const bool wide = table->outside == TABLE_REFUSE;
    struct arena mem = { NULL };
    struct grid_data data = { .edge = { EDGE_LINE, EDGE_LINE } };
    for (int k = 0; k < 2; k++) {
        data.n[k] = table->n[k] - 1 + 2 * wide;
        data.breaks[k] = wide ? widen(&mem, table->n[k], table->at[k]) : table->at[k];
    }
    double *coef = arena_alloc(&mem, 16 * (size_t)data.n[0] * (size_t)data.n[1], sizeof *coef);
    list_pieces(table, data.n[1], wide ? coef + 16 * ((size_t)data.n[1] + 1) : coef);
    if (wide)
        list_outer_pieces(data.n, data.breaks, coef);
    data.coef = coef;
    const expr e = expr_grid(g, &data, arg[0], arg[1]);
    arena_free(&mem);
    return e;
}

/* --- Lines and their corners --------------------------------------------------------------------------------- */

static expr beyond(struct expr_graph *g, expr s, double from)
{
    return expr_binary(g, EXPR_MAX, expr_sub(g, s, expr_const(g, from)), expr_const(g, 0));
}

/* The argument, kept within the axis. */
static expr clamp(struct expr_graph *g, const struct model_table *table, int axis, expr s)
{
    const double lo = table->at[axis][0], hi = table->at[axis][table->n[axis] - 1];
    return expr_sub(g, expr_add(g, expr_const(g, lo), beyond(g, s, lo)), beyond(g, s, hi));
}

/* A function that is y[k * step] at s[k] and linear between them is sum_k out[k * step] part_k with
 * part_0 = 1 and part_k = max(s - s[k-1], 0), k = 1 .. n: slopes, then how they change. To the right it
 * is a line or, if it ends, constant. */
static void list_changes(int n, const double *s, bool ends, size_t step, const double *y, double *out)
{
    double before = 0;
    out[0] = y[0];
    for (int k = 1; k < n; k++) {
        const double slope = (y[(size_t)k * step] - y[(size_t)(k - 1) * step]) / (s[k] - s[k - 1]);
        out[(size_t)k * step] = slope - before;
        before = slope;
    }
    out[(size_t)n * step] = ends ? -before : 0;
}

/* To the left it is a line, too: part_1 = s - s[0]. */
static void list_parts(struct expr_graph *g, int n, const double *s, bool ends, expr arg, expr *part)
{
    part[0] = expr_const(g, 1);
    for (int k = 1; k <= n; k++)
        part[k] = k == 1 && !ends ? expr_sub(g, arg, expr_const(g, s[0])) : beyond(g, arg, s[k - 1]);
}

/* Values by rows of n_b + 1 numbers: along the second axis first, then along the first one. */
static expr corners(struct expr_graph *g, const struct model_table *table, const expr *arg)
{
    const bool ends = table->outside == TABLE_CONSTANT;
    const int n_a = table->n[0], n_b = table->n[1], width = table->n_arg == 2 ? n_b + 1 : 1;
    struct arena mem = { NULL };
    double *by_b = arena_alloc(&mem, (size_t)(n_a * width), sizeof *by_b);
    double *c = arena_alloc(&mem, (size_t)((n_a + 1) * width), sizeof *c);
    expr *part_a = arena_alloc(&mem, (size_t)n_a + 1, sizeof *part_a);
    expr *part_b = arena_alloc(&mem, (size_t)width, sizeof *part_b), sum = expr_const(g, 0);
    list_parts(g, n_a, table->at[0], ends, arg[0], part_a);
    list_parts(g, width - 1, table->at[1], ends, arg[1], part_b);
    for (int i = 0; i < n_a; i++)
        if (table->n_arg == 2)
            list_changes(n_b, table->at[1], ends, 1, &table->value[i * n_b], &by_b[i * width]);
        else
            by_b[i] = table->value[i];
    for (int j = 0; j < width; j++)
        list_changes(n_a, table->at[0], ends, (size_t)width, &by_b[j], &c[j]);
    for (int i = 0; i <= n_a; i++) {
        expr row = expr_const(g, 0);
        for (int j = 0; j < width; j++)
            row = expr_add(g, row, expr_scale(g, c[i * width + j], part_b[j]));
        sum = expr_add(g, sum, expr_mul(g, part_a[i], row));
    }
    arena_free(&mem);
    return sum;
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

/* 0 within the axis and a little beyond, else NaN. */
static expr guard(struct expr_graph *g, const struct model_table *table, int axis, expr s)
{
    const double lo = table->at[axis][0], hi = table->at[axis][table->n[axis] - 1], margin = MARGIN * (hi - lo);
    return expr_table(g, 1, (double[]){ lo - margin, hi + margin }, (double[4]){ 0 }, NAN, NAN, s);
}

expr model_table_value(struct expr_graph *g, const struct model_table *table, const expr *arg, bool strict)
{
    expr at[2] = { EXPR_NONE, EXPR_NONE };
    for (int k = 0; k < table->n_arg; k++)
        at[k] = table->outside == TABLE_CONSTANT && table->by == TABLE_SPLINE ? clamp(g, table, k, arg[k]) : arg[k];
    expr e = table->by == TABLE_LINEAR ? corners(g, table, at)
             : table->n_arg == 2 ? spline_of_two(g, table, at) : spline(g, table, at[0]);
    for (int k = 0; k < table->n_arg && strict && table->outside == TABLE_REFUSE; k++)
        e = expr_add(g, e, guard(g, table, k, arg[k]));
    return e;
}

/* --- What arguments can be ----------------------------------------------------------------------------------- */

struct interval model_table_reach(const struct model *m, const struct model_table_use *use)
{
    const int n = m->n_x + m->n_u + m->n_p + 2;
    struct arena mem = { NULL };
    expr *sym = arena_alloc(&mem, (size_t)n, sizeof *sym);
    struct interval *box = arena_alloc(&mem, (size_t)n, sizeof *box), out = { -INFINITY, INFINITY };
    int at = 0;
    for (int k = 0; k < m->n_x; at++, k++) {
        sym[at] = m->x_sym[k];
        box[at] = (struct interval){ m->x[k].lb, m->x[k].ub };
    }
    for (int k = 0; k < m->n_u; at++, k++) {
        sym[at] = m->u_sym[k];
        box[at] = (struct interval){ m->u[k].lb, m->u[k].ub };
    }
    for (int k = 0; k < m->n_p; at++, k++) {
        sym[at] = m->p_sym[k];
        box[at] = (struct interval){ m->param[m->p_param[k]].lb, m->param[m->p_param[k]].ub };
    }
    sym[at] = m->t_sym;
    box[at++] = (struct interval){ 0, m->time.horizon_free ? m->time.horizon_max
                                      : isnan(m->time.horizon) ? INFINITY : m->time.horizon };
    if (m->time.horizon_free) {
        sym[at] = m->T_sym;
        box[at++] = (struct interval){ m->time.horizon_min, m->time.horizon_max };
    }
    if (expr_is_of(m->graph, use->arg, at, sym)) {
        struct ranges *ranges = ranges_create(m->graph, at, sym, 1, &use->arg, false);
        (void)ranges_eval(ranges, box, &out);
        ranges_free(ranges);
    }
    arena_free(&mem);
    return out;
}

bool model_table_holds(const struct model_table *table, int axis, struct interval range)
{
    const double lo = table->at[axis][0], hi = table->at[axis][table->n[axis] - 1], margin = MARGIN * (hi - lo);
    return range.lo >= lo - margin && range.hi <= hi + margin;
}

const struct model_table *model_table_of_corner(const struct model *m, expr corner)
{
    const struct model_table *found = NULL;
    for (int k = 0; k < m->tables.n_use && !found; k++) {
        const struct model_table_use *use = &m->tables.use[k];
        const struct model_table *table = &m->tables.table[use->table];
        if ((table->by == TABLE_LINEAR || table->outside == TABLE_CONSTANT)
            && expr_depends(m->graph, use->value, 1, &corner) && !expr_depends(m->graph, use->arg, 1, &corner))
            found = table;
    }
    return found;
}
