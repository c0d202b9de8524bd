#define _POSIX_C_SOURCE 200809L     /* strdup, strtok_r */
#include "core/nlp/convex.h"
#include "core/nlp/nlp.h"
#include "core/nlp/options.h"
#include "core/nlp/scaled.h"

#include "tests/unit/quadratic.h"
#include "tests/unit/assertions.h"

#include <stdlib.h>
#include <string.h>

static struct nlp_settings default_settings(void)
{
    return (struct nlp_settings){ .tol = 1e-9, .dual_inf_tol = NAN, .constr_viol_tol = NAN, .compl_inf_tol = NAN,
                                  .acceptable_tol = NAN, .max_iter = 200, .monotone = true, .mu_init = 0.1,
                                  .push = NAN, .max_seconds = INFINITY };
}

struct solution {
    double w[8], lambda[4], z_lower[8], z_upper[8];
    struct nlp_info info;
    struct diag *diag;
};

static enum status solve(const struct nlp *nlp, const struct nlp_settings *settings, nlp_monitor *monitor,
                         struct solution *s)
{
    struct nlp_point point = { s->w, s->lambda, s->z_lower, s->z_upper };
    s->diag = diag_create();
    return nlp_solve(nlp, settings, &point, monitor, s, &s->info, s->diag);
}

/* --- HS071: min w0 w3 (w0 + w1 + w2) + w2, w0 w1 w2 w3 >= 25, |w|^2 = 40, 1 <= w <= 5 ------------ */

static bool hs071_f(void *user, const double *w, bool new_w, double *f)
{
    (void)user;
    (void)new_w;
    *f = w[0] * w[3] * (w[0] + w[1] + w[2]) + w[2];
    return true;
}

static bool hs071_grad(void *user, const double *w, bool new_w, double *grad)
{
    (void)user;
    (void)new_w;
    grad[0] = w[3] * (2.0 * w[0] + w[1] + w[2]);
    grad[1] = w[0] * w[3];
    grad[2] = w[0] * w[3] + 1.0;
    grad[3] = w[0] * (w[0] + w[1] + w[2]);
    return true;
}

static bool hs071_g(void *user, const double *w, bool new_w, double *g)
{
    (void)user;
    (void)new_w;
    g[0] = w[0] * w[1] * w[2] * w[3];
    g[1] = w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3];
    return true;
}

static bool hs071_jac(void *user, const double *w, bool new_w, double *val)
{
    (void)user;
    (void)new_w;
    for (int j = 0; j < 4; j++) {
        val[2 * j] = 1.0;
        for (int k = 0; k < 4; k++)
            val[2 * j] *= k == j ? 1.0 : w[k];
        val[2 * j + 1] = 2.0 * w[j];
    }
    return true;
}

static bool hs071_hess(void *user, const double *w, bool new_w, double obj_factor, const double *lambda,
                       double *val)
{
    (void)user;
    (void)new_w;
    const double f2[10] = { 2.0 * w[3], w[3], w[3], 2.0 * w[0] + w[1] + w[2], 0.0, 0.0, w[0], 0.0, w[0], 0.0 };
    int k = 0;
    for (int j = 0; j < 4; j++)
        for (int i = j; i < 4; i++, k++) {
            double product = i == j ? 0.0 : 1.0;
            for (int l = 0; l < 4; l++)
                product *= l == i || l == j ? 1.0 : w[l];
            val[k] = obj_factor * f2[k] + lambda[0] * product + (i == j ? 2.0 * lambda[1] : 0.0);
        }
    return true;
}

static const double hs071_lbw[] = { 1.0, 1.0, 1.0, 1.0 }, hs071_ubw[] = { 5.0, 5.0, 5.0, 5.0 };
static const double hs071_lbg[] = { 25.0, 40.0 }, hs071_ubg[] = { INFINITY, 40.0 };

