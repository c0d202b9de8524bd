/* The sequence of a time-stepping solution (phases.md "Reading"): closed where a force acts, impacts from the gap
 * before. */
#include "transcription/reading/extract.h"

#include "core/base/mem.h"
#include "transcription/reading/step_switches.h"
#include "transcription/sequence/couple.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FORCE_TOL 1e-4              /* of a contact's largest force: below it is open */
#define FORCE_HOLE 1e-3             /* m: largest gap in a hole of the force that is no opening */
#define EXPLOITED 0.3               /* defect of time steps: hopper 1e-3, discs 5e-2; monoped more, whose finishes fail */
#define NEAR_IMPACT 1.6             /* steps: changes this near to an impact are its own */
#define THROWN_OFF 1e-2             /* of the speed of an impact: what it gives to a contact that it opens */

struct steps {
    const struct phase_system *sys;
    const struct time_steps *from;
    enum landing landing;
    int n, n_c;
    const double *t;                /* [n + 1] ends of steps */
    const double *y;                /* [(n + 1) * n_y] */
    const double *force;            /* [(n + 1) * n_c] */
    double *grid;                   /* [n_interval + 1] */
    double *gap, *v_n, *v_t;        /* [(n + 1) * n_c]; v_t: [SLIP_MAX] each */
    unsigned char *state;           /* [(n + 1) * n_c] of the step that ends there */
    double *most_force, *most_slip; /* [n_c] */
};

static double slip(const struct steps *at, int n, int c)
{
    return slip_size(&at->v_t[SLIP_MAX * (n * at->n_c + c)]);
}

/* --- Reading ------------------------------------------------------------------------------------------------- */

/* Gap and velocities of all contacts at all points by one tape. */
static void evaluate(struct steps *at)
{
    const struct phase_system *sys = at->sys;
    const struct model *model = sys->model;
    const int n_in = sys->n_y + model->n_p, each = 1 + CONTACT_ROWS, n_out = each * at->n_c, n = at->n + 1;
    expr *in = mem_alloc((size_t)n_in, sizeof *in), *out = mem_alloc((size_t)n_out, sizeof *out);
    memcpy(in, &sys->slot[sys->y], (size_t)sys->n_y * sizeof *in);
    for (int k = 0; k < model->n_p; k++)
        in[sys->n_y + k] = model->p_sym[k];
    for (int c = 0; c < at->n_c; c++) {
        const struct phase_contact *contact = &sys->contact[c];
        out[each * c] = contact->model->gap;
        out[each * c + 1] = contact->model->v_n;
        for (int k = 0; k < SLIP_MAX; k++)
            out[each * c + 2 + k] = k < contact->n_t ? contact->model->v_t[k] : expr_const(sys->g, 0);
    }
    struct tape *tape = tape_create(sys->g, n_in, in, n_out, out);
    double *x = mem_alloc((size_t)(n_in * n), sizeof *x), *f = mem_alloc((size_t)(n_out * n), sizeof *f);
    double *work = mem_alloc(tape_work_size(tape), sizeof *work);
    for (int i = 0; i < n_in; i++)
        for (int k = 0; k < n; k++)
            x[i * n + k] = i < sys->n_y ? at->y[k * sys->n_y + i] : at->from->p[i - sys->n_y];
    tape_eval(tape, n, x, (size_t)n, f, (size_t)n, work);
    for (int k = 0; k < n; k++)
        for (int c = 0; c < at->n_c; c++) {
            const int place = k * at->n_c + c;
            at->gap[place] = f[(each * c) * n + k];
            at->v_n[place] = f[(each * c + 1) * n + k];
            for (int q = 0; q < SLIP_MAX; q++)
                at->v_t[SLIP_MAX * place + q] = f[(each * c + 2 + q) * n + k];
        }
    tape_free(tape);
    free(in);
    free(out);
    free(x);
    free(f);
    free(work);
}

