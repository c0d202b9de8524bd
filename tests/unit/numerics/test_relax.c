#include "core/mpcc/psi.h"
#include "core/mpcc/relax.h"

#include "tests/unit/quadratic.h"
#include "tests/unit/assertions.h"
#include "tests/unit/sparse_find.h"

#include <stdlib.h>
#include <time.h>

enum { N_KIND = RELAX_FISCHER_BURMEISTER + 1, N_ELASTIC = ELASTIC_LINF + 1, MAX_ALL = 32 };

static void set_side(struct quadratic *q, int m, bool is_G, int n, const struct mpcc_term *term, double constant)
{
    memcpy(q->term[m][is_G ? 0 : 1], term, (size_t)n * sizeof *term);
    *(is_G ? &q->pair[m].n_G : &q->pair[m].n_H) = n;
    *(is_G ? &q->pair[m].G0 : &q->pair[m].H0) = constant;
}

/* Five variables, two rows; pairs with sums, a shared variable, a box (1 - w2), a variable on both sides, and a
 * side that may be negative, so that it needs a row of its own. */
static struct mpcc tangled(struct quadratic *q)
{
    quadratic_init(q, 5, 2);
    for (int i = 0; i < 5; i++) {
        q->lbw[i] = 0.0;
        q->c[i] = 0.3 * i - 0.5;
        for (int j = 0; j < 5; j++) {
            q->Q[i][j] = 1.0 / (1 + i + j);
            q->P[0][i][j] = i == j ? 0.4 : 0.1;
        }
        q->a[1][i] = 1.0 - 0.7 * i;
    }
    q->ubw[2] = 1.0;
    q->lbw[4] = -INFINITY;
    q->n_pair = 4;
    for (int m = 0; m < 4; m++)
        q->pair[m].scale = 1.0 + 0.5 * m;
    set_side(q, 0, true, 2, (const struct mpcc_term[]){ { 0, 1.0 }, { 1, 2.0 } }, 0.0);
    set_side(q, 0, false, 1, (const struct mpcc_term[]){ { 2, 1.0 } }, 0.0);
    set_side(q, 1, true, 2, (const struct mpcc_term[]){ { 3, 1.0 }, { 0, 1.0 } }, 0.0);
    set_side(q, 1, false, 1, (const struct mpcc_term[]){ { 2, -1.0 } }, 1.0);
    set_side(q, 2, true, 2, (const struct mpcc_term[]){ { 1, 1.0 }, { 3, 0.5 } }, 0.0);
    set_side(q, 2, false, 2, (const struct mpcc_term[]){ { 3, 1.0 }, { 0, 3.0 } }, 0.1);
    set_side(q, 3, true, 1, (const struct mpcc_term[]){ { 4, 1.0 } }, 0.0);
    set_side(q, 3, false, 2, (const struct mpcc_term[]){ { 2, 1.0 }, { 1, 1.0 } }, 0.0);
    return quadratic_mpcc(q);
}

static void lagrangian_gradient(const struct nlp *nlp, const double *w, double obj_factor, const double *lambda,
                                double *out)
{
    double val[MAX_ALL * MAX_ALL];
    assert_true(nlp->eval_grad(nlp->user, w, true, out));
    assert_true(nlp->eval_jac(nlp->user, w, false, val));
    for (int j = 0; j < nlp->n_w; j++) {
        out[j] *= obj_factor;
        for (int k = nlp->jac.colptr[j]; k < nlp->jac.colptr[j + 1]; k++)
            out[j] += lambda[nlp->jac.rowind[k]] * val[k];
    }
}

/* Central differences with step 1e-5: truncation and rounding are both below 1e-8 for functions of size 1. */
static void check_jacobian(const struct nlp *nlp, double *w)
{
    double val[MAX_ALL * MAX_ALL], up[MAX_ALL], down[MAX_ALL], grad[MAX_ALL], f_up = 0.0, f_down = 0.0;
    const double step = 1e-5;
    assert_true(nlp->eval_jac(nlp->user, w, true, val));
    assert_true(nlp->eval_grad(nlp->user, w, true, grad));
    for (int j = 0; j < nlp->n_w; j++) {
        const double w_j = w[j];
        w[j] = w_j + step;
        nlp->eval_g(nlp->user, w, true, up);
        nlp->eval_f(nlp->user, w, false, &f_up);
        w[j] = w_j - step;
        nlp->eval_g(nlp->user, w, true, down);
        nlp->eval_f(nlp->user, w, false, &f_down);
        w[j] = w_j;
        assert_near((f_up - f_down) / (2.0 * step), grad[j], 1e-6);
        for (int i = 0; i < nlp->n_g; i++) {
            const int k = sparse_find(&nlp->jac, i, j);
            assert_near((up[i] - down[i]) / (2.0 * step), k >= 0 ? val[k] : 0.0, 1e-6);
        }
    }
}

