#include "core/expression/expr.h"

#include "core/expression/graph.h"

#include <assert.h>
#include <math.h>

/* Canonical form: a sum is constant + rest, a product is number * rest, where the rest has no number in front;
 * -1 is a NEG node; numerators take the number of a quotient, c/y. Commutative arguments are sorted by index,
 * sums and products of up to FLAT_MAX terms as a whole, which makes x + (y + z) and (z + y) + x one node.
 * Longer ones keep the shape they were built in: resorting them would tear shared parts apart. */
enum { FLAT_MAX = 3 };

/* Terms of each side that are looked at for like terms, so that adding n terms is O(n). */
enum { LOOK_MAX = 8 };

static expr raw(struct expr_graph *g, enum expr_op op, expr a, expr b)
{
    return graph_intern(g, op, a, b, EXPR_NONE, 0, 0);
}

static expr raw_sorted(struct expr_graph *g, enum expr_op op, expr a, expr b)
{
    return a < b ? raw(g, op, a, b) : raw(g, op, b, a);
}

static bool has_op(const struct expr_graph *g, expr e, enum expr_op op)
{
    return g->node[e].op == op;
}

static bool is_value(const struct expr_graph *g, expr e, double value)
{
    return has_op(g, e, EXPR_CONST) && g->node[e].value == value;
}

/* op of numbers is a number, unless it is not finite while they are: such a node stays, so that the evaluator
 * can tell where the NaN came from. */
static expr fold(struct expr_graph *g, enum expr_op op, expr a, expr b)
{
    double x = 0, y = 0;
    if (!expr_is_const(g, a, &x) || (b >= 0 && !expr_is_const(g, b, &y)))
        return EXPR_NONE;
    const double value = graph_op_value(op, x, y, 0);
    return isfinite(value) || !isfinite(x) || !isfinite(y) ? expr_const(g, value) : EXPR_NONE;
}

/* --- Products: number * rest ------------------------------------------------------------------------------- */

struct scaled { double c; expr e; };            /* c * e */

static struct scaled split_number(struct expr_graph *g, expr e)
{
    const struct node node = g->node[e];
    if (node.op == EXPR_CONST)
        return (struct scaled){ node.value, expr_const(g, 1) };
    if (node.op == EXPR_NEG)
        return (struct scaled){ -1, node.arg[0] };
    if (node.op == EXPR_MUL && has_op(g, node.arg[0], EXPR_CONST))
        return (struct scaled){ g->node[node.arg[0]].value, node.arg[1] };
    if (node.op == EXPR_DIV && has_op(g, node.arg[0], EXPR_CONST) && g->node[node.arg[0]].value != 1)
        return (struct scaled){ g->node[node.arg[0]].value, raw(g, EXPR_DIV, expr_const(g, 1), node.arg[1]) };
    return (struct scaled){ 1, e };
}

/* -e where e has no number in front: -(a - b) = b - a, -(c + a) = -c - a. Longer sums get their sign in front:
 * going through all their terms would cost a copy of them. */
static expr negate(struct expr_graph *g, expr e)
{
    const struct node node = g->node[e];
    if (node.op == EXPR_ADD) {
        double c;
        if (expr_is_const(g, node.arg[0], &c))
            return raw(g, EXPR_ADD, expr_const(g, -c), expr_neg(g, node.arg[1]));
        for (int k = 0; k < 2; k++)
            if (has_op(g, node.arg[k], EXPR_NEG) && !has_op(g, node.arg[!k], EXPR_ADD))
                return raw_sorted(g, EXPR_ADD, g->node[node.arg[k]].arg[0], expr_neg(g, node.arg[!k]));
    }
    return raw(g, EXPR_NEG, e, EXPR_NONE);
}

expr expr_scale(struct expr_graph *g, double c, expr a)
{
    const struct scaled s = split_number(g, a);
    c *= s.c;
    if (c == 0 || is_value(g, s.e, 1))
        return expr_const(g, c);
    if (c == 1)
        return s.e;
    const struct node node = g->node[s.e];
    if (node.op == EXPR_DIV && is_value(g, node.arg[0], 1))
        return raw(g, EXPR_DIV, expr_const(g, c), node.arg[1]);
    return c == -1 ? negate(g, s.e) : raw(g, EXPR_MUL, expr_const(g, c), s.e);
}

