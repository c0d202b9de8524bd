#include "transcription/ensemble/ensemble_parts.h"

#include "core/base/mem.h"
#include "core/mpcc/report.h"
#include "transcription/discover/discover.h"
#include "transcription/finish/better.h"
#include "transcription/reading/simulated.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { JOIN_TRIES = 12 };           /* neighbours of the sequence of a scenario that does not go with the others */

static void tell(const struct ensembling *at, const char *what)
{
    struct report_item item[2];                 /* one row; no products */
    char text[256] = "";
    int events = 0;
    double worst = 0;
    for (int k = 0; k < at->n; k++) {
        const struct finish *one = &at->now[k];
        events += one->ph->seq->n_event;
        const double violation = phases_violation(one->ph, one->w);
        if (one->solved || !(violation > worst)
            || report_worst(&one->ph->mpcc, one->w, FINISH_VIOLATION_OK, INFINITY, 1, item) == 0)
            continue;
        char row[200];
        worst = violation;
        report_item_text(&item[0], NULL, NULL, row, sizeof row);
        (void)snprintf(text, sizeof text, "; worst, at %.40s: %s", ensemble_name(at, k), row);
    }
    if (at->now[0].solved)
        solve_headline(&at->task->solve, "%s: a solution with %d events in %d scenarios, objective %.7g", what,
                       events, at->n, at->now[0].objective);
    else
        solve_headline(&at->task->solve, "%s: no solution with its %d events in %d scenarios%s", what, events,
                       at->n, text);
}

/* --- One scenario more ---------------------------------------------------------------------------------------- */

/* Free initial values and parameters are the plan's, fixed ones the scenario's own. */
static struct samples *samples_in(const struct model *model, const struct samples *plan)
{
    struct samples *samples = samples_remap(plan, plan->n_event, plan->t_event, true);
    for (int i = 0; i < model->n_x && samples->n > 0; i++)
        if (model->x[i].initial.kind == END_FIXED)
            samples->y[i] = model->x[i].initial.lo;
    return samples;
}

/* What the plan's controls do in scenario k; the plan itself where that cannot be simulated to its end. */
static struct extract sequence_in(const struct ensembling *at, int k, const struct finish *plan)
{
    const struct simulated_limits limits = { solve_seconds_left(&at->task->solve, at->start), at->task->solve.interrupt };
    struct samples *nominal = samples_of(plan->ph, plan->w), *samples = samples_in(ensemble_model(at, k), nominal);
    struct extract found;
    struct sim *sim = simulated_samples(ensemble_model(at, k), samples, &limits);
    if (!sim || !extract_simulation(ensemble_one(at, k)->sys, sim, &found)) {
        found = (struct extract){ sequence_copy(plan->ph->seq), samples, 0 };
        samples = NULL;
    }
    sim_free(sim);
    samples_free(samples);
    samples_free(nominal);
    return found;
}

static void note_try(void *user, const char *what, const struct finish *tried)
{
    const struct ensembling *at = user;
    solve_notef(&at->task->solve, "at %s, %s: %s, %d iterations, objective %.7g, violation %.1e",
                ensemble_name(at, at->company.self), what, tried->solved ? "solved" : "not solved",
                tried->iterations, tried->objective, tried->violation);
}

/* Solves with this sequence in place k, if it is a new one there; keeps it if it is preferred to what is there. */
static enum status offer(struct ensembling *at, int k, struct search *search, const struct sequence *seq,
                         const struct samples *samples, const char *what)
{
    struct finish *now = &at->now[k], one;
    struct finish_task task = ensemble_program(at, k, SEARCH_STAGES, 1);
    if (!pool_is_new(search->pool, POOL_SEQUENCE, seq))
        return STATUS_OK;
    task.must_beat = now->solved && seq->n_event >= now->ph->seq->n_event;
    task.beat = now->objective;
    search->tries++;
    enum status st = finish_solve(&task, seq, samples, FINISH_COLD, FINISH_MAX_ITER, &one, at->diag);
    if (st == STATUS_OK)
        note_try(at, what, &one);
    search->task = task;
    if (st == STATUS_OK && (!now->solved || one.objective < now->objective))
        st = search_go_on(search, &one, at->diag);
    if (st != STATUS_OK || (now->ph && !better_or_simpler(&one, now))) {
        finish_free(&one);
        return st;
    }
    finish_free(now);
    *now = one;
    search->moves++;
    if (one.solved)
        ensemble_settle(at, k);
    return st;
}

