#include "transcription/candidates/solve_candidate.h"

#include "transcription/candidates/continuations.h"
#include "transcription/finish/better.h"
#include "transcription/sequence/legal.h"
#include "transcription/sequence/recipe.h"
#include "transcription/sequence/sliding.h"

#include <stdlib.h>

bool candidate_is_near(struct discovery *at, const struct extract *from)
{
    const struct finish_task task = discovery_task(at, at->settings->stages, at->settings->elements);
    struct finish one;
    if (finish_solve(&task, from->seq, from->samples, FINISH_WARM, TRY_MAX_ITER, &one, at->diag) != STATUS_OK
        || !one.solved) {
        finish_free(&one);
        return false;
    }
    discovery_note(at, &one);
    discovery_count(at, &one);
    at->out->record.n_start++;
    at->out->record.n_finished++;
    at->out->solution.refined = true;
    discovery_keep(at, &one);
    return true;
}

/* --- Its way through the table ------------------------------------------------------------------------------- */

/* What is wanted of one stage. A continuation that has put another candidate in its place stays counted until that
 * is solved: *open. */
static enum status go_through(struct discovery *at, enum stage stage, struct trial *trial, struct counting *open)
{
    enum status st = STATUS_OK;
    bool enough = false;
    for (int k = 0; k < N_CONTINUATIONS && !enough && st == STATUS_OK && !trial->is_over; k++) {
        const struct continuation *row = &continuations[k];
        struct counting counting = { .counts = NULL };
        if (row->stage != stage || !row->wanted(at, trial)
            || (row->is != MECHANISM_NONE && !counts_begin(discovery_counts(at), row->is, &counting)))
            continue;
        st = row->run(at, trial);
        enough = stage == PROGRAM || (stage == BEFORE && trial->owns);
        if (stage == BEFORE && trial->owns)
            *open = counting;
        else if (row->is != MECHANISM_NONE)
            counts_end(&counting);
    }
    return st;
}

static enum status take(struct discovery *at, struct trial *trial)
{
    struct record *record = &at->out->record;
    struct finish *one = &trial->one;
    record->n_start++;
    if (trial->candidate.beside)
        finish_descend(one, trial->candidate.beside);
    discovery_note(at, one);
    if (one->solved || !trial->candidate.one_of_many)
        discovery_tell(at, one);
    const enum status st = go_through(at, AFTER, trial, NULL);
    discovery_count(at, one);
    record->n_finished += one->solved;
    discovery_keep(at, one);
    return st;
}

enum status candidate_take(struct discovery *at, const struct candidate *candidate, struct finish *one)
{
    struct trial trial = { .candidate = *candidate, .one = *one };
    return take(at, &trial);
}

static enum status solve(struct discovery *at, struct trial *trial)
{
    const struct sequence *seq = trial->candidate.from.seq;
    if (sliding_on_controls(at->out->sys, seq)) {
        solve_headline(
            at->task, "%s: no sequence, as it stays on a switching surface that depends on a control, which jumps",
            at->what);
        return STATUS_OK;
    }
    if (!legal_machines(at->out->sys, seq))
        return STATUS_OK;
    const enum status st = go_through(at, PROGRAM, trial, NULL);
    return st == STATUS_OK && trial->one.ph ? take(at, trial) : st;
}

enum status candidate_solve(struct discovery *at, const struct candidate *candidate)
{
    const int n_finished = at->out->record.n_finished;
    struct trial trial = { .candidate = *candidate }, as_it_was = { .candidate = *candidate };
    struct counting open = { .counts = NULL };
    as_it_was.candidate.undecided = false;
    enum status st = go_through(at, BEFORE, &trial, &open);
    if (st == STATUS_OK && !trial.is_over)
        st = solve(at, &trial);
    const bool solved = at->out->record.n_finished > n_finished;
    if (trial.owns) {
        counts_candidate(discovery_counts(at), open.what, solved, false);
        counts_end(&open);
        extract_free(&trial.candidate.from);
    }
    return st == STATUS_OK && trial.is_way_out && !solved ? solve(at, &as_it_was) : st;
}

enum status candidate_neighbour(struct discovery *at, const struct finish *of, const struct samples *samples,
                                const struct neighbour *one, candidate_way *way, void *user)
{
    struct counts *counts = discovery_counts(at);
    const struct record *record = &at->out->record;
    const struct finish best = at->pool.found[0];
    const int iterations = record->work.iterations, n_finished = record->n_finished;
    struct finish path = { .found_by = NULL };
    struct candidate neighbour = {
        .from = { one->seq, samples_remap(samples, one->seq->n_event, one->t, false), 0 }, .beside = &path
    };
    struct counting counting;
    finish_descend(&path, of);
    finish_add_move(&path, one->what);
    (void)counts_begin(counts, one->move->is, &counting);
    const enum status st = way(user, &neighbour);
    if (record->work.iterations > iterations)
        counts_candidate(counts, one->move->is, record->n_finished > n_finished,
                         better_than(&at->pool.found[0], &best));
    else
        counts_known(counts, one->move->is);
    counts_end(&counting);
    samples_free(neighbour.from.samples);
    free(path.move);
    return st;
}
