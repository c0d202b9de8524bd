/* The user's complementarity in the system: which side is constant, continuous or
 * neither, and what holds one at 0. */
#include "transcription/sequence/system.h"

#include "transcription/system/build.h"

static enum pair_side_kind kind_of(const struct phase_system *sys, expr e)
{
    const struct model *model = sys->model;
    if (!expr_depends(sys->g, e, sys->n_y, &sys->slot[sys->y]))
        return PAIR_SIDE_CONSTANT;
    return expr_depends(sys->g, e, model->n_u, model->u_sym) ? PAIR_SIDE_JUMPS : PAIR_SIDE_CONTINUOUS;
}

static int index_of(expr e, int n, const expr *sym)
{
    for (int i = 0; i < n; i++)
        if (sym[i] == e)
            return i;
    return -1;
}

/* Does e depend on what jumps with the controls: accelerations, steps, controls themselves? */
static bool is_driven(const struct phase_system *sys, expr e)
{
    return expr_depends(sys->g, e, sys->p - sys->a, &sys->slot[sys->a]);
}

static struct phase_pair_side side_of(const struct phase_system *sys, expr e)
{
    const struct model *model = sys->model;
    struct phase_pair_side side = { .kind = kind_of(sys, e), .u = index_of(e, model->n_u, model->u_sym),
                                    .x = index_of(e, model->n_x, model->x_sym) };
    if (side.kind != PAIR_SIDE_CONTINUOUS)
        return side;
    side.rate[side.n_rate++] = e;
    expr next = phase_system_rate(sys, e);
    for (; !is_driven(sys, next); next = phase_system_rate(sys, next)) {
        side.rests = expr_is_const(sys->g, next, NULL);
        if (side.rests || side.n_rate == PAIR_SIDE_RATES)
            break;
        side.rate[side.n_rate++] = next;
    }
    side.is_polynomial = !expr_depends(sys->g, next, sys->u, sys->slot);
    return side;
}

void phase_system_add_pairs(struct phase_system *sys)
{
    sys->pair = arena_alloc(&sys->mem, (size_t)sys->n_pair, sizeof *sys->pair);
    for (int k = 0; k < sys->n_pair; k++) {
        const struct model_pair *pair = &sys->model->constraints.pair[k];
        struct phase_switch *sw = &sys->sw[sys->n_switch - sys->n_pair + k];
        struct dcs_switch *named = arena_alloc(&sys->mem, 1, sizeof *named);
        *named = dcs_named_switch(pair->name, pair->pos, expr_sub(sys->g, pair->side[SIDE_G], pair->side[SIDE_H]));
        named->path = pair->path;
        sw->sw = named;
        sw->pair = k;
        sys->pair[k].model = pair;
        for (int side = 0; side < 2; side++)
            sys->pair[k].side[side] = side_of(sys, pair->side[side]);
    }
}
