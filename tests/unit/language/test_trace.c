#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/expression/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fixture { struct expr_graph *g; expr x, y; char text[200]; };

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    f->g = expr_graph_create();
    f->x = expr_sym(f->g, "x");
    f->y = expr_sym(f->g, "y");
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

static struct srcpos trace(struct fixture *f, expr e, double x, double y)
{
    const expr sym[2] = { f->x, f->y };
    const double value[2] = { x, y };
    return expr_trace(f->g, e, 2, sym, value, f->text, sizeof f->text);
}

/* y + 2 log(x - 1) at x = 0.5: it is the logarithm, and it was written in line 3. */
static void the_first_bad_node_is_named(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const expr log_node = expr_unary(g, EXPR_LOG, expr_sub(g, f->x, expr_const(g, 1)));
    const expr e = expr_add(g, f->y, expr_scale(g, 2, log_node));
    expr_set_pos(g, log_node, (struct srcpos){ "s.yaml", 3, 8 });
    expr_set_pos(g, e, (struct srcpos){ "s.yaml", 2, 1 });
    assert_int_equal(trace(f, e, 0.5, 1).line, 3);
    assert_string_equal(f->text, "log(x - 1) is not finite: x - 1 = -0.5 (x = 0.5)");
}

static void a_finite_expression_has_no_text(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(trace(f, expr_add(f->g, f->x, f->y), 1, 2).line, 0);
    assert_string_equal(f->text, "");
}

/* A node that has no position lends that of what encloses it. */
static void the_enclosing_position_stands_in(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const expr e = expr_unary(g, EXPR_SIN, expr_div(g, f->y, f->x));
    expr_set_pos(g, e, (struct srcpos){ "s.yaml", 5, 2 });
    assert_int_equal(trace(f, e, 0, 1).line, 5);
    assert_string_equal(f->text, "y/x is not finite: x = 0, y = 1");
}

/* The branch that is not taken divides by zero and does no harm; the one that is taken is at fault. */
static void branches_that_are_not_taken_are_innocent(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const expr positive = expr_binary(g, EXPR_LT, expr_const(g, 0), f->x);
    const expr choice = expr_if(g, positive, expr_sqrt(g, f->y), expr_div(g, f->y, f->x));
    assert_int_equal(trace(f, expr_neg(g, choice), 1, -4).line, 0);
    assert_string_equal(f->text, "sqrt(y) is not finite: y = -4");
    trace(f, choice, 0, -4);
    assert_string_equal(f->text, "y/x is not finite: x = 0, y = -4");
}

static void a_bad_symbol_is_named_itself(void **state)
{
    struct fixture *f = *state;
    trace(f, expr_unary(f->g, EXPR_EXP, f->y), 0, NAN);
    assert_non_null(strstr(f->text, "y is not finite: y = "));
    assert_non_null(strstr(f->text, "nan"));
}

/* A constant that is not finite was kept by the graph, so that it can be named. */
static void constants_can_be_at_fault(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    trace(f, expr_add(g, f->x, expr_div(g, expr_const(g, 1), expr_const(g, 0))), 1, 1);
    assert_string_equal(f->text, "1/0 is not finite");
}

static void a_short_buffer_is_not_overrun(void **state)
{
    struct fixture *f = *state;
    char text[12];
    const double value = -1;
    expr_trace(f->g, expr_sqrt(f->g, expr_scale(f->g, 3, f->x)), 1, &f->x, &value, text, sizeof text);
    assert_string_equal(text, "sqrt(3*x) i");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_first_bad_node_is_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_finite_expression_has_no_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_enclosing_position_stands_in, set_up, tear_down),
        cmocka_unit_test_setup_teardown(branches_that_are_not_taken_are_innocent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_bad_symbol_is_named_itself, set_up, tear_down),
        cmocka_unit_test_setup_teardown(constants_can_be_at_fault, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_short_buffer_is_not_overrun, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
