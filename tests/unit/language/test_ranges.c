/* core/expression/ranges.h and degree.h: ranges contain all values, and what is simple is told by a few samples. */
#include "core/expression/ranges.h"

#include "core/base/random.h"
#include "core/expression/degree.h"
#include "core/expression/parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fixture { struct expr_graph *g; struct diag *diag; expr sym[2]; };

static int set_up(void **state)
{
    struct fixture *f = malloc(sizeof *f);
    f->g = expr_graph_create();
    f->diag = diag_create();
    f->sym[0] = expr_sym(f->g, "x");
    f->sym[1] = expr_sym(f->g, "y");
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    expr_graph_free(f->g);
    diag_free(f->diag);
    free(f);
    return 0;
}

static expr resolve(void *user, const char *name, struct srcpos pos, struct diag *diag, bool *reported)
{
    const struct fixture *f = user;
    (void)pos;
    (void)diag;
    *reported = false;
    return f->sym[strcmp(name, "y") == 0];
}

static expr parsed(struct fixture *f, const char *text)
{
    const struct parse_text source = { .text = text, .pos = { "test", 1, 1 }, .path = "test" };
    const struct parse_scope scope = { f, resolve, NULL, NULL, NULL };
    expr e = EXPR_NONE;
    assert_int_equal(parse_expression(f->g, &source, &scope, &e, f->diag), STATUS_OK);
    return e;
}

static double uniform(uint64_t *seed, double lo, double hi)
{
    return lo + 0.5 * (hi - lo) * (1 + random_signed(random_next(seed)));
}

/* Every operation, over boxes of all sizes, the domains' edges included. */
static const char *const all_kinds[] = {
    "x + y*x - 3", "x/y", "x/(2 + y^2)", "sin(3*x) + cos(x*y)", "tan(x)", "asin(x/3)", "acos(y/3)", "atan(5*x)",
    "sinh(x)*cosh(y)", "tanh(20*x)", "exp(-(x/0.1)^2)", "log(3.1 + x)", "log10(3.1 + y)", "sqrt(x^2 + y^2)",
    "hypot(x, y)", "atan2(y, x)", "x^7", "(x*y)^12", "(3.5 + x)^(-2.5)", "(3.5 + x)^y", "x^(-3)", "abs(x) - sign(y)",
    "min(x, y)*max(x, 2*y)", "if(x > y and not y < 0, x, y^2)", "step(x - y)", "sqrt(x)", "1/cosh(100*x)",
};
enum { N_KINDS = sizeof all_kinds / sizeof all_kinds[0] };

static void ranges_contain_all_values(void **state)
{
    struct fixture *f = *state;
    uint64_t seed = 1;
    for (int k = 0; k < N_KINDS; k++) {
        const expr e = parsed(f, all_kinds[k]);
        struct ranges *ranges = ranges_create(f->g, 2, f->sym, 1, &e, false);
        for (int round = 0; round < 300; round++) {
            const double size = pow(10, uniform(&seed, -4, 0.5));
            struct interval box[2], range;
            for (int i = 0; i < 2; i++) {
                const double lo = uniform(&seed, -3, 3 - size);
                box[i] = (struct interval){ lo, fmin(3, lo + size) };
            }
            (void)ranges_eval(ranges, box, &range);
            assert_false(isnan(range.lo) || isnan(range.hi));
            for (int i = 0; i < 20; i++) {
                const double at[2] = { uniform(&seed, box[0].lo, box[0].hi), uniform(&seed, box[1].lo, box[1].hi) };
                const double value = expr_eval(f->g, e, 2, f->sym, at);
                if (!isnan(value) && !(range.lo <= value && value <= range.hi))
                    print_message("%s at %.17g, %.17g\n", all_kinds[k], at[0], at[1]);
                assert_true(isnan(value) || (range.lo <= value && value <= range.hi));
            }
        }
        ranges_free(ranges);
    }
}

/* Largest distance of e from its polynomial through 17 Chebyshev points of the box, relative to its values there. */
static double interpolation_error(const struct fixture *f, expr e, const struct interval *box)
{
    enum { N = 16 };
    double at[2] = { 0, 0 }, node[N + 1], value[N + 1], worst = 0, size = 1e-40;
    for (int j = 0; j <= N; j++) {
        at[0] = node[j] = iv_mid(*box) - 0.5 * (box->hi - box->lo) * cos(acos(-1) * j / N);
        value[j] = expr_eval(f->g, e, 2, f->sym, at);
        size = fmax(size, fabs(value[j]));
    }
    for (int i = 0; i < 400; i++) {                             /* the barycentric formula */
        double up = 0, down = 0;
        at[0] = box->lo + (box->hi - box->lo) * (i + 0.5) / 400;
        for (int j = 0; j <= N; j++) {
            const double weight = (j % 2 ? -1 : 1) * (j == 0 || j == N ? 0.5 : 1) / (at[0] - node[j]);
            up += weight * value[j];
            down += weight;
        }
        worst = fmax(worst, fabs(expr_eval(f->g, e, 2, f->sym, at) - up / down));
    }
    return worst / size;
}

/* Functions with spikes, edges and corners: wherever they are called simple, samples tell them; and they are called
 * so on parts that are small enough. */
