#define _POSIX_C_SOURCE 200809L

/* test_patches.c - contacts that stay closed around edges: patches against the nearest place of the
 * polygon, and programs of sequences with patches against closed forms, quadrature and the simulator */
#include "tests/unit/event_run.h"
#include "tests/unit/phase_problem.h"
#include "tests/unit/sequence_text.h"

#include "transcription/sequence/patches.h"

#include <stdlib.h>
#include <string.h>

static const double g = 9.81;

/* --- Polygons ---------------------------------------------------------------------------------------------------- */

static unsigned seed = 1;

static double random_in(double lo, double hi)
{
    seed = seed * 1664525u + 1013904223u;
    return lo + (hi - lo) * (seed >> 8) / 16777216.0;
}

/* The face, 2 j, or the corner, 2 j + 1, that is nearest to c, by all segments; rays are long ones. */
static int nearest(const struct polygon *polygon, const double *c)
{
    double least = INFINITY;
    int best = -1;
    for (int j = 0; j < polygon->n_face; j++) {
        const struct polygon_face *face = &polygon->face[j];
        const bool from_afar = j == 0 && !polygon->closed, goes_on = j + 1 == polygon->n_face && !polygon->closed;
        double end[2] = { 0, 0 };
        if (!goes_on)
            polygon_vertex(polygon, j, end);
        const double *a = from_afar ? end : face->a;
        const double lo = from_afar ? -1e3 : 0, hi = goes_on ? 1e3 : from_afar ? 0 : hypot(end[0] - a[0], end[1] - a[1]);
        const double s = (c[0] - a[0]) * face->t[0] + (c[1] - a[1]) * face->t[1], on = fmin(fmax(s, lo), hi);
        const double far = hypot(c[0] - a[0] - on * face->t[0], c[1] - a[1] - on * face->t[1]);
        if (far < least - 1e-12) {
            least = far;
            best = s > hi ? 2 * j + 1 : s < lo ? 2 * ((j + polygon->n_face - 1) % polygon->n_face) + 1 : 2 * j;
        }
    }
    return best;
}

/* Outside, exactly one patch of a disc has all its signs: that of the nearest face or corner. */
static void check_patches(const struct polygon *polygon)
{
    struct expr_graph *graph = expr_graph_create();
    const expr c[2] = { expr_sym(graph, "x"), expr_sym(graph, "z") };
    const int n_patch = polygon_n_patch(polygon, true), n_corner = polygon_n_corner(polygon, true);
    expr *corner = malloc((size_t)n_corner * sizeof *corner);
    signed char *sign = malloc((size_t)(n_patch * n_corner));
    int n_seen = 0;
    (void)polygon_gap(graph, polygon, true, c, corner);
    polygon_patches(polygon, true, sign);
    for (int i = 0; i < 3000; i++) {
        const double at[2] = { random_in(-3, 3), random_in(-3, 3) };
        if (polygon_distance(polygon, at) < 1e-3)
            continue;
        n_seen++;
        for (int f = 0; f < n_patch; f++) {
            bool is_on = true;
            for (int k = 0; k < n_corner; k++)
                is_on = is_on && sign[f * n_corner + k] * expr_eval(graph, corner[k], 2, c, at) >= 0;
            if (f == nearest(polygon, at))
                assert_true(is_on);
        }
    }
    assert_true(n_seen > 1000);
    for (int f = 0; f < n_patch; f++)                           /* beside each other in their order, and no others */
        for (int h = 0; h < n_patch; h++) {
            bool beside = false;
            for (int k = 0; k < n_corner; k++)
                beside = beside || sign[f * n_corner + k] * sign[h * n_corner + k] < 0;
            const int far = abs(f - h), apart = polygon->closed && far > n_patch / 2 ? n_patch - far : far;
            assert_int_equal(beside, apart == 1);
        }
    free(corner);
    free(sign);
    expr_graph_free(graph);
}

