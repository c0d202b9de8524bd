#define _POSIX_C_SOURCE 200809L    /* open_memstream */

#include "transcription/solve/finishing_parts.h"

#include "core/base/mem.h"
#include "core/base/stop.h"
#include "core/mpcc/report.h"
#include "transcription/phases/better.h"
#include "transcription/phases/lead.h"
#include "transcription/phases/recipe.h"
#include "transcription/phases/slip.h"
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

bool finishing_nearby(struct finishing *at, const struct extract *from)
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

/* A solution in which slip jams, or goes on where no mode is told, is solved again with slip that keeps away from
 * there, or a neighbour is. Where there is none it stays. */
static enum status keep_from_jams(struct finishing *at, struct finish *one)
{
    struct finish firm;
    struct counting counting;
    if (!one->solved || slip_least_yield(one->ph, one->w) >= SLIP_JAMS
        || !counts_begin(finishing_counts(at), OUT_OF_JAM, &counting))
        return STATUS_OK;
    struct finish_task task = finishing_task(at, SEARCH_STAGES, at->elements);
    task.grid.yield = SLIP_YIELD;
    finishing_begin(at, "friction jams while a contact slips: the same sequence, with slip that cannot jam");
    enum status st = finish_again(&task, one, at->max_iter, &firm, at->diag);
    finishing_note(at, &firm);
    if (st == STATUS_OK && !firm.solved) {
        at->search.task = task;
        at->search.max_tries = at->search.tries + REPAIR_TRIES;
        st = search_repair(&at->search, &firm, at->diag);
        finishing_note(at, &firm);
    }
    finishing_tell(at, &firm);
    counts_candidate(finishing_counts(at), OUT_OF_JAM, firm.solved, false);
    counts_end(&counting);
    if (!firm.solved) {
        finish_free(&firm);
        return st;
    }
    finish_free(one);
    *one = firm;
    return st;
}

/* A candidate's neighbours, as it has no solution itself. */
static enum status repair_candidate(struct finishing *at, struct finish *one)
{
    struct counting counting;
    if (!counts_begin(finishing_counts(at), REPAIR, &counting))
        return STATUS_OK;
    finishing_begin(at, "its neighbouring sequences");
    at->search.max_tries = at->search.tries + REPAIR_TRIES;
    const enum status st = search_repair(&at->search, one, at->diag);
    finishing_note(at, one);
    finishing_tell(at, one);
    counts_candidate(finishing_counts(at), REPAIR, one->solved, false);
    counts_end(&counting);
    return st;
}

enum status finishing_take(struct finishing *at, struct finish *one, bool repair)
{
    struct record *record = &at->out->record;
    enum status st = STATUS_OK;
    record->n_start++;
    if (at->beside)
        finish_descend(one, at->beside);
    finishing_note(at, one);
    if (one->solved || !at->one_of_many)
        finishing_tell(at, one);
    if (!one->solved && repair)
        st = repair_candidate(at, one);
    if (st == STATUS_OK)
        st = keep_from_jams(at, one);
    finishing_count(at, one);
    record->n_finished += one->solved;
    finishing_keep(at, one);
    return st;
}

/* Of a sequence's program: one that takes longer than a neighbour is not better than what there is. */
static int max_iter(const struct finishing *at)
{
    return pool_has_solution(&at->pool) && at->max_iter > TRY_MAX_ITER ? TRY_MAX_ITER : at->max_iter;
}

/* The program of a sequence, of which nothing else is taken over. */
static enum status solve_sequence(struct finishing *at, const struct extract *from, struct finish *one)
{
    const struct finish_task task = finishing_task(at, SEARCH_STAGES, at->elements);
    at->search.task = task;
    solve_note(at->task, "smooth problem with the sequence fixed");
    const enum status st = lead_finish(&task, from->seq, from->samples, max_iter(at), one, at->diag);
    if (st != STATUS_OK)
        finish_free(one);
    return st;
}

/* On either side of what slides by chance; the better one. */
static enum status solve_beside_sliding(struct finishing *at, const struct extract *from, struct finish *one)
{
    struct counting counting;
    if (!counts_begin(finishing_counts(at), BESIDE_SLIDING, &counting))
        return solve_sequence(at, from, one);
    struct extract after = extract_beside_sliding(at->out->sys, from, true);
    struct extract before = extract_beside_sliding(at->out->sys, from, false);
    struct finish other;
    enum status st = solve_sequence(at, &after, one);
    if (st == STATUS_OK && !sequence_equal(after.seq, before.seq) && !finishing_must_stop(at)) {
        st = solve_sequence(at, &before, &other);
        if (st == STATUS_OK && better_than(&other, one)) {
            const struct finish worse = *one;
            *one = other;
            other = worse;
        }
        finish_free(st == STATUS_OK ? &other : one);
    }
    at->by_chance = true;
    counts_candidate(finishing_counts(at), BESIDE_SLIDING, st == STATUS_OK && one->solved, false);
    counts_end(&counting);
    extract_free(&after);
    extract_free(&before);
    return st;
}

/* repair: go on to its neighbours where it has no solution. */
enum status finishing_sequence(struct finishing *at, const struct extract *from, bool repair)
{
    struct finish one;
    if (phases_slide_on_controls(at->out->sys, from->seq)) {
        solve_headline(at->task, "%s: no sequence, as it stays on a switching surface that depends on a control, which jumps", at->what);
        return STATUS_OK;
    }
    if (!phases_allow_machines(at->out->sys, from->seq))
        return STATUS_OK;
    const bool by_chance = phases_slide_by_chance(at->out->sys, from->seq);
    const enum status st = by_chance ? solve_beside_sliding(at, from, &one) : solve_sequence(at, from, &one);
    return st == STATUS_OK ? finishing_take(at, &one, repair) : st;
}

enum status finishing_neighbour(struct finishing *at, const struct finish *of, const struct samples *samples,
                                const struct neighbour *one, finishing_neighbour_way *way, void *user)
{
    struct counts *counts = finishing_counts(at);
    const struct record *record = &at->out->record;
    const struct finish best = at->pool.found[0];
    const struct extract neighbour = { one->seq, samples_remap(samples, one->seq->n_event, one->t, false), 0 };
    const int iterations = record->work.iterations, n_finished = record->n_finished;
    struct finish path = { .found_by = NULL };
    struct counting counting;
    finish_descend(&path, of);
    finish_add_move(&path, one->what);
    (void)counts_begin(counts, one->move->is, &counting);
    at->beside = &path;
    const enum status st = way(user, &neighbour);
    at->beside = NULL;
    if (record->work.iterations > iterations)
        counts_candidate(counts, one->move->is, record->n_finished > n_finished,
                         better_than(&at->pool.found[0], &best));
    else
        counts_known(counts, one->move->is);
    counts_end(&counting);
    samples_free(neighbour.samples);
    free(path.move);
    return st;
}
