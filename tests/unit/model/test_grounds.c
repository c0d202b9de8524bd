/* Grounds in the plane and what touches them: pieces and distances against the polyline itself, motions against
 * closed forms and against an integration from bounce to bounce that is written here and knows nothing of pieces. */
#include "core/model/geometry/ground_pieces.h"

#include "tests/unit/assertions.h"
#include "tests/unit/event_run.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846, g = 9.81;

/* --- The polyline itself --------------------------------------------------------------------------------------- */

struct line { int n; const double *at; };

/* Segment k as the place p + s d with s in [lo, hi]: the first and the last go on. */
static void segment(const struct line *line, int k, double *p, double *d, double *lo, double *hi)
{
    for (int i = 0; i < 2; i++) {
        p[i] = line->at[2 * k + i];
        d[i] = line->at[2 * k + 2 + i] - p[i];
    }
    *lo = k == 0 ? -INFINITY : 0;
    *hi = k == line->n - 2 ? INFINITY : 1;
}

/* The nearest place of the line; its distance from c. */
static double nearest(const struct line *line, const double *c, double *place)
{
    double least = INFINITY;
    for (int k = 0; k + 1 < line->n; k++) {
        double p[2], d[2], lo, hi;
        segment(line, k, p, d, &lo, &hi);
        const double s = ((c[0] - p[0]) * d[0] + (c[1] - p[1]) * d[1]) / (d[0] * d[0] + d[1] * d[1]);
        const double on = fmin(fmax(s, lo), hi), x = p[0] + on * d[0], z = p[1] + on * d[1];
        const double far = hypot(c[0] - x, c[1] - z);
        if (far < least) {
            least = far;
            place[0] = x;
            place[1] = z;
        }
    }
    return least;
}

/* Is c below a line that goes on to the right? An odd number of crossings upwards of it. */
static bool is_below(const struct line *line, const double *c)
{
    bool below = false;
    for (int k = 0; k + 1 < line->n; k++) {
        double p[2], d[2], lo, hi;
        segment(line, k, p, d, &lo, &hi);
        const double s = (c[0] - p[0]) / d[0];
        if (d[0] != 0 && s >= lo && s < hi && p[1] + s * d[1] > c[1])
            below = !below;
    }
    return below;
}

/* --- Pieces ---------------------------------------------------------------------------------------------------- */

static unsigned seed = 1;

static double random_in(double lo, double hi)
{
    seed = seed * 1664525u + 1013904223u;
    return lo + (hi - lo) * (seed >> 8) / 16777216.0;
}

/* To the right, every third segment straight up or down. */
static void make_profile(int n, double *at)
{
    at[0] = at[1] = 0;
    for (int k = 1; k < n; k++) {
        const bool is_step = random_in(0, 3) < 1 && k > 1 && k + 1 < n && at[2 * k - 2] > at[2 * k - 4];
        at[2 * k] = at[2 * k - 2] + (is_step ? 0 : random_in(0.1, 1));
        at[2 * k + 1] = at[2 * k - 1] + random_in(-0.7, 0.7);
    }
}

static double distance_to_pieces(const struct ground_pieces *pieces, const double *c)
{
    double least = INFINITY;
    for (int k = 0; k < pieces->n; k++)
        least = fmin(least, polygon_distance(&pieces->piece[k], c));
    return least;
}

/* The union of the pieces is what is below the line, and above it the least of their distances is that to the line. */
static void pieces_are_the_ground(void **state)
{
    (void)state;
    enum { N = 9 };
    double at[2 * N], place[2];
    const struct line line = { N, at };
    int k, n_below = 0;
    for (int round = 0; round < 200; round++) {
        struct arena mem = { NULL };
        struct ground_pieces pieces;
        make_profile(N, at);
        assert_int_equal(ground_cut(&mem, N, at, false, &pieces, &k), GROUND_FINE);
        for (int i = 0; i < 200; i++) {
            const double c[2] = { random_in(-1, at[2 * N - 2] + 1), random_in(-3, 3) };
            const double least = distance_to_pieces(&pieces, c), far = nearest(&line, c, place);
            n_below += is_below(&line, c);
            assert_int_equal(least < 0, is_below(&line, c));
            if (least > 0)
                assert_near(least, far, 1e-13 * fmax(1, far));
        }
        arena_free(&mem);
    }
    assert_in_range(n_below, 10000, 30000);
}

