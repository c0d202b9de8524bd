#include "transcription/discover/settle.h"

#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/mpcc/report.h"
#include "transcription/discover/acceptance.h"
#include "transcription/finish/better.h"
#include "transcription/sensitivity/sensitivity.h"
#include "transcription/sequence/recipe.h"
#include "transcription/solve/recipe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEARCH_FROM = 1,                /* sequences whose neighbours are tried, the best first; */
    SEARCH_FROM_MOTIONS = 3         /* where motions alone show some */
};

/* --- A minimum, or a saddle ------------------------------------------------------------------------------- */

static bool shows_minimum(const struct finish *best)
{
    struct sensitivity *sens = sensitivity_create(best);
    const bool is_minimum = sensitivity_is_minimum(sens);
    sensitivity_free(sens);
    return is_minimum;
}

/* [n_w] the solution with its controls moved at random, by no symmetry of the problem. */
static double *beside(const struct finish *best)
{
    const struct phases *ph = best->ph;
    const struct nlp *nlp = &ph->mpcc.nlp;
    double *w = memcpy(mem_alloc((size_t)nlp->n_w, sizeof *w), best->w, (size_t)nlp->n_w * sizeof *w);
    uint64_t counter = 0;
    for (int k = 0; k < ph->n_interval; k++)
        for (int var = ph->at.u[k]; var < ph->at.u[k] + ph->sys->model->n_u; var++) {
            const double width = nlp->ubw[var] - nlp->lbw[var];
            w[var] += PERTURBATION * (isfinite(width) ? width : fmax(1, fabs(w[var])))
                      * random_signed(random_next(&counter));
        }
    return w;
}

/* A symmetric guess leads to a saddle of a symmetric problem, where first-order conditions hold, too. Where
 * the curvature does not show a minimum the same sequence is finished once more from beside it. What starts
 * from its own solution stays. */
static enum status leave_saddle(struct discovery *at, struct finish *best)
{
    struct counting counting;
    if (at->out->solution.again || at->task->once || discovery_must_stop(at) || discovery_is_near_optimum(at)
        || shows_minimum(best) || !counts_begin(discovery_counts(at), OFF_SADDLE, &counting))
        return STATUS_OK;
    struct finish_task task = discovery_task(at, SEARCH_STAGES, at->elements);
    struct finish moved = *best, found;
    task.grid = best->ph->grid;
    moved.w = beside(best);
    discovery_begin(at, "starts beside the best solution, which may be a saddle point");
    const enum status st = finish_again(&task, &moved, TRY_MAX_ITER, &found, at->diag);
    free(moved.w);
    const bool better = st == STATUS_OK && found.solved && below(found.objective, best->objective, margins.as_good);
    counts_candidate(discovery_counts(at), OFF_SADDLE, found.solved, better);
    counts_end(&counting);
    if (better) {
        discovery_tell(at, &found);
        finish_free(best);
        *best = found;
    } else {
        finish_free(&found);
    }
    return st;
}

/* --- Search and refinement ----------------------------------------------------------------------------------- */

/* How many neighbours may be tried: in the time of as many with two elements where pieces have more. */
static int most_tries(const struct discovery *at)
{
    const int tries = discovery_tries(at);
    return at->out->solution.again || at->gait.led ? 0 : at->elements > 2 ? 2 * tries / at->elements : tries;
}

/* Discoveries start from motions, neighbours from a solution, which is a better start: what had none from there may
 * have one from here. */
static void forget_failures(struct discovery *at)
{
    pool_forget(&at->pool, POOL_SEQUENCE);
    for (int k = 0; k < at->pool.n; k++)
        if (at->pool.found[k].solved)
            (void)pool_is_new(&at->pool, POOL_SEQUENCE, at->pool.found[k].ph->seq);
}

/* Sequences whose neighbours are tried: of motions the second best, too, as what one costs before its events have
 * moved says little; not where time steps have found the best, and what it costs. */
static int search_from(const struct discovery *at)
{
    const bool by_motions = at->traits & (TRAIT_ONLY_MOTION_KNOWS | TRAIT_RELAYS);
    return (by_motions && !at->pool.expected) || discovery_makes_all(at) ? SEARCH_FROM_MOTIONS : SEARCH_FROM;
}

