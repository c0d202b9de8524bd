/* The sequence of a solution whose elements end at events (FESD, FESD-J, time-freezing): each element
 * is in one mode, told by its states alone. A contact is closed where its gap never shows, a switch
 * slides where c never does. */
#include "transcription/reading/extract.h"

#include "core/base/mem.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ELEMENT_ZERO 1e-5           /* of the largest gap (at least 1 m) or switching function: below it is 0 */
#define ELEMENT_SLIP 2e-3           /* of the largest slip, at least of 1 m/s: below it sticks */
#define REBOUND 1e-3                /* m/s: an open contact that is slower does not rebound */
#define STOPPED 0.1                 /* of the speed before an impact: more left is none; it may open at once */
#define SMALL_OPENING 1e-3          /* m: smaller openings between closed phases are none */
#define BAND_SPEED 0.05             /* m/s: a gap that is slower stands still */
#define BAND_DRIFT 4                /* half widths of it: how far a closed gap drifts at a sigma of 1e-3; monoped: 2.5 */
#define BAND_OPENING 1.5            /* half widths that come on top of a small opening */
#define SHORT_ELEMENT 1e-4          /* of the nominal element: shorter ones tell nothing */
#define FROZEN 1e-2                 /* physical by numerical time: less is a jump of time-freezing */

struct element {
    const struct stretch *at;
    double *out;                    /* [at->n * n_state] outputs of the state function */
    unsigned char *state;           /* [n_subject] */
    bool *on;                       /* [n_switch] relays at its left boundary */
};

struct reader {
    const struct phase_system *sys;
    const struct stretches *from;
    struct arena mem;
    struct tape *tape;
    double *in, *work;
    struct element *element;        /* [from->n] */
    double *grid;                   /* [n_interval + 1] */
    double *most;                   /* [n_state] largest magnitude of an output */
    bool *on;                       /* [n_switch] relays where reading has come to */
    unsigned char *machine;         /* [n_machine] states there */
};

/* --- Reading ------------------------------------------------------------------------------------------------- */

static const double *point_of(const struct reader *at, const struct element *element, int k)
{
    return element->at->y + (size_t)k * (size_t)at->sys->n_y;
}

static double output(const struct reader *at, const struct element *element, int k, int out)
{
    return element->out[(size_t)k * (size_t)at->sys->out.n_state + (size_t)out];
}

/* The step of switch l where its function is c; a relay that is about to switch does. */
static bool is_on(const struct reader *at, int l, double c)
{
    if (!at->sys->sw[l].sw->relay)
        return c > 0;
    const double about = ELEMENT_ZERO * fmax(1, fabs(c));
    return at->on[l] ? c > about : c > -about;
}

/* Outputs at a point; steps of switching functions inside others as their signs say, those of
 * relays as they have been so far. */
static void evaluate(struct reader *at, const double *y, double *out)
{
    const struct phase_system *sys = at->sys;
    const int rounds = sys->dcs->n_switch ? 2 : 1;
    memset(at->in, 0, (size_t)sys->n_slot * sizeof(double));
    memcpy(at->in + sys->y, y, (size_t)sys->n_y * sizeof(double));
    for (int k = 0; k < sys->model->n_p; k++)
        at->in[sys->p + k] = at->from->p[k];
    if (sys->T >= 0)
        at->in[sys->T] = at->from->horizon;
    phase_system_signals(sys, at->machine, at->in + sys->signal);
    for (int l = 0; l < sys->dcs->n_switch; l++)
        at->in[sys->sw[l].alpha] = sys->sw[l].own || (sys->sw[l].sw->relay && at->on[l]);
    for (int round = 0; round < rounds; round++) {
        tape_eval(at->tape, 1, at->in, 1, out, 1, at->work);
        for (int l = 0; l < sys->dcs->n_switch; l++) {
            const bool on = is_on(at, l, out[sys->out.c + l]);
            at->in[sys->sw[l].alpha] = sys->sw[l].own || on;       /* H without its force, which is there where that is below 0 */
            at->on[l] = on;
        }
    }
}

