/* test_solids.c - gaps of shapes in space against searches over all their places and finite differences
 */
#include "tests/unit/assertions.h"

#include "core/expression/diff.h"
#include "core/model/geometry/solid.h"
#include "core/model/rotation.h"

#include <math.h>
#include <string.h>

enum { N_SYM = 14 }; /* middle and quaternion of a, then those of b */

struct pair {
    struct expr_graph *g;
    expr sym[N_SYM];
    struct solid a, b;
    struct solid_gap gap[SOLID_MOST_GAPS];
    int n;
};

static unsigned seed = 1;

static double random_in(double lo, double hi)
{
    seed = seed * 1664525u + 1013904223u;
    return lo + (hi - lo) * (seed >> 8) / 16777216.0;
}

static struct solid make(struct expr_graph *g, enum solid_kind kind, const double *size, const expr *sym)
{
    struct solid s = { .kind = kind, .radius = expr_const(g, size[3]) };
    memcpy(s.at, sym, sizeof s.at);
    rotation_matrix(g, 4, sym + 3, s.R);
    for (int i = 0; i < 3; i++)
        s.half[i] = expr_const(g, size[i]);
    return s;
}

/* Half sizes and the radius of each kind. */
static const double size_of[][4] = { [SOLID_SPHERE] = { 0, 0, 0, 0.1 },
                                     [SOLID_CAPSULE] = { 0, 0, 0.3, 0.07 },
                                     [SOLID_BOX] = { 0.2, 0.3, 0.4, 0 },
                                     [SOLID_PLATE] = { 0.4, 0.25, 0, 0 },
                                     [SOLID_PLANE] = { 0, 0, 0, 0 } };

static struct pair pair_of(enum solid_kind a, enum solid_kind b)
{
    struct pair pair = { .g = expr_graph_create() };
    for (int i = 0; i < N_SYM; i++)
        pair.sym[i] = expr_sym(pair.g, "s");
    pair.a = make(pair.g, a, size_of[a], pair.sym);
    pair.b = make(pair.g, b, size_of[b], pair.sym + 7);
    pair.n = solid_gaps(pair.g, &pair.a, &pair.b, pair.gap);
    return pair;
}

static void place_anywhere(double far, double *value)
{
    for (int s = 0; s < 2; s++) {
        double *q = value + 7 * s + 3, square = 0;
        for (int i = 0; i < 3; i++)
            value[7 * s + i] = random_in(-far, far);
        for (int i = 0; i < 4; i++)
            q[i] = random_in(-1, 1);
        for (int i = 0; i < 4; i++)
            square += q[i] * q[i];
        for (int i = 0; i < 4; i++)
            q[i] /= sqrt(square);
    }
}

static double eval(const struct pair *pair, expr e, const double *value)
{
    return expr_eval(pair->g, e, N_SYM, pair->sym, value);
}

/* --- Distances by search ---------------------------------------------------------------------------------------
 */

/* Of the cores of two solids, by coordinates along the axes of each, three of a and three of b: convex in all of
 * them, so that one after the other is searched by thirds. */
struct search {
    double at[2][3], R[2][9];
    const double *half[2];
    double local[6];
};

static double distance_at(const struct search *s)
{
    double square = 0;
    for (int i = 0; i < 3; i++) {
        double d = s->at[0][i] - s->at[1][i];
        for (int k = 0; k < 3; k++)
            d += s->R[0][i + 3 * k] * s->local[k] - s->R[1][i + 3 * k] * s->local[3 + k];
        square += d * d;
    }
    return sqrt(square);
}

static double least_from(struct search *s, int k)
{
    if (k == 6)
        return distance_at(s);
    double lo = -s->half[k / 3][k % 3], hi = -lo;
    if (hi == 0)
        return s->local[k] = 0, least_from(s, k + 1);
    for (int i = 0; i < 60; i++) {
        const double left = lo + (hi - lo) / 3, right = hi - (hi - lo) / 3;
        s->local[k] = left;
        const double at_left = least_from(s, k + 1);
        s->local[k] = right;
        if (at_left < least_from(s, k + 1))
            hi = right;
        else
            lo = left;
    }
    s->local[k] = (lo + hi) / 2;
    return least_from(s, k + 1);
}

static double searched(const struct pair *pair, const double *value)
{
    struct search s = { .half = { size_of[pair->a.kind], size_of[pair->b.kind] } };
    const struct solid *solid[] = { &pair->a, &pair->b };
    for (int k = 0; k < 2; k++) {
        memcpy(s.at[k], value + 7 * k, sizeof s.at[k]);
        for (int i = 0; i < 9; i++)
            s.R[k][i] = eval(pair, solid[k]->R[i], value);
    }
    return least_from(&s, 0) - size_of[pair->a.kind][3] - size_of[pair->b.kind][3];
}