expr expr_neg(struct expr_graph *g, expr a)
{
    return expr_scale(g, -1, a);
}

/* Factors of e into factor, up to room of them; the last ones may be products again. Returns how many. */
static int list_factors(const struct expr_graph *g, expr e, int room, expr *factor)
{
    int n = 1;
    factor[0] = e;
    for (int i = 0; i < n; )
        if (n < room && has_op(g, factor[i], EXPR_MUL)) {
            const struct node *node = &g->node[factor[i]];
            factor[i] = node->arg[0];
            factor[n++] = node->arg[1];
        } else {
            i++;
        }
    return n;
}

static void sort_ascending(int n, expr *e)
{
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && e[k] < e[k - 1]; k--) {
            const expr swap = e[k];
            e[k] = e[k - 1];
            e[k - 1] = swap;
        }
}

/* Product of sorted factors that are no numbers; equal ones become squares. */
static expr product_of_sorted(struct expr_graph *g, int n, const expr *factor)
{
    expr merged[2 * FLAT_MAX];
    int n_merged = 0;
    assert(n > 0 && n <= 2 * FLAT_MAX);
    for (int i = 0; i < n; i++)
        if (i + 1 < n && factor[i] == factor[i + 1])
            merged[n_merged++] = raw(g, EXPR_SQUARE, factor[i++], EXPR_NONE);
        else
            merged[n_merged++] = factor[i];
    sort_ascending(n_merged, merged);
    expr p = merged[0];
    for (int i = 1; i < n_merged; i++)
        p = raw_sorted(g, EXPR_MUL, p, merged[i]);
    return p;
}

/* a * b, neither with a number in front. */
static expr multiply(struct expr_graph *g, expr a, expr b)
{
    if (is_value(g, a, 1))
        return b;
    if (is_value(g, b, 1))
        return a;
    if (a == b)
        return expr_square(g, a);
    for (int k = 0; k < 2; k++) {               /* a (p/q) */
        const expr one = k ? b : a, other = k ? a : b;
        const struct node node = g->node[other];
        if (node.op != EXPR_DIV)
            continue;
        if (node.arg[1] == one)
            return node.arg[0];
        if (is_value(g, node.arg[0], 1))
            return expr_div(g, one, node.arg[1]);
    }
    expr factor[2 * FLAT_MAX + 2];
    const int n_a = list_factors(g, a, FLAT_MAX + 1, factor);
    const int n_b = list_factors(g, b, FLAT_MAX + 1, factor + n_a);
    if (n_a + n_b > FLAT_MAX)
        return raw_sorted(g, EXPR_MUL, a, b);
    sort_ascending(n_a + n_b, factor);
    return product_of_sorted(g, n_a + n_b, factor);
}

expr expr_mul(struct expr_graph *g, expr a, expr b)
{
    const struct scaled p = split_number(g, a), q = split_number(g, b);
    if (p.c == 0 || q.c == 0)
        return expr_const(g, 0);
    return expr_scale(g, p.c * q.c, multiply(g, p.e, q.e));
}

expr expr_square(struct expr_graph *g, expr a)
{
    const struct scaled s = split_number(g, a);
    if (is_value(g, s.e, 1))
        return expr_const(g, s.c * s.c);
    const struct node node = g->node[s.e];
    const expr square = node.op == EXPR_SQRT ? node.arg[0] : raw(g, EXPR_SQUARE, s.e, EXPR_NONE);
    return expr_scale(g, s.c * s.c, square);
}

/* The product p without its factor f, EXPR_NONE if f is none of its two. */
static expr cancel(const struct expr_graph *g, expr p, expr f)
{
    const struct node *node = &g->node[p];
    if (node->op == EXPR_SQUARE && node->arg[0] == f)
        return f;
    if (node->op == EXPR_MUL && (node->arg[0] == f || node->arg[1] == f))
        return node->arg[node->arg[0] == f];
    return EXPR_NONE;
}

