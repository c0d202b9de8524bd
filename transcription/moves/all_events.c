/* All events at once, an interval earlier or later. */
#include "transcription/moves/moves.h"

#include <math.h>

enum { SHIFT_EVENTS = 8 };          /* of a sequence that is tried an interval earlier and later, at most */

/* As far into its interval as event j is into its own, `by` intervals later. */
static double shifted_time(const struct finder *at, int j, int by)
{
    const int i = at->seq->place[j] / 2;
    const double length = at->grid[i + 1] - at->grid[i];
    return neighbours_time(at, i + by + fmin(fmax((at->t[j] - at->grid[i]) / length, 0), 1));
}

/* All events an interval later (1) or earlier (-1). What a motion costs goes up and down with where in its interval
 * an event is, as controls are constant there: none is at an edge, and the valley in the next one is deeper all the
 * same. What would come after the end is left out: what was to come to rest by then does so at the end. */
static void shift(struct finder *at, int by)
{
    const int n = at->seq->n_event, end = 2 * at->ph->n_interval;
    int kept = n;
    while (kept > 0 && at->seq->place[kept - 1] + 2 * by >= end) kept--;
    if (kept == 0 || n > SHIFT_EVENTS || at->seq->place[0] + 2 * by <= 0)
        return;
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 0);
    while (seq->n_event > kept)
        sequence_remove(seq, seq->n_event - 1, seq->n_event, t);
    for (int j = 0; j < kept; j++) {
        seq->place[j] += 2 * by;
        t[j] = shifted_time(at, j, by);
    }
    neighbours_add(at, 0, seq, t,
                   by > 0 ? "and all others moved an interval later" : "and all others moved an interval earlier",
                   0);
}

void move_all_shifted(struct finder *at, const struct spot *spot)
{
    (void)spot;
    shift(at, 1);
    shift(at, -1);
}
