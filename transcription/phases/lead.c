#include "transcription/phases/lead.h"

#include "core/base/mem.h"
#include "transcription/phases/recipe.h"

#include <math.h>
#include <stdlib.h>

/* What the solution without constraints breaks them by: [n_constraint]. */
static double *broken_by(const struct finish *finish)
{
    const struct phases *ph = finish->ph;
    const struct model *model = ph->sys->model;
    const struct nlp *nlp = &ph->mpcc.nlp;
    double *broken = mem_alloc((size_t)model->n_constraint, sizeof *broken);
    double *g = mem_alloc((size_t)nlp->n_g, sizeof *g);
    const bool known = nlp->eval_g(nlp->user, finish->w, true, g);
    for (int k = 0; k < model->n_constraint && known; k++)
        for (int row = ph->constraint_row[k]; row < ph->constraint_row[k + 1]; row++)
            broken[k] = fmax(broken[k], fmax(model->constraint[k].lb - g[row], g[row] - model->constraint[k].ub));
    free(g);
    return broken;
}

/* Goes on from *at with `part` of what is allowed; replaces it. */
static enum status tighten(const struct finish_task *task, const double *broken, double part, int max_iter,
                           struct finish *at, struct diag *diag)
{
    const int n = task->sys->model->n_constraint;
    double *slack = mem_alloc((size_t)n, sizeof *slack);
    struct finish_task partial = *task;
    struct finish next;
    partial.grid.slack = part > 0 ? slack : NULL;
    for (int k = 0; k < n; k++)
        slack[k] = part * broken[k];
    const enum status st = finish_again(&partial, at, max_iter, &next, diag);
    next.iterations += at->iterations;
    finish_free(at);
    *at = next;
    free(slack);
    return st;
}

static enum status solve_without(const struct finish_task *task, const struct sequence *seq,
                                 const struct samples *samples, int max_iter, struct finish *out, struct diag *diag)
{
    const int n = task->sys->model->n_constraint;
    struct finish_task without = *task;
    double *slack = mem_alloc((size_t)n, sizeof *slack);
    for (int k = 0; k < n; k++)
        slack[k] = INFINITY;
    without.grid.slack = slack;
    const enum status st = finish_solve(&without, seq, samples, FINISH_COLD, max_iter, out, diag);
    free(slack);
    return st;
}

static enum status lead(const struct finish_task *task, const struct sequence *seq, const struct samples *samples,
                        int max_iter, struct finish *out, struct diag *diag)
{
    struct finish led;
    enum status st = solve_without(task, seq, samples, max_iter, &led, diag);
    const bool reached = st == STATUS_OK && led.solved;
    double *broken = reached ? broken_by(&led) : NULL;
    for (int k = LEAD_STEPS - 1; reached && k >= 0 && st == STATUS_OK && led.solved; k--)
        st = tighten(task, broken, (double)k / LEAD_STEPS, max_iter, &led, diag);
    free(broken);
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

enum status lead_finish(const struct finish_task *task, const struct sequence *seq, const struct samples *samples,
                        int max_iter, struct finish *out, struct diag *diag)
{
    const enum status st = finish_solve(task, seq, samples, FINISH_COLD, max_iter, out, diag);
    if (st != STATUS_OK || out->solved || !phases_has_path(task->sys->model))
        return st;
    return lead(task, seq, samples, max_iter, out, diag);
}
