/* test_smoothed_friction.c - transcription/finish/smoothed_friction.c, sticks.c: friction in space that is
 * decided by smoothing it, and rest that others imply, against closed forms
 */
#define _POSIX_C_SOURCE 200809L    /* open_memstream */

#include "tests/unit/phase_problem.h"

#include "tests/unit/sequence_text.h"
#include "transcription/finish/smoothed_friction.h"
#include "transcription/sequence/rank.h"

#include <stdlib.h>
#include <string.h>

/* Two feet at +-0.15 m on the x axis of a box of 1 kg, 0.3 * 10 / 2 N of friction each. */
#define FEET(time, x, th, more) \
    "cocp: 1\n" \
    "time: " time "\n" \
    "states: {x: {initial: 0" x "}, y: {initial: 0}, th: {initial: " th "},\n" \
    "         vx: {initial: 0" more "}, vy: {initial: 0" more "}, w: {initial: 0" more "}}\n" \
    "controls: {u: {bounds: [-20, 20]}, tq: {bounds: [-3, 3]}}\n" \
    "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, th: w}, mass: {diag: [1, 1, 0.02]}, force: {x: u, th: tq}}\n" \
    "friction:\n" \
    "  front: {tangent: [\"x + 0.15*cos(th)\", \"y + 0.15*sin(th)\"], load: 5, coefficient: 0.3}\n" \
    "  back:  {tangent: [\"x - 0.15*cos(th)\", \"y - 0.15*sin(th)\"], load: 5, coefficient: 0.3}\n"

static struct extract start_of(struct phase_problem *problem, const char *text, const double *t)
{
    struct sequence *seq = phase_sequence(problem, text);
    return (struct extract){ seq, phase_constant(problem, seq, t), 0 };
}

/* From rest, the sequence `text` undecided, to the program of the sequence that smoothing shows, solved. */
static struct finish decide(struct phase_problem *problem, const char *text, const double *t, const char *expected)
{
    struct extract start = start_of(problem, text, t), undecided, from;
    struct finish out;
    bool found = false;
    assert_true(smoothed_friction_undecided(problem->sys, &start, &undecided));
    assert_int_equal(smoothed_friction_decide(&problem->task, &undecided, &from, &found, problem->small.diag),
                     STATUS_OK);
    assert_true(found);
    char *shown = sequence_text(from.seq);
    if (expected)
        assert_string_equal(shown, expected);
    if (finish_solve(&problem->task, from.seq, from.samples, FINISH_COLD, 200, &out, problem->small.diag) != STATUS_OK)
        small_fail(&problem->small);
    if (!out.solved)
        fail_msg("%s: violation %.2g", shown, out.violation);
    free(shown);
    extract_free(&from);
    extract_free(&undecided);
    extract_free(&start);
    return out;
}

/* A puck of (0.6, 0.8) m/s on a floor with mu = 0.5 stops after 1/(mu g) s, 0.5/(mu g) m further. */
static void a_puck_is_seen_to_stop(void **state)
{
    (void)state;
    const double g = 9.81, mu = 0.5;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 0.3, intervals: 1, elements: 4}\n"
        "states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 0}, a: {initial: 0.6}, b: {initial: 0.8}, c: {initial: 0}}\n"
        "dynamics: {type: mechanical, coordinates: {x: a, y: b, z: c}, mass: {diag: [1, 1, 1]}, force: {z: -9.81}}\n"
        "contacts: {floor: {gap: z, tangent: [x, y], friction: 0.5}}\n", 3, 4);
    struct finish out = decide(&problem, "k", NULL, "s 0.5 k");
    double t[1], start[3];
    phases_times(out.ph, out.w, start, t);
    assert_near(t[0], 1 / (mu * g), 1e-9);
    assert_near(phase_final(&out, 0), 0.6 / (2 * mu * g), 1e-9);
    assert_near(phase_final(&out, 1), 0.8 / (2 * mu * g), 1e-9);
    finish_free(&out);
    phase_free(&problem);
}

/* 0.3 m in 0.6 s, too short to rest on the way: u is F and what is linear in time, int u^2 = F^2 T + d^2 / (T^3/12 (1
 * - 1/N^2)). */
static void a_box_on_two_feet_slides(void **state)
{
    (void)state;
    const double T = 0.6, F = 3, d = 0.3, N = 6;
    struct phase_problem problem = phase_read(
        FEET("{horizon: 0.6, intervals: 6, elements: 2}", ", final: 0.3", "0", ", final: 0")
        "cost: {running: {effort: u^2 + tq^2}}\n", 3, 1);
    struct finish out = decide(&problem, "kk", NULL, "ss");
    assert_near(out.objective, F * F * T + d * d / (T * T * T / 12 * (1 - 1 / (N * N))), 1e-7);
    assert_true(out.iterations < 40);
    finish_free(&out);
    phase_free(&problem);
}

/* Falls, slides in a direction that is no axis and comes to rest: the friction of its impact is decided, too.
 * 35.4530789 by symmetry with a fall in the plane, least squares there. */
static void the_friction_of_an_impact_is_decided(void **state)
{
    (void)state;
    const double t = sqrt(0.2);
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 2, intervals: 16, elements: 2}\n"
        "states: {x: {initial: 0, final: 2}, y: {initial: 0, final: 1}, z: {initial: 1},\n"
        "         vx: {initial: 0, final: 0}, vy: {initial: 0, final: 0}, vz: {initial: 0}}\n"
        "controls: {ux: {bounds: [-50, 50]}, uy: {bounds: [-50, 50]}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, z: vz}, mass: {diag: [1, 1, 1]},\n"
        "           force: {x: ux, y: uy, z: -10}}\n"
        "contacts: {ground: {gap: z, tangent: [x, y], friction: 0.4}}\n"
        "cost: {running: {effort: ux^2 + uy^2}}\n", 3, 1);
    struct finish out = decide(&problem, "o 3.5!k k", &t, "o 3.5!s s 13.5 k");
    assert_near(out.objective, 35.4530789, 1e-6);
    finish_free(&out);
    phase_free(&problem);
}

