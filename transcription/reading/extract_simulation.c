/* The sequence of an event-driven simulation: its pieces know their modes, its events who was hit. */
#include "transcription/reading/extract.h"

#include "core/base/mem.h"
#include "core/simulation/simulation.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const struct phase_system *sys;
    const struct sim *sim;
    int *subject;                   /* [n_subject] of the simulation */
    double *grid;                   /* [n_interval + 1] */
    struct arena mem;
};

/* Switches have the same names; contacts the same order. False if one is missing. */
static bool match_subjects(struct reader *at)
{
    const int n_c = at->sys->n_contact, n = n_c + at->sys->dcs->n_switch;
    for (int k = 0; k < n; k++) {
        at->subject[k] = k < n_c ? k : -1;
        for (int l = 0; l < sim_n_switch(at->sim) && k >= n_c; l++)
            if (strcmp(sim_subject_name(at->sim, n_c + l), phase_subject_name(at->sys, k)) == 0)
                at->subject[k] = n_c + l;
        if (at->subject[k] < 0)
            return false;
    }
    return true;
}

/* --- States -------------------------------------------------------------------------------------------------- */

static int state_of(const struct reader *at, int piece, int k)
{
    const enum sim_mode mode = sim_piece_at(at->sim, piece).mode[at->subject[k]];
    const int n_t = k < at->sys->n_contact ? at->sys->contact[k].n_t : 0;
    switch (mode) {
    case SIM_OPEN:
        return PHASE_OPEN;
    case SIM_STICKS:
        return n_t ? PHASE_STICK : PHASE_CLOSED;
    case SIM_FORWARD:
        return n_t == 0 ? PHASE_CLOSED : n_t > 1 ? PHASE_SLIP : PHASE_FORWARD;
    case SIM_BACKWARD:
        return n_t == 0 ? PHASE_CLOSED : PHASE_BACKWARD;
    case SIM_NEGATIVE:
        return PHASE_NEGATIVE;
    case SIM_SLIDES:
        return PHASE_SLIDING;
    case SIM_POSITIVE:
        return PHASE_POSITIVE;
    }
    return PHASE_OPEN;
}

/* Inside the cone it stuck; on it, it slipped against the impulse. */
static int state_of_impulse(const struct phase_contact *contact, const double *impulse)
{
    const double cone = contact->model->mu * impulse[0], size = slip_size(impulse + 1);
    if (contact->n_t == 0)
        return PHASE_CLOSED;
    if (size < (1 - IMPACT_SLIP_TOL) * cone)
        return PHASE_STICK;
    return contact->n_t > 1 ? PHASE_SLIP : impulse[1] < 0 ? PHASE_FORWARD : PHASE_BACKWARD;
}

/* --- Changes ------------------------------------------------------------------------------------------------- */

static int place_of(const struct reader *at, double t)
{
    return extract_place(at->sys, at->grid, t, ON_GRID);
}

/* Does contact c appear on the grid point of a place, with a phase by the user? */
static bool appears(const struct reader *at, int c, int place)
{
    const struct model *model = at->sys->model;
    const int i = place / 2;
    return place % 2 == 0 && i > 0 && model_has_contact(model, c, i) && !model_has_contact(model, c, i - 1);
}

/* What hit contact c between the pieces at t: the event's impulse, or NULL. */
static const double *impulse_at(const struct reader *at, int c, double t)
{
    for (int k = 0; k < sim_n_events(at->sim); k++) {
        const struct sim_event *event = sim_event_at(at->sim, k);
        if (event->kind == SIM_IMPACT && event->subject == c && fabs(event->t - t) < SAME_TIME)
            return event->impulse;
    }
    return NULL;
}

static void fill_y(const struct reader *at, double t, double *y)
{
    if (at->sys->dcs->clock >= 0)
        y[at->sys->dcs->clock] = t;
}

