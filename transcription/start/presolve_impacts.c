/* Time steps as elements of FESD-J: events become element boundaries (presolve.md 3).
 *
 * Impulses are what the steps of an impact push more than the steady force after it; velocities before and after
 * are continued from steps that no impact blurs. Restitution is left to FESD-J: the steps know none.
 */
#include "transcription/start/coarse.h"

#include "transcription/discretize/initial.h"
#include "transcription/start/recipe.h"

#include <math.h>
#include <stdlib.h>

enum event_rank { RANK_IMPACT, RANK_TAKE_OFF, RANK_SLIP };

struct event { double t; enum event_rank rank; };

struct element_breaks {             /* a control interval: the ends of its elements */
    double start, end;
    int n_event, n_break;
    struct event *event;
    double *at;                     /* [n_element + 1] */
};

/* --- Events of the steps that lie in an interval --------------------------------------------------------------- */

static void add_event(struct element_breaks *interval, double t, enum event_rank rank)
{
    const double edge = EVENT_EDGE * (interval->end - interval->start);
    if (t > interval->start + edge && t < interval->end - edge)
        interval->event[interval->n_event++] = (struct event){ t, rank };
}

static bool slips_anew(const struct coarse_step *before, const struct coarse_step *now, int c)
{
    const double a = fabs(before->v_t[c]), b = fabs(now->v_t[c]);
    return (a > STEP_SLIPS && b < STEP_STICKS) || (a < STEP_STICKS && b > STEP_SLIPS)
           || (fmin(a, b) > STEP_SLIPS && before->v_t[c] * now->v_t[c] < 0);
}

static void find_events(const struct transcription *tr, const struct coarse *coarse, int first, int end,
                        struct element_breaks *interval)
{
    for (int j = first; j < end; j++)
        for (int c = 0; c < tr->model->contacts.n_contact && j > 0; c++) {
            const struct coarse_step *before = &coarse->step[j - 1], *now = &coarse->step[j];
            const bool closed = coarse_is_closed(now, c), was_closed = coarse_is_closed(before, c);
            if (coarse_impulse(coarse, j, c) > 0)
                add_event(interval, coarse_impact_time(coarse, j, c), RANK_IMPACT);
            else if (was_closed && !closed)
                add_event(interval, before->t_end, RANK_TAKE_OFF);
            else if (was_closed && closed && slips_anew(before, now, c))
                add_event(interval, before->t_end, RANK_SLIP);
        }
}

static int by_rank(const void *a, const void *b)
{
    const struct event *p = a, *q = b;
    if (p->rank != q->rank)
        return p->rank < q->rank ? -1 : 1;
    return p->t < q->t ? -1 : p->t > q->t;
}

