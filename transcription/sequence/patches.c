#include "transcription/sequence/patches.h"

#include <string.h>

/* --- One patch ------------------------------------------------------------------------------------------------- */

int patches_sign(const struct phase_contact *contact, int patch, int k)
{
    return contact->model->patch[(patch - 1) * contact->model->n_corner + k];
}

/* Where it does not matter, the one that leaves the piece to others. */
double patches_side(const struct phase_contact *contact, int patch, int k)
{
    return patches_sign(contact, patch, k) >= 0;
}

int patches_corner_between(const struct phase_contact *contact, int from, int to)
{
    for (int k = 0; k < contact->model->n_corner; k++)
        if (patches_sign(contact, from, k) * patches_sign(contact, to, k) < 0)
            return k;
    return -1;
}

/* --- In the formulas ------------------------------------------------------------------------------------------- */

/* The side of a corner: that of the patch where it is given, else as the place says. */
static void hold(struct phase_system *sys, struct model_contact *contact, const struct phase_contact *at)
{
    struct expr_graph *g = sys->g;
    const int n_q = sys->model->mechanics.n_q, n_k = contact->n_corner,
              n = 3 + (1 + contact->n_t) * n_q + n_k + CONTACT_ROWS;
    expr *sign = arena_alloc(&sys->mem, (size_t)n_k, sizeof *sign),
         *by = arena_alloc(&sys->mem, (size_t)n_k, sizeof *by);
    expr *e = arena_alloc(&sys->mem, (size_t)n, sizeof *e);
    for (int k = 0; k < n_k; k++) {
        sign[k] = expr_side(g, contact->corner[k]);
        by[k] = expr_pick(g, sys->slot[at->held], sys->slot[at->side + k], sign[k]);
    }
    expr *J_n = e + 3, *J_t = J_n + n_q, *corner = J_t + contact->n_t * n_q, *drift = corner + n_k;
    e[0] = contact->gap;
    e[1] = contact->v_n;
    e[2] = contact->n_t > 0 ? contact->v_t[0] : expr_const(g, 0);
    memcpy(J_n, contact->J_n, (size_t)n_q * sizeof *e);
    memcpy(J_t, contact->J_t, (size_t)(contact->n_t * n_q) * sizeof *e);
    memcpy(corner, contact->corner, (size_t)n_k * sizeof *e);
    memcpy(drift, contact->drift, CONTACT_ROWS * sizeof *e);
    expr_substitute(g, n, e, n_k, sign, by, e);
    contact->gap = e[0];
    contact->v_n = e[1];
    contact->v_t[0] = contact->n_t > 0 ? e[2] : contact->v_t[0];
    contact->J_n = J_n;
    contact->J_t = J_t;
    contact->corner = corner;
    memcpy(contact->drift, drift, CONTACT_ROWS * sizeof *e);
}

void phase_system_hold_patches(struct phase_system *sys)
{
    for (int c = 0; c < sys->n_contact; c++) {
        struct phase_contact *contact = &sys->contact[c];
        if (contact->model->n_corner == 0)
            continue;
        struct model_contact *form = arena_copy(&sys->mem, contact->model, 1, sizeof *form);
        hold(sys, form, contact);
        contact->form = form;
    }
}

/* --- In sequences ---------------------------------------------------------------------------------------------- */

static bool is_patch(const struct phase_contact *contact, int patch)
{
    return patch > 0 && patch <= contact->model->n_patch;
}

/* The patch of a mode in which contact c is closed and has none: that of the mode before, or of the
 * next one in the same stretch. */
static int closed_patch(const struct sequence *seq, int j, int c)
{
    if (j > 0 && phase_is_closed(sequence_mode(seq, j - 1)[c]))
        return sequence_patch(seq, j - 1)[c];
    for (int k = j + 1; k <= seq->n_event && phase_is_closed(sequence_mode(seq, k)[c]); k++)
        if (sequence_patch(seq, k)[c])
            return sequence_patch(seq, k)[c];
    return 0;
}

/* Is the patch of a mode in which contact c is open that to which it went from a closed one? */
static bool went_to(const struct phase_contact *contact, const struct sequence *seq, int j, int c)
{
    const int now = sequence_patch(seq, j)[c], before = j > 0 ? sequence_patch(seq, j - 1)[c] : 0;
    if (!is_patch(contact, now) || !is_patch(contact, before))
        return false;
    return phase_is_closed(sequence_mode(seq, j - 1)[c]) ? patches_corner_between(contact, before, now) >= 0
                                                         : before == now;
}

bool patches_settle(const struct phase_system *sys, struct sequence *seq)
{
    bool changes = false;
    for (int c = 0; c < sys->n_contact; c++)
        for (int j = 0; j <= seq->n_event; j++) {
            const struct phase_contact *contact = &sys->contact[c];
            unsigned char *patch = &sequence_patch(seq, j)[c];
            const bool closed = phase_is_closed(sequence_mode(seq, j)[c]), had = is_patch(contact, *patch);
            const int is = closed && !had ? closed_patch(seq, j, c) : had && (closed || went_to(contact, seq, j, c)) ? *patch : 0;
            changes = changes || *patch != is;
            *patch = (unsigned char)is;
        }
    return changes;
}

bool patches_allow(const struct phase_system *sys, const struct sequence *seq)
{
    for (int j = 0; j < seq->n_event; j++)
        for (int c = 0; c < sys->n_contact; c++)
            if (sequence_contact_turns(seq, j, c)
                && (sequence_is_on_grid(seq, j)
                    || patches_corner_between(&sys->contact[c], sequence_patch(seq, j)[c],
                                              sequence_patch(seq, j + 1)[c])
                           < 0))
                return false;
    return true;
}