/* From candidate k to its best neighbour, as long as one is better. */
static enum status improve_one(struct discovery *at, int k)
{
    struct finish *one = &at->pool.found[k];
    struct counting counting;
    if (discovery_is_near_optimum(at) || !counts_begin(discovery_counts(at), NEIGHBOURS, &counting))
        return STATUS_OK;
    const int tries = at->search.tries;
    const double before = one->objective;
    at->search.max_tries = tries + most_tries(at);
    at->search.task.grid.yield = one->ph->grid.yield;
    const enum status st = search_improve(&at->search, one, at->diag);
    if (below(one->objective, before, margins.as_good))
        solve_headline(at->task, "%s: %d tried, the best has objective %.7g", at->what, at->search.tries - tries,
                       one->objective);
    else if (at->search.tries > tries)
        solve_headline(at->task, "%s: %d tried, none is better", at->what, at->search.tries - tries);
    const bool better = one->objective < before;
    counts_candidate(discovery_counts(at), NEIGHBOURS, better, better && k == 0);
    counts_end(&counting);
    return st;
}

/* To other sequences of its motion where the objective falls, and from there to neighbours again. */
static enum status descend(struct discovery *at, struct finish *best)
{
    enum status st = STATUS_OK;
    for (struct finish better; st == STATUS_OK && most_tries(at) > 0 && discovery_steepest(at, best, &better);) {
        pool_pass(&at->pool, best);
        *best = better;
        at->search.max_tries = at->search.tries + most_tries(at);
        st = search_improve(&at->search, best, at->diag);
        at->out->solution.exhausted = at->search.exhausted;
    }
    return st;
}

enum status discovery_improve(struct discovery *at)
{
    struct solution *out = &at->out->solution;
    struct tried *tried = &at->out->record.tried;
    enum status st = STATUS_OK;
    if (pool_has_solution(&at->pool) && at->pool.found[0].ph->grid.elements > at->elements)
        at->elements = at->pool.found[0].ph->grid.elements;
    at->search.task = discovery_task(at, SEARCH_STAGES, at->elements);
    at->search.note = discovery_note_neighbour;
    at->search.shifts = !at->pool.clear;
    if (at->effort == BY_DEFAULT)
        forget_failures(at);
    const int most = at->pool.n < search_from(at) ? at->pool.n : search_from(at);
    for (int k = 0; k < most && at->pool.found[k].solved && st == STATUS_OK; k++) {
        discovery_begin(at, "neighbouring sequences of candidate %d of at most %d", k + 1, most);
        st = improve_one(at, k);
        if (out->best.ph && !better_than(&at->pool.found[k], &out->best))
            continue;
        finish_free(&out->best);
        out->best = at->pool.found[k];
        at->pool.found[k] = (struct finish){ .objective = NAN };
        out->exhausted = at->search.exhausted;
    }
    if (st == STATUS_OK && out->best.ph)
        st = descend(at, &out->best);
    if (out->best.ph)
        tried_sort(tried, out->best.ph->seq);
    if (st == STATUS_OK && out->best.ph)
        st = leave_saddle(at, &out->best);
    out->compared = tried->n ? out->best.objective : NAN;
    return st;
}

/* Accuracy is part of solved. Without it a run that was stopped says so. */
static void judge(struct discovery *at)
{
    struct solution *out = &at->out->solution;
    out->status = discovery_status_of_stop(at, STATUS_UNVERIFIED);
    if (solution_is_refused(out, at->settings->tol))
        return;
    if (out->again && out->is_kept) {
        out->status = STATUS_ACCEPTABLE;
        snprintf(out->reason, sizeof out->reason, "it is the guess itself: no better solution was found from it");
    } else
        out->status = STATUS_OK;
}

enum status discovery_bring_to_end(struct discovery *at)
{
    at->yield = at->out->solution.best.ph->grid.yield;
    const enum status st = discovery_reach_accuracy(at);
    judge(at);
    return st;
}

enum status discovery_settle(struct discovery *at, bool search)
{
    const enum status st = search ? discovery_improve(at) : STATUS_OK;
    if (st == STATUS_OK)
        return discovery_bring_to_end(at);
    judge(at);
    return st;
}
