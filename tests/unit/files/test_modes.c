/* Modes of a simulation in words: core/output/modes.h, problems/hybrid_block.yaml */
#include "core/output/modes.h"

#include "tests/unit/event_run.h"

#include <string.h>

static const char *state_of(const struct result *result, int mode, int subject)
{
    const int n = result_axis_size(result, "/modes", "subject");
    return result_data_of(result, "/modes", "state")->text[mode * n + subject];
}

static struct result *modes_of(const struct event_run *r)
{
    struct result *result = result_create();
    modes_write(r->sim, result);
    return result;
}

/* HYB, Fig. "example": op,op -> op,sl -> sl,sl -> sl,op -> op,op. Times, impulses and the end are those of an integration
 * of its own: Newton's and Euler's equations of each mode by an explicit Runge-Kutta method of order 8 (SciPy's DOP853,
 * rtol 1e-12), impacts by a root of the velocities with friction against the slip after them. */
static void a_block_is_pushed_to_a_surface_and_drawn_back(void **state)
{
    (void)state;
    static const double time[] = { 0, 0.186284710079, 0.248125755947, 1.068940376425, 1.277411477359, 1.4 };
    static const char *const word[][2] = { { "is open", "is open" }, { "is open", "slips" }, { "slips", "slips" },
                                           { "slips", "is open" }, { "is open", "is open" } };
    static const double end[] = { 1.631361301087, 0.352203528414, 0.283332724669, 1.106072207998,
                                  1.459499836454, 0.097238833541, 1.731274487824, 10.664985175281 };
    struct event_run r = event_run_solved("problems/hybrid_block.yaml");
    struct result *result = modes_of(&r);
    assert_int_equal(result_axis_size(result, "/modes", "mode"), 5);
    assert_string_equal(result_data_of(result, "/modes", "subject")->text[1], "point_2");
    for (int k = 0; k < 5; k++) {
        assert_near(result_data_of(result, "/modes", "t_start")->d[k], time[k], 1e-10);
        assert_near(result_data_of(result, "/modes", "t_end")->d[k], time[k + 1], 1e-10);
        for (int c = 0; c < 2; c++)
            assert_string_equal(state_of(result, k, c), word[k][c]);
    }
    assert_near(event_run_event(&r, SIM_IMPACT, 0).impulse[0], 1.43492218, 1e-7);
    assert_near(event_run_event(&r, SIM_IMPACT, 1).impulse[0], 1.03841135, 1e-7);
    assert_near(event_run_event(&r, SIM_IMPACT, 2).impulse[0], 0.53240633, 1e-7);
    for (int i = 0; i < 8; i++)
        assert_near(event_run_end(&r, i), end[i], 1e-9);
    result_free(result);
    event_run_free(&r);
}

/* A mass slides on a rough floor: v = 1 - mu g t, so that it sticks at 1/3; y rises from -0.5 by 1 a second. */
static void contacts_and_switches_have_their_words(void **state)
{
    (void)state;
    struct event_run r = event_run_solved(
        "cocp: 1\nname: a\ntime: {horizon: 1}\n"
        "states: {x: {initial: 0}, z: {initial: 0}, vx: {initial: 1}, vz: {initial: 0}, y: {initial: -0.5}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {z: -10}, rhs: {y: 1 + step(y)}}\n"
        "contacts: {floor: {gap: z, tangent: x, friction: 0.3}, wall: {gap: 5 - x}}\n");
    struct result *result = modes_of(&r);
    assert_int_equal(result_axis_size(result, "/modes", "mode"), 3);
    assert_near(result_data_of(result, "/modes", "t_end")->d[0], 1.0 / 3, 1e-12);
    assert_near(result_data_of(result, "/modes", "t_end")->d[1], 0.5, 1e-12);
    assert_string_equal(state_of(result, 0, 0), "slips forward");
    assert_string_equal(state_of(result, 1, 0), "sticks");
    assert_string_equal(state_of(result, 2, 1), "is open");
    assert_string_equal(state_of(result, 1, 2), "is negative");
    assert_string_equal(state_of(result, 2, 2), "is positive");
    result_free(result);
    event_run_free(&r);
}

/* Relays are on or off, machines in a state by its name: 2 ln(10/8) to 22 degrees (cases.md), 4 s to fill. */
static void relays_and_machines_have_theirs(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("problems/thermostat.yaml"),
                     washer = event_run_solved("problems/washer.yaml");
    struct result *result = modes_of(&r), *of_machine = modes_of(&washer);
    assert_string_equal(state_of(result, 0, 0), "is on");
    assert_string_equal(state_of(result, 1, 0), "is off");
    assert_near(result_data_of(result, "/modes", "t_end")->d[0], 2 * log(10.0 / 8), 1e-10);
    assert_string_equal(state_of(of_machine, 1, 0), "wash");
    assert_near(result_data_of(of_machine, "/modes", "t_start")->d[1], 4, 1e-10);
    result_free(result);
    result_free(of_machine);
    event_run_free(&r);
    event_run_free(&washer);
}

static void nothing_has_no_modes(void **state)
{
    (void)state;
    struct event_run r = event_run_solved("cocp: 1\nname: a\ntime: {horizon: 1}\nstates: {x: {initial: 0}}\n"
                                          "dynamics: {type: ode, rhs: {x: 1}}\n");
    struct result *result = modes_of(&r);
    assert_null(result_find(result, "/modes"));
    result_free(result);
    event_run_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_pushed_to_a_surface_and_drawn_back),
        cmocka_unit_test(contacts_and_switches_have_their_words),
        cmocka_unit_test(relays_and_machines_have_theirs),
        cmocka_unit_test(nothing_has_no_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
