#include "core/bound/reading.h"

#include <math.h>
#include <stdio.h>

static const double CLOSED = 1e-9; /* a gap, or its rate, of this size at the start is 0 */

/* --- Sets of states ------------------------------------------------------------------------------------------ */

/* Variable k is this number. */
static void fix(const struct reading *r, struct bound_set *set, int k, struct interval value)
{
    const struct bound_var *var = &r->out->var[k];
    struct bound_frame one = { .gone = 1u << k };
    one.with[k] = enclosed_constant(r->mem, iv_div(iv_sub(value, iv(var->mid)), iv(var->half)));
    for (int i = 0; i < POLY_MAX_VAR; i++)
        if (set->frame.gone >> i & 1)
            set->frame.with[i] = bound_in_frame(r->mem, &one, set->frame.with[i]);
    set->frame.gone |= one.gone;
    set->frame.with[k] = one.with[k];
}

/* What the ends of states say: variables that are given first, as what is left are those that may vary. */
static void apply_ends(const struct reading *r, struct bound_set *set, bool at_start)
{
    const struct model *m = r->model;
    for (int i = 0; i < m->n_x; i++) {
        const struct model_end *end = at_start ? &m->x[i].initial : &m->x[i].final;
        const int k = r->of_state[i];
        if (end->kind == END_FIXED && !(set->frame.gone >> k & 1))
            fix(r, set, k, iv(end->lo));
        else if (end->kind == END_RANGE)
            reading_require_range(r, &set->region, k, end->lo, end->hi);
    }
    for (int k = 0; k < set->region.n; k++)
        set->region.at_least_0[k] = bound_in_frame(r->mem, &set->frame, set->region.at_least_0[k]);
}

/* Functions of a state, or a time, that the end says. */
static void apply_functions(const struct reading *r, struct bound_set *set, bool at_start)
{
    const struct model *m = r->model;
    for (int f = 0; f < r->n_function; f++) {
        const struct reading_function *function = &r->function[f];
        const struct bound_var *base = &r->out->var[function->base];
        const struct model_end *end = base->kind != BOUND_STATE ? NULL
                                      : at_start              ? &m->x[base->index].initial
                                                              : &m->x[base->index].final;
        const bool is_time = base->kind == BOUND_TIME && (at_start || !m->time.horizon_free);
        if (!is_time && !(end && end->kind == END_FIXED))
            continue;
        const double value = !is_time ? end->lo : at_start ? 0 : m->time.horizon;
        fix(r, set, function->sine, reading_function_at(r, function, function->sine, value));
        if (!function->is_exp)
            fix(r, set, function->cosine, reading_function_at(r, function, function->cosine, value));
    }
}

static void apply_constraints(struct reading *r, struct bound_set *set, int at)
{
    for (int k = 0; k < r->model->constraints.n_constraint; k++)
        if (r->model->constraints.constraint[k].at & at && !(r->model->constraints.constraint[k].at & AT_STAGES)
            && !reading_constraint(r, &r->model->constraints.constraint[k], &set->region))
            reading_leave_out(r, r->model->constraints.constraint[k].path);
    for (int k = 0; k < set->region.n; k++)
        set->region.at_least_0[k] = bound_in_frame(r->mem, &set->frame, set->region.at_least_0[k]);
    for (int k = 0; k < set->region.n_zero; k++)
        set->region.zero[k] = bound_in_frame(r->mem, &set->frame, set->region.zero[k]);
}

/* The set at a place: states that the place gives stay given; what the ends say of them is not asked again, but
 * where it cannot be so the set is empty. */
static struct bound_set *add_set(struct reading *r, struct bound_set *list, int *n, int place, bool at_start)
{
    struct bound_set *set = &list[*n];
    *set = (struct bound_set){ .place = place, .frame = r->out->place[place].frame };
    (void)snprintf(set->name, sizeof set->name, "%s %.40s", at_start ? "start" : "end", r->out->place[place].name);
    apply_ends(r, set, at_start);
    apply_functions(r, set, at_start);
    ++*n;
    return set;
}

/* --- What the end costs -------------------------------------------------------------------------------------- */

/* Is a = slope s_time + what does not depend on time? */
static bool is_affine_in_time(const struct reading *r, struct interval_poly a, struct interval *slope)
{
    const uint64_t time = monomial_power(r->out->time, 1);
    *slope = enclosed_coefficient(a, time);
    for (int k = 0; k < a.n; k++)
        if (monomial_exponent(a.term[k].monomial, r->out->time) > 0 && a.term[k].monomial != time)
            return false;
    return true;
}

static enum status read_terminal(struct reading *r, struct interval_poly *out)
{
    const struct model *m = r->model;
    enum status st = STATUS_OK;
    *out = (struct interval_poly){ 0, NULL };
    if (m->time.horizon_free)
        reading_name(r, m->T_sym, reading_variable(r, r->out->time));
    for (int k = 0; k < m->costs.n_terminal && st == STATUS_OK; k++) {
        struct interval_poly part;
        st = reading_polynomial(r, m->costs.terminal[k].e,
                                (struct written){ m->costs.terminal[k].pos, m->costs.terminal[k].path }, &part);
        if (st == STATUS_OK)
            *out = enclosed_add(r->mem, *out, iv(1 / r->out->cost_scale), part);
    }
    return st;
}

