/* Repairs that a budget has cut short go on, where nothing else has led to a solution. */
#include "transcription/generators/generator.h"

#include "transcription/candidates/continuations.h"
#include "transcription/sequence/recipe.h"

#include <math.h>

/* The next of them in the pool, the nearest to a solution first; -1: there is none. */
static int next_cut(const struct pool *pool)
{
    int k = 0;
    while (k < pool->n && !pool->found[k].cut_short) k++;
    return k < pool->n ? k : -1;
}

/* The neighbours that were tried are known, so that those beside them follow. */
static enum status go_on(struct discovery *at, int k)
{
    struct finish one = pool_take(&at->pool, k);
    at->search.task = discovery_task(at, SEARCH_STAGES, one.ph->grid.elements);
    discovery_begin(at, "more neighbouring sequences of one without a solution");
    const enum status st = repair_by_neighbours(at, &one, INFINITY);
    discovery_count(at, &one);
    at->out->record.n_finished += one.solved;
    discovery_keep(at, &one);
    return st;
}

static enum status run(struct discovery *at)
{
    enum status st = STATUS_OK;
    while (st == STATUS_OK && repairs_were_cut(at))
        st = go_on(at, next_cut(&at->pool));
    return st;
}

bool repairs_were_cut(const struct discovery *at)
{
    return !pool_has_solution(&at->pool) && next_cut(&at->pool) >= 0 && !discovery_must_stop(at);
}

const struct generator cut_repairs = { .is = REPAIR, .run = run };
