/* Phases that the user prescribes have one sequence and one guess. Where its program has no solution from there,
 * with the guess held or as it was, the goal comes nearer first (finish/goal_continuation.h). */
#include "transcription/candidates/continuations.h"

#include "transcription/finish/goal_continuation.h"
#include "transcription/sequence/recipe.h"

enum { GOAL_ELEMENTS = 2 };         /* times as many as else: a way may end where the mesh is too coarse for it */

/* Is the guess to be held, and is this that? Then it follows as it was, before anything else. */
static bool is_tried_again(const struct trial *trial)
{
    return trial->owns && trial->is_way_out;
}

bool goal_is_far(struct discovery *at, struct trial *trial)
{
    const bool has_contacts = at->task->model->contacts.n_contact > 0;
    return discovery_counts(at)->generator == BY_PHASES && has_contacts && !trial->one.solved
           && !trial->candidate.beside && !is_tried_again(trial);
}

enum status approach_goal(struct discovery *at, struct trial *trial)
{
    const bool holds = holding_is_wanted(at, trial) && counts_uses(discovery_counts(at), HELD_GUESS);
    const struct finish_task task = discovery_task(at, SEARCH_STAGES, GOAL_ELEMENTS * trial_elements(at, trial));
    struct extract held = { NULL, NULL, 0 };
    enum status st = holds ? held_start(at, trial, &held) : STATUS_OK;
    const struct extract *from = holds ? &held : &trial->candidate.from;
    if (st == STATUS_OK) {
        discovery_begin(at, "the sequence of the phases, whose goal comes nearer first");
        st = goal_continuation_finish(&task, from->seq, from->samples, PHASES_MAX_ITER, &trial->one, at->diag);
        discovery_note(at, &trial->one);
        discovery_tell(at, &trial->one);
    }
    counts_candidate(discovery_counts(at), GOAL_CONTINUATION, trial->one.solved, false);
    extract_free(&held);
    return st;
}