/* a / b, neither with a number in front. */
static expr divide(struct expr_graph *g, expr a, expr b)
{
    expr rest;
    if (a == b)
        return expr_const(g, 1);
    if ((rest = cancel(g, a, b)) >= 0)
        return rest;
    if ((rest = cancel(g, b, a)) >= 0)
        return expr_div(g, expr_const(g, 1), rest);
    const struct node p = g->node[a], q = g->node[b];
    if (p.op == EXPR_DIV)
        return expr_div(g, p.arg[0], expr_mul(g, p.arg[1], b));
    if (q.op == EXPR_DIV)
        return expr_div(g, expr_mul(g, a, q.arg[1]), q.arg[0]);
    return raw(g, EXPR_DIV, a, b);
}

expr expr_div(struct expr_graph *g, expr a, expr b)
{
    const struct scaled p = split_number(g, a), q = split_number(g, b);
    const expr folded = fold(g, EXPR_DIV, a, b);
    if (folded >= 0)
        return folded;
    const double c = p.c / q.c;
    if (!isfinite(c) || !isfinite(1 / q.c))
        return raw(g, EXPR_DIV, a, b);
    if (p.c == 0)
        return expr_const(g, 0);
    if (is_value(g, q.e, 1))
        return expr_scale(g, c, p.e);
    return expr_scale(g, c, divide(g, p.e, q.e));
}

/* --- Sums: constant + rest --------------------------------------------------------------------------------- */

static struct scaled split_constant(struct expr_graph *g, expr e)
{
    const struct node node = g->node[e];
    if (node.op == EXPR_CONST)
        return (struct scaled){ node.value, EXPR_NONE };
    if (node.op == EXPR_ADD && has_op(g, node.arg[0], EXPR_CONST))
        return (struct scaled){ g->node[node.arg[0]].value, node.arg[1] };
    return (struct scaled){ 0, e };
}

/* Terms of a sum without a constant, through signs, up to room of them. Returns how many. */
static int list_terms(struct expr_graph *g, expr e, int room, struct scaled *term)
{
    int n = 1;
    term[0] = split_number(g, e);
    for (int i = 0; i < n; )
        if (n < room && fabs(term[i].c) == 1 && has_op(g, term[i].e, EXPR_ADD)) {
            const struct node node = g->node[term[i].e];
            const double sign = term[i].c;
            term[i] = split_number(g, node.arg[0]);
            term[n] = split_number(g, node.arg[1]);
            term[i].c *= sign;
            term[n++].c *= sign;
        } else {
            i++;
        }
    return n;
}

/* The angle and the rest of a term sin(angle)^2 rest (or cos); false for any other term. */
static bool split_trig_square(struct expr_graph *g, expr e, enum expr_op trig, expr *angle, expr *rest)
{
    const struct node node = g->node[e];
    for (int k = 0; k < 2; k++) {
        const expr square = node.op == EXPR_MUL ? node.arg[k] : e;
        if (!has_op(g, square, EXPR_SQUARE) || !has_op(g, g->node[square].arg[0], trig))
            continue;
        *angle = g->node[g->node[square].arg[0]].arg[0];
        *rest = node.op == EXPR_MUL ? node.arg[!k] : expr_const(g, 1);
        return true;
    }
    return false;
}

/* sin^2 + cos^2 = 1, times what they share: this is what makes the mass matrix of a pendulum constant. */
static bool merge_trig(struct expr_graph *g, struct scaled *p, const struct scaled *q)
{
    expr angle_p, angle_q, rest_p, rest_q;
    if (p->c != q->c)
        return false;
    const bool sin_cos = split_trig_square(g, p->e, EXPR_SIN, &angle_p, &rest_p) &&
                         split_trig_square(g, q->e, EXPR_COS, &angle_q, &rest_q);
    const bool cos_sin = !sin_cos && split_trig_square(g, p->e, EXPR_COS, &angle_p, &rest_p) &&
                         split_trig_square(g, q->e, EXPR_SIN, &angle_q, &rest_q);
    if (!(sin_cos || cos_sin) || angle_p != angle_q || rest_p != rest_q)
        return false;
    p->e = rest_p;
    return true;
}

