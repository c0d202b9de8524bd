#define _POSIX_C_SOURCE 200809L    /* open_memstream */

#include "transcription/solve/continuations.h"

#include "core/base/mem.h"
#include "core/base/stop.h"
#include "core/mpcc/report.h"
#include "transcription/phases/better.h"
#include "transcription/phases/recipe.h"
#include "transcription/solve/recipe.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum rk_family scheme_of(const struct finishing *at)
{
    const bool asked = at->task->discretization->scheme == RK_GAUSS_LEGENDRE;
    const int scheme = at->settings->scheme;
    return scheme == FINISH_SCHEME_GAUSS || (scheme == FINISH_SCHEME_AUTO && asked) ? RK_GAUSS_LEGENDRE : RK_RADAU_IIA;
}

struct finish_task finishing_task(const struct finishing *at, int stages, int elements)
{
    struct finish_task task = {
        .sys = at->out->sys,
        .grid = { .scheme = scheme_of(at), .stages = stages, .elements = elements,
                  .free_intervals = at->value || at->task->discretization->control_grid == CONTROL_GRID_FREE,
                  .value = at->value, .yield = at->yield },
        .deadline = at->start + at->task->max_seconds, .print_level = at->task->print_level,
        .interrupt = at->task->interrupt, .work = &at->out->record.work, .counts = &at->out->record.counts
    };
    finish_take_options(&task, at->task->solver);
    return task;
}

enum status finishing_by(struct finishing *at, enum mechanism what, finishing_way *way)
{
    struct counting counting;
    if (!counts_begin(finishing_counts(at), what, &counting))
        return STATUS_OK;
    const enum status st = way(at);
    counts_end(&counting);
    return st;
}

bool finishing_is_new(struct finishing *at, const struct sequence *seq)
{
    const bool is_new = pool_is_new(&at->pool, POOL_SEQUENCE, seq);
    if (!is_new)
        counts_repeated(finishing_counts(at));
    return is_new;
}

/* What stands most in the way of a program without a solution. */
static bool find_worst(const struct finish *one, char *text, size_t size)
{
    return report_obstacle(&one->ph->mpcc, one->w, FINISH_VIOLATION_OK, NULL, NULL, text, size);
}

/* What is tried next; its outcome is told with these words. */
void finishing_begin(struct finishing *at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(at->what, sizeof at->what, fmt, args);
    va_end(args);
    solve_note(at->task, at->what);
}

/* What came of it, in a line. */
void finishing_tell(const struct finishing *at, const struct finish *one)
{
    const int n = one->ph->seq->n_event;
    if (one->solved) {
        solve_headline(at->task, "%s: a solution with %d event%s, objective %.7g", at->what, n, n == 1 ? "" : "s",
                       one->objective);
        return;
    }
    char text[256];
    const bool any = find_worst(one, text, sizeof text);
    solve_headline(at->task, "%s: no solution with its %d event%s; %s%s", at->what, n, n == 1 ? "" : "s", any ? "worst: " : "",
                   any ? text : tried_why(one->given_up, one->outcome));
}

/* The sequence in its text form, and how far its program came. */
void finishing_note(const struct finishing *at, const struct finish *one)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    fprintf(out, "%s: %d iterations, objective %.7g, violation %.1e, sequence ", one->solved ? "solved" : "not solved", one->iterations,
            one->objective, one->violation);
    sequence_print(one->ph->seq, out);
    char worst[256];
    if (!one->solved && find_worst(one, worst, sizeof worst))
        fprintf(out, "; worst: %s", worst);
    (void)fclose(out);
    solve_note(at->task, text);
    free(text);
}

/* --- Its program --------------------------------------------------------------------------------------------- */

/* There is something to replay: what follows has to leave time for that. */
static void reserve_time(struct finishing *at)
{
    if (!isfinite(at->limited.max_seconds) || at->limited.reserve > 0)
        return;
    at->limited.reserve = REPLAY_SHARE * at->limited.max_seconds;
    at->limited.max_seconds -= at->limited.reserve;
    at->search.task.deadline = finishing_task(at, 1, 1).deadline;
}

void finishing_keep(struct finishing *at, const struct finish *one)
{
    if (one->solved)
        reserve_time(at);
    pool_keep(&at->pool, one);
    if (one->ph)
        stop_keep();                            /* a solution, or what came nearest to one */
}