static void samples_tell_what_is_simple(void **state)
{
    struct fixture *f = *state;
    static const char *const spiky[] = {
        "exp(-(x/0.001)^2)", "1/(1 + (x/0.001)^2)", "tanh(x/0.001)", "atan(x/0.001)", "1/cosh(x/0.001)", "cos(x)^4000",
        "exp(3000*(cos(x) - 1))", "sin(500*x)", "sqrt(x^2 + 1e-6)", "hypot(x, 0.001)", "log(x^2 + 1e-6)",
        "(x^2 + 1e-4)^(-1.5)", "x/(x^2 + 1e-6)", "exp(sin(300*x)*3)",
    };
    uint64_t seed = 2;
    for (size_t k = 0; k < sizeof spiky / sizeof spiky[0]; k++) {
        const expr e = parsed(f, spiky[k]);
        struct ranges *ranges = ranges_create(f->g, 2, f->sym, 1, &e, true);
        int n_simple = 0;
        for (int round = 0; round < 400; round++) {
            const double size = pow(10, uniform(&seed, -5, 0.4)), lo = uniform(&seed, -1, 1) - size * uniform(&seed, 0, 1);
            const struct interval box[2] = { { lo, lo + size }, { 0, 0 } };
            if (!ranges_eval(ranges, box, NULL))
                continue;
            n_simple++;
            if (interpolation_error(f, e, box) > 0.02)
                print_message("%s in [%g, %g]\n", spiky[k], box->lo, box->hi);
            assert_true(interpolation_error(f, e, box) <= 0.02);
        }
        assert_false(ranges_always_simple(ranges));
        assert_true(n_simple > 50);
        ranges_free(ranges);
    }
}

/* Tables are simple within a piece and over few that are not narrow. */
static void tables_are_simple_over_few_pieces(void **state)
{
    struct fixture *f = *state;
    const double breaks[] = { 0, 1, 1.01, 1.02, 2, 3 };
    const double coef[] = { 0, 0, 0, 0, 0, 100, 0, 0, 1, -100, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0 };
    const expr e = expr_table(f->g, 5, breaks, coef, 0, 1, f->sym[0]);
    struct ranges *ranges = ranges_create(f->g, 2, f->sym, 1, &e, false);
    static const struct { struct interval x, range; bool is_simple; } wanted[] = {
        { { 0.1, 0.9 }, { 0, 0 }, true },      { { 0, 2 }, { 0, 1 }, false },  { { 1.001, 1.009 }, { 0.1, 0.9 }, true },
        { { 1.005, 1.015 }, { 0.5, 1 }, true },       { { 2, 3 }, { 0, 1 }, true },   { { -5, -1 }, { 0, 0 }, true },
        { { 3, 9 }, { 1, 1 }, true },          { { 0.5, 2.5 }, { 0, 1 }, false },
    };
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
        const struct interval box[2] = { wanted[k].x, { 0, 0 } };
        struct interval range;
        assert_int_equal(ranges_eval(ranges, box, &range), wanted[k].is_simple);
        assert_true(range.lo <= wanted[k].range.lo + 1e-12 && range.lo >= wanted[k].range.lo - 1e-9);
        assert_true(range.hi >= wanted[k].range.hi - 1e-12 && range.hi <= wanted[k].range.hi + 1e-9);
    }
    ranges_free(ranges);
}

static void degrees_are_those_of_polynomials(void **state)
{
    struct fixture *f = *state;
    static const struct { const char *text; int degree; } wanted[] = {
        { "3", 0 }, { "x", 10 }, { "2*x - y/7 + 1", 10 }, { "x*y", 11 }, { "y^5*(1 + y)", 6 }, { "x^2 + y^2", 20 },
        { "sin(3)*x", 10 }, { "sin(x)", EXPR_NOT_POLYNOMIAL }, { "x/y", EXPR_NOT_POLYNOMIAL }, { "x^0.5", EXPR_NOT_POLYNOMIAL },
    };
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++)
        assert_int_equal(expr_degree(f->g, parsed(f, wanted[k].text), 2, f->sym, (int[]){ 10, 1 }), wanted[k].degree);
}

static void powers_are_unfolded(void **state)
{
    struct fixture *f = *state;
    static const struct { const char *text, *base; double n; } wanted[] = {
        { "x^2", "x", 2 }, { "x*x^2", "x", 3 }, { "(x + y)^12", "x + y", 12 }, { "(x^3)^2.5", "x", 7.5 }, { "x*y", "x*y", 1 },
        { "x + y", "x + y", 1 },
    };
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
        expr base;
        assert_true(expr_power(f->g, parsed(f, wanted[k].text), &base) == wanted[k].n);
        assert_int_equal(base, parsed(f, wanted[k].base));
    }
}

static void numbers_stand_in_front(void **state)
{
    struct fixture *f = *state;
    static const struct { const char *text, *rest; double number; } wanted[] = {
        { "x*y", "x*y", 1 }, { "-x", "x", -1 }, { "x*3", "x", 3 }, { "-(2*x)*y/8", "x*y", -0.25 }, { "2*(-x*4)", "x", -8 },
        { "x + y", "x + y", 1 },
    };
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
        expr rest;
        assert_true(expr_multiple(f->g, parsed(f, wanted[k].text), &rest) == wanted[k].number);
        assert_int_equal(rest, parsed(f, wanted[k].rest));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ranges_contain_all_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(samples_tell_what_is_simple, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tables_are_simple_over_few_pieces, set_up, tear_down),
        cmocka_unit_test_setup_teardown(degrees_are_those_of_polynomials, set_up, tear_down),
        cmocka_unit_test_setup_teardown(powers_are_unfolded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(numbers_stand_in_front, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
