/* test_fit.c - estimates from data and how far they are to be trusted: closed forms, and many noisy
 * experiments */
#include "tests/unit/phase_problem.h"

#include "core/base/stop.h"
#include "transcription/sensitivity/fit.h"

#include <signal.h>
#include <stdio.h>

/* The program of a sequence, solved, and its fit. */
struct fitted { struct phase_problem problem; struct finish finish; struct fit *fit; };

static struct fit_solution solution_of(const struct finish *finish)
{
    return (struct fit_solution){ &finish->ph->mpcc.nlp, { finish->w, finish->lambda, finish->z_lower, finish->z_upper }, NULL };
}

static struct fitted fit_spec(const char *spec, const char *sequence, const double *t)
{
    struct fitted out = { .problem = phase_read(spec, 3, 1) };
    out.finish = phase_solve(&out.problem, sequence, t);
    const struct fit_part part = { "", out.finish.ph };
    const struct fit_solution solution = solution_of(&out.finish);
    out.fit = fit_create(1, &part, &solution);
    return out;
}

static void fitted_free(struct fitted *out)
{
    fit_free(out->fit);
    finish_free(&out->finish);
    phase_free(&out->problem);
}

/* --- A line: the formulas of linear least squares ------------------------------------------------------------- */

enum { N_LINE = 6 };
static const double line_t[N_LINE] = { 0, 0.3, 0.5, 1.1, 1.9, 2 }, line_x[N_LINE] = { 1.05, 1.62, 2.02, 3.1, 4.87, 4.99 },
                    line_sigma[N_LINE] = { 0.1, 0.2, 0.1, 0.3, 0.1, 0.2 };

#define LINE(how) \
    "cocp: 1\n" \
    "parameters: {a: {value: 0, optimize: [-9, 9]}}\n" \
    "time: {horizon: 2, intervals: 3, elements: 1}\n" \
    "states: {x: {initial: free}}\n" \
    "dynamics: {type: ode, rhs: {x: a}}\n" \
    "data:\n" \
    "  table: {t: [0, 0.3, 0.5, 1.1, 1.5, 1.9, 2], x: [1.05, 1.62, 2.02, 3.1, .nan, 4.87, 4.99]," \
    " s: [0.1, 0.2, 0.1, 0.3, 1, 0.1, 0.2]}\n" \
    "  columns: {x: x}\n" how

/* Of x = x0 + a t with weights 1/sigma^2: estimates (a, x0), their covariance, and the sum of squares. */
struct line { double a, x0, var_a, var_x0, cov, misfit; };

static struct line closed_form(bool weighted)
{
    double s = 0, st = 0, stt = 0, sx = 0, stx = 0, misfit = 0;
    for (int k = 0; k < N_LINE; k++) {
        const double w = weighted ? 1 / (line_sigma[k] * line_sigma[k]) : 1;
        s += w;
        st += w * line_t[k];
        stt += w * line_t[k] * line_t[k];
        sx += w * line_x[k];
        stx += w * line_t[k] * line_x[k];
    }
    const double det = s * stt - st * st, a = (s * stx - st * sx) / det, x0 = (stt * sx - st * stx) / det;
    for (int k = 0; k < N_LINE; k++) {
        const double w = weighted ? 1 / (line_sigma[k] * line_sigma[k]) : 1, r = x0 + a * line_t[k] - line_x[k];
        misfit += w * r * r;
    }
    return (struct line){ a, x0, s / det, stt / det, -st / det, misfit };
}

static void compare(const struct fit *fit, const struct line *line, double s2)
{
    assert_int_equal(fit->n_quantity, 2);
    assert_int_equal(fit->n_value, N_LINE);         /* the one that is missing is none */
    assert_near(fit->quantity[0].value, line->a, 1e-9);
    assert_near(fit->quantity[1].value, line->x0, 1e-9);
    assert_near(fit->misfit, line->misfit, 1e-9);
    assert_near(fit->freedom, N_LINE - 2, 1e-8);
    assert_near(fit->covariance[0], s2 * line->var_a, 1e-8);
    assert_near(fit->covariance[3], s2 * line->var_x0, 1e-8);
    assert_near(fit->covariance[1], s2 * line->cov, 1e-8);
    assert_near(fit->quantity[0].std, sqrt(s2 * line->var_a), 1e-8);
}

