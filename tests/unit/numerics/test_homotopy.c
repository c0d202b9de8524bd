#include "core/mpcc/homotopy.h"
#include "core/mpcc/report.h"

#include "tests/unit/quadratic.h"
#include "tests/unit/assertions.h"

/* The defaults of the table in settings.c. */
static struct homotopy_settings default_settings(void)
{
    return (struct homotopy_settings){ .sigma_0 = NAN, .update_slope = NAN, .sigma_N = 1e-9, .comp_tol = 1e-7,
                                       .restarts = NAN, .seed = 1 };
}

static struct homotopy_run default_run(void)
{
    struct homotopy_run run;
    homotopy_run_init(&run);
    return run;
}

static struct homotopy_result solve(const struct mpcc *mpcc, const struct homotopy_settings *settings,
                                    const struct homotopy_run *run)
{
    struct homotopy_result out;
    struct diag *diag = diag_create();
    const enum status st = homotopy_solve(mpcc, settings, run, &out, diag);
    assert_int_equal(st, out.status);
    diag_free(diag);
    return out;
}

/* MacMPEC scholtes3, doubled: min (x - 1)^2 + (y - 1)^2, 0 <= x _|_ y >= 0; minima (1, 0) and (0, 1), f = 1. */
static void make_corner(struct quadratic *q)
{
    quadratic_init(q, 2, 0);
    quadratic_square(q, 0, 1.0, 1.0);
    quadratic_square(q, 1, 1.0, 1.0);
    quadratic_pair(q, 0, 1);
    q->w0[0] = 0.5;                             /* off the diagonal, which is a saddle for every sigma */
    q->w0[1] = 0.2;
}

static void corner_is_found_by_default(void **state)
{
    (void)state;
    struct quadratic q;
    make_corner(&q);
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const struct homotopy_settings settings = default_settings();
    const struct homotopy_run run = default_run();
    struct homotopy_result out = solve(&mpcc, &settings, &run);
    assert_int_equal(out.status, STATUS_OK);
    assert_true(out.completed && out.complementarity <= 1e-7 && out.violation <= 1e-8);
    assert_near(out.objective, 1.0, 1e-6);
    assert_near(fmax(out.w[0], out.w[1]), 1.0, 1e-6);      /* which one is IPOPT's choice */
    assert_near(fmin(out.w[0], out.w[1]), 0.0, 1e-6);
    assert_true(out.n_step > 5 && out.iterations > 0);
    for (int k = 1; k < out.n_step; k++)
        assert_true(out.step[k].sigma <= out.step[k - 1].sigma);
    homotopy_result_free(&out);
}

static void every_relaxation_and_elastic_mode_finds_it(void **state)
{
    (void)state;
    for (int kind = RELAX_SCHOLTES; kind <= RELAX_FISCHER_BURMEISTER; kind++)
        for (int elastic = ELASTIC_NONE; elastic <= ELASTIC_LINF; elastic++) {
            struct quadratic q;
            make_corner(&q);
            const struct mpcc mpcc = quadratic_mpcc(&q);
            struct homotopy_settings settings = default_settings();
            settings.relaxation = kind;
            settings.elastic = elastic;
            const struct homotopy_run run = default_run();
            struct homotopy_result out = solve(&mpcc, &settings, &run);
            assert_int_equal(out.status, STATUS_OK);
            assert_near(out.objective, 1.0, 1e-6);
            homotopy_result_free(&out);
        }
}

/* Without crossover G H <= comp_tol has to come from sigma; at the minimum G H = sigma, so x y ~ 1e-7. */
static void sigma_alone_reaches_the_tolerance(void **state)
{
    (void)state;
    struct quadratic q;
    make_corner(&q);
    const struct mpcc mpcc = quadratic_mpcc(&q);
    struct homotopy_settings settings = default_settings();
    settings.polish = POLISH_OFF;
    struct homotopy_run run = default_run();
    for (int fesd_j = 0; fesd_j < 2; fesd_j++) {
        if (fesd_j)
            run.recipe = homotopy_recipe_fesd_j();
        struct homotopy_result out = solve(&mpcc, &settings, &run);
        assert_int_equal(out.status, STATUS_OK);
        assert_false(out.polished);
        assert_true(out.complementarity <= 1e-7);
        assert_near(out.objective, 1.0, 1e-6);
        homotopy_result_free(&out);
    }
}

