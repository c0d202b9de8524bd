#include "core/bound/polynomial_of.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

static bool is_whole_power(const struct expr_graph *g, expr e, int *n)
{
    double value;
    if (!expr_is_const(g, expr_arg(g, e, 1), &value) || value < 0 || value > POLY_MAX_EXPONENT ||
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

static struct interval_poly power(struct arena *mem, struct interval_poly a, int n)
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

enum outcome { DONE, NO_POLYNOMIAL, TOO_LARGE };

/* Node e of arguments that are polynomials already. */
static enum outcome combine(struct arena *mem, const struct expr_graph *g, expr e, const struct interval_poly *arg,
                            struct interval_poly *out)
{
    struct interval divisor;
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
        if (power_is_too_large(arg[0], n))
            return TOO_LARGE;
        *out = power(mem, arg[0], n);
        return DONE;
    case EXPR_DIV:
        if (!is_divisor(arg[1], &divisor))
            return NO_POLYNOMIAL;
        *out = enclosed_scale(mem, iv_div(iv(1), divisor), arg[0]);
        return DONE;
    default: return NO_POLYNOMIAL;
    }
}

static enum status refuse(const struct expr_graph *g, expr e, struct written at, enum outcome why,
                          struct diag *diag)
{
    const struct srcpos own = expr_pos(g, e);
    char *words = expr_to_words(g, e);
    const char *reason = why == TOO_LARGE ? "is a polynomial of too many terms or too high a degree for a bound"
                         : expr_op_of(g, e) == EXPR_SYM ? "is nothing that a bound knows here"
                                                        : "is no polynomial, and bounds are for polynomials";
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
            outcome = combine(mem, g, node[k], arg, &of[node[k]]);
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
