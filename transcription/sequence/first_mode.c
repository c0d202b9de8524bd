#include "transcription/sequence/first_mode.h"

#include "transcription/sequence/recipe.h"

#include <math.h>

/* Without round-off; 0 where nothing is given. */
static double value_of(double start)
{
    return fabs(start) > TOUCHES ? start : 0;
}

unsigned char first_mode_slip(const struct phase_contact *contact, unsigned char state)
{
    double most = 0;
    for (int k = 0; k < contact->n_t; k++) {
        const double v_t = value_of(contact->v_t_start[k]);
        most = fabs(v_t) > fabs(most) ? v_t : most;
    }
    if (most == 0)
        return state;
    return contact->n_t > 1 ? PHASE_SLIP : most > 0 ? PHASE_FORWARD : PHASE_BACKWARD;
}

unsigned char first_mode_state(const struct phase_system *sys, int subject, unsigned char state)
{
    if (subject < sys->n_contact) {
        const struct phase_contact *contact = &sys->contact[subject];
        if (state == PHASE_OPEN || value_of(contact->gap_start) > 0 || value_of(contact->v_n_start) != 0)
            return PHASE_OPEN;
        return first_mode_slip(contact, state);
    }
    const struct phase_switch *sw = &sys->sw[subject - sys->n_contact];
    const double c = value_of(sw->c_start);
    return c > 0 ? PHASE_POSITIVE : c < 0 && !sw->wall ? PHASE_NEGATIVE : state;
}

bool first_mode_hits(const struct phase_contact *contact)
{
    return fabs(contact->gap_start) <= TOUCHES && contact->v_n_start < -TOUCHES;
}

static bool hits_first(const struct sequence *seq, int c)
{
    return seq->n_event > 0 && seq->place[0] == 1 && sequence_hit(seq, 0)[c] != PHASE_OPEN;
}

static bool allows(const struct phase_system *sys, const struct sequence *seq, int subject)
{
    const unsigned char state = sequence_mode(seq, 0)[subject];
    return first_mode_state(sys, subject, state) == state
           && (subject >= sys->n_contact || !first_mode_hits(&sys->contact[subject]) || hits_first(seq, subject));
}

bool first_mode_is(const struct phase_system *sys, const struct sequence *seq)
{
    bool allowed = true;
    if (model_jump_at(sys->model, 0))           /* what comes after it is not given */
        return true;
    for (int k = 0; k < sys->n_contact + sys->n_switch && allowed; k++)
        allowed = allows(sys, seq, k);
    return allowed;
}
