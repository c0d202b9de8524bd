/* Tapes against plain evaluation, libm, and each other. */
#include "core/expression/tape.h"

#include "core/base/mem.h"
#include "core/expression/tape_kernel.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_IN = 6, N_NODES = 120, N_OUT = 25, MAX_POINTS = 100 };

/* A linear congruential generator (Knuth's MMIX constants): tests repeat. */
static int draw(uint64_t *state, int n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int)((*state >> 33) % (uint64_t)n);
}

static double draw_real(uint64_t *state, double lo, double hi)
{
    return lo + (hi - lo) * draw(state, 1 << 30) / (1 << 30);
}

/* A function of N_IN symbols with random nodes of all kinds, and the tape of it. */
struct function {
    struct expr_graph *g;
    expr in[N_IN], out[N_OUT];
    struct tape *tape;
    double *work;
};

static expr draw_table(struct expr_graph *g, expr s)
{
    const double breaks[4] = { -1, -0.25, 0.5, 2 };
    const double coef[12] = { 1, 2, -1, 0.5, -0.5, 1, 3, -2, 0, 0.25, -1, 1 };
    return expr_table(g, 3, breaks, coef, -3, 4, s);
}

static expr draw_node(struct expr_graph *g, uint64_t *state, const expr *earlier, int n_earlier)
{
    const expr a = earlier[draw(state, n_earlier)], b = earlier[draw(state, n_earlier)];
    const int kind = draw(state, 40);
    switch (kind) {
    case 0: case 1: case 2: case 3: case 4: case 5:
        return expr_add(g, a, b);
    case 6: case 7: case 8: case 9: case 10: case 11:
        return expr_mul(g, a, b);
    case 12: case 13: case 14: case 15:
        return expr_sub(g, a, b);
    case 16:
        return expr_binary(g, EXPR_POW, expr_unary(g, EXPR_ABS, a), b);
    case 17:
        return expr_binary(g, EXPR_POW, a, expr_const(g, draw(state, 12) - 6));
    case 18:
        return expr_if(g, expr_binary(g, (enum expr_op)(EXPR_LT + draw(state, 5)), a, b), a,
                       expr_unary(g, EXPR_NOT, b));
    case 19:
        return draw_table(g, a);
    case 20:
        return expr_pick(g, expr_side(g, a), b, expr_add(g, a, b));
    case 21:
        return expr_scale(g, draw_real(state, -2, 2), a);
    case 22:
        return expr_add(g, a, expr_const(g, draw_real(state, -2, 2)));
    case 23: case 24: case 25: case 26:
        return expr_binary(g, (enum expr_op)(EXPR_DIV + draw(state, EXPR_MAX - EXPR_DIV + 1)), a, b);
    default:
        return expr_unary(g, (enum expr_op)(EXPR_NEG + draw(state, EXPR_STEP - EXPR_NEG + 1)), a);
    }
}

static struct function function_create(uint64_t seed)
{
    struct function f = { .g = expr_graph_create() };
    uint64_t state = seed;
    expr node[N_NODES];
    for (int k = 0; k < N_IN; k++)
        node[k] = f.in[k] = expr_sym(f.g, "x");
    for (int k = N_IN; k < N_NODES; k++)
        node[k] = draw_node(f.g, &state, node, k);
    f.out[0] = f.in[1];                             /* an input as it is, a constant, the same output twice */
    f.out[1] = expr_const(f.g, -2.5);
    f.out[2] = f.out[3] = node[N_NODES - 1];
    for (int k = 4; k < N_OUT; k++)
        f.out[k] = node[N_IN + draw(&state, N_NODES - N_IN)];
    f.tape = tape_create(f.g, N_IN, f.in, N_OUT, f.out);
    f.work = mem_alloc(tape_work_size(f.tape), sizeof *f.work);
    return f;
}

static void function_free(struct function *f)
{
    tape_free(f->tape);
    free(f->work);
    expr_graph_free(f->g);
}

static void draw_points(uint64_t seed, int n, double *in)
{
    uint64_t state = seed;
    for (int k = 0; k < n; k++)
        in[k] = draw(&state, 9) == 0 ? 0 : draw_real(&state, -3, 3);
}

static bool same_bits(double a, double b)
{
    return (a == b && signbit(a) == signbit(b)) || (isnan(a) && isnan(b));
}