/* Known deviations, from a column: (X' W X)^-1. */
static void a_line_has_the_covariance_of_linear_least_squares(void **state)
{
    (void)state;
    struct fitted out = fit_spec(LINE("  sigma: {x: s}\n"), "", NULL);
    const struct line line = closed_form(true);
    compare(out.fit, &line, 1);
    const double t = out.fit->value[3].t;           /* of the fit: var_x0 + 2 t cov + t^2 var_a */
    assert_near(out.fit->value[3].std, sqrt(line.var_x0 + 2 * t * line.cov + t * t * line.var_a), 1e-8);
    fitted_free(&out);
}

/* Nobody knows them: the residuals say how large they are. */
static void unknown_deviations_are_those_of_the_residuals(void **state)
{
    (void)state;
    struct fitted out = fit_spec(LINE(""), "", NULL);
    const struct line line = closed_form(false);
    compare(out.fit, &line, line.misfit / (N_LINE - 2));
    fitted_free(&out);
}

/* A weight of 4 for all changes nothing but the unit of the misfit. */
static void weights_are_relative(void **state)
{
    (void)state;
    struct fitted out = fit_spec(LINE("  weights: {x: 4}\n"), "", NULL);
    const struct line line = closed_form(false);
    assert_near(out.fit->misfit, 4 * line.misfit, 1e-9);
    assert_near(out.fit->quantity[0].std, sqrt(line.misfit / (N_LINE - 2) * line.var_a), 1e-8);
    fitted_free(&out);
}

/* At a bound there is no deviation; and the rest is fitted with the bound for granted: the mean of x - t. */
static void a_parameter_at_its_bound_is_no_estimate(void **state)
{
    (void)state;
    static const char spec[] =
        "cocp: 1\n"
        "parameters: {a: {value: 0, optimize: [-9, 1]}}\n"
        "time: {horizon: 2, intervals: 2, elements: 1}\n"
        "states: {x: {initial: free}}\n"
        "dynamics: {type: ode, rhs: {x: a}}\n"
        "data: {table: {t: [0, 1, 2], x: [1, 3, 5]}, columns: {x: x}, sigma: {x: 0.5}}\n";
    struct fitted out = fit_spec(spec, "", NULL);
    assert_int_equal(out.fit->quantity[0].bound, FIT_AT_BOUND);
    assert_true(isnan(out.fit->quantity[0].std));
    assert_near(out.fit->quantity[1].value, 2, 1e-6);
    assert_near(out.fit->quantity[1].std, 0.5 / sqrt(3), 1e-8);
    fitted_free(&out);
}

/* A ball that has not bounced yet tells nothing of its restitution; its height is the mean of x + g t^2/2. */
static void what_the_data_do_not_see_is_not_determined(void **state)
{
    (void)state;
    static const char spec[] =
        "cocp: 1\n"
        "parameters: {e: {value: 0.5, optimize: [0, 1]}}\n"
        "time: {horizon: 0.4, intervals: 2, elements: 1}\n"
        "states: {x: {initial: [0.5, 2], guess: 1}, v: {initial: 0}}\n"
        "dynamics: {type: mechanical, coordinates: {x: v}, mass: {diag: [1]}, force: {x: -10}}\n"
        "contacts: {floor: {gap: x, restitution: e}}\n"
        "data: {table: {t: [0, 0.2, 0.4], x: [1.01, 0.78, 0.21]}, columns: {x: x}, sigma: {x: 0.03}}\n";
    struct fitted out = fit_spec(spec, "o", NULL);
    assert_int_equal(out.fit->quantity[0].bound, FIT_NOT_DETERMINED);
    assert_true(isnan(out.fit->quantity[0].std));
    assert_int_equal(out.fit->quantity[1].bound, FIT_FREE);
    assert_near(out.fit->quantity[1].value, 1, 1e-6);
    assert_near(out.fit->quantity[1].std, 0.03 / sqrt(3), 1e-8);
    assert_near(out.fit->freedom, 2, 1e-6);
    fitted_free(&out);
}

