#include "transcription/ensemble/ensemble.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/stop.h"
#include "transcription/discover/acceptance.h"
#include "transcription/discover/discover.h"
#include "transcription/ensemble/ensemble_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The verdict --------------------------------------------------------------------------------------------- */

static void judge_one(const struct ensembling *at, struct solution *one)
{
    const bool interrupted = at->task->solve.interrupt && *at->task->solve.interrupt;
    one->status = interrupted ? stop_status() : ensemble_must_stop(at) ? STATUS_LIMIT : STATUS_UNVERIFIED;
    if (!solution_is_refused(one, at->task->finish->tol))
        one->status = STATUS_OK;
}

static const char nothing_common[]
    = "no common controls were found that meet every condition in every scenario: charge for final values and limits that "
      "all must meet, or start with --guess from a plan without them";

/* Without a plan for all: of the time, or because none was found. */
static enum status why_failed(const struct ensembling *at)
{
    if (at->task->solve.interrupt && *at->task->solve.interrupt)
        return stop_status();
    return ensemble_must_stop(at) ? STATUS_LIMIT : STATUS_INFEASIBLE;
}

static void judge_failed(const struct ensembling *at, struct solution *one)
{
    one->status = why_failed(at);
    (void)snprintf(one->reason, sizeof one->reason, "%s", nothing_common);
}

/* Not every scenario has a program: the plan for the spec as written is all there is. */
static void give_up(struct ensembling *at)
{
    at->out->status = why_failed(at);
    (void)snprintf(
        at->out->reason, sizeof at->out->reason, "%s",
        at->out->status == STATUS_INFEASIBLE ? nothing_common : "there was no time for a plan for all scenarios");
}

static int severity(enum status status)
{
    return status == STATUS_OK ? 0 : status_exit_code(status);
}

static void judge(struct ensembling *at)
{
    struct ensemble *out = at->out;
    out->status = STATUS_OK;
    for (int k = 0; k < at->n; k++) {
        struct solution *one = &ensemble_one(at, k)->solution;
        if (at->now[k].solved)
            judge_one(at, one);
        else
            judge_failed(at, one);
        if (severity(one->status) > severity(out->status)) {
            out->status = one->status;
            (void)snprintf(out->reason, sizeof out->reason, "at %.80s: %s", ensemble_name(at, k), one->reason);
        }
        out->error = isnan(one->replay.error) || one->replay.error > out->error ? one->replay.error : out->error;
    }
    if (!at->now[0].solved)
        (void)snprintf(out->reason, sizeof out->reason, "%s", nothing_common);
}