static struct nlp hs071(void)
{
    static int jac_colptr[] = { 0, 2, 4, 6, 8 }, jac_rowind[] = { 0, 1, 0, 1, 0, 1, 0, 1 };
    static int hess_colptr[] = { 0, 4, 7, 9, 10 }, hess_rowind[] = { 0, 1, 2, 3, 1, 2, 3, 2, 3, 3 };
    return (struct nlp){
        .n_w = 4, .n_g = 2, .lbw = hs071_lbw, .ubw = hs071_ubw, .lbg = hs071_lbg, .ubg = hs071_ubg,
        .jac = { 2, 4, 8, jac_colptr, jac_rowind }, .hess = { 4, 4, 10, hess_colptr, hess_rowind },
        .eval_f = hs071_f, .eval_grad = hs071_grad, .eval_g = hs071_g, .eval_jac = hs071_jac,
        .eval_hess = hs071_hess
    };
}

static void hs071_start(struct solution *s)
{
    *s = (struct solution){ .w = { 1.0, 5.0, 5.0, 1.0 } };
}

/* Hock and Schittkowski 1981, problem 71: f = 17.0140173 at (1, 4.7429994, 3.8211503, 1.3794082). The table has
 * 8 digits. */
static void hs071_has_the_published_optimum(void **state)
{
    (void)state;
    const double expected[] = { 1.0, 4.7429994, 3.8211503, 1.3794082 };
    for (int monotone = 0; monotone < 2; monotone++) {
        struct solution s;
        hs071_start(&s);
        const struct nlp nlp = hs071();
        struct nlp_settings settings = default_settings();
        settings.monotone = monotone;
        assert_int_equal(solve(&nlp, &settings, NULL, &s), STATUS_OK);
        assert_int_equal(s.info.outcome, NLP_SOLVED);
        assert_near(s.info.f, 17.0140173, 1e-6);
        for (int i = 0; i < 4; i++)
            assert_near(s.w[i], expected[i], 1e-6);
        assert_true(s.info.iterations > 0 && s.info.n_eval_hess > 0 && s.info.violation < 1e-8);
        assert_true(s.info.eval_seconds <= s.info.seconds);
        assert_true(s.info.linear.entries == s.info.iterations * (2 * 4 + 10));     /* rows; a lower triangle */
        diag_free(s.diag);
    }
}

/* In units of any sizes the point and its multipliers are those of the program: gradients balance, 12 digits apart. */
static void sizes_change_nothing_but_the_way(void **state)
{
    (void)state;
    double w_size[] = { 4, 0.25, 1024, 1 }, g_size[] = { 32, 0x1p-10 };
    const struct nlp_sizes sizes = { w_size, g_size, 8 };
    struct nlp nlp = hs071();
    struct solution plain, scaled;
    struct nlp_settings settings = default_settings();
    settings.tol = 1e-12;
    hs071_start(&plain);
    hs071_start(&scaled);
    assert_int_equal(solve(&nlp, &settings, NULL, &plain), STATUS_OK);
    nlp.sizes = &sizes;
    assert_int_equal(solve(&nlp, &settings, NULL, &scaled), STATUS_OK);
    assert_int_equal(scaled.info.outcome, NLP_SOLVED);
    assert_near(scaled.info.f, 17.0140173, 1e-6);
    double grad[4], jac[8];
    hs071_grad(NULL, scaled.w, true, grad);
    hs071_jac(NULL, scaled.w, true, jac);
    for (int j = 0; j < 4; j++) {
        assert_near(scaled.w[j], plain.w[j], 1e-8);
        assert_near(grad[j] + jac[2 * j] * scaled.lambda[0] + jac[2 * j + 1] * scaled.lambda[1]
                    - scaled.z_lower[j] + scaled.z_upper[j], 0, 1e-7);
    }
    for (int i = 0; i < 2; i++)
        assert_near(scaled.lambda[i], plain.lambda[i], 1e-7);
    settings.warm_duals = true;                 /* multipliers go in as they come out */
    settings.mu_init = 1e-11;
    diag_free(scaled.diag);
    assert_int_equal(solve(&nlp, &settings, NULL, &scaled), STATUS_OK);
    assert_true(scaled.info.iterations <= 2);
    diag_free(plain.diag);
    diag_free(scaled.diag);
}

