/* test_repeat.c - core/spec/repeat.h: entries and terms written once for all their indices */
#include "core/spec/spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct spec *spec;
    struct diag *diag;
    enum status st;
};

static struct fixture read_with(const char *text, int n, const struct spec_override *override)
{
    struct fixture f = { .diag = diag_create() };
    f.st = spec_read_text("s", text, n, override, &f.spec, f.diag);
    return f;
}

static void done(struct fixture *f)
{
    spec_free(f->spec);
    diag_free(f->diag);
}

/* Both texts give the same tree, names, order and all. */
static void assert_same(const struct spec_node *a, const struct spec_node *b)
{
    assert_string_equal(a->path, b->path);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->n, b->n);
    if (a->text) assert_string_equal(a->text, b->text);
    for (int i = 0; i < a->n; i++) assert_same(a->child[i], b->child[i]);
}

static void assert_means(const char *text, const char *typed_out)
{
    struct fixture f = read_with(text, 0, NULL), g = read_with(typed_out, 0, NULL);
    if (f.st != STATUS_OK) diag_print(f.diag, stderr);
    assert_int_equal(f.st, STATUS_OK);
    assert_int_equal(g.st, STATUS_OK);
    assert_same(spec_root(f.spec), spec_root(g.spec));
    done(&f);
    done(&g);
}

static void assert_refused(const char *text, const char *message)
{
    struct fixture f = read_with(text, 0, NULL);
    assert_int_equal(f.st, STATUS_SPEC);
    assert_string_equal(diag_line(f.diag, 0), message);
    done(&f);
}

static void keys_are_repeated(void **state)
{
    (void)state;
    assert_means("states:\n  x[i=1..3]: {initial: 0.1*i, units: i}\n",
                 "states:\n  x_1: {initial: 0.1*1, units: i}\n  x_2: {initial: 0.1*2, units: i}\n"
                 "  x_3: {initial: 0.1*3, units: i}\n");
    assert_means("states: {x: {size: 2, initial: i + pi}}", "states: {x_1: {initial: 1 + pi}, x_2: {initial: 2 + pi}}");
    assert_means("a:\n  p[i=0..1, j=i+1..2]: x[j,i]\n", "a: {p_0_1: x_1_0, p_0_2: x_2_0, p_1_2: x_2_1}");
    assert_means("a:\n  x[2*3-1]: 1\n", "a: {x_5: 1}");
    assert_means("a:\n  x[i=1..0]: 1\n", "a: {}");
}

static void names_get_their_indices(void **state)
{
    (void)state;
    assert_means("e: k[1]*x[1 + 1] - ddt(x[3]) + 1e5*e1\n", "e: k_1*x_2 - ddt(x_3) + 1e5*e1");
    assert_means("e: 'a[(1)] + a[6/2] + a[2*(3 - 1)]'\n", "e: a_1 + a_3 + a_4");
    assert_means("f:\n  x[i=2..2]: x[i]*i + xi + i_1 + 2.5e1*sin(i)\n", "f: {x_2: x_2*2 + xi + i_1 + 2.5e1*sin(2)}");
}

static void sums_are_written_out(void **state)
{
    (void)state;
    assert_means("e: 2*sum(x[i]^2 for i=1..3)\n", "e: 2*((x_1^2) + (x_2^2) + (x_3^2))");
    assert_means("e: prod(i for i=2..3) + sum(x for i=1..0) + prod(x for i=1..0)\n", "e: ((2) * (3)) + 0 + 1");
    assert_means("e: sum(x[i]*x[j] for i=1..3, j=i+1..3)\n", "e: ((x_1*x_2) + (x_1*x_3) + (x_2*x_3))");
    assert_means("e: sum(sum(j for j=1..i) for i=1..2)\n", "e: ((((1))) + (((1) + (2))))");
    assert_means("e: max(x[i] for i=1..3) + min(a, b)\n", "e: (max((x_1), max((x_2), (x_3)))) + min(a, b)");
    assert_means("e: min(x[i] for i=1..1)\n", "e: ((x_1))");
    assert_means("l: ['m[i] for i=1..2', 3, 'i for i=-1..0']\n", "l: [m_1, m_2, 3, (-1), 0]");
}

