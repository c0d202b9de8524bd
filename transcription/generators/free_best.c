/* The best sequence with events at free times, then with bounces more and fewer (phases.md "Continuations"). */
#include "transcription/generators/generator.h"

#include "transcription/candidates/continuations.h"
#include "transcription/candidates/solve_candidate.h"
#include "transcription/finish/better.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>

struct freeing { struct discovery *at; double objective; };     /* of the best with free lengths */

/* One that is cheaper with free lengths: a bounce without an impulse is as good, and no second opinion. */
static enum status set_neighbour_free(void *user, struct candidate *neighbour)
{
    struct freeing *freeing = user;
    neighbour->free_below = &freeing->objective;
    return candidate_solve(freeing->at, neighbour);
}

/* The best with each of its bounces once more, in any of its modes, and without it; again from what is better.
 * objective: of the best with free lengths. */
static enum status bounce_otherwise(struct discovery *at, double objective)
{
    struct freeing freeing = { at, objective };
    enum status st = STATUS_OK;
    bool better = true;
    while (better && st == STATUS_OK) {
        const struct finish best = at->pool.found[0];           /* it moves as others are found */
        struct samples *samples = samples_of(best.ph, best.w);
        struct neighbours list = neighbours_of(&best, FOR_BOUNCE, NEIGHBOUR_ZERO, discovery_counts(at));
        if (list.n > 0)
            discovery_begin(at, "the best sequence with more and with fewer bounces");
        for (int k = 0; k < list.n && st == STATUS_OK && !discovery_must_stop(at); k++)
            st = candidate_neighbour(at, &best, samples, &list.list[k], set_neighbour_free, &freeing);
        neighbours_free(&list);
        samples_free(samples);
        better = below(at->pool.found[0].objective, best.objective, margins.as_good) && !discovery_must_stop(at);
    }
    return st;
}

bool free_best_is_wanted(const struct discovery *at)
{
    const struct sequence *best = pool_has_solution(&at->pool) ? at->pool.found[0].ph->seq : NULL;
    return best && best->n_event > 0 && free_intervals_fit(at) && !free_intervals_know(at, best);
}

/* Then with bounces more and fewer, from what it costs so. */
static enum status set_best_free(struct discovery *at)
{
    const struct finish *best = &at->pool.found[0];
    struct counting counting;
    const int n_finished = at->out->record.n_finished;
    struct extract from = { sequence_copy(best->ph->seq), samples_of(best->ph, best->w), 0 };
    discovery_begin(at, "the best sequence with events at free times");
    double objective = INFINITY;
    struct finish path = { .found_by = NULL };
    struct candidate on_grid = { .beside = &path };
    finish_descend(&path, best);
    enum status st = free_intervals_solve(at, &from, at->elements, &objective, &on_grid.from);
    if (on_grid.from.seq) {
        st = candidate_solve(at, &on_grid);
        extract_free(&on_grid.from);
    }
    free(path.move);
    extract_free(&from);
    counts_candidate(discovery_counts(at), FREE_BEST, at->out->record.n_finished > n_finished, false);
    if (st != STATUS_OK || !isfinite(objective) || !counts_begin(discovery_counts(at), BOUNCES, &counting))
        return st;
    const double before = at->pool.found[0].objective;
    const enum status bounced = bounce_otherwise(at, objective);
    const bool better = at->pool.found[0].objective < before;
    counts_candidate(discovery_counts(at), BOUNCES, better, better);
    counts_end(&counting);
    return bounced;
}

const struct generator free_best = { .is = FREE_BEST, .run = set_best_free };
