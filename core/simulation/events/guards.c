#include "core/simulation/events/guards.h"

#include <math.h>

/* What a guard may be below zero by rounding: lengths and velocities in their units, forces relative to theirs. */
static const double NOISE_GAP = 1e-13, NOISE_VELOCITY = 1e-12, NOISE_FORCE = 1e-11, NOISE_ALPHA = 1e-10;
/* m: what a gap that opens may be below zero, as others were moved onto theirs, and a corner that is left */
static const double SUNK_MOST = 1e-11, CORNER_SUNK_MOST = 1e-10;

void guards_init(struct guards *guards, struct arena *mem, const struct system *sys)
{
    const size_t most = 3 * (size_t)sys->n_c + 2 * (size_t)sys->n_s + (size_t)(sys->transitions.n + sys->corner.n);
    *guards = (struct guards){ .n = 0 };
    guards->guard = arena_alloc(mem, most, sizeof *guards->guard);
    guards->value = arena_alloc(mem, most, sizeof(double));
    guards->noise = arena_alloc(mem, most, sizeof(double));
    guards->sample = arena_alloc(mem, (DIP_SAMPLES + 1) * most, sizeof(double));
    guards->sample_x = arena_alloc(mem, (DIP_SAMPLES + 1) * (size_t)sys->n_x, sizeof(double));
    guards->is_proven = arena_alloc(mem, most, sizeof(bool));
    guards->x = arena_alloc(mem, (size_t)sys->n_x, sizeof(double));
    dip_cosines_init(&guards->cosines);
    resolution_init(&guards->resolution, mem, sys, DIP_SAMPLES);
}

void guards_free(struct guards *guards)
{
    resolution_free(&guards->resolution);
}

static void add(struct guards *guards, enum guard_kind kind, int subject)
{
    guards->guard[guards->n++] = (struct guard){ kind, subject, 0 };
}

/* One that may be below zero by `most`, on its way up from there. */
static void add_sunk(struct guards *guards, enum guard_kind kind, int subject, double value, double rate,
                     double most)
{
    const bool is_sunk = value < 0 && value > -most && rate > 0;
    guards->guard[guards->n++] = (struct guard){ kind, subject, is_sunk ? -value : 0 };
}

/* 1 or -1: the side of corner k on which the mode is. */
static int corner_sign(const struct system *sys, const struct mode *mode, int k)
{
    return mode->of[system_corner(sys, k)] == SIM_POSITIVE ? 1 : -1;
}

void guards_list(struct guards *guards, const struct system *sys, const struct mode *mode)
{
    guards->n = 0;
    for (int c = 0; c < sys->n_c; c++) {
        if (sys->is_off[c])
            continue;
        const struct contact_at at = system_contact(sys, c);
        if (mode_is_closed(mode->of[c]))
            add(guards, GUARD_FORCE, c);
        else
            add_sunk(guards, GUARD_GAP, c, at.gap, at.v_n, SUNK_MOST);
        if (mode->of[c] == SIM_STICKS)
            add(guards, GUARD_CONE_UP, c);
        if (mode->of[c] == SIM_STICKS && sys->model->contacts.contact[c].n_t == 1)
            add(guards, GUARD_CONE_DOWN, c);
        if ((mode->of[c] == SIM_FORWARD || mode->of[c] == SIM_BACKWARD) && system_has_friction(sys, c))
            add(guards, GUARD_SLIP, c);
    }
    for (int k = 0; k < sys->n_s; k++) {
        const bool slides = mode->of[sys->n_c + k] == SIM_SLIDES;
        if (!slides || !sys->wall[k])
            add(guards, slides ? GUARD_ALPHA : system_is_pair(sys, k) ? GUARD_PAIR : GUARD_SWITCH, k);
        if (slides)
            add(guards, GUARD_ALPHA_TOP, k);
    }
    for (int k = 0; k < sys->corner.n; k++) {
        const double *value = &sys->corner.f.out[k], *rate = value + sys->corner.n;
        const int sign = corner_sign(sys, mode, k);
        if (mode_is_closed(mode->of[sys->corner.of[k]]))
            add_sunk(guards, GUARD_CORNER, k, sign * *value, sign * *rate, CORNER_SUNK_MOST);
    }
    for (int k = 0; k < sys->transitions.n; k++) {
        const struct model_transition *one = sys->transitions.of[k].of;
        if (one->when != EXPR_NONE
            && one->from == (int)mode->of[sys->n_c + sys->n_s + sys->transitions.of[k].machine])
            add(guards, GUARD_WHEN, k);
    }
}

