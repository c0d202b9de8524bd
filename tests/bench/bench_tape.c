/* Nanoseconds per instruction and point of a tape, for each kernel that this processor can run.
 *
 * The function has 40 inputs and some 2,000 instructions: products plus an input, and differences, of random
 * earlier values; in the second table about every tenth instruction is a sine or a cosine. Inputs of at most 0.2
 * keep all values below 0.28, so that nothing overflows, and the inputs added keep them from dying out.
 */
#define _POSIX_C_SOURCE 200809L
#include "core/base/mem.h"
#include "core/expression/tape.h"
#include "core/expression/tape_kernel.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N_IN = 40, N_OPS = 1300, N_OUT = 60, MAX_POINTS = 1024 };

/* Of this process: others may share the machine. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A linear congruential generator (Knuth's MMIX constants): the same function on every machine. */
static int draw(uint64_t *state, int n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int)((*state >> 33) % (uint64_t)n);
}

/* One or two instructions of earlier values. */
static expr draw_node(struct expr_graph *g, uint64_t *state, int percent_trig, const expr *in, expr a, expr b)
{
    if (draw(state, 100) < percent_trig)
        return draw(state, 2) ? expr_unary(g, EXPR_SIN, a) : expr_scale(g, 0.2, expr_unary(g, EXPR_COS, a));
    if (draw(state, 2))
        return expr_add(g, expr_mul(g, a, b), in[draw(state, N_IN)]);
    return expr_scale(g, 0.5, expr_sub(g, a, b));
}

static struct tape *make_tape(int percent_trig)
{
    struct expr_graph *g = expr_graph_create();
    expr *value = mem_alloc(N_IN + N_OPS, sizeof *value);
    uint64_t state = 1;
    for (int k = 0; k < N_IN; k++)
        value[k] = expr_sym(g, "x");
    for (int k = N_IN; k < N_IN + N_OPS; k++) {
        const expr a = value[k - 1 - draw(&state, N_IN)], b = value[k - 1 - draw(&state, N_IN)];
        value[k] = draw_node(g, &state, percent_trig, value, a, b);
    }
    struct tape *tape = tape_create(g, N_IN, value, N_OUT, value + N_IN + N_OPS - N_OUT);
    free(value);
    expr_graph_free(g);
    return tape;
}

/* The best of several runs of about 10 ms. */
static double measure(const struct tape *tape, int n_points, const double *in, double *out, double *work)
{
    double best = 1e9;
    for (int run = 0; run < 7; run++) {
        const double start = seconds();
        int n_calls = 0;
        while (n_calls < 1 || seconds() - start < 0.01) {
            tape_eval(tape, n_points, in, MAX_POINTS, out, MAX_POINTS, work);
            n_calls++;
        }
        const double time = (seconds() - start) / n_calls;
        best = time < best ? time : best;
    }
    return 1e9 * best / tape_n_instructions(tape) / n_points;
}

static void measure_mix(int percent_trig)
{
    static const int n_points[] = { 1, 8, 16, 24, 32, 100, 1024 };
    struct tape *tape = make_tape(percent_trig);
    double *in = mem_alloc((size_t)N_IN * MAX_POINTS, sizeof *in);
    double *out = mem_alloc((size_t)N_OUT * MAX_POINTS, sizeof *out);
    double *work = mem_alloc(tape_work_size(tape), sizeof *work);
    for (int k = 0; k < N_IN * MAX_POINTS; k++)
        in[k] = 2e-4 * (k % 1999) - 0.2;
    printf("%d instructions, %d %% sin and cos, %.0f KB of slots: ns per instruction and point\n",
           tape_n_instructions(tape), percent_trig, (double)tape_work_size(tape) * sizeof *work / 1024);
    printf("%-10s", "points");
    for (size_t k = 0; k < sizeof n_points / sizeof n_points[0]; k++)
        printf("%8d", n_points[k]);
    putchar('\n');
    const struct tape_kernel *kernel;
    for (int i = 0; (kernel = tape_kernel_get(i)); i++) {
        tape_set_kernel(tape, kernel);
        printf("%-10s", kernel->name);
        for (size_t k = 0; k < sizeof n_points / sizeof n_points[0]; k++)
            printf("%8.3f", measure(tape, n_points[k], in, out, work));
        putchar('\n');
    }
    free(in);
    free(out);
    free(work);
    tape_free(tape);
}

int main(void)
{
    measure_mix(0);
    measure_mix(14);
    return 0;
}
