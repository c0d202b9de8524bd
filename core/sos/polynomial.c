#include "core/sos/polynomial.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Monomials ----------------------------------------------------------------------------------------------- */

int monomial_degree(uint64_t monomial)
{
    int degree = 0;
    for (int k = 0; k < POLY_MAX_VAR; k++)
        degree += monomial_exponent(monomial, k);
    return degree;
}

/* Every monomial of exactly this degree, in the variables from `first` on, times `so_far`. */
static void list_degree(unsigned variables, int first, int degree, uint64_t so_far, uint64_t *out, int *n)
{
    if (degree == 0) {
        if (out)
            out[*n] = so_far;
        ++*n;
        return;
    }
    for (int k = first; k < POLY_MAX_VAR; k++)
        if (variables >> k & 1)
            list_degree(variables, k, degree - 1, so_far + monomial_power(k, 1), out, n);
}

int monomial_basis(struct arena *mem, unsigned variables, int degree, uint64_t **out)
{
    int n = 0, filled = 0;
    assert(degree <= POLY_MAX_EXPONENT);
    for (int d = 0; d <= degree; d++)
        list_degree(variables, 0, d, 0, NULL, &n);
    *out = arena_alloc(mem, (size_t)n, sizeof **out);
    for (int d = 0; d <= degree; d++)
        list_degree(variables, 0, d, 0, *out, &filled);
    return n;
}

/* --- Terms in order ------------------------------------------------------------------------------------------ */

