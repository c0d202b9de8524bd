#include "core/expression/ranges.h"

#include "core/base/arena.h"
#include "core/base/mem.h"
#include "core/expression/degree.h"
#include "core/expression/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL_POWER = 4, PIECES = 3 };       /* y^4 is a polynomial like others; of a table, how many pieces are few */

static const double EXP_GONE = -100;        /* exp of less is nothing, 4e-44, and of more than 100 beyond everything */
static const double BEYOND = 1e43;          /* a quotient by more than that is nothing */
static const double TANH_DONE = 20;         /* tanh of more is 1 */

struct operation {
    enum expr_op op;
    int arg[3];                     /* places in value */
    double number;                  /* of a constant; the exponent of a power, NAN if it is no number */
    const struct table_data *table;
    const struct grid_data *grid;
};

struct ranges {
    struct arena mem;
    int n;
    struct operation *operation;    /* [n] whose results follow each other in value, after the symbols */
    int n_check;
    struct operation *check;        /* [n_check] that may not be simple */
    int n_in, n_out;
    int *out;                       /* [n_out] places in value; NULL: nobody asks */
    struct interval *value;         /* [n_in + n] */
};

static struct interval whole(void)
{
    return (struct interval){ -INFINITY, INFINITY };
}

static struct interval known(struct interval a)
{
    return isnan(a.lo) || isnan(a.hi) ? whole() : a;
}

static double width(struct interval a)
{
    return a.hi - a.lo;
}

static bool has_zero(struct interval a)
{
    return !(a.lo > 0 || a.hi < 0);
}

/* The largest magnitude over the smallest. */
static double ratio(struct interval a)
{
    return has_zero(a) ? INFINITY : fmax(a.hi / a.lo, a.lo / a.hi);
}

static struct interval clamp(struct interval a, double lo, double hi)
{
    return (struct interval){ fmin(fmax(a.lo, lo), hi), fmax(fmin(a.hi, hi), lo) };
}

static struct interval magnitude(struct interval a)
{
    const double most = iv_mag(a);
    return (struct interval){ has_zero(a) ? 0 : fmin(fabs(a.lo), fabs(a.hi)), most };
}

/* --- Tables -------------------------------------------------------------------------------------------------- */

/* Piece of n that holds s, -1 before them, n after them. */
static int piece_at(int n, const double *breaks, double s)
{
    return s < breaks[0] ? -1 : s >= breaks[n] ? n : graph_piece(n, breaks, s);
}

/* A line beyond the end of a table, from s to e. */
static struct interval line_range(double value, double slope, double at, double s, double e)
{
    return slope == 0 ? iv(value) : iv_add(iv(value), iv_scale(slope, iv_sub((struct interval){ s, e }, iv(at))));
}

/* Of piece k from s to e, both within it: the cubic lies between its control points. */
static struct interval cubic_range(const struct table_data *table, int k, double s, double e)
{
    const double *c = &table->coef[4 * k], p = s - table->breaks[k], q = e - table->breaks[k], third = (q - p) / 3;
    const double at_p = c[0] + p * (c[1] + p * (c[2] + p * c[3])), at_q = c[0] + q * (c[1] + q * (c[2] + q * c[3]));
    const double slope_p = c[1] + p * (2 * c[2] + p * 3 * c[3]), slope_q = c[1] + q * (2 * c[2] + q * 3 * c[3]);
    const double by_p = at_p + third * slope_p, by_q = at_q - third * slope_q;
    const double size = fabs(at_p) + fabs(at_q) + fabs(by_p) + fabs(by_q), radius = 1e-15 * size;
    return (struct interval){ fmin(fmin(at_p, at_q), fmin(by_p, by_q)) - radius,
                              fmax(fmax(at_p, at_q), fmax(by_p, by_q)) + radius };
}

static struct interval table_range(const struct table_data *table, struct interval a)
{
    struct interval range = { INFINITY, -INFINITY };
    const int first = piece_at(table->n, table->breaks, a.lo), last = piece_at(table->n, table->breaks, a.hi);
    const double start = table->breaks[0], end = table->breaks[table->n];
    if (first < 0)
        range = iv_hull(range, line_range(table->left, table->left_slope, start, a.lo, fmin(a.hi, start)));
    if (last >= table->n)
        range = iv_hull(range, line_range(table->right, table->right_slope, end, fmax(a.lo, end), a.hi));
    for (int k = first < 0 ? 0 : first; k <= last && k < table->n; k++)
        range =
            iv_hull(range, cubic_range(table, k, fmax(a.lo, table->breaks[k]), fmin(a.hi, table->breaks[k + 1])));
    return range;
}

