/* What the replay of a solution finds: solutions exact by closed forms, and ones spoilt in one respect. */
#include "core/replay/replay.h"

#include "tests/unit/assertions.h"
#include "tests/unit/read_spec.h"

#include <stdlib.h>
#include <string.h>

struct fixture { struct diag *diag; struct spec *spec; struct model *model; struct replay_report report; };

static struct fixture open_spec(const char *text)
{
    struct fixture f = { .diag = diag_create() };
    read_spec(text, MODEL_FOR_SIMULATE, f.diag, &f.spec, &f.model);
    return f;
}

static void close_spec(struct fixture *f)
{
    replay_report_free(&f->report);
    model_free(f->model);
    spec_free(f->spec);
    diag_free(f->diag);
}

static const struct replay_report *verify(struct fixture *f, const struct replay_solution *solution, double tol)
{
    const struct replay_settings settings = { .tol = tol, .tol_others = tol, .floor = 1, .rtol = 1e-12,
                                              .atol = 1e-14, .max_events = 1000,
                                              .max_seconds = INFINITY, .restitution = JUMP_NEWTON };
    replay_report_free(&f->report);
    const enum status st = replay_verify(f->model, solution, &settings, &f->report, f->diag);
    if (st != STATUS_OK)
        fail_msg("%s", diag_line(f->diag, 0));
    return &f->report;
}

static const struct finding *finding(const struct replay_report *report, const char *name)
{
    for (int k = 0; k < report->findings.n; k++)
        if (strcmp(report->findings.row[k].name, name) == 0)
            return &report->findings.row[k];
    fail_msg("no finding is called %s", name);
    return NULL;
}

static int fails(const struct replay_report *report, const char *name)
{
    return finding_fails(finding(report, name));
}

/* The ball of cases.md 1, ball 2D: closed form at any time, left limits at the impact. */
static const char *const ball =
    "cocp: 1\nname: ball\ntime: {horizon: 3, intervals: 1}\n"
    "states: {q1: {initial: 0}, q2: {initial: 1}, v1: {initial: 4}, v2: {initial: 0}}\n"
    "dynamics: {type: mechanical, coordinates: {q1: v1, q2: v2}, mass: {diag: [1, 1]}, force: {q2: -10}}\n"
    "contacts: {ground: {gap: q2, tangent: q1, friction: 0.3}}\n"
    "cost: {running: {way: v1}, terminal: {height: q2}}\n";

enum { N_BALL = 31 };
#define IMPACT sqrt(0.2)

struct ball_solution {
    double x[N_BALL + 2][4], force[N_BALL + 2][CONTACT_ROWS], t_interval[1];
    struct replay_point point[N_BALL + 2];
    struct replay_event event[2];
    struct replay_solution solution;
};

static void ball_at(double t, bool after, double *x, double *force)
{
    const double t_i = IMPACT, v = 4 - 0.3 * sqrt(20), s = fmin(t, 4.0 / 3) - t_i;
    const bool slips = t < 4.0 / 3;
    const double free_fall[4] = { 4 * t, 1 - 5 * t * t, 4, -10 * t };
    const double slide[4] = { 4 * t_i + v * s - 1.5 * s * s, 0, v - 3 * s, 0 };
    memcpy(x, after ? slide : free_fall, sizeof free_fall);
    force[0] = after ? 10 : 0;
    force[1] = after && slips ? -3 : 0;
    force[2] = force[3] = 0;
}

