#include "core/simulation/guards.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What a guard may be below zero by rounding: lengths and velocities in their units, forces relative to theirs. */
static const double NOISE_GAP = 1e-13, NOISE_VELOCITY = 1e-12, NOISE_FORCE = 1e-11, NOISE_ALPHA = 1e-10;
static const double GRAZE = 1e-9;           /* m: a contact that comes nearer and parts again is worth a note */

enum {
    N = GUARD_SAMPLES,
    SCAN = 4 * GUARD_SAMPLES        /* points at which an interpolant is looked at */
};

void guards_init(struct guards *guards, struct arena *mem, const struct system *sys)
{
    const size_t most = 3 * (size_t)sys->n_c + 2 * (size_t)sys->n_s;
    *guards = (struct guards){ .n = 0 };
    guards->guard = arena_alloc(mem, most, sizeof *guards->guard);
    guards->value = arena_alloc(mem, most, sizeof(double));
    guards->noise = arena_alloc(mem, most, sizeof(double));
    guards->sample = arena_alloc(mem, (N + 1) * most, sizeof(double));
    guards->x = arena_alloc(mem, (size_t)sys->n_x, sizeof(double));
}

static void add(struct guards *guards, enum guard_kind kind, int subject)
{
    guards->guard[guards->n++] = (struct guard){ kind, subject };
}

void guards_list(struct guards *guards, const struct system *sys, const struct mode *mode)
{
    guards->n = 0;
    for (int c = 0; c < sys->n_c; c++) {
        add(guards, mode_is_closed(mode->of[c]) ? GUARD_FORCE : GUARD_GAP, c);
        if (mode->of[c] == SIM_STICKS)
            add(guards, GUARD_CONE_UP, c);
        if (mode->of[c] == SIM_STICKS && sys->model->contact[c].n_t == 1)
            add(guards, GUARD_CONE_DOWN, c);
        if ((mode->of[c] == SIM_FORWARD || mode->of[c] == SIM_BACKWARD) && system_has_friction(sys, c))
            add(guards, GUARD_SLIP, c);
    }
    for (int k = 0; k < sys->n_s; k++) {
        const bool slides = mode->of[sys->n_c + k] == SIM_SLIDES;
        add(guards, slides ? GUARD_ALPHA : GUARD_SWITCH, k);
        if (slides)
            add(guards, GUARD_ALPHA_TOP, k);
    }
}

static bool needs(const struct guards *guards, enum guard_kind first, enum guard_kind last)
{
    for (int k = 0; k < guards->n; k++)
        if (guards->guard[k].kind >= first && guards->guard[k].kind <= last)
            return true;
    return false;
}

/* v_t in the direction of slip. */
static double slip(const struct system *sys, const struct mode *mode, int c)
{
    const struct contact_at at = system_contact(sys, c);
    if (sys->model->contact[c].n_t == 1)
        return mode->of[c] == SIM_FORWARD ? at.v_t[0] : -at.v_t[0];
    return at.v_t[0] * mode->direction[2 * c] + at.v_t[1] * mode->direction[2 * c + 1];
}

/* How far inside the friction cone; kind tells the side of a planar one. */
static double cone(const struct flow *flow, enum guard_kind kind, int c, double *noise)
{
    const double *force = &flow->force[3 * c], most = flow->sys->mu[c] * force[0];
    *noise = NOISE_FORCE * flow->scale_f;
    if (flow->sys->model->contact[c].n_t == 1)
        return kind == GUARD_CONE_UP ? most - force[1] : most + force[1];
    *noise *= flow->scale_f;
    return most * most - force[1] * force[1] - force[2] * force[2];
}

