#include "transcription/multiphase/phase_trace.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_LENGTH 5e-10             /* of the horizon: a piece this short has no points in the trajectory; below 1e-9, to which times
                                     * of a file are told apart */

/* --- Points -------------------------------------------------------------------------------------------------- */

/* Normal and tangential force (or impulse) of contact c in a block, mu as at w. */
static void force_of(const struct phases *ph, const double *w, const struct phase_point *point, int c,
                     double *force)
{
    const struct phase_contact *contact = &ph->sys->contact[c];
    const struct phase_layout *at = point->layout;
    double mu = contact->model->mu;
    const struct model *model = ph->sys->model;
    if (model->n_p)
        mu = expr_eval(ph->sys->g, contact->model->friction, model->n_p, model->p_sym, &w[ph->at.p]);
    force[0] = phases_value(w, point->first, at->lambda_n[c]);
    for (int k = 0; k < SLIP_MAX; k++) {
        double dir = at->dir[c] >= 0 && k < contact->n_t ? w[point->first + at->dir[c] + k] : 0;
        if (k == 0 && (point->contact[c] == PHASE_FORWARD || point->contact[c] == PHASE_BACKWARD))
            dir = point->contact[c] == PHASE_FORWARD ? 1 : -1;
        const double stick = at->lambda_t[c] >= 0 && k < contact->n_t ? w[point->first + at->lambda_t[c] + k] : 0;
        force[1 + k] = stick - mu * force[0] * dir;
    }
}

/* Forces of all contacts, then reactions: 1 - alpha of their switches. */
static void forces_of(const struct phases *ph, const double *w, const struct phase_point *point, double *force)
{
    const struct model *model = ph->sys->model;
    for (int c = 0; c < model->contacts.n_contact; c++)
        force_of(ph, w, point, c, force + CONTACT_ROWS * c);
    for (int l = 0; l < ph->sys->n_switch; l++) {
        const struct model_projection *wall = ph->sys->sw[l].sw->wall;
        const int alpha = point->layout->alpha[l];
        if (wall)
            force[CONTACT_ROWS * model->contacts.n_contact + (int)(wall - model->switching.projection)] =
                alpha >= 0 ? 1 - w[point->first + alpha] : 0;
    }
}

/* By the polynomials of element e, at the part tau of it. */
static void eval_element(const struct phases *ph, const double *w, int e, double tau, double *x, double *force)
{
    const struct model *model = ph->sys->model;
    const int n_force = model_n_force(model);
    double weight[16], force_weight[16];                        /* rk.h: at most 9 stages */
    double *one = mem_alloc((size_t)n_force, sizeof *one);
    rk_weights(ph->rk, tau, weight, force_weight);
    memset(x, 0, (size_t)model->n_x * sizeof *x);
    memset(force, 0, (size_t)n_force * sizeof *force);
    for (int r = 0; r <= ph->grid.stages; r++) {
        const struct phase_point stage = phases_stage_point(ph, e, r ? r - 1 : 0);
        const int *y = r ? stage.y : phases_left(ph, e);
        for (int i = 0; i < model->n_x; i++)
            x[i] += weight[r] * w[y[i]];
        if (r)
            forces_of(ph, w, &stage, one);
        for (int q = 0; q < n_force && r; q++)
            force[q] += force_weight[r] * one[q];
    }
    free(one);
}

static void add_point(struct phase_trace *trace, const struct phases *ph, const double *w, const int *y,
                      const struct phase_point *stage, struct phase_trace_point point)
{
    const struct model *model = ph->sys->model;
    double *x = arena_alloc(&trace->mem, (size_t)model->n_x, sizeof *x);
    double *force = arena_alloc(&trace->mem, (size_t)model_n_force(model), sizeof *force);
    double *signal = arena_alloc(&trace->mem, (size_t)(model->switching.n_hysteresis + model->switching.n_signal),
                                 sizeof *signal);
    phase_system_shown_signals(ph->sys, stage->contact, signal);
    for (int i = 0; i < model->n_x; i++)
        x[i] = w[y[i]];
    forces_of(ph, w, stage, force);
    point.interval = stage->interval;
    point.x = x;
    point.u = trace->u + stage->interval * model->n_u;
    point.force = force;
    point.signal = signal;
    trace->point[trace->n_point++] = point;
}