static void make_ball(struct ball_solution *b)
{
    int n = 0;
    memset(b, 0, sizeof *b);
    for (int k = 0; k < N_BALL; k++) {
        const double t = 3.0 * k / (N_BALL - 1);
        if (t > IMPACT && n == (int)(IMPACT * (N_BALL - 1) / 3) + 1)
            for (int side = -1; side <= 1; side += 2) {
                ball_at(IMPACT, side > 0, b->x[n], b->force[n]);
                b->point[n] = (struct replay_point){ IMPACT, IMPACT, n, false, side, b->x[n], b->force[n] };
                n++;
            }
        ball_at(t, t > IMPACT, b->x[n], b->force[n]);
        b->point[n] = (struct replay_point){ t, t, n, false, 0, b->x[n], b->force[n] };
        n++;
    }
    b->event[0] = (struct replay_event){ .t = IMPACT, .kind = "impact", .name = "ground",
                                         .impulse = { sqrt(20), -0.3 * sqrt(20), 0 } };
    b->event[1] = (struct replay_event){ .t = 4.0 / 3, .kind = "stick", .name = "ground" };
    b->solution = (struct replay_solution){ .n_point = n, .point = b->point,
                                            .controls = { 1, b->t_interval, NULL }, .n_event = 2, .event = b->event,
                                            .objective = 2.0 / 3 * 4.45 };
}

/* Errors of the closed form's own rounding and of the simulation at rtol 1e-12. What a relaxation leaves of a
 * force in flight closes no contact; of the largest force it is 1e-8. */
static void exact_solution_is_verified(void **state)
{
    (void)state;
    struct fixture f = open_spec(ball);
    struct ball_solution b;
    make_ball(&b);
    b.force[0][0] = 1e-7;
    const struct replay_report *report = verify(&f, &b.solution, 1e-9);
    assert_int_equal(report->status, STATUS_OK);
    assert_null(report->reason);
    assert_true(report->error < 1e-11 && report->error_worst < 1e-11 && report->interval_worst < 1e-11);
    assert_int_equal(report->n_matched, 2);
    assert_int_equal(report->n_missing + report->n_extra, 0);
    assert_true(report->event_error < 1e-11);
    assert_true(report->penetration < 1e-15 && report->cone < 1e-15);
    assert_true(report->energy < 1e-11);
    assert_near(report->objective, 2.0 / 3 * 4.45, 1e-11);      /* the way, and a height of zero */
    assert_true(report->objective_error < 1e-11);
    close_spec(&f);
}

/* A contact that never closes: its largest force is what the relaxation leaves, and moves nothing. */
static void residue_alone_closes_nothing(void **state)
{
    (void)state;
    struct fixture f = open_spec("cocp: 1\nname: flight\ntime: {horizon: 1, intervals: 1}\n"
                                 "states: {q: {initial: 2}, v: {initial: 3}}\n"
                                 "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [1]}, force: {q: -1}}\n"
                                 "contacts: {ground: {gap: q}}\n");
    const double start[] = { 2, 3 }, end[] = { 4.5, 2 }, residue[CONTACT_ROWS] = { 5e-9 }, t = 0;
    const struct replay_point point[] = { { .t = 0, .x = start, .force = residue },
                                          { .t = 1, .t_num = 1, .element = 1, .x = end, .force = residue } };
    const struct replay_solution solution = { .n_point = 2, .point = point, .controls = { 1, &t, NULL } };
    const struct replay_report *report = verify(&f, &solution, 1e-9);
    assert_int_equal(report->status, STATUS_OK);
    assert_true(report->interval_worst < 1e-11);
    close_spec(&f);
}

