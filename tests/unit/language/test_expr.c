#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/expression/expr.h"

#include "core/expression/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fixture { struct expr_graph *g; expr x, y, z; };

static int set_up(void **state)
{
    struct fixture *f = malloc(sizeof *f);
    f->g = expr_graph_create();
    f->x = expr_sym(f->g, "x");
    f->y = expr_sym(f->g, "y");
    f->z = expr_sym(f->g, "z");
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    expr_graph_free(f->g);
    free(f);
    return 0;
}

static void assert_text(const struct expr_graph *g, expr e, const char *expected)
{
    char *text = expr_to_text(g, e);
    assert_string_equal(text, expected);
    free(text);
}

static double value_at(const struct fixture *f, expr e, double x, double y, double z)
{
    const expr sym[3] = { f->x, f->y, f->z };
    const double value[3] = { x, y, z };
    return expr_eval(f->g, e, 3, sym, value);
}

/* The order in which a sum or product of three is written does not matter. */
static void equal_sums_and_products_are_one_node(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const expr x = f->x, y = f->y, z = f->z;
    assert_int_equal(expr_add(g, x, y), expr_add(g, y, x));
    assert_int_equal(expr_add(g, expr_add(g, x, y), z), expr_add(g, expr_add(g, z, y), x));
    assert_int_equal(expr_mul(g, expr_mul(g, x, y), z), expr_mul(g, x, expr_mul(g, z, y)));
    assert_int_equal(expr_mul(g, expr_neg(g, x), expr_neg(g, y)), expr_mul(g, x, y));
    assert_int_equal(expr_mul(g, expr_mul(g, x, y), x), expr_mul(g, expr_square(g, x), y));
    assert_int_not_equal(expr_sym(g, "x"), x);
}

static void zeros_and_ones_disappear(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const expr x = f->x, zero = expr_const(g, 0), one = expr_const(g, 1);
    assert_int_equal(expr_add(g, x, zero), x);
    assert_int_equal(expr_mul(g, one, x), x);
    assert_int_equal(expr_div(g, x, one), x);
    assert_int_equal(expr_div(g, x, x), one);
    assert_int_equal(expr_sub(g, x, x), zero);
    assert_int_equal(expr_const(g, -0.0), zero);
    assert_true(expr_is_zero(g, expr_mul(g, x, zero)));
    assert_int_equal(expr_binary(g, EXPR_POW, x, zero), one);
    assert_int_equal(expr_binary(g, EXPR_POW, x, one), x);
}

static void numbers_gather_in_front(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const expr x = f->x, y = f->y;
    double value;
    assert_true(expr_is_const(g, expr_scale(g, 2, expr_const(g, 3)), &value));
    assert_true(value == 6);
    assert_text(g, expr_scale(g, 2, expr_scale(g, 3, x)), "6*x");
    assert_text(g, expr_mul(g, expr_scale(g, 2, x), expr_scale(g, 3, y)), "6*x*y");
    assert_text(g, expr_div(g, expr_scale(g, 6, x), expr_scale(g, -2, y)), "-3*x/y");
    assert_text(g, expr_add(g, expr_add(g, expr_const(g, 1), x), expr_add(g, y, expr_const(g, 2))), "x + y + 3");
    assert_text(g, expr_square(g, expr_scale(g, -3, x)), "9*x^2");
    assert_int_equal(expr_div(g, x, expr_const(g, 4)), expr_scale(g, 0.25, x));
    assert_int_equal(expr_mul(g, x, expr_div(g, expr_const(g, 2), y)), expr_scale(g, 2, expr_div(g, x, y)));
}

static void like_terms_are_collected(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const expr x = f->x, y = f->y, z = f->z;
    assert_int_equal(expr_add(g, x, x), expr_scale(g, 2, x));
    assert_int_equal(expr_sub(g, expr_add(g, expr_add(g, x, y), z), y), expr_add(g, x, z));
    assert_int_equal(expr_sub(g, x, expr_add(g, x, y)), expr_neg(g, y));
    assert_int_equal(expr_neg(g, expr_sub(g, x, y)), expr_sub(g, y, x));
    assert_true(expr_is_zero(g, expr_add(g, expr_sub(g, x, y), expr_sub(g, y, x))));
}