/* One barrier problem per sigma, mu = c sigma: with the corner's minimum at x y = sigma the path ends within c sigma
 * of it, in fewer iterations than NLPs solved each to its end. */
static void following_the_path_is_shorter(void **state)
{
    (void)state;
    struct quadratic q;
    make_corner(&q);
    const struct mpcc mpcc = quadratic_mpcc(&q);
    struct homotopy_settings settings = default_settings();
    settings.polish = POLISH_OFF;
    struct homotopy_run run = default_run();
    struct homotopy_result whole = solve(&mpcc, &settings, &run);
    run.recipe = homotopy_recipe_path(1e-2);
    struct homotopy_result path = solve(&mpcc, &settings, &run);
    assert_int_equal(path.status, STATUS_OK);
    assert_near(path.objective, 1.0, 1e-6);
    assert_true(path.iterations < whole.iterations);
    homotopy_result_free(&whole);
    homotopy_result_free(&path);
}

/* min (x + 1/2)^2 + (y + 1/2)^2: both sides vanish at the minimum (0, 0), f = 1/2. The barrier leaves
 * sqrt(tol) in the worst case. */
static void biactive_minimum_is_found(void **state)
{
    (void)state;
    struct quadratic q;
    quadratic_init(&q, 2, 0);
    quadratic_square(&q, 0, -0.5, 1.0);
    quadratic_square(&q, 1, -0.5, 1.0);
    quadratic_pair(&q, 0, 1);
    q.w0[0] = 1.0;
    q.w0[1] = 0.7;
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const struct homotopy_settings settings = default_settings();
    const struct homotopy_run run = default_run();
    struct homotopy_result out = solve(&mpcc, &settings, &run);
    assert_int_equal(out.status, STATUS_OK);
    assert_near(out.objective, 0.5, 1e-5);
    homotopy_result_free(&out);
}

/* MacMPEC ralph1: min 2 x - y, x >= 0, 0 <= y _|_ y - x >= 0; minimum 0 at the origin, where the multipliers of
 * the relaxed problem are unbounded. y - x is no sum of bounded variables: a linear row is needed. With
 * y (y - x) <= sigma the optimum of the relaxed problem is -sqrt(sigma), hence the tolerance. */
static void ralph1_goes_to_the_origin(void **state)
{
    (void)state;
    struct quadratic q;
    quadratic_init(&q, 2, 0);
    q.c[0] = 2.0;
    q.c[1] = -1.0;
    quadratic_pair(&q, 1, 1);
    q.lbw[0] = 0.0;
    q.pair[0].n_H = 2;
    q.term[0][1][1] = (struct mpcc_term){ 0, -1.0 };
    q.w0[0] = q.w0[1] = 1.0;
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const struct homotopy_settings settings = default_settings();
    const struct homotopy_run run = default_run();
    struct homotopy_result out = solve(&mpcc, &settings, &run);
    assert_int_equal(out.status, STATUS_OK);
    assert_true(out.complementarity <= 1e-7);
    assert_near(out.objective, 0.0, 5e-4);
    homotopy_result_free(&out);
}

/* Bard 1991 (MacMPEC bard1): min (x - 5)^2 + (2 y + 1)^2 where y solves min (y - 1)^2 - 1.5 x y subject to
 * 3 x - y >= 3, -x + y/2 >= -4, -x - y >= -7, y >= 0. Optimum 17 at x = 1, y = 0. */