static int compare_monomials(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_terms(const void *a, const void *b)
{
    return compare_monomials(((const struct poly_term *)a)->monomial, ((const struct poly_term *)b)->monomial);
}

/* Terms in any order: equal monomials become one, and what has become 0 goes. */
static struct poly put_together(struct poly_term *term, int n)
{
    int kept = 0;
    if (n > 0)
        qsort(term, (size_t)n, sizeof *term, compare_terms);
    for (int k = 0; k < n;) {
        struct poly_term sum = term[k++];
        while (k < n && term[k].monomial == sum.monomial)
            sum.coefficient += term[k++].coefficient;
        if (!(fabs(sum.coefficient) <= 0))
            term[kept++] = sum;
    }
    return (struct poly){ kept, term };
}

/* --- Polynomials --------------------------------------------------------------------------------------------- */

struct poly poly_monomial(struct arena *mem, uint64_t monomial, double c)
{
    struct poly_term *term = arena_alloc(mem, 1, sizeof *term);
    *term = (struct poly_term){ monomial, c };
    return put_together(term, 1);
}

struct poly poly_constant(struct arena *mem, double c)
{
    return poly_monomial(mem, 0, c);
}

struct poly poly_affine(struct arena *mem, double c_0, int n, const double *slope)
{
    struct poly_term *term = arena_alloc(mem, (size_t)n + 1, sizeof *term);
    term[n] = (struct poly_term){ 0, c_0 };
    for (int k = 0; k < n; k++)
        term[k] = (struct poly_term){ monomial_power(k, 1), slope[k] };
    return put_together(term, n + 1);
}

struct poly poly_add(struct arena *mem, struct poly a, double c, struct poly b)
{
    struct poly_term *term = arena_alloc(mem, (size_t)(a.n + b.n), sizeof *term);
    for (int k = 0; k < a.n; k++)
        term[k] = a.term[k];
    for (int k = 0; k < b.n; k++)
        term[a.n + k] = (struct poly_term){ b.term[k].monomial, c * b.term[k].coefficient };
    return put_together(term, a.n + b.n);
}

struct poly poly_mul(struct arena *mem, struct poly a, struct poly b)
{
    struct poly_term *term = arena_alloc(mem, (size_t)a.n * (size_t)b.n, sizeof *term);
    int n = 0;
    for (int i = 0; i < a.n; i++)
        for (int j = 0; j < b.n; j++)
            term[n++] = (struct poly_term){ a.term[i].monomial + b.term[j].monomial,
                                            a.term[i].coefficient * b.term[j].coefficient };
    return put_together(term, n);
}

struct poly poly_derivative(struct arena *mem, struct poly a, int k)
{
    struct poly_term *term = arena_alloc(mem, (size_t)a.n, sizeof *term);
    int n = 0;
    for (int i = 0; i < a.n; i++) {
        const int e = monomial_exponent(a.term[i].monomial, k);
        if (e > 0)
            term[n++] = (struct poly_term){ a.term[i].monomial - monomial_power(k, 1), e * a.term[i].coefficient };
    }
    return put_together(term, n);
}

struct poly poly_substitute(struct arena *mem, struct poly a, int n, const struct poly *with)
{
    struct poly sum = { 0 };
    for (int i = 0; i < a.n; i++) {
        const uint64_t monomial = a.term[i].monomial;
        const uint64_t others = n < POLY_MAX_VAR ? monomial >> (5 * n) << (5 * n) : 0;
        struct poly product = poly_monomial(mem, others, a.term[i].coefficient);
        for (int k = 0; k < n; k++)
            for (int e = monomial_exponent(monomial, k); e > 0; e--)
                product = poly_mul(mem, product, with[k]);
        sum = poly_add(mem, sum, 1, product);
    }
    return sum;
}

int poly_degree(struct poly a)
{
    int degree = 0;
    for (int i = 0; i < a.n; i++) {
        const int d = monomial_degree(a.term[i].monomial);
        degree = d > degree ? d : degree;
    }
    return degree;
}

double poly_coefficient(struct poly a, uint64_t monomial)
{
    const struct poly_term key = { monomial, 0 };
    const struct poly_term *found = a.n > 0 ? bsearch(&key, a.term, (size_t)a.n, sizeof key, compare_terms) : NULL;
    return found ? found->coefficient : 0;
}

double poly_eval(struct poly a, const double *x)
{
    double sum = 0;
    for (int i = 0; i < a.n; i++) {
        double product = a.term[i].coefficient;
        for (int k = 0; k < POLY_MAX_VAR; k++)
            for (int e = monomial_exponent(a.term[i].monomial, k); e > 0; e--)
                product *= x[k];
        sum += product;
    }
    return sum;
}

/* --- Intervals ----------------------------------------------------------------------------------------------- */

struct interval interval_power(struct interval x, int e)
{
    if (e == 0)
        return iv(1);
    if (e % 2 == 0)
        return iv_square(interval_power(x, e / 2));
    return e == 1 ? x : iv_mul(x, interval_power(x, e - 1));
}

struct interval monomial_range(uint64_t monomial, const struct interval *box)
{
    struct interval product = iv(1);
    for (int k = 0; k < POLY_MAX_VAR; k++)
        if (monomial_exponent(monomial, k) > 0)
            product = iv_mul(product, interval_power(box[k], monomial_exponent(monomial, k)));
    return product;
}

struct interval poly_range(struct poly a, const struct interval *box)
{
    struct interval sum = iv(0);
    for (int i = 0; i < a.n; i++)
        sum = iv_add(sum, iv_scale(a.term[i].coefficient, monomial_range(a.term[i].monomial, box)));
    return sum;
}

struct interval interval_poly_range(struct interval_poly a, const struct interval *box)
{
    struct interval sum = iv(0);
    for (int i = 0; i < a.n; i++)
        sum = iv_add(sum, iv_mul(a.term[i].coefficient, monomial_range(a.term[i].monomial, box)));
    return sum;
}

void interval_sum_add(struct interval_sum *sum, struct interval c, struct poly a, struct poly b)
{
    const int more = a.n * b.n;
    if (sum->n + more > sum->room) {
        const int room = 2 * (sum->n + more);
        struct interval_term *term = arena_alloc(sum->mem, (size_t)room, sizeof *term);
        if (sum->n > 0)
            memcpy(term, sum->term, (size_t)sum->n * sizeof *term);
        sum->term = term;
        sum->room = room;
    }
    for (int i = 0; i < a.n; i++)
        for (int j = 0; j < b.n; j++) {
            const struct interval product = iv_scale(a.term[i].coefficient, iv(b.term[j].coefficient));
            sum->term[sum->n++] = (struct interval_term){ a.term[i].monomial + b.term[j].monomial,
                                                          iv_mul(c, product) };
        }
}

/* Equal monomials are added in the order of what they are, so that the sum is the same wherever it is made. */
static int compare_interval_terms(const void *a, const void *b)
{
    const struct interval_term *x = a, *y = b;
    const int order = compare_monomials(x->monomial, y->monomial);
    if (order != 0)
        return order;
    if (x->coefficient.lo < y->coefficient.lo || x->coefficient.lo > y->coefficient.lo)
        return x->coefficient.lo < y->coefficient.lo ? -1 : 1;
    return x->coefficient.hi < y->coefficient.hi ? -1 : x->coefficient.hi > y->coefficient.hi;
}

struct interval_poly interval_sum_end(struct interval_sum *sum)
{
    int kept = 0;
    if (sum->n > 0)
        qsort(sum->term, (size_t)sum->n, sizeof *sum->term, compare_interval_terms);
    for (int k = 0; k < sum->n;) {
        struct interval_term total = sum->term[k++];
        while (k < sum->n && sum->term[k].monomial == total.monomial)
            total.coefficient = iv_add(total.coefficient, sum->term[k++].coefficient);
        sum->term[kept++] = total;
    }
    return (struct interval_poly){ kept, sum->term };
}