/* At w = (1, 5, 5, 1) the rows have the gradients (25, 5, 5, 25) and (2, 10, 10, 2). From w_0 alone, of size 1: rows
 * of 25 and 2; w_1 and w_2 are 1/max(5/25, 10/2) = 1/5, w_3 is 1; of the cost the gradient is (12, 1, 2, 11). */
static void sizes_follow_from_those_that_are_known(void **state)
{
    (void)state;
    struct arena mem = { NULL };
    const struct nlp nlp = hs071();
    const double w[] = { 1, 5, 5, 1 }, known[] = { 1, NAN, NAN, NAN };
    const struct nlp_sizes *sizes = nlp_sizes_create(&nlp, w, known, &mem);
    static const double w_size[] = { 1, 0.25, 0.25, 1 }, g_size[] = { 32, 2 };      /* nearest powers of two */
    assert_non_null(sizes);
    for (int j = 0; j < 4; j++)
        assert_near(sizes->w[j], w_size[j], 0);
    for (int i = 0; i < 2; i++)
        assert_near(sizes->g[i], g_size[i], 0);
    assert_near(sizes->f, 16, 0);
    arena_free(&mem);
}

/* With the multipliers of the solution and a small barrier there is next to nothing left to do. */
static void warm_start_needs_fewer_iterations(void **state)
{
    (void)state;
    struct solution s;
    hs071_start(&s);
    const struct nlp nlp = hs071();
    struct nlp_settings settings = default_settings();
    solve(&nlp, &settings, NULL, &s);
    diag_free(s.diag);
    const int cold = s.info.iterations;
    settings.warm_duals = true;
    settings.mu_init = 1e-9;
    solve(&nlp, &settings, NULL, &s);
    assert_int_equal(s.info.outcome, NLP_SOLVED);
    assert_true(s.info.iterations < cold);
    diag_free(s.diag);
}

static bool stop_at_3(void *user, int iteration, double f, double violation, double dual_inf, double mu)
{
    (void)user;
    (void)f;
    (void)violation;
    (void)dual_inf;
    (void)mu;
    return iteration < 3;
}

static void monitor_interrupts(void **state)
{
    (void)state;
    struct solution s;
    hs071_start(&s);
    const struct nlp nlp = hs071();
    const struct nlp_settings settings = default_settings();
    assert_int_equal(solve(&nlp, &settings, stop_at_3, &s), STATUS_OK);
    assert_int_equal(s.info.outcome, NLP_INTERRUPTED);
    assert_int_equal(s.info.iterations, 3);
    assert_true(s.w[1] != 5.0);                 /* the iterate, not the start */
    diag_free(s.diag);
}

static void limits_end_the_run(void **state)
{
    (void)state;
    struct solution s;
    const struct nlp nlp = hs071();
    struct nlp_settings settings = default_settings();
    hs071_start(&s);
    settings.max_iter = 2;
    solve(&nlp, &settings, NULL, &s);
    assert_int_equal(s.info.outcome, NLP_ITERATIONS);
    diag_free(s.diag);
    hs071_start(&s);
    settings.max_iter = 100;
    settings.max_seconds = 0.0;
    solve(&nlp, &settings, NULL, &s);
    assert_int_equal(s.info.outcome, NLP_TIME);
    diag_free(s.diag);
}

/* |w|^2 = 400 with w <= 5 is off by 300 at least: found infeasible in the end, but not waited for by who is in a hurry. A
 * user who says how many iterations there may be has them. */
