#include "core/expression/diff.h"

#include "core/base/mem.h"
#include "core/expression/graph.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* --- One node ---------------------------------------------------------------------------------------------- */

/* c + s e, for 1 - a^2 and the like. */
static expr affine(struct expr_graph *g, double c, double s, expr e)
{
    return expr_add(g, expr_const(g, c), expr_scale(g, s, e));
}

static expr over(struct expr_graph *g, double c, expr e)
{
    return expr_div(g, expr_const(g, c), e);
}

/* Derivative of the function of one argument that node e is. */
static expr unary_partial(struct expr_graph *g, expr e, enum expr_op op, expr a)
{
    const double ln10 = 2.302585092994045684;
    switch (op) {
    case EXPR_NEG:    return expr_const(g, -1);
    case EXPR_SIN:    return expr_unary(g, EXPR_COS, a);
    case EXPR_COS:    return expr_neg(g, expr_unary(g, EXPR_SIN, a));
    case EXPR_TAN:    return affine(g, 1, 1, expr_square(g, e));
    case EXPR_ASIN:   return over(g, 1, expr_sqrt(g, affine(g, 1, -1, expr_square(g, a))));
    case EXPR_ACOS:   return over(g, -1, expr_sqrt(g, affine(g, 1, -1, expr_square(g, a))));
    case EXPR_ATAN:   return over(g, 1, affine(g, 1, 1, expr_square(g, a)));
    case EXPR_SINH:   return expr_unary(g, EXPR_COSH, a);
    case EXPR_COSH:   return expr_unary(g, EXPR_SINH, a);
    case EXPR_TANH:   return affine(g, 1, -1, expr_square(g, e));
    case EXPR_EXP:    return e;
    case EXPR_LOG:    return over(g, 1, a);
    case EXPR_LOG10:  return over(g, 1 / ln10, a);
    case EXPR_SQRT:   return over(g, 0.5, e);
    case EXPR_SQUARE: return expr_scale(g, 2, a);
    case EXPR_TABLE:  return graph_table_derivative(g, e);
    default:          break;
    }
    assert(0 && "a nonsmooth node cannot be differentiated");
    return EXPR_NONE;
}

/* d a^b / d a = b a^(b - 1); d a^b / d b = a^b log a. */
static expr pow_partial(struct expr_graph *g, expr e, expr a, expr b, int k)
{
    if (k == 1)
        return expr_mul(g, e, expr_unary(g, EXPR_LOG, a));
    return expr_mul(g, b, expr_binary(g, EXPR_POW, a, affine(g, -1, 1, b)));
}

/* d e / d (argument k of e). */
static expr partial(struct expr_graph *g, expr e, int k)
{
    const struct node node = g->node[e];
    const expr a = node.arg[0], b = node.arg[1];
    switch (node.op) {
    case EXPR_ADD:   return expr_const(g, 1);
    case EXPR_MUL:   return k ? a : b;
    case EXPR_DIV:   return k ? expr_neg(g, expr_div(g, e, b)) : over(g, 1, b);
    case EXPR_POW:   return pow_partial(g, e, a, b, k);
    case EXPR_GRID:  return graph_grid_derivative(g, e, k);
    case EXPR_SIDE:  return expr_const(g, 0);
    case EXPR_PICK:
        return k == 0 ? expr_const(g, 0) : expr_pick(g, a, expr_const(g, k == 1), expr_const(g, k == 2));
    case EXPR_HYPOT: return expr_div(g, k ? b : a, e);
    case EXPR_ATAN2: {
        const expr r2 = expr_add(g, expr_square(g, a), expr_square(g, b));
        return expr_div(g, k ? expr_neg(g, a) : b, r2);
    }
    default:         return unary_partial(g, e, node.op, a);
    }
}

/* --- All nodes that some expressions are made of ----------------------------------------------------------- */

struct sweep {
    struct expr_graph *g;
    int n;
    expr *node;                     /* [n] ascending */
    int *place;                     /* [largest node + 1] place of a node in `node`, -1: not there; the graph's */
    int top;                        /* largest node */
    bool *active;                   /* [n] does it depend on a symbol of interest? */
    expr *d;                        /* [n] adjoint or tangent, EXPR_NONE: zero */
};

static int place_of(const struct sweep *s, expr e)
{
    return e >= 0 && e <= s->top ? s->place[e] : -1;
}

/* Room for nodes up to the top: kept, as most derivatives are of a few nodes of a large graph. */
static int *places_up_to(struct expr_graph *g, int top)
{
    const int n = g->n_place;
    if (top >= n) {
        g->n_place = top + 1 > 2 * n ? top + 1 : 2 * n;
        g->place = mem_resize(g->place, (size_t)g->n_place, sizeof *g->place);
        for (int k = n; k < g->n_place; k++)
            g->place[k] = -1;
    }
    return g->place;
}