static void bilevel_problem_of_bard_is_solved(void **state)
{
    (void)state;
    enum { X, Y, S1, S2, S3, L1, L2, L3, L4, N };
    struct quadratic q;
    quadratic_init(&q, N, 4);
    quadratic_square(&q, X, 5.0, 1.0);
    quadratic_square(&q, Y, -0.5, 4.0);
    q.lbw[X] = 0.0;
    const double slope[] = { -1.0, 0.5, -1.0, 1.0 };        /* of the lower constraints by y */
    q.a[0][Y] = 2.0;                            /* 2 (y - 1) - 1.5 x = sum of l times slope */
    q.a[0][X] = -1.5;
    for (int k = 0; k < 4; k++)
        q.a[0][L1 + k] = -slope[k];
    q.lbg[0] = q.ubg[0] = 2.0;
    const double by_x[] = { 3.0, -1.0, -1.0 }, rhs[] = { 3.0, -4.0, -7.0 };
    for (int k = 0; k < 3; k++) {
        q.a[1 + k][X] = by_x[k];
        q.a[1 + k][Y] = slope[k];
        q.a[1 + k][S1 + k] = -1.0;
        q.lbg[1 + k] = q.ubg[1 + k] = rhs[k];
        quadratic_pair(&q, S1 + k, L1 + k);
    }
    quadratic_pair(&q, Y, L4);
    for (int i = 0; i < N; i++)
        q.w0[i] = 1.0;
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const struct homotopy_settings settings = default_settings();
    const struct homotopy_run run = default_run();
    struct homotopy_result out = solve(&mpcc, &settings, &run);
    assert_int_equal(out.status, STATUS_OK);
    assert_near(out.objective, 17.0, 1e-5);
    assert_near(out.w[X], 1.0, 1e-6);
    assert_near(out.w[Y], 0.0, 1e-6);
    homotopy_result_free(&out);
}

/* x, y in [1, 2] cannot be complementary; the first relaxed problem, x y <= 1, is feasible all the same. */
static void infeasible_problem_is_called_so(void **state)
{
    (void)state;
    struct quadratic q;
    make_corner(&q);
    const struct mpcc mpcc = quadratic_mpcc(&q);
    q.lbw[0] = q.lbw[1] = 1.0;
    q.ubw[0] = q.ubw[1] = 2.0;
    q.pair[0].label.path = "contacts.foot";
    const struct homotopy_settings settings = default_settings();
    const struct homotopy_run run = default_run();
    struct homotopy_result out = solve(&mpcc, &settings, &run);
    assert_int_equal(out.status, STATUS_INFEASIBLE);
    assert_false(out.completed);
    assert_true(out.complementarity >= 1.0 - 1e-6);
    assert_true(out.n_step < 12);               /* hopeless cases end soon */

    struct report_item item[4];
    assert_int_equal(report_worst(&mpcc, out.w_last, 1e-6, 1e-7, 2, item), 1);
    assert_int_equal(item[0].kind, REPORT_PAIR_PRODUCT);
    char text[80];
    report_item_text(&item[0], NULL, NULL, text, sizeof text);
    assert_string_equal(text, "pair, interval 0: complementarity 1");
    assert_non_null(report_advice(&out, item, 1));
    homotopy_result_free(&out);
}

static void rows_in_the_way_are_named(void **state)
{
    (void)state;
    struct quadratic q;
    make_corner(&q);
    q.m = 1;
    q.a[0][0] = q.a[0][1] = 1.0;                /* x + y = -1 with x, y >= 0 */
    q.lbg[0] = q.ubg[0] = -1.0;
    q.row[0] = (struct mpcc_label){ .name = "clock", .interval = 3, .element = 2, .stage = -1 };
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const struct homotopy_settings settings = default_settings();
    const struct homotopy_run run = default_run();
    struct homotopy_result out = solve(&mpcc, &settings, &run);
    assert_int_equal(out.status, STATUS_INFEASIBLE);
    struct report_item item[4];
    assert_int_equal(report_worst(&mpcc, out.w_last, 1e-6, 1e-2, 2, item), 1);
    char text[80];
    report_item_text(&item[0], NULL, NULL, text, sizeof text);
    assert_non_null(strstr(text, "clock, interval 3, element 2: "));
    assert_non_null(strstr(text, "must be -1 (off by 1)"));
    assert_non_null(strstr(report_advice(&out, item, 1), "one"));
    struct report_bound bound[4];
    assert_int_equal(report_bounds(&mpcc, out.w_last, 1e-3, 4, bound), 1);
    assert_int_equal(bound[0].count, 2);
    assert_false(bound[0].at_upper);
    homotopy_result_free(&out);
}

static void unbounded_cost_is_called_so(void **state)
{
    (void)state;
    struct quadratic q;
    make_corner(&q);
    q.Q[0][0] = 0.0;
    q.c[0] = -1.0;
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const struct homotopy_settings settings = default_settings();
    const struct homotopy_run run = default_run();
    struct homotopy_result out = solve(&mpcc, &settings, &run);
    assert_int_equal(out.status, STATUS_UNBOUNDED);
    homotopy_result_free(&out);
}