static void each_fault_is_found(void **state)
{
    (void)state;
    struct fixture f = open_spec(ball);
    struct ball_solution b;
    make_ball(&b);
    b.x[b.solution.n_point - 1][0] += 0.003;                    /* of a state that is at most 2.97: scale 2.97 */
    const struct replay_report *report = verify(&f, &b.solution, 1e-4);
    assert_int_equal(report->status, STATUS_UNVERIFIED);
    assert_near(report->error, 0.003 / (2.0 / 3 * 4.45 + 0.003), 1e-9);
    assert_int_equal(report->state, 0);
    assert_non_null(strstr(report->reason, "q1 is off by 0.001 at the end"));
    assert_false(report->unstable);

    make_ball(&b);
    b.x[3][2] += 0.01;                                          /* v1, at most 4 */
    report = verify(&f, &b.solution, 1e-4);
    assert_int_equal(report->status, STATUS_UNVERIFIED);        /* though the end is met */
    assert_true(report->error < 1e-11);
    assert_non_null(strstr(report->reason, "v1 is off by 0.0025 at t = 0.3, the tolerance is 0.0001"));
    assert_near(report->error_worst, 0.01 / 4.01, 1e-9);
    assert_int_equal(report->state_worst, 2);
    assert_near(report->t_worst, 0.3, 1e-15);

    make_ball(&b);
    b.event[1].t += 2e-3;
    b.event[0].kind = "liftoff";
    b.force[20][1] = 4;
    b.solution.objective += 1;
    report = verify(&f, &b.solution, 1e-4);
    assert_int_equal(report->n_matched, 1);
    assert_int_equal(report->n_missing, 1);
    assert_int_equal(report->n_extra, 1);
    assert_near(report->event_error, 2e-3, 1e-11);
    assert_near(report->cone, (4 - 0.3 * 10) / 10, 1e-14);
    assert_near(report->objective_error, 1 / (2.0 / 3 * 4.45), 1e-9);
    assert_int_equal(fails(report, "events not met") + fails(report, "outside friction cone") + fails(report, "objective"),
                     3);
    close_spec(&f);
}

/* The ball lies still from 4/3 s on, where slipping at no speed is sticking; what the impact does to friction is part of
 * it. In flight and while it slides the same words are wrong. */
static void words_of_friction_that_move_nothing_are_met(void **state)
{
    (void)state;
    static const struct { double t; const char *kind; int missed; } word[] = {
        { 2, "slip", 0 }, { 2.5, "reversal", 0 }, { 2, "liftoff", 1 }, { 0.2, "slip", 1 }, { 0.8, "stick", 1 },
    };
    struct fixture f = open_spec(ball);
    struct ball_solution b;
    for (size_t k = 0; k < sizeof word / sizeof *word; k++) {
        make_ball(&b);
        b.event[1] = (struct replay_event){ .t = word[k].t, .kind = word[k].kind, .name = "ground" };
        const struct replay_report *report = verify(&f, &b.solution, 1e-4);
        assert_int_equal(fails(report, "events not met"), word[k].missed);
        assert_int_equal(report->status == STATUS_OK, !word[k].missed);
        assert_null(report->event_unjudged[0]);                   /* the impact is judged */
        assert_int_equal(report->event_unjudged[1] != NULL, !word[k].missed);
    }
    make_ball(&b);
    b.event[1] = (struct replay_event){ .t = IMPACT, .kind = "slip", .name = "ground" };
    assert_int_equal(verify(&f, &b.solution, 1e-4)->status, STATUS_OK);
    assert_string_equal(f.report.event_unjudged[1], "part of the impact at this time");
    make_ball(&b);
    b.event[1].t = 2;                           /* two thirds of a second late, when nothing moves any more */
    assert_int_equal(verify(&f, &b.solution, 1e-4)->status, STATUS_OK);
    assert_string_equal(f.report.event_unjudged[1], "the contact is still before and after it");
    assert_int_equal(f.report.event_farthest, 1);
    assert_near(f.report.event_error, 2.0 / 3, 1e-11);
    close_spec(&f);
}

/* Rest that ends again within the window, a thousandth of the horizon, is sliding on; a longer one is not. */
static void rest_of_no_length_is_met(void **state)
{
    (void)state;
    static const struct { double length; int missed; } row[] = { { 0, 0 }, { 2.9e-3, 0 }, { 3.1e-3, 1 }, { 0.1, 1 } };
    struct fixture f = open_spec(ball);
    struct ball_solution b;
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        make_ball(&b);
        struct replay_event event[] = { b.event[0], { .t = 0.8, .kind = "stick", .name = "ground" },
                                        { .t = 0.8 + row[k].length, .kind = "slip", .name = "ground" }, b.event[1] };
        b.solution.event = event;
        b.solution.n_event = 4;
        const struct replay_report *report = verify(&f, &b.solution, 1e-4);
        assert_int_equal(fails(report, "events not met"), row[k].missed);
        assert_int_equal(report->status == STATUS_OK, !row[k].missed);
    }
    close_spec(&f);
}