static void read_element(struct reader *at, struct element *element, const struct stretch *stretch)
{
    const struct phase_system *sys = at->sys;
    element->at = stretch;
    element->out = arena_alloc(&at->mem, (size_t)(stretch->n * sys->out.n_state), sizeof(double));
    element->state = arena_alloc(&at->mem, (size_t)phase_system_n_subject(sys), 1);
    element->on = arena_alloc(&at->mem, (size_t)sys->n_switch, sizeof *element->on);
    for (int k = 0; k < stretch->n; k++) {
        double *out = element->out + (size_t)k * (size_t)sys->out.n_state;
        evaluate(at, point_of(at, element, k), out);
        if (k == 0)
            memcpy(element->on, at->on, (size_t)sys->n_switch * sizeof *at->on);
        for (int i = 0; i < sys->out.n_state; i++)
            at->most[i] = fmax(at->most[i], fabs(out[i]));
    }
}

/* Machines as they are in stretch k; *next is the transition that comes next. */
static void follow_machines(struct reader *at, int k, int *next)
{
    const struct stretch *stretch = &at->from->stretch[k];
    const double middle = 0.5 * (stretch->t_start + stretch->t_end);
    for (; *next < at->from->n_step && at->from->made[*next].t < middle; ++*next) {
        const struct phase_transition *made = &at->sys->transition[at->from->made[*next].step.transition];
        at->machine[made->machine] = (unsigned char)made->model->to;
    }
}

static struct reader reader_create(const struct phase_system *sys, const struct stretches *from)
{
    struct reader at = { .sys = sys, .from = from };
    at.tape = tape_create(sys->g, sys->n_slot, sys->slot, sys->out.n_state, sys->state);
    at.in = arena_alloc(&at.mem, (size_t)sys->n_slot, sizeof(double));
    at.work = arena_alloc(&at.mem, tape_work_size(at.tape), sizeof(double));
    at.grid = arena_alloc(&at.mem, (size_t)sys->model->time.n_intervals + 1, sizeof(double));
    model_grid(sys->model, from->horizon, from->p, at.grid);
    at.most = arena_alloc(&at.mem, (size_t)sys->out.n_state, sizeof(double));
    at.on = arena_alloc(&at.mem, (size_t)sys->n_switch, sizeof *at.on);
    for (int l = 0; l < sys->dcs->n_switch; l++)
        at.on[l] = sys->sw[l].sw->relay && sys->sw[l].sw->relay->starts_on;
    at.element = arena_alloc(&at.mem, (size_t)from->n, sizeof *at.element);
    at.machine = arena_alloc(&at.mem, (size_t)sys->n_machine, 1);
    for (int m = 0; m < sys->n_machine; m++)
        at.machine[m] = (unsigned char)sys->model->switching.machine[m].start;
    for (int k = 0, next = 0; k < from->n; k++) {
        follow_machines(&at, k, &next);
        read_element(&at, &at.element[k], &from->stretch[k]);
    }
    return at;
}

/* --- States -------------------------------------------------------------------------------------------------- */

/* The value of largest magnitude in the element. */
static double extreme(const struct reader *at, const struct element *element, int out)
{
    double most = 0;
    for (int k = 0; k < element->at->n; k++)
        if (fabs(output(at, element, k, out)) > fabs(most))
            most = output(at, element, k, out);
    return most;
}

static unsigned char state_of_slip(const struct reader *at, int c, const double *v)
{
    const int n_t = at->sys->contact[c].n_t, out = at->sys->out.v_t + SLIP_MAX * c;
    if (n_t == 0)
        return PHASE_CLOSED;
    if (slip_size(v) <= ELEMENT_SLIP * fmax(1, slip_size(&at->most[out])))
        return PHASE_STICK;
    return n_t > 1 ? PHASE_SLIP : v[0] > 0 ? PHASE_FORWARD : PHASE_BACKWARD;
}

/* Does contact c touch all through the element? A gap with a dead band drifts, out of it where solutions are
 * loose (time_freezing.md 11). One that moves is open: steps of simulations are short right after an impact. Not
 * at its end, where what slides over an edge has two velocities; but where gaps drift the end tells, too
 * (monoped_holes 164.4, 239.4 without). */