static void check_hessian(const struct nlp *nlp, double *w)
{
    double val[MAX_ALL * MAX_ALL], up[MAX_ALL], down[MAX_ALL], lambda[MAX_ALL];
    const double step = 1e-5, obj_factor = 0.7;
    for (int i = 0; i < nlp->n_g; i++)
        lambda[i] = sin(1.0 + 2.0 * i);
    assert_true(nlp->eval_hess(nlp->user, w, true, obj_factor, lambda, val));
    for (int j = 0; j < nlp->n_w; j++) {
        const double w_j = w[j];
        w[j] = w_j + step;
        lagrangian_gradient(nlp, w, obj_factor, lambda, up);
        w[j] = w_j - step;
        lagrangian_gradient(nlp, w, obj_factor, lambda, down);
        w[j] = w_j;
        for (int i = j; i < nlp->n_w; i++) {
            const int k = sparse_find(&nlp->hess, i, j);
            assert_near((up[i] - down[i]) / (2.0 * step), k >= 0 ? val[k] : 0.0, 1e-6);
        }
    }
}

static void derivatives_agree_with_differences(void **state)
{
    (void)state;
    struct quadratic q;
    const struct mpcc mpcc = tangled(&q);
    const double points[3][5] = { { 0.3, 0.2, 0.6, 0.8, 0.5 }, { 0.01, 0.02, 0.9, 0.03, 0.02 },
                                  { 1.5, 0.1, 0.05, 2.0, 1.2 } };
    for (int kind = 0; kind < N_KIND; kind++)
        for (int elastic = 0; elastic < N_ELASTIC; elastic++) {
            struct relax *relax = relax_create(&mpcc, (enum relax_kind)kind, (enum relax_elastic)elastic, NULL);
            const struct nlp *nlp = relax_nlp(relax);
            for (int p = 0; p < 3; p++) {
                double w[MAX_ALL];
                relax_start(relax, points[p], w);
                relax_set_sigma(relax, p == 0 ? 1.0 : 0.01);
                check_jacobian(nlp, w);
                check_hessian(nlp, w);
            }
            relax_free(relax);
        }
}

/* One row per pair (two for Lin-Fukushima) and one for the side without a bound; s per pair, or one. */
static void sizes_are_as_documented(void **state)
{
    (void)state;
    struct quadratic q;
    const struct mpcc mpcc = tangled(&q);
    for (int kind = 0; kind < N_KIND; kind++)
        for (int elastic = 0; elastic < N_ELASTIC; elastic++) {
            struct relax *relax = relax_create(&mpcc, (enum relax_kind)kind, (enum relax_elastic)elastic, NULL);
            const struct nlp *nlp = relax_nlp(relax);
            assert_int_equal(nlp->n_g, 2 + 4 * (kind == RELAX_LIN_FUKUSHIMA ? 2 : 1) + 1);
            assert_int_equal(nlp->n_w, 5 + (elastic == ELASTIC_L1 ? 4 : elastic == ELASTIC_LINF ? 1 : 0));
            assert_int_equal(relax_pair_row(relax, 0), 2);
            relax_free(relax);
        }
}

/* mpcc.md 1: with the normalization all curves pass through G = H = sqrt(sigma); Kanzow-Schwartz and
 * Steffensen-Ulbrich too. */
static void curves_meet_on_the_diagonal(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_KIND; kind++)
        for (double sigma = 1e-8; sigma <= 1.0; sigma *= 100.0) {
            double d[6];
            relax_psi((enum relax_kind)kind, sqrt(sigma), sqrt(sigma), sigma, d);
            assert_near(d[0], 0.0, 1e-12);
            relax_psi((enum relax_kind)kind, 2.0, 0.0, sigma, d);       /* the axes are allowed */
            assert_true(d[0] <= 1e-15);
            relax_psi((enum relax_kind)kind, 3.0, 3.0, sigma, d);       /* the inside is not */
            assert_true(d[0] > 0.0);
        }
}

/* The scale of a pair multiplies sigma: at G H = scale sigma the row is at its bound. */
static void scale_multiplies_sigma(void **state)
{
    (void)state;
    struct quadratic q;
    quadratic_init(&q, 2, 0);
    quadratic_pair(&q, 0, 1);
    q.pair[0].scale = 0.25;
    const struct mpcc mpcc = quadratic_mpcc(&q);
    struct relax *relax = relax_create(&mpcc, RELAX_SCHOLTES, ELASTIC_NONE, NULL);
    const double w[] = { 0.5, 0.05 };
    double g = 1.0;
    relax_set_sigma(relax, 0.1);
    relax_nlp(relax)->eval_g(relax_nlp(relax)->user, w, true, &g);
    assert_near(g, 0.0, 1e-16);
    relax_free(relax);
}