static void what_stalls_ends_as_at_its_cap(void **state)
{
    (void)state;
    static const double lbg[] = { 25.0, 400.0 }, ubg[] = { INFINITY, 400.0 };
    struct nlp nlp = hs071();
    nlp.lbg = lbg;
    nlp.ubg = ubg;
    struct nlp_settings settings = default_settings();
    const struct nlp_option option = { "max_iter", "300" };
    const struct { int patience, n_option; enum nlp_outcome outcome; } run[] = {
        { 0, 0, NLP_INFEASIBLE }, { 4, 0, NLP_ITERATIONS }, { 4, 1, NLP_INFEASIBLE }
    };
    int iterations[3];
    for (int k = 0; k < 3; k++) {
        struct solution s;
        hs071_start(&s);
        settings.patience = run[k].patience;
        settings.n_option = run[k].n_option;
        settings.option = &option;
        assert_int_equal(solve(&nlp, &settings, NULL, &s), STATUS_OK);
        assert_int_equal(s.info.outcome, run[k].outcome);
        assert_true(s.info.violation >= 300 - 1e-6);
        iterations[k] = s.info.iterations;
        diag_free(s.diag);
    }
    assert_true(iterations[1] < iterations[0]);
    assert_int_equal(iterations[2], iterations[0]);
}

static void refuses_option(const char *name, const char *value, const char *message)
{
    struct solution s;
    hs071_start(&s);
    const struct nlp nlp = hs071();
    struct nlp_settings settings = default_settings();
    const struct nlp_option option = { name, value };
    settings.n_option = 1;
    settings.option = &option;
    assert_int_equal(solve(&nlp, &settings, NULL, &s), STATUS_USAGE);
    assert_int_equal(diag_n_errors(s.diag), 1);
    assert_non_null(strstr(diag_line(s.diag, 0), message));
    diag_free(s.diag);
}

static void wrong_options_are_refused_with_a_message(void **state)
{
    (void)state;
    refuses_option("max_itr", "10", "did you mean \"max_iter\"");
    refuses_option("max_iter", "ten", "must be a number");
    refuses_option("max_iter", "1.5", "whole number");
    refuses_option("tol", "-1", "must lie in (0, inf]");
    refuses_option("mu_strategy", "fast", "must be one of: monotone adaptive");
    refuses_option("linear_solver", "ma00", "must be one of: auto");
    refuses_option("option_file_name", "x", "unknown or reserved");
    refuses_option("hessian_constant", "yes", "unknown or reserved");
    refuses_option("print_level", "5", "reserved IPOPT option \"print_level\": its log is shown by `cocp solve -vv`");
    refuses_option("max_cpu_time", "60", "`cocp solve --max-time SECONDS`");
    refuses_option("sb", "yes", "its banner is never shown");
    refuses_option("output_file", "a", "unknown or reserved");
    refuses_option("nlp_scaling_method", "user-scaling", "must be one of: none gradient-based");
}

static const struct library_option *library_find(const char *name)
{
    const struct library *library = library_get();
    for (int k = 0; k < library->n; k++)
        if (strcmp(library->option[k].name, name) == 0)
            return &library->option[k];
    fail_msg("the library has no option %s", name);
    return NULL;
}

/* As IPOPT's documentation has them, whatever its version. */
static void the_library_lists_its_options(void **state)
{
    (void)state;
    const struct library_option *tol = library_find("tol"), *kappa = library_find("bound_frac"),
                                *any = library_find("obj_scaling_factor"), *steps = library_find("max_soc");
    assert_true(tol->type == OPTION_NUMBER && tol->min == 0 && tol->open_min && isinf(tol->max) && !tol->open_max);
    assert_true(kappa->min == 0 && kappa->open_min && kappa->max == 0.5 && !kappa->open_max);
    assert_true(any->type == OPTION_NUMBER && isinf(any->min) && isinf(any->max));
    assert_true(steps->type == OPTION_INT && steps->min == 0 && !steps->open_min);
    assert_string_equal(library_find("mu_strategy")->words, "monotone adaptive");
    assert_true(library_find("ma57_pivot_order")->type == OPTION_INT);
    assert_true(library_find("mumps_dep_tol")->type == OPTION_NUMBER);
}

