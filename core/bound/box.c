#include "core/bound/reading.h"

#include "core/base/mem.h"
#include "core/expression/degree.h"
#include "core/expression/ranges.h"
#include "core/model/mass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double COVER = 1e-12; /* boxes are this much wider: what rounding may have taken away */
static const double MUCH_WIDER = 2; /* than the box of a motion, which is then taken: it proves less and bounds more */

static const double THIN = 1e-9;        /* of their middle: boxes have half that width at least */

/* --- Boxes that no motion leaves ----------------------------------------------------------------------------- */

/* Rates of states: of the model, and of each mode of each group. Relays, signals and steps of walls are inputs. */
struct rates {
    int n_in, n_out;
    expr *in, *out;
    struct interval *box, *range;
    struct ranges *ranges;
};

/* Relays are 0 or 1, signals what a state of their machine says, the step of a wall 1 less its reaction; forces of
 * pairs push. */
static void set_signals(const struct model *m, struct interval *box)
{
    const struct model_switching *of = &m->switching;
    for (int k = 0; k < of->n_hysteresis; k++)
        *box++ = (struct interval){ 0, 1 };
    for (int k = 0; k < of->n_signal; k++)
        box[k] = iv(0);
    for (int k = 0; k < of->n_machine; k++)
        for (int i = 0; i < of->machine[k].n_state * of->machine[k].n_signal; i++) {
            struct interval *signal = &box[of->machine[k].first_signal + i % of->machine[k].n_signal];
            *signal = i < of->machine[k].n_signal ? iv(of->machine[k].value[i])
                                                  : iv_hull(*signal, iv(of->machine[k].value[i]));
        }
    box += of->n_signal;
    for (int k = 0; k < of->n_projection; k++)
        *box++ = of->projection[k].is_pair ? (struct interval){ 0, INFINITY } : (struct interval){ -INFINITY, 1 };
}

static void list_rates(const struct reading *r, struct rates *to)
{
    const struct model *m = r->model;
    int n = m->n_x;
    for (int k = 0; k < m->dynamics.n_group; k++)
        n += m->dynamics.group[k].n_mode * m->n_x;
    const int n_whole = r->whole->n_x, first = n_whole + m->n_u + m->n_p + 1;
    const struct model_switching *switching = &m->switching;
    *to = (struct rates){ .n_in = first + switching->n_hysteresis + switching->n_signal + switching->n_projection,
                          .n_out = n };
    to->in = arena_alloc(r->mem, (size_t)to->n_in, sizeof *to->in);
    to->out = arena_alloc(r->mem, (size_t)n, sizeof *to->out);
    to->box = arena_alloc(r->mem, (size_t)to->n_in, sizeof *to->box);
    to->range = arena_alloc(r->mem, (size_t)n, sizeof *to->range);
    memcpy(to->in, m->x_sym, (size_t)n_whole * sizeof *to->in);
    memcpy(to->in + n_whole, m->u_sym, (size_t)m->n_u * sizeof *to->in);
    memcpy(to->in + n_whole + m->n_u, m->p_sym, (size_t)m->n_p * sizeof *to->in);
    to->in[n_whole + m->n_u + m->n_p] = m->t_sym;
    expr *more = to->in + first;
    for (int k = 0; k < switching->n_hysteresis; k++)
        *more++ = switching->hysteresis[k].state;
    for (int k = 0; k < switching->n_signal; k++)
        *more++ = switching->signal[k];
    for (int k = 0; k < switching->n_projection; k++)
        *more++ =
            switching->projection[k].is_pair ? switching->projection[k].lambda : switching->projection[k].state;
    set_signals(m, to->box + first);
    for (int i = 0; i < m->n_x; i++)
        to->out[i] = m->dynamics.rhs[i] == EXPR_NONE ? expr_const(r->g, 0) : m->dynamics.rhs[i];
    if (m->mechanics.n_q > 0) {
        expr *a = arena_copy(r->mem, m->mechanics.f_v, (size_t)m->mechanics.n_q, sizeof *a);
        mass_solve(r->g, m->mechanics.n_q, m->mechanics.M, a);
        for (int i = 0; i < m->mechanics.n_q; i++)
            to->out[m->mechanics.v_index[i]] = a[i];
    }
    n = m->n_x;
    for (int k = 0; k < m->dynamics.n_group; k++)
        for (int mode = 0; mode < m->dynamics.group[k].n_mode; mode++)
            for (int i = 0; i < m->n_x; i++)
                to->out[n++] = m->dynamics.group[k].mode[mode].rhs[i];
    for (int k = 0; k < n; k++)
        to->out[k] = nonsmooth_recall(r->g, to->out[k]);
    to->ranges = ranges_create(r->g, to->n_in, to->in, to->n_out, to->out, false);
}