static bool touches(const struct reader *at, const struct element *element, int c)
{
    const struct phase_outputs *out = &at->sys->out;
    const double gap = extreme(at, element, out->gap + c), band = at->from->dead_band;
    const int last = element->at->n > 2 && !(band > 0) ? element->at->n - 1 : element->at->n;
    double fastest = 0;
    for (int k = 1; k < last; k++)
        fastest = fmax(fastest, fabs(output(at, element, k, out->v_n + c)));
    const double most = band > 0 ? BAND_DRIFT * band : ELEMENT_ZERO * fmax(1, at->most[out->gap + c]);
    return (band > 0 ? gap : fabs(gap)) <= most && fastest < BAND_SPEED;
}

static bool is_there(const struct reader *at, const struct element *element, int c)
{
    return model_has_contact(at->sys->model, c, element->at->interval);
}

static unsigned char state_of_contact(const struct reader *at, const struct element *element, int c)
{
    const struct phase_outputs *out = &at->sys->out;
    const enum contact_role is = model_contact_in(at->sys->model, c, element->at->interval);
    if (is == CONTACT_STICKS)
        return at->sys->contact[c].n_t ? PHASE_STICK : PHASE_CLOSED;
    if (is != CONTACT_THERE || !touches(at, element, c))
        return PHASE_OPEN;
    double v[SLIP_MAX];
    for (int k = 0; k < SLIP_MAX; k++)
        v[k] = extreme(at, element, out->v_t + SLIP_MAX * c + k);
    return state_of_slip(at, c, v);
}

static unsigned char state_of_switch(const struct reader *at, const struct element *element, int l)
{
    const double c = extreme(at, element, at->sys->out.c + l);
    if (at->sys->sw[l].sw->relay)
        return element->on[l] ? PHASE_POSITIVE : PHASE_NEGATIVE;
    if (fabs(c) <= fmax(ELEMENT_ZERO * at->most[at->sys->out.c + l], ELEMENT_ROUNDING)
        || (at->sys->sw[l].wall && c <= 0))
        return PHASE_SLIDING;
    return c > 0 ? PHASE_POSITIVE : PHASE_NEGATIVE;
}

/* Openings of contact c between closed phases whose gap is too small to be one. */
static void close_small_openings(struct reader *at, int c)
{
    for (int first = 1, end; first < at->from->n; first = end + 1) {
        double most = 0;
        for (end = first; end < at->from->n && at->element[end].state[c] == PHASE_OPEN; end++)
            most = !is_there(at, &at->element[end], c)
                       ? INFINITY
                       : fmax(most, extreme(at, &at->element[end], at->sys->out.gap + c));
        const unsigned char before = at->element[first - 1].state[c];
        const double small = SMALL_OPENING + BAND_OPENING * at->from->dead_band;
        for (int k = first; k < end && before != PHASE_OPEN && end < at->from->n && most < small; k++)
            at->element[k].state[c] = before;
    }
}

static void find_states(struct reader *at)
{
    for (int k = 0; k < at->from->n; k++) {
        for (int c = 0; c < at->sys->n_contact; c++)
            at->element[k].state[c] = state_of_contact(at, &at->element[k], c);
        for (int l = 0; l < at->sys->dcs->n_switch; l++)
            at->element[k].state[at->sys->n_contact + l] = state_of_switch(at, &at->element[k], l);
    }
    for (int c = 0; c < at->sys->n_contact && !at->sys->model->time.prescribes; c++)
        close_small_openings(at, c);
}

/* --- Changes ------------------------------------------------------------------------------------------------- */

/* Grid point or interval of a boundary between elements: the interval of the one before, unless that goes on beyond
 * it, as those of simulations do. */
static int place_of(const struct reader *at, const struct element *before, double t)
{
    const int place = at->from->equidistant ? extract_place(at->sys, at->grid, t, ON_GRID) : 1, i = before->at->interval;
    const double near = ON_GRID * (at->grid[i + 1] - at->grid[i]);
    const bool beyond = at->from->equidistant && t > at->grid[i + 1] + near;
    return place % 2 == 0 || beyond ? place : 2 * i + 1;
}

