/* What jumps in the smooth program, where phases by the user begin, impulses act and transitions reset states; and
 * contacts that are not there in a phase. */
#include "transcription/multiphase/rows/rows.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* --- Jumps --------------------------------------------------------------------------------------------------- */

/* What is before the jump that piece k begins with, n_piece: at the end. */
static struct phase_point point_before(const struct phases *ph, int k)
{
    if (k == 0)
        return (struct phase_point){ .y = ph->at.start_y, .first = -1 };
    return phases_stage_point(ph, (k == ph->n_piece ? ph->n_element : ph->piece[k].first) - 1, ph->n_point - 1);
}

/* y+ = R(y-): what no jump is of goes on. */
static void add_jump(struct phases *ph, int k)
{
    const struct phase_system *sys = ph->sys;
    const struct phase_jump jump = phases_jump(ph, k);
    const struct phase_point before = point_before(ph, k);
    expr *to = mem_alloc((size_t)sys->n_y, sizeof *to);
    for (int i = 0; i < sys->n_y; i++)
        to[i] = sys->slot[sys->y + i];
    for (int i = 0; i < jump.n; i++)
        to[jump.x[i]] = jump.to[i];
    struct program_block *block = program_block(ph->prog, phase_system_function(sys, sys->n_y, to));
    phases_fill(ph, block, &before);
    for (int i = 0; i < sys->n_y; i++) {
        const char *name = arena_printf(&ph->mem, "%s where it jumps, %s", sys->dcs->y[i].name, jump.name);
        const int row = program_row(ph->prog, 0, 0, phases_label(name, jump.path, jump.pos, &before));
        block_out(block, i, row, 1, PROGRAM_ONE, PROGRAM_ONE);
        program_linear(ph->prog, row, ph->at.reset[k] + i, -1);
    }
    free(to);
}

static void hold(struct phases *ph, int k, const struct phase_point *point, int out, double lb, double ub,
                 int subject)
{
    if (phases_jump_reaches(ph, k, ph->sys->state[out]))
        phases_subject_row(ph, ph->state, out, lb, ub, subject, "after the jump", point);
}

/* What is closed, sticks or slides goes on from there, or would behind the end: gap = gap' = 0, v_t =
 * 0, c = 0; what is open overlaps nothing, and leaves what it touched; slip and switching functions
 * have the signs of what follows. */
static void add_rest(struct phases *ph, int k)
{
    const struct phase_system *sys = ph->sys;
    const bool ends = k == ph->n_piece;
    const struct phase_piece *piece = &ph->piece[ends ? k - 1 : k];
    const unsigned char *state = sequence_mode(ph->seq, piece->mode);
    const unsigned char *before = !ends && piece->before >= 0 ? sequence_mode(ph->seq, piece->before) : NULL;
    const bool hits = !ends && piece->before >= 0 && sequence_has_impact(ph->seq, piece->before);
    const bool is_given = phases_jump_is_given(ph, k);
    const struct phase_point point = { .y = phases_left(ph, ends ? ph->n_element : piece->first), .first = -1, .contact = state,
                                       .machine = state + sys->n_contact + sys->n_switch, .interval = piece->interval,
                                       .element = ends ? ph->n_element - 1 : piece->first };
    phases_fill(ph, ph->state, &point);
    for (int c = 0; c < sys->n_contact; c++) {
        const bool open = state[c] == PHASE_OPEN,
                   hit = hits && sequence_hit(ph->seq, piece->before)[c] != PHASE_OPEN;
        if (!model_has_contact(sys->model, c, piece->interval))
            continue;
        hold(ph, k, &point, sys->out.gap + c, 0, open && !hit ? INFINITY : 0, c);
        if (!hit && (!open || (is_given && before && phase_is_closed(before[c]))))
            hold(ph, k, &point, sys->out.v_n + c, 0, open ? INFINITY : 0, c);
        for (int q = 0; q < sys->contact[c].n_t && state[c] == PHASE_STICK && !hit; q++)
            hold(ph, k, &point, sys->out.v_t + SLIP_MAX * c + q, 0, 0, c);
        if (!hit && is_given && (state[c] == PHASE_FORWARD || state[c] == PHASE_BACKWARD))
            hold(ph, k, &point, sys->out.v_t + SLIP_MAX * c, state[c] == PHASE_FORWARD ? 0 : -INFINITY,
                 state[c] == PHASE_FORWARD ? INFINITY : 0, c);
    }
    for (int l = 0; l < sys->n_switch; l++) {
        const int is = state[sys->n_contact + l];
        if (!sys->sw[l].own && (is_given || is == PHASE_SLIDING))
            hold(ph, k, &point, sys->out.c + l, is == PHASE_NEGATIVE ? -INFINITY : 0, is == PHASE_POSITIVE ? INFINITY : 0,
                 sys->n_contact + l);
    }
}

void phases_add_resets(struct phases *ph)
{
    for (int k = 0; k <= ph->n_piece; k++) {
        if (ph->at.reset[k] < 0)
            continue;
        add_jump(ph, k);
        if (k > 0)                              /* what is asked for at the start is asked for after it (start.c) */
            add_rest(ph, k);
    }
}
