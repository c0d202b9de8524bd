/* tests/unit/phases/test_goal_continuation.c - from a start that is far from its goal to the solution, in parts */
#include "tests/unit/phase_problem.h"

#include "core/base/mem.h"
#include "transcription/finish/goal_continuation.h"
#include "transcription/finish/path_homotopy.h"

/* From rest to rest over d in 1 s by a force that changes once: int u^2 = 12 d^2 n^2/(n^2 - 1) = 16 d^2 with n = 2. x
 * has a final value, y a constraint. */
#define TWO_WAYS(x, y) \
    "cocp: 1\n" \
    "time: {horizon: 1, intervals: 2, elements: 1}\n" \
    "states: {x: {initial: 0, final: " x "}, y: {initial: 0},\n" \
    "  vx: {initial: 0, final: 0}, vy: {initial: 0, final: 0}}\n" \
    "controls: {ux: {bounds: [-50, 50]}, uy: {bounds: [-50, 50]}}\n" \
    "dynamics: {type: mechanical, coordinates: {x: vx, y: vy}, mass: {diag: [1, 1]}, force: {x: ux, y: uy}}\n" \
    "contacts: {floor: {gap: y + 100}}\n" \
    "constraints: {there: {expr: final(y) == " y ", at: boundary}}\n" \
    "cost: {running: {effort: ux^2 + uy^2}}\n"

static struct finish approach(struct phase_problem *problem)
{
    struct sequence *seq = phase_sequence(problem, "o");
    struct samples *samples = phase_constant(problem, seq, NULL);
    struct finish out = { .objective = NAN, .iterations = 7 };
    assert_int_equal(goal_continuation_finish(&problem->task, seq, samples, 100, &out, problem->small.diag),
                     STATUS_OK);
    samples_free(samples);
    sequence_free(seq);
    return out;
}

static void the_goal_is_reached(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(TWO_WAYS("1", "-2"), 3, 1);
    struct finish out = approach(&problem);
    assert_true(out.solved);
    assert_ptr_equal(out.ph->sys, problem.sys);                 /* nothing of what asks for less is left */
    assert_near(phase_final(&out, 0), 1, 1e-8);
    assert_near(phase_final(&out, 1), -2, 1e-8);
    assert_near(out.objective, 80, 1e-6);
    assert_true(out.iterations > 7);
    finish_free(&out);
    phase_free(&problem);
}

/* What the start breaks says the constraint alone, by as much as it is off. */
static void what_is_broken_is_measured(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(TWO_WAYS("1", "-2"), 3, 1);
    struct sequence *seq = phase_sequence(&problem, "o");
    struct samples *samples = phase_constant(&problem, seq, NULL);
    struct finish start;
    assert_int_equal(finish_build(&problem.task, seq, samples, &start, problem.small.diag), STATUS_OK);
    double *broken = path_homotopy_broken(&start);
    assert_near(broken[0], 2, 1e-15);
    free(broken);
    finish_free(&start);
    samples_free(samples);
    sequence_free(seq);
    phase_free(&problem);
}

static void a_start_that_has_it_all_is_left_alone(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(TWO_WAYS("0", "0"), 3, 1);
    struct finish out = approach(&problem);
    assert_false(out.solved);
    assert_null(out.ph);
    assert_int_equal(out.iterations, 7);
    phase_free(&problem);
}

/* Beyond what the bounds allow, 50/4 m in x: a part has a solution, all of it none, and nothing is left of that. */
static void a_goal_out_of_reach_leaves_nothing(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(TWO_WAYS("30", "0"), 3, 1);
    struct finish out = approach(&problem);
    assert_false(out.solved);
    assert_null(out.ph);
    assert_true(out.iterations > 7);
    phase_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_goal_is_reached), cmocka_unit_test(what_is_broken_is_measured),
        cmocka_unit_test(a_start_that_has_it_all_is_left_alone), cmocka_unit_test(a_goal_out_of_reach_leaves_nothing)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
