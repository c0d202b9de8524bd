#define _POSIX_C_SOURCE 200809L

/* test_ellipse.c - distances of ellipses by search along their edge, and motions over corners by energy,
 * by places and by the program of phases */
#include "core/model/geometry/ellipse.h"

#include "tests/unit/event_run.h"
#include "tests/unit/phase_problem.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846, g = 9.81;

static unsigned seed = 1;

static double random_in(double lo, double hi)
{
    seed = seed * 1664525u + 1013904223u;
    return lo + (hi - lo) * (seed >> 8) / 16777216.0;
}

/* --- Search along the edge ------------------------------------------------------------------------------------------ */

struct egg { double a, b, c[2], phi; };

static void edge(const struct egg *e, double s, double *p)
{
    const double x = e->a * cos(s), y = e->b * sin(s);
    p[0] = e->c[0] + cos(e->phi) * x - sin(e->phi) * y;
    p[1] = e->c[1] + sin(e->phi) * x + cos(e->phi) * y;
}

typedef double measure(const void *to, const double *p);

/* The least of a measure over the edge: the best of many places, then by golden sections beside it. */
static double least(const struct egg *e, measure *far, const void *to, double *place)
{
    enum { N = 2000 };
    double best = INFINITY, at = 0, p[2];
    for (int k = 0; k < N; k++) {
        edge(e, 2 * pi * k / N, p);
        if (far(to, p) < best) {
            best = far(to, p);
            at = 2 * pi * k / N;
        }
    }
    const double ratio = (sqrt(5) - 1) / 2;
    double a = at - 2 * pi / N, b = at + 2 * pi / N;
    for (int k = 0; k < 60; k++) {
        const double c = b - ratio * (b - a), d = a + ratio * (b - a);
        double q[2];
        edge(e, c, p);
        edge(e, d, q);
        *(far(to, p) < far(to, q) ? &b : &a) = far(to, p) < far(to, q) ? d : c;
    }
    edge(e, 0.5 * (a + b), place);
    return far(to, place);
}

static double to_point(const void *to, const double *p)
{
    const double *q = to;
    return hypot(p[0] - q[0], p[1] - q[1]);
}

static double to_polygon(const void *to, const double *p)
{
    return polygon_distance(to, p);
}

/* --- Distances ------------------------------------------------------------------------------------------------------ */

/* Of places outside and a little inside; the gradient has length 1 and is that of differences. */
static void distances_are_those_of_a_search(void **state)
{
    (void)state;
    struct expr_graph *graph = expr_graph_create();
    const expr in[4] = { expr_sym(graph, "a"), expr_sym(graph, "b"), expr_sym(graph, "x"), expr_sym(graph, "y") };
    expr grad[2];
    const expr d = ellipse_distance(graph, in, in + 2, grad);
    for (int k = 0; k < 400; k++) {
        const double s = random_in(0, 2 * pi), a = random_in(0.5, 2), b = random_in(0.8, 2) * (k % 2 ? a : 0.6), far = random_in(-0.05, 1);
        const struct egg e = { .a = a, .b = b };
        const double size = hypot(cos(s) / a, sin(s) / b);
        double val[4] = { a, b, a * cos(s) + far * cos(s) / a / size, b * sin(s) + far * sin(s) / b / size }, place[2];
        const double got = expr_eval(graph, d, 4, in, val), want = least(&e, to_point, val + 2, place), eps = 1e-6;
        assert_near(got, far, 1e-9);
        assert_near(fabs(got), want, 1e-8);                     /* golden sections: the root of rounding */
        double slope[2];
        for (int i = 0; i < 2; i++) {
            double up[4], down[4];
            memcpy(up, val, sizeof up);
            memcpy(down, val, sizeof down);
            up[2 + i] += eps;
            down[2 + i] -= eps;
            slope[i] = (expr_eval(graph, d, 4, in, up) - expr_eval(graph, d, 4, in, down)) / (2 * eps);
            assert_near(expr_eval(graph, grad[i], 4, in, val), slope[i], 1e-7);
        }
        assert_near(hypot(slope[0], slope[1]), 1, 1e-7);
    }
    expr_graph_free(graph);
}

