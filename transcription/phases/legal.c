#include "transcription/phases/legal.h"

#include "transcription/phases/patches.h"
#include "transcription/phases/phases.h"
#include "transcription/phases/seats.h"

static bool is_inside(const struct sequence *seq, int n_interval)
{
    return seq->n_event == 0 || (seq->place[0] > 0 && seq->place[seq->n_event - 1] < 2 * n_interval);
}

/* Events in order, and none beside another on one grid point. */
static bool is_ordered(const struct sequence *seq)
{
    for (int j = 1; j < seq->n_event; j++)
        if (seq->place[j] < seq->place[j - 1] || (seq->place[j] == seq->place[j - 1] && seq->place[j] % 2 == 0))
            return false;
    return true;
}

bool sequence_is_legal(const struct phase_system *sys, const struct sequence *seq)
{
    return is_inside(seq, sys->model->time.n_intervals) && is_ordered(seq) && phases_allow(sys->model, seq)
           && !phases_slide_on_controls(sys, seq) && !phases_slide_by_chance(sys, seq)
           && phases_switch_on_grid(sys, seq) && phases_allow_machines(sys, seq) && phases_allow_first(sys, seq)
           && seats_stay(sys, seq) && patches_allow(sys, seq);
}
