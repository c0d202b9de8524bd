#include "transcription/multiphase/rows/bounces.h"

#define BOUNCES_LEFT 2e-5           /* s: all bounces after ACCUMULATES others that take no longer together are none; twice
                                     * what simulations go on to, or their last impact would be at its limit */
enum { ACCUMULATES = 3 };           /* bounces in a row before one that may be the last of a series without end */

/* Impacts of contact c on end while it is open, up to event j. */
static int count_before(const struct sequence *seq, int j, int c)
{
    int n = 0;
    for (int k = j - 1; k >= 0 && sequence_mode(seq, k)[c] == PHASE_OPEN; k--)
        n += sequence_hit(seq, k)[c] != PHASE_OPEN;
    return n;
}

bool bounces_end(const struct sequence *seq, int j, int c)
{
    const bool lands = sequence_hit(seq, j)[c] != PHASE_OPEN && sequence_mode(seq, j)[c] == PHASE_OPEN
                       && sequence_mode(seq, j + 1)[c] != PHASE_OPEN;
    return lands && count_before(seq, j, c) >= ACCUMULATES;
}

int bounces_before(const struct sequence *seq, int j, int c)
{
    int k = j - 1;
    while (sequence_hit(seq, k)[c] == PHASE_OPEN) k--;
    return k;
}

double bounces_last_flight(double e)
{
    return BOUNCES_LEFT * (1 - e) / e;
}

bool bounces_end_any(const struct phase_system *sys, const struct sequence *seq, int j)
{
    bool any = false;
    for (int c = 0; c < sys->n_contact; c++)
        any = any || (sys->contact[c].model->e > 0 && bounces_end(seq, j, c));
    return any;
}
