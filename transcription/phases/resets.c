/* What jumps in the smooth program, where phases by the user begin and where transitions reset states; and contacts that
 * are not there in a phase. */
#include "transcription/phases/phases.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* --- Jumps --------------------------------------------------------------------------------------------------- */

struct phase_jump phases_jump(const struct phases *ph, int k)
{
    const struct phase_piece *piece = &ph->piece[k];
    const bool begins = k > 0 && piece[-1].interval != piece->interval;
    const struct model_phase *phase = begins ? model_phase_begins(ph->sys->model, piece->interval) : NULL;
    if (phase)
        return (struct phase_jump){ phase->n_start, phase->start_x, phase->start, phase->name, phase->path, phase->pos };
    if (piece->before < 0 || !sequence_fires(ph->seq, piece->before))
        return (struct phase_jump){ .n = 0 };
    const struct model_transition *made = ph->sys->transition[ph->seq->step[piece->before].transition].model;
    return (struct phase_jump){ made->n_reset, made->reset_x, made->reset, made->name, made->path, made->pos };
}

bool phases_jump_reaches(const struct phases *ph, int k, expr e)
{
    const struct phase_jump jump = phases_jump(ph, k);
    bool reached = false;
    for (int i = 0; i < jump.n; i++)
        reached = reached || expr_depends(ph->sys->g, e, 1, &ph->sys->model->x_sym[jump.x[i]]);
    return reached;
}

/* y+ = R(y-): what no jump is of goes on. */
static void add_jump(struct phases *ph, int k)
{
    const struct phase_system *sys = ph->sys;
    const struct phase_jump jump = phases_jump(ph, k);
    const struct phase_point end = phases_stage_point(ph, ph->piece[k].first - 1, ph->n_point - 1);
    expr *to = mem_alloc((size_t)sys->n_y, sizeof *to);
    for (int i = 0; i < sys->n_y; i++)
        to[i] = sys->slot[sys->y + i];
    for (int i = 0; i < jump.n; i++)
        to[jump.x[i]] = jump.to[i];
    struct program_block *block = program_block(ph->prog, phase_system_function(sys, sys->n_y, to));
    phases_fill(ph, block, &end);
    for (int i = 0; i < sys->n_y; i++) {
        const char *name = arena_printf(&ph->mem, "%s where it jumps, %s", sys->dcs->y[i].name, jump.name);
        const int row = program_row(ph->prog, 0, 0, phases_label(name, jump.path, jump.pos, &end));
        block_out(block, i, row, 1, PROGRAM_ONE, PROGRAM_ONE);
        program_linear(ph->prog, row, ph->reset[k] + i, -1);
    }
    free(to);
}

static void hold(struct phases *ph, int k, const struct phase_point *point, int out, double ub, int subject)
{
    if (phases_jump_reaches(ph, k, ph->sys->state[out]))
        phases_subject_row(ph, ph->state, out, 0, ub, subject, "after the jump", point);
}

/* What is closed, sticks or slides goes on from there: gap = gap' = 0, v_t = 0, c = 0; what is open overlaps nothing. */
static void add_rest(struct phases *ph, int k)
{
    const struct phase_system *sys = ph->sys;
    const struct phase_piece *piece = &ph->piece[k];
    const unsigned char *state = sequence_mode(ph->seq, piece->mode);
    const bool hits = piece->before >= 0 && sequence_has_impact(ph->seq, piece->before);
    const struct phase_point point = { .y = phases_left(ph, piece->first), .first = -1, .contact = state,
                                       .machine = state + sys->n_contact + sys->n_switch,
                                       .interval = piece->interval, .element = piece->first };
    phases_fill(ph, ph->state, &point);
    for (int c = 0; c < sys->n_contact; c++) {
        const bool open = state[c] == PHASE_OPEN, hit = hits && sequence_hit(ph->seq, piece->before)[c] != PHASE_OPEN;
        if (!model_has_contact(sys->model, c, piece->interval))
            continue;
        hold(ph, k, &point, sys->out.gap + c, open && !hit ? INFINITY : 0, c);
        if (!open && !hit)
            hold(ph, k, &point, sys->out.v_n + c, 0, c);
        for (int q = 0; q < sys->contact[c].n_t && state[c] == PHASE_STICK && !hit; q++)
            hold(ph, k, &point, sys->out.v_t + 2 * c + q, 0, c);
    }
    for (int l = 0; l < sys->n_switch; l++)
        if (state[sys->n_contact + l] == PHASE_SLIDING)
            hold(ph, k, &point, sys->out.c + l, 0, sys->n_contact + l);
}

void phases_add_resets(struct phases *ph)
{
    for (int k = 1; k < ph->n_piece; k++) {
        if (ph->reset[k] < 0)
            continue;
        add_jump(ph, k);
        add_rest(ph, k);
    }
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

bool phases_allow(const struct model *model, const struct sequence *seq)
{
    bool allowed = true;
    for (int j = 0; j <= seq->n_event && model->n_phase; j++) {
        const int first = j ? seq->place[j - 1] / 2 : 0;
        const int last = j == seq->n_event ? model->n_intervals - 1 : (seq->place[j] - 1) / 2;
        for (int c = 0; c < seq->n_contact; c++) {
            allowed = allowed && may_be(model, c, sequence_mode(seq, j)[c], first, last);
            if (j < seq->n_event && sequence_hit(seq, j)[c] != PHASE_OPEN)
                allowed = allowed && model_has_contact(model, c, sequence_interval(seq, j));
        }
    }
    return allowed;
}

static bool is_of_controls(const struct phase_system *sys, int l)
{
    return expr_depends(sys->model->graph, sys->sw[l].sw->c, sys->model->n_u, sys->model->u_sym);
}

bool phases_switch_by_controls(const struct phase_system *sys)
{
    for (int l = 0; l < sys->n_switch; l++)
        if (is_of_controls(sys, l))
            return true;
    return false;
}

bool phases_slide_on_controls(const struct phase_system *sys, const struct sequence *seq)
{
    for (int l = 0; l < sys->n_switch; l++)
        for (int j = 0; j <= seq->n_event && is_of_controls(sys, l); j++)
            if (sequence_mode(seq, j)[seq->n_contact + l] == PHASE_SLIDING)
                return true;
    return false;
}
