/* An event at the edge of its interval, in the middle of those around. */
#include "transcription/moves/moves.h"

#include <math.h>
#include <stdio.h>

#define FARTHER 0.01                /* less sure for each interval farther away */
enum { AROUND = 2 };                /* intervals on either side of the edge */

/* Events first .. last into interval i, in the middle of what is free there between the events beside them. */
static void move_to_middle(struct finder *at, int first, int last, int i, double surer)
{
    const int n = at->seq->n_event;
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 0), from = at->grid[i], to = at->grid[i + 1];
    if (first > 0 && seq->place[first - 1] == 2 * i + 1)
        from = fmin(fmax(from, t[first - 1]), to);
    if (last + 1 < n && seq->place[last + 1] == 2 * i + 1)
        to = fmax(fmin(to, t[last + 1]), from);
    for (int j = first; j <= last; j++) {
        seq->place[j] = 2 * i + 1;
        t[j] = 0.5 * (from + to);
    }
    char what[40];
    (void)snprintf(what, sizeof what, "moved to the middle of interval %d", i);
    neighbours_add(at, surer, seq, t, what, first);
}

/* Where controls jump the cost over the time of an event has a kink: a sequence with the event there is at a
 * minimum, and so is the one whose interval begins, or ends, there. What is beyond is seen from the middle. */
void move_event_to_middle(struct finder *at, const struct spot *spot)
{
    const bool left = neighbours_is_at_left_edge(at, spot->piece);
    if (!left && !neighbours_is_at_right_edge(at, spot->piece))
        return;
    const int first = left ? spot->event : neighbours_first_at_once(at->seq, spot->event);
    const int edge = at->ph->piece[spot->piece].interval + (left ? 0 : 1);
    int last = spot->event;
    while (sequence_is_instant(at->seq, last + 1)) last++;
    for (int k = 0; k < AROUND; k++) {
        if (edge + k < at->ph->n_interval)
            move_to_middle(at, first, last, edge + k, -k * FARTHER);
        if (edge - 1 - k >= 0)
            move_to_middle(at, first, last, edge - 1 - k, -k * FARTHER);
    }
}
