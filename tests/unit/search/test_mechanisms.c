/* test_mechanisms.c - transcription/mechanisms: names, switches, counts */
#include "transcription/mechanisms/counts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void each_has_a_name_of_its_own_and_a_help(void **state)
{
    (void)state;
    for (int i = 0; i < N_MECHANISM; i++) {
        assert_non_null(mechanisms[i].name);
        assert_true(strlen(mechanisms[i].help) > 10);
        assert_ptr_equal(mechanism_names[i], mechanisms[i].name);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(mechanisms[i].name, mechanisms[k].name);
    }
    assert_null(mechanism_names[N_MECHANISM]);
}

static bool is_used(struct mechanism_set set, enum mechanism what)
{
    return mechanism_is_in(&set, what);
}

static const struct mechanism_set none;

static struct mechanism_set just(enum mechanism what)
{
    struct mechanism_set set = none;
    set.word[what / 64] = UINT64_C(1) << what % 64;
    return set;
}

static struct mechanism_set both(enum mechanism a, enum mechanism b)
{
    struct mechanism_set set = just(a);
    set.word[b / 64] |= UINT64_C(1) << b % 64;
    return set;
}

static void only_leaves_other_kinds_alone(void **state)
{
    (void)state;
    const struct mechanism_set set = mechanisms_used(just(NEXT_BEST), both(BY_CROSS_ENTROPY, BY_GAIT));
    assert_true(is_used(set, BY_CROSS_ENTROPY) && is_used(set, BY_GAIT));
    assert_false(is_used(set, BY_TIME_STEPS));
    assert_true(is_used(set, NEIGHBOURS) && is_used(set, GIVE_UP));
    assert_false(is_used(set, NEXT_BEST));
    assert_false(is_used(mechanisms_used(just(BY_CROSS_ENTROPY), just(BY_CROSS_ENTROPY)), BY_CROSS_ENTROPY));
    for (int i = 0; i < N_MECHANISM; i++)
        for (int k = 0; k < N_MECHANISM; k++)
            assert_int_equal(is_used(mechanisms_used(just((enum mechanism)i), none), (enum mechanism)k), i != k);
}

/* The inner one's iterations are the outer one's, too; candidates are the innermost generator's. */
static void what_stands_within_counts_for_both(void **state)
{
    (void)state;
    int finish = 3, homotopy = 4;
    struct counts counts = { .used = mechanisms_used(just(BY_METHOD), none), .iterations = { &finish, &homotopy },
                             .generator = MECHANISM_NONE };
    struct counting outer, inner;
    assert_true(counts_begin(&counts, BY_TIME_STEPS, &outer));
    finish += 10;
    assert_true(counts_begin(&counts, REPAIR, &inner));
    homotopy += 5;
    counts_candidate(&counts, counts.generator, true, false);
    counts_end(&inner);
    assert_true(counts_begin(&counts, BY_STEPS_IN_MOTION, &inner));
    counts_repeated(&counts);
    counts_end(&inner);
    assert_int_equal(counts.generator, BY_TIME_STEPS);
    counts_end(&outer);
    assert_int_equal(counts.generator, MECHANISM_NONE);
    assert_int_equal(counts.of[REPAIR].iterations, 5);
    assert_int_equal(counts.of[BY_TIME_STEPS].iterations, 15);
    assert_int_equal(counts.of[BY_TIME_STEPS].candidates, 1);
    assert_int_equal(counts.of[BY_TIME_STEPS].solved, 1);
    assert_int_equal(counts.of[BY_STEPS_IN_MOTION].repeated, 1);
    assert_false(counts_begin(&counts, BY_METHOD, &inner));
    assert_int_equal(counts.of[BY_METHOD].calls, 0);
}

static void a_gate_counts_where_it_closes(void **state)
{
    (void)state;
    struct counts counts = { .used = mechanisms_used(just(MORE_TRIES), none) };
    assert_true(counts_gate(&counts, GIVE_UP));
    assert_false(counts_gate(&counts, MORE_TRIES));
    assert_true(counts_gate(NULL, MORE_TRIES));
    assert_int_equal(counts.of[GIVE_UP].calls, 1);
    assert_int_equal(counts.of[MORE_TRIES].calls, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_has_a_name_of_its_own_and_a_help),
        cmocka_unit_test(only_leaves_other_kinds_alone),
        cmocka_unit_test(what_stands_within_counts_for_both),
        cmocka_unit_test(a_gate_counts_where_it_closes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
