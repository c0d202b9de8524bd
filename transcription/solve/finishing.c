#include "transcription/solve/finishing.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/base/stop.h"
#include "core/mpcc/report.h"
#include "transcription/phases/better.h"
#include "transcription/phases/recipe.h"
#include "transcription/phases/sensitivity.h"
#include "transcription/solve/finishing_parts.h"
#include "transcription/solve/plan.h"
#include "transcription/solve/recipe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void finishing_note_try(void *user, const char *what, const struct finish *tried)
{
    const struct finishing *at = user;
    char text[160];
    (void)snprintf(text, sizeof text, "%s: %s, %d iterations, objective %.7g, violation %.1e", what,
                   tried->solved ? "solved" : "not solved", tried->iterations, tried->objective, tried->violation);
    solve_note(at->task, text);
}

/* One of a solution: /phases tells of it, too. */
static void note_and_add(void *user, const char *what, const struct finish *tried)
{
    struct finishing *at = user;
    finishing_note_try(at, what, tried);
    tried_add(&at->out->record.tried, what, tried);
}

/* --- A minimum, or a saddle ------------------------------------------------------------------------------------- */

static bool shows_minimum(const struct finish *best)
{
    struct sensitivity *sens = sensitivity_create(best);
    const bool is_minimum = sensitivity_is_minimum(sens);
    sensitivity_free(sens);
    return is_minimum;
}

static enum minimum minimum_of(const struct finish *best)
{
    struct sensitivity *sens = sensitivity_create(best);
    const enum minimum minimum = !sensitivity_is_minimum(sens) ? MINIMUM_NOT_SHOWN
                                 : sensitivity_is_strict(sens) ? MINIMUM_STRICT : MINIMUM_FLAT;
    sensitivity_free(sens);
    return minimum;
}

/* [n_w] the solution with its controls moved at random, by no symmetry of the problem. */
static double *beside(const struct finish *best)
{
    const struct phases *ph = best->ph;
    const struct nlp *nlp = &ph->mpcc.nlp;
    double *w = memcpy(mem_alloc((size_t)nlp->n_w, sizeof *w), best->w, (size_t)nlp->n_w * sizeof *w);
    uint64_t counter = 0;
    for (int k = 0; k < ph->n_interval; k++)
        for (int var = ph->u[k]; var < ph->u[k] + ph->sys->model->n_u; var++) {
            const double width = nlp->ubw[var] - nlp->lbw[var];
            w[var] += PERTURBATION * (isfinite(width) ? width : fmax(1, fabs(w[var]))) * random_signed(random_next(&counter));
        }
    return w;
}

/* A symmetric guess leads to a saddle of a symmetric problem, where first-order conditions hold, too. Where the
 * curvature does not show a minimum the same sequence is finished once more from beside it. What starts from its own
 * solution stays. */
static enum status leave_saddle(struct finishing *at, struct finish *best)
{
    struct counting counting;
    if (at->out->solution.again || at->task->once || finishing_must_stop(at) || shows_minimum(best)
        || !counts_begin(finishing_counts(at), OFF_SADDLE, &counting))
        return STATUS_OK;
    struct finish_task task = finishing_task(at, SEARCH_STAGES, at->elements);
    struct finish moved = *best, found;
    task.grid = best->ph->grid;
    moved.w = beside(best);
    finishing_begin(at, "starts beside the best solution, which may be a saddle point");
    const enum status st = finish_again(&task, &moved, TRY_MAX_ITER, &found, at->diag);
    free(moved.w);
    const bool better = st == STATUS_OK && found.solved && below(found.objective, best->objective, margins.as_good);
    counts_candidate(finishing_counts(at), OFF_SADDLE, found.solved, better);
    counts_end(&counting);
    if (better) {
        finishing_tell(at, &found);
        finish_free(best);
        *best = found;
    } else {
        finish_free(&found);
    }
    return st;
}

/* --- Search and refinement ----------------------------------------------------------------------------------- */

/* How many neighbours may be tried: in the time of as many with two elements where pieces have more. */
static int most_tries(const struct finishing *at)
{
    const int tries = at->settings->tries;
    return at->out->solution.again || at->scheduled ? 0 : at->elements > 2 ? 2 * tries / at->elements : tries;
}

/* Discoveries start from motions, neighbours from a solution, which is a better start: what had none from there may
 * have one from here. */
static void forget_failures(struct finishing *at)
{
    pool_forget(&at->pool, POOL_SEQUENCE);
    for (int k = 0; k < at->pool.n; k++)
        if (at->pool.found[k].solved)
            (void)pool_is_new(&at->pool, POOL_SEQUENCE, at->pool.found[k].ph->seq);
}

/* Sequences whose neighbours are tried: of motions the second best, too, as what one costs before its events have
 * moved says little; not where time steps have found the best, and what it costs. */
