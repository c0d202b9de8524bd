#include "core/bound/polynomial_of.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

static bool is_whole_power(const struct expr_graph *g, expr e, int *n)
{
    double value;
    if (!expr_is_const(g, expr_arg(g, e, 1), &value) || !(fabs(value) <= POLY_MAX_EXPONENT) ||
        floor(value) < value)
        return false;
    *n = (int)value;
    return true;
}

/* Its value, if the polynomial is a number other than 0. */
static bool is_divisor(struct interval_poly a, struct interval *value)
{
    *value = a.n == 1 && a.term[0].monomial == 0 ? a.term[0].coefficient : iv(0);
    return value->lo > 0 || value->hi < 0;
}

static struct interval_poly power_of(struct arena *mem, struct interval_poly a, int n)
{
    struct interval_poly product = enclosed_constant(mem, iv(1));
    for (int k = 0; k < n; k++)
        product = enclosed_mul(mem, product, a);
    return product;
}

static int degree_of(struct interval_poly a)
{
    int degree = 0;
    for (int k = 0; k < a.n; k++) {
        const int d = monomial_degree(a.term[k].monomial);
        degree = d > degree ? d : degree;
    }
    return degree;
}

enum { MAX_DEGREE = POLY_MAX_EXPONENT / 2 };

/* Products multiply both degrees and terms: what would overflow is refused before it is made. */
static bool is_too_large(struct interval_poly a, struct interval_poly b)
{
    return degree_of(a) + degree_of(b) > MAX_DEGREE || (a.n > 0 && b.n > POLYNOMIAL_MAX_TERMS / a.n);
}

static bool power_is_too_large(struct interval_poly a, int n)
{
    double terms = 1;
    for (int k = 0; k < n && terms <= POLYNOMIAL_MAX_TERMS; k++)
        terms *= a.n;
    return degree_of(a) * n > MAX_DEGREE || terms > POLYNOMIAL_MAX_TERMS;
}

/* --- Divisors ------------------------------------------------------------------------------------------------ */

/* Boxes that one question may be divided into. */
enum { MOST_BOXES = 4096 };

/* On a box, which it divides along the variable that is widest there. */
static double least_on(struct interval_poly a, unsigned variables, const struct interval *box, int boxes)
{
    const struct interval range = interval_poly_range(a, box);
    int widest = -1;
    for (int k = 0; k < POLY_MAX_VAR; k++)
        if (variables >> k & 1 && (widest < 0 || box[k].hi - box[k].lo > box[widest].hi - box[widest].lo))
            widest = k;
    if (range.lo > 0 || boxes < 2 || widest < 0)
        return range.lo;
    struct interval part[POLY_MAX_VAR];
    const double middle = iv_mid(box[widest]);
    double least = INFINITY;
    for (int half = 0; half < 2; half++) {
        for (int k = 0; k < POLY_MAX_VAR; k++)
            part[k] = box[k];
        part[widest] =
            half ? (struct interval){ middle, box[widest].hi } : (struct interval){ box[widest].lo, middle };
        const double here = least_on(a, variables, part, boxes / 2);
        least = here < least ? here : least;
        if (!(least > 0))
            break;
    }
    return least;
}

double polynomial_least(struct interval_poly a)
{
    struct interval box[POLY_MAX_VAR];
    for (int k = 0; k < POLY_MAX_VAR; k++)
        box[k] = (struct interval){ -1, 1 };
    return least_on(a, enclosed_variables(a), box, MOST_BOXES);
}

void divisors_powers(const struct divisors *divisors, struct interval_poly a, int *power)
{
    for (int k = 0; k < divisors->n; k++) {
        const int most = enclosed_degree_in(a, divisors->first - k);
        power[k] = most > power[k] ? most : power[k];
    }
}

struct interval_poly divisors_clear(struct arena *mem, const struct divisors *divisors, const int *power,
                                    struct interval_poly a)
{
    struct interval_poly sum = { 0, NULL };
    for (int i = 0; i < a.n; i++) {
        uint64_t rest = a.term[i].monomial;
        int missing[DIVISORS_MAX];
        for (int k = 0; k < divisors->n; k++) {
            const int has = monomial_exponent(rest, divisors->first - k);
            rest -= monomial_power(divisors->first - k, has);
            missing[k] = power[k] - has;
        }
        struct interval_poly term = enclosed_monomial(mem, rest, a.term[i].coefficient);
        for (int k = 0; k < divisors->n; k++)
            term = enclosed_mul(mem, term, power_of(mem, divisors->d[k], missing[k]));
        sum = enclosed_add(mem, sum, iv(1), term);
    }
    return sum;
}

static bool is_same(struct interval_poly a, struct interval_poly b)
{
    bool same = a.n == b.n;
    for (int k = 0; k < a.n && same; k++)
        same = a.term[k].monomial == b.term[k].monomial && a.term[k].coefficient.lo == b.term[k].coefficient.lo &&
               a.term[k].coefficient.hi == b.term[k].coefficient.hi;
    return same;
}

/* 1/d for a polynomial without 1/d_k that is positive; -1: it may have a zero, or there are too many. */
static int variable_of_divisor(struct divisors *divisors, struct interval_poly d)
{
    for (int k = 0; k < divisors->n; k++)
        if (is_same(divisors->d[k], d))
            return divisors->first - k;
    if (divisors->n >= divisors->most || !(polynomial_least(d) > 0))
        return -1;
    divisors->d[divisors->n] = d;
    return divisors->first - divisors->n++;
}

