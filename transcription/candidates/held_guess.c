/* Phases that the user prescribes, and a guess that says nothing of controls: they hold the posture of the guess,
 * by torques and contact forces in equilibrium, and are next to nothing in flight (held_samples.c). With controls
 * of 0 a robot of many joints falls into itself at once, and its contacts pull: forces far outside their cones,
 * from which an interior point method finds back late or never. */
#include "transcription/candidates/continuations.h"

#include "transcription/sequence/recipe.h"

#include <math.h>

enum { HELD_MAX_ITER = 400 };       /* of the one program there is: 18 degrees of freedom take 170 */

static bool says_nothing_of_controls(const struct discovery *at)
{
    const struct model *model = at->task->model;
    bool nothing = !at->task->guess;
    for (int k = 0; k < model->n_u; k++)
        nothing = nothing && (model_is_given(model, k) || isnan(model->u[k].guess));
    return nothing;
}

bool holding_is_wanted(struct discovery *at, struct trial *trial)
{
    const struct model *model = at->task->model;
    (void)trial;
    return discovery_counts(at)->generator == BY_PHASES && model->contacts.n_contact > 0 && model->n_u > 0
           && model->n_held == 0 && says_nothing_of_controls(at);
}

enum status held_start(struct discovery *at, struct trial *trial, struct extract *out)
{
    const struct extract *from = &trial->candidate.from;
    const struct finish_task task = discovery_task(at, SEARCH_STAGES, trial_elements(at, trial));
    struct finish one;
    const enum status st = finish_build(&task, from->seq, from->samples, &one, at->diag);
    *out = (struct extract){ NULL, NULL, 0 };
    if (st == STATUS_OK)
        *out = (struct extract){ sequence_copy(from->seq), samples_held(one.ph, from->samples), from->exploits };
    finish_free(&one);
    return st;
}

/* Where that has no solution the guess is tried as it was. */
enum status hold_guess(struct discovery *at, struct trial *trial)
{
    struct extract held;
    const enum status st = held_start(at, trial, &held);
    if (st == STATUS_OK) {
        trial->candidate.from = held;
        trial->candidate.max_iter = HELD_MAX_ITER;
        trial->owns = trial->is_way_out = true;
    }
    return st;
}