/* One at a time in a graph. */
static struct sweep sweep_create(struct expr_graph *g, int n, const expr *e, int n_sym, const expr *sym)
{
    struct sweep s = { .g = g };
    s.node = expr_reach(g, n, e, &s.n);
    s.top = s.n ? s.node[s.n - 1] : -1;
    s.place = places_up_to(g, s.top);
    s.active = mem_alloc((size_t)s.n, sizeof *s.active);
    s.d = mem_alloc((size_t)s.n, sizeof *s.d);
    for (int k = 0; k < s.n; k++) {
        s.place[s.node[k]] = k;
        s.d[k] = EXPR_NONE;
    }
    for (int j = 0; j < n_sym; j++)
        if (place_of(&s, sym[j]) >= 0)
            s.active[place_of(&s, sym[j])] = true;
    for (int k = 0; k < s.n; k++)
        for (int i = 0; i < expr_n_args(g, s.node[k]); i++)
            s.active[k] = s.active[k] || s.active[s.place[expr_arg(g, s.node[k], i)]];
    return s;
}

static void sweep_free(struct sweep *s)
{
    for (int k = 0; k < s->n; k++)
        s->place[s->node[k]] = -1;
    free(s->node);
    free(s->active);
    free(s->d);
}

static void accumulate(struct sweep *s, int place, expr term)
{
    if (expr_is_zero(s->g, term))
        return;
    const expr sum = s->d[place] < 0 ? term : expr_add(s->g, s->d[place], term);
    s->d[place] = expr_is_zero(s->g, sum) ? EXPR_NONE : sum;
}

/* Adjoints of all nodes below e. Those of symbols stay in s->d, all others are EXPR_NONE again afterwards. */
static void sweep_reverse(struct sweep *s, expr e)
{
    const int start = place_of(s, e);
    if (!s->active[start])
        return;
    s->d[start] = expr_const(s->g, 1);
    for (int k = start; k >= 0; k--) {
        const int n_args = expr_n_args(s->g, s->node[k]);
        const expr adjoint = s->d[k];
        if (adjoint < 0 || n_args == 0)
            continue;
        s->d[k] = EXPR_NONE;
        for (int i = 0; i < n_args; i++) {
            const int arg = s->place[expr_arg(s->g, s->node[k], i)];
            if (s->active[arg])
                accumulate(s, arg, expr_mul(s->g, adjoint, partial(s->g, s->node[k], i)));
        }
    }
}

/* Tangents of all nodes, from those of symbols that the caller has put into s->d. */
static void sweep_forward(struct sweep *s)
{
    for (int k = 0; k < s->n; k++) {
        const int n_args = expr_n_args(s->g, s->node[k]);
        if (n_args == 0)
            continue;
        s->d[k] = EXPR_NONE;
        for (int i = 0; i < n_args; i++) {
            const int arg = s->place[expr_arg(s->g, s->node[k], i)];
            if (s->d[arg] >= 0)
                accumulate(s, k, expr_mul(s->g, s->d[arg], partial(s->g, s->node[k], i)));
        }
    }
}

/* --- First derivatives of one expression ------------------------------------------------------------------- */

void expr_gradient(struct expr_graph *g, expr e, int n_sym, const expr *sym, expr *grad)
{
    struct sweep s = sweep_create(g, 1, &e, n_sym, sym);
    sweep_reverse(&s, e);
    for (int j = 0; j < n_sym; j++) {
        const int place = place_of(&s, sym[j]);
        grad[j] = place >= 0 && s.d[place] >= 0 ? s.d[place] : expr_const(g, 0);
    }
    sweep_free(&s);
}

expr expr_directional(struct expr_graph *g, expr e, int n_sym, const expr *sym, const expr *dir)
{
    struct sweep s = sweep_create(g, 1, &e, n_sym, sym);
    for (int j = 0; j < n_sym; j++)
        if (place_of(&s, sym[j]) >= 0 && !expr_is_zero(g, dir[j]))
            s.d[place_of(&s, sym[j])] = dir[j];
    sweep_forward(&s);
    const expr d = s.d[place_of(&s, e)];
    sweep_free(&s);
    return d < 0 ? expr_const(g, 0) : d;
}

/* --- Sparse matrices --------------------------------------------------------------------------------------- */

/* How many nodes depend on sym: the work of a forward sweep. */
static long count_forward(struct sweep *s, expr sym, bool *mark)
{
    long count = 0;
    const int start = place_of(s, sym);
    for (int k = 0; k < s->n; k++) {
        mark[k] = k == start;
        for (int i = 0; i < expr_n_args(s->g, s->node[k]); i++)
            mark[k] = mark[k] || mark[s->place[expr_arg(s->g, s->node[k], i)]];
        count += mark[k];
    }
    return count;
}

