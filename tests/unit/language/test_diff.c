#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/expression/diff.h"

#include <math.h>
#include <stdlib.h>

enum { N = 4 };                     /* symbols */

struct fixture { struct expr_graph *g; expr sym[N]; double at[N]; };

static int set_up(void **state)
{
    struct fixture *f = malloc(sizeof *f);
    f->g = expr_graph_create();
    const char *name[N] = { "a", "b", "c", "d" };
    const double at[N] = { 0.7, -0.4, 1.3, 0.2 };
    for (int k = 0; k < N; k++) {
        f->sym[k] = expr_sym(f->g, name[k]);
        f->at[k] = at[k];
    }
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

static double value(const struct fixture *f, expr e)
{
    return expr_eval(f->g, e, N, f->sym, f->at);
}

/* Central difference of e by symbol k, two steps extrapolated: the error is of order h^4 and rounding / h. */
static double difference(struct fixture *f, expr e, int k)
{
    const double x = f->at[k], h = 1e-3;
    double d[2];
    for (int i = 0; i < 2; i++) {
        const double step = i ? h / 2 : h;
        f->at[k] = x + step;
        const double right = value(f, e);
        f->at[k] = x - step;
        d[i] = (right - value(f, e)) / (2 * step);
    }
    f->at[k] = x;
    return (4 * d[1] - d[0]) / 3;
}

/* h^4 = 1e-12 times fifth derivatives, which grow by compositions, and 1e-16 / h = 1e-13: 1e-8 of the size. */
static void assert_close(double got, double expected)
{
    assert_true(fabs(got - expected) <= 1e-8 * (1 + fabs(expected)));
}

static void assert_gradient_is_difference(struct fixture *f, expr e)
{
    expr grad[N];
    expr_gradient(f->g, e, N, f->sym, grad);
    for (int k = 0; k < N; k++)
        assert_close(value(f, grad[k]), difference(f, e, k));
}

static void every_function_has_its_derivative(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const enum expr_op unary[] = { EXPR_NEG, EXPR_SIN, EXPR_COS, EXPR_TAN, EXPR_ASIN, EXPR_ACOS, EXPR_ATAN,
                                   EXPR_SINH, EXPR_COSH, EXPR_TANH, EXPR_EXP, EXPR_LOG, EXPR_LOG10, EXPR_SQRT,
                                   EXPR_SQUARE };
    for (size_t i = 0; i < sizeof unary / sizeof *unary; i++)
        assert_gradient_is_difference(f, expr_unary(g, unary[i], f->sym[0]));
    const enum expr_op binary[] = { EXPR_ADD, EXPR_MUL, EXPR_DIV, EXPR_POW, EXPR_ATAN2, EXPR_HYPOT };
    for (size_t i = 0; i < sizeof binary / sizeof *binary; i++) {
        assert_gradient_is_difference(f, expr_binary(g, binary[i], f->sym[0], f->sym[1]));
        assert_gradient_is_difference(f, expr_binary(g, binary[i], f->sym[2], f->sym[0]));
    }
    for (double n = -3; n <= 5; n += 0.5)
        assert_gradient_is_difference(f, expr_binary(g, EXPR_POW, f->sym[2], expr_const(g, n)));
    assert_gradient_is_difference(f, expr_binary(g, EXPR_POW, expr_const(g, 1.7), f->sym[2]));
}

/* On [0, 1] s^3, then 1 + 3 (s - 1): the derivative is 3 s^2, then 3, and 0 outside; the fourth is no more. */
static void the_derivative_of_a_table_is_a_table(void **state)
{
    struct fixture *f = *state;
    const double breaks[] = { 0, 1, 3 }, coef[] = { 0, 0, 0, 1, 1, 3, 0, 0 };
    expr e = expr_table(f->g, 2, breaks, coef, 0, 9, expr_scale(f->g, 2, f->sym[0]));
    const double s[] = { -1, 0.25, 1, 4 }, expected[] = { 0, 2 * 0.75, 2 * 3, 0 };
    expr d;
    expr_gradient(f->g, e, 1, f->sym, &d);
    for (int i = 0; i < 4; i++) {
        f->at[0] = s[i];
        assert_true(value(f, d) == expected[i]);
    }
    for (int i = 0; i < 4; i++) {
        expr_gradient(f->g, e, 1, f->sym, &d);
        e = d;
    }
    assert_true(expr_is_zero(f->g, d));
}

/* x^3 where y >= 1, else x y: each piece has its own derivatives, the side none. */
static void picks_are_derived_piece_by_piece(void **state)
{
    struct fixture *f = *state;
    const expr x = f->sym[0], y = f->sym[1];
    const expr cube = expr_mul(f->g, x, expr_square(f->g, x));
    const expr e = expr_pick(f->g, expr_side(f->g, expr_sub(f->g, y, expr_const(f->g, 1))), cube, expr_mul(f->g, x, y));
    expr d[2], dd;
    expr_gradient(f->g, e, 2, f->sym, d);
    expr_gradient(f->g, d[0], 1, f->sym, &dd);
    f->at[0] = 3;
    f->at[1] = 2;
    assert_true(value(f, d[0]) == 27 && value(f, d[1]) == 0 && value(f, dd) == 18);
    f->at[1] = 0.5;
    assert_true(value(f, d[0]) == 0.5 && value(f, d[1]) == 3 && value(f, dd) == 0);
}

/* A repeatable stream of random numbers. */
static unsigned draw(uint32_t *seed, unsigned n)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % n;
}

