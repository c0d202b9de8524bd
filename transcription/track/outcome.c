#include "transcription/track/outcome.h"

#include "core/base/mem.h"
#include "core/base/vec.h"
#include "core/model/inputs.h"
#include "core/replay/replay_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SLOW_SHARE 0.99

/* --- Times --------------------------------------------------------------------------------------------------- */

static void judge_times(struct tracked *out)
{
    const int n = out->n_plan - 1;              /* without the first */
    double *cpu = mem_alloc((size_t)out->n_plan, sizeof *cpu);
    for (int k = 0; k < n; k++) {
        cpu[k] = out->plan[k + 1].cpu_seconds;
        out->n_failed += !out->plan[k + 1].is_used;
        out->n_fed_back += out->plan[k + 1].is_fed_back;
    }
    if (n > 0) {
        qsort(cpu, (size_t)n, sizeof *cpu, vec_ascending);
        out->median = 0.5 * (cpu[(n - 1) / 2] + cpu[n / 2]);
        out->slow = cpu[(int)ceil(SLOW_SHARE * n) - 1];
        out->worst = cpu[n - 1];
    }
    free(cpu);
}

/* --- Cost ---------------------------------------------------------------------------------------------------- */

static double running_cost(const struct model *model, const struct tracked *out)
{
    struct model *fork = model_fork(model);
    expr *e = mem_alloc((size_t)fork->costs.n_running, sizeof *e);
    double sum = 0, size = 0;
    for (int k = 0; k < fork->costs.n_running; k++)
        e[k] = fork->costs.running[k].e;
    struct function f = function_create(fork, out->p, fork->costs.n_running, e);
    for (int k = 0; k < out->n_run; k++)
        sum += replay_integrate(&f, fork->costs.n_running, out->run[k].sim, INFINITY, &size);
    function_free(&f);
    free(e);
    model_free(fork);
    return sum;
}

/* At the time it ended, whichever horizon the model has. */
static double terminal_cost(const struct model *model, double t, const double *x, const double *p)
{
    struct model *fork = model_fork(model);
    fork->time.horizon = t;
    if (!fork->time.horizon_free)
        fork->T_sym = expr_const(fork->graph, t);
    const expr sum = model_terminal_cost(fork, fork->graph);
    struct function f = function_create(fork, p, 1, &sum);
    const double cost = function_eval(&f, t, x, NULL)[0];
    function_free(&f);
    model_free(fork);
    return cost;
}

static double cost_of(const struct model *model, const struct tracked *out, const double *x)
{
    const double t = out->n_run ? sim_t_end(out->run[out->n_run - 1].sim) : 0;
    if (model->costs.n_running + model->costs.n_terminal == 0 || !out->n_run)
        return NAN;
    return (model->costs.n_running ? running_cost(model, out) : 0)
           + (model->costs.n_terminal ? terminal_cost(model, t, x, out->p) : 0);
}

/* --- End ----------------------------------------------------------------------------------------------------- */

static double width_of(const struct model_var *x)
{
    return fmin(x->ub - x->lb, 1);
}

/* The state that is farthest from its final values, -1: none has any. */
static int farthest(const struct model *model, const double *x, double *miss)
{
    int worst = -1;
    *miss = NAN;
    for (int i = 0; i < model->n_x; i++) {
        const struct model_end *final = &model->x[i].final;
        if (final->kind != END_FIXED && final->kind != END_RANGE)
            continue;
        const double off = fmax(0, fmax(final->lo - x[i], x[i] - final->hi)) / width_of(&model->x[i]);
        if (worst < 0 || off > *miss) {
            *miss = off;
            worst = i;
        }
    }
    return worst;
}

void outcome_judge(const struct track_task *task, struct tracked *out, const double *x)
{
    const struct model *model = task->solve.model;
    judge_times(out);
    out->objective = cost_of(model, out, x);
    const int worst = farthest(model, x, &out->miss);
    if (out->status == STATUS_OK && task->settings->horizon == TRACK_SHRINKING && worst >= 0
        && task->settings->steps == SETTING_AUTO_INT && !(out->miss <= task->settings->tol)) {
        out->status = STATUS_UNVERIFIED;
        (void)snprintf(out->failure, sizeof out->failure, "%s ends at %.6g, off by %.2g; track.tol is %g",
                       model->x[worst].name, x[worst], out->miss, task->settings->tol);
    }
}
