/* Slip in space that comes to rest for a while, or is stepped over. */
#include "transcription/moves/moves.h"

#include "core/base/mem.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLIP_TURN_NEAR 0.02         /* of SLIP_TURN: so near it turns as far as it may */
#define SLIP_STANDS 1e-3            /* of a contact's fastest slip: slower throughout an interval it might stick */

/* Contact c, which slips in mode m, sticks in between: from one place to another; -1: from its start, or to its
 * end. */
static void rest_between(struct finder *at, int m, int c, int from, int to)
{
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 2);
    const int n = at->seq->n_event, first = from < 0 ? m : m + 1;
    int j = m;
    for (int k = 0; k < 2; k++) {
        const int place = k ? to : from, interval = place / 2;
        if (place < 0)
            continue;
        sequence_insert(seq, j, place);
        memmove(t + j + 1, t + j, (size_t)(n + (j - m) - j) * sizeof *t);
        t[j] = neighbours_time(at, place % 2 == 0 ? interval
                                   : k            ? interval + EVENT_INSET
                                                  : interval + 1 - EVENT_INSET);
        j++;
    }
    sequence_mode(seq, first)[c] = PHASE_STICK;
    sequence_simplify(seq, t);
    neighbours_add(at, 0, seq, t, "comes to rest for a while", m);
}

/* At a point of mode m: the speed of slip, and its direction. */
static double slip_at(const struct finder *at, const struct phase_point *point, int c, double *dir)
{
    for (int q = 0; q < SLIP_MAX; q++)
        dir[q] = q < at->ph->sys->contact[c].n_t ? at->finish->w[point->first + point->layout->dir[c] + q] : 0;
    return at->finish->w[point->first + point->layout->speed[c]];
}

/* Does it turn in an element as far as it may from one point to the next? */
static bool turns_in(const struct finder *at, int e, int c)
{
    const struct phases *ph = at->ph;
    const bool goes_on = e > 0 && ph->piece[ph->piece_of[e - 1]].mode == ph->piece[ph->piece_of[e]].mode;
    struct phase_point point =
        goes_on ? phases_stage_point(ph, e - 1, ph->n_point - 1) : phases_stage_point(ph, e, 0);
    double before[SLIP_MAX], now[SLIP_MAX], least = 1;
    slip_at(at, &point, c, before);
    for (int k = 0; k < ph->n_point; k++) {
        point = phases_stage_point(ph, e, k);
        slip_at(at, &point, c, now);
        double along = 0;
        for (int q = 0; q < SLIP_MAX; q++) {
            along += before[q] * now[q];
            before[q] = now[q];
        }
        least = fmin(least, along);
    }
    return least < SLIP_TURN + SLIP_TURN_NEAR;
}

/* Does it stand in all of an element? */
static bool stands_in(const struct finder *at, int e, int c, double most)
{
    double dir[SLIP_MAX], speed = 0;
    for (int k = 0; k < at->ph->n_point; k++) {
        const struct phase_point point = phases_stage_point(at->ph, e, k);
        speed = fmax(speed, slip_at(at, &point, c, dir));
    }
    return speed < SLIP_STANDS * most;
}

static double fastest_slip(const struct finder *at, int c)
{
    double dir[SLIP_MAX], most = 0;
    for (int e = 0; e < at->ph->n_element; e++)
        for (int k = 0; k < at->ph->n_point; k++) {
            const struct phase_point point = phases_stage_point(at->ph, e, k);
            if (point.contact[c] == PHASE_SLIP)
                most = fmax(most, slip_at(at, &point, c, dir));
        }
    return most;
}

/* Where it turns round it stops shortly before the grid point beside, or inside, and starts with a jump of the
 * controls. */
static void rest_at_turn(struct finder *at, int m, int c, int i)
{
    const int N = at->ph->n_interval;
    const int from[] = { 2 * i - 1, 2 * i + 1, 2 * i - 1 }, to[] = { 2 * i, 2 * i + 2, 2 * i + 2 };
    for (int k = 0; k < 3; k++)
        if (from[k] > 0 && to[k] < 2 * N)
            rest_between(at, m, c, from[k], to[k]);
}

/* Contact c in pieces first to last, a mode, in whole intervals of which it stands: it sticks there; up to the end,
 * or up to the last grid point. */
