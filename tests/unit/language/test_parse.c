#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/expression/parse.h"

#include "core/expression/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4 };

static const char *const names[N] = { "a", "e", "b", "foot_x" };

struct fixture { struct expr_graph *g; struct diag *diag; expr sym[N]; };

static int set_up(void **state)
{
    struct fixture *f = malloc(sizeof *f);
    f->g = expr_graph_create();
    f->diag = diag_create();
    for (int k = 0; k < N; k++)
        f->sym[k] = expr_sym(f->g, names[k]);
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
    for (int k = 0; k < N; k++)
        if (strcmp(name, names[k]) == 0)
            return f->sym[k];
    if (strcmp(name, "u") == 0) {
        diag_error(diag, pos, "p", "no controls here");
        *reported = true;
    }
    return EXPR_NONE;
}

/* ddt(e) stands for 100 e; initial is known but not allowed. */
static expr call(void *user, const char *name, int n, const expr *arg, struct srcpos pos, struct diag *diag,
                 bool *reported)
{
    const struct fixture *f = user;
    if (n == 2 && strcmp(name, "blend") == 0)
        return expr_add(f->g, arg[0], expr_scale(f->g, 10, arg[1]));
    if (n != 1)
        return EXPR_NONE;
    if (strcmp(name, "ddt") == 0)
        return expr_scale(f->g, 100, arg[0]);
    if (strcmp(name, "initial") == 0) {
        diag_error(diag, pos, "p", "only in boundary constraints");
        *reported = true;
    }
    return EXPR_NONE;
}

static const char *known_name(void *user, int i)
{
    (void)user;
    return i < N ? names[i] : NULL;
}

static struct parse_scope scope_of(struct fixture *f)
{
    return (struct parse_scope){ f, resolve, call, NULL, known_name };
}

/* Texts begin in line 7, column 11 of s.yaml. */
static struct parse_text source(const char *text)
{
    return (struct parse_text){ text, { "s.yaml", 7, 11 }, "p", false };
}

static expr parse(struct fixture *f, const char *text)
{
    const struct parse_text src = source(text);
    const struct parse_scope scope = scope_of(f);
    expr e;
    assert_int_equal(parse_expression(f->g, &src, &scope, &e, f->diag), STATUS_OK);
    assert_int_equal(diag_n_errors(f->diag), 0);
    return e;
}

/* With a = 2, e = 3, b = 5, foot_x = 0.5. */
static double value(struct fixture *f, expr e)
{
    return expr_eval(f->g, e, N, f->sym, (double[N]){ 2, 3, 5, 0.5 });
}

