/* test_units.c - dimensions of units and of expressions */
#include "tests/unit/assertions.h"

#include "core/model/units.h"

#include <string.h>

static void is_read_as(const char *text, const char *wanted)
{
    char found[100];
    const struct dimension dimension = units_read(text);
    if (!dimension.known)
        fail_msg("\"%s\" is not known", text);
    units_text(&dimension, found, sizeof found);
    assert_string_equal(found, wanted);
}

static void units_are_products_of_powers(void **state)
{
    (void)state;
    is_read_as("m/s", "m s^-1");
    is_read_as("kg m^2", "m^2 kg");
    is_read_as("N m", "m^2 kg s^-2");
    is_read_as("N*m*s", "m^2 kg s^-1");
    is_read_as("N s/m", "kg s^-1");
    is_read_as("W/(m^2 K)", "kg s^-3 K^-1");
    is_read_as("1/s", "s^-1");
    is_read_as("rad/s^2", "s^-2");
    is_read_as("V/A", "m^2 kg s^-3 A^-2");
    is_read_as("m^0.5", "m^0.5");
}

/* A name of its own comes first: min is no inch, cd no day, Pa no year. */
static void prefixes_are_factors(void **state)
{
    (void)state;
    is_read_as("mm", "0.001 m");
    is_read_as("MPa", "1e+06 m^-1 kg s^-2");
    is_read_as("g", "0.001 kg");
    is_read_as("kg", "kg");
    is_read_as("min", "60 s");
    is_read_as("cd", "cd");
    is_read_as("mol", "mol");
    is_read_as("ms", "0.001 s");
    is_read_as("kN", "1000 m kg s^-2");
    is_read_as("km/h", "0.2778 m s^-1");
    is_read_as("cm^2", "0.0001 m^2");
    is_read_as("l/min", "1.667e-05 m^3 s^-1");
    is_read_as("deg", "0.01745");
}

static void others_are_not_known(void **state)
{
    (void)state;
    static const char *const text[] = { "", "apples", "m/", "m^", "m^x", "(m", "m)", "2 m", "kmin", "m//s/", "((((((((((((m" };
    for (size_t k = 0; k < sizeof text / sizeof *text; k++)
        if (units_read(text[k]).known)
            fail_msg("\"%s\" is taken for a unit", text[k]);
}

/* x in m, v in m/s, k in N/m, n without a unit. */
static void what_is_added_must_agree(void **state)
{
    (void)state;
    struct expr_graph *g = expr_graph_create();
    const expr x = expr_sym(g, "x"), v = expr_sym(g, "v"), k = expr_sym(g, "k"), n = expr_sym(g, "n");
    const expr sym[] = { x, v, k, n }, two = expr_const(g, 2);
    const struct dimension of[] = { units_read("m"), units_read("m/s"), units_read("N/m"), units_read("") };
    const struct { expr e; bool agrees; const char *is; } cases[] = {
        { expr_mul(g, k, x), true, "m kg s^-2" },
        { expr_add(g, x, v), false, "" },
        { expr_add(g, x, expr_mul(g, two, v)), true, "m" },            /* 2 may be 2 s */
        { expr_add(g, x, n), true, "m" },
        { expr_sub(g, expr_mul(g, x, x), expr_square(g, x)), true, NULL },
        { expr_div(g, v, x), true, "s^-1" },
        { expr_sqrt(g, expr_mul(g, x, x)), true, NULL },
        { expr_unary(g, EXPR_SIN, x), false, "" },
        { expr_add(g, v, expr_unary(g, EXPR_SIN, expr_div(g, x, x))), true, "m s^-1" },    /* of an amplitude of 1 */
        { expr_add(g, v, expr_unary(g, EXPR_SIGN, x)), true, "m s^-1" },
        { expr_mul(g, v, expr_unary(g, EXPR_SIGN, x)), true, "m s^-1" },
        { expr_binary(g, EXPR_MAX, x, v), false, "" },
        { expr_binary(g, EXPR_HYPOT, x, x), true, "m" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct units_conflict conflict;
        char text[100];
        const struct dimension found = units_of(g, cases[i].e, 4, sym, of, &conflict);
        if ((conflict.at == EXPR_NONE) != cases[i].agrees)
            fail_msg("case %zu: %s", i, cases[i].agrees ? "disagrees" : "agrees");
        units_text(&found, text, sizeof text);
        if (cases[i].agrees && cases[i].is)
            assert_string_equal(text, cases[i].is);
    }
    expr_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_products_of_powers), cmocka_unit_test(prefixes_are_factors),
        cmocka_unit_test(others_are_not_known), cmocka_unit_test(what_is_added_must_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
