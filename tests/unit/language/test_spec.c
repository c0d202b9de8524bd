/* test_spec.c - core/spec/spec.h: YAML as a tree, its traps, overrides, suggestions */
#include "core/spec/spec.h"


#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
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
    struct fixture f = {.diag = diag_create()};
    f.st = spec_read_text("s", text, n, override, &f.spec, f.diag);
    return f;
}

static struct fixture read_text(const char *text)
{
    return read_with(text, 0, NULL);
}

static void done(struct fixture *f)
{
    spec_free(f->spec);
    diag_free(f->diag);
}

/* The node at a path of single keys. */
static const struct spec_node *at(const struct fixture *f, const char *k1, const char *k2, const char *k3)
{
    const struct spec_node *node = spec_root(f->spec);
    const char *key[] = {k1, k2, k3};
    for (int i = 0; i < 3 && key[i]; i++) node = spec_get(node, key[i]);
    return node;
}

static void assert_pos(struct srcpos pos, int line, int col)
{
    assert_int_equal(pos.line, line);
    assert_int_equal(pos.col, col);
}

/* --- Trees --------------------------------------------------------------------------------------------------- */

static void nodes_know_their_path_and_position(void **state)
{
    (void)state;
    struct fixture f = read_text("# one\ncocp: 1\nstates:\n  x: {bounds: [0, 2*pi], initial: \"a\"}\n  y:\n");
    assert_int_equal(f.st, STATUS_OK);
    const struct spec_node *bounds = at(&f, "states", "x", "bounds"), *initial = at(&f, "states", "x", "initial");
    assert_pos(bounds->key_pos, 4, 7);
    assert_pos(bounds->pos, 4, 15);
    assert_pos(bounds->child[1]->pos, 4, 19);
    assert_string_equal(bounds->child[1]->path, "states.x.bounds.1");
    assert_string_equal(bounds->child[1]->text, "2*pi");
    assert_pos(initial->pos, 4, 35); /* of the quote */
    assert_true(initial->quoted);
    assert_pos(at(&f, "states", NULL, NULL)->pos, 4, 3); /* a block begins with its first key */
    assert_int_equal(at(&f, "states", "y", NULL)->kind, SPEC_NULL);
    assert_string_equal(spec_root(f.spec)->path, "");
    done(&f);
}

/* In YAML 1.1 y, n, on are booleans and 0x10 is 16; here all scalars are text. */
static void scalars_stay_text(void **state)
{
    (void)state;
    struct fixture f = read_text("y: n\non: 0x10\nnull: yes\nc: 'null'\nd: null\n");
    assert_string_equal(at(&f, "y", NULL, NULL)->text, "n");
    assert_string_equal(at(&f, "on", NULL, NULL)->text, "0x10");
    assert_string_equal(at(&f, "null", NULL, NULL)->text, "yes");
    assert_string_equal(at(&f, "c", NULL, NULL)->text, "null");
    assert_int_equal(at(&f, "d", NULL, NULL)->kind, SPEC_NULL);
    done(&f);
}

/* Columns count characters: the e with an accent is two bytes. */
static void columns_count_characters(void **state)
{
    (void)state;
    struct fixture f = read_text("\xef\xbb\xbfn: {\xc3\xa9: 1, b: 2}\n");
    assert_pos(at(&f, "n", "b", NULL)->pos, 1, 14);
    done(&f);
}

static void text_of_a_block_has_the_position_of_its_first_line(void **state)
{
    (void)state;
    struct fixture f = read_text("a: |  # kinetic\n  x + 2\nb: &m  # an anchor\n  y\nc: *m\n");
    assert_int_equal(f.st, STATUS_OK);
    assert_pos(at(&f, "a", NULL, NULL)->pos, 2, 3);
    assert_pos(at(&f, "b", NULL, NULL)->pos, 4, 3);
    done(&f);
}

