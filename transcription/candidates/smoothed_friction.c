/* What of the friction in space sticks and slips, where a motion says little about it
 * (finish/smoothed_friction.h). */
#include "transcription/candidates/continuations.h"

#include "transcription/finish/smoothed_friction.h"
#include "transcription/sequence/recipe.h"

static bool hits(const struct sequence *seq)
{
    bool any = false;
    for (int j = 0; j < seq->n_event; j++)
        any = any || sequence_has_impact(seq, j);
    return any;
}

/* Of those that were decided as one there is nothing more to try. */
bool smoothing_is_wanted(struct discovery *at, struct trial *trial)
{
    struct extract undecided;
    if (!trial->candidate.undecided
        || !smoothed_friction_undecided(at->out->sys, &trial->candidate.from, &undecided))
        return false;
    trial->is_over = pool_knows(&at->pool, POOL_UNDECIDED, undecided.seq);
    extract_free(&undecided);
    return !trial->is_over;
}

/* Once for all that differ in nothing else. The friction of impacts has more than one way out: where the one that
 * smoothing shows has none, the motion's own is tried. */
enum status smooth_friction(struct discovery *at, struct trial *trial)
{
    struct candidate *candidate = &trial->candidate;
    const int elements = trial_elements(at, trial);
    const struct finish_task task = discovery_task(at, SEARCH_STAGES, elements);
    struct extract undecided, decided;
    (void)smoothed_friction_undecided(at->out->sys, &candidate->from, &undecided);
    solve_note(at->task, "with friction in 3D smoothed, less and less");
    const enum status st = smoothed_friction_decide(&task, &undecided, &decided, &trial->owns, at->diag);
    if (trial->owns) {
        (void)pool_is_new(&at->pool, POOL_UNDECIDED, undecided.seq);
        (void)pool_is_new(&at->pool, POOL_SEQUENCE, decided.seq);
        trial->is_way_out = hits(undecided.seq);
        candidate->from = decided;
        candidate->elements = elements > SMOOTHED_ELEMENTS ? elements : SMOOTHED_ELEMENTS;
        candidate->repair = !pool_has_solution(&at->pool) && !trial->is_way_out;
    } else {
        counts_candidate(discovery_counts(at), SMOOTHED_FRICTION, false, false);
    }
    extract_free(&undecided);
    return trial->owns ? STATUS_OK : st;
}
