/* What of the friction in space sticks and slips, where a motion says little about it (finish/smoothed_friction.h). */
#include "transcription/solve/finishing_parts.h"

#include "transcription/finish/smoothed_friction.h"
#include "transcription/sequence/recipe.h"

static bool hits(const struct sequence *seq)
{
    bool any = false;
    for (int j = 0; j < seq->n_event; j++)
        any = any || sequence_has_impact(seq, j);
    return any;
}

/* The friction of impacts has more than one way out: where the one that smoothing shows has none, the motion's own is
 * tried. */
static enum status decide(struct finishing *at, const struct extract *undecided, bool *decided)
{
    const struct finish_task task = finishing_task(at, SEARCH_STAGES, at->elements);
    const int n_finished = at->out->record.n_finished, elements = at->elements;
    struct extract from;
    solve_note(at->task, "with friction in 3D smoothed, less and less");
    enum status st = smoothed_friction_decide(&task, undecided, &from, decided, at->diag);
    if (!*decided)
        return st;
    (void)pool_is_new(&at->pool, POOL_UNDECIDED, undecided->seq);
    (void)pool_is_new(&at->pool, POOL_SEQUENCE, from.seq);
    at->elements = elements > SMOOTHED_ELEMENTS ? elements : SMOOTHED_ELEMENTS;
    st = finishing_sequence(at, &from, !pool_has_solution(&at->pool) && !hits(undecided->seq));
    at->elements = elements;
    *decided = at->out->record.n_finished > n_finished || !hits(undecided->seq);
    extract_free(&from);
    return st;
}

enum status finishing_smooth(struct finishing *at, const struct extract *from, bool *decided)
{
    struct extract undecided;
    struct counting counting;
    enum status st = STATUS_OK;
    *decided = false;
    if (!smoothed_friction_undecided(at->out->sys, from, &undecided))
        return STATUS_OK;
    *decided = pool_knows(&at->pool, POOL_UNDECIDED, undecided.seq);
    if (!*decided && counts_begin(finishing_counts(at), SMOOTHED_FRICTION, &counting)) {
        const int n_finished = at->out->record.n_finished;
        st = decide(at, &undecided, decided);
        counts_candidate(finishing_counts(at), SMOOTHED_FRICTION, at->out->record.n_finished > n_finished, false);
        counts_end(&counting);
    }
    extract_free(&undecided);
    return st;
}
