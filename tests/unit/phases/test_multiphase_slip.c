/* test_multiphase_slip.c - slip that is kept from a jam: a rod on its lower end, with closed forms */
#include "tests/unit/phase_problem.h"

#include "transcription/multiphase/rows/slip.h"

/* Length 2, at the angle th from the horizontal, the lower end slips ahead of it (problems/painleve_rod.yaml). With mu = 1
 *
 *   yield = 1 - 3 tan th/(tan th^2 + 4),   0.4 where tan th = 1 (falling before tan th = 2)
 */
static const char rod[] =
    "cocp: 1\n"
    "time: {horizon: 0.4, intervals: 4, elements: 2}\n"
    "states: {x: {initial: 0}, z: {initial: sin(0.6)}, th: {initial: 0.6}, vx: {initial: -3}, vz: {initial: 0}, w: {initial: 0}}\n"
    "controls: {force: {bounds: [-50, 50]}, torque: {bounds: [-50, 50]}}\n"
    "dynamics:\n  type: mechanical\n  coordinates: {x: vx, z: vz, th: w}\n  mass: {diag: [1, 1, 1/3]}\n"
    "  force: {x: force, z: -9.81, th: torque}\n"
    "contacts: {lower: {gap: z - sin(th), tangent: x - cos(th), friction: 1}}\n"
    "cost: {running: {effort: 1e-4*(force^2 + torque^2)}, terminal: {up: 100*(th - 1)^2}}\n";

enum { TH = 2 };

static double yield_at(double th)
{
    return 1 - 3 * tan(th) / (tan(th) * tan(th) + 4);
}

/* By the angles of all points. */
static double least_by_angles(const struct finish *finish)
{
    double least = INFINITY;
    for (int e = 0; e < finish->ph->n_element; e++)
        for (int k = 0; k < finish->ph->n_point; k++)
            least = fmin(least, yield_at(finish->w[phases_stage_point(finish->ph, e, k).y[TH]]));
    return least;
}

/* It would stand up to 1 rad; kept to a yield of 0.4 it comes to
 * pi/4, and to no more. */
static void a_yield_is_kept(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(rod, 3, 2);
    struct finish bold = phase_solve(&problem, "-", NULL);
    assert_true(least_by_angles(&bold) < 0.35 && phase_final(&bold, TH) > 0.95);
    problem.task.grid.yield = 0.4;
    struct finish kept = phase_solve(&problem, "-", NULL);
    assert_near(least_by_angles(&kept), 0.4, 1e-7);
    assert_near(phase_final(&kept, TH), atan(1), 1e-7);
    assert_true(kept.objective > bold.objective);
    finish_free(&bold);
    finish_free(&kept);
    phase_free(&problem);
}

/* What sticks or is open has none, and no row. */
static void only_slip_has_a_yield(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(rod, 2, 1);
    static const char *const text[] = { "k", "o" };
    for (int k = 0; k < 2; k++) {
        int rows[2];
        for (int with = 0; with < 2; with++) {
            struct finish one;
            struct sequence *seq = phase_sequence(&problem, text[k]);
            struct samples *samples = phase_constant(&problem, seq, NULL);
            problem.task.grid.yield = with ? 0.4 : 0;
            assert_int_equal(finish_build(&problem.task, seq, samples, &one, problem.small.diag), STATUS_OK);
            rows[with] = one.ph->mpcc.nlp.n_g;
            finish_free(&one);
            samples_free(samples);
            sequence_free(seq);
        }
        assert_int_equal(rows[0], rows[1]);
    }
    phase_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_yield_is_kept), cmocka_unit_test(only_slip_has_a_yield) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
