/* tests/bench/bench_ensemble.c - what a factorization costs with more and more scenarios
 *
 * A pendulum on a cart, 20 intervals of 2 elements of 4 Radau stages, its length different in each scenario, controls in
 * common: variables of the whole, iterations of one solve, ms to factorize and to solve a linear system, and how these
 * grow: the slope of log(ms) over log(scenarios) from row to row.
 */
#include "tests/unit/read_spec.h"
#include "transcription/finish/finish.h"

#include "core/base/mem.h"

#include <math.h>

static const char pendulum[] =
    "cocp: 1\n"
    "parameters: {l: %g}\n"
    "time: {horizon: 2, intervals: 20}\n"
    "states: {p: {initial: 0}, a: {initial: 0}, v: {initial: 0}, w: {initial: 0}}\n"
    "controls: {u: {bounds: [-30, 30]}}\n"
    "dynamics:\n"
    "  type: mechanical\n"
    "  coordinates: {p: v, a: w}\n"
    "  kinetic: 0.5*ddt(p)^2 + 0.05*((ddt(p) + l*cos(a)*ddt(a))^2 + (l*sin(a)*ddt(a))^2)\n"
    "  potential: -0.1*9.81*l*cos(a)\n"
    "  force: {p: u}\n"
    "cost: {running: {effort: 0.01*u^2}, terminal: {up: 100*(cos(a) + 1)^2 + 10*(v^2 + w^2 + p^2)}}\n";

struct one { struct spec *spec; struct model *model; struct phase_system *sys; struct finish_task task; struct finish finish; };

/* The program of one length, from hanging at rest. */
static void build(struct one *one, double l, struct diag *diag)
{
    char text[1000];
    (void)snprintf(text, sizeof text, pendulum, l);
    read_spec(text, MODEL_FOR_SOLVE, diag, &one->spec, &one->model);
    read_check(diag, phase_system_create(one->model, &one->sys, diag));
    one->task = (struct finish_task){ .sys = one->sys, .grid = { .scheme = RK_RADAU_IIA, .stages = 4, .elements = 2 },
                                      .deadline = INFINITY };
    struct sequence *seq = sequence_create(0, 0, 0);
    struct samples *samples = samples_create(one->sys, 0);
    double *y = samples_add(samples, 0, 0);
    for (int i = 0; i < samples->n_y; i++)
        y[i] = 0.1 * (i == 1);
    read_check(diag, finish_build(&one->task, seq, samples, &one->finish, diag));
    samples_free(samples);
    sequence_free(seq);
}

static void one_free(struct one *one)
{
    finish_free(&one->finish);
    phase_system_free(one->sys);
    model_free(one->model);
    spec_free(one->spec);
}

/* ms per factorization of n scenarios; prints its row. */
static double measure(int n, double before)
{
    struct one *one = mem_alloc((size_t)n, sizeof *one);
    struct member *member = mem_alloc((size_t)n, sizeof *member);
    double *weight = mem_alloc((size_t)n, sizeof *weight);
    struct company company = { .n = n, .member = member, .weight = weight };
    struct finish_work work = { 0 };
    struct diag *diag = diag_create();
    for (int k = 0; k < n; k++) {
        build(&one[k], n > 1 ? 0.45 + 0.1 * k / (n - 1) : 0.5, diag);
        member[k] = finish_member(&one[k].finish);
        weight[k] = 1.0 / n;
    }
    one[0].task.company = &company;
    one[0].task.work = &work;
    read_check(diag, finish_run(&one[0].task, FINISH_COLD, 60, &one[0].finish, diag));
    struct together *whole = together_create(&company, &member[0]);
    const double ms = 1e3 * work.linear.factorize_seconds / work.linear.n_own;
    printf("%9d %9d %10d  %12.3f  %8.3f", n, together_nlp(whole)->n_w, work.iterations, ms,
           1e3 * work.linear.solve_seconds / work.linear.n_solve);
    printf(isnan(before) ? "\n" : "  %.2f\n", log2(ms / before));
    together_free(whole);
    for (int k = 0; k < n; k++)
        one_free(&one[k]);
    diag_free(diag);
    free(one);
    free(member);
    free(weight);
    return ms;
}

int main(void)
{
    double before = NAN;
    printf("scenarios variables iterations  factorize ms  solve ms  slope\n");
    for (int n = 1; n <= 64; n *= 2)
        before = measure(n, before);
    return 0;
}
