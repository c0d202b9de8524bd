/* The motion within a mode: Radau IIA or Gauss-Legendre with the unknowns of the mode as variables of each stage
 * (phases.md "Dynamics", (d)). */
#include "transcription/multiphase/rows/rows.h"

#include "transcription/sequence/recipe.h"

#include <math.h>

/* --- Conditions that give the unknowns ----------------------------------------------------------------------- */

static void add_balance(struct phases *ph, const struct phase_point *point)
{
    const struct phase_system *sys = ph->sys;
    for (int i = 0; i < sys->n_a; i++) {
        const struct dcs_row *F = &sys->dcs->F[sys->model->mechanics.v_index[i]];
        const int row = program_row(ph->prog, 0, 0, phases_label(F->name, F->path, F->pos, point));
        block_out(ph->motion, sys->out.balance + i, row, 1, PROGRAM_ONE, PROGRAM_ONE);
    }
}

/* Slip in space whose friction is smoothed: dir = v_t / speed, speed = sqrt(|v_t|^2 + width^2). */
static void add_smooth_slip(struct phases *ph, const struct phase_point *point, int c)
{
    const struct phase_outputs *out = &ph->sys->out;
    for (int k = 0; k < ph->sys->contact[c].n_t; k++)
        phases_subject_row(ph, ph->state, out->smooth_dir + SLIP_MAX * c + k, 0, 0, c, "direction of slip", point);
    phases_subject_row(ph, ph->state, out->smooth_speed + c, 0, 0, c, "speed of slip", point);
}

/* Slip in space that ends here, in the direction that it had: by final values, which say it all, or at an event. */
static void add_end_of_slip(struct phases *ph, const struct phase_point *point, int c)
{
    const struct phase_piece *piece = &ph->piece[ph->piece_of[point->element]];
    program_set_bounds(ph->prog, point->first + point->layout->speed[c], 0, 0);
    if (!phases_slip_is_determined(ph, point->element, point->stage - 1, c))
        phases_rest_rows(ph, ph->state, ph->sys->out.v_t + SLIP_MAX * c,
                         &ph->implied.stop[piece->after * ph->sys->n_contact + c], c, "end of slip", point);
}

/* Slip in space: v_t = speed dir; where it only starts, v_t' = speed dir. */
static void add_slip(struct phases *ph, const struct phase_point *point, int c, bool starts)
{
    const struct phase_outputs *out = &ph->sys->out;
    struct program_block *block = starts ? ph->motion : ph->state;
    const int slip = (starts ? out->slip_rate : out->slip) + SLIP_MAX * c;
    const bool ends = point->stage > 0 && (phases_slip_is_determined(ph, point->element, point->stage - 1, c)
                                           || phases_slip_stops(ph, point->element, point->stage - 1, c));
    if (ends)
        add_end_of_slip(ph, point, c);
    for (int k = 0; k < ph->sys->contact[c].n_t && !ends; k++)
        phases_subject_row(ph, block, slip + k, 0, 0, c, "slip", point);
    phases_subject_row(ph, ph->state, out->unit + c, 0, 0, c, "direction of slip", point);
}

void phases_add_mode_rows(struct phases *ph, const struct phase_point *point, int mode, const unsigned char *before)
{
    const struct phase_system *sys = ph->sys;
    const struct phase_outputs *out = &sys->out;
    const struct slip_rows *rests = &ph->implied.stick[mode * sys->n_contact];
    add_balance(ph, point);
    for (int c = 0; c < sys->n_contact; c++) {
        if (point->contact[c] == PHASE_OPEN)
            continue;
        phases_subject_row(ph, ph->motion, out->gap_rate2 + c, 0, 0, c, "gap'' of a closed contact", point);
        if (point->contact[c] == PHASE_STICK)
            phases_rest_rows(ph, ph->motion, out->v_t_rate + SLIP_MAX * c, &rests[c], c, "v_t' of sticking", point);
        if (point->contact[c] == PHASE_STICK)
            phases_note_free_force(ph, point, c, &rests[c]);
        if (point->contact[c] == PHASE_SLIP && ph->grid.width > 0)
            add_smooth_slip(ph, point, c);
        else if (point->contact[c] == PHASE_SLIP)
            add_slip(ph, point, c, before && before[c] == PHASE_STICK);
    }
    for (int l = 0; l < sys->n_switch; l++)
        if (point->layout->alpha[l] >= 0)
            phases_subject_row(ph, ph->motion, out->c_rate + l, 0, 0, sys->n_contact + l,
                               "rate of a sliding switch", point);
}

/* --- Slip in space does not turn round ------------------------------------------------------------------------ */

