/* The user's complementarity in the smooth program: in a mode one side of each pair is 0, the other is not
 * negative.
 *
 *   constant     of controls and parameters: one row in each control interval; a control by its bounds
 *   continuous   of states: where the mode begins it is 0, with its time derivatives that no control
 *                reaches; then, as controls are constant, one row at the end of each interval, which says
 *                what the control has to be
 *   others       of states and controls: one row at the end of each interval
 *
 * So a side that is held at 0 takes from each interval the one degree of freedom that it needs, and no more: what
 * it is between these points follows from the motion, to SIDE_BAND where it is no polynomial of time. What closed
 * contacts or other pairs keep at 0 anyway needs no rows: by the rank of its gradient.
 */
#include "transcription/multiphase/rows/rows.h"

#include "core/base/mem.h"
#include "transcription/sequence/rank.h"

#include <math.h>
#include <stdlib.h>

#define SIDE_BAND 1e-4              /* in its own unit: what is held at 0 at the ends of intervals may be off between them */

enum pair_side phases_zero_side(int state)
{
    return state == PHASE_H_ZERO ? SIDE_H : SIDE_G;
}

/* The side of pair k that is 0 in a mode. */
static enum pair_side zero_in(const struct phases *ph, int mode, int k)
{
    const struct phase_system *sys = ph->sys;
    return phases_zero_side(sequence_mode(ph->seq, mode)[sys->n_contact + sys->n_switch - sys->n_pair + k]);
}

/* --- What others keep at zero -------------------------------------------------------------------------------- */

/* A row of the rank that is not 0 where it is judged, and depends on those before it. */
static bool is_repeated(struct rank *rank, const struct phase_system *sys, expr e, const double *y)
{
    const double *row = rank_gradient(rank, sys, e, y);
    double most = 0;
    for (int i = 0; i < sys->n_y; i++)
        most = fmax(most, fabs(row[i]));
    return !rank_add(rank) && most > 0;
}

/* repeats [n_pair * PAIR_SIDE_RATES] of a mode: which derivatives of the side at 0 follow from
 * contacts, and from pairs before it. */
static void find_repeated(struct phases *ph, int mode, bool *repeats)
{
    const struct phase_system *sys = ph->sys;
    struct rank *rank = rank_create(sys->n_y);
    rank_add_contacts(rank, sys, sequence_mode(ph->seq, mode), ph->guess.end);
    for (int k = 0; k < sys->n_pair; k++) {
        const struct phase_pair_side *side = &sys->pair[k].side[zero_in(ph, mode, k)];
        for (int q = 0; q < side->n_rate; q++)
            repeats[k * PAIR_SIDE_RATES + q] = is_repeated(rank, sys, side->rate[q], ph->guess.end);
    }
    rank_free(rank);
}

void phases_lay_out_sides(struct phases *ph)
{
    const size_t size = (size_t)(ph->sys->n_pair * PAIR_SIDE_RATES), n_mode = (size_t)ph->seq->n_event + 1;
    ph->implied.side_repeats = arena_alloc(&ph->mem, size * n_mode, sizeof(bool));
    for (size_t j = 0; j < n_mode && size; j++)
        find_repeated(ph, (int)j, ph->implied.side_repeats + j * size);
}

static bool is_repeated_in(const struct phases *ph, int mode, int k, int rate)
{
    return ph->implied.side_repeats[(mode * ph->sys->n_pair + k) * PAIR_SIDE_RATES + rate];
}

/* --- Rows ---------------------------------------------------------------------------------------------------- */

static void add_row(struct phases *ph, int k, enum pair_side side, double lb, double ub,
                    const struct phase_point *point)
{
    const struct phase_system *sys = ph->sys;
    const struct model_pair *pair = sys->pair[k].model;
    const int row =
        program_row(ph->prog, lb, ub, phases_label(pair->side_name[side], pair->path, pair->pos, point));
    block_out(ph->state, sys->out.side + 2 * k + (int)side, row, 1, PROGRAM_ONE, PROGRAM_ONE);
}

static bool ends_interval(const struct phases *ph, const struct phase_piece *piece)
{
    return piece + 1 == ph->piece + ph->n_piece || piece[1].interval != piece->interval;
}

static bool begins_interval(const struct phases *ph, const struct phase_piece *piece)
{
    return piece == ph->piece || piece[-1].interval != piece->interval;
}