/* --- Values ---------------------------------------------------------------------------------------------- */

/* A chain of random nodes may amplify one ulp without bound; so each node is compared with plain evaluation of
 * that node alone, from the tape's own values of its arguments. 16 ulp: x^n by repeated squaring, n <= 16. */
static void check_node(const struct expr_graph *g, expr e, const double *value)
{
    double arg[3] = { 0, 0, 0 };
    for (int i = 0; i < expr_n_args(g, e); i++)
        arg[i] = value[expr_arg(g, e, i)];
    const double expected = graph_node_value(g, e, arg), got = value[e];
    const bool close = fabs(got - expected) <= 16 * DBL_EPSILON * fabs(expected) + DBL_MIN;
    if (!close && !(got == expected) && !(isnan(got) && isnan(expected)))
        fail_msg("op %d of %g, %g: %.17g, expected %.17g", (int)expr_op_of(g, e), arg[0], arg[1], got, expected);
}

/* All nodes of f as outputs of one tape, at one point; value[e] of node e. */
static void eval_all_nodes(const struct function *f, const double *in, double *value)
{
    int n;
    expr *reach = expr_reach(f->g, N_OUT, f->out, &n);
    struct tape *tape = tape_create(f->g, N_IN, f->in, n, reach);
    double *work = mem_alloc(tape_work_size(tape), sizeof *work);
    double *out = mem_alloc((size_t)n, sizeof *out);
    tape_eval(tape, 1, in, 1, out, 1, work);
    for (int k = 0; k < n; k++) {
        value[reach[k]] = out[k];
        if (expr_op_of(f->g, reach[k]) != EXPR_SYM)
            check_node(f->g, reach[k], value);
    }
    free(out);
    free(work);
    tape_free(tape);
    free(reach);
}

/* Products that melt into sums and slots that are used again change no bit of the outputs. */
static void every_node_agrees_with_plain_evaluation(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct function f = function_create(seed);
        double *value = mem_alloc((size_t)expr_n_nodes(f.g), sizeof *value);
        double in[N_IN], out[N_OUT];
        for (uint64_t point = 0; point < 10; point++) {
            draw_points(1000 * seed + point, N_IN, in);
            eval_all_nodes(&f, in, value);
            tape_eval(f.tape, 1, in, 1, out, 1, f.work);
            for (int i = 0; i < N_OUT; i++)
                assert_true(same_bits(out[i], value[f.out[i]]));
        }
        free(value);
        function_free(&f);
    }
}

/* A well-conditioned function with a closed form, through expr_eval and by hand. */
static void pendulum_energy(void **state)
{
    (void)state;
    struct expr_graph *g = expr_graph_create();
    const expr in[3] = { expr_sym(g, "q"), expr_sym(g, "v"), expr_sym(g, "unused") };
    const expr kinetic = expr_scale(g, 0.5, expr_square(g, in[1]));
    const expr drop = expr_sub(g, expr_const(g, 1), expr_unary(g, EXPR_COS, in[0]));
    const expr energy = expr_add(g, kinetic, expr_scale(g, 9.81, drop));
    struct tape *tape = tape_create(g, 3, in, 1, &energy);
    assert_int_equal(tape_n_out(tape), 1);
    double *work = mem_alloc(tape_work_size(tape), sizeof *work);
    const double x[3] = { 0.7, -1.3, NAN };
    double out;
    tape_eval(tape, 1, x, 1, &out, 1, work);
    const double expected = 0.5 * 1.3 * 1.3 + 9.81 * (1 - cos(0.7));
    assert_true(fabs(out - expected) < 4 * DBL_EPSILON * expected);
    assert_true(fabs(out - expr_eval(g, energy, 3, in, x)) < 4 * DBL_EPSILON * expected);
    free(work);
    tape_free(tape);
    expr_graph_free(g);
}

/* --- Points and kernels ---------------------------------------------------------------------------------- */

