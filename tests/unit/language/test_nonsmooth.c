#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/expression/nonsmooth.h"

#include <math.h>
#include <stdlib.h>

enum { N = 3 };

struct fixture { struct expr_graph *g; struct diag *diag; struct switch_set set; expr x, y, z; };

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    f->g = expr_graph_create();
    f->diag = diag_create();
    f->x = expr_sym(f->g, "x");
    f->y = expr_sym(f->g, "y");
    f->z = expr_sym(f->g, "z");
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    switch_set_free(&f->set);
    expr_graph_free(f->g);
    diag_free(f->diag);
    free(f);
    return 0;
}

static expr lower(struct fixture *f, expr e)
{
    expr out;
    assert_int_equal(nonsmooth_lower(f->g, e, &f->set, &out, f->diag), STATUS_OK);
    assert_int_equal(expr_find_nonsmooth(f->g, out), EXPR_NONE);
    return out;
}

static expr step(struct fixture *f, expr c)
{
    return expr_unary(f->g, EXPR_STEP, c);
}

static void each_function_becomes_its_formula(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const expr x = f->x, y = f->y, one = expr_const(g, 1);
    const expr sign = lower(f, expr_unary(g, EXPR_SIGN, x)), alpha = f->set.alpha[0];
    const expr sign_formula = expr_sub(g, expr_scale(g, 2, alpha), one);
    assert_int_equal(f->set.c[0], x);
    assert_int_equal(sign, sign_formula);
    assert_int_equal(lower(f, step(f, x)), alpha);
    assert_int_equal(lower(f, expr_unary(g, EXPR_ABS, x)), expr_mul(g, x, sign_formula));
    assert_int_equal(f->set.n, 1);
    const expr max = lower(f, expr_binary(g, EXPR_MAX, x, y));
    const expr difference = expr_sub(g, x, y), beta = f->set.alpha[1];
    assert_int_equal(f->set.c[1], difference);
    assert_int_equal(max, expr_add(g, y, expr_mul(g, difference, beta)));
    assert_int_equal(f->set.n, 2);
}

/* What is lowered has the value of the original wherever alpha is the step of its switching function. */
static void lowering_keeps_values(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const expr x = f->x, y = f->y, z = f->z;
    const expr less = expr_binary(g, EXPR_LT, x, y), le = expr_binary(g, EXPR_LE, z, x);
    const expr both = expr_binary(g, EXPR_AND, less, expr_unary(g, EXPR_NOT, le));
    const expr e[] = {
        expr_binary(g, EXPR_MIN, x, expr_binary(g, EXPR_MAX, y, z)), expr_if(g, both, x, expr_square(g, y)),
        expr_if(g, expr_binary(g, EXPR_OR, less, le), expr_unary(g, EXPR_SIN, x), z),
        expr_unary(g, EXPR_ABS, expr_sub(g, x, expr_unary(g, EXPR_ABS, y))),
        expr_mul(g, expr_unary(g, EXPR_SIGN, expr_sub(g, y, x)), step(f, expr_sub(g, expr_scale(g, 2, x), y))),
    };
    for (size_t i = 0; i < sizeof e / sizeof *e; i++) {
        expr out = lower(f, e[i]);
        for (int k = f->set.n - 1; k >= 0; k--) {       /* nested ones last first */
            const expr by = step(f, f->set.c[k]);
            expr_substitute(g, 1, &out, 1, &f->set.alpha[k], &by, &out);
        }
        for (int p = 0; p < 27; p++) {
            const expr sym[N] = { x, y, z };
            const double at[N] = { p % 3 - 1.1, p / 3 % 3 - 0.7, p / 9 - 1.3 };
            /* two or three roundings of numbers below 10 */
            assert_true(fabs(expr_eval(g, out, N, sym, at) - expr_eval(g, e[i], N, sym, at)) < 1e-14);
        }
    }
}

