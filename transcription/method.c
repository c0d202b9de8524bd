#include "transcription/method.h"

static enum status refuse(const struct model *model, struct srcpos pos, const char *path, enum method method,
                          const char *what, struct diag *diag)
{
    const char *instead = model->n_contact ? "time-freezing and time-stepping" : "fesd and time-stepping";
    return diag_error(diag, pos, path, "method %s %s; %s%s do", method_name(method), what,
                      model->n_contact && method == METHOD_FESD ? "fesd-j, " : "", instead);
}

static enum status check_forces(const struct model *model, struct diag *diag)
{
    for (int i = 0; i < model->n_q; i++)
        if (expr_find_nonsmooth(model->graph, model->f_v[i]) != EXPR_NONE)
            return refuse(model, model->f_v_pos[i], "dynamics.force", METHOD_FESD_J, "takes no switches in `force`",
                          diag);
    return STATUS_OK;
}

enum status method_check(const struct model *model, const struct discretization *settings, struct diag *diag)
{
    switch ((enum method)settings->method) {
    case METHOD_FESD:
        if (model->n_contact)
            return refuse(model, model->contact[0].pos, "contacts", METHOD_FESD, "takes no contacts", diag);
        return STATUS_OK;
    case METHOD_FESD_J:
        return check_forces(model, diag);
    case METHOD_TIME_FREEZING:
        if (!model->n_contact)
            return refuse(model, model->f_v_pos ? model->f_v_pos[0] : model->horizon_pos, "discretization.method",
                          METHOD_TIME_FREEZING, "takes no model without contacts", diag);
        return STATUS_OK;
    case METHOD_TIME_STEPPING:
    case METHOD_UNSET:
        break;
    }
    return STATUS_OK;
}