/* The same turned by any right angle, and by any angle where it goes on from its first corner to its last. */
static void grounds_may_lie_anyhow(void **state)
{
    (void)state;
    static const double stairs[] = { 0, 0, 1, 0, 0.9, 0.4, 1.8, 0.4, 1.7, 0.8, 3, 0.8 };        /* with noses */
    enum { N = 6 };
    const struct line line = { N, stairs };
    for (int turn = 0; turn < 12; turn++) {
        struct arena mem = { NULL };
        struct ground_pieces pieces;
        const double a = turn * pi / 6, e[2] = { cos(a), sin(a) };
        double at[2 * N], place[2];
        int k;
        for (int i = 0; i < N; i++) {
            at[2 * i] = e[0] * stairs[2 * i] - e[1] * stairs[2 * i + 1];
            at[2 * i + 1] = e[1] * stairs[2 * i] + e[0] * stairs[2 * i + 1];
        }
        assert_int_equal(ground_cut(&mem, N, at, false, &pieces, &k), GROUND_FINE);
        assert_int_equal(pieces.n, 3);
        assert_int_equal(pieces.n_vertex, 2);
        for (int i = 0; i < 300; i++) {
            const double c[2] = { random_in(-1, 4), random_in(-1, 2) };
            const double turned[2] = { e[0] * c[0] - e[1] * c[1], e[1] * c[0] + e[0] * c[1] };
            const double least = distance_to_pieces(&pieces, turned);
            if (least > 0)
                assert_near(least, nearest(&line, c, place), 1e-13);
        }
        arena_free(&mem);
    }
}

/* Of a regular polygon with n sides of the distance 1 from its middle; corners in either sense. */
static void closed_grounds_are_polygons(void **state)
{
    (void)state;
    enum { N = 5 };
    for (int sense = -1; sense <= 1; sense += 2) {
        struct arena mem = { NULL };
        struct ground_pieces pieces;
        double at[2 * N];
        int k;
        for (int i = 0; i < N; i++) {
            at[2 * i] = cos(sense * 2 * pi * i / N) / cos(pi / N);
            at[2 * i + 1] = sin(sense * 2 * pi * i / N) / cos(pi / N);
        }
        assert_int_equal(ground_cut(&mem, N, at, true, &pieces, &k), GROUND_FINE);
        assert_int_equal(pieces.n, 1);
        for (int i = 0; i < 2 * N; i++) {
            const double a = pi * i / N, r = i % 2 ? 1 : 1 / cos(pi / N);       /* to the middle of a side, to a corner */
            for (double far = -0.5; far < 3; far += 0.25) {
                const double c[2] = { (r + far) * cos(a), (r + far) * sin(a) };
                assert_near(polygon_distance(pieces.piece, c), far > 0 || i % 2 ? far : far * cos(pi / N), 1e-14);
            }
        }
        arena_free(&mem);
    }
}

static void faults_say_where(void **state)
{
    (void)state;
    static const struct { int n; double at[10]; bool closed; enum ground_fault fault; int k; } bad[] = {
        { 3, { 0, 0, 1, 0, 1, 0 }, false, GROUND_REPEATS, 2 },
        { 4, { 0, 0, 1, 0, 1, 1, 1, 0.5 }, false, GROUND_FOLDS, 2 },
        { 5, { 0, 0, 1, 0, 1, 1, 0, 1, 0, 0.5 }, false, GROUND_GOES_BACK, 0 },
        { 4, { 0, 0, 2, 0, 0.5, 0.5, 0, 2 }, true, GROUND_POINTS_INWARD, 2 },
        { 4, { 0, 2, 0.5, 0.5, 2, 0, 0, 0 }, true, GROUND_POINTS_INWARD, 1 },
        { 3, { 0, 0, 1, 0, 0, 0 }, true, GROUND_REPEATS, 0 },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct arena mem = { NULL };
        struct ground_pieces pieces;
        int k;
        const enum ground_fault fault = ground_cut(&mem, bad[i].n, bad[i].at, bad[i].closed, &pieces, &k);
        if (bad[i].fault == GROUND_REPEATS && bad[i].closed)
            assert_true(fault == GROUND_REPEATS || fault == GROUND_FOLDS);      /* it does both */
        else
            assert_int_equal(fault, bad[i].fault);
        if (fault == bad[i].fault && fault != GROUND_GOES_BACK)
            assert_int_equal(k, bad[i].k);
        arena_free(&mem);
    }
}

