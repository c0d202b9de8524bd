#include "transcription/phases/landing.h"

#include <math.h>

/* What a contact does once it has landed. */
static unsigned char landed(const struct phase_contact *contact)
{
    return contact->n_t ? PHASE_STICK : PHASE_CLOSED;
}

static struct sequence *land_all(const struct phase_system *sys)
{
    struct sequence *seq = sequence_create(sys->n_contact, sys->n_switch, sys->n_machine);
    sequence_insert(seq, 0, 1);
    for (int c = 0; c < sys->n_contact; c++)
        sequence_mode(seq, 1)[c] = sequence_hit(seq, 0)[c] = landed(&sys->contact[c]);
    for (int l = 0; l < sys->n_switch; l++)
        if (sys->sw[l].wall) {
            sequence_mode(seq, 0)[sys->n_contact + l] = PHASE_POSITIVE;
            sequence_mode(seq, 1)[sys->n_contact + l] = PHASE_SLIDING;
        }
    return seq;
}

/* The guess of states and controls at all times. */
static struct samples *stand_still(const struct phase_system *sys)
{
    const struct model *model = sys->model;
    struct samples *samples = samples_create(sys, 1);
    samples->t_event[0] = 0.5 * samples->horizon / model->n_intervals;
    for (int mode = 0; mode < 2; mode++) {
        double *y = samples_add(samples, mode ? samples->t_event[0] : 0, mode);
        for (int i = 0; i < model->n_x; i++)
            y[i] = model_var_guess(&model->x[i]);
    }
    for (int i = 0; i < model->n_intervals * model->n_u; i++)
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
    struct samples *samples = stand_still(*sys);
    st = finish_build(&task, seq, samples, out, diag);
    samples_free(samples);
    sequence_free(seq);
    return st;
}