static int search_from(const struct finishing *at)
{
    const bool by_motions = at->traits & (TRAIT_ONLY_MOTION_KNOWS | TRAIT_RELAYS);
    return (by_motions && !at->pool.expected) || discover_asks_for_all(at) ? SEARCH_FROM_MOTIONS : SEARCH_FROM;
}

/* From the best few sequences to their best neighbours; the best of all is kept. */
static enum status improve(struct finishing *at)
{
    struct solution *out = &at->out->solution;
    struct tried *tried = &at->out->record.tried;
    enum status st = STATUS_OK;
    if (pool_has_solution(&at->pool) && at->pool.found[0].ph->grid.elements > at->elements)
        at->elements = at->pool.found[0].ph->grid.elements;
    at->search.task = finishing_task(at, SEARCH_STAGES, at->elements);
    at->search.note = note_and_add;
    at->search.shifts = !at->pool.clear;
    struct counting counting;
    forget_failures(at);
    const int most = at->pool.n < search_from(at) ? at->pool.n : search_from(at);
    for (int k = 0; k < most && at->pool.found[k].solved && st == STATUS_OK; k++) {
        finishing_begin(at, "neighbouring sequences of candidate %d of at most %d", k + 1, most);
        const int tries = at->search.tries;
        const double before = at->pool.found[k].objective;
        at->search.max_tries = at->search.tries + most_tries(at);
        const bool used = counts_begin(finishing_counts(at), NEIGHBOURS, &counting);
        at->search.task.grid.yield = at->pool.found[k].ph->grid.yield;
        if (used)
            st = search_improve(&at->search, &at->pool.found[k], at->diag);
        if (below(at->pool.found[k].objective, before, margins.as_good))
            solve_headline(at->task, "%s: %d tried, the best has objective %.7g", at->what, at->search.tries - tries,
                           at->pool.found[k].objective);
        else if (at->search.tries > tries)
            solve_headline(at->task, "%s: %d tried, none is better", at->what, at->search.tries - tries);
        if (used) {
            const bool better = at->pool.found[k].objective < before;
            counts_candidate(finishing_counts(at), NEIGHBOURS, better, better && k == 0);
            counts_end(&counting);
        }
        if (out->best.ph && !better_than(&at->pool.found[k], &out->best))
            continue;
        finish_free(&out->best);
        out->best = at->pool.found[k];
        at->pool.found[k] = (struct finish){ .objective = NAN };
        out->exhausted = at->search.exhausted;
    }
    if (out->best.ph)
        tried_sort(tried, out->best.ph->seq);
    if (st == STATUS_OK && out->best.ph)
        st = leave_saddle(at, &out->best);
    out->compared = tried->n ? out->best.objective : NAN;
    return st;
}

bool solution_is_refused(struct solution *solution, double tol)
{
    const struct check_worst *between = &solution->between;
    const double error = solution->replay.judged, broken = isnan(error) ? between->all : between->asked;
    const bool ends_early = *solution->refusal && isinf(error);     /* says why */
    const bool is_off = !isnan(error) && !(error <= tol) && !ends_early, is_broken = !(broken <= tol);
    char *reason = solution->reason;
    const size_t size = sizeof solution->reason;
    if (is_off)
        (void)snprintf(reason, size, "a replay from event to event differs from it by %.1e; finish.tol is %g", error, tol);
    else if (*solution->refusal)
        (void)snprintf(reason, size, "%s", solution->refusal);
    else if (is_broken)
        (void)snprintf(reason, size, "%s is off by %.1e between collocation points; finish.tol is %g",
                       between->asked > tol ? between->what : "the side of a switch", broken, tol);
    return is_off || *solution->refusal || is_broken;
}

/* Accuracy is part of solved. Without it a run that was stopped says so. */
static void judge(struct finishing *at)
{
    struct solution *out = &at->out->solution;
    const bool interrupted = at->task->interrupt && *at->task->interrupt;
    out->status = interrupted ? stop_status() : finishing_must_stop(at) ? STATUS_LIMIT : STATUS_UNVERIFIED;
    if (solution_is_refused(out, at->settings->tol))
        return;
    if (out->again && out->is_kept) {
        out->status = STATUS_ACCEPTABLE;
        snprintf(out->reason, sizeof out->reason, "it is the guess itself: no better solution was found from it");
    } else
        out->status = STATUS_OK;
}

enum status finishing_settle(struct finishing *at, bool search)
{
    const struct finish *best = &at->out->solution.best;
    const enum status st = search ? improve(at) : STATUS_OK;
    samples_free(at->promised);
    at->promised = samples_of(best->ph, best->w);
    at->promise = best->objective;
    at->yield = best->ph->grid.yield;
    const enum status reached = st == STATUS_OK ? finishing_reach_accuracy(at) : st;
    judge(at);
    return reached;
}

/* What a run that must stop comes to; st where it need not. */
static enum status status_of_stop(const struct finishing *at, enum status st)
{
    const bool interrupted = at->task->interrupt && *at->task->interrupt;
    return interrupted ? stop_status() : finishing_must_stop(at) ? STATUS_LIMIT : st;
}