/* --- Distances as expressions ---------------------------------------------------------------------------------- */

/* For discs the distance with a gradient of length 1; for points 0 where it is, and the same up to its sign elsewhere. */
static void expressions_are_the_distance(void **state)
{
    (void)state;
    static const double stairs[] = { 0, 0, 1, 0, 1.2, -0.5, 1.2, -1, 2, -1.1, 2.1, -2, 3, -2 };
    struct arena mem = { NULL };
    struct ground_pieces pieces;
    struct expr_graph *graph = expr_graph_create();
    const expr c[2] = { expr_sym(graph, "x"), expr_sym(graph, "z") };
    int k;
    assert_int_equal(ground_cut(&mem, 7, stairs, false, &pieces, &k), GROUND_FINE);
    for (int p = 0; p < pieces.n; p++) {
        const struct polygon *piece = &pieces.piece[p];
        expr corner[40];
        assert_in_range(polygon_n_corner(piece, true), 0, 40);
        const expr round = polygon_gap(graph, piece, true, c, corner), point = polygon_gap(graph, piece, false, c, corner);
        for (int i = 0; i < 2000; i++) {
            const double at[2] = { random_in(-1, 4), random_in(-3, 2) }, want = polygon_distance(piece, at);
            assert_near(expr_eval(graph, round, 2, c, at), want, 1e-14);
            const double got = expr_eval(graph, point, 2, c, at);
            assert_true(want < 0 ? fabs(got - want) < 1e-14 : got >= 0 && got <= want + 1e-14);
        }
    }
    expr_graph_free(graph);
    arena_free(&mem);
}

/* --- Down the stairs, from bounce to bounce ------------------------------------------------------------------------ */

/* problems/stair_ball.yaml */
static const double stairs_at[] = { -0.5, 0.9, 0.4, 0.9, 0.4, 0.6, 0.85, 0.6, 0.85, 0.3, 1.3, 0.3, 1.3, 0, 2.2, 0, 2.2, 0.8 };

struct ball { double t, c[2], phi, v[2], w; };

static struct ball fly(const struct ball *from, double t)
{
    struct ball to = *from;
    const double dt = t - from->t;
    to.t = t;
    to.c[0] += dt * from->v[0];
    to.c[1] += dt * (from->v[1] - 0.5 * g * dt);
    to.v[1] -= g * dt;
    to.phi += dt * from->w;
    return to;
}

/* Flies until the ball, of radius 0.08, touches the line again. */
static void fly_on(const struct line *line, struct ball *ball)
{
    const double r = 0.08, step = 1e-4;
    double place[2], a = ball->t + step, b = a;
    for (struct ball at = fly(ball, b); nearest(line, at.c, place) > r; at = fly(ball, b)) {
        a = b;
        b += step;
    }
    for (int round = 0; round < 100; round++) {
        const struct ball at = fly(ball, 0.5 * (a + b));
        *(nearest(line, at.c, place) > r ? &a : &b) = at.t;
    }
    *ball = fly(ball, b);
}

/* Newton's law along the normal, Coulomb's across it: the tangential impulse stops the slip or is mu of the normal
 * one. */
static void bounce(const struct line *line, struct ball *ball)
{
    const double r = 0.08, m = 0.7, J = 0.4 * m * r * r, mu = 0.25, e = 0.8;
    double place[2];
    const double far = nearest(line, ball->c, place), n[2] = { (ball->c[0] - place[0]) / far, (ball->c[1] - place[1]) / far };
    const double t[2] = { n[1], -n[0] }, v_n = n[0] * ball->v[0] + n[1] * ball->v[1];
    const double v_t = t[0] * ball->v[0] + t[1] * ball->v[1] + r * ball->w;
    const double p_n = -(1 + e) * m * v_n, stops = -v_t / (1 / m + r * r / J);
    const double p_t = fabs(stops) <= mu * p_n ? stops : copysign(mu * p_n, stops);
    assert_true(v_n < 0);
    for (int i = 0; i < 2; i++)
        ball->v[i] += (p_n * n[i] + p_t * t[i]) / m;
    ball->w += r * p_t / J;
}

