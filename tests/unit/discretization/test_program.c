/* test_program.c - rows and costs put together from terms, against formulas written out by hand */
#include "transcription/program/program.h"

#include "tests/unit/sparse_find.h"
#include "transcription/program/check.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct mpcc_label nowhere = { .name = "here", .interval = -1, .element = -1, .stage = -1 };

static int add_var(struct program *prog, double guess)
{
    return program_var(prog, -INFINITY, INFINITY, guess, nowhere);
}

static int add_row(struct program *prog)
{
    return program_row(prog, 0, 0, nowhere);
}

/* A few roundings of numbers of order one. */
static void assert_close(double got, double want)
{
    if (!(fabs(got - want) <= 1e-13 * (1 + fabs(want))))
        fail_msg("got %.17g, want %.17g", got, want);
}

static void assert_row(const struct nlp *nlp, const double *w, int row, double want)
{
    double g[8];
    assert_true(nlp->n_g <= 8);
    assert_true(nlp->eval_g(nlp->user, w, true, g));
    assert_close(g[row], want);
}

static double entry(const struct sparse *pattern, const double *val, int row, int col)
{
    const int k = sparse_find(pattern, row, col);
    return k < 0 ? 0 : val[k];
}

static void assert_jac(const struct nlp *nlp, const double *w, int row, int col, double want)
{
    double val[64];
    assert_true(nlp->jac.nnz <= 64);
    assert_true(nlp->eval_jac(nlp->user, w, true, val));
    assert_close(entry(&nlp->jac, val, row, col), want);
}

/* Entry (a, b) of the Hessian of obj_factor f + lambda'g. */
static void assert_hess(const struct nlp *nlp, const double *w, double obj_factor, const double *lambda, int a,
                        int b, double want)
{
    double val[64];
    assert_true(nlp->hess.nnz <= 64);
    assert_true(nlp->eval_hess(nlp->user, w, true, obj_factor, lambda, val));
    assert_close(entry(&nlp->hess, val, a > b ? a : b, a > b ? b : a), want);
}

/* The checker's own truncation is 1e-10 times third derivatives of order 10. */
static void assert_derivatives(const struct mpcc *mpcc)
{
    const struct derivative_check check = derivative_check(&mpcc->nlp, mpcc->w0, 5, 7);
    assert_true(check.finite);
    assert_true(check.jac <= 1e-7 && check.grad <= 1e-7 && check.hess <= 1e-7);
}

/* g = 3 x - 2 y + 4 x y + 5 y^2: linear terms of one place add up, a square counts twice in the second
 * derivative. */
static void linear_and_bilinear_terms_add_up(void **state)
{
    (void)state;
    struct program *prog = program_create();
    const int x = add_var(prog, 1), y = add_var(prog, 1), row = add_row(prog);
    program_linear(prog, row, x, 1);
    program_linear(prog, row, x, 2);
    program_linear(prog, row, y, -2);
    program_bilinear(prog, row, x, y, 4);
    program_bilinear(prog, row, y, y, 5);
    program_finish(prog);
    const struct mpcc mpcc = program_mpcc(prog);
    const double w[] = { 1.5, -0.5 }, lambda = 2;
    assert_row(&mpcc.nlp, w, row, 3 * 1.5 + 1 - 3 + 1.25);
    assert_jac(&mpcc.nlp, w, row, x, 3 - 2);
    assert_jac(&mpcc.nlp, w, row, y, -2 + 6 - 5);
    assert_hess(&mpcc.nlp, w, 1, &lambda, x, y, 8);
    assert_hess(&mpcc.nlp, w, 1, &lambda, y, y, 20);
    assert_hess(&mpcc.nlp, w, 1, &lambda, x, x, 0);
    program_free(prog);
}

/* Pascals: by steps of 1e-4 a row of two variables of 1e7 would be off by 1e-5, by rounding alone. */
static void differences_are_relative_to_large_variables(void **state)
{
    (void)state;
    struct program *prog = program_create();
    const int x = add_var(prog, 3e7), y = add_var(prog, 7e6), row = add_row(prog);
    program_linear(prog, row, x, 1);
    program_linear(prog, row, y, -1);
    program_finish(prog);
    const struct mpcc mpcc = program_mpcc(prog);
    const struct derivative_check check = derivative_check(&mpcc.nlp, mpcc.w0, 5, 7);
    assert_true(check.finite && check.jac <= 1e-9);
    program_free(prog);
}

