/* core/kkt as IPOPT's linear solver: what it counts, and what MUMPS does where it fails. The Makefile lets this program
 * stand between core/nlp and core/kkt. */
#include "core/nlp/linear_solver.h"

#include "core/kkt/kkt.h"
#include "core/nlp/mumps.h"
#include "tests/unit/quadratic.h"
#include "tests/unit/assertions.h"

enum fault { FAULT_NONE, FAULT_BREAKDOWN, FAULT_RESIDUAL, FAULT_SMALL_PIVOTS };

static enum fault fault;
static int n_create;
static double pivots_from;          /* threshold of the last factorization */

struct kkt *__real_kkt_create(int n, int n_entry, const int *row, const int *col);
struct kkt *__wrap_kkt_create(int n, int n_entry, const int *row, const int *col);
enum kkt_outcome __real_kkt_factorize(struct kkt *kkt, const double *val, double threshold, int max_negative);
enum kkt_outcome __wrap_kkt_factorize(struct kkt *kkt, const double *val, double threshold, int max_negative);
double __real_kkt_solve(struct kkt *kkt, double *b);
double __wrap_kkt_solve(struct kkt *kkt, double *b);

struct kkt *__wrap_kkt_create(int n, int n_entry, const int *row, const int *col)
{
    n_create++;
    return __real_kkt_create(n, n_entry, row, col);
}

enum kkt_outcome __wrap_kkt_factorize(struct kkt *kkt, const double *val, double threshold, int max_negative)
{
    const enum kkt_outcome outcome = __real_kkt_factorize(kkt, val, threshold, max_negative);
    pivots_from = threshold;
    return fault == FAULT_BREAKDOWN ? KKT_NOT_FINITE : outcome;
}

double __wrap_kkt_solve(struct kkt *kkt, double *b)
{
    const double error = __real_kkt_solve(kkt, b);
    if (fault != FAULT_RESIDUAL && !(fault == FAULT_SMALL_PIVOTS && pivots_from < 1e-3))
        return error;
    b[0] += 1.0;
    return 1.0;
}

/* min (w0 - 3)^2 + (w1 + 1)^2 - w2^2, w0 + w1 + w2 = 1, w0 w1 >= -4, 0 <= w2 <= 2: not convex, so that inertia is
 * corrected; by hand: w2 = 2 is active, then w = (1.5, -2.5, 2) and f = 2.25 + 2.25 - 4. */
static struct nlp_info solve_with(enum fault what, const char *linear_solver, struct nlp_memory *memory, double *w)
{
    static struct quadratic q;
    const struct nlp_option option = { "linear_solver", linear_solver };
    const struct nlp_settings settings = { .tol = 1e-9, .dual_inf_tol = NAN, .constr_viol_tol = NAN,
                                           .compl_inf_tol = NAN, .acceptable_tol = NAN, .max_iter = 200,
                                           .monotone = true, .mu_init = 0.1, .push = NAN, .max_seconds = INFINITY,
                                           .n_option = 1, .option = &option, .memory = memory };
    double lambda[2], z_lower[3], z_upper[3];
    struct nlp_point point = { w, lambda, z_lower, z_upper };
    struct nlp_info info;
    struct diag *diag = diag_create();
    quadratic_init(&q, 3, 2);
    quadratic_square(&q, 0, 3.0, 1.0);
    quadratic_square(&q, 1, -1.0, 1.0);
    quadratic_square(&q, 2, 0.0, -1.0);
    for (int i = 0; i < 3; i++)
        q.a[0][i] = 1.0;
    q.P[1][0][1] = q.P[1][1][0] = 1.0;
    q.lbg[0] = q.ubg[0] = 1.0;
    q.lbg[1] = -4.0;
    q.ubg[1] = INFINITY;
    q.lbw[2] = 0.0;
    q.ubw[2] = 2.0;
    const struct mpcc mpcc = quadratic_mpcc(&q);
    for (int i = 0; i < 3; i++)
        w[i] = 1.0;
    fault = what;
    assert_int_equal(nlp_solve(&mpcc.nlp, &settings, &point, NULL, NULL, &info, diag), STATUS_OK);
    assert_int_equal(info.outcome, NLP_SOLVED);
    diag_free(diag);
    return info;
}

static struct nlp_info solve(enum fault what, const char *linear_solver, double *w)
{
    return solve_with(what, linear_solver, NULL, w);
}

static void is_optimal(const double *w)
{
    assert_near(w[0], 1.5, 1e-7);
    assert_near(w[1], -2.5, 1e-7);
    assert_near(w[2], 2.0, 1e-7);
}

