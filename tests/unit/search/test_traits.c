/* test_traits.c - transcription/candidates/traits.h: what the spec says, read off by hand */
#include "tests/unit/phase_problem.h"

#include "transcription/candidates/traits.h"

static unsigned traits_of_spec(const char *text)
{
    struct phase_problem problem = phase_read(text, 3, 1);
    const struct solve_task task = { .model = problem.small.model, .discretization = &problem.small.settings };
    const unsigned traits = traits_of(&task, problem.sys);
    phase_free(&problem);
    return traits;
}

static void holds(unsigned traits, unsigned all, unsigned none)
{
    assert_int_equal(traits & all, all);
    assert_int_equal(traits & none, 0);
}

#define BALL(floor) \
    "cocp: 1\ntime: {horizon: 1, intervals: 4, elements: 1}\n" \
    "states: {h: {initial: 1, final: 3}, v: {initial: 0}}\n" \
    "controls: {u: {bounds: [-1, 1]}}\n" \
    "dynamics: {type: mechanical, coordinates: {h: v}, mass: {diag: [1]}, force: {h: u - 9.81}}\n" \
    "contacts: {floor: {gap: h" floor "}}\n"

/* Time steps take both balls; of the one that rebounds they know too little. Both are to be at a height. */
static void a_ball_is_of_motions_where_it_rebounds(void **state)
{
    (void)state;
    const unsigned motions = TRAIT_REBOUNDS | TRAIT_MOTION_FIRST | TRAIT_ONLY_MOTION_KNOWS;
    const unsigned both = TRAIT_CONTACTS | TRAIT_STEPS | TRAIT_AIM | TRAIT_AIMED | TRAIT_GRID;
    const unsigned neither = TRAIT_SWITCHES | TRAIT_RELAYS | TRAIT_MACHINES | TRAIT_PRESCRIBED | TRAIT_UNTIL
                             | TRAIT_VALUES | TRAIT_ONLY_PARAMETERS | TRAIT_PATH | TRAIT_CYCLE | TRAIT_SPACE_SLIP
                             | TRAIT_CORNERS;
    holds(traits_of_spec(BALL("")), both, neither | motions);
    holds(traits_of_spec(BALL(", restitution: 0.5")), both | motions, neither | TRAIT_GAIT);
}

/* A speed whose law is another one beyond 1, to be held below 2 on the way, with a control that is on or off. */
static void a_switch_has_no_trait_of_contacts(void **state)
{
    (void)state;
    const unsigned traits = traits_of_spec(
        "cocp: 1\ntime: {horizon: 1, intervals: 4, elements: 1}\n"
        "states: {x: {initial: 0, final: 1.5}}\ncontrols: {u: {values: [0, 4]}}\n"
        "dynamics: {type: piecewise, switches: {c: x - 1},\n"
        "           modes: {fast: {where: c < 0, rhs: {x: u}}, slow: {where: c > 0, rhs: {x: u / 2}}}}\n"
        "constraints: {slow: x <= 2}\n");
    holds(traits, TRAIT_SWITCHES | TRAIT_VALUES | TRAIT_PATH | TRAIT_AIM,
          TRAIT_CONTACTS | TRAIT_STEPS | TRAIT_ROUGH | TRAIT_MOTION_FIRST | TRAIT_ONLY_MOTION_KNOWS | TRAIT_GAIT
              | TRAIT_FLIES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_is_of_motions_where_it_rebounds),
        cmocka_unit_test(a_switch_has_no_trait_of_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
