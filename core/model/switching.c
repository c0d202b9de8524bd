#include "core/model/switching.h"

const struct model_hysteresis *model_find_relay(const struct model *model, expr state)
{
    for (int k = 0; k < model->switching.n_hysteresis; k++)
        if (model->switching.hysteresis[k].state == state)
            return &model->switching.hysteresis[k];
    return NULL;
}

const char *model_signal_name(const struct model *model, int k)
{
    return model->defines.name[model->defines.n_define - 2 * model->switching.n_projection
                               - model->switching.n_signal + k];
}

const struct model_machine *model_signal_machine(const struct model *model, int k)
{
    int m = 0;
    while (k >= model->switching.machine[m].first_signal + model->switching.machine[m].n_signal) m++;
    return &model->switching.machine[m];
}

bool model_is_commanded(const struct model *model, const struct model_transition *transition)
{
    return transition->when != EXPR_NONE && expr_depends(model->graph, transition->when, model->n_u, model->u_sym);
}

const struct model_projection *model_find_projection(const struct model *model, expr state)
{
    for (int k = 0; k < model->switching.n_projection; k++)
        if (model->switching.projection[k].state == state)
            return &model->switching.projection[k];
    return NULL;
}

const struct model_projection *model_first_own_pair(const struct model *model)
{
    for (int k = 0; k < model->switching.n_projection; k++)
        if (model->switching.projection[k].is_pair)
            return &model->switching.projection[k];
    return NULL;
}

const struct model_projection *model_find_own_pair(const struct model *model, expr e)
{
    for (int k = 0; k < model->switching.n_projection; k++)
        if (model->switching.projection[k].is_pair
            && expr_depends(model->graph, e, 1, &model->switching.projection[k].lambda))
            return &model->switching.projection[k];
    return NULL;
}

enum status model_check_switch(const struct model *model, expr c, const char *name, struct diag *diag)
{
    enum status st = STATUS_OK;
    for (int k = 0; k < model->switching.n_projection; k++) {
        const struct model_projection *one = &model->switching.projection[k];
        if (one->is_pair && expr_depends(model->graph, c, 1, &one->lambda))
            st = diag_error(diag, one->pos, one->path,
                            "%s switches with %s.lambda: sign, abs, min, max and if may not depend "
                            "on it; write another pair in their place",
                            name, one->name);
    }
    return st;
}