/* sin^2 + cos^2 = 1, also with a common factor: m l^2 of a pendulum. */
static void squares_of_sine_and_cosine_add_to_one(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const expr s2 = expr_square(g, expr_unary(g, EXPR_SIN, f->x));
    const expr c2 = expr_square(g, expr_unary(g, EXPR_COS, f->x));
    assert_int_equal(expr_add(g, s2, c2), expr_const(g, 1));
    assert_int_equal(expr_add(g, expr_mul(g, c2, f->y), expr_mul(g, s2, f->y)), f->y);
    assert_int_equal(expr_add(g, expr_add(g, f->y, expr_scale(g, 3, s2)), expr_scale(g, 3, c2)),
                     expr_add(g, f->y, expr_const(g, 3)));
}

static void odd_and_even_functions_take_the_sign_out(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const expr minus_x = expr_scale(g, -2, f->x), x = expr_scale(g, 2, f->x);
    assert_int_equal(expr_unary(g, EXPR_SIN, minus_x), expr_neg(g, expr_unary(g, EXPR_SIN, x)));
    assert_int_equal(expr_unary(g, EXPR_COS, minus_x), expr_unary(g, EXPR_COS, x));
    assert_int_equal(expr_unary(g, EXPR_ABS, minus_x), expr_unary(g, EXPR_ABS, x));
    assert_int_equal(expr_unary(g, EXPR_SIGN, minus_x), expr_neg(g, expr_unary(g, EXPR_SIGN, x)));
}

/* 1/0 and log(-1) stay as they are, for the evaluator to meet; numbers that are infinite on purpose fold. */
static void what_is_not_finite_is_kept(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const expr inverse = expr_div(g, expr_const(g, 1), expr_const(g, 0));
    assert_int_equal(expr_op_of(g, inverse), EXPR_DIV);
    assert_true(isinf(expr_eval(g, inverse, 0, NULL, NULL)));
    assert_int_equal(expr_op_of(g, expr_unary(g, EXPR_LOG, expr_const(g, -1))), EXPR_LOG);
    double value;
    assert_true(expr_is_const(g, expr_neg(g, expr_const(g, INFINITY)), &value));
    assert_true(value == -INFINITY);
}

static void powers_of_integers_are_products(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    for (int n = -17; n <= 17; n++) {
        const expr power = expr_binary(g, EXPR_POW, f->x, expr_const(g, n));
        /* relative: at most 5 roundings of half an ulp each, doubled on the way */
        assert_true(fabs(value_at(f, power, -1.3, 0, 0) / pow(-1.3, n) - 1) < 4e-15);
        if (n > 1 && n <= 16)
            assert_int_not_equal(expr_op_of(g, power), EXPR_POW);
    }
    assert_int_equal(expr_op_of(g, expr_binary(g, EXPR_POW, f->x, expr_const(g, 0.5))), EXPR_SQRT);
    assert_int_equal(expr_op_of(g, expr_binary(g, EXPR_POW, f->x, expr_const(g, 1.5))), EXPR_POW);
}