/* Outside of a nose and of a post: the distance of the edge to the polygon, the normal and the arm those of the
 * places where that is, and exactly one patch whose signs all hold. */
static void check_polygon(const struct polygon *polygon)
{
    struct expr_graph *graph = expr_graph_create();
    const expr in[5] = { expr_sym(graph, "a"), expr_sym(graph, "b"), expr_sym(graph, "x"), expr_sym(graph, "z"), expr_sym(graph, "phi") };
    const int n_corner = polygon_n_corner(polygon, true), n_patch = polygon_n_patch(polygon, true);
    expr *corner = malloc((size_t)n_corner * sizeof *corner);
    signed char *sign = malloc((size_t)(n_corner * n_patch));
    int n_seen = 0, n_vertex = 0;
    const struct ellipse_gap on = ellipse_on_polygon(graph, polygon, in, in + 2, in[4], corner);
    polygon_patches(polygon, true, sign);
    for (int k = 0; k < 600; k++) {
        const double val[5] = { random_in(0.3, 0.6), random_in(0.25, 0.5), random_in(-2, 2), random_in(-2, 2), random_in(-4, 4) };
        const struct egg e = { val[0], val[1], { val[2], val[3] }, val[4] };
        double place[2];
        const double want = least(&e, to_polygon, polygon, place);
        if (want < 1e-3 || polygon_distance(polygon, e.c) < 0)
            continue;
        n_seen++;
        assert_near(expr_eval(graph, on.gap, 5, in, val), want, 1e-7);
        double n[2], slope[2];
        int n_held = 0;
        for (int i = 0; i < 2; i++) {                           /* of the polygon's distance at the place that is nearest */
            double up[2] = { place[0], place[1] }, down[2] = { place[0], place[1] };
            up[i] += 1e-6;
            down[i] -= 1e-6;
            slope[i] = (polygon_distance(polygon, up) - polygon_distance(polygon, down)) / 2e-6;
            n[i] = expr_eval(graph, on.n[i], 5, in, val);
            assert_near(n[i], slope[i], 1e-3);                  /* as well as the search knows the place */
        }
        for (int f = 0; f < n_patch; f++) {
            bool is_on = true;
            for (int i = 0; i < n_corner; i++)
                is_on = is_on && sign[f * n_corner + i] * expr_eval(graph, corner[i], 5, in, val) >= 0;
            n_held += is_on && f % 2;
        }
        const bool is_vertex = n_held > 0;
        n_vertex += is_vertex;
        assert_in_range(n_held, 0, 1);
        if (!is_vertex)
            for (int i = 0; i < 2; i++)
                assert_near(val[2 + i] + expr_eval(graph, on.arm[i], 5, in, val), place[i], 1e-4);
    }
    assert_true(n_seen > 150 && n_vertex > 40 && n_vertex < n_seen - 40);
    free(corner);
    free(sign);
    expr_graph_free(graph);
}

static void gaps_are_those_of_a_search(void **state)
{
    (void)state;
    struct polygon_face post[4] = { { { -0.4, -0.3 }, { 0, 1 } }, { { -0.4, 0.3 }, { 1, 0 } }, { { 0.4, 0.3 }, { 0, -1 } },
                                    { { 0.4, -0.3 }, { -1, 0 } } };
    struct polygon_face nose[3] = { { { -0.5, 0 }, { 0.6, 0.8 } }, { { -0.5, 0 }, { 1, 0 } }, { { 0.8, 0 }, { 0.8, -0.6 } } };
    check_polygon(&(struct polygon){ 4, post, true });
    check_polygon(&(struct polygon){ 3, nose, false });
}

/* --- Motions -------------------------------------------------------------------------------------------------------- */