static void gaps_are_those_of_a_search(void **state)
{
    (void)state;
    static const struct {
        enum solid_kind a, b;
        int n;
        double tol;
    } of[] = {
        { SOLID_SPHERE, SOLID_SPHERE, 20, 1e-12 }, { SOLID_SPHERE, SOLID_CAPSULE, 50, 1e-9 },
        { SOLID_CAPSULE, SOLID_SPHERE, 50, 1e-9 }, { SOLID_CAPSULE, SOLID_CAPSULE, 100, 5e-8 },
        { SOLID_SPHERE, SOLID_PLATE, 50, 1e-9 },   { SOLID_PLATE, SOLID_SPHERE, 50, 1e-9 },
    };
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        const struct pair pair = pair_of(of[k].a, of[k].b);
        double value[N_SYM];
        assert_int_equal(pair.n, 1);
        for (int i = 0; i < of[k].n; i++) {
            place_anywhere(0.6, value);
            assert_near(eval(&pair, pair.gap[0].gap, value), searched(&pair, value), of[k].tol);
        }
        expr_graph_free(pair.g);
    }
}

/* Outside the place that is nearest, by a search along each axis; inside the nearest of six faces. */
static void sphere_and_box(void **state)
{
    (void)state;
    const struct pair pair = pair_of(SOLID_SPHERE, SOLID_BOX);
    const double *half = size_of[SOLID_BOX], radius = size_of[SOLID_SPHERE][3];
    int n_inside = 0;
    for (int i = 0; i < 300; i++) {
        double value[N_SYM], depth = INFINITY, d[3];
        place_anywhere(0.5, value);
        for (int k = 0; k < 3; k++) {
            d[k] = 0;
            for (int j = 0; j < 3; j++)
                d[k] += eval(&pair, pair.b.R[j + 3 * k], value) * (value[j] - value[7 + j]);
            depth = fmin(depth, half[k] - fabs(d[k]));
        }
        if (depth > 0) {
            n_inside++;
            assert_near(eval(&pair, pair.gap[0].gap, value), -depth - radius, 1e-12);
        } else {
            double square = 0;
            for (int k = 0; k < 3; k++)
                square += pow(fmax(fabs(d[k]) - half[k], 0), 2);
            assert_near(eval(&pair, pair.gap[0].gap, value), sqrt(square) - radius, 1e-12);
        }
    }
    assert_true(n_inside > 5);
    expr_graph_free(pair.g);
}

/* --- Normals and places by finite differences
 * -------------------------------------------------------------------- */

/* The gap moves by n as a moves, by -n as b does, and by (place - middle) x n as a turns about its middle. */
static void check_slopes(enum solid_kind a, enum solid_kind b, int n_gap)
{
    static const double step = 1e-6;
    const struct pair pair = pair_of(a, b);
    assert_int_equal(pair.n, n_gap);
    for (int trial = 0; trial < 40; trial++) {
        double value[N_SYM];
        place_anywhere(0.6, value);
        for (int c = 0; c < pair.n; c++) {
            const struct solid_gap *gap = &pair.gap[c];
            double n[3], arm[3], square = 0;
            for (int i = 0; i < 3; i++) {
                n[i] = eval(&pair, gap->n[i], value);
                arm[i] = eval(&pair, gap->place[i], value) - value[i];
                square += n[i] * n[i];
            }
            assert_near(square, 1, 1e-12);
            for (int i = 0; i < 6; i++) {
                double up[N_SYM], down[N_SYM];
                const int at = i < 3 ? i : 4 + i;
                memcpy(up, value, sizeof up);
                memcpy(down, value, sizeof down);
                up[at] += step;
                down[at] -= step;
                const double slope = (eval(&pair, gap->gap, up) - eval(&pair, gap->gap, down)) / (2 * step);
                assert_near(slope, i < 3 ? n[i] : -n[i - 3], 1e-5);
            }
            for (int i = 0; i < 3; i++) { /* q + (0, e_i) q step/2: turned by the step about e_i of the world */
                const int j = (i + 1) % 3, k = (i + 2) % 3;
                const double *q = value + 3;
                double turned[4], up[N_SYM], down[N_SYM];
                turned[0] = -q[1 + i];
                turned[1 + i] = q[0];
                turned[1 + j] = -q[1 + k];
                turned[1 + k] = q[1 + j];
                memcpy(up, value, sizeof up);
                memcpy(down, value, sizeof down);
                for (int l = 0; l < 4; l++) {
                    up[3 + l] += turned[l] * step / 2;
                    down[3 + l] -= turned[l] * step / 2;
                }
                const double slope = (eval(&pair, gap->gap, up) - eval(&pair, gap->gap, down)) / (2 * step);
                assert_near(slope, arm[j] * n[k] - arm[k] * n[j], 1e-5);
            }
        }
    }
    expr_graph_free(pair.g);
}

static void normals_and_places_are_slopes(void **state)
{
    (void)state;
    check_slopes(SOLID_SPHERE, SOLID_SPHERE, 1);
    check_slopes(SOLID_SPHERE, SOLID_CAPSULE, 1);
    check_slopes(SOLID_CAPSULE, SOLID_SPHERE, 1);
    check_slopes(SOLID_CAPSULE, SOLID_CAPSULE, 1);
    check_slopes(SOLID_SPHERE, SOLID_BOX, 1);
    check_slopes(SOLID_BOX, SOLID_SPHERE, 1);
    check_slopes(SOLID_SPHERE, SOLID_PLATE, 1);
    check_slopes(SOLID_SPHERE, SOLID_PLANE, 1);
    check_slopes(SOLID_CAPSULE, SOLID_PLANE, 2);
    check_slopes(SOLID_BOX, SOLID_PLANE, 8);
    check_slopes(SOLID_PLANE, SOLID_BOX, 8);
}