/* Time is left out where nothing depends on it: V = per_time t + a function of the state. */
static void leave_time_out(struct reading *r, struct interval_poly *cost, struct interval slope)
{
    struct bound_problem *out = r->out;
    const struct bound_var *time = &out->var[out->time];
    const struct interval_poly nothing[POLY_MAX_VAR] = { { 0, NULL } };
    out->per_time = iv_div(slope, iv(time->half));
    *cost = enclosed_substitute(r->mem, *cost, 1u << out->time, nothing); /* at s = 0, which is t = mid */
    *cost = enclosed_add(r->mem, *cost, iv_neg(iv_mul(out->per_time, iv(time->mid))),
                         enclosed_constant(r->mem, iv(1)));
    out->time = -1;
}

/* --- Start and end ------------------------------------------------------------------------------------------- */

/* Does the one contact of a problem start closed, in one state? */
static bool starts_closed(const struct reading *r)
{
    const struct model *m = r->model;
    double x[POLY_MAX_VAR];
    for (int i = 0; i < m->n_x; i++) {
        if (m->x[i].initial.kind != END_FIXED)
            return false;
        x[i] = m->x[i].initial.lo;
    }
    const double gap = expr_eval(r->g, m->contacts.contact[0].gap, m->n_x, m->x_sym, x);
    const double v_n = expr_eval(r->g, m->contacts.contact[0].v_n, m->n_x, m->x_sym, x);
    return fabs(gap) < CLOSED && fabs(v_n) < CLOSED;
}

static void set_time(const struct reading *r, struct bound_set *set, bool at_start)
{
    const struct model *m = r->model;
    if (r->out->time < 0)
        return;
    if (at_start || !m->time.horizon_free)
        fix(r, set, r->out->time, iv(at_start ? 0 : m->time.horizon));
    else
        reading_require_range(r, &set->region, r->out->time, m->time.horizon_min, m->time.horizon_max);
}

/* The highest rate of cost of any place. */
static double dearest_rate(const struct bound_problem *out)
{
    double most = -INFINITY;
    for (int q = 0; q < out->n_place; q++)
        for (int pattern = 0; pattern < 1 << out->place[q].n_switch; pattern++) {
            const struct bound_place *place = &out->place[q];
            struct interval rate = bound_range(place->running[pattern]);
            if (place->weight[pattern].n > 0)
                rate = iv_div(rate, (struct interval){ place->weight_least[pattern],
                                                       bound_range(place->weight[pattern]).hi });
            most = fmax(most, iv_add(rate, out->per_time).hi);
        }
    return most;
}

/* The longest motion at the highest rate of cost, and the dearest end; of impacts that cost something any
 * number. */
static double most_of(const struct bound_problem *out, struct interval_poly cost)
{
    for (int k = 0; k < out->n_guard; k++)
        if (out->guard[k].cost.n > 0)
            return INFINITY;
    const struct interval whole = iv_mul((struct interval){ 0, out->horizon_max }, iv(dearest_rate(out)));
    return iv_add(whole, bound_range(cost)).hi;
}

/* Clocks stand where they were measured, or at 0. */
static void set_clocks(const struct reading *r, struct bound_set *set)
{
    for (int k = 0; k < r->modes.n_machine; k++)
        if (r->modes.clock[k] >= 0 && !(set->frame.gone >> r->modes.clock[k] & 1))
            fix(r, set, r->modes.clock[k], iv(reading_clock_at_start(r, k)));
}

static void add_start(struct reading *r, int place, const struct bound_region *region)
{
    struct bound_set *start = add_set(r, r->out->start, &r->out->n_start, place, true);
    set_time(r, start, true);
    set_clocks(r, start);
    reading_start_boundary(r, start);
    for (int k = 0; k < region->n; k++)
        bound_require(&start->region, region->at_least_0[k]);
    apply_constraints(r, start, AT_INITIAL);
}

enum status reading_ends(struct reading *r)
{
    struct bound_problem *out = r->out;
    struct interval_poly cost;
    struct interval slope = iv(0);
    enum status st = read_terminal(r, &cost);
    if (st != STATUS_OK)
        return st;
    if (r->model->time.horizon_free && !bound_depends_on(out, out->time) && is_affine_in_time(r, cost, &slope))
        leave_time_out(r, &cost, slope);
    else
        out->arguments |= 1u << out->time;
    reading_leave_out_bases(r, cost);
    const bool has_own = out->n_place > 1 && out->place[1].own && r->modes.n == 1;
    for (int mode = 0; mode < r->modes.n; mode++) {
        struct bound_region region = { .n = 0 };
        if (reading_mode_starts(r, mode, &region))
            add_start(r, has_own && starts_closed(r) ? 1 : mode, &region);
    }
    for (int place = 0; place < (has_own ? 2 : r->modes.n); place++) {
        if (r->modes.n > 1 && !reading_mode_ends(r, place))
            continue;
        struct bound_set *end = add_set(r, out->end, &out->n_end, place, false);
        set_time(r, end, false);
        reading_end_boundary(r, end);
        apply_constraints(r, end, AT_FINAL);
        end->cost = bound_in_frame(r->mem, &end->frame, cost);
    }
    out->cost_max = most_of(out, cost);
    return STATUS_OK;
}
