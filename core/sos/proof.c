#include "core/sos/proof.h"

#include "core/base/mem.h"

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SAME = 1e-9;            /* measured again: eigenvalues of other libraries differ */

/* --- Eigenvalues --------------------------------------------------------------------------------------------- */

static bool is_finite_symmetric(int n, const double *A)
{
    for (int col = 0; col < n; col++)
        for (int row = 0; row <= col; row++)
            if (!isfinite(A[row + n * col]) || fabs(A[row + n * col] - A[col + n * row]) > 0)
                return false;
    return true;
}

/* The largest row sum of |A - bound I - R'R|, R above the diagonal; NaN if any is. */
static double factor_error(int n, const double *A, double bound, const double *R)
{
    double largest = 0;
    for (int row = 0; row < n; row++) {
        struct interval sum = iv(0);
        for (int col = 0; col < n; col++) {
            struct interval off = iv(A[row + n * col]);
            if (row == col)
                off = iv_sub(off, iv(bound));
            for (int k = 0; k <= (row < col ? row : col); k++)
                off = iv_sub(off, iv_scale(R[k + n * row], iv(R[k + n * col])));
            sum = iv_add(sum, iv(iv_mag(off)));
        }
        if (isnan(sum.hi))
            return NAN;
        largest = fmax(largest, sum.hi);
    }
    return largest;
}

double sos_least_eigenvalue(int n, const double *A)
{
    const size_t room = (size_t)n * (size_t)n;
    double *R = mem_alloc(room, sizeof *R), *eigen = mem_alloc((size_t)n, sizeof *eigen), proved = NAN, size = 0;
    for (size_t k = 0; k < room; k++)
        size = fmax(size, fabs(A[k]));
    memcpy(R, A, room * sizeof *R);
    const bool guessed =
        is_finite_symmetric(n, A) && LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', n, R, n, eigen) == 0;
    for (double slack = 1e-14 * n; guessed && isnan(proved) && slack < 1; slack *= 10) {
        const double bound = eigen[0] - slack * size;
        memcpy(R, A, room * sizeof *R);
        for (int k = 0; k < n; k++)
            R[k + n * k] -= bound;
        if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', n, R, n) == 0)
            proved = iv_sub(iv(bound), iv(factor_error(n, A, bound, R))).lo;
    }
    free(R);
    free(eigen);
    return proved;
}

/* --- The remainder ------------------------------------------------------------------------------------------- */

/* sum += c z a: of what encloses the coefficients of a, if it is given. */
static void add_times(struct interval_sum *sum, struct interval c, uint64_t z, struct poly a,
                      const struct interval_poly *wide)
{
    const struct poly_term term = { z, 1 };
    if (!wide)
        interval_sum_add(sum, c, a, (struct poly){ 1, &term });
    for (int k = 0; wide && k < wide->n; k++) {
        const struct poly_term there = { wide->term[k].monomial, 1 };
        interval_sum_add(sum, iv_mul(c, wide->term[k].coefficient), (struct poly){ 1, &there },
                         (struct poly){ 1, &term });
    }
}

static void subtract_gram(struct interval_sum *sum, const struct sos_basis *z, const struct interval_poly *wide,
                          const double *G)
{
    for (int b = 0; b < z->n; b++)
        for (int a = 0; a < z->n; a++)
            add_times(sum, iv(-G[a + z->n * b]), z->monomial[a] + z->monomial[b], z->times, wide);
}

static struct interval_poly remainder_of(struct arena *mem, const struct sos_identity *identity,
                                         const struct sos_enclosure *wide, const double *y,
                                         const struct sos_weights *weights)
{
    struct interval_sum sum = { .mem = mem };
    add_times(&sum, iv(1), 0, identity->p.constant, wide ? &wide->constant : NULL);
    for (int k = 0; k < identity->p.n_part; k++)
        add_times(&sum, iv(y[identity->p.part[k].unknown]), 0, identity->p.part[k].poly,
                  wide ? &wide->part[k] : NULL);
    for (int l = 0; l < identity->n_free; l++)
        for (int a = 0; a < identity->free[l].n; a++)
            add_times(&sum, iv(-weights->free[l][a]), identity->free[l].monomial[a], identity->free[l].times,
                      wide ? &wide->free[l] : NULL);
    for (int j = 0; j < identity->n_gram; j++)
        subtract_gram(&sum, &identity->gram[j], wide ? &wide->gram[j] : NULL, weights->gram[j]);
    return interval_sum_end(&sum);
}

static bool is_one(struct poly g)
{
    return g.n == 1 && g.term[0].monomial == 0 && !(g.term[0].coefficient < 1) && !(g.term[0].coefficient > 1);
}

/* The plain sum of squares; -1: there is none. */
static int plain_gram(const struct sos_identity *identity)
{
    for (int j = 0; j < identity->n_gram; j++)
        if (is_one(identity->gram[j].times))
            return j;
    return -1;
}

/* How many entries of z z' are the monomial; `share` is added to each of them, if there is a G. */
static int spread(const struct sos_basis *z, uint64_t monomial, double share, double *G)
{
    int n = 0;
    for (int b = 0; b < z->n; b++)
        for (int a = 0; a < z->n; a++)
            if (z->monomial[a] + z->monomial[b] == monomial) {
                n++;
                if (G)
                    G[a + z->n * b] += share;
            }
    return n;
}

void sos_round(const struct sos_identity *identity, const double *y, struct sos_weights *weights)
{
    sos_round_within(identity, NULL, y, weights);
}

