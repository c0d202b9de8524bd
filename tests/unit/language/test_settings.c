/* test_settings.c - core/spec/settings.h: blocks of settings read and printed from a table */
#define _POSIX_C_SOURCE 200809L
#include "core/spec/settings.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum form { SHAPE_STEP, SHAPE_STEWART };

struct settings {
    int stages, seed;
    enum form form;
    double sigma, tol;
    bool junction;
    struct setting_list speed;
    uint64_t laws;
};

static const char *const forms[] = {"step", "stewart", NULL};
static const char *const laws[] = {"newton", "poisson", "energy", NULL};

#define FIELD(name) offsetof(struct settings, name)

static const struct setting_key keys[] = {
    {.name = "stages",
     .type = SETTING_INT,
     .offset = FIELD(stages),
     .initial = 2,
     .min = 1,
     .max = 9,
     .help = "Runge-Kutta stages"},
    {.name = "seed",
     .type = SETTING_INT,
     .offset = FIELD(seed),
     .initial = NAN,
     .max = INFINITY,
     .auto_word = "auto"},
    {.name = "form", .type = SETTING_CHOICE, .offset = FIELD(form), .initial = SHAPE_STEWART, .choices = forms},
    {.name = "sigma",
     .type = SETTING_DOUBLE,
     .offset = FIELD(sigma),
     .initial = 1e-9,
     .max = INFINITY,
     .open_min = true,
     .units = "s",
     .help = "relaxation"},
    {.name = "tol",
     .type = SETTING_DOUBLE,
     .offset = FIELD(tol),
     .initial = NAN,
     .min = 0,
     .max = 1,
     .open_max = true,
     .auto_word = "auto"},
    {.name = "junction", .type = SETTING_BOOL, .offset = FIELD(junction), .initial = 0},
    {.name = "speed", .type = SETTING_LIST, .offset = FIELD(speed), .max = INFINITY, .min = -INFINITY},
    {.name = "laws", .type = SETTING_SET, .offset = FIELD(laws), .initial = 5, .min = 1, .choices = laws},
};

static const struct shape_key also[] = {{"extra", &shape_text, .help = NULL}, {.name = NULL}};
static const struct setting_table table = {.block = "block", keys, sizeof keys / sizeof *keys, .also = also};

struct fixture {
    struct spec *spec;
    struct diag *diag;
    struct settings s;
    enum status st;
};

static struct fixture read_block(const char *text)
{
    struct fixture f = {.diag = diag_create()};
    assert_int_equal(spec_read_text("s", text, 0, NULL, &f.spec, f.diag), STATUS_OK);
    f.st = settings_read(&table, spec_get(spec_root(f.spec), "block"), NULL, &f.s, f.diag);
    return f;
}

static void done(struct fixture *f)
{
    free(f->s.speed.val);
    spec_free(f->spec);
    diag_free(f->diag);
}

static void assert_defaults(const struct settings *s)
{
    assert_int_equal(s->stages, 2);
    assert_int_equal(s->seed, SETTING_AUTO_INT);
    assert_int_equal(s->form, SHAPE_STEWART);
    assert_true(s->sigma == 1e-9 && isnan(s->tol) && !s->junction && s->speed.n == 0);
    assert_int_equal(s->laws, 5);
}

static void what_is_not_given_has_its_default(void **state)
{
    (void)state;
    static const char *const text[] = {"a: 1\n", "block:\n", "block: {}\n", "block: {stages: , extra: [1]}\n"};
    for (int i = 0; i < 4; i++) {
        struct fixture f = read_block(text[i]);
        assert_int_equal(f.st, STATUS_OK);
        assert_defaults(&f.s);
        done(&f);
    }
}

static void values_are_read_by_their_type(void **state)
{
    (void)state;
    struct fixture f = read_block("block: {stages: 3, seed: 7, form: step, sigma: 1e-3, tol: 0, junction: on, "
                                  "speed: [1, -2.5]}\n");
    assert_int_equal(f.st, STATUS_OK);
    assert_int_equal(f.s.stages, 3);
    assert_int_equal(f.s.seed, 7);
    assert_int_equal(f.s.form, SHAPE_STEP);
    assert_true(f.s.sigma == 1e-3 && f.s.tol == 0 && f.s.junction);
    assert_int_equal(f.s.speed.n, 2);
    assert_true(f.s.speed.val[0] == 1 && f.s.speed.val[1] == -2.5);
    done(&f);
}

/* Words of a set come in any order, more than once, or one without brackets; bit i is choice i. */
static void a_set_is_words_in_any_order(void **state)
{
    (void)state;
    static const struct { const char *text; int bits; } set[] = {
        {"block: {laws: [energy, newton]}\n", 5}, {"block: {laws: [poisson, poisson]}\n", 2},
        {"block: {laws: energy}\n", 4}
    };
    for (int i = 0; i < 3; i++) {
        struct fixture f = read_block(set[i].text);
        assert_int_equal(f.st, STATUS_OK);
        assert_int_equal(f.s.laws, set[i].bits);
        done(&f);
    }
}