static void an_alias_is_a_copy_with_its_own_path(void **state)
{
    (void)state;
    struct fixture f = read_text("a: &m {x: 1, y: [2]}\nb: *m\n");
    assert_int_equal(f.st, STATUS_OK);
    const struct spec_node *y = at(&f, "b", "y", NULL);
    assert_string_equal(y->child[0]->path, "b.y.0");
    assert_pos(y->child[0]->pos, 1, 18);
    assert_pos(at(&f, "b", NULL, NULL)->key_pos, 2, 1);
    assert_true(y != at(&f, "a", "y", NULL));
    done(&f);
}

/* Own keys come first, wherever << stands; of a list of mappings the earlier one counts. */
static void merge_keys_fill_in_what_is_missing(void **state)
{
    (void)state;
    struct fixture f =
        read_text("a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc: {<<: [*b, *a], x: 5}\nd: {\"<<\": 6}\n");
    assert_int_equal(f.st, STATUS_OK);
    const struct spec_node *c = at(&f, "c", NULL, NULL);
    assert_int_equal(c->n, 3);
    assert_string_equal(spec_get(c, "x")->text, "5");
    assert_string_equal(spec_get(c, "y")->text, "3");
    assert_string_equal(spec_get(c, "z")->text, "4");
    assert_string_equal(spec_get(c, "y")->path, "c.y");
    assert_string_equal(at(&f, "d", "<<", NULL)->text, "6");
    done(&f);
}

static void a_file_is_read_verbatim(void **state)
{
    (void)state;
    static const char path[] = "test_spec_tmp.yaml", text[] = "cocp: 1\r\nname: a\r\n";
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    fwrite(text, 1, sizeof text - 1, out);
    fclose(out);
    struct fixture f = {.diag = diag_create()};
    f.st = spec_read_file(path, 0, NULL, &f.spec, f.diag);
    remove(path);
    assert_int_equal(f.st, STATUS_OK);
    assert_string_equal(spec_text(f.spec), text);
    assert_pos(at(&f, "name", NULL, NULL)->pos, 2, 7);
    assert_string_equal(at(&f, "name", NULL, NULL)->pos.file, path);
    done(&f);
}

static void a_missing_file_is_an_io_error(void **state)
{
    (void)state;
    struct fixture f = {.diag = diag_create()};
    f.st = spec_read_file("no/such.yaml", 0, NULL, &f.spec, f.diag);
    assert_int_equal(f.st, STATUS_IO);
    assert_null(f.spec);
    assert_string_equal(diag_line(f.diag, 0), "no/such.yaml: error: cannot read it: No such file or directory");
    done(&f);
}

/* --- Mistakes: each spec and the lines said about it ----------------------------------------------------------
 */

struct bad {
    const char *text, *line[3];
    bool has_tree;
};

static void check(const struct bad *bad)
{
    struct fixture f = read_text(bad->text);
    bool good = f.st == STATUS_SPEC && bad->has_tree == (f.spec != NULL);
    int n = 0;
    for (; n < 3 && bad->line[n]; n++) {
        const char *line = diag_line(f.diag, n);
        good = good && line && strncmp(line, bad->line[n], strlen(bad->line[n])) == 0;
    }
    if (!good || diag_line(f.diag, n)) {
        fprintf(stderr, "%s--- says:\n", bad->text);
        diag_print(f.diag, stderr);
        fail_msg("want: %s", bad->line[0]);
    }
    done(&f);
}

#define CHECK_ALL(list)                                                                                           \
    for (size_t i = 0; i < sizeof(list) / sizeof *(list); i++) check(&(list)[i])

static void repeated_keys(void **state)
{
    (void)state;
    static const struct bad bad[] = {
        {"a: 1\nb: {x: 1, x: 2}\na: 3\n",
         {"s:2:11: error: b: the key \"x\" is given twice (first in line 2)",
          "s:3:1: error: the key \"a\" is given twice (first in line 1)"},
         true},
        {"a: &m {x: 1}\nb: {<<: *m, <<: 3}\n", {"s:2:17: error: b: \"<<\" merges mappings"}, true},
    };
    CHECK_ALL(bad);
}

