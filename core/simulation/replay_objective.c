/* The objective as a simulation has it: running cost by quadrature, samples, terminal cost. */
#include "core/simulation/replay_parts.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The state before t: of the simulation of the whole, else of the solution. */
static void state_at(struct replay *r, const struct comparison *found, double t, double *x)
{
    const struct replay_solution *solution = r->solution;
    const double near = SAME_TIME * replay_last(solution)->t;
    if (found == &r->whole) {
        sim_eval(r->report->sim, t, t > 0 ? -1 : 1, x);
        return;
    }
    int k = 0;
    while (k + 1 < solution->n_point && solution->point[k].t < t - near) k++;
    memcpy(x, solution->point[k].x, (size_t)r->model->n_x * sizeof *x);
}

/* A sampled cost, and the size of its terms. */
static void add_samples(struct replay *r, const struct comparison *found, const struct model_sampled *sampled, double *sum,
                        double *size)
{
    struct function f = function_create(r->fork, r->solution->p, 1, &sampled->cost.e);
    const double T = replay_last(r->solution)->t;
    for (int k = -1; k <= sampled->n_time; k++) {
        const bool asked = k < 0 ? sampled->at & AT_INITIAL : k < sampled->n_time || sampled->at & AT_FINAL;
        const double t = k < 0 ? 0 : k < sampled->n_time ? sampled->time[k] * T : T;
        state_at(r, found, t, r->x);
        const double value = asked ? *function_eval(&f, t, r->x, NULL) : 0;
        *sum += value;
        *size += fabs(value);
    }
    function_free(&f);
}

void replay_judge_objective(struct replay *r, const struct comparison *found)
{
    struct replay_report *report = r->report;
    struct model *model = r->fork;
    const struct replay_point *last = replay_last(r->solution);
    const double tol = r->settings->tol_others;
    double size = found->cost_size, sum = found->cost;
    if (model->n_running + model->n_sampled + model->n_terminal == 0)
        return;
    for (int k = 0; k < model->n_sampled; k++)
        add_samples(r, found, &model->sampled[k], &sum, &size);
    memcpy(r->x, last->x, (size_t)model->n_x * sizeof *r->x);
    if (found == &r->whole)
        sim_eval(report->sim, last->t, 1, r->x);
    expr *e = mem_alloc((size_t)model->n_terminal, sizeof *e);
    for (int k = 0; k < model->n_terminal; k++)
        e[k] = model->terminal[k].e;
    struct function f = function_create(model, r->solution->p, model->n_terminal, e);
    const double *value = function_eval(&f, last->t, r->x, NULL);
    for (int k = 0; k < model->n_terminal; k++) {
        sum += value[k];
        size += fabs(value[k]);
    }
    function_free(&f);
    free(e);
    report->objective = sum;
    if (isnan(r->solution->objective))
        return;
    report->objective_error = fabs(sum - r->solution->objective) / fmax(size, tol * r->settings->floor);
    findings_add(&report->findings, &(struct finding){
        "objective", report->objective_error, tol, arena_printf(&report->findings.mem, "%.10g by quadrature", sum),
        arena_printf(&report->findings.mem, "the objective is %.7g by quadrature, not %.7g", sum,
                     r->solution->objective) });
}