/* Those that are not installed are not in the list: some of them would end the process. */
static void every_linear_solver_in_the_list_works(void **state)
{
    (void)state;
    char *words = strdup(library_find("linear_solver")->words), *rest = words;
    assert_non_null(strstr(words, "auto"));
    assert_non_null(strstr(words, "mumps"));
    for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
        struct solution s;
        hs071_start(&s);
        const struct nlp nlp = hs071();
        struct nlp_settings settings = default_settings();
        const struct nlp_option option = { "linear_solver", word };
        settings.n_option = 1;
        settings.option = &option;
        assert_int_equal(solve(&nlp, &settings, NULL, &s), STATUS_OK);
        assert_int_equal(s.info.outcome, NLP_SOLVED);
        diag_free(s.diag);
    }
    free(words);
}

static void user_options_win(void **state)
{
    (void)state;
    struct solution s;
    hs071_start(&s);
    const struct nlp nlp = hs071();
    struct nlp_settings settings = default_settings();
    const struct nlp_option option[] = { { "max_iter", "1" }, { "linear_solver", "mumps" }, { "tol", "1e-6" } };
    settings.n_option = 3;
    settings.option = option;
    assert_int_equal(solve(&nlp, &settings, NULL, &s), STATUS_OK);
    assert_int_equal(s.info.outcome, NLP_ITERATIONS);
    assert_int_equal(s.info.iterations, 1);
    diag_free(s.diag);
}

/* --- Small quadratic problems ------------------------------------------------------------------------------- */

static void infeasible_rows_are_reported(void **state)
{
    (void)state;
    struct quadratic q;
    quadratic_init(&q, 2, 1);
    quadratic_square(&q, 0, 0.0, 1.0);
    quadratic_square(&q, 1, 0.0, 1.0);
    q.P[0][0][0] = q.P[0][1][1] = 2.0;          /* |w|^2 = -1 */
    q.lbg[0] = q.ubg[0] = -1.0;
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const struct nlp_settings settings = default_settings();
    struct solution s = { .w = { 1.0, 1.0 } };
    assert_int_equal(solve(&mpcc.nlp, &settings, NULL, &s), STATUS_OK);
    assert_int_equal(s.info.outcome, NLP_INFEASIBLE);
    diag_free(s.diag);
}

/* min (w0 - 3)^2 + (w1 - 2)^2 with w0 fixed at 1 and w0 + w1 = 2.5: w1 = 1.5. */
static void fixed_variables_stay(void **state)
{
    (void)state;
    struct quadratic q;
    quadratic_init(&q, 2, 1);
    quadratic_square(&q, 0, 3.0, 1.0);
    quadratic_square(&q, 1, 2.0, 1.0);
    q.lbw[0] = q.ubw[0] = 1.0;
    q.a[0][0] = q.a[0][1] = 1.0;
    q.lbg[0] = q.ubg[0] = 2.5;
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const struct nlp_settings settings = default_settings();
    struct solution s = { .w = { 0.0, 0.0 } };
    solve(&mpcc.nlp, &settings, NULL, &s);
    assert_int_equal(s.info.outcome, NLP_SOLVED);
    assert_near(s.w[0], 1.0, 0.0);
    assert_near(s.w[1], 1.5, 1e-8);
    diag_free(s.diag);

    q.lbw[1] = q.ubw[1] = 1.5;                  /* nothing left to choose */
    solve(&mpcc.nlp, &settings, NULL, &s);
    assert_int_equal(s.info.outcome, NLP_SOLVED);
    diag_free(s.diag);
    q.ubw[1] = q.lbw[1] = 1.0;
    solve(&mpcc.nlp, &settings, NULL, &s);
    assert_int_equal(s.info.outcome, NLP_INFEASIBLE);
    assert_near(s.info.violation, 0.5, 1e-15);
    diag_free(s.diag);
}