/* Factors of the four coefficients of argument k of a grid for all s of the range, which lies in one piece or
 * beyond the breaks: graph_grid_value's. */
static void factor_ranges(const struct grid_data *grid, int k, int piece, struct interval s, struct interval *of)
{
    const double first = grid->breaks[k][0], last = grid->breaks[k][grid->n[k]];
    const struct interval at = clamp(s, first, last);
    const struct interval d = iv_sub(at, iv(grid->breaks[k][piece])), d2 = iv_square(d);
    const struct interval below = iv_sub(iv(s.lo), iv(first)), above = iv_sub(iv(s.hi), iv(last));
    const struct interval beyond = { fmin(below.lo, 0), fmax(above.hi, 0) };
    const bool is_outside = s.lo < first || s.hi > last;
    const struct interval on = is_outside && grid->edge[k] == EDGE_ZERO ? (struct interval){ 0, 1 } : iv(1);
    const bool linear = is_outside && grid->edge[k] == EDGE_LINE;
    of[0] = on;
    of[1] = linear ? iv_add(d, beyond) : iv_mul(on, d);
    of[2] = linear ? iv_add(d2, iv_scale(2, iv_mul(beyond, d))) : iv_mul(on, d2);
    of[3] = linear ? iv_add(iv_mul(d, d2), iv_scale(3, iv_mul(beyond, d2))) : iv_mul(on, iv_mul(d, d2));
}

/* The part of s in which piece k is used: the first and the last one go on beyond the breaks. */
static struct interval part_of(const struct grid_data *grid, int k, int piece, struct interval s)
{
    const double lo = piece == 0 ? -INFINITY : grid->breaks[k][piece];
    const double hi = piece == grid->n[k] - 1 ? INFINITY : grid->breaks[k][piece + 1];
    return (struct interval){ fmax(s.lo, lo), fmin(s.hi, hi) };
}

static struct interval bicubic_range(const struct grid_data *grid, int i, int j, struct interval a,
                                     struct interval b)
{
    const double *c = grid->coef + 16 * ((size_t)i * (size_t)grid->n[1] + (size_t)j);
    struct interval p[4], q[4], sum = iv(0);
    factor_ranges(grid, 0, i, part_of(grid, 0, i, a), p);
    factor_ranges(grid, 1, j, part_of(grid, 1, j, b), q);
    for (int k = 0; k < 4; k++) {
        struct interval row = iv(0);
        for (int l = 0; l < 4; l++)
            row = iv_add(row, iv_scale(c[4 * k + l], q[l]));
        sum = iv_add(sum, iv_mul(p[k], row));
    }
    return sum;
}

static struct interval grid_range(const struct grid_data *grid, struct interval a, struct interval b)
{
    struct interval range = { INFINITY, -INFINITY };
    const int i_end = graph_piece(grid->n[0], grid->breaks[0], a.hi);
    const int j_end = graph_piece(grid->n[1], grid->breaks[1], b.hi);
    for (int i = graph_piece(grid->n[0], grid->breaks[0], a.lo); i <= i_end; i++)
        for (int j = graph_piece(grid->n[1], grid->breaks[1], b.lo); j <= j_end; j++)
            range = iv_hull(range, known(bicubic_range(grid, i, j, a, b)));
    return range;
}

/* Few pieces of n, none of them narrow compared with the range. */
static bool pieces_are_simple(int n, const double *breaks, struct interval a)
{
    const double slack = 1e-12 * fmax(1, iv_mag(a));            /* a break at the very end is not passed */
    const int first = piece_at(n, breaks, a.lo + slack), last = piece_at(n, breaks, a.hi - slack);
    if (first >= last)
        return true;
    if (last - first >= PIECES)
        return false;
    for (int k = first; k <= last; k++)
        if (k >= 0 && k < n && breaks[k + 1] - breaks[k] < 0.5 * width(a))
            return false;
    return true;
}

static bool grid_is_simple(const struct grid_data *grid, struct interval a, struct interval b)
{
    return pieces_are_simple(grid->n[0], grid->breaks[0], a) && pieces_are_simple(grid->n[1], grid->breaks[1], b);
}

/* --- Ranges -------------------------------------------------------------------------------------------------- */

