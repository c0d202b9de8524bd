/* Margins are of the second cost, at least of 1; what has a solution is better than what has none. */
#include "transcription/finish/better.h"
#include "transcription/finish/finish.h"

#include "tests/unit/assertions.h"

/* 1 percent of a cost of 200 is 2; of a cost of 0.1 it is 0.01. */
static void margins_are_of_the_second_cost_and_at_least_of_one(void **state)
{
    (void)state;
    assert_true(below(197.5, 200, 0.01));
    assert_false(below(198.5, 200, 0.01));
    assert_true(above(202.5, 200, 0.01));
    assert_false(above(201.5, 200, 0.01));
    assert_true(at_most(201.5, 200, 0.01));
    assert_false(at_most(202.5, 200, 0.01));
    assert_true(near_to(198.5, 200, 0.01));
    assert_false(near_to(197.5, 200, 0.01));
    assert_true(below(-202.5, -200, 0.01));
    assert_true(below(0.085, 0.1, 0.01));
    assert_false(below(0.095, 0.1, 0.01));
}

static void nothing_compares_with_what_is_no_number(void **state)
{
    (void)state;
    const double pairs[][2] = { { NAN, 1 }, { 1, NAN }, { NAN, NAN } };
    for (int k = 0; k < 3; k++) {
        const double a = pairs[k][0], b = pairs[k][1];
        assert_false(below(a, b, 0.1) || above(a, b, 0.1) || at_most(a, b, 0.1) || near_to(a, b, 0.1));
    }
}

/* With n events, of which nothing else is looked at. */
static struct finish solution(struct sequence *seq, struct phases *ph, int n, double objective)
{
    seq->n_event = n;
    ph->seq = seq;
    return (struct finish){ .ph = ph, .solved = true, .objective = objective };
}

static void a_solution_is_better_than_none_and_a_simpler_one_may_cost_as_much(void **state)
{
    (void)state;
    struct sequence long_one = { 0 }, short_one = { 0 };
    struct phases with_long = { 0 }, with_short = { 0 };
    const struct finish a = solution(&long_one, &with_long, 3, 10), b = solution(&short_one, &with_short, 2, 10);
    const struct finish dearer = solution(&short_one, &with_short, 2, 10.1);
    struct finish none = a;
    none.solved = false;
    none.objective = 1;
    assert_true(better_than(&a, &none) && !better_than(&none, &a));
    assert_true(!better_than(&a, &b) && !better_than(&b, &a));
    assert_true(better_or_simpler(&b, &a));
    assert_false(better_or_simpler(&a, &b) || better_or_simpler(&dearer, &a) || better_or_simpler(&none, &a));
    assert_true(better_or_simpler(&a, &dearer));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(margins_are_of_the_second_cost_and_at_least_of_one),
        cmocka_unit_test(nothing_compares_with_what_is_no_number),
        cmocka_unit_test(a_solution_is_better_than_none_and_a_simpler_one_may_cost_as_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
