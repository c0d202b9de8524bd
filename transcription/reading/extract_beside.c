/* What slides by chance (sliding.h) stays on a side instead. */
#include "transcription/reading/extract.h"

#include "core/base/mem.h"
#include "transcription/sequence/sliding.h"

#include <stdlib.h>
#include <string.h>

/* The side of switch l in mode j: that of the mode after, or before, it slides. */
static unsigned char side_beside(const struct phase_system *sys, const struct sequence *seq, int j, int l,
                                 bool later)
{
    const int subject = sys->n_contact + l, step = later ? 1 : -1;
    int k = j;
    while (k >= 0 && k <= seq->n_event && sequence_mode(seq, k)[subject] == PHASE_SLIDING)
        k += step;
    return k >= 0 && k <= seq->n_event ? sequence_mode(seq, k)[subject] : later ? PHASE_NEGATIVE : PHASE_POSITIVE;
}

struct extract extract_beside_sliding(const struct phase_system *sys, const struct extract *from, bool later)
{
    struct extract out = { sequence_copy(from->seq), NULL, from->exploits };
    const int n = from->seq->n_event;
    double *t = mem_alloc((size_t)n, sizeof *t);
    if (n)
        memcpy(t, from->samples->t_event, (size_t)n * sizeof *t);
    for (int j = 0; j <= n; j++)
        for (int l = 0; l < sys->n_switch; l++)
            if (sliding_by_chance_in(sys, sequence_mode(from->seq, j), l))
                sequence_mode(out.seq, j)[sys->n_contact + l] = side_beside(sys, from->seq, j, l, later);
    sequence_simplify(out.seq, t);
    out.samples = samples_remap(from->samples, out.seq->n_event, t, false);
    free(t);
    return out;
}