/* Does a relay or a machine change at event j? */
static bool signals_jump(const struct phases *ph, int j)
{
    const struct phase_system *sys = ph->sys;
    bool jumps = sequence_fires(ph->seq, j);
    for (int l = 0; l < sys->dcs->n_switch; l++)
        jumps = jumps || (sys->sw[l].sw->relay && sequence_mode(ph->seq, j)[sys->n_contact + l]
                                                       != sequence_mode(ph->seq, j + 1)[sys->n_contact + l]);
    return jumps;
}

/* Do controls jump between the last point and the interval that begins, and no state with them? */
static bool controls_jump(const struct phase_trace *trace, int n_u, int interval)
{
    const struct phase_trace_point *last = &trace->point[trace->n_point - 1];
    return last->interval != interval
        && memcmp(last->u, trace->u + interval * n_u, (size_t)n_u * sizeof *last->u) != 0;
}

/* The right limit where element e begins with other controls: its forces are those of the
 * polynomials of its stages. */
static void add_right_limit(struct phase_trace *trace, const struct phases *ph, const double *w, int e, double t)
{
    const struct phase_point stage = phases_stage_point(ph, e, 0);
    struct phase_trace_point *last = &trace->point[trace->n_point - 1];
    double *force = arena_alloc(&trace->mem, (size_t)model_n_force(ph->sys->model), sizeof *force);
    double *x = arena_alloc(&trace->mem, (size_t)ph->sys->model->n_x, sizeof *x);
    last->side = last->side == 1 ? 1 : -1;
    add_point(trace, ph, w, phases_left(ph, e), &stage,
              (struct phase_trace_point){ .t = t, .element = e, .side = 1 });
    eval_element(ph, w, e, 0, x, force);
    trace->point[trace->n_point - 1].force = force;
}

static bool is_empty(const struct phase_trace *trace, const double *start, int k)
{
    return start[k + 1] - start[k] < NO_LENGTH * trace->horizon;
}

/* Piece k, or the next one that has a length: what goes on from there, as the rest of an interval that ends with an
 * impact moves nothing. */
static int lasting_piece(const struct phase_trace *trace, const struct phases *ph, const double *start, int k)
{
    int j = k;
    while (j + 1 < ph->n_piece && is_empty(trace, start, j)) j++;
    return is_empty(trace, start, j) ? k : j;
}

static void add_piece(struct phase_trace *trace, const struct phases *ph, const double *w, int k,
                      const double *start)
{
    const struct phase_piece *piece = &ph->piece[k];
    const double t = start[k], length = start[k + 1] - t;
    const bool empty = is_empty(trace, start, k);
    const bool jumps = piece->before >= 0 && (ph->at.impact[piece->before] >= 0 || signals_jump(ph, piece->before));
    if (jumps || ph->at.reset[k] >= 0) {
        const int first = ph->piece[lasting_piece(trace, ph, start, k)].first;
        const struct phase_point stage = phases_stage_point(ph, first, 0);
        struct phase_trace_point *last = &trace->point[trace->n_point - 1];
        last->side = last->side == 1 && ph->at.reset[k] < 0 && trace->n_point > 1 ? 1 : -1;
        add_point(trace, ph, w, phases_left(ph, piece->first), &stage,
                  (struct phase_trace_point){ .t = t, .element = first, .side = 1 });
    }
    if (!empty && controls_jump(trace, ph->sys->model->n_u, piece->interval))
        add_right_limit(trace, ph, w, piece->first, trace->point[trace->n_point - 1].t);
    for (int e = piece->first; e < piece->first + piece->n_element && !empty; e++)
        for (int r = 0; r < ph->n_point; r++) {
            const struct phase_point stage = phases_stage_point(ph, e, r);
            const double at = t + length * (ph->from[e] + ph->c[r] * ph->part[e]);
            add_point(trace, ph, w, stage.y, &stage, (struct phase_trace_point){ .t = at, .element = e });
        }
}

/* --- Events -------------------------------------------------------------------------------------------------- */

static int kind_of_contact(int before, int after, int hit)
{
    if (hit != PHASE_OPEN && before == PHASE_OPEN)
        return SIM_IMPACT;
    if (phase_is_closed(before) && after == PHASE_OPEN)
        return SIM_LIFTOFF;
    if (before == after || before == PHASE_CLOSED || after == PHASE_CLOSED || before == PHASE_OPEN)
        return -1;
    return after == PHASE_STICK ? SIM_STICK : before == PHASE_STICK ? SIM_SLIP : SIM_REVERSAL;
}

