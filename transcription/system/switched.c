/* Filippov systems: modes and nonsmooth functions as steps or Stewart's multipliers (fesd.md). */
#include "transcription/system/switched.h"

#include "transcription/system/build.h"

/* The field of row i where the first n switches have the pattern's signs, as a multilinear function of alpha. */
static expr blend(struct dcs *dcs, const struct model_group *group, const expr *alpha, int row, int n, int pattern)
{
    if (n == 0)
        return group->mode[group->mode_of_pattern[pattern]].rhs[row];
    const expr off = blend(dcs, group, alpha, row, n - 1, pattern);
    const expr on = blend(dcs, group, alpha, row, n - 1, pattern | 1 << (n - 1));
    return expr_add(dcs->g, off, expr_mul(dcs->g, alpha[n - 1], expr_sub(dcs->g, on, off)));
}

static void add_group_in_steps(struct dcs *dcs, const struct model_group *group)
{
    expr *alpha = arena_alloc(&dcs->mem, (size_t)group->n_c, sizeof *alpha);
    for (int l = 0; l < group->n_c; l++) {
        alpha[l] = expr_sym(dcs->g, dcs_name(dcs, "step of ", group->c_name[l]));
        dcs_add_step(dcs, dcs_named_switch(group->c_name[l], group->c_pos[l], group->c[l]), alpha[l]);
    }
    for (int i = 0; i < dcs->model->n_x; i++)
        dcs->F[i].e = expr_add(dcs->g, dcs->F[i].e, blend(dcs, group, alpha, i, group->n_c, 0));
}

static void add_group_in_modes(struct dcs *dcs, const struct model_group *group)
{
    struct dcs_switch *sw = arena_alloc(&dcs->mem, (size_t)group->n_c, sizeof *sw);
    expr *theta = arena_alloc(&dcs->mem, (size_t)1 << group->n_c, sizeof *theta);
    for (int l = 0; l < group->n_c; l++)
        sw[l] = dcs_named_switch(group->c_name[l], group->c_pos[l], group->c[l]);
    dcs_add_stewart(dcs, group->n_c, sw, theta);
    for (int i = 0; i < dcs->model->n_x; i++)
        for (int m = 0; m < 1 << group->n_c; m++) {
            const expr field = group->mode[group->mode_of_pattern[m]].rhs[i];
            dcs->F[i].e = expr_add(dcs->g, dcs->F[i].e, expr_mul(dcs->g, theta[m], field));
        }
}

enum status dcs_build_switched(struct dcs *dcs, const struct discretization *settings, struct diag *diag)
{
    const struct model *model = dcs->model;
    dcs->kind = settings->form == FORM_STEWART && model->dynamics.n_group ? DCS_STEWART : DCS_STEP;
    for (int k = 0; k < model->dynamics.n_group; k++) {
        if (dcs->kind == DCS_STEWART)
            add_group_in_modes(dcs, &model->dynamics.group[k]);
        else
            add_group_in_steps(dcs, &model->dynamics.group[k]);
    }
    return dcs_lower_nonsmooth(dcs, diag);
}