/* A random smooth expression of the symbols, with arguments kept where functions are smooth and tame. */
static expr random_expression(struct fixture *f, uint32_t *seed, int n_steps)
{
    struct expr_graph *g = f->g;
    enum { MAX_STEPS = 64 };
    expr pool[N + MAX_STEPS];
    int n = 0;
    for (; n < N; n++)
        pool[n] = f->sym[n];
    for (int i = 0; i < n_steps; i++) {
        const expr a = pool[draw(seed, (unsigned)n)], b = pool[draw(seed, (unsigned)n)];
        const expr tame = expr_unary(g, EXPR_SIN, a), positive = expr_add(g, expr_const(g, 2), tame);
        switch (draw(seed, 9)) {
        case 0:  pool[n++] = expr_add(g, a, b); break;
        case 1:  pool[n++] = expr_sub(g, expr_scale(g, 0.5, a), b); break;
        case 2:  pool[n++] = expr_mul(g, tame, b); break;
        case 3:  pool[n++] = expr_div(g, b, positive); break;
        case 4:  pool[n++] = expr_binary(g, EXPR_POW, positive, expr_unary(g, EXPR_COS, b)); break;
        case 5:  pool[n++] = expr_sqrt(g, expr_add(g, positive, expr_square(g, tame))); break;
        case 6:  pool[n++] = expr_binary(g, EXPR_ATAN2, b, positive); break;
        case 7:  pool[n++] = expr_unary(g, EXPR_LOG, positive); break;
        default: pool[n++] = expr_binary(g, EXPR_HYPOT, tame, positive); break;
        }
    }
    expr sum = pool[n - 1];
    for (int i = 2; i < 5; i++)
        sum = expr_add(g, sum, expr_mul(g, pool[n - i], pool[n - i - 1]));
    return sum;
}

static void gradients_of_random_expressions_are_differences(void **state)
{
    struct fixture *f = *state;
    uint32_t seed = 1;
    for (int trial = 0; trial < 100; trial++)
        assert_gradient_is_difference(f, random_expression(f, &seed, 8));
}

/* The Hessian is the difference of the gradient, its lower triangle by columns. */
static void hessians_of_random_expressions_are_differences(void **state)
{
    struct fixture *f = *state;
    uint32_t seed = 2;
    for (int trial = 0; trial < 50; trial++) {
        const expr e = random_expression(f, &seed, 8);
        expr grad[N];
        expr_gradient(f->g, e, N, f->sym, grad);
        struct expr_sparse h = expr_hessian(f->g, e, N, f->sym);
        double dense[N][N] = { { 0 } };
        for (int k = 0; k < h.nnz; k++) {
            assert_true(h.row[k] >= h.col[k]);
            if (k > 0)
                assert_true(h.col[k - 1] * N + h.row[k - 1] < h.col[k] * N + h.row[k]);
            dense[h.row[k]][h.col[k]] = value(f, h.val[k]);
        }
        for (int i = 0; i < N; i++)
            for (int j = 0; j <= i; j++)
                assert_close(dense[i][j], difference(f, grad[i], j));
        expr_sparse_free(&h);
    }
}

/* Many outputs of few symbols go forward, one output of many goes in reverse; both are the gradient. */
static void jacobians_agree_with_gradients_in_both_directions(void **state)
{
    struct fixture *f = *state;
    enum { ROWS = 12 };
    uint32_t seed = 3;
    expr e[ROWS], grad[N];
    for (int i = 0; i < ROWS; i++)
        e[i] = random_expression(f, &seed, 6);
    for (int n = 1; n <= ROWS; n += ROWS - 1) {
        struct expr_sparse jac = expr_jacobian(f->g, n, e, N, f->sym);
        for (int k = 0; k < jac.nnz; k++) {
            expr_gradient(f->g, e[jac.row[k]], N, f->sym, grad);
            assert_close(value(f, jac.val[k]), value(f, grad[jac.col[k]]));
        }
        expr_sparse_free(&jac);
    }
}

