/* The search of a step for the first event. */
#include "core/simulation/events/guards.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    N = DIP_SAMPLES,
    PARTS_MAX = 1000                /* halvings in one step; the step then ends where the search has come to */
};

struct search {
    struct guards *guards;
    struct flow *flow;
    const struct mode *mode;
    const double *coef;
    double t, h;
    int n_halved;
    struct guard_event *event;
};

/* --- On the guards themselves -------------------------------------------------------------------------------- */

/* The end of the step belongs to it: a table of time that has a break there is taken as before it. */
static double time_at(const struct search *s, double tau)
{
    const double end = s->t + s->h, before_end = end - 8 * DBL_EPSILON * fmax(1, fabs(end));
    return fmax(s->t, fmin(s->t + tau * s->h, before_end));
}

static enum flow_outcome eval_at(const struct search *s, double tau)
{
    step_poly_at(s->flow->sys->n_x, s->coef, tau, s->guards->x);
    return guards_eval(s->guards, s->flow, s->mode, time_at(s, tau), s->guards->x);
}

static double value_at(const struct search *s, int k, double tau)
{
    return eval_at(s, tau) == FLOW_OK ? s->guards->value[k] : -INFINITY;
}

/* The zero of guard k between a (where it is >= 0) and b (< 0): the Illinois form of regula falsi, down to
 * rounding. */
static double locate(const struct search *s, int k, double a, double b)
{
    double at_a = value_at(s, k, a), at_b = value_at(s, k, b);
    if (!(at_a > 0))
        return a;
    if (at_b >= 0)
        return b;
    for (int round = 0, side = 0; round < 200; round++) {
        if (b - a <= 2 * DBL_EPSILON * fmax(1, fabs(s->t) / s->h))
            break;
        double c = isfinite(at_b) ? (a * at_b - b * at_a) / (at_b - at_a) : 0.5 * (a + b);
        if (!(c > a && c < b))
            c = 0.5 * (a + b);
        if (c <= a || c >= b)
            break;
        const double at_c = value_at(s, k, c);
        if (at_c == 0)
            return c;
        if (at_c > 0) {
            a = c;
            at_a = at_c;
            at_b *= side == 1 ? 0.5 : 1;
            side = 1;
        } else {
            b = c;
            at_b = at_c;
            at_a *= side == -1 ? 0.5 : 1;
            side = -1;
        }
    }
    return at_a < -at_b ? a : b;
}

/* --- Parts of the step --------------------------------------------------------------------------------------- */

/* The ranges of a guard; NULL if samples tell it. */
static struct ranges *ranges_of(const struct resolution *res, struct guard guard)
{
    switch (guard.kind) {
    case GUARD_GAP:    return res->gap[guard.subject];
    case GUARD_SLIP:   return res->slip[guard.subject];
    case GUARD_SWITCH: return res->c[guard.subject];
    case GUARD_WHEN:   return res->when[guard.subject];
    case GUARD_CORNER: return res->corner[guard.subject];
    default:           return NULL;
    }
}

/* A guard's range from those of its functions, as guards_eval has its value. */
static struct interval guard_range(const struct search *s, struct guard guard, const struct interval *of)
{
    const struct system *sys = s->flow->sys;
    if (guard.kind == GUARD_WHEN)
        return iv_neg(of[0]);
    if (guard.kind == GUARD_CORNER)
        return s->mode->of[system_corner(sys, guard.subject)] == SIM_POSITIVE ? of[0] : iv_neg(of[0]);
    if (guard.kind == GUARD_SWITCH)
        return s->mode->of[sys->n_c + guard.subject] == SIM_POSITIVE ? of[0] : iv_neg(of[0]);
    const double *direction = &s->mode->direction[SLIP_MAX * guard.subject];
    if (guard.kind == GUARD_SLIP && sys->model->contacts.contact[guard.subject].n_t > 1) {
        struct interval sum = iv(0);
        for (int k = 0; k < sys->model->contacts.contact[guard.subject].n_t; k++)
            sum = iv_add(sum, iv_scale(direction[k], of[k]));
        return sum;
    }
    return guard.kind == GUARD_GAP || s->mode->of[guard.subject] == SIM_FORWARD ? of[0] : iv_neg(of[0]);
}

/* Proves guards positive over the part [a, b]. Do samples tell the others? One that cannot come below its noise, as
 * the kink of a corner that a box rests on, has nothing to tell. */
static bool look_at(const struct search *s, double a, double b)
{
    struct guards *guards = s->guards;
    struct resolution *res = &guards->resolution;
    bool is_simple = true, has_box = false;
    for (int k = 0; k < guards->n; k++) {
        struct ranges *ranges = ranges_of(res, guards->guard[k]);
        guards->is_proven[k] = false;
        if (!ranges)
            continue;
        if (!has_box)
            resolution_look_at(res, s->mode, s->coef, s->t, s->h, a, b);
        has_box = true;
        struct interval of[SLIP_MAX];
        const bool is_plain = ranges_eval(ranges, res->box, of);
        guards->is_proven[k] = guard_range(s, guards->guard[k], of).lo > DIP_GRAZE;
        is_simple =
            is_simple
            && (is_plain || guard_range(s, guards->guard[k], of).lo > -guards_noise(guards->guard[k].kind));
    }
    if (!is_simple || resolution_is_simple(res, s->mode) || !guards_need_forces(guards))
        return is_simple;
    if (!has_box)
        resolution_look_at(res, s->mode, s->coef, s->t, s->h, a, b);
    return resolution_field(res, s->mode);
}