/* F_0 = sin(p) q, F_1 = p^2 + q of two slots. */
static struct pointfun *sine_and_square(struct expr_graph *g)
{
    expr in[2] = { expr_sym(g, "p"), expr_sym(g, "q") };
    const expr out[2] = { expr_mul(g, expr_unary(g, EXPR_SIN, in[0]), in[1]),
                          expr_add(g, expr_square(g, in[0]), in[1]) };
    return pointfun_create(g, 2, in, 2, out);
}

/* derivatives.md 1: r = c h s F(slots) with affine slots p = 2 x - y + 0.3, q = x, and its second derivatives by h,
 * s, x. */
static void a_scaled_point_term_has_the_derivatives_of_h_1(void **state)
{
    (void)state;
    struct expr_graph *g = expr_graph_create();
    struct program *prog = program_create();
    const int x = add_var(prog, 1), y = add_var(prog, 1), h = add_var(prog, 1), s = add_var(prog, 1),
              row = add_row(prog);
    struct program_block *block = program_block(prog, sine_and_square(g));
    block_point(block);
    block_slot_const(block, 0, 0.3);
    block_slot_add(block, 0, x, 2);
    block_slot_add(block, 0, y, -1);
    block_slot(block, 1, x);
    block_out(block, 0, row, 3, h, s);
    program_finish(prog);
    const struct mpcc mpcc = program_mpcc(prog);
    const double X = 0.4, Y = 0.7, H = 0.2, S = 1.5, w[] = { X, Y, H, S }, lambda = -2;
    const double p = 2 * X - Y + 0.3, F = sin(p) * X, F_x = 2 * cos(p) * X + sin(p), F_y = -cos(p) * X;
    assert_row(&mpcc.nlp, w, row, 3 * H * S * F);
    assert_jac(&mpcc.nlp, w, row, x, 3 * H * S * F_x);
    assert_jac(&mpcc.nlp, w, row, y, 3 * H * S * F_y);
    assert_jac(&mpcc.nlp, w, row, h, 3 * S * F);
    assert_jac(&mpcc.nlp, w, row, s, 3 * H * F);
    assert_hess(&mpcc.nlp, w, 0, &lambda, x, x, -2 * 3 * H * S * (4 * cos(p) - 4 * sin(p) * X));
    assert_hess(&mpcc.nlp, w, 0, &lambda, h, s, -2 * 3 * F);
    assert_hess(&mpcc.nlp, w, 0, &lambda, h, x, -2 * 3 * S * F_x);
    assert_hess(&mpcc.nlp, w, 0, &lambda, s, y, -2 * 3 * H * F_y);
    assert_hess(&mpcc.nlp, w, 0, &lambda, h, h, 0);
    program_free(prog);
    expr_graph_free(g);
}

/* A scale that stands in a slot too: a b F_1(a, b) = a b (a^2 + b) = a^3 b + a b^2. */
static void a_scale_may_stand_in_a_slot(void **state)
{
    (void)state;
    struct expr_graph *g = expr_graph_create();
    struct program *prog = program_create();
    const int a = add_var(prog, 1), b = add_var(prog, 1), row = add_row(prog), square = add_row(prog);
    struct program_block *block = program_block(prog, sine_and_square(g));
    block_point(block);
    block_slot(block, 0, a);
    block_slot(block, 1, b);
    block_out(block, 1, row, 1, a, b);
    block_point(block);                         /* a^2 (a^2 + b): both factors the same */
    block_slot(block, 0, a);
    block_slot(block, 1, b);
    block_out(block, 1, square, 1, a, a);
    program_finish(prog);
    const struct mpcc mpcc = program_mpcc(prog);
    const double A = 0.8, B = -0.6, w[] = { A, B }, first[] = { 1, 0 }, second[] = { 0, 1 };
    assert_row(&mpcc.nlp, w, row, A * A * A * B + A * B * B);
    assert_jac(&mpcc.nlp, w, row, a, 3 * A * A * B + B * B);
    assert_jac(&mpcc.nlp, w, row, b, A * A * A + 2 * A * B);
    assert_hess(&mpcc.nlp, w, 0, first, a, a, 6 * A * B);
    assert_hess(&mpcc.nlp, w, 0, first, a, b, 3 * A * A + 2 * B);
    assert_hess(&mpcc.nlp, w, 0, first, b, b, 2 * A);
    assert_jac(&mpcc.nlp, w, square, a, 4 * A * A * A + 2 * A * B);
    assert_hess(&mpcc.nlp, w, 0, second, a, a, 12 * A * A + 2 * B);
    assert_hess(&mpcc.nlp, w, 0, second, a, b, 2 * A);
    assert_derivatives(&mpcc);
    program_free(prog);
    expr_graph_free(g);
}