/* Of machines up to time t, of the run's events from *next on. */
static void add_transitions(struct reader *at, int *next, double t, struct changes *changes)
{
    const struct phase_system *sys = at->sys;
    const int first = sys->n_contact + sys->n_switch;
    double *y = mem_alloc((size_t)sys->n_y, sizeof *y);
    for (; *next < sim_n_events(at->sim) && sim_event_at(at->sim, *next)->t <= t; ++*next) {
        const struct sim_event *event = sim_event_at(at->sim, *next);
        if (event->kind != SIM_TRANSITION)
            continue;
        const int k = event->subject - sys->n_contact - sim_n_switch(at->sim);
        const struct phase_transition *made = &sys->transition[k];
        memcpy(y, event->x_minus, (size_t)sys->model->n_x * sizeof *y);
        fill_y(at, event->t, y);
        struct sequence_step *step = arena_alloc(&at->mem, 1, sizeof *step);
        *step = (struct sequence_step){ k, made->commanded
                                               || (made->model->when != EXPR_NONE
                                                   && phase_system_value(sys, made->model->when, y, sim_p(at->sim))
                                                          > MET_BEFORE) };
        changes_add(changes, (struct change){ .t = event->t, .place = extract_transition(sys, at->grid, event->t, k),
                                              .subject = first + made->machine, .state = made->model->to, .step = step });
    }
    free(y);
}

/* Does a contact open where a piece begins? Then what closes there without an impulse is slid onto. */
static bool any_opens(const struct reader *at, int piece)
{
    bool any = false;
    for (int c = 0; c < at->sys->n_contact; c++)
        any = any || (state_of(at, piece - 1, c) != PHASE_OPEN && state_of(at, piece, c) == PHASE_OPEN);
    return any;
}

