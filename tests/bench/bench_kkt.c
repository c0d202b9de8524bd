/* tests/bench/bench_kkt.c - core/kkt against MUMPS on the linear systems that IPOPT has of our problems
 *
 *   bench_kkt [SPEC...]           default: ten problems of problems/
 *
 * Each problem is solved until sigma is small, or for a number of factorizations; of the first and of the last
 * relaxation one system is taken (kkt_matrices.h). MUMPS has the settings of core/nlp/mumps.h, ordered by AMD, as
 * IPOPT would have it, and by SCOTCH. Seconds of the processor, the least of many runs that take turns. Both solve
 * for the right-hand side A (1, ..., 1)'; core/kkt refines and measures its residual in its time, MUMPS does not.
 */
#define _POSIX_C_SOURCE 200809L
#include "tests/bench/kkt_matrices.h"

#include "core/nlp/mumps.h"

#include <cblas.h>

#include <stdio.h>
#include <time.h>

#define SIGMA_ENOUGH 1e-6
#define SECONDS 0.4                 /* for each matrix and way */
#define AIM_EACH 5.0                /* factorizations, against MUMPS by AMD, of 1,000 to 10,000 rows */
#define AIM_MEAN 8.0
#define RESIDUAL_AIM 1e-10
enum { N_MOST = 5000, ROUNDS_MIN = 5 };

/* Of this process: others may share the machine. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* --- The reference: dgemm ------------------------------------------------------------------------------------ */

/* Gflop/s of C := C - A B of n x n. */
static double dgemm_speed(int n)
{
    const size_t size = (size_t)n * (size_t)n;
    double *A = mem_alloc(3 * size, sizeof *A), best = INFINITY;
    for (size_t k = 0; k < 2 * size; k++)
        A[k] = 1.0 / (1.0 + (double)(k % 97));
    const int calls = 1 + (int)(2e6 / ((double)size * n));
    for (double start = seconds(); seconds() - start < SECONDS;) {
        const double from = seconds();
        for (int call = 0; call < calls; call++)
            cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, n, -1.0, A, n, A + size, n, 1.0,
                        A + 2 * size, n);
        best = least(best, (seconds() - from) / calls);
    }
    free(A);
    return 2e-9 * (double)size * n / best;
}

/* --- One matrix ---------------------------------------------------------------------------------------------- */

struct times {
    double factorize, solve;        /* s */
};

struct measured {
    struct times own, amd, scotch;
    struct kkt_size size;
    int negative, negative_amd, zero, uncertain;
    double residual, residual_amd;
};

static void multiply(const struct matrix *matrix, const double *x, double *y)
{
    memset(y, 0, (size_t)matrix->n * sizeof *y);
    for (int k = 0; k < matrix->n_entry; k++) {
        const int i = matrix->row[k], j = matrix->col[k];
        y[i] += matrix->val[k] * x[j];
        if (i != j)
            y[j] += matrix->val[k] * x[i];
    }
}

static void make_rhs(const struct matrix *matrix, double *b)
{
    double *one = mem_alloc((size_t)matrix->n, sizeof *one);
    for (int i = 0; i < matrix->n; i++)
        one[i] = 1.0;
    multiply(matrix, one, b);
    free(one);
}

static double norm(int n, const double *x)
{
    double out = 0.0;
    for (int i = 0; i < n; i++)
        out = fmax(out, fabs(x[i]));
    return out;
}

/* |b - A x| / |b| in the largest norm. */
static double residual_of(const struct matrix *matrix, const double *x, const double *b)
{
    double *r = mem_alloc((size_t)matrix->n, sizeof *r);
    multiply(matrix, x, r);
    for (int i = 0; i < matrix->n; i++)
        r[i] = b[i] - r[i];
    const double out = norm(matrix->n, r) / norm(matrix->n, b);
    free(r);
    return out;
}

static void time_own(struct kkt *kkt, const struct matrix *matrix, double *x, struct times *times)
{
    const double start = seconds();
    kkt_factorize(kkt, matrix->val, KKT_THRESHOLD, KKT_ANY_INERTIA);
    const double between = seconds();
    kkt_solve(kkt, x);
    times->factorize = least(times->factorize, between - start);
    times->solve = least(times->solve, seconds() - between);
}

