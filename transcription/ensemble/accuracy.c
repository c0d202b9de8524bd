#include "transcription/ensemble/ensemble_parts.h"

#include "core/base/mem.h"
#include "transcription/discover/acceptance.h"
#include "transcription/finish/checks/checks.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>

enum { CHECK_TURNS = 3 };           /* of inequalities between stages, in one scenario after the other */

/* The same sequences with more elements; what is there stays where that finds no solution. */
static enum status refine(struct ensembling *at, int elements, bool *refined)
{
    struct finish *coarse = at->now;
    struct ensemble_start *from = mem_alloc((size_t)at->n, sizeof *from);
    struct samples **samples = mem_alloc((size_t)at->n, sizeof *samples);
    solve_note(&at->task->solve, "the same sequences with more stages and elements");
    for (int k = 0; k < at->n; k++) {
        samples[k] = samples_of(coarse[k].ph, coarse[k].w);
        from[k] = (struct ensemble_start){ coarse[k].ph->seq, samples[k] };
    }
    at->now = mem_alloc((size_t)at->n, sizeof *at->now);
    enum status st = ensemble_build(at, from, at->task->finish->stages, elements, FINISH_WARM);
    *refined = st == STATUS_OK && at->now[0].solved;
    if (!*refined) {
        struct finish *fine = at->now;
        ensemble_clear(at);
        at->now = coarse;
        coarse = fine;
    }
    for (int k = 0; k < at->n; k++) {
        samples_free(samples[k]);
        finish_free(&coarse[k]);
        ensemble_one(at, k)->solution.refined |= *refined;
    }
    free(coarse);
    free(samples);
    free(from);
    return st;
}

static enum status check_between(struct ensembling *at)
{
    enum status st = STATUS_OK;
    solve_note(&at->task->solve, "inequalities between collocation points");
    int still = 0;
    for (int k = 0; k < CHECK_TURNS * at->n && still < at->n && st == STATUS_OK && !ensemble_must_stop(at); k++) {
        const int i = k % at->n;
        struct finish *one = &at->now[i];
        const struct finish_task task = ensemble_program(at, i, one->ph->grid.stages, one->ph->grid.elements);
        const struct phases *before = one->ph;
        st = checks_enforce(&task, one, &ensemble_one(at, i)->solution.between, at->diag);
        still = one->ph != before ? 1 : still + 1;
        if (one->ph != before)
            ensemble_settle(at, i);
    }
    for (int k = 0; k < at->n; k++) {
        struct phase_check *none = NULL;        /* as they are now: the others may have moved since */
        (void)checks_find(at->now[k].ph, at->now[k].w, 0, &none, &ensemble_one(at, k)->solution.between);
        free(none);
    }
    return st;
}

struct finish ensemble_own(const struct ensembling *at, int k)
{
    struct finish alone = at->now[k];
    alone.objective = program_cost(alone.ph->prog, alone.w);
    alone.violation = phases_violation(alone.ph, alone.w);
    return alone;
}

/* True if every scenario's replay agrees. */
static bool replay(struct ensembling *at)
{
    bool all = true;
    for (int k = 0; k < at->n; k++) {
        struct solution *one = &ensemble_one(at, k)->solution;
        struct solve_task task = at->task->solve;
        task.model = ensemble_model(at, k);
        const struct finish alone = ensemble_own(at, k);
        acceptance_replay(&(struct acceptance){ &task, at->task->finish, at->start }, &alone, NULL, one);
        all = all && !*one->refusal;
    }
    return all;
}

enum status ensemble_refine(struct ensembling *at)
{
    int elements = at->task->finish->elements;
    bool refined = true, agrees = false;
    enum status st = STATUS_OK;
    for (int k = 0; k <= REFINE_ROUNDS && st == STATUS_OK && refined && !agrees && !ensemble_must_stop(at); k++) {
        st = refine(at, elements, &refined);
        if (st == STATUS_OK && (refined || k == 0))
            st = check_between(at);
        agrees = replay(at);
        elements *= 2;
    }
    return st;
}