static void add_changes(struct reader *at, struct changes *changes)
{
    const int n_c = at->sys->n_contact, n = n_c + at->sys->dcs->n_switch;
    int next = 0;
    for (int piece = 1; piece < sim_n_pieces(at->sim); piece++) {
        const double t = sim_piece_at(at->sim, piece).t_start;
        add_transitions(at, &next, t + SAME_TIME, changes);
        for (int k = 0; k < n; k++) {
            const int before = state_of(at, piece - 1, k), after = state_of(at, piece, k);
            const double *impulse = k < n_c && before == PHASE_OPEN ? impulse_at(at, k, t) : NULL;
            const bool slides_onto = impulse && impulse[0] <= 0 && after != PHASE_OPEN && any_opens(at, piece);
            int hit = impulse && !slides_onto ? state_of_impulse(&at->sys->contact[k], impulse) : PHASE_OPEN;
            if (k < n_c && before == PHASE_OPEN && after != PHASE_OPEN && !impulse
                && appears(at, k, place_of(at, t)))
                hit = after;                    /* at rest */
            const bool own = k >= n_c && at->sys->sw[k - n_c].own;              /* whose force is continuous */
            if (before != after || hit != PHASE_OPEN)
                changes_add(changes,
                            (struct change){ t, own ? extract_inside(at->sys, at->grid, t) : place_of(at, t), k,
                                             after, hit, NULL });
        }
    }
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static void y_at(void *user, double t, double *y)
{
    const struct reader *at = user;
    sim_eval(at->sim, t, -1, y);
    fill_y(at, t, y);
}

static void fill_samples(const struct reader *at, const struct extract *out)
{
    enum { PER_PIECE = 3 };
    struct samples *samples = out->samples;
    samples->horizon = sim_t_end(at->sim);
    memcpy(samples->p, sim_p(at->sim), (size_t)samples->n_p * sizeof(double));
    for (int i = 0; i < samples->n_interval && samples->n_u; i++)
        sim_eval_u(at->sim, sim_find_piece(at->sim, at->grid[i], 1), at->grid[i], samples->u + i * samples->n_u);
    for (int piece = 0; piece < sim_n_pieces(at->sim); piece++) {
        const struct sim_piece one = sim_piece_at(at->sim, piece);
        const double middle = 0.5 * (one.t_start + one.t_end);
        int mode = 0;
        while (mode < out->seq->n_event && samples->t_event[mode] < middle) mode++;
        for (int k = 0; k <= PER_PIECE; k++) {
            const double t = one.t_start + (one.t_end - one.t_start) * k / PER_PIECE;
            double *y = samples_add(samples, t, mode);
            sim_eval_x(at->sim, piece, t, y);
            fill_y(at, t, y);
        }
    }
}

/* Of points inside the pieces, which end where controls jump. */
static void add_sides(const struct reader *at, struct changes *changes, unsigned char *start)
{
    enum { PER_PIECE = 4 };
    const struct phase_system *sys = at->sys;
    const struct model *model = sys->model;
    const int n = sim_n_pieces(at->sim);
    struct arena mem = { NULL };
    struct stretch *stretch = arena_alloc(&mem, (size_t)n, sizeof *stretch);
    double *u = arena_alloc(&mem, (size_t)(model->time.n_intervals * model->n_u), sizeof *u);
    for (int i = 0; i < model->time.n_intervals && model->n_u && sys->n_pair; i++)
        sim_eval_u(at->sim, sim_find_piece(at->sim, at->grid[i], 1), at->grid[i], u + i * model->n_u);
    for (int piece = 0; piece < n && sys->n_pair; piece++) {
        const struct sim_piece one = sim_piece_at(at->sim, piece);
        double *t = arena_alloc(&mem, PER_PIECE, sizeof *t);
        double *y = arena_alloc(&mem, (size_t)(PER_PIECE * sys->n_y), sizeof *y);
        for (int k = 0; k < PER_PIECE; k++) {
            t[k] = one.t_start + (one.t_end - one.t_start) * (k + 1) / PER_PIECE;
            sim_eval_x(at->sim, piece, t[k], y + k * sys->n_y);
            fill_y(at, t[k], y + k * sys->n_y);
        }
        stretch[piece] = (struct stretch){ one.t_start, one.t_end,
                                           extract_inside(sys, at->grid, 0.5 * (one.t_start + one.t_end)) / 2,
                                           PER_PIECE, t, y };
    }
    const struct stretches from = { .n = n, .stretch = stretch, .horizon = sim_t_end(at->sim), .equidistant = true, .u = u,
                                    .p = sim_p(at->sim) };
    changes_add_sides(sys, &from, changes, start);
    arena_free(&mem);
}

bool extract_simulation_on(const struct phase_system *sys, const struct sim *sim, const double *t_interval,
                           struct extract *out)
{
    const size_t n = (size_t)(sys->n_contact + sys->n_switch), n_grid = (size_t)sys->model->time.n_intervals + 1;
    struct reader at = { .sys = sys, .sim = sim, .subject = mem_alloc(n, sizeof(int)),
                         .grid = mem_alloc(n_grid, sizeof(double)) };
    if (t_interval)
        memcpy(at.grid, t_interval, n_grid * sizeof *at.grid);
    else
        model_grid(sys->model, sim_t_end(sim), sim_p(sim), at.grid);
    *out = (struct extract){ NULL, NULL, 0 };
    const bool usable = sim_n_pieces(sim) > 0 && match_subjects(&at);
    if (usable) {
        struct changes changes = { 0 };
        unsigned char *start = mem_alloc((size_t)phase_system_n_subject(sys), 1);
        for (int k = 0; k < sys->n_contact + sys->dcs->n_switch; k++)
            start[k] = (unsigned char)state_of(&at, 0, k);
        for (int m = 0; m < sys->n_machine; m++)
            start[sys->n_contact + sys->n_switch + m] = (unsigned char)sys->model->switching.machine[m].start;
        add_changes(&at, &changes);
        add_sides(&at, &changes, start);
        *out = changes_to_sequence(sys, start, &changes, y_at, &at);
        fill_samples(&at, out);
        if (t_interval) {
            out->samples->t_interval = mem_alloc(n_grid, sizeof(double));
            memcpy(out->samples->t_interval, t_interval, n_grid * sizeof(double));
        }
        extract_patches(sys, out, PATCH_END);
        extract_first(sys, out);
        free(changes.change);
        free(start);
    }
    arena_free(&at.mem);
    free(at.subject);
    free(at.grid);
    return usable;
}

bool extract_simulation(const struct phase_system *sys, const struct sim *sim, struct extract *out)
{
    return extract_simulation_on(sys, sim, NULL, out);
}

struct extract extract_prefix(const struct extract *from, int n_event)
{
    struct extract out = { sequence_copy(from->seq), NULL, 0 };
    while (out.seq->n_event > n_event)
        sequence_remove(out.seq, out.seq->n_event - 1, out.seq->n_event, NULL);
    out.samples = samples_remap(from->samples, n_event, from->samples->t_event, false);
    return out;
}