/* What the spec asks is asked of the solution. */
static void each_demand_is_made(void **state)
{
    (void)state;
    struct ball_solution b;
    const struct { const char *from, *to, *name, *reason; } demand[] = {
        { "q2: {initial: 1}", "q2: {initial: 1.1}", "initial values", "q2 is 1 at the start, it must be 1.1" },
        { "v2: {initial: 0}", "v2: {initial: 0, final: 1}", "final values", "v2 is 0 at the end, it must be 1" },
        { "q1: {initial: 0}", "q1: {initial: 0, bounds: [-1, 2]}", "bounds of states", "it must be in [-1, 2]" },
        { "horizon: 3", "horizon: 2.9", "horizon", "the horizon is 3, it must be 2.9" },
        { "cost:", "constraints: {low: {expr: v2 >= -4, at: path}}\ncost:", "constraints.low", "low is -4.47" },
        { "cost:", "constraints: {back: {expr: final(q1) <= 2, at: boundary}}\ncost:", "constraints.back", "at most 2" },
        { "cost:", "constraints: {high: {expr: q2 >= 0.5, at: final}}\ncost:", "constraints.high", "at least 0.5" },
        { "friction: 0.3", "friction: 0.2", "outside friction cone", "outside of its friction cone" },
    };
    for (size_t k = 0; k < sizeof demand / sizeof *demand; k++) {
        char text[1000];
        const char *at = strstr(ball, demand[k].from);
        assert_non_null(at);
        (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - ball), ball, demand[k].to, at + strlen(demand[k].from));
        struct fixture f = open_spec(text);
        make_ball(&b);
        const struct replay_report *report = verify(&f, &b.solution, 1e-4);
        assert_int_equal(report->status, STATUS_UNVERIFIED);
        const struct finding *found = finding(report, demand[k].name);
        assert_true(finding_fails(found));
        if (!strstr(found->reason, demand[k].reason))
            fail_msg("%s: %s", demand[k].name, found->reason);
        close_spec(&f);
    }
}

/* A state of 1e-4 is measured by its own size as soon as the floor allows. */
static void small_states_have_small_scales(void **state)
{
    (void)state;
    struct fixture f = open_spec("cocp: 1\nname: small\ntime: {horizon: 1, intervals: 1}\n"
                                 "states: {x: {initial: 1e-4}}\ndynamics: {type: ode, rhs: {x: 0*x}}\n");
    const double t[2] = { 0, 1 }, x[2] = { 1e-4, 9e-4 };
    const struct replay_point point[2] = { { t[0], t[0], 0, false, 0, &x[0], NULL },
                                           { t[1], t[1], 0, false, 0, &x[1], NULL } };
    const struct replay_solution solution = { .n_point = 2, .point = point, .controls = { 1, t, NULL }, .objective = NAN };
    assert_int_equal(verify(&f, &solution, 1e-3)->status, STATUS_OK);       /* the floor is 1 */
    struct replay_settings settings = { .tol = 1e-3, .tol_others = 1e-3, .floor = 1e-3, .rtol = 1e-12,
                                        .atol = 1e-14, .max_events = 1000,
                                        .max_seconds = INFINITY, .restitution = JUMP_NEWTON };
    replay_report_free(&f.report);
    assert_int_equal(replay_verify(f.model, &solution, &settings, &f.report, f.diag), STATUS_OK);
    assert_int_equal(f.report.status, STATUS_UNVERIFIED);
    assert_near(f.report.error, 0.8, 1e-12);
    close_spec(&f);
}