void finishing_count(const struct finishing *at, struct finish *one)
{
    struct counts *counts = finishing_counts(at);
    counts_candidate(counts, counts->generator, one->solved, pool_is_best(&at->pool, one));
    if (!one->found_by && counts->generator != MECHANISM_NONE)
        one->found_by = mechanisms[counts->generator].name;
}

bool candidate_is_near(struct finishing *at, const struct extract *from)
{
    const struct finish_task task = finishing_task(at, at->settings->stages, at->settings->elements);
    struct finish one;
    if (finish_solve(&task, from->seq, from->samples, FINISH_WARM, TRY_MAX_ITER, &one, at->diag) != STATUS_OK
        || !one.solved) {
        finish_free(&one);
        return false;
    }
    finishing_note(at, &one);
    finishing_count(at, &one);
    at->out->record.n_start++;
    at->out->record.n_finished++;
    at->out->solution.refined = true;
    finishing_keep(at, &one);
    return true;
}

/* --- Its way through the table ------------------------------------------------------------------------------- */

/* What is wanted of one stage. A continuation that has put another candidate in its place stays counted until that is
 * solved: *open. */
static enum status go_through(struct finishing *at, enum stage stage, struct trial *trial, struct counting *open)
{
    enum status st = STATUS_OK;
    bool enough = false;
    for (int k = 0; k < N_CONTINUATIONS && !enough && st == STATUS_OK && !trial->is_over; k++) {
        const struct continuation *row = &continuations[k];
        struct counting counting = { .counts = NULL };
        if (row->stage != stage || !row->wanted(at, trial)
            || (row->is != MECHANISM_NONE && !counts_begin(finishing_counts(at), row->is, &counting)))
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

static enum status take(struct finishing *at, struct trial *trial)
{
    struct record *record = &at->out->record;
    struct finish *one = &trial->one;
    record->n_start++;
    if (trial->candidate.beside)
        finish_descend(one, trial->candidate.beside);
    finishing_note(at, one);
    if (one->solved || !trial->candidate.one_of_many)
        finishing_tell(at, one);
    const enum status st = go_through(at, AFTER, trial, NULL);
    finishing_count(at, one);
    record->n_finished += one->solved;
    finishing_keep(at, one);
    return st;
}

enum status candidate_take(struct finishing *at, const struct candidate *candidate, struct finish *one)
{
    struct trial trial = { .candidate = *candidate, .one = *one };
    return take(at, &trial);
}

static enum status solve(struct finishing *at, struct trial *trial)
{
    const struct sequence *seq = trial->candidate.from.seq;
    if (phases_slide_on_controls(at->out->sys, seq)) {
        solve_headline(at->task, "%s: no sequence, as it stays on a switching surface that depends on a control, which jumps", at->what);
        return STATUS_OK;
    }
    if (!phases_allow_machines(at->out->sys, seq))
        return STATUS_OK;
    const enum status st = go_through(at, PROGRAM, trial, NULL);
    return st == STATUS_OK && trial->one.ph ? take(at, trial) : st;
}

enum status candidate_solve(struct finishing *at, const struct candidate *candidate)
{
    const int n_finished = at->out->record.n_finished;
    struct trial trial = { .candidate = *candidate }, as_it_was = { .candidate = *candidate };
    struct counting open;
    as_it_was.candidate.undecided = false;
    enum status st = go_through(at, BEFORE, &trial, &open);
    if (st == STATUS_OK && !trial.is_over)
        st = solve(at, &trial);
    const bool solved = at->out->record.n_finished > n_finished;
    if (trial.owns) {
        counts_candidate(finishing_counts(at), open.what, solved, false);
        counts_end(&open);
        extract_free(&trial.candidate.from);
    }
    return st == STATUS_OK && trial.is_way_out && !solved ? solve(at, &as_it_was) : st;
}

enum status candidate_neighbour(struct finishing *at, const struct finish *of, const struct samples *samples,
                                const struct neighbour *one, candidate_way *way, void *user)
{
    struct counts *counts = finishing_counts(at);
    const struct record *record = &at->out->record;
    const struct finish best = at->pool.found[0];
    const int iterations = record->work.iterations, n_finished = record->n_finished;
    struct finish path = { .found_by = NULL };
    struct candidate neighbour = { .from = { one->seq, samples_remap(samples, one->seq->n_event, one->t, false), 0 },
                                   .beside = &path };
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