static void operators_bind_as_in_mathematics(void **state)
{
    struct fixture *f = *state;
    const struct { const char *text; double value; } cases[] = {
        { "1 + 2*3", 7 }, { "(1 + 2)*3", 9 }, { "8/4/2", 1 }, { "8 - 4 - 2", 2 }, { "2^3^2", 512 },
        { "-a^2", -4 }, { "a^-b", 1.0 / 32 }, { "2**3", 8 }, { "-2^2", -4 }, { "(-2)^2", 4 }, { "a*-b", -10 },
        { "--a", 2 }, { "+a", 2 }, { "- -a - -b", 7 }, { "2^-1^2", 0.5 },
        { "a/b*e", 2.0 / 5 * 3 }, { "1e-3", 1e-3 },
        { ".5 + 5.", 5.5 }, { "1.5E+2", 150 }, { "2^20", 1048576 }, { "3*pi/8", 3 * acos(-1) / 8 },
        { "sin(a) + atan2(a, b)", sin(2) + atan2(2, 5) }, { "pow(a, e) + hypot(e, 4)", 13 }, { "log10(1000)", 3 },
        { "min(b, a, e) + max(a, b, e)", 7 }, { "if(a < b and not e < a, 1, 2)", 1 }, { "ddt(a)", 200 }, { "blend(a, b)", 52 },
        { "if((a > b) or (a == 2), 1, 2)", 1 }, { "sign(-a) + step(a) + abs(-b)", 5 }, { "a\n  + b", 7 },
        { "sqrt(foot_x^2)", 0.5 }, { "if(1 <= a <= 3, 1, 0)", 1 }, { "if(3 > a > 2, 1, 0)", 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double got = value(f, parse(f, cases[i].text));
        /* a few roundings */
        if (!(fabs(got - cases[i].value) <= 1e-15 * (1 + fabs(cases[i].value))))
            fail_msg("%s is %.17g, expected %.17g", cases[i].text, got, cases[i].value);
    }
    double infinite;
    assert_true(expr_is_const(f->g, parse(f, "-inf"), &infinite) && infinite == -INFINITY);
}

enum what { EXPRESSION, RELATION, CONDITION };

/* The first message of a text that is refused. */
static const char *refuse(struct fixture *f, enum what what, const char *text)
{
    const struct parse_text src = source(text);
    const struct parse_scope scope = scope_of(f);
    expr e;
    struct parse_relation r;
    diag_free(f->diag);
    f->diag = diag_create();
    enum status st = STATUS_OK;
    switch (what) {
    case EXPRESSION: st = parse_expression(f->g, &src, &scope, &e, f->diag); break;
    case RELATION:   st = parse_relation(f->g, &src, &scope, &r, f->diag);   break;
    case CONDITION:  st = parse_condition(f->g, &src, &scope, &e, f->diag);  break;
    }
    assert_int_equal(st, STATUS_SPEC);
    assert_true(diag_n_errors(f->diag) >= 1);
    return diag_line(f->diag, 0);
}

static void errors_point_at_the_offending_token(void **state)
{
    struct fixture *f = *state;
    const struct { enum what what; const char *text, *message; } cases[] = {
        { EXPRESSION, "", "7:11: error: p: an expression is missing" },
        { EXPRESSION, "a + ", "7:15: error: p: a number, a name or \"(\" is missing after \"+\"" },
        { EXPRESSION, "a + * b", "7:15: error: p: a number, a name or \"(\" is missing before \"*\"" },
        { EXPRESSION, "a b", "7:13: error: p: an operator is missing before \"b\"" },
        { EXPRESSION, "2a", "7:11: error: p: \"2a\": a product needs *" },
        { EXPRESSION, "a*(b + 1", "7:13: error: p: \")\" is missing: this bracket is not closed" },
        { EXPRESSION, "a + b)", "7:16: error: p: \")\" without its \"(\"" },
        { EXPRESSION, "a, b", "7:12: error: p: a comma outside of brackets" },
        { EXPRESSION, "a $ b", "7:13: error: p: \"$\": not a character of an expression" },
        { EXPRESSION, "a \xc3\x97 b $", "7:13: error: p: \"\xc3\x97\": not a character of an expression" },
        { EXPRESSION, "1.2.3", "7:11: error: p: \"1.2.\": not a number" },
        { EXPRESSION, "1e999", "7:11: error: p: \"1e999\": too large for a number; infinity is inf" },
        { EXPRESSION, "foot_y + 1", "7:11: error: p: unknown name \"foot_y\" (did you mean \"foot_x\"?)" },
        { EXPRESSION, "1 + qqqqq", "7:15: error: p: unknown name \"qqqqq\"" },
        { EXPRESSION, "sine(a)", "7:11: error: p: unknown function \"sine\" (did you mean \"sin\"?)" },
        { EXPRESSION, "sgn(a)", "7:11: error: p: unknown function \"sgn\" (did you mean \"sign\"?)" },
        { EXPRESSION, "1 if a", "7:13: error: p: an operator is missing before \"if\"; a choice is if(condition, then, else)" },
        { EXPRESSION, "ddtt(a)", "7:11: error: p: unknown function \"ddtt\" (did you mean \"ddt\"?)" },
        { EXPRESSION, "a(b)", "7:11: error: p: \"a\" is not a function; a product needs *" },
        { EXPRESSION, "a*sin", "7:13: error: p: \"sin\" is a function: its argument is missing" },
        { EXPRESSION, "1 + atan2(a)", "7:15: error: p: atan2 takes 2 arguments, got 1" },
        { EXPRESSION, "sin()", "7:11: error: p: sin takes 1 argument, got 0" },
        { EXPRESSION, "max(a)", "7:11: error: p: max takes at least 2 arguments, got 1" },
        { EXPRESSION, "ddt(a, b)", "7:11: error: p: ddt takes 1 argument, got 2" },
        { EXPRESSION, "u + 1", "7:11: error: p: no controls here" },
        { EXPRESSION, "1 + initial(a)", "7:15: error: p: only in boundary constraints" },
        { EXPRESSION, "a < b", "7:11: error: p: a comparison stands where a number is wanted" },
        { EXPRESSION, "1 + (a < b)", "7:15: error: p: a comparison stands where a number is wanted" },
        { EXPRESSION, "if(a, 1, 2)", "7:14: error: p: a condition is wanted here, as c > 0" },
        { RELATION, "a + b", "7:11: error: p: a constraint needs <=, == or >=" },
        { RELATION, "a = b", "7:13: error: p: \"=\": a comparison is written ==" },
        { RELATION, "1 <= a >= 2", "7:18: error: p: a chain of comparisons goes one way, as a <= e <= b" },
        { RELATION, "1 <= a <= 2 <= 3", "7:23: error: p: at most two comparisons in a chain, as a <= e <= b" },
        { RELATION, "a > 0 and b > 0",
          "7:17: error: p: a constraint is one comparison: write one constraint for each" },
        { CONDITION, "a + b", "7:11: error: p: a condition is wanted here, as c > 0" },
        { CONDITION, "a > 0 && b > 0", "7:17: error: p: \"&&\": write and" },
        { CONDITION, "a > 0 and b", "7:21: error: p: a condition is wanted here, as c > 0" },
        { CONDITION, "a >\n 0 or", "8:6: error: p: a number, a name or \"(\" is missing after \"or\"" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *line = refuse(f, cases[i].what, cases[i].text);
        assert_memory_equal(line, "s.yaml:", 7);
        if (strcmp(line + 7, cases[i].message) != 0)
            fail_msg("%s\n   gives    %s\n   expected %s", cases[i].text, line + 7, cases[i].message);
    }
}

/* Two unknown names are two messages: one run reports them all. */
static void every_unknown_name_is_reported(void **state)
{
    struct fixture *f = *state;
    refuse(f, EXPRESSION, "foot_y + sin(foot_z)");
    assert_int_equal(diag_n_errors(f->diag), 2);
}

static void hostile_depth_is_an_error(void **state)
{
    struct fixture *f = *state;
    enum { LEN = 10000 };
    char *text = malloc(LEN + 1);
    text[LEN] = '\0';
    const char *const unit[] = { "(", "-(", "2^", "sin(", "if(", "not(", "min(1,", "- ", "a+(", "not " };
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
        const size_t len = strlen(unit[i]);
        for (size_t k = 0; k < LEN; k++)
            text[k] = unit[i][k % len];
        assert_non_null(refuse(f, EXPRESSION, text));
        assert_int_equal(diag_n_errors(f->diag), 1);
    }
    free(text);
}

static void long_flat_sums_are_fine(void **state)
{
    struct fixture *f = *state;
    enum { TERMS = 20000 };
    char *text = malloc(4 * TERMS + 2);
    char *end = text;
    for (int i = 0; i < TERMS; i++)
        end += sprintf(end, "%sa^%d", i ? "+" : "", 1);
    assert_true(value(f, parse(f, text)) == 2.0 * TERMS);
    free(text);
}

static struct parse_relation relation(struct fixture *f, const char *text)
{
    const struct parse_text src = source(text);
    const struct parse_scope scope = scope_of(f);
    struct parse_relation r;
    assert_int_equal(parse_relation(f->g, &src, &scope, &r, f->diag), STATUS_OK);
    return r;
}

static void relations_are_a_body_between_bounds(void **state)
{
    struct fixture *f = *state;
    struct expr_graph *g = f->g;
    const expr a = f->sym[0], e = f->sym[1], b = f->sym[2];
    const expr zero = expr_const(g, 0), one = expr_const(g, 1), two = expr_const(g, 2);
    const expr none = EXPR_NONE, minus_inf = expr_const(g, -INFINITY);
    const struct { const char *text; expr body, lb, ub; } cases[] = {
        { "e >= 1", e, one, none },      { "e <= 1", e, none, one },  { "1 <= e", e, one, none },
        { "1 > e", e, none, one },       { "e == 1", e, one, one },   { "2 == e", e, two, two },
        { "1 <= e < 2", e, one, two },   { "2 > e >= 1", e, one, two }, { "a <= e <= b", e, a, b },
        { "b >= e >= a", e, a, b },      { "e <= b", expr_sub(g, e, b), none, zero },
        { "e >= b", expr_sub(g, e, b), zero, none }, { "e == b", expr_sub(g, e, b), zero, zero },
        { "-inf <= e <= 2", e, minus_inf, two },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct parse_relation r = relation(f, cases[i].text);
        assert_int_equal(r.body, cases[i].body);
        assert_int_equal(r.lb, cases[i].lb);
        assert_int_equal(r.ub, cases[i].ub);
    }
}

static void conditions_are_true_or_false(void **state)
{
    struct fixture *f = *state;
    const struct { const char *text; double value; } cases[] = {
        { "a > 0 and not b < 1", 1 }, { "not a > 0 or b < 1", 0 }, { "a > 3 or e == 3 and b > 4", 1 },
        { "(a > 3 or e == 3) and b > 6", 0 }, { "not not a > 0", 1 }, { "a <= e <= b", 1 }, { "1 < 2", 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct parse_text src = source(cases[i].text);
        const struct parse_scope scope = scope_of(f);
        expr e;
        assert_int_equal(parse_condition(f->g, &src, &scope, &e, f->diag), STATUS_OK);
        assert_true(value(f, e) == cases[i].value);
    }
}

/* Text that the graph writes is read back with the same value. */
static void written_text_reads_back(void **state)
{
    struct fixture *f = *state;
    const char *const texts[] = {
        "a - (b - e)*2", "-(a + b)^3/(e*b)", "a^-b^0.5", "(a^b)^e", "a/(b/e)/foot_x", "1/a - 0.1*b^2",
        "if(a < b and not (e <= a or b == e), -a, hypot(a, -b))", "-(a - b)*(e - 1)*(foot_x + 2)*(b + 3)*(a + 4)",
        "atan2(-a, min(b, e)) - max(-1, abs(a - 7))", "a*(b/e)*(-e)",
        "-2*(a + b + e - foot_x)",
        "e*sin(a + 1) - (3 - a) + (b - (e + foot_x*(2 - a)) - 5)", "if(not a < b, 1, 0)", "pow(-2, a)",
        "(1 - a)/3", "2^a - 1e-9",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const expr e = parse(f, texts[i]);
        char *text = expr_to_text(f->g, e);
        const double expected = value(f, e), got = value(f, parse(f, text));
        /* a sum may be read in another order: a few roundings */
        if (!(fabs(got - expected) <= 1e-14 * (1 + fabs(expected))))
            fail_msg("%s is written as %s", texts[i], text);
        free(text);
    }
}

/* A node knows where its operator or its name was written. */
static void nodes_have_positions(void **state)
{
    struct fixture *f = *state;
    const expr e = parse(f, "a + log(b/e)");
    const expr log_node = expr_unary(f->g, EXPR_LOG, expr_div(f->g, f->sym[2], f->sym[1]));
    assert_int_equal(expr_pos(f->g, e).col, 13);
    assert_int_equal(expr_pos(f->g, log_node).col, 15);
    assert_int_equal(expr_pos(f->g, expr_arg(f->g, log_node, 0)).col, 20);
    assert_int_equal(expr_pos(f->g, f->sym[0]).line, 0);
}

static void names_of_the_grammar_are_taken(void **state)
{
    (void)state;
    const char *const taken[] = { "sin", "atan2", "pow", "if", "pi", "inf", "and", "not", "ddt", "final", "step" };
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        assert_true(names_is_taken(taken[i]));
    assert_false(names_is_taken("x"));
    assert_false(names_is_taken("t"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(operators_bind_as_in_mathematics, set_up, tear_down),
        cmocka_unit_test_setup_teardown(errors_point_at_the_offending_token, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_unknown_name_is_reported, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hostile_depth_is_an_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(long_flat_sums_are_fine, set_up, tear_down),
        cmocka_unit_test_setup_teardown(relations_are_a_body_between_bounds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(conditions_are_true_or_false, set_up, tear_down),
        cmocka_unit_test_setup_teardown(written_text_reads_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nodes_have_positions, set_up, tear_down),
        cmocka_unit_test(names_of_the_grammar_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
