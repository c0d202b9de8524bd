/* Phases by the user - lengths, dynamics, controls, contacts, costs and constraints of their own, jumps between them -
 * against closed forms: simulated, in the programs of methods and in that of the finish. */
#include "tests/unit/event_run.h"
#include "tests/unit/phase_problem.h"
#include "transcription/sequence/legal.h"

#include <string.h>

static const double promised = 1e-7, in_time = 1e-12, in_state = 1e-10;

/* --- Simulation ---------------------------------------------------------------------------------------------- */

#define SHELF(controls) \
    "cocp: 1\n" \
    "states: {x: {initial: 0}, z: {initial: 1}, vx: {initial: 2}, vz: {initial: 0}}\n" \
    "controls: {u: {guess: 1}}\n" \
    "phases:\n" \
    "  shelved: {length: 0.5, intervals: 2, contacts: [shelf]}\n" \
    "  falling: {length: 0.6, intervals: 3, contacts: [floor], controls: []}\n" \
    "  moved:   {length: 0.3, intervals: 1, contacts: [floor], start: {x: x + 1}}\n" \
    "dynamics:\n" \
    "  type: mechanical\n" \
    "  coordinates: {x: vx, z: vz}\n" \
    "  mass: {diag: [1, 1]}\n" \
    "  force: {x: u, z: -10}\n" \
    "contacts:\n" \
    "  shelf: {gap: z - 1, tangent: x, friction: 0.2}\n" \
    "  floor: {gap: z, tangent: x, friction: 0.5}\n" \
    controls

/* A block slides, pushed by u, over a shelf that is taken away, falls through it without a push, lands, sticks, and is
 * moved by 1 m: v(0.5) = 2 - (0.2*10 - u) 0.5, impact after another sqrt(0.2) s. */
static void simulations_go_through_phases(void **state)
{
    (void)state;
    static const struct { const char *spec; double v; } cases[] = {
        { SHELF(""), 2 - (2 - 1) * 0.5 },
        { SHELF("simulate: {controls: {u: 0.5}}\n"), 2 - (2 - 0.5) * 0.5 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct event_run r = event_run_read(cases[k].spec);
        const double v = cases[k].v, x = 0.5 * (2 + v) * 0.5 + v * sqrt(0.2);
        assert_int_equal(event_run_go(&r), STATUS_OK);
        assert_int_equal(event_run_count(&r, SIM_PHASE), 2);
        assert_near(event_run_event(&r, SIM_PHASE, 0).t, 0.5, in_time);
        assert_near(event_run_event(&r, SIM_PHASE, 1).t, 1.1, in_time);
        assert_string_equal(sim_subject_name(r.sim, event_run_event(&r, SIM_PHASE, 1).subject), "moved");
        assert_int_equal(event_run_count(&r, SIM_IMPACT), 1);
        assert_near(event_run_event(&r, SIM_IMPACT, 0).t, 0.5 + sqrt(0.2), 1e-11);
        assert_near(event_run_event(&r, SIM_IMPACT, 0).impulse[0], 10 * sqrt(0.2), in_state);
        assert_near(event_run_event(&r, SIM_IMPACT, 0).impulse[1], -v, in_state);
        assert_near(event_run_event(&r, SIM_PHASE, 1).x_minus[0], x, in_state);
        assert_near(event_run_end(&r, 0), x + 1, in_state);
        assert_near(event_run_end(&r, 2), 0, in_state);
        event_run_free(&r);
    }
}

/* A contact that appears inside a body has no motion to go on with. */
static void overlaps_that_appear_are_told(void **state)
{
    (void)state;
    struct event_run r = event_run_read(
        "cocp: 1\nstates: {z: {initial: 0.1}, v: {initial: 0}}\n"
        "phases: {free: {length: 1, intervals: 1, contacts: []}, met: {length: 1, intervals: 1}}\n"
        "dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: -1}}\n"
        "contacts: {floor: {gap: z}}\n");
    assert_int_equal(event_run_go(&r), STATUS_NUMERIC);
    assert_non_null(strstr(sim_message(r.sim), "floor"));
    event_run_free(&r);
}

/* --- Programs ------------------------------------------------------------------------------------------------ */

/* x' = 1, then, from half of x on, x' = 2, up to 3: min L1^2 + L2 with L1/2 + 2 L2 = 3, so L1 = 1/8, L2 = 47/32. L1^2
 * is a terminal cost of the first phase, L2 the integral of the second. */
static const char lengths[] =
    "cocp: 1\n"
    "states: {x: {initial: 0, final: 3}}\n"
    "phases:\n"
    "  slow: {length: {min: 0.05, max: 2, guess: 1}, intervals: 2, cost: {terminal: {late: t^2}}}\n"
    "  fast:\n    length: {min: 0.05, max: 2}\n    intervals: 3\n    dynamics: {rhs: {x: 2}}\n"
    "    start: {x: 0.5*x}\n    cost: {running: {time: 1}}\n"
    "dynamics: {type: ode, rhs: {x: 1}}\n";

static const double L1 = 0.125, L2 = 1.46875;

static void methods_find_lengths(void **state)
{
    (void)state;
    static const int methods[] = { METHOD_FESD, METHOD_TIME_STEPPING };
    for (int k = 0; k < 2; k++) {
        struct small_problem problem = small_read(lengths);
        problem.settings.method = methods[k];
        struct transcription *tr = small_transcribe(&problem);
        tr_apply_guess(tr, NULL, true);
        struct homotopy_result result = small_solve(&problem);
        assert_int_equal(result.status, STATUS_OK);
        assert_near(result.w[tr->p], L1, promised);
        assert_near(result.w[tr->p + 1], L2, promised);
        assert_near(result.w[tr->T], L1 + L2, promised);
        assert_near(result.objective, L1 * L1 + L2, promised);
        assert_near(result.w[tr_y(tr, tr->first[2], 0, 0)], 0.5 * L1, promised);
        homotopy_result_free(&result);
        small_free(&problem);
    }
}

static void the_finish_finds_lengths(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(lengths, 3, 2);
    struct finish found = phase_solve(&problem, "", NULL);
    double start[6];
    phases_times(found.ph, found.w, start, NULL);
    assert_near(start[2], L1, promised);
    assert_near(start[5], L1 + L2, promised);
    assert_near(found.objective, L1 * L1 + L2, promised);
    assert_near(found.w[phases_left(found.ph, 4)[0]], 0.5 * L1, promised);
    assert_near(phase_final(&found, 0), 3, promised);
    finish_free(&found);
    phase_free(&problem);
}

static int rows_named(const struct transcription *tr, const char *name)
{
    int n = 0;
    for (int row = tr->rows.first_constraint; row < tr->rows.end_constraint; row++)
        n += strcmp(tr->mpcc.row[row].name, name) == 0;
    return n;
}

/* Phases of two and three intervals with an element each, two stages, the last at the end: six stages and a start. */
static void constraints_stay_in_their_phase(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "time: {elements: 1}\n"
        "states: {x: {initial: 0}}\n"
        "controls: {u: {bounds: [-1, 1]}}\n"
        "phases:\n"
        "  one:\n    length: 1\n    intervals: 2\n"
        "    constraints: {e: {expr: x <= 9, at: final}, i: {expr: x <= 9, at: initial}}\n"
        "  two: {length: 2, intervals: 3, controls: [], constraints: {p: x <= 8, m: {expr: x <= 8, at: 1/3}}}\n"
        "links: {back: {x: x}}\n"
        "dynamics: {type: ode, rhs: {x: u}}\n");
    const struct transcription *tr = small_transcribe(&problem);
    assert_int_equal(rows_named(tr, "p"), 7);
    assert_int_equal(rows_named(tr, "e"), 1);
    assert_int_equal(rows_named(tr, "i"), 1);
    assert_int_equal(rows_named(tr, "m"), 1);
    assert_int_equal(rows_named(tr, "back, x"), 1);
    for (int i = 0; i < 5; i++) {
        assert_near(program_ub(tr->prog, tr->u[i]), i < 2 ? 1 : 0, 0);
        assert_near(program_lb(tr->prog, tr->u[i] + 1), i < 2, 0);
        assert_near(program_ub(tr->prog, tr->u[i] + 2), i >= 2, 0);
        assert_near(tr->h0[i], i < 2 ? 0.5 : 2.0 / 3, 1e-15);
    }
    small_free(&problem);
}