/* a^2 + b c has three nonzeros, and a Hessian with (a, a) and (c, b). */
static void only_structural_nonzeros_are_listed(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const expr e = expr_add(g, expr_square(g, f->sym[0]), expr_mul(g, f->sym[1], f->sym[2]));
    struct expr_sparse jac = expr_jacobian(g, 1, &e, N, f->sym), h = expr_hessian(g, e, N, f->sym);
    assert_int_equal(jac.nnz, 3);
    assert_int_equal(jac.val[0], expr_scale(g, 2, f->sym[0]));
    assert_int_equal(jac.val[1], f->sym[2]);
    assert_int_equal(jac.val[2], f->sym[1]);
    assert_int_equal(h.nnz, 2);
    assert_true(h.row[0] == 0 && h.col[0] == 0 && value(f, h.val[0]) == 2);
    assert_true(h.row[1] == 2 && h.col[1] == 1 && value(f, h.val[1]) == 1);
    expr_sparse_free(&jac);
    expr_sparse_free(&h);
}

/* The Hessian by the velocities of the kinetic energy of a double pendulum, lengths 1 and 2, masses 3 and 5:
 * (m1 + m2) l1^2 and m2 l2^2 on the diagonal, both constant, m2 l1 l2 cos(q1 - q2) beside it. */
static void mass_matrix_of_a_double_pendulum(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const double l[2] = { 1, 2 }, m[2] = { 3, 5 };
    const expr *q = f->sym, *w = f->sym + 2;
    expr x = expr_const(g, 0), z = expr_const(g, 0), kinetic = expr_const(g, 0);
    for (int i = 0; i < 2; i++) {
        x = expr_add(g, x, expr_scale(g, l[i], expr_unary(g, EXPR_SIN, q[i])));
        z = expr_sub(g, z, expr_scale(g, l[i], expr_unary(g, EXPR_COS, q[i])));
        const expr vx = expr_directional(g, x, 2, q, w), vz = expr_directional(g, z, 2, q, w);
        const expr v2 = expr_add(g, expr_square(g, vx), expr_square(g, vz));
        kinetic = expr_add(g, kinetic, expr_scale(g, 0.5 * m[i], v2));
    }
    struct expr_sparse M = expr_hessian(g, kinetic, 2, w);
    assert_int_equal(M.nnz, 3);
    double diagonal;
    assert_true(expr_is_const(g, M.val[0], &diagonal) && diagonal == 8);
    assert_true(expr_is_const(g, M.val[2], &diagonal) && diagonal == 20);
    /* a product and a sum of four roundings */
    assert_true(fabs(value(f, M.val[1]) - 10 * cos(f->at[0] - f->at[1])) < 1e-14);
    expr_sparse_free(&M);
}

static void directional_derivative_is_gradient_times_direction(void **state)
{
    struct fixture *f = *state;
    uint32_t seed = 4;
    for (int trial = 0; trial < 20; trial++) {
        const expr e = random_expression(f, &seed, 8);
        const expr dir[2] = { f->sym[2], expr_const(f->g, 3) };
        expr grad[2];
        expr_gradient(f->g, e, 2, f->sym, grad);
        assert_close(value(f, expr_directional(f->g, e, 2, f->sym, dir)), value(f, expr_dot(f->g, 2, grad, dir)));
    }
    assert_true(expr_is_zero(f->g, expr_directional(f->g, f->sym[3], 1, f->sym, f->sym)));
}

/* A function applied 50,000 times over: reverse mode needs no stack. */
static void deep_graphs_are_differentiated(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    expr e = f->sym[0], grad[N];
    for (int i = 0; i < 50000; i++)
        e = expr_add(g, f->sym[1], expr_unary(g, EXPR_SIN, e));
    expr_gradient(g, e, N, f->sym, grad);
    assert_true(isfinite(value(f, grad[0])));
    assert_true(expr_is_zero(g, grad[2]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_function_has_its_derivative, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_derivative_of_a_table_is_a_table, set_up, tear_down),
        cmocka_unit_test_setup_teardown(picks_are_derived_piece_by_piece, set_up, tear_down),
        cmocka_unit_test_setup_teardown(gradients_of_random_expressions_are_differences, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hessians_of_random_expressions_are_differences, set_up, tear_down),
        cmocka_unit_test_setup_teardown(jacobians_agree_with_gradients_in_both_directions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_structural_nonzeros_are_listed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(mass_matrix_of_a_double_pendulum, set_up, tear_down),
        cmocka_unit_test_setup_teardown(directional_derivative_is_gradient_times_direction, set_up, tear_down),
        cmocka_unit_test_setup_teardown(deep_graphs_are_differentiated, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
