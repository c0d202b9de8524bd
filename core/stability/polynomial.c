#include "core/stability/polynomial.h"

#include <math.h>
#include <string.h>

int monomial_compare(struct monomial a, struct monomial b)
{
    return memcmp(a.e, b.e, sizeof a.e);
}

struct monomial monomial_multiply(struct monomial a, struct monomial b)
{
    for (int k = 0; k < POLY_MAX_VAR; k++)
        a.e[k] = (unsigned char)(a.e[k] + b.e[k]);
    return a;
}

static int degree_of(struct monomial m)
{
    int degree = 0;
    for (int k = 0; k < POLY_MAX_VAR; k++)
        degree += m.e[k];
    return degree;
}

int monomial_list(int n_var, int low, int high, struct monomial *out)
{
    struct monomial m = { { 0 } };
    int n = 0;
    for (;;) {
        const int degree = degree_of(m);
        int k = 0;
        if (degree >= low && degree <= high) {
            if (out)
                out[n] = m;
            n++;
        }
        /* the next one, as on a counter whose digits go up to `high`; numbers above high turn over at once */
        while (k < n_var && (m.e[k] == high || degree_of(m) >= high)) m.e[k++] = 0;
        if (k == n_var)
            return n;
        m.e[k]++;
    }
}

/* --- Making -------------------------------------------------------------------------------------------------- */

struct poly poly_monomial(struct arena *mem, struct monomial m)
{
    struct poly_term *term = arena_alloc(mem, 1, sizeof *term);
    *term = (struct poly_term){ m, 1 };
    return (struct poly){ 1, term };
}

struct poly poly_constant(struct arena *mem, double c)
{
    const struct monomial one = { { 0 } };
    return poly_combine(mem, c, poly_monomial(mem, one), 0, (struct poly){ 0, NULL });
}

struct poly poly_variable(struct arena *mem, int k)
{
    struct monomial m = { { 0 } };
    m.e[k] = 1;
    return poly_monomial(mem, m);
}

struct poly poly_combine(struct arena *mem, double x, struct poly a, double y, struct poly b)
{
    struct poly_term *term = arena_alloc(mem, (size_t)(a.n + b.n) + 1, sizeof *term);
    int n = 0;
    for (int i = 0, j = 0; i < a.n || j < b.n;) {
        const int order = i == a.n ? 1 : j == b.n ? -1 : monomial_compare(a.term[i].m, b.term[j].m);
        struct poly_term sum = { order <= 0 ? a.term[i].m : b.term[j].m, 0 };
        if (order <= 0)
            sum.c += x * a.term[i++].c;
        if (order >= 0)
            sum.c += y * b.term[j++].c;
        if (fabs(sum.c) > 0)
            term[n++] = sum;
    }
    return (struct poly){ n, term };
}

/* a times one term */
static struct poly shifted(struct arena *mem, struct poly a, struct poly_term by)
{
    struct poly_term *term = arena_alloc(mem, (size_t)a.n + 1, sizeof *term);
    for (int k = 0; k < a.n; k++)
        term[k] = (struct poly_term){ monomial_multiply(a.term[k].m, by.m), a.term[k].c * by.c };
    return (struct poly){ a.n, term };          /* the order of monomials survives a common factor */
}

struct poly poly_multiply(struct arena *mem, struct poly a, struct poly b)
{
    struct poly sum = { 0, NULL };
    for (int k = 0; k < b.n; k++)
        sum = poly_combine(mem, 1, sum, 1, shifted(mem, a, b.term[k]));
    return sum;
}

struct poly poly_derive(struct arena *mem, struct poly a, int k)
{
    struct poly sum = { 0, NULL };
    for (int i = 0; i < a.n; i++) {
        struct poly_term term = a.term[i];
        if (term.m.e[k] == 0)
            continue;
        term.c *= term.m.e[k];
        term.m.e[k]--;
        sum = poly_combine(mem, 1, sum, 1, shifted(mem, poly_constant(mem, 1), term));
    }
    return sum;
}

struct poly poly_substitute(struct arena *mem, struct poly a, const struct poly *by)
{
    struct poly sum = { 0, NULL };
    for (int i = 0; i < a.n; i++) {
        struct poly product = poly_constant(mem, a.term[i].c);
        for (int k = 0; k < POLY_MAX_VAR; k++)
            for (int power = 0; power < a.term[i].m.e[k]; power++)
                product = poly_multiply(mem, product, by[k]);
        sum = poly_combine(mem, 1, sum, 1, product);
    }
    return sum;
}

/* --- Asking -------------------------------------------------------------------------------------------------- */

int poly_degree(struct poly a)
{
    int degree = 0;
    for (int k = 0; k < a.n; k++)
        if (degree_of(a.term[k].m) > degree)
            degree = degree_of(a.term[k].m);
    return degree;
}

double poly_eval(struct poly a, const double *x)
{
    double sum = 0;
    for (int i = 0; i < a.n; i++) {
        double product = a.term[i].c;
        for (int k = 0; k < POLY_MAX_VAR; k++)
            for (int power = 0; power < a.term[i].m.e[k]; power++)
                product *= x[k];
        sum += product;
    }
    return sum;
}

double poly_coefficient(struct poly a, struct monomial m)
{
    for (int k = 0; k < a.n; k++)
        if (monomial_compare(a.term[k].m, m) == 0)
            return a.term[k].c;
    return 0;
}
