#include "transcription/discover/experiments.h"

#include "core/base/mem.h"
#include "core/base/stop.h"
#include "core/mpcc/iterate.h"
#include "transcription/discover/acceptance.h"
#include "transcription/finish/better.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOINT_TRIES = 20 };          /* neighbours of all experiments' sequences, in all */

/* The task of a part's program on its own grid, checks included. */
static struct finish_task task_of(const struct experiment *one)
{
    const struct finish *best = &one->finished->solution.best;
    struct finish_task task = { .sys = one->finished->sys, .grid = best->ph->grid,
                                .deadline = one->start + one->task->max_seconds, .print_level = one->task->print_level,
                                .interrupt = one->task->interrupt, .work = &one->finished->record.work };
    finish_take_options(&task, one->task->solver);
    return task;
}

static bool must_stop(const struct experiment *one)
{
    const struct finish_task task = task_of(one);
    return finish_must_stop(&task);
}

static enum status status_of_stop(const struct experiment *one)
{
    const volatile sig_atomic_t *interrupt = one->task->interrupt;
    return interrupt && *interrupt ? stop_status() : STATUS_LIMIT;
}

/* --- All programs as one ---------------------------------------------------------------------------------- */

/* Of the parts, at their points. */
struct joint { struct company company; struct member *member; double *weight; struct together *whole; };

static void join(int n, const struct finish *part, struct joint *out)
{
    out->member = mem_alloc((size_t)n, sizeof *out->member);
    out->weight = mem_alloc((size_t)n, sizeof *out->weight);
    for (int k = 0; k < n; k++) {
        out->member[k] = finish_member(&part[k]);
        out->weight[k] = 1;
    }
    out->company = (struct company){ .n = n, .member = out->member, .weight = out->weight, .only_parameters = true };
    out->whole = together_create(&out->company, &out->member[0]);
}

static void joint_free(struct joint *joint)
{
    together_free(joint->whole);
    free(joint->member);
    free(joint->weight);
}

/* The point of the whole becomes that of the parts. */
static void share(const struct joint *joint)
{
    double *others = together_share(joint->whole);
    company_take(&joint->company, others);
    free(others);
}

/* nlp_monitor */
static bool go_on(void *user, int iteration, double f, double violation, double dual_inf, double mu)
{
    (void)iteration;
    (void)f;
    (void)violation;
    (void)dual_inf;
    (void)mu;
    return !finish_must_stop(user);
}

static bool run(struct finish_task *task, int n, struct finish *part, struct diag *diag)
{
    struct joint joint;
    join(n, part, &joint);
    const struct nlp_settings settings = finish_nlp_settings(task, FINISH_WARM, FINISH_MAX_ITER);
    struct nlp_point point = together_point(joint.whole);
    struct nlp_info info = { .outcome = NLP_REFUSED };
    const enum status st = nlp_solve(together_nlp(joint.whole), &settings, &point, go_on, task, &info, diag);
    const bool solved = st == STATUS_OK && iterate_nlp_is_solved(info.outcome);
    share(&joint);
    joint_free(&joint);
    for (int k = 0; k < n; k++) {
        part[k].objective = program_cost(part[k].ph->prog, part[k].w);
        part[k].violation = mpcc_violation(&part[k].ph->mpcc, part[k].w);
        part[k].solved = solved;
        part[k].iterations += info.iterations;
    }
    return solved;
}

static bool any_moved(int n, const struct finish *part)
{
    bool moved = false;
    for (int k = 0; k < n; k++)
        moved = moved || phases_interior_times_moved(part[k].ph, part[k].w);
    return moved;
}

/* From the parts' points; each gets its own, task [n] being of its part's grid. Moments (phases.h) are put into
 * their elements, as in finish_run. Returns the sum of the objectives, INFINITY where there is no solution. */
static double solve_joint(struct finish_task *task, int n, struct finish *part, struct diag *diag)
{
    bool solved = run(task, n, part, diag);
    for (int round = 1; round < INTERIOR_TIME_ROUNDS && any_moved(n, part); round++) {
        for (int k = 0; k < n; k++)
            if (finish_place_interior_times(&task[k], round >= INTERIOR_TIME_FREE, &part[k], diag) != STATUS_OK)
                return INFINITY;
        solved = run(task, n, part, diag);
    }
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += part[k].objective;
    return solved && !any_moved(n, part) ? sum : INFINITY;
}

/* --- Their sequences -------------------------------------------------------------------------------------- */

/* The same program at the same point. */
static struct finish copy(const struct experiment *one, const struct finish *from, struct diag *diag)
{
    struct samples *samples = samples_of(from->ph, from->w);
    const struct finish_task task = task_of(one);
    struct finish out;
    if (finish_build(&task, from->ph->seq, samples, &out, diag) == STATUS_OK) {
        const struct nlp *nlp = &from->ph->mpcc.nlp;
        memcpy(out.w, from->w, (size_t)(3 * nlp->n_w + nlp->n_g) * sizeof(double));
        phases_set_interior_times(out.ph, out.w);
    }
    samples_free(samples);
    return out;
}