/* The first twelve impacts of the problem that ships: on steps, on all three edges, against the wall. */
static void balls_bounce_down_stairs(void **state)
{
    (void)state;
    const struct line line = { 9, stairs_at };
    struct event_run r = event_run_read("problems/stair_ball.yaml");
    assert_int_equal(event_run_go(&r), STATUS_OK);
    struct ball ball = { 0, { -0.1, 1.5 }, 0, { 0.75, 0.3 }, 4 };
    bool edge[9] = { false };
    for (int k = 0; k < 12; k++) {
        double place[2];
        fly_on(&line, &ball);
        assert_near(nearest(&line, ball.c, place), 0.08, 1e-12);
        for (int i = 0; i < 9; i++)
            edge[i] = edge[i] || hypot(place[0] - stairs_at[2 * i], place[1] - stairs_at[2 * i + 1]) < 1e-9;
        bounce(&line, &ball);
        const struct sim_event event = event_run_event(&r, SIM_IMPACT, k);
        const double want[] = { ball.c[0], ball.c[1], ball.phi, ball.v[0], ball.v[1], ball.w };
        assert_near(event.t, ball.t, 1e-9);
        for (int i = 0; i < 6; i++)
            assert_near(event.x_plus[i], want[i], 1e-7);        /* rounding, which edges amplify */
    }
    assert_true(edge[1] && edge[3] && edge[5]);
    event_run_free(&r);
}

/* --- Over an edge ------------------------------------------------------------------------------------------------ */

#define DISC(start, contact)                                                                                           \
    "cocp: 1\nparameters: {g: 9.81, r: 0.5, m: 2, J: 0.5*m*r^2, mu: 0}\ntime: {horizon: 3}\n"                          \
    "states:\n" start "dynamics:\n  type: mechanical\n  coordinates: {x: vx, z: vz, phi: w}\n"                         \
    "  kinetic: 0.5*m*(ddt(x)^2 + ddt(z)^2) + 0.5*J*ddt(phi)^2\n  potential: m*g*z\ncontacts:\n" contact
#define START(x, z, vx, w)                                                                                             \
    "  x: {initial: " x "}\n  z: {initial: " z "}\n  phi: {initial: 0}\n  vx: {initial: " vx "}\n  vz: {initial: 0}\n" \
    "  w: {initial: " w "}\n"
#define EDGE "{points: [[-1, 0], [0, 0], [0, -1]]}"

/* Around an edge in the distance L the middle moves as a pendulum that stands: k m v^2/2 with k = 1 where it slides
 * and 3/2 where it rolls. It leaves where v^2 = g L cos(a): cos(a) = (v_0^2 + 2 g L/k)/(g L (1 + 2/k)). */
static double leaves_at(double v, double L, double k)
{
    return (v * v + 2 * g * L / k) / (g * L * (1 + 2 / k));
}

/* Where it leaves the edge at the origin: cosine and speed against the closed form. */
static void check_leaving(const char *text, double v, double L, double k, double tol)
{
    struct event_run r = event_run_read(text);
    assert_int_equal(event_run_go(&r), STATUS_OK);
    const struct sim_event event = event_run_event(&r, SIM_LIFTOFF, 0);
    const double cosine = event.x_plus[1] / L;
    assert_near(hypot(event.x_plus[0], event.x_plus[1]), L, 1e-12);
    assert_near(cosine, leaves_at(v, L, k), tol);
    assert_near(hypot(event.x_plus[3], event.x_plus[4]), sqrt(g * L * cosine), tol);
    event_run_free(&r);
}

/* What rolls slips where the friction is no longer enough, a little before: by about 1/mu. */
static void discs_turn_about_edges(void **state)
{
    (void)state;
    check_leaving(DISC(START("-0.3", "r", "0.4", "0"), "  disc: {point: [x, z], radius: r, angle: phi, ground: " EDGE "}\n"), 0.4,
                  0.5, 1, 1e-12);
    check_leaving(DISC(START("-0.3", "r", "0.4", "-0.4/r"),
                       "  disc: {point: [x, z], radius: r, angle: phi, ground: " EDGE ", friction: 1e3}\n"), 0.4, 0.5, 1.5, 1e-3);
}