static int time_mumps(struct mumps *mumps, const struct matrix *matrix, double *x, struct times *times)
{
    int negative;
    const double start = seconds();
    mumps_factorize(mumps, matrix->val, KKT_THRESHOLD, &negative);
    const double between = seconds();
    mumps_solve(mumps, x);
    times->factorize = least(times->factorize, between - start);
    times->solve = least(times->solve, seconds() - between);
    return negative;
}

/* Row and column as Fortran counts them. */
static int *one_based(int n, const int *index)
{
    int *out = mem_alloc((size_t)n, sizeof *out);
    for (int k = 0; k < n; k++)
        out[k] = index[k] + 1;
    return out;
}

static struct measured measure(const struct matrix *matrix)
{
    const struct times never = { INFINITY, INFINITY };
    struct measured m = { .own = never, .amd = never, .scotch = never };
    const size_t bytes = (size_t)matrix->n * sizeof(double);
    double *b = mem_alloc(1, bytes), *x = mem_alloc(1, bytes), *x_amd = mem_alloc(1, bytes);
    int *row = one_based(matrix->n_entry, matrix->row), *col = one_based(matrix->n_entry, matrix->col);
    struct kkt *kkt = kkt_create(matrix->n, matrix->n_entry, matrix->row, matrix->col);
    struct mumps *amd = mumps_create(matrix->n, matrix->n_entry, row, col, MUMPS_AMD);
    struct mumps *scotch = mumps_create(matrix->n, matrix->n_entry, row, col, MUMPS_SCOTCH);
    make_rhs(matrix, b);
    const double start = seconds();
    for (int round = 0; round < ROUNDS_MIN || seconds() - start < 3 * SECONDS; round++) {
        memcpy(x, b, bytes);
        time_mumps(scotch, matrix, x, &m.scotch);
        memcpy(x_amd, b, bytes);
        m.negative_amd = time_mumps(amd, matrix, x_amd, &m.amd);
        memcpy(x, b, bytes);
        time_own(kkt, matrix, x, &m.own);
    }
    m.residual = residual_of(matrix, x, b);
    m.residual_amd = residual_of(matrix, x_amd, b);
    m.size = kkt_size(kkt);
    m.negative = kkt_inertia(kkt).negative;
    m.zero = kkt_inertia(kkt).zero;
    m.uncertain = kkt_inertia(kkt).uncertain;
    kkt_free(kkt);
    mumps_free(amd);
    mumps_free(scotch);
    free(b);
    free(x);
    free(x_amd);
    free(row);
    free(col);
    return m;
}

/* --- The table ----------------------------------------------------------------------------------------------- */

struct judged {
    int n, n_slow, n_inertia, n_residual;
    double sum_log, sum_log_scotch;
};

static void print_head(void)
{
    printf("dgemm of the linked BLAS: %.2f Gflop/s with 40 x 40, %.2f with 400 x 400\n\n", dgemm_speed(40),
           dgemm_speed(400));
    printf("%-20s %6s %6s %6s %6s | %-23s | %-19s | %-11s | %6s | %-13s |\n", "", "", "", "", "", "ms to factorize",
           "ms to solve", "times ours", "", "residual");
    printf("%-20s %6s %6s %6s %6s | %7s %7s %7s | %6s %6s %5s | %5s %5s | %6s | %6s %6s | %s\n", "problem, sigma",
           "rows", "Mflop", "delays", "2 x 2", "ours", "AMD", "SCOTCH", "ours", "AMD", "SC.", "AMD", "SC.", "Gfl/s",
           "ours", "AMD", "negative");
}

static void print_row(const char *name, const struct matrix *matrix, const struct measured *m)
{
    char title[64];
    if (isnan(matrix->sigma))
        snprintf(title, sizeof title, "%s", name);
    else
        snprintf(title, sizeof title, "%s %.0e", name, matrix->sigma);
    printf("%-20s %6d %6.3f %6d %6d | ", title, matrix->n, 1e-6 * m->size.flops, m->size.n_delayed,
           m->size.n_two_by_two);
    printf("%7.3f %7.3f %7.3f | ", 1e3 * m->own.factorize, 1e3 * m->amd.factorize, 1e3 * m->scotch.factorize);
    printf("%6.3f %6.3f %5.3f | ", 1e3 * m->own.solve, 1e3 * m->amd.solve, 1e3 * m->scotch.solve);
    printf("%5.1f %5.1f | ", m->amd.factorize / m->own.factorize, m->scotch.factorize / m->own.factorize);
    printf("%6.2f | %6.0e %6.0e | ", 1e-9 * m->size.flops / m->own.factorize, m->residual, m->residual_amd);
    printf("%d", m->negative);
    if (m->negative != m->negative_amd)
        printf(", MUMPS %d; %d zero, %d uncertain", m->negative_amd, m->zero, m->uncertain);
    putchar('\n');
    fflush(stdout);
}

