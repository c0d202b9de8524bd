/* Events cannot leave their control intervals. With intervals as long as they like they can, and tell where on the
 * grid of the spec they belong (phases.md "Continuations"). */
#include "transcription/candidates/continuations.h"

#include "core/base/mem.h"
#include "transcription/finish/better.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* They are asked for the times of events alone: */
#define FREED_VIOLATION 1e-2        /* off by less they are known; */
enum { FREED_MAX_ITER = 400 };      /* a first one takes up to 370 (kick_over_wall), from a solution 10 to 60 */

bool free_intervals_fit(const struct discovery *at)
{
    return !at->value && (at->traits & TRAIT_GRID);
}

/* --- Back to the grid ------------------------------------------------------------------------------------- */

/* Of a solution whose control intervals are as long as they like: where its events are in those of the
 * spec, and the controls there. */
static struct extract back_to_grid(const struct discovery *at, const struct finish *free_one)
{
    const struct phases *ph = free_one->ph;
    const struct model *model = at->task->model;
    struct extract out = { sequence_copy(ph->seq), samples_of(ph, free_one->w), 0 };
    struct samples *samples = out.samples;
    const int N = model->time.n_intervals, n_u = samples->n_u;
    double *grid = mem_alloc((size_t)N + 1, sizeof *grid), *u = mem_alloc((size_t)(N * n_u), sizeof *u);
    model_grid(model, samples->horizon, samples->p, grid);
    for (int j = 0; j < out.seq->n_event; j++)
        out.seq->place[j] = sequence_fires(out.seq, j) ? extract_transition(
                                at->out->sys, grid, samples->t_event[j], out.seq->step[j].transition)
                                                       : 2 * model_grid_inside(N, grid, samples->t_event[j]) + 1;
    for (int i = 0; i < N; i++) {
        int from = 0;
        while (from + 1 < N && samples->t_interval[from + 1] <= 0.5 * (grid[i] + grid[i + 1])) from++;
        memcpy(u + i * n_u, samples->u + from * n_u, (size_t)n_u * sizeof *u);
    }
    free(samples->u);
    free(samples->t_interval);
    free(grid);
    samples->u = u;
    samples->t_interval = NULL;
    return out;
}

bool free_intervals_know(const struct discovery *at, const struct sequence *seq)
{
    return pool_knows_order(&at->pool, POOL_ORDER, seq);
}

enum status free_intervals_solve(struct discovery *at, const struct extract *from, int elements,
                                 double *below_which, struct extract *on_grid)
{
    struct finish_task task = discovery_task(at, SEARCH_STAGES, elements);
    struct finish free_one;
    task.grid.free_intervals = true;
    task.loose = LOOSE_VIOLATION;
    *on_grid = (struct extract){ NULL, NULL, 0 };
    solve_note(at->task, "with control intervals of free lengths");
    const enum status st =
        finish_solve(&task, from->seq, from->samples, FINISH_COLD, FREED_MAX_ITER, &free_one, at->diag);
    if (st == STATUS_OK) {
        discovery_note(at, &free_one);
        const bool is_near = free_one.ph && free_one.violation <= FREED_VIOLATION;
        if (is_near && (isinf(*below_which) || below(free_one.objective, *below_which, margins.as_good)))
            *on_grid = back_to_grid(at, &free_one);
        if (free_one.violation <= FREED_VIOLATION)
            *below_which = fmin(*below_which, free_one.objective);
    }
    finish_free(&free_one);
    return st;
}

/* Each order of modes once. */
bool free_intervals_are_wanted(struct discovery *at, struct trial *trial)
{
    if (!trial->candidate.free_below)
        return false;
    trial->is_over = pool_knows(&at->pool, POOL_ORDER, trial->candidate.from.seq);
    return !trial->is_over;
}

enum status free_intervals(struct discovery *at, struct trial *trial)
{
    struct candidate *candidate = &trial->candidate;
    struct extract on_grid;
    (void)pool_is_new(&at->pool, POOL_ORDER, candidate->from.seq);
    const enum status st =
        free_intervals_solve(at, &candidate->from, trial_elements(at, trial), candidate->free_below, &on_grid);
    trial->owns = on_grid.seq;
    trial->is_over = !trial->owns;
    if (trial->owns) {
        candidate->from = on_grid;
        candidate->free_below = NULL;
    } else {
        counts_candidate(discovery_counts(at), FREE_INTERVALS, false, false);
    }
    return st;
}
