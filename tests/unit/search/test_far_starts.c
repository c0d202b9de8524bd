/* test_far_starts.c - from starts that are far from a solution to a finished sequence */
#include "tests/unit/phase_problem.h"

#include "transcription/finish/path_homotopy.h"
#include "transcription/reading/simulated.h"
#include "transcription/sequence/recipe.h"

/* A ball is to bounce in front of a wall, which is in its shortest way. */
#define WALL \
    "cocp: 1\n" \
    "time: {horizon: 1.1, intervals: 11, elements: 2}\n" \
    "states: {x: {initial: 0, final: 2}, z: {initial: 1}, vx: {initial: 0}, vz: {initial: 0}}\n" \
    "controls: {u: {bounds: [-20, 20]}}\n" \
    "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {x: u, z: -9.81}}\n" \
    "contacts: {ground: {gap: z, restitution: 0.8}}\n" \
    "cost: {running: {effort: u^2}}\n" \
    "constraints: {wall: {expr: ((x - 1.7)/0.2)^2 + (z/0.5)^2 >= 1, at: path}}\n" \
    "discretization: {method: fesd-j}\n"

/* The height follows from the fall, so x is least squares with bounds: 9.9632 with the wall at all times. */
static void the_path_is_left_out_first(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(WALL, 3, 1);
    const double t[] = { sqrt(2 / 9.81) };
    struct sequence *seq = phase_sequence(&problem, "o 4.5!c o");
    struct samples *samples = phase_constant(&problem, seq, t);
    struct finish out;
    assert_true(phases_has_path(problem.small.model));
    assert_int_equal(path_homotopy_finish(&problem.task, seq, samples, 150, &out, problem.small.diag), STATUS_OK);
    assert_true(out.solved);
    assert_null(out.ph->grid.slack);
    assert_near(out.objective, 9.9632, 0.05);       /* at stages alone: a little less */
    finish_free(&out);
    samples_free(samples);
    sequence_free(seq);
    phase_free(&problem);
}

/* A throw whose speed is free: at its guess it falls straight down. */
#define THROW \
    "cocp: 1\n" \
    "time: {horizon: 1, intervals: 4, elements: 1}\n" \
    "states: {z: {initial: 0.5}, v: {initial: free, bounds: [-8, 4], guess: 0}}\n" \
    "controls: {u: {bounds: [-1, 2]}}\n" \
    "dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: u - 9.81}}\n" \
    "contacts: {ground: {gap: z, restitution: 0.8}}\n" \
    "cost: {running: {effort: u^2}}\n" \
    "discretization: {method: fesd-j}\n"

static struct sim *simulated(struct phase_problem *problem, unsigned seed, int start)
{
    const struct simulated_limits limits = { 60, NULL };
    struct sim *sim = simulated_start(problem->small.model, seed, start, &limits);
    assert_non_null(sim);
    return sim;
}

static void the_first_motion_is_the_guess(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(THROW, 2, 1);
    struct sim *sim = simulated(&problem, 1, 0);
    assert_near(sim_event_at(sim, 0)->t, sqrt(2 * 0.5 / 9.81), 1e-10);
    sim_free(sim);
    phase_free(&problem);
}

/* The same seed, the same motion; controls and free initial values within bounds, fixed ones as they are. */
static void other_motions_are_random_but_determined(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(THROW, 2, 1);
    double last = NAN;
    for (int k = 1; k <= SIMULATED_STARTS; k++) {
        struct sim *sim = simulated(&problem, 1, k), *again = simulated(&problem, 1, k), *other = simulated(&problem, 2, k);
        double x[2], y[2], z[2], u;
        sim_eval(sim, 0, 1, x);
        sim_eval(again, 0, 1, y);
        sim_eval(other, 0, 1, z);
        assert_true(x[1] == y[1] && x[1] != z[1] && x[1] != last);
        assert_true(x[0] == 0.5 && x[1] >= -8 && x[1] <= 4);
        for (int i = 0; i < 4; i++) {
            sim_eval_u(sim, sim_find_piece(sim, 0.25 * i, 1), 0.25 * i, &u);
            assert_true(u >= -1 && u <= 2);
        }
        last = x[1];
        sim_free(sim);
        sim_free(again);
        sim_free(other);
    }
    phase_free(&problem);
}

/* Lying on the ground repeats a final height, but only 0: another one is no reason to leave it out. */
#define LIE(height) \
    "cocp: 1\n" \
    "time: {horizon: 1, intervals: 4, elements: 1}\n" \
    "states: {z: {initial: 0.5, final: " height "}, v: {initial: 0}}\n" \
    "controls: {u: {bounds: [-1, 2]}}\n" \
    "dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: u - 9.81}}\n" \
    "contacts: {ground: {gap: z}}\n" \
    "cost: {running: {effort: u^2}}\n" \
    "discretization: {method: fesd-j}\n"

static void final_values_left_out_must_hold(void **state)
{
    (void)state;
    static const char *const spec[] = { LIE("0"), LIE("0.2") };
    for (int k = 0; k < 2; k++) {
        struct phase_problem problem = phase_read(spec[k], 3, 1);
        const double t[] = { 0.32 };
        struct sequence *seq = phase_sequence(&problem, "o 1.5!c c");
        struct samples *samples = phase_constant(&problem, seq, t);
        struct finish out;
        assert_int_equal(finish_solve(&problem.task, seq, samples, FINISH_COLD, 150, &out, problem.small.diag), STATUS_OK);
        assert_int_equal(out.solved, k == 0);
        if (k == 1)
            assert_near(out.violation, 0.2, 1e-6);
        finish_free(&out);
        samples_free(samples);
        sequence_free(seq);
        phase_free(&problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_path_is_left_out_first), cmocka_unit_test(the_first_motion_is_the_guess),
        cmocka_unit_test(other_motions_are_random_but_determined), cmocka_unit_test(final_values_left_out_must_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
