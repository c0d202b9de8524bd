/* core/kkt: factors of symmetric indefinite matrices, against LAPACK and against what is known of the matrix */
#include "core/kkt/kkt.h"

#include "core/base/mem.h"
#include "core/kkt/factor.h"

#include <lapacke.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- Memory: the Makefile lets this program see each call ------------------------------------------------------
 */

void *__real_mem_alloc(size_t count, size_t size);
void *__wrap_mem_alloc(size_t count, size_t size);
void *__real_mem_resize(void *ptr, size_t count, size_t size);
void *__wrap_mem_resize(void *ptr, size_t count, size_t size);

static int n_allocated;

void *__wrap_mem_alloc(size_t count, size_t size)
{
    n_allocated++;
    return __real_mem_alloc(count, size);
}

void *__wrap_mem_resize(void *ptr, size_t count, size_t size)
{
    n_allocated++;
    return __real_mem_resize(ptr, count, size);
}

/* --- Matrices --------------------------------------------------------------------------------------------------
 */

static uint64_t counter = 1;

static double uniform(double from, double to)
{
    uint64_t z = counter += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return from + (to - from) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static int below(int n)
{
    return (int)uniform(0.0, n);
}

/* Triplets of one triangle, and the whole matrix beside them: balanced (entries around 1), and scaled on both
 * sides by powers of two, in which the triplets are. */
struct matrix {
    int n, n_entry, room;
    int *row, *col;
    double *val;
    double *balanced, *scale;       /* [n * n], [n] */
};

static struct matrix empty_matrix(int n, int room)
{
    struct matrix a = { .n = n, .room = room };
    const size_t size = (size_t)room + 1, square = (size_t)n * (size_t)n + 1;
    a.row = calloc(size, sizeof *a.row);
    a.col = calloc(size, sizeof *a.col);
    a.val = calloc(size, sizeof *a.val);
    a.balanced = calloc(square, sizeof *a.balanced);
    a.scale = calloc((size_t)n + 1, sizeof *a.scale);
    for (int i = 0; i < n; i++)
        a.scale[i] = 1.0;
    return a;
}

static void free_matrix(struct matrix *a)
{
    free(a->row);
    free(a->col);
    free(a->val);
    free(a->balanced);
    free(a->scale);
}

static double *entry(struct matrix *a, int i, int j)
{
    return &a->balanced[(size_t)j * (size_t)a->n + (size_t)i];
}

static void add(struct matrix *a, int i, int j, double x)
{
    assert_true(a->n_entry < a->room);
    a->row[a->n_entry] = i;
    a->col[a->n_entry] = j;
    a->val[a->n_entry++] = x * a->scale[i] * a->scale[j];
    *entry(a, i, j) += x;
    if (i != j)
        *entry(a, j, i) += x;
}

/* [H J'; J 0] with n_x + n_c rows: H sparse and indefinite, its diagonal partly zero; some rows of J the sum of
 * others, up to `gap`. Triplets on either side of the diagonal, some in two parts. */
static struct matrix saddle_point(int n_x, int n_c, double gap, double decades)
{
    struct matrix a = empty_matrix(n_x + n_c, 40 * (n_x + n_c) + 40);
    double *row = calloc((size_t)n_x + 1, sizeof *row), *last = calloc((size_t)n_x + 1, sizeof *last);
    for (int i = 0; i < a.n; i++)
        a.scale[i] = exp2(round(uniform(-decades, decades) * log2(10.0)));
    for (int i = 0; i < n_x; i++) {
        if (uniform(0, 1) < 0.7)
            add(&a, i, i, uniform(-1, 2));
        for (int k = below(3); k > 0 && i > 0; k--)
            add(&a, i, below(i), uniform(-1, 1));
    }
    for (int c = 0; c < n_c; c++) {
        const bool depends = gap >= 0.0 && c > 0 && uniform(0, 1) < 0.1;
        for (int j = 0; j < n_x; j++)
            row[j] = depends ? last[j] : 0.0;
        for (int k = 0; k < (depends ? 0 : 1 + below(4)); k++)
            row[below(n_x)] += uniform(-1, 1);
        if (depends)
            row[below(n_x)] += gap * uniform(-1, 1);
        for (int j = 0; j < n_x; j++)
            if (row[j] != 0.0) {
                const bool flip = uniform(0, 1) < 0.5;
                add(&a, flip ? j : n_x + c, flip ? n_x + c : j, 0.25 * row[j]);
                add(&a, flip ? j : n_x + c, flip ? n_x + c : j, 0.75 * row[j]);
            }
        memcpy(last, row, (size_t)n_x * sizeof *last);
    }
    free(row);
    free(last);
    return a;
}

/* A chain of n_block blocks of a saddle point, each coupled to the next, as a discretization in time gives; the
 * constraints are well conditioned whatever the length. */
static struct matrix chain(int n_block, int size)
{
    struct matrix a = { 0 };
    const int n = n_block * 2 * size;
    a.n = n;
    a.room = n * (3 * size + 2);
    a.row = calloc((size_t)a.room, sizeof *a.row);
    a.col = calloc((size_t)a.room, sizeof *a.col);
    a.val = calloc((size_t)a.room, sizeof *a.val);
    for (int b = 0; b < n_block; b++) {
        const int x = b * 2 * size, c = x + size;
        for (int i = 0; i < size; i++) {
            a.row[a.n_entry] = a.col[a.n_entry] = x + i;
            a.val[a.n_entry++] = uniform(0.5, 1.5);
            for (int j = 0; j < 2 * size; j++) {
                const int before = x - 2 * size + j;
                if (j < size || before >= 0) {
                    a.row[a.n_entry] = c + i;
                    a.col[a.n_entry] = j < size ? x + j : before - size;
                    a.val[a.n_entry++] = i == j ? 2.0 : uniform(-0.2, 0.2);
                }
            }
        }
    }
    return a;
}

static void multiply(const struct matrix *a, const double *x, double *y)
{
    memset(y, 0, (size_t)a->n * sizeof *y);
    for (int k = 0; k < a->n_entry; k++) {
        y[a->row[k]] += a->val[k] * x[a->col[k]];
        if (a->row[k] != a->col[k])
            y[a->col[k]] += a->val[k] * x[a->row[k]];
    }
}

/* |b - A x| / |b| for the solution of b = A (random). */
static double residual(struct kkt *kkt, const struct matrix *a)
{
    const size_t n = (size_t)a->n + 1;
    double *x = calloc(n, sizeof *x), *b = calloc(n, sizeof *b), *r = calloc(n, sizeof *r);
    double size = 0.0, rest = 0.0;
    for (int i = 0; i < a->n; i++)
        x[i] = uniform(-1, 1) / (a->scale ? a->scale[i] : 1.0);
    multiply(a, x, b);
    memcpy(x, b, (size_t)a->n * sizeof *x);
    const double said = kkt_solve(kkt, x);
    multiply(a, x, r);
    for (int i = 0; i < a->n; i++) {
        size = fmax(size, fabs(b[i]));
        rest = fmax(rest, fabs(b[i] - r[i]));
    }
    free(x);
    free(b);
    free(r);
    assert_true(said <= 1e-10);
    return size > 0.0 ? rest / size : rest;
}

/* --- Against LAPACK --------------------------------------------------------------------------------------------
 */

struct spectrum {
    int negative, small;
};                                  /* small: too near 0 for a sign */

static struct spectrum eigenvalues_of(const struct matrix *a)
{
    const size_t n = (size_t)a->n;
    double *copy = malloc((n * n + 1) * sizeof *copy), *w = malloc((n + 1) * sizeof *w), most = 0.0;
    struct spectrum out = { 0 };
    memcpy(copy, a->balanced, n * n * sizeof *copy);
    assert_int_equal(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', a->n, copy, a->n, w), 0);
    for (int i = 0; i < a->n; i++)
        most = fmax(most, fabs(w[i]));
    for (int i = 0; i < a->n; i++) {
        const bool is_small = fabs(w[i]) < 1e-10 * most;
        out.small += is_small;
        out.negative += !is_small && w[i] < 0.0;
    }
    free(copy);
    free(w);
    return out;
}

/* Negative eigenvalues by the pivots of dsytrf. */
static int negative_by_pivots(const struct matrix *a)
{
    const size_t n = (size_t)a->n;
    double *copy = malloc((n * n + 1) * sizeof *copy);
    lapack_int *swap = malloc((n + 1) * sizeof *swap);
    int out = 0;
    memcpy(copy, a->balanced, n * n * sizeof *copy);
    assert_true(LAPACKE_dsytrf(LAPACK_COL_MAJOR, 'L', a->n, copy, a->n, swap) >= 0);
    for (int i = 0; i < a->n; i++) {
        const double *d = copy + (size_t)i * n + (size_t)i;
        if (swap[i] > 0) {
            out += *d < 0.0;
            continue;
        }
        const double det = d[0] * d[n + 1] - d[1] * d[1];
        out += det < 0.0 ? 1 : d[0] < 0.0 ? 2 : 0;
        i++;
    }
    free(copy);
    free(swap);
    return out;
}

static void check_random(int trial)
{
    static const double gaps[] = { -1.0, -1.0, 1e-4, 1e-13, 0.0 };
    static const double decades[] = { 0.0, 2.0, 8.0 };
    const int n = 5 + below(trial % 10 == 0 ? 196 : 60), n_c = below(n / 2);
    struct matrix a = saddle_point(n - n_c, n_c, gaps[trial % 5], decades[trial % 3]);
    struct kkt *kkt = kkt_create(n, a.n_entry, a.row, a.col);
    const enum kkt_outcome outcome = kkt_factorize(kkt, a.val, KKT_THRESHOLD, KKT_ANY_INERTIA);
    const struct kkt_inertia inertia = kkt_inertia(kkt);
    const struct spectrum truth = eigenvalues_of(&a);
    assert_int_equal(inertia.positive + inertia.negative + inertia.zero, n);
    assert_true(inertia.negative >= truth.negative && inertia.negative <= truth.negative + truth.small);
    assert_true(outcome == KKT_FACTORIZED || (outcome == KKT_SINGULAR && inertia.zero > 0 && truth.small > 0));
    if (truth.small == 0) {
        assert_int_equal(inertia.negative, negative_by_pivots(&a));
        assert_true(residual(kkt, &a) <= 1e-10);
    }
    kkt_free(kkt);
    free_matrix(&a);
}

/* 10,000 matrices of 5 to 200 rows: zero diagonals, dependent and nearly dependent constraints, scales over 16
 * decades. Eigenvalues are those of the balanced matrix; congruence keeps their signs. */
static void inertia_and_residuals_are_those_of_lapack(void **state)
{
    (void)state;
    counter = 1;
    for (int trial = 0; trial < 10000; trial++)
        check_random(trial);
}

/* --- Single facts ----------------------------------------------------------------------------------------------
 */

/* [0 1; 1 0] has eigenvalues 1 and -1, and no 1 x 1 pivot. */
static void a_zero_diagonal_takes_a_pair(void **state)
{
    (void)state;
    const int row[] = { 0 }, col[] = { 1 };
    const double val[] = { 1.0 };
    double b[] = { 3.0, 5.0 };
    struct kkt *kkt = kkt_create(2, 1, row, col);
    assert_int_equal(kkt_factorize(kkt, val, KKT_THRESHOLD, KKT_ANY_INERTIA), KKT_FACTORIZED);
    assert_int_equal(kkt_inertia(kkt).negative, 1);
    assert_int_equal(kkt_size(kkt).n_two_by_two, 1);
    kkt_solve(kkt, b);
    assert_true(b[0] == 5.0 && b[1] == 3.0);
    kkt_free(kkt);
}

/* Two equal constraints: one eigenvalue is 0, and it is said; what can be solved is solved. */
static void dependent_rows_are_singular(void **state)
{
    (void)state;
    const int row[] = { 0, 1, 1 }, col[] = { 0, 0, 2 };
    const double val[] = { 1.0, 0.0, 0.0 };
    struct kkt *kkt = kkt_create(3, 3, row, col);
    assert_int_equal(kkt_factorize(kkt, val, KKT_THRESHOLD, KKT_ANY_INERTIA), KKT_SINGULAR);
    assert_int_equal(kkt_inertia(kkt).zero, 2);
    double b[] = { 2.0, 0.0, 0.0 };
    assert_true(kkt_solve(kkt, b) == 0.0);
    assert_true(b[0] == 2.0);
    kkt_free(kkt);
}

static void what_is_not_finite_is_refused(void **state)
{
    (void)state;
    const int row[] = { 0, 1, 1 }, col[] = { 0, 0, 1 };
    const double bad[] = { NAN, INFINITY, -INFINITY };
    double b[] = { 1.0, 1.0 };
    struct kkt *kkt = kkt_create(2, 3, row, col);
    for (int k = 0; k < 9; k++) {
        double val[] = { 1.0, 2.0, 3.0 };
        val[k % 3] = bad[k / 3];
        assert_int_equal(kkt_factorize(kkt, val, KKT_THRESHOLD, KKT_ANY_INERTIA), KKT_NOT_FINITE);
        assert_true(isnan(kkt_solve(kkt, b)));
    }
    kkt_free(kkt);
}

/* Scalings of 2^500 and 2^-500, left by the matrix before, would make Inf and 0 of an ordinary one. */
static void a_matrix_does_not_suffer_from_the_one_before(void **state)
{
    (void)state;
    const int row[] = { 0, 1 }, col[] = { 0, 1 };
    const double before[][2] = { { 1e-310, 1e-310 }, { 1e300, 1e300 } };
    const double after[][2] = { { 4.0, -2.0 }, { 4e-30, -2e-30 } };
    struct kkt *kkt = kkt_create(2, 2, row, col);
    for (int k = 0; k < 4; k++) {
        double b[] = { 4.0, 4.0 };
        kkt_factorize(kkt, before[k % 2], KKT_THRESHOLD, KKT_ANY_INERTIA);
        assert_int_equal(kkt_factorize(kkt, after[k / 2], KKT_THRESHOLD, KKT_ANY_INERTIA), KKT_FACTORIZED);
        assert_int_equal(kkt_inertia(kkt).negative, 1);
        kkt_solve(kkt, b);
        assert_true(b[0] * after[k / 2][0] == 4.0 && b[1] * after[k / 2][1] == 4.0);
    }
    kkt_free(kkt);
}

static void nothing_is_a_matrix_too(void **state)
{
    (void)state;
    struct kkt *kkt = kkt_create(0, 0, NULL, NULL);
    assert_int_equal(kkt_factorize(kkt, NULL, KKT_THRESHOLD, KKT_ANY_INERTIA), KKT_FACTORIZED);
    assert_true(kkt_solve(kkt, NULL) == 0.0);
    kkt_free(kkt);
    kkt_free(NULL);
}

/* With more negative eigenvalues than asked for it stops, has no factors, and has counted no more than there are.
 */
static void too_many_negative_stop_early(void **state)
{
    (void)state;
    counter = 7;
    struct matrix a = saddle_point(120, 60, -1.0, 1.0);
    struct kkt *kkt = kkt_create(a.n, a.n_entry, a.row, a.col);
    const enum kkt_outcome whole = kkt_factorize(kkt, a.val, KKT_THRESHOLD, KKT_ANY_INERTIA);
    const int negative = kkt_inertia(kkt).negative;
    assert_int_equal(kkt_factorize(kkt, a.val, KKT_THRESHOLD, negative), whole);
    assert_int_equal(kkt_factorize(kkt, a.val, KKT_THRESHOLD, negative - 1), KKT_TOO_MANY_NEGATIVE);
    assert_int_equal(kkt_inertia(kkt).negative, negative);
    assert_int_equal(kkt_factorize(kkt, a.val, KKT_THRESHOLD, 10), KKT_TOO_MANY_NEGATIVE);
    assert_true(kkt_inertia(kkt).negative > 10 && kkt_inertia(kkt).negative <= negative);
    double *b = calloc((size_t)a.n, sizeof *b);
    assert_true(isnan(kkt_solve(kkt, b)));
    free(b);
    kkt_free(kkt);
    free_matrix(&a);
}

/* Vector widths change no bit of a solution. */
static void all_kernels_give_the_same_bits(void **state)
{
    (void)state;
    counter = 11;
    for (int trial = 0; trial < 40; trial++) {
        struct matrix a = saddle_point(60 + 5 * trial, 30 + 2 * trial, -1.0, 3.0);
        struct kkt *kkt = kkt_create(a.n, a.n_entry, a.row, a.col);
        double *first = calloc((size_t)a.n, sizeof *first), *b = calloc((size_t)a.n, sizeof *b);
        const struct kkt_kernel *kernel;
        for (int k = 0; (kernel = kkt_kernel_get(k)) != NULL; k++) {
            kkt->kernel = kernel;
            kkt_factorize(kkt, a.val, KKT_THRESHOLD, KKT_ANY_INERTIA);
            for (int i = 0; i < a.n; i++)
                b[i] = 1.0 + i;
            kkt_solve(kkt, b);
            if (k == 0)
                memcpy(first, b, (size_t)a.n * sizeof *b);
            assert_memory_equal(first, b, (size_t)a.n * sizeof *b);
        }
        free(first);
        free(b);
        kkt_free(kkt);
        free_matrix(&a);
    }
}

/* Factors of a chain grow with its length and no faster: entries and flops per block stay. */
static void work_is_linear_in_the_horizon(void **state)
{
    (void)state;
    counter = 3;
    double flops[2], fill[2];
    for (int k = 0; k < 2; k++) {
        struct matrix a = chain(k == 0 ? 100 : 1000, 4);
        struct kkt *kkt = kkt_create(a.n, a.n_entry, a.row, a.col);
        assert_int_equal(kkt_factorize(kkt, a.val, KKT_THRESHOLD, KKT_ANY_INERTIA), KKT_FACTORIZED);
        assert_int_equal(kkt_inertia(kkt).negative, a.n / 2);
        assert_true(residual(kkt, &a) <= 1e-10);
        flops[k] = kkt_size(kkt).flops;
        fill[k] = kkt_size(kkt).n_factor;
        kkt_free(kkt);
        free_matrix(&a);
    }
    assert_true(flops[1] < 11.0 * flops[0] && fill[1] < 11.0 * fill[0]);
}

static void later_factorizations_allocate_nothing(void **state)
{
    (void)state;
    counter = 5;
    struct matrix a = saddle_point(300, 150, -1.0, 1.0);
    struct kkt *kkt = kkt_create(a.n, a.n_entry, a.row, a.col);
    double *b = calloc((size_t)a.n, sizeof *b);
    kkt_factorize(kkt, a.val, KKT_THRESHOLD, KKT_ANY_INERTIA);
    const int before = n_allocated;
    for (int trial = 0; trial < 50; trial++) {
        for (int k = 0; k < a.n_entry; k++)
            a.val[k] *= uniform(0.5, 2.0);
        kkt_factorize(kkt, a.val, KKT_THRESHOLD, KKT_ANY_INERTIA);
        kkt_solve(kkt, b);
    }
    assert_true(before > 0);
    assert_int_equal(n_allocated, before);
    free(b);
    kkt_free(kkt);
    free_matrix(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inertia_and_residuals_are_those_of_lapack),
        cmocka_unit_test(a_zero_diagonal_takes_a_pair),
        cmocka_unit_test(dependent_rows_are_singular),
        cmocka_unit_test(what_is_not_finite_is_refused),
        cmocka_unit_test(a_matrix_does_not_suffer_from_the_one_before),
        cmocka_unit_test(nothing_is_a_matrix_too),
        cmocka_unit_test(too_many_negative_stop_early),
        cmocka_unit_test(all_kernels_give_the_same_bits),
        cmocka_unit_test(work_is_linear_in_the_horizon),
        cmocka_unit_test(later_factorizations_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
