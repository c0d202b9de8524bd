/* core/stability/polynomial.h, semidefinite.h, sos.h, literal.h: algebra at random points, programs with a known
 * answer. */
#include "core/stability/literal.h"
#include "core/stability/semidefinite.h"
#include "core/stability/sos.h"
#include "tests/unit/stability_bodies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

/* --- Polynomials
 * ------------------------------------------------------------------------------------------------- */

static struct poly random_poly(struct arena *mem, unsigned long long *seed, int n_var, int degree)
{
    struct monomial list[100];
    struct poly out = { 0, NULL };
    const int n = monomial_list(n_var, 0, degree, list);
    for (int k = 0; k < n; k++)
        if (uniform(seed, 0, 1) < 0.6)
            out = poly_combine(mem, 1, out, uniform(seed, -1, 1), poly_monomial(mem, list[k]));
    return out;
}

static void algebra_holds_at_points(void **state)
{
    (void)state;
    struct arena mem = { NULL };
    unsigned long long seed = 1;
    for (int k = 0; k < 100; k++) {
        const struct poly a = random_poly(&mem, &seed, 3, 3), b = random_poly(&mem, &seed, 3, 2);
        struct poly by[POLY_MAX_VAR] = { random_poly(&mem, &seed, 3, 1), random_poly(&mem, &seed, 3, 2),
                                         random_poly(&mem, &seed, 3, 1) };
        double x[POLY_MAX_VAR] = { 0 }, y[POLY_MAX_VAR] = { 0 }, step[2][POLY_MAX_VAR];
        for (int i = 0; i < 3; i++)
            x[i] = uniform(&seed, -1, 1);
        for (int i = 0; i < 3; i++)
            y[i] = poly_eval(by[i], x);
        const double A = poly_eval(a, x), B = poly_eval(b, x);
        assert_true(fabs(poly_eval(poly_combine(&mem, 2, a, -3, b), x) - (2 * A - 3 * B)) < 1e-12);
        assert_true(fabs(poly_eval(poly_multiply(&mem, a, b), x) - A * B) < 1e-12);
        assert_true(fabs(poly_eval(poly_substitute(&mem, a, by), x) - poly_eval(a, y)) < 1e-10);
        for (int i = 0; i < 3; i++) {
            memcpy(step[0], x, sizeof x);
            memcpy(step[1], x, sizeof x);
            step[0][i] -= 1e-5;
            step[1][i] += 1e-5;
            const double slope = (poly_eval(a, step[1]) - poly_eval(a, step[0])) / 2e-5;
            assert_true(fabs(poly_eval(poly_derive(&mem, a, i), x) - slope) < 1e-8);    /* h^2 and rounding/h */
        }
    }
    arena_free(&mem);
}

/* (n + d choose d) monomials of degree up to d. */
static void monomials_are_counted(void **state)
{
    (void)state;
    assert_int_equal(monomial_list(5, 1, 3, NULL), 55);
    assert_int_equal(monomial_list(5, 0, 2, NULL), 21);
    assert_int_equal(monomial_list(6, 0, 4, NULL), 210);
    assert_int_equal(monomial_list(1, 2, 2, NULL), 1);
}

/* --- Semidefinite programs
 * ---------------------------------------------------------------------------------------- */

/* The largest t with A - t I positive semidefinite is the least eigenvalue; A the second difference matrix. */
static void least_eigenvalue_is_an_optimum(void **state)
{
    (void)state;
    enum { N = 4 };
    struct lmi_entry entry[2 * N * N];
    int n = 0;
    for (int i = 0; i < N; i++) {
        entry[n++] = (struct lmi_entry){ 0, 0, i, i, -1 };
        entry[n++] = (struct lmi_entry){ 1, 0, i, i, 2 };
        if (i > 0)
            entry[n++] = (struct lmi_entry){ 1, 0, i - 1, i, -1 };
    }
    entry[n++] = (struct lmi_entry){ 1, -1, 0, 0, 1 };         /* 1 - y_1 >= 0 and y_1 - 1 >= 0, but for 1e-9 */
    entry[n++] = (struct lmi_entry){ 1, -1, 1, 1, -1 };
    const double b[2] = { -1, 0 }, rhs[2] = { -1 + 1e-9, 1 + 1e-9 };
    const int size[1] = { N };
    const struct lmi_program program = { 2, 1, 2, n, b, size, rhs, entry };
    double y[2];
    assert_int_equal(lmi_solve(&program, y), 0);
    assert_true(fabs(y[0] - (2 - 2 * cos(acos(-1) / (N + 1)))) < 1e-6);
}

/* --- Sums of squares
 * ---------------------------------------------------------------------------------------------- */

static int is_nonnegative(struct poly f, int n_var, int degree, int n_g, const struct poly *g)
{
    struct sos_program *program = sos_create(0);
    double residual;
    sos_require(program, n_var, degree, &f, n_g, g);
    const int code = sos_solve(program, NULL, &residual);
    sos_free(program);
    return code;
}

static struct poly term(struct arena *mem, double c, int a, int b)
{
    struct monomial m = { { (unsigned char)a, (unsigned char)b } };
    return poly_combine(mem, c, poly_monomial(mem, m), 0, (struct poly){ 0, NULL });
}

static struct poly plus(struct arena *mem, struct poly a, struct poly b)
{
    return poly_combine(mem, 1, a, 1, b);
}