/* On from 0.2 to 0.4 and from 0.5 to 0.8: two starts, 0.1 apart. */
static void starts_and_stays_are_judged(void **state)
{
    (void)state;
    static const double t[] = { 0, 0.2, 0.4, 0.5, 0.8 }, u[] = { 0, 1, 0, 1, 0 }, x[2] = { 1, 1 };
    static const struct { const char *keys, *name; double objective; bool fails; } row[] = {
        { "start_cost: 3", "objective", 6, false },     { "start_cost: 3", "objective", 3, true },
        { "min_on: 0.2", "stays of u on", 0, false },   { "min_on: 0.25", "stays of u on", 0, true },
        { "min_off: 0.1", "stays of u off", 0, false }, { "min_off: 0.15", "stays of u off", 0, true },
        { "most: 2", "starts of u", 0, false },         { "most: 1", "starts of u", 0, true },
    };
    const struct replay_point point[2] = { { 0, 0, 0, false, 0, &x[0], NULL }, { 1, 1, 0, false, 0, &x[1], NULL } };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char text[400];
        (void)snprintf(text, sizeof text, "cocp: 1\nname: starts\ntime: {horizon: 1, intervals: 5}\nstates: {x: {initial: 1}}\n"
                       "controls: {u: {values: [0, 1], %s}}\ndynamics: {type: ode, rhs: {x: 0*x}}\n", row[k].keys);
        struct fixture f = open_spec(text);
        const struct replay_solution solution = { .n_point = 2, .point = point, .controls = { 5, t, u }, .objective = row[k].objective };
        const struct replay_report *report = verify(&f, &solution, 1e-3);
        assert_int_equal(finding_fails(finding(report, row[k].name)), row[k].fails);
        assert_int_equal(report->status == STATUS_OK, !row[k].fails);
        close_spec(&f);
    }
}

/* A parabola through three points above the ground dips 0.05 below it at t = 0.5, one of forty places that are looked at
 * between two points. */
static void penetration_between_points_is_found(void **state)
{
    (void)state;
    struct fixture f = open_spec("cocp: 1\nname: dip\ntime: {horizon: 1, intervals: 1}\n"
                                 "states: {q: {initial: 0.95}, v: {initial: -4}}\n"
                                 "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [1]}, "
                                 "force: {q: 8}}\n"
                                 "contacts: {ground: {gap: q}}\n");
    const double t[3] = { 0, 0.2, 1 }, force[CONTACT_ROWS] = { 0 };
    double x[3][2];
    struct replay_point point[3];
    for (int k = 0; k < 3; k++) {
        x[k][0] = 4 * (t[k] - 0.5) * (t[k] - 0.5) - 0.05;
        x[k][1] = 8 * (t[k] - 0.5);
        point[k] = (struct replay_point){ t[k], t[k], 0, true, 0, x[k], force };
    }
    const struct replay_solution solution = { .n_point = 3, .point = point, .controls = { 1, t, NULL },
                                              .objective = NAN };
    const struct replay_report *report = verify(&f, &solution, 1e-3);
    assert_near(report->penetration, 0.05, 1e-12);
    assert_near(report->t_penetration, 0.5, 1e-12);
    assert_int_equal(report->status, STATUS_UNVERIFIED);        /* the ball hits the ground instead */
    close_spec(&f);
}

/* States that are off rest by 1e-9, to one side and the other, every 0.5 s. */
static void stay_beside_rest(int n, double x[][2], double *t, struct replay_point *point)
{
    for (int k = 0; k < n; k++) {
        t[k] = 0.5 * k;
        x[k][0] = k % 2 ? -1e-9 : 1e-9;
        x[k][1] = 0;
        point[k] = (struct replay_point){ t[k], t[k], k, false, 0, x[k], NULL };
    }
}

/* q'' = 25 q amplifies by exp(20)/2 over 4 s. States that are off by 1e-9 at each of eight intervals are a solution
 * to 1e-8, but no simulation from the start follows it: intervals are judged, and with a worse one refused. */