/* What the controls of the plan do there. */
static enum status offer_simulated(struct ensembling *at, int k, struct search *search, const struct finish *plan)
{
    struct extract found = sequence_in(at, k, plan);
    const enum status st =
        offer(at, k, search, found.seq, found.samples, "simulated with the controls of the others");
    extract_free(&found);
    return st;
}

/* What other scenarios do, until one is a solution, or all of them. */
static enum status offer_others(struct ensembling *at, int k, struct search *search, bool until_solved)
{
    enum status st = STATUS_OK;
    for (int j = at->n - 1; j >= 0 && st == STATUS_OK && search->tries < search->max_tries && !ensemble_must_stop(at); j--) {
        if (j == k || (until_solved && at->now[k].solved))
            continue;
        struct samples *samples = samples_of(at->now[j].ph, at->now[j].w);
        struct samples *moved = samples_in(ensemble_model(at, k), samples);
        st = offer(at, k, search, at->now[j].ph->seq, moved, "the sequence of another scenario");
        samples_free(samples);
        samples_free(moved);
    }
    return st;
}

static struct search search_at(struct ensembling *at, int k, int max_tries, struct pool *pool)
{
    struct search search;
    const struct finish_task task = ensemble_program(at, k, SEARCH_STAGES, 1);
    search_init(&search, &task, pool);
    search.max_tries = max_tries;
    search.note = note_try;
    search.user = at;
    return search;
}

/* The next scenario joins those that are in: with what their plan does in it, else with what one of them does, else
 * with a neighbour of that. */
static enum status join(struct ensembling *at, bool *joined)
{
    const int k = at->n++;
    struct pool pool = { 0 };
    struct search search = search_at(at, k, JOIN_TRIES, &pool);
    enum status st = offer_simulated(at, k, &search, k ? &at->now[0] : &at->out->nominal.solution.best);
    if (st == STATUS_OK && !at->now[k].solved)
        st = offer_others(at, k, &search, true);
    search.task = ensemble_program(at, k, SEARCH_STAGES, 1);
    if (st == STATUS_OK && !at->now[k].solved)
        st = search_repair(&search, &at->now[k], at->diag);
    pool_free(&pool);
    *joined = st == STATUS_OK && at->now[k].solved;
    if (*joined) {
        ensemble_settle(at, k);
        return st;
    }
    finish_free(&at->now[k]);
    at->n--;
    return st;
}

/* All of them, one after the other. */
static enum status grow(struct ensembling *at)
{
    enum status st = STATUS_OK;
    bool joined = true;
    while (at->n < at->task->n && joined && st == STATUS_OK && !ensemble_must_stop(at))
        st = join(at, &joined);
    if (st == STATUS_OK && at->n == at->task->n)
        tell(at, "one scenario after the other");
    else if (st == STATUS_OK && !joined)
        solve_headline(&at->task->solve,
                       "one scenario after the other: %d of %d have a solution together, not with %s", at->n,
                       at->task->n, ensemble_name(at, at->n));
    return st;
}

