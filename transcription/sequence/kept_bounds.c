/* Bounds of states that modes keep anyway. A queue has x >= 0 and is empty where the switch of x slides, a ball
 * has z >= 0 and a contact with the gap z: what the mode says implies the bound. Both together have no regular
 * multipliers, and no interior where x stays 0: three queues in a row took 172 iterations from their solution,
 * and 7 without. So the bound is left out where its mode implies it. So is an inequality that a gap is not
 * negative (`foot_z >= 0` of a foot with that gap), as each mode keeps it. */
#include "core/expression/diff.h"
#include "transcription/sequence/sequence.h"
#include "transcription/sequence/system.h"

#include <math.h>

/* Is e, of state i alone, slope (y_i - bound)? */
static bool vanishes_at(const struct phase_system *sys, expr e, int i, double bound, double *slope)
{
    const expr y = sys->slot[sys->y + i], at = expr_const(sys->g, bound);
    expr rate, rest;
    double value = 0;
    if (!isfinite(bound) || !expr_depends(sys->g, e, 1, &y))
        return false;
    expr_gradient(sys->g, e, 1, &y, &rate);
    expr_substitute(sys->g, 1, &e, 1, &y, &at, &rest);
    return expr_is_const(sys->g, rate, slope) && expr_is_const(sys->g, rest, &value) && value == 0 && *slope != 0;
}

static void add(const struct phase_system *sys, struct kept_bounds *all, expr e, int subject)
{
    double slope = 0;
    for (int i = 0; i < sys->n_y; i++) {
        const struct dcs_var *y = &sys->dcs->y[i];
        if (vanishes_at(sys, e, i, y->lb, &slope))
            all->lower[i] = (struct kept_bound){ subject, slope };
        if (vanishes_at(sys, e, i, y->ub, &slope))
            all->upper[i] = (struct kept_bound){ subject, slope };
    }
}

static void find_kept_bounds(struct phase_system *sys)
{
    const size_t n = (size_t)sys->n_y;
    struct kept_bounds *all = &sys->kept;
    all->lower = arena_alloc(&sys->mem, n, sizeof *all->lower);
    all->upper = arena_alloc(&sys->mem, n, sizeof *all->upper);
    for (int i = 0; i < sys->n_y; i++)
        all->lower[i].subject = all->upper[i].subject = -1;
    for (int l = 0; l < sys->dcs->n_switch; l++)
        if (!sys->sw[l].own)
            add(sys, all, sys->sw[l].sw->c, sys->n_contact + l);
    for (int c = 0; c < sys->n_contact; c++)    /* last: they keep it in any mode */
        add(sys, all, sys->contact[c].model->gap, c);
}

/* Is a bound that is broken where its subject's function times `side` is negative kept? */
static bool is_kept(const struct phase_system *sys, const struct kept_bound *one, double side,
                    const unsigned char *contact, const unsigned char *sw, int interval)
{
    const int l = one->subject - sys->n_contact;
    const double sign = side * one->slope;
    if (one->subject < 0)
        return false;
    if (l < 0)
        return contact && sign > 0 && model_has_contact(sys->model, one->subject, interval);
    return sw && (sw[l] == PHASE_SLIDING || sw[l] == (sign > 0 ? PHASE_POSITIVE : PHASE_NEGATIVE));
}

void phase_system_bounds(const struct phase_system *sys, const unsigned char *contact, const unsigned char *sw,
                         int interval, int i, double *lb, double *ub)
{
    const struct dcs_var *y = &sys->dcs->y[i];
    *lb = is_kept(sys, &sys->kept.lower[i], 1, contact, sw, interval) ? -INFINITY : y->lb;
    *ub = is_kept(sys, &sys->kept.upper[i], -1, contact, sw, interval) ? INFINITY : y->ub;
}

/* Is `above` the gap, up to what expressions simplify? */
static bool is_gap(struct expr_graph *g, expr above, expr gap)
{
    double difference;
    return expr_is_const(g, expr_sub(g, above, gap), &difference) && difference == 0;
}

/* Which contacts say of each constraint that it holds. */
static void find_kept_constraints(struct phase_system *sys)
{
    struct expr_graph *g = sys->g;
    const struct model_constraints *all = &sys->model->constraints;
    sys->kept.by_gap =
        arena_alloc(&sys->mem, (size_t)(all->n_constraint * sys->n_contact), sizeof *sys->kept.by_gap);
    for (int k = 0; k < all->n_constraint; k++) {
        const struct model_constraint *asked = &all->constraint[k];
        if (isfinite(asked->lb) == isfinite(asked->ub))
            continue;
        const expr above = isfinite(asked->lb) ? expr_sub(g, asked->e, expr_const(g, asked->lb))
                                               : expr_sub(g, expr_const(g, asked->ub), asked->e);
        for (int c = 0; c < sys->n_contact; c++)
            sys->kept.by_gap[k * sys->n_contact + c] = is_gap(g, above, sys->contact[c].model->gap);
    }
}

void phase_system_find_kept(struct phase_system *sys)
{
    find_kept_bounds(sys);
    find_kept_constraints(sys);
}

bool phase_system_keeps(const struct phase_system *sys, const struct model_constraint *asked, int interval)
{
    const bool *by_gap = &sys->kept.by_gap[(asked - sys->model->constraints.constraint) * sys->n_contact];
    for (int c = 0; c < sys->n_contact; c++)
        if (by_gap[c] && model_has_contact(sys->model, c, interval))
            return true;
    return false;
}
