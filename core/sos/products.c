#include "core/sos/products.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define EXPORTED __attribute__((visibility("default")))

/* A block of C has tiles of ROWS x COLUMNS sums, which stay in registers for DEEP products each. */
enum { ROWS = 8, COLUMNS = 4, BLOCK = 64, WIDE = 256, DEEP = 256, LANES = 4, FEW = 512, PANEL = 64 };

typedef double lane __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double))));

/* Of the reference, with lengths of texts behind. */
void dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m, const int *n,
            const double *alpha, const double *A, const int *lda, double *B, const int *ldb, size_t, size_t,
            size_t, size_t);
void dpotrf2_(const char *uplo, const int *n, double *A, const int *lda, int *info, size_t);

/* --- Tiles --------------------------------------------------------------------------------------------------- */

/* sum[c][r] += a[l][r] b[l][c] in the order of l. */
static inline __attribute__((always_inline)) void add_products(int deep, const double *a, const double *b,
                                                               double *sum)
{
    lane s[COLUMNS][ROWS / LANES];
    for (int c = 0; c < COLUMNS; c++)
        for (int r = 0; r < ROWS / LANES; r++)
            s[c][r] = *(const lane *)(sum + ROWS * c + LANES * r);
    for (int l = 0; l < deep; l++, a += ROWS, b += COLUMNS)
        for (int c = 0; c < COLUMNS; c++)
            for (int r = 0; r < ROWS / LANES; r++)
                s[c][r] = s[c][r] + *(const lane *)(a + LANES * r) * b[c];
    for (int c = 0; c < COLUMNS; c++)
        for (int r = 0; r < ROWS / LANES; r++)
            *(lane *)(sum + ROWS * c + LANES * r) = s[c][r];
}

/* Columns of B one after the other, PANEL of them: R'X = B with R above the diagonal, [n x n], n <= PANEL. x[i][.]
 * is row i. */
static inline __attribute__((always_inline)) void solve_rows(int n, const double *R, ptrdiff_t ld, double *x)
{
    enum { GROUP = 4 * LANES };
    for (int first = 0; first < PANEL; first += GROUP)
        for (int i = 0; i < n; i++) {
            lane s[GROUP / LANES];
            for (int g = 0; g < GROUP / LANES; g++)
                s[g] = *(const lane *)(x + PANEL * i + first + LANES * g);
            for (int k = 0; k < i; k++)
                for (int g = 0; g < GROUP / LANES; g++)
                    s[g] = s[g] - R[k + ld * i] * *(const lane *)(x + PANEL * k + first + LANES * g);
            for (int g = 0; g < GROUP / LANES; g++)
                *(lane *)(x + PANEL * i + first + LANES * g) = s[g] / R[i + ld * i];
        }
}

static void add_products_anywhere(int deep, const double *a, const double *b, double *sum)
{
    add_products(deep, a, b, sum);
}