/* x^4 - 3 x^2 has the minimum -9/4. */
static void a_quartic_has_its_minimum(void **state)
{
    (void)state;
    struct arena mem = { NULL };
    const struct poly f = plus(&mem, term(&mem, 1, 4, 0), term(&mem, -3, 2, 0));
    assert_int_equal(is_nonnegative(plus(&mem, f, term(&mem, 2.26, 0, 0)), 1, 4, 0, NULL), 0);
    assert_int_equal(is_nonnegative(plus(&mem, f, term(&mem, 2.24, 0, 0)), 1, 4, 0, NULL), 1);
    arena_free(&mem);
}

/* x^3 - x + c on [0, 1]: nonnegative from c = 2/(3 sqrt 3) = 0.3849 on; on all of R never. */
static void sets_help(void **state)
{
    (void)state;
    struct arena mem = { NULL };
    const struct poly g[2] = { term(&mem, 1, 1, 0), plus(&mem, term(&mem, 1, 0, 0), term(&mem, -1, 1, 0)) };
    const struct poly f = plus(&mem, term(&mem, 1, 3, 0), term(&mem, -1, 1, 0));
    assert_int_equal(is_nonnegative(plus(&mem, f, term(&mem, 0.39, 0, 0)), 1, 4, 2, g), 0);
    assert_int_equal(is_nonnegative(plus(&mem, f, term(&mem, 0.38, 0, 0)), 1, 4, 2, g), 1);
    assert_int_equal(is_nonnegative(plus(&mem, f, term(&mem, 9, 0, 0)), 1, 4, 0, NULL), 1);
    arena_free(&mem);
}

/* Motzkin: x^4 y^2 + x^2 y^4 - 3 x^2 y^2 + 1 is nonnegative and no sum of squares. With 0.1 less of the middle
 * term it is not, with + it is one. */
static void motzkins_polynomial_is_none(void **state)
{
    (void)state;
    struct arena mem = { NULL };
    const struct poly rest = plus(&mem, plus(&mem, term(&mem, 1, 4, 2), term(&mem, 1, 2, 4)), term(&mem, 1, 0, 0));
    assert_int_equal(is_nonnegative(plus(&mem, rest, term(&mem, -3, 2, 2)), 2, 6, 0, NULL), 1);
    assert_int_equal(is_nonnegative(plus(&mem, rest, term(&mem, 3, 2, 2)), 2, 6, 0, NULL), 0);
    arena_free(&mem);
}

/* 1 - 2x + p x^2 >= 0 and 1 + 2x + (2 - p) x^2 >= 0 hold for p = 1 alone. */
static void unknowns_are_found(void **state)
{
    (void)state;
    struct arena mem = { NULL };
    struct sos_program *program = sos_create(1);
    const struct poly f[2] = { plus(&mem, term(&mem, 1.001, 0, 0), term(&mem, -2, 1, 0)), term(&mem, 1, 2, 0) };
    const struct poly h[2] = {
        plus(&mem, plus(&mem, term(&mem, 1.001, 0, 0), term(&mem, 2, 1, 0)), term(&mem, 2, 2, 0)),
        term(&mem, -1, 2, 0)};
    double p, residual;
    sos_require(program, 1, 2, f, 0, NULL);
    sos_require(program, 1, 2, h, 0, NULL);
    assert_int_equal(sos_solve(program, &p, &residual), 0);
    assert_true(fabs(p - 1) < 2e-3 && residual < 1e-6);         /* 1/1.001 <= p <= 2 - 1/1.001 */
    sos_free(program);
    arena_free(&mem);
}

/* --- The papers' programs (stability.md 8)
 * ------------------------------------------------------------------------ */

static const char *literal(struct body body, enum literal_kind kind)
{
    struct literal_answer answer;
    literal_solve(&body, kind, kind == LITERAL_PAPER ? 4 : 2, &answer);
    return answer.text;
}

/* Infeasible where a motion grows by inverse chatter; at (1.5, 0.33) the solver is content although level P, which
 * loses nothing of the cubic, has no function there: why the answer is no proof. */
static void the_papers_program_is_solved(void **state)
{
    (void)state;
    assert_string_equal(literal(figure_2(0.5, 0.15), LITERAL_PAPER), "infeasible");
    assert_string_equal(literal(figure_2(1.5, 0.33), LITERAL_PAPER), "feasible");
    assert_string_equal(literal(figure_3(0.8, 1.2), LITERAL_PAPER), "not-applicable");
    assert_string_equal(literal(figure_2(0.2, 0.1), LITERAL_PAPER), "not-applicable");
}

/* SOS III: the single function of Posa, Tobenkin and Tedrake does not verify two feet. */
static void one_quadratic_function_does_not_do(void **state)
{
    (void)state;
    assert_string_equal(literal(figure_2(0.8, 1), LITERAL_SINGLE), "infeasible");
    assert_string_equal(literal(figure_3(0.8, 1.2), LITERAL_SINGLE), "infeasible");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(algebra_holds_at_points),
        cmocka_unit_test(monomials_are_counted),
        cmocka_unit_test(least_eigenvalue_is_an_optimum),
        cmocka_unit_test(a_quartic_has_its_minimum),
        cmocka_unit_test(sets_help),
        cmocka_unit_test(motzkins_polynomial_is_none),
        cmocka_unit_test(unknowns_are_found),
        cmocka_unit_test(the_papers_program_is_solved),
        cmocka_unit_test(one_quadratic_function_does_not_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
