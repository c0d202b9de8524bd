/* Lyapunov functions by sums of squares: their conditions against energy, and what is found in Figs. 2 and 3 of SOS. */
#include "core/stability/polynomial_function.h"
#include "core/stability/vec3.h"

#include "tests/unit/assertions.h"
#include "tests/unit/stability_bodies.h"

#include <string.h>

static struct zod zod_of(struct body body)
{
    struct zod zod;
    assert_true(zod_init(&body, &zod));
    return zod;
}

static const struct sos_identity *condition(const struct polynomial_conditions *all, const char *name)
{
    for (int c = 0; c < all->n; c++)
        if (strcmp(all->condition[c].name, name) == 0)
            return &all->identity[c];
    fail_msg("no condition %s", name);
    return NULL;
}

static double *coefficient(struct arena *mem, const struct polynomial_conditions *all)
{
    return arena_alloc(mem, (size_t)all->n_unknown, sizeof(double));
}

static void set(const struct polynomial_conditions *all, double *y, uint64_t monomial, double value)
{
    for (int k = 0; k < all->n_unknown; k++)
        if (all->monomial[k] == monomial)
            y[k] = value;
}

/* Energy over `size`: |v|^2/2 - gs X + w_1 gap_1 + w_2 gap_2. */
static double *energy(struct arena *mem, const struct zod *zod, const struct polynomial_conditions *all, double size)
{
    double *y = coefficient(mem, all);
    set(all, y, monomial_power(0, 1), -zod->gs / size);
    for (int i = 0; i < 2; i++)
        set(all, y, monomial_power(1 + i, 1), zod->w[i] / size);
    for (int k = 3; k < 6; k++)
        set(all, y, monomial_power(k, 2), 0.5 / size);
    return y;
}

/* "Altogether 55 unspecified coefficients" for D = 3; six coordinates have 83. */
static void coefficients_are_as_many_as_the_papers(void **state)
{
    (void)state;
    struct arena mem = { NULL };
    struct polynomial_conditions all;
    const struct zod zod = zod_of(figure_2(0.5, 0.5));
    polynomial_conditions_build(&mem, &zod, POLYNOMIAL_IMPROVED, 3, &all);
    assert_int_equal(all.n_unknown, 55);
    polynomial_conditions_build(&mem, &zod, POLYNOMIAL_ORIGINAL, 3, &all);
    assert_int_equal(all.n_unknown, 83);
    arena_free(&mem);
}

/* Flight keeps energy; a slip at foot 1 takes mu lambda |slip|, whatever else the body does. */
static void energy_goes_where_it_should(void **state)
{
    (void)state;
    struct arena mem = { NULL };
    struct polynomial_conditions all;
    const struct zod zod = zod_of(figure_2(0.5, 0.5));
    double a[3], lambda;
    polynomial_conditions_build(&mem, &zod, POLYNOMIAL_ORIGINAL, 2, &all);
    const double *y = energy(&mem, &zod, &all, 1);
    const struct poly flight = sos_value(&mem, &condition(&all, "flight")->p, y);
    for (int k = 0; k < flight.n; k++)
        assert_near(flight.term[k].coefficient, 0, 1e-14);
    assert_true(zod_slip(&zod, 0, SLIP_N, a, &lambda));
    const struct poly slip = sos_value(&mem, &condition(&all, "slip N1")->p, y);
    const double unit = sqrt(dot3(zod.t[0], zod.t[0]));         /* the variable is the slip over |t| */
    assert_near(poly_coefficient(slip, monomial_power(1, 1)), -zod.body.mu[0] * lambda * unit, 1e-12);
    for (int k = 0; k < slip.n; k++)
        if (slip.term[k].monomial != monomial_power(1, 1))
            assert_near(slip.term[k].coefficient, 0, 1e-14);
    arena_free(&mem);
}