static void judge(const struct matrix *matrix, const struct measured *m, struct judged *judged)
{
    const double ratio = m->amd.factorize / m->own.factorize;
    judged->n_inertia += m->negative != m->negative_amd && m->zero + m->uncertain == 0;
    judged->n_residual += !(m->residual <= RESIDUAL_AIM);
    if (matrix->n < 1000 || matrix->n > 10000)
        return;
    judged->n++;
    judged->n_slow += ratio < AIM_EACH;
    judged->sum_log += log(ratio);
    judged->sum_log_scotch += log(m->scotch.factorize / m->own.factorize);
}

static void print_judged(const struct judged *judged)
{
    const double mean = exp(judged->sum_log / judged->n), mean_scotch = exp(judged->sum_log_scotch / judged->n);
    printf("\n%d matrices of 1,000 to 10,000 rows: geometric mean %.2f times AMD (aim: %g%s), %.2f times SCOTCH; "
           "%d below %g times AMD\n", judged->n, mean, AIM_MEAN, mean >= AIM_MEAN ? "" : ", missed", mean_scotch,
           judged->n_slow, AIM_EACH);
    printf("%d with another inertia than MUMPS, though no pivot is uncertain; %d with a residual above %g\n\n",
           judged->n_inertia, judged->n_residual, RESIDUAL_AIM);
}

static void run_matrix(const char *name, const struct matrix *matrix, struct judged *judged)
{
    const struct measured m = measure(matrix);
    print_row(name, matrix, &m);
    judge(matrix, &m, judged);
}

/* problems/hopper.yaml is hopper. */
static void make_name(const char *spec, char *name, size_t size)
{
    const char *slash = strrchr(spec, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : spec);
    name[strcspn(name, ".")] = '\0';
}

static void run_problem(const char *spec, struct judged *judged)
{
    char name[48];
    struct pair pair;
    make_name(spec, name, sizeof name);
    if (pair_take(spec, NULL, 0, SIGMA_ENOUGH, N_MOST, &pair)) {
        if (pair.early.n == pair.late.n && pair.early.sigma != pair.late.sigma)
            run_matrix(name, &pair.early, judged);
        run_matrix(name, &pair.late, judged);
    }
    pair_free(&pair);
}

/* --- Time against the number of intervals -------------------------------------------------------------------- */

static void run_lengths(const char *spec)
{
    static const char *const intervals[] = { "30", "100", "300", "1000" };
    enum { FEW = 12 };              /* factorizations, then a matrix is typical enough */
    printf("%s by intervals: microseconds per interval to factorize, ours and MUMPS by AMD\n", spec);
    for (size_t k = 0; k < sizeof intervals / sizeof intervals[0]; k++) {
        const struct spec_override override = { "time.intervals", intervals[k] };
        const double n = atof(intervals[k]);
        struct pair pair;
        if (pair_take(spec, &override, 1, 0.0, FEW, &pair)) {
            const struct measured m = measure(&pair.late);
            printf("%6s %8d rows %8.2f %8.2f, %.4f Mflop, %d delays\n", intervals[k], pair.late.n,
                   1e6 * m.own.factorize / n, 1e6 * m.amd.factorize / n, 1e-6 * m.size.flops / n,
                   m.size.n_delayed);
            fflush(stdout);
        }
        pair_free(&pair);
    }
}

int main(int argc, char **argv)
{
    static const char *const usual[] = { "turbo_car", "cart_pole", "sliding_mode", "voice_coil", "tf_ex5",
                                         "discs",     "pushing",   "three_boxes",  "hopper",     "three_carts" };
    struct judged judged = { 0 };
    print_head();
    for (int k = 1; k < argc; k++)
        run_problem(argv[k], &judged);
    for (size_t k = 0; argc == 1 && k < sizeof usual / sizeof usual[0]; k++) {
        char spec[64];
        snprintf(spec, sizeof spec, "problems/%s.yaml", usual[k]);
        run_problem(spec, &judged);
    }
    print_judged(&judged);
    if (argc == 1) {
        run_lengths("problems/turbo_car.yaml");
        run_lengths("problems/cart_pole.yaml");
    }
    return 0;
}
