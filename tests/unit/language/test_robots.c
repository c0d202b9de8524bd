/* test_robots.c - core/spec/robots.h: what becomes of a block `robots` in the tree of a spec */
#include "core/spec/spec.h"

#include "tests/unit/assertions.h"

#include <stdlib.h>
#include <string.h>

#define ARM "{file: tests/robots/arm.urdf, posture: {slide: 0.004}}"

struct fixture {
    struct spec *spec;
    struct diag *diag;
    enum status st;
};

static struct fixture read_text(const char *text, int n, const struct spec_override *override)
{
    struct fixture f = { .diag = diag_create() };
    f.st = spec_read_text("s.yaml", text, n, override, &f.spec, f.diag);
    return f;
}

static void done(struct fixture *f)
{
    spec_free(f->spec);
    diag_free(f->diag);
}

/* The node at a path of single keys. */
static const struct spec_node *at(const struct fixture *f, const char *const *key)
{
    const struct spec_node *node = spec_root(f->spec);
    for (; *key; key++)
        node = spec_get(node, *key);
    if (!node)
        fail_msg("there is no %s", key[-1]);
    return node;
}
#define AT(f, ...) at((f), (const char *const[]){ __VA_ARGS__, NULL })

static void robots_become_bodies_with_places_in_their_file(void **state)
{
    (void)state;
    struct fixture f = read_text("cocp: 1\nrobots: {a: " ARM "}\n", 0, NULL);
    assert_int_equal(f.st, STATUS_OK);
    assert_null(spec_get(spec_root(f.spec), "robots"));
    const struct spec_node *damping = AT(&f, "bodies", "upper", "joint", "damping");
    assert_string_equal(damping->text, "0.7");
    assert_string_equal(damping->path, "bodies.upper.joint.damping");
    assert_string_equal(damping->pos.file, "tests/robots/arm.urdf");
    assert_int_equal(damping->pos.line, 16);
    assert_string_equal(AT(&f, "bodies", "upper", "parent")->text, "base_link");
    assert_string_equal(AT(&f, "bodies", "finger_right", "joint", "mimic", "joint")->text, "slide");
    assert_string_equal(AT(&f, "states", "slide", "initial")->text, "0.004");
    assert_string_equal(AT(&f, "states", "slide", "initial")->pos.file, "s.yaml");
    assert_non_null(strstr(spec_text(f.spec), "finger_left"));
    assert_null(strstr(spec_text(f.spec), "arm.urdf"));
    done(&f);
}

static void what_the_spec_says_counts(void **state)
{
    (void)state;
    const struct spec_override set[] = { { "bodies.rim.mass", "0.7" }, { "robots.a.posture.shoulder", "0.2" } };
    struct fixture f = read_text("cocp: 1\nrobots: {a: " ARM "}\nbodies: {upper: {mass: 9, joint: {rotor_inertia: 1e-4}}}\n", 2,
                                 set);
    assert_int_equal(f.st, STATUS_OK);
    assert_string_equal(AT(&f, "bodies", "upper", "mass")->text, "9");
    assert_string_equal(AT(&f, "bodies", "upper", "joint", "reduction")->text, "50");
    assert_string_equal(AT(&f, "bodies", "rim", "mass")->text, "0.7");
    assert_string_equal(AT(&f, "states", "shoulder", "initial")->text, "0.2");
    done(&f);
}

static void robots_that_are_alike_have_names_of_their_own(void **state)
{
    (void)state;
    struct fixture f = read_text("cocp: 1\nrobots: {a: " ARM ", b: " ARM "}\n", 0, NULL);
    assert_int_equal(f.st, STATUS_OK);
    assert_string_equal(AT(&f, "bodies", "a_upper", "parent")->text, "a_base_link");
    assert_string_equal(AT(&f, "bodies", "b_finger_right", "joint", "mimic", "joint")->text, "b_slide");
    done(&f);
}

/* Whoever reads a result opens no file that it names. */
static void a_stored_spec_opens_no_file(void **state)
{
    (void)state;
    struct fixture f = { .diag = diag_create() };
    f.st = spec_read_stored("r.h5", "cocp: 1\nrobots: {a: " ARM "}\n", &f.spec, f.diag);
    assert_int_equal(f.st, STATUS_SPEC);
    assert_string_equal(diag_line(f.diag, 0), "r.h5:2:9: error: robots: a result names no file to be read: its robots are in "
                                              "\"bodies\"");
    assert_null(read_files_find(diag_read_files(f.diag), "tests/robots/arm.urdf"));
    done(&f);
}

/* A box, a cylinder along x, which becomes a capsule along the z axis that turns there, and a ball; one by its link. */
static void collision_shapes_become_shapes(void **state)
{
    (void)state;
    struct fixture f = read_text("cocp: 1\nrobots: {a: {file: tests/robots/arm.urdf, shapes: all}}\n", 0, NULL);
    assert_int_equal(f.st, STATUS_OK);
    assert_int_equal(AT(&f, "shapes")->n, 3);
    assert_string_equal(AT(&f, "shapes", "foundation", "frame")->text, "base_link");
    assert_string_equal(AT(&f, "shapes", "foundation", "box")->child[1]->text, "0.3");
    assert_string_equal(AT(&f, "shapes", "upper", "capsule")->child[0]->text, "0.03");
    assert_string_equal(AT(&f, "shapes", "upper", "capsule")->child[1]->text, "0.4");
    assert_string_equal(AT(&f, "shapes", "upper", "at")->child[0]->text, "0.2");
    assert_int_equal(AT(&f, "shapes", "upper")->pos.line, 33);
    assert_string_equal(AT(&f, "shapes", "rim", "sphere")->text, "0.09");
    done(&f);
    f = read_text("cocp: 1\nrobots: {a: {file: tests/robots/arm.urdf, shapes: [base-link]}}\n", 0, NULL);
    assert_int_equal(AT(&f, "shapes")->n, 1);
    assert_non_null(AT(&f, "shapes", "foundation"));
    done(&f);
    f = read_text("cocp: 1\nrobots:\n  l: {file: tests/robots/arm.urdf, shapes: [rim]}\n"
                  "  r: {file: tests/robots/arm.urdf, shapes: [rim]}\n", 0, NULL);
    assert_string_equal(AT(&f, "shapes", "l_rim", "frame")->text, "l_rim");
    assert_string_equal(AT(&f, "shapes", "r_rim", "frame")->text, "r_rim");
    done(&f);
}

static void experiments_set_no_robots(void **state)
{
    (void)state;
    struct fixture f = read_text("cocp: 1\ndata: {one: {set: {robots.a.at: [0, 0, 1]}}}\n", 0, NULL);
    assert_int_equal(spec_take(f.spec, "data", "one", f.diag), STATUS_SPEC);
    assert_non_null(strstr(diag_text(f.diag, 0), "robots are the same in all experiments"));
    done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robots_become_bodies_with_places_in_their_file),
        cmocka_unit_test(what_the_spec_says_counts),
        cmocka_unit_test(robots_that_are_alike_have_names_of_their_own),
        cmocka_unit_test(a_stored_spec_opens_no_file),
        cmocka_unit_test(experiments_set_no_robots),
        cmocka_unit_test(collision_shapes_become_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
