/* Where a switching function is 0 and keeps its sign, what would happen beyond: at the end of the horizon, at a point
 * where it grazes its surface; and rounds of relays, whose thresholds are apart, so that none shrinks to nothing
 * before it goes. */
#include "transcription/phases/neighbours_parts.h"

#include "core/base/mem.h"
#include "transcription/phases/between.h"
#include "transcription/phases/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A switch with two sides between which it may pass, on one of them in mode m? */
static bool has_side(const struct finder *at, int m, int l)
{
    const unsigned char state = sequence_mode(at->seq, m)[at->seq->n_contact + l];
    return at->ph->sys->sw[l].pair < 0 && !at->ph->sys->sw[l].wall && (state == PHASE_POSITIVE || state == PHASE_NEGATIVE);
}

/* --- At the end ---------------------------------------------------------------------------------------------- */

/* Switch l passes to its other side in the last interval, and stays there. */
static void cross_at_end(struct finder *at, int l)
{
    const int n = at->seq->n_event, N = at->ph->n_interval, subject = at->seq->n_contact + l;
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 1);
    sequence_insert(seq, n, 2 * N - 1);
    sequence_mode(seq, n + 1)[subject] = phase_opposite(sequence_mode(seq, n)[subject]);
    t[n] = fmax(neighbours_time(at, N - EVENT_INSET), n > 0 ? t[n - 1] : 0);
    neighbours_add(at, 2.2, seq, t, "crosses at the end", n);
}

/* Is its function 0 at the end, by no final value? */
static bool ends_at_surface(struct between *between, int l)
{
    const struct phases *ph = between->ph;
    const int e = ph->n_element - 1, i = ph->sys->n_contact + l;
    const struct phase_point point = phases_stage_point(ph, e, 0);
    return ph->settled[l] == SETTLED_NOT && between_margin(between, &point, i, 1) <= GRAZES * between->largest[i];
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
        if (ph->piece[ph->piece_of[e]].mode != m || between_touches(ph, e, i, false) || between_touches(ph, e, i, true))
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

/* Switch l passes to its other side for a moment, at time t in mode m; a relay stays there until it is to come there
 * anyway. */
static void cross_where_it_grazes(struct finder *at, int m, int l, double t)
{
    const bool remembers = at->ph->sys->sw[l].sw->relay != NULL;
    const int subject = at->seq->n_contact + l, interval = model_grid_inside(at->ph->n_interval, at->grid, t), extra = remembers ? 1 : 2;
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
    for (int j = m + 1; j <= seq->n_event && (j == m + 1 || remembers) && sequence_mode(seq, j)[subject] != side; j++)
        sequence_mode(seq, j)[subject] = side;
    sequence_simplify(seq, times);
    neighbours_add(at, 1.3, seq, times, "crosses where it grazes", m);
}

/* --- Rounds of relays ---------------------------------------------------------------------------------------- */

/* The relay with this subject changes at event j: it stays as it was, until it would have come back, or to the end. */
static void leave_out_round(struct finder *at, int subject, int j)
{
    const unsigned char before = sequence_mode(at->seq, j)[subject];
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 0);
    for (int m = j + 1; m <= seq->n_event && sequence_mode(at->seq, m)[subject] != before; m++)
        sequence_mode(seq, m)[subject] = before;
    sequence_simplify(seq, t);
    neighbours_add(at, 0.6, seq, t, "removed, with the crossing back", j);
}

static void rounds(struct finder *at, int l)
{
    const int subject = at->seq->n_contact + l;
    for (int j = 0; j < at->seq->n_event; j++)
        if (sequence_mode(at->seq, j)[subject] != sequence_mode(at->seq, j + 1)[subject])
            leave_out_round(at, subject, j);
}

/* --- All ----------------------------------------------------------------------------------------------------- */

void neighbours_crossings(struct finder *at)
{
    const int n = at->seq->n_event;
    struct between between = between_create(at->ph, at->finish->w);
    for (int l = 0; l < at->seq->n_switch; l++) {
        if (has_side(at, n, l) && ends_at_surface(&between, l))
            cross_at_end(at, l);
        for (int m = 0; m <= n; m++) {
            const double t = has_side(at, m, l) ? grazing_time(at, &between, m, l) : NAN;
            if (!isnan(t))
                cross_where_it_grazes(at, m, l, t);
        }
        if (at->ph->sys->sw[l].pair < 0 && at->ph->sys->sw[l].sw->relay)
            rounds(at, l);
    }
    between_free(&between);
}
