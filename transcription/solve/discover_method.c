#include "transcription/solve/generator.h"

#include "transcription/phases/given.h"
#include "transcription/phases/recipe.h"
#include "transcription/solve/attempt.h"
#include "transcription/solve/recipe.h"

#include <stdlib.h>

/* The sequence of a trajectory from a file. Where it leads nowhere, the guess is not gone on with. */
static enum status discover_in_guess(struct finishing *at)
{
    struct finished *out = at->out;
    struct given given;
    struct finish one;
    if (!given_read(out->sys, at->guess, &given))
        return STATUS_OK;
    finishing_values_of_guess(at, given.found.samples);
    const struct finish_task task = finishing_task(at, SEARCH_STAGES, 1);
    if (given.program.grid.scheme != task.grid.scheme || given.program.grid.stages != at->settings->stages
        || given.program.grid.elements < at->settings->elements)
        given.program.n_w = 0;                  /* another grid is asked for */
    finishing_begin(at, "the given solution");
    enum status st = given_solve(&task, &given, &out->solution.is_kept, &one, at->diag);
    out->solution.again = st == STATUS_OK && one.solved;
    if (out->solution.again) {
        finishing_note(at, &one);
        finishing_tell(at, &one);
        finishing_count(at, &one);
        out->record.n_start++;
        out->record.n_finished++;
        finishing_keep(at, &one);
    } else {
        finish_free(&one);
        if (st == STATUS_OK && !(at->task->once && finishing_nearby(at, &given.found)))
            st = finishing_sequence(at, &given.found, true);
    }
    out->solution.again = out->solution.again && pool_has_solution(&at->pool) && given_is_solution(at->guess);
    if (!pool_has_solution(&at->pool)) {
        at->guess = NULL;
        free(at->value);
        at->value = NULL;
    }
    given_free(&given);
    return st;
}

const struct generator by_given_guess = { BY_GUESS, discover_in_guess };

/* What is left of the time for a solve from the guess. */
static struct solve_task whole_task(const struct finishing *at)
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
bool discover_wants_rough(const struct finishing *at)
{
    const bool lost = at->pool.n == 0 && (at->traits & TRAIT_PATH);
    const bool last = at->task->discretization->method == METHOD_FESD_J;
    return last == pool_has_solution(&at->pool) && (at->exploits || lost) && (at->traits & TRAIT_STEPS)
           && (at->traits & TRAIT_ROUGH);
}

/* Where time steps exploit their grid, elements that end at events do not: a homotopy of time-freezing that ends
 * early. */
static enum status discover_roughly(struct finishing *at)
{
    const struct solve_task task = whole_task(at);
    struct solve_result found = { 0 };
    struct diag *silent = diag_create();        /* others follow */
    const int n_finished = at->out->record.n_finished;
    enum status st = STATUS_OK;
    solve_note(at->task, "candidate by time-freezing, with a homotopy that ends early");
    if (solve_roughly(&task, (unsigned)at->round, &found, silent) != STATUS_INTERRUPTED && is_usable(&found)) {
        struct extract from = extract_elements(at->out->sys, found.tr, found.homotopy.w);
        at->elements = ROUGH_ELEMENTS;
        at->max_iter = ROUGH_MAX_ITER;
        st = finishing_sequence(at, &from, true);
        at->elements = at->out->record.n_finished > n_finished ? ROUGH_ELEMENTS : 1;
        at->max_iter = FINISH_MAX_ITER;
        extract_free(&from);
    }
    add_work(&at->out->record.discovery, &found);
    solve_result_free(&found);
    diag_free(silent);
    return st;
}

const struct generator by_time_freezing = { BY_FREEZING, discover_roughly };

/* The solution of the method that the spec names. Its steps follow those before it. */
static enum status discover_by_method(struct finishing *at)
{
    struct solve_result before = at->out->record.discovery;
    struct solve_task task = whole_task(at);
    task.coarse = (struct solve_coarse){ at->coarse, at->coarse_result.w };
    const enum status st = solve_ocp(&task, &at->out->record.discovery, at->diag);
    add_work(&at->out->record.discovery, &before);
    solve_result_free(&before);
    struct solve_result *found = &at->out->record.discovery;
    if (!is_usable(found) || task.discretization->method == METHOD_TIME_STEPPING)
        return st;
    struct extract from = extract_elements(at->out->sys, found->tr, found->homotopy.w);
    const enum status finished = finishing_sequence(at, &from, true);
    extract_free(&from);
    return finished == STATUS_OK ? st : finished;
}

const struct generator by_method = { BY_METHOD, discover_by_method };
