#include "core/nlp/linear_solver.h"

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/stop.h"
#include "core/kkt/kkt.h"
#include "core/nlp/ma27.h"
#include "core/nlp/mumps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ERROR_OK 1e-5               /* of a solve, as kkt_solve measures it; beyond it pivots are chosen with more care, then */
#define CAREFUL 1e-2                /* by this threshold, and where that does not do MUMPS is asked, too */
#define OFTEN 0.05                  /* of the factorizations; then all are MUMPS's */
enum { OFTEN_MIN = 20 };
#define SWAMPED 50                  /* times the flops of the run's cheapest factorization: its fronts are full of delayed pivots; */
enum { SWAMPED_MOST = 20 };         /* so many of these, and the run is */
enum { REMEMBERED = 4 };            /* structures of earlier runs: of a program, and of its restoration, or another one's */

/* MA27's INFO and CNTL, from 0. */
enum { INFO_FLAG = 0, INFO_REALS = 4, INFO_INTS = 5, INFO_NEGATIVE = 14, CNTL_THRESHOLD = 0 };
enum { FLAG_OK = 0, FLAG_SINGULAR = -5, N_INFO = 20, N_ICNTL = 30, N_CNTL = 5, N_WORK = 4 };

/* One pattern that IPOPT has analysed. */
struct matrix {
    struct arena mem;               /* owns the arrays */
    bool in_use;                    /* in this run: there may be factors */
    int n, n_entry;
    int *row, *col;                 /* [n_entry] 1-based, as MUMPS takes them */
    struct kkt *kkt;
    struct mumps *mumps;            /* NULL until it is needed */
    bool by_mumps;                  /* the last factorization */
    bool stopped;                   /* it was given up for its inertia: there are no factors */
    bool careful;                   /* in this run pivots have to be CAREFUL */
    double threshold, least_flops;  /* 0: not known */
    double *b, *trial, *rest;       /* [n] scratch */
};

struct linear_solver {
    int n, n_negative, n_swamped;
    int n_matrix;
    struct matrix **matrix;         /* [n_matrix] the oldest first */
    struct nlp_linear_work work;
};

static _Thread_local struct linear_solver *current;

static struct mumps *mumps_of(struct matrix *matrix)
{
    if (!matrix->mumps)
        matrix->mumps = mumps_create(matrix->n, matrix->n_entry, matrix->row, matrix->col, MUMPS_AMD);
    return matrix->mumps;
}

/* --- Analysis ------------------------------------------------------------------------------------------------ */

static struct matrix *matrix_create(int n, int n_entry, const int *row, const int *col)
{
    struct matrix *matrix = mem_alloc(1, sizeof *matrix);
    struct arena *mem = &matrix->mem;
    const size_t size = (size_t)n_entry;
    matrix->n = n;
    matrix->n_entry = n_entry;
    matrix->row = arena_copy(mem, row, size, sizeof *row);
    matrix->col = arena_copy(mem, col, size, sizeof *col);
    matrix->b = arena_alloc(mem, (size_t)n, sizeof *matrix->b);
    matrix->trial = arena_alloc(mem, (size_t)n, sizeof *matrix->trial);
    matrix->rest = arena_alloc(mem, (size_t)n, sizeof *matrix->rest);
    int *row_0 = mem_alloc(size, sizeof *row_0), *col_0 = mem_alloc(size, sizeof *col_0);      /* from 0 */
    for (int k = 0; k < n_entry; k++) {
        row_0[k] = row[k] - 1;
        col_0[k] = col[k] - 1;
    }
    matrix->kkt = kkt_create(n, n_entry, row_0, col_0);
    free(row_0);
    free(col_0);
    return matrix;
}

static void matrix_free(struct matrix *matrix)
{
    kkt_free(matrix->kkt);
    mumps_free(matrix->mumps);
    arena_free(&matrix->mem);
    free(matrix);
}

static bool has_structure(const struct matrix *matrix, int n, int n_entry, const int *row, const int *col)
{
    const size_t bytes = (size_t)n_entry * sizeof *row;
    return matrix->n == n && matrix->n_entry == n_entry && memcmp(matrix->row, row, bytes) == 0 &&
           memcmp(matrix->col, col, bytes) == 0;
}

/* The number of a matrix of that structure: one of an earlier run, or a new one. */
static int use_matrix(struct linear_solver *solver, int n, int n_entry, const int *row, const int *col)
{
    int k = 0;
    while (k < solver->n_matrix &&
           (solver->matrix[k]->in_use || !has_structure(solver->matrix[k], n, n_entry, row, col)))
        k++;
    if (k == solver->n_matrix) {
        solver->matrix = mem_grow(solver->matrix, solver->n_matrix, 1, sizeof *solver->matrix);
        solver->matrix[solver->n_matrix++] = matrix_create(n, n_entry, row, col);
    }
    solver->matrix[k]->in_use = true;
    return k;
}

