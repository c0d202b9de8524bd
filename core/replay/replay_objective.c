/* The objective as a simulation has it: running cost by quadrature, samples, terminal cost. */
#include "core/replay/replay_parts.h"

#include "core/base/mem.h"
#include "core/model/starts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The polynomial through the points of k's element, and the one before them unless they begin with a jump. */
static void interpolate(const struct replay_solution *solution, int k, double t, int n_x, double *x)
{
    const struct replay_point *point = solution->point;
    int first = k, last = k;
    while (first > 0 && point[first - 1].element == point[k].element) first--;
    while (last + 1 < solution->n_point && point[last + 1].element == point[k].element) last++;
    if (first > 0 && point[first].t > point[first - 1].t)
        first--;
    memset(x, 0, (size_t)n_x * sizeof *x);
    for (int i = first; i <= last; i++) {
        double weight = 1;
        for (int j = first; j <= last; j++)
            if (j != i)
                weight *= (t - point[j].t) / (point[i].t - point[j].t);
        for (int l = 0; l < n_x; l++)
            x[l] += weight * point[i].x[l];
    }
}

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
    if (fabs(solution->point[k].t - t) > near && solution->point[k].is_polynomial)
        interpolate(solution, k, t, r->model->n_x, x);
    else
        memcpy(x, solution->point[k].x, (size_t)r->model->n_x * sizeof *x);
}

/* A sampled cost, and the size of its terms. */
static void add_samples(struct replay *r, const struct comparison *found, const struct model_sampled *sampled,
                        double *sum, double *size)
{
    struct function f = function_create(r->fork, r->solution->p, 1, &sampled->cost.e);
    const double T = replay_last(r->solution)->t;
    for (int k = -1; k <= sampled->n_time; k++) {
        const bool asked = k < 0 ? sampled->at & AT_INITIAL : k < sampled->n_time || sampled->at & AT_FINAL;
        const double t = k < 0 ? 0 : k < sampled->n_time ? replay_time_of_part(r, sampled->time[k]) : T;
        state_at(r, found, t, r->x);
        const double value = asked ? *function_eval(&f, t, r->x, NULL) : 0;
        *sum += value;
        *size += fabs(value);
    }
    function_free(&f);
}

/* Misfits of data. */
static void add_data(struct replay *r, const struct comparison *found, const struct model_data *data, double *sum,
                     double *size)
{
    expr *e = mem_alloc((size_t)data->n_series, sizeof *e);
    for (int k = 0; k < data->n_series; k++)
        e[k] = data->series[k].e;
    struct function f = function_create(r->fork, r->solution->p, data->n_series, e);
    for (int row = 0; row < data->n_row; row++) {
        const double t = data->part[row] * replay_last(r->solution)->t;
        state_at(r, found, t, r->x);
        const double *value = function_eval(&f, t, r->x, NULL);
        for (int k = 0; k < data->n_series; k++) {
            const double by = (value[k] - data->series[k].value[row]) / data->series[k].sigma[row];
            *sum += isnan(by) ? 0 : by * by;
            *size += isnan(by) ? 0 : by * by;
        }
    }
    function_free(&f);
    free(e);
}

/* Costs of impacts, with the impulses of the solution, which are judged by themselves. */
static void add_impacts(struct replay *r, double *sum, double *size)
{
    const struct model *model = r->fork;
    for (int k = 0; k < model->costs.n_impact; k++) {
        struct function f = function_create(model, r->solution->p, 1, &model->costs.impact[k].e);
        for (int j = 0; j < r->solution->n_event; j = replay_next_impact(r, j)) {
            if (!replay_set_impact(r, &f.inputs, j))
                continue;
            const double value = *function_values(&f);
            *sum += value;
            *size += fabs(value);
        }
        function_free(&f);
    }
}

/* What starts of controls with values cost. */
static void add_starts(const struct replay *r, double *sum, double *size)
{
    const struct sim_controls *rows = &r->solution->controls;
    const double cost = rows->u ? starts_cost(r->model, rows->n, rows->u) : 0;
    *sum += cost;
    *size += fabs(cost);
}

void replay_judge_objective(struct replay *r, const struct comparison *found)
{
    struct replay_report *report = r->report;
    struct model *model = r->fork;
    const struct replay_point *last = replay_last(r->solution);
    const double tol = r->settings->tol_others;
    double size = found->cost_size, sum = found->cost;
    if (model->costs.n_running + model->costs.n_terminal + model->costs.n_impact == 0 && !model_has_samples(model)
        && !model_has_starts(model))
        return;
    add_impacts(r, &sum, &size);
    add_starts(r, &sum, &size);
    for (int k = 0; k < model->costs.n_sampled; k++)
        add_samples(r, found, &model->costs.sampled[k], &sum, &size);
    if (model->data.n_series)
        add_data(r, found, &model->data, &sum, &size);
    memcpy(r->x, last->x, (size_t)model->n_x * sizeof *r->x);
    if (found == &r->whole)
        sim_eval(report->sim, last->t, 1, r->x);
    expr *e = mem_alloc((size_t)model->costs.n_terminal, sizeof *e);
    for (int k = 0; k < model->costs.n_terminal; k++)
        e[k] = model->costs.terminal[k].e;
    struct function f = function_create(model, r->solution->p, model->costs.n_terminal, e);
    const double *value = function_eval(&f, last->t, r->x, NULL);
    for (int k = 0; k < model->costs.n_terminal; k++) {
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