static void auto_is_core_kkt(void **state)
{
    (void)state;
    double w[3];
    const struct nlp_info info = solve(FAULT_NONE, "auto", w);
    is_optimal(w);
    assert_int_equal(info.linear.n_own > 0, linear_solver_available());
    assert_int_equal(info.linear.n_mumps, 0);
    assert_true(info.linear.n_solve >= info.linear.n_own - info.linear.n_stopped);
    assert_true(info.linear.n_stopped < info.linear.n_own || !linear_solver_available());
}

static void mumps_is_left_to_ipopt(void **state)
{
    (void)state;
    double w[3];
    n_create = 0;
    const struct nlp_info info = solve(FAULT_NONE, "mumps", w);
    is_optimal(w);
    assert_int_equal(n_create, 0);
    assert_int_equal(info.linear.n_own + info.linear.n_mumps, 0);
}

/* Factorizations that break down, and solutions with a large residual, are made good; those of MUMPS are counted. */
static void mumps_takes_what_core_kkt_cannot(void **state)
{
    (void)state;
    if (!linear_solver_available())
        skip();
    double w[3];
    struct nlp_info info = solve(FAULT_BREAKDOWN, "auto", w);
    is_optimal(w);
    assert_true(info.linear.n_own == 0 && info.linear.n_mumps > 0 && info.linear.n_broken > 0);
    assert_int_equal(info.linear.n_inexact, 0);
    info = solve(FAULT_RESIDUAL, "auto", w);
    is_optimal(w);
    assert_true(info.linear.n_own > 0 && info.linear.n_mumps > 0 && info.linear.n_inexact > 0);
    assert_int_equal(info.linear.n_broken, 0);
}

/* Large residuals that smaller pivots have made are no matter for MUMPS. */
static void pivots_are_chosen_with_care_first(void **state)
{
    (void)state;
    if (!linear_solver_available())
        skip();
    double w[3];
    const struct nlp_info info = solve(FAULT_SMALL_PIVOTS, "auto", w);
    is_optimal(w);
    assert_true(pivots_from > 1e-3);
    assert_true(info.linear.n_own > 0 && info.linear.n_mumps == 0);
}

/* The second run analyses nothing, and nothing that happened to values or factors in a run is left in the next. */
static void runs_remember_structures_and_no_more(void **state)
{
    (void)state;
    if (!linear_solver_available())
        skip();
    double w[3], again[3];
    struct nlp_memory *memory = nlp_memory_create();
    n_create = 0;
    const struct nlp_info first = solve_with(FAULT_NONE, "auto", memory, w);
    const int n_analysed = n_create;
    assert_true(n_analysed > 0);
    solve_with(FAULT_BREAKDOWN, "auto", memory, again);
    const struct nlp_info last = solve_with(FAULT_NONE, "auto", memory, again);
    assert_int_equal(n_create, n_analysed);
    assert_int_equal(last.iterations, first.iterations);
    assert_int_equal(last.linear.n_own, first.linear.n_own);
    assert_int_equal(last.linear.n_mumps, 0);
    assert_memory_equal(w, again, sizeof w);
    nlp_memory_free(memory);
    nlp_memory_free(NULL);
}

/* [2 1; 1 0] has one negative eigenvalue; (x, y) = (1, 2) gives (4, 1). Entries come in two parts. */
static void mumps_factorizes(void **state)
{
    (void)state;
    const int row[] = { 1, 1, 2 }, col[] = { 1, 1, 1 };
    const double val[] = { 0.5, 1.5, 1.0 }, singular[] = { 0.0, 0.0, 0.0 };
    double b[] = { 4.0, 1.0 };
    int n_negative = -1;
    struct mumps *mumps = mumps_create(2, 3, row, col, MUMPS_AMD);
    assert_true(mumps_factorize(mumps, val, KKT_THRESHOLD, &n_negative));
    assert_int_equal(n_negative, 1);
    assert_true(mumps_solve(mumps, b));
    assert_near(b[0], 1.0, 1e-14);
    assert_near(b[1], 2.0, 1e-14);
    assert_false(mumps_factorize(mumps, singular, KKT_THRESHOLD, &n_negative));
    mumps_free(mumps);
    mumps_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_is_core_kkt),
        cmocka_unit_test(mumps_is_left_to_ipopt),
        cmocka_unit_test(mumps_takes_what_core_kkt_cannot),
        cmocka_unit_test(pivots_are_chosen_with_care_first),
        cmocka_unit_test(runs_remember_structures_and_no_more),
        cmocka_unit_test(mumps_factorizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
