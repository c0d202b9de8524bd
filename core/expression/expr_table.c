/* core/expression/expr_table.c - functions by pieces, of one argument and of two */
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

/* --- Of two arguments ---------------------------------------------------------------------------------------- */

static size_t n_coef(const struct grid_data *data)
{
    return 16 * (size_t)data->n[0] * (size_t)data->n[1];
}

static bool grids_equal(const struct grid_data *p, const struct grid_data *q)
{
    for (int k = 0; k < 2; k++)
        if (p->n[k] != q->n[k] || p->edge[k] != q->edge[k] ||
            memcmp(p->breaks[k], q->breaks[k], ((size_t)p->n[k] + 1) * sizeof(double)) != 0)
            return false;
    return memcmp(p->coef, q->coef, n_coef(p) * sizeof(double)) == 0;
}

const struct grid_data *graph_copy_grid(struct arena *mem, const struct grid_data *from)
{
    struct grid_data *grid = arena_copy(mem, from, 1, sizeof *grid);
    for (int k = 0; k < 2; k++)
        grid->breaks[k] = arena_copy(mem, from->breaks[k], (size_t)from->n[k] + 1, sizeof(double));
    grid->coef = arena_copy(mem, from->coef, n_coef(from), sizeof(double));
    return grid;
}

/* The place of a grid equal to `data`; its arrays are copied if it is new. */
static int intern_grid(struct expr_graph *g, const struct grid_data *data)
{
    for (int k = 0; k < g->n_grid; k++)
        if (grids_equal(&g->grid[k].data, data))
            return k;
    g->grid = mem_grow(g->grid, g->n_grid, 1, sizeof *g->grid);
    g->grid[g->n_grid] = (struct grid){ *graph_copy_grid(&g->mem, data), { -1, -1 } };
    return g->n_grid++;
}

static bool grid_is_zero(const struct grid_data *data)
{
    bool zero = true;
    for (size_t k = 0; k < n_coef(data) && zero; k++)
        zero = data->coef[k] == 0;
    return zero;
}

static expr grid_node(struct expr_graph *g, int place, expr a, expr b)
{
    double at_a, at_b;
    if (grid_is_zero(&g->grid[place].data))
        return expr_const(g, 0);
    if (expr_is_const(g, a, &at_a) && expr_is_const(g, b, &at_b))
        return expr_const(g, graph_grid_value(&g->grid[place].data, at_a, at_b));
    return graph_intern(g, EXPR_GRID, a, b, EXPR_NONE, 0, place);
}

expr expr_grid(struct expr_graph *g, const struct grid_data *data, expr a, expr b)
{
    return grid_node(g, intern_grid(g, data), a, b);
}

const struct grid_data *expr_grid_data(const struct expr_graph *g, expr e)
{
    return &g->grid[g->node[e].payload].data;
}

/* Factors of the four coefficients of one argument at s: 1, d, d^2, d^3 within the breaks. Beyond them those of
 * the value and the slope at the edge; returns the piece. */
static int factors(const struct grid_data *grid, int k, double s, double *of)
{
    const int n = grid->n[k], piece = graph_piece(n, grid->breaks[k], s);
    const double lo = grid->breaks[k][0], hi = grid->breaks[k][n], at = fmin(fmax(s, lo), hi);
    const double d = at - grid->breaks[k][piece], beyond = grid->edge[k] == EDGE_LINE ? s - at : 0;
    const double on = at != s && grid->edge[k] == EDGE_ZERO ? 0 : 1;
    of[0] = on;
    of[1] = on * d + beyond;
    of[2] = on * d * d + beyond * 2 * d;
    of[3] = on * d * d * d + beyond * 3 * d * d;
    return piece;
}

double graph_grid_value(const struct grid_data *grid, double a, double b)
{
    double p[4], q[4], sum = 0;
    if (isnan(a) || isnan(b))
        return NAN;
    const int i = factors(grid, 0, a, p), j = factors(grid, 1, b, q);
    const double *c = grid->coef + 16 * ((size_t)i * (size_t)grid->n[1] + (size_t)j);
    for (int k = 0; k < 4; k++)
        sum += p[k] * (c[4 * k] * q[0] + c[4 * k + 1] * q[1] + c[4 * k + 2] * q[2] + c[4 * k + 3] * q[3]);
    return sum;
}

/* Coefficients of the derivative by argument k. */
static void differentiate(const struct grid_data *from, int k, double *coef)
{
    const size_t n = n_coef(from);
    for (size_t at = 0; at < n; at++) {
        const int power = k ? (int)(at % 4) : (int)(at % 16 / 4);
        coef[at] = power == 3 ? 0 : (power + 1) * from->coef[at + (k ? 1 : 4)];
    }
}

expr graph_grid_derivative(struct expr_graph *g, expr e, int k)
{
    const struct node node = g->node[e];
    const int place = node.payload;
    if (g->grid[place].derivative[k] < 0) {
        struct grid_data data = g->grid[place].data;
        double *coef = mem_alloc(n_coef(&data), sizeof *coef);
        differentiate(&data, k, coef);
        data.coef = coef;
        data.edge[k] = data.edge[k] == EDGE_LINE ? EDGE_CONSTANT : EDGE_ZERO;
        const int derivative = intern_grid(g, &data);
        g->grid[place].derivative[k] = derivative;
        free(coef);
    }
    return grid_node(g, g->grid[place].derivative[k], node.arg[0], node.arg[1]);
}