/* One over a, which may have 1/d_k itself: they are cleared first. */
static bool reciprocal(struct arena *mem, struct divisors *divisors, struct interval_poly a,
                       struct interval_poly *out)
{
    int power[DIVISORS_MAX] = { 0 };
    if (!divisors || a.n == 0)
        return false;
    divisors_powers(divisors, a, power);
    struct interval_poly cleared = divisors_clear(mem, divisors, power, a), times = enclosed_constant(mem, iv(1));
    for (int k = 0; k < divisors->n; k++)
        times = enclosed_mul(mem, times, power_of(mem, divisors->d[k], power[k]));
    const double at_0 = iv_mid(enclosed_coefficient(cleared, 0));
    const struct interval size = iv(at_0 < 0 ? -exp2(-ceil(log2(-at_0))) : at_0 > 0 ? exp2(-ceil(log2(at_0))) : 1);
    const int k = variable_of_divisor(divisors, enclosed_scale(mem, size, cleared));
    if (k < 0)
        return false;
    *out = enclosed_mul(mem, times, enclosed_monomial(mem, monomial_power(k, 1), size));
    return true;
}

/* --- Nodes --------------------------------------------------------------------------------------------------- */

enum outcome { DONE, NO_POLYNOMIAL, TOO_LARGE };

static enum outcome divide(struct arena *mem, struct divisors *divisors, struct interval_poly a,
                           struct interval_poly b, struct interval_poly *out)
{
    struct interval number;
    struct interval_poly over;
    if (is_divisor(b, &number)) {
        *out = enclosed_scale(mem, iv_div(iv(1), number), a);
        return DONE;
    }
    if (!reciprocal(mem, divisors, b, &over))
        return NO_POLYNOMIAL;
    if (is_too_large(a, over))
        return TOO_LARGE;
    *out = enclosed_mul(mem, a, over);
    return DONE;
}

/* Node e of arguments that are polynomials already. */
static enum outcome combine(struct arena *mem, const struct polynomial_names *names, expr e,
                            const struct interval_poly *arg, struct interval_poly *out)
{
    const struct expr_graph *g = names->graph;
    struct interval_poly one = enclosed_constant(mem, iv(1));
    int n;
    switch (expr_op_of(g, e)) {
    case EXPR_ADD: *out = enclosed_add(mem, arg[0], iv(1), arg[1]); return DONE;
    case EXPR_NEG: *out = enclosed_scale(mem, iv(-1), arg[0]); return DONE;
    case EXPR_MUL:
        if (is_too_large(arg[0], arg[1]))
            return TOO_LARGE;
        *out = enclosed_mul(mem, arg[0], arg[1]);
        return DONE;
    case EXPR_SQUARE:
        if (is_too_large(arg[0], arg[0]))
            return TOO_LARGE;
        *out = enclosed_mul(mem, arg[0], arg[0]);
        return DONE;
    case EXPR_POW:
        if (!is_whole_power(g, e, &n))
            return NO_POLYNOMIAL;
        if (power_is_too_large(arg[0], abs(n)))
            return TOO_LARGE;
        *out = power_of(mem, arg[0], abs(n));
        return n < 0 ? divide(mem, names->divisors, one, *out, out) : DONE;
    case EXPR_DIV: return divide(mem, names->divisors, arg[0], arg[1], out);
    default: return NO_POLYNOMIAL;
    }
}

/* Why a node is none. */
static const char *no_polynomial_words(enum expr_op op)
{
    switch (op) {
    case EXPR_SYM: return "is nothing that a bound knows here";
    case EXPR_DIV: return "is no polynomial, and its divisor may be 0 in the box, or is one too many";
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_EXP:
        return "is no polynomial, and gets no states of its own: there are too many, or it is not of a multiple of "
               "one state or of time";
    default: return "is no polynomial, and bounds are for polynomials";
    }
}

static enum status refuse(const struct expr_graph *g, expr e, struct written at, enum outcome why,
                          struct diag *diag)
{
    const struct srcpos own = expr_pos(g, e);
    char *words = expr_to_words(g, e);
    const char *reason = why == TOO_LARGE ? "is a polynomial of too many terms or too high a degree for a bound"
                                          : no_polynomial_words(expr_op_of(g, e));
    const enum status st = diag_error(diag, own.line > 0 ? own : at.pos, at.path, "%s %s", words, reason);
    free(words);
    return st;
}

enum status polynomial_of(struct arena *mem, const struct polynomial_names *names, expr e, struct written at,
                          struct interval_poly *out, struct diag *diag)
{
    const struct expr_graph *g = names->graph;
    int count;
    expr *node = expr_reach(g, 1, &e, &count);
    struct interval_poly *of = mem_alloc((size_t)e + 1, sizeof *of);
    bool *known = mem_alloc((size_t)e + 1, sizeof *known);
    enum status st = STATUS_OK;
    for (int k = 0; k < names->n; k++)
        if (names->sym[k] >= 0 && names->sym[k] <= e) {
            of[names->sym[k]] = names->is[k];
            known[names->sym[k]] = true;
        }
    for (int k = 0; k < count && st == STATUS_OK; k++) {
        struct interval_poly arg[3] = { { 0, NULL }, { 0, NULL }, { 0, NULL } };
        enum outcome outcome = DONE;
        double value;
        if (known[node[k]])
            continue;
        for (int i = 0; i < expr_n_args(g, node[k]) && i < 3; i++)
            arg[i] = of[expr_arg(g, node[k], i)];
        if (!expr_is_const(g, node[k], &value))
            outcome = combine(mem, names, node[k], arg, &of[node[k]]);
        else if (isfinite(value))
            of[node[k]] = enclosed_constant(mem, iv(value));
        else
            outcome = NO_POLYNOMIAL;
        if (outcome != DONE)
            st = refuse(g, node[k], at, outcome, diag);
    }
    *out = st == STATUS_OK ? of[e] : (struct interval_poly){ 0, NULL };
    free(node);
    free(of);
    free(known);
    return st;
}