static int kind_of_switch(int before, int after)
{
    if (before == after || after == PHASE_G_ZERO || after == PHASE_H_ZERO)
        return -1;                              /* no event of a motion */
    return after == PHASE_SLIDING ? SIM_SLIDING : before == PHASE_SLIDING ? SIM_LEAVING : SIM_CROSSING;
}

int phase_trace_kind(const struct phase_system *sys, const struct sequence *seq, int j, int subject)
{
    const int before = sequence_mode(seq, j)[subject], after = sequence_mode(seq, j + 1)[subject];
    return subject < sys->n_contact ? kind_of_contact(before, after, sequence_hit(seq, j)[subject])
                                    : kind_of_switch(before, after);
}

static const double *state_of(struct phase_trace *trace, const struct phases *ph, const double *w, const int *y)
{
    const int n_x = ph->sys->model->n_x;
    double *x = arena_alloc(&trace->mem, (size_t)n_x, sizeof *x);
    for (int i = 0; i < n_x; i++)
        x[i] = w[y[i]];
    return x;
}

static void add_events(struct phase_trace *trace, const struct phases *ph, const double *w,
                       const struct phase_piece *piece, double t)
{
    const struct phase_system *sys = ph->sys;
    const int j = piece->before;
    const struct phase_point minus = phases_stage_point(ph, piece->first - 1, ph->n_point - 1);
    for (int i = 0; i < sys->n_contact + sys->n_switch; i++) {
        const int kind = phase_trace_kind(sys, ph->seq, j, i);
        if (kind < 0)
            continue;
        struct sim_event event = { .t = t, .kind = (enum sim_kind)kind, .subject = i,
                                   .x_minus = state_of(trace, ph, w, minus.y),
                                   .x_plus = state_of(trace, ph, w, phases_left(ph, piece->first)) };
        if (kind == SIM_IMPACT) {
            const struct phase_point impact = phases_impact_point(ph, j);
            force_of(ph, w, &impact, i, event.impulse);
        }
        trace->event[trace->n_event++] = event;
    }
}

/* A machine makes a transition where piece k begins. */
static void add_transition(struct phase_trace *trace, const struct phases *ph, const double *w, int k, double t)
{
    const struct phase_system *sys = ph->sys;
    const struct phase_piece *piece = &ph->piece[k];
    const int j = piece->before;
    if (j < 0 || !sequence_fires(ph->seq, j))
        return;
    const struct phase_point minus = phases_stage_point(ph, piece->first - 1, ph->n_point - 1);
    trace->event[trace->n_event++] = (struct sim_event){
        .t = t, .kind = SIM_TRANSITION, .subject = sys->n_contact + sys->n_switch + ph->seq->step[j].transition,
        .x_minus = state_of(trace, ph, w, minus.y), .x_plus = state_of(trace, ph, w, phases_left(ph, piece->first))
    };
}

/* What happens at the start of piece k by the spec, n_piece: at the end: a phase begins, an impulse acts. */
static void add_events_of_spec(struct phase_trace *trace, const struct phases *ph, const double *w, int k, double t)
{
    const struct phase_system *sys = ph->sys;
    const struct model *model = sys->model;
    const bool ends = k == ph->n_piece,
               begins = k == 0 || ends || ph->piece[k].interval != ph->piece[k - 1].interval;
    const int i = ends ? ph->n_interval : ph->piece[k].interval,
              first = sys->n_contact + sys->n_switch + sys->n_transition;
    const struct model_phase *phase = begins ? model_phase_begins(model, i) : NULL;
    const int end = (ends ? ph->n_element : ph->piece[k].first) - 1;
    const int *minus = k ? phases_stage_point(ph, end, ph->n_point - 1).y : ph->at.start_y;
    const int *plus = ends ? phases_left(ph, ph->n_element) : &ph->at.before[k * sys->n_y];
    if (phase)
        trace->event[trace->n_event++] = (struct sim_event){
            .t = t, .kind = SIM_PHASE, .subject = first + (int)(phase - model->time.phase),
            .x_minus = state_of(trace, ph, w, minus), .x_plus = state_of(trace, ph, w, plus) };
    for (int j = 0; j < model->impulses.n_impulse && begins; j++)
        if (model_impulse_at(model, j, i) >= 0)
            trace->event[trace->n_event++] = (struct sim_event){
                .t = t, .kind = SIM_IMPULSE, .subject = first + model->time.n_phase + j,
                .x_minus = state_of(trace, ph, w, minus), .x_plus = state_of(trace, ph, w, plus) };
}

