#include "transcription/discover/discover.h"

#include "core/base/clock.h"
#include "core/base/stop.h"
#include "core/mpcc/report.h"
#include "transcription/discover/plan.h"
#include "transcription/discover/settle.h"
#include "transcription/sensitivity/sensitivity.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum minimum minimum_of(const struct finish *best)
{
    struct sensitivity *sens = sensitivity_create(best);
    const enum minimum minimum = !sensitivity_is_minimum(sens) ? MINIMUM_NOT_SHOWN
                                 : sensitivity_is_strict(sens) ? MINIMUM_STRICT : MINIMUM_FLAT;
    sensitivity_free(sens);
    return minimum;
}

/* The sequence that came nearest to a solution is what is saved; what stands most in
 * its way follows these words. */
static enum status keep_nearest(struct discovery *at, enum status st, const char *words)
{
    struct solution *out = &at->out->solution;
    char text[121] = "optimality, all conditions being met";
    out->best = at->pool.found[0];
    at->pool.found[0] = (struct finish){ .objective = NAN };
    out->status = discovery_status_of_stop(at, st);
    (void)report_obstacle(&out->best.ph->mpcc, out->best.w, FINISH_VIOLATION_OK, NULL, NULL, text, sizeof text);
    (void)snprintf(out->reason, sizeof out->reason, "%s %.120s", words, text);
    return out->status;
}

/* No method has a program for machines. */
static enum status keep_nearest_order(struct discovery *at)
{
    const int n = at->out->record.n_start;
    char words[80];
    if (at->pool.n == 0 && discovery_must_stop(at))
        return discovery_status_of_stop(at, STATUS_LIMIT);
    if (at->pool.n == 0)
        return diag_fail(at->diag, STATUS_NUMERIC, "no motion with the guess or with random controls comes to its "
                         "end, so that no order of transitions is known; `cocp simulate` says why");
    (void)snprintf(words, sizeof words, "of %d order%s of transitions none has a solution; the nearest:", n,
                   n == 1 ? "" : "s");
    return keep_nearest(at, STATUS_INFEASIBLE, words);
}

/* Stopped without a solution: did a sequence come nearer to one than what the method of the spec has? */
static bool is_sequence_nearest(const struct discovery *at)
{
    const struct solve_result *discovery = &at->out->record.discovery;
    const struct homotopy_result *method = &discovery->homotopy;
    const double reached = discovery->tr ? fmax(method->violation, method->complementarity) : INFINITY;
    return discovery_must_stop(at) && at->pool.n && at->pool.found[0].ph && at->pool.found[0].violation < reached;
}

static void count_discovery(struct record *out)
{
    out->work.iterations += out->discovery.iterations;
    out->work.eval_seconds += out->discovery.eval_seconds;
    nlp_add_linear_work(&out->work.linear, &out->discovery.linear);
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

/* The result of the default, and what is asked for beside it. */
static enum status find(struct discovery *at)
{
    const struct solution *solution = &at->out->solution;
    enum status st = discover(at);
    if (pool_has_solution(&at->pool) && !at->value && (at->traits & TRAIT_VALUES))
        st = discovery_take_values(at);
    if (pool_has_solution(&at->pool)) {
        st = discovery_settle(at, true);
        if (st == STATUS_OK && solution->status == STATUS_UNVERIFIED && discovery_is_near_optimum(at))
            st = discovery_look_further(at);
        st = st == STATUS_OK ? discovery_settle_on_next(at) : st;
        st = st == STATUS_OK ? discovery_descend_to_end(at) : st;
    }
    if (st == STATUS_SPEC || (solution->best.ph && st != STATUS_OK))
        return st;
    const enum status more = discovery_do_more(at);
    return st != STATUS_OK && solution->best.ph ? more : st;
}

enum status solve_finished(const struct solve_task *task, const struct finish_settings *settings,
                           struct finished *out, struct diag *diag)
{
    memset(out, 0, sizeof *out);
    out->solution.replay = (struct replayed){ .error = NAN, .interval = NAN, .judged = NAN };
    struct discovery at = { .task = &at.limited, .limited = *task, .settings = settings, .out = out, .diag = diag,
                            .start = clock_seconds(), .guess = task->guess,
                            .elements = 1 };
    struct diag *silent = diag_create();        /* what phases refuse, the method of the spec may take */
    enum status st = phase_system_create(task->model, &out->sys, task->model->switching.n_machine ? diag : silent);
    diag_free(silent);
    if (st != STATUS_OK)
        return task->model->switching.n_machine ? st : solve_ocp(task, &out->record.discovery, diag);
    at.traits = traits_of(task, out->sys);
    struct record *record = &out->record;
    record->counts = (struct counts){ .used = mechanisms_used(settings->without, settings->only),
                                      .iterations = { &record->work.iterations, &record->discovery.iterations },
                                      .generator = MECHANISM_NONE };
    const struct finish_task first = discovery_task(&at, SEARCH_STAGES, 1);
    search_init(&at.search, &first, &at.pool);
    at.search.note = discovery_note_try;
    at.search.user = &at;
    st = find(&at);
    if (!out->solution.best.ph && st == STATUS_OK && (at.traits & TRAIT_MACHINES))
        st = keep_nearest_order(&at);
    else if (!out->solution.best.ph && is_sequence_nearest(&at))
        st = keep_nearest(&at, st, "it was stopped; of the sequences that were tried this is the nearest, but for");
    if (out->solution.best.solved && !task->once)
        out->solution.minimum = minimum_of(&out->solution.best);
    discovery_tell_stationarity(&at);
    out->record.tries = at.search.tries;
    out->record.moves = at.search.moves;
    count_discovery(&out->record);
    out->record.seconds = clock_seconds() - at.start;
    free(at.value);
    transcription_free(at.steps.coarse);
    homotopy_result_free(&at.steps.coarse_result);
    pool_free(&at.pool);
    return st;
}

void finished_free(struct finished *finished)
{
    finish_free(&finished->solution.best);
    stationarity_free(&finished->solution.stationarity);
    tried_free(&finished->record.tried);
    refused_free(&finished->record.refused);
    phase_system_free(finished->sys);
    solve_result_free(&finished->record.discovery);
}
