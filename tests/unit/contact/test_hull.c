/* Convex hulls in the plane. */
#include "core/impact/hull.h"

#include "core/base/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <cmocka.h>

static double turn(struct hull_point a, struct hull_point b, struct hull_point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static void square_has_four_corners(void **unused)
{
    (void)unused;
    enum { N = 11 };
    struct hull_point p[N * N + 1];
    for (int i = 0; i < N; i++)         /* a grid: many points on the edges */
        for (int j = 0; j < N; j++)
            p[i * N + j] = (struct hull_point){ i / 8.0, j / 8.0 };
    p[N * N] = (struct hull_point){ 0.5, NAN };
    assert_int_equal(hull_convex(N * N + 1, p), 4);
    const struct hull_point corner[4] = { { 0, 0 }, { 1.25, 0 }, { 1.25, 1.25 }, { 0, 1.25 } };
    for (int k = 0; k < 4; k++)
        assert_true(p[k].x == corner[k].x && p[k].y == corner[k].y);
}

static void points_and_lines_are_hulls_too(void **unused)
{
    (void)unused;
    struct hull_point same[20], line[20];
    for (int k = 0; k < 20; k++) {
        same[k] = (struct hull_point){ 2, -1 };
        line[k] = (struct hull_point){ k, 2.0 * k };
    }
    assert_int_equal(hull_convex(0, same), 0);
    assert_int_equal(hull_convex(1, same), 1);
    assert_int_equal(hull_convex(20, same), 1);
    assert_int_equal(hull_convex(20, line), 2);
    assert_true(line[0].x == 0 && line[1].x == 19);
}

/* No point of a cloud lies outside of any edge, all corners are points of it and turn left. */
static void cloud_lies_inside(void **unused)
{
    (void)unused;
    enum { N = 2000 };
    static struct hull_point cloud[N], p[N];
    for (uint64_t k = 0; k < N; k++) {
        const double r = sqrt(draw_random(1, k, 0)), a = 7 * draw_random(1, k, 1);
        cloud[k] = p[k] = (struct hull_point){ r * cos(a) + 3, 0.3 * r * sin(a) };
    }
    const int n = hull_convex(N, p);
    assert_true(n > 10 && n < 200);
    for (int k = 0; k < n; k++) {
        bool is_point = false;
        assert_true(turn(p[k], p[(k + 1) % n], p[(k + 2) % n]) > 0);
        for (int i = 0; i < N; i++) {
            assert_true(turn(p[k], p[(k + 1) % n], cloud[i]) >= -1e-15);
            is_point = is_point || (cloud[i].x == p[k].x && cloud[i].y == p[k].y);
        }
        assert_true(is_point);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(square_has_four_corners),
        cmocka_unit_test(points_and_lines_are_hulls_too),
        cmocka_unit_test(cloud_lies_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
