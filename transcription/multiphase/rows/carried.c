/* Closed contacts that an impact reaches without hitting them: its impulses lie in their tangent, where they have
 * no normal impulse to resist with. What stuck starts to slip, what slipped is turned or stopped, and v_t = 0 is
 * not asked for before the impact. Sticking after it is a row of its own, but where momentum and restitution say
 * the same. */
#include "transcription/multiphase/rows/rows.h"

#include "transcription/sequence/couple.h"

static enum phase_carried carried_at(const struct phases *ph, const struct couple *couple, int j, int c)
{
    const unsigned char *before = sequence_mode(ph->seq, j), *hit = sequence_hit(ph->seq, j);
    if (!couple_reaches(couple, hit, c))
        return CARRIED_NOT;
    return couple_drags(couple, before, hit, c) ? CARRIED_SLIPS : CARRIED_STOPS;
}

void phases_find_carried(struct phases *ph)
{
    const int n_c = ph->sys->n_contact;
    struct couple *couple = NULL;               /* of the end: made only where it is asked for, it costs derivatives */
    ph->carried = arena_alloc(&ph->mem, (size_t)(ph->seq->n_event * n_c), 1);
    for (int j = 0; j < ph->seq->n_event; j++)
        for (int c = 0; c < n_c && sequence_has_impact(ph->seq, j); c++) {
            const int before = sequence_mode(ph->seq, j)[c], after = sequence_mode(ph->seq, j + 1)[c];
            if (sequence_hit(ph->seq, j)[c] != PHASE_OPEN || ph->sys->contact[c].n_t == 0 || !phase_is_closed(before)
                || !phase_is_closed(after) || before == PHASE_CLOSED || after == PHASE_CLOSED)
                continue;
            if (!couple)
                couple = couple_create(ph->sys, ph->guess.end);
            ph->carried[j * n_c + c] = (unsigned char)carried_at(ph, couple, j, c);
        }
    couple_free(couple);
}

enum phase_carried phases_carried(const struct phases *ph, int event, int contact)
{
    return (enum phase_carried)ph->carried[event * ph->sys->n_contact + contact];
}