#define EGG(intervals)                                                                                                 \
    "cocp: 1\nparameters: {g: 9.81, m: 2, a: 0.5, b: 0.3, J: m*(a^2 + b^2)/4}\n"                                       \
    "time: {horizon: 0.6" intervals "}\nstates:\n"                                                                     \
    "  x: {initial: -0.05}\n  z: {initial: b}\n  phi: {initial: 0}\n  vx: {initial: 0.6}\n  vz: {initial: 0}\n"         \
    "  w: {initial: -0.6/b}\n"                                                                                         \
    "dynamics:\n  type: mechanical\n  coordinates: {x: vx, z: vz, phi: w}\n"                                           \
    "  kinetic: 0.5*m*(ddt(x)^2 + ddt(z)^2) + 0.5*J*ddt(phi)^2\n  potential: m*g*z\n"                                  \
    "contacts: {egg: {point: [x, z], ellipse: [a, b], angle: phi, friction: 50, ground: {points: [[-1, 0], [0, 0], [0.6, -0.8]]}}}\n"

/* An ellipse rolls over an edge: it touches, by search; energy stays; where it touches, it does not move. */
static void ellipses_roll_over_edges(void **state)
{
    (void)state;
    struct event_run r = event_run_solved(EGG(""));
    const double m = 2, J = 0.17;
    struct polygon_face face[2] = { { { 0, 0 }, { 1, 0 } }, { { 0, 0 }, { 0.6, -0.8 } } };
    const struct polygon edge_of = { 2, face, false };
    const double t_end = event_run_count(&r, SIM_LIFTOFF) > 0 ? event_run_event(&r, SIM_LIFTOFF, 0).t : 0.6;
    double x[6], at_edge = 0, energy = 0;
    for (int k = 0; k <= 30; k++) {
        double place[2];
        sim_eval(r.sim, t_end * k / 30, -1, x);
        const struct egg e = { 0.5, 0.3, { x[0], x[1] }, x[2] };
        const double now = 0.5 * m * (x[3] * x[3] + x[4] * x[4]) + 0.5 * J * x[5] * x[5] + m * g * x[1];
        energy = k ? energy : now;
        assert_near(least(&e, to_polygon, &edge_of, place), 0, 1e-9);
        assert_near(now, energy, 1e-9);
        at_edge += hypot(place[0], place[1]) < 1e-6;
        assert_near(x[3] - x[5] * (place[1] - x[1]), 0, 1e-4);  /* as well as the search knows the place */
        assert_near(x[4] + x[5] * (place[0] - x[0]), 0, 1e-4);
    }
    assert_true(t_end > 0.2 && at_edge > 3);
    event_run_free(&r);
}

/* The program of its sequence ends where the simulation does. */
static void programs_roll_them_too(void **state)
{
    (void)state;
    static const char spec[] = EGG(", intervals: 1, elements: 1");
    struct phase_problem problem = phase_read(spec, 4, 6);
    struct event_run run = event_run_solved(spec);
    struct extract found;
    struct finish out;
    assert_true(extract_simulation(problem.sys, run.sim, &found));
    assert_int_equal(sequence_patch(found.seq, 0)[0], 1);
    assert_true(found.seq->n_event > 0 && sequence_turns(found.seq, 0));
    assert_int_equal(finish_solve(&problem.task, found.seq, found.samples, FINISH_COLD, 100, &out, problem.small.diag), STATUS_OK);
    assert_true(out.solved);
    for (int i = 0; i < 6; i++)
        assert_near(phase_final(&out, i), event_run_end(&run, i), 2e-5);        /* the scheme's error */
    finish_free(&out);
    extract_free(&found);
    event_run_free(&run);
    phase_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_a_search), cmocka_unit_test(gaps_are_those_of_a_search),
        cmocka_unit_test(ellipses_roll_over_edges),        cmocka_unit_test(programs_roll_them_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