static void nan_is_a_numeric_failure(void **state)
{
    (void)state;
    struct quadratic q;
    make_corner(&q);
    q.give_nan = true;
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const struct homotopy_settings settings = default_settings();
    const struct homotopy_run run = default_run();
    struct homotopy_result out = solve(&mpcc, &settings, &run);
    assert_int_equal(out.status, STATUS_NUMERIC);
    homotopy_result_free(&out);
}

struct watcher { volatile sig_atomic_t flag; int n_step, n_iter; };

static bool raise_flag(void *user, int iteration, double f, double violation, double dual_inf, double mu)
{
    (void)iteration;
    (void)f;
    (void)violation;
    (void)dual_inf;
    (void)mu;
    struct watcher *watcher = user;
    if (++watcher->n_iter == 20)
        watcher->flag = 1;
    return true;
}

static void count_step(void *user, const struct homotopy_step *step, int index)
{
    struct watcher *watcher = user;
    assert_int_equal(index, watcher->n_step);
    assert_true(step->sigma > 0.0);
    watcher->n_step++;
}

static void interrupt_keeps_the_best_iterate(void **state)
{
    (void)state;
    struct quadratic q;
    make_corner(&q);
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const struct homotopy_settings settings = default_settings();
    struct watcher watcher = { 0 };
    struct homotopy_run run = default_run();
    run.interrupt = &watcher.flag;
    run.monitor = raise_flag;
    run.progress = count_step;
    run.user = &watcher;
    struct homotopy_result out = solve(&mpcc, &settings, &run);
    assert_int_equal(out.status, STATUS_INTERRUPTED);
    assert_true(watcher.n_step == out.n_step && out.n_step > 0);
    assert_true(out.violation <= 1e-6 && out.complementarity < 2.0);
    homotopy_result_free(&out);
}

static void time_limit_is_a_limit(void **state)
{
    (void)state;
    struct quadratic q;
    make_corner(&q);
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const struct homotopy_settings settings = default_settings();
    struct homotopy_run run = default_run();
    run.max_seconds = 0.0;
    struct homotopy_result out = solve(&mpcc, &settings, &run);
    assert_int_equal(out.status, STATUS_LIMIT);
    assert_near(out.w[0], 0.5, 0.0);            /* the start, for want of a better point */
    homotopy_result_free(&out);
}

static void wrong_option_is_a_usage_error(void **state)
{
    (void)state;
    struct quadratic q;
    make_corner(&q);
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const struct homotopy_settings settings = default_settings();
    struct homotopy_run run = default_run();
    const struct nlp_option option = { "linear_solver", "ma57" };
    run.n_option = 1;
    run.option = &option;
    struct homotopy_result out = solve(&mpcc, &settings, &run);
    assert_int_equal(out.status, STATUS_USAGE);
    homotopy_result_free(&out);
}

/* sigma_0 kappa^k: 1, 1e-2, 1e-4 for three steps; the list is taken as it stands. */
static void sigmas_follow_the_settings(void **state)
{
    (void)state;
    struct quadratic q;
    make_corner(&q);
    const struct mpcc mpcc = quadratic_mpcc(&q);
    struct homotopy_settings settings = default_settings();
    settings.polish = POLISH_OFF;
    struct homotopy_run run = default_run();
    run.sigma_start = 1.0;
    run.sigma_stop = 1e-4;
    run.slope = 1e-2;
    struct homotopy_result out = solve(&mpcc, &settings, &run);
    assert_int_equal(out.n_step, 3);
    assert_near(out.step[1].sigma, 1e-2, 1e-15);
    assert_near(out.step[2].sigma, 1e-4, 1e-15);
    assert_int_equal(out.status, STATUS_LIMIT); /* sigma is used up, G H = 1e-4 */
    homotopy_result_free(&out);

    double sigma[] = { 0.5, 1e-3, 2e-5 };
    settings.sigma = (struct setting_list){ 3, sigma };
    run = default_run();
    out = solve(&mpcc, &settings, &run);
    assert_int_equal(out.n_step, 3);
    for (int k = 0; k < 3; k++)
        assert_near(out.step[k].sigma, sigma[k], 0.0);
    homotopy_result_free(&out);

    settings.sigma = (struct setting_list){ 0 };
    settings.schedule = SCHEDULE_SUPERLINEAR;   /* 0.1, 0.1^1.5, 0.1^2.25 */
    run.sigma_start = 0.1;
    run.sigma_stop = pow(0.1, 2.25);
    run.slope = 0.5;
    out = solve(&mpcc, &settings, &run);
    assert_int_equal(out.n_step, 3);
    assert_near(out.step[1].sigma, pow(0.1, 1.5), 1e-15);
    assert_near(out.step[2].sigma, pow(0.1, 2.25), 1e-15);
    homotopy_result_free(&out);
}

