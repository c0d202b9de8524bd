/* transcription/phases/pool.h - what a search for sequences has come to: one memory of what was tried
 *
 * An empty one is all zeros. Several searches may share one; each remembers under its own key.
 */
#ifndef COCP_TRANSCRIPTION_PHASES_POOL_H
#define COCP_TRANSCRIPTION_PHASES_POOL_H

#include "transcription/phases/sequence.h"

/* As what a sequence is remembered. */
enum pool_key {
    POOL_SEQUENCE,                  /* its program was run */
    POOL_ORDER,                     /* its program was run with intervals of free lengths: wherever its events are */
    POOL_UNDECIDED,                 /* its friction in space was decided: what sticks and slips in it is left open */
    POOL_FAILED,                    /* a start has led to it, and it has no solution */
    POOL_DRAWN,                     /* stances and flights in turn that were drawn, as long as these are compared */
    N_POOL_KEYS
};

struct pool {
    struct pool_memory { int n, cap; struct sequence **seq; } tried[N_POOL_KEYS];
};

void pool_free(struct pool *pool);

/* Remembers a sequence; false if it was known. */
bool pool_is_new(struct pool *pool, enum pool_key key, const struct sequence *seq);

/* Is it known? Nothing is remembered. */
bool pool_knows(const struct pool *pool, enum pool_key key, const struct sequence *seq);

/* Is one with its modes in their order known, whatever its impacts and the places of its events? */
bool pool_knows_order(const struct pool *pool, enum pool_key key, const struct sequence *seq);

/* Forgets what is under that key: from another start a sequence that led nowhere may have a solution. */
void pool_forget(struct pool *pool, enum pool_key key);

#endif