static void patches_are_what_is_nearest(void **state)
{
    (void)state;
    struct polygon_face post[4] = { { { -1, -1 }, { 0, 1 } }, { { -1, 1 }, { 1, 0 } }, { { 1, 1 }, { 0, -1 } }, { { 1, -1 }, { -1, 0 } } };
    struct polygon_face nose[3] = { { { -0.5, 0 }, { 0.6, 0.8 } }, { { -0.5, 0 }, { 1, 0 } }, { { 0.8, 0 }, { 0.8, -0.6 } } };
    check_patches(&(struct polygon){ 4, post, true });
    check_patches(&(struct polygon){ 3, nose, false });
}

/* --- Sequences --------------------------------------------------------------------------------------------------- */

/* Digits after a contact's letter are its patch; one that opens at the end of it keeps the one to which it went. */
static void text_has_patches(void **state)
{
    (void)state;
    static const char *const text[] = { "k1o 0.5 k2o 1.5 k3+12 2 o+12", "c1k 0.5 o2k" };
    for (int k = 0; k < 2; k++) {
        struct sequence *seq = sequence_read(2, 0, 0, text[k]);
        assert_non_null(seq);
        assert_text(seq, text[k]);
        assert_true(sequence_contact_turns(seq, 0, 0) && !sequence_contact_turns(seq, 0, 1) && sequence_turns(seq, 0));
        sequence_free(seq);
    }
    assert_null(sequence_read(1, 0, 0, "k256"));
    assert_null(sequence_read(1, 0, 0, "k0"));
    struct sequence *a = sequence_read(1, 0, 0, "k1 0.5 k2"), *b = sequence_read(1, 0, 0, "k1 0.5 k3");
    assert_false(sequence_equal(a, b));
    sequence_simplify(a, NULL);
    assert_int_equal(a->n_event, 1);                            /* another patch is another mode */
    sequence_free(a);
    sequence_free(b);
}

/* --- Around an edge ------------------------------------------------------------------------------------------------ */

#define DISC(horizon, start, contact)                                                                                  \
    "cocp: 1\nparameters: {g: 9.81, r: 0.5, m: 2, J: 0.5*m*r^2}\n"                                                     \
    "time: {horizon: " horizon ", intervals: 1, elements: 1}\nstates:\n" start                                         \
    "dynamics:\n  type: mechanical\n  coordinates: {x: vx, z: vz, phi: w}\n"                                           \
    "  kinetic: 0.5*m*(ddt(x)^2 + ddt(z)^2) + 0.5*J*ddt(phi)^2\n  potential: m*g*z\ncontacts:\n" contact
#define START(x, z, vx, w)                                                                                             \
    "  x: {initial: " x "}\n  z: {initial: " z "}\n  phi: {initial: 0}\n  vx: {initial: " vx "}\n  vz: {initial: 0}\n" \
    "  w: {initial: " w "}\n"
#define EDGE "{points: [[-1, 0], [0, 0], [0, -1]]}"

/* The sequence of the simulation, finished. */
static struct finish finish_simulation(struct phase_problem *problem, const char *spec, const char *want)
{
    struct event_run run = event_run_solved(spec);
    struct extract found;
    struct finish out;
    assert_true(extract_simulation(problem->sys, run.sim, &found));
    assert_text(found.seq, want);
    assert_true(patches_allow(problem->sys, found.seq));
    assert_int_equal(finish_solve(&problem->task, found.seq, found.samples, FINISH_COLD, 100, &out, problem->small.diag), STATUS_OK);
    assert_true(out.solved);
    extract_free(&found);
    event_run_free(&run);
    return out;
}

/* States at event j: the left boundary of the element that it begins. */
static void event_at(const struct finish *out, int j, double *t, double *x)
{
    double start[50], event[20];
    int k = 0;
    phases_times(out->ph, out->w, start, event);
    while (out->ph->piece[k].before != j) k++;
    const int *left = phases_left(out->ph, out->ph->piece[k].first);
    *t = event[j];
    for (int i = 0; i < 6; i++)
        x[i] = out->w[left[i]];
}

/* Slides over the edge at 0.4 m/s, turns about it as a pendulum that stands, and leaves it where v^2 = g r cos(a): with
 * v^2 = v_0^2 + 2 g r (1 - cos(a)). */
