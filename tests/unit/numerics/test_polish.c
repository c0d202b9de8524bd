#include "core/mpcc/homotopy.h"
#include "core/mpcc/polish.h"

#include "tests/unit/quadratic.h"
#include "tests/unit/assertions.h"

/* Switching function c(w0) = w0 in Heaviside form (fesd.md (2)): w0 = lambda_p - lambda_n, 0 <= alpha _|_ lambda_n,
 * 0 <= 1 - alpha _|_ lambda_p; variables w0, lambda_n, lambda_p, alpha. */
enum { C, LAMBDA_N, LAMBDA_P, ALPHA };

static void make_step(struct quadratic *q)
{
    quadratic_init(q, 4, 1);
    q->a[0][C] = 1.0;
    q->a[0][LAMBDA_P] = -1.0;
    q->a[0][LAMBDA_N] = 1.0;
    quadratic_pair(q, LAMBDA_N, ALPHA);
    quadratic_pair(q, LAMBDA_P, ALPHA);
    q->ubw[ALPHA] = 1.0;
    q->term[1][1][0].coef = -1.0;
    q->pair[1].H0 = 1.0;
}

static void smaller_side_is_fixed(void **state)
{
    (void)state;
    struct quadratic q;
    make_step(&q);
    const struct mpcc mpcc = quadratic_mpcc(&q);
    enum polish_decision decision[2];
    const double above[] = { 0.5, 1e-5, 0.5, 0.9999 };
    assert_int_equal(polish_decide(&mpcc, above, POLISH_AMBIGUITY, decision), 0);
    assert_int_equal(decision[0], POLISH_FIX_G);
    assert_int_equal(decision[1], POLISH_FIX_H);
    const double sliding[] = { 0.0, 1e-4, 1e-4, 0.6 };
    assert_int_equal(polish_decide(&mpcc, sliding, POLISH_AMBIGUITY, decision), 0);
    assert_int_equal(decision[0], POLISH_FIX_G);
    assert_int_equal(decision[1], POLISH_FIX_G);
    const double unclear[] = { 0.0, 0.05, 1e-4, 0.06 };
    assert_int_equal(polish_decide(&mpcc, unclear, POLISH_AMBIGUITY, decision), 1);
    assert_int_equal(decision[0], POLISH_KEEP);
    assert_int_equal(polish_decide(&mpcc, unclear, POLISH_DECIDE_ALL, decision), 0);
    assert_int_equal(decision[0], POLISH_FIX_G);
}

/* alpha = 0 and 1 - alpha = 0 cannot both be; one of the decisions is taken back. */
static void contradicting_decisions_are_taken_back(void **state)
{
    (void)state;
    struct quadratic q;
    make_step(&q);
    const struct mpcc mpcc = quadratic_mpcc(&q);
    enum polish_decision decision[2];
    const double nonsense[] = { 0.0, 90.0, 90.0, 0.5 };
    assert_true(polish_decide(&mpcc, nonsense, POLISH_AMBIGUITY, decision) >= 1);
    assert_false(decision[0] == POLISH_FIX_H && decision[1] == POLISH_FIX_H);
}

/* A side that is positive at its bounds (w + 1) cannot be fixed at zero, however small it is in comparison. */
static void a_side_that_cannot_vanish_is_not_fixed(void **state)
{
    (void)state;
    struct quadratic q;
    quadratic_init(&q, 2, 0);
    quadratic_pair(&q, 0, 1);
    q.pair[0].G0 = 1.0;
    const struct mpcc mpcc = quadratic_mpcc(&q);
    enum polish_decision decision[1];
    const double w[] = { 0.0, 100.0 };
    assert_int_equal(polish_decide(&mpcc, w, POLISH_AMBIGUITY, decision), 1);
    assert_int_equal(decision[0], POLISH_KEEP);
}

/* All pairs of a group are decided together: by the largest of each side. */
static void a_group_is_one_decision(void **state)
{
    (void)state;
    struct quadratic q;
    quadratic_init(&q, 4, 0);
    quadratic_pair(&q, 0, 1);
    quadratic_pair(&q, 2, 3);
    q.pair[1].group = 0;
    const struct mpcc mpcc = quadratic_mpcc(&q);
    enum polish_decision decision[1];
    const double w[] = { 1e-6, 1e-5, 1e-6, 1.0 };
    assert_int_equal(polish_decide(&mpcc, w, POLISH_AMBIGUITY, decision), 0);
    assert_int_equal(decision[0], POLISH_FIX_G);
}

struct polished { double w[8], lambda[4], lambda_pair[4], z_lower[8], z_upper[8]; struct nlp_info info; };