static struct interval divide(struct interval a, struct interval b)
{
    return has_zero(b) ? whole() : known(iv_div(a, b));
}

/* y^n of a whole n > 0 */
static struct interval whole_power(struct interval a, double n)
{
    const bool even = fmod(n, 2) == 0;
    const struct interval of = even ? magnitude(a) : a;
    const double lo = pow(of.lo, n), hi = pow(of.hi, n), rounding = 1e-15;
    return (struct interval){ lo - rounding * fabs(lo), hi + rounding * fabs(hi) };
}

static struct interval power(struct interval a, struct interval b, double number)
{
    if (number == trunc(number) && number > 0)
        return whole_power(a, number);
    if (number == trunc(number) && number < 0)
        return divide(iv(1), whole_power(a, -number));
    const struct interval log_a = iv_growing(log, clamp(a, 0, INFINITY));
    return iv_growing(exp, known(iv_mul(b, known(log_a))));
}

static struct interval arctangent2(struct interval y, struct interval x)
{
    if (x.lo > 0)
        return iv_growing(atan, divide(y, x));
    return (struct interval){ -4, 4 };                          /* a little over pi */
}

static struct interval hypotenuse(struct interval a, struct interval b)
{
    const struct interval p = magnitude(a), q = magnitude(b);
    const double lo = hypot(p.lo, q.lo), hi = hypot(p.hi, q.hi), rounding = 1e-15;
    return (struct interval){ lo - rounding * lo, hi + rounding * hi };
}

static struct interval tangent(struct interval a)
{
    return has_zero(iv_cos(a)) || width(a) > 3 ? whole() : iv_growing(tan, a);
}

static struct interval cosine_hyperbolic(struct interval a)
{
    return iv_growing(cosh, magnitude(a));
}

/* Functions with corners, and truths. */
static struct interval nonsmooth_range(enum expr_op op, struct interval a, struct interval b, struct interval c)
{
    switch (op) {
    case EXPR_ABS:  return magnitude(a);
    case EXPR_SIGN: return (struct interval){ a.lo > 0 ? 1 : -1, a.hi < 0 ? -1 : 1 };
    case EXPR_MIN:  return (struct interval){ fmin(a.lo, b.lo), fmin(a.hi, b.hi) };
    case EXPR_MAX:  return (struct interval){ fmax(a.lo, b.lo), fmax(a.hi, b.hi) };
    case EXPR_IF:   return iv_hull(b, c);
    default:        return (struct interval){ 0, 1 };
    }
}

static struct interval range_of(const struct operation *o, struct interval a, struct interval b, struct interval c)
{
    switch (o->op) {
    case EXPR_CONST:  return iv(o->number);
    case EXPR_ADD:    return known(iv_add(a, b));
    case EXPR_MUL:    return known(iv_mul(a, b));
    case EXPR_DIV:    return divide(a, b);
    case EXPR_NEG:    return iv_neg(a);
    case EXPR_SQUARE: return known(iv_square(a));
    case EXPR_SIN:    return iv_sin(a);
    case EXPR_COS:    return iv_cos(a);
    case EXPR_TAN:    return tangent(a);
    case EXPR_ASIN:   return iv_growing(asin, clamp(a, -1, 1));
    case EXPR_ACOS:   return iv_neg(iv_add(iv_growing(asin, clamp(a, -1, 1)), iv(-acos(0))));
    case EXPR_ATAN:   return iv_growing(atan, a);
    case EXPR_SINH:   return iv_growing(sinh, a);
    case EXPR_COSH:   return cosine_hyperbolic(a);
    case EXPR_TANH:   return iv_growing(tanh, a);
    case EXPR_EXP:    return iv_growing(exp, a);
    case EXPR_LOG:    return iv_growing(log, clamp(a, 0, INFINITY));
    case EXPR_LOG10:  return iv_growing(log10, clamp(a, 0, INFINITY));
    case EXPR_SQRT:   return iv_growing(sqrt, clamp(a, 0, INFINITY));
    case EXPR_ATAN2:  return arctangent2(a, b);
    case EXPR_HYPOT:  return hypotenuse(a, b);
    case EXPR_POW:    return power(a, b, o->number);
    case EXPR_TABLE:  return table_range(o->table, a);
    case EXPR_GRID:   return grid_range(o->grid, a, b);
    case EXPR_SIDE:   return (struct interval){ a.lo >= 0, a.hi >= 0 };
    case EXPR_PICK:   return a.lo > 0 ? b : a.hi > 0 ? iv_hull(b, c) : c;
    default:          return nonsmooth_range(o->op, a, b, c);
    }
}

