/* Cuts of time or of a state's box: switches that change nothing but V, which has a polynomial of its own in each
 * piece. */
#include "core/bound/reading.h"

/* May impacts or resets change what the variable is? Then its piece would change where states jump. */
static bool may_jump(const struct reading *r, int k)
{
    const struct bound_var *var = &r->out->var[k];
    if (var->kind == BOUND_TIME)
        return false;
    return var->kind != BOUND_STATE || r->modes.n > 1 || reading_impacts_change(r->model, var->index);
}

static bool is_slippery(const struct model *m)
{
    bool is = false;
    for (int c = 0; c < m->contacts.n_contact; c++)
        is = is || m->contacts.contact[c].n_t > 0;
    return is;
}

void reading_cuts(struct reading *r, struct bound_place *place)
{
    const struct bound_cut *cut = &r->wish->cut;
    const int room = BOUND_MAX_SWITCH - place->n_switch - is_slippery(r->model);
    if (cut->n < 1 || cut->n > room || cut->variable < 0 || cut->variable >= r->out->n_var || !place->own
        || may_jump(r, cut->variable))
        return;
    for (int k = 1; k <= cut->n; k++) {
        const struct interval at = iv_sub(iv_div(iv(2 * k), iv(cut->n + 1)), iv(1));
        place->c[place->n_switch++] = enclosed_affine(r->mem, iv_neg(at), iv(1), cut->variable);
    }
    r->out->cut = *cut;
}
