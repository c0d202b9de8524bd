#include "transcription/stationarity/touches.h"

#include "core/base/mem.h"
#include "transcription/finish/checks/between.h"
#include "transcription/sequence/legal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define AT_LIMIT 1e-6 /* of the largest value of its kind: what is at the limit of its state */

/* Takes over seq; drops what is not legal. */
static void __attribute__((format(printf, 6, 7)))
add(struct touches *to, const struct phases *ph, struct sequence *seq, int event, int element, const char *fmt,
    ...)
{
    if (!sequence_is_legal(ph->sys, seq)) {
        sequence_free(seq);
        return;
    }
    to->list = mem_grow(to->list, to->n, 1, sizeof *to->list);
    struct touch *one = &to->list[to->n++];
    *one = (struct touch){ .seq = seq, .event = event, .element = element };
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(one->what, sizeof one->what, fmt, args);
    va_end(args);
}

void touches_free(struct touches *touches)
{
    for (int k = 0; k < touches->n; k++)
        sequence_free(touches->list[k].seq);
    free(touches->list);
    *touches = (struct touches){ 0 };
}

/* --- Order ------------------------------------------------------------------------------------------------- */

static void swap(unsigned char *a, unsigned char *b)
{
    const unsigned char before = *a;
    *a = *b;
    *b = before;
}

/* Events j and j + 1 in the other order; NULL where both change the same subject. */
static struct sequence *in_other_order(const struct sequence *from, int j)
{
    struct sequence *seq = sequence_copy(from);
    const int n = sequence_n_subject(from) + from->n_contact;
    unsigned char *a = sequence_mode(seq, j), *b = sequence_mode(seq, j + 1), *c = sequence_mode(seq, j + 2);
    bool same = sequence_has_impact(from, j) && sequence_has_impact(from, j + 1);
    for (int k = 0; k < n; k++) {
        same = same || (a[k] != b[k] && b[k] != c[k]);
        b[k] = b[k] == a[k] ? c[k] : a[k];
    }
    for (int k = 0; k < from->n_contact; k++)
        swap(&sequence_hit(seq, j)[k], &sequence_hit(seq, j + 1)[k]);
    const struct sequence_step step = seq->step[j];
    seq->step[j] = seq->step[j + 1];
    seq->step[j + 1] = step;
    if (same || step.at_once || seq->step[j].at_once) {
        sequence_free(seq);
        return NULL;
    }
    return seq;
}

static void add_orders(const struct finish *finish, struct touches *to)
{
    const struct phases *ph = finish->ph;
    for (int k = 0; k < ph->n_piece; k++) {
        const struct phase_piece *piece = &ph->piece[k];
        const bool between =
            piece->before >= 0 && piece->ends_inside && !sequence_is_on_grid(ph->seq, piece->before);
        struct sequence *seq =
            between && contained_is_empty(finish, k) ? in_other_order(ph->seq, piece->before) : NULL;
        if (seq)
            add(to, ph, seq, -1, -1, "events %d and %d in the other order", piece->before, piece->after);
    }
}

/* --- Touches ----------------------------------------------------------------------------------------------- */

struct looking {
    const struct finish *finish;
    const struct phases *ph;
    struct between between;
    struct touches *to;
};

/* Where element e ends subject k is `state` for no time, from place `first` to `last`. A contact that closes is
 * hit. */
static void touch_at(const struct looking *at, int e, int k, unsigned char state, int first, int last)
{
    const struct phases *ph = at->ph;
    const int m = ph->piece[ph->piece_of[e]].mode;
    struct sequence *seq = sequence_copy(ph->seq);
    const unsigned char was = sequence_mode(seq, m)[k];
    sequence_insert(seq, m, first);
    sequence_insert(seq, m + 1, last);
    sequence_mode(seq, m + 1)[k] = state;
    if (k < seq->n_contact && was == PHASE_OPEN)
        sequence_hit(seq, m)[k] = state;
    if (k < seq->n_contact && state == PHASE_OPEN)
        sequence_hit(seq, m + 1)[k] = was;
    add(at->to, ph, seq, m, e, "at %.5g %s: %s %s", between_time(&at->between, e, 1), ph->sys->model->time.unit,
        phase_subject_name(ph->sys, k), phase_state_word(state));
}

/* Inside a control interval; where one ends in it, in the next one, or from one to the other. */
static void touch(const struct looking *at, int e, int k, unsigned char state)
{
    static const int place[][2] = { { 1, 1 }, { 1, 3 }, { 1, 2 }, { 2, 3 }, { 3, 3 } };
    const struct phase_piece *piece = &at->ph->piece[at->ph->piece_of[e]];
    const bool ends = e == piece->first + piece->n_element - 1;
    for (size_t p = 0; p < (ends ? sizeof place / sizeof *place : 1); p++)
        touch_at(at, e, k, state, 2 * piece->interval + place[p][0], 2 * piece->interval + place[p][1]);
}

