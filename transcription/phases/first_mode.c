/* The mode in which given initial values start, whatever a sequence says: a contact is open, or hit, or leaves, what
 * should stick slips, a switching function has another sign, or one where it should slide. Time steps do not show
 * what is over within the first of them, and a measured state is beside the plan that it is to follow. */
#include "core/base/mem.h"
#include "transcription/phases/extract.h"
#include "transcription/phases/phases.h"
#include "transcription/phases/recipe.h"

#include <math.h>
#include <stdlib.h>

/* Without round-off; 0 where nothing is given. */
static double value_of(double start)
{
    return fabs(start) > TOUCHES ? start : 0;
}

static unsigned char slip_of(const struct phase_contact *contact, unsigned char state)
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

/* What the subject, which is `state` in a first mode, is at the start. */
static unsigned char state_at(const struct phase_system *sys, int subject, unsigned char state)
{
    if (subject < sys->n_contact) {
        const struct phase_contact *contact = &sys->contact[subject];
        if (state == PHASE_OPEN || value_of(contact->gap_start) > 0 || value_of(contact->v_n_start) != 0)
            return PHASE_OPEN;
        return slip_of(contact, state);
    }
    const struct phase_switch *sw = &sys->sw[subject - sys->n_contact];
    const double c = value_of(sw->c_start);
    return c > 0 ? PHASE_POSITIVE : c < 0 && !sw->wall ? PHASE_NEGATIVE : state;
}

/* Does the contact, which touches, approach? */
static bool is_hit_at_once(const struct phase_contact *contact)
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
    return state_at(sys, subject, state) == state
           && (subject >= sys->n_contact || !is_hit_at_once(&sys->contact[subject]) || hits_first(seq, subject));
}

bool phases_allow_first(const struct phase_system *sys, const struct sequence *seq)
{
    bool allowed = true;
    if (model_jump_at(sys->model, 0))           /* what comes after it is not given */
        return true;
    for (int k = 0; k < sys->n_contact + sys->n_switch && allowed; k++)
        allowed = allows(sys, seq, k);
    return allowed;
}

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
    if (phases_allow_first(sys, extract->seq))
        return;
    insert_first(sys, extract);
    unsigned char *first = sequence_mode(extract->seq, 0), *hit = sequence_hit(extract->seq, 0);
    const unsigned char *next = sequence_mode(extract->seq, 1);
    for (int k = 0; k < sys->n_contact + sys->n_switch; k++) {
        first[k] = state_at(sys, k, first[k]);
        if (k >= sys->n_contact || first[k] != PHASE_OPEN)
            continue;
        if (next[k] != PHASE_OPEN)
            hit[k] = next[k];
        else if (is_hit_at_once(&sys->contact[k]))
            hit[k] = slip_of(&sys->contact[k], sys->contact[k].n_t ? PHASE_STICK : PHASE_CLOSED);
    }
}