static struct steps read_steps(const struct phase_system *sys, const struct time_steps *from, enum landing landing)
{
    struct steps at = { .sys = sys, .from = from, .landing = landing, .n = from->n, .n_c = sys->n_contact, .t = from->t, .y = from->y,
                        .force = from->force };
    const size_t n = (size_t)at.n + 1, n_c = (size_t)at.n_c;
    at.gap = mem_alloc(n * n_c, sizeof(double));
    at.v_n = mem_alloc(n * n_c, sizeof(double));
    at.v_t = mem_alloc(SLIP_MAX * n * n_c, sizeof(double));
    at.state = mem_alloc(n * n_c, 1);
    at.most_force = mem_alloc(n_c, sizeof(double));
    at.most_slip = mem_alloc(n_c, sizeof(double));
    at.grid = mem_alloc((size_t)sys->model->time.n_intervals + 1, sizeof(double));
    model_grid(sys->model, at.t[at.n], from->p, at.grid);
    evaluate(&at);
    for (int c = 0; c < at.n_c; c++) {
        at.most_force[c] = 1e-9;
        at.most_slip[c] = 1;
        for (int k = 1; k <= at.n; k++) {
            at.most_force[c] = fmax(at.most_force[c], at.force[k * at.n_c + c]);
            at.most_slip[c] = fmax(at.most_slip[c], slip(&at, k, c));
        }
    }
    return at;
}

static void steps_free(struct steps *at)
{
    double *const array[] = { at->grid, at->gap, at->v_n, at->v_t, at->most_force, at->most_slip };
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        free(array[k]);
    free(at->state);
}

/* Is contact c there in step k? */
static bool is_there(const struct steps *at, int k, int c)
{
    return model_has_contact(at->sys->model, c, extract_step_interval(at->sys, at->grid, at->t, k));
}

/* --- States of steps ----------------------------------------------------------------------------------------- */

static unsigned char state_of_slip(const struct steps *at, int c, const double *v, double tol)
{
    const int n_t = at->sys->contact[c].n_t;
    if (n_t == 0)
        return PHASE_CLOSED;
    if (slip_size(v) <= tol * at->most_slip[c])
        return PHASE_STICK;
    return n_t > 1 ? PHASE_SLIP : v[0] > 0 ? PHASE_FORWARD : PHASE_BACKWARD;
}

static bool opposite(int a, int b)
{
    return (a == PHASE_FORWARD && b == PHASE_BACKWARD) || (a == PHASE_BACKWARD && b == PHASE_FORWARD);
}

/* Openings between closed steps that never show a gap. */
static void close_small_openings(struct steps *at, int c)
{
    const int n_c = at->n_c;
    for (int first = 2, end; first < at->n; first = end + 1) {
        double most = 0;
        for (end = first; end <= at->n && at->state[end * n_c + c] == PHASE_OPEN; end++)
            most = is_there(at, end, c) ? fmax(most, at->gap[end * n_c + c]) : INFINITY;
        const unsigned char before = at->state[(first - 1) * n_c + c];
        for (int k = first; k < end && end <= at->n && before != PHASE_OPEN && most < FORCE_HOLE; k++)
            at->state[k * n_c + c] = before;
    }
}

static void find_states(struct steps *at)
{
    const int n_c = at->n_c;
    unsigned char *s = at->state;
    for (int c = 0; c < n_c; c++) {
        for (int k = 1; k <= at->n; k++)
            s[k * n_c + c] = at->force[k * n_c + c] > FORCE_TOL * at->most_force[c]
                                 ? state_of_slip(at, c, &at->v_t[SLIP_MAX * (k * n_c + c)], SLIP_TOL)
                                 : PHASE_OPEN;
        close_small_openings(at, c);
        for (int k = 2; k < at->n; k++)
            if (s[k * n_c + c] == PHASE_STICK && opposite(s[(k - 1) * n_c + c], s[(k + 1) * n_c + c]))
                s[k * n_c + c] = s[(k - 1) * n_c + c];
    }
}

/* --- Changes ------------------------------------------------------------------------------------------------- */

/* On a grid point the interval that ends there. */
static int inside(const struct steps *at, double t)
{
    return extract_inside(at->sys, at->grid, t - 1e-12 * at->t[at->n] / at->sys->model->time.n_intervals);
}

/* Of the grid point at the start of step k, or inside. */
static int place_of_step(const struct steps *at, int k, double t)
{
    const int place = extract_place(at->sys, at->grid, at->t[k - 1], STEP_ON_GRID);
    return place % 2 == 0 && t == at->t[k - 1] ? place : inside(at, t);
}

