/* test_plan.c - transcription/discover/plan.h: what phases.md says of who tries what, in which order */
#include "transcription/discover/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static bool is_for(unsigned traits, const struct plan_row *row)
{
    return (traits & row->has) == row->has && !(traits & row->lacks);
}

/* The names of what may be tried in the first round, up to the end of the plan, each followed by a blank. */
static void order_of(unsigned traits, char *text, size_t size)
{
    *text = '\0';
    for (const struct plan_row *row = plan; row->try; row++) {
        if (!is_for(traits, row))
            continue;
        const size_t n = strlen(text);
        (void)snprintf(text + n, size - n, "%s ", mechanisms[row->try->is].name);
        if (row->then == ENDS)
            return;
    }
}

static void is_in_order(unsigned traits, const char *expected)
{
    char text[1000];
    order_of(traits, text, sizeof text);
    assert_string_equal(text, expected);
}

/* The method comes last, as it is the dearest; without contacts nothing of theirs is tried. */
static void a_switched_circuit(void **state)
{
    (void)state;
    is_in_order(TRAIT_SWITCHES, "given-guess fixed-steps cross-entropy own-sizes method "
                                 "other-starts ");
}

/* Courses with obstacles take time-freezing first, others gaits. */
static void a_hopper(void **state)
{
    (void)state;
    const unsigned hopper = TRAIT_CONTACTS | TRAIT_STEPS | TRAIT_GAIT;
    is_in_order(hopper,
                "given-guess time-steps gait time-freezing true-steps repair simulation simulation time-freezing "
                "cross-entropy method method cross-entropy other-starts ");
    is_in_order(hopper | TRAIT_PATH,
                "given-guess time-steps time-freezing gait true-steps repair simulation simulation time-freezing "
                "cross-entropy method method cross-entropy other-starts ");
}

/* What lies or slides in space as its guess does is found by that motion, before time steps. */
static void a_quadruped_in_space(void **state)
{
    (void)state;
    is_in_order(TRAIT_CONTACTS | TRAIT_STEPS | TRAIT_SPACE_SLIP,
                "given-guess guess-simulation time-steps gait time-freezing true-steps repair simulation "
                "simulation time-freezing "
                "cross-entropy method method cross-entropy other-starts ");
}

/* Simulations are for restitution; nothing but orders for machines, nothing but what they say where phases prescribe. */
static void a_ball_a_machine_and_phases(void **state)
{
    (void)state;
    is_in_order(TRAIT_CONTACTS | TRAIT_MOTION_FIRST | TRAIT_REBOUNDS,
                "given-guess simulation cross-entropy free-best time-freezing method method "
                "other-starts ");
    is_in_order(TRAIT_MACHINES, "given-guess machine-orders ");
    is_in_order(TRAIT_PRESCRIBED | TRAIT_CONTACTS | TRAIT_STEPS, "given-guess prescribed method ");
}

/* A generator without a row would never be tried: all but those that others go on with. */
static void every_generator_has_a_row(void **state)
{
    (void)state;
    for (int what = 0; what < N_MECHANISM; what++) {
        bool has_row = what == BY_STEPS_IN_MOTION || what == BY_GRID_MOTIONS;
        for (const struct plan_row *row = plan; row->try; row++)
            has_row = has_row || (row->try->is == (enum mechanism)what && !(row->has & row->lacks));
        assert_true(has_row || mechanisms[what].kind != GENERATOR);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_switched_circuit), cmocka_unit_test(a_hopper),
                                        cmocka_unit_test(a_quadruped_in_space),
                                        cmocka_unit_test(a_ball_a_machine_and_phases),
                                        cmocka_unit_test(every_generator_has_a_row) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