/* Adds terms [n_a, n) to the like ones before; says whether there were any. */
static bool merge_terms(struct expr_graph *g, int n_a, int *n, struct scaled *term)
{
    const int n_all = *n;
    int kept = n_a;
    for (int k = n_a; k < n_all; k++) {
        int i = 0;
        while (i < n_a && term[i].e != term[k].e && !merge_trig(g, &term[i], &term[k]))
            i++;
        if (i == n_a)
            term[kept++] = term[k];
        else if (term[i].e == term[k].e)
            term[i].c += term[k].c;
    }
    *n = kept;
    return kept < n_all;
}

static void sort_terms(int n, struct scaled *term)
{
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && term[k].e < term[k - 1].e; k--) {
            const struct scaled swap = term[k];
            term[k] = term[k - 1];
            term[k - 1] = swap;
        }
}

/* a + b without a look at their terms. -a - b = -(a + b). */
static expr add_pair(struct expr_graph *g, expr a, expr b)
{
    const struct node p = g->node[a], q = g->node[b];
    if (p.op == EXPR_NEG && q.op == EXPR_NEG)
        return negate(g, raw_sorted(g, EXPR_ADD, p.arg[0], q.arg[0]));
    return raw_sorted(g, EXPR_ADD, a, b);
}

static expr sum_of_terms(struct expr_graph *g, int n, struct scaled *term)
{
    double constant = 0;
    expr sum = EXPR_NONE;
    sort_terms(n, term);
    for (int k = 0; k < n; k++) {
        if (k + 1 < n && term[k + 1].e == term[k].e) {
            term[k + 1].c += term[k].c;
            continue;
        }
        const expr e = expr_scale(g, term[k].c, term[k].e);
        double c;
        if (expr_is_const(g, e, &c))
            constant += c;
        else
            sum = sum < 0 ? e : add_pair(g, sum, e);
    }
    if (sum < 0 || constant == 0)
        return sum < 0 ? expr_const(g, constant) : sum;
    return raw(g, EXPR_ADD, expr_const(g, constant), sum);
}

/* a + b, neither with a constant. */
static expr add_rests(struct expr_graph *g, expr a, expr b)
{
    struct scaled term[2 * LOOK_MAX];
    const int n_a = list_terms(g, a, LOOK_MAX, term);
    int n = n_a + list_terms(g, b, LOOK_MAX, term + n_a);
    const bool small = n <= FLAT_MAX;
    if (merge_terms(g, n_a, &n, term) || small)
        return sum_of_terms(g, n, term);
    return add_pair(g, a, b);
}

expr expr_add(struct expr_graph *g, expr a, expr b)
{
    const struct scaled p = split_constant(g, a), q = split_constant(g, b);
    const double c = p.c + q.c;
    if (p.e < 0 && q.e < 0)
        return expr_const(g, c);
    expr rest = p.e < 0 ? q.e : q.e < 0 ? p.e : add_rests(g, p.e, q.e);
    const struct scaled r = split_constant(g, rest);    /* sin^2 + cos^2 may have left a constant */
    if (r.e < 0 || c + r.c == 0)
        return r.e < 0 ? expr_const(g, c + r.c) : r.e;
    return raw(g, EXPR_ADD, expr_const(g, c + r.c), r.e);
}

expr expr_sub(struct expr_graph *g, expr a, expr b)
{
    return expr_add(g, a, expr_neg(g, b));
}

expr expr_dot(struct expr_graph *g, int n, const expr *a, const expr *b)
{
    expr sum = expr_const(g, 0);
    for (int k = 0; k < n; k++)
        sum = expr_add(g, sum, expr_mul(g, a[k], b[k]));
    return sum;
}

/* --- Powers ------------------------------------------------------------------------------------------------ */

/* Largest integer exponent that is written out as products, which are faster than pow and differentiate to
 * products again. */
enum { POWER_MAX = 16 };

static expr integer_power(struct expr_graph *g, expr a, int n)
{
    expr power = EXPR_NONE;
    for (expr square = a; n > 0; n /= 2) {
        if (n % 2)
            power = power < 0 ? square : expr_mul(g, power, square);
        if (n > 1)
            square = expr_square(g, square);
    }
    return power;
}

