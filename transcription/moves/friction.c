/* Sticking and slip: where slip reverses, after an impact, at the ends of the horizon, on an active cone. */
#include "transcription/moves/moves.h"

#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define START_SLIP 1e-6             /* m/s: of a contact that does not rest at the start */

/* --- Where slip reverses ------------------------------------------------------------------------------------- */

/* Between opposite slips that meet on grid point i a phase of sticking: from inside before to the point, or
 * longer. */
static void stick_at_reversal(struct finder *at, int j, int c, int i)
{
    const int from[] = { 2 * i - 1, 2 * i - 1, 2 * i - 3 }, to[] = { 2 * i, 2 * i + 2, 2 * i };
    for (int k = 0; k < 3; k++) {
        struct sequence *seq = sequence_copy(at->seq);
        double *t = neighbours_times(at, 1);
        seq->place[j] = to[k];
        sequence_insert(seq, j, from[k]);
        sequence_copy_mode(seq, j + 1, at->seq, j + 1);
        sequence_mode(seq, j + 1)[c] = PHASE_STICK;
        memmove(t + j + 1, t + j, (size_t)(at->seq->n_event - j) * sizeof *t);
        const int before = from[k] / 2, point = to[k] / 2;
        t[j] = neighbours_time(at, before + 1 - EVENT_INSET);
        t[j + 1] = neighbours_time(at, point);
        neighbours_add(at, 0, seq, t, "sticks for a while", j);
    }
}

void move_stick_at_reversal(struct finder *at, const struct spot *spot)
{
    const int j = spot->event;
    const struct sequence *seq = at->seq;
    const int i = model_grid_point(at->ph->n_interval, at->grid, at->t[j], at->near);
    if (i < 0 || sequence_has_impact(seq, j))
        return;
    for (int c = 0; c < seq->n_contact; c++) {
        const int a = sequence_mode(seq, j)[c], b = sequence_mode(seq, j + 1)[c];
        if ((a == PHASE_FORWARD && b == PHASE_BACKWARD) || (a == PHASE_BACKWARD && b == PHASE_FORWARD))
            stick_at_reversal(at, j, c, i);
    }
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
    neighbours_add(at, 0, seq, t, state == PHASE_STICK ? "sticks after the impact" : "slips after the impact", j);
}

void move_impact_friction(struct finder *at, const struct spot *spot)
{
    const int j = spot->event;
    static const int planar[] = { PHASE_STICK, PHASE_FORWARD, PHASE_BACKWARD },
                     spatial[] = { PHASE_STICK, PHASE_SLIP };
    for (int c = 0; c < at->seq->n_contact; c++) {
        const int n_t = at->ph->sys->contact[c].n_t, was = sequence_hit(at->seq, j)[c];
        if (was == PHASE_OPEN || was == PHASE_CLOSED)
            continue;
        for (int k = 0; k < (n_t > 1 ? 2 : 3); k++)
            if ((n_t > 1 ? spatial : planar)[k] != was)
                hit_as(at, j, c, (n_t > 1 ? spatial : planar)[k]);
    }
}

/* --- Rest at the ends ---------------------------------------------------------------------------------------- */

/* Contact c, which slips in the first or the last mode, sticks up to the first grid point, or in the last
 * interval. */
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
    neighbours_add(at, 0, seq, t, end ? "sticks at the end" : "sticks at the start", j);
}

/* Is the slip of contact c at the start one of fixed values? Then no state of it changes that. */
static bool slips_for_sure(const struct finder *at, int c)
{
    const struct phase_system *sys = at->ph->sys;
    const struct nlp *nlp = &at->ph->mpcc.nlp;
    double slip = 0;
    for (int k = 0; k < sys->contact[c].n_t; k++)
        slip = fmax(slip, fabs(neighbours_value_at_start(at, sys->contact[c].model->v_t[k])));
    for (int i = 0; i < sys->n_y; i++) {
        const int var = phases_left(at->ph, 0)[i];
        const bool is_free = nlp->lbw[var] < nlp->ubw[var];
        if (is_free && expr_depends(sys->g, sys->contact[c].model->v_t[0], 1, &sys->dcs->y[i].sym))
            return false;
    }
    return slip > START_SLIP;
}

void move_rest_at_ends(struct finder *at, const struct spot *spot)
{
    const int c = spot->subject;
    if (phase_slips(sequence_mode(at->seq, 0)[c]) && !slips_for_sure(at, c))
        rest_at(at, c, false);
    if (phase_slips(sequence_mode(at->seq, at->seq->n_event)[c]))
        rest_at(at, c, true);
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
        const struct phase_point point =
            phases_stage_point(ph, ph->piece[k].first + i / ph->n_point, i % ph->n_point);
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
    neighbours_add(at, 0, seq, t, "slips before it", m);
}

static bool ends_phase(const struct finder *at, int k)
{
    return at->ph->piece[k].after >= 0 || k + 1 == at->ph->n_piece;
}

/* The state that contact c, which sticks in the plane in piece k, slips with where its cone is active throughout
 * the end of its phase, or STICK. */
static int slips_at_end(const struct finder *at, int k, int c)
{
    return ends_phase(at, k) ? slips_in(at, k, at->ph->piece[k].n_element * at->ph->n_point, c) : PHASE_STICK;
}

static bool sticks_in_plane(const struct finder *at, int k, int c)
{
    return at->ph->sys->contact[c].n_t == 1 && sequence_mode(at->seq, at->ph->piece[k].mode)[c] == PHASE_STICK;
}

void move_slip_to_end(struct finder *at, const struct spot *spot)
{
    const int k = spot->piece;
    for (int c = 0; c < at->seq->n_contact; c++) {
        const int state = sticks_in_plane(at, k, c) ? slips_at_end(at, k, c) : PHASE_STICK;
        if (state != PHASE_STICK)
            slip_to_the_end(at, k, c, state);
    }
}