/* A stage hands on the iterate of its last sigma, and the next one goes on from there. */
static void stages_hand_on_their_iterate(void **state)
{
    (void)state;
    struct quadratic q;
    make_corner(&q);
    const struct mpcc mpcc = quadratic_mpcc(&q);
    const struct homotopy_settings settings = default_settings();
    struct homotopy_run run = default_run();
    run.is_stage = true;
    run.sigma_stop = 0.03;
    struct homotopy_result first = solve(&mpcc, &settings, &run);
    assert_int_equal(first.status, STATUS_OK);
    assert_true(first.completed && !first.polished);
    assert_near(first.sigma, 0.03, 1e-12);
    assert_near(first.w[0] * first.w[1], 0.03, 1e-3);       /* tol of that NLP: 3e-3 on the gradient */
    run = default_run();
    run.w0 = first.w;
    run.sigma_start = 0.01;
    struct homotopy_result second = solve(&mpcc, &settings, &run);
    assert_int_equal(second.status, STATUS_OK);
    assert_near(second.step[0].sigma, 0.01, 0.0);
    assert_true(homotopy_result_better(&second, &first));
    homotopy_result_free(&first);
    homotopy_result_free(&second);
}

/* --- Problems that move with sigma --------------------------------------------------------------------------- */

static double last_announced;
static bool last_was_last;

static void follow_sigma(void *user, double sigma, bool last)
{
    (void)user;
    last_announced = sigma;
    last_was_last = last;
}

static double twice_w0(void *user, const double *w)
{
    (void)user;
    return 2.0 * w[0];
}

static void problem_hears_of_sigma_and_states_its_own_cost(void **state)
{
    (void)state;
    struct quadratic q;
    make_corner(&q);
    struct mpcc mpcc = quadratic_mpcc(&q);
    mpcc.set_sigma = follow_sigma;
    mpcc.objective = twice_w0;
    struct homotopy_settings settings = default_settings();
    settings.polish = POLISH_OFF;
    const struct homotopy_run run = default_run();
    struct homotopy_result out = solve(&mpcc, &settings, &run);
    assert_int_equal(out.status, STATUS_OK);
    assert_near(last_announced, out.sigma, 0.0);
    assert_true(last_was_last);
    assert_near(out.objective, 2.0 * out.w[0], 0.0);
    homotopy_result_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corner_is_found_by_default),
        cmocka_unit_test(every_relaxation_and_elastic_mode_finds_it),
        cmocka_unit_test(sigma_alone_reaches_the_tolerance),
        cmocka_unit_test(following_the_path_is_shorter),
        cmocka_unit_test(biactive_minimum_is_found),
        cmocka_unit_test(ralph1_goes_to_the_origin),
        cmocka_unit_test(bilevel_problem_of_bard_is_solved),
        cmocka_unit_test(infeasible_problem_is_called_so),
        cmocka_unit_test(rows_in_the_way_are_named),
        cmocka_unit_test(unbounded_cost_is_called_so),
        cmocka_unit_test(nan_is_a_numeric_failure),
        cmocka_unit_test(interrupt_keeps_the_best_iterate),
        cmocka_unit_test(time_limit_is_a_limit),
        cmocka_unit_test(wrong_option_is_a_usage_error),
        cmocka_unit_test(sigmas_follow_the_settings),
        cmocka_unit_test(stages_hand_on_their_iterate),
        cmocka_unit_test(problem_hears_of_sigma_and_states_its_own_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
