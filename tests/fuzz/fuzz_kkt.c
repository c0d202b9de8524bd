/* tests/fuzz/fuzz_kkt.c - hostile matrices: core/kkt must say what it cannot do, and what it says must be true
 *
 * The input is a pattern of up to 60 rows, then values for some factorizations of it, with thresholds and limits of
 * the inertia. Two factorizations go side by side, by the fastest and by the plain kernel: the same bits. Matrices
 * whose entries are neither NaN nor far from 1 are judged by residuals and by their eigenvalues (LAPACK).
 */
#include "core/kkt/factor.h"

#include "core/base/random.h"

#include <lapacke.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MODERATE 1e6                /* no entry is above, and none but 0 below the inverse */
#define RESIDUAL_OK 1e-6            /* in the scaled matrix, of |A| |x| + |b| */
#define CERTAIN 1e-6                /* eigenvalues of the scaled matrix that must have their sign */
enum { N_MAX = 60, ENTRIES_MAX = 400, FACTORIZATIONS_MIN = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

/* --- Bytes to matrices --------------------------------------------------------------------------------------- */

struct bytes {
    const uint8_t *at;
    size_t left;
    uint64_t counter;               /* random bytes follow, different ones for each input: short inputs make large
                                     * matrices, too */
};

static int take(struct bytes *bytes)
{
    if (bytes->left == 0)
        return (int)(random_next(&bytes->counter) & 255);
    bytes->left--;
    bytes->counter = random_mix(bytes->counter ^ *bytes->at);
    return *bytes->at++;
}

static double take_double(struct bytes *bytes)
{
    double x;
    uint8_t raw[sizeof x];
    for (size_t k = 0; k < sizeof x; k++)
        raw[k] = (uint8_t)take(bytes);
    memcpy(&x, raw, sizeof x);
    return x;
}

/* A plain number, or, of one in so many, a wild one. */
static double take_value(struct bytes *bytes, int one_in)
{
    const int kind = take(bytes);
    if (take(bytes) >= 256 / one_in)
        return (kind - 128) / 16.0;
    switch (kind % 12) {
    case 0:  return take_double(bytes);
    case 1:  return NAN;
    case 2:  return INFINITY;
    case 3:  return ldexp(1.0, -1060 - take(bytes) % 14);
    case 4:  return ldexp(1.0, 1000 - take(bytes) % 24);
    case 5:  return ldexp(-1.0, take(bytes) * 8 - 1022);
    case 6:  return 1.0 + ldexp(1.0, -take(bytes) % 53);
    default: return (take(bytes) - 128) * pow(10.0, take(bytes) % 8 - 5);
    }
}

struct matrix {
    int n, n_entry;
    int row[ENTRIES_MAX], col[ENTRIES_MAX];
    double val[ENTRIES_MAX];
};

static void take_pattern(struct bytes *bytes, struct matrix *matrix)
{
    matrix->n = take(bytes) % (N_MAX + 1);
    matrix->n_entry = matrix->n == 0 ? 0 : (take(bytes) + 256 * take(bytes)) % (ENTRIES_MAX + 1);
    for (int k = 0; k < matrix->n_entry; k++) {
        matrix->row[k] = take(bytes) % matrix->n;
        matrix->col[k] = take(bytes) % matrix->n;
    }
}

/* A S in S A S, full, by columns; places as the caller counts. */
static void make_dense(const struct matrix *matrix, const double *scale, double *A)
{
    const int n = matrix->n;
    memset(A, 0, (size_t)(n * n) * sizeof *A);
    for (int k = 0; k < matrix->n_entry; k++) {
        const int i = matrix->row[k], j = matrix->col[k];
        const double x = matrix->val[k] * scale[i] * scale[j];
        A[i + j * n] += x;
        if (i != j)
            A[j + i * n] += x;
    }
}

/* Sums of entries count: they may cancel to nearly nothing, or be too large. */
static bool is_moderate(const struct matrix *matrix)
{
    static double A[N_MAX * N_MAX], one[N_MAX];
    for (int i = 0; i < matrix->n; i++)
        one[i] = 1.0;
    make_dense(matrix, one, A);
    for (int k = 0; k < matrix->n * matrix->n; k++)
        if (A[k] != 0.0 && !(fabs(A[k]) <= MODERATE && fabs(A[k]) >= 1.0 / MODERATE))
            return false;
    return true;
}

static bool is_finite(const struct matrix *matrix)
{
    for (int k = 0; k < matrix->n_entry; k++)
        if (!isfinite(matrix->val[k]))
            return false;
    return true;
}

/* --- What must hold ------------------------------------------------------------------------------------------ */

static bool same_bits(int n, const double *a, const double *b)
{
    for (int i = 0; i < n; i++)
        if (memcmp(&a[i], &b[i], sizeof a[i]) != 0 && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

static void require_outcome(const struct kkt *kkt, const struct matrix *matrix, enum kkt_outcome outcome,
                            int max_negative)
{
    const struct kkt_inertia count = kkt_inertia(kkt);
    require(count.positive >= 0 && count.negative >= 0 && count.zero >= 0 && count.uncertain >= 0);
    require(is_finite(matrix) || outcome == KKT_NOT_FINITE);
    require(!is_moderate(matrix) || outcome != KKT_NOT_FINITE);
    switch (outcome) {
    case KKT_FACTORIZED:
    case KKT_SINGULAR:
        require(count.positive + count.negative + count.zero == matrix->n);
        require((count.zero > 0) == (outcome == KKT_SINGULAR));
        require(count.negative <= max_negative);
        break;
    case KKT_TOO_MANY_NEGATIVE:
        require(count.negative > max_negative && count.negative <= matrix->n);
        break;
    case KKT_NOT_FINITE:
    case KKT_STOPPED:
        break;
    }
}

/* Solutions of two kernels are the same; NAN and nothing else comes without factors. */
static void require_same_solution(struct kkt *a, struct kkt *b, int n, const double *rhs, double *x)
{
    double other[N_MAX + 1];
    memcpy(x, rhs, (size_t)n * sizeof *x);
    memcpy(other, rhs, (size_t)n * sizeof *x);
    const double said = kkt_solve(a, x), other_said = kkt_solve(b, other);
    require(same_bits(1, &said, &other_said) && same_bits(n, x, other));
    require(a->has_factors || (isnan(said) && same_bits(n, x, rhs)));
}

/* |b - A x| <= tolerance (|A| |x| + |b|) in the scaled matrix. */
static void require_small_residual(int n, const double *A, const double *scale, const double *x, const double *b)
{
    double rest = 0.0, size_x = 0.0, size_b = 0.0, size_A = 0.0;
    for (int i = 0; i < n; i++) {
        double r = b[i] * scale[i], sum = 0.0;
        for (int j = 0; j < n; j++) {
            r -= A[i + j * n] * (x[j] / scale[j]);
            sum += fabs(A[i + j * n]);
        }
        rest = fmax(rest, fabs(r));
        size_A = fmax(size_A, sum);
        size_x = fmax(size_x, fabs(x[i] / scale[i]));
        size_b = fmax(size_b, fabs(b[i] * scale[i]));
    }
    require(rest <= RESIDUAL_OK * (size_A * size_x + size_b));
}

static void require_inertia(int n, double *A, const struct kkt_inertia *count)
{
    double w[N_MAX + 1];
    int negative = 0, positive = 0;
    require(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', n, A, n > 0 ? n : 1, w) == 0);
    for (int i = 0; i < n; i++) {
        negative += w[i] < -CERTAIN;
        positive += w[i] > CERTAIN;
    }
    require(count->negative >= negative && count->positive >= positive);
}

/* What a factorization says, judged by other means; x solves A x = b. */
static void require_truth(const struct kkt *kkt, const struct matrix *matrix, enum kkt_outcome outcome,
                          const double *x, const double *b)
{
    static double A[N_MAX * N_MAX + 1];
    double scale[N_MAX + 1];
    const struct kkt_inertia count = kkt_inertia(kkt);
    for (int i = 0; i < matrix->n; i++)
        scale[i] = kkt->scale[kkt->tree.place[i]];
    make_dense(matrix, scale, A);
    if (outcome == KKT_FACTORIZED && count.uncertain == 0)
        require_small_residual(matrix->n, A, scale, x, b);
    if (outcome == KKT_FACTORIZED || outcome == KKT_SINGULAR)
        require_inertia(matrix->n, A, &count);
}

/* --- One input ----------------------------------------------------------------------------------------------- */

static const struct kkt_kernel *plainest_kernel(void)
{
    const struct kkt_kernel *last = NULL, *kernel;
    for (int k = 0; (kernel = kkt_kernel_get(k)) != NULL; k++)
        last = kernel;
    return last;
}

/* One matrix of the pattern by both. */
static void factorize(struct bytes *bytes, struct matrix *matrix, struct kkt *fast, struct kkt *plain)
{
    static const double thresholds[] = { KKT_THRESHOLD, 1e-8, 1e-4, 0.01, 0.1, 0.5 };
    static const int one_wild_in[] = { 257, 257, 64, 4 };       /* none, none, some, many */
    const double threshold = thresholds[take(bytes) % 6];
    const int limit = take(bytes), max_negative = limit > N_MAX ? KKT_ANY_INERTIA : limit;
    double b[N_MAX + 1], x[N_MAX + 1];
    const int one_in = one_wild_in[take(bytes) % 4];
    for (int k = 0; k < matrix->n_entry; k++)
        matrix->val[k] = take_value(bytes, one_in);
    for (int i = 0; i < matrix->n; i++)
        b[i] = 1.0 + i;
    const enum kkt_outcome outcome = kkt_factorize(fast, matrix->val, threshold, max_negative);
    require(kkt_factorize(plain, matrix->val, threshold, max_negative) == outcome);
    const struct kkt_inertia count = kkt_inertia(fast), other = kkt_inertia(plain);
    require(memcmp(&count, &other, sizeof count) == 0);
    require_outcome(fast, matrix, outcome, max_negative);
    require_same_solution(fast, plain, matrix->n, b, x);
    if (is_moderate(matrix))
        require_truth(fast, matrix, outcome, x, b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct matrix matrix;
    struct bytes bytes = { data, size, size };
    take_pattern(&bytes, &matrix);
    struct kkt *fast = kkt_create(matrix.n, matrix.n_entry, matrix.row, matrix.col);
    struct kkt *plain = kkt_create(matrix.n, matrix.n_entry, matrix.row, matrix.col);
    plain->kernel = plainest_kernel();
    for (int k = 0; k < FACTORIZATIONS_MIN || bytes.left > 0; k++)
        factorize(&bytes, &matrix, fast, plain);
    kkt_free(fast);
    kkt_free(plain);
    return 0;
}
