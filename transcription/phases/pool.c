#include "transcription/phases/pool.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

void pool_free(struct pool *pool)
{
    for (int key = 0; key < N_POOL_KEYS; key++) {
        pool_forget(pool, key);
        free(pool->tried[key].seq);
    }
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
    if (memory->n == memory->cap) {
        memory->cap = memory->cap ? 2 * memory->cap : 64;
        memory->seq = mem_resize(memory->seq, (size_t)memory->cap, sizeof *memory->seq);
    }
    memory->seq[memory->n++] = sequence_copy(seq);
    return true;
}

void pool_forget(struct pool *pool, enum pool_key key)
{
    struct pool_memory *memory = &pool->tried[key];
    for (int k = 0; k < memory->n; k++)
        sequence_free(memory->seq[k]);
    memory->n = 0;
}