/* A side without states, at the first point of its interval. */
static void bound_constant(struct phases *ph, int k, enum pair_side side, bool zero,
                           const struct phase_point *point)
{
    if (!zero && side == SIDE_H && ph->sys->pair[k].model->any_sign)
        return;
    const int u = ph->sys->pair[k].side[side].u, var = u >= 0 ? ph->at.u[point->interval] + u : -1;
    const double lb = u >= 0 ? program_lb(ph->prog, var) : 0, ub = u >= 0 ? program_ub(ph->prog, var) : 0;
    if (u < 0 || (zero && (lb > 0 || ub < 0)) || ub < 0)
        add_row(ph, k, side, 0, zero ? 0 : INFINITY, point);
    else
        program_set_bounds(ph->prog, var, fmax(lb, 0), zero ? 0 : ub);
}

/* Does the mode of the next piece begin with this side at 0, so that rows there say so? */
static bool begins_behind(const struct phases *ph, const struct phase_piece *piece, int k, enum pair_side side)
{
    if (piece + 1 == ph->piece + ph->n_piece || ph->at.reset[piece + 1 - ph->piece] >= 0)
        return false;
    return zero_in(ph, piece[1].mode, k) == side && zero_in(ph, piece->mode, k) != side
           && ph->sys->pair[k].side[side].kind == PAIR_SIDE_CONTINUOUS && !is_repeated_in(ph, piece[1].mode, k, 0);
}

/* The side that is not 0: a state by its bounds, where they say it. */
static void bound_positive(struct phases *ph, int k, enum pair_side side, const struct phase_piece *piece,
                           bool last, const struct phase_point *point)
{
    const int x = ph->sys->pair[k].side[side].x;
    const bool free_sign = side == SIDE_H && ph->sys->pair[k].model->any_sign;
    const bool bounded = x >= 0 && program_lb(ph->prog, point->y[x]) >= 0;
    if (!free_sign && !bounded && !(last && begins_behind(ph, piece, k, side)))
        add_row(ph, k, side, 0, INFINITY, point);
}

/* Is a side at 0 all through a piece where it begins with that? */
static bool follows(const struct phases *ph, int k, enum pair_side side, const struct phase_piece *piece)
{
    const struct phase_pair_side *at = &ph->sys->pair[k].side[side];
    return at->kind == PAIR_SIDE_CONTINUOUS && (at->rests || is_repeated_in(ph, piece->mode, k, 0));
}

/* Is this the point of its mode and interval at which a side is held at 0? */
static bool is_held_at(const struct phases *ph, int k, enum pair_side side, const struct phase_piece *piece,
                       bool last)
{
    const bool goes_on = !ends_interval(ph, piece) && zero_in(ph, piece[1].mode, k) == side;
    return last && !goes_on && !follows(ph, k, side, piece);
}

/* A state that is held there is not to be kept off its bound elsewhere. */
static void bound_zero(struct phases *ph, int k, enum pair_side side, const struct phase_piece *piece, bool last,
                       const struct phase_point *point)
{
    const int x = ph->sys->pair[k].side[side].x;
    const bool held = is_held_at(ph, k, side, piece, last);
    if (x >= 0 && program_lb(ph->prog, point->y[x]) == 0)
        program_set_bounds(ph->prog, point->y[x], -INFINITY, program_ub(ph->prog, point->y[x]));
    if (held)
        add_row(ph, k, side, 0, 0, point);
    else if (!ph->sys->pair[k].side[side].is_polynomial && !follows(ph, k, side, piece))
        add_row(ph, k, side, -SIDE_BAND, SIDE_BAND, point);
}

void phases_bound_sides(struct phases *ph, const struct phase_point *point, int e, int stage)
{
    const struct phase_system *sys = ph->sys;
    const struct phase_piece *piece = &ph->piece[ph->piece_of[e]];
    const bool first = e == piece->first && stage == 0;
    const bool last = e == piece->first + piece->n_element - 1 && stage == ph->n_point - 1;
    for (int k = 0; k < sys->n_pair; k++)
        for (int side = 0; side < 2; side++) {
            const bool zero = zero_in(ph, piece->mode, k) == (enum pair_side)side;
            if (sys->pair[k].side[side].kind != PAIR_SIDE_CONSTANT)
                (zero ? bound_zero : bound_positive)(ph, k, side, piece, last, point);
            else if (first && begins_interval(ph, piece))
                bound_constant(ph, k, side, zero, point);
        }
}

/* --- Where a mode begins --------------------------------------------------------------------------------------- */

/* Rows of the side and its derivatives at the left of a piece; of what is fixed at the start there is nothing to
 * say. */