/* Events that say no more than what sticks and slips go, with their times; those of gaps stay. */
static void gaps_alone_stay(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 1, intervals: 4, elements: 1}\n"
        "states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 0}, a: {initial: 0}, b: {initial: 0}, c: {initial: 0}}\n"
        "controls: {u: {bounds: [-30, 30]}}\n"
        "dynamics: {type: mechanical, coordinates: {x: a, y: b, z: c}, mass: {diag: [1, 1, 1]}, force: {z: u - 9.81}}\n"
        "contacts: {floor: {gap: z, tangent: [x, y], friction: 0.5}}\n", 3, 1);
    const double t[] = { 0.25, 0.5, 0.8, 0.9 };
    struct extract from = start_of(&problem, "k 1 s 2 o 3.5!s s 3.5 k", t), undecided;
    assert_true(smoothed_friction_undecided(problem.sys, &from, &undecided));
    assert_text(undecided.seq, "s 2 o 3.5!s s");
    assert_near(undecided.samples->t_event[0], 0.5, 0);
    assert_near(undecided.samples->t_event[1], 0.8, 0);
    extract_free(&undecided);
    extract_free(&from);
    phase_free(&problem);
}

/* What slips may stick: events that say no more go, with their times. */
static void all_that_slips_may_stick(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 1, intervals: 4, elements: 1}\n"
        "states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 0}, a: {initial: 0}, b: {initial: 0}, c: {initial: 0}}\n"
        "controls: {u: {bounds: [-30, 30]}}\n"
        "dynamics: {type: mechanical, coordinates: {x: a, y: b, z: c}, mass: {diag: [1, 1, 1]}, force: {z: u - 9.81}}\n"
        "contacts: {floor: {gap: z, tangent: [x, y], friction: 0.5}}\n", 3, 1);
    const double t[] = { 0.25, 0.5, 0.8, 0.9 };
    struct extract from = start_of(&problem, "k 1 s 2 o 3.5!s s 3.5 k", t), sticking, again;
    assert_true(extract_sticking(&from, &sticking));
    assert_text(sticking.seq, "k 2 o 3.5!k k");
    assert_near(sticking.samples->t_event[0], 0.5, 0);
    assert_near(sticking.samples->t_event[1], 0.8, 0);
    assert_false(extract_sticking(&sticking, &again));
    assert_text(again.seq, "k 2 o 3.5!k k");
    extract_free(&again);
    extract_free(&sticking);
    extract_free(&from);
    phase_free(&problem);
}

/* Where the first foot rests the second one can only go round it: across the line between them. */
static void a_second_foot_has_one_condition(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(FEET("{horizon: 1, intervals: 2, elements: 2}", "", "0", ""), 3, 1);
    const unsigned char stick[2] = { PHASE_STICK, PHASE_STICK };
    const bool both[2] = { true, true }, front[2] = { true, false }, back[2] = { false, true };
    double *y = calloc((size_t)problem.sys->n_y, sizeof *y);
    for (int k = 0; k < 8; k++) {
        struct slip_rows rows[2];
        const double th = k * acos(-1) / 4;
        y[2] = th;
        rank_slip_rows(problem.sys, stick, NULL, both, y, rows);
        assert_int_equal(rows[0].n, 2);
        assert_int_equal(rows[1].n, 1);
        assert_near(fabs(-sin(th) * rows[1].of[0][0] + cos(th) * rows[1].of[0][1]), 1, 1e-12);
        rank_slip_rows(problem.sys, stick, front, back, y, rows);
        assert_int_equal(rows[0].n, 0);
        assert_int_equal(rows[1].n, 1);
        rank_slip_rows(problem.sys, stick, NULL, back, y, rows);
        assert_int_equal(rows[1].n, 2);
    }
    free(y);
    phase_free(&problem);
}

/* A torque of 0.4 N m is held by feet that hold up to 2 * 0.15 * 1.5 = 0.45 N m: nothing moves, and each has 0.4 /
 * 0.3 N. */
static void feet_hold_a_torque(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        FEET("{horizon: 1, intervals: 2, elements: 2}", "", "0.3", "")
        "cost: {running: {wish: (tq - 0.4)^2 + u^2}}\n", 3, 1);
    struct finish out = phase_solve(&problem, "kk", NULL);
    assert_near(out.objective, 0, 1e-12);
    assert_near(phase_final(&out, 2), 0.3, 1e-12);
    const struct phase_point point = phases_stage_point(out.ph, 1, 0);
    for (int c = 0; c < 2; c++) {
        const double *force = &out.w[point.first + point.layout->lambda_t[c]];
        assert_near(fabs(-sin(0.3) * force[0] + cos(0.3) * force[1]), 0.4 / 0.3, 1e-5);
    }
    finish_free(&out);
    phase_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_puck_is_seen_to_stop), cmocka_unit_test(a_box_on_two_feet_slides),
        cmocka_unit_test(the_friction_of_an_impact_is_decided), cmocka_unit_test(gaps_alone_stay),
        cmocka_unit_test(all_that_slips_may_stick),
        cmocka_unit_test(a_second_foot_has_one_condition), cmocka_unit_test(feet_hold_a_torque),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