/* One alpha for c, -c, 3 c and -c/2; another for anything else. */
static void multiples_share_their_alpha(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const expr x = f->x, y = f->y;
    const expr c = expr_add(g, expr_sub(g, x, expr_scale(g, 0.3, expr_unary(g, EXPR_SIN, y))), expr_const(g, 0.7));
    const expr alpha = lower(f, step(f, c)), complement = expr_sub(g, expr_const(g, 1), alpha);
    assert_int_equal(lower(f, step(f, expr_neg(g, c))), complement);
    assert_int_equal(lower(f, step(f, expr_scale(g, 3, c))), alpha);
    assert_int_equal(lower(f, step(f, expr_scale(g, -0.5, c))), complement);
    const expr written_out = expr_sub(g, expr_scale(g, 0.9, expr_unary(g, EXPR_SIN, y)),
                                      expr_add(g, expr_scale(g, 3, x), expr_const(g, 2.1)));
    assert_int_equal(lower(f, step(f, written_out)), complement);
    assert_int_equal(lower(f, expr_unary(g, EXPR_SIGN, expr_neg(g, c))),
                     expr_sub(g, expr_scale(g, 2, complement), expr_const(g, 1)));
    assert_int_equal(f->set.n, 1);
    lower(f, step(f, expr_add(g, c, expr_const(g, 1))));
    lower(f, step(f, expr_mul(g, c, y)));
    assert_int_equal(f->set.n, 3);
}

/* sign(x + abs(y)): the outer function contains the alpha of the inner one. */
static void nested_functions_are_lowered_inside_out(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    lower(f, expr_unary(g, EXPR_SIGN, expr_add(g, f->x, expr_unary(g, EXPR_ABS, f->y))));
    assert_int_equal(f->set.n, 2);
    assert_int_equal(f->set.c[0], f->y);
    assert_true(expr_depends(g, f->set.c[1], 1, &f->set.alpha[0]));
    assert_int_equal(expr_find_nonsmooth(g, f->set.c[1]), EXPR_NONE);
}

static void a_repeated_condition_is_no_square(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const expr zero = expr_const(g, 0), twice = expr_scale(g, 2, f->x);
    const expr e = lower(f, expr_binary(g, EXPR_AND, expr_binary(g, EXPR_LT, zero, f->x),
                                        expr_binary(g, EXPR_LT, zero, twice)));
    assert_int_equal(e, f->set.alpha[0]);
}

static void equality_is_refused_with_its_position(void **state)
{
    struct fixture *f = *state;
    const expr equal = expr_binary(f->g, EXPR_EQ, f->x, f->y);
    expr_set_pos(f->g, equal, (struct srcpos){ "s.yaml", 4, 9 });
    expr out;
    assert_int_equal(nonsmooth_lower(f->g, expr_if(f->g, equal, f->x, f->z), &f->set, &out, f->diag), STATUS_SPEC);
    assert_string_equal(diag_line(f->diag, 0),
                        "s.yaml:4:9: error: == cannot switch the dynamics: it holds at single points; "
                        "use <= or >=");
}

static void a_switch_has_the_position_of_its_function(void **state)
{
    struct fixture *f = *state;
    const expr e = expr_unary(f->g, EXPR_SIGN, f->x);
    expr_set_pos(f->g, e, (struct srcpos){ "s.yaml", 4, 9 });
    lower(f, expr_scale(f->g, 3, e));
    assert_int_equal(f->set.pos[0].line, 4);
    char *name = expr_to_text(f->g, f->set.alpha[0]);
    assert_string_equal(name, "step(x)");
    free(name);
}

/* A sum of more terms than are compared is a switching function like any other. */
static void long_sums_are_switching_functions_too(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    expr c = f->x;
    for (int i = 1; i < 500; i++)
        c = expr_add(g, c, expr_unary(g, EXPR_SIN, expr_scale(g, i, f->x)));
    const expr alpha = lower(f, step(f, c));
    assert_int_equal(lower(f, step(f, expr_neg(g, c))), expr_sub(g, expr_const(g, 1), alpha));
    assert_int_equal(f->set.n, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_function_becomes_its_formula, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lowering_keeps_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(multiples_share_their_alpha, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nested_functions_are_lowered_inside_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_repeated_condition_is_no_square, set_up, tear_down),
        cmocka_unit_test_setup_teardown(equality_is_refused_with_its_position, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_switch_has_the_position_of_its_function, set_up, tear_down),
        cmocka_unit_test_setup_teardown(long_sums_are_switching_functions_too, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
