/* test_held_samples.c - controls that hold a guess of which only states are known, against closed
 * forms */
#include "tests/unit/phase_problem.h"

/* A block of 1 kg is pushed along the ground by F = 12 N, against which a control of size s helps the friction t, at most
 * 0.9 of its cone: F + u + t = 0 with the least (u/s)^2 + (t/r)^2 is  u = -F s^2/(s^2 + r^2), r = 1, 1/2, 1/4, ... where
 * t leaves the cone. In flight u alone is against it, as far as its bounds let it. */
#define BLOCK(bounds, mu) \
    "cocp: 1\n" \
    "time: {horizon: 0.4, intervals: 4}\n" \
    "states: {x: {initial: 0}, z: {initial: 0}, vx: {initial: 0}, vz: {initial: 0}}\n" \
    "controls: {u: {" bounds "}}\n" \
    "dynamics:\n  type: mechanical\n  coordinates: {x: vx, z: vz}\n  mass: {diag: [1, 1]}\n" \
    "  force: {x: 12 + u, z: -10}\n" \
    "contacts: {floor: {gap: z, tangent: x, friction: " mu "}}\n" \
    "cost: {running: {effort: u^2}}\n"

static void hold(const char *spec, double *u)
{
    struct phase_problem problem = phase_read(spec, 3, 1);
    struct sequence *seq = phase_sequence(&problem, "k 2 o");
    struct samples *samples = phase_constant(&problem, seq, (double[]){ 0.2 });
    struct finish one;
    assert_int_equal(finish_build(&problem.task, seq, samples, &one, problem.small.diag), STATUS_OK);
    struct samples *held = samples_held(one.ph, samples);
    for (int i = 0; i < 4; i++)
        u[i] = held->u[i];
    samples_free(held);
    finish_free(&one);
    samples_free(samples);
    sequence_free(seq);
    phase_free(&problem);
}

static double with_sizes(double s, double r)
{
    return -12 * s * s / (s * s + r * r);
}

static void friction_helps_within_its_cone(void **state)
{
    (void)state;
    double u[4];
    hold(BLOCK("scale: 1", "1"), u);
    assert_near(u[0], with_sizes(1, 1), 1e-9);                  /* t = -6, of 9 */
    assert_near(u[1], u[0], 1e-12);
    hold(BLOCK("scale: 1", "0.5"), u);
    assert_near(u[0], with_sizes(1, 0.5), 1e-9);                /* t = -2.4, of 4.5 */
    hold(BLOCK("scale: 1", "0.1"), u);
    assert_near(u[0], with_sizes(1, 0.25), 1e-9);               /* t = -0.706, of 0.9 */
}

static void flight_is_held_as_far_as_controls_reach(void **state)
{
    (void)state;
    double u[4];
    hold(BLOCK("scale: 1", "1"), u);
    assert_near(u[3], -12, 1e-6);
    hold(BLOCK("scale: 1, bounds: [-5, 5]", "1"), u);
    assert_near(u[3], -5, 1e-12);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_helps_within_its_cone),
        cmocka_unit_test(flight_is_held_as_far_as_controls_reach)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