static void settled_and_unwanted_pairs_have_no_row(void **state)
{
    (void)state;
    struct quadratic q;
    quadratic_init(&q, 6, 0);
    for (int m = 0; m < 3; m++)
        quadratic_pair(&q, 2 * m, 2 * m + 1);
    q.ubw[0] = 0.0;                             /* G of pair 0 is zero */
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const bool keep[] = { true, false, true };
    struct relax *relax = relax_create(&mpcc, RELAX_SCHOLTES, ELASTIC_NONE, keep);
    assert_int_equal(relax_nlp(relax)->n_g, 1);
    assert_int_equal(relax_pair_row(relax, 0), -1);
    assert_int_equal(relax_pair_row(relax, 1), -1);
    assert_int_equal(relax_pair_row(relax, 2), 0);
    relax_free(relax);
}

static void rows_of_fixed_variables_are_freed(void **state)
{
    (void)state;
    struct quadratic q;
    quadratic_init(&q, 2, 1);
    q.a[0][0] = q.a[0][1] = 1.0;
    const struct mpcc mpcc = quadratic_mpcc(&q);
    struct relax *relax = relax_create(&mpcc, RELAX_SCHOLTES, ELASTIC_NONE, NULL);
    relax_fix(relax, 0, 1.0);
    relax_free_fixed_rows(relax);
    assert_true(relax_nlp(relax)->lbg[0] == 0.0);
    relax_fix(relax, 1, -1.0);
    relax_free_fixed_rows(relax);
    assert_true(relax_nlp(relax)->lbg[0] == -INFINITY && relax_nlp(relax)->ubg[0] == INFINITY);
    relax_free(relax);
}

/* --- Two-sided pairs: fesd_j.md (5) --------------------------------------------------------------------------- */

/* The tangled problem with pair 3, whose G is free from below, turned around and two-sided: H has any sign. */
static struct mpcc sided(struct quadratic *q)
{
    (void)tangled(q);
    set_side(q, 3, true, 2, (const struct mpcc_term[]){ { 2, 1.0 }, { 1, 1.0 } }, 0.0);
    set_side(q, 3, false, 1, (const struct mpcc_term[]){ { 4, 1.0 } }, 0.0);
    q->pair[3].two_sided = true;
    return quadratic_mpcc(q);
}

static void two_sided_pairs_agree_with_differences(void **state)
{
    (void)state;
    struct quadratic q;
    const struct mpcc mpcc = sided(&q);
    const double points[2][5] = { { 0.3, 0.2, 0.6, 0.8, 0.5 }, { 0.01, 0.02, 0.9, 0.03, -0.4 } };
    for (int kind = 0; kind < N_KIND; kind++)
        for (int elastic = 0; elastic < N_ELASTIC; elastic++) {
            struct relax *relax = relax_create(&mpcc, (enum relax_kind)kind, (enum relax_elastic)elastic, NULL);
            const int rows = 3 * (kind == RELAX_LIN_FUKUSHIMA ? 2 : 1) + 2;
            assert_int_equal(relax_nlp(relax)->n_g, 2 + rows);  /* H needs no row that keeps it from below zero */
            for (int p = 0; p < 2; p++) {
                double w[MAX_ALL];
                relax_start(relax, points[p], w);
                relax_set_sigma(relax, 0.1);
                check_jacobian(relax_nlp(relax), w);
                check_hessian(relax_nlp(relax), w);
            }
            relax_free(relax);
        }
}

/* Whatever the kind, both rows say |G H| <= scale sigma. */
static void two_sided_pairs_bound_the_product(void **state)
{
    (void)state;
    struct quadratic q;
    quadratic_init(&q, 2, 0);
    quadratic_pair(&q, 0, 1);
    q.lbw[1] = -INFINITY;
    q.pair[0].scale = 0.25;
    q.pair[0].two_sided = true;
    const struct mpcc mpcc = quadratic_mpcc(&q);
    for (int kind = 0; kind < N_KIND; kind++) {
        struct relax *relax = relax_create(&mpcc, (enum relax_kind)kind, ELASTIC_NONE, NULL);
        const struct nlp *nlp = relax_nlp(relax);
        relax_set_sigma(relax, 0.1);
        assert_int_equal(nlp->n_g, 2);
        for (int side = -1; side <= 1; side += 2) {
            const double w[] = { 0.5, side * 0.07 };
            double g[2];
            assert_true(nlp->eval_g(nlp->user, w, true, g));
            assert_near(fmax(g[0], g[1]), 0.5 * 0.07 - 0.25 * 0.1, 1e-16);
            assert_near(fmin(g[0], g[1]), -0.5 * 0.07 - 0.25 * 0.1, 1e-16);
        }
        relax_free(relax);
    }
    const double w[] = { 0.5, -3.0 };
    assert_near(mpcc_complementarity(&mpcc, w), 1.5, 0.0);
    assert_near(mpcc_violation(&mpcc, w), 0.0, 0.0);      /* no sign of H is wrong */
}