bool guards_need_forces(const struct guards *guards)
{
    for (int k = 0; k < guards->n; k++)
        if (guards->guard[k].kind >= GUARD_FORCE)
            return true;
    return false;
}

/* v_t in the direction of slip. */
static double slip(const struct system *sys, const struct mode *mode, int c)
{
    const struct contact_at at = system_contact(sys, c);
    if (sys->model->contacts.contact[c].n_t == 1)
        return mode->of[c] == SIM_FORWARD ? at.v_t[0] : -at.v_t[0];
    return slip_dot(at.v_t, &mode->direction[SLIP_MAX * c]);
}

/* How far inside the friction cone; kind tells the side of a planar one. */
static double cone(const struct flow *flow, enum guard_kind kind, int c, double *noise)
{
    const double *force = &flow->force[CONTACT_ROWS * c], most = flow->sys->mu[c] * force[0];
    *noise = NOISE_FORCE * flow->scale_f;
    if (flow->sys->model->contacts.contact[c].n_t == 1)
        return kind == GUARD_CONE_UP ? most - force[1] : most + force[1];
    *noise *= flow->scale_f;
    return most * most - slip_dot(force + 1, force + 1);
}

double guards_noise(enum guard_kind kind)
{
    return kind == GUARD_GAP || kind == GUARD_CORNER ? NOISE_GAP : NOISE_VELOCITY;
}

static double guard_value(const struct flow *flow, const struct mode *mode, struct guard guard, double *noise)
{
    const struct system *sys = flow->sys;
    *noise = guards_noise(guard.kind) + 2 * guard.sunk;
    switch (guard.kind) {
    case GUARD_GAP:
        return system_contact(sys, guard.subject).gap;
    case GUARD_FORCE:
        *noise = NOISE_FORCE * flow->scale_f;
        return flow->force[CONTACT_ROWS * guard.subject];
    case GUARD_CONE_UP:
    case GUARD_CONE_DOWN:
        return cone(flow, guard.kind, guard.subject, noise);
    case GUARD_SLIP:
        return slip(sys, mode, guard.subject);
    case GUARD_SWITCH:
        return mode->of[sys->n_c + guard.subject] == SIM_POSITIVE ? sys->at.c[guard.subject]
                                                                  : -sys->at.c[guard.subject];
    case GUARD_PAIR:
        *noise = NOISE_ALPHA;
        return sys->at.c[guard.subject];
    case GUARD_CORNER:
        return corner_sign(sys, mode, guard.subject) * sys->corner.f.out[guard.subject];
    case GUARD_WHEN:
        return -sys->transitions.when.out[guard.subject];
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
    if (guards_need_forces(guards))
        outcome = flow_eval(flow, mode, t, x);
    flow_set_inputs(flow, mode, t, x);
    system_eval_contacts(sys);
    system_eval_switches(sys);
    if (sys->transitions.n > 0)
        (void)system_eval_when(sys);
    for (int k = 0; k < guards->n && outcome == FLOW_OK; k++) {
        guards->value[k] = guard_value(flow, mode, guards->guard[k], &guards->noise[k]);
        if (!isfinite(guards->value[k]))
            return FLOW_NAN;
    }
    return outcome;
}