static void a_disc_slides_around_an_edge(void **state)
{
    (void)state;
    static const char spec[] = DISC("1.4", START("-0.3", "r", "0.4", "0"), "  disc: {point: [x, z], radius: r, ground: " EDGE "}\n");
    struct phase_problem problem = phase_read(spec, 4, 8);
    struct finish out = finish_simulation(&problem, spec, "c1 0.5 c2 0.5 o");
    const double cosine = (0.16 + 2 * g * 0.5) / (3 * g * 0.5);
    double t, x[6];
    event_at(&out, 0, &t, x);
    assert_near(t, 0.3 / 0.4, 1e-10);
    event_at(&out, 1, &t, x);
    assert_near(x[1], 0.5 * cosine, 1e-7);                      /* the order of the scheme: 1e-5 with four elements */
    assert_near(hypot(x[3], x[4]), sqrt(g * 0.5 * cosine), 1e-6);
    finish_free(&out);
    phase_free(&problem);
}

/* Too fast to turn about the edge, v^2 > g r, it opens there: by no force, and in the horizontal. */
static void a_fast_disc_opens_at_the_edge(void **state)
{
    (void)state;
    static const char spec[] = DISC("0.3", START("-0.3", "r", "2.3", "0"), "  disc: {point: [x, z], radius: r, ground: " EDGE "}\n");
    struct phase_problem problem = phase_read(spec, 3, 1);
    struct finish out = finish_simulation(&problem, spec, "c1 0.5 o2");
    double t, x[6];
    event_at(&out, 0, &t, x);
    assert_near(t, 0.3 / 2.3, 1e-12);
    assert_near(phase_final(&out, 1), 0.5 - 0.5 * g * pow(0.3 - 0.3 / 2.3, 2), 1e-12);
    finish_free(&out);
    phase_free(&problem);
}

/* A point slides down a slope, past its end, and falls along a parabola. */
static void a_point_runs_off_its_face(void **state)
{
    (void)state;
    static const char spec[] = DISC("0.7", START("-0.5", "0.375", "0", "0"),
        "  point: {point: [x, z], ground: {points: [[-4, 3], [0, 0], [1, -3]]}, friction: 0.25}\n");
    struct phase_problem problem = phase_read(spec, 3, 1);
    struct finish out = finish_simulation(&problem, spec, "+1 0.5 o2");
    const double a = g * (0.6 - 0.25 * 0.8), s = 0.625, v = sqrt(2 * a * s), t_end = sqrt(2 * s / a), rest = 0.7 - t_end;
    double t, x[6];
    event_at(&out, 0, &t, x);
    assert_near(t, t_end, 1e-10);
    assert_near(phase_final(&out, 0), rest * 0.8 * v, 1e-10);
    assert_near(phase_final(&out, 1), -rest * 0.6 * v - 0.5 * g * rest * rest, 1e-10);
    finish_free(&out);
    phase_free(&problem);
}

/* A box slides over an edge and tips about it: a corner runs off its face as the edge comes under the box, with no
 * impact; the other corner lifts; then the box turns about the edge and slides on it. The program of that sequence
 * ends where the simulation does. */
static void a_box_tips_over_an_edge(void **state)
{
    (void)state;
    static const char spec[] =
        "cocp: 1\nparameters: {g: 9.81, m: 2, J: m*(0.4^2 + 0.2^2)/12}\ntime: {horizon: 0.5, intervals: 1, elements: 1}\n"
        "states:\n" START("-0.25", "0.1", "1", "0")
        "dynamics:\n  type: mechanical\n  coordinates: {x: vx, z: vz, phi: w}\n"
        "  kinetic: 0.5*m*(ddt(x)^2 + ddt(z)^2) + 0.5*J*ddt(phi)^2\n  potential: m*g*z\n"
        "contacts: {box: {point: [x, z], box: [0.4, 0.2], angle: phi, ground: " EDGE ", friction: 0.1}}\n";
    struct phase_problem problem = phase_read(spec, 4, 8);
    struct event_run run = event_run_solved(spec);
    struct finish out = finish_simulation(&problem, spec, "+1oo+1o 0.5 +1ooo2+4 0.5 oooo+4");
    for (int i = 0; i < 6; i++)
        assert_near(phase_final(&out, i), event_run_end(&run, i), 1e-7);
    finish_free(&out);
    event_run_free(&run);
    phase_free(&problem);
}