/* Strides are wider than the points, and nothing is written beside the points. */
static void check_n_points(const struct function *f, int n, const double *in, const double *reference)
{
    static const double untouched = -12345;
    const size_t stride = (size_t)n + 3;
    double *packed = mem_alloc(N_IN * stride, sizeof *packed), *out = mem_alloc(N_OUT * stride, sizeof *out);
    for (size_t k = 0; k < N_OUT * stride; k++)
        out[k] = untouched;
    for (int j = 0; j < N_IN; j++)
        memcpy(packed + (size_t)j * stride, in + (size_t)j * MAX_POINTS, (size_t)n * sizeof *packed);
    tape_eval(f->tape, n, packed, stride, out, stride, f->work);
    for (size_t i = 0; i < N_OUT; i++)
        for (size_t p = 0; p < stride; p++)
            assert_true(same_bits(out[i * stride + p], p < (size_t)n ? reference[i * MAX_POINTS + p] : untouched));
    free(packed);
    free(out);
}

/* One point at a time on the plainest kernel. */
static void eval_reference(struct function *f, const double *in, double *reference)
{
    tape_set_kernel(f->tape, &tape_kernel_base);
    for (int p = 0; p < MAX_POINTS; p++)
        tape_eval(f->tape, 1, in + p, MAX_POINTS, reference + p, MAX_POINTS, f->work);
}

static void bits_depend_neither_on_kernel_nor_on_number_of_points(void **state)
{
    (void)state;
    static double in[N_IN * MAX_POINTS], reference[N_OUT * MAX_POINTS];
    const struct tape_kernel *kernel;
    for (uint64_t seed = 101; seed <= 110; seed++) {
        struct function f = function_create(seed);
        draw_points(seed, N_IN * MAX_POINTS, in);
        eval_reference(&f, in, reference);
        for (int i = 0; (kernel = tape_kernel_get(i)); i++) {
            tape_set_kernel(f.tape, kernel);
            for (int n = 0; n <= MAX_POINTS; n++)
                check_n_points(&f, n, in, reference);
        }
        function_free(&f);
    }
}

static void work_need_not_be_aligned(void **state)
{
    (void)state;
    struct function f = function_create(7);
    double in[N_IN], expected[N_OUT], out[N_OUT];
    draw_points(7, N_IN, in);
    tape_eval(f.tape, 1, in, 1, expected, 1, f.work);
    for (size_t shift = 1; shift < 8; shift++) {
        double *work = mem_alloc(tape_work_size(f.tape) + shift, sizeof *work);
        tape_eval(f.tape, 1, in, 1, out, 1, work + shift);
        assert_memory_equal(out, expected, sizeof out);
        free(work);
    }
    function_free(&f);
}

/* --- Sine and cosine --------------------------------------------------------------------------------------- */

enum { N_ANGLES = 2000 };

/* Largest error in ulp of the tape's sine or cosine at angles in [-range, range], against libm's long double. */
static double worst_ulp(enum expr_op op, double range)
{
    static double x[N_ANGLES], y[N_ANGLES];
    struct expr_graph *g = expr_graph_create();
    const expr in = expr_sym(g, "x"), out = expr_unary(g, op, in);
    struct tape *tape = tape_create(g, 1, &in, 1, &out);
    double *work = mem_alloc(tape_work_size(tape), sizeof *work);
    uint64_t state = 5;
    for (int k = 0; k < N_ANGLES; k++)          /* every third one at a multiple of pi/2, where digits cancel */
        x[k] = k % 3 ? draw_real(&state, -range, range) : round(draw_real(&state, -range, range)) * (acos(-1) / 2);
    tape_eval(tape, N_ANGLES, x, N_ANGLES, y, N_ANGLES, work);
    double worst = 0;
    for (int k = 0; k < N_ANGLES; k++) {
        const long double exact = op == EXPR_SIN ? sinl(x[k]) : cosl(x[k]);
        const double nearest = fabs((double)exact);
        const double ulp = fmax(nextafter(nearest, 2) - nearest, DBL_MIN);
        worst = fmax(worst, (double)fabsl(y[k] - exact) / ulp);
    }
    free(work);
    tape_free(tape);
    expr_graph_free(g);
    return worst;
}

/* Half an ulp for the last rounding, the rest for the terms before it; design value 0.87. */
static void sine_and_cosine_are_good_to_an_ulp(void **state)
{
    (void)state;
    static const double range[] = { 1e-8, 1e-3, 0.8, 3, 100, 1e4, 524288, 1e6, 1e15, 1e300 };
    for (size_t k = 0; k < sizeof range / sizeof range[0]; k++) {
        assert_true(worst_ulp(EXPR_SIN, range[k]) < 0.87);
        assert_true(worst_ulp(EXPR_COS, range[k]) < 0.87);
    }
}

