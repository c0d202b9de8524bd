/* Boxes that no motion leaves: by how fast states change, and by what a change costs.
 *
 * Where the running cost is at least l_0, a motion that costs no more than `below` has
 *
 *   integral of (running - l_0) dt <= C = below - the least cost of the end - T min(0, l_0)
 *
 * and where x' <= a + b (running - l_0) over the box, x rises by no more than a T + b C: for a control whose
 * square is paid, by no more than sqrt(T C) with the best of a and b (Cauchy and Schwarz). */
#include "core/bound/reading.h"

#include "core/expression/ranges.h"
#include "core/model/costs.h"
#include "core/model/mass.h"

#include <math.h>
#include <string.h>

static const double COVER = 1e-12; /* boxes are this much wider: what rounding may have taken away */
static const double LEVEL = 1e-6;  /* of the box: above the ends of a state, so that switches there have a sign */
static const double WORTH = 0.9;   /* boxes by the cost are taken where one is this much narrower */

/* --- Rates and costs ----------------------------------------------------------------------------------------- */

/* Rates of states: of the model, and of each mode of each group; the running cost and that of the end behind them.
 * Relays, signals and steps of walls are inputs. */
struct rates {
    int n_in, n_out, running, terminal, first_control;
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
                          .n_out = n + 2,
                          .running = n,
                          .terminal = n + 1,
                          .first_control = n_whole };
    to->in = arena_alloc(r->mem, (size_t)to->n_in, sizeof *to->in);
    to->out = arena_alloc(r->mem, (size_t)to->n_out, sizeof *to->out);
    to->box = arena_alloc(r->mem, (size_t)to->n_in, sizeof *to->box);
    to->range = arena_alloc(r->mem, (size_t)to->n_out, sizeof *to->range);
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
    to->out[to->running] = expr_const(r->g, 0);
    for (int k = 0; k < m->costs.n_running; k++)
        to->out[to->running] = expr_add(r->g, to->out[to->running], m->costs.running[k].e);
    to->out[to->terminal] = model_terminal_cost(m, r->g);
    expr_substitute(r->g, 1, &to->out[to->terminal], 1, &m->T_sym, &m->t_sym, &to->out[to->terminal]);
    for (int k = 0; k < to->n_out; k++)
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
    return reading_impacts_change(m, i);
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

/* --- How far a state can go ---------------------------------------------------------------------------------- */

/* x' <= every[k] + slope[k] cost, for each k: how fast it rises, and how fast for the cost. What is spent is 0 or
 * more. */
enum { SLOPES = 28, PIECES = 256 };
struct speed {
    double every[SLOPES], slope[SLOPES];
};

/* What motions may spend: their time, and the running cost above its least. slopes: 1 where the cost says nothing.
 */
struct means {
    double time, cost, least_running;
    int slopes;
};

/* The largest x with x <= x_0 + a t + b c and x <= x_T + a' (T - t) + b' (C - c) for some t in [0, T] and c in [0,
 * C]: no more than what any mean of both says. */
static double highest(double x_0, double x_T, const struct means *means, const struct speed *up,
                      const struct speed *down)
{
    double best = INFINITY;
    for (int j = 0; j < means->slopes; j++)
        for (int k = 0; k < means->slopes; k++) {
            const double a = up->every[j], b = up->slope[j], a_T = down->every[k], b_T = down->slope[k];
            const double part[] = { 1, 0, a_T / (a + a_T), b_T / (b + b_T) };
            for (int l = 0; l < 4; l++) {
                const double w = part[l], v = 1 - w;
                if (!(w >= 0 && w <= 1))
                    continue;
                const double sum = (w > 0 ? w * x_0 : 0) + (v > 0 ? v * x_T : 0)
                                   + means->time * fmax(w > 0 ? w * a : 0, v > 0 ? v * a_T : 0)
                                   + means->cost * fmax(w > 0 ? w * b : 0, v > 0 ? v * b_T : 0);
                best = sum < best ? sum : best;
            }
        }
    return best;
}

static struct interval end_range(const struct model_end *end)
{
    return end->kind == END_FIXED || end->kind == END_RANGE ? (struct interval){ end->lo, end->hi }
                                                            : (struct interval){ -INFINITY, INFINITY };
}

/* Ranges with the controls in one piece of their box: of n to a side, piece number k. A control without
 * bounds is in all of its box. */