/* Faster than sqrt(g r) it does not turn: it flies from the edge on. */
static void fast_discs_fly(void **state)
{
    (void)state;
    struct event_run r = event_run_read(
        DISC(START("-0.3", "r", "2.3", "0"), "  disc: {point: [x, z], radius: r, ground: " EDGE "}\n"));
    assert_int_equal(event_run_go(&r), STATUS_OK);
    const struct sim_event event = event_run_event(&r, SIM_LIFTOFF, 0);
    assert_near(event.t, 0.3 / 2.3, 1e-12);
    assert_near(event_run_end(&r, 1), 0.5 - 0.5 * g * pow(3 - 0.3 / 2.3, 2), 1e-9);
    event_run_free(&r);
}

/* A disc rolls from the top of another one that is held: the same with the sum of the radii. */
static void discs_roll_on_discs(void **state)
{
    (void)state;
    check_leaving(DISC(START("0", "r + 0.3", "0.4", "-0.4/r"),
                       "  disc: {point: [x, z], radius: r, angle: phi, other: {point: [0, 0], radius: 0.3}, friction: 1e3}\n"), 0.4,
                  0.8, 1.5, 1e-3);
}

/* A point slides down a slope, over its edge, and falls along a parabola. */
static void points_leave_faces(void **state)
{
    (void)state;
    struct event_run r = event_run_read(
        DISC(START("-0.5", "0.375", "0", "0"), "  point: {point: [x, z], ground: {points: [[-4, 3], [0, 0], [1, -3]]}, friction: 0.25}\n"));
    const double a = g * (0.6 - 0.25 * 0.8), s = 0.625, v = sqrt(2 * a * s), t = sqrt(2 * s / a);
    r.task.t_end = t + 0.1;
    assert_int_equal(event_run_go(&r), STATUS_OK);
    const struct sim_event event = event_run_event(&r, SIM_LIFTOFF, 0);
    assert_near(event.t, t, 1e-12);
    assert_near(event_run_end(&r, 0), 0.1 * 0.8 * v, 1e-12);
    assert_near(event_run_end(&r, 1), -0.1 * 0.6 * v - 0.5 * g * 0.01, 1e-12);
    event_run_free(&r);
}

/* --- Corners that point into the ground --------------------------------------------------------------------------- */

/* In a groove of right angles both sides carry m g/sqrt(2). */
static void discs_rest_in_grooves(void **state)
{
    (void)state;
    struct event_run r = event_run_read(DISC(START("0.1", "2", "0", "0"),
        "  disc: {point: [x, z], radius: r, ground: {points: [[-1, 1], [0, 0], [1, 1]]}, restitution: 0.3}\n"));
    r.task.t_end = 20;
    assert_int_equal(event_run_go(&r), STATUS_OK);
    struct sim_contact contact[2];
    assert_int_equal(r.model->contacts.n_contact, 2);
    sim_eval_contacts(r.sim, sim_n_pieces(r.sim) - 1, 20, contact);
    for (int c = 0; c < 2; c++) {
        assert_near(contact[c].gap, 0, 1e-12);
        assert_near(contact[c].lambda_n, 2 * g / sqrt(2), 1e-9);
    }
    assert_near(event_run_end(&r, 1), 0.5 * sqrt(2), 1e-12);
    event_run_free(&r);
}

/* Along a floor against a wall and back: v, then -e v, and never off the floor. */
static void discs_come_back_from_walls(void **state)
{
    (void)state;
    struct event_run r = event_run_read(DISC(START("-1", "r", "0.5", "0"),
        "  disc: {point: [x, z], radius: r, ground: {points: [[-2, 0], [0, 0], [0, 2]]}, restitution: 0.4}\n"));
    assert_int_equal(event_run_go(&r), STATUS_OK);
    assert_near(event_run_event(&r, SIM_IMPACT, 0).t, 1, 1e-12);
    assert_near(event_run_end(&r, 0), -0.5 - 0.4 * 0.5 * 2, 1e-12);
    assert_near(event_run_end(&r, 1), 0.5, 1e-12);
    assert_int_equal(event_run_count(&r, SIM_LIFTOFF), 0);
    event_run_free(&r);
}

/* --- Boxes --------------------------------------------------------------------------------------------------------- */

/* A box that hangs over an edge by 3 cm tips about it, until it slips there: energy and the place of the edge in the box
 * say all. */
