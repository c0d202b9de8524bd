#include "transcription/sequence/legal.h"

#include "transcription/sequence/first_mode.h"
#include "transcription/sequence/patches.h"
#include "transcription/sequence/seats.h"
#include "transcription/sequence/sliding.h"

/* --- Places of events ---------------------------------------------------------------------------------------- */

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

/* Sides of the user's complementarity. */
bool legal_sides(const struct phase_system *sys, const struct sequence *seq)
{
    const int first = sys->n_contact + sys->n_switch - sys->n_pair;
    for (int j = 0; j < seq->n_event; j++)
        for (int k = 0; k < sys->n_pair; k++) {
            const bool jumps = sys->pair[k].side[SIDE_G].kind != PAIR_SIDE_CONTINUOUS
                               || sys->pair[k].side[SIDE_H].kind != PAIR_SIDE_CONTINUOUS;
            if (jumps && !sequence_is_on_grid(seq, j)
                && sequence_mode(seq, j)[first + k] != sequence_mode(seq, j + 1)[first + k])
                return false;
        }
    return true;
}

/* --- Contacts that are not there ----------------------------------------------------------------------------- */

/* May contact c be in a state from interval first to last? */
static bool may_be(const struct model *model, int c, int state, int first, int last)
{
    const bool open = state == PHASE_OPEN;
    bool may = true;
    for (int i = first; i <= last; i++)
        switch (model_contact_in(model, c, i)) {
        case CONTACT_THERE: break;
        case CONTACT_ABSENT: case CONTACT_OPEN: may = may && open; break;
        case CONTACT_STICKS: may = may && (state == PHASE_STICK || state == PHASE_CLOSED); break;
        }
    return may;
}

bool legal_contacts(const struct model *model, const struct sequence *seq)
{
    bool allowed = true;
    for (int j = 0; j <= seq->n_event && model->time.n_phase; j++) {
        const int first = j ? seq->place[j - 1] / 2 : 0;
        const int last = j == seq->n_event ? model->time.n_intervals - 1 : (seq->place[j] - 1) / 2;
        for (int c = 0; c < seq->n_contact; c++) {
            allowed = allowed && may_be(model, c, sequence_mode(seq, j)[c], first, last);
            if (j < seq->n_event && sequence_hit(seq, j)[c] != PHASE_OPEN)
                allowed = allowed && model_has_contact(model, c, sequence_interval(seq, j));
        }
    }
    return allowed;
}

/* --- What machines may do -------------------------------------------------------------------------------------- */

/* Does event j do to machines what its transition says, and nothing else? */
static bool is_step(const struct phase_system *sys, const struct sequence *seq, int j)
{
    const int first = sys->n_contact + sys->n_switch, k = seq->step[j].transition;
    const unsigned char *before = sequence_mode(seq, j) + first, *after = sequence_mode(seq, j + 1) + first;
    bool is = true;
    for (int m = 0; m < sys->n_machine; m++) {
        const bool moves = k >= 0 && sys->transition[k].machine == m;
        is = is && (moves ? sys->transition[k].model->from == before[m] && sys->transition[k].model->to == after[m]
                          : before[m] == after[m]);
    }
    if (k < 0)
        return is;
    const bool follows = j > 0 ? seq->place[j - 1] >= seq->place[j] - 1 : seq->place[j] == 1;
    return is && !sequence_is_on_grid(seq, j) && !sequence_has_impact(seq, j)
           && (sys->transition[k].commanded
                   ? seq->step[j].at_once
                   : !seq->step[j].at_once || (follows && sys->transition[k].model->when != EXPR_NONE));
}

bool legal_machine_states(const struct phase_system *sys, const struct sequence *seq)
{
    bool all = true;
    for (int j = 0; j <= seq->n_event; j++)
        for (int m = 0; m < sys->n_machine; m++)
            all = all
                  && sequence_mode(seq, j)[sys->n_contact + sys->n_switch + m]
                  < sys->model->switching.machine[m].n_state;
    return all;
}

bool legal_machines(const struct phase_system *sys, const struct sequence *seq)
{
    const unsigned char *start = sequence_mode(seq, 0) + sys->n_contact + sys->n_switch;
    bool allowed = true;
    for (int m = 0; m < sys->n_machine; m++)
        allowed = allowed && start[m] == sys->model->switching.machine[m].start;
    for (int j = 0; j < seq->n_event; j++)
        allowed = allowed && seq->step[j].transition < sys->n_transition && is_step(sys, seq, j);
    return allowed;
}

bool sequence_ends(const struct phase_system *sys, const struct sequence *seq)
{
    const unsigned char *end = sequence_mode(seq, seq->n_event) + sys->n_contact + sys->n_switch;
    bool all = true;
    for (int m = 0; m < sys->n_machine; m++) {
        const struct model_machine *machine = &sys->model->switching.machine[m];
        bool is_one = machine->n_final == 0;
        for (int k = 0; k < machine->n_final; k++)
            is_one = is_one || machine->final[k] == end[m];
        all = all && is_one;
    }
    return all;
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

bool sequence_is_legal(const struct phase_system *sys, const struct sequence *seq)
{
    return is_inside(seq, sys->model->time.n_intervals) && is_ordered(seq) && legal_contacts(sys->model, seq)
           && !sliding_on_controls(sys, seq) && !sliding_by_chance(sys, seq)
           && legal_sides(sys, seq) && legal_machines(sys, seq) && first_mode_is(sys, seq)
           && seats_stay(sys, seq) && patches_allow(sys, seq);
}
