/* test_search_pool.c - transcription/finish/pool.h: what is remembered, under which key, until when; the
 * order of candidates. What a search passes: test_search_moves.c */
#include "tests/unit/phase_problem.h"

#include "transcription/finish/pool.h"

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

/* --- Candidates ---------------------------------------------------------------------------------------------- */

/* Without a solution: the one that violates least comes first, and there is nothing to be seen in it. */
static void what_violates_least_comes_first(void **state)
{
    (void)state;
    static const double violation[] = { 0.3, 0.1, 0.4, 0.2 };
    struct pool pool = { 0 };
    for (int k = 0; k < 4; k++)
        pool_keep(&pool, &(struct finish){ .violation = violation[k] });
    for (int k = 0; k < 4; k++)
        assert_near(pool.found[k].violation, 0.1 * (k + 1), 1e-15);
    assert_false(pool_has_solution(&pool) || pool_has_motion(&pool) || pool_is_confirmed(&pool));
    assert_near(pool_take(&pool, 2).violation, 0.3, 0);
    pool_drop_first(&pool);
    assert_int_equal(pool.n, 2);
    assert_true(pool.found[0].violation == 0.2 && pool.found[1].violation == 0.4);
    pool_free(&pool);
}

/* A mass is held where it is, against gravity, by a control of least effort. The same cost from another start is a
 * second opinion, a higher one is none. */
static void two_starts_with_one_cost_confirm_each_other(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\ntime: {horizon: 1, intervals: 1, elements: 2}\n"
        "states: {z: {initial: 1, final: 1}, v: {initial: 0}}\n"
        "controls: {u: {bounds: [-50, 50]}}\n"
        "dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: u - 10}}\n"
        "contacts: {ground: {gap: z}}\ncost: {running: {effort: u^2}}\ndiscretization: {method: fesd-j}\n", 3, 1);
    struct pool pool = { 0 };
    struct finish one = phase_solve(&problem, "o", NULL), again = phase_solve(&problem, "o", NULL);
    struct finish dearer = phase_solve(&problem, "o", NULL);
    assert_near(one.objective, 100, 1e-6);      /* in one interval: (10 N)^2 for 1 s */
    dearer.objective = 101;
    assert_true(pool_is_best(&pool, &dearer));
    pool_keep(&pool, &dearer);
    assert_true(pool_has_solution(&pool) && pool_is_best(&pool, &one));
    assert_false(pool_has_motion(&pool));       /* its contact is open throughout */
    pool_keep(&pool, &one);
    assert_false(pool_is_confirmed(&pool) || pool_is_best(&pool, &again));
    assert_true(pool.found[0].objective < pool.found[1].objective);
    pool_keep(&pool, &again);
    assert_true(pool_is_confirmed(&pool));
    pool_empty(&pool);
    assert_false(pool_has_solution(&pool));
    pool_free(&pool);
    phase_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_violates_least_comes_first),
        cmocka_unit_test(two_starts_with_one_cost_confirm_each_other),
        cmocka_unit_test(what_is_forgotten_is_new),
        cmocka_unit_test(an_order_has_no_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
