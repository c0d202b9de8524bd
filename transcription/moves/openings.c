/* Contacts that open for no time, that are hit where all begins, or that stay closed and might let go. */
#include "transcription/moves/moves.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* Contacts that open at event j and are closed again at the next, all but at once: they stay closed, as they are
 * afterwards. */
void move_stay_closed(struct finder *at, const struct spot *spot)
{
    const int n_c = at->seq->n_contact, j = spot->event;
    if (j + 1 >= at->seq->n_event || at->t[j + 1] - at->t[j] >= at->near)
        return;
    struct sequence *seq = sequence_copy(at->seq);
    const unsigned char *before = sequence_mode(seq, j), *after = sequence_mode(seq, j + 2);
    bool any = false;
    for (int c = 0; c < n_c; c++) {
        const bool is_gone =
            phase_is_closed(before[c]) && sequence_mode(seq, j + 1)[c] == PHASE_OPEN && phase_is_closed(after[c]);
        if (!is_gone)
            continue;
        any = true;
        sequence_mode(seq, j + 1)[c] = after[c];
        sequence_patch(seq, j + 1)[c] = sequence_patch(seq, j + 2)[c];
        sequence_hit(seq, j + 1)[c] = PHASE_OPEN;
    }
    if (!any) {
        sequence_free(seq);
        return;
    }
    double *t = neighbours_times(at, 0);
    sequence_simplify(seq, t);
    neighbours_add(at, 0, seq, t, "does not open", j);
}

/* An impact with which all begins, of a contact that then stays: where that brings nothing the contact is closed
 * from the start, as a gait's foot that stands at both ends. */
void move_begin_closed(struct finder *at, const struct spot *spot)
{
    if (spot->event == 0 && sequence_has_impact(at->seq, 0) && at->t[0] - at->grid[0] < at->near)
        neighbours_drop(at, 0, 0, "removed, at the start");
}

/* --- Letting go ---------------------------------------------------------------------------------------------- */

/* Normal force of contact c in piece k, on the average of its stages. */
static double mean_force(const struct finder *at, int k, int c)
{
    const struct phases *ph = at->ph;
    const int n = ph->piece[k].n_element * ph->n_point;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        const struct phase_point point =
            phases_stage_point(ph, ph->piece[k].first + i / ph->n_point, i % ph->n_point);
        sum += at->finish->w[point.first + point.layout->lambda_n[c]];
    }
    return sum / n;
}

/* The piece of the last phase, not its first, in which contact c presses least; -1: there is but one. */
static int least_pressed(const struct finder *at, int c)
{
    int least = -1;
    double force = INFINITY;
    for (int k = at->ph->n_piece - 1; k > 0 && at->ph->piece[k - 1].mode == at->seq->n_event; k--)
        if (mean_force(at, k, c) < force) {
            force = mean_force(at, k, c);
            least = k;
        }
    return least;
}

/* Is contact c closed at the end, and was it open before? */
static bool has_closed(const struct sequence *seq, int c)
{
    bool was_open = false;
    for (int m = 0; m < seq->n_event; m++)
        was_open = was_open || sequence_mode(seq, m)[c] == PHASE_OPEN;
    return was_open && phase_is_closed(sequence_mode(seq, seq->n_event)[c]);
}

/* What comes together and stays so to the end lets go before, where it presses least: what is thrown, kicked or
 * shoved. */
void move_let_go(struct finder *at, const struct spot *spot)
{
    const int m = at->seq->n_event, c = spot->subject, k = has_closed(at->seq, c) ? least_pressed(at, c) : -1;
    if (k < 0)
        return;
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 1);
    sequence_insert(seq, m, 2 * at->ph->piece[k].interval);
    sequence_mode(seq, m + 1)[c] = PHASE_OPEN;
    t[m] = at->start[k];
    neighbours_add(at, 0, seq, t, "followed by an opening", m);
}
