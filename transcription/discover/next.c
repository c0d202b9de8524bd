/* A solution that no replay agrees with is no answer: the next one that can be verified is better than one that is
 * not true. After the best come other discoveries that were finished and solutions that its search has passed, the
 * cheaper ones first. */
#include "transcription/discover/settle.h"

#include "transcription/candidates/solve_candidate.h"
#include "transcription/discover/plan.h"
#include "transcription/finish/better.h"
#include "transcription/generators/generator.h"

#include <math.h>

enum {
    NEXT_TRIES = 4,                 /* solutions after the best, where a replay refuses that */
    MOST_DESCENTS = 10              /* from the answer to one that costs less */
};

/* --- What comes next ----------------------------------------------------------------------------------------- */

/* Another discovery that was finished, as the first of those found. */
static bool next_found(struct discovery *at)
{
    struct pool *pool = &at->pool;
    while (pool->n > 0 && (!pool->found[0].solved || refused_has(&at->out->record.refused, &pool->found[0])))
        pool_drop_first(pool);
    return pool->n > 0;
}

/* A solution that the search has passed, as the best. */
static bool next_passed(struct discovery *at)
{
    struct finish *best = &at->out->solution.best;
    bool any = pool_take_passed(&at->pool, best);
    while (any && refused_has(&at->out->record.refused, best)) {
        finish_free(best);
        any = pool_take_passed(&at->pool, best);
    }
    return any;
}

/* Is the best of what the search has passed cheaper than the other discoveries? */
static bool passed_is_cheaper(const struct discovery *at)
{
    for (int k = 0; k < at->pool.n_passed; k++)
        if (!refused_has(&at->out->record.refused, &at->pool.passed[k]))
            return at->pool.passed[k].objective < at->pool.found[0].objective;
    return false;
}

/* --- One after the other ------------------------------------------------------------------------------------- */

static bool may_begin_anew(const struct discovery *at, enum status st)
{
    return st == STATUS_OK && !at->task->once && !at->out->solution.again && !discovery_must_stop(at);
}

void solution_begin_anew(struct solution *out)
{
    out->best = (struct finish){ .objective = NAN };
    out->refined = out->again = out->is_kept = false;
    out->replay = (struct replayed){ .error = NAN, .interval = NAN, .judged = NAN };
    *out->refusal = *out->reason = '\0';
}

/* The next one to its end; false: there is none. */
static bool settle_next(struct discovery *at, enum status *st)
{
    if (next_found(at) && !passed_is_cheaper(at))
        *st = discovery_settle(at, true);
    else if (next_passed(at))
        *st = discovery_settle(at, false);
    else
        return false;
    return true;
}

void solution_keep_better(struct solution *out, struct solution *before, bool is_better)
{
    finish_free(is_better ? &before->best : &out->best);
    if (!is_better)
        *out = *before;
}

enum status discovery_look_further(struct discovery *at)
{
    struct solution *out = &at->out->solution, before = *out;
    solve_headline(at->task, "a replay has refused the solution that is near the bound, and the search goes on");
    at->limited.bound.is_near = NULL;
    solution_begin_anew(out);
    enum status st = discover(at);
    if (st == STATUS_OK && pool_has_solution(&at->pool))
        st = discovery_settle(at, true);
    const bool is_better = out->best.ph && out->status == STATUS_OK;
    if (is_better)
        refused_add(&at->out->record.refused, &before.best, before.reason);
    solution_keep_better(out, &before, is_better);
    return st;
}

enum status discovery_settle_on_next(struct discovery *at)
{
    struct solution *out = &at->out->solution;
    struct refused *refused = &at->out->record.refused;
    enum status st = STATUS_OK;
    const int most = at->gait.led ? GAIT_FINISHED : NEXT_TRIES;
    bool any = true;
    struct counting counting;
    for (int k = 0; k < most && any && out->status == STATUS_UNVERIFIED && may_begin_anew(at, st); k++) {
        if (k == 0)
            refused_add(refused, &out->best, out->reason);
        const struct refused_sequence *last = &refused->list[refused->n - 1];
        solve_headline(at->task, "rejected: the solution with objective %.7g, as %s", last->objective,
                       last->reason);
        if (!counts_begin(discovery_counts(at), NEXT_BEST, &counting))
            break;
        struct solution before = *out;
        discovery_begin(at, "the next best solution");
        solution_begin_anew(out);
        any = settle_next(at, &st);
        counts_candidate(discovery_counts(at), NEXT_BEST, out->best.solved, any && out->status == STATUS_OK);
        counts_end(&counting);
        const bool is_better = any && out->status == STATUS_OK;
        if (any && !is_better && out->best.ph)
            refused_add(refused, &out->best, out->reason);
        solution_keep_better(out, &before, is_better);
    }
    return st;
}

/* --- Other sequences of the answer's motion ------------------------------------------------------------------- */

/* What starts from its own solution stays. */
static bool may_descend(const struct discovery *at)
{
    const struct solution *out = &at->out->solution;
    return out->status == STATUS_OK && !out->again && !at->task->once && discovery_tries(at) > 0;
}

enum status discovery_descend_to_end(struct discovery *at)
{
    struct solution *out = &at->out->solution;
    enum status st = STATUS_OK;
    struct finish one;
    bool is_better = true;
    pool_forget(&at->pool, POOL_DESCENT);       /* that was on another grid */
    for (int k = 0; k < MOST_DESCENTS && is_better && may_descend(at) && discovery_steepest(at, &out->best, &one); k++) {
        struct solution before = *out;
        solution_begin_anew(out);
        out->best = one;
        out->refined = true;
        st = discovery_bring_to_end(at);
        is_better = st == STATUS_OK && out->status == STATUS_OK
                    && below(out->best.objective, before.best.objective, margins.as_good);
        solution_keep_better(out, &before, is_better);
        if (is_better) { /* what was tried were neighbours of another sequence */
            out->exhausted = false;
            tried_sort(&at->out->record.tried, out->best.ph->seq);
        }
    }
    return st;
}