static void torn_expressions(void **state)
{
    (void)state;
    static const struct bad bad[] = {
        {"r: {vx: atan2(a, b)}\n",
         {"s:1:9: error: r.vx: a comma ends the value here, also within ( ): put it in "
          "quotes, \"atan2(a, b)\""},
         true},
        {"r: {a: if(c > 0, max(a,\n  b), 2) + 1, y: min(1, 2)}\n",
         {"s:1:8: error: r.a: a comma ends the value here, also within ( ): put it in quotes, "
          "\"if(c > 0, max(a, b), 2) + 1\"",
          "s:2:18: error: r.y: a comma"},
         true},
        {"r: [hypot(a, b), 2]\n", {"s:1:5: error: r.0: a comma"}, true},
        {"r: {f(a, b): 1}\n", {"s:1:5: error: r: a comma"}, true},
        {"r: {x:1}\n", {"s:1:5: error: r: a space is missing after the colon: \"x: 1\""}, true},
    };
    CHECK_ALL(bad);
}

/* Quotes, blocks, and commas between values tear nothing; a bracket that is never closed is the parser's. */
static void whole_expressions_pass(void **state)
{
    (void)state;
    struct fixture f =
        read_text("a: {x: \"atan2(a, b)\", y: (1 + 2)*3, z: sin(x, w: 4}\nb: atan2(a, b)\nc: [(1), 2]\n");
    assert_int_equal(f.st, STATUS_OK);
    assert_int_equal(at(&f, "a", NULL, NULL)->n, 4);
    assert_int_equal(at(&f, "c", NULL, NULL)->n, 2);
    done(&f);
}

static void indicators_where_an_expression_is_meant(void **state)
{
    (void)state;
    static const struct bad bad[] = {
        {"a: *m\n",
         {"s:1:4: error: a: there is no anchor \"&m\" before this alias; put an expression that begins "
          "with \"*\" in quotes"},
         true},
        {"a: *m*2\n", {"s:1:4: error: \"*\" at the start of a value makes it an alias"}, false},
        {"a: {x: *m + 2}\n", {"s:1:8: error: a.x: there is no anchor"}, false},
        {"a: &m + 2\n", {"s:1:4: error: a: \"&m\" makes this an anchor that no alias uses"}, true},
        {"a: & b\n", {"s:1:4: error: \"&\" at the start of a value makes it an anchor"}, false},
        {"a: !c + 2\n", {"s:1:4: error: a: \"!\" at the start of a value makes it a YAML tag"}, true},
        {"a: !c > 0\n", {"s:1:4: error: \"!\" at the start of a value makes it a YAML tag"}, false},
        {"a: %x\n", {"s:1:4: error: \"%\" cannot begin a value in YAML: put the value in quotes"}, false},
        {"a: @x\n", {"s:1:4: error: \"@\" cannot begin"}, false},
        {"a: `x\n", {"s:1:4: error: \"`\" cannot begin"}, false},
        {"a: > 0\n", {"s:1:4: error: \">\" or \"|\" at the start of a value begins a block of text"}, false},
        {"a: - x\n", {"s:1:4: error: \"- \" begins a list entry in YAML"}, false},
        {"a: &m {b: *m}\n", {"s:1:11: error: a.b: the alias \"*m\" stands inside its own anchor"}, true},
        {"*m : 1\n", {"s:1:1: error: a key is a word", "s:1:1: error: there is no anchor"}, true},
    };
    CHECK_ALL(bad);
}

static void text_that_is_no_yaml(void **state)
{
    (void)state;
    static const struct bad bad[] = {
        {"", {"s:1:1: error: there is nothing in it: a spec begins with \"cocp: 1\""}, false},
        {"- a\n", {"s:1:1: error: a spec is a mapping of blocks"}, false},
        {"a:\n\tb: 1\n", {"s:2:1: error: a tab where YAML wants spaces"}, false},
        {"a: 1\n---\nb: 1\n", {"s:2:1: error: a second YAML document begins here"}, false},
        {"a: 1\nb\xc3\xa9: \"x\xff\"\n", {"s:2:7: error: byte 0xff: the file is not UTF-8"}, false},
        {"a: 1\nb: x\x01\n", {"s:2:5: error: control character 0x01"}, false},
        {"a: b: c\n", {"s:1:5: error: \": \" inside a value"}, false},
        {"a: 1\nb:2\nc: 3\n", {"s:2:1: error: expected \"key: value\", with a space after the colon"}, false},
        {"a: {x: 1 y: 2}\n",
         {"s:1:11: error: expected \",\" or \"}\": a comma is missing, or the bracket of line 1"},
         false},
        {"a: [1]]\n", {"s:1:7: error: \"]\" closes a bracket that was not opened"}, false},
        {"a: \"x\nb: 1\n", {"s:1:4: error: this quote is never closed"}, false},
        {"a: \"\\q\"\n", {"s:1:5: error: \"\\\" begins an escape in double quotes"}, false},
        {"a:\n   b: 1\n  c: 2\n", {"s:3:3: error: this does not continue the block that begins in line 1"}, false},
        {"? {a: 1}\n: 2\nb: \"\\0\"\n",
         {"s:1:3: error: a key is a word", "s:3:4: error: b: the text contains a NUL character"},
         true},
    };
    CHECK_ALL(bad);
}