/* --- Closed forms -----------------------------------------------------------------------------------------------
 */

/* Upright next to each other, crossed, in line, and with an end at a side. */
static void capsules_in_closed_form(void **state)
{
    (void)state;
    const struct pair pair = pair_of(SOLID_CAPSULE, SOLID_CAPSULE);
    const double h = sqrt(0.5), both = 2 * size_of[SOLID_CAPSULE][3];
    static const struct {
        double at[3], turn;
        double distance;
    } of[] = {
        { { 0.5, 0, 0.1 }, 0, 0.5 }, { { 0, 0.4, 0 }, 1, 0.4 },   { { 0, 0, 1 }, 0, 0.4 },
        { { 0, 0, 0.5 }, 1, 0.2 },   { { 0, 0.3, 0.7 }, 1, 0.5 },
    };
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        const double *at = of[k].at; /* the first one lies along x where it is turned, by a quarter about y */
        const double value[N_SYM] = {
            at[0], at[1], at[2], of[k].turn ? h : 1, 0, of[k].turn ? h : 0, 0, 0, 0, 0, 1, 0, 0, 0
        };
        assert_near(eval(&pair, pair.gap[0].gap, value), of[k].distance - both, 1e-12);
    }
    expr_graph_free(pair.g);
}

/* Axes 0.1 apart that cross, seen along x, 0.2 from the middle of one, at an angle: the gap is too large by as
 * much as solid.h says where the square of the angle is SOLID_PARALLEL, and hardly elsewhere. */
static void capsules_that_are_nearly_parallel(void **state)
{
    (void)state;
    const struct pair pair = pair_of(SOLID_CAPSULE, SOLID_CAPSULE);
    const double radii = 2 * size_of[SOLID_CAPSULE][3], most = SOLID_PARALLEL * 0.2 * 0.2 / (8 * 0.1);
    static const double angle[] = { 1e-5, 3e-4, 1e-3, 3e-3, 0.1, 1 };
    for (size_t k = 0; k < sizeof angle / sizeof *angle; k++) {
        const double value[N_SYM] = {
            0.1, 0.2 * sin(angle[k]), 0, cos(angle[k] / 2), sin(angle[k] / 2), 0, 0, 0, 0, 0, 1, 0, 0, 0
        };
        const double error = eval(&pair, pair.gap[0].gap, value) - (0.1 - radii);
        assert_true(error > -1e-15 && error < 1.01 * most);
        if (angle[k] >= 0.1)
            assert_true(error < 1e-10);
    }
    expr_graph_free(pair.g);
}

/* A middle on an axis, on a rectangle, on another middle: numbers, no more. */
static void nothing_breaks_at_distance_zero(void **state)
{
    (void)state;
    static const enum solid_kind of[][2] = { { SOLID_SPHERE, SOLID_SPHERE },
                                             { SOLID_SPHERE, SOLID_CAPSULE },
                                             { SOLID_SPHERE, SOLID_PLATE },
                                             { SOLID_CAPSULE, SOLID_CAPSULE },
                                             { SOLID_SPHERE, SOLID_BOX } };
    const double value[N_SYM] = { 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0 };
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        const struct pair pair = pair_of(of[k][0], of[k][1]);
        expr slope[N_SYM];
        expr_gradient(pair.g, pair.gap[0].gap, N_SYM, pair.sym, slope);
        assert_true(isfinite(eval(&pair, pair.gap[0].gap, value)));
        for (int i = 0; i < N_SYM; i++)
            assert_true(isfinite(eval(&pair, slope[i], value)));
        for (int i = 0; i < 3; i++)
            assert_true(isfinite(eval(&pair, pair.gap[0].n[i], value)));
        expr_graph_free(pair.g);
    }
}

static void other_pairs_have_no_gap(void **state)
{
    (void)state;
    static const enum solid_kind of[][2] = { { SOLID_BOX, SOLID_BOX },
                                             { SOLID_CAPSULE, SOLID_BOX },
                                             { SOLID_PLATE, SOLID_PLANE },
                                             { SOLID_PLANE, SOLID_PLANE } };
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        const struct pair pair = pair_of(of[k][0], of[k][1]);
        assert_int_equal(pair.n, 0);
        expr_graph_free(pair.g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_are_those_of_a_search),        cmocka_unit_test(sphere_and_box),
        cmocka_unit_test(normals_and_places_are_slopes),     cmocka_unit_test(capsules_in_closed_form),
        cmocka_unit_test(capsules_that_are_nearly_parallel), cmocka_unit_test(nothing_breaks_at_distance_zero),
        cmocka_unit_test(other_pairs_have_no_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