static bool needs_samples(const struct guards *guards)
{
    for (int k = 0; k < guards->n; k++)
        if (!guards->is_proven[k])
            return true;
    return false;
}

static enum flow_outcome take_samples(const struct search *s, double a, double b)
{
    struct guards *guards = s->guards;
    const int n_x = s->flow->sys->n_x;
    double t[N + 1];
    for (int j = 0; j <= N; j++) {
        t[j] = time_at(s, a + (b - a) * dip_point(j, N));
        step_poly_at(n_x, s->coef, a + (b - a) * dip_point(j, N), &guards->sample_x[j * n_x]);
    }
    flow_set_inputs(s->flow, s->mode, s->t, s->coef);
    system_ahead(s->flow->sys, N + 1, t, guards->sample_x);
    for (int j = 0; j <= N; j++) {
        const enum flow_outcome outcome = eval_at(s, a + (b - a) * dip_point(j, N));
        if (outcome != FLOW_OK)
            return outcome;
        memcpy(&guards->sample[j * guards->n], guards->value, (size_t)guards->n * sizeof(double));
    }
    return FLOW_OK;
}

static void note_graze(const struct search *s, int k, const struct dip *dip, double tau)
{
    struct guard_event *event = s->event;
    if (!dip->grazes || s->guards->guard[k].kind != GUARD_GAP || event->n_graze++ > 0)
        return;
    event->graze_t = s->t + tau * s->h;
    event->graze_gap = dip->least;
    event->graze_contact = s->guards->guard[k].subject;
}

/* Looks for the first event in the part by the samples taken. False if a guard comes nearer to zero than its
 * interpolant tells. */
static bool find_first(const struct search *s, double a, double b, double *first)
{
    struct guards *guards = s->guards;
    bool is_certain = true;
    *first = INFINITY;
    for (int k = 0; k < guards->n; k++) {
        double poly[N + 1];
        if (guards->is_proven[k])
            continue;
        dip_interpolate(&guards->cosines, &guards->sample[k], guards->n, poly);
        if (dip_stays_above(poly, DIP_GRAZE))
            continue;
        const struct dip dip = dip_find(poly, guards->noise[k]);
        const double error = dip_error(poly);
        is_certain = is_certain && !(error > 10 * guards->noise[k] && fabs(dip.lowest) < error);
        note_graze(s, k, &dip, a + (b - a) * dip.tau);
        if (!dip.found || a + (b - a) * dip.inside >= *first)
            continue;
        const double tau = dip.outside > 0 ? locate(s, k, a + (b - a) * dip.inside, a + (b - a) * dip.outside) : a;
        if (tau < *first) {
            *first = tau;
            s->event->guard = k;
            s->event->is_of_start = a == 0 && guards->sample[k] < -guards->noise[k];
        }
    }
    return is_certain;
}

static bool may_halve(const struct search *s, double a, double b)
{
    return resolution_may_halve(&s->guards->resolution, s->t + a * s->h, (b - a) * s->h);
}

static enum flow_outcome search_part(struct search *s, double a, double b);

static enum flow_outcome search_halves(struct search *s, double a, double b)
{
    const double middle = 0.5 * (a + b);
    if (s->n_halved++ >= PARTS_MAX) {
        s->event->t_searched = s->t + a * s->h;
        return FLOW_OK;
    }
    const enum flow_outcome outcome = search_part(s, a, middle);
    const bool is_over = outcome != FLOW_OK || s->event->found || s->n_halved > PARTS_MAX;
    return is_over ? outcome : search_part(s, middle, b);
}

static enum flow_outcome search_part(struct search *s, double a, double b)
{
    double first;
    if (!look_at(s, a, b) && may_halve(s, a, b))
        return search_halves(s, a, b);
    if (!needs_samples(s->guards))
        return FLOW_OK;
    const enum flow_outcome outcome = take_samples(s, a, b);
    if (outcome != FLOW_OK)
        return outcome;
    if (!find_first(s, a, b, &first) && may_halve(s, a, b))
        return search_halves(s, a, b);
    s->event->found = isfinite(first);
    if (s->event->found)
        s->event->t = s->event->t_searched = s->t + first * s->h;
    return FLOW_OK;
}

enum flow_outcome guards_search(struct guards *guards, struct flow *flow, const struct mode *mode,
                                const double *coef, double t, double h, struct guard_event *event)
{
    *event = (struct guard_event){ .guard = -1, .t_searched = t + h };
    struct search search = { guards, flow, mode, coef, t, h, 0, event };
    return search_part(&search, 0, 1);
}