/* The point before k of element e, where the mode goes on; false: an event, a jump or the start is in between. */
static bool point_before(const struct phases *ph, int e, int k, struct phase_point *before)
{
    const bool inside = k > 0 || (e > 0 && ph->piece_of[e - 1] == ph->piece_of[e]);
    const int piece = ph->piece_of[e];
    const bool goes_on = inside || (piece > 0 && ph->piece[piece - 1].mode == ph->piece[piece].mode
                                    && phases_jump(ph, piece).n == 0);
    if (goes_on)
        *before = k > 0 ? phases_stage_point(ph, e, k - 1) : phases_stage_point(ph, e - 1, ph->n_point - 1);
    return goes_on;
}

/* From one point to the next by less than half a right angle. With speed >= 0 alone a coarse element brakes to
 * its first stage, and friction drives it back from there, on each mesh anew: to turn round a contact comes to
 * rest, which is another mode. */
static void add_turns(struct phases *ph, const struct phase_point *point, int e, int k)
{
    struct phase_point before;
    if (ph->grid.width > 0 || !point_before(ph, e, k, &before))
        return;
    for (int c = 0; c < ph->sys->n_contact; c++) {
        if (point->contact[c] != PHASE_SLIP)
            continue;
        const struct model_contact *contact = ph->sys->contact[c].model;
        const char *name = arena_printf(&ph->mem, "%s turn of slip", contact->name);
        const int row =
            program_row(ph->prog, SLIP_TURN, INFINITY, phases_label(name, contact->path, contact->pos, point));
        for (int q = 0; q < ph->sys->contact[c].n_t; q++)
            program_bilinear(ph->prog, row, before.first + before.layout->dir[c] + q,
                             point->first + point->layout->dir[c] + q, 1);
    }
}

/* --- Runge-Kutta equations ----------------------------------------------------------------------------------- */

/* Gauss' end of an element: y_L + sum_r (b' Abar)_r (y_r - y_L) - y_R, runge_kutta.md 2. */
static void add_end(struct phases *ph, const struct phase_point *point, int e, int i)
{
    const struct dcs_row *F = &ph->sys->dcs->F[i];
    const int row = program_row(ph->prog, 0, 0, phases_label(F->name, F->path, F->pos, point));
    double rest = 1;
    for (int r = 0; r < ph->rk->s; r++) {
        program_linear(ph->prog, row, phases_stage(ph, e, r) + i, ph->rk->bA_inv[r]);
        rest -= ph->rk->bA_inv[r];
    }
    program_linear(ph->prog, row, phases_left(ph, e)[i], rest);
    program_linear(ph->prog, row, point->y[i], -1);
}

/* Row i of runge_kutta.md 2: h y_i' - sum_r Abar_kr (y_r - y_L). */
static void add_collocation(struct phases *ph, const struct phase_point *point, int e, int k, int i)
{
    const struct phase_system *sys = ph->sys;
    const struct phase_piece *piece = &ph->piece[ph->piece_of[e]];
    const struct dcs_row *F = &sys->dcs->F[i];
    const int s = ph->rk->s, row = program_row(ph->prog, 0, 0, phases_label(F->name, F->path, F->pos, point));
    const double h = piece->coef * ph->part[e], *A_inv = &ph->rk->A_inv[k * s];
    double sum = 0;
    for (int r = 0; r < s; r++) {
        program_linear(ph->prog, row, phases_stage(ph, e, r) + i, -A_inv[r]);
        sum += A_inv[r];
    }
    program_linear(ph->prog, row, phases_left(ph, e)[i], sum);
    if (sys->a_of[i] < 0)
        block_out(ph->motion, sys->out.F + i, row, h, piece->length, PROGRAM_ONE);
    else if (piece->length >= 0)
        program_bilinear(ph->prog, row, piece->length, point->first + sys->a_of[i], h);
    else
        program_linear(ph->prog, row, point->first + sys->a_of[i], h);
}

void phases_add_motion(struct phases *ph)
{
    for (int e = 0; e < ph->n_element; e++)
        for (int k = 0; k < ph->n_point; k++) {
            const struct phase_point point = phases_stage_point(ph, e, k);
            phases_fill(ph, ph->motion, &point);
            phases_fill(ph, ph->state, &point);
            for (int i = 0; i < ph->sys->n_y; i++)
                if (k < ph->rk->s)
                    add_collocation(ph, &point, e, k, i);
                else
                    add_end(ph, &point, e, i);
            phases_add_mode_rows(ph, &point, ph->piece[ph->piece_of[e]].mode, NULL);
            add_turns(ph, &point, e, k);
            phases_add_bounds_of(ph, &point, e, k);
        }
}
