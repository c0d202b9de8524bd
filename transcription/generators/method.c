/* Solutions of homotopies: of one that ends early, and of the method of the spec. */
#include "transcription/generators/generator.h"

#include "transcription/sequence/recipe.h"

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

/* Time steps have exploited their grid, or came to no end on a course with obstacles, through which it is led. A
 * spec of FESD-J asks motions first, and time is frozen only where nothing happens in what these lead to. */
bool time_freezing_is_wanted(const struct discovery *at)
{
    const bool lost = at->pool.n == 0 && (at->traits & TRAIT_PATH);
    const bool last = at->task->discretization->method == METHOD_FESD_J;
    return last == pool_has_solution(&at->pool) && (at->steps.exploit || lost) && (at->traits & TRAIT_STEPS)
           && (at->traits & TRAIT_ROUGH);
}

/* Where time steps exploit their grid, elements that end at events do not: a homotopy of time-freezing that ends
 * early. */
static bool propose_roughly(struct discovery *at, const void *how, struct candidate *out, enum status *st)
{
    const struct solve_task task = whole_task(at);
    struct solve_result found = { 0 };
    struct diag *silent = diag_create();        /* others follow */
    (void)how;
    (void)st;
    solve_note(at->task, "candidate by time-freezing, with a homotopy that ends early");
    const bool any =
        solve_roughly(&task, &found, silent) != STATUS_INTERRUPTED && is_usable(&found);
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

const struct generator by_time_freezing = { .is = BY_FREEZING, .once = propose_roughly, .learn = learn_roughly };

/* The solution of the method that the spec names. Its steps follow those before it. */
static bool propose_by_method(struct discovery *at, const void *how, struct candidate *out, enum status *st)
{
    struct solve_result before = at->out->record.discovery;
    struct solve_task task = whole_task(at);
    (void)how;
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

const struct generator by_method = { .is = BY_METHOD, .once = propose_by_method };
