#include "core/simulation/breaks.h"

#include "core/base/mem.h"
#include "core/expression/diff.h"

#include <math.h>
#include <stdlib.h>

static int by_time(const void *a, const void *b)
{
    const double s = *(const double *)a, t = *(const double *)b;
    return (s > t) - (s < t);
}

struct argument { const struct inputs *inputs; expr e; double slope; };     /* of a table: e = slope t + a number */

static double at_time(const struct argument *arg, double t)
{
    const struct inputs *inputs = arg->inputs;
    double *time = &inputs->value[inputs->model->n_x + inputs->model->n_u + inputs->model->n_p], now = *time;
    *time = t;
    const double value = expr_eval(inputs->model->graph, arg->e, inputs->n, inputs->sym, inputs->value);
    *time = now;
    return value;
}

/* Is e a multiple of time, up to a number? Steps of switches, which come last among the inputs, move too. */
static bool is_multiple_of_time(const struct inputs *inputs, expr e, struct argument *arg)
{
    const struct model *model = inputs->model;
    struct expr_graph *g = model->graph;
    const int n_moving = model->n_x + model->n_u, t = n_moving + model->n_p,
              last = t + 1 + model->time.horizon_free;
    expr rate;
    if (expr_depends(g, e, n_moving, inputs->sym) || expr_depends(g, e, inputs->n - last, inputs->sym + last))
        return false;
    expr_gradient(g, e, 1, &inputs->sym[t], &rate);
    if (expr_depends(g, rate, 1, &inputs->sym[t]))
        return false;
    *arg = (struct argument){ inputs, e, expr_eval(g, rate, inputs->n, inputs->sym, inputs->value) };
    return isfinite(arg->slope) && arg->slope != 0;
}

/* The time from which on the table is in its next piece, rounding included. */
static double time_of(const struct argument *arg, double s)
{
    double t = (s - at_time(arg, 0)) / arg->slope;
    for (int ulps = 0; ulps < 4 && (arg->slope > 0 ? at_time(arg, t) < s : at_time(arg, t) >= s); ulps++)
        t = nextafter(t, INFINITY);
    return t;
}

static void add_table(struct breaks *breaks, const struct table_data *table, const struct argument *arg)
{
    breaks->t = mem_grow(breaks->t, breaks->n, table->n + 1, sizeof *breaks->t);
    for (int k = 0; k <= table->n; k++)
        breaks->t[breaks->n++] = time_of(arg, table->breaks[k]);
}

struct breaks breaks_find(const struct inputs *inputs, int n, const expr *e)
{
    const struct expr_graph *g = inputs->model->graph;
    struct breaks breaks = { 0, NULL };
    int count;
    expr *node = expr_reach(g, n, e, &count);
    for (int k = 0; k < count; k++) {
        struct argument arg;
        if (expr_op_of(g, node[k]) == EXPR_TABLE && is_multiple_of_time(inputs, expr_arg(g, node[k], 0), &arg))
            add_table(&breaks, expr_table_data(g, node[k]), &arg);
    }
    free(node);
    if (breaks.n > 0)
        qsort(breaks.t, (size_t)breaks.n, sizeof *breaks.t, by_time);
    return breaks;
}

double breaks_next(const struct breaks *breaks, double t, double least)
{
    int lo = 0, hi = breaks->n;                                 /* the first that lies behind t + least */
    while (lo < hi) {
        const int middle = (lo + hi) / 2;
        if (breaks->t[middle] > t + least)
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo < breaks->n ? breaks->t[lo] : INFINITY;
}
