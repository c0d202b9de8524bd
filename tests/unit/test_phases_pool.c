/* tests/unit/test_phases_pool.c - transcription/phases/pool.h: what is remembered, under which key, until when */
#include "transcription/phases/pool.h"

#include "tests/unit/assertions.h"

static struct sequence *falls_and_lands(const char *text)
{
    struct sequence *seq = sequence_read(1, 0, 0, text);
    assert_non_null(seq);
    return seq;
}

/* Under each key once, and once more where that key alone was forgotten. */
static void what_is_forgotten_is_new(void **state)
{
    (void)state;
    struct pool pool = { 0 };
    struct sequence *seq = falls_and_lands("o 1.5!c c");
    for (int key = 0; key < N_POOL_KEYS; key++) {
        assert_false(pool_knows(&pool, key, seq));
        assert_true(pool_is_new(&pool, key, seq));
        assert_true(pool_knows(&pool, key, seq));
        assert_false(pool_is_new(&pool, key, seq));
    }
    pool_forget(&pool, POOL_SEQUENCE);
    for (int key = 0; key < N_POOL_KEYS; key++)
        assert_int_equal(pool_is_new(&pool, key, seq), key == POOL_SEQUENCE);
    sequence_free(seq);
    pool_free(&pool);
}

/* Where it lands makes another sequence and no other order; an impact less is known by its modes alone. */
static void an_order_has_no_places(void **state)
{
    (void)state;
    struct pool pool = { 0 };
    struct sequence *early = falls_and_lands("o 1.5!c c"), *late = falls_and_lands("o 2.5!c c");
    struct sequence *soft = falls_and_lands("o 1.5 c"), *bounce = falls_and_lands("o 1.5!c o 2.5!c c");
    assert_true(pool_is_new(&pool, POOL_SEQUENCE, early) && pool_is_new(&pool, POOL_SEQUENCE, late));
    assert_true(pool_is_new(&pool, POOL_ORDER, early));
    assert_false(pool_is_new(&pool, POOL_ORDER, late));
    assert_true(pool_knows_order(&pool, POOL_ORDER, soft) && !pool_knows(&pool, POOL_ORDER, soft));
    assert_true(pool_is_new(&pool, POOL_ORDER, soft));
    assert_false(pool_knows_order(&pool, POOL_ORDER, bounce));
    sequence_free(early);
    sequence_free(late);
    sequence_free(soft);
    sequence_free(bounce);
    pool_free(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_forgotten_is_new),
        cmocka_unit_test(an_order_has_no_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
