#include "transcription/finish/pool.h"

#include "core/base/mem.h"
#include "transcription/finish/better.h"

#include <stdlib.h>
#include <string.h>

void pool_free(struct pool *pool)
{
    pool_empty(pool);
    free(pool->found);
    pool_drop_passed(pool);
    for (int key = 0; key < N_POOL_KEYS; key++)
        pool_forget(pool, key);
}

/* --- Candidates ---------------------------------------------------------------------------------------------- */

/* In its place among n, which are one more then; after those that are as good. */
static void put(struct finish *list, int *n, const struct finish *one)
{
    int k = (*n)++;
    for (; k > 0 && better_than(one, &list[k - 1]); k--)
        list[k] = list[k - 1];
    list[k] = *one;
}

void pool_keep(struct pool *pool, const struct finish *one)
{
    pool->found = mem_grow(pool->found, pool->n, 1, sizeof *pool->found);
    put(pool->found, &pool->n, one);
}

struct finish pool_take(struct pool *pool, int k)
{
    const struct finish one = pool->found[k];
    memmove(&pool->found[k], &pool->found[k + 1], (size_t)(--pool->n - k) * sizeof *pool->found);
    return one;
}

void pool_drop_first(struct pool *pool)
{
    struct finish first = pool_take(pool, 0);
    finish_free(&first);
}

void pool_empty(struct pool *pool)
{
    for (int k = 0; k < pool->n; k++)
        finish_free(&pool->found[k]);
    pool->n = 0;
}

bool pool_has_motion(const struct pool *pool)
{
    const struct sequence *seq = pool_has_solution(pool) ? pool->found[0].ph->seq : NULL;
    bool open = false;
    for (int c = 0; seq && c < seq->n_contact; c++)
        open = open || sequence_mode(seq, 0)[c] == PHASE_OPEN;
    return seq && (seq->n_event > 0 || !open);
}

bool pool_is_best(const struct pool *pool, const struct finish *one)
{
    return one->solved && (pool->n == 0 || better_than(one, &pool->found[0]));
}

bool pool_is_confirmed(const struct pool *pool)
{
    const struct finish *found = pool->found;
    return pool->n_repeated || (pool->n > 1 && found[1].solved && !better_than(&found[0], &found[1]));
}

/* --- Solutions that were passed ------------------------------------------------------------------------------ */

void pool_pass(struct pool *pool, struct finish *one)
{
    const bool full = pool->n_passed == POOL_PASSED;
    if (!one->solved || (full && !better_than(one, &pool->passed[POOL_PASSED - 1]))) {
        finish_free(one);
        return;
    }
    if (full)
        finish_free(&pool->passed[--pool->n_passed]);
    put(pool->passed, &pool->n_passed, one);
}

bool pool_take_passed(struct pool *pool, struct finish *out)
{
    if (pool->n_passed == 0)
        return false;
    *out = pool->passed[0];
    pool->n_passed--;
    memmove(pool->passed, pool->passed + 1, (size_t)pool->n_passed * sizeof *pool->passed);
    return true;
}

void pool_drop_passed(struct pool *pool)
{
    for (int k = 0; k < pool->n_passed; k++)
        finish_free(&pool->passed[k]);
    pool->n_passed = 0;
}

/* --- What was tried ------------------------------------------------------------------------------------------ */

/* Under this key, are they the same? */
static bool is_same(enum pool_key key, const struct sequence *a, const struct sequence *b)
{
    if (key != POOL_ORDER)
        return sequence_equal(a, b);
    return sequence_same_order(a, b)
           && (a->n_event == 0 || memcmp(a->hit, b->hit, (size_t)(a->n_event * a->n_contact)) == 0);
}

bool pool_knows(const struct pool *pool, enum pool_key key, const struct sequence *seq)
{
    const struct pool_memory *memory = &pool->tried[key];
    for (int k = 0; k < memory->n; k++)
        if (is_same(key, memory->seq[k], seq))
            return true;
    return false;
}

bool pool_knows_order(const struct pool *pool, enum pool_key key, const struct sequence *seq)
{
    const struct pool_memory *memory = &pool->tried[key];
    for (int k = 0; k < memory->n; k++)
        if (sequence_same_order(memory->seq[k], seq))
            return true;
    return false;
}

bool pool_is_new(struct pool *pool, enum pool_key key, const struct sequence *seq)
{
    struct pool_memory *memory = &pool->tried[key];
    if (pool_knows(pool, key, seq))
        return false;
    memory->seq = mem_grow(memory->seq, memory->n, 1, sizeof *memory->seq);
    memory->seq[memory->n++] = sequence_copy(seq);
    return true;
}

void pool_forget(struct pool *pool, enum pool_key key)
{
    struct pool_memory *memory = &pool->tried[key];
    for (int k = 0; k < memory->n; k++)
        sequence_free(memory->seq[k]);
    free(memory->seq);
    *memory = (struct pool_memory){ 0, NULL };
}
