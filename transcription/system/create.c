#include "transcription/system/create.h"

#include "core/base/mem.h"
#include "core/base/rounded.h"
#include "transcription/method/method.h"
#include "transcription/system/build.h"
#include "transcription/system/switched.h"

enum status dcs_check_controls(const struct dcs *dcs, enum diag_level level, struct diag *diag)
{
    const struct model *model = dcs->model;
    const char *goes_on = level == DIAG_ERROR ? "" : "; a solve looks for sequences that do not stay at 0 there";
    struct arena mem = { NULL };
    enum status st = STATUS_OK;
    for (int k = 0; k < dcs->n_switch; k++) {
        const struct dcs_switch *sw = &dcs->sw[k];
        if (!expr_depends(dcs->g, sw->c, model->n_u, model->u_sym))
            continue;
        if (sw->wall && sw->wall->is_pair)
            st = diag_add(diag, level, STATUS_SPEC, sw->pos, sw->path, "its H depends on a control, which jumps; switch detection "
                          "needs continuous ones (hold: linear makes it so)%s", goes_on);
        else
            st = diag_add(diag, level, STATUS_SPEC, sw->pos, sw->path, "the switching function %s depends on a "
                          "control, which jumps; switch detection needs continuous ones (hold: linear makes it so; "
                          "for abs(u) take the sum of two controls that are never negative, for u their difference)%s",
                          rounded_text(&mem, sw->name), goes_on);
    }
    arena_free(&mem);
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
    else if (settings->method == METHOD_FESD_J
             || (settings->method == METHOD_TIME_STEPPING && model->contacts.n_contact))
        st = dcs_build_forces(dcs, settings, diag);
    else
        st = dcs_build_switched(dcs, settings, diag);
done:
    if (st == STATUS_OK)
        *out = dcs;
    else
        dcs_free(dcs);
    return st;
}