static void more_equations_than_variables_are_refused(void **state)
{
    (void)state;
    struct quadratic q;
    quadratic_init(&q, 2, 3);
    for (int i = 0; i < 3; i++)
        q.a[i][0] = q.a[i][1] = i;
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const struct nlp_settings settings = default_settings();
    struct solution s = { .w = { 0.0, 0.0 } };
    assert_int_equal(solve(&mpcc.nlp, &settings, NULL, &s), STATUS_OK);
    assert_int_equal(s.info.outcome, NLP_REFUSED);
    assert_non_null(strstr(diag_line(s.diag, 0), "3 equations for 2 free variables"));
    diag_free(s.diag);
}

static void nan_at_the_start_is_a_numeric_failure(void **state)
{
    (void)state;
    struct quadratic q;
    quadratic_init(&q, 2, 0);
    quadratic_square(&q, 0, 3.0, 1.0);
    q.give_nan = true;
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const struct nlp_settings settings = default_settings();
    struct solution s = { .w = { 1.0, 1.0 } };
    assert_int_equal(solve(&mpcc.nlp, &settings, NULL, &s), STATUS_OK);
    assert_int_equal(s.info.outcome, NLP_NUMERIC);
    diag_free(s.diag);
}

static void unbounded_cost_is_told_apart(void **state)
{
    (void)state;
    struct quadratic q;
    quadratic_init(&q, 2, 0);
    q.c[0] = -1.0;
    quadratic_square(&q, 1, 1.0, 1.0);
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const struct nlp_settings settings = default_settings();
    struct solution s = { .w = { 1.0, 1.0 } };
    solve(&mpcc.nlp, &settings, NULL, &s);
    assert_int_equal(s.info.outcome, NLP_UNBOUNDED);
    diag_free(s.diag);
}

/* --- Convexity ---------------------------------------------------------------------------------------------- */

/* f = (w0^2 + 2 b w0 w1 + w1^2) / 2, whose Hessian has the eigenvalues 1 + b and 1 - b; w0^2 <= 4 bends unless w0 is
 * fixed. */
static bool is_convex(double b, double bend, bool is_fixed)
{
    struct quadratic q;
    const double w[] = { 0.5, 0.25 };
    quadratic_init(&q, 2, 1);
    q.Q[0][0] = q.Q[1][1] = 1;
    q.Q[0][1] = q.Q[1][0] = b;
    q.P[0][0][0] = bend;
    q.a[0][0] = q.a[0][1] = 1;
    q.lbg[0] = -INFINITY;
    q.ubg[0] = 4;
    if (is_fixed)
        q.lbw[0] = q.ubw[0] = w[0];
    const struct mpcc mpcc = quadratic_mpcc(&q);
    return nlp_is_convex(&mpcc.nlp, w);
}

static void a_convex_quadratic_program_is_known(void **state)
{
    (void)state;
    assert_true(is_convex(0.5, 0, false));
    assert_true(is_convex(1, 0, false));            /* flat in one direction */
    assert_false(is_convex(2, 0, false));           /* eigenvalues 3 and -1 */
    assert_false(is_convex(0.5, 2, false));         /* a row that bends */
    assert_true(is_convex(0.5, 2, true));           /* by what is fixed */
    assert_true(is_convex(2, 0, true));
}

/* The cost of HS071 is cubic, its rows bend. */
static void what_is_no_quadratic_program_is_not_convex(void **state)
{
    (void)state;
    const struct nlp nlp = hs071();
    const double w[] = { 1, 4.743, 3.8211, 1.3794 };
    assert_false(nlp_is_convex(&nlp, w));
}

/* --- Rosenbrock: f = (1 - x)^2 + 100 (y - x^2)^2, minimum 0 at (1, 1) ----------------------- */

