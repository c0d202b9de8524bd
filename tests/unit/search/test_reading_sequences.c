#define _POSIX_C_SOURCE 200809L

/* test_reading_sequences.c - sequences read from solutions, and sequences beside them
 *
 * The motion is known: a mass falls 1 m at 5 m/s, hits after sqrt(2/g), loses mu sqrt(2 g) of its speed, slips and
 * stops. A control that costs and brings nothing makes it an optimal control problem.
 */
#include "tests/unit/phase_problem.h"
#include "tests/unit/sequence_text.h"

#include "transcription/moves/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81, mu = 0.6;

#define THROWN(method) \
    "cocp: 1\n" \
    "time: {horizon: 1.2, intervals: 6, elements: 2}\n" \
    "states: {x: {initial: 0}, z: {initial: 1}, vx: {initial: 5}, vz: {initial: 0}, w: {initial: 0}}\n" \
    "controls: {u: {bounds: [-1, 1]}}\n" \
    "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {z: -9.81}, rhs: {w: u}}\n" \
    "contacts: {floor: {gap: z, tangent: x, friction: 0.6}}\n" \
    "cost: {running: {effort: u^2}}\n" \
    "discretization: {method: " method ", stages: 2, scheme: radau-iia}\n"

/* The sequence of a solution by the spec's method, with elements of each interval. */
static struct extract extract_from(struct phase_problem *problem, int elements)
{
    for (int i = 0; i < problem->small.model->time.n_intervals; i++)
        problem->small.model->time.elements[i] = elements;
    struct transcription *tr = small_transcribe(&problem->small);
    struct homotopy_result result = small_solve(&problem->small);
    const bool steps = problem->small.settings.method == METHOD_TIME_STEPPING;
    assert_int_equal(result.status, STATUS_OK);
    const struct extract out = steps ? extract_steps(problem->sys, tr, result.w, LANDING_BOUNCES)
                                     : extract_elements(problem->sys, tr, result.w);
    homotopy_result_free(&result);
    return out;
}

/* Time steps of 0.05 s find the sequence; its program finds the times exactly. */
static void steps_give_the_sequence(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(THROWN("time-stepping"), 2, 1);
    struct extract found = extract_from(&problem, 4);
    struct finish out;
    const double hit = sqrt(2 / g), stop = hit + (5 - mu * g * hit) / (mu * g);
    assert_text(found.seq, "o 2.5!+ + 4.5 k");
    assert_near(found.samples->t_event[0], hit, 0.05);
    assert_near(found.samples->t_event[1], stop, 0.1);
    assert_int_equal(finish_solve(&problem.task, found.seq, found.samples, FINISH_COLD, 100, &out, problem.small.diag), STATUS_OK);
    assert_true(out.solved);
    double start[20], t[2];
    phases_times(out.ph, out.w, start, t);
    assert_near(t[0], hit, 1e-9);
    assert_near(t[1], stop, 1e-9);
    finish_free(&out);
    extract_free(&found);
    phase_free(&problem);
}

/* An element that ends at an event tells its mode: sliding is where the switching function stays 0. */
static void elements_give_the_sequence(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 1, intervals: 4, elements: 2}\n"
        "states: {x: {initial: 0.3}, y: {initial: -0.8}, w: {initial: 0}}\n"
        "controls: {u: {bounds: [-1, 1]}}\n"
        "dynamics: {type: ode, rhs: {x: -sign(x), y: 1.5 + 0.5*sign(y), w: u}}\n"
        "cost: {running: {effort: u^2}}\n"
        "discretization: {method: fesd, stages: 2}\n", 2, 1);
    struct extract found = extract_from(&problem, 3);
    assert_text(found.seq, "pn 1.5 0n 3.5 0p");             /* x = 0 at 0.3 s, y = 0 at 0.8 s */
    assert_near(found.samples->t_event[0], 0.3, 1e-6);
    assert_near(found.samples->t_event[1], 0.8, 1e-6);
    extract_free(&found);
    phase_free(&problem);
}

/* In a valley time-freezing holds the gap within its dead band only: that is closed. */
static void a_dead_band_is_closed(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 0.6, intervals: 3, elements: 2}\n"
        "states: {x: {initial: -1}, z: {initial: 0.3}, vx: {initial: 0}, vz: {initial: 0}, w: {initial: 0}}\n"
        "controls: {u: {bounds: [-1, 1]}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {z: -9.81}, rhs: {w: u}}\n"
        "contacts: {valley: {gap: z - 0.3*x^2}}\n"
        "cost: {running: {effort: u^2}}\n"
        "discretization: {method: time-freezing, stages: 2, scheme: radau-iia}\n", 2, 1);
    struct transcription *tr = small_transcribe_banded(&problem.small, 1e-2);
    struct homotopy_result result = small_solve(&problem.small);
    assert_true(result.violation < 1e-5);
    struct extract found = extract_elements(problem.sys, tr, result.w);
    assert_text(found.seq, "c");
    homotopy_result_free(&result);
    extract_free(&found);
    phase_free(&problem);
}