static void boxes_tip_over_edges(void **state)
{
    (void)state;
    struct event_run r = event_run_read(
        "cocp: 1\nparameters: {g: 9.81, m: 2, J: m*(0.4^2 + 0.2^2)/12}\ntime: {horizon: 0.5}\nstates:\n"
        START("0.03", "0.1", "0", "0")
        "dynamics:\n  type: mechanical\n  coordinates: {x: vx, z: vz, phi: w}\n"
        "  kinetic: 0.5*m*(ddt(x)^2 + ddt(z)^2) + 0.5*J*ddt(phi)^2\n  potential: m*g*z\n"
        "contacts: {box: {point: [x, z], box: [0.4, 0.2], angle: phi, ground: " EDGE ", friction: 5}}\n");
    const double about_edge = 2 * (0.03 * 0.03 + 0.1 * 0.1) + 2 * (0.4 * 0.4 + 0.2 * 0.2) / 12;
    assert_int_equal(r.model->contacts.n_contact, 5);
    assert_string_equal(r.model->contacts.contact[4].name, "box_edge_1");
    assert_int_equal(event_run_go(&r), STATUS_OK);
    const double t_slip = event_run_event(&r, SIM_SLIP, 0).t;
    assert_true(t_slip > 0.3);
    for (int k = 1; k <= 50; k++) {
        double x[6];
        sim_eval(r.sim, 0.02 * k * t_slip, -1, x);
        const double cosine = cos(x[2]), sine = sin(x[2]);
        assert_near(cosine * x[0] + sine * x[1], 0.03, 1e-11);
        assert_near(-sine * x[0] + cosine * x[1], 0.1, 1e-11);
        assert_near(0.5 * about_edge * x[5] * x[5], 2 * g * (0.1 - x[1]), 1e-11);
    }
    event_run_free(&r);
}

/* With rounded corners it stands as high, and slides down a slope with a = g (sin - mu cos). */
static void boxes_slide_with_rounded_corners(void **state)
{
    (void)state;
    struct event_run r = event_run_read(
        "cocp: 1\nparameters: {g: 9.81, m: 2, J: m*(0.4^2 + 0.2^2)/12}\ntime: {horizon: 1}\nstates:\n"
        "  x: {initial: 0.06}\n  z: {initial: 0.08}\n  phi: {initial: -asin(0.6)}\n"
        "  vx: {initial: 0}\n  vz: {initial: 0}\n  w: {initial: 0}\n"
        "dynamics:\n  type: mechanical\n  coordinates: {x: vx, z: vz, phi: w}\n"
        "  kinetic: 0.5*m*(ddt(x)^2 + ddt(z)^2) + 0.5*J*ddt(phi)^2\n  potential: m*g*z\n"
        "contacts: {box: {point: [x, z], box: [0.4, 0.2], radius: 0.05, angle: phi, friction: 0.2, "
        "ground: {points: [[-4, 3], [4, -3]]}}}\n");
    assert_int_equal(event_run_go(&r), STATUS_OK);
    const double s = 0.5 * g * (0.6 - 0.2 * 0.8);
    assert_near(event_run_end(&r, 0), 0.06 + 0.8 * s, 1e-11);
    assert_near(event_run_end(&r, 1), 0.08 - 0.6 * s, 1e-11);
    event_run_free(&r);
}

/* --- Ellipses, pairs
 * ------------------------------------------------------------------------------------------------- */

/* An ellipse rolls on a floor: its lowest point by search along its edge, its speed by energy, no slip. */
static void ellipses_roll(void **state)
{
    (void)state;
    struct event_run r = event_run_read(
        "cocp: 1\nparameters: {g: 9.81, m: 2, a: 0.5, b: 0.3, J: m*(a^2 + b^2)/4}\ntime: {horizon: 1.5}\nstates:\n"
        "  x: {initial: 0}\n  z: {initial: sqrt((0.5*sin(0.3))^2 + (0.3*cos(0.3))^2)}\n  phi: {initial: 0.3}\n"
        "  vx: {initial: 0}\n  vz: {initial: 0}\n  w: {initial: 0}\n"
        "dynamics:\n  type: mechanical\n  coordinates: {x: vx, z: vz, phi: w}\n"
        "  kinetic: 0.5*m*(ddt(x)^2 + ddt(z)^2) + 0.5*J*ddt(phi)^2\n  potential: m*g*z\n"
        "contacts: {egg: {point: [x, z], ellipse: [a, b], angle: phi, friction: 50}}\n");
    const double m = 2, J = m * (0.25 + 0.09) / 4;
    assert_int_equal(event_run_go(&r), STATUS_OK);
    double x[6], lowest = 0, z_0 = 0;
    for (int k = 0; k <= 30; k++) {
        sim_eval(r.sim, 0.05 * k, -1, x);
        lowest = 0;
        for (int i = 0; i < 20000; i++) {
            const double s = 2 * pi * i / 20000;
            lowest = fmin(lowest, 0.5 * cos(s) * sin(x[2]) + 0.3 * sin(s) * cos(x[2]));
        }
        z_0 = k == 0 ? x[1] : z_0;
        assert_near(x[1] + lowest, 0, 1e-7);                    /* the search is that fine */
        assert_near(x[3] + x[1] * x[5], 0, 1e-11);
        assert_near(0.5 * m * (x[3] * x[3] + x[4] * x[4]) + 0.5 * J * x[5] * x[5], m * g * (z_0 - x[1]), 1e-10);
    }
    event_run_free(&r);
}

