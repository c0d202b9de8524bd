#include "transcription/finish/path_homotopy.h"

#include "core/base/mem.h"
#include "core/mpcc/iterate.h"

#include <math.h>
#include <stdlib.h>

enum {
    STEPS = 4                       /* in which constraints along the path come back: with one a ball stays on both
                                     * sides of its wall, four take 10 to 20 iterations each */
};

double *path_homotopy_broken(const struct finish *finish)
{
    const struct phases *ph = finish->ph;
    const struct model *model = ph->sys->model;
    const struct nlp *nlp = &ph->mpcc.nlp;
    double *broken = mem_alloc((size_t)model->constraints.n_constraint, sizeof *broken);
    double *g = mem_alloc((size_t)nlp->n_g, sizeof *g);
    const bool known = nlp->eval_g(nlp->user, finish->w, true, g);
    for (int k = 0; k < model->constraints.n_constraint && known; k++)
        for (int row = ph->constraint_row[k]; row < ph->constraint_row[k + 1]; row++)
            broken[k] = fmax(broken[k],
                             fmax(model->constraints.constraint[k].lb - g[row],
                                  g[row] - model->constraints.constraint[k].ub));
    free(g);
    return broken;
}

/* Also where it misses final values that closed contacts imply, by what their gaps drift. */
static bool has_converged(const struct finish *one)
{
    return iterate_nlp_is_solved(one->outcome);
}

/* Goes on from *at with `part` of what is allowed; replaces it. */
static enum status tighten(const struct finish_task *task, const double *broken, double part, int max_iter,
                           struct finish *at, struct diag *diag)
{
    const int n = task->sys->model->constraints.n_constraint;
    double *slack = mem_alloc((size_t)n, sizeof *slack);
    struct finish_task partial = *task;
    struct finish next;
    partial.grid.slack = part > 0 ? slack : NULL;
    for (int k = 0; broken && k < n; k++)
        slack[k] = part * broken[k];
    const enum status st = finish_again(&partial, at, max_iter, &next, diag);
    next.iterations += at->iterations;
    finish_free(at);
    *at = next;
    free(slack);
    return st;
}

/* What leaves all constraints along the path out: [n_constraint]. */
static double *no_limits(const struct finish_task *task)
{
    const int n = task->sys->model->constraints.n_constraint;
    double *slack = mem_alloc((size_t)n, sizeof *slack);
    for (int k = 0; k < n; k++)
        slack[k] = INFINITY;
    return slack;
}

static enum status solve_without(const struct finish_task *task, const struct sequence *seq,
                                 const struct samples *samples, int max_iter, struct finish *out, struct diag *diag)
{
    struct finish_task without = *task;
    double *slack = no_limits(task);
    without.grid.slack = slack;
    const enum status st = finish_solve(&without, seq, samples, FINISH_COLD, max_iter, out, diag);
    free(slack);
    return st;
}

/* The constraints come back in steps, as long as each has a solution. */
static enum status bring_back(const struct finish_task *task, int max_iter, struct finish *led, struct diag *diag)
{
    enum status st = STATUS_OK;
    double *broken = path_homotopy_broken(led);
    for (int k = STEPS - 1; k >= 0 && st == STATUS_OK && has_converged(led); k--)
        st = tighten(task, broken, (double)k / STEPS, max_iter, led, diag);
    free(broken);
    return st;
}

static enum status lead(const struct finish_task *task, const struct sequence *seq, const struct samples *samples,
                        int max_iter, struct finish *out, struct diag *diag)
{
    struct finish led;
    enum status st = solve_without(task, seq, samples, max_iter, &led, diag);
    if (st == STATUS_OK && led.solved)
        st = bring_back(task, max_iter, &led, diag);
    led.iterations += out->iterations;
    if (st == STATUS_OK && led.solved) {
        finish_free(out);
        *out = led;
        return st;
    }
    out->iterations = led.iterations;
    finish_free(&led);
    return st;
}

enum status path_homotopy_finish(const struct finish_task *task, const struct sequence *seq,
                                 const struct samples *samples, int max_iter, struct finish *out, struct diag *diag)
{
    const enum status st = finish_solve(task, seq, samples, FINISH_COLD, max_iter, out, diag);
    struct counting counting;
    if (st != STATUS_OK || out->solved || !phases_has_path(task->sys->model)
        || !counts_begin(task->counts, PATH_HOMOTOPY, &counting))
        return st;
    const enum status led = lead(task, seq, samples, max_iter, out, diag);
    counts_candidate(task->counts, PATH_HOMOTOPY, out->solved, false);
    counts_end(&counting);
    return led;
}

/* --- From a drawing -------------------------------------------------------------------------------------------- */

/* The solution *at without constraints along the path once more, with the elements of the task. */
static enum status divide_without(const struct finish_task *task, int max_iter, struct finish *at,
                                  struct diag *diag)
{
    double *all = no_limits(task);
    const enum status st = tighten(task, all, 1, max_iter, at, diag);
    free(all);
    return st;
}

enum status path_homotopy_sketch(const struct finish_task *task, const struct sequence *seq,
                                 const struct samples *samples, int max_iter, struct finish *out, struct diag *diag)
{
    struct finish_task coarse = *task;
    coarse.grid.elements = 1;
    const enum status st = solve_without(&coarse, seq, samples, max_iter, out, diag);
    return st == STATUS_OK && has_converged(out) ? divide_without(task, max_iter, out, diag) : st;
}

enum status path_homotopy_finish_sketch(const struct finish_task *task, int max_iter, struct finish *at,
                                        struct diag *diag)
{
    struct finish_task fine = *task;
    enum status st = STATUS_OK;
    fine.grid.elements = 2 * task->grid.elements;
    if (phases_has_path(task->sys->model))
        st = bring_back(task, max_iter, at, diag);
    if (st == STATUS_OK && has_converged(at) && !at->solved)
        st = tighten(&fine, NULL, 0, max_iter, at, diag);
    return st;
}
