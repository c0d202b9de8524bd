#include "core/simulation/stiff.h"

#include <complex.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { S = COLLOCATION_STAGES, PAIRS = STIFF_PAIRS, ROUNDS_MAX = 25 };

/* --- A^-1 and its eigenvectors ------------------------------------------------------------------------------- */

static void invert(struct stiff *stiff)
{
    lapack_int pivot[S];
    memcpy(stiff->a_inverse, stiff->radau.a, sizeof stiff->a_inverse);
    (void)LAPACKE_dgetrf(LAPACK_ROW_MAJOR, S, S, &stiff->a_inverse[0][0], S, pivot);
    (void)LAPACKE_dgetri(LAPACK_ROW_MAJOR, S, &stiff->a_inverse[0][0], S, pivot);
}

/* Of right and left eigenvectors v and y. Each complex pair has two columns, the real
 * part and the imaginary one. */
static void take_pair(struct stiff *stiff, int k, const double v[S][S], const double y[S][S], int column)
{
    double complex product = 0;
    for (int i = 0; i < S; i++) {
        stiff->from[i][k] = v[i][column] + I * v[i][column + 1];
        stiff->to[k][i] = y[i][column] - I * y[i][column + 1];
        product += stiff->to[k][i] * stiff->from[i][k];
    }
    for (int i = 0; i < S; i++)
        stiff->to[k][i] /= product;
}

/* The number of stages is even, so that no eigenvalue is real (HW IV.5). */
static void find_eigenvectors(struct stiff *stiff)
{
    double A[S][S], re[S], im[S], left[S][S], right[S][S];
    memcpy(A, stiff->a_inverse, sizeof A);
    (void)LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'V', 'V', S, &A[0][0], S, re, im, &left[0][0], S, &right[0][0], S);
    for (int k = 0; k < PAIRS; k++) {
        stiff->root[k] = re[2 * k] + I * im[2 * k];
        take_pair(stiff, k, (const double(*)[S])right, (const double(*)[S])left, 2 * k);
    }
}

void stiff_init(struct stiff *stiff, int n, double *K, double *X)
{
    *stiff = (struct stiff){ .n = n, .K = K, .X = X };
}

/* Most runs have nothing stiff. */
static void prepare(struct stiff *stiff, struct arena *mem)
{
    const size_t n = (size_t)stiff->n;
    collocation_radau(&stiff->radau);
    invert(stiff);
    find_eigenvectors(stiff);
    stiff->J = arena_alloc(mem, n * n, sizeof(double));
    stiff->power = arena_alloc(mem, n * n, sizeof(double));
    stiff->product = arena_alloc(mem, n * n, sizeof(double));
    stiff->near = arena_alloc(mem, n * n, sizeof(double));
    stiff->t = arena_alloc(mem, n + S, sizeof(double));
    stiff->g = arena_alloc(mem, S * n, sizeof(double));
    stiff->LU = arena_alloc(mem, PAIRS * n * n, sizeof *stiff->LU);
    stiff->W = arena_alloc(mem, PAIRS * n, sizeof *stiff->W);
    stiff->pivot = arena_alloc(mem, PAIRS * n, sizeof *stiff->pivot);
    stiff->row = arena_alloc(mem, n, sizeof *stiff->row);
}

/* --- J ------------------------------------------------------------------------------------------------------- */

static bool differentiate(struct stiff *stiff, struct flow *flow, const struct mode *mode, double t, double h,
                          const double *x)
{
    const int n = stiff->n;
    stiff->why = flow_eval(flow, mode, t, x);
    if (stiff->why != FLOW_OK)
        return false;
    memcpy(stiff->g, flow->dx, (size_t)n * sizeof *x);
    for (int k = 0; k < n; k++) {
        double *near = &stiff->near[k * n];
        memcpy(near, x, (size_t)n * sizeof *x);
        near[k] += sqrt(DBL_EPSILON) * fmax(fabs(x[k]), fmin(1, fmax(1e-3, h * fabs(flow->dx[k]))));
        stiff->t[k] = t;
    }
    system_ahead(flow->sys, n, stiff->t, stiff->near);
    for (int k = 0; k < n; k++) {
        const double *near = &stiff->near[k * n];
        stiff->why = flow_eval(flow, mode, t, near);
        if (stiff->why != FLOW_OK)
            return false;
        for (int i = 0; i < n; i++)
            stiff->J[i + k * n] = (flow->dx[i] - stiff->g[i]) / (near[k] - x[k]);
    }
    return true;
}

/* A power is nearer to the fastest rate than J itself, whose size depends on the units. */
static double fastest_rate(struct stiff *stiff)
{
    const int n = stiff->n;
    double most = 0;
    dense_multiply(n, stiff->J, stiff->J, stiff->power, stiff->row);
    dense_multiply(n, stiff->power, stiff->power, stiff->product, stiff->row);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += fabs(stiff->product[i + k * n]);
        most = fmax(most, sum);
    }
    return pow(most, 0.25);
}

/* --- Newton's method ----------------------------------------------------------------------------------------- */

