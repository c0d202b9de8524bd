/* All that slips in space sticks instead. */
#include "transcription/reading/extract.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* A state of a contact, in a mode or an impact: true if it did slip. */
static bool stick(unsigned char *state)
{
    const bool slips = *state == PHASE_SLIP;
    *state = slips ? PHASE_STICK : *state;
    return slips;
}

bool extract_sticking(const struct extract *from, struct extract *out)
{
    struct sequence *seq = sequence_copy(from->seq);
    const size_t n = (size_t)seq->n_event;
    double *t = mem_alloc(n + 1, sizeof *t);
    bool any = false;
    memcpy(t, from->samples->t_event, n * sizeof *t);
    for (int j = 0; j <= seq->n_event; j++)
        for (int c = 0; c < seq->n_contact; c++) {
            any = stick(&sequence_mode(seq, j)[c]) || any;
            any = (j < seq->n_event && stick(&sequence_hit(seq, j)[c])) || any;
        }
    sequence_simplify(seq, t);
    *out = (struct extract){ seq, samples_remap(from->samples, seq->n_event, t, false), from->exploits };
    free(t);
    return any;
}
