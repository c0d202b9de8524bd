/* Where a switching function is 0 at the start or the end and keeps its sign, what would happen beyond. */
#include "transcription/moves/moves.h"

#include "transcription/sequence/recipe.h"

#include <math.h>
#include <string.h>

#define START_ZERO 1e-9             /* of a switching function that starts at zero */
#define GRAZES 1e-6                 /* of the largest value of a switching function: so near it might cross */

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
