/* The mode in which given initial values start comes first (first_mode.h). */
#include "transcription/reading/extract.h"

#include "core/base/mem.h"
#include "transcription/sequence/first_mode.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>

/* An event without an impact right after the start, between two modes that are the same. */
static void insert_first(const struct phase_system *sys, struct extract *extract)
{
    sequence_insert(extract->seq, 0, 1);
    const int n = extract->seq->n_event;
    double *t = mem_alloc((size_t)n, sizeof *t);
    t[0] = EVENT_INSET * extract->samples->horizon / sys->model->time.n_intervals;
    for (int j = 1; j < n; j++)
        t[j] = fmax(extract->samples->t_event[j - 1], t[0]);
    struct samples *moved = samples_remap(extract->samples, n, t, false);
    samples_free(extract->samples);
    extract->samples = moved;
    free(t);
}

void extract_first(const struct phase_system *sys, struct extract *extract)
{
    if (first_mode_is(sys, extract->seq))
        return;
    insert_first(sys, extract);
    unsigned char *first = sequence_mode(extract->seq, 0), *hit = sequence_hit(extract->seq, 0);
    const unsigned char *next = sequence_mode(extract->seq, 1);
    for (int k = 0; k < sys->n_contact + sys->n_switch; k++) {
        first[k] = first_mode_state(sys, k, first[k]);
        if (k >= sys->n_contact || first[k] != PHASE_OPEN)
            continue;
        if (next[k] != PHASE_OPEN)
            hit[k] = next[k];
        else if (first_mode_hits(&sys->contact[k]))
            hit[k] = first_mode_slip(&sys->contact[k], sys->contact[k].n_t ? PHASE_STICK : PHASE_CLOSED);
    }
}