static bool factor(struct stiff *stiff)
{
    const int n = stiff->n;
    for (int k = 0; k < PAIRS; k++) {
        double complex *LU = &stiff->LU[k * n * n];
        for (int i = 0; i < n * n; i++)
            LU[i] = (i % (n + 1) == 0 ? stiff->root[k] / stiff->h : 0) - stiff->J[i];
        if (LAPACKE_zgetrf(LAPACK_COL_MAJOR, n, n, (lapack_complex_double *)LU, n, &stiff->pivot[k * n]) != 0)
            return false;
    }
    return true;
}

static void solve_pair(struct stiff *stiff, int k)
{
    const int n = stiff->n;
    (void)LAPACKE_zgetrs(LAPACK_COL_MAJOR, 'N', n, 1, (const lapack_complex_double *)&stiff->LU[k * n * n], n,
                         &stiff->pivot[k * n], (lapack_complex_double *)&stiff->W[k * n], n);
}

/* K = A^-1 (X - x)/h. */
static void find_slopes(struct stiff *stiff, const double *x)
{
    const int n = stiff->n;
    for (int i = 0; i < S; i++)
        for (int k = 0; k < n; k++) {
            double sum = 0;
            for (int j = 0; j < S; j++)
                sum += stiff->a_inverse[i][j] * (stiff->X[j * n + k] - x[k]);
            stiff->K[i * n + k] = sum / stiff->h;
        }
}

/* g = f(X) - K. */
static bool find_defect(struct stiff *stiff, struct flow *flow, const struct mode *mode)
{
    const int n = stiff->n;
    const double *t = stiff->t + n;
    system_ahead(flow->sys, S, t, stiff->X);
    for (int j = 0; j < S; j++) {
        stiff->why = flow_eval(flow, mode, t[j], &stiff->X[j * n]);
        if (stiff->why != FLOW_OK)
            return false;
        for (int k = 0; k < n; k++)
            stiff->g[j * n + k] = flow->dx[k] - stiff->K[j * n + k];
    }
    return true;
}

/* X += dX; its largest change, relative to its tolerance: INFINITY where there is none. */
static double correct(struct stiff *stiff, const double *x, double rtol, double atol)
{
    const int n = stiff->n;
    double change = 0;
    for (int k = 0; k < PAIRS; k++) {
        double complex *W = &stiff->W[k * n];
        memset(W, 0, (size_t)n * sizeof *W);
        for (int j = 0; j < S; j++)
            for (int i = 0; i < n; i++)
                W[i] += stiff->to[k][j] * stiff->g[j * n + i];
        solve_pair(stiff, k);
    }
    for (int j = 0; j < S; j++)
        for (int i = 0; i < n; i++) {
            double moves = 0;
            for (int k = 0; k < PAIRS; k++)
                moves += 2 * creal(stiff->from[j][k] * stiff->W[k * n + i]);
            double *X = &stiff->X[j * n + i];
            const double size = fmax(fabs(*X), fabs(x[i]));
            if (!isfinite(moves))
                return INFINITY;
            change = fmax(change, (fabs(moves) - 4 * DBL_EPSILON * size) / (atol + rtol * size));
            *X += moves;
        }
    return change;
}

int stiff_find(struct stiff *stiff, struct arena *mem, struct flow *flow, const struct mode *mode, double t,
               double h, const double *x, double rtol, double atol)
{
    const int n = stiff->n;
    double before = INFINITY;
    stiff->h = h;
    if (!stiff->J)
        prepare(stiff, mem);
    if (!differentiate(stiff, flow, mode, t, h, x))
        return 0;
    stiff->fastest = fastest_rate(stiff);
    if (!isfinite(stiff->fastest) || !factor(stiff))
        return 0;
    for (int j = 0; j < S; j++) {
        stiff->t[n + j] = t + stiff->radau.c[j] * h;
        memcpy(&stiff->X[j * n], x, (size_t)n * sizeof *x);
    }
    for (int round = 1; round <= ROUNDS_MAX; round++) {
        find_slopes(stiff, x);
        if (!find_defect(stiff, flow, mode))
            return 0;
        const double change = correct(stiff, x, rtol, atol), rate = fmin(change / before, 0.9);
        const bool is_met = change == 0 || (round > 1 && change * rate < 1e-3 * (1 - rate));
        if (is_met || (round > 3 && change < 1 && change > 0.5 * before)) {     /* to rounding */
            find_slopes(stiff, x);
            return round;
        }
        if (!isfinite(change) || (round > 3 && change > 0.8 * before))
            return 0;
        before = change;
    }
    return 0;
}

void stiff_damp(struct stiff *stiff, double *defect)
{
    const int n = stiff->n;
    int k = 0;
    for (int i = 1; i < PAIRS; i++)
        if (fabs(cimag(stiff->root[i])) < fabs(cimag(stiff->root[k])))
            k = i;
    for (int i = 0; i < n; i++)
        stiff->W[k * n + i] = stiff->root[k] / stiff->h * defect[i];
    solve_pair(stiff, k);
    for (int i = 0; i < n; i++)
        defect[i] = cabs(stiff->W[k * n + i]);
}