static void assert_says(const char *text, const char *message)
{
    struct fixture f = read_block(text);
    assert_int_equal(f.st, STATUS_SPEC);
    assert_string_equal(diag_line(f.diag, 0), message);
    assert_null(diag_line(f.diag, 1));
    assert_defaults(&f.s);
    done(&f);
}

static void wrong_values_are_refused_in_their_place(void **state)
{
    (void)state;
    assert_says("block: {stages: 0}\n", "s:1:17: error: block.stages: must lie in [1, 9], got 0");
    assert_says("block: {stages: 2.5}\n", "s:1:17: error: block.stages: must be a whole number, got 2.5");
    assert_says("block: {stages: [1]}\n", "s:1:17: error: block.stages: expected a number, got a list");
    assert_says("block: {laws: []}\n", "s:1:15: error: block.laws: must name at least one");
    assert_says("block: {laws: [newton, energies]}\n", "s:1:24: error: block.laws.1: must be one of newton, poisson, "
                "energy; got \"energies\" (did you mean \"energy\"?)");
    assert_says("block: {stages: two}\n", "s:1:17: error: block.stages: expected a number, got \"two\"");
    assert_says("block: {sigma: 0}\n", "s:1:16: error: block.sigma: must be > 0, got 0");
    assert_says("block: {sigma: nan}\n", "s:1:16: error: block.sigma: must be a finite number, got nan");
    assert_says("block: {tol: 1}\n", "s:1:14: error: block.tol: must lie in [0, 1), got 1");
    assert_says(
        "block: {form: stewert}\n",
        "s:1:15: error: block.form: must be one of step, stewart; got \"stewert\" (did you mean \"stewart\"?)");
    assert_says("block: {form: other}\n",
                "s:1:15: error: block.form: must be one of step, stewart; got \"other\"");
    assert_says("block: {junction: 1}\n", "s:1:19: error: block.junction: must be true or false");
    assert_says("block: {speed: 1}\n", "s:1:16: error: block.speed: expected a list of numbers, [a, b]");
    assert_says("block: {speed: [1, {}]}\n", "s:1:20: error: block.speed.1: expected a number, got a mapping");
    assert_says("block: {stage: 1}\n", "s:1:9: error: block: unknown key \"stage\" (did you mean \"stages\"?)");
    assert_says("block: 3\n", "s:1:8: error: block: expected a mapping (key: value) of stages, seed, form, sigma, "
                              "tol, junction, speed, laws, extra");
}

static enum status twice(void *user, const struct spec_node *node, double *out, struct diag *diag)
{
    (void)diag;
    *out = *(const double *)user * atof(node->text);
    return STATUS_OK;
}

static void numbers_go_through_the_evaluator_and_words_do_not(void **state)
{
    (void)state;
    double factor = 2;
    const struct setting_eval eval = {&factor, twice};
    struct diag *diag = diag_create();
    struct spec *spec = NULL;
    struct settings s;
    spec_read_text("s", "sigma: 4\ntol: auto\nseed: auto\n", 0, NULL, &spec, diag);
    assert_int_equal(settings_read(&table, spec_root(spec), &eval, &s, diag), STATUS_OK);
    assert_true(s.sigma == 8 && isnan(s.tol));
    assert_int_equal(s.seed, SETTING_AUTO_INT);
    spec_free(spec);
    diag_free(diag);
}

static char *printed(const struct settings *s, int indent)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    settings_print(&table, s, indent, out);
    fclose(out);
    return text;
}

static void what_is_printed_reads_back(void **state)
{
    (void)state;
    struct fixture f = read_block("block: {stages: 3, seed: 7, form: step, sigma: 0.1, junction: true, "
                                  "speed: [1, 0.30000000000000004, inf]}\n");
    char *text = printed(&f.s, 2), *again = NULL;
    assert_non_null(strstr(text, "  stages: 3   # Runge-Kutta stages\n"));
    assert_non_null(strstr(text, "  sigma: 0.1   # relaxation (s)\n"));
    assert_non_null(strstr(text, "  tol: auto\n"));
    assert_non_null(strstr(text, "  speed: [1, 0.30000000000000004, inf]\n"));
    char block[1000];
    snprintf(block, sizeof block, "block:\n%s", text);
    struct fixture g = read_block(block);
    assert_int_equal(g.st, STATUS_OK);
    again = printed(&g.s, 2);
    assert_string_equal(text, again);
    free(text);
    free(again);
    done(&f);
    done(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_given_has_its_default),
        cmocka_unit_test(values_are_read_by_their_type),
        cmocka_unit_test(a_set_is_words_in_any_order),
        cmocka_unit_test(wrong_values_are_refused_in_their_place),
        cmocka_unit_test(numbers_go_through_the_evaluator_and_words_do_not),
        cmocka_unit_test(what_is_printed_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