/* An infinite angle gives NaN in its own lane; the neighbours keep their bits. */
static void infinite_angle_spoils_one_lane(void **state)
{
    (void)state;
    struct expr_graph *g = expr_graph_create();
    const expr in = expr_sym(g, "x"), out = expr_unary(g, EXPR_SIN, in);
    struct tape *tape = tape_create(g, 1, &in, 1, &out);
    double *work = mem_alloc(tape_work_size(tape), sizeof *work);
    double x[32], clean[32], y[32];
    for (int k = 0; k < 32; k++)
        x[k] = 0.1 * k;
    tape_eval(tape, 32, x, 32, clean, 32, work);
    x[5] = INFINITY;
    x[6] = NAN;
    tape_eval(tape, 32, x, 32, y, 32, work);
    for (int k = 0; k < 32; k++)
        assert_true(k == 5 || k == 6 ? isnan(y[k]) : y[k] == clean[k]);
    free(work);
    tape_free(tape);
    expr_graph_free(g);
}

/* --- The compiler -------------------------------------------------------------------------------------------- */

/* x0 x1 + x2 (one fused instruction) minus x3: four loads, two operations, one store. */
static void differences_and_fused_products_are_one_instruction(void **state)
{
    (void)state;
    struct expr_graph *g = expr_graph_create();
    expr x[4];
    for (int k = 0; k < 4; k++)
        x[k] = expr_sym(g, "x");
    const expr out = expr_sub(g, expr_add(g, expr_mul(g, x[0], x[1]), expr_sqrt(g, x[2])), x[3]);
    struct tape *tape = tape_create(g, 4, x, 1, &out);
    assert_true(tape_n_instructions(tape) <= 4 + 3 + 1);
    double *work = mem_alloc(tape_work_size(tape), sizeof *work);
    const double in[4] = { 3, 5, 49, 2 };
    double y;
    tape_eval(tape, 1, in, 1, &y, 1, work);
    assert_true(y == 20);
    free(work);
    tape_free(tape);
    expr_graph_free(g);
}

/* A chain of 100,000 nodes needs two slots and no deep stack. */
static void long_chain_needs_few_slots(void **state)
{
    (void)state;
    struct expr_graph *g = expr_graph_create();
    const expr x = expr_sym(g, "x");
    expr e = x;
    for (int k = 0; k < 50000; k++)
        e = expr_unary(g, EXPR_ATAN, expr_add(g, e, x));
    struct tape *tape = tape_create(g, 1, &x, 1, &e);
    assert_true(tape_n_instructions(tape) == 1 + 100000 + 1);
    assert_true(tape_work_size(tape) <= 3 * TAPE_WIDE);
    tape_free(tape);
    expr_graph_free(g);
}

static void tape_without_inputs_or_outputs(void **state)
{
    (void)state;
    struct expr_graph *g = expr_graph_create();
    const expr seven = expr_const(g, 7);
    struct tape *tape = tape_create(g, 0, NULL, 1, &seven);
    double *work = mem_alloc(tape_work_size(tape), sizeof *work);
    double y[40];
    tape_eval(tape, 40, NULL, 0, y, 40, work);
    for (int k = 0; k < 40; k++)
        assert_true(y[k] == 7);
    free(work);
    tape_free(tape);
    tape = tape_create(g, 0, NULL, 0, NULL);
    tape_eval(tape, 40, NULL, 0, NULL, 0, y);
    tape_free(tape);
    tape_free(NULL);
    expr_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_agrees_with_plain_evaluation),
        cmocka_unit_test(pendulum_energy),
        cmocka_unit_test(bits_depend_neither_on_kernel_nor_on_number_of_points),
        cmocka_unit_test(work_need_not_be_aligned),
        cmocka_unit_test(sine_and_cosine_are_good_to_an_ulp),
        cmocka_unit_test(infinite_angle_spoils_one_lane),
        cmocka_unit_test(differences_and_fused_products_are_one_instruction),
        cmocka_unit_test(long_chain_needs_few_slots),
        cmocka_unit_test(tape_without_inputs_or_outputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