/* After a run: as if nothing but its structure had been seen. */
static void forget_values(struct matrix *matrix)
{
    kkt_forget(matrix->kkt);
    mumps_free(matrix->mumps);
    matrix->mumps = NULL;
    matrix->in_use = matrix->by_mumps = matrix->stopped = matrix->careful = false;
    matrix->least_flops = 0;
}

/* After a run: what it has used is the youngest; the oldest go. */
static void age_matrices(struct linear_solver *solver)
{
    int n = 0;
    struct matrix **by_age = mem_alloc((size_t)solver->n_matrix, sizeof *by_age);
    for (int used = 0; used < 2; used++)
        for (int k = 0; k < solver->n_matrix; k++)
            if (solver->matrix[k]->in_use == used)
                by_age[n++] = solver->matrix[k];
    const int n_old = n > REMEMBERED ? n - REMEMBERED : 0;
    for (int k = 0; k < n; k++)
        if (k < n_old)
            matrix_free(by_age[k]);
        else
            forget_values(solver->matrix[k - n_old] = by_age[k]);
    solver->n_matrix = n - n_old;
    free(by_age);
}

static void analyse(int *n, int *n_entry, const int *row, const int *col, int *iw, int *n_iw,
                    int *keep, int *iw1, int *n_steps, int *flag, int *icntl, double *cntl,
                    int *info, double *ops)
{
    (void)iw, (void)n_iw, (void)iw1, (void)flag, (void)icntl, (void)cntl;
    const double start = clock_seconds();
    keep[0] = use_matrix(current, *n, *n_entry, row, col);
    memset(info, 0, N_INFO * sizeof *info);
    info[INFO_REALS] = *n_entry;
    info[INFO_INTS] = N_WORK;
    *n_steps = 1;
    *ops = 0.0;
    current->work.analyse_seconds += clock_seconds() - start;
}

/* --- Factorization ------------------------------------------------------------------------------------------- */

static bool is_finite(int n, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += fabs(x[i]);
    return isfinite(sum);
}

static bool refused_often(const struct nlp_linear_work *work)
{
    return work->n_mumps >= OFTEN_MIN && work->n_mumps > OFTEN * (work->n_own + work->n_mumps);
}

static int factorize_by_mumps(struct matrix *matrix, const double *val, int *n_negative)
{
    current->work.n_mumps++;
    matrix->by_mumps = true;
    return mumps_factorize(mumps_of(matrix), val, matrix->threshold, n_negative) ? FLAG_OK : FLAG_SINGULAR;
}

static void count_flops(struct matrix *matrix)
{
    const double flops = kkt_size(matrix->kkt).flops;
    if (matrix->least_flops == 0 || flops < matrix->least_flops)
        matrix->least_flops = flops;
    current->n_swamped += flops > SWAMPED * matrix->least_flops;
}

/* Returns MA27's flag. */
static int factorize_matrix(struct matrix *matrix, const double *val, int max_negative, int *n_negative)
{
    matrix->by_mumps = matrix->stopped = false;
    if (stop_asked())
        return FLAG_SINGULAR;           /* the monitor ends the solve before long */
    if (refused_often(&current->work))
        return factorize_by_mumps(matrix, val, n_negative);
    const enum kkt_outcome outcome = kkt_factorize(matrix->kkt, val, matrix->threshold, max_negative);
    *n_negative = kkt_inertia(matrix->kkt).negative;
    if (outcome == KKT_NOT_FINITE && !stop_asked() && is_finite(matrix->n_entry, val)) {
        current->work.n_broken++;
        return factorize_by_mumps(matrix, val, n_negative);
    }
    current->work.n_own++;
    if (outcome == KKT_FACTORIZED)              /* others stopped on their way */
        count_flops(matrix);
    matrix->stopped = outcome == KKT_TOO_MANY_NEGATIVE;
    current->work.n_stopped += matrix->stopped;
    const bool is_whole = outcome == KKT_FACTORIZED || outcome == KKT_TOO_MANY_NEGATIVE;
    return is_whole ? FLAG_OK : FLAG_SINGULAR;
}

static void factorize(int *n, int *n_entry, const int *row, const int *col, double *val, int *n_val,
                      int *iw, int *n_iw, int *keep, int *n_steps, int *max_front, int *iw1,
                      int *icntl, double *cntl, int *info)
{
    (void)n_entry, (void)row, (void)col, (void)n_val, (void)n_iw, (void)n_steps, (void)iw1, (void)icntl;
    const double start = clock_seconds();
    struct matrix *matrix = current->matrix[keep[0]];
    const bool is_known = *n == current->n && current->n_negative >= 0;
    iw[0] = keep[0];
    memset(info, 0, N_INFO * sizeof *info); /* no complaints of lacking room */
    matrix->threshold = matrix->careful ? fmax(CAREFUL, cntl[CNTL_THRESHOLD]) : cntl[CNTL_THRESHOLD];
    info[INFO_FLAG] =
        factorize_matrix(matrix, val, is_known ? current->n_negative : KKT_ANY_INERTIA, &info[INFO_NEGATIVE]);
    *max_front = 1;
    current->work.factorize_seconds += clock_seconds() - start;
}

