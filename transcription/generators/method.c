/* Solutions of homotopies: of one that ends early, and of the method of the spec. */
#include "transcription/generators/generator.h"

#include "core/base/mem.h"
#include "transcription/sequence/recipe.h"

#include <stdlib.h>

enum {
    ROUGH_ELEMENTS = 4              /* of a piece: with one, closed gaps of a fast leg drift by 2 cm (monoped) and its program
                                     * takes 800 iterations, with two 185 to a solution that no finer grid has (21.81, one
                                     * contact force of 5e7 N); with four 180 to one that has elements to be divided */
};

/* What is left of the time for a solve from the guess. */
static struct solve_task whole_task(const struct discovery *at)
{
    struct solve_task task = *at->task;
    task.max_seconds = solve_seconds_left(at->task, at->start);
    task.guess = at->guess;
    return task;
}

static void add_work(struct solve_result *to, const struct solve_result *from)
{
    to->iterations += from->iterations;
    to->eval_seconds += from->eval_seconds;
    nlp_add_linear_work(&to->linear, &from->linear);
}

static bool is_usable(const struct solve_result *found)
{
    return found->tr && (found->homotopy.status == STATUS_OK || found->homotopy.status == STATUS_ACCEPTABLE
                         || found->homotopy.status == STATUS_UNVERIFIED);
}

/* Time steps have exploited their grid, or came to no end on a course with obstacles, through which it is led. A spec
 * of FESD-J asks motions first, and time is frozen only where nothing happens in what these lead to. */
bool time_freezing_is_wanted(const struct discovery *at)
{
    const bool lost = at->pool.n == 0 && (at->traits & TRAIT_PATH);
    const bool last = at->task->discretization->method == METHOD_FESD_J;
    return last == pool_has_solution(&at->pool) && (at->steps.exploit || lost) && (at->traits & TRAIT_STEPS)
           && (at->traits & TRAIT_ROUGH);
}

/* Each proposes one sequence, or none. */
struct once { bool done; };

static void *begin(struct discovery *at, const void *how, const struct samples *of)
{
    (void)at;
    (void)how;
    (void)of;
    return mem_alloc(1, sizeof(struct once));
}

static void end(struct discovery *at, void *state)
{
    (void)at;
    free(state);
}

/* Where time steps exploit their grid, elements that end at events do not: a homotopy of time-freezing that ends
 * early. */
static bool next_roughly(struct discovery *at, void *state, struct candidate *out, enum status *st)
{
    struct once *once = state;
    const struct solve_task task = whole_task(at);
    struct solve_result found = { 0 };
    bool any = false;
    (void)st;
    if (once->done)
        return false;
    once->done = true;
    struct diag *silent = diag_create();        /* others follow */
    solve_note(at->task, "candidate by time-freezing, with a homotopy that ends early");
    any = solve_roughly(&task, (unsigned)at->round, &found, silent) != STATUS_INTERRUPTED && is_usable(&found);
    if (any)
        *out = (struct candidate){ .from = extract_elements(at->out->sys, found.tr, found.homotopy.w),
                                   .repair = true,
                                   .elements = ROUGH_ELEMENTS,
                                   .max_iter = ROUGH_MAX_ITER };
    add_work(&at->out->record.discovery, &found);
    solve_result_free(&found);
    diag_free(silent);
    return any;
}

/* What it leads to keeps its elements. */
static void learn_roughly(struct discovery *at, void *state, bool solved)
{
    (void)state;
    at->elements = solved ? ROUGH_ELEMENTS : 1;
}

const struct generator by_time_freezing = {
    .is = BY_FREEZING, .begin = begin, .next = next_roughly, .learn = learn_roughly, .end = end
};

/* The solution of the method that the spec names. Its steps follow those before it. */
static bool next_by_method(struct discovery *at, void *state, struct candidate *out, enum status *st)
{
    struct once *once = state;
    struct solve_result before = at->out->record.discovery;
    struct solve_task task = whole_task(at);
    if (once->done)
        return false;
    once->done = true;
    task.coarse = (struct solve_coarse){ at->steps.coarse, at->steps.coarse_result.w };
    *st = solve_ocp(&task, &at->out->record.discovery, at->diag);
    add_work(&at->out->record.discovery, &before);
    solve_result_free(&before);
    struct solve_result *found = &at->out->record.discovery;
    if (!is_usable(found) || task.discretization->method == METHOD_TIME_STEPPING)
        return false;
    *out =
        (struct candidate){ .from = extract_elements(at->out->sys, found->tr, found->homotopy.w), .repair = true };
    return true;
}

const struct generator by_method = { .is = BY_METHOD, .begin = begin, .next = next_by_method, .end = end };