/* --- mpcc.h ------------------------------------------------------------------------------------------------- */

static void judges_measure_the_hard_problem(void **state)
{
    (void)state;
    struct quadratic q;
    const struct mpcc mpcc = tangled(&q);
    q.ubg[1] = 10.0;
    q.lbg[0] = 0.0;
    q.ubg[0] = INFINITY;
    q.lbg[1] = -10.0;
    const double w[] = { 0.5, 0.25, 1.25, 0.0, -2.0 };
    /* G_3 = w4 = -2 is the worst: rows 2, bounds of 5 variables, then pairs */
    assert_near(mpcc_violation(&mpcc, w), 2.0, 0.0);
    /* pair 0: (0.5 + 0.5) 1.25; pair 2: 0.25 * 1.6; pair 3 is clipped */
    assert_near(mpcc_complementarity(&mpcc, w), 1.25, 1e-15);
    int index[2];
    double violation[2];
    assert_int_equal(mpcc_worst_rows(&mpcc, w, 2, index, violation), 2);
    assert_int_equal(index[0], 10);
    assert_near(violation[0], 2.0, 0.0);
    assert_near(violation[1], 0.25, 0.0);       /* w2 over its bound 1, and so 1 - w2 */
    assert_int_equal(index[1], 2 + 2);
}

static void nan_is_an_infinite_violation(void **state)
{
    (void)state;
    struct quadratic q;
    quadratic_init(&q, 1, 1);
    const struct mpcc mpcc = quadratic_mpcc(&q);
    q.a[0][0] = 1.0;
    const double w[] = { NAN };
    assert_true(isinf(mpcc_violation(&mpcc, w)));
}

/* A chain of free variables, each one side of two pairs: one row per variable says that it is not negative. Rows are
 * found again by their first variable; a search through all of them takes ten seconds here. */
static void sides_that_repeat_are_found_at_once(void **state)
{
    (void)state;
    enum { N = 60000 };
    int *colptr = calloc(N + 1, sizeof *colptr);
    double *bound = malloc(2 * N * sizeof *bound), *lb = bound, *ub = bound + N;
    struct mpcc_term *term = malloc(N * sizeof *term);
    struct mpcc_pair *pair = calloc(N - 1, sizeof *pair);
    for (int i = 0; i < N; i++) {
        lb[i] = -INFINITY;
        ub[i] = INFINITY;
        term[i] = (struct mpcc_term){ i, 1 };
    }
    for (int m = 0; m < N - 1; m++)
        pair[m] = (struct mpcc_pair){ .n_G = 1, .n_H = 1, .G = &term[m], .H = &term[m + 1], .scale = 1, .group = m };
    const struct sparse none = { .n_cols = N, .colptr = colptr };
    const struct mpcc mpcc = { .nlp = { .n_w = N, .lbw = lb, .ubw = ub, .jac = none, .hess = none },
                               .n_pair = N - 1, .n_group = N - 1, .pair = pair };
    const clock_t start = clock();
    struct relax *relax = relax_create(&mpcc, RELAX_SCHOLTES, ELASTIC_NONE, NULL);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 4);
    assert_int_equal(relax_nlp(relax)->n_g, (N - 1) + N);
    relax_free(relax);
    free(colptr);
    free(bound);
    free(term);
    free(pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_agree_with_differences),
        cmocka_unit_test(sizes_are_as_documented),
        cmocka_unit_test(curves_meet_on_the_diagonal),
        cmocka_unit_test(scale_multiplies_sigma),
        cmocka_unit_test(settled_and_unwanted_pairs_have_no_row),
        cmocka_unit_test(rows_of_fixed_variables_are_freed),
        cmocka_unit_test(two_sided_pairs_agree_with_differences),
        cmocka_unit_test(two_sided_pairs_bound_the_product),
        cmocka_unit_test(judges_measure_the_hard_problem),
        cmocka_unit_test(nan_is_an_infinite_violation),
        cmocka_unit_test(sides_that_repeat_are_found_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