/* A wall that is met within the first step looks closed in all of it: y comes from 0.01 at -1 m/s, so that it is open
 * first. */
static void what_starts_beside_a_wall_is_open_first(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 1, intervals: 2, elements: 4}\n"
        "states: {y: {initial: 0.01}, w: {initial: 0}}\n"
        "controls: {u: {bounds: [-1, 1]}}\n"
        "dynamics: {type: ode, rhs: {y: -1 + 0.1*u, w: u}}\n"
        "projection: {wall: {gap: y}}\n"
        "cost: {running: {effort: u^2}}\n"
        "discretization: {method: time-stepping, stages: 2, scheme: radau-iia}\n", 2, 1);
    struct transcription *tr = small_transcribe(&problem.small);
    struct homotopy_result result = small_solve(&problem.small);
    struct finish out;
    double start[8], t[1];
    assert_int_equal(result.status, STATUS_OK);
    struct extract found = extract_switches(problem.sys, tr, result.w);
    assert_text(found.seq, "p 0.5 0");
    assert_int_equal(finish_solve(&problem.task, found.seq, found.samples, FINISH_COLD, 100, &out, problem.small.diag), STATUS_OK);
    assert_true(out.solved);
    phases_times(out.ph, out.w, start, t);
    assert_near(t[0], 0.01, 1e-6);
    finish_free(&out);
    homotopy_result_free(&result);
    extract_free(&found);
    phase_free(&problem);
}

/* A see-saw stands on its left foot and lands on the right one. With J = 2 for a mass of 1 kg and feet 1 m off the
 * middle the left foot gets 1/m - 1/J > 0 of that impulse: it is thrown off in the same event. */
static void a_foot_lifts_off_as_the_other_one_lands(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 0.6, intervals: 3, elements: 2}\n"
        "states: {z: {initial: 0.2}, th: {initial: 0.2}, vz: {initial: -1}, om: {initial: -1}, w: {initial: 0}}\n"
        "controls: {u: {bounds: [-1, 1]}}\n"
        "dynamics: {type: mechanical, coordinates: {z: vz, th: om}, mass: {diag: [1, 2]}, force: {z: -4}, rhs: {w: u}}\n"
        "contacts: {left: {gap: z - th}, right: {gap: z + th}}\n"
        "cost: {running: {effort: u^2}}\n"
        "discretization: {method: time-stepping, stages: 2, scheme: radau-iia}\n", 2, 1);
    struct extract found = extract_from(&problem, 4);
    assert_true(found.seq->n_event >= 1);
    assert_true(sequence_mode(found.seq, 0)[0] == PHASE_CLOSED && sequence_mode(found.seq, 0)[1] == PHASE_OPEN);
    assert_true(sequence_hit(found.seq, 0)[1] == PHASE_CLOSED);
    assert_true(sequence_mode(found.seq, 1)[0] == PHASE_OPEN && sequence_mode(found.seq, 1)[1] == PHASE_CLOSED);
    extract_free(&found);
    phase_free(&problem);
}

/* Fixed steps of switches: x crosses 0 at t = 1/3, y reaches it at 0.5/0.7 and slides; each time to a step of 1/16. */
static void steps_of_switches_give_the_sequence(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 1, intervals: 2, elements: 8}\n"
        "states: {x: {initial: -1}, y: {initial: 0.5}, w: {initial: 0}}\n"
        "controls: {u: {bounds: [-1, 1]}}\n"
        "dynamics: {type: ode, rhs: {x: 2 - sign(x), y: 0.3 - sign(y), w: u}}\n"
        "cost: {running: {effort: u^2}}\n"
        "discretization: {method: time-stepping, stages: 2, scheme: radau-iia}\n", 2, 1);
    struct transcription *tr = small_transcribe(&problem.small);
    struct homotopy_result result = small_solve(&problem.small);
    assert_int_equal(result.status, STATUS_OK);
    struct extract found = extract_switches(problem.sys, tr, result.w);
    assert_text(found.seq, "np 0.5 pp 1.5 p0");
    assert_near(found.samples->t_event[0], 1.0 / 3, 1.0 / 16);
    assert_near(found.samples->t_event[1], 0.5 / 0.7, 1.0 / 16);
    homotopy_result_free(&result);
    extract_free(&found);
    phase_free(&problem);
}

/* --- Neighbours ---------------------------------------------------------------------------------------------- */

/* A mass with dry friction goes 1 m with least effort; where it stops follows from the optimum. */
static const char pushed[] =
    "cocp: 1\n"
    "time: {horizon: 2, intervals: 8, elements: 1}\n"
    "states: {x: {initial: 0, final: 1}, v: {initial: 0, final: 0}}\n"
    "controls: {u: {bounds: [-20, 20]}}\n"
    "dynamics: {type: ode, rhs: {x: v, v: u - sign(v)}}\n"
    "cost: {running: {effort: u^2}}\n";

