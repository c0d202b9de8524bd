/* Where nothing leads to a solution of a system without contacts its units may be far apart: once more, every
 * program in units of its own sizes, as with `solver: {scale: auto}` (a heart that pumps 1500 ml/s against 100
 * mmHg). Solutions stay in these. */
#include "transcription/discover/plan.h"

/* As if nothing had been tried: what had no solution may have one now. */
static void forget_all(struct discovery *at)
{
    pool_forget(&at->pool, POOL_SEQUENCE);
    pool_forget(&at->pool, POOL_FAILED);
    pool_empty(&at->pool);
    at->pool.n_repeated = 0;
    at->simulations.made = false;
    at->steps.plain = (struct step_starts){ 0, 0 };
}

static enum status run(struct discovery *at)
{
    struct model *model = at->task->model;
    if (model->has_sizes)
        return STATUS_OK;
    solve_headline(
        at->task,
        "no candidate has led to a solution: once more with scaled variables, as with solver.scale: auto");
    model->has_sizes = at->out->sys->model->has_sizes = true;
    forget_all(at);
    const enum status st = discover_again_without_contacts(at);
    if (!pool_has_solution(&at->pool))
        model->has_sizes = at->out->sys->model->has_sizes = false;
    return st;
}

const struct generator own_sizes = { .is = OWN_SIZES, .run = run };
