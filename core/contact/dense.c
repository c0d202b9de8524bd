#include "core/contact/dense.h"

#include <lapacke.h>

#include <string.h>

static const double SINGULAR = 1e-11;   /* pivot relative to the largest entry, which scaling makes 1 */

void dense_init(struct dense *dense, struct arena *mem, int n_max)
{
    const size_t n = (size_t)n_max;
    dense->n_max = n_max;
    dense->lwork = 100 + 20 * n_max;                            /* dgelsy wants 4 n + 1, more for its blocks */
    dense->A = arena_alloc(mem, n * n, sizeof(double));
    dense->gram = arena_alloc(mem, n * n, sizeof(double));
    dense->y = arena_alloc(mem, n, sizeof(double));
    dense->b = arena_alloc(mem, n, sizeof(double));
    dense->scale = arena_alloc(mem, n, sizeof(double));
    dense->row_scale = arena_alloc(mem, n, sizeof(double));
    dense->work = arena_alloc(mem, (size_t)dense->lwork, sizeof(double));
    dense->pivot = arena_alloc(mem, n, sizeof(int));
}

/* The scaled system: rows, then columns of largest entry 1, columns times their weight. */
static void scale_system(struct dense *dense, int n, const double *A, const double *b, const double *weight)
{
    for (int j = 0; j < n; j++)
        dense->scale[j] = weight ? weight[j] : 1;
    for (int i = 0; i < n; i++) {
        double most = 0;
        for (int j = 0; j < n; j++)
            most = fmax(most, fabs(A[i + j * n]) * dense->scale[j]);
        dense->row_scale[i] = most > 0 ? 1 / most : 1;
        dense->b[i] = b[i] * dense->row_scale[i];
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            dense->A[i + j * n] = A[i + j * n] * dense->scale[j] * dense->row_scale[i];
}

static void exchange(double *a, double *b)
{
    const double t = *a;
    *a = *b;
    *b = t;
}

static int largest_below(int n, const double *column, int k)
{
    int row = k;
    for (int i = k + 1; i < n; i++)
        if (fabs(column[i]) > fabs(column[row]))
            row = i;
    return row;
}

/* Gauss with partial pivoting, in plain loops: for a few unknowns LAPACK's calls take several times as long as the
 * arithmetic. False when a pivot says singular. */
static bool eliminate(struct dense *dense, int n)
{
    double *const A = dense->A, *const b = dense->b;
    for (int k = 0; k < n; k++) {
        double *K = A + k * n;
        const int row = largest_below(n, K, k);
        if (!(fabs(K[row]) > SINGULAR))
            return false;
        for (int j = 0; j < n && row != k; j++)
            exchange(&A[k + j * n], &A[row + j * n]);
        exchange(&b[k], &b[row]);
        const double inverse = 1 / K[k];
        for (int i = k + 1; i < n; i++) {
            K[i] *= inverse;
            b[i] -= K[i] * b[k];
        }
        for (int j = k + 1; j < n; j++)
            for (int i = k + 1; i < n; i++)
                A[i + j * n] -= K[i] * A[k + j * n];
    }
    for (int k = n - 1; k >= 0; k--) {
        b[k] /= A[k + k * n];
        for (int i = 0; i < k; i++)
            b[i] -= A[i + k * n] * b[k];
    }
    return true;
}

/* left [n] = A z - b; returns the largest entry. */
static double residual(int n, const double *A, const double *b, const double *z, double *left)
{
    for (int i = 0; i < n; i++) {
        left[i] = -b[i];
        for (int j = 0; j < n; j++)
            left[i] += A[i + j * n] * z[j];
    }
    return dense_largest(n, left);
}

double dense_solve(struct dense *dense, int n, const double *A, const double *b, const double *weight, double *z,
                   bool *is_redundant)
{
    *is_redundant = false;
    if (n == 0)
        return 0;
    scale_system(dense, n, A, b, weight);
    if (!eliminate(dense, n)) {
        int rank;
        *is_redundant = true;
        scale_system(dense, n, A, b, weight);
        if (!dense_is_finite(n, dense->b))
            return NAN;
        memset(dense->pivot, 0, (size_t)n * sizeof *dense->pivot);
        (void)LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, n, n, 1, dense->A, n, dense->b, n, dense->pivot, SINGULAR,
                                  &rank, dense->work, dense->lwork);
    }
    for (int j = 0; j < n; j++)
        z[j] = dense->b[j] * dense->scale[j];
    return residual(n, A, b, z, dense->b);
}

void dense_least_change(struct dense *dense, int n, int n_x, const double *C, const double *d, double *dx)
{
    bool is_redundant;
    dense_product(n_x, n, C, C, dense->gram);
    (void)dense_solve(dense, n, dense->gram, d, NULL, dense->y, &is_redundant);
    for (int k = 0; k < n_x; k++) {
        dx[k] = 0;
        for (int i = 0; i < n; i++)
            dx[k] += C[k + i * n_x] * dense->y[i];
    }
}

