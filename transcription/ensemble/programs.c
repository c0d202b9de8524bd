#include "transcription/ensemble/ensemble_parts.h"

#include "transcription/sequence/recipe.h"

static void set_members(struct ensembling *at)
{
    for (int k = 0; k < at->n; k++)
        at->member[k] = finish_member(&at->now[k]);
}

struct finish_task ensemble_program(struct ensembling *at, int k, int stages, int elements)
{
    const struct ensemble_task *task = at->task;
    const bool gauss = task->finish->scheme == FINISH_SCHEME_GAUSS
                       || (task->finish->scheme == FINISH_SCHEME_AUTO
                           && task->solve.discretization->scheme == RK_GAUSS_LEGENDRE);
    set_members(at);
    at->company.n = at->n;
    at->company.self = k;
    struct finish_task program = {
        .sys = ensemble_one(at, k)->sys,
        .grid = { .scheme = gauss ? RK_GAUSS_LEGENDRE : RK_RADAU_IIA, .stages = stages, .elements = elements },
        .deadline = at->start + task->solve.max_seconds, .print_level = task->solve.print_level,
        .interrupt = task->solve.interrupt, .work = &at->out->work, .company = &at->company
    };
    finish_take_options(&program, task->solve.solver);
    return program;
}

void ensemble_settle(struct ensembling *at, int k)
{
    const struct finish *one = &at->now[k];
    set_members(at);
    at->company.self = k;
    company_take(&at->company, one->others);
    for (int j = 0; j < at->n; j++) {
        at->now[j].solved = one->solved;
        at->now[j].outcome = one->outcome;
        at->now[j].objective = one->objective;
        at->now[j].violation = one->violation;
    }
}

void ensemble_clear(struct ensembling *at)
{
    for (int k = 0; k < at->task->n; k++)
        finish_free(&at->now[k]);
}

/* Times inside control intervals lie in other elements than when the program in place k
 * was built: with them, again. */
static enum status settle_interior_times(struct ensembling *at, int k)
{
    const struct phase_grid *grid = &at->now[k].ph->grid;
    if (!phases_interior_times_moved(at->now[k].ph, at->now[k].w))
        return STATUS_OK;
    const struct finish_task task = ensemble_program(at, k, grid->stages, grid->elements);
    const enum status st = finish_run(&task, FINISH_WARM, FINISH_MAX_ITER, &at->now[k], at->diag);
    ensemble_settle(at, k);
    return st;
}

enum status ensemble_build(struct ensembling *at, const struct ensemble_start *from, int stages, int elements,
                           enum finish_start start)
{
    ensemble_clear(at);
    for (int k = 0; k < at->n; k++) {
        const struct finish_task task = ensemble_program(at, k, stages, elements);
        const enum status st = finish_build(&task, from[k].seq, from[k].samples, &at->now[k], at->diag);
        if (st != STATUS_OK)
            return st;
    }
    const struct finish_task task = ensemble_program(at, 0, stages, elements);
    enum status st = finish_run(&task, start, FINISH_MAX_ITER, &at->now[0], at->diag);
    ensemble_settle(at, 0);
    for (int k = 1; k < at->n && st == STATUS_OK && at->now[0].solved; k++)
        st = settle_interior_times(at, k);
    return st;
}
