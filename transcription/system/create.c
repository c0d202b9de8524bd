#include "transcription/system/create.h"

#include "core/base/mem.h"
#include "transcription/method/method.h"
#include "transcription/system/build.h"
#include "transcription/system/switched.h"

/* FESD needs switching functions that are continuous in time. */
static enum status refuse_controls(const struct dcs *dcs, struct diag *diag)
{
    const struct model *model = dcs->model;
    enum status st = STATUS_OK;
    for (int k = 0; k < dcs->n_switch; k++)
        if (dcs->sw[k].wall && dcs->sw[k].wall->is_pair && expr_depends(dcs->g, dcs->sw[k].c, model->n_u, model->u_sym))
            st = diag_error(diag, dcs->sw[k].pos, dcs->sw[k].path, "its H depends on a control, which jumps; switch detection "
                            "needs continuous ones (hold: linear makes it so)");
        else if (expr_depends(dcs->g, dcs->sw[k].c, model->n_u, model->u_sym))
            st = diag_error(diag, dcs->sw[k].pos, dcs->sw[k].path, "the switching function %s depends on a "
                            "control, which jumps; switch detection needs continuous ones (hold: linear makes it so; "
                            "for abs(u) take the sum of two controls that are never negative, for u their difference)",
                            dcs->sw[k].name);
    return st;
}

enum status dcs_create(struct model *model, const struct discretization *settings, bool with_clock,
                       struct dcs **out, struct diag *diag)
{
    struct dcs *dcs = mem_alloc(1, sizeof *dcs);
    dcs->model = model_fork(model);             /* what is derived for this system goes with it */
    dcs->g = dcs->model->graph;
    *out = NULL;
    const bool freezing = settings->method == METHOD_TIME_FREEZING;
    dcs_smooth_part(dcs, freezing || with_clock || dcs_depends_on_time(model));
    enum status st = method_check(model, settings, diag);
    if (st != STATUS_OK)
        goto done;
    if (freezing)
        st = dcs_build_time_freezing(dcs, settings, diag);
    else if (settings->method == METHOD_FESD_J || (settings->method == METHOD_TIME_STEPPING && model->n_contact))
        st = dcs_build_forces(dcs, settings, diag);
    else
        st = dcs_build_switched(dcs, settings, diag);
    if (st == STATUS_OK && settings->method != METHOD_TIME_STEPPING)
        st = refuse_controls(dcs, diag);
done:
    if (st == STATUS_OK)
        *out = dcs;
    else
        dcs_free(dcs);
    return st;
}
