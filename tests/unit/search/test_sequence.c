#define _POSIX_C_SOURCE 200809L

/* test_sequence.c - sequences as text and as lists */
#include "transcription/sequence/sequence.h"

#include "tests/unit/assertions.h"
#include "tests/unit/sequence_text.h"

#include <stdlib.h>
#include <string.h>

/* What is printed is read back as the same sequence: contacts and switches, events inside and on the grid. */
static void text_is_read_back(void **state)
{
    (void)state;
    static const char *const text[] = { "okn", "okn 5.5!cop c+p 14 ck0 14.5 okn", "s-p 1 s+0" };
    for (int k = 0; k < 3; k++) {
        struct sequence *seq = sequence_read(2, 1, 0, text[k]);
        if (k != 1) {
            assert_non_null(seq);
            assert_text(seq, text[k]);
        } else {
            assert_null(seq);                   /* a switch is not hit */
        }
        sequence_free(seq);
    }
    struct sequence *seq = sequence_read(2, 1, 0, "okn 5.5!co c+p 14 ck0 14.5 okn");
    assert_int_equal(seq->place[0], 11);
    assert_int_equal(seq->place[1], 28);
    assert_true(sequence_has_impact(seq, 0) && !sequence_has_impact(seq, 1));
    assert_true(sequence_is_on_grid(seq, 1) && !sequence_is_on_grid(seq, 2));
    sequence_free(seq);
}

/* Words that are none, events out of order, states of the wrong kind. */
static void what_is_no_sequence_is_refused(void **state)
{
    (void)state;
    static const char *const text[] = { "", "o", "ok", "okk", "okn 3", "okn 3 ok", "okn 3 okn 2 okn", "okn 0.25 okn", "nok", "okn " };
    for (size_t k = 0; k < sizeof text / sizeof *text; k++)
        assert_null(sequence_read(2, 1, 0, text[k]));
}

/* An inserted event has the same mode on both sides; taking it out gives the sequence back. Times go with their
 * events. */
static void inserting_and_removing(void **state)
{
    (void)state;
    struct sequence *seq = sequence_read(1, 1, 0, "on 0.5!k kn 3 op"), *copy = sequence_copy(seq);
    sequence_insert(seq, 1, 3);
    assert_text(seq, "on 0.5!k kn 1.5 kn 3 op");
    assert_false(sequence_equal(seq, copy));
    sequence_remove(seq, 1, 2, NULL);
    assert_true(sequence_equal(seq, copy));
    double t[] = { 0.2, 0.7 };
    sequence_remove(seq, 0, 1, t);
    assert_text(seq, "on 3 op");
    assert_true(t[0] == 0.7);
    sequence_free(seq);
    sequence_free(copy);
}

/* Events at which nothing changes go, with their times; an impact that leaves all as it was stays. */
static void events_without_a_change_go(void **state)
{
    (void)state;
    struct sequence *seq = sequence_read(1, 0, 0, "o 0.5!c o 1 o 1.5 k 2.5 k 3 o");
    double t[] = { 0.1, 0.2, 0.3, 0.5, 0.6 };
    sequence_simplify(seq, t);
    assert_text(seq, "o 0.5!c o 1.5 k 3 o");
    assert_true(t[0] == 0.1 && t[1] == 0.3 && t[2] == 0.6);
    sequence_free(seq);
}

/* The story of a sequence with events at t, until T. */
static void assert_story(struct sequence *seq, const struct sequence_words *words, const double *t, double T, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(seq);
    sequence_print_story(seq, words, t, T, out);
    (void)fclose(out);
    assert_string_equal(text, expected);
    free(text);
    sequence_free(seq);
}

static void the_story_counts_seconds(void **state)
{
    (void)state;
    const char *const name[] = { "foot", "v", "wall" };
    const bool closes[] = { true, false, true };
    const double t[] = { 0.125, 0.25, 1 };
    assert_story(sequence_read(1, 2, 0, "opp 0.5!c o00 1!k k00 3 onp"), &(struct sequence_words){ name, closes, NULL, NULL, "s" }, t, 1.5,
                 "foot: is open 0.125 s, bounces, is open 0.125 s, sticks 0.75 s, is open 0.5 s\n"
                 "v: is positive 0.125 s, stays at 0 for 0.875 s, is negative 0.5 s\n"
                 "wall: is open 0.125 s, is closed 0.875 s, is open 0.5 s\n");
}