/* Cholesky in plain loops: for the few velocities of a model LAPACK's calls cost more than the arithmetic, and a
 * simulation of two balls takes 45 % longer with dpotrf. What is 0 in a column is left out: masses that do not
 * know of each other cost no arithmetic. */
bool dense_factor(int n, double *M)
{
    for (int k = 0; k < n; k++) {
        double *K = M + k * n;
        if (!(K[k] > 0))
            return false;
        const double root = sqrt(K[k]);
        for (int i = k; i < n; i++)
            K[i] /= root;
        for (int j = k + 1; j < n; j++)
            for (int i = j; i < n && K[j] != 0; i++)
                M[i + j * n] -= K[i] * K[j];
    }
    return true;
}

enum { TOGETHER = 4 };              /* sums that are made side by side: the terms of one wait for each other */

/* M^-1 b of one right side, forward and backward: what stands together in memory is taken together. */
static void back_one(int n, const double *L, double *b)
{
    for (int j = 0; j < n; j++) {
        if (b[j] == 0)
            continue;
        b[j] /= L[j + j * n];
        for (int i = j + 1; i < n; i++)
            b[i] -= L[i + j * n] * b[j];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= L[j + i * n] * b[j];
        b[i] /= L[i + i * n];
    }
}

/* The same of TOGETHER right sides, operation by operation as of each alone. */
static void back_together(int n, const double *restrict L, double *restrict b0, double *restrict b1,
                          double *restrict b2, double *restrict b3)
{
    for (int j = 0; j < n; j++) {
        if (b0[j] == 0 && b1[j] == 0 && b2[j] == 0 && b3[j] == 0)
            continue;
        const double *column = L + j * n;
        const double y0 = b0[j] /= column[j], y1 = b1[j] /= column[j];
        const double y2 = b2[j] /= column[j], y3 = b3[j] /= column[j];
        for (int i = j + 1; i < n; i++) {
            b0[i] -= column[i] * y0;
            b1[i] -= column[i] * y1;
            b2[i] -= column[i] * y2;
            b3[i] -= column[i] * y3;
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *column = L + i * n;
        double y0 = b0[i], y1 = b1[i], y2 = b2[i], y3 = b3[i];
        for (int j = i + 1; j < n; j++) {
            y0 -= column[j] * b0[j];
            y1 -= column[j] * b1[j];
            y2 -= column[j] * b2[j];
            y3 -= column[j] * b3[j];
        }
        b0[i] = y0 / column[i];
        b1[i] = y1 / column[i];
        b2[i] = y2 / column[i];
        b3[i] = y3 / column[i];
    }
}

void dense_back(int n, const double *L, int k, double *B)
{
    for (; k >= TOGETHER; k -= TOGETHER, B += TOGETHER * n)
        back_together(n, L, B, B + n, B + 2 * n, B + 3 * n);
    for (; k > 0; k--, B += n)
        back_one(n, L, B);
}

void dense_multiply(int n, const double *A, const double *B, double *C, int *row)
{
    memset(C, 0, (size_t)(n * n) * sizeof *C);
    for (int k = 0; k < n; k++) {
        const double *a = A + k * n;
        int n_row = 0;
        for (int l = 0; l < n; l++)
            if (a[l] != 0)
                row[n_row++] = l;
        const bool is_sparse = 4 * n_row <= n;
        for (int col = 0; col < n; col++) {
            const double b = B[k + col * n];
            double *c = C + col * n;
            for (int l = 0; l < n_row && is_sparse && b != 0; l++)
                c[row[l]] += a[row[l]] * b;
            for (int l = 0; l < n && !is_sparse && b != 0; l++)
                c[l] += a[l] * b;
        }
    }
}

/* Four of J at a time: each sum waits for itself alone. */
void dense_product(int n_q, int n, const double *J, const double *W, double *G)
{
    for (int j = 0; j < n; j++) {
        const double *w = W + j * n_q;
        int i = 0;
        for (; i + TOGETHER <= n; i += TOGETHER) {
            const double *a = J + i * n_q, *b = a + n_q, *c = b + n_q, *d = c + n_q;
            double sum[TOGETHER] = { 0 };
            for (int l = 0; l < n_q; l++) {
                sum[0] += a[l] * w[l];
                sum[1] += b[l] * w[l];
                sum[2] += c[l] * w[l];
                sum[3] += d[l] * w[l];
            }
            memcpy(&G[i + j * n], sum, sizeof sum);
        }
        for (; i < n; i++)
            G[i + j * n] = vec_dot(n_q, J + i * n_q, w);
    }
}

bool dense_delassus(int n_q, const double *M, int n, const double *J, double *W, double *G)
{
    struct arena mem = { 0 };
    double *L = arena_copy(&mem, M, (size_t)n_q * (size_t)n_q, sizeof *L);
    const bool is_definite = dense_factor(n_q, L);
    if (is_definite) {
        memcpy(W, J, (size_t)n_q * (size_t)n * sizeof *W);
        dense_back(n_q, L, n, W);
        dense_product(n_q, n, J, W, G);
    }
    arena_free(&mem);
    return is_definite;
}
