#include "core/model/costs.h"

#include "core/model/time.h"

#include <math.h>

static bool is_charged_at(const struct model_sampled *sampled, double fraction)
{
    return fraction == 0 ? sampled->at & AT_INITIAL : fraction == 1 ? sampled->at & AT_FINAL
                                                    : model_asks_at(sampled->n_time, sampled->time, fraction);
}

/* Of data: ((e - value) / sigma)^2, summed. */
static expr misfit_at(const struct model_data *data, struct expr_graph *g, double fraction)
{
    expr sum = expr_const(g, 0);
    for (int row = 0; row < data->n_row; row++)
        for (int k = 0; k < data->n_series && model_same_time(data->part[row], fraction); k++) {
            const struct model_series *series = &data->series[k];
            if (isnan(series->value[row]))
                continue;
            const expr r = expr_sub(g, series->e, expr_const(g, series->value[row]));
            sum = expr_add(g, sum, expr_square(g, expr_scale(g, 1 / series->sigma[row], r)));
        }
    return sum;
}

bool model_has_samples(const struct model *model)
{
    return model->costs.n_sampled > 0 || model->data.n_series > 0;
}

expr model_sampled_cost(const struct model *model, struct expr_graph *g, double fraction)
{
    expr sum = expr_const(g, 0);
    for (int k = 0; k < model->costs.n_sampled; k++)
        if (is_charged_at(&model->costs.sampled[k], fraction))
            sum = expr_add(g, sum, model->costs.sampled[k].cost.e);
    sum = expr_add(g, sum, misfit_at(&model->data, g, fraction));
    const expr t = model->time.n_stretch ? model_boundary_time(model, g,
                                                               (int)lround(fraction * model->time.n_intervals))
                                    : expr_scale(g, fraction, model->T_sym);
    expr_substitute(g, 1, &sum, 1, &model->t_sym, &t, &sum);
    return sum;
}

expr model_terminal_cost(const struct model *model, struct expr_graph *g)
{
    expr sum = expr_const(g, 0);
    for (int k = 0; k < model->costs.n_terminal; k++)
        sum = expr_add(g, sum, model->costs.terminal[k].e);
    expr_substitute(g, 1, &sum, 1, &model->t_sym, &model->T_sym, &sum);
    return sum;
}
