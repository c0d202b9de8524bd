/* test_middles.c - an event at the edge of its interval starts in the middle of each interval around, and the
 * motion goes with it */
#include "tests/unit/phase_problem.h"

#include "transcription/moves/neighbours.h"

#include <string.h>

/* A mass above a ground; intervals take 0.125 s. */
static const char rough[] =
    "cocp: 1\n"
    "time: {horizon: 2, intervals: 16, elements: 1}\n"
    "states: {x: {initial: free, bounds: [-9, 9]}, z: {initial: free, bounds: [-9, 9]},\n"
    "         vx: {initial: free, bounds: [-9, 9]}, vz: {initial: free, bounds: [-9, 9]}}\n"
    "controls: {u: {bounds: [-50, 50]}}\n"
    "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {x: u, z: -10}}\n"
    "contacts: {ground: {gap: z, tangent: x, friction: 0.4}}\n"
    "discretization: {method: fesd-j}\n";

/* Four intervals of 0.25 s with controls 1, 2, 3, 4. The event goes from 0.75 s to 0.5 s, so that what took 0.75 s takes
 * 0.5 s, and the last quarter a half: the first interval has 0.375 s of what was, (0.25 + 2 * 0.125) / 0.375, the second
 * (2 * 0.125 + 3 * 0.25) / 0.375, the others half of the last one each. */
static void a_motion_is_stretched_to_its_event(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 1, intervals: 4, elements: 1}\n"
        "states: {x: {initial: 0}}\n"
        "controls: {u: {bounds: [-9, 9]}}\n"
        "dynamics: {type: ode, rhs: {x: u - sign(x - 1)}}\n"
        "discretization: {method: fesd}\n", 3, 1);
    const double before[] = { 0.75 }, after[] = { 0.5 }, grid[] = { 0, 0.25, 0.5, 0.75, 1 };
    const double t[] = { 0, 0.3, 0.75, 0.75, 0.9, 1 }, wanted[] = { 0, 0.2, 0.5, 0.5, 0.8, 1 };
    const double u[] = { 4.0 / 3, 8.0 / 3, 4, 4 };
    struct samples *from = samples_create(problem.sys, 1);
    from->t_event[0] = before[0];
    for (int k = 0; k < 6; k++)
        *samples_add(from, t[k], k > 2) = k;
    for (int i = 0; i < 4; i++)
        from->u[i] = i + 1;
    struct samples *to = samples_remap(from, 1, after, true);
    samples_stretch(to, before, grid);
    for (int k = 0; k < 6; k++) {
        assert_near(to->t[k], wanted[k], 1e-15);
        assert_near(to->y[k], k, 0);
        assert_int_equal(to->mode[k], k > 2);
    }
    for (int i = 0; i < 4; i++)
        assert_near(to->u[i], u[i], 1e-15);
    samples_free(from);
    samples_free(to);
    phase_free(&problem);
}

/* Event j's time in each neighbour that the move makes, by the interval it is in then; NAN: there is none. */
static void find_middles(const char *text, const double *t, int j, double *middle)
{
    struct phase_problem problem = phase_read(rough, 3, 1);
    struct sequence *seq = phase_sequence(&problem, text);
    struct samples *samples = phase_constant(&problem, seq, t);
    struct finish at;
    assert_int_equal(finish_build(&problem.task, seq, samples, &at, problem.small.diag), STATUS_OK);
    at.solved = true;
    struct neighbours list = neighbours_of(&at, FOR_BETTER, 1e-3, NULL);
    for (int i = 0; i < 16; i++)
        middle[i] = NAN;
    for (int k = 0; k < list.n; k++) {
        const struct neighbour *one = &list.list[k];
        if (one->move->is != MOVE_EVENT_TO_MIDDLE)
            continue;
        assert_true(one->move->stretches);
        assert_true(isnan(middle[one->seq->place[j] / 2]));
        middle[one->seq->place[j] / 2] = one->t[j];
    }
    neighbours_free(&list);
    finish_free(&at);
    samples_free(samples);
    sequence_free(seq);
    phase_free(&problem);
}

static void check_middles(const double *middle, int first, int last)
{
    for (int i = 0; i < 16; i++)
        if (i >= first && i <= last)
            assert_near(middle[i], (i + 0.5) * 0.125, 1e-12);
        else
            assert_true(isnan(middle[i]));
}

/* At 0.5 s, the end of interval 3 and the start of interval 4, from either side; at 0.125 s there is one interval before. */
static void each_interval_around_has_a_start(void **state)
{
    (void)state;
    double middle[16];
    find_middles("o 3.5!k k", (const double[]){ 0.5 }, 0, middle);
    check_middles(middle, 2, 5);
    find_middles("o 4.5!k k", (const double[]){ 0.5 }, 0, middle);
    check_middles(middle, 2, 5);
    find_middles("o 0.5!k k", (const double[]){ 0.125 }, 0, middle);
    check_middles(middle, 0, 2);
    find_middles("o 3.5!k k", (const double[]){ 0.45 }, 0, middle);
    check_middles(middle, 0, -1);                   /* at no edge */
}

/* The impact is at 0.5 s, slip ends at 0.5625 s, in the middle of interval 4. In that interval the impact is halfway
 * between its start and the end of slip, in 5 it would come after it. */
static void an_event_stays_before_the_next_one(void **state)
{
    (void)state;
    double middle[16];
    find_middles("o 3.5!+ + 4.5 k", (const double[]){ 0.5, 0.5625 }, 0, middle);
    assert_near(middle[2], 2.5 * 0.125, 1e-12);
    assert_near(middle[3], 3.5 * 0.125, 1e-12);
    assert_near(middle[4], 0.53125, 1e-12);
    assert_true(isnan(middle[5]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motion_is_stretched_to_its_event),
        cmocka_unit_test(each_interval_around_has_a_start),
        cmocka_unit_test(an_event_stays_before_the_next_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