static void begin_side(struct phases *ph, int k, const struct phase_piece *piece)
{
    const struct phase_system *sys = ph->sys;
    const enum pair_side zero = zero_in(ph, piece->mode, k);
    const struct phase_pair_side *side = &sys->pair[k].side[zero];
    const struct phase_point point = { .y = phases_left(ph, piece->first), .first = -1, .interval = piece->interval,
                                       .element = piece->first };
    const struct model_pair *pair = sys->pair[k].model;
    struct program_block *block = program_block(ph->prog, phase_system_function(sys, side->n_rate, side->rate));
    phases_fill(ph, block, &point);
    for (int q = 0; q < side->n_rate; q++) {
        const bool given = piece == ph->piece && !phases_is_free_at_start(ph, side->rate[q]);
        if (given || is_repeated_in(ph, piece->mode, k, q))
            continue;
        const char *name = arena_printf(&ph->mem, "%s%s", pair->side_name[zero], q ? ", its rate" : "");
        const int row = program_row(ph->prog, 0, 0, phases_label(name, pair->path, pair->pos, &point));
        block_out(block, q, row, 1, PROGRAM_ONE, PROGRAM_ONE);
    }
}

/* Where the start is free the other side is not negative there either. */
static void start_side(struct phases *ph, int k)
{
    const struct phase_system *sys = ph->sys;
    const enum pair_side side = zero_in(ph, 0, k) == SIDE_G ? SIDE_H : SIDE_G;
    const struct phase_point point = { .y = phases_left(ph, 0), .first = -1 };
    const bool any_sign = side == SIDE_H && sys->pair[k].model->any_sign;
    if (any_sign || sys->pair[k].side[side].kind != PAIR_SIDE_CONTINUOUS
        || !phases_is_free_at_start(ph, sys->pair[k].model->side[side]))
        return;
    phases_fill(ph, ph->state, &point);
    add_row(ph, k, side, 0, INFINITY, &point);
}

void phases_add_sides(struct phases *ph)
{
    const struct phase_system *sys = ph->sys;
    for (int k = 0; k < sys->n_pair; k++)
        start_side(ph, k);
    for (int p = 0; p < ph->n_piece; p++) {
        const struct phase_piece *piece = &ph->piece[p];
        for (int k = 0; k < sys->n_pair; k++) {
            const enum pair_side zero = zero_in(ph, piece->mode, k);
            const bool begins = p == 0 || ph->at.reset[p] >= 0 || zero_in(ph, piece[-1].mode, k) != zero;
            if (begins && sys->pair[k].side[zero].kind == PAIR_SIDE_CONTINUOUS)
                begin_side(ph, k, piece);
        }
    }
}

/* --- Asking -------------------------------------------------------------------------------------------------- */

double *phases_side_values(const struct phases *ph, const double *w)
{
    const struct phase_system *sys = ph->sys;
    const int n = 2 * sys->n_pair, n_point = ph->n_element * ph->n_point;
    struct tape *tape = tape_create(sys->g, sys->n_slot, sys->slot, n, &sys->state[sys->out.side]);
    double *slot = mem_alloc((size_t)sys->n_slot, sizeof *slot),
           *work = mem_alloc(tape_work_size(tape), sizeof *work);
    double *out = mem_alloc((size_t)(n * n_point), sizeof *out);
    for (int i = 0; i < sys->model->n_p; i++)
        slot[sys->p + i] = w[ph->at.p + i];
    if (sys->T >= 0)
        slot[sys->T] = w[ph->at.T];
    for (int k = 0; k < n_point; k++) {
        const struct phase_point point = phases_stage_point(ph, k / ph->n_point, k % ph->n_point);
        for (int i = 0; i < sys->n_y; i++)
            slot[sys->y + i] = w[point.y[i]];
        for (int i = 0; i < sys->model->n_u; i++)
            slot[sys->u + i] = w[ph->at.u[point.interval] + i];
        tape_eval(tape, 1, slot, 1, out + k * n, 1, work);
    }
    tape_free(tape);
    free(slot);
    free(work);
    return out;
}

double phases_complementarity(const struct phases *ph, const double *w)
{
    const int n = ph->sys->n_pair;
    double most = 0, *side = n ? phases_side_values(ph, w) : NULL;
    for (int k = 0; k < ph->n_element * ph->n_point * n; k++) {
        const double G = side[2 * k + SIDE_G], H = side[2 * k + SIDE_H];
        most = fmax(most, fmax(G, 0) * (ph->sys->pair[k % n].model->any_sign ? fabs(H) : fmax(H, 0)));
    }
    free(side);
    return most;
}