void phase_trace_impulses(const struct phases *ph, const double *w, int event, double *impulse)
{
    const struct phase_point point = phases_impact_point(ph, event);
    for (int c = 0; c < ph->sys->n_contact; c++)
        force_of(ph, w, &point, c, impulse + CONTACT_ROWS * c);
}

void phase_trace_forces(const struct phases *ph, const double *w, int element, int stage, double *force)
{
    const struct phase_point point = phases_stage_point(ph, element, stage);
    for (int c = 0; c < ph->sys->n_contact; c++)
        force_of(ph, w, &point, c, force + CONTACT_ROWS * c);
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static void read_controls(struct phase_trace *trace, const struct phases *ph, const double *w, const double *start)
{
    const struct model *model = ph->sys->model;
    trace->n_interval = ph->n_interval;
    trace->t_interval = arena_alloc(&trace->mem, (size_t)ph->n_interval, sizeof(double));
    trace->u = arena_alloc(&trace->mem, (size_t)(ph->n_interval * model->n_u), sizeof(double));
    trace->p = arena_alloc(&trace->mem, (size_t)model->n_p, sizeof(double));
    for (int k = 0; k < model->n_p; k++)
        trace->p[k] = w[ph->at.p + k];
    for (int k = ph->n_piece - 1; k >= 0; k--)
        trace->t_interval[ph->piece[k].interval] = start[k];
    for (int i = 0; i < ph->n_interval; i++)
        for (int k = 0; k < model->n_u; k++)
            trace->u[i * model->n_u + k] = w[ph->at.u[i] + k];
}

static void name_subjects(struct phase_trace *trace, const struct phase_system *sys)
{
    const int n = sys->n_contact + sys->n_switch, n_phase = sys->model->time.n_phase,
              n_transition = sys->n_transition;
    const int n_impulse = sys->model->impulses.n_impulse;
    trace->subject =
        arena_alloc(&trace->mem, (size_t)(n + n_transition + n_phase + n_impulse), sizeof *trace->subject);
    for (int k = 0; k < n; k++)
        trace->subject[k] = phase_subject_name(sys, k);
    for (int k = 0; k < n_transition; k++)
        trace->subject[n + k] = sys->transition[k].model->name;
    for (int k = 0; k < n_phase; k++)
        trace->subject[n + n_transition + k] = sys->model->time.phase[k].name;
    for (int k = 0; k < n_impulse; k++)
        trace->subject[n + n_transition + n_phase + k] = sys->model->impulses.impulse[k].var.name;
}

static int count_impulses(const struct model *model)
{
    int n = 0;
    for (int k = 0; k < model->impulses.n_impulse; k++)
        n += model->impulses.impulse[k].n;
    return n;
}

struct phase_trace *phase_trace_create(const struct phases *ph, const double *w)
{
    struct phase_trace *trace = mem_alloc(1, sizeof *trace);
    const size_t n_event = (size_t)ph->seq->n_event,
                 n_subject = (size_t)(ph->sys->n_contact + ph->sys->n_switch + 1);
    const size_t n_phase = (size_t)ph->sys->model->time.n_phase;
    const size_t n_impulse = (size_t)count_impulses(ph->sys->model);
    const size_t most = 2 + (size_t)(ph->n_element * ph->n_point + ph->n_interval) + n_event + n_phase + n_impulse;
    double *start = mem_alloc((size_t)ph->n_piece + 1, sizeof *start), *event = mem_alloc(n_event, sizeof *event);
    phases_times(ph, w, start, event);
    trace->horizon = start[ph->n_piece];
    trace->point = arena_alloc(&trace->mem, most, sizeof *trace->point);
    trace->event = arena_alloc(&trace->mem, n_event * n_subject + n_phase + n_impulse, sizeof *trace->event);
    read_controls(trace, ph, w, start);
    name_subjects(trace, ph->sys);
    const struct phase_point first = phases_stage_point(ph, 0, 0);
    add_point(trace, ph, w, ph->at.reset[0] >= 0 ? ph->at.start_y : phases_left(ph, 0), &first,
              (struct phase_trace_point){ .side = 1 });
    for (int k = 0; k < ph->n_piece; k++) {
        add_events_of_spec(trace, ph, w, k, start[k]);
        add_transition(trace, ph, w, k, start[k]);
        if (ph->piece[k].before >= 0)
            add_events(trace, ph, w, &ph->piece[k], start[k]);
        add_piece(trace, ph, w, k, start);
    }
    add_events_of_spec(trace, ph, w, ph->n_piece, start[ph->n_piece]);
    if (ph->at.reset[ph->n_piece] >= 0) {
        const struct phase_point last = phases_stage_point(ph, ph->n_element - 1, ph->n_point - 1);
        trace->point[trace->n_point - 1].side = -1;
        add_point(trace, ph, w, phases_left(ph, ph->n_element), &last,
                  (struct phase_trace_point){ .t = start[ph->n_piece], .element = ph->n_element - 1, .side = 1 });
    }
    free(start);
    free(event);
    return trace;
}

void phase_trace_free(struct phase_trace *trace)
{
    if (!trace)
        return;
    arena_free(&trace->mem);
    free(trace);
}

struct replay_solution phase_trace_replay(struct phase_trace *trace, const struct model *model, double objective)
{
    struct replay_point *point = arena_alloc(&trace->mem, (size_t)trace->n_point, sizeof *point);
    struct replay_event *event = arena_alloc(&trace->mem, (size_t)trace->n_event, sizeof *event);
    for (int k = 0; k < trace->n_point; k++) {
        const struct phase_trace_point *from = &trace->point[k];
        point[k] = (struct replay_point){ .t = from->t, .t_num = from->t, .element = from->element,
                                          .is_polynomial = from->side <= 0, .side = from->side, .x = from->x,
                                          .force = from->force };
    }
    for (int k = 0; k < trace->n_event; k++) {
        const struct sim_event *from = &trace->event[k];
        event[k] = (struct replay_event){ .t = from->t, .kind = sim_kind_text(from->kind),
                                          .name = trace->subject[from->subject], .x_minus = from->x_minus,
                                          .x_plus = from->x_plus };
        memcpy(event[k].impulse, from->impulse, sizeof event[k].impulse);
    }
    return (struct replay_solution){ .p = trace->p, .n_point = trace->n_point, .point = point,
                                     .controls = replay_rows(model, trace->n_interval, trace->t_interval, trace->u, &trace->mem),
                                     .n_event = trace->n_event, .event = event, .objective = objective };
}

/* --- Between points ------------------------------------------------------------------------------------------ */

/* The piece at time t, the part of it, and the element that this is in. */
static int find_at(const struct phases *ph, const double *w, double t, int *element, double *part)
{
    const double rounding = 1e-12;                              /* s: a time that is meant to be an event's */
    const double none = NO_LENGTH * phases_horizon(ph, w);      /* what is shorter has no points, nor is it met here */
    double start = 0, length = phases_length(ph, w, 0);
    int k = 0;
    while (k + 1 < ph->n_piece && (t >= start + length - rounding || length < none)) {
        start += length;
        length = phases_length(ph, w, ++k);
    }
    const struct phase_piece *piece = &ph->piece[k];
    *part = length > 0 ? fmin(fmax((t - start) / length, 0), 1) : 0;
    *element = piece->first;
    while (*element + 1 < piece->first + piece->n_element && *part >= ph->from[*element + 1]) ++*element;
    return k;
}

int phase_trace_at(const struct phases *ph, const double *w, double t, double *x, double *force)
{
    double part;
    int e;
    const int k = find_at(ph, w, t, &e, &part);
    eval_element(ph, w, e, (part - ph->from[e]) / ph->part[e], x, force);
    return ph->piece[k].interval;
}

void phase_trace_signals(const struct phases *ph, const double *w, double t, double *signal)
{
    double part;
    int e;
    const int k = find_at(ph, w, t, &e, &part);
    phase_system_shown_signals(ph->sys, sequence_mode(ph->seq, ph->piece[k].mode), signal);
}

void phase_trace_start(const struct phases *ph, const double *w, int interval, double *x, double *force)
{
    double horizon = 0;
    int k = 0;
    for (int i = 0; i < ph->n_piece; i++)
        horizon += phases_length(ph, w, i);
    while (ph->piece[k].interval < interval)
        k++;
    while (k + 1 < ph->n_piece && ph->piece[k + 1].interval == interval && phases_length(ph, w, k) < NO_LENGTH * horizon)
        k++;
    eval_element(ph, w, ph->piece[k].first, 0, x, force);
}