/* --- Simplicity ---------------------------------------------------------------------------------------------- */

/* a^number or, where that is no number, a^b */
static bool power_is_simple(struct interval a, struct interval b, double number)
{
    if (number == trunc(number) && number >= 0)
        return number <= SMALL_POWER || number * width(a) <= SIMPLE_WIDTH * iv_mag(a);
    const double log_ratio = log(ratio(a));
    return width(a) == 0 || (log_ratio <= 2 * log(SIMPLE_RATIO) && iv_mag(b) * log_ratio <= SIMPLE_WIDTH);
}

static bool is_simple(const struct operation *o, struct interval a, struct interval b)
{
    switch (o->op) {
    case EXPR_SIN:
    case EXPR_COS:    return width(a) <= SIMPLE_WIDTH;
    case EXPR_SINH:
    case EXPR_COSH:   return width(a) <= SIMPLE_WIDTH || magnitude(a).lo > -EXP_GONE;
    case EXPR_EXP:    return width(a) <= SIMPLE_WIDTH || a.hi < EXP_GONE || a.lo > -EXP_GONE;
    case EXPR_TANH:   return width(a) <= SIMPLE_WIDTH || magnitude(a).lo > TANH_DONE;
    case EXPR_ATAN:   return width(a) <= SIMPLE_WIDTH || ratio(a) <= SIMPLE_RATIO;
    case EXPR_TAN:    return width(a) <= 3 && ratio(iv_cos(a)) <= SIMPLE_RATIO;
    case EXPR_ASIN:
    case EXPR_ACOS:   return ratio(iv_sub(iv(1), iv_square(a))) <= SIMPLE_RATIO;
    case EXPR_LOG:
    case EXPR_LOG10:  return ratio(a) <= SIMPLE_RATIO;
    case EXPR_SQRT:   return width(a) == 0 || ratio(a) <= SIMPLE_RATIO * SIMPLE_RATIO;
    case EXPR_DIV:    return ratio(b) <= SIMPLE_RATIO || magnitude(b).lo > BEYOND * fmax(1, iv_mag(a));
    case EXPR_ATAN2:
    case EXPR_HYPOT:  return (width(a) == 0 && width(b) == 0) || ratio(hypotenuse(a, b)) <= SIMPLE_RATIO;
    case EXPR_MUL:
    case EXPR_SQUARE:
    case EXPR_POW:    return power_is_simple(a, b, o->number);
    case EXPR_TABLE:  return pieces_are_simple(o->table->n, o->table->breaks, a);
    case EXPR_GRID:   return grid_is_simple(o->grid, a, b);
    case EXPR_SIDE:   return a.lo >= 0 || a.hi < 0;
    case EXPR_PICK:   return true;                              /* as simple as its side */
    case EXPR_ABS:
    case EXPR_SIGN:
    case EXPR_STEP:   return a.lo >= 0 || a.hi <= 0;
    case EXPR_MIN:
    case EXPR_MAX:    return a.hi <= b.lo || b.hi <= a.lo;
    default:          return width(a) == 0;                     /* truths */
    }
}