/* --- Sequences ----------------------------------------------------------------------------------------------- */

static const char hands[] =
    "cocp: 1\n"
    "states: {z: {initial: 0}, v: {initial: 0}}\n"
    "phases:\n"
    "  resting: {length: 1, intervals: 2, contacts: {%s}}\n"
    "  flying:  {length: 1, intervals: 2, contacts: {%s}}\n"
    "dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: -1}}\n"
    "contacts: {floor: {gap: z}, hand: {gap: 2 + z}}\n";

static void sequences_are_those_of_the_phases(void **state)
{
    (void)state;
    char text[600];
    (void)snprintf(text, sizeof text, hands, "floor: sticks", "hand: open");
    struct phase_problem problem = phase_read(text, 2, 1);
    static const struct { const char *text; bool fits; } cases[] = {
        { "co 2 oo", true },                    /* let go on the grid point between the phases */
        { "co 1.5 oo", false }, { "co 2.5 oo", false }, { "co 1 oo", false },
        { "co", false }, { "oo", false }, { "co 2 oo 3.5!oc oc", false },
    };
    assert_true(problem.small.model->time.prescribes);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct sequence *seq = phase_sequence(&problem, cases[k].text);
        assert_int_equal(legal_contacts(problem.small.model, seq), cases[k].fits);
        sequence_free(seq);
    }
    struct finish found = phase_solve(&problem, "co 2 oo", (const double[]){ 1 });
    assert_near(phase_final(&found, 0), -0.5, promised);        /* through the floor, which is not there */
    finish_free(&found);
    phase_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulations_go_through_phases),
        cmocka_unit_test(overlaps_that_appear_are_told),
        cmocka_unit_test(methods_find_lengths),
        cmocka_unit_test(the_finish_finds_lengths),
        cmocka_unit_test(constraints_stay_in_their_phase),
        cmocka_unit_test(sequences_are_those_of_the_phases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
