#include "core/sos/enclosed.h"

#include <assert.h>
#include <stdlib.h>

static int compare_terms(const void *a, const void *b)
{
    const uint64_t x = ((const struct interval_term *)a)->monomial,
                   y = ((const struct interval_term *)b)->monomial;
    return x < y ? -1 : x > y;
}

static bool is_one(struct interval c)
{
    return !(c.lo < 1) && !(c.lo > 1) && !(c.hi < 1) && !(c.hi > 1);
}

/* Without rounding where there is none. */
static struct interval product_of(struct interval a, struct interval b)
{
    if (iv_is_zero(a) || iv_is_zero(b))
        return iv(0);
    return is_one(a) ? b : is_one(b) ? a : iv_mul(a, b);
}

/* Terms in any order: equal monomials become one. */
static struct interval_poly put_together(struct interval_term *term, int n)
{
    int kept = 0;
    if (n > 1)
        qsort(term, (size_t)n, sizeof *term, compare_terms);
    for (int k = 0; k < n;) {
        struct interval_term sum = term[k++];
        while (k < n && term[k].monomial == sum.monomial)
            sum.coefficient = iv_add(sum.coefficient, term[k++].coefficient);
        if (!iv_is_zero(sum.coefficient))
            term[kept++] = sum;
    }
    return (struct interval_poly){ kept, term };
}

struct interval_poly enclosed_monomial(struct arena *mem, uint64_t monomial, struct interval c)
{
    struct interval_term *term = arena_alloc(mem, 1, sizeof *term);
    *term = (struct interval_term){ monomial, c };
    return put_together(term, 1);
}

struct interval_poly enclosed_constant(struct arena *mem, struct interval c)
{
    return enclosed_monomial(mem, 0, c);
}

struct interval_poly enclosed_affine(struct arena *mem, struct interval c_0, struct interval c_1, int k)
{
    struct interval_term *term = arena_alloc(mem, 2, sizeof *term);
    term[0] = (struct interval_term){ 0, c_0 };
    term[1] = (struct interval_term){ monomial_power(k, 1), c_1 };
    return put_together(term, 2);
}

struct interval_poly enclosed_add(struct arena *mem, struct interval_poly a, struct interval c,
                                  struct interval_poly b)
{
    struct interval_term *term = arena_alloc(mem, (size_t)(a.n + b.n), sizeof *term);
    for (int k = 0; k < a.n; k++)
        term[k] = a.term[k];
    for (int k = 0; k < b.n; k++)
        term[a.n + k] = (struct interval_term){ b.term[k].monomial, product_of(c, b.term[k].coefficient) };
    return put_together(term, a.n + b.n);
}

struct interval_poly enclosed_scale(struct arena *mem, struct interval c, struct interval_poly a)
{
    return enclosed_add(mem, (struct interval_poly){ 0, NULL }, c, a);
}

struct interval_poly enclosed_mul(struct arena *mem, struct interval_poly a, struct interval_poly b)
{
    struct interval_term *term = arena_alloc(mem, (size_t)a.n * (size_t)b.n, sizeof *term);
    int n = 0;
    for (int i = 0; i < a.n; i++)
        for (int j = 0; j < b.n; j++)
            term[n++] = (struct interval_term){ a.term[i].monomial + b.term[j].monomial,
                                                product_of(a.term[i].coefficient, b.term[j].coefficient) };
    return put_together(term, n);
}

struct interval_poly enclosed_derivative(struct arena *mem, struct interval_poly a, int k)
{
    struct interval_term *term = arena_alloc(mem, (size_t)a.n, sizeof *term);
    int n = 0;
    for (int i = 0; i < a.n; i++) {
        const int e = monomial_exponent(a.term[i].monomial, k);
        if (e > 0)
            term[n++] = (struct interval_term){ a.term[i].monomial - monomial_power(k, 1),
                                                product_of(iv(e), a.term[i].coefficient) };
    }
    return put_together(term, n);
}

struct interval_poly enclosed_divide(struct arena *mem, struct interval_poly a, int k)
{
    struct interval_term *term = arena_alloc(mem, (size_t)a.n, sizeof *term);
    int n = 0;
    for (int i = 0; i < a.n; i++)
        if (monomial_exponent(a.term[i].monomial, k) > 0)
            term[n++] = (struct interval_term){ a.term[i].monomial - monomial_power(k, 1), a.term[i].coefficient };
    return put_together(term, n);
}

/* Powers of what is put in are made once. */
struct powers {
    int n;
    struct interval_poly power[POLY_MAX_EXPONENT + 1];
};

static struct interval_poly power_of(struct arena *mem, struct powers *powers, struct interval_poly base, int e)
{
    if (powers->n == 0)
        powers->power[powers->n++] = enclosed_constant(mem, iv(1));
    while (powers->n <= e) {
        powers->power[powers->n] = enclosed_mul(mem, powers->power[powers->n - 1], base);
        powers->n++;
    }
    return powers->power[e];
}

struct interval_poly enclosed_substitute(struct arena *mem, struct interval_poly a, unsigned which,
                                         const struct interval_poly *with)
{
    struct arena scratch = { NULL };
    struct powers *powers = arena_alloc(&scratch, POLY_MAX_VAR, sizeof *powers);
    int room = 0, n = 0;
    struct interval_poly *product = arena_alloc(&scratch, (size_t)a.n, sizeof *product);
    for (int i = 0; i < a.n; i++) {
        uint64_t rest = a.term[i].monomial;
        for (int k = 0; k < POLY_MAX_VAR; k++)
            if (which >> k & 1)
                rest -= monomial_power(k, monomial_exponent(rest, k));
        product[i] = enclosed_monomial(&scratch, rest, a.term[i].coefficient);
        for (int k = 0; k < POLY_MAX_VAR; k++) {
            const int e = which >> k & 1 ? monomial_exponent(a.term[i].monomial, k) : 0;
            if (e > 0)
                product[i] = enclosed_mul(&scratch, product[i], power_of(&scratch, &powers[k], with[k], e));
        }
        room += product[i].n;
    }
    struct interval_term *term = arena_alloc(mem, (size_t)room, sizeof *term);
    for (int i = 0; i < a.n; i++)
        for (int k = 0; k < product[i].n; k++)
            term[n++] = product[i].term[k];
    arena_free(&scratch);
    return put_together(term, n);
}

struct interval enclosed_coefficient(struct interval_poly a, uint64_t monomial)
{
    for (int k = 0; k < a.n; k++)
        if (a.term[k].monomial == monomial)
            return a.term[k].coefficient;
    return iv(0);
}

unsigned enclosed_variables(struct interval_poly a)
{
    unsigned bits = 0;
    for (int k = 0; k < POLY_MAX_VAR; k++)
        bits |= enclosed_degree_in(a, k) > 0 ? 1u << k : 0;
    return bits;
}

int enclosed_degree_in(struct interval_poly a, int k)
{
    int degree = 0;
    for (int i = 0; i < a.n; i++) {
        const int e = monomial_exponent(a.term[i].monomial, k);
        degree = e > degree ? e : degree;
    }
    return degree;
}

struct poly enclosed_middle(struct arena *mem, struct interval_poly a)
{
    struct poly_term *term = arena_alloc(mem, (size_t)a.n, sizeof *term);
    int n = 0;
    for (int k = 0; k < a.n; k++)
        if (a.term[k].coefficient.lo > 0 || a.term[k].coefficient.hi < 0)
            term[n++] = (struct poly_term){ a.term[k].monomial, iv_mid(a.term[k].coefficient) };
    return (struct poly){ n, term };
}
