/* A sequence of time steps that has no solution, with all that slips in space sticking. Pyramids hold less than
 * cones do, and slip along their edges: what slips in steps may stick, and where it slips to is a guess, from which
 * a program of several feet comes nowhere. What is to slip all the same neighbours show. */
#include "transcription/candidates/continuations.h"

#include "transcription/sequence/first_mode.h"
#include "transcription/sequence/recipe.h"

/* What starts by slipping does slip. */
bool sticking_is_wanted(struct discovery *at, struct trial *trial)
{
    struct extract sticking;
    if (trial->one.solved || !trial->candidate.repair || discovery_must_stop(at))
        return false;
    const bool wanted = extract_sticking(&trial->candidate.from, &sticking)
                        && first_mode_is(at->out->sys, sticking.seq) && discovery_is_new(at, sticking.seq);
    extract_free(&sticking);
    return wanted;
}

enum status let_stick(struct discovery *at, struct trial *trial)
{
    struct extract from;
    struct finish one;
    (void)extract_sticking(&trial->candidate.from, &from);
    const struct finish_task task = discovery_task(at, SEARCH_STAGES, trial_elements(at, trial));
    discovery_begin(at, "the same where what slips sticks");
    const enum status st =
        finish_solve(&task, from.seq, from.samples, FINISH_COLD, FINISH_MAX_ITER, &one, at->diag);
    extract_free(&from);
    if (st != STATUS_OK) {
        finish_free(&one);
        return st;
    }
    discovery_note(at, &one);
    discovery_tell(at, &one);
    counts_candidate(discovery_counts(at), SLIPS_STICK, one.solved, false);
    if (one.solved) {
        finish_descend(&one, &trial->one);
        finish_free(&trial->one);
        trial->one = one;
    } else
        finish_free(&one);
    return STATUS_OK;
}
