#include "transcription/candidates/continuations.h"

#include "transcription/candidates/budget.h"
#include "transcription/finish/better.h"
#include "transcription/finish/path_homotopy.h"
#include "transcription/sequence/recipe.h"
#include "transcription/sequence/sliding.h"

#include <math.h>

#define REPAIR_SHARE 0.5            /* of all work before it, where other starts follow */

static int max_iter_of(const struct trial *trial)
{
    return trial->candidate.max_iter > 0 ? trial->candidate.max_iter : FINISH_MAX_ITER;
}

/* --- Its program --------------------------------------------------------------------------------------------- */

/* One that takes longer than a neighbour is not better than what there is. */
static int patience(const struct discovery *at, const struct trial *trial)
{
    const int most = max_iter_of(trial);
    return pool_has_solution(&at->pool) && most > TRY_MAX_ITER ? TRY_MAX_ITER : most;
}

/* The program of a sequence, of which nothing else is taken over; with path-homotopy where that is of use. */
static enum status solve_sequence(struct discovery *at, const struct trial *trial, const struct extract *from,
                                  struct finish *one)
{
    const struct finish_task task = discovery_task(at, SEARCH_STAGES, trial_elements(at, trial));
    at->search.task = task;
    solve_note(at->task, "smooth problem with the sequence fixed");
    const enum status st =
        path_homotopy_finish(&task, from->seq, from->samples, patience(at, trial), one, at->diag);
    if (st != STATUS_OK)
        finish_free(one);
    return st;
}

/* With free intervals wanted first it is not solved without. */
static bool is_to_be_solved(struct discovery *at, struct trial *trial)
{
    (void)at;
    return !trial->candidate.free_below;
}

static enum status solve_plain(struct discovery *at, struct trial *trial)
{
    return solve_sequence(at, trial, &trial->candidate.from, &trial->one);
}

static bool slides_by_chance(struct discovery *at, struct trial *trial)
{
    return is_to_be_solved(at, trial) && sliding_by_chance(at->out->sys, trial->candidate.from.seq);
}

/* On either side of what slides by chance; the better one. */
static enum status solve_beside_sliding(struct discovery *at, struct trial *trial)
{
    const struct extract *from = &trial->candidate.from;
    struct extract after = extract_beside_sliding(at->out->sys, from, true);
    struct extract before = extract_beside_sliding(at->out->sys, from, false);
    struct finish other, *one = &trial->one;
    enum status st = solve_sequence(at, trial, &after, one);
    if (st == STATUS_OK && !sequence_equal(after.seq, before.seq) && !discovery_must_stop(at)) {
        st = solve_sequence(at, trial, &before, &other);
        if (st == STATUS_OK && better_than(&other, one)) {
            const struct finish worse = *one;
            *one = other;
            other = worse;
        }
        finish_free(st == STATUS_OK ? &other : one);
    }
    at->pool.by_chance = true;
    counts_candidate(discovery_counts(at), BESIDE_SLIDING, st == STATUS_OK && one->solved, false);
    extract_free(&after);
    extract_free(&before);
    return st;
}

/* --- What came of it ----------------------------------------------------------------------------------------- */

/* Neighbours of a candidate that has no solution itself. */
static bool is_to_be_repaired(struct discovery *at, struct trial *trial)
{
    (void)at;
    return !trial->one.solved && trial->candidate.repair;
}

enum status repair_by_neighbours(struct discovery *at, struct finish *one, double patience)
{
    at->search.max_tries = at->search.tries + REPAIR_TRIES;
    at->search.patience = patience;
    const enum status st = search_repair(&at->search, one, at->diag);
    one->cut_short = at->search.impatient && !one->solved;
    at->search.patience = INFINITY;
    discovery_note(at, one);
    discovery_tell(at, one);
    return st;
}

static enum status repair(struct discovery *at, struct trial *trial)
{
    struct finish *one = &trial->one;
    discovery_begin(at, "its neighbouring sequences");
    const double patience = trial->candidate.others_follow ? budget_share(at, REPAIR_SHARE) : INFINITY;
    const enum status st = repair_by_neighbours(at, one, patience);
    counts_candidate(discovery_counts(at), REPAIR, one->solved, false);
    return st;
}

/* --- The table ----------------------------------------------------------------------------------------------- */

const struct continuation continuations[N_CONTINUATIONS] = {
    { HELD_GUESS,        BEFORE,  holding_is_wanted,         hold_guess },
    { SMOOTHED_FRICTION, BEFORE,  smoothing_is_wanted,       smooth_friction },
    { FREE_INTERVALS,    BEFORE,  free_intervals_are_wanted, free_intervals },
    { BESIDE_SLIDING,    PROGRAM, slides_by_chance,          solve_beside_sliding },
    { MECHANISM_NONE,    PROGRAM, is_to_be_solved,           solve_plain },
    { SLIPS_STICK,       AFTER,   sticking_is_wanted,        let_stick },
    { REPAIR,            AFTER,   is_to_be_repaired,         repair }
};