static void nesting_ends_at_a_depth(void **state)
{
    (void)state;
    char text[3000];
    memcpy(text, "a: ", 3);
    memset(text + 3, '[', 1000);
    text[1003] = '\0';
    check(&(struct bad){text, {"s:1:43: error: nested more than 40 levels deep"}, false});
}

/* Nine levels of ten aliases would be 10^9 nodes. */
static void alias_bombs_are_refused(void **state)
{
    (void)state;
    char text[2000] = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i <= 9; i++) {
        char line[200];
        snprintf(line, sizeof line, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i,
                 i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
        strcat(text, line);
    }
    struct fixture f = read_text(text);
    assert_int_equal(f.st, STATUS_SPEC);
    assert_null(f.spec);
    assert_non_null(strstr(diag_line(f.diag, 0), "the spec grows too large: its aliases copy too much"));
    done(&f);
}

/* --- Overrides ----------------------------------------------------------------------------------------------- */

static const char spec[] = "parameters: {mu: 0.5, nu: {value: 3, units: m}}\n"
                           "define: {z: {through: {0: 1}, by: spline, output: true}}\n"
                           "guess: {waypoints: {0.5: {x: 1}}}\n"
                           "time: {horizon: {min: 1, max: 2}, elements: [1, 2]}\n";

static struct fixture set(const char *path, const char *value)
{
    const struct spec_override override = {path, value};
    return read_with(spec, 1, &override);
}

static void overrides_change_and_create(void **state)
{
    (void)state;
    static const struct spec_override list[] = {
        {"parameters.mu", "2^10"},       {"time.elements.1", "7"},       {"guess.waypoints.0.5.x", "8"},
        {"guess.waypoints.0.75.x", "9"}, {"homotopy.sigma", "[1, 0.1]"}, {"time.horizon", "6"},
    };
    struct fixture f = read_with(spec, 6, list);
    assert_int_equal(f.st, STATUS_OK);
    assert_string_equal(at(&f, "parameters", "mu", NULL)->text, "2^10");
    assert_string_equal(at(&f, "time", "elements", NULL)->child[1]->text, "7");
    const struct spec_node *waypoints = at(&f, "guess", "waypoints", NULL);
    assert_int_equal(waypoints->n, 2);
    assert_string_equal(spec_get(spec_get(waypoints, "0.5"), "x")->text, "8");
    assert_string_equal(spec_get(spec_get(waypoints, "0.75"), "x")->path, "guess.waypoints.0.75.x");
    assert_int_equal(at(&f, "homotopy", "sigma", NULL)->n, 2);
    assert_string_equal(at(&f, "time", "horizon", NULL)->text, "6"); /* no record: the range is gone */
    assert_string_equal(at(&f, "time", "horizon", NULL)->pos.file, "--set time.horizon");
    assert_string_equal(spec_text(f.spec), spec);
    done(&f);
}