/* May it bend at all? Polynomials of low degree and divisions by numbers do not. */
static bool may_bend(const struct expr_graph *g, expr e)
{
    expr base;
    switch (expr_op_of(g, e)) {
    case EXPR_CONST:
    case EXPR_SYM:
    case EXPR_ADD:
    case EXPR_NEG:    return false;
    case EXPR_MUL:
    case EXPR_SQUARE: return expr_power(g, e, &base) > SMALL_POWER;
    case EXPR_DIV:    return !expr_is_const(g, expr_arg(g, e, 1), NULL);
    default:          return true;
    }
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static struct operation operation_of(struct ranges *ranges, const struct expr_graph *g, expr e, const int *place)
{
    struct operation o = { .op = expr_op_of(g, e), .number = NAN };
    for (int i = 0; i < expr_n_args(g, e); i++)
        o.arg[i] = place[expr_arg(g, e, i)];
    if (o.op == EXPR_CONST)
        (void)expr_is_const(g, e, &o.number);
    else if (o.op == EXPR_POW)
        (void)expr_is_const(g, expr_arg(g, e, 1), &o.number);
    else if (o.op == EXPR_TABLE)
        o.table = graph_copy_table(&ranges->mem, expr_table_data(g, e));
    else if (o.op == EXPR_GRID)
        o.grid = graph_copy_grid(&ranges->mem, expr_grid_data(g, e));
    return o;
}

/* What has to be simple for e, which may bend: y^12 is made of squares and products of y, and judged as a power. */
static struct operation check_of(struct ranges *ranges, const struct expr_graph *g, expr e, const int *place)
{
    struct operation o = operation_of(ranges, g, e, place);
    expr base;
    if (o.op == EXPR_MUL || o.op == EXPR_SQUARE) {
        o.number = expr_power(g, e, &base);
        o.arg[0] = place[base];
    }
    return o;
}

/* Which nodes need values: those below what may bend, and, if asked for, below the expressions. */
static expr *list_nodes(const struct expr_graph *g, int n_bending, const expr *bending, int n_out, const expr *out,
                        int *count)
{
    expr *root = mem_alloc(3 * (size_t)n_bending + (size_t)n_out, sizeof *root);
    int n = 0;
    for (int k = 0; k < n_bending; k++)
        for (int i = 0; i < expr_n_args(g, bending[k]); i++)
            root[n++] = expr_arg(g, bending[k], i);
    for (int i = 0; i < n_out; i++)
        root[n++] = out[i];
    expr *node = expr_reach(g, n, root, count);
    free(root);
    return node;
}

static expr *list_bending(const struct expr_graph *g, int n_out, const expr *out, int *count)
{
    int n;
    expr *node = expr_reach(g, n_out, out, &n);
    *count = 0;
    for (int k = 0; k < n; k++)
        if (may_bend(g, node[k]))
            node[(*count)++] = node[k];
    return node;
}

struct ranges *ranges_create(const struct expr_graph *g, int n_in, const expr *in, int n_out, const expr *out,
                             bool only_simple)
{
    struct ranges *ranges = mem_alloc(1, sizeof *ranges);
    int n_node, *place = mem_alloc((size_t)expr_n_nodes(g), sizeof *place);
    expr *bending = list_bending(g, n_out, out, &ranges->n_check);
    expr *node = list_nodes(g, ranges->n_check, bending, only_simple ? 0 : n_out, out, &n_node);
    ranges->n_in = n_in;
    ranges->n_out = only_simple ? 0 : n_out;
    ranges->operation = arena_alloc(&ranges->mem, (size_t)n_node, sizeof *ranges->operation);
    ranges->check = arena_alloc(&ranges->mem, (size_t)ranges->n_check, sizeof *ranges->check);
    ranges->value = arena_alloc(&ranges->mem, (size_t)(n_in + n_node), sizeof *ranges->value);
    ranges->out = arena_alloc(&ranges->mem, (size_t)ranges->n_out, sizeof *ranges->out);
    for (int j = 0; j < n_in; j++)
        place[in[j]] = j;
    for (int k = 0; k < n_node; k++) {
        if (expr_op_of(g, node[k]) == EXPR_SYM)
            continue;
        ranges->operation[ranges->n] = operation_of(ranges, g, node[k], place);
        place[node[k]] = n_in + ranges->n++;
    }
    for (int k = 0; k < ranges->n_check; k++)
        ranges->check[k] = check_of(ranges, g, bending[k], place);
    for (int i = 0; i < ranges->n_out; i++)
        ranges->out[i] = place[out[i]];
    free(node);
    free(bending);
    free(place);
    return ranges;
}

void ranges_free(struct ranges *ranges)
{
    if (!ranges)
        return;
    arena_free(&ranges->mem);
    free(ranges);
}

bool ranges_always_simple(const struct ranges *ranges)
{
    return ranges->n_check == 0;
}

bool ranges_eval(struct ranges *ranges, const struct interval *in, struct interval *out)
{
    struct interval *value = ranges->value;
    bool simple = true;
    memcpy(value, in, (size_t)ranges->n_in * sizeof *value);
    for (int k = 0; k < ranges->n; k++) {
        const struct operation *o = &ranges->operation[k];
        value[ranges->n_in + k] = known(range_of(o, value[o->arg[0]], value[o->arg[1]], value[o->arg[2]]));
    }
    for (int k = 0; k < ranges->n_check && simple; k++) {
        const struct operation *o = &ranges->check[k];
        simple = is_simple(o, value[o->arg[0]], value[o->arg[1]]);
    }
    for (int i = 0; i < ranges->n_out; i++)
        out[i] = value[ranges->out[i]];
    return simple;
}