static bool any_opens(const struct reader *at, const struct element *a, const struct element *b)
{
    bool any = false;
    for (int c = 0; c < at->sys->n_contact; c++)
        any = any || (a->state[c] != PHASE_OPEN && b->state[c] == PHASE_OPEN);
    return any;
}

/* Does contact c, without a normal that turns, come to lie on something as another runs off it, with no jump of
 * velocities? */
static bool slides_onto(const struct reader *at, const struct element *a, const struct element *b, int c)
{
    const struct model *model = at->sys->model;
    const double *before = point_of(at, a, a->at->n - 1), *after = point_of(at, b, 0);
    double most = 0;
    for (int i = 0; i < model->mechanics.n_q; i++)
        most = fmax(most, fabs(after[model->mechanics.v_index[i]] - before[model->mechanics.v_index[i]]));
    return at->sys->contact[c].model->n_corner > 0 && !at->sys->contact[c].model->turns && most <= ELEMENT_ZERO
           && any_opens(at, a, b);
}

/* Is contact c hit between elements a and b? The state of its impulse, or PHASE_OPEN. */
static int impulse_state(const struct reader *at, const struct element *a, const struct element *b, int c)
{
    const struct phase_outputs *out = &at->sys->out;
    if (a->state[c] != PHASE_OPEN || !is_there(at, b, c))
        return PHASE_OPEN;
    if (b->state[c] != PHASE_OPEN)
        return slides_onto(at, a, b, c) ? PHASE_OPEN : b->state[c];
    const double before = output(at, a, a->at->n - 1, out->v_n + c), after = output(at, b, 0, out->v_n + c);
    if (before > -REBOUND || after < STOPPED * before || after < before + REBOUND)
        return PHASE_OPEN;
    double v[SLIP_MAX];
    for (int k = 0; k < SLIP_MAX; k++)
        v[k] = output(at, b, 0, out->v_t + SLIP_MAX * c + k);
    return state_of_slip(at, c, v);
}

/* Is anything hit between elements a and b, which no phase by the user begins with? */
static bool any_hit(const struct reader *at, const struct element *a, const struct element *b)
{
    bool any = false;
    for (int c = 0; c < at->sys->n_contact && at->sys->model->time.n_phase == 0; c++)
        any = any || impulse_state(at, a, b, c) != PHASE_OPEN;
    return any;
}

/* No jump of controls hits: with all that it changes, an impact lies inside an interval. */
static void add_changes(const struct reader *at, struct changes *changes)
{
    const int n_c = at->sys->n_contact, n = n_c + at->sys->dcs->n_switch;
    for (int k = 1; k < at->from->n; k++) {
        const struct element *a = &at->element[k - 1], *b = &at->element[k];
        const double t = b->at->t_start;
        const bool hits = any_hit(at, a, b);
        for (int i = 0; i < n; i++) {
            const int hit = i < n_c ? impulse_state(at, a, b, i) : PHASE_OPEN;
            const bool own = i >= n_c && at->sys->sw[i - n_c].own;              /* whose force is continuous */
            const int place = own || hits ? extract_inside(at->sys, at->grid, t) : place_of(at, a, t);
            if (a->state[i] != b->state[i] || hit != PHASE_OPEN)
                changes_add(changes, (struct change){ t, place, i, b->state[i], hit, NULL });
        }
    }
}

