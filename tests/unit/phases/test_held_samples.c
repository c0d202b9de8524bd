/* test_held_samples.c - controls that hold a guess of which only states are known, against closed
 * forms */
#include "tests/unit/phase_problem.h"

#include "transcription/start/guess.h"

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

/* Of a guess without events the forces of each interval, too: the weight, and what controls leave to friction. */
static void forces_hold_a_guess(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(BLOCK("scale: 1", "1"), 3, 1);
    struct sequence *seq = phase_sequence(&problem, "k");
    struct samples *samples = samples_create(problem.sys, 0);
    struct finish one;
    double u[4], force[4 * (1 + SLIP_MAX)];
    for (int i = 0; i < 4; i++)
        samples_add(samples, 0.1 * i + 0.05, 0)[0] = i;         /* wherever along the ground */
    assert_int_equal(finish_build(&problem.task, seq, samples, &one, problem.small.diag), STATUS_OK);
    held_forces(one.ph, samples, u, force);
    for (int i = 0; i < 4; i++) {
        assert_near(u[i], with_sizes(1, 1), 1e-9);
        assert_near(force[(1 + SLIP_MAX) * i], 10, 1e-9);
        assert_near(force[(1 + SLIP_MAX) * i + 1], -12 - u[i], 1e-9);
    }
    finish_free(&one);
    samples_free(samples);
    sequence_free(seq);
    phase_free(&problem);
}

/* --- Into time steps ----------------------------------------------------------------------------------------- */

#define STEPS(states, tangent, masses) \
    "cocp: 1\n" \
    "time: {horizon: 1, intervals: 2, elements: 2}\n" \
    "states: {" states ", z: {initial: 0}, vz: {initial: 0}}\n" \
    "controls: {u: {bounds: [-1, 1]}}\n" \
    "dynamics: {type: mechanical, mass: {diag: " masses "}, force: {z: u - 10}}\n" \
    "contacts: {floor: {gap: z, tangent: " tangent ", friction: 0.5}}\n" \
    "discretization: {method: time-stepping, friction_form: polyhedral}\n"

/* Contact forces of time steps that start from normal forces of 10 N with friction t [2]: *left, of the cone. */
static void start_from(const char *spec, const double *t, double *force, double *left)
{
    struct phase_problem problem = phase_read(spec, 3, 1);
    struct transcription *tr = small_transcribe(&problem.small);
    const struct dcs_contact *contact = &tr->dcs->contact[0];
    const double *sel = &program_guess(tr->prog)[tr_sel(tr, 1, 1)];
    int place;
    struct guess *guess = guess_with_room(tr->model, NULL, 1, (double[]){ 0.5 }, &place);
    guess->force[0] = 10;
    guess->force[1] = t[0];
    guess->force[2] = t[1];
    tr_apply_guess(tr, guess, true);
    assert_near(sel[contact->force], 10, 0);
    force[0] = force[1] = *left = 0;
    const int first = contact->first_pair + 1, n = contact->end_pair - first;
    for (int k = 0; k < n; k++) {
        const double side = sel[tr->dcs->pair[first + k].sel];
        assert_true(side >= 0);
        if (n == 2) {                           /* in the plane: sides of the cone, whose sum is twice its width */
            force[0] += (k ? -0.5 : 0.5) * side;
            *left += 0.5 * side;
        } else if (k < n - 1) {
            force[0] += cos(k * acos(-1) / 2) * side;
            force[1] += sin(k * acos(-1) / 2) * side;
            *left += side;
        } else
            *left += side;
    }
    guess_free(guess);
    phase_free(&problem);
}

static void steps_start_from_forces(void **state)
{
    (void)state;
    const double t[2] = { -2, 1.5 };
    double force[2], width;
    start_from(STEPS("x: {initial: 0}, y: {initial: 0}, vx: {initial: 0}, vy: {initial: 0}", "[x, y]",
                     "[1, 1, 1]}, coordinates: {x: vx, y: vy, z: vz"), t, force, &width);
    assert_near(force[0], t[0], 1e-12);
    assert_near(force[1], t[1], 1e-12);
    assert_near(width, 5, 1e-12);
    start_from(STEPS("x: {initial: 0}, vx: {initial: 0}", "x", "[1, 1]}, coordinates: {x: vx, z: vz"), t, force,
               &width);
    assert_near(force[0], t[0], 1e-12);
    assert_near(width, 5, 1e-12);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_helps_within_its_cone),
        cmocka_unit_test(flight_is_held_as_far_as_controls_reach),
        cmocka_unit_test(forces_hold_a_guess),
        cmocka_unit_test(steps_start_from_forces)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
