/* A solution that no replay agrees with is no answer: the next one that can be verified is better than one that is
 * not true. After the best come other discoveries that were finished and solutions that its search has passed, the
 * cheaper ones first, and discoveries from other starts. */
#include "transcription/discover/settle.h"

#include "core/base/mem.h"
#include "transcription/candidates/solve_candidate.h"
#include "transcription/discover/plan.h"
#include "transcription/finish/better.h"
#include "transcription/reading/simulated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NEXT_TRIES = 4,                 /* solutions after the best, where a replay refuses that */
    NEXT_ROUNDS = 2                 /* more walks through the plan for them, each with all its starts */
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

/* As before it, from other starts and seeds; then motions that are aimed at what is asked: simulated from event to
 * event, they keep off what a replay would not follow (a switching surface that drives away from it on both sides). */
static enum status discover_again(struct discovery *at)
{
    at->round++;
    at->guess = NULL;
    at->elements = 1;
    at->yield = 0;
    at->gait = (struct gait_state){ .tried = false };
    at->simulations.made = at->steps.exploit = false;
    at->pool.n_repeated = 0;
    solve_headline(at->task, "candidates from other initial guesses, round %d of at most %d", at->round,
                   NEXT_ROUNDS);
    enum status st = discover(at);
    if (st == STATUS_OK && !next_found(at) && !discovery_must_stop(at))
        st = generate(at, &by_cross_entropy);
    if (st == STATUS_OK && next_found(at) && (at->traits & TRAIT_VALUES))
        st = discovery_take_values(at);
    return st;
}

/* Is the best of what the search has passed cheaper than the other discoveries? */
static bool passed_is_cheaper(const struct discovery *at)
{
    for (int k = 0; k < at->pool.n_passed; k++)
        if (!refused_has(&at->out->record.refused, &at->pool.passed[k]))
            return at->pool.passed[k].objective < at->pool.found[0].objective;
    return false;
}

static bool next_discovered(struct discovery *at, enum status *st)
{
    while (!next_found(at) && !at->task->guess_alone && at->round < NEXT_ROUNDS && *st == STATUS_OK
           && !discovery_must_stop(at))
        *st = discover_again(at);
    return next_found(at);
}

/* --- One after the other ------------------------------------------------------------------------------------- */

static bool may_begin_anew(const struct discovery *at, enum status st)
{
    return st == STATUS_OK && !at->task->once && !at->out->solution.again && !discovery_must_stop(at);
}

static void begin_anew(struct solution *out)
{
    out->best = (struct finish){ .objective = NAN };
    out->refined = out->again = out->is_kept = false;
    out->replay = (struct replayed){ .error = NAN, .interval = NAN, .judged = NAN };
    *out->refusal = *out->reason = '\0';
}

/* The next one to its end; false: there is none. */
static bool settle_next(struct discovery *at, struct promise *promise, enum status *st)
{
    struct counting counting;
    if (next_found(at) && !passed_is_cheaper(at))
        *st = discovery_settle(at, true, promise);
    else if (next_passed(at))
        *st = discovery_settle(at, false, promise);
    else if (counts_begin(discovery_counts(at), OTHER_ROUNDS, &counting)) {
        const bool any = next_discovered(at, st);
        if (any)
            *st = discovery_settle(at, true, promise);
        counts_candidate(discovery_counts(at), OTHER_ROUNDS, any, any && at->out->solution.status == STATUS_OK);
        counts_end(&counting);
        return any;
    } else
        return false;
    return true;
}

/* The better solution stays, the one before or that in its place. */
static void keep_better(struct solution *out, struct solution *before, bool is_better)
{
    finish_free(is_better ? &before->best : &out->best);
    if (!is_better)
        *out = *before;
}

enum status discovery_settle_on_next(struct discovery *at, struct promise *promise)
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
        begin_anew(out);
        any = settle_next(at, promise, &st);
        counts_candidate(discovery_counts(at), NEXT_BEST, out->best.solved, any && out->status == STATUS_OK);
        counts_end(&counting);
        const bool is_better = any && out->status == STATUS_OK;
        if (any && !is_better && out->best.ph)
            refused_add(refused, &out->best, out->reason);
        keep_better(out, &before, is_better);
    }
    return st;
}

