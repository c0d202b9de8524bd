/* All events at once: off the grid, where the horizon is free; an interval earlier or later. */
#include "transcription/moves/moves.h"

#include "core/base/mem.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHIFT_EVENTS = 8 };          /* of a sequence that is tried an interval earlier and later, at most */

/* --- Off the grid -------------------------------------------------------------------------------------------- */

struct together {
    struct finder *at;
    struct sequence *seq;
    double *t;                      /* [n_event] of it */
    int *edge;                      /* [n_event] at the end (1) or the start (-1) of its interval, without length */
};

/* On a grid point, or as near to one as its interval allows. */
static bool is_at_point(const struct together *all, int j)
{
    return sequence_is_on_grid(all->seq, j) || all->edge[j] != 0;
}

/* A shorter horizon draws the grid together: what is timed from the start comes to lie after its grid point, what
 * is timed from the end before it. One event alone that stays on its point keeps the horizon. shorter: events
 * before `split` go after their points, the others before them; else the other way round. */
static void off_the_grid(const struct together *all, int split, bool shorter)
{
    struct sequence *seq = sequence_copy(all->seq);
    double *t = mem_alloc((size_t)seq->n_event, sizeof *t);
    memcpy(t, all->t, (size_t)seq->n_event * sizeof *t);
    for (int j = 0; j < seq->n_event; j++) {
        const bool later = (j < split) == shorter;
        if (!is_at_point(all, j) || all->edge[j] == (later ? -1 : 1))       /* it lies on that side of its point */
            continue;
        seq->place[j] += (later ? 1 : -1) * (sequence_is_on_grid(seq, j) ? 1 : 2);
        t[j] += (later ? EVENT_INSET : -EVENT_INSET) * all->at->H;
    }
    neighbours_add(all->at, 0, seq, t, shorter ? "and others moved off the grid (shorter horizon)"
                                               : "and others moved off the grid (longer horizon)", split);
}

static void off_the_grid_at_any(const struct together *all)
{
    int n = 0;
    for (int j = 0; j < all->seq->n_event; j++)
        n += is_at_point(all, j);
    for (int split = 0; split <= all->seq->n_event && n > 1; split++) {
        const bool counts = split == 0 || is_at_point(all, split - 1);          /* else as the one before */
        if (counts) {
            off_the_grid(all, split, true);
            off_the_grid(all, split, false);
        }
    }
}

/* Mode j + 1 slides on a switch between two others: they meet instead. */
static int sliding_phase(const struct sequence *seq)
{
    for (int j = 0; j + 1 < seq->n_event; j++)
        for (int k = seq->n_contact; k < seq->n_contact + seq->n_switch; k++)
            if (sequence_mode(seq, j + 1)[k] == PHASE_SLIDING
                && sequence_mode(seq, j)[k] != sequence_mode(seq, j + 2)[k])
                return j;
    return -1;
}

static void remove_sliding(struct together *all)
{
    for (int j = sliding_phase(all->seq); j >= 0; j = sliding_phase(all->seq)) {
        sequence_remove(all->seq, j, j + 1, all->t);
        memmove(all->edge + j, all->edge + j + 1, (size_t)(all->seq->n_event - j) * sizeof *all->edge);
    }
}

/* Of the sequence, and of the same without phases of sliding. */
void move_all_off_grid(struct finder *at, const struct spot *spot)
{
    (void)spot;
    const int n = at->seq->n_event;
    struct together all = { at, sequence_copy(at->seq), neighbours_times(at, 0),
                            mem_alloc((size_t)n, sizeof(int)) };
    for (int j = 0; j < n; j++) {
        const int k = phases_piece_after(at->ph, j);
        all.edge[j] = neighbours_is_at_right_edge(at, k) ? 1 : neighbours_is_at_left_edge(at, k) ? -1 : 0;
    }
    off_the_grid_at_any(&all);
    remove_sliding(&all);
    if (all.seq->n_event < n)
        off_the_grid_at_any(&all);
    sequence_free(all.seq);
    free(all.t);
    free(all.edge);
}

/* --- Earlier and later --------------------------------------------------------------------------------------- */

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
