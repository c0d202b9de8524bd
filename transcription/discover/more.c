/* What is asked for beside the default: more starts, more neighbours. The default comes first, up to its result,
 * and what follows replaces that only where it costs less: more effort is never worse. */
#include "transcription/discover/settle.h"

#include "transcription/discover/plan.h"
#include "transcription/finish/better.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>

static bool is_wanted(const struct discovery *at)
{
    const struct solution *found = &at->out->solution;
    const bool neighbours = discovery_asks_for_tries(at) && found->best.ph && !found->exhausted;
    return (discovery_asks_for_starts(at) || neighbours) && !at->task->once && !at->task->guess_alone
           && !found->again && !discovery_must_stop(at) && !discovery_is_near_optimum(at);
}

/* Without what was taken out for a result; relaxed controls have solutions of their own. */
static void clear_pool(struct discovery *at)
{
    struct pool *pool = &at->pool;
    for (int k = pool->n - 1; k >= 0; k--)
        if (!pool->found[k].ph)
            (void)pool_take(pool, k);
    if (at->value)
        pool_empty(pool);
    pool->n_repeated = 0;
}

/* The result of the default on the grid of the search, where neighbours are compared with it, and starts that
 * lead to it again are known. *objective: there; INFINITY: it has none. */
static enum status keep_on_search_grid(struct discovery *at, const struct finish *best, double *objective)
{
    const struct finish_task task = discovery_task(at, SEARCH_STAGES, at->elements);
    struct samples *samples = samples_of(best->ph, best->w);
    struct finish coarse;
    const enum status st =
        finish_solve(&task, best->ph->seq, samples, FINISH_WARM, TRY_MAX_ITER, &coarse, at->diag);
    samples_free(samples);
    finish_descend(&coarse, best);
    if (st == STATUS_OK && coarse.solved) {
        *objective = coarse.objective;
        discovery_keep(at, &coarse);
    } else {
        finish_free(&coarse);
    }
    return st;
}

/* What there is now, with controls that take their values, and the best neighbours. */
static enum status find_better(struct discovery *at)
{
    enum status st = discovery_makes_all(at) ? discover_more(at) : STATUS_OK;
    if (st == STATUS_OK && pool_has_solution(&at->pool) && (at->traits & TRAIT_VALUES))
        st = discovery_take_values(at);
    return st == STATUS_OK && pool_has_solution(&at->pool) ? discovery_improve(at) : st;
}

static bool is_better(const struct solution *one, const struct solution *first)
{
    return one->status == STATUS_OK
           && (first->status != STATUS_OK || below(one->best.objective, first->best.objective, margins.same));
}

enum status discovery_do_more(struct discovery *at)
{
    struct solution *out = &at->out->solution;
    struct tried *tried = &at->out->record.tried;
    if (!is_wanted(at))
        return STATUS_OK;
    struct solution first = *out;
    double *value = at->value, before = INFINITY;
    enum status st = STATUS_OK;
    solution_begin_anew(out);
    clear_pool(at);
    at->effort = AS_ASKED;
    at->value = NULL;
    if (first.best.ph && !value)
        st = keep_on_search_grid(at, &first.best, &before);
    if (st == STATUS_OK)
        st = find_better(at);
    const bool promises = st == STATUS_OK && out->best.ph && below(out->best.objective, before, margins.as_good);
    if (promises)
        st = discovery_bring_to_end(at);
    const bool better = promises && st == STATUS_OK && is_better(out, &first);
    solution_keep_better(out, &first, better);
    free(better ? value : at->value);
    at->value = better ? at->value : value;
    if (tried->n && out->best.ph)
        tried_sort(tried, out->best.ph->seq);
    return st;
}
