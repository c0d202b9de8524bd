#include "transcription/track/controls.h"

#include "core/base/mem.h"
#include "transcription/sensitivity/sensitivity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sim_controls controls_take_over(const struct sim_controls *old, double now, const struct phase_trace *trace,
                                       int n_u, double t, double t_from, struct arena *mem)
{
    const size_t size = (size_t)n_u * sizeof(double), most = (size_t)(old->n + trace->n_interval);
    double *rows_t = arena_alloc(mem, most, sizeof *rows_t), *u = arena_alloc(mem, most * (size_t)n_u, sizeof *u);
    int n = 0;
    for (int k = 0; k < old->n && old->t[k] < t_from && t_from > now; k++) {
        if (k + 1 < old->n && old->t[k + 1] <= now)
            continue;                           /* over */
        rows_t[n] = old->t[k];
        memcpy(u + n++ * n_u, old->u + k * n_u, size);
    }
    for (int k = 0; k < trace->n_interval; k++) {
        if (k + 1 < trace->n_interval && t + trace->t_interval[k + 1] <= t_from)
            continue;
        rows_t[n] = fmax(t + trace->t_interval[k], t_from);
        memcpy(u + n++ * n_u, trace->u + k * n_u, size);
    }
    return (struct sim_controls){ n, rows_t, u };
}

/* --- Feedback ------------------------------------------------------------------------------------------------ */

/* The controls of the rest of the plan from interval `from` on: [(n_interval - from) * n_u]. */
static bool answer(const struct finish *plan, int from, const double *x, double *u)
{
    const struct phases *ph = plan->ph;
    const struct model *model = ph->sys->model;
    struct sensitivity *sens = sensitivity_create_rest(plan, from, x);
    double *dw = mem_alloc((size_t)ph->mpcc.nlp.n_w, sizeof *dw);
    const bool solved = sensitivity_is_minimum(sens) && sensitivity_solve_state(sens, x, dw);
    for (int i = from; i < ph->n_interval && solved; i++)
        for (int k = 0; k < model->n_u; k++)
            *u++ = fmin(fmax(plan->w[ph->at.u[i] + k] + dw[ph->at.u[i] + k], model->u[k].lb), model->u[k].ub);
    free(dw);
    sensitivity_free(sens);
    return solved;
}

bool controls_feed_back(struct sim_controls *carried, double now, double near, const struct finish *plan,
                        const double *x, struct arena *mem)
{
    const int n_u = plan->ph->sys->model->n_u;
    int first = 0;
    while (first < carried->n && carried->t[first] < now - near) first++;
    const int left = carried->n - first, from = plan->ph->n_interval - left;
    if (left == 0 || from < 0 || carried->t[first] > now + near)
        return false;
    double *u = arena_alloc(mem, (size_t)(left * n_u), sizeof *u);
    if (!answer(plan, from, x, u))
        return false;
    *carried = (struct sim_controls){ left, carried->t + first, u };
    return true;
}