static void eval_piece(const struct model *m, struct rates *rates, const struct interval *controls, int n, int k)
{
    for (int i = 0; i < m->n_u; i++, k /= n) {
        const struct interval whole = controls[i];
        const double width = (whole.hi - whole.lo) / n, lo = whole.lo + k % n * width;
        const double hi = k % n == n - 1 ? whole.hi : fmin(whole.hi, whole.lo + (k % n + 1) * width);
        rates->box[rates->first_control + i] = isfinite(width) ? (struct interval){ lo, hi } : whole;
    }
    (void)ranges_eval(rates->ranges, rates->box, rates->range);
}

/* Slopes are what the state could rise by in all, to what it could cost, and powers of two of it. */
static void choose_slopes(const struct means *means, double rate, double cost, struct speed *speed)
{
    enum { STEEPEST = 8 };
    for (int k = 0; k < SLOPES; k++) {
        speed->every[k] = 0;
        speed->slope[k] = k == 0 || means->slopes == 1 || !(cost > 0) ? 0 : rate / cost * exp2(k - STEEPEST);
    }
}

/* How fast the states rise [n_x] and fall; controls are cut into pieces, as costs and rates depend on the same
 * ones. */
static void find_speeds(const struct model *m, struct rates *rates, struct means *means, struct speed *up,
                        struct speed *down)
{
    struct interval controls[POLY_MAX_VAR];
    int n = 1, all = 1;
    memcpy(controls, rates->box + rates->first_control, (size_t)m->n_u * sizeof *controls);
    eval_piece(m, rates, controls, 1, 0);
    const double most = rates->range[rates->running].hi - means->least_running;
    for (int i = 0; i < m->n_x; i++) {
        const struct interval rate = rate_of(m, rates, i);
        choose_slopes(means, iv_mag(rate), most, &up[i]);
        choose_slopes(means, iv_mag(rate), most, &down[i]);
    }
    if (means->slopes > 1 && m->n_u > 0)
        n = (int)fmax(1, floor(pow(PIECES, 1.0 / m->n_u)));
    for (int i = 0; i < m->n_u; i++)
        all *= n;
    for (int piece = 0; piece < all; piece++) {
        eval_piece(m, rates, controls, n, piece);
        const double spent = iv_sub(iv(rates->range[rates->running].lo), iv(means->least_running)).lo;
        for (int i = 0; i < m->n_x; i++) {
            const struct interval rate = rate_of(m, rates, i);
            for (int k = 0; k < means->slopes; k++) {
                const struct interval paid = iv_scale(up[i].slope[k], iv(fmax(0, spent)));
                up[i].every[k] = fmax(up[i].every[k], iv_sub(iv(rate.hi), paid).hi);
                down[i].every[k] = fmax(down[i].every[k], iv_sub(iv(-rate.lo), paid).hi);
            }
        }
    }
    memcpy(rates->box + rates->first_control, controls, (size_t)m->n_u * sizeof *controls);
}

/* What a motion that costs no more than `below` spends along the way at most. */
static struct means means_of(const struct reading *r, struct rates *rates, bool by_cost)
{
    const double T = r->out->horizon_max;
    struct means means = { T, 0, 0, 1 };
    (void)ranges_eval(rates->ranges, rates->box, rates->range);
    const struct interval running = rates->range[rates->running], terminal = rates->range[rates->terminal];
    const double spent =
        iv_sub(iv_sub(iv(r->wish->below), iv(terminal.lo)), iv_mul(iv(T), iv(fmin(0, running.lo)))).hi;
    if (by_cost && isfinite(spent) && isfinite(running.lo) && isfinite(running.hi))
        means = (struct means){ T, fmax(0, spent), fmin(0, running.lo), SLOPES };
    return means;
}

/* What states are at the ends, with the sign of `sign`: up where it is 1, upside down where it is -1. */
static struct interval turned(struct interval a, int sign)
{
    return sign > 0 ? a : iv_neg(a);
}

/* How high state i can go, up or down: from the last time at a level above both ends it stays above until it is
 * highest, and then until it is back there, so that only rates above the level count. */
