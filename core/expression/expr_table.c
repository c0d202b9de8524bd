#include "core/expression/expr.h"

#include "core/base/mem.h"
#include "core/expression/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool tables_equal(const struct table_data *p, const struct table_data *q)
{
    return p->n == q->n && p->left == q->left && p->right == q->right &&
           p->left_slope == q->left_slope && p->right_slope == q->right_slope &&
           memcmp(p->breaks, q->breaks, ((size_t)p->n + 1) * sizeof(double)) == 0 &&
           memcmp(p->coef, q->coef, 4 * (size_t)p->n * sizeof(double)) == 0;
}

const struct table_data *graph_copy_table(struct arena *mem, const struct table_data *from)
{
    struct table_data *table = arena_copy(mem, from, 1, sizeof *table);
    table->breaks = arena_copy(mem, from->breaks, (size_t)from->n + 1, sizeof(double));
    table->coef = arena_copy(mem, from->coef, 4 * (size_t)from->n, sizeof(double));
    return table;
}

/* The place of a table equal to `data`; its arrays are copied if it is new. */
static int intern_table(struct expr_graph *g, const struct table_data *data)
{
    for (int k = 0; k < g->n_table; k++)
        if (tables_equal(&g->table[k].data, data))
            return k;
    g->table = mem_grow(g->table, g->n_table, 1, sizeof *g->table);
    g->table[g->n_table] = (struct table){ *graph_copy_table(&g->mem, data), -1 };
    return g->n_table++;
}

static bool table_is_zero(const struct table_data *data)
{
    bool zero = data->left == 0 && data->right == 0 && data->left_slope == 0 && data->right_slope == 0;
    for (int k = 0; k < 4 * data->n && zero; k++)
        zero = data->coef[k] == 0;
    return zero;
}

static expr table_node(struct expr_graph *g, int place, expr s)
{
    double value;
    if (table_is_zero(&g->table[place].data))
        return expr_const(g, 0);
    if (expr_is_const(g, s, &value))
        return expr_const(g, graph_table_value(&g->table[place].data, value));
    return graph_intern(g, EXPR_TABLE, s, EXPR_NONE, EXPR_NONE, 0, place);
}

expr expr_table(struct expr_graph *g, int n, const double *breaks, const double *coef, double left, double right,
                expr s)
{
    return expr_table_of(g, &(struct table_data){ n, breaks, coef, left, right, 0, 0 }, s);
}

expr expr_table_of(struct expr_graph *g, const struct table_data *data, expr s)
{
    return table_node(g, intern_table(g, data), s);
}

const struct table_data *expr_table_data(const struct expr_graph *g, expr e)
{
    return &g->table[g->node[e].payload].data;
}

int graph_piece(int n, const double *breaks, double s)
{
    int lo = 0, hi = n - 1;                     /* the last break that is <= s */
    while (lo < hi) {
        const int mid = hi - (hi - lo) / 2;
        if (breaks[mid] <= s)
            lo = mid;
        else
            hi = mid - 1;
    }
    return lo;
}

double graph_table_value(const struct table_data *table, double s)
{
    const int n = table->n;
    if (isnan(s))
        return s;
    if (s < table->breaks[0])
        return table->left_slope == 0 ? table->left : table->left + table->left_slope * (s - table->breaks[0]);
    if (s >= table->breaks[n])
        return table->right_slope == 0 ? table->right : table->right + table->right_slope * (s - table->breaks[n]);
    const int i = graph_piece(n, table->breaks, s);
    const double d = s - table->breaks[i], *c = table->coef + 4 * i;
    return c[0] + d * (c[1] + d * (c[2] + d * c[3]));
}

expr graph_table_derivative(struct expr_graph *g, expr e)
{
    const int place = g->node[e].payload;
    const expr s = g->node[e].arg[0];
    if (g->table[place].derivative < 0) {
        struct table_data data = g->table[place].data;
        double *coef = mem_alloc(4 * (size_t)data.n, sizeof *coef);
        for (int i = 0; i < data.n; i++)
            for (int k = 0; k < 3; k++)
                coef[4 * i + k] = (k + 1) * data.coef[4 * i + k + 1];
        data = (struct table_data){ data.n, data.breaks, coef, data.left_slope, data.right_slope, 0, 0 };
        const int derivative = intern_table(g, &data);
        g->table[place].derivative = derivative;
        free(coef);
    }
    return table_node(g, g->table[place].derivative, s);
}