static void unstable_trajectory_is_judged_by_intervals(void **state)
{
    (void)state;
    enum { N = 9 };
    struct fixture f = open_spec("cocp: 1\nname: stick\ntime: {horizon: 4, intervals: 8}\n"
                                 "states: {q: {initial: 0}, v: {initial: 0}}\n"
                                 "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [1]}, "
                                 "force: {q: 25*q}}\n");
    double x[N][2], t[N];
    struct replay_point point[N];
    stay_beside_rest(N, x, t, point);
    const struct replay_solution solution = { .n_point = N, .point = point, .controls = { N - 1, t, NULL },
                                              .objective = NAN };
    const struct replay_report *report = verify(&f, &solution, 1e-6);
    assert_int_equal(report->status, STATUS_OK);
    assert_true(report->unstable);
    assert_near(report->error, 1e-9 * cosh(20) * 5, 1e-3 * report->error);      /* v = 5 sinh(5 t) 1e-9 */
    assert_near(report->interval_worst, 5e-9 * sinh(2.5), 1e-12);
    assert_near(log10(report->amplification), log10((5 * sinh(20) - cosh(20)) / sqrt(2)), 0.01);      /* q one way, v the other */
    x[4][0] = 1e-6;
    report = verify(&f, &solution, 1e-6);
    assert_int_equal(report->status, STATUS_UNVERIFIED);
    assert_int_equal(report->interval, 4);
    assert_non_null(strstr(report->reason, "unstable, and interval 4 is off"));
    close_spec(&f);
}

/* The same for 2 s: off by 5.5e-5 at the end, which 1e-6 refuses, so that it is judged by intervals, and 1e-3 does not.
 * A cost of (1e6 q)^2 there is off by all of itself in the whole, though: that, too, is a reason to look at intervals. */
static void what_a_strict_tolerance_accepts_a_loose_one_does(void **state)
{
    (void)state;
    enum { N = 5 };
    struct fixture f = open_spec("cocp: 1\nname: stick\ntime: {horizon: 2, intervals: 4}\n"
                                 "states: {q: {initial: 0}, v: {initial: 0}}\n"
                                 "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [1]}, "
                                 "force: {q: 25*q}}\ncost: {terminal: {high: (1e6*q)^2}}\n");
    double x[N][2], t[N];
    struct replay_point point[N];
    stay_beside_rest(N, x, t, point);
    const struct replay_solution solution = { .n_point = N, .point = point, .controls = { N - 1, t, NULL },
                                              .objective = 1e-6 };
    static const double tol[] = { 1e-6, 1e-3 };
    for (int k = 0; k < 2; k++) {
        const struct replay_report *report = verify(&f, &solution, tol[k]);
        assert_null(report->reason);
        assert_true(report->unstable);
        assert_near(report->error, 5e-9 * sinh(10), 1e-9);
        assert_near(report->objective, 1e-6, 1e-18);
    }
    close_spec(&f);
}

/* Beside it a ball that falls for 0.5 s, to the end of the first interval, and rests. By 1e-9 m too high it comes down
 * 2e-10 s later there, which is no reason to refuse the jump. */
static void an_impact_at_the_end_of_an_interval_may_be_late(void **state)
{
    (void)state;
    enum { N = 9 };
    struct fixture f = open_spec("cocp: 1\nname: stick\ntime: {horizon: 4, intervals: 8}\n"
                                 "states: {q: {initial: 0}, y: {initial: 1.25}, v: {initial: 0}, w: {initial: 0}}\n"
                                 "dynamics: {type: mechanical, coordinates: {q: v, y: w}, mass: {diag: [1, 1]}, "
                                 "force: {q: 25*q, y: -10}}\ncontacts: {floor: {gap: y}}\n");
    double x[N + 1][4] = { { 1e-9, 1.25 + 1e-9, 0, 0 }, { -1e-9, 0, 0, -5 } }, t[N], force[N + 1][CONTACT_ROWS] = { { 0 } };
    struct replay_point point[N + 1];
    for (int k = 0; k <= N; k++) {
        const double at = 0.5 * (k > 1 ? k - 1 : k);
        if (k > 1) {
            x[k][0] = k % 2 ? 1e-9 : -1e-9;
            force[k][0] = 10;
        }
        point[k] = (struct replay_point){ at, at, k, false, k == 1 ? -1 : k == 2, x[k], force[k] };
    }
    for (int k = 0; k < N; k++)
        t[k] = 0.5 * k;
    struct replay_event hit = { .t = 0.5, .kind = "impact", .name = "floor", .impulse = { 5 }, .x_minus = x[1], .x_plus = x[2] };
    const struct replay_solution solution = { .n_point = N + 1, .point = point, .controls = { N - 1, t, NULL }, .n_event = 1,
                                              .event = &hit, .objective = NAN };
    const struct replay_report *report = verify(&f, &solution, 1e-6);
    assert_null(report->reason);
    assert_int_equal(report->status, STATUS_OK);
    assert_true(report->unstable);
    const double fast[4] = { -1e-9, 0, 0, 0.1 };                /* it does not rise again */
    hit.x_plus = fast;
    report = verify(&f, &solution, 1e-6);
    assert_int_equal(report->status, STATUS_UNVERIFIED);
    assert_non_null(strstr(report->reason, "w is off by"));
    close_spec(&f);
}