void sos_round_within(const struct sos_identity *identity, const struct sos_enclosure *wide, const double *y,
                      struct sos_weights *weights)
{
    struct arena mem = { NULL };
    const int j = plain_gram(identity);
    for (int k = 0; k < identity->n_gram; k++)          /* symmetric to the last bit, as the solver's may not be */
        for (int col = 0, n = identity->gram[k].n; col < n; col++)
            for (int row = 0; row < col; row++)
                weights->gram[k][col + n * row] = weights->gram[k][row + n * col];
    if (j >= 0) {
        const struct interval_poly r = remainder_of(&mem, identity, wide, y, weights);
        for (int k = 0; k < r.n; k++) {
            const int n = spread(&identity->gram[j], r.term[k].monomial, 0, NULL);
            if (n > 0)
                (void)spread(&identity->gram[j], r.term[k].monomial, iv_mid(r.term[k].coefficient) / n,
                             weights->gram[j]);
        }
    }
    arena_free(&mem);
}

/* --- What is proved ------------------------------------------------------------------------------------------ */

static bool has_monomial(const struct sos_basis *z, uint64_t monomial)
{
    for (int a = 0; a < z->n; a++)
        if (z->monomial[a] == monomial)
            return true;
    return false;
}

/* The least value of g z'(G - shift I)z where G >= least I. */
static struct interval value_of(const struct sos_basis *z, const struct interval_poly *wide, double least,
                                const struct interval *box)
{
    if (least >= 0)
        return iv(is_one(z->times) && has_monomial(z, 0) ? least : 0);
    struct interval squares = iv(0);
    for (int a = 0; a < z->n; a++)
        squares = iv_add(squares, interval_power(iv(iv_mag(monomial_range(z->monomial[a], box))), 2));
    const struct interval times = wide ? interval_poly_range(*wide, box) : poly_range(z->times, box);
    const double largest = iv_mul(squares, times).hi;
    return largest > 0 ? iv_scale(least, iv(largest)) : iv(isnan(largest) ? NAN : 0);
}

void sos_measure(struct arena *mem, const struct sos_identity *identity, const double *y,
                 const struct sos_weights *weights, const struct interval *box, struct sos_proof *out)
{
    sos_measure_within(mem, identity, NULL, y, weights, box, out);
}

void sos_measure_within(struct arena *mem, const struct sos_identity *identity, const struct sos_enclosure *wide,
                        const double *y, const struct sos_weights *weights, const struct interval *box,
                        struct sos_proof *out)
{
    struct arena scratch = { NULL };
    const int plain = plain_gram(identity);
    const struct interval_poly r = remainder_of(&scratch, identity, wide, y, weights);
    struct interval in_gram = iv(0), outside = iv(0), sum = iv(0), all = iv(0);
    for (int k = 0; k < r.n; k++) {
        const struct interval size = iv(iv_mag(r.term[k].coefficient));
        all = iv_add(all, size);
        if (plain >= 0 && spread(&identity->gram[plain], r.term[k].monomial, 0, NULL) > 0)
            in_gram = iv_add(in_gram, size);
        else if (!(size.hi <= 0))
            outside = iv_add(outside, iv_mul(size, iv(iv_mag(monomial_range(r.term[k].monomial, box)))));
    }
    *out = (struct sos_proof){ .remainder = all.hi,
                               .least = arena_alloc(mem, (size_t)identity->n_gram, sizeof *out->least) };
    for (int j = 0; j < identity->n_gram; j++) {
        out->least[j] = sos_least_eigenvalue(identity->gram[j].n, weights->gram[j]);
        const double left = j == plain ? iv_sub(iv(out->least[j]), in_gram).lo : out->least[j];
        sum = iv_add(sum, isnan(left) ? iv(NAN) : value_of(&identity->gram[j], wide ? &wide->gram[j] : NULL, left, box));
    }
    out->at_least = iv_sub(sum, outside).lo;
    arena_free(&scratch);
}

static double largest_entry(const struct sos_identity *identity, const struct sos_weights *weights)
{
    double largest = 1;
    for (int j = 0; j < identity->n_gram; j++)
        for (int k = 0; k < identity->gram[j].n * identity->gram[j].n; k++)
            largest = fmax(largest, fabs(weights->gram[j][k]));
    return largest;
}

/* A difference that counts, NaN included. */
static bool differs(double a, double b, double tol)
{
    return !(fabs(a - b) <= tol);
}

bool sos_check(const struct sos_identity *identity, const double *y, const struct sos_weights *weights,
               const struct interval *box, const struct sos_proof *stated, char *why, size_t size)
{
    struct arena mem = { NULL };
    struct sos_proof found;
    const double tol = SAME * largest_entry(identity, weights);
    *why = '\0';
    sos_measure(&mem, identity, y, weights, box, &found);
    for (int j = 0; j < identity->n_gram && !*why; j++)
        if (differs(found.least[j], stated->least[j], tol))
            (void)snprintf(why, size, "Gram matrix %d: its least eigenvalue is not as stated", j);
    if (!*why && differs(found.remainder, stated->remainder, tol))
        (void)snprintf(why, size, "the remainder is not as stated");
    if (!*why && differs(found.at_least, stated->at_least, tol * fmax(1, fabs(found.at_least))))
        (void)snprintf(why, size, "what is proved is not as stated");
    arena_free(&mem);
    return !*why;
}
