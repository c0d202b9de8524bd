/* test_cross_entropy.c - motions come near to what a spec asks, through impacts that no
 * derivative sees through */
#include "tests/unit/small_problem.h"

#include "transcription/proposals/cross_entropy.h"
#include "transcription/sequence/recipe.h"

#include <math.h>

static const struct simulated_limits none = { INFINITY, NULL };

/* A ball is thrown at a wall, from which it comes back without loss, and has to be at (1, 0.5) after 1 s: the
 * mirrored ball at (5, 0.5), with vx = 5 and vz = 0.5 + g/2. */
static const char throw[] =
    "cocp: 1\n"
    "time: {horizon: 1, intervals: 4, elements: 2}\n"
    "states: {x: {initial: 0, final: 1}, z: {initial: 0, final: 0.5},\n"
    "         vx: {initial: [-10, 10]}, vz: {initial: [-10, 10]}}\n"
    "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {z: -10}}\n"
    "contacts: {wall: {gap: 3 - x, restitution: 1}}\n";

static void a_ball_comes_back_to_its_place(void **state)
{
    (void)state;
    struct small_problem problem = small_read(throw);
    struct cross_entropy *at = cross_entropy_create(problem.model, 1);
    assert_true(isinf(cross_entropy_missed(at)));
    double before = INFINITY;
    for (int k = 0; k < CROSS_ENTROPY_GENERATIONS; k++) {
        cross_entropy_generation(at, &none);
        /* without an objective the best is what misses least */
        assert_true(cross_entropy_missed(at) <= before);
        before = cross_entropy_missed(at);
    }
    double x[4];
    assert_non_null(cross_entropy_best(at));
    sim_eval(cross_entropy_best(at), 0, 1, x);
    assert_near(x[3], 5.5, 0.2);
    assert_true(fabs(x[2] - 5) < 0.2 || fabs(x[2] - 1) < 0.2);  /* over the wall, or straight ahead */
    sim_eval(cross_entropy_best(at), 1, -1, x);
    assert_near(x[0], 1, 0.2);
    assert_near(x[1], 0.5, 0.2);
    cross_entropy_free(at);
    small_free(&problem);
}

/* A final value, or a constraint there, is a goal; bounds and costs alone are none. */
static void costs_are_no_goal(void **state)
{
    (void)state;
    static const char with[] = "cocp: 1\ntime: {horizon: 1, intervals: 4, elements: 2}\nstates: {x: {initial: 0%s, bounds: [-2, 2]}}\n"
                               "controls: {u: {bounds: [-3, 1]}}\ndynamics: {type: ode, rhs: {x: u}}\n"
                               "constraints: {c: {expr: x <= 1, at: %s}}\ncost: {terminal: {there: (x - 1)^2}}\n";
    static const struct { const char *final, *at; bool goal; } row[] = {
        { "", "path", false }, { "", "final", true }, { ", final: 1", "path", true }, { ", final: [0.5, 1]", "path", true },
        { "", "0.5 s", true }
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char spec[512];
        (void)snprintf(spec, sizeof spec, with, row[k].final, row[k].at);
        struct small_problem problem = small_read(spec);
        assert_int_equal(cross_entropy_has_goal(problem.model), row[k].goal);
        small_free(&problem);
    }
}

/* A mass at rest is driven to x = 1 in a time that is free from 0.5 s to 8 s, must keep to v <= 0.5, and pass 0.25 in the
 * middle. What is asked at ends, along the way and at times is all aimed at, and nothing leaves its bounds. */
static void demands_and_bounds_are_kept(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "time: {horizon: {min: 0.5, max: 8, guess: 2}, intervals: 4, elements: 2}\n"
        "states: {x: {initial: 0, final: 1}, v: {initial: 0, final: 0}}\n"
        "controls: {u: {bounds: [-3, 1]}}\n"
        "dynamics: {type: ode, rhs: {x: v, v: u}}\n"
        "constraints: {slow: v <= 0.5, half: {expr: x <= 0.25, at: 0.5}}\n");
    struct cross_entropy *at = cross_entropy_create(problem.model, 1);
    for (int k = 0; k < 4 * CROSS_ENTROPY_GENERATIONS; k++)
        cross_entropy_generation(at, &none);
    const struct sim *best = cross_entropy_best(at);
    const struct sim_controls rows = sim_rows(best);
    double x[2];
    assert_true(sim_t_end(best) > 2 && sim_t_end(best) <= 3 * 2);       /* 1/0.5 at least; three guesses at most */
    sim_eval(best, sim_t_end(best), -1, x);
    assert_near(x[0], 1, 0.2);
    assert_near(x[1], 0, 0.2);
    sim_eval(best, 0.5 * sim_t_end(best), -1, x);
    assert_true(x[0] < 0.35);
    for (int k = 0; k < rows.n; k++)
        assert_true(rows.u[k] >= -3 && rows.u[k] <= 1);
    cross_entropy_free(at);
    small_free(&problem);
}

static void the_same_seed_gives_the_same_motions(void **state)
{
    (void)state;
    struct small_problem problem = small_read(throw);
    double missed[3];
    for (int run = 0; run < 3; run++) {
        struct cross_entropy *at = cross_entropy_create(problem.model, run < 2 ? 7 : 8);
        cross_entropy_generation(at, &none);
        missed[run] = cross_entropy_missed(at);
        cross_entropy_free(at);
    }
    assert_true(missed[0] == missed[1] && missed[0] != missed[2]);
    small_free(&problem);
}

/* Nothing to draw: one motion is all there is. */
static void what_has_no_freedom_is_not_aimed(void **state)
{
    (void)state;
    struct small_problem free_start = small_read(throw);
    struct small_problem given = small_read("cocp: 1\n"
                                            "time: {horizon: 1, intervals: 4}\n"
                                            "states: {x: {initial: 0}}\n"
                                            "dynamics: {type: ode, rhs: {x: 1}}\n");
    assert_true(cross_entropy_fits(free_start.model));
    assert_false(cross_entropy_fits(given.model));
    small_free(&free_start);
    small_free(&given);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_comes_back_to_its_place),
        cmocka_unit_test(costs_are_no_goal), cmocka_unit_test(demands_and_bounds_are_kept),
        cmocka_unit_test(the_same_seed_gives_the_same_motions),
        cmocka_unit_test(what_has_no_freedom_is_not_aimed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
