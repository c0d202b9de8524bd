#include "transcription/phases/neighbours_parts.h"

#include "core/base/mem.h"
#include "transcription/phases/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Through the surface ------------------------------------------------------------------------------------- */

/* Mode j + 1 slides on switch k and comes back to where it came from: on the other side of the surface instead. */
static void pass_through(struct finder *at, int j, int k)
{
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 0);
    sequence_mode(seq, j + 1)[k] = sequence_mode(seq, j)[k] == PHASE_POSITIVE ? PHASE_NEGATIVE : PHASE_POSITIVE;
    if (sequence_is_on_grid(seq, j + 1)) {      /* nothing crosses by a jump of the controls */
        seq->place[j + 1]--;
        t[j + 1] -= EVENT_INSET * at->H;
    }
    neighbours_add(at, 1.8, seq, t, "passes to the other side", j);
}

void neighbours_passages(struct finder *at)
{
    const struct sequence *seq = at->seq;
    for (int j = 0; j + 1 < seq->n_event; j++)
        for (int k = seq->n_contact; k < seq->n_contact + seq->n_switch; k++)
            if (sequence_mode(seq, j + 1)[k] == PHASE_SLIDING && sequence_mode(seq, j)[k] == sequence_mode(seq, j + 2)[k]
                && sequence_mode(seq, j)[k] != PHASE_SLIDING && !at->ph->sys->sw[k - seq->n_contact].wall)
                pass_through(at, j, k);
}

/* --- Rest at the ends ---------------------------------------------------------------------------------------- */

/* Contact c, which slips in the first or the last mode, sticks up to the first grid point, or in the last interval. */
static void rest_at(struct finder *at, int c, bool end)
{
    const int N = at->ph->n_interval, m = at->seq->n_event;
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 1);
    const int j = end ? m : 0;
    sequence_insert(seq, j, end ? 2 * N - 1 : 2);
    memmove(t + j + 1, t + j, (size_t)(m - j) * sizeof *t);
    t[j] = neighbours_time(at, end ? N - EVENT_INSET : 1);
    sequence_mode(seq, end ? m + 1 : 0)[c] = PHASE_STICK;
    neighbours_add(at, 0.9, seq, t, end ? "sticks at the end" : "sticks at the start", j);
}

/* At the state it starts from. */
static double value_at_start(const struct finder *at, expr e)
{
    const struct phase_system *sys = at->ph->sys;
    const double *w = at->finish->w;
    double *y = mem_alloc((size_t)sys->n_y, sizeof *y);
    for (int i = 0; i < sys->n_y; i++)
        y[i] = w[phases_left(at->ph, 0)[i]];
    const double value = phase_system_value(sys, e, y, &w[at->ph->p]);
    free(y);
    return value;
}

/* Is the slip of contact c at the start one of fixed values? Then no state of it changes that. */
static bool slips_for_sure(const struct finder *at, int c)
{
    const struct phase_system *sys = at->ph->sys;
    const struct nlp *nlp = &at->ph->mpcc.nlp;
    double slip = 0;
    for (int k = 0; k < sys->contact[c].n_t; k++)
        slip = fmax(slip, fabs(value_at_start(at, sys->contact[c].model->v_t[k])));
    for (int i = 0; i < sys->n_y; i++) {
        const int var = phases_left(at->ph, 0)[i];
        const bool is_free = nlp->lbw[var] < nlp->ubw[var];
        if (is_free && expr_depends(sys->g, sys->contact[c].model->v_t[0], 1, &sys->dcs->y[i].sym))
            return false;
    }
    return slip > START_SLIP;
}

/* A switch that is at zero at the start slides first, for a moment in the first interval. */
static void slides_first(struct finder *at, int l)
{
    const int subject = at->seq->n_contact + l;
    if (at->ph->sys->sw[l].pair >= 0 || sequence_mode(at->seq, 0)[subject] == PHASE_SLIDING
        || !(fabs(value_at_start(at, at->ph->sys->sw[l].sw->c)) <= START_ZERO))
        return;
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 1);
    sequence_insert(seq, 0, 1);
    memmove(t + 1, t, (size_t)at->seq->n_event * sizeof *t);
    t[0] = neighbours_time(at, EVENT_INSET);
    sequence_mode(seq, 0)[subject] = PHASE_SLIDING;
    neighbours_add(at, 0.9, seq, t, "slides at the start", 0);
}

void neighbours_rests(struct finder *at)
{
    for (int c = 0; c < at->seq->n_contact; c++) {
        if (phase_slips(sequence_mode(at->seq, 0)[c]) && !slips_for_sure(at, c))
            rest_at(at, c, false);
        if (phase_slips(sequence_mode(at->seq, at->seq->n_event)[c]))
            rest_at(at, c, true);
    }
    for (int l = 0; l < at->seq->n_switch; l++)
        slides_first(at, l);
}

