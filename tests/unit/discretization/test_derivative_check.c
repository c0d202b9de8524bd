/* The check of derivatives finds what is wrong, and knows it from what only bends. */
#include "transcription/program/check.h"

#include "tests/unit/assertions.h"

/* f = w0^2 + heavy w0,  g0 = w0 w1,  g1 = |w0 - kink| + w1, at w = (0.3, 0.7), which the bounds fix. */
struct bent { double kink, wrong_jac, wrong_grad, wrong_hess, slope, heavy; };

static bool eval_f(void *user, const double *w, bool new_w, double *f)
{
    const struct bent *bent = user;
    (void)new_w;
    *f = w[0] * w[0] + bent->heavy * w[0];
    return true;
}

static bool eval_grad(void *user, const double *w, bool new_w, double *grad)
{
    const struct bent *bent = user;
    (void)new_w;
    grad[0] = 2 * w[0] + bent->heavy + bent->wrong_grad;
    grad[1] = 0;
    return true;
}

static bool eval_g(void *user, const double *w, bool new_w, double *g)
{
    const struct bent *bent = user;
    (void)new_w;
    g[0] = w[0] * w[1];
    g[1] = fabs(w[0] - bent->kink) + w[1];
    return true;
}

/* Of |w0 - kink| at the kink itself the slope that the test wants. */
static bool eval_jac(void *user, const double *w, bool new_w, double *val)
{
    const struct bent *bent = user;
    (void)new_w;
    val[0] = w[1];
    val[1] = w[0] > bent->kink ? 1 : w[0] < bent->kink ? -1 : bent->slope;
    val[2] = w[0] + bent->wrong_jac;
    val[3] = 1;
    return true;
}

static bool eval_hess(void *user, const double *w, bool new_w, double obj_factor, const double *lambda, double *val)
{
    const struct bent *bent = user;
    (void)w, (void)new_w;
    val[0] = 2 * obj_factor;
    val[1] = lambda[0] + bent->wrong_hess;
    return true;
}

static struct derivative_check check(struct bent bent)
{
    static const double w[2] = { 0.3, 0.7 }, lbg[2] = { 0, 0 }, ubg[2] = { 1, 1 };
    static int colptr_jac[3] = { 0, 2, 4 }, rowind_jac[4] = { 0, 1, 0, 1 };
    static int colptr_hess[3] = { 0, 2, 2 }, rowind_hess[2] = { 0, 1 };
    const struct nlp nlp = { .n_w = 2, .n_g = 2, .lbw = w, .ubw = w, .lbg = lbg, .ubg = ubg,
                             .jac = { .n_rows = 2, .n_cols = 2, .nnz = 4, .colptr = colptr_jac, .rowind = rowind_jac },
                             .hess = { .n_rows = 2, .n_cols = 2, .nnz = 2, .colptr = colptr_hess, .rowind = rowind_hess },
                             .user = &bent, .eval_f = eval_f, .eval_grad = eval_grad, .eval_g = eval_g,
                             .eval_jac = eval_jac, .eval_hess = eval_hess };
    return derivative_check(&nlp, w, 3, 1);
}

static void right_derivatives_are_right(void **state)
{
    (void)state;
    const struct derivative_check found = check((struct bent){ .kink = -1 });
    assert_true(found.finite);
    assert_true(found.jac < 1e-10 && found.grad < 1e-10 && found.hess < 1e-10);
    assert_int_equal(found.n_kink, 0);
}

/* Off by 1e-3 in one entry each. */
static void a_wrong_entry_is_named(void **state)
{
    (void)state;
    struct derivative_check found = check((struct bent){ .kink = -1, .wrong_jac = 1e-3 });
    assert_true(found.jac > 1e-5);
    assert_int_equal(found.worst.of, DERIVATIVE_OF_ROW);
    assert_int_equal(found.worst.index, 0);
    assert_int_equal(found.worst.var, 1);
    assert_near(found.worst.exact - found.worst.difference, 1e-3, 1e-8);
    found = check((struct bent){ .kink = -1, .wrong_hess = 1e-3 });
    assert_true(found.hess > 1e-5 && found.jac < 1e-10);
    assert_int_equal(found.worst.of, DERIVATIVE_OF_LAGRANGIAN);
    assert_int_equal(found.worst.index + found.worst.var, 1);           /* (0, 1) or (1, 0) */
    assert_near(fabs(found.worst.exact - found.worst.difference), 1e-3, 1e-7);
    found = check((struct bent){ .kink = -1, .wrong_grad = 1e-3 });
    assert_true(found.grad > 1e-5);
    assert_int_equal(found.worst.of, DERIVATIVE_OF_COST);
    assert_int_equal(found.worst.var, 0);
    assert_near(found.worst.w, 0.3, 1e-15);
}

/* A slope of 1e9 is rounded by 1e-7, which is 1e-3 over a step of 1e-4: no mistake; one of 0.1 is. */
static void rounding_of_large_terms_is_no_mistake(void **state)
{
    (void)state;
    const struct derivative_check found = check((struct bent){ .kink = -1, .heavy = 1e9 / 3 });
    assert_true(found.hess < 1e-7);
    assert_int_equal(found.n_kink, 0);
    assert_true(check((struct bent){ .kink = -1, .heavy = 1e9 / 3, .wrong_hess = 0.1 }).hess > 1e-3);
}

static void a_kink_beside_the_point_is_a_note(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const struct derivative_check found = check((struct bent){ .kink = k ? 0.3 - 2e-6 : 0.3 + 2e-6 });
        assert_true(found.jac < 1e-7 && found.hess < 1e-7);
        assert_true(found.n_kink > 0);
        assert_int_equal(found.kink.of, DERIVATIVE_OF_ROW);
        assert_int_equal(found.kink.index, 1);
        assert_int_equal(found.kink.var, 0);
    }
}

/* Either slope, and what lies between, is a derivative there (central differences give their mean, 0); 5 is none. */
static void a_kink_at_the_point_is_a_note(void **state)
{
    (void)state;
    for (double slope = -1; slope <= 1; slope++) {
        const struct derivative_check found = check((struct bent){ .kink = 0.3, .slope = slope });
        assert_true(found.jac < 1e-7);
        assert_true(slope == 0 || found.n_kink > 0);
        assert_int_equal(found.kink.index, slope == 0 ? 0 : 1);
    }
    const struct derivative_check found = check((struct bent){ .kink = 0.3, .slope = 5 });
    assert_true(found.jac > 1e-3);
    assert_int_equal(found.jac_row, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_derivatives_are_right),
        cmocka_unit_test(a_wrong_entry_is_named),
        cmocka_unit_test(rounding_of_large_terms_is_no_mistake),
        cmocka_unit_test(a_kink_beside_the_point_is_a_note),
        cmocka_unit_test(a_kink_at_the_point_is_a_note),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
