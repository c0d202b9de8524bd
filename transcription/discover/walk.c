/* Walks through the plan. */
#include "transcription/discover/plan.h"

#include "transcription/given/given.h"

bool plan_was_due(const struct discovery *at, enum mechanism what)
{
    return mechanism_is_in(&at->walk.due, what);
}

bool plan_solved_by(const struct discovery *at, enum mechanism what)
{
    return mechanism_is_in(&at->walk.solved, what);
}

/* Is it for problems like this one? */
static bool is_for(const struct discovery *at, const struct plan_row *row)
{
    return (at->traits & row->has) == row->has && !(at->traits & row->lacks);
}

static bool is_due(const struct discovery *at, const struct plan_row *row)
{
    return is_for(at, row) && (!row->when || row->when(at));
}

static enum status try_row(struct discovery *at, const struct plan_row *row, enum status before)
{
    if (!is_due(at, row))
        return before;
    mechanism_add(&at->walk.due, row->try->is);
    const enum status st = generate(at, row->try);
    if (pool_has_solution(&at->pool))
        mechanism_add(&at->walk.solved, row->try->is);
    return row->then == ANYWAY || row->then == RESCUE ? before : st;
}

/* The guess was a solution and leads to one; the program of a fit has kept what its simulations found; or a plan
 * that is made anew follows nothing else. */
static bool is_enough(const struct discovery *at)
{
    return at->task->guess_alone || at->fit_is_kept
           || (at->guess && given_is_solution(at->guess) && pool_has_solution(&at->pool));
}

static bool ends(const struct discovery *at, const struct plan_row *row)
{
    return is_for(at, row) && (row->then == ENDS || (row->then == ENOUGH && is_enough(at)));
}

enum status discover_again_without_contacts(struct discovery *at)
{
    enum status st = STATUS_OK;
    for (const struct plan_row *row = plan; row->try != &own_sizes && st == STATUS_OK; row++)
        if (row->lacks & TRAIT_CONTACTS)
            st = try_row(at, row, st);
    return st;
}

enum status discover_more(struct discovery *at)
{
    enum status st = STATUS_OK;
    for (const struct plan_row *row = plan; row->try && st == STATUS_OK && !discovery_must_stop(at); row++) {
        const bool is_due = row->try->goes_on && is_for(at, row)
                            && (plan_was_due(at, row->try->is) || (row->when && row->when(at)));
        if (is_due)
            st = generate(at, row->try);
        if (ends(at, row))
            break;
    }
    return st;
}

enum status discover(struct discovery *at)
{
    enum status st = STATUS_OK;
    at->walk = (struct plan_walk){ .due = { { 0 } } };
    for (const struct plan_row *row = plan; row->try; row++) {
        if (st != STATUS_OK && (row->then != RESCUE || st == STATUS_SPEC))
            continue;
        st = try_row(at, row, st);
        if (ends(at, row) || (st == STATUS_OK && discovery_is_near_optimum(at)))
            break;
    }
    return st;
}