static void add_transitions(const struct reader *at, struct changes *changes)
{
    const int first = at->sys->n_contact + at->sys->n_switch;
    for (int k = 0; k < at->from->n_step; k++) {
        const struct stretch_step *one = &at->from->made[k];
        const struct phase_transition *made = &at->sys->transition[one->step.transition];
        changes_add(changes, (struct change){ .t = one->t, .place = extract_transition(at->sys, at->grid, one->t, one->step.transition),
                                              .subject = first + made->machine, .state = made->model->to, .step = &one->step });
    }
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

/* The state at the end of the element that ends nearest before t. */
static void y_at(void *user, double t, double *y)
{
    const struct reader *at = user;
    int k = 0;
    while (k + 1 < at->from->n && at->from->stretch[k + 1].t_start < t - 1e-12) k++;
    memcpy(y, point_of(at, &at->element[k], at->from->stretch[k].n - 1), (size_t)at->sys->n_y * sizeof *y);
}

void extract_fill(const struct stretches *from, struct samples *samples)
{
    samples->horizon = from->horizon;
    if (samples->n_p)
        memcpy(samples->p, from->p, (size_t)samples->n_p * sizeof(double));
    if (samples->n_u)
        memcpy(samples->u, from->u, (size_t)(samples->n_interval * samples->n_u) * sizeof(double));
    for (int k = 0; k < from->n; k++) {
        const struct stretch *one = &from->stretch[k];
        const double middle = 0.5 * (one->t_start + one->t_end);
        int mode = 0;
        while (mode < samples->n_event && samples->t_event[mode] < middle) mode++;
        for (int r = 0; r < one->n; r++)
            memcpy(samples_add(samples, one->t[r], mode), one->y + r * samples->n_y,
                   (size_t)samples->n_y * sizeof(double));
    }
}

struct extract extract_stretches(const struct phase_system *sys, const struct stretches *from)
{
    struct reader at = reader_create(sys, from);
    struct changes changes = { 0 };
    find_states(&at);
    for (int m = 0; m < sys->n_machine; m++)
        at.element[0].state[sys->n_contact + sys->n_switch + m] =
            (unsigned char)sys->model->switching.machine[m].start;
    add_transitions(&at, &changes);
    add_changes(&at, &changes);
    changes_add_sides(sys, from, &changes, at.element[0].state);
    struct extract out = changes_to_sequence(sys, at.element[0].state, &changes, y_at, &at);
    extract_fill(from, out.samples);
    extract_patches(sys, &out, PATCH_END);
    free(changes.change);
    tape_free(at.tape);
    arena_free(&at.mem);
    return out;
}

/* --- From a program ------------------------------------------------------------------------------------------ */

static struct stretch read_stretch(const struct phase_system *sys, struct transcription *tr, const double *w, int e,
                                   double t_start, double t_end, struct arena *mem)
{
    const int n = tr->n_point + 1;
    double *y = arena_alloc(mem, (size_t)(n * sys->n_y), sizeof *y), *t = arena_alloc(mem, (size_t)n, sizeof *t);
    for (int k = 0; k < n; k++) {
        t[k] = t_start + (k == 0 ? 0 : tr_is_stage(tr, k) ? tr->rk->c[k - 1] : 1) * (t_end - t_start);
        tr_get_y(tr, w, e, k, sys->model->n_x, y + k * sys->n_y);
        if (sys->dcs->clock >= 0)
            y[k * sys->n_y + sys->dcs->clock] = t[k];
    }
    return (struct stretch){ t_start, t_end, tr->interval_of[e], n, t, y };
}

struct extract extract_elements(const struct phase_system *sys, struct transcription *tr, const double *w)
{
    struct arena mem = { NULL };
    struct stretch *stretch = arena_alloc(&mem, (size_t)tr->n_element, sizeof *stretch);
    double *u = arena_alloc(&mem, (size_t)(tr->n_interval * sys->model->n_u), sizeof *u), t = 0;
    struct stretches from = { .stretch = stretch, .horizon = tr->T >= 0 ? w[tr->T] : tr->task.grid.horizon,
                              .equidistant = tr->settings->control_grid == CONTROL_GRID_EQUIDISTANT,
                              .dead_band = tr->dcs->n_band ? tr->task.dead_band : 0,        /* time_freezing.md 11 */
                              .u = u, .p = &w[tr->p] };
    for (int i = 0; i < tr->n_interval; i++)
        for (int k = 0; k < sys->model->n_u; k++)
            u[i * sys->model->n_u + k] = w[tr->u[i] + k];
    for (int e = 0; e < tr->n_element; e++) {
        const double h = w[tr->h[e]];
        const double end = tr->dcs->clock >= 0 ? w[tr_y(tr, e, tr_right(tr), tr->dcs->clock)] : t + h;
        if (end - t > SHORT_ELEMENT * tr->h0[e] && end - t > FROZEN * h)
            stretch[from.n++] = read_stretch(sys, tr, w, e, t, end, &mem);
        t = end;
    }
    const struct extract out = extract_stretches(sys, &from);
    arena_free(&mem);
    return out;
}