static void sizes_are_numbers_in_ranges_and_parameters_in_formulas(void **state)
{
    (void)state;
    assert_means("cocp: 1\nsizes: {N: 2, M: N-1}\nparameters: {m: 1}\na:\n  x[i=1..N]: m/N\n  y[i=1..M]: {units: N}\n",
                 "cocp: 1\nparameters: {m: 1, N: 2, M: 1}\na: {x_1: m/N, x_2: m/N, y_1: {units: N}}");
    const struct spec_override override[] = { { "a.x_3", "7" }, { "sizes.N", "3" } };
    struct fixture f = read_with("sizes: {N: 1}\na:\n  x[i=1..N]: 0\n", 2, override);
    assert_int_equal(f.st, STATUS_OK);
    assert_int_equal(spec_get(spec_root(f.spec), "a")->n, 3);
    assert_string_equal(spec_get(spec_get(spec_root(f.spec), "a"), "x_3")->text, "7");
    done(&f);
}

/* Nothing is touched where nothing repeats. */
static void other_texts_stay(void **state)
{
    (void)state;
    assert_means("description: \"i for i=1..3, x[\"\nguess: {file: 'run[1].h5'}\ne: i + N*sum + min(i, N)\n",
                 "description: \"i for i=1..3, x[\"\nguess: {file: 'run[1].h5'}\ne: i + N*sum + min(i, N)\n");
}

static void mistakes_are_at_the_text(void **state)
{
    (void)state;
    assert_refused("a:\n  x[i=1..K]: 1\n", "s:2:3: error: a: \"K\" is no index and no entry of sizes, in \"K\"");
    assert_refused("a:\n  b: 1 + x[2\n", "s:2:6: error: a.b: the \"[\" of x is not closed");
    assert_refused("a: sum(x[i] for i in N)\n", "s:1:4: error: a: \"i in N\": a range is written i=1..N");
    assert_refused("a: max(x[i] for i=1..0)\n", "s:1:4: error: a: max of nothing");
    assert_refused("a:\n  x[1]: 0\n  x_1: 1\n", "s:3:3: error: a: the key \"x_1\" is given twice (first in line 2)");
    assert_refused("a: x[0-1]\n", "s:1:4: error: a: the index -1 is negative");
    assert_refused("a: x[3/2]\n", "s:1:4: error: a: \"3/2\" does not divide without a rest");
    assert_refused("a: x[1.5]\n", "s:1:4: error: a: \"1.5\" is no whole number, in \"1.5\"");
    assert_refused("a:\n  x[1]y: 0\n", "s:2:3: error: a: a key with indices is written name[i=1..N], not \"x[1]y\"");
    assert_refused("a: {b: x[1]}\n",
                   "s:1:9: error: \"[\" within { } or [ ]: put a value or key with indices in quotes");
    assert_refused("sizes: {N: 1.5}\n",
                   "s:1:12: error: sizes.N: expected a whole number from 0 on, or such an expression of sizes before it");
    assert_refused("sizes: {N: 2}\nparameters: {N: 3}\n",
                   "s:2:14: error: parameters: the key \"N\" is given twice (first in line 1)");
}

/* Small texts that would write gigabytes. */
static void bombs_are_refused(void **state)
{
    (void)state;
    assert_refused("a: sum(sum(sum(x for i=1..9999) for j=1..9999) for k=1..9999)\n",
                   "s:1:4: error: a: the spec grows too large: its repetitions write too much");
    assert_refused("a:\n  x[i=1..999, j=1..999]: 1\n",
                   "s:2:26: error: a.x[i=1..999, j=1..999]: the spec grows too large: its repetitions write too much");
    assert_refused("a:\n  x[i=1..999999999]: 1\n", "s:2:3: error: a: \"i=1..999999999\": a range has at most 1000000 numbers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_repeated),
        cmocka_unit_test(names_get_their_indices),
        cmocka_unit_test(sums_are_written_out),
        cmocka_unit_test(sizes_are_numbers_in_ranges_and_parameters_in_formulas),
        cmocka_unit_test(other_texts_stay),
        cmocka_unit_test(mistakes_are_at_the_text),
        cmocka_unit_test(bombs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