static double guard_value(const struct flow *flow, const struct mode *mode, struct guard guard, double *noise)
{
    const struct system *sys = flow->sys;
    switch (guard.kind) {
    case GUARD_GAP:
        *noise = NOISE_GAP;
        return system_contact(sys, guard.subject).gap;
    case GUARD_FORCE:
        *noise = NOISE_FORCE * flow->scale_f;
        return flow->force[3 * guard.subject];
    case GUARD_CONE_UP:
    case GUARD_CONE_DOWN:
        return cone(flow, guard.kind, guard.subject, noise);
    case GUARD_SLIP:
        *noise = NOISE_VELOCITY;
        return slip(sys, mode, guard.subject);
    case GUARD_SWITCH:
        *noise = NOISE_VELOCITY;
        return mode->of[sys->n_c + guard.subject] == SIM_POSITIVE ? sys->c[guard.subject] : -sys->c[guard.subject];
    case GUARD_ALPHA:
    case GUARD_ALPHA_TOP:
        *noise = NOISE_ALPHA;
        return guard.kind == GUARD_ALPHA ? flow->alpha[guard.subject] : 1 - flow->alpha[guard.subject];
    }
    return NAN;
}

enum flow_outcome guards_eval(struct guards *guards, struct flow *flow, const struct mode *mode, double t,
                              const double *x)
{
    struct system *sys = flow->sys;
    enum flow_outcome outcome = FLOW_OK;
    if (needs(guards, GUARD_FORCE, GUARD_CONE_DOWN) || needs(guards, GUARD_ALPHA, GUARD_ALPHA_TOP))
        outcome = flow_eval(flow, mode, t, x);
    flow_set_inputs(flow, mode, t, x);
    system_eval_contacts(sys);
    system_eval_switches(sys);
    for (int k = 0; k < guards->n && outcome == FLOW_OK; k++) {
        guards->value[k] = guard_value(flow, mode, guards->guard[k], &guards->noise[k]);
        if (!isfinite(guards->value[k]))
            return FLOW_NAN;
    }
    return outcome;
}

/* --- Interpolants -------------------------------------------------------------------------------------------- */

static double chebyshev_point(int j, int n)
{
    return 0.5 - 0.5 * cos(acos(-1) * j / n);
}

/* Chebyshev coefficients of the values at the points 0 .. N. */
static void chebyshev(const double *value, int stride, double *coef)
{
    for (int k = 0; k <= N; k++) {
        double sum = 0;
        for (int j = 0; j <= N; j++) {
            const double part = value[j * stride] * cos(acos(-1) * (double)(k * (N - j) % (2 * N)) / N);
            sum += j == 0 || j == N ? 0.5 * part : part;
        }
        coef[k] = (k == 0 || k == N ? 1.0 : 2.0) / N * sum;
    }
}

/* Clenshaw's sum at tau in [0, 1]. */
static double interpolant(const double *coef, double tau)
{
    const double y = 2 * tau - 1;
    double a = 0, b = 0;
    for (int k = N; k > 0; k--) {
        const double c = 2 * y * a - b + coef[k];
        b = a;
        a = c;
    }
    return y * a - b + coef[0];
}

/* Where the interpolant is smallest between a and b; golden section, to a millionth of the step. */
static double minimum(const double *coef, double a, double b)
{
    const double golden = 0.6180339887498949;
    double left = b - golden * (b - a), right = a + golden * (b - a);
    while (b - a > 1e-9) {
        if (interpolant(coef, left) < interpolant(coef, right))
            b = right;
        else
            a = left;
        left = b - golden * (b - a);
        right = a + golden * (b - a);
    }
    return 0.5 * (a + b);
}

struct dip {                        /* the first place below -noise */
    bool found;
    double inside, outside;         /* the guard is >= 0 at the first, < -noise at the second; both 0: from the start */
    bool grazes;
    double tau, least;              /* of a minimum near zero */
};

/* Slope of the interpolant at tau = 0; T_k'(-1) = (-1)^(k + 1) k^2. */
static double slope_at_start(const double *coef)
{
    double sum = 0;
    for (int k = 1; k <= N; k++)
        sum += 2 * (k % 2 ? 1 : -1) * (double)(k * k) * coef[k];
    return sum;
}

/* A guard that starts at zero and rises may come back before the first point that is looked at: a bounce much
 * shorter than the step. The zero at the start is divided out, and the next one is between 0 and b. */
static double after_short_rise(const double *coef, double b)
{
    const double start = interpolant(coef, 0);
    double a = 0;
    while (b - a > 1e-3 * b) {
        const double middle = 0.5 * (a + b);
        if ((interpolant(coef, middle) - start) / middle > 0)
            a = middle;
        else
            b = middle;
    }
    return 0.5 * b;
}

