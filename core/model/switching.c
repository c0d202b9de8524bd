/* What switches besides contacts: relays, machines and their signals, projections and pairs with a force of their own. */
#include "core/model/model.h"

const struct model_hysteresis *model_find_relay(const struct model *model, expr state)
{
    for (int k = 0; k < model->n_hysteresis; k++)
        if (model->hysteresis[k].state == state)
            return &model->hysteresis[k];
    return NULL;
}

const char *model_signal_name(const struct model *model, int k)
{
    return model->define_name[model->n_define - 2 * model->n_projection - model->n_signal + k];
}

const struct model_machine *model_signal_machine(const struct model *model, int k)
{
    int m = 0;
    while (k >= model->machine[m].first_signal + model->machine[m].n_signal) m++;
    return &model->machine[m];
}

bool model_is_commanded(const struct model *model, const struct model_transition *transition)
{
    return transition->when != EXPR_NONE && expr_depends(model->graph, transition->when, model->n_u, model->u_sym);
}

const struct model_projection *model_find_projection(const struct model *model, expr state)
{
    for (int k = 0; k < model->n_projection; k++)
        if (model->projection[k].state == state)
            return &model->projection[k];
    return NULL;
}

const struct model_projection *model_first_own_pair(const struct model *model)
{
    for (int k = 0; k < model->n_projection; k++)
        if (model->projection[k].is_pair)
            return &model->projection[k];
    return NULL;
}

const struct model_projection *model_find_own_pair(const struct model *model, expr e)
{
    for (int k = 0; k < model->n_projection; k++)
        if (model->projection[k].is_pair && expr_depends(model->graph, e, 1, &model->projection[k].lambda))
            return &model->projection[k];
    return NULL;
}

enum status model_check_switch(const struct model *model, expr c, const char *name, struct diag *diag)
{
    enum status st = STATUS_OK;
    for (int k = 0; k < model->n_projection; k++) {
        const struct model_projection *one = &model->projection[k];
        if (one->is_pair && expr_depends(model->graph, c, 1, &one->lambda))
            st = diag_error(diag, one->pos, one->path, "%s switches with %s.lambda: sign, abs, min, max and if may not depend "
                            "on it; write another pair in their place", name, one->name);
    }
    return st;
}