/* Touchdown in step k; returns the step to go on from. An impulse fills two steps. */
static int add_touchdown(const struct steps *at, struct changes *changes, int k, int c, int *state)
{
    int end = k;
    while (end <= at->n && at->state[end * at->n_c + c] != PHASE_OPEN) end++;
    const double h = at->t[k] - at->t[k - 1], speed = fmax(-at->v_n[k * at->n_c + c], 1e-9);
    const double t = at->t[k - 1] + h * fmin(0.98, fmax(0.02, at->gap[(k - 1) * at->n_c + c] / speed / h));
    const unsigned char later = at->state[(k + 1 < end ? k + 1 : end - 1) * at->n_c + c];
    const bool elastic = at->landing == LANDING_BOUNCES && at->sys->contact[c].model->e > 0;
    const bool appears = k > 1 && !is_there(at, k - 1, c) && at->gap[(k - 1) * at->n_c + c] < TOUCHES;
    *state = elastic ? PHASE_OPEN : later;
    if (appears)                                /* it is there from here on, and closed at once */
        changes_add(changes,
                    (struct change){ at->t[k - 1], place_of_step(at, k, at->t[k - 1]), c, *state, later, NULL });
    else
        changes_add(changes, (struct change){ t, inside(at, t), c, *state, later, NULL });
    return elastic ? end : k + 2 < end ? k + 2 : end;
}

/* A closed contact opens, slips or sticks in step k: lift-off and the end of sticking at its start, slip ends
 * where the velocity would be 0. */
static void add_transition(const struct steps *at, struct changes *changes, int k, int c, int from, int to)
{
    const double h = at->t[k] - at->t[k - 1];
    double t = at->t[k - 1];
    if (to == PHASE_OPEN || from == PHASE_STICK) {
        if (place_of_step(at, k, t) % 2)
            t += 0.1 * h;
    } else {
        const double now = slip(at, k - 1, c), before = k < 2 ? now : slip(at, k - 2, c);
        t += h * fmax(0.1, before > now ? fmin(0.9, now / fmax(before - now, 1e-9)) : 0.5);
    }
    changes_add(changes, (struct change){ t, place_of_step(at, k, t), c, to, PHASE_OPEN, NULL });
}

static void add_contact(const struct steps *at, struct changes *changes, int c, unsigned char *start)
{
    int state = at->gap[c] < TOUCHES ? at->state[at->n_c + c] : PHASE_OPEN;
    *start = (unsigned char)state;
    for (int k = 1; k <= at->n;) {
        const int now = at->state[k * at->n_c + c];
        if (now == state) {
            k++;
        } else if (state == PHASE_OPEN) {
            k = add_touchdown(at, changes, k, c, &state);
        } else {
            add_transition(at, changes, k, c, state, now);
            state = now;
            k++;
        }
    }
}

/* --- What an impact does to closed contacts ------------------------------------------------------------------ */

static int step_at(const struct steps *at, double t)
{
    int k = 1;
    while (k < at->n && at->t[k] < t) k++;
    return k;
}

/* Takes out changes of contact c near t that the impact explains. */
static void drop_explained(const struct steps *at, struct changes *changes, double t, int c, int state)
{
    const double near = NEAR_IMPACT * (at->t[1] - at->t[0]);
    int n = 0;
    for (int k = 0; k < changes->n; k++) {
        const struct change *one = &changes->change[k];
        const bool explained = one->subject == c && one->hit == PHASE_OPEN && fabs(one->t - t) < near
                               && one->state == state && state != PHASE_OPEN;
        if (!explained)
            changes->change[n++] = *one;
    }
    changes->n = n;
}

/* Do the two steps after an impact in step k say that contact c sticks? Of what rebounds they know nothing. */
static bool sticks_after(const struct steps *at, int k, int c)
{
    bool sticks = at->sys->contact[c].model->e == 0;
    for (int later = k + 1; later <= k + 2 && later <= at->n; later++)
        sticks = sticks && at->state[later * at->n_c + c] == PHASE_STICK;
    return sticks;
}

