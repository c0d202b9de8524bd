/* Where a switching function is 0 and keeps its sign, what would happen beyond: at the end of the horizon, at a
 * point where it grazes its surface, where it slides and comes back; and rounds of relays, whose thresholds are
 * apart, so that none shrinks to nothing before it goes. */
#include "transcription/moves/moves.h"

#include "core/base/mem.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define START_ZERO 1e-9             /* of a switching function that starts at zero */
#define GRAZES 1e-6                 /* of the largest value of a switching function: so near it might cross */

/* --- Through the surface ------------------------------------------------------------------------------------- */

/* Mode j + 1 slides on switch k and comes back to where it came from: on the other side of the surface instead. */
static void pass_through(struct finder *at, int j, int k)
{
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 0);
    sequence_mode(seq, j + 1)[k] = phase_opposite(sequence_mode(seq, j)[k]);
    if (sequence_is_on_grid(seq, j + 1)) {      /* nothing crosses by a jump of the controls */
        seq->place[j + 1]--;
        t[j + 1] -= EVENT_INSET * at->H;
    }
    neighbours_add(at, 0, seq, t, "passes to the other side", j);
}

void move_pass_through(struct finder *at, const struct spot *spot)
{
    const struct sequence *seq = at->seq;
    const int j = spot->event;
    for (int k = seq->n_contact; k < seq->n_contact + seq->n_switch && j + 1 < seq->n_event; k++)
        if (sequence_mode(seq, j + 1)[k] == PHASE_SLIDING
            && sequence_mode(seq, j)[k] == sequence_mode(seq, j + 2)[k]
            && sequence_mode(seq, j)[k] != PHASE_SLIDING && !at->ph->sys->sw[k - seq->n_contact].wall)
            pass_through(at, j, k);
}

/* --- At the start -------------------------------------------------------------------------------------------- */

/* A switch that is at zero at the start slides first, for a moment in the first interval. */
void move_slide_first(struct finder *at, const struct spot *spot)
{
    const int l = spot->subject, subject = at->seq->n_contact + l;
    if (at->ph->sys->sw[l].pair >= 0 || sequence_mode(at->seq, 0)[subject] == PHASE_SLIDING
        || !(fabs(neighbours_value_at_start(at, at->ph->sys->sw[l].sw->c)) <= START_ZERO))
        return;
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 1);
    sequence_insert(seq, 0, 1);
    memmove(t + 1, t, (size_t)at->seq->n_event * sizeof *t);
    t[0] = neighbours_time(at, EVENT_INSET);
    sequence_mode(seq, 0)[subject] = PHASE_SLIDING;
    neighbours_add(at, 0, seq, t, "slides at the start", 0);
}

/* --- At the end ---------------------------------------------------------------------------------------------- */

/* A switch with two sides between which it may pass, on one of them in mode m? */
static bool has_side(const struct finder *at, int m, int l)
{
    const unsigned char state = sequence_mode(at->seq, m)[at->seq->n_contact + l];
    return at->ph->sys->sw[l].pair < 0 && !at->ph->sys->sw[l].wall
           && (state == PHASE_POSITIVE || state == PHASE_NEGATIVE);
}

/* Switch l passes to its other side in the last interval, and stays there. */
static void cross_at_end(struct finder *at, int l)
{
    const int n = at->seq->n_event, N = at->ph->n_interval, subject = at->seq->n_contact + l;
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 1);
    sequence_insert(seq, n, 2 * N - 1);
    sequence_mode(seq, n + 1)[subject] = phase_opposite(sequence_mode(seq, n)[subject]);
    t[n] = fmax(neighbours_time(at, N - EVENT_INSET), n > 0 ? t[n - 1] : 0);
    neighbours_add(at, 0, seq, t, "crosses at the end", n);
}

/* Is its function 0 at the end, by no final value? */
static bool ends_at_surface(struct between *between, int l)
{
    const struct phases *ph = between->ph;
    const int e = ph->n_element - 1, i = ph->sys->n_contact + l;
    const struct phase_point point = phases_stage_point(ph, e, 0);
    return ph->implied.switches[l] == DETERMINED_NOT
           && between_margin(between, &point, i, 1) <= GRAZES * between->largest[i];
}