static void a_scalar_set_on_a_record_is_its_main_value(void **state)
{
    (void)state;
    struct fixture f = set("parameters.nu", "4");
    assert_string_equal(at(&f, "parameters", "nu", "value")->text, "4");
    assert_string_equal(at(&f, "parameters", "nu", "units")->text, "m");
    done(&f);
    f = set("parameters.mu.optimize", "[0, 1]");
    assert_string_equal(at(&f, "parameters", "mu", "value")->text, "0.5");
    assert_int_equal(at(&f, "parameters", "mu", "optimize")->n, 2);
    done(&f);
    f = set("define.z", "x + 1"); /* instead of the table it was */
    assert_string_equal(at(&f, "define", "z", "expr")->text, "x + 1");
    assert_null(at(&f, "define", "z", "through"));
    assert_non_null(at(&f, "define", "z", "output"));
    done(&f);
}

static void main_keys_belong_to_records(void **state)
{
    (void)state;
    assert_string_equal(spec_main_key("parameters.mu"), "value");
    assert_string_equal(spec_main_key("cost.running.effort"), "expr");
    assert_string_equal(spec_main_key("cost.terminal.effort"), "expr");
    assert_string_equal(spec_main_key("constraints.c"), "expr");
    assert_null(spec_main_key("parameters"));
    assert_null(spec_main_key("parameters.mu.value"));
    assert_null(spec_main_key("states.x"));
}

static void assert_refused(const char *path, const char *value, const char *message)
{
    struct fixture f = set(path, value);
    assert_int_equal(f.st, STATUS_SPEC);
    assert_non_null(f.spec);
    if (strncmp(diag_line(f.diag, 0), message, strlen(message)) != 0)
        fail_msg("%s, not %s", diag_line(f.diag, 0), message);
    done(&f);
}

static void wrong_overrides_name_their_path(void **state)
{
    (void)state;
    assert_refused("time.elements.2", "1", "--set time.elements.2: error: time.elements: it is a list of 2");
    assert_refused("parameters..mu", "1", "--set parameters..mu: error: a path is keys joined by dots");
    assert_refused("parameters.\xff", "1", "--set parameters.\\xff: error: a path is keys joined by dots");
    assert_refused("", "1", "--set : error: a path is keys joined by dots");
    assert_refused("time.horizon.min.x", "1",
                   "--set time.horizon.min.x: error: time.horizon.min: it is the value");
    assert_refused("parameters.mu", "\"1", "--set parameters.mu:1:1: error: this quote is never closed");
    assert_refused("a", "{x: f(1, 2)}", "--set a:1:5: error: a.x: a comma ends the value here");
}

/* --- Keys ---------------------------------------------------------------------------------------------------- */

static void suggestions_are_near(void **state)
{
    (void)state;
    static const char *const known[] = {"gap", "friction", "restitution", "comp_tol"};
    assert_string_equal(spec_suggest("fricton", 4, known), "friction");
    assert_string_equal(spec_suggest("firction", 4, known), "friction"); /* two letters swapped */
    assert_string_equal(spec_suggest("Gap", 4, known), "gap");
    assert_string_equal(spec_suggest("comp-tol", 4, known), "comp_tol");
    assert_null(spec_suggest("mass", 4, known));
    assert_null(spec_suggest("x", 4, known));
}

static void unknown_keys_are_reported_at_their_place(void **state)
{
    (void)state;
    static const char *const known[] = {"gap", "friction", NULL};
    struct fixture f = read_text("foot: {gap: 1, fricton: 2, mass: 3}\nhand: 4\narm:\n");
    assert_int_equal(spec_check_keys(f.diag, at(&f, "foot", NULL, NULL), known), STATUS_SPEC);
    assert_int_equal(spec_check_keys(f.diag, at(&f, "hand", NULL, NULL), known), STATUS_SPEC);
    assert_int_equal(spec_check_keys(f.diag, at(&f, "arm", NULL, NULL), known), STATUS_OK);
    assert_int_equal(spec_check_keys(f.diag, NULL, known), STATUS_OK);
    assert_string_equal(diag_line(f.diag, 0),
                        "s:1:16: error: foot: unknown key \"fricton\" (did you mean \"friction\"?)");
    assert_string_equal(diag_line(f.diag, 1), "s:1:28: error: foot: unknown key \"mass\" (known: gap, friction)");
    assert_string_equal(diag_line(f.diag, 2),
                        "s:2:7: error: hand: expected a mapping (key: value) of gap, friction");
    done(&f);
}