/* A flight and the sticking impact after it take what the impact takes: the difference of the squares of the velocities. */
static void a_flight_before_an_impact_takes_nothing(void **state)
{
    (void)state;
    struct arena mem = { NULL };
    struct polynomial_conditions all;
    const struct zod zod = zod_of(figure_3(0.8, 1.2));
    polynomial_conditions_build(&mem, &zod, POLYNOMIAL_IMPROVED, 2, &all);
    const double *y = energy(&mem, &zod, &all, -zod.gs);        /* X has the coefficient 1 */
    const struct poly drop = sos_value(&mem, &condition(&all, "flight S2")->p, y);
    for (int k = 0; k < drop.n; k++)
        if (monomial_exponent(drop.term[k].monomial, 4) > 0)    /* the time of flight */
            assert_near(drop.term[k].coefficient, 0, 1e-13);
    const double x[5] = { 0.1, 0.3, -0.2, 0.4, 0.7 };
    double v[3] = { 0 }, after[3], M[9];
    combine3(-x[1] * sqrt(dot3(zod.n[1], zod.n[1])), zod.m[1], x[2] * sqrt(dot3(zod.t[1], zod.t[1])), zod.d[1], v);
    combine3(1, v, x[3] * sqrt(dot3(zod.n[0], zod.n[0])), zod.r[1], v);
    zod_impact_stick(&zod, 1, M);
    apply3(M, v, after);
    assert_near(poly_eval(drop, x), (dot3(v, v) - dot3(after, after)) / (-2 * zod.gs), 1e-12);
    arena_free(&mem);
}

static bool proves(struct body body, struct polynomial_result *found)
{
    const struct zod zod = zod_of(body);
    struct certificate certificate = { .level = LEVEL_P, .n_side = 1 };
    char why[160];
    polynomial_solve(&zod, POLYNOMIAL_IMPROVED, 2, found);
    return polynomial_prove(&zod, found, &certificate.side[0]) && certificate_measure(&certificate, why, sizeof why)
           && certificate_check(&certificate, why, sizeof why);
}

/* SOS Fig. 2: circles; (1.5, 0.33) has no V, and at (0.3, 0.1) the equilibrium is ambiguous, SOS (57), (58). */
static void some_points_of_figure_2_are_proved(void **state)
{
    (void)state;
    struct polynomial_result found;
    assert_true(proves(figure_2(0.5, 0.9), &found));
    assert_true(found.slack < 0.1 && found.n_unknown == 20);
    assert_true(proves(figure_2(1, 0.6), &found));
    assert_false(proves(figure_2(1.5, 0.33), &found));
    assert_int_equal(found.code, 1);
    assert_false(proves(figure_2(0.3, 0.1), &found));
    assert_int_equal(found.code, 1);
}

/* "Provably infeasible", SOS III: the test that lets nothing grow fails where the improved one holds. */
static void the_original_test_fails(void **state)
{
    (void)state;
    struct polynomial_result found;
    const struct body bodies[] = { figure_2(0.5, 0.9), figure_2(1, 0.6), figure_3(0.8, 1.2) };
    for (int k = 0; k < 3; k++) {
        const struct zod zod = zod_of(bodies[k]);
        polynomial_solve(&zod, POLYNOMIAL_ORIGINAL, 2, &found);
        assert_int_equal(found.code, 1);
    }
}

static void monomials_have_words(void **state)
{
    (void)state;
    char text[40];
    polynomial_monomial_text(monomial_power(1, 2) + monomial_power(3, 1), text, sizeof text);
    assert_string_equal(text, "gap_1^2 v_y");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coefficients_are_as_many_as_the_papers),
        cmocka_unit_test(energy_goes_where_it_should),
        cmocka_unit_test(a_flight_before_an_impact_takes_nothing),
        cmocka_unit_test(some_points_of_figure_2_are_proved),
        cmocka_unit_test(the_original_test_fails),
        cmocka_unit_test(monomials_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
