#include "transcription/proposals/landing.h"
#include "transcription/sequence/seats.h"

#include <math.h>

/* What a contact does once it has landed. */
static unsigned char landed(const struct phase_contact *contact)
{
    return contact->n_t ? PHASE_STICK : PHASE_CLOSED;
}

/* A transition of machine m from its state in the last mode that has not been made; -1: none. */
static int next_transition(const struct phase_system *sys, const struct sequence *seq, int m)
{
    const int now = sequence_mode(seq, seq->n_event)[sys->n_contact + sys->n_switch + m];
    int first, end;
    phase_system_transitions(sys, m, &first, &end);
    for (int k = first; k < end; k++) {
        bool made = sys->transition[k].model->from != now;
        for (int j = 0; j < seq->n_event; j++)
            made = made || seq->step[j].transition == k;
        if (!made)
            return k;
    }
    return -1;
}

static void go_on(const struct phase_system *sys, struct sequence *seq, int m)
{
    for (int k = next_transition(sys, seq, m); k >= 0; k = next_transition(sys, seq, m)) {
        const int j = seq->n_event;
        sequence_insert(seq, j, 1);
        seq->step[j].transition = k;
        sequence_mode(seq, j + 1)[sys->n_contact + sys->n_switch + m] = (unsigned char)sys->transition[k].model->to;
    }
}

static struct sequence *land_all(const struct phase_system *sys)
{
    const bool lands = sys->n_contact > 0 || sys->model->switching.n_projection > 0;
    struct sequence *seq = sequence_create(sys->n_contact, sys->n_switch, sys->n_machine);
    for (int m = 0; m < sys->n_machine; m++)
        sequence_mode(seq, 0)[sys->n_contact + sys->n_switch + m] =
            (unsigned char)sys->model->switching.machine[m].start;
    if (lands)
        sequence_insert(seq, 0, 1);
    for (int c = 0; c < sys->n_contact; c++)
        sequence_mode(seq, 1)[c] = sequence_hit(seq, 0)[c] = landed(&sys->contact[c]);
    for (int l = 0; l < sys->n_switch && lands; l++)
        if (sys->sw[l].wall) {
            sequence_mode(seq, 0)[sys->n_contact + l] = PHASE_POSITIVE;
            sequence_mode(seq, 1)[sys->n_contact + l] = PHASE_SLIDING;
        }
    for (int m = 0; m < sys->n_machine; m++)
        go_on(sys, seq, m);
    for (int c = sys->n_contact - sys->model->contacts.n_load; c < sys->n_contact; c++) {
        sequence_mode(seq, 0)[c] = landed(&sys->contact[c]);    /* a seat: closed from the start */
        sequence_hit(seq, 0)[c] = PHASE_OPEN;
    }
    (void)seats_settle(sys, seq);
    return seq;
}

/* The guess of states and controls at all times. */
static struct samples *stand_still(const struct phase_system *sys, int n_event)
{
    const struct model *model = sys->model;
    struct samples *samples = samples_create(sys, n_event);
    for (int j = 0; j < n_event; j++)
        samples->t_event[j] = samples->horizon / model->time.n_intervals * (j + 1) / (n_event + 1);
    for (int mode = 0; mode <= n_event; mode++) {
        double *y = samples_add(samples, mode ? samples->t_event[mode - 1] : 0, mode);
        for (int i = 0; i < model->n_x; i++)
            y[i] = model_var_guess(&model->x[i]);
    }
    for (int i = 0; i < model->time.n_intervals * model->n_u; i++)
        samples->u[i] = model_var_guess(&model->u[i % model->n_u]);
    return samples;
}

enum status landing_build(struct model *model, struct phase_system **sys, struct finish *out, struct diag *diag)
{
    *out = (struct finish){ .objective = NAN, .violation = INFINITY };
    enum status st = phase_system_create(model, sys, diag);
    if (st != STATUS_OK)
        return st;
    const struct finish_task task = { .sys = *sys, .grid = { .scheme = RK_RADAU_IIA, .stages = 2, .elements = 1 } };
    struct sequence *seq = land_all(*sys);
    struct samples *samples = stand_still(*sys, seq->n_event);
    st = finish_build(&task, seq, samples, out, diag);
    samples_free(samples);
    sequence_free(seq);
    return st;
}