/* One variable in both slots: sin(x) x has the second derivative 2 cos x - x sin x; a slot named twice adds up. */
static void a_variable_may_fill_two_slots(void **state)
{
    (void)state;
    struct expr_graph *g = expr_graph_create();
    struct program *prog = program_create();
    const int x = add_var(prog, 1), row = add_row(prog);
    struct program_block *block = program_block(prog, sine_and_square(g));
    block_point(block);
    block_slot_add(block, 0, x, 0.25);
    block_slot_add(block, 0, x, 0.75);
    block_slot(block, 1, x);
    block_out(block, 0, row, 1, PROGRAM_ONE, PROGRAM_ONE);
    program_finish(prog);
    const struct mpcc mpcc = program_mpcc(prog);
    const double w = 0.9, lambda = 1;
    assert_jac(&mpcc.nlp, &w, row, x, cos(w) * w + sin(w));
    assert_hess(&mpcc.nlp, &w, 0, &lambda, x, x, 2 * cos(w) - w * sin(w));
    program_free(prog);
    expr_graph_free(g);
}

/* The factor ONE may be given first. */
static void one_is_no_factor_on_either_side(void **state)
{
    (void)state;
    struct expr_graph *g = expr_graph_create();
    struct program *prog = program_create();
    const int x = add_var(prog, 1), h = add_var(prog, 1), row = add_row(prog);
    struct program_block *block = program_block(prog, sine_and_square(g));
    block_point(block);
    block_slot(block, 0, x);
    block_out(block, 1, row, 1, PROGRAM_ONE, h);
    program_finish(prog);
    const struct mpcc mpcc = program_mpcc(prog);
    const double w[] = { 3, 0.5 };
    assert_row(&mpcc.nlp, w, row, 0.5 * 9);
    assert_jac(&mpcc.nlp, w, row, h, 9);
    assert_jac(&mpcc.nlp, w, row, x, 0.5 * 6);
    program_free(prog);
    expr_graph_free(g);
}

static double cost_of(const struct mpcc *mpcc, const double *w)
{
    double f = NAN;
    assert_true(mpcc->nlp.eval_f(mpcc->nlp.user, w, true, &f));
    return f;
}

/* f = weight-by-kind sum of user's cost x^2 + y, penalty 3 x y, guide 5 x; the objective is the first alone. */
static void costs_are_weighted_by_kind(void **state)
{
    (void)state;
    struct expr_graph *g = expr_graph_create();
    struct program *prog = program_create();
    const int x = add_var(prog, 1), y = add_var(prog, 1);
    struct program_block *block = program_block(prog, sine_and_square(g));
    block_point(block);
    block_slot(block, 0, x);
    block_slot(block, 1, y);
    block_out(block, 1, PROGRAM_COST, 1, PROGRAM_ONE, PROGRAM_ONE);
    program_bilinear(prog, PROGRAM_PENALTY, x, y, 3);
    program_linear(prog, PROGRAM_GUIDE, x, 5);
    block_point(block);                         /* and a penalty from a block: 2 sin(y) x */
    block_slot(block, 0, y);
    block_slot(block, 1, x);
    block_out(block, 0, PROGRAM_PENALTY, 2, PROGRAM_ONE, PROGRAM_ONE);
    program_finish(prog);
    const struct mpcc mpcc = program_mpcc(prog);
    const double w[] = { 2, 7 }, penalty = 3 * 14 + 2 * sin(7) * 2;
    assert_close(cost_of(&mpcc, w), 11 + penalty);              /* weights 1, 1, 0 at first */
    assert_derivatives(&mpcc);
    program_set_weights(prog, (struct program_weights){ 2, 0.5, 4 });
    assert_close(cost_of(&mpcc, w), 22 + 0.5 * penalty + 40);
    assert_close(program_cost(prog, w), 11);
    assert_close(mpcc_objective(&mpcc, w), 11);
    double grad[2];
    assert_true(mpcc.nlp.eval_grad(mpcc.nlp.user, w, true, grad));
    assert_close(grad[x], 2 * 4 + 0.5 * (21 + 2 * sin(7)) + 20);
    assert_close(grad[y], 2 * 1 + 0.5 * (6 + 4 * cos(7)));
    assert_hess(&mpcc.nlp, w, 10, NULL, x, x, 10 * 2 * 2);
    assert_hess(&mpcc.nlp, w, 10, NULL, x, y, 10 * 0.5 * (3 + 2 * cos(7)));
    assert_derivatives(&mpcc);
    program_free(prog);
    expr_graph_free(g);
}

