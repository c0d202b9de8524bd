#include "transcription/finish/checks/between.h"

#include "core/base/mem.h"
#include "transcription/sequence/patches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHECK_FLOOR 1e-3            /* of bounds: the least that a violation is relative to */

void between_evaluate(struct between *at, const struct phase_point *point, double c)
{
    const struct phases *ph = at->ph;
    const struct phase_system *sys = ph->sys;
    double wy[16], wu[16], *slot = at->slot, *unknown = at->unknown;
    rk_weights(ph->rk, c, wy, wu);
    memset(slot, 0, (size_t)sys->n_slot * sizeof *slot);
    memset(unknown, 0, (size_t)point->layout->n * sizeof *unknown);
    for (int k = 0; k <= ph->grid.stages; k++) {
        const struct phase_point stage = phases_stage_point(ph, point->element, k ? k - 1 : 0);
        const int *y = k ? stage.y : phases_left(ph, point->element);
        for (int i = 0; i < sys->n_y; i++)
            slot[sys->y + i] += wy[k] * at->w[y[i]];
        for (int i = 0; i < point->layout->n && k; i++)
            unknown[i] += wu[k] * at->w[stage.first + i];
    }
    for (int i = 0; i < sys->n_contact; i++) {
        if (point->layout->lambda_n[i] >= 0)
            slot[sys->contact[i].lambda_n] = unknown[point->layout->lambda_n[i]];
        for (int k = 0; k < sys->contact[i].n_t && point->layout->lambda_t[i] >= 0; k++)
            slot[sys->contact[i].lambda_t + k] = unknown[point->layout->lambda_t[i] + k];
    }
    for (int l = 0; l < sys->n_switch; l++)
        slot[sys->sw[l].alpha] = point->layout->alpha[l] >= 0 ? unknown[point->layout->alpha[l]]
                                                              : point->sw[l] == PHASE_POSITIVE;
    for (int k = 0; k < sys->model->n_u; k++)
        slot[sys->u + k] = at->w[ph->at.u[point->interval] + k];
    for (int k = 0; k < sys->model->n_p; k++)
        slot[sys->p + k] = at->w[ph->at.p + k];
    if (sys->T >= 0)
        slot[sys->T] = at->w[ph->at.T];
    phase_system_signals(sys, point->machine, slot + sys->signal);
    phases_set_patches(sys, point, slot);
    tape_eval(at->state, 1, slot, 1, at->state_out, 1, at->work);
    tape_eval(at->constraint, 1, slot, 1, at->constraint_out, 1, at->work);
}

double between_violation(const struct between *at, const struct inequality *one)
{
    const bool is_state = one->kind == CHECK_STATE || one->kind == CHECK_WHEN;
    const double value = is_state                        ? at->state_out[one->index]
                         : one->kind == CHECK_CONSTRAINT ? at->constraint_out[one->index]
                         : one->kind == CHECK_Y          ? at->slot[at->ph->sys->y + one->index]
                                                         : at->unknown[one->index];
    const double bound = one->lb - value > value - one->ub ? one->lb : one->ub;
    const double scale = bound != 0 && isfinite(bound) ? fmax(CHECK_FLOOR, fabs(bound)) : fmax(1, fabs(value));
    return fmax(one->lb - value, value - one->ub) / scale;
}

double between_margin(struct between *at, const struct phase_point *point, int i, double c)
{
    const struct phase_system *sys = at->ph->sys;
    const int l = i - sys->n_contact;
    between_evaluate(at, point, c);
    return l < 0 ? at->state_out[sys->out.gap + i]
                 : point->sw[l] == PHASE_POSITIVE ? at->state_out[sys->out.c + l] : -at->state_out[sys->out.c + l];
}

bool between_has_margin(const struct phases *ph, const struct phase_point *point, int i)
{
    const int l = i - ph->sys->n_contact;
    if (l < 0)
        return model_has_contact(ph->sys->model, i, point->interval) && point->contact[i] == PHASE_OPEN;
    return ph->sys->sw[l].pair < 0 && point->sw[l] != PHASE_SLIDING;
}

bool between_touches(const struct phases *ph, int e, int i, bool end)
{
    const struct phase_piece *piece = &ph->piece[ph->piece_of[e]];
    const int j = end ? piece->after : piece->before, edge = end ? piece->first + piece->n_element - 1 : piece->first;
    if (e != edge || j < 0)
        return e == 0 && !end;                  /* what the start fixes is not to be moved */
    const int beside = sequence_mode(ph->seq, end ? j + 1 : j)[i];
    return i < ph->sys->n_contact ? sequence_hit(ph->seq, j)[i] != PHASE_OPEN || beside != PHASE_OPEN
                                  : beside != sequence_mode(ph->seq, end ? j : j + 1)[i];
}

double between_time(const struct between *at, int e, double c)
{
    const struct phases *ph = at->ph;
    const int piece = ph->piece_of[e];
    double *start = mem_alloc((size_t)ph->n_piece + 1, sizeof *start),
           *event = mem_alloc((size_t)ph->seq->n_event, sizeof *event);
    phases_times(ph, at->w, start, event);
    double t = start[piece] + c * phases_element_length(ph, at->w, e);
    for (int k = ph->piece[piece].first; k < e; k++)
        t += phases_element_length(ph, at->w, k);
    free(start);
    free(event);
    return t;
}

static void measure_margins(struct between *at)
{
    for (int e = 0; e < at->ph->n_element; e++) {
        const struct phase_point point = phases_stage_point(at->ph, e, 0);
        for (int i = 0; i < at->ph->sys->n_contact + at->ph->sys->n_switch; i++)
            if (i < at->ph->sys->n_contact || between_has_margin(at->ph, &point, i))
                at->largest[i] = fmax(at->largest[i], between_margin(at, &point, i, 1));
    }
}

static int most_unknowns(const struct phases *ph)
{
    int most = 1;
    for (int j = 0; j <= ph->seq->n_event; j++)
        most = ph->layout[j].n > most ? ph->layout[j].n : most;
    return most;
}

struct between between_create(const struct phases *ph, const double *w)
{
    const struct phase_system *sys = ph->sys;
    struct between at = { .ph = ph, .w = w };
    const int n_constraint = inequalities_n_constraint(ph);
    expr *e = inequalities_constraints(ph);
    at.state = tape_create(sys->g, sys->n_slot, sys->slot, sys->out.n_state, sys->state);
    at.constraint = tape_create(sys->g, sys->n_slot, sys->slot, n_constraint, e);
    free(e);
    const size_t a = tape_work_size(at.state), b = tape_work_size(at.constraint);
    at.work = arena_alloc(&at.mem, a > b ? a : b, sizeof(double));
    at.slot = arena_alloc(&at.mem, (size_t)sys->n_slot, sizeof(double));
    at.unknown = arena_alloc(&at.mem, (size_t)most_unknowns(ph), sizeof(double));
    at.state_out = arena_alloc(&at.mem, (size_t)sys->out.n_state, sizeof(double));
    at.constraint_out = arena_alloc(&at.mem, (size_t)n_constraint, sizeof(double));
    at.largest = arena_alloc(&at.mem, (size_t)(sys->n_contact + sys->n_switch), sizeof(double));
    measure_margins(&at);
    return at;
}

void between_free(struct between *at)
{
    tape_free(at->state);
    tape_free(at->constraint);
    arena_free(&at->mem);
}
