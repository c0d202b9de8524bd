/* Events cannot leave their control intervals. With intervals as long as they like they can, and tell where on the
 * grid of the spec they belong (phases.md 10, 6.32). */
#include "transcription/solve/generator.h"

#include "core/base/mem.h"
#include "transcription/phases/better.h"
#include "transcription/phases/recipe.h"
#include "transcription/solve/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool finishing_may_set_free(const struct finishing *at)
{
    return !at->value && (at->traits & TRAIT_GRID);
}

/* --- Back to the grid ------------------------------------------------------------------------------------------- */

/* Of a solution whose control intervals are as long as they like: where its events are in those of the spec, and the
 * controls there. */
static struct extract back_to_grid(const struct finishing *at, const struct finish *free_one)
{
    const struct phases *ph = free_one->ph;
    const struct model *model = at->task->model;
    struct extract out = { sequence_copy(ph->seq), samples_of(ph, free_one->w), 0 };
    struct samples *samples = out.samples;
    const int N = model->n_intervals, n_u = samples->n_u;
    double *grid = mem_alloc((size_t)N + 1, sizeof *grid), *u = mem_alloc((size_t)(N * n_u), sizeof *u);
    model_grid(model, samples->horizon, samples->p, grid);
    for (int j = 0; j < out.seq->n_event; j++)
        out.seq->place[j] = sequence_fires(out.seq, j)
                                ? extract_transition(at->out->sys, grid, samples->t_event[j], out.seq->step[j].transition)
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

bool finishing_was_set_free(const struct finishing *at, const struct sequence *seq)
{
    return pool_knows_order(&at->pool, POOL_ORDER, seq);
}

/* Where a program with free lengths comes near a solution: its sequence on the grid of the spec. */
static enum status finish_where_they_belong(struct finishing *at, const struct finish *free_one, bool repair)
{
    if (!free_one->ph || free_one->violation > FREED_VIOLATION)
        return STATUS_OK;
    struct extract on_grid = back_to_grid(at, free_one);
    const enum status st = finishing_sequence(at, &on_grid, repair);
    extract_free(&on_grid);
    return st;
}

/* objective: of the program with free lengths; what does not come below it is not finished, and it is lowered by what
 * does. */
static enum status set_free(struct finishing *at, const struct extract *from, bool repair, double *objective)
{
    struct finish_task task = finishing_task(at, SEARCH_STAGES, at->elements);
    struct finish free_one;
    task.grid.free_intervals = true;
    task.loose = LOOSE_VIOLATION;
    solve_note(at->task, "with control intervals of free lengths");
    enum status st = finish_solve(&task, from->seq, from->samples, FINISH_COLD, FREED_MAX_ITER, &free_one, at->diag);
    if (st == STATUS_OK) {
        finishing_note(at, &free_one);
        if (isinf(*objective) || below(free_one.objective, *objective, margins.as_good))
            st = finish_where_they_belong(at, &free_one, repair);
        if (free_one.violation <= FREED_VIOLATION)
            *objective = fmin(*objective, free_one.objective);
    }
    finish_free(&free_one);
    return st;
}

static enum status set_new_free(struct finishing *at, const struct extract *from, bool repair, double *objective)
{
    struct counting counting;
    if (!counts_begin(finishing_counts(at), FREE_INTERVALS, &counting))
        return STATUS_OK;
    const int n_finished = at->out->record.n_finished;
    const bool is_new = pool_is_new(&at->pool, POOL_ORDER, from->seq);
    const enum status st = is_new ? set_free(at, from, repair, objective) : STATUS_OK;
    if (is_new)
        counts_candidate(finishing_counts(at), FREE_INTERVALS, at->out->record.n_finished > n_finished, false);
    counts_end(&counting);
    return st;
}

enum status finishing_set_free(struct finishing *at, const struct extract *from, bool repair)
{
    double objective = INFINITY;
    return set_new_free(at, from, repair, &objective);
}

/* --- Bounces more and fewer ------------------------------------------------------------------------------------- */

struct freeing { struct finishing *at; double objective; };     /* of the best with free lengths */

/* One that is cheaper with free lengths: a bounce without an impulse is as good, and no second opinion. */
static enum status set_neighbour_free(void *user, const struct extract *neighbour)
{
    struct freeing *freeing = user;
    return set_new_free(freeing->at, neighbour, false, &freeing->objective);
}

/* The best with each of its bounces once more, in any of its modes, and without it; again from what is better.
 * objective: of the best with free lengths. */
static enum status bounce_otherwise(struct finishing *at, double objective)
{
    struct freeing freeing = { at, objective };
    enum status st = STATUS_OK;
    bool better = true;
    while (better && st == STATUS_OK) {
        const struct finish best = at->pool.found[0];           /* it moves as others are found */
        struct samples *samples = samples_of(best.ph, best.w);
        struct neighbours list = neighbours_of(&best, FOR_BOUNCE, NEIGHBOUR_ZERO, finishing_counts(at));
        if (list.n > 0)
            finishing_begin(at, "the best sequence with more and with fewer bounces");
        for (int k = 0; k < list.n && st == STATUS_OK && !finishing_must_stop(at); k++)
            st = finishing_neighbour(at, &best, samples, &list.list[k], set_neighbour_free, &freeing);
        neighbours_free(&list);
        samples_free(samples);
        better = below(at->pool.found[0].objective, best.objective, margins.as_good) && !finishing_must_stop(at);
    }
    return st;
}

bool finishing_may_set_best_free(const struct finishing *at)
{
    const struct sequence *best = pool_has_solution(&at->pool) ? at->pool.found[0].ph->seq : NULL;
    return best && best->n_event > 0 && finishing_may_set_free(at) && !finishing_was_set_free(at, best);
}

/* Then with bounces more and fewer, from what it costs so. */
static enum status set_best_free(struct finishing *at)
{
    const struct finish *best = &at->pool.found[0];
    struct counting counting;
    const int n_finished = at->out->record.n_finished;
    struct extract from = { sequence_copy(best->ph->seq), samples_of(best->ph, best->w), 0 };
    finishing_begin(at, "the best sequence with events at free times");
    double objective = INFINITY;
    struct finish path = { .found_by = NULL };
    finish_descend(&path, best);
    at->beside = &path;
    const enum status st = set_free(at, &from, false, &objective);
    at->beside = NULL;
    free(path.move);
    extract_free(&from);
    counts_candidate(finishing_counts(at), FREE_BEST, at->out->record.n_finished > n_finished, false);
    if (st != STATUS_OK || !isfinite(objective) || !counts_begin(finishing_counts(at), BOUNCES, &counting))
        return st;
    const double before = at->pool.found[0].objective;
    const enum status bounced = bounce_otherwise(at, objective);
    const bool better = at->pool.found[0].objective < before;
    counts_candidate(finishing_counts(at), BOUNCES, better, better);
    counts_end(&counting);
    return bounced;
}

const struct generator free_best = { FREE_BEST, set_best_free };