/* --- The least pull over a kerb ------------------------------------------------------------------------------------- */

/* A wheel of radius 0.3 before a kerb of height 0.06, pulled at the axle by F, without friction. */
#define PULL(horizon)                                                                                                  \
    "cocp: 1\nparameters: {g: 9.81, m: 10, r: 0.3, h: 0.06, F: {value: 90, optimize: [0, 500]}}\n"                     \
    "time: {horizon: " horizon ", intervals: 1, elements: 1}\n"                                                        \
    "states:\n  x: {initial: -0.18, final: 0.1}\n  z: {initial: r}\n  vx: {initial: 0}\n  vz: {initial: 0}\n"           \
    "dynamics:\n  type: mechanical\n  coordinates: {x: vx, z: vz}\n  mass: {diag: [m, m]}\n  force: {x: F, z: -m*g}\n"  \
    "contacts: {wheel: {point: [x, z], radius: r, ground: {points: [[-1, 0], [0, 0], [0, h], [1, h]]}}}\n"              \
    "cost: {terminal: {pull: F}}\n"

/* The time that it takes: around the edge 10 r^2 w^2/2 = F (x + 0.18) - 98.1 (z - 0.3), over the angle from the
 * vertical a; with a = a_0 cos^2(s) the root at the start goes. Then along the ledge with F/10. */
static double time_over(double F)
{
    const int n = 4000;
    const double r = 0.3, a_0 = asin(0.6), pi_2 = acos(0);
    double sum = 0, w = 0;
    for (int k = 0; k < n; k++) {
        const double s = pi_2 * (k + 0.5) / n, a = a_0 * cos(s) * cos(s);
        w = sqrt(2 * (F * (0.18 - r * sin(a)) - 98.1 * (r * cos(a) - 0.24)) / 10) / r;
        sum += a_0 * 2 * cos(s) * sin(s) / w * pi_2 / n;
    }
    const double v = sqrt(2 * (F * 0.18 - 98.1 * 0.06) / 10), b = F / 10;
    return sum + (sqrt(v * v + 2 * b * 0.1) - v) / b;
}

/* The slower, the less; in the limit what statics say: F = W sqrt(2 r h - h^2)/(r - h) = 0.75 W lifts it. */
static void the_least_pull_lifts_a_wheel(void **state)
{
    (void)state;
    static const char *const spec[] = { PULL("0.6"), PULL("1"), PULL("1.6") };
    const double lifts = 98.1 * sqrt(2 * 0.3 * 0.06 - 0.06 * 0.06) / (0.3 - 0.06);
    const double guess[] = { 0.4, 0.7, 1.2 }, horizon[] = { 0.6, 1, 1.6 };
    double before = INFINITY;
    assert_near(lifts, 0.75 * 98.1, 1e-12);
    for (int k = 0; k < 3; k++) {
        struct phase_problem problem = phase_read(spec[k], 4, 12);
        struct finish out = phase_solve(&problem, "oc2 0.5 oc3", &guess[k]);
        const double F = out.w[out.ph->at.p];
        assert_near(time_over(F), horizon[k], 1e-5);          /* the quadrature is that good */
        assert_true(F > lifts && F < before);
        before = F;
        finish_free(&out);
        phase_free(&problem);
    }
    assert_near(before, lifts, 0.02 * lifts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patches_are_what_is_nearest),  cmocka_unit_test(text_has_patches),
        cmocka_unit_test(a_disc_slides_around_an_edge), cmocka_unit_test(a_fast_disc_opens_at_the_edge),
        cmocka_unit_test(a_point_runs_off_its_face),    cmocka_unit_test(a_box_tips_over_an_edge),
        cmocka_unit_test(the_least_pull_lifts_a_wheel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
