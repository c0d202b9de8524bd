#include "transcription/finish/goal_continuation.h"

#include "core/base/mem.h"
#include "transcription/finish/path_homotopy.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_STEP 0.25             /* of all that is asked for */
#define LEAST_STEP 0.03             /* a shorter one leads nowhere */
#define START_HAS 1e-6              /* what is broken by less, the start has */

enum { MOST_STEPS = 20 };           /* a way that has more of them is given up */

/* What is asked for, and how much less at first. */
struct goal {
    const struct finish_task *task;
    double *final;                  /* [n_x] values where the start ends */
    double *broken;                 /* [n_constraint] */
};

/* The task with a model that asks for less; its arrays are in mem. */
struct eased { struct finish_task task; struct phase_system sys; struct model model; struct arena mem; };

static bool asks(const struct model_end *end)
{
    return end->kind == END_FIXED || end->kind == END_RANGE;
}

/* A final value goes towards that of the start, the ends of a range as far as that is beyond them. */
static void ease_end(struct model_end *end, double has, double part)
{
    const bool is_fixed = end->kind == END_FIXED;
    const double lo = is_fixed ? has : fmin(has, end->lo), hi = is_fixed ? has : fmax(has, end->hi);
    end->lo += part * (lo - end->lo);
    end->hi += part * (hi - end->hi);
}

static void ease(const struct goal *goal, double part, struct eased *out)
{
    *out = (struct eased){ .task = *goal->task, .sys = *goal->task->sys, .model = *goal->task->sys->model };
    struct model *model = &out->model;
    const int n = model->constraints.n_constraint;
    model->x = arena_copy(&out->mem, model->x, (size_t)model->n_x, sizeof *model->x);
    struct model_constraint *constraint =
        arena_copy(&out->mem, model->constraints.constraint, (size_t)n, sizeof *constraint);
    model->constraints.constraint = constraint;
    for (int i = 0; i < model->n_x; i++)
        if (asks(&model->x[i].final))
            ease_end(&model->x[i].final, goal->final[i], part);
    for (int k = 0; k < n; k++) {
        constraint[k].lb -= part * goal->broken[k];
        constraint[k].ub += part * goal->broken[k];
    }
    out->sys.model = model;
    out->task.sys = &out->sys;
}

/* What the start has; is that less than is asked for? */
static bool measure(struct goal *goal, const struct finish *start)
{
    const struct model *model = goal->task->sys->model;
    const int *end = phases_left(start->ph, start->ph->n_element);
    bool less = false;
    goal->broken = path_homotopy_broken(start);
    goal->final = mem_alloc((size_t)model->n_x, sizeof *goal->final);
    for (int i = 0; i < model->n_x; i++) {
        const struct model_end *final = &model->x[i].final;
        const double has = goal->final[i] = start->w[end[i]];
        less = less || (asks(final) && (has < final->lo - START_HAS || has > final->hi + START_HAS));
    }
    for (int k = 0; k < model->constraints.n_constraint; k++)
        less = less || goal->broken[k] > START_HAS;
    return less;
}

/* Goes on from *at, with a model `from` that it borrows, to a part of what is missing; both are
 * replaced by what has a solution. */
static enum status go_on(const struct goal *goal, double part, int max_iter, struct finish *at, struct eased **from,
                         bool *solved, struct diag *diag)
{
    struct eased *next = mem_alloc(1, sizeof *next);
    struct finish one;
    ease(goal, part, next);
    struct samples *samples = samples_of(at->ph, at->w);
    const enum status st = finish_solve(part > 0 ? &next->task : goal->task, at->ph->seq, samples, FINISH_COLD,
                                        max_iter, &one, diag);
    samples_free(samples);
    one.iterations += at->iterations;
    *solved = st == STATUS_OK && one.solved;
    struct finish *left = *solved ? at : &one;
    struct eased *left_model = *solved ? *from : next;
    const int iterations = one.iterations;
    finish_free(left);
    arena_free(&left_model->mem);
    free(left_model);
    if (*solved) {
        *at = one;
        *from = next;
    }
    at->iterations = iterations;
    return st;
}

/* From the start, of which nothing more is asked, to all that is asked for. */
static enum status follow(const struct goal *goal, const struct sequence *seq, const struct samples *samples,
                          int max_iter, struct finish *out, struct diag *diag)
{
    struct eased *from = mem_alloc(1, sizeof *from);
    struct finish at;
    double part = 1, step = FIRST_STEP;
    ease(goal, part, from);
    enum status st = finish_solve(&from->task, seq, samples, FINISH_COLD, max_iter, &at, diag);
    bool goes_on = st == STATUS_OK && at.solved;
    for (int k = 0; k < MOST_STEPS && goes_on && part > 0 && !finish_must_stop(goal->task); k++) {
        bool solved;
        const double next = fmax(part - step, 0);
        st = go_on(goal, next, FINISH_MAX_ITER, &at, &from, &solved, diag);
        part = solved ? next : part;
        step *= solved ? 2 : 0.5;
        goes_on = st == STATUS_OK && step >= LEAST_STEP;
    }
    if (st == STATUS_OK && part == 0) {
        at.iterations += out->iterations;
        finish_descend(&at, out);
        finish_free(out);
        *out = at;
    } else {
        out->iterations += at.iterations;
        finish_free(&at);
    }
    arena_free(&from->mem);
    free(from);
    return st;
}

enum status goal_continuation_finish(const struct finish_task *task, const struct sequence *seq,
                                     const struct samples *samples, int max_iter, struct finish *out,
                                     struct diag *diag)
{
    struct goal goal = { .task = task };
    struct finish start;
    enum status st = finish_build(task, seq, samples, &start, diag);
    if (st == STATUS_OK && measure(&goal, &start))
        st = follow(&goal, seq, samples, max_iter, out, diag);
    finish_free(&start);
    free(goal.final);
    free(goal.broken);
    return st;
}
