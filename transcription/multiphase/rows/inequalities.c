#include "transcription/multiphase/rows/inequalities.h"

#include "core/base/mem.h"
#include "transcription/sequence/patches.h"

#include <math.h>

static void list(struct inequality *to, int *n, struct inequality one)
{
    to[(*n)++] = one;
}

/* Sides of its corners. */
static void list_patch(const struct phases *ph, const struct phase_point *point, int c, struct inequality *to,
                       int *n)
{
    const struct phase_contact *contact = &ph->sys->contact[c];
    for (int k = 0; k < contact->model->n_corner && point->patch[c]; k++) {
        const int sign = patches_sign(contact, point->patch[c], k);
        if (sign != 0)
            list(to, n,
                 (struct inequality){ CHECK_STATE, ph->sys->out.corner + contact->corner + k,
                                      sign > 0 ? 0 : -INFINITY, sign > 0 ? INFINITY : 0, c, "face or corner" });
    }
}

static void list_contact(const struct phases *ph, const struct phase_point *point, int c, struct inequality *to,
                         int *n)
{
    const struct phase_outputs *out = &ph->sys->out;
    const int state = point->contact[c], n_t = ph->sys->contact[c].n_t;
    if (!model_has_contact(ph->sys->model, c, point->interval))
        return;
    if (state == PHASE_OPEN) {
        list(to, n, (struct inequality){ CHECK_STATE, out->gap + c, 0, INFINITY, c, "gap" });
        return;
    }
    list(to, n, (struct inequality){ CHECK_UNKNOWN, point->layout->lambda_n[c], 0, INFINITY, c, "normal force" });
    for (int side = 0; side < phase_sides(n_t) && state == PHASE_STICK; side++)
        list(to, n, (struct inequality){ CHECK_STATE, out->cone + 2 * c + side, 0, INFINITY, c, "friction cone" });
    if (state == PHASE_FORWARD)
        list(to, n, (struct inequality){ CHECK_STATE, out->v_t + SLIP_MAX * c, 0, INFINITY, c, "slip velocity" });
    if (state == PHASE_BACKWARD)
        list(to, n, (struct inequality){ CHECK_STATE, out->v_t + SLIP_MAX * c, -INFINITY, 0, c, "slip velocity" });
    list_patch(ph, point, c, to, n);
}

/* The side of a complementarity that is not 0. */
static void list_side(const struct phases *ph, int pair, int subject, enum pair_side side, struct inequality *to,
                      int *n)
{
    const bool any_sign = side == SIDE_H && ph->sys->pair[pair].model->any_sign;
    if (!any_sign && ph->sys->pair[pair].side[side].kind != PAIR_SIDE_CONSTANT)
        list(to, n,
             (struct inequality){ CHECK_STATE, ph->sys->out.side + 2 * pair + (int)side, 0, INFINITY, subject,
                                  side == SIDE_G ? "G" : "H" });
}

static void list_switch(const struct phases *ph, const struct phase_point *point, int l, struct inequality *to,
                        int *n)
{
    const int subject = ph->sys->n_contact + l, c = ph->sys->out.c + l, pair = ph->sys->sw[l].pair;
    if (pair >= 0)
        list_side(ph, pair, subject, phases_zero_side(point->sw[l]) == SIDE_G ? SIDE_H : SIDE_G, to, n);
    else if (point->sw[l] == PHASE_SLIDING)
        list(to, n,
             (struct inequality){ CHECK_UNKNOWN, point->layout->alpha[l], ph->sys->sw[l].wall ? -INFINITY : 0, 1,
                                  subject, ph->sys->sw[l].wall ? "reaction" : "step" });
    else if (point->sw[l] == PHASE_POSITIVE)
        list(to, n, (struct inequality){ CHECK_STATE, c, 0, INFINITY, subject, "sign" });
    else
        list(to, n, (struct inequality){ CHECK_STATE, c, -INFINITY, 0, subject, "sign" });
}

int inequalities_n_constraint(const struct phases *ph)
{
    return ph->sys->model->constraints.n_constraint + ph->sys->model->constraints.n_conditional;
}

int inequalities_most(const struct phases *ph)
{
    const struct phase_system *sys = ph->sys;
    return 3 * sys->n_contact + sys->n_corner + sys->n_switch + sys->n_transition + sys->n_y
           + inequalities_n_constraint(ph);
}

void inequalities_keep_clear(const struct phases *ph, const struct phase_check *check, struct inequality *one,
                             int n)
{
    const int i_sw = check->subject - ph->sys->n_contact, gap = ph->sys->out.gap + check->subject;
    const int cone = ph->sys->out.cone + 2 * check->subject;
    for (int i = 0; i < n; i++) {
        if (one[i].subject != check->subject || one[i].kind != CHECK_STATE)
            continue;
        if (i_sw >= 0 && one[i].lb < 0)
            one[i].ub = -check->clear;
        else if (i_sw >= 0 || one[i].index == gap || one[i].index == cone || one[i].index == cone + 1)
            one[i].lb = check->clear;
    }
}

int inequalities_list(const struct phases *ph, const struct phase_point *point, struct inequality *to)
{
    const struct model *model = ph->sys->model;
    int n = 0;
    for (int c = 0; c < ph->sys->n_contact; c++)
        list_contact(ph, point, c, to, &n);
    for (int l = 0; l < ph->sys->n_switch; l++)
        list_switch(ph, point, l, to, &n);
    for (int k = 0; k < ph->sys->n_transition; k++)
        if (phases_waits(ph, point, k))
            list(to, &n, (struct inequality){ CHECK_WHEN, ph->sys->out.when + k, -INFINITY, 0, k, "waits" });
    for (int i = 0; i < model->n_x; i++) {
        double lb, ub;
        phase_system_bounds(ph->sys, point->contact, point->sw, point->interval, i, &lb, &ub);
        if (isfinite(lb) || isfinite(ub))
            list(to, &n, (struct inequality){ CHECK_Y, i, lb, ub, -1, model->x[i].name });
    }
    for (int k = 0; k < model->constraints.n_constraint; k++) {
        const struct model_constraint *one = &model->constraints.constraint[k];
        const bool here = one->end == 0 || (point->interval >= one->first && point->interval < one->end);
        if (here && one->at & AT_STAGES && one->lb < one->ub && !phase_system_keeps(ph->sys, one, point->interval))
            list(to, &n, (struct inequality){ CHECK_CONSTRAINT, k, one->lb, one->ub, -1, one->name });
    }
    for (int k = 0; k < model->constraints.n_conditional; k++) {
        const struct model_constraint *one = &model->constraints.conditional[k].of;
        const bool here = one->end == 0 || (point->interval >= one->first && point->interval < one->end);
        if (here && one->lb < one->ub && phases_condition_holds(ph, k, point->sw))
            list(to, &n,
                 (struct inequality){ CHECK_CONSTRAINT, model->constraints.n_constraint + k, one->lb, one->ub, -1,
                                      one->name });
    }
    return n;
}

const struct model_constraint *inequalities_constraint(const struct phases *ph, int index)
{
    const struct model_constraints *all = &ph->sys->model->constraints;
    return index < all->n_constraint ? &all->constraint[index] : &all->conditional[index - all->n_constraint].of;
}

expr *inequalities_constraints(const struct phases *ph)
{
    const int n = inequalities_n_constraint(ph);
    expr *e = mem_alloc((size_t)n, sizeof *e);
    for (int k = 0; k < n; k++) {
        const struct model_constraint *one = inequalities_constraint(ph, k);
        e[k] = one->at ? one->e : expr_const(ph->sys->g, 0);
    }
    return e;
}
