#include "core/bound/reading.h"

#include "core/base/mem.h"
#include "core/expression/degree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double COVER = 1e-12; /* boxes are this much wider: what rounding may have taken away */
static const double MUCH_WIDER = 2; /* than the box of a motion, which is then taken: it proves less and bounds more */

static const double THIN = 1e-9;        /* of their middle: boxes have half that width at least */

/* --- How long motions are ------------------------------------------------------------------------------------ */

/* Where the cost is a multiple of time, and of nothing else, a motion that costs no more than `below` is that
 * short. */
static double longest(struct reading *r)
{
    const struct model *m = r->model;
    const double T = m->time.horizon_free ? m->time.horizon_max : m->time.horizon;
    const expr sum = model_terminal_cost(m, r->g);
    expr e = sum;
    expr_substitute(r->g, 1, &e, 1, &m->T_sym, &m->t_sym, &e);
    if (!m->time.horizon_free || m->costs.n_running > 0 || isnan(r->wish->below)
        || !expr_is_of(r->g, e, 1, &m->t_sym))
        return T;
    const double at_0 = expr_eval(r->g, e, 1, &m->t_sym, (const double[]){ 0 });
    const double slope = expr_eval(r->g, e, 1, &m->t_sym, (const double[]){ 1 }) - at_0;
    const double beyond = (r->wish->below - at_0) / slope;
    const int one = 1;
    if (!(slope > 0) || at_0 < 0 || expr_degree(r->g, e, 1, &m->t_sym, &one) > 1 ||
        !(beyond + COVER * fabs(beyond) < T))
        return T;
    r->out->below = r->wish->below;
    r->out->is_short = true;
    return beyond + COVER * fabs(beyond);
}

/* --- Variables ----------------------------------------------------------------------------------------------- */

struct bound_var *reading_add_variable(struct reading *r, const char *name, enum bound_kind kind, int index,
                                      double lo, double hi)
{
    struct bound_var *var = &r->out->var[r->out->n_var++];
    *var = (struct bound_var){ .name = name, .kind = kind, .index = index, .lo = lo, .hi = hi };
    var->mid = 0.5 * lo + 0.5 * hi;
    var->half = (hi > lo ? fmax(hi - var->mid, var->mid - lo) : 1) * (1 + COVER) + THIN * fabs(var->mid);
    return var;
}

/* A state that alone makes a gap is bounded by it. */
static void clip_by_gaps(const struct reading *r, struct interval *box)
{
    const struct model *m = r->model;
    for (int c = 0; c < m->contacts.n_contact; c++)
        for (int i = 0; i < m->n_x; i++) {
            const expr gap = m->contacts.contact[c].gap, x = m->x_sym[i];
            if (!m->contacts.contact[c].gap_is_linear || !expr_is_of(r->g, gap, 1, &x))
                continue;
            const double at_0 = expr_eval(r->g, gap, 1, &x, (const double[]){ 0 });
            const double slope = expr_eval(r->g, gap, 1, &x, (const double[]){ 1 }) - at_0, wall = -at_0 / slope;
            if (slope > 0)
                box[i].lo = fmax(box[i].lo, wall - COVER * fabs(wall));
            if (slope < 0)
                box[i].hi = fmin(box[i].hi, wall + COVER * fabs(wall));
        }
}

static enum status no_box(struct reading *r, int i)
{
    const struct model_var *x = &r->model->x[i];
    return diag_error(r->diag, x->pos, x->path,
                      "a bound is one over motions in a box: give %s \"bounds\", or a result whose "
                      "motion says how far it goes",
                      x->name);
}

/* What the spec says, what rates prove, or where the motion that was given goes. */
static enum status state_boxes(struct reading *r, struct interval *box, enum bound_box *from)
{
    const struct model *m = r->model;
    const struct bound_wish *wish = r->wish;
    enum status st = STATUS_OK;
    for (int i = 0; i < m->n_x; i++)
        box[i] = (struct interval){ m->x[i].lb, m->x[i].ub };
    clip_by_gaps(r, box);
    const enum bound_box proved = reading_reach(r, box) ? BOX_COST : BOX_RATES;
    for (int i = 0; i < m->n_x; i++) {
        const double lo = wish->lo ? wish->lo[i] : NAN, hi = wish->hi ? wish->hi[i] : NAN;
        const bool is_finite = isfinite(box[i].lo) && isfinite(box[i].hi);
        from[i] = isfinite(m->x[i].lb) && isfinite(m->x[i].ub) ? BOX_SPEC : proved;
        if (from[i] != BOX_SPEC && hi > lo && (!is_finite || box[i].hi - box[i].lo > MUCH_WIDER * (hi - lo))) {
            box[i] = (struct interval){ fmax(box[i].lo, lo), fmin(box[i].hi, hi) };
            from[i] = BOX_MOTION;
        } else if (!is_finite) {
            st = no_box(r, i);
        }
    }
    if (proved == BOX_COST)
        r->out->below = wish->below;
    return st;
}