/* Deviations take a factorization, which a signal cuts short: then nothing is said of them. */
static void stopped_nothing_is_said_of_deviations(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(LINE("  sigma: {x: s}\n"), 3, 1);
    struct finish finish = phase_solve(&problem, "", NULL);
    stop_ask(SIGINT);
    const struct fit_part part = { "", finish.ph };
    const struct fit_solution solution = solution_of(&finish);
    struct fit *fit = fit_create(1, &part, &solution);
    stop_forget();
    for (int q = 0; q < 2; q++) {
        assert_int_equal(fit->quantity[q].bound, FIT_STOPPED);
        assert_true(isnan(fit->quantity[q].std));
    }
    assert_near(fit->quantity[0].value, closed_form(true).a, 1e-6);
    assert_true(isnan(fit->freedom) && isnan(fit->value[0].leverage));
    fit_free(fit);
    finish_free(&finish);
    phase_free(&problem);
}

/* --- A ball that bounces: many experiments -------------------------------------------------------------------- */

static unsigned long long seed = 42;

static double uniform(void)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(seed >> 11) / 9007199254740992.0;
}

/* Box and Muller. */
static double normal(void)
{
    return sqrt(-2 * log(1 - uniform())) * cos(8 * atan(1.0) * uniform());
}

static const double true_e = 0.7, true_g = 9.81, true_h = 1, noise = 0.01;

/* Height after one impact at sqrt(2 h / g). */
static double height(double t)
{
    const double hit = sqrt(2 * true_h / true_g), r = t - hit;
    return r < 0 ? true_h - true_g * t * t / 2 : true_e * true_g * hit * r - true_g * r * r / 2;
}

static void write_ball(char *spec, size_t size)
{
    char t[600] = "", q[600] = "";
    for (int k = 0; k < 20; k++) {
        (void)snprintf(t + strlen(t), sizeof t - strlen(t), "%s%.3f", k ? ", " : "", 0.05 * k + 0.013);
        (void)snprintf(q + strlen(q), sizeof q - strlen(q), "%s%.9f", k ? ", " : "",
                       height(0.05 * k + 0.013) + noise * normal());
    }
    (void)snprintf(spec, size,
        "cocp: 1\n"
        "parameters: {e: {value: 0.5, optimize: [0, 1]}, g: {value: 9, optimize: [1, 20]}}\n"
        "time: {horizon: 1, intervals: 2, elements: 1}\n"
        "states: {q: {initial: free}, v: {initial: 0}}\n"
        "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [1]}, force: {q: -g}}\n"
        "contacts: {floor: {gap: q, restitution: e}}\n"
        "data: {table: {t: [%s], q: [%s]}, columns: {q: q}, sigma: {q: 0.01}}\n", t, q);
}

/* Of 60 experiments the errors, by their own standard deviations, have variance 1: that of the sum of squares of 60
 * normal numbers is 2/60, three deviations 0.55; and the misfit is that of 17 degrees of freedom, on average to 3
 * sqrt(2 * 17 / 60). */
static void errors_are_as_large_as_their_deviations_say(void **state)
{
    (void)state;
    enum { N = 60 };
    double square[3] = { 0 }, misfit = 0;
    char spec[2000];
    for (int run = 0; run < N; run++) {
        const double guess = 0.42, truth[3] = { true_e, true_g, true_h };
        write_ball(spec, sizeof spec);
        struct fitted out = fit_spec(spec, "o 0.5!c o", &guess);
        assert_int_equal(out.fit->n_quantity, 3);
        for (int q = 0; q < 3; q++) {
            const double z = (out.fit->quantity[q].value - truth[q]) / out.fit->quantity[q].std;
            assert_true(fabs(z) < 4);
            square[q] += z * z / N;
        }
        misfit += out.fit->misfit / N;
        assert_near(out.fit->freedom, 17, 0.5);     /* not linear */
        fitted_free(&out);
    }
    for (int q = 0; q < 3; q++)
        assert_near(square[q], 1, 0.55);
    assert_near(misfit, 17, 2.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_has_the_covariance_of_linear_least_squares),
        cmocka_unit_test(unknown_deviations_are_those_of_the_residuals), cmocka_unit_test(weights_are_relative),
        cmocka_unit_test(a_parameter_at_its_bound_is_no_estimate), cmocka_unit_test(errors_are_as_large_as_their_deviations_say),
        cmocka_unit_test(what_the_data_do_not_see_is_not_determined),
        cmocka_unit_test(stopped_nothing_is_said_of_deviations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