/* Each scenario for itself, as a solve of its own; all start together from what these came to. */
static enum status solve_from_each(struct ensembling *at)
{
    const size_t n = (size_t)at->task->n;
    struct ensemble_start *from = mem_alloc(n, sizeof *from);
    struct finished *alone = mem_alloc(n, sizeof *alone);
    struct samples **samples = mem_alloc(n, sizeof *samples);
    enum status st = STATUS_OK;
    bool all = true;
    for (int k = 0; k < at->task->n && st == STATUS_OK && all; k++) {
        struct solve_task task = at->task->solve;
        task.model = ensemble_model(at, k);
        task.guess = NULL;
        task.max_seconds = solve_seconds_left(&at->task->solve, at->start);
        solve_headline(&task, "%s alone:", ensemble_name(at, k));
        st = solve_finished(&task, at->task->finish, &alone[k], at->diag);
        const struct finish *best = &alone[k].solution.best;
        all = best->solved;
        samples[k] = all ? samples_of(best->ph, best->w) : NULL;
        from[k] = (struct ensemble_start){ all ? best->ph->seq : NULL, samples[k] };
    }
    if (all && st == STATUS_OK) {
        at->n = at->task->n;
        st = ensemble_build(at, from, SEARCH_STAGES, 1, FINISH_COLD);
        tell(at, "the sequence of each scenario alone");
    }
    for (int k = 0; k < at->task->n; k++) {
        finished_free(&alone[k]);
        samples_free(samples[k]);
    }
    free(samples);
    free(alone);
    free(from);
    return st;
}

/* --- Neighbours ---------------------------------------------------------------------------------------------- */

/* Better sequences of one scenario, those of the others held. */
static enum status improve_one(struct ensembling *at, int k, struct search *search)
{
    enum status st = offer_simulated(at, k, search, &at->now[k]);
    if (st == STATUS_OK)
        st = offer_others(at, k, search, false);
    search->task = ensemble_program(at, k, SEARCH_STAGES, 1);
    const int moves = search->moves;
    if (st == STATUS_OK)
        st = search_improve(search, &at->now[k], at->diag);
    if (search->moves > moves)
        ensemble_settle(at, k);
    return st;
}

/* One scenario after the other, until none finds a better one. */
static enum status improve(struct ensembling *at)
{
    struct search *search = mem_alloc((size_t)at->n, sizeof *search);
    struct pool *pool = mem_alloc((size_t)at->n, sizeof *pool);
    const int max_tries = at->task->finish->tries;
    const double before = at->now[0].objective;
    enum status st = STATUS_OK;
    int still = 0, tries = 0;                   /* scenarios in a row that stayed; tries of all */
    for (int k = 0; k < at->n; k++) {
        search[k] = search_at(at, k, 0, &pool[k]);
        (void)pool_is_new(&pool[k], POOL_SEQUENCE, at->now[k].ph->seq);
    }
    for (int k = 0; still < at->n && tries < max_tries && st == STATUS_OK && !ensemble_must_stop(at); k = (k + 1) % at->n) {
        struct finished *one = ensemble_one(at, k);
        search[k].max_tries = search[k].tries + max_tries - tries;
        st = improve_one(at, k, &search[k]);
        tries += search[k].tries - one->record.tries;
        still = search[k].moves > one->record.moves ? 1 : still + 1;
        one->record.tries = search[k].tries;
        one->record.moves = search[k].moves;
        one->solution.exhausted = search[k].exhausted;
    }
    solve_headline(&at->task->solve, at->now[0].objective < before ? "other sequences: %d tried, the best has objective %.7g"
                   : "other sequences: %d tried, none is better", tries, at->now[0].objective);
    for (int k = 0; k < at->n; k++)
        pool_free(&pool[k]);
    free(search);
    free(pool);
    return st;
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

enum status ensemble_discover(struct ensembling *at)
{
    enum status st = grow(at);
    if (st == STATUS_OK && at->n < at->task->n && !ensemble_must_stop(at))
        st = solve_from_each(at);
    if (st == STATUS_OK && ensemble_is_solved(at) && at->task->finish->tries > 0 && !ensemble_must_stop(at))
        st = improve(at);
    return st;
}