static struct polished polish(const struct mpcc *mpcc, const double *w, double ambiguity)
{
    struct polished out = { 0 };
    enum polish_decision decision[4];
    struct diag *diag = diag_create();
    memcpy(out.w, w, (size_t)mpcc->nlp.n_w * sizeof *w);
    struct iterate point = { .w = out.w, .lambda = out.lambda, .lambda_pair = out.lambda_pair, .z_lower = out.z_lower,
                             .z_upper = out.z_upper };
    const struct nlp_settings settings = { .max_seconds = INFINITY };
    polish_decide(mpcc, w, ambiguity, decision);
    assert_int_equal(polish_solve(mpcc, decision, POLISH_COST, &settings, &point, NULL, NULL, &out.info, diag),
                     STATUS_OK);
    diag_free(diag);
    return out;
}

/* min (c - 2)^2 + (alpha - 1/2)^2: with c > 0 the step is up, c = 2, alpha = 1. The products are exactly zero,
 * and the row keeps its multiplier 2 (c - 2) = 0. */
static void products_are_exactly_zero(void **state)
{
    (void)state;
    struct quadratic q;
    make_step(&q);
    quadratic_square(&q, C, 2.0, 1.0);
    quadratic_square(&q, ALPHA, 0.5, 1.0);
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const double near[] = { 1.9, 1e-3, 1.9, 0.999 };
    const struct polished out = polish(&mpcc, near, POLISH_AMBIGUITY);
    assert_int_equal(out.info.outcome, NLP_SOLVED);
    assert_near(mpcc_complementarity(&mpcc, out.w), 0.0, 0.0);
    assert_true(mpcc_violation(&mpcc, out.w) <= 1e-9);
    assert_near(out.w[C], 2.0, 1e-7);
    assert_near(out.w[ALPHA], 1.0, 0.0);
    assert_near(out.lambda[0], 0.0, 1e-6);
}

/* An ambiguous pair keeps its product row, at sigma = 1e-8. */
static void ambiguous_pairs_stay_nearly_complementary(void **state)
{
    (void)state;
    struct quadratic q;
    quadratic_init(&q, 2, 0);
    quadratic_square(&q, 0, 1.0, 1.0);
    quadratic_square(&q, 1, 0.5, 1.0);
    quadratic_pair(&q, 0, 1);
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const double near[] = { 4e-3, 2e-3 };
    const struct polished out = polish(&mpcc, near, POLISH_AMBIGUITY);
    assert_true(mpcc_complementarity(&mpcc, out.w) <= 1.1e-8);
    assert_true(out.lambda_pair[0] > 0.0);
}

/* A row whose variables are all fixed would make IPOPT refuse the problem: it is left out, and the hard problem
 * still judges it. Here w0 = 0 by the pair and w0 = 0 by the row. */
static void redundant_rows_are_left_out(void **state)
{
    (void)state;
    struct quadratic q;
    quadratic_init(&q, 2, 2);
    quadratic_square(&q, 1, 1.0, 1.0);
    quadratic_pair(&q, 0, 1);
    q.a[0][0] = 1.0;
    q.a[1][0] = 2.0;
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const double near[] = { 1e-4, 0.9 };
    const struct polished out = polish(&mpcc, near, POLISH_AMBIGUITY);
    assert_int_equal(out.info.outcome, NLP_SOLVED);
    assert_near(out.w[1], 1.0, 1e-7);
    assert_near(mpcc_violation(&mpcc, out.w), 0.0, 0.0);
}

/* The homotopy stops at the first crossover that is a solution: five decades before sigma_N. */
static void crossover_ends_the_homotopy_early(void **state)
{
    (void)state;
    struct quadratic q;
    make_step(&q);
    quadratic_square(&q, C, 2.0, 1.0);
    quadratic_square(&q, ALPHA, 0.3, 1.0);
    q.w0[C] = -1.0;
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const struct homotopy_settings settings = { .sigma_0 = NAN, .update_slope = NAN, .sigma_N = 1e-9,
                                                .comp_tol = 1e-7, .restarts = NAN };
    struct homotopy_run run;
    struct homotopy_result out;
    struct diag *diag = diag_create();
    homotopy_run_init(&run);
    assert_int_equal(homotopy_solve(&mpcc, &settings, &run, &out, diag), STATUS_OK);
    assert_true(out.polished && out.completed);
    assert_near(out.complementarity, 0.0, 0.0);
    assert_true(out.sigma <= 1e-5 && out.sigma > 1e-6);
    assert_true(out.step[out.n_step - 1].is_polish);
    homotopy_result_free(&out);
    diag_free(diag);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smaller_side_is_fixed),
        cmocka_unit_test(contradicting_decisions_are_taken_back),
        cmocka_unit_test(a_side_that_cannot_vanish_is_not_fixed),
        cmocka_unit_test(a_group_is_one_decision),
        cmocka_unit_test(products_are_exactly_zero),
        cmocka_unit_test(ambiguous_pairs_stay_nearly_complementary),
        cmocka_unit_test(redundant_rows_are_left_out),
        cmocka_unit_test(crossover_ends_the_homotopy_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
