/* Which states jump where a piece begins, and by whose doing. */
#include "transcription/multiphase/layout/phases.h"

/* The boundary of control intervals that piece k begins at, n_piece: the end; -1: it begins inside of one. */
static int boundary_of(const struct phases *ph, int k)
{
    if (k == ph->n_piece)
        return ph->n_interval;
    return k == 0 || ph->piece[k - 1].interval != ph->piece[k].interval ? ph->piece[k].interval : -1;
}

bool phases_jump_is_given(const struct phases *ph, int k)
{
    const int i = boundary_of(ph, k);
    return i >= 0 && model_jump_at(ph->sys->model, i);
}

struct phase_jump phases_jump(const struct phases *ph, int k)
{
    const struct model *model = ph->sys->model;
    const int i = boundary_of(ph, k), j = k < ph->n_piece ? ph->piece[k].before : -1;
    const struct model_jump *jump = i >= 0 ? model_jump_at(model, i) : NULL;
    if (jump)
        return (struct phase_jump){ jump->n, jump->x, jump->to, jump->what, jump->path, jump->pos };
    if (j < 0 || !sequence_fires(ph->seq, j) || (i > 0 && model_phase_begins(model, i)))
        return (struct phase_jump){ .n = 0 };
    const struct model_transition *made = ph->sys->transition[ph->seq->step[j].transition].model;
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
