#include "core/simulation/dense.h"

#include <lapacke.h>

#include <math.h>
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

static void swap(double *a, double *b)
{
    const double c = *a;
    *a = *b;
    *b = c;
}

/* Gauss with partial pivoting; false when a pivot says singular. */
static bool eliminate(int n, double *A, double *b)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i + k * n]) > fabs(A[p + k * n]))
                p = i;
        if (!(fabs(A[p + k * n]) > SINGULAR))
            return false;
        for (int j = k; j < n && p != k; j++)
            swap(&A[k + j * n], &A[p + j * n]);
        swap(&b[k], &b[p]);
        for (int i = k + 1; i < n; i++) {
            const double factor = A[i + k * n] / A[k + k * n];
            for (int j = k + 1; j < n; j++)
                A[i + j * n] -= factor * A[k + j * n];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            b[k] -= A[k + j * n] * b[j];
        b[k] /= A[k + k * n];
    }
    return true;
}

static double residual(int n, const double *A, const double *b, const double *z)
{
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double sum = -b[i];
        for (int j = 0; j < n; j++)
            sum += A[i + j * n] * z[j];
        if (!(fabs(sum) <= worst) && !isnan(worst))             /* a NaN stays */
            worst = fabs(sum);
    }
    return worst;
}

double dense_solve(struct dense *dense, int n, const double *A, const double *b, const double *weight, double *z,
                   bool *is_redundant)
{
    *is_redundant = false;
    if (n == 0)
        return 0;
    scale_system(dense, n, A, b, weight);
    if (!eliminate(n, dense->A, dense->b)) {
        int rank;
        *is_redundant = true;
        scale_system(dense, n, A, b, weight);
        for (int i = 0; i < n; i++)
            if (!isfinite(dense->b[i]))
                return NAN;
        memset(dense->pivot, 0, (size_t)n * sizeof *dense->pivot);
        (void)LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, n, n, 1, dense->A, n, dense->b, n, dense->pivot, SINGULAR,
                                  &rank, dense->work, dense->lwork);
    }
    for (int j = 0; j < n; j++)
        z[j] = dense->b[j] * dense->scale[j];
    return residual(n, A, b, z);
}

void dense_least_change(struct dense *dense, int n, int n_x, const double *C, const double *d, double *dx)
{
    bool is_redundant;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n_x; k++)
                sum += C[i + k * n] * C[j + k * n];
            dense->gram[i + j * n] = sum;
        }
    (void)dense_solve(dense, n, dense->gram, d, NULL, dense->y, &is_redundant);
    for (int k = 0; k < n_x; k++) {
        dx[k] = 0;
        for (int i = 0; i < n; i++)
            dx[k] += C[i + k * n] * dense->y[i];
    }
}

bool dense_factor(int n, double *M)
{
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            for (int i = j; i < n; i++)
                M[i + j * n] -= M[i + k * n] * M[j + k * n];
        if (!(M[j + j * n] > 0))
            return false;
        const double root = sqrt(M[j + j * n]);
        for (int i = j; i < n; i++)
            M[i + j * n] /= root;
    }
    return true;
}

void dense_back(int n, const double *L, double *b)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            b[i] -= L[i + k * n] * b[k];
        b[i] /= L[i + i * n];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            b[i] -= L[k + i * n] * b[k];
        b[i] /= L[i + i * n];
    }
}