/* Every scenario gets its program, with its own cost; the whole its sizes. */
static void hand_over(struct ensembling *at)
{
    struct ensemble *out = at->out;
    struct finish_task task = ensemble_program(at, 0, 1, 1);
    struct together *whole = together_create(task.company, &at->member[0]);
    const struct nlp *nlp = together_nlp(whole);
    out->n_var = nlp->n_w;
    out->n_con = nlp->n_g;
    out->nnz_jac = nlp->jac.nnz;
    out->nnz_hess = nlp->hess.nnz;
    together_free(whole);
    out->objective = at->now[0].objective;
    out->violation = at->now[0].violation;
    for (int k = 0; k < at->n; k++) {
        struct finished *one = ensemble_one(at, k);
        one->solution.best = ensemble_own(at, k);
        one->solution.compared = NAN;
        one->record.work = out->work;
        one->record.n_start = one->record.n_finished = 1;
        at->now[k] = (struct finish){ .objective = NAN };
    }
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

/* The nearest to the spec as written first. */
static void set_order(struct ensembling *at)
{
    for (int k = 0; k < at->task->n; k++) {
        int i = k;
        for (; i > 0 && at->task->distance[at->order[i - 1]] > at->task->distance[k]; i--)
            at->order[i] = at->order[i - 1];
        at->order[i] = k;
    }
    for (int k = 0; k < at->task->n; k++)
        at->weight[k] = at->task->weight[at->order[k]];
}

static enum status create_systems(struct ensembling *at)
{
    enum status st = STATUS_OK;
    at->out->n = at->task->n;
    at->out->one = mem_alloc((size_t)at->out->n, sizeof *at->out->one);
    for (int k = 0; k < at->out->n; k++)
        at->out->one[k].solution.replay = (struct replayed){ .error = NAN, .interval = NAN, .judged = NAN };
    for (int k = 0; k < at->out->n && st == STATUS_OK; k++)
        st = phase_system_create(at->task->model[k], &at->out->one[k].sys, at->diag);
    return st;
}

static enum status solve_scenarios(struct ensembling *at)
{
    enum status st = create_systems(at);
    if (st == STATUS_OK)
        st = ensemble_discover(at);
    if (st == STATUS_OK && ensemble_is_solved(at))
        st = ensemble_refine(at);
    if (st != STATUS_OK)
        return st;
    if (at->n < at->task->n) {
        give_up(at);
        return STATUS_OK;
    }
    judge(at);
    hand_over(at);
    at->out->is_plan = true;
    return STATUS_OK;
}

static struct ensembling begin(const struct ensemble_task *task, struct ensemble *out, struct diag *diag)
{
    const size_t n = (size_t)task->n;
    struct ensembling at = { .task = task, .out = out, .diag = diag, .start = clock_seconds() };
    memset(out, 0, sizeof *out);
    at.order = mem_alloc(n, sizeof *at.order);
    at.weight = mem_alloc(n, sizeof *at.weight);
    at.now = mem_alloc(n, sizeof *at.now);
    at.member = mem_alloc(n, sizeof *at.member);
    at.company = (struct company){ .member = at.member, .weight = at.weight, .worst = task->worst };
    set_order(&at);
    return at;
}

enum status ensemble_solve(const struct ensemble_task *task, struct ensemble *out, struct diag *diag)
{
    struct ensembling at = begin(task, out, diag);
    solve_headline(&task->solve, "the spec as written:");
    enum status st = solve_finished(&task->solve, task->finish, &out->nominal, diag);
    out->work = out->nominal.record.work;
    if (out->nominal.solution.best.solved)
        st = solve_scenarios(&at);
    out->seconds = clock_seconds() - at.start;
    ensemble_clear(&at);
    free(at.order);
    free(at.weight);
    free(at.now);
    free(at.member);
    return st;
}

void ensemble_free(struct ensemble *ensemble)
{
    finished_free(&ensemble->nominal);
    for (int k = 0; k < ensemble->n; k++)
        finished_free(&ensemble->one[k]);
    free(ensemble->one);
}

/* --- What they must share ------------------------------------------------------------------------------------ */

/* Control intervals at the same times, as far as these are fixed. */
static bool same_grid(const struct model *a, const struct model *b)
{
    if (a->time.n_intervals != b->time.n_intervals || a->time.horizon_free != b->time.horizon_free
        || a->n_p != b->n_p)
        return false;
    const size_t n = (size_t)a->time.n_intervals + 1;
    double *t = mem_alloc(2 * n, sizeof *t);
    model_grid(a, a->time.horizon, NULL, t);
    model_grid(b, a->time.horizon_free ? a->time.horizon : b->time.horizon, NULL, t + n);
    const bool same = memcmp(t, t + n, n * sizeof *t) == 0;
    free(t);
    return same;
}

enum status ensemble_check(const struct ensemble_task *task, struct diag *diag)
{
    const struct model *model = task->solve.model;
    enum status st = STATUS_OK;
    if (task->solve.discretization->control_grid == CONTROL_GRID_FREE)
        return diag_error(diag, (struct srcpos){ NULL, 0, 0 }, "discretization.control_grid",
                          "scenarios have one grid of control intervals: equidistant");
    if (model->constraints.n_pair)
        return diag_error(diag, model->constraints.pair[0].pos, model->constraints.pair[0].path,
                          "a side that common controls hold at 0 in one "
                          "scenario is not 0 in the others: contacts, whose forces differ, take scenarios");
    for (int k = 0; k < task->n && st == STATUS_OK; k++)
        if (!same_grid(model, task->model[k]))
            st = diag_error(diag, task->model[k]->time.horizon_pos, "time",
                            "differs at %s: scenarios have one horizon and one grid of control intervals", task->name[k]);
    return st;
}
