/* Nanoseconds per call and per nonzero of the functions and derivatives of whole programs, as the solver calls them.
 *
 * Each problem is transcribed as `solve` does it first. Two points take turns, so that nothing is known from the
 * call before; they lie near the guess, off the bounds. Specs are named on the command line, else those of `make
 * bench`, and are found from the root of the sources.
 */
#define _POSIX_C_SOURCE 200809L
#include "core/base/mem.h"
#include "core/model/read/read.h"
#include "transcription/start/guess.h"
#include "transcription/discretize/transcription.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define DEAD_BAND 1e-3              /* m; as `solve` has it at curved gaps. Where gaps are linear it is not used. */

enum evaluation { EVAL_F, EVAL_GRAD, EVAL_G, EVAL_JAC, EVAL_HESS, N_EVAL };

struct bench {
    const struct nlp *nlp;
    double *w[2];                   /* [n_w] the two points */
    double *lambda, *grad, *g, *jac, *hess;
};

/* Of this process: others may share the machine. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool evaluate(const struct bench *bench, enum evaluation what, const double *w)
{
    const struct nlp *nlp = bench->nlp;
    double f;
    switch (what) {
    case EVAL_F:
        return nlp->eval_f(nlp->user, w, true, &f);
    case EVAL_GRAD:
        return nlp->eval_grad(nlp->user, w, true, bench->grad);
    case EVAL_G:
        return nlp->eval_g(nlp->user, w, true, bench->g);
    case EVAL_JAC:
        return nlp->eval_jac(nlp->user, w, true, bench->jac);
    default:
        return nlp->eval_hess(nlp->user, w, true, 1, bench->lambda, bench->hess);
    }
}

/* Nanoseconds of a call: the best of several runs of some 50 ms. */
static double measure(const struct bench *bench, enum evaluation what)
{
    double best = INFINITY;
    for (int run = 0; run < 5; run++) {
        const double start = seconds();
        int n_calls = 0;
        while (n_calls < 100 || seconds() - start < 0.05) {
            if (!evaluate(bench, what, bench->w[n_calls % 2])) {
                fprintf(stderr, "bench_derivatives: not finite\n");
                exit(1);
            }
            n_calls++;
        }
        best = fmin(best, (seconds() - start) / n_calls);
    }
    return 1e9 * best;
}

static void report(const char *name, const struct mpcc *mpcc, const struct bench *bench)
{
    static const char *const word[N_EVAL] = { "f", "gradient", "g", "Jacobian", "Hessian" };
    const struct nlp *nlp = &mpcc->nlp;
    const int size[N_EVAL] = { 1, nlp->n_w, nlp->n_g, nlp->jac.nnz, nlp->hess.nnz };
    printf("%s: %d variables, %d constraints, %d pairs\n", name, nlp->n_w, nlp->n_g, mpcc->n_pair);
    printf("  %-10s %10s %12s %12s\n", "", "entries", "us per call", "ns per entry");
    for (int what = 0; what < N_EVAL; what++) {
        const double time = measure(bench, (enum evaluation)what);
        printf("  %-10s %10d %12.1f", word[what], size[what], 1e-3 * time);
        printf(size[what] > 1 ? " %12.2f\n" : "\n", time / size[what]);
    }
}

static struct bench create_bench(const struct mpcc *mpcc)
{
    const struct nlp *nlp = &mpcc->nlp;
    struct bench bench = { .nlp = nlp };
    for (int k = 0; k < 2; k++) {
        bench.w[k] = mem_alloc((size_t)nlp->n_w, sizeof(double));
        for (int i = 0; i < nlp->n_w; i++)
            bench.w[k][i] = fmin(fmax(mpcc->w0[i] + 1e-3 * (1 + (i + 17 * k) % 31), nlp->lbw[i]), nlp->ubw[i]);
    }
    bench.lambda = mem_alloc((size_t)nlp->n_g, sizeof(double));
    for (int row = 0; row < nlp->n_g; row++)
        bench.lambda[row] = 1 + row % 7;
    bench.grad = mem_alloc((size_t)nlp->n_w, sizeof(double));
    bench.g = mem_alloc((size_t)nlp->n_g, sizeof(double));
    bench.jac = mem_alloc((size_t)nlp->jac.nnz, sizeof(double));
    bench.hess = mem_alloc((size_t)nlp->hess.nnz, sizeof(double));
    return bench;
}

static void free_bench(struct bench *bench)
{
    double *const owned[] = { bench->w[0], bench->w[1], bench->lambda, bench->grad, bench->g, bench->jac, bench->hess };
    for (size_t k = 0; k < sizeof owned / sizeof owned[0]; k++)
        free(owned[k]);
}

static enum status bench_program(struct model *model, const struct discretization *settings, struct diag *diag)
{
    const struct transcription_task task =
        { .grid = { model->time.n_intervals, model->time.elements, model->time.horizon },
          .optimize = true, .end = END_ON_GRID, .dead_band = DEAD_BAND };
    struct transcription *tr = NULL;
    const enum status st = transcription_create(model, settings, &task, &tr, diag);
    if (st != STATUS_OK)
        return st;
    tr_apply_guess(tr, NULL, false);
    struct bench bench = create_bench(&tr->mpcc);
    report(model->name, &tr->mpcc, &bench);
    free_bench(&bench);
    transcription_free(tr);
    return STATUS_OK;
}

static enum status bench_spec(const char *path, struct diag *diag)
{
    struct spec *spec = NULL;
    struct model *model = NULL;
    struct discretization settings;
    enum status st = spec_read_file(path, 0, NULL, &spec, diag);
    if (st == STATUS_OK)
        st = model_read(spec, MODEL_FOR_SOLVE, &model, diag);
    if (st == STATUS_OK) {
        const struct setting_eval eval = model_eval(model);
        st = discretization_read(spec_get(spec_root(spec), "discretization"), &eval, &settings, diag);
        if (st == STATUS_OK)
            st = bench_program(model, &settings, diag);
        discretization_free(&settings);
    }
    model_free(model);
    spec_free(spec);
    return st;
}

int main(int argc, char **argv)
{
    static const char *const shipped[] = { "problems/hopper.yaml", "problems/monoped_tracking.yaml",
                                           "problems/cart_pole.yaml" };
    const int n = argc > 1 ? argc - 1 : (int)(sizeof shipped / sizeof shipped[0]);
    struct diag *diag = diag_create();
    int code = 0;
    for (int k = 0; k < n; k++)
        if (bench_spec(argc > 1 ? argv[k + 1] : shipped[k], diag) != STATUS_OK)
            code = 1;
    diag_print(diag, stderr);
    diag_free(diag);
    return code;
}