static double highest_from_level(const struct model *m, struct rates *rates, struct means *means, int i, int sign,
                                 struct interval box)
{
    const struct interval start = turned(end_range(&m->x[i].initial), sign),
                          end = turned(end_range(&m->x[i].final), sign), own = rates->box[i];
    struct speed up[POLY_MAX_VAR], down[POLY_MAX_VAR];
    const bool starts = isfinite(start.hi), ends = isfinite(end.hi);
    box = turned(box, sign);
    if (!starts && !ends)
        return INFINITY;
    double level = starts && ends ? fmax(start.hi, end.hi) : starts ? start.hi : end.hi;
    level += LEVEL * (isfinite(box.hi) ? box.hi - level : 1) + COVER * fabs(level);
    if (!(level < box.hi))
        return INFINITY;
    rates->box[i] = turned((struct interval){ level, box.hi }, sign);
    find_speeds(m, rates, means, up, down);
    rates->box[i] = own;
    return highest(starts ? level : INFINITY, ends ? level : INFINITY, means, sign > 0 ? &up[i] : &down[i],
                   sign > 0 ? &down[i] : &up[i]);
}

/* Narrows box [n_x] by what rates, and costs, over these boxes allow in the horizon. */
static void narrow(const struct reading *r, struct rates *rates, bool by_cost, struct interval *box)
{
    const struct model *m = r->model;
    struct speed up[POLY_MAX_VAR], down[POLY_MAX_VAR];
    memcpy(rates->box, box, (size_t)m->n_x * sizeof *box);
    struct means means = means_of(r, rates, by_cost);
    find_speeds(m, rates, &means, up, down);
    for (int i = 0; i < m->n_x; i++) {
        const struct interval start = end_range(&m->x[i].initial), end = end_range(&m->x[i].final);
        const double hi = fmin(highest(start.hi, end.hi, &means, &up[i], &down[i]),
                               highest_from_level(m, rates, &means, i, 1, box[i]));
        const double lo = -fmin(highest(-start.lo, -end.lo, &means, &down[i], &up[i]),
                                highest_from_level(m, rates, &means, i, -1, box[i]));
        const double slack = COVER
                             * (fabs(lo) + fabs(hi) + (isfinite(start.lo) ? iv_mag(start) : 0)
                                + (isfinite(end.lo) ? iv_mag(end) : 0));
        if (isfinite(hi))
            box[i].hi = fmin(box[i].hi, hi + slack);
        if (isfinite(lo))
            box[i].lo = fmax(box[i].lo, lo - slack);
    }
}

static void narrow_often(const struct reading *r, struct rates *rates, bool by_cost, struct interval *box)
{
    for (int round = 0; round <= r->model->n_x + 2; round++)
        narrow(r, rates, by_cost, box);
}

/* Is some box much narrower, or has an end where it had none? */
static bool is_much_narrower(int n, const struct interval *box, const struct interval *before)
{
    bool is = false;
    for (int i = 0; i < n; i++)
        is = is || box[i].hi - box[i].lo < WORTH * (before[i].hi - before[i].lo);
    return is;
}

bool reading_reach(struct reading *r, struct interval *box)
{
    const struct model *m = r->model;
    const int n_whole = r->whole->n_x;
    struct rates rates;
    struct interval by_cost[POLY_MAX_VAR];
    list_rates(r, &rates);
    for (int i = m->n_x; i < n_whole; i++)
        rates.box[i] = model_is_seat(r->whole, i) ? iv(0) : (struct interval){ m->x[i].lb, m->x[i].ub };
    for (int k = 0; k < m->n_u; k++)
        rates.box[n_whole + k] = (struct interval){ m->u[k].lb, m->u[k].ub };
    for (int k = 0; k < m->n_p; k++)
        rates.box[n_whole + m->n_u + k] =
            (struct interval){ m->param[m->p_param[k]].lb, m->param[m->p_param[k]].ub };
    rates.box[n_whole + m->n_u + m->n_p] = (struct interval){ 0, r->out->horizon_max };
    narrow_often(r, &rates, false, box);
    memcpy(by_cost, box, (size_t)m->n_x * sizeof *box);
    if (isfinite(r->wish->below) && m->contacts.n_contact == 0)
        narrow_often(r, &rates, true, by_cost);
    const bool is_narrower = is_much_narrower(m->n_x, by_cost, box);
    if (is_narrower)
        memcpy(box, by_cost, (size_t)m->n_x * sizeof *box);
    ranges_free(rates.ranges);
    return is_narrower;
}