/* Sticking or slipping of contacts that are closed at the impact `hit` and feel it follows from the impact law. */
static void apply_impact(const struct steps *at, struct changes *changes, const struct change *hit)
{
    const struct phase_system *sys = at->sys;
    const int n_c = at->n_c, k = step_at(at, hit->t);
    unsigned char *before = mem_alloc((size_t)n_c, 1), *who = mem_alloc((size_t)n_c, 1);
    double *v = mem_alloc(2 * (size_t)sys->n_a, sizeof *v), *v_plus = v + sys->n_a;
    struct couple *couple = couple_create(sys, &at->y[k * sys->n_y]);
    for (int i = 0; i < sys->n_a; i++)
        v[i] = at->y[(k - 1) * sys->n_y + sys->model->mechanics.v_index[i]];
    memset(who, PHASE_OPEN, (size_t)n_c);
    who[hit->subject] = (unsigned char)hit->hit;
    for (int c = 0; c < n_c; c++) {
        const bool closed = c != hit->subject && is_there(at, k, c) && at->gap[(k - 1) * n_c + c] < TOUCHES
                            && at->gap[k * n_c + c] < TOUCHES;
        before[c] = closed ? PHASE_CLOSED : PHASE_OPEN;
    }
    couple_add_closed(couple, before, before, who);
    couple_velocity_after(couple, before, who, v, v_plus);
    for (int c = 0; c < n_c; c++) {
        if (before[c] == PHASE_OPEN || sys->contact[c].n_t == 0 || !couple_reaches(couple, who, c))
            continue;
        double old_slip[SLIP_MAX] = { 0 }, new_slip[SLIP_MAX] = { 0 };
        for (int q = 0; q < sys->contact[c].n_t; q++) {
            old_slip[q] = couple_slip(couple, c, q, v);
            new_slip[q] = couple_slip(couple, c, q, v_plus);
        }
        const int from = state_of_slip(at, c, old_slip, SLIP_TOL),
                  to = state_of_slip(at, c, new_slip, IMPACT_SLIP_TOL);
        const bool stops = phase_slips(to) && sticks_after(at, k, c);
        drop_explained(at, changes, hit->t, c, to);
        if (from != to)
            changes_add(changes, (struct change){ hit->t, hit->place, c, to, PHASE_OPEN, NULL });
        if (stops)
            changes_add(changes,
                        (struct change){ at->t[k], inside(at, at->t[k]), c, PHASE_STICK, PHASE_OPEN, NULL });
    }
    couple_free(couple);
    free(before);
    free(who);
    free(v);
}

/* An impact by itself: velocities before it, from the step before, and after. */
struct impulse {
    struct couple *couple;
    unsigned char *before;          /* [2 n_c], contacts that are closed and those that are hit */
    double *v, *v_plus;             /* [n_a] */
};

static struct impulse impulse_of(const struct steps *at, const struct change *hit)
{
    const struct phase_system *sys = at->sys;
    const int n_c = at->n_c, k = step_at(at, hit->t);
    struct impulse one = { .couple = couple_create(sys, &at->y[k * sys->n_y]), .before = mem_alloc(2 * (size_t)n_c, 1),
                           .v = mem_alloc(2 * (size_t)sys->n_a, sizeof *one.v) };
    unsigned char *who = one.before + n_c;
    one.v_plus = one.v + sys->n_a;
    for (int i = 0; i < sys->n_a; i++)
        one.v[i] = at->y[(k - 1) * sys->n_y + sys->model->mechanics.v_index[i]];
    memset(one.before, PHASE_OPEN, 2 * (size_t)n_c);
    who[hit->subject] = (unsigned char)hit->hit;
    couple_velocity_after(one.couple, one.before, who, one.v, one.v_plus);
    return one;
}

static void impulse_free(struct impulse *one)
{
    couple_free(one->couple);
    free(one->before);
    free(one->v);
}

/* What an impact throws off lifts off with it, in one event: a foot when the other one strikes. Steps show that
 * as an opening of its own nearby, before or after. */
static void join_openings(const struct steps *at, struct changes *changes, const struct change *hit,
                          const struct impulse *impulse)
{
    const int n_c = at->n_c;
    const double near = NEAR_IMPACT * (at->t[1] - at->t[0]);
    const struct couple *couple = impulse->couple;
    const double *v = impulse->v, *v_plus = impulse->v_plus,
                 slow = THROWN_OFF * fabs(couple_normal(couple, hit->subject, v));
    for (int j = 0; j < changes->n; j++) {
        struct change *one = &changes->change[j];
        const bool opens = one->subject < n_c && one->subject != hit->subject && one->state == PHASE_OPEN
                           && one->hit == PHASE_OPEN && fabs(one->t - hit->t) < near;
        if (opens && couple_normal(couple, one->subject, v_plus) - couple_normal(couple, one->subject, v) > slow) {
            one->t = hit->t;
            one->place = hit->place;
        }
    }
}

/* Switches that an impact throws over: their functions depend on speeds, and have the new
 * state with those after it. */
