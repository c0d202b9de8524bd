#include "transcription/sequence/seats.h"

/* The contact that presses on seat c; -1: its load is given, or it is none. */
static int presses_on(const struct phase_system *sys, int c)
{
    return sys->contact[c].model->load_of;
}

static bool is_seat(const struct phase_system *sys, int c)
{
    return c >= sys->n_contact - sys->model->contacts.n_load;
}

static bool rubs(int state) { return state == PHASE_STICK || phase_slips(state); }

/* What seat c does about mode j, where its friction acts: as it does there, or next to it. */
static int friction_near(const struct phase_system *sys, const struct sequence *seq, int j, int c)
{
    if (sys->contact[c].n_t == 0)
        return PHASE_CLOSED;
    for (int k = j; k <= j + 1 && k <= seq->n_event; k++)
        if (rubs(sequence_mode(seq, k)[c]))
            return sequence_mode(seq, k)[c];
    return j > 0 && rubs(sequence_mode(seq, j - 1)[c]) ? sequence_mode(seq, j - 1)[c] : PHASE_STICK;
}

/* Sets *state; true if it was another one. */
static bool set(unsigned char *state, int to)
{
    const bool changes = *state != to;
    *state = (unsigned char)to;
    return changes;
}

/* What the impulse of seat c is at event j. */
static int state_of_impulse(const struct phase_system *sys, const struct sequence *seq, int j, int c)
{
    const int now = sequence_hit(seq, j)[c];
    if (sequence_hit(seq, j)[presses_on(sys, c)] == PHASE_OPEN)
        return PHASE_OPEN;
    return rubs(now) ? now : friction_near(sys, seq, j + 1, c);
}

bool seats_settle(const struct phase_system *sys, struct sequence *seq)
{
    bool changes = false;
    for (int c = 0; c < sys->n_contact; c++) {
        const int by = presses_on(sys, c);
        for (int j = 0; j < seq->n_event && by >= 0; j++)
            changes = set(&sequence_hit(seq, j)[c], state_of_impulse(sys, seq, j, c)) || changes;
        for (int j = 0; j <= seq->n_event && by >= 0; j++) {
            const bool acts = sequence_mode(seq, j)[by] != PHASE_OPEN;
            changes =
                set(&sequence_mode(seq, j)[c], acts ? friction_near(sys, seq, j, c) : PHASE_CLOSED) || changes;
        }
    }
    return changes;
}

bool seats_stay(const struct phase_system *sys, const struct sequence *seq)
{
    for (int c = 0; c < sys->n_contact; c++)
        for (int j = 0; j <= seq->n_event && is_seat(sys, c); j++)
            if (sequence_mode(seq, j)[c] == PHASE_OPEN)
                return false;
    return true;
}