/* M = (1, 0.9; 0.9, 1), forces (-15, -10), mu = 2: at rest on the ground the block may stick, held by (15, 10), or
 * leave, as pushed back it accelerates up with (-10 + 13.5)/0.19. A solution in which it stays is followed, also by
 * single intervals where rounding has left it a speed; one that says that nothing holds it there is not. */
static void what_stays_is_followed_though_it_might_leave(void **state)
{
    (void)state;
    enum { N = 3 };
    struct fixture f = open_spec("cocp: 1\nname: jam\ntime: {horizon: 2, intervals: 2}\n"
                                 "states: {x: {initial: 0}, y: {initial: 0}, u: {initial: 0}, v: {initial: 0}}\n"
                                 "dynamics: {type: mechanical, coordinates: {x: u, y: v}, mass: {rows: [[1, 0.9], [0.9, 1]]},\n"
                                 "  force: {x: -15, y: -10}}\n"
                                 "contacts: {ground: {gap: y, tangent: x, friction: 2}}\n");
    double x[N][4] = { { 0 }, { 0, 1e-9, 1e-9, 1e-9 }, { 0 } };
    double force[N][CONTACT_ROWS] = { { 10, 15 }, { 10, 15 }, { 10, 15 } };
    const double t[] = { 0, 1 };
    struct replay_point point[N];
    for (int k = 0; k < N; k++)
        point[k] = (struct replay_point){ k, k, k, false, 0, x[k], force[k] };
    const struct replay_solution solution = { .n_point = N, .point = point, .controls = { N - 1, t, NULL }, .objective = NAN };
    const struct replay_report *report = verify(&f, &solution, 1e-6);
    assert_null(report->reason);
    assert_true(report->error < 1e-12 && report->interval_worst < 1e-8);
    assert_true(report->interval_between[0] < 1e-8 && report->interval_between[1] < 1e-8);
    force[1][0] = force[1][1] = 0;
    report = verify(&f, &solution, 1e-6);
    assert_int_equal(report->status, STATUS_UNVERIFIED);
    assert_near(report->interval_error[1], 6 / 0.19, 1e-8);     /* back with (-15 + 9)/0.19 for a second, of scale 1 */
    close_spec(&f);
}

/* q'' = 25 sin q, balanced for 8 s: what is off by 1e-13 grows by exp(40) and falls over, and so does a change of 1e-8,
 * which has no room to show how much it would have grown. Interval by interval it has. */
static void growth_beyond_the_linear_range_is_seen(void **state)
{
    (void)state;
    enum { N = 17 };
    struct fixture f = open_spec("cocp: 1\nname: pole\ntime: {horizon: 8, intervals: 16}\n"
                                 "states: {q: {initial: 0}, v: {initial: 0}}\n"
                                 "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [1]}, "
                                 "force: {q: 25*sin(q)}}\n");
    double x[N][2], t[N];
    struct replay_point point[N];
    for (int k = 0; k < N; k++) {
        t[k] = 0.5 * k;
        x[k][0] = k % 2 ? -1e-13 : 1e-13;
        x[k][1] = 0;
        point[k] = (struct replay_point){ t[k], t[k], k, false, 0, x[k], NULL };
    }
    const struct replay_solution solution = { .n_point = N, .point = point, .controls = { N - 1, t, NULL },
                                              .objective = NAN };
    const struct replay_report *report = verify(&f, &solution, 1e-6);
    assert_int_equal(report->status, STATUS_OK);
    assert_true(report->unstable && report->error > 1);
    assert_near(log10(report->amplification), log10((5 * sinh(40) - cosh(40)) / sqrt(2)), 0.01);
    close_spec(&f);
}

