/* Time steps whose gaps change as their velocities say: implicit Euler leaves both free where a gap bends, and a
 * contact stays closed in fast motion (phases.md "Reading").
 *
 *   |g(y_j) - g(y_(j-1)) - h v_n(y_j)| <= tol h     in every step j, for the gaps that are no linear functions
 */
#include "transcription/discretize/parts.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* Does the normal turn, so that the gap's velocity depends on what the gap does? Edges
 * of a ground turn it at once. */
static bool bends(const struct transcription *tr, const struct model_contact *contact)
{
    const struct dcs *dcs = tr->dcs;
    for (int i = 0; i < dcs->n_y && contact->n_corner == 0; i++)
        if (expr_depends(dcs->g, contact->gap, 1, &dcs->y[i].sym)
            && expr_depends(dcs->g, contact->v_n, 1, &dcs->y[i].sym))
            return true;
    return false;
}

/* The gap twice: it ends one step and begins the next. */
enum { GAP_AT_END, SPEED_AT_END, GAP_AT_START, N_OUT };

static void add_steps(struct transcription *tr, const struct model_contact *contact, double tol)
{
    const expr out[N_OUT] = { contact->gap, contact->v_n, contact->gap };
    const struct point_block at = tr_point_block(tr, 0, NULL, N_OUT, out);
    int *row = mem_alloc((size_t)tr->n_element, sizeof *row);
    for (int j = 0; j < tr->n_element; j++)
        row[j] = program_row(tr->prog, -tol * tr->h0[j], tol * tr->h0[j],
                             tr_label(tr, "change of the gap", contact->path, contact->pos, -1, j, tr_right(tr)));
    tr_fill(tr, &at, 0, 0, 0);
    block_out(at.block, GAP_AT_START, row[0], -1, PROGRAM_ONE, PROGRAM_ONE);
    for (int j = 0; j < tr->n_element; j++) {
        tr_fill(tr, &at, j, tr_right(tr), tr->interval_of[j]);
        block_out(at.block, GAP_AT_END, row[j], 1, PROGRAM_ONE, PROGRAM_ONE);
        block_out(at.block, SPEED_AT_END, row[j], -1, tr->h[j], PROGRAM_ONE);
        if (j + 1 < tr->n_element)
            block_out(at.block, GAP_AT_START, row[j + 1], -1, PROGRAM_ONE, PROGRAM_ONE);
    }
    free(row);
}

void tr_add_gap_changes(struct transcription *tr)
{
    for (int c = 0; c < tr->model->contacts.n_contact && tr->task.gap_tol > 0; c++)
        if (bends(tr, &tr->model->contacts.contact[c]))
            add_steps(tr, &tr->model->contacts.contact[c], tr->task.gap_tol);
}