/* Walks along the interpolant of one guard. */
static struct dip find_dip(const double *coef, double noise)
{
    struct dip dip = { .found = false };
    double before = interpolant(coef, 0), here = before, tau_before = 0, tau = 0;
    bool has_inside = before >= 0, was_away = before > GRAZE;
    for (int m = 1; m <= SCAN && !dip.found; m++) {
        const double tau_next = chebyshev_point(m, SCAN), next = interpolant(coef, tau_next);
        if (here <= before && here < next && here >= -noise && m > 1) {
            const double lowest = minimum(coef, tau_before, tau_next), least = interpolant(coef, lowest);
            if (least < -noise) {
                dip.found = true;
                dip.outside = lowest;
            } else if (least < GRAZE && !dip.grazes && was_away) {
                dip.grazes = true;
                dip.tau = lowest;
                dip.least = least;
            }
        }
        if (!dip.found && next < -noise) {
            dip.found = true;
            dip.outside = tau_next;
        }
        if (here >= 0) {
            has_inside = true;
            dip.inside = tau;
        }
        was_away = was_away || here > GRAZE;
        before = here;
        tau_before = tau;
        here = next;
        tau = tau_next;
    }
    if (dip.found && dip.inside == 0 && fabs(interpolant(coef, 0)) <= noise && slope_at_start(coef) > 0)
        dip.inside = after_short_rise(coef, dip.outside);
    else if (dip.found && !has_inside)
        dip.inside = dip.outside = 0;
    return dip;
}

/* --- On the guards themselves -------------------------------------------------------------------------------- */

struct search {
    struct guards *guards;
    struct flow *flow;
    const struct mode *mode;
    const double *coef;
    double t, h;
};

static enum flow_outcome eval_at(const struct search *s, double tau)
{
    step_poly_at(s->flow->sys->n_x, s->coef, tau, s->guards->x);
    return guards_eval(s->guards, s->flow, s->mode, s->t + tau * s->h, s->guards->x);
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

static enum flow_outcome take_samples(const struct search *s)
{
    struct guards *guards = s->guards;
    for (int j = 0; j <= N; j++) {
        const enum flow_outcome outcome = eval_at(s, chebyshev_point(j, N));
        if (outcome != FLOW_OK)
            return outcome;
        memcpy(&guards->sample[j * guards->n], guards->value, (size_t)guards->n * sizeof(double));
    }
    return FLOW_OK;
}

static void note_graze(const struct search *s, int k, const struct dip *dip, struct guard_event *event)
{
    if (!dip->grazes || s->guards->guard[k].kind != GUARD_GAP || event->n_graze++ > 0)
        return;
    event->graze_t = s->t + dip->tau * s->h;
    event->graze_gap = dip->least;
    event->graze_contact = s->guards->guard[k].subject;
}

enum flow_outcome guards_search(struct guards *guards, struct flow *flow, const struct mode *mode,
                                const double *coef, double t, double h, struct guard_event *event)
{
    const struct search search = { guards, flow, mode, coef, t, h };
    double first = INFINITY;
    *event = (struct guard_event){ .guard = -1 };
    const enum flow_outcome outcome = take_samples(&search);
    if (outcome != FLOW_OK)
        return outcome;
    for (int k = 0; k < guards->n; k++) {
        double poly[N + 1], rest = 0;
        chebyshev(&guards->sample[k], guards->n, poly);
        for (int l = 1; l <= N; l++)
            rest += fabs(poly[l]);
        if (poly[0] > rest + GRAZE)
            continue;                                           /* positive all along */
        const struct dip dip = find_dip(poly, guards->noise[k]);
        note_graze(&search, k, &dip, event);
        if (!dip.found || dip.inside >= first)
            continue;
        const double tau = dip.outside > 0 ? locate(&search, k, dip.inside, dip.outside) : 0;
        if (tau < first) {
            first = tau;
            event->guard = k;
        }
    }
    event->found = event->guard >= 0;
    event->t = t + first * h;
    return FLOW_OK;
}