/* How many active nodes e is made of: the work of a reverse sweep. */
static long count_reverse(struct sweep *s, expr e, bool *mark)
{
    long count = 0;
    const int start = place_of(s, e);
    for (int k = 0; k <= start; k++)
        mark[k] = k == start;
    for (int k = start; k >= 0; k--) {
        if (!mark[k] || !s->active[k])
            continue;
        count++;
        for (int i = 0; i < expr_n_args(s->g, s->node[k]); i++)
            mark[s->place[expr_arg(s->g, s->node[k], i)]] = true;
    }
    return count;
}

/* Which direction visits fewer nodes? */
static bool forward_is_cheaper(struct sweep *s, int n, const expr *e, int n_sym, const expr *sym)
{
    bool *mark = mem_alloc((size_t)s->n, sizeof *mark);
    long forward = 0, reverse = 0;
    for (int j = 0; j < n_sym; j++)
        if (place_of(s, sym[j]) >= 0)
            forward += count_forward(s, sym[j], mark);
    for (int i = 0; i < n; i++)
        reverse += count_reverse(s, e[i], mark);
    free(mark);
    return forward < reverse;
}

/* Rows [first_row, n) of column j, by a tangent of symbol j. */
static void fill_column(struct sweep *s, int n, const expr *e, expr sym, int first_row, expr *column)
{
    if (place_of(s, sym) < 0)
        return;
    s->d[place_of(s, sym)] = expr_const(s->g, 1);
    sweep_forward(s);
    for (int i = first_row; i < n; i++)
        column[i] = s->d[place_of(s, e[i])];
    s->d[place_of(s, sym)] = EXPR_NONE;
}

/* Columns [0, n_col) of row i of a matrix of n rows, by adjoints; the adjoints of all symbols are cleared. */
static void fill_row(struct sweep *s, int n, int i, expr e, int n_sym, const expr *sym, int n_col, expr *dense)
{
    sweep_reverse(s, e);
    for (int j = 0; j < n_sym; j++) {
        const int place = place_of(s, sym[j]);
        if (place >= 0 && j < n_col)
            dense[(size_t)j * (size_t)n + (size_t)i] = s->d[place];
    }
    for (int j = 0; j < n_sym; j++)
        if (place_of(s, sym[j]) >= 0)
            s->d[place_of(s, sym[j])] = EXPR_NONE;
}

static struct expr_sparse compress(int n_rows, int n_cols, const expr *dense)
{
    struct expr_sparse m = { .n_rows = n_rows, .n_cols = n_cols };
    const size_t size = (size_t)n_rows * (size_t)n_cols;
    for (size_t k = 0; k < size; k++)
        m.nnz += dense[k] >= 0;
    m.row = mem_alloc((size_t)m.nnz, sizeof *m.row);
    m.col = mem_alloc((size_t)m.nnz, sizeof *m.col);
    m.val = mem_alloc((size_t)m.nnz, sizeof *m.val);
    int n = 0;
    for (int j = 0; j < n_cols; j++)
        for (int i = 0; i < n_rows; i++) {
            const expr val = dense[(size_t)j * (size_t)n_rows + (size_t)i];
            if (val < 0)
                continue;
            m.row[n] = i;
            m.col[n] = j;
            m.val[n++] = val;
        }
    return m;
}

/* d e_i / d sym_j, of a symmetric matrix (lower) only i >= j. */
static struct expr_sparse derivatives(struct expr_graph *g, int n, const expr *e, int n_sym, const expr *sym,
                                      bool lower)
{
    const size_t size = (size_t)n * (size_t)n_sym;
    expr *dense = mem_alloc(size, sizeof *dense);
    for (size_t k = 0; k < size; k++)
        dense[k] = EXPR_NONE;
    struct sweep s = sweep_create(g, n, e, n_sym, sym);
    if (forward_is_cheaper(&s, n, e, n_sym, sym))
        for (int j = 0; j < n_sym; j++)
            fill_column(&s, n, e, sym[j], lower ? j : 0, dense + (size_t)j * (size_t)n);
    else
        for (int i = 0; i < n; i++)
            fill_row(&s, n, i, e[i], n_sym, sym, lower ? i + 1 : n_sym, dense);
    sweep_free(&s);
    const struct expr_sparse m = compress(n, n_sym, dense);
    free(dense);
    return m;
}

struct expr_sparse expr_jacobian(struct expr_graph *g, int n, const expr *e, int n_sym, const expr *sym)
{
    return derivatives(g, n, e, n_sym, sym, false);
}

struct expr_sparse expr_hessian(struct expr_graph *g, expr e, int n_sym, const expr *sym)
{
    expr *grad = mem_alloc((size_t)n_sym, sizeof *grad);
    expr_gradient(g, e, n_sym, sym, grad);
    const struct expr_sparse hessian = derivatives(g, n_sym, grad, n_sym, sym, true);
    free(grad);
    return hessian;
}

void expr_sparse_free(struct expr_sparse *m)
{
    free(m->row);
    free(m->col);
    free(m->val);
    *m = (struct expr_sparse){ 0 };
}