static void names_of_other_programs_are_told_apart(void **state)
{
    (void)state;
    static const char *const known[] = {"bounds", "friction", NULL};
    struct fixture f = read_text("foot: {min: 1, mu: 2}\narm: {N: 3}\n");
    assert_int_equal(spec_check_keys(f.diag, at(&f, "foot", NULL, NULL), known), STATUS_SPEC);
    assert_int_equal(spec_check_keys(f.diag, at(&f, "arm", NULL, NULL), known), STATUS_SPEC);
    assert_string_equal(diag_line(f.diag, 0), "s:1:8: error: foot: unknown key \"min\" (it is called \"bounds\" here)");
    assert_string_equal(diag_line(f.diag, 1), "s:1:16: error: foot: unknown key \"mu\" (it is called \"friction\" here)");
    assert_string_equal(diag_line(f.diag, 2), "s:2:7: error: arm: unknown key \"N\" (known: bounds, friction)");
    done(&f);
}

static void names(void **state)
{
    (void)state;
    assert_true(spec_is_name("v_x1"));
    assert_true(spec_is_name("_"));
    assert_false(spec_is_name("1x"));
    assert_false(spec_is_name("a-b"));
    assert_false(spec_is_name(""));
    assert_false(spec_is_name("\xc3\xa9"));
}

/* --- Writing ------------------------------------------------------------------------------------------------- */

static void assert_same(const struct spec_node *a, const struct spec_node *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->n, b->n);
    assert_string_equal(a->path, b->path);
    if (a->text) assert_string_equal(a->text, b->text);
    for (int i = 0; i < a->n; i++) assert_same(a->child[i], b->child[i]);
}

static void what_is_written_reads_back(void **state)
{
    (void)state;
    struct fixture f =
        read_text("a: &m {x: -sin(b), y: 'null', z: ~, \"k: 1\": \"*q\", e: {}, s: []}\n"
                  "b: {<<: *m, x: [[1, 2], [a, \"b, c\"]]}\n"
                  "c: |\n  two\n  lines \xc3\xa9\nd: \"\\u0085 \\U0001F600 \\\\ \\\" \\x07 \\uFEFF\"\n"
                  "e:\n- {deep: {deeper: {deepest: [1, {a: 2}]}}}\n- '- x'\n- ''\n- 'a '\n- 'x: y'\n");
    assert_int_equal(f.st, STATUS_OK);
    char *text = spec_to_yaml(spec_root(f.spec));
    struct fixture again = read_text(text);
    if (again.st != STATUS_OK) fprintf(stderr, "%s", text);
    assert_int_equal(again.st, STATUS_OK);
    assert_same(spec_root(f.spec), spec_root(again.spec));
    free(text);
    done(&again);
    done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_know_their_path_and_position),
        cmocka_unit_test(scalars_stay_text),
        cmocka_unit_test(columns_count_characters),
        cmocka_unit_test(text_of_a_block_has_the_position_of_its_first_line),
        cmocka_unit_test(an_alias_is_a_copy_with_its_own_path),
        cmocka_unit_test(merge_keys_fill_in_what_is_missing),
        cmocka_unit_test(a_file_is_read_verbatim),
        cmocka_unit_test(a_missing_file_is_an_io_error),
        cmocka_unit_test(repeated_keys),
        cmocka_unit_test(torn_expressions),
        cmocka_unit_test(whole_expressions_pass),
        cmocka_unit_test(indicators_where_an_expression_is_meant),
        cmocka_unit_test(text_that_is_no_yaml),
        cmocka_unit_test(nesting_ends_at_a_depth),
        cmocka_unit_test(alias_bombs_are_refused),
        cmocka_unit_test(overrides_change_and_create),
        cmocka_unit_test(a_scalar_set_on_a_record_is_its_main_value),
        cmocka_unit_test(main_keys_belong_to_records),
        cmocka_unit_test(wrong_overrides_name_their_path),
        cmocka_unit_test(suggestions_are_near),
        cmocka_unit_test(unknown_keys_are_reported_at_their_place),
        cmocka_unit_test(names_of_other_programs_are_told_apart),
        cmocka_unit_test(names),
        cmocka_unit_test(what_is_written_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