/* As it moves along the ground: */
static unsigned char closed_state(const struct looking *at, int c)
{
    const struct phase_system *sys = at->ph->sys;
    const int n_t = sys->contact[c].n_t;
    const double v_t = n_t ? at->between.state_out[sys->out.v_t + SLIP_MAX * c] : 0;
    if (n_t == 0)
        return PHASE_CLOSED;
    if (n_t > 1)
        return fabs(v_t) <= AT_LIMIT ? PHASE_STICK : PHASE_SLIP;
    return fabs(v_t) <= AT_LIMIT ? PHASE_STICK : v_t > 0 ? PHASE_FORWARD : PHASE_BACKWARD;
}

static void look_at_contact(const struct looking *at, const struct phase_point *point, int e, int c)
{
    const struct phase_system *sys = at->ph->sys;
    const double *w = at->finish->w, *out = at->between.state_out;
    const unsigned char is = point->contact[c];
    if (is == PHASE_OPEN) {
        if (out[sys->out.gap + c] <= 2 * AT_LIMIT * fmax(1, at->between.largest[c]))
            touch(at, e, c, closed_state(at, c));
        return;
    }
    const double lambda_n = w[point->first + point->layout->lambda_n[c]];
    if (lambda_n <= AT_LIMIT) {
        touch(at, e, c, PHASE_OPEN);
        return;
    }
    const double *cone = &out[sys->out.cone + 2 * c];
    if (is == PHASE_STICK && sys->contact[c].n_t == 1) {
        if (cone[PHASE_UPPER] <= AT_LIMIT * fmax(1, lambda_n))
            touch(at, e, c, PHASE_BACKWARD);
        if (cone[PHASE_LOWER] <= AT_LIMIT * fmax(1, lambda_n))
            touch(at, e, c, PHASE_FORWARD);
    } else if ((is == PHASE_FORWARD || is == PHASE_BACKWARD)
               && fabs(out[sys->out.v_t + SLIP_MAX * c]) <= AT_LIMIT) {
        touch(at, e, c, PHASE_STICK);
        touch(at, e, c, is == PHASE_FORWARD ? PHASE_BACKWARD : PHASE_FORWARD);
    }
}

static void look_at_switch(const struct looking *at, const struct phase_point *point, int e, int l)
{
    const struct phase_system *sys = at->ph->sys;
    const int k = sys->n_contact + l;
    if (sys->sw[l].pair >= 0 || sys->sw[l].wall)
        return;
    if (point->sw[l] == PHASE_SLIDING) {
        const double alpha = at->finish->w[point->first + point->layout->alpha[l]];
        if (alpha <= AT_LIMIT)
            touch(at, e, k, PHASE_NEGATIVE);
        if (alpha >= 1 - AT_LIMIT)
            touch(at, e, k, PHASE_POSITIVE);
    } else if (fabs(at->between.state_out[sys->out.c + l]) <= 2 * AT_LIMIT * fmax(1, at->between.largest[k])) {
        touch(at, e, k, PHASE_SLIDING);
        touch(at, e, k, phase_opposite(point->sw[l]));
    }
}

/* Not where the horizon or a mode ends, as events there have moves of their own. */
static void add_touches(const struct finish *finish, struct touches *to)
{
    const struct phases *ph = finish->ph;
    struct looking at = { finish, ph, between_create(ph, finish->w), to };
    for (int e = 0; e + 1 < ph->n_element; e++) {
        const struct phase_piece *piece = &ph->piece[ph->piece_of[e]];
        if (contained_is_empty(finish, ph->piece_of[e])
            || (e == piece->first + piece->n_element - 1 && piece->after >= 0))
            continue;
        const struct phase_point point = phases_stage_point(ph, e, ph->n_point - 1);
        between_evaluate(&at.between, &point, 1);
        for (int c = 0; c < ph->sys->n_contact; c++)
            if (model_has_contact(ph->sys->model, c, point.interval))
                look_at_contact(&at, &point, e, c);
        for (int l = 0; l < ph->sys->n_switch; l++)
            look_at_switch(&at, &point, e, l);
    }
    between_free(&at.between);
}

struct touches touches_of(const struct finish *finish)
{
    struct touches to = { 0 };
    add_orders(finish, &to);
    add_touches(finish, &to);
    return to;
}