static void solve_rows_anywhere(int n, const double *R, ptrdiff_t ld, double *x)
{
    solve_rows(n, R, ld, x);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void add_products_avx2(int deep, const double *a, const double *b,
                                                              double *sum)
{
    add_products(deep, a, b, sum);
}

__attribute__((target("avx2"))) static void solve_rows_avx2(int n, const double *R, ptrdiff_t ld, double *x)
{
    solve_rows(n, R, ld, x);
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}
#else
#define add_products_avx2 add_products_anywhere
#define solve_rows_avx2 solve_rows_anywhere
static bool has_avx2(void)
{
    return false;
}
#endif

/* --- Products ------------------------------------------------------------------------------------------------ */

/* op(A): entry (i, j) is at[i row + j column]. */
struct view {
    const double *at;
    ptrdiff_t row, column;
};

static struct view view_of(const double *A, int ld, bool transposed)
{
    return transposed ? (struct view){ A, ld, 1 } : (struct view){ A, 1, ld };
}

/* C := alpha A B + beta C. Of a transposed A the reference sums products and multiplies the sum by alpha; else it
 * adds products of A and alpha B to beta C. */
struct product {
    struct view A, B;
    double *C;
    ptrdiff_t ldc;
    int m, n, k;
    double alpha, beta;
    bool sums_first;
};

static double scaled(double beta, double c)
{
    return !(fabs(beta) > 0) ? 0 : beta * c;
}

static void few_products(const struct product *p)
{
    for (int j = 0; j < p->n; j++)
        for (int i = 0; i < p->m; i++) {
            double *const c = &p->C[i + p->ldc * j];
            double sum = p->sums_first ? 0 : scaled(p->beta, *c);
            for (int l = 0; l < p->k; l++) {
                const double a = p->A.at[i * p->A.row + l * p->A.column],
                             b = p->B.at[l * p->B.row + j * p->B.column];
                sum += p->sums_first ? a * b : p->alpha * b * a;
            }
            *c = !p->sums_first ? sum : fabs(p->beta) > 0 ? p->alpha * sum + p->beta * *c : p->alpha * sum;
        }
}

/* Of A the rows from i on and columns from l on, [rows x deep], in strips of `wide` rows: strip[s][l][r]. Rows
 * beyond are 0. */
static inline __attribute__((always_inline)) void pack(struct view A, int i, int l, int rows, int deep, int wide,
                                                       double scale, double *strip)
{
    for (int first = 0; first < rows; first += wide) {
        const double *from = A.at + (i + first) * A.row + l * A.column;
        const int here = rows - first < wide ? rows - first : wide;
        if (here == wide) {
            for (int d = 0; d < deep; d++, from += A.column, strip += wide)
                for (int r = 0; r < wide; r++)
                    strip[r] = scale * from[r * A.row];
            continue;
        }
        for (int d = 0; d < deep; d++, from += A.column, strip += wide)
            for (int r = 0; r < wide; r++)
                strip[r] = r < here ? scale * from[r * A.row] : 0;
    }
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static struct view transposed(struct view A)
{
    return (struct view){ A.at, A.column, A.row };
}

/* What a tile of C [m x n] begins with; entries beyond are 0. */
static void begin_tile(const struct product *p, const double *C, int m, int n, double *sum)
{
    for (int e = 0; e < ROWS * COLUMNS; e++)
        sum[e] = 0;
    if (p->sums_first || !(fabs(p->beta) > 0))
        return;
    for (int c = 0; c < least(COLUMNS, n); c++)
        for (int r = 0; r < least(ROWS, m); r++)
            sum[r + ROWS * c] = p->beta * C[r + p->ldc * c];
}

static void end_tile(const struct product *p, double *C, int m, int n, const double *sum)
{
    for (int c = 0; c < least(COLUMNS, n); c++)
        for (int r = 0; r < least(ROWS, m); r++) {
            double *const to = &C[r + p->ldc * c];
            const double s = sum[r + ROWS * c];
            *to = !p->sums_first ? s : fabs(p->beta) > 0 ? p->alpha * s + p->beta * *to : p->alpha * s;
        }
}

/* One block of C from (i, j) on. */
static void block_product(const struct product *p, int i, int j)
{
    static _Thread_local double a[BLOCK * DEEP], b[WIDE * DEEP], sum[WIDE * BLOCK];
    const int m = least(BLOCK, p->m - i), n = least(WIDE, p->n - j);
    double *const C = p->C + i + p->ldc * j;
    const bool wide = has_avx2();
    for (int c = 0; c < n; c += COLUMNS)
        for (int r = 0; r < m; r += ROWS)
            begin_tile(p, C + r + p->ldc * c, m - r, n - c, sum + BLOCK * c + COLUMNS * r);
    for (int l = 0; l < p->k; l += DEEP) {
        const int deep = least(DEEP, p->k - l);
        pack(p->A, i, l, m, deep, ROWS, 1, a);
        pack(transposed(p->B), j, l, n, deep, COLUMNS, p->sums_first ? 1 : p->alpha, b);
        for (int c = 0; c < n; c += COLUMNS)
            for (int r = 0; r < m; r += ROWS)
                (wide ? add_products_avx2 : add_products_anywhere)(deep, a + r * deep, b + c * deep,
                                                                   sum + BLOCK * c + COLUMNS * r);
    }
    for (int c = 0; c < n; c += COLUMNS)
        for (int r = 0; r < m; r += ROWS)
            end_tile(p, C + r + p->ldc * c, m - r, n - c, sum + BLOCK * c + COLUMNS * r);
}

static bool is_transposed(const char *trans)
{
    return *trans != 'N' && *trans != 'n';
}

EXPORTED void dgemm_(const char *trans_a, const char *trans_b, const int *m, const int *n, const int *k,
                     const double *alpha, const double *A, const int *lda, const double *B, const int *ldb,
                     const double *beta, double *C, const int *ldc)
{
    const bool has_product = fabs(*alpha) > 0 || isnan(*alpha);
    struct product p = { view_of(A, *lda, is_transposed(trans_a)),
                         view_of(B, *ldb, is_transposed(trans_b)),
                         C,
                         *ldc,
                         *m,
                         *n,
                         has_product ? *k : 0,
                         *alpha,
                         *beta,
                         is_transposed(trans_a) && has_product };
    if (p.k == 0 && !(*beta < 1) && !(*beta > 1))
        return;
    if ((double)p.m * p.n * p.k <= FEW) {
        few_products(&p);
        return;
    }
    for (int j = 0; j < p.n; j += WIDE)
        for (int i = 0; i < p.m; i += BLOCK)
            block_product(&p, i, j);
}

/* --- Cholesky factors ---------------------------------------------------------------------------------------- */

/* B := inverse of R' times B, R [m x m] above the diagonal, m <= PANEL, B [m x n]. */
static void solve_transposed(int m, int n, const double *R, double *B, ptrdiff_t ld)
{
    static _Thread_local double x[PANEL * PANEL];
    for (int first = 0; first < n; first += PANEL) {
        const int here = least(PANEL, n - first);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < PANEL; j++)
                x[PANEL * i + j] = j < here ? B[i + ld * (first + j)] : 0;
        (has_avx2() ? solve_rows_avx2 : solve_rows_anywhere)(m, R, ld, x);
        for (int j = 0; j < here; j++)
            for (int i = 0; i < m; i++)
                B[i + ld * (first + j)] = x[PANEL * i + j];
    }
}

/* C := C - A B on and beside the diagonal on one side of it, C [n x n], n <= PANEL: one of A and B is the other
 * one's transpose. */
static void subtract_square(bool upper, struct view A, struct view B, int n, int k, double *C, ptrdiff_t ld)
{
    static _Thread_local double whole[PANEL * PANEL];
    const struct product p = { A, B, whole, PANEL, n, n, k, -1, 1, upper };
    for (int col = 0; col < n; col++)
        for (int row = 0; row < n; row++)
            whole[row + PANEL * col] = C[row + ld * col];
    block_product(&p, 0, 0);
    for (int col = 0; col < n; col++)
        for (int row = upper ? 0 : col; row < (upper ? col + 1 : n); row++)
            C[row + ld * col] = whole[row + PANEL * col];
}

EXPORTED void dpotrf_(const char *uplo, const int *n, double *A, const int *lda, int *info)
{
    const bool upper = *uplo == 'U' || *uplo == 'u';
    const double one = 1, minus = -1;
    const ptrdiff_t ld = *lda;
    *info = 0;
    if (*n <= PANEL) {
        dpotrf2_(uplo, n, A, lda, info, 1);
        return;
    }
    for (int j = 0; j < *n; j += PANEL) {
        const int here = least(PANEL, *n - j), rest = *n - j - here;
        double *const diagonal = A + j + ld * j, *const above = A + ld * j, *const left = A + j;
        const struct view before = view_of(upper ? above : left, *lda, upper);
        subtract_square(upper, before, transposed(before), here, j, diagonal, ld);
        dpotrf2_(uplo, &here, diagonal, lda, info, 1);
        if (*info != 0) {
            *info += j;
            return;
        }
        if (rest == 0)
            return;
        if (upper) {
            dgemm_("T", "N", &here, &rest, &j, &minus, above, lda, above + ld * here, lda, &one,
                   diagonal + ld * here, lda);
            solve_transposed(here, rest, diagonal, diagonal + ld * here, ld);
        } else {
            dgemm_("N", "T", &rest, &here, &j, &minus, left + here, lda, left, lda, &one, diagonal + here, lda);
            dtrsm_("R", "L", "T", "N", &rest, &here, &one, diagonal, lda, diagonal + here, lda, 1, 1, 1, 1);
        }
    }
}
