/* tests/bench/kkt_matrices.h - the linear systems of a solve, seen on their way to core/kkt
 *
 * The program is linked with -Wl,--wrap for kkt_create, kkt_factorize and kkt_free. Of each nonlinear program the
 * last system is kept; those of IPOPT's restoration, which has a larger one beside the first, are not. A solve ends
 * when its relaxation is small enough, or after a number of factorizations.
 */
#ifndef COCP_TESTS_BENCH_KKT_MATRICES_H
#define COCP_TESTS_BENCH_KKT_MATRICES_H

#include "cli/problem.h"
#include "core/base/mem.h"
#include "core/kkt/kkt.h"
#include "transcription/solve/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct matrix {
    int n, n_entry;
    int *row, *col;                 /* [n_entry] 0-based; one triangle, repeated ones add up */
    double *val;
    double sigma;                   /* relaxation it comes from; NAN: a program that was not finished */
};

static void matrix_free(struct matrix *matrix)
{
    free(matrix->row);
    free(matrix->col);
    free(matrix->val);
    *matrix = (struct matrix){ 0 };
}

static void matrix_copy(const struct matrix *from, double sigma, struct matrix *to)
{
    const size_t n = (size_t)from->n_entry;
    matrix_free(to);
    *to = (struct matrix){ from->n, from->n_entry, mem_alloc(n, sizeof *to->row), mem_alloc(n, sizeof *to->col),
                           mem_alloc(n, sizeof *to->val), sigma };
    memcpy(to->row, from->row, n * sizeof *to->row);
    memcpy(to->col, from->col, n * sizeof *to->col);
    memcpy(to->val, from->val, n * sizeof *to->val);
}

/* --- What passes by ------------------------------------------------------------------------------------------ */

static struct {
    int n_alive;                    /* patterns that IPOPT has in use */
    const struct kkt *main;         /* the first of them */
    struct matrix newest;           /* its last matrix */
    int n_factorized, n_most;
    volatile sig_atomic_t stop;
} seen;

struct kkt *__real_kkt_create(int n, int n_entry, const int *row, const int *col);
struct kkt *__wrap_kkt_create(int n, int n_entry, const int *row, const int *col);
enum kkt_outcome __real_kkt_factorize(struct kkt *kkt, const double *val, double threshold, int max_negative);
enum kkt_outcome __wrap_kkt_factorize(struct kkt *kkt, const double *val, double threshold, int max_negative);
void __real_kkt_free(struct kkt *kkt);
void __wrap_kkt_free(struct kkt *kkt);

struct kkt *__wrap_kkt_create(int n, int n_entry, const int *row, const int *col)
{
    struct kkt *kkt = __real_kkt_create(n, n_entry, row, col);
    double *val = mem_alloc((size_t)n_entry, sizeof *val);
    const struct matrix matrix = { n, n_entry, (int *)row, (int *)col, val, NAN };
    if (seen.n_alive++ == 0) {
        seen.main = kkt;
        matrix_copy(&matrix, NAN, &seen.newest);
    }
    free(val);
    return kkt;
}

enum kkt_outcome __wrap_kkt_factorize(struct kkt *kkt, const double *val, double threshold, int max_negative)
{
    if (kkt == seen.main)
        memcpy(seen.newest.val, val, (size_t)seen.newest.n_entry * sizeof *val);
    if (++seen.n_factorized >= seen.n_most)
        seen.stop = 1;
    return __real_kkt_factorize(kkt, val, threshold, max_negative);
}

void __wrap_kkt_free(struct kkt *kkt)
{
    seen.n_alive -= kkt != NULL;
    __real_kkt_free(kkt);
}

/* --- One solve ----------------------------------------------------------------------------------------------- */

/* From the first and from the last relaxation; of one size, the last program's. */
struct pair {
    struct matrix early, late;
    double sigma_enough;
};

static void keep_step(void *user, const struct homotopy_step *step, int index)
{
    struct pair *pair = user;
    (void)index;
    if (step->is_polish || seen.newest.n == 0)
        return;
    if (pair->early.n != seen.newest.n)
        matrix_copy(&seen.newest, step->sigma, &pair->early);
    matrix_copy(&seen.newest, step->sigma, &pair->late);
    if (step->sigma <= pair->sigma_enough)
        seen.stop = 1;
}

/* Solves the spec until sigma <= sigma_enough, or n_most factorizations. False, with messages, where it cannot. */
static bool pair_take(const char *spec, const struct spec_override *override, int n_override, double sigma_enough,
                      int n_most, struct pair *pair)
{
    struct diag *diag = diag_create();
    struct problem problem;
    struct solve_result found = { 0 };
    const char *input[] = { spec };
    const struct cli_args args = { .n_input = 1, .input = input, .n_override = n_override,
                                   .override = (struct spec_override *)override };
    *pair = (struct pair){ .sigma_enough = sigma_enough };
    seen.n_factorized = seen.stop = 0;
    seen.n_most = n_most;
    const bool is_read = problem_read(&args, MODEL_FOR_SOLVE, &problem, diag) == STATUS_OK;
    if (is_read) {
        const struct solve_task task = { .model = problem.model, .discretization = &problem.discretization,
                                         .homotopy = &problem.homotopy, .solver = &problem.solver,
                                         .max_seconds = INFINITY, .interrupt = &seen.stop,
                                         .hooks = { .step = keep_step, .user = pair } };
        solve_ocp(&task, &found, diag);
        if (pair->late.n == 0 && seen.newest.n > 0)
            matrix_copy(&seen.newest, NAN, &pair->late);
    }
    if (pair->late.n == 0)
        diag_print(diag, stderr);
    solve_result_free(&found);
    problem_free(&problem);
    diag_free(diag);
    matrix_free(&seen.newest);
    return pair->late.n > 0;
}

static void pair_free(struct pair *pair)
{
    matrix_free(&pair->early);
    matrix_free(&pair->late);
}

#endif