/* --- Solve --------------------------------------------------------------------------------------------------- */

/* |b - A x|, largest norm. */
static double residual_of(struct matrix *matrix, const double *val, const double *b, const double *x)
{
    double rest = 0.0;
    memcpy(matrix->rest, b, (size_t)matrix->n * sizeof *b);
    for (int k = 0; k < matrix->n_entry; k++) {
        const int i = matrix->row[k] - 1, j = matrix->col[k] - 1;
        matrix->rest[i] -= val[k] * x[j];
        if (i != j)
            matrix->rest[j] -= val[k] * x[i];
    }
    for (int i = 0; i < matrix->n; i++)
        rest = fabs(matrix->rest[i]) <= rest ? rest : fabs(matrix->rest[i]);    /* so that NaN stays */
    return rest;
}

/* The solution with pivots chosen with care, from now on; false where that is not enough. x has the given error. */
static bool solve_carefully(struct matrix *matrix, const double *val, double *x, double error)
{
    if (matrix->careful)
        return false;
    matrix->careful = true;
    matrix->threshold = fmax(CAREFUL, matrix->threshold);
    current->work.n_own++;
    if (kkt_factorize(matrix->kkt, val, matrix->threshold, KKT_ANY_INERTIA) != KKT_FACTORIZED)
        return false;
    memcpy(matrix->trial, matrix->b, (size_t)matrix->n * sizeof *x);
    const double now = kkt_solve(matrix->kkt, matrix->trial);
    if (now < error || isnan(error))
        memcpy(x, matrix->trial, (size_t)matrix->n * sizeof *x);
    return now <= ERROR_OK;
}

/* MUMPS's solution in place of x if its residual is smaller; b is in matrix->b. */
static void solve_by_mumps(struct matrix *matrix, const double *val, double *x)
{
    int n_negative;
    memcpy(matrix->trial, matrix->b, (size_t)matrix->n * sizeof *x);
    const bool solved = factorize_by_mumps(matrix, val, &n_negative) == FLAG_OK &&
                        mumps_solve(matrix->mumps, matrix->trial);
    matrix->by_mumps = solved && residual_of(matrix, val, matrix->b, matrix->trial) <
                                     residual_of(matrix, val, matrix->b, x);
    if (matrix->by_mumps)
        memcpy(x, matrix->trial, (size_t)matrix->n * sizeof *x);
}

static void solve(int *n, double *val, int *n_val, int *iw, int *n_iw, double *w, int *max_front,
                  double *x, int *iw1, int *n_steps, int *icntl, double *cntl)
{
    (void)n, (void)n_val, (void)n_iw, (void)w, (void)max_front, (void)iw1, (void)n_steps, (void)icntl, (void)cntl;
    const double start = clock_seconds();
    struct matrix *matrix = current->matrix[iw[0]];
    int n_negative;
    current->work.n_solve++;
    if (matrix->stopped)
        factorize_matrix(matrix, val, KKT_ANY_INERTIA, &n_negative);
    if (matrix->by_mumps) {
        mumps_solve(matrix->mumps, x);
    } else {
        memcpy(matrix->b, x, (size_t)matrix->n * sizeof *x);
        const double error = kkt_solve(matrix->kkt, x);
        if (!(error <= ERROR_OK) && kkt_inertia(matrix->kkt).zero == 0 && !solve_carefully(matrix, val, x, error)) {
            current->work.n_inexact++;
            solve_by_mumps(matrix, val, x);
        }
    }
    current->work.solve_seconds += clock_seconds() - start;
}

static void defaults(int *icntl, double *cntl)
{
    memset(icntl, 0, N_ICNTL * sizeof *icntl);
    memset(cntl, 0, N_CNTL * sizeof *cntl);
}

/* ------------------------------------------------------------------------------------------------------------- */

bool linear_solver_available(void)
{
    return ma27_replaceable();
}

struct linear_solver *linear_solver_create(void)
{
    return mem_alloc(1, sizeof(struct linear_solver));
}

void linear_solver_free(struct linear_solver *solver)
{
    if (!solver)
        return;
    for (int k = 0; k < solver->n_matrix; k++)
        matrix_free(solver->matrix[k]);
    free(solver->matrix);
    free(solver);
}

void linear_solver_begin(struct linear_solver *solver, int n, int n_negative)
{
    solver->n = n;
    solver->n_negative = n_negative;
    solver->n_swamped = 0;
    solver->work = (struct nlp_linear_work){ 0 };
    current = solver;
    if (ma27_replaceable())
        ma27_replace(analyse, factorize, solve, defaults);
}

bool linear_solver_is_swamped(void)
{
    return current && current->n_swamped >= SWAMPED_MOST;
}

struct nlp_linear_work linear_solver_end(struct linear_solver *solver)
{
    age_matrices(solver);
    current = NULL;
    return solver->work;
}