static void every_function_evaluates(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const struct { enum expr_op op; double value; } unary[] = {
        { EXPR_SIN, sin(0.3) }, { EXPR_COS, cos(0.3) }, { EXPR_TAN, tan(0.3) }, { EXPR_ASIN, asin(0.3) },
        { EXPR_ACOS, acos(0.3) }, { EXPR_ATAN, atan(0.3) }, { EXPR_SINH, sinh(0.3) }, { EXPR_COSH, cosh(0.3) },
        { EXPR_TANH, tanh(0.3) }, { EXPR_EXP, exp(0.3) }, { EXPR_LOG, log(0.3) }, { EXPR_LOG10, log10(0.3) },
        { EXPR_SQRT, sqrt(0.3) }, { EXPR_SQUARE, 0.3 * 0.3 }, { EXPR_ABS, 0.3 }, { EXPR_SIGN, 1 },
        { EXPR_STEP, 1 }, { EXPR_NEG, -0.3 }, { EXPR_NOT, 0 },
    };
    for (size_t i = 0; i < sizeof unary / sizeof *unary; i++) {
        assert_true(value_at(f, expr_unary(g, unary[i].op, f->x), 0.3, 0, 0) == unary[i].value);
        assert_true(expr_is_const(g, expr_unary(g, unary[i].op, expr_const(g, 0.3)), NULL));
    }
    const struct { enum expr_op op; double value; } binary[] = {
        { EXPR_ADD, 0.1 + 2 }, { EXPR_MUL, 0.1 * 2 }, { EXPR_DIV, 0.1 / 2 }, { EXPR_POW, pow(0.1, 2) },
        { EXPR_ATAN2, atan2(0.1, 2) }, { EXPR_HYPOT, hypot(0.1, 2) }, { EXPR_MIN, 0.1 }, { EXPR_MAX, 2 },
        { EXPR_LT, 1 }, { EXPR_LE, 1 }, { EXPR_EQ, 0 }, { EXPR_AND, 1 }, { EXPR_OR, 1 },
    };
    for (size_t i = 0; i < sizeof binary / sizeof *binary; i++)
        assert_true(value_at(f, expr_binary(g, binary[i].op, f->x, f->y), 0.1, 2, 0) == binary[i].value);
    assert_true(value_at(f, expr_unary(g, EXPR_SIGN, f->x), 0, 0, 0) == 0);
    assert_true(value_at(f, expr_unary(g, EXPR_STEP, f->x), 0, 0, 0) == 0.5);
    const expr choice = expr_if(g, expr_binary(g, EXPR_LT, f->x, f->y), f->z, expr_const(g, 7));
    assert_true(value_at(f, choice, 1, 2, 3) == 3);
    assert_true(value_at(f, choice, 2, 1, 3) == 7);
    assert_true(isnan(expr_eval(g, f->x, 0, NULL, NULL)));
}

/* On [0, 1] s^3, on [1, 3] 1 + 3 (s - 1); 0 before, 9 after. */
static void a_table_is_piecewise_cubic(void **state)
{
    struct fixture *f = *state;
    const double breaks[] = { 0, 1, 3 }, coef[] = { 0, 0, 0, 1, 1, 3, 0, 0 };
    const expr table = expr_table(f->g, 2, breaks, coef, 0, 9, f->x);
    const double s[] = { -1, 0, 0.5, 1, 2, 3, 4 }, expected[] = { 0, 0, 0.125, 1, 4, 9, 9 };
    for (int i = 0; i < 7; i++)
        assert_true(value_at(f, table, s[i], 0, 0) == expected[i]);
    assert_int_equal(expr_table(f->g, 2, breaks, coef, 0, 9, f->x), table);
    assert_true(expr_is_const(f->g, expr_table(f->g, 2, breaks, coef, 0, 9, expr_const(f->g, 2)), NULL));
    const struct table_data *data = expr_table_data(f->g, table);
    assert_int_equal(data->n, 2);
    assert_true(data->breaks[2] == 3 && data->coef[3] == 1 && data->left == 0 && data->right == 9);
}

static void substitution_is_simultaneous(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const expr sym[2] = { f->x, f->y }, by[2] = { f->y, f->x };
    expr e[2] = { expr_sub(g, f->x, expr_unary(g, EXPR_SIN, f->y)), f->z };
    expr_substitute(g, 2, e, 2, sym, by, e);
    assert_int_equal(e[0], expr_sub(g, f->y, expr_unary(g, EXPR_SIN, f->x)));
    assert_int_equal(e[1], f->z);
}

static void dependence_and_kinks_are_found(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const expr e = expr_mul(g, f->x, expr_unary(g, EXPR_SIN, f->z));
    assert_true(expr_depends(g, e, 1, &f->z));
    assert_false(expr_depends(g, e, 1, &f->y));
    const expr both[2] = { f->z, f->x };
    assert_true(expr_is_of(g, e, 2, both));
    assert_false(expr_is_of(g, e, 1, both));
    assert_true(expr_is_of(g, expr_const(g, 2), 0, NULL));
    assert_int_equal(expr_find_nonsmooth(g, e), EXPR_NONE);
    const expr kink = expr_unary(g, EXPR_ABS, f->y);
    assert_int_equal(expr_find_nonsmooth(g, expr_add(g, e, expr_unary(g, EXPR_EXP, kink))), kink);
}

