#include "core/model/starts.h"

#include <math.h>

#define WHOLE 1e-9                  /* of an interval: by so much a stay may miss whole ones */

bool model_has_starts(const struct model *model)
{
    bool has = false;
    for (int k = 0; k < model->n_u; k++)
        has = has || model->u[k].starts.given;
    return has;
}

bool starts_is_on(const struct model_var *u, double value)
{
    return value > 0.5 * (u->value[0] + u->value[1]);
}

int starts_stays(const struct model *model, int k, int n, const double *value, struct starts_stay *out)
{
    const struct model_var *u = &model->u[k];
    int n_stay = 0;
    for (int i = 0; i < n; i++) {
        const bool is_on = starts_is_on(u, value[i * model->n_u + k]);
        if (n_stay && out[n_stay - 1].is_on == is_on)
            out[n_stay - 1].end = i + 1;
        else
            out[n_stay++] = (struct starts_stay){ i, i + 1, is_on, true };
    }
    if (n_stay && out[0].is_on == starts_is_on(u, u->starts.before))
        out[0].is_whole = false;
    if (n_stay)
        out[n_stay - 1].is_whole = false;
    return n_stay;
}

int starts_count(const struct model *model, int k, int n, const double *value)
{
    const struct model_var *u = &model->u[k];
    bool was_on = starts_is_on(u, u->starts.before);
    int count = 0;
    for (int i = 0; i < n; i++) {
        const bool is_on = starts_is_on(u, value[i * model->n_u + k]);
        count += is_on && !was_on;
        was_on = is_on;
    }
    return count;
}

double starts_cost(const struct model *model, int n, const double *value)
{
    double sum = 0;
    for (int k = 0; k < model->n_u; k++)
        if (model->u[k].starts.given)
            sum += model->u[k].starts.cost * starts_count(model, k, n, value);
    return sum;
}

int starts_intervals(const struct model *model, double least)
{
    const double n = ceil(least * model->time.n_intervals / model->time.horizon - WHOLE);
    return n < 1 ? 1 : n > model->time.n_intervals + 1 ? model->time.n_intervals + 1 : (int)n;
}