static expr build_pow(struct expr_graph *g, expr a, expr b)
{
    double n;
    const expr folded = fold(g, EXPR_POW, a, b);
    if (folded >= 0)
        return folded;
    if (!expr_is_const(g, b, &n) || expr_is_const(g, a, NULL))
        return raw(g, EXPR_POW, a, b);
    if (n == 0)
        return expr_const(g, 1);
    if (n == 0.5)
        return expr_sqrt(g, a);
    if (n != floor(n) || fabs(n) > POWER_MAX)
        return raw(g, EXPR_POW, a, b);
    const expr power = integer_power(g, a, (int)fabs(n));
    return n > 0 ? power : expr_div(g, expr_const(g, 1), power);
}

/* --- Functions --------------------------------------------------------------------------------------------- */

expr expr_unary(struct expr_graph *g, enum expr_op op, expr a)
{
    assert(op_info[op].n_args == 1 && op != EXPR_TABLE);
    if (op == EXPR_NEG)
        return expr_neg(g, a);
    if (op == EXPR_SQUARE)
        return expr_square(g, a);
    const expr folded = fold(g, op, a, EXPR_NONE);
    if (folded >= 0)
        return folded;
    const struct scaled s = split_number(g, a);
    if (s.c < 0 && !is_value(g, s.e, 1)) {
        if (op_info[op].parity == ODD)
            return expr_neg(g, raw(g, op, expr_scale(g, -s.c, s.e), EXPR_NONE));
        if (op_info[op].parity == EVEN)
            return raw(g, op, expr_scale(g, -s.c, s.e), EXPR_NONE);
    }
    return raw(g, op, a, EXPR_NONE);
}

expr expr_side(struct expr_graph *g, expr c)
{
    return expr_unary(g, EXPR_SIDE, c);
}

expr expr_sqrt(struct expr_graph *g, expr a)
{
    return expr_unary(g, EXPR_SQRT, a);
}

/* `and`, `or` with a side that is known. */
static expr build_logic(struct expr_graph *g, enum expr_op op, expr a, expr b)
{
    for (int k = 0; k < 2; k++) {
        const expr known = k ? a : b, other = k ? b : a;
        double c;
        if (expr_is_const(g, known, &c))
            return (c != 0) == (op == EXPR_AND) ? other : expr_const(g, c != 0);
    }
    return a == b ? a : raw_sorted(g, op, a, b);
}

expr expr_binary(struct expr_graph *g, enum expr_op op, expr a, expr b)
{
    switch (op) {
    case EXPR_ADD: return expr_add(g, a, b);
    case EXPR_MUL: return expr_mul(g, a, b);
    case EXPR_DIV: return expr_div(g, a, b);
    case EXPR_POW: return build_pow(g, a, b);
    default:       break;
    }
    assert(op_info[op].n_args == 2);
    const expr folded = fold(g, op, a, b);
    if (folded >= 0)
        return folded;
    switch (op) {
    case EXPR_MIN: case EXPR_MAX: return a == b ? a : raw_sorted(g, op, a, b);
    case EXPR_LT:                 return a == b ? expr_const(g, 0) : raw(g, op, a, b);
    case EXPR_LE:                 return a == b ? expr_const(g, 1) : raw(g, op, a, b);
    case EXPR_EQ:                 return a == b ? expr_const(g, 1) : raw_sorted(g, op, a, b);
    case EXPR_AND: case EXPR_OR:  return build_logic(g, op, a, b);
    case EXPR_HYPOT:              return raw_sorted(g, op, a, b);
    default:                      return raw(g, op, a, b);
    }
}

expr expr_if(struct expr_graph *g, expr condition, expr a, expr b)
{
    double c;
    if (expr_is_const(g, condition, &c))
        return c != 0 ? a : b;
    return a == b ? a : graph_intern(g, EXPR_IF, condition, a, b, 0, 0);
}

expr expr_pick(struct expr_graph *g, expr side, expr a, expr b)
{
    double c;
    if (expr_is_const(g, side, &c))
        return c != 0 ? a : b;
    return a == b ? a : graph_intern(g, EXPR_PICK, side, a, b, 0, 0);
}