/* The sequence that came nearest to a solution is what is saved; what stands most in its way follows these words. */
static enum status keep_nearest(struct finishing *at, enum status st, const char *words)
{
    struct solution *out = &at->out->solution;
    char text[121] = "optimality, all conditions being met";
    out->best = at->pool.found[0];
    at->pool.found[0] = (struct finish){ .objective = NAN };
    out->status = status_of_stop(at, st);
    (void)report_obstacle(&out->best.ph->mpcc, out->best.w, FINISH_VIOLATION_OK, NULL, NULL, text, sizeof text);
    (void)snprintf(out->reason, sizeof out->reason, "%s %.120s", words, text);
    return out->status;
}

/* No method has a program for machines. */
static enum status keep_nearest_order(struct finishing *at)
{
    const int n = at->out->record.n_start;
    char words[80];
    if (at->pool.n == 0 && finishing_must_stop(at))
        return status_of_stop(at, STATUS_LIMIT);
    if (at->pool.n == 0)
        return diag_fail(at->diag, STATUS_NUMERIC, "no motion with the guess or with random controls comes to its "
                         "end, so that no order of transitions is known; `cocp simulate` says why");
    (void)snprintf(words, sizeof words, "of %d order%s of transitions none has a solution; the nearest:", n,
                   n == 1 ? "" : "s");
    return keep_nearest(at, STATUS_INFEASIBLE, words);
}

/* Stopped without a solution: did a sequence come nearer to one than what the method of the spec has? */
static bool is_sequence_nearest(const struct finishing *at)
{
    const struct solve_result *discovery = &at->out->record.discovery;
    const struct homotopy_result *method = &discovery->homotopy;
    const double reached = discovery->tr ? fmax(method->violation, method->complementarity) : INFINITY;
    return finishing_must_stop(at) && at->pool.n && at->pool.found[0].ph && at->pool.found[0].violation < reached;
}

static void count_discovery(struct record *out)
{
    out->work.iterations += out->discovery.iterations;
    out->work.eval_seconds += out->discovery.eval_seconds;
    nlp_add_linear_work(&out->work.linear, &out->discovery.linear);
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

enum status solve_finished(const struct solve_task *task, const struct finish_settings *settings, struct finished *out,
                           struct diag *diag)
{
    memset(out, 0, sizeof *out);
    out->solution.replay = (struct replayed){ .error = NAN, .interval = NAN, .judged = NAN };
    struct finishing at = { .task = &at.limited, .limited = *task, .settings = settings, .out = out, .diag = diag, .start = clock_seconds(), .guess = task->guess,
                            .elements = 1 };
    struct diag *silent = diag_create();        /* what phases refuse, the method of the spec may take */
    enum status st = phase_system_create(task->model, &out->sys, task->model->n_machine ? diag : silent);
    diag_free(silent);
    if (st != STATUS_OK)
        return task->model->n_machine ? st : solve_ocp(task, &out->record.discovery, diag);
    at.traits = traits_of(task, out->sys);
    struct record *record = &out->record;
    record->counts = (struct counts){ .used = mechanisms_used(settings->without, settings->only),
                                      .iterations = { &record->work.iterations, &record->discovery.iterations },
                                      .generator = MECHANISM_NONE };
    const struct finish_task first = finishing_task(&at, SEARCH_STAGES, 1);
    search_init(&at.search, &first, &at.pool);
    at.search.note = finishing_note_try;
    at.search.user = &at;
    st = discover(&at);
    if (pool_has_solution(&at.pool) && !at.value && (at.traits & TRAIT_VALUES))
        st = finishing_take_values(&at);
    if (pool_has_solution(&at.pool)) {
        st = finishing_settle(&at, true);
        st = st == STATUS_OK ? finishing_settle_on_next(&at) : st;
        st = st == STATUS_OK ? finishing_settle_on_motion(&at) : st;
        st = st == STATUS_OK ? finishing_settle_on_cheaper(&at) : st;
    } else if (st == STATUS_OK && (at.traits & TRAIT_MACHINES)) {
        st = keep_nearest_order(&at);
    } else if (is_sequence_nearest(&at)) {
        st = keep_nearest(&at, st, "it was stopped; of the sequences that were tried this is the nearest, but for");
    }
    if (out->solution.best.solved && !task->once)
        out->solution.minimum = minimum_of(&out->solution.best);
    out->record.tries = at.search.tries;
    out->record.moves = at.search.moves;
    count_discovery(&out->record);
    out->record.seconds = clock_seconds() - at.start;
    free(at.value);
    samples_free(at.promised);
    transcription_free(at.coarse);
    homotopy_result_free(&at.coarse_result);
    pool_free(&at.pool);
    return st;
}

void finished_free(struct finished *finished)
{
    finish_free(&finished->solution.best);
    tried_free(&finished->record.tried);
    refused_free(&finished->record.refused);
    phase_system_free(finished->sys);
    solve_result_free(&finished->record.discovery);
}