/* Outputs that no row was named for have no part in the program; a point adds to the rows of others. */
static void outputs_go_where_they_are_sent(void **state)
{
    (void)state;
    struct expr_graph *g = expr_graph_create();
    struct program *prog = program_create();
    const int x = add_var(prog, 1), y = add_var(prog, 1), row = add_row(prog), other = add_row(prog);
    struct program_block *block = program_block(prog, sine_and_square(g));
    for (int k = 0; k < 40; k++) {              /* more points than the first chunk of a block holds */
        block_point(block);
        block_slot(block, 0, k % 2 ? x : y);
        block_out(block, 1, row, k + 1, PROGRAM_ONE, PROGRAM_ONE);
    }
    program_linear(prog, other, y, 1);
    program_finish(prog);
    const struct mpcc mpcc = program_mpcc(prog);
    const double w[] = { 2, 3 };
    assert_row(&mpcc.nlp, w, row, 420 * 4 + 400 * 9);           /* 2 + 4 + .. + 40 and 1 + 3 + .. + 39 */
    assert_row(&mpcc.nlp, w, other, 3);
    assert_int_equal(mpcc.nlp.jac.nnz, 3);
    program_free(prog);
    expr_graph_free(g);
}

/* Second callbacks at the same point use what the first one computed, and a new point is noticed. */
static void callbacks_may_come_in_any_order(void **state)
{
    (void)state;
    struct expr_graph *g = expr_graph_create();
    struct program *prog = program_create();
    const int x = add_var(prog, 1), h = add_var(prog, 1), row = add_row(prog);
    struct program_block *block = program_block(prog, sine_and_square(g));
    block_point(block);
    block_slot(block, 0, x);
    block_out(block, 1, row, 1, h, PROGRAM_ONE);
    program_finish(prog);
    const struct mpcc mpcc = program_mpcc(prog);
    const struct nlp *nlp = &mpcc.nlp;
    const double w1[] = { 2, 3 }, w2[] = { 5, 7 }, lambda = 1;
    double g_val, jac[2], hess[4];
    nlp->eval_g(nlp->user, w1, true, &g_val);
    nlp->eval_jac(nlp->user, w1, false, jac);
    assert_close(entry(&nlp->jac, jac, row, x), 3 * 4);
    nlp->eval_hess(nlp->user, w2, true, 1, &lambda, hess);
    assert_close(entry(&nlp->hess, hess, h, x), 10);
    nlp->eval_g(nlp->user, w2, false, &g_val);
    assert_close(g_val, 7 * 25);
    nlp->eval_jac(nlp->user, w2, false, jac);
    assert_close(entry(&nlp->jac, jac, row, h), 25);
    program_free(prog);
    expr_graph_free(g);
}

/* Guesses are moved into the bounds; bounds changed after program_finish are those of the MPCC. */
static void bounds_may_change_between_solves(void **state)
{
    (void)state;
    struct program *prog = program_create();
    const int x = program_var(prog, 0, 1, 5, nowhere), row = program_row(prog, -1, 1, nowhere);
    program_linear(prog, row, x, 1);
    program_finish(prog);
    const struct mpcc mpcc = program_mpcc(prog);
    assert_true(mpcc.w0[x] == 1);
    program_set_bounds(prog, x, 0.25, 0.75);
    program_set_row_bounds(prog, row, -2, INFINITY);
    assert_true(mpcc.nlp.lbw[x] == 0.25 && mpcc.nlp.ubw[x] == 0.75);
    assert_true(program_lb(prog, x) == 0.25 && program_ub(prog, x) == 0.75);
    assert_true(mpcc.nlp.lbg[row] == -2 && mpcc.nlp.ubg[row] == INFINITY);
    assert_true(program_guess(prog) == mpcc.w0);
    program_free(prog);
}

/* Terms of a pair are copied: the caller's arrays may go. */
static void pairs_are_copied(void **state)
{
    (void)state;
    struct program *prog = program_create();
    const int a = add_var(prog, 1), b = add_var(prog, 1);
    struct mpcc_term G = { a, 2 }, H = { b, -1 };
    assert_int_equal(program_new_group(prog), 0);
    program_pair(prog, &(struct mpcc_pair){ .n_G = 1, .n_H = 1, .G = &G, .H = &H, .H0 = 1, .scale = 1,
                                            .group = program_new_group(prog), .label = nowhere });
    G = H = (struct mpcc_term){ -1, NAN };
    program_finish(prog);
    const struct mpcc mpcc = program_mpcc(prog);
    const double w[] = { 3, 0.25 };
    assert_int_equal(mpcc.n_pair, 1);
    assert_int_equal(mpcc.n_group, 2);
    assert_close(mpcc_pair_G(&mpcc.pair[0], w), 6);
    assert_close(mpcc_pair_H(&mpcc.pair[0], w), 0.75);
    program_free(prog);
}

