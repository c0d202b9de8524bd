/* A sequence of time steps that has no solution, with all that slips in space sticking. Pyramids hold less than cones
 * do, and know no direction but their edges: what slips in steps may stick, and which way it slips is a guess, from
 * which a program of many feet comes nowhere. What is to slip all the same neighbours show. */
#include "transcription/candidates/continuations.h"

#include "core/base/mem.h"
#include "transcription/sequence/first_mode.h"
#include "transcription/sequence/recipe.h"

#include <stdlib.h>
#include <string.h>

/* In all modes and impacts. True if any did slip. */
static bool stick(struct sequence *seq)
{
    bool any = false;
    for (int j = 0; j <= seq->n_event; j++)
        for (int c = 0; c < seq->n_contact; c++) {
            unsigned char *state = &sequence_mode(seq, j)[c], *hit = j < seq->n_event ? &sequence_hit(seq, j)[c] : NULL;
            any = any || *state == PHASE_SLIP;
            *state = *state == PHASE_SLIP ? PHASE_STICK : *state;
            if (hit)
                *hit = *hit == PHASE_SLIP ? PHASE_STICK : *hit;
        }
    return any;
}

/* What starts by slipping does slip. */
bool sticking_is_wanted(struct discovery *at, struct trial *trial)
{
    if (trial->one.solved || !trial->candidate.repair || discovery_must_stop(at))
        return false;
    struct sequence *seq = sequence_copy(trial->candidate.from.seq);
    const bool wanted = stick(seq) && first_mode_is(at->out->sys, seq);
    sequence_free(seq);
    return wanted;
}

static struct extract stuck(const struct extract *from)
{
    struct sequence *seq = sequence_copy(from->seq);
    double *t = mem_alloc((size_t)seq->n_event + 1, sizeof *t);
    memcpy(t, from->samples->t_event, (size_t)seq->n_event * sizeof *t);
    (void)stick(seq);
    sequence_simplify(seq, t);
    const struct extract out = { seq, samples_remap(from->samples, seq->n_event, t, false), from->exploits };
    free(t);
    return out;
}

enum status let_stick(struct discovery *at, struct trial *trial)
{
    struct extract from = stuck(&trial->candidate.from);
    const struct finish_task task = discovery_task(at, SEARCH_STAGES, trial_elements(at, trial));
    struct finish one;
    enum status st = STATUS_OK;
    if (discovery_is_new(at, from.seq)) {
        discovery_begin(at, "what slips sticks");
        st = finish_solve(&task, from.seq, from.samples, FINISH_COLD, FINISH_MAX_ITER, &one, at->diag);
        discovery_note(at, &one);
        discovery_tell(at, &one);
        counts_candidate(discovery_counts(at), SLIPS_STICK, one.solved, false);
        if (one.solved) {
            finish_descend(&one, &trial->one);
            finish_free(&trial->one);
            trial->one = one;
        } else
            finish_free(&one);
    }
    extract_free(&from);
    return st;
}