/* Its program with a neighbouring sequence. */
static struct finish beside(const struct experiment *one, const struct neighbour *neighbour,
                            struct finish_task *task, struct diag *diag)
{
    const struct finish *from = &one->finished->solution.best;
    struct samples *samples = samples_of(from->ph, from->w);
    struct samples *moved = neighbour_start(neighbour, from, samples);
    struct finish out;
    task->grid.n_check = task->grid.n_end = 0;
    (void)finish_build(task, neighbour->seq, moved, &out, diag);
    samples_free(samples);
    samples_free(moved);
    return out;
}

/* All parts as they are, but for `which` with a neighbouring sequence; -1: none. True, and taken over, if their
 * joint solution is better than *sum; INFINITY: there is none yet. */
static bool try_jointly(int n, const struct experiment *experiment, int which, const struct neighbour *neighbour,
                        double *sum, struct diag *diag)
{
    struct finish *part = mem_alloc((size_t)n, sizeof *part);
    struct finish_task *task = mem_alloc((size_t)n, sizeof *task);
    bool made = true;
    for (int k = 0; k < n && made; k++) {
        task[k] = task_of(&experiment[k]);
        part[k] = neighbour && k == which ? beside(&experiment[k], neighbour, &task[k], diag)
                                          : copy(&experiment[k], &experiment[k].finished->solution.best, diag);
        made = part[k].ph != NULL;
    }
    const double found = made ? solve_joint(task, n, part, diag) : INFINITY;
    const bool better = isfinite(*sum) ? below(found, *sum, margins.same) : isfinite(found);
    for (int k = 0; k < n; k++) {
        struct finish *best = &experiment[k].finished->solution.best, old = *best;
        if (better) {
            *best = part[k];
            part[k] = old;
        }
        finish_free(&part[k]);
    }
    *sum = better ? found : *sum;
    free(part);
    free(task);
    return better;
}

/* Neighbours of each, until none is better. */
static void improve(int n, const struct experiment *experiment, double *sum, struct diag *diag)
{
    int tries = 0;
    for (int k = 0; k < n && tries < JOINT_TRIES && !must_stop(&experiment[k]); k++) {
        struct neighbours list = neighbours_of(&experiment[k].finished->solution.best, FOR_BETTER, NEIGHBOUR_ZERO,
                                               &experiment[k].finished->record.counts);
        bool better = false;
        for (int i = 0; i < list.n && !better && tries < JOINT_TRIES && !must_stop(&experiment[k]); i++, tries++)
            better = try_jointly(n, experiment, k, &list.list[i], sum, diag);
        neighbours_free(&list);
        k = better ? -1 : k;
    }
}

/* --- What has become of them ------------------------------------------------------------------------------ */

/* Is it true? */
static void judge(const struct experiment *one)
{
    struct solution *out = &one->finished->solution;
    struct record *record = &one->finished->record;
    out->minimum = MINIMUM_NOT_ASKED;           /* it was that of its program alone */
    stationarity_free(&out->stationarity);
    const struct acceptance by = { one->task, one->settings, one->start };
    acceptance_replay(&by, &out->best, NULL, out);
    const bool is_true = !*out->refusal && out->replay.judged <= one->settings->tol;
    out->status = is_true ? STATUS_OK : must_stop(one) ? status_of_stop(one) : STATUS_UNVERIFIED;
    if (*out->refusal)
        (void)snprintf(out->reason, sizeof out->reason, "%s", out->refusal);
    else if (out->status != STATUS_OK)
        (void)snprintf(out->reason, sizeof out->reason,
                       "a replay from event to event differs from it by %.1e; finish.tol is %g",
                       out->replay.judged, one->settings->tol);
    tried_free(&record->tried);
    record->tried = (struct tried){ .n = 0 };
    out->compared = NAN;
    record->tries = 0;
}

enum status experiments_solve(int n, const struct experiment *experiment, struct diag *diag)
{
    double sum = INFINITY;
    if (!try_jointly(n, experiment, -1, NULL, &sum, diag))
        return must_stop(&experiment[0]) ? status_of_stop(&experiment[0]) : STATUS_NUMERIC;
    improve(n, experiment, &sum, diag);
    for (int k = 0; k < n; k++)
        judge(&experiment[k]);
    return STATUS_OK;
}

struct fit *experiments_fit(int n, const struct experiment *experiment, struct fit_part *part)
{
    struct finish *finish = mem_alloc((size_t)n, sizeof *finish);
    for (int k = 0; k < n; k++)
        finish[k] = experiment[k].finished->solution.best;
    struct joint joint;
    join(n, finish, &joint);
    const struct nlp *nlp = together_nlp(joint.whole);
    const struct nlp_point point = together_point(joint.whole);
    const struct fit_solution solution = { nlp, point, together_variables(joint.whole) };
    for (int k = 0; k < n; k++)
        part[k] = (struct fit_part){ experiment[k].name, finish[k].ph };
    struct fit *fit = fit_create(n, part, &solution);
    joint_free(&joint);
    free(finish);
    return fit;
}