/* sqrt of a negative number: the callback fails, and the trace names the row and the function. */
static void a_nan_is_traced_to_its_row(void **state)
{
    (void)state;
    struct expr_graph *g = expr_graph_create();
    struct program *prog = program_create();
    const int x = add_var(prog, 1);
    struct mpcc_label label = nowhere;
    label.name = "root";
    const int row = program_row(prog, 0, 0, label);
    const expr in = expr_sym(g, "p"), out = expr_sqrt(g, in);
    struct program_block *block = program_block(prog, pointfun_create(g, 1, &in, 1, &out));
    block_point(block);
    block_slot(block, 0, x);
    block_out(block, 0, row, 1, PROGRAM_ONE, PROGRAM_ONE);
    program_finish(prog);
    const struct mpcc mpcc = program_mpcc(prog);
    double w = -1, g_val;
    char text[200] = "";
    struct srcpos pos;
    assert_false(mpcc.nlp.eval_g(mpcc.nlp.user, &w, true, &g_val));
    assert_true(program_trace(prog, &w, &label, &pos, text, sizeof text));
    assert_string_equal(label.name, "root");
    assert_non_null(strstr(text, "sqrt"));
    w = 4;
    assert_false(program_trace(prog, &w, &label, &pos, text, sizeof text));
    program_free(prog);
    expr_graph_free(g);
}

/* A number in [first, end). */
static int draw(unsigned *state, int first, int end)
{
    *state = *state * 1664525u + 1013904223u;
    return first + (int)((*state >> 8) % (unsigned)(end - first));
}

/* A thousand terms at random places: values of neighbouring terms never leak into each other. */
static void random_programs_agree_with_differences(void **state)
{
    (void)state;
    enum { N_VAR = 12, N_ROW = 6 };
    for (unsigned seed = 1; seed <= 5; seed++) {
        unsigned random = seed;
        struct expr_graph *g = expr_graph_create();
        struct program *prog = program_create();
        for (int k = 0; k < N_VAR; k++)
            add_var(prog, 0.1 * k);
        for (int k = 0; k < N_ROW; k++)
            add_row(prog);
        for (int b = 0; b < 2; b++) {
            struct program_block *block = program_block(prog, sine_and_square(g));
            for (int p = 0; p < 40; p++) {
                block_point(block);
                for (int k = 0; k < 5; k++)
                    block_slot_add(block, draw(&random, 0, 2), draw(&random, 0, N_VAR), 0.3);
                for (int o = 0; o < 2; o++)
                    block_out(block, o, draw(&random, PROGRAM_NO_ROW, N_ROW), 0.5,
                              draw(&random, PROGRAM_ONE, N_VAR), draw(&random, PROGRAM_ONE, N_VAR));
            }
        }
        for (int k = 0; k < 20; k++)
            program_bilinear(prog, draw(&random, PROGRAM_GUIDE, N_ROW), draw(&random, 0, N_VAR),
                             draw(&random, 0, N_VAR), 1);
        program_set_weights(prog, (struct program_weights){ 1, 0.7, 0.2 });
        program_finish(prog);
        const struct mpcc mpcc = program_mpcc(prog);
        assert_derivatives(&mpcc);
        program_free(prog);
        expr_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_and_bilinear_terms_add_up),
        cmocka_unit_test(differences_are_relative_to_large_variables),
        cmocka_unit_test(a_scaled_point_term_has_the_derivatives_of_h_1),
        cmocka_unit_test(a_scale_may_stand_in_a_slot),
        cmocka_unit_test(a_variable_may_fill_two_slots),
        cmocka_unit_test(one_is_no_factor_on_either_side),
        cmocka_unit_test(costs_are_weighted_by_kind),
        cmocka_unit_test(outputs_go_where_they_are_sent),
        cmocka_unit_test(callbacks_may_come_in_any_order),
        cmocka_unit_test(bounds_may_change_between_solves),
        cmocka_unit_test(pairs_are_copied),
        cmocka_unit_test(a_nan_is_traced_to_its_row),
        cmocka_unit_test(random_programs_agree_with_differences),
    };
    return cmocka_run_group_tests_name("program", tests, NULL, NULL);
}