/* x' = 5 (x - 1) grows by exp(20) in 4 s, and is told only for x <= 1: a change by 1e-8 upwards has no run, one
 * downwards has. */
static void growth_is_seen_from_the_side_that_has_a_run(void **state)
{
    (void)state;
    enum { N = 9 };
    struct fixture f = open_spec("cocp: 1\nname: edge\ntime: {horizon: 4, intervals: 8}\nstates: {x: {initial: 1}}\n"
                                 "dynamics: {type: ode, rhs: {x: 5*(x - 1) + 1e-30*sqrt(1 - x)}}\n");
    double x[N], t[N];
    struct replay_point point[N];
    for (int k = 0; k < N; k++) {
        t[k] = 0.5 * k;
        x[k] = 1 - (k == 1 ? 5e-8 : 1e-9);
        point[k] = (struct replay_point){ t[k], t[k], k, false, 0, &x[k], NULL };
    }
    const struct replay_solution solution = { .n_point = N, .point = point, .controls = { N - 1, t, NULL },
                                              .objective = NAN };
    const struct replay_report *report = verify(&f, &solution, 1e-6);
    assert_int_equal(report->status, STATUS_OK);
    assert_true(report->unstable && report->error > 0.1);
    assert_near(log10(report->amplification), 20 / log(10), 0.01);
    close_spec(&f);
}

/* The simulation may not get to the end: the finding says where and why. */
static void early_end_is_a_finding(void **state)
{
    (void)state;
    struct fixture f = open_spec("cocp: 1\nname: root\ntime: {horizon: 2, intervals: 1}\n"
                                 "states: {x: {initial: 1}}\ndynamics: {type: ode, rhs: {x: sqrt(1 - t)}}\n");
    const double t[2] = { 0, 2 }, x[2] = { 1, 2 };
    const struct replay_point point[2] = { { t[0], t[0], 0, false, 0, &x[0], NULL },
                                           { t[1], t[1], 0, false, 0, &x[1], NULL } };
    const struct replay_solution solution = { .n_point = 2, .point = point, .controls = { 1, t, NULL },
                                              .objective = NAN };
    const struct replay_report *report = verify(&f, &solution, 1e-3);
    assert_int_equal(report->status, STATUS_UNVERIFIED);
    assert_non_null(strstr(report->reason, "the simulation ends at t = "));
    assert_true(isnan(report->error) && isnan(report->error_end[0]));
    close_spec(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_solution_is_verified),
        cmocka_unit_test(residue_alone_closes_nothing),
        cmocka_unit_test(each_fault_is_found),
        cmocka_unit_test(words_of_friction_that_move_nothing_are_met),
        cmocka_unit_test(rest_of_no_length_is_met),
        cmocka_unit_test(each_demand_is_made),
        cmocka_unit_test(small_states_have_small_scales), cmocka_unit_test(starts_and_stays_are_judged),
        cmocka_unit_test(penetration_between_points_is_found),
        cmocka_unit_test(unstable_trajectory_is_judged_by_intervals),
        cmocka_unit_test(what_a_strict_tolerance_accepts_a_loose_one_does),
        cmocka_unit_test(an_impact_at_the_end_of_an_interval_may_be_late),
        cmocka_unit_test(what_stays_is_followed_though_it_might_leave),
        cmocka_unit_test(growth_beyond_the_linear_range_is_seen),
        cmocka_unit_test(growth_is_seen_from_the_side_that_has_a_run),
        cmocka_unit_test(early_end_is_a_finding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