/* What sticks while another foot lands is hit, which it is not by a change of the other one alone. */
static void the_story_tells_what_happens_to_each(void **state)
{
    (void)state;
    const char *const name[] = { "left", "right" };
    const bool closes[] = { true, true };
    const double t[] = { 0.25, 0.5, 1 };
    assert_story(sequence_read(2, 0, 0, "ko 0.5!k+ k+ 1 kk 1.5!+o +o"), &(struct sequence_words){ name, closes, NULL, NULL, "s" }, t, 1.5,
                 "left: sticks 0.25 s, is hit, sticks 0.75 s, slips forward 0.5 s\n"
                 "right: is open 0.25 s, slips forward 0.25 s, sticks 0.5 s, is open 0.5 s\n");
    const bool rebounds[] = { false, true };
    assert_story(sequence_read(2, 0, 0, "oo 0.5!cc oo"), &(struct sequence_words){ name, closes, NULL, rebounds, "s" }, t, 1.5,
                 "left: is open 0.25 s, is hit, is open 1.25 s\nright: is open 0.25 s, bounces, is open 1.25 s\n");
    const char *const states[] = { "falls", "rests" };
    const char *const *const machine[] = { states };
    assert_story(sequence_read(0, 0, 1, "A 0.5>0 A 1.5>1 B"), &(struct sequence_words){ name, closes, machine, NULL, "s" }, t, 1,
                 "left: falls 0.25 s, makes a transition, falls 0.25 s, rests 0.5 s\n");
}

/* A slip of no length inside of a rest, a flight of none before the first impact, a touch of none, and a stance of none after the
 * last impact, which is told. */
static void the_story_leaves_out_what_has_no_length(void **state)
{
    (void)state;
    const char *const name[] = { "foot" };
    const bool closes[] = { true };
    const struct sequence_words words = { name, closes, NULL, NULL, "s" };
    const double t[] = { 0.5, 0.5 + 5e-14, 0.75 }, at_once[] = { 1e-9, 0.5, 0.5 + 1e-9 };
    assert_story(sequence_read(1, 0, 0, "k 0.5 - 1 k 1.5 o"), &words, t, 1, "foot: sticks 0.75 s, is open 0.25 s\n");
    assert_story(sequence_read(1, 0, 0, "o 0.5!c o 1.5!k k 1.5 o"), &words, at_once, 1,
                 "foot: bounces, is open 0.5 s, is hit, is open 0.5 s\n");
    const double at_the_end[] = { 0.25, 1 };
    assert_story(sequence_read(1, 0, 0, "k 0.5 o 1.5!k k"), &words, at_the_end, 1,
                 "foot: sticks 0.25 s, is open 0.75 s, is hit at the end\n");
}

/* Of forty the first seven and the last three. */
static void a_long_story_is_cut(void **state)
{
    (void)state;
    enum { N = 39 };
    const char *const name[] = { "v" };
    const bool closes[] = { false };
    struct sequence *seq = sequence_read(0, 1, 0, "p");
    double t[N];
    for (int j = 0; j < N; j++) {
        sequence_insert(seq, j, 1);
        sequence_mode(seq, j + 1)[0] = j % 2 ? PHASE_POSITIVE : PHASE_NEGATIVE;
        t[j] = j + 1;
    }
    assert_story(seq, &(struct sequence_words){ name, closes, NULL, NULL, "s" }, t, N + 1,
                 "v: is positive 1 s, is negative 1 s, is positive 1 s, is negative 1 s, is positive 1 s, is negative 1 s, "
                 "is positive 1 s, ... 30 more ..., is negative 1 s, is positive 1 s, is negative 1 s\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_read_back), cmocka_unit_test(what_is_no_sequence_is_refused),
        cmocka_unit_test(inserting_and_removing), cmocka_unit_test(events_without_a_change_go),
        cmocka_unit_test(the_story_counts_seconds), cmocka_unit_test(the_story_tells_what_happens_to_each),
        cmocka_unit_test(the_story_leaves_out_what_has_no_length), cmocka_unit_test(a_long_story_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