/* --- After an impact ----------------------------------------------------------------------------------------- */

/* Contact c takes the impulse in another state, and stays in it for as long as it was in the one before. */
static void hit_as(struct finder *at, int j, int c, int state)
{
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 0);
    sequence_hit(seq, j)[c] = (unsigned char)state;
    if (sequence_mode(seq, j + 1)[c] != PHASE_OPEN)
        sequence_mode(seq, j + 1)[c] = (unsigned char)state;
    sequence_simplify(seq, t);
    neighbours_add(at, 0.8, seq, t, state == PHASE_STICK ? "sticks after the impact" : "slips after the impact", j);
}

void neighbours_impacts(struct finder *at, int j)
{
    static const int planar[] = { PHASE_STICK, PHASE_FORWARD, PHASE_BACKWARD }, spatial[] = { PHASE_STICK, PHASE_SLIP };
    for (int c = 0; c < at->seq->n_contact; c++) {
        const int n_t = at->ph->sys->contact[c].n_t, was = sequence_hit(at->seq, j)[c];
        if (was == PHASE_OPEN || was == PHASE_CLOSED)
            continue;
        for (int k = 0; k < (n_t > 1 ? 2 : 3); k++)
            if ((n_t > 1 ? spatial : planar)[k] != was)
                hit_as(at, j, c, (n_t > 1 ? spatial : planar)[k]);
    }
}

/* --- Sticking on the cone ------------------------------------------------------------------------------------ */

/* Is the cone of contact c on one side active at the first n stages of piece k? The state that slips that way, or
 * STICK. */
static int slips_in(const struct finder *at, int k, int n, int c)
{
    const struct phases *ph = at->ph;
    const double mu = ph->sys->contact[c].model->mu;
    bool upper = true, lower = true;
    for (int i = 0; i < n; i++) {
        const struct phase_point point = phases_stage_point(ph, ph->piece[k].first + i / ph->n_point, i % ph->n_point);
        const double lambda_n = at->finish->w[point.first + point.layout->lambda_n[c]];
        const double lambda_t = at->finish->w[point.first + point.layout->lambda_t[c]];
        upper = upper && mu * lambda_n - lambda_t < CONE_ACTIVE * fmax(1, lambda_n);
        lower = lower && mu * lambda_n + lambda_t < CONE_ACTIVE * fmax(1, lambda_n);
    }
    return upper == lower ? PHASE_STICK : upper ? PHASE_BACKWARD : PHASE_FORWARD;
}

/* From piece k on the contact slips to the end of its phase. */
static void slip_to_the_end(struct finder *at, int k, int c, int state)
{
    const struct phase_piece *piece = &at->ph->piece[k];
    const int m = piece->mode;
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 1);
    const bool whole = piece->before >= 0 || k == 0;
    if (!whole) {
        sequence_insert(seq, m, 2 * piece->interval);
        memmove(t + m + 1, t + m, (size_t)(at->seq->n_event - m) * sizeof *t);
        t[m] = at->start[k];
    }
    sequence_mode(seq, whole ? m : m + 1)[c] = (unsigned char)state;
    sequence_simplify(seq, t);
    neighbours_add(at, 1.5, seq, t, "slips before it", m);
}

/* From the start of its phase the contact slips, and comes to stick in the interval of piece k or in the next. */
static void slip_at_first(struct finder *at, int k, int c, int state)
{
    const struct phase_piece *piece = &at->ph->piece[k];
    const int m = piece->mode;
    for (int i = piece->interval; i <= piece->interval + 1 && i < at->ph->n_interval; i++) {
        struct sequence *seq = sequence_copy(at->seq);
        double *t = neighbours_times(at, 1);
        sequence_insert(seq, m, 2 * i + 1);
        sequence_mode(seq, m)[c] = (unsigned char)state;
        memmove(t + m + 1, t + m, (size_t)(at->seq->n_event - m) * sizeof *t);
        t[m] = neighbours_time(at, i == piece->interval ? i + 1 - EVENT_INSET : i + EVENT_INSET);
        neighbours_add(at, 2.1, seq, t, "slips first", m);
    }
}

void neighbours_cones(struct finder *at, int k)
{
    const struct phase_piece *piece = &at->ph->piece[k];
    const bool ends = piece->after >= 0 || k + 1 == at->ph->n_piece, begins = piece->before >= 0 || k == 0;
    for (int c = 0; c < at->seq->n_contact; c++) {
        if (at->ph->sys->contact[c].n_t != 1 || sequence_mode(at->seq, piece->mode)[c] != PHASE_STICK)
            continue;
        const int all = slips_in(at, k, piece->n_element * at->ph->n_point, c), first = slips_in(at, k, 1, c);
        if (ends && all != PHASE_STICK)
            slip_to_the_end(at, k, c, all);
        if (begins && first != PHASE_STICK && !(ends && all != PHASE_STICK))
            slip_at_first(at, k, c, first);
    }
}