void move_cross_at_end(struct finder *at, const struct spot *spot)
{
    if (has_side(at, at->seq->n_event, spot->subject) && ends_at_surface(neighbours_between(at), spot->subject))
        cross_at_end(at, spot->subject);
}

/* --- Where it grazes ----------------------------------------------------------------------------------------- */

/* In mode m, between its first and its last event: the time at which switch l is nearest to its surface; NAN: never
 * next to it. */
static double grazing_time(const struct finder *at, struct between *between, int m, int l)
{
    const struct phases *ph = at->ph;
    const int i = ph->sys->n_contact + l;
    double least = GRAZES * between->largest[i], when = NAN;
    for (int e = 0; e < ph->n_element; e++) {
        const struct phase_point point = phases_stage_point(ph, e, 0);
        if (ph->piece[ph->piece_of[e]].mode != m || between_touches(ph, e, i, false)
            || between_touches(ph, e, i, true))
            continue;
        for (int k = 0; k < ph->n_point; k++) {
            const bool at_end = e == ph->n_element - 1 && ph->c[k] == 1;
            const double margin = at_end ? INFINITY : between_margin(between, &point, i, ph->c[k]);
            if (margin < least) {
                least = margin;
                when = between_time(between, e, ph->c[k]);
            }
        }
    }
    return when;
}

/* Switch l passes to its other side for a moment, at time t in mode m; a relay stays there until it is to come
 * there anyway. */
static void cross_where_it_grazes(struct finder *at, int m, int l, double t)
{
    const bool remembers = at->ph->sys->sw[l].sw->relay != NULL;
    const int subject = at->seq->n_contact + l, interval = model_grid_inside(at->ph->n_interval, at->grid, t),
              extra = remembers ? 1 : 2;
    const double inset = EVENT_INSET * at->H, least = fmax(at->grid[interval], m > 0 ? at->t[m - 1] : 0);
    const double first = fmax(least, t - inset);
    const unsigned char side = phase_opposite(sequence_mode(at->seq, m)[subject]);
    struct sequence *seq = sequence_copy(at->seq);
    double *times = neighbours_times(at, extra);
    memmove(times + m + extra, times + m, (size_t)(at->seq->n_event - m) * sizeof *times);
    for (int k = 0; k < extra; k++) {
        sequence_insert(seq, m, 2 * interval + 1);
        times[m + k] = k == 0 ? first : fmin(at->grid[interval + 1], first + 2 * inset);
    }
    for (int j = m + 1; j <= seq->n_event && (j == m + 1 || remembers) && sequence_mode(seq, j)[subject] != side;
         j++)
        sequence_mode(seq, j)[subject] = side;
    sequence_simplify(seq, times);
    neighbours_add(at, 0, seq, times, "crosses where it grazes", m);
}

void move_cross_at_graze(struct finder *at, const struct spot *spot)
{
    const int l = spot->subject;
    for (int m = 0; m <= at->seq->n_event; m++) {
        const double t = has_side(at, m, l) ? grazing_time(at, neighbours_between(at), m, l) : NAN;
        if (!isnan(t))
            cross_where_it_grazes(at, m, l, t);
    }
}

/* --- Rounds of relays ---------------------------------------------------------------------------------------- */

/* The relay with this subject changes at event j: it stays as it was, until it would have come back, or to the
 * end. */
static void leave_out_round(struct finder *at, int subject, int j)
{
    const unsigned char before = sequence_mode(at->seq, j)[subject];
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 0);
    for (int m = j + 1; m <= seq->n_event && sequence_mode(at->seq, m)[subject] != before; m++)
        sequence_mode(seq, m)[subject] = before;
    sequence_simplify(seq, t);
    neighbours_add(at, 0, seq, t, "removed, with the crossing back", j);
}

void move_leave_out_round(struct finder *at, const struct spot *spot)
{
    const struct phase_switch *sw = &at->ph->sys->sw[spot->subject];
    const int subject = at->seq->n_contact + spot->subject;
    for (int j = 0; j < at->seq->n_event && sw->pair < 0 && sw->sw->relay; j++)
        if (sequence_mode(at->seq, j)[subject] != sequence_mode(at->seq, j + 1)[subject])
            leave_out_round(at, subject, j);
}