/* Two equal discs without friction exchange what they have along the line of their middles, here at 30 degrees. */
static void discs_exchange_velocities(void **state)
{
    (void)state;
    struct event_run r = event_run_read(
        "cocp: 1\ntime: {horizon: 1}\nstates:\n  x: {initial: -1}\n  z: {initial: -0.25}\n  X: {initial: 0}\n  Z: {initial: 0}\n"
        "  vx: {initial: 2}\n  vz: {initial: 0}\n  VX: {initial: 0}\n  VZ: {initial: 0}\n"
        "dynamics:\n  type: mechanical\n  coordinates: {x: vx, z: vz, X: VX, Z: VZ}\n  mass: {diag: [1, 1, 1, 1]}\n"
        "contacts: {pair: {point: [x, z], radius: 0.3, other: {point: [X, Z], radius: 0.2}, restitution: 1}}\n");
    assert_int_equal(event_run_go(&r), STATUS_OK);
    assert_near(event_run_event(&r, SIM_IMPACT, 0).t, (1 - 0.25 * sqrt(3)) / 2, 1e-12);
    const double along = 2 * cos(pi / 6);                       /* of the velocity along the line */
    assert_near(event_run_end(&r, 6), along * cos(pi / 6), 1e-12);
    assert_near(event_run_end(&r, 7), along * sin(pi / 6), 1e-12);
    assert_near(event_run_end(&r, 4), 2 - along * cos(pi / 6), 1e-12);
    assert_near(event_run_end(&r, 5), -along * sin(pi / 6), 1e-12);
    event_run_free(&r);
}

/* A ground that moves is written by places relative to it: as a gap and a slip by hand. */
static void grounds_move_with_places(void **state)
{
    (void)state;
    struct event_run by_shape = event_run_read(DISC(START("0", "0.2", "0", "0"),
        "  lift: {point: [x - 0.5*t, z - 0.05*sin(6*t)], friction: 0.3, restitution: 0.2}\n"));
    struct event_run by_hand = event_run_read(DISC(START("0", "0.2", "0", "0"),
        "  lift: {gap: z - 0.05*sin(6*t), slip: vx - 0.5, friction: 0.3, restitution: 0.2}\n"));
    assert_int_equal(event_run_go(&by_shape), STATUS_OK);
    assert_int_equal(event_run_go(&by_hand), STATUS_OK);
    for (int i = 0; i < 6; i++)
        assert_near(event_run_end(&by_shape, i), event_run_end(&by_hand, i), 1e-10);
    event_run_free(&by_shape);
    event_run_free(&by_hand);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_the_ground),        cmocka_unit_test(grounds_may_lie_anyhow),
        cmocka_unit_test(closed_grounds_are_polygons),  cmocka_unit_test(faults_say_where),
        cmocka_unit_test(expressions_are_the_distance), cmocka_unit_test(balls_bounce_down_stairs),
        cmocka_unit_test(discs_turn_about_edges),       cmocka_unit_test(fast_discs_fly),
        cmocka_unit_test(discs_roll_on_discs),          cmocka_unit_test(points_leave_faces),
        cmocka_unit_test(discs_rest_in_grooves),        cmocka_unit_test(discs_come_back_from_walls),
        cmocka_unit_test(boxes_tip_over_edges),         cmocka_unit_test(boxes_slide_with_rounded_corners),
        cmocka_unit_test(ellipses_roll),                cmocka_unit_test(discs_exchange_velocities),
        cmocka_unit_test(grounds_move_with_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