static void text_has_the_brackets_it_needs(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const expr x = f->x, y = f->y, z = f->z;
    assert_text(g, expr_sub(g, x, expr_add(g, y, z)), "x - y - z");
    assert_text(g, expr_mul(g, expr_add(g, x, y), z), "z*(x + y)");
    assert_text(g, expr_div(g, x, expr_mul(g, y, z)), "x/(y*z)");
    assert_text(g, expr_neg(g, expr_square(g, x)), "-x^2");
    assert_text(g, expr_square(g, expr_add(g, x, y)), "(x + y)^2");
    assert_text(g, expr_neg(g, expr_binary(g, EXPR_POW, expr_add(g, x, y), expr_const(g, 3))), "-(x + y)^3");
    assert_text(g, expr_sub(g, x, expr_const(g, 1)), "x - 1");
    assert_text(g, expr_sub(g, expr_const(g, 1), x), "1 - x");
    assert_text(g, expr_binary(g, EXPR_POW, x, expr_neg(g, y)), "x^(-y)");
    assert_text(g, expr_unary(g, EXPR_NOT, expr_binary(g, EXPR_LT, x, y)), "not x < y");
    assert_text(g, expr_binary(g, EXPR_ATAN2, x, expr_const(g, 0.1)), "atan2(x, 0.1)");
}

/* 300,000 nodes; the sum is 200,000 deep, and no function runs out of stack on it. */
static void deep_graphs_are_fine(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    enum { N = 100000 };
    expr e = f->x;
    for (int i = 0; i < N; i++)
        e = expr_add(g, f->y, expr_unary(g, EXPR_SIN, e));
    assert_true(expr_n_nodes(g) >= 2 * N);
    assert_true(isfinite(value_at(f, e, 0.1, 0.2, 0)));
    expr by = f->z, out;
    expr_substitute(g, 1, &e, 1, &f->x, &by, &out);
    assert_false(expr_depends(g, out, 1, &f->x));
    char *text = expr_to_text(g, e);
    free(text);
}

/* x where y >= z, else the root of x: no nonsmooth function, nothing is taken over from the other piece, and its side
 * can be replaced. */
static void a_pick_is_the_piece_of_its_side(void **state)
{
    struct fixture *f = *state;
    const expr side = expr_side(f->g, expr_sub(f->g, f->y, f->z)), zero = expr_const(f->g, 0), one = expr_const(f->g, 1);
    const expr pick = expr_pick(f->g, side, f->x, expr_sqrt(f->g, f->x));
    expr out;
    assert_true(value_at(f, pick, -4, 1, 0) == -4);
    assert_true(value_at(f, pick, -4, 1, 1) == -4);
    assert_true(value_at(f, pick, 4, 1, 2) == 2);
    assert_int_equal(expr_find_nonsmooth(f->g, pick), EXPR_NONE);
    assert_int_equal(expr_pick(f->g, side, f->x, f->x), f->x);
    expr_substitute(f->g, 1, &pick, 1, &side, &one, &out);
    assert_int_equal(out, f->x);
    expr_substitute(f->g, 1, &pick, 1, &side, &zero, &out);
    assert_int_equal(out, expr_sqrt(f->g, f->x));
}

/* A fork has the same expressions at the same places; what is built in it (symbols, tables and a rehash included)
 * leaves no trace. */
static void fork_grows_by_itself(void **state)
{
    struct fixture *f = *state;
    const double breaks[] = { 0, 1 }, coef[] = { 1, 2, 3, 4 };
    const expr table = expr_table(f->g, 1, breaks, coef, 0, 0, f->x), sum = expr_add(f->g, f->y, table);
    const int before = expr_n_nodes(f->g);
    struct expr_graph *fork = expr_graph_fork(f->g);
    assert_int_equal(expr_add(fork, f->y, table), sum);
    expr slope, e = sum;
    expr_gradient(fork, sum, 1, &f->x, &slope);
    const expr own = expr_sym(fork, "own");
    for (int k = 0; k < 5000; k++)
        e = expr_add(fork, expr_mul(fork, e, own), expr_const(fork, k));
    assert_true(expr_depends(fork, e, 1, &f->x));
    assert_true(expr_n_nodes(fork) > before + 5000);
    const expr at[] = { f->x, f->y };
    const double value[] = { 0.5, 7 };
    assert_true(fabs(expr_eval(fork, slope, 2, at, value) - (2 + 6 * 0.5 + 12 * 0.25)) < 1e-14);
    expr_graph_free(fork);
    assert_int_equal(expr_n_nodes(f->g), before);
    assert_true(fabs(expr_eval(f->g, sum, 2, at, value) - (7 + 1 + 2 * 0.5 + 3 * 0.25 + 4 * 0.125)) < 1e-14);
    assert_int_equal(expr_add(f->g, f->y, table), sum);
}

