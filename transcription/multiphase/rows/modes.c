/* What is to hold in a mode beside its motion, stage by stage, and at its end the equations of the event there
 * (phases.md "Events"): an equation takes the place of its inequality. */
#include "transcription/multiphase/rows/rows.h"
#include "transcription/sequence/patches.h"

#include <math.h>

/* A stage, and what follows it: the state of a subject after the event, and whether it is hit. */
struct end {
    const struct phase_point *point;
    bool is_last;                   /* the last stage before an event */
    int event;                      /* that one */
    bool inside;                    /* which lies inside the interval, and no signal or curvature jumps there */
    bool fires;                     /* a machine makes a transition */
    int next;                       /* piece after it */
    bool impact;                    /* something is hit there */
    const unsigned char *after, *hit;           /* states after it; participants */
    const unsigned char *after_patch;
};

static struct end end_of(const struct phases *ph, const struct phase_point *point, int e, int k)
{
    const struct phase_piece *piece = &ph->piece[ph->piece_of[e]];
    const bool last = k == ph->n_point - 1 && e == piece->first + piece->n_element - 1 && piece->after >= 0;
    struct end end = { .point = point, .is_last = last, .inside = piece->ends_inside, .next = ph->piece_of[e] + 1 };
    if (last) {
        end.event = piece->after;
        end.fires = sequence_fires(ph->seq, piece->after);
        end.inside = end.inside && !end.fires && !sequence_turns(ph->seq, piece->after);
        end.after_patch = sequence_patch(ph->seq, piece->after + 1);
        end.after = sequence_mode(ph->seq, piece->after + 1);
        end.hit = sequence_hit(ph->seq, piece->after);
        end.impact = sequence_has_impact(ph->seq, piece->after);
    }
    return end;
}

static void bound(struct phases *ph, const struct end *end, int out, double lb, double ub, int subject,
                  const char *what)
{
    phases_subject_row(ph, ph->state, out, lb, ub, subject, what, end->point);
}

/* A jump there reaches what is asked for: it is asked for after it then (resets.c). */
static bool jumps_away(const struct phases *ph, const struct end *end, int out)
{
    const struct model *model = ph->sys->model;
    const expr e = ph->sys->state[out];
    return end->is_last && (phases_jump_reaches(ph, end->next, e)
                            || (end->fires
                                && expr_depends(ph->sys->g, e, model->switching.n_signal,
                                                model->switching.signal)));
}

/* A box slides over an edge: its corner runs off the face where the edge comes under its side, whose gap beyond
 * that is 0 wherever it is. The end of the patch says when. */
static void bound_open(struct phases *ph, const struct end *end, int c)
{
    const bool slides_onto = end->is_last && !ph->sys->contact[c].model->turns
                             && ph->sys->contact[c].model->n_corner > 0 && end->after[c] != PHASE_OPEN
                             && sequence_turns(ph->seq, end->event);
    const bool touches = end->is_last && !slides_onto && (end->after[c] != PHASE_OPEN || end->hit[c] != PHASE_OPEN)
                         && !jumps_away(ph, end, ph->sys->out.gap + c);
    if (!touches && !model_has_contact(ph->sys->model, c, end->point->interval))
        return;
    bound(ph, end, ph->sys->out.gap + c, 0, touches ? 0 : INFINITY, c, "gap");
}

/* The force at lift-off inside an interval is 0; of a sticking contact it is gap''
 * after it that is 0 (events.c). */
static void bound_normal_force(struct phases *ph, const struct end *end, int c)
{
    const int lambda_n = end->point->first + end->point->layout->lambda_n[c];
    const bool lifts = end->is_last && end->inside && end->after[c] == PHASE_OPEN && !end->impact;
    if (!lifts)
        return;                                 /* the variable's bound */
    program_set_bounds(ph->prog, lambda_n, -INFINITY, INFINITY);
    if (end->point->contact[c] == PHASE_STICK && ph->sys->contact[c].n_t)
        return;
    const struct model_contact *contact = ph->sys->contact[c].model;
    const char *name = arena_printf(&ph->mem, "%s force at lift-off", contact->name);
    program_linear(ph->prog,
                   program_row(ph->prog, 0, 0, phases_label(name, contact->path, contact->pos, end->point)),
                   lambda_n, 1);
}

/* Slip that starts inside an interval starts on the cone; by a jump of the controls it starts anywhere. */
static void bound_stick(struct phases *ph, const struct end *end, int c)
{
    const int cone = ph->sys->out.cone + 2 * c;
    const int after = end->is_last && end->inside && !end->impact ? end->after[c] : PHASE_STICK;
    if (after == PHASE_OPEN)
        return;
    if (ph->sys->contact[c].n_t > 1) {
        bound(ph, end, cone, 0, after == PHASE_SLIP ? 0 : INFINITY, c, "friction cone");
        return;
    }
    bound(ph, end, cone + PHASE_UPPER, 0, after == PHASE_BACKWARD ? 0 : INFINITY, c, "friction cone");
    bound(ph, end, cone + PHASE_LOWER, 0, after == PHASE_FORWARD ? 0 : INFINITY, c, "friction cone");
}

