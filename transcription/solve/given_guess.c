#include "transcription/solve/generator.h"

#include "transcription/phases/given.h"
#include "transcription/phases/recipe.h"
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
        if (st == STATUS_OK && !(at->task->once && candidate_is_near(at, &given.found)))
            st = candidate_solve(at, &(struct candidate){ .from = given.found, .repair = true });
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

const struct generator by_given_guess = { .is = BY_GUESS, .run = discover_in_guess };
