/* The lines where gaps are 0, against the formulas of the gaps. */
#include "core/output/surfaces.h"

#include "tests/unit/assertions.h"
#include "tests/unit/read_spec.h"

#include <math.h>

enum { N_T = 21 };

/* A leg of 0.3 m that turns by phi about the middle of a disc of 0.1 m; what is added are contacts and the drawing. */
static const char *const head =
    "cocp: 1\nname: leg\nparameters: {l: 0.3}\ntime: {horizon: 2}\n"
    "states: {x: {initial: 0}, z: {initial: 1}, phi: {initial: 0}, vx: {initial: 0}, vz: {initial: 0}, w: {initial: 0}}\n"
    "define: {tip_x: x + l*sin(phi), tip_z: z - l*cos(phi)}\n"
    "dynamics: {type: mechanical, coordinates: {x: vx, z: vz, phi: w}, mass: {diag: [1, 1, 1]}}\n";
static const char *const drawing =
    "draw: {points: {body: [x, z], tip: [tip_x, tip_z]}, circles: {body: {at: body, radius: 0.1}}}\n";

struct found {
    struct diag *diag;
    struct spec *spec;
    struct model *model;
    struct arena mem;
    int n;
    struct surface *surface;
};

/* Over t in [0, 2] the body goes from x = 0 to 1 and from z = 1 to 0.2, and turns by half a turn. */
static struct found find(const char *contacts, const char *draw)
{
    struct found found = { .diag = diag_create() };
    char text[4000];
    double t[N_T], x[N_T][6] = { { 0 } };
    snprintf(text, sizeof text, "%s%s%s", head, contacts, draw);
    read_spec(text, MODEL_FOR_SIMULATE, found.diag, &found.spec, &found.model);
    assert_int_equal(found.model->n_x, 6);
    for (int k = 0; k < N_T; k++) {
        const double s = (double)k / (N_T - 1);
        t[k] = 2 * s;
        x[k][0] = s;
        x[k][1] = 1 - 0.8 * s;
        x[k][2] = 3 * s;
    }
    const struct surface_motion motion = { found.model, NULL, N_T, t, x[0], t };
    found.n = surfaces_find(&motion, &found.mem, &found.surface);
    return found;
}

static void forget(struct found *found)
{
    arena_free(&found->mem);
    model_free(found->model);
    spec_free(found->spec);
    diag_free(found->diag);
}

/* A bowl under the tip: z = 0.3 x^2, and what is solid is below, on the right of who goes to the right. */
static void a_curve_is_followed(void **state)
{
    (void)state;
    struct found found = find("contacts: {tip: {gap: tip_z - 0.3*tip_x^2}}\n", drawing);
    assert_int_equal(found.n, 1);
    assert_string_equal(found.surface[0].name, "tip");
    assert_true(found.surface[0].n > 20);
    const double *at = found.surface[0].corner;
    for (int k = 0; k < found.surface[0].n; k++, at += 2) {
        assert_near(at[1], 0.3 * at[0] * at[0], 1e-6);
        assert_true(k == 0 || at[0] > at[-2]);
    }
    assert_true(found.surface[0].corner[0] < 0.5 && at[-2] > 1);      /* from the lower edge of the picture to the right one */
    forget(&found);
}

/* The disc around the body touches a wall at x = 1.5 where the body is 0.1 m from it: two corners, and solid on the right
 * of who goes up. The tip has the same distance as the disc has from the floor below, and is farther out. */
static void a_disc_touches_with_its_edge(void **state)
{
    (void)state;
    struct found found = find("contacts: {wall: {gap: 1.5 - 0.1 - x}, floor: {gap: tip_z + 0.2}}\n", drawing);
    assert_int_equal(found.n, 2);
    const struct surface *wall = &found.surface[0], *floor_line = &found.surface[1];
    assert_int_equal(wall->n, 2);
    assert_near(wall->corner[0], 1.5, 1e-9);
    assert_near(wall->corner[2], 1.5, 1e-9);
    assert_true(wall->corner[3] > 1 + wall->corner[1]);
    assert_int_equal(floor_line->n, 2);
    assert_near(floor_line->corner[1], -0.2, 1e-9);
    assert_near(floor_line->corner[3], -0.2, 1e-9);
    assert_true(floor_line->corner[2] > 1 + floor_line->corner[0]);
    forget(&found);
}

/* A gap without a length in it knows no radius: the disc only marks the point. */
static void a_mark_has_no_edge(void **state)
{
    (void)state;
    struct found found = find("contacts: {a: {gap: z}}\n", drawing);
    assert_int_equal(found.n, 1);
    assert_near(found.surface[0].corner[1], 0, 1e-9);
    forget(&found);
}

/* What is drawn already, another contact's, moves, is far off or hangs on no point is left out. */
static void others_are_left_out(void **state)
{
    (void)state;
    struct found found = find("contacts: {a: {gap: tip_z}, b: {gap: 2*tip_z}, c: {gap: tip_z - 0.1*sin(t)}, d: {gap: x + 40},\n"
                              "           e: {gap: z - l*cos(phi + 1)}}\n", drawing);
    assert_int_equal(found.n, 1);
    assert_string_equal(found.surface[0].name, "a");
    forget(&found);
    found = find("contacts: {a: {gap: tip_z}}\n", "draw: {points: {tip: [tip_x, tip_z]}, grounds: {g: [[0, 0], [0.5, 0]]}}\n");
    assert_int_equal(found.n, 0);
    forget(&found);
}

/* Of two points that fit, it is the one at which the contact's force is drawn: 0.25 m below the body, not its middle. */
static void a_force_tells_the_point(void **state)
{
    (void)state;
    struct found found = find("contacts: {a: {gap: z - 0.25}}\n",
                              "draw: {points: {low: [x, z - 0.5], foot: [x, z - 0.25]}, forces: {a: {at: foot, contact: a}}}\n");
    assert_int_equal(found.n, 1);
    assert_near(found.surface[0].corner[1], 0, 1e-9);
    forget(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_curve_is_followed),
        cmocka_unit_test(a_disc_touches_with_its_edge),
        cmocka_unit_test(a_mark_has_no_edge),
        cmocka_unit_test(others_are_left_out),
        cmocka_unit_test(a_force_tells_the_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
