/* tests/unit/test_phases_starts.c - from starts that are far from a solution to a finished sequence */
#include "tests/unit/phase_problem.h"

#include "transcription/phases/lead.h"

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
    assert_int_equal(lead_finish(&problem.task, seq, samples, 150, &out, problem.small.diag), STATUS_OK);
    assert_true(out.solved);
    assert_null(out.ph->grid.slack);
    assert_near(out.objective, 9.9632, 0.05);       /* at stages alone: a little less */
    finish_free(&out);
    samples_free(samples);
    sequence_free(seq);
    phase_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_path_is_left_out_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
