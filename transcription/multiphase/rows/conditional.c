/* Constraints with conditions: rows in the pieces in whose mode the condition holds, and where these begin. */
#include "transcription/multiphase/rows/rows.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* On its surface a condition counts as met. */
bool phases_condition_holds(const struct phases *ph, int k, const unsigned char *sw)
{
    const struct phase_system *sys = ph->sys;
    const int n = sys->dcs->n_switch;
    expr *step = mem_alloc((size_t)n, sizeof *step);
    double *value = mem_alloc((size_t)n, sizeof *value);
    for (int l = 0; l < n; l++) {
        step[l] = sys->slot[sys->sw[l].alpha];
        value[l] = sw[l] != PHASE_NEGATIVE;
    }
    const bool holds = expr_eval(sys->g, sys->dcs->condition[k], n, step, value) > 0.5;
    free(step);
    free(value);
    return holds;
}

static const unsigned char *switches_of(const struct phases *ph, const struct phase_piece *piece)
{
    return sequence_mode(ph->seq, piece->mode) + ph->sys->n_contact;
}

static void add_row(struct phases *ph, struct program_block *block, const struct model_constraint *c,
                    const struct phase_point *point)
{
    phases_fill(ph, block, point);
    block_out(block, 0, program_row(ph->prog, c->lb, c->ub, phases_label(c->name, c->path, c->pos, point)), 1,
              PROGRAM_ONE, PROGRAM_ONE);
}

/* At the left of a piece, with its controls: where the condition comes to hold, and at jumps. A
 * measured start is not asked. */
static void add_begin(struct phases *ph, struct program_block *block, const struct model_constraint *c,
                      const struct phase_piece *piece)
{
    const struct phase_point point = { .y = phases_left(ph, piece->first), .first = -1, .interval = piece->interval,
                                       .element = piece->first };
    if (piece > ph->piece || !ph->sys->model->is_measured)
        add_row(ph, block, c, &point);
}

static void add_one(struct phases *ph, int k)
{
    const struct model_constraint *c = &ph->sys->model->constraints.conditional[k].of;
    struct program_block *block = program_block(ph->prog, phase_system_function(ph->sys, 1, &c->e));
    bool held = false;
    for (int p = 0; p < ph->n_piece; p++) {
        const struct phase_piece *piece = &ph->piece[p];
        const bool is_its = c->end == 0 || (piece->interval >= c->first && piece->interval < c->end);
        const bool holds = is_its && phases_condition_holds(ph, k, switches_of(ph, piece));
        if (holds && (!held || ph->at.reset[p] >= 0 || piece->before >= 0))
            add_begin(ph, block, c, piece);
        held = holds;
        for (int e = piece->first; holds && e < piece->first + piece->n_element; e++)
            for (int r = 0; r < ph->n_point; r++) {
                const struct phase_point point = phases_stage_point(ph, e, r);
                add_row(ph, block, c, &point);
            }
    }
}

void phases_add_conditional(struct phases *ph)
{
    for (int k = 0; k < ph->sys->model->constraints.n_conditional; k++)
        add_one(ph, k);
}
