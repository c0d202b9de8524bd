/* Sequences without a solution that would be worth one: their neighbours are tried, the nearest first. */
#include "transcription/generators/generator.h"

#include "transcription/finish/better.h"
#include "transcription/sequence/recipe.h"

#include <math.h>

#define REPAIR_VIOLATION 1.0        /* switches: a sequence off by more says nothing of what it costs */

/* Would a solution of it be cheaper than the best there is? */
static bool is_cheaper(const struct discovery *at, const struct finish *one)
{
    const struct pool *pool = &at->pool;
    const bool cheaper = pool_has_solution(pool) ? below(one->objective, pool->found[0].objective, margins.repaired)
                                                 : one->objective < INFINITY;
    return one->ph && !one->solved && one->violation <= REPAIR_VIOLATION && cheaper;
}

/* *one is found again in the pool, no farther back than it was. */
static enum status repair(struct discovery *at, enum mechanism what, int k, bool *solved)
{
    struct finish one = pool_take(&at->pool, k);
    discovery_begin(at, "neighbouring sequences of one without a solution%s",
                    pool_has_solution(&at->pool) ? " but with a lower objective" : "");
    at->search.task = discovery_task(at, SEARCH_STAGES, at->elements);
    at->search.max_tries = at->search.tries + REPAIR_TRIES;
    const enum status st = search_repair(&at->search, &one, at->diag);
    discovery_note(at, &one);
    discovery_tell(at, &one);
    at->out->record.n_finished += one.solved;
    counts_candidate(discovery_counts(at), what, one.solved, pool_is_best(&at->pool, &one));
    *solved = one.solved;
    discovery_keep(at, &one);
    return st;
}

bool repair_has_cheaper(const struct discovery *at)
{
    bool any = false;
    for (int k = 0; k < at->pool.n; k++)
        any = any || is_cheaper(at, &at->pool.found[k]);
    return any;
}

static enum status run_cheaper(struct discovery *at)
{
    enum status st = STATUS_OK;
    bool solved = false;
    for (int k = 0; k < at->pool.n && !solved && st == STATUS_OK && !discovery_must_stop(at); k++) {
        if (!is_cheaper(at, &at->pool.found[k]))
            continue;
        st = repair(at, REPAIR_CHEAPER, k, &solved);
    }
    return st;
}

/* Of those with n events the one that is least off; -1: there is none. */
static int nearest_with(const struct discovery *at, int n)
{
    for (int k = 0; k < at->pool.n; k++)             /* sorted by violation */
        if (is_cheaper(at, &at->pool.found[k]) && at->pool.found[k].ph->seq->n_event == n)
            return k;
    return -1;
}

bool repair_has_simplest(const struct discovery *at)
{
    bool any = false;
    for (int n = 1; n <= MOST_PREFIXES; n++)
        any = any || nearest_with(at, n) >= 0;
    return any;
}

static enum status run_simplest(struct discovery *at)
{
    enum status st = STATUS_OK;
    for (int n = 1, solved = 0;
         n <= MOST_PREFIXES && solved < MOTIONS_ENOUGH && st == STATUS_OK && !discovery_must_stop(at); n++) {
        const int k = nearest_with(at, n);
        if (k < 0)
            continue;
        bool is_solved;
        st = repair(at, REPAIR_SIMPLEST, k, &is_solved);
        solved += is_solved;
    }
    return st;
}

const struct generator repair_cheaper = { .is = REPAIR_CHEAPER, .run = run_cheaper };
const struct generator repair_simplest = { .is = REPAIR_SIMPLEST, .run = run_simplest };