static bool slip_stops(const struct phases *ph, const struct end *end, int c)
{
    return end->is_last && end->after[c] != end->point->contact[c] && phase_is_closed(end->after[c])
           && end->after[c] != PHASE_CLOSED && end->hit[c] == PHASE_OPEN
           && phases_carried(ph, end->event, c) == CARRIED_NOT;
}

bool phases_slip_stops(const struct phases *ph, int element, int k, int c)
{
    const struct phase_point point = phases_stage_point(ph, element, k);
    const struct end end = end_of(ph, &point, element, k);
    return slip_stops(ph, &end, c);
}

/* Where closed contacts leave one way to move, all slip stops with one: no equation, and no inequality, which would
 * have no interior. */
static bool stops_with_others(const struct phases *ph, const struct end *end, int c)
{
    return slip_stops(ph, end, c) && ph->implied.stop[end->event * ph->sys->n_contact + c].n == 0;
}

/* In the plane; in space slip has rows of its own (motion.c). */
static void bound_slip(struct phases *ph, const struct end *end, int c)
{
    const int state = end->point->contact[c];
    if (state == PHASE_SLIP || stops_with_others(ph, end, c))
        return;
    const bool stops = slip_stops(ph, end, c);
    const double inf = stops && !jumps_away(ph, end, ph->sys->out.v_t + SLIP_MAX * c) ? 0 : INFINITY;
    const bool forward = state == PHASE_FORWARD;
    bound(ph, end, ph->sys->out.v_t + SLIP_MAX * c, forward ? 0 : -inf, forward ? inf : 0, c, "slip velocity");
}

static void bound_switch(struct phases *ph, const struct end *end, int l)
{
    const struct phase_system *sys = ph->sys;
    const int subject = sys->n_contact + l, state = end->point->sw[l];
    const int after = end->is_last ? end->after[subject] : state;
    const bool jumps = (end->is_last && end->impact && sys->sw[l].jumps) || jumps_away(ph, end, sys->out.c + l);
    if (state == PHASE_SLIDING) {
        if (after != PHASE_SLIDING && (end->inside || sys->sw[l].own) && !jumps) {
            const double alpha = after == PHASE_POSITIVE;
            program_set_bounds(ph->prog, end->point->first + end->point->layout->alpha[l], alpha, alpha);
        }
        return;
    }
    const double inf = after != state && !jumps ? 0 : INFINITY;
    const bool positive = state == PHASE_POSITIVE;
    bound(ph, end, sys->out.c + l, positive ? 0 : -inf, positive ? inf : 0, subject, "sign");
}

/* A closed contact stays on its patch, up to the end of it where the mode ends so. */
static void bound_patch(struct phases *ph, const struct end *end, int c)
{
    const struct phase_contact *contact = &ph->sys->contact[c];
    const int patch = end->point->patch[c], first = ph->sys->out.corner + contact->corner;
    const bool turns = end->is_last && sequence_contact_turns(ph->seq, end->event, c);
    const int between = turns ? patches_corner_between(contact, patch, end->after_patch[c]) : -1;
    for (int k = 0; k < contact->model->n_corner && patch; k++) {
        const int sign = patches_sign(contact, patch, k);
        const double inf = k == between ? 0 : INFINITY;
        if (sign != 0)
            bound(ph, end, first + k, sign > 0 ? 0 : -inf, sign > 0 ? inf : 0, c, "face or corner");
    }
}

static bool is_instant(const struct phases *ph, int e)
{
    return phases_is_instant(ph, ph->piece_of[e]);
}

void phases_add_bounds_of(struct phases *ph, const struct phase_point *point, int e, int k)
{
    const struct phase_system *sys = ph->sys;
    const struct end end = end_of(ph, point, e, k);
    phases_add_machine_bounds(ph, point, e, k);
    if (is_instant(ph, e))
        return;
    for (int c = 0; c < sys->n_contact; c++) {
        if (point->contact[c] == PHASE_OPEN) {
            bound_open(ph, &end, c);
            continue;
        }
        bound_normal_force(ph, &end, c);
        bound_patch(ph, &end, c);
        if (point->contact[c] == PHASE_STICK && sys->contact[c].n_t)
            bound_stick(ph, &end, c);
        if (phase_slips(point->contact[c]))
            bound_slip(ph, &end, c);
    }
    for (int l = 0; l < sys->n_switch - sys->n_pair; l++)
        if (!phases_is_determined(ph, e, k, l))
            bound_switch(ph, &end, l);
    phases_bound_sides(ph, point, e, k);
}