static int by_size(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

/* Ends of the elements: the events that matter most, then the longest pieces are halved. */
static void place_breaks(struct element_breaks *interval, int n_element)
{
    const double least = EVENT_EDGE * (interval->end - interval->start);
    qsort(interval->event, (size_t)interval->n_event, sizeof *interval->event, by_rank);
    interval->at[0] = interval->start;
    interval->at[1] = interval->end;
    interval->n_break = 2;
    for (int k = 0; k < interval->n_event && interval->n_break <= n_element; k++) {
        bool is_new = true;
        for (int j = 0; j < interval->n_break; j++)
            is_new = is_new && fabs(interval->at[j] - interval->event[k].t) > least;
        if (is_new)
            interval->at[interval->n_break++] = interval->event[k].t;
    }
    qsort(interval->at, (size_t)interval->n_break, sizeof *interval->at, by_size);
    while (interval->n_break <= n_element) {
        int longest = 0;
        for (int j = 1; j + 1 < interval->n_break; j++)
            if (interval->at[j + 1] - interval->at[j] > interval->at[longest + 1] - interval->at[longest])
                longest = j;
        interval->at[interval->n_break++] = 0.5 * (interval->at[longest] + interval->at[longest + 1]);
        qsort(interval->at, (size_t)interval->n_break, sizeof *interval->at, by_size);
    }
}

/* --- The solution at a time ------------------------------------------------------------------------------------ */

/* The step in which anything hits that t lies in or after, if that blurs velocities at t; else -1. */
static int blurring_impact(const struct coarse *coarse, double t)
{
    const int n = coarse_step_at(coarse, t);
    for (int k = n; k >= n - 1 && k >= 0; k--)
        if (!isnan(coarse_first_hit(coarse, k)))
            return k;
    return -1;
}

/* The step along which velocities at t are linear: that of t, or where an impact blurs it the last one before or
 * the first one after, which is then continued to t. */
static int velocity_step(const struct coarse *coarse, double t)
{
    const int hit = blurring_impact(coarse, t), last = coarse->n - 1;
    if (hit < 0)
        return coarse_step_at(coarse, t);
    if (t <= coarse_first_hit(coarse, hit))
        return hit > 1 ? hit - 1 : 0;
    return hit + 2 <= last ? hit + 2 : last;
}

/* The step whose forces act at time t, for contact c. */
static int force_step(const struct coarse *coarse, double t, int c)
{
    const int n = coarse_step_at(coarse, t), last = coarse->n - 1;
    if (coarse_impulse(coarse, n, c) > 0)
        return t <= coarse_impact_time(coarse, n, c) ? n - 1 : n + 2 > last ? last : n + 2;
    if (n > 0 && coarse_impulse(coarse, n - 1, c) > 0)
        return n + 1 > last ? last : n + 1;
    return n;
}

struct impact_writer {
    struct transcription *tr;
    const struct coarse *coarse;
    double *x;                      /* [n_x] scratch */
};

/* The state at t in scratch: velocities along the step that has them. */
static void state_at(const struct impact_writer *to, double t)
{
    const struct model *model = to->tr->model;
    const struct coarse_step *smooth = &to->coarse->step[velocity_step(to->coarse, t)];
    coarse_state(to->coarse, coarse_step_at(to->coarse, t), t, to->x);
    for (int i = 0; i < model->mechanics.n_q; i++) {
        const int v = model->mechanics.v_index[i];
        const double slope = (smooth->x_end[v] - smooth->x_start[v]) / (smooth->t_end - smooth->t_start);
        to->x[v] = smooth->x_end[v] + slope * (t - smooth->t_end);
    }
}

static void set(struct impact_writer *to, int var, double value)
{
    program_set_guess(to->tr->prog, var, value);
}

/* Velocities of the scratch state and what follows them, at point k of element j and time t. */
static void write_velocities(struct impact_writer *to, int j, int k, double t)
{
    const struct model *model = to->tr->model;
    const struct dcs *dcs = to->tr->dcs;
    const struct coarse_step *step = &to->coarse->step[velocity_step(to->coarse, t)];
    for (int i = 0; i < model->mechanics.n_q; i++)
        set(to, tr_y(to->tr, j, k, model->mechanics.v_index[i]), to->x[model->mechanics.v_index[i]]);
    for (int i = 0; i < dcs->n_lam; i++)
        if (dcs->lam[i].jumps)
            set(to, tr_lam(to->tr, j, k, i), step->lam[i]);
    for (int c = 0; c < model->contacts.n_contact; c++) {
        const struct dcs_contact *contact = &dcs->contact[c];
        if (contact->end_pair - contact->first_pair != 3 || contact->slip[0] >= 0)
            continue;                           /* not the parts of a planar slip */
        const double v_t = tr_value_of(to->tr, model->contacts.contact[c].v_t[0], t, to->x,
                                       program_guess(to->tr->prog));
        for (int side = 0; side < 2; side++)
            set(to, tr_lam(to->tr, j, k, dcs->pair[contact->first_pair + 1 + side].lam),
                fmax(side ? -v_t : v_t, 0));
    }
}

static void write_stage(struct impact_writer *to, int j, int k, double t)
{
    struct transcription *tr = to->tr;
    const struct dcs *dcs = tr->dcs;
    state_at(to, t);
    for (int i = 0; i < tr->model->n_x; i++)
        set(to, tr_y(tr, j, k, i), to->x[i]);
    if (dcs->clock >= 0)
        set(to, tr_y(tr, j, k, dcs->clock), t);
    for (int c = 0; c < tr->model->contacts.n_contact; c++) {
        const double gap = tr_value_of(tr, tr->model->contacts.contact[c].gap, t, to->x, program_guess(tr->prog));
        const struct coarse_step *step = &to->coarse->step[force_step(to->coarse, t, c)];
        const bool acts = coarse_is_closed(step, c) && gap < STEP_OPEN;
        int first, end;
        set(to, tr_lam(tr, j, k, dcs->contact[c].gap), fmax(gap, 0));
        dcs_sel_of(dcs, c, &first, &end);
        for (int i = first; i < end && tr_is_stage(tr, k); i++)
            set(to, tr_sel(tr, j, k) + i, acts ? step->sel[i] : 0);
    }
    write_velocities(to, j, k, t);
}

/* The step in which contact c hits near the start of an element, or -1. */
static int impact_near(const struct coarse *coarse, double t, int c)
{
    const int n = coarse_step_at(coarse, t);
    for (int k = n - 1; k <= n + 1; k++)
        if (k > 0 && k < coarse->n && coarse_impulse(coarse, k, c) > 0
            && fabs(coarse_impact_time(coarse, k, c) - t) < STEP_HIT_NEAR * coarse->h)
            return k;
    return -1;
}

/* Impulses are what the two steps of an impact have more than the steady force after it. */
static void write_impulses(struct impact_writer *to, int j, double t)
{
    const struct dcs *dcs = to->tr->dcs;
    const struct coarse *coarse = to->coarse;
    for (int c = 0; c < to->tr->model->contacts.n_contact; c++) {
        const int n = impact_near(coarse, t, c);
        int first, end;
        dcs_sel_of(dcs, c, &first, &end);
        for (int i = first; i < end; i++) {
            double impulse = 0;
            for (int k = n; k < n + 2 && n >= 0 && k < coarse->n; k++) {
                const int later = n + 2 < coarse->n ? n + 2 : coarse->n - 1;
                impulse += coarse->h * (coarse->step[k].sel[i] - coarse->step[later].sel[i]);
            }
            set(to, tr_impulse(to->tr, j) + i, isfinite(dcs->sel[i].lb) ? fmax(impulse, 0) : impulse);
        }
        if (n >= 0) {                           /* an impact: both parts of the law are 0 */
            set(to, tr_part(to->tr, j, c, 0), 0);
            set(to, tr_part(to->tr, j, c, 1), 0);
        }
    }
}

static void write_interval(struct impact_writer *to, int i, struct element_breaks *interval)
{
    struct transcription *tr = to->tr;
    const struct transcription *from = to->coarse->from;
    const int steps = from->elements[i], last = from->first[i] + steps - 1;
    interval->start = to->coarse->step[from->first[i]].t_start;
    interval->end = to->coarse->step[last].t_end;
    interval->n_event = 0;
    find_events(tr, to->coarse, from->first[i], last + 1, interval);
    place_breaks(interval, tr->elements[i]);
    for (int k = 0; k < tr->elements[i]; k++) {
        const int j = tr->first[i] + k;
        const double t = interval->at[k], h = interval->at[k + 1] - t;
        set(to, tr->h[j], h);
        for (int stage = 1; stage <= tr->n_point; stage++)
            write_stage(to, j, stage, t + tr_c(tr, stage) * h);
    }
}

/* After all stages are written: the parts of the law need the velocities of both sides. */
static void write_junctions(struct impact_writer *to)
{
    struct transcription *tr = to->tr;
    double t = 0;
    for (int j = 0; j < tr->junctions->n; j++) {
        const double h = j < tr->n_element ? program_guess(tr->prog)[tr->h[j]] : 0;
        state_at(to, t + JUST_AFTER * h);
        write_velocities(to, j, 0, t + JUST_AFTER * h);
        tr_guess_parts(tr, j);
        write_impulses(to, j, t);
        t += h;
    }
    tr_hold_first_junction(tr);
}

void coarse_write_impacts(const struct coarse *coarse, struct transcription *tr)
{
    struct arena mem = { 0 };
    int most = 0;
    for (int i = 0; i < tr->n_interval; i++)
        most = tr->elements[i] > most ? tr->elements[i] : most;
    const size_t n_event = (size_t)coarse->n * (size_t)tr->model->contacts.n_contact + 1;
    struct impact_writer to = { tr, coarse, arena_alloc(&mem, (size_t)tr->model->n_x, sizeof(double)) };
    struct element_breaks interval = { .event = arena_alloc(&mem, n_event, sizeof *interval.event),
                                       .at = arena_alloc(&mem, (size_t)most + 2, sizeof *interval.at) };
    for (int i = 0; i < tr->model->n_x; i++)
        set(&to, tr->y0 + i, coarse->w[coarse->from->y0 + i]);
    for (int i = 0; i < tr->n_interval; i++)
        write_interval(&to, i, &interval);
    write_junctions(&to);
    arena_free(&mem);
}