static bool rosenbrock_f(void *user, const double *w, bool new_w, double *f)
{
    (void)new_w;
    (void)user;
    const double r = w[1] - w[0] * w[0];
    *f = (1.0 - w[0]) * (1.0 - w[0]) + 100.0 * r * r;
    return w[0] < 0.5 || w[0] > 0.6;            /* a hole in the domain: IPOPT has to step over it */
}

static bool rosenbrock_grad(void *user, const double *w, bool new_w, double *grad)
{
    (void)user;
    (void)new_w;
    const double r = w[1] - w[0] * w[0];
    grad[0] = -2.0 * (1.0 - w[0]) - 400.0 * r * w[0];
    grad[1] = 200.0 * r;
    return true;
}

static bool no_rows(void *user, const double *w, bool new_w, double *g)
{
    (void)user;
    (void)w;
    (void)new_w;
    (void)g;
    return true;
}

static bool rosenbrock_hess(void *user, const double *w, bool new_w, double obj_factor, const double *lambda,
                            double *val)
{
    (void)user;
    (void)new_w;
    (void)lambda;
    val[0] = obj_factor * (2.0 - 400.0 * (w[1] - 3.0 * w[0] * w[0]));
    val[1] = obj_factor * -400.0 * w[0];
    val[2] = obj_factor * 200.0;
    return true;
}

static void rosenbrock_finds_its_valley_past_a_hole(void **state)
{
    (void)state;
    static const double lower[] = { -INFINITY, -INFINITY }, upper[] = { INFINITY, INFINITY };
    int none[] = { 0, 0, 0 }, colptr[] = { 0, 2, 3 }, rowind[] = { 0, 1, 1 };
    const struct nlp nlp = { .n_w = 2, .lbw = lower, .ubw = upper, .jac = { 0, 2, 0, none, none },
                             .hess = { 2, 2, 3, colptr, rowind }, .eval_f = rosenbrock_f,
                             .eval_grad = rosenbrock_grad, .eval_g = no_rows, .eval_jac = no_rows,
                             .eval_hess = rosenbrock_hess };
    const struct nlp_settings settings = default_settings();
    struct solution s = { .w = { -1.2, 1.0 } };
    assert_int_equal(solve(&nlp, &settings, NULL, &s), STATUS_OK);
    assert_int_equal(s.info.outcome, NLP_SOLVED);
    assert_near(s.w[0], 1.0, 1e-6);
    assert_near(s.w[1], 1.0, 1e-6);
    diag_free(s.diag);
}

static void version_and_texts_are_there(void **state)
{
    (void)state;
    assert_non_null(strstr(nlp_solver_version(), "3."));
    assert_string_equal(nlp_outcome_text(NLP_SOLVED), "solved");
    assert_string_equal(nlp_outcome_text(NLP_REFUSED), "refused");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hs071_has_the_published_optimum),
        cmocka_unit_test(sizes_change_nothing_but_the_way),
        cmocka_unit_test(sizes_follow_from_those_that_are_known),
        cmocka_unit_test(warm_start_needs_fewer_iterations),
        cmocka_unit_test(monitor_interrupts),
        cmocka_unit_test(what_stalls_ends_as_at_its_cap),
        cmocka_unit_test(limits_end_the_run),
        cmocka_unit_test(wrong_options_are_refused_with_a_message),
        cmocka_unit_test(the_library_lists_its_options),
        cmocka_unit_test(every_linear_solver_in_the_list_works),
        cmocka_unit_test(user_options_win),
        cmocka_unit_test(infeasible_rows_are_reported),
        cmocka_unit_test(fixed_variables_stay),
        cmocka_unit_test(more_equations_than_variables_are_refused),
        cmocka_unit_test(nan_at_the_start_is_a_numeric_failure),
        cmocka_unit_test(unbounded_cost_is_told_apart),
        cmocka_unit_test(a_convex_quadratic_program_is_known),
        cmocka_unit_test(what_is_no_quadratic_program_is_not_convex),
        cmocka_unit_test(rosenbrock_finds_its_valley_past_a_hole),
        cmocka_unit_test(version_and_texts_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