static void join_switches(const struct steps *at, struct step_switches *switches, struct changes *changes,
                          const struct change *hit, const struct impulse *impulse)
{
    const int n_c = at->n_c, k = step_at(at, hit->t);
    const double near = NEAR_IMPACT * (at->t[1] - at->t[0]);
    for (int j = 0; j < changes->n; j++) {
        struct change *one = &changes->change[j];
        const int l = one->subject - n_c;
        if (l < 0 || l >= switches->n || !at->sys->sw[l].jumps || !(fabs(one->t - hit->t) < near)
            || !step_switches_has(switches, l, k, impulse->v_plus, one->state))
            continue;
        one->t = hit->t;
        one->place = hit->place;
    }
}

static void apply_impacts(const struct steps *at, struct step_switches *switches, struct changes *changes)
{
    const int n = changes->n;
    struct change *found = mem_alloc((size_t)n, sizeof *found);
    if (n)
        memcpy(found, changes->change, (size_t)n * sizeof *found);
    for (int k = 0; k < n; k++)
        if (found[k].hit != PHASE_OPEN) {
            struct impulse impulse = impulse_of(at, &found[k]);
            apply_impact(at, changes, &found[k]);
            join_openings(at, changes, &found[k], &impulse);
            join_switches(at, switches, changes, &found[k], &impulse);
            impulse_free(&impulse);
        }
    free(found);
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static void y_at(void *user, double t, double *y)
{
    const struct steps *at = user;
    memcpy(y, &at->y[step_at(at, t) * at->sys->n_y], (size_t)at->sys->n_y * sizeof *y);
}

static void fill_samples(const struct steps *at, const struct extract *out)
{
    struct samples *samples = out->samples;
    const int n_y = at->sys->n_y;
    samples->horizon = at->t[at->n];
    for (int k = 0; k < samples->n_p; k++)
        samples->p[k] = at->from->p[k];
    for (int i = 0; i < samples->n_interval * samples->n_u; i++)
        samples->u[i] = at->from->u[i];
    for (int k = 0; k <= at->n; k++) {
        int mode = 0;
        while (mode < out->seq->n_event && samples->t_event[mode] < at->t[k] - 1e-9) mode++;
        memcpy(samples_add(samples, at->t[k], mode), &at->y[k * n_y], (size_t)n_y * sizeof(double));
    }
}

/* Does the step that ends there tell? Where an edge of a ground is passed, the normal of an open gap turns as it
 * should. */
static bool tells_defect(const struct steps *at, int c, int now)
{
    return at->sys->contact[c].model->n_corner == 0
           || (at->gap[now] < NEARLY_CLOSED && at->gap[now - at->n_c] < NEARLY_CLOSED);
}

static bool never_opens(const struct steps *at, int c)
{
    bool closed = true;
    for (int k = 0; k <= at->n; k++)
        closed = closed && at->gap[k * at->n_c + c] < NEARLY_CLOSED;
    return closed;
}

/* How fast what gap c is of moves at the end of step k: its velocity, each coordinate's part taken for itself. */
static double speed_of_parts(const struct steps *at, int k, int c)
{
    const struct phase_system *sys = at->sys;
    struct couple *couple = couple_create(sys, &at->y[k * sys->n_y]);
    double *v = mem_alloc((size_t)sys->n_a, sizeof *v), sum = 0;
    for (int i = 0; i < sys->n_a; i++) {
        v[i] = at->y[k * sys->n_y + sys->model->mechanics.v_index[i]];
        sum += fabs(couple_normal(couple, c, v));
        v[i] = 0;
    }
    couple_free(couple);
    free(v);
    return sum;
}

/* Implicit Euler can exploit its grid: a curved gap stays closed over steps in which the contact moves fast. The
 * largest difference between the change of a gap in a step and what its velocity at the end says, by its largest
 * velocity; of a gap that never opens, which has none, by how fast what it is of moves. */
static double defect(const struct steps *at)
{
    double worst = 0;
    for (int c = 0; c < at->n_c; c++) {
        double fastest = AT_REST, most = 0;
        for (int k = 1; k <= at->n; k++) {
            const int now = k * at->n_c + c;
            const double rate = (at->gap[now] - at->gap[now - at->n_c]) / (at->t[k] - at->t[k - 1]);
            fastest = fmax(fastest, fabs(at->v_n[now]));
            if (tells_defect(at, c, now))
                most = fmax(most, fabs(rate - at->v_n[now]));
        }
        const int n = most / fastest > EXPLOITED && never_opens(at, c) ? at->n : 0;
        for (int k = 1; k <= n && most / fastest > EXPLOITED; k++)
            fastest = fmax(fastest, speed_of_parts(at, k, c));
        worst = fmax(worst, most / fastest);
    }
    return worst;
}

/* Of any gap in a step: where steps exploit their grid, velocities say more. */
static double fastest_change(const struct steps *at)
{
    double most = AT_REST;
    for (int k = 1; k <= at->n; k++)
        for (int c = 0; c < at->n_c; c++) {
            const int now = k * at->n_c + c;
            most = fmax(most, fabs(at->gap[now] - at->gap[now - at->n_c]) / (at->t[k] - at->t[k - 1]));
        }
    return most;
}

/* Of the end of each step, with the controls of its interval. */
static void add_sides(const struct steps *at, struct changes *changes, unsigned char *start)
{
    struct stretch *stretch = mem_alloc((size_t)at->n, sizeof *stretch);
    for (int k = 1; k <= at->n; k++)
        stretch[k - 1] = (struct stretch){ at->t[k - 1],
                                           at->t[k],
                                           extract_step_interval(at->sys, at->grid, at->t, k),
                                           1,
                                           &at->t[k],
                                           &at->y[k * at->sys->n_y] };
    const struct stretches from = { .n = at->n, .stretch = stretch, .horizon = at->t[at->n], .equidistant = true,
                                    .u = at->from->u, .p = at->from->p };
    changes_add_sides(at->sys, &from, changes, start);
    free(stretch);
}

struct extract extract_time_steps(const struct phase_system *sys, const struct time_steps *from,
                                  enum landing landing)
{
    struct steps at = read_steps(sys, from, landing);
    struct changes changes = { 0 };
    struct step_switches switches = step_switches_read(sys, from, at.grid);
    unsigned char *start = mem_alloc((size_t)(at.n_c + sys->n_switch), 1);
    memset(start + at.n_c, PHASE_NEGATIVE, (size_t)sys->n_switch);
    find_states(&at);
    for (int c = 0; c < at.n_c; c++)
        add_contact(&at, &changes, c, &start[c]);
    step_switches_add(&switches, &changes, &start[at.n_c]);
    apply_impacts(&at, &switches, &changes);
    add_sides(&at, &changes, start);
    struct extract out = changes_to_sequence(sys, start, &changes, y_at, &at);
    out.exploits = defect(&at) > EXPLOITED ? fastest_change(&at) : 0;
    fill_samples(&at, &out);
    extract_patches(sys, &out, 0);
    extract_first(sys, &out);
    free(changes.change);
    free(start);
    step_switches_free(&switches);
    steps_free(&at);
    return out;
}

/* --- From a program ------------------------------------------------------------------------------------------ */

struct extract extract_steps(const struct phase_system *sys, const struct transcription *tr, const double *w,
                             enum landing landing)
{
    struct arena mem = { NULL };
    const int n = tr->n_element, n_c = sys->n_contact, both = tr->dcs->n_y < sys->n_y ? tr->dcs->n_y : sys->n_y;
    double *t = arena_alloc(&mem, (size_t)n + 1, sizeof *t);
    double *y = arena_alloc(&mem, (size_t)((n + 1) * sys->n_y), sizeof *y);
    double *force = arena_alloc(&mem, (size_t)((n + 1) * n_c), sizeof *force);
    double *u = arena_alloc(&mem, (size_t)(tr->n_interval * sys->model->n_u), sizeof *u);
    const int n_switch = sys->dcs->n_switch;
    double *alpha = arena_alloc(&mem, (size_t)((n + 1) * n_switch), sizeof *alpha);
    for (int k = 0; k <= n; k++) {
        tr_get_y(tr, w, k - 1, tr_right(tr), both, &y[k * sys->n_y]);
        if (k > 0)
            t[k] = t[k - 1] + w[tr->h[k - 1]];
        if (sys->dcs->clock >= 0)
            y[k * sys->n_y + sys->dcs->clock] = t[k];
        for (int c = 0; c < n_c && k > 0; c++)
            force[k * n_c + c] = w[tr_sel(tr, k - 1, 1) + tr->dcs->contact[c].force];
        for (int l = 0; l < n_switch && k > 0; l++)
            alpha[k * n_switch + l] = w[tr_sel(tr, k - 1, 1) + tr->dcs->sw[l].sel];
    }
    for (int i = 0; i < tr->n_interval; i++)
        for (int k = 0; k < sys->model->n_u; k++)
            u[i * sys->model->n_u + k] = w[tr->u[i] + k];
    const struct time_steps from = { n, t, y, force, u, &w[tr->p], alpha };
    const struct extract out = extract_time_steps(sys, &from, landing);
    arena_free(&mem);
    return out;
}
