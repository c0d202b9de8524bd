/* One bounce more, or fewer, of a motion that bounces among few events. */
#include "transcription/moves/moves.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { BOUNCE_EVENTS = 12 };        /* at most. Few programs, as orders that come to the same are tried once */

/* Is event j a bounce, and nothing else? */
static bool is_bounce(const struct finder *at, int j)
{
    const struct sequence *seq = at->seq;
    bool elastic = false;
    for (int c = 0; c < seq->n_contact; c++)
        elastic = elastic || (sequence_hit(seq, j)[c] != PHASE_OPEN && at->ph->sys->contact[c].model->e > 0);
    return elastic && !sequence_fires(seq, j) && seq->n_event <= BOUNCE_EVENTS
           && memcmp(sequence_mode(seq, j), sequence_mode(seq, j + 1), (size_t)sequence_n_subject(seq)) == 0;
}

/* Are those whom bounce j hits open in mode m? */
static bool may_bounce(const struct sequence *seq, int j, int m)
{
    bool open = true;
    for (int c = 0; c < seq->n_contact; c++)
        open = open && (sequence_hit(seq, j)[c] == PHASE_OPEN || sequence_mode(seq, m)[c] == PHASE_OPEN);
    return open;
}

/* Bounce j once more, in the middle of mode m. */
static void bounce_again(struct finder *at, int j, int m)
{
    struct sequence *seq = sequence_copy(at->seq);
    const int n = seq->n_event;
    const double from = m > 0 ? at->t[m - 1] : 0, to = m < n ? at->t[m] : phases_horizon(at->ph, at->finish->w);
    double *t = neighbours_times(at, 1);
    memmove(t + m + 1, t + m, (size_t)(n - m) * sizeof *t);
    t[m] = 0.5 * (from + to);
    sequence_insert(seq, m, m < n ? seq->place[m] | 1 : 2 * at->ph->n_interval - 1);
    memcpy(sequence_hit(seq, m), sequence_hit(at->seq, j), (size_t)seq->n_contact);
    neighbours_add(at, 0, seq, t, "bounces once more", j);
}

/* In any mode, the last one first. */
void move_bounce_in(struct finder *at, const struct spot *spot)
{
    const int j = spot->event;
    for (int m = at->seq->n_event; m >= 0 && is_bounce(at, j); m--)
        if (may_bounce(at->seq, j, m))
            bounce_again(at, j, m);
}

void move_bounce_out(struct finder *at, const struct spot *spot)
{
    const int j = spot->event;
    if (!is_bounce(at, j))
        return;
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 0);
    sequence_remove(seq, j, j + 1, t);
    neighbours_add(at, 0, seq, t, "bounces once less", j);
}