static void the_first_position_wins(void **state)
{
    struct fixture *f = *state;
    const expr e = expr_add(f->g, f->x, f->y);
    assert_int_equal(expr_pos(f->g, e).line, 0);
    expr_set_pos(f->g, e, (struct srcpos){ "a.yaml", 3, 4 });
    expr_set_pos(f->g, e, (struct srcpos){ "a.yaml", 5, 6 });
    assert_int_equal(expr_pos(f->g, e).line, 3);
}

/* In a large graph a small expression is gathered by a heap, a large one by marks: the nodes are the same, ascending. */
static void a_reach_is_the_same_in_any_graph(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 20000; i++)
        (void)expr_const(f->g, i + 0.5);
    const expr x = expr_sym(f->g, "x"), a = expr_mul(f->g, f->y, x), b = expr_add(f->g, a, expr_unary(f->g, EXPR_SIN, a));
    const expr both[3] = { b, EXPR_NONE, expr_unary(f->g, EXPR_EXP, f->y) };
    int count;
    expr *reach = expr_reach(f->g, 3, both, &count);
    const expr expected[6] = { f->y, x, a, expr_unary(f->g, EXPR_SIN, a), b, both[2] };
    assert_int_equal(count, 6);
    assert_memory_equal(reach, expected, sizeof expected);
    free(reach);
    bool depends[3];
    expr_depends_each(f->g, b, 3, (const expr[3]){ f->x, f->y, x }, depends);
    assert_true(!depends[0] && depends[1] && depends[2]);
    assert_true(fabs(expr_eval(f->g, b, 2, (const expr[2]){ f->y, x }, (const double[2]){ 2, 3 }) - (6 + sin(6))) < 1e-14);
    reach = expr_reach(f->g, 1, &both[1], &count);
    assert_int_equal(count, 0);
    free(reach);
}

/* Words are cut off: y_60 of y_(i-1)^2 + sin(y_(i-1)) has 2^60 terms. */
static void words_are_bounded(void **state)
{
    struct fixture *f = *state;
    expr y = f->x;
    for (int i = 0; i < 60; i++)
        y = expr_add(f->g, expr_square(f->g, y), expr_unary(f->g, EXPR_SIN, y));
    char *words = expr_to_words(f->g, y);
    const size_t n = strlen(words);
    assert_true(n >= EXPR_WORDS && n < EXPR_WORDS + 50);
    assert_string_equal(words + n - 3, "...");
    free(words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_reach_is_the_same_in_any_graph, set_up, tear_down),
        cmocka_unit_test_setup_teardown(words_are_bounded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(equal_sums_and_products_are_one_node, set_up, tear_down),
        cmocka_unit_test_setup_teardown(zeros_and_ones_disappear, set_up, tear_down),
        cmocka_unit_test_setup_teardown(numbers_gather_in_front, set_up, tear_down),
        cmocka_unit_test_setup_teardown(like_terms_are_collected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(squares_of_sine_and_cosine_add_to_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(odd_and_even_functions_take_the_sign_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_finite_is_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(powers_of_integers_are_products, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_function_evaluates, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_table_is_piecewise_cubic, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_pick_is_the_piece_of_its_side, set_up, tear_down),
        cmocka_unit_test_setup_teardown(substitution_is_simultaneous, set_up, tear_down),
        cmocka_unit_test_setup_teardown(dependence_and_kinks_are_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(text_has_the_brackets_it_needs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(deep_graphs_are_fine, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fork_grows_by_itself, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_first_position_wins, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