/* Do impacts or resets change it? */
static bool jumps(const struct model *m, int i)
{
    for (int k = 0; k < m->switching.n_machine; k++)
        for (int j = 0; j < m->switching.machine[k].n_transition; j++)
            for (int l = 0; l < m->switching.machine[k].transition[j].n_reset; l++)
                if (m->switching.machine[k].transition[j].reset_x[l] == i)
                    return true;
    for (int k = 0; k < m->mechanics.n_q && m->contacts.n_contact > 0; k++)
        if (m->mechanics.v_index[k] == i)
            return true;
    return false;
}

/* The rate of state i over the boxes: of its modes any. */
static struct interval rate_of(const struct model *m, const struct rates *rates, int i)
{
    struct interval sum = rates->range[i];
    int at = m->n_x;
    for (int k = 0; k < m->dynamics.n_group; k++) {
        struct interval any = rates->range[at + i];
        for (int mode = 0; mode < m->dynamics.group[k].n_mode; mode++, at += m->n_x)
            any = iv_hull(any, rates->range[at + i]);
        sum = iv_add(sum, any);
    }
    const struct interval whole = { -INFINITY, INFINITY };
    return jumps(m, i) || isnan(sum.lo) || isnan(sum.hi) ? whole : sum;
}

/* The largest x with x <= x_0 + t a and x <= x_T + (T - t) b for some t in [0, T]; a, b >= 0. */
static double highest(double x_0, double x_T, double T, double a, double b)
{
    const double up = a > 0 ? x_0 + T * a : x_0, down = b > 0 ? x_T + T * b : x_T;
    const double crossing = a + b > 0 && isfinite(a + b) && isfinite(x_0) && isfinite(x_T)
                                ? (a * (x_T + T * b) + b * x_0) / (a + b)
                                : INFINITY;
    return fmin(fmin(up, down), crossing);
}

static struct interval end_range(const struct model_end *end)
{
    return end->kind == END_FIXED || end->kind == END_RANGE ? (struct interval){ end->lo, end->hi }
                                                            : (struct interval){ -INFINITY, INFINITY };
}

/* Narrows box [n_x] by what rates over these boxes allow in the horizon T. */
static void narrow(const struct model *m, struct rates *rates, double T, struct interval *box)
{
    memcpy(rates->box, box, (size_t)m->n_x * sizeof *box);
    (void)ranges_eval(rates->ranges, rates->box, rates->range);
    for (int i = 0; i < m->n_x; i++) {
        const struct interval rate = rate_of(m, rates, i), start = end_range(&m->x[i].initial),
                              end = end_range(&m->x[i].final);
        const double a = fmax(0, rate.hi), b = fmax(0, -rate.lo);
        const double hi = highest(start.hi, end.hi, T, a, b), lo = -highest(-start.lo, -end.lo, T, b, a);
        const double slack = COVER * (fabs(lo) + fabs(hi));
        if (isfinite(hi) && isfinite(lo)) {
            box[i].hi = fmin(box[i].hi, hi + slack);
            box[i].lo = fmax(box[i].lo, lo - slack);
        }
    }
}

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
    struct rates rates;
    enum status st = STATUS_OK;
    list_rates(r, &rates);
    const int n_whole = r->whole->n_x;
    for (int i = m->n_x; i < n_whole; i++)
        rates.box[i] = model_is_seat(r->whole, i) ? iv(0) : (struct interval){ m->x[i].lb, m->x[i].ub };
    for (int k = 0; k < m->n_u; k++)
        rates.box[n_whole + k] = (struct interval){ m->u[k].lb, m->u[k].ub };
    for (int k = 0; k < m->n_p; k++)
        rates.box[n_whole + m->n_u + k] =
            (struct interval){ m->param[m->p_param[k]].lb, m->param[m->p_param[k]].ub };
    rates.box[n_whole + m->n_u + m->n_p] = (struct interval){ 0, r->out->horizon_max };
    for (int i = 0; i < m->n_x; i++)
        box[i] = (struct interval){ m->x[i].lb, m->x[i].ub };
    clip_by_gaps(r, box);
    for (int round = 0; round <= m->n_x + 2; round++)
        narrow(m, &rates, r->out->horizon_max, box);
    ranges_free(rates.ranges);
    for (int i = 0; i < m->n_x; i++) {
        const double lo = wish->lo ? wish->lo[i] : NAN, hi = wish->hi ? wish->hi[i] : NAN;
        const bool is_finite = isfinite(box[i].lo) && isfinite(box[i].hi);
        from[i] = isfinite(m->x[i].lb) && isfinite(m->x[i].ub) ? BOX_SPEC : BOX_RATES;
        if (from[i] != BOX_SPEC && hi > lo && (!is_finite || box[i].hi - box[i].lo > MUCH_WIDER * (hi - lo))) {
            box[i] = (struct interval){ fmax(box[i].lo, lo), fmin(box[i].hi, hi) };
            from[i] = BOX_MOTION;
        } else if (!is_finite) {
            st = no_box(r, i);
        }
    }
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