static void rest_where_it_stands(struct finder *at, int c, int first, int last)
{
    const struct phase_piece *a = &at->ph->piece[first], *b = &at->ph->piece[last];
    const bool begins = first == 0 || a[-1].mode != a->mode,
               ends = last + 1 == at->ph->n_piece || b[1].mode != b->mode;
    if (begins && ends)
        return;
    rest_between(at, a->mode, c, begins ? -1 : 2 * a->interval, ends ? -1 : 2 * b->interval + 2);
    if (ends && b->interval > a->interval)
        rest_between(at, a->mode, c, 2 * a->interval, 2 * b->interval);
}

/* Contact c steps over where it slips in mode m: it leaves on a grid point, lands inside an interval, and sticks
 * before and after where it slips from the start, or to the end. Time steps find such patterns in the plane. */
static void step_over(struct finder *at, int m, int c)
{
    const int N = at->ph->n_interval, n = at->seq->n_event;
    const int from = m > 0 ? at->seq->place[m - 1] : 0, to = m < n ? at->seq->place[m] : 2 * N,
              third = (to - from) / 3;
    const bool starts = m == 0, ends = m == n;
    const int leaves = starts ? (from + third) / 2 * 2 : (from + 1) / 2 * 2,
              lands = ends ? (to - third) | 1 : (to - 1) | 1;
    if ((!starts && (sequence_mode(at->seq, m - 1)[c] == PHASE_OPEN || sequence_is_instant(at->seq, m)))
        || leaves < 2 || lands <= leaves || (!ends && sequence_has_impact(at->seq, m)))
        return;
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 2);
    int j = m;                                  /* the mode in the air */
    if (starts) {
        sequence_insert(seq, 0, leaves);
        memmove(t + 1, t, (size_t)n * sizeof *t);
        sequence_mode(seq, 0)[c] = PHASE_STICK;
        j++;
    } else {
        seq->place[m - 1] = leaves;
    }
    if (ends) {
        sequence_insert(seq, seq->n_event, lands);
        sequence_mode(seq, seq->n_event)[c] = PHASE_STICK;
    } else {
        seq->place[j] = lands;
    }
    sequence_mode(seq, j)[c] = PHASE_OPEN;
    sequence_hit(seq, j)[c] = sequence_mode(seq, j + 1)[c];
    const int before = leaves / 2, after = lands / 2;
    t[j - 1] = neighbours_time(at, before);
    t[j] = neighbours_time(at, after + 0.5);
    neighbours_add(at, 0, seq, t, "followed by an opening where it slips", m);
}

void move_step_over(struct finder *at, const struct spot *spot)
{
    const int c = spot->subject;
    for (int m = 0; m <= at->seq->n_event && at->ph->sys->contact[c].n_t > 1; m++)
        if (sequence_mode(at->seq, m)[c] == PHASE_SLIP)
            step_over(at, m, c);
}

/* In piece k, where contact c slips: does it turn? Does it stand in all of it? */
static void look_at_slip(const struct finder *at, int k, int c, double most, bool *turns, bool *stands)
{
    const struct phase_piece *piece = &at->ph->piece[k];
    const bool slips = sequence_mode(at->seq, piece->mode)[c] == PHASE_SLIP;
    *turns = false;
    *stands = slips;
    for (int e = piece->first; e < piece->first + piece->n_element && slips; e++) {
        *stands = *stands && stands_in(at, e, c, most);
        *turns = *turns || turns_in(at, e, c);
    }
}

void move_rest_in_slip(struct finder *at, const struct spot *spot)
{
    const struct phases *ph = at->ph;
    const int c = spot->subject;
    if (ph->sys->contact[c].n_t < 2)
        return;
    const double most = fastest_slip(at, c);
    int first = -1;                             /* of the pieces in which it stands */
    for (int k = 0; k < ph->n_piece; k++) {
        const struct phase_piece *piece = &ph->piece[k];
        bool turns, stands;
        look_at_slip(at, k, c, most, &turns, &stands);
        if (turns && !stands)
            rest_at_turn(at, piece->mode, c, piece->interval);
        if (first >= 0 && (!stands || ph->piece[first].mode != piece->mode)) {
            rest_where_it_stands(at, c, first, k - 1);
            first = -1;
        }
        first = first < 0 && stands ? k : first;
    }
    if (first >= 0)
        rest_where_it_stands(at, c, first, ph->n_piece - 1);
}