/* The state that a held control is; NULL: the control is no slope. */
static const struct model_held *held_by(const struct model *m, int k)
{
    for (int h = 0; h < m->n_held; h++)
        if (m->held[h].u == k)
            return &m->held[h];
    return NULL;
}

/* Held controls are controls here: without limits of their slopes there are more motions. */
static enum status control_boxes(struct reading *r)
{
    const struct model *m = r->model;
    enum status st = STATUS_OK;
    for (int k = 0; k < m->n_u; k++) {
        const struct model_held *held = held_by(m, k);
        const struct model_var *u = held ? &r->whole->x[held->x] : &m->u[k];
        const double lo = isfinite(u->lb) ? u->lb : r->wish->u_lo ? r->wish->u_lo[k] : NAN;
        const double hi = isfinite(u->ub) ? u->ub : r->wish->u_hi ? r->wish->u_hi[k] : NAN;
        if (!isfinite(lo) || !isfinite(hi) || lo > hi)
            st = diag_error(r->diag, u->pos, u->path, "a bound needs both \"bounds\" of a control, or a result");
        if (st == STATUS_OK)
            reading_add_variable(r, u->name, BOUND_CONTROL, k, lo, hi)->box =
                isfinite(u->lb) && isfinite(u->ub) ? BOX_SPEC : BOX_MOTION;
    }
    for (int k = 0; k < m->n_p && st == STATUS_OK; k++) {
        const struct model_param *p = &m->param[m->p_param[k]];
        if (!isfinite(p->lb) || !isfinite(p->ub))
            st = diag_error(r->diag, p->pos, p->path, "a bound needs both bounds of an optimized parameter");
        else
            reading_add_variable(r, p->name, BOUND_PARAMETER, k, p->lb, p->ub);
    }
    return st;
}

static expr control_symbol(const struct reading *r, int k)
{
    const struct model_held *held = held_by(r->model, k);
    return held ? r->whole->x_sym[held->x] : r->model->u_sym[k];
}

static void name_variables(struct reading *r)
{
    const struct model *m = r->model;
    for (int k = 0; k < r->out->n_var; k++) {
        const struct bound_var *var = &r->out->var[k];
        const expr sym = var->kind == BOUND_STATE     ? m->x_sym[var->index]
                         : var->kind == BOUND_CONTROL ? control_symbol(r, var->index)
                         : var->kind == BOUND_TIME    ? m->t_sym
                                                      : m->p_sym[var->index];
        reading_name(r, sym, reading_variable(r, k));
        if (var->kind == BOUND_CONTROL)
            r->out->controls |= 1u << k;
        else if (var->kind != BOUND_TIME)
            r->out->arguments |= 1u << k;
    }
}

enum status reading_variables(struct reading *r)
{
    const struct model *m = r->model;
    struct interval box[POLY_MAX_VAR];
    enum bound_box from[POLY_MAX_VAR];
    if (m->n_x + m->n_u + m->n_p + 1 > BOUND_MAX_VAR)
        return diag_error(r->diag, m->x[0].pos, "states",
                          "bounds are for problems of up to %d states, controls and optimized "
                          "parameters together; here are %d",
                          BOUND_MAX_VAR - 1, m->n_x + m->n_u + m->n_p);
    r->out->horizon_max = longest(r);
    if (!isfinite(r->out->horizon_max))
        return diag_error(r->diag, m->time.horizon_pos, "time.horizon",
                          "a bound needs a \"max\" of the free horizon");
    enum status st = state_boxes(r, box, from);
    for (int i = 0; i < m->n_x && st == STATUS_OK; i++) {
        r->of_state[i] = r->out->n_var;
        reading_add_variable(r, m->x[i].name, BOUND_STATE, i, box[i].lo, box[i].hi)->box = from[i];
    }
    if (st == STATUS_OK)
        st = control_boxes(r);
    if (st != STATUS_OK)
        return st;
    r->out->time = r->out->n_var;
    reading_add_variable(r, "t", BOUND_TIME, 0, 0, r->out->horizon_max);
    name_variables(r);
    return STATUS_OK;
}