/* From a stop that comes too early or too late the search finds the same optimum. */
static void the_search_moves_events_to_their_intervals(void **state)
{
    (void)state;
    static const char *const from[] = { "p 4.5 0", "p 7.5 0" };
    double objective[2];
    for (int k = 0; k < 2; k++) {
        struct phase_problem problem = phase_read(pushed, 2, 1);
        const double guess = k ? 1.9 : 1.2;
        struct finish best = phase_solve(&problem, from[k], &guess);
        struct search search;
        struct pool pool = { 0 };
        search_init(&search, &problem.task, &pool);
        const double first = best.objective;
        assert_int_equal(search_improve(&search, &best, problem.small.diag), STATUS_OK);
        assert_true(search.exhausted && best.solved);
        assert_true(best.objective <= first);
        objective[k] = best.objective;
        finish_free(&best);
        pool_free(&pool);
        phase_free(&problem);
    }
    assert_near(objective[0], objective[1], 1e-7 * objective[0]);
}

/* A mass falls onto the ground, is stopped and pulled up at once: an impact between two flights. */
static void an_impact_may_open_at_once(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 0.8, intervals: 2, elements: 2}\n"
        "states: {z: {initial: 0.3}, v: {initial: -1}}\n"
        "controls: {u: {bounds: [-1, 1]}}\n"
        "dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: 4*u}}\n"
        "contacts: {floor: {gap: z}}\n"
        "cost: {running: {effort: u^2}}\n", 2, 1);
    const double t[] = { 0, 0.3, 0.3, 0.8 }, u[] = { 0, 1 };
    double y[4 * 8] = { 0 };
    const int n_y = problem.sys->n_y;
    const double z[] = { 0.3, 0, 0, 0.5 }, v[] = { -1, -1, 0, 2 };
    assert_in_range(n_y, 2, 8);
    for (int k = 0; k < 4; k++) {
        y[k * n_y] = z[k];
        y[k * n_y + 1] = v[k];
    }
    const struct stretch stretch[] = { { 0, 0.3, 0, 2, t, y }, { 0.3, 0.8, 0, 2, t + 2, y + 2 * n_y } };
    const struct stretches from = { .n = 2, .stretch = stretch, .horizon = 0.8, .equidistant = true, .u = u };
    struct extract found = extract_stretches(problem.sys, &from);
    assert_text(found.seq, "o 0.5!c o");
    extract_free(&found);
    phase_free(&problem);
}

/* A foot at the end of a turning leg that stays on the ground over a step, though it leaves it at its end. */
static void steps_that_exploit_their_grid_say_so(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 0.1, intervals: 1, elements: 1}\n"
        "states: {z: {initial: 1}, a: {initial: 0}, v: {initial: 0}, w: {initial: 0}}\n"
        "controls: {u: {bounds: [-1, 1]}}\n"
        "dynamics: {type: mechanical, coordinates: {z: v, a: w}, mass: {diag: [1, 1]}, force: {z: -9.81, a: u}}\n"
        "contacts: {foot: {gap: z - cos(a)}}\n"
        "cost: {running: {effort: u^2}}\n", 2, 1);
    const double t[] = { 0, 0.1 }, u[] = { 0 }, force[] = { 0, 1 };
    const double turns[] = { 0, 0.004, 0.4, 0.8 };          /* rad: a leg at rest, a slow one, fast ones */
    const double opens[] = { 0, 0, 0, 0.2 };                /* m */
    const double exploits[] = { 0, 0, 0.01, 2 };            /* m/s: a gap slower than 1 cm/s is at rest */
    const int n_y = problem.sys->n_y;
    for (int k = 0; k < 4; k++) {
        double y[2 * 8] = { 1 };
        y[n_y] = cos(turns[k]) + opens[k];
        y[n_y + 1] = turns[k];
        y[n_y + 2] = (y[n_y] - 1) / 0.1;
        y[n_y + 3] = turns[k] / 0.1;
        const struct time_steps from = { 1, t, y, force, u, NULL, NULL };
        struct extract found = extract_time_steps(problem.sys, &from, LANDING_BOUNCES);
        assert_near(found.exploits, exploits[k], 1e-12);
        extract_free(&found);
    }
    phase_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_give_the_sequence), cmocka_unit_test(elements_give_the_sequence),
        cmocka_unit_test(a_dead_band_is_closed), cmocka_unit_test(steps_of_switches_give_the_sequence),
        cmocka_unit_test(what_starts_beside_a_wall_is_open_first), cmocka_unit_test(a_foot_lifts_off_as_the_other_one_lands),
        cmocka_unit_test(the_search_moves_events_to_their_intervals),
        cmocka_unit_test(an_impact_may_open_at_once),
        cmocka_unit_test(steps_that_exploit_their_grid_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