/* --- One that has become dearer ------------------------------------------------------------------------------ */

static bool is_cheaper_than(const struct solution *out, const struct solution *before)
{
    return out->best.solved && out->best.objective < before->best.objective;
}

static bool is_kept(const struct solution *out, const struct solution *before)
{
    return is_cheaper_than(out, before) && out->status == STATUS_OK;
}

/* What has begun anew stays if it is verified and costs less; what costs less alone is told of. */
static void keep_cheaper(struct discovery *at, struct solution *before)
{
    struct solution *out = &at->out->solution;
    if (is_cheaper_than(out, before) && out->status != STATUS_OK)
        refused_add(&at->out->record.refused, &out->best,
                    *out->reason ? out->reason : "there was no time to replay it from event to event");
    keep_better(out, before, is_kept(out, before));
}

/* Does another discovery promise less than the best costs, now that it is accurate? */
static bool is_outbid(struct discovery *at)
{
    return next_found(at)
           && well_below(at->pool.found[0].objective, at->out->solution.best.objective, margins.outbid);
}

enum status discovery_settle_on_cheaper(struct discovery *at, struct promise *promise)
{
    struct solution *out = &at->out->solution;
    enum status st = STATUS_OK;
    struct counting counting;
    for (int k = 0; k < NEXT_TRIES && out->status == STATUS_OK && may_begin_anew(at, st) && is_outbid(at)
                    && counts_begin(discovery_counts(at), ACCURATE_OTHERS, &counting); k++) {
        struct solution before = *out;
        solve_headline(at->task, "with accurate elements its objective is %.7g; that of another candidate, in coarse ones, is %.7g", out->best.objective,
                       at->pool.found[0].objective);
        begin_anew(out);
        st = discovery_settle(at, true, promise);
        counts_candidate(discovery_counts(at), ACCURATE_OTHERS, out->best.solved, is_kept(out, &before));
        counts_end(&counting);
        keep_cheaper(at, &before);
    }
    return st;
}

/* Did its elements on the grid of the search pass over what happens? What it costs has risen since. */
static bool has_risen(const struct discovery *at, const struct promise *promise)
{
    return promise->samples && well_above(at->out->solution.best.objective, promise->objective, margins.outbid);
}

/* The motion under its controls there, on a mesh that is finer. */
static enum status finish_promised(struct discovery *at, const struct samples *promised)
{
    const struct simulated_limits limits = discovery_limits(at);
    enum status st = STATUS_OK;
    struct extract from;
    discovery_begin(at, "sequence of a simulation with its controls in coarse elements");
    struct sim *sim = simulated_samples(at->task->model, promised, &limits);
    if (sim && extract_simulation(at->out->sys, sim, &from)) {
        st = candidate_solve(at, &(struct candidate){ .from = from, .elements = at->settings->elements });
        extract_free(&from);
    }
    sim_free(sim);
    return st;
}

static enum status settle_on_motion(struct discovery *at, struct promise *promise)
{
    struct solution *out = &at->out->solution;
    const struct record *record = &at->out->record;
    const int n_finished = record->n_finished;
    solve_headline(at->task, "with accurate elements its objective is %.7g; with coarse ones it was %.7g",
                   out->best.objective, promise->objective);
    enum status st = finish_promised(at, promise->samples);
    if (st != STATUS_OK || record->n_finished == n_finished || !is_outbid(at))
        return st;
    struct solution before = *out;
    begin_anew(out);
    st = discovery_settle(at, true, promise);
    counts_candidate(discovery_counts(at), ACCURATE_MOTION, out->best.solved, is_kept(out, &before));
    keep_cheaper(at, &before);
    return st;
}

enum status discovery_settle_on_motion(struct discovery *at, struct promise *promise)
{
    const bool wanted = at->out->solution.status == STATUS_OK && may_begin_anew(at, STATUS_OK)
                        && has_risen(at, promise) && !(at->traits & TRAIT_MACHINES) && !at->value;
    struct counting counting;
    if (!wanted || !counts_begin(discovery_counts(at), ACCURATE_MOTION, &counting))
        return STATUS_OK;
    const enum status st = settle_on_motion(at, promise);
    counts_end(&counting);
    return st;
}
