#include "transcription/sequence/sliding.h"

static bool is_of_controls(const struct phase_system *sys, int l)
{
    return expr_depends(sys->model->graph, sys->sw[l].sw->c, sys->model->n_u, sys->model->u_sym);
}

bool sliding_depends_on_controls(const struct phase_system *sys)
{
    for (int l = 0; l < sys->n_switch; l++)
        if (is_of_controls(sys, l))
            return true;
    return false;
}

bool sliding_on_controls(const struct phase_system *sys, const struct sequence *seq)
{
    for (int l = 0; l < sys->n_switch; l++)
        for (int j = 0; j <= seq->n_event && is_of_controls(sys, l); j++)
            if (sequence_mode(seq, j)[seq->n_contact + l] == PHASE_SLIDING)
                return true;
    return false;
}

/* --- Alpha without an effect ---------------------------------------------------------------------------------- */

static bool any_depends(const struct phase_system *sys, int n, const expr *e, expr sym)
{
    bool any = false;
    for (int k = 0; k < n && !any; k++)
        any = expr_depends(sys->g, e[k], 1, &sym);
    return any;
}

/* Does alpha of switch l act on dc/dt of switch m, by itself or by accelerations? */
static bool acts_on(const struct phase_system *sys, int l, int m)
{
    const expr alpha = sys->slot[sys->sw[l].alpha];
    return expr_depends(sys->g, sys->sw[m].c_rate, 1, &alpha)
           || (expr_depends(sys->g, sys->sw[m].c_rate, sys->n_a, &sys->slot[sys->a])
               && any_depends(sys, sys->n_a, sys->motion + sys->out.balance, alpha));
}

bool sliding_by_chance_in(const struct phase_system *sys, const unsigned char *mode, int l)
{
    const unsigned char *side = mode + sys->n_contact;
    bool held = side[l] != PHASE_SLIDING || sys->sw[l].pair >= 0;
    for (int m = 0; m < sys->n_switch && !held; m++)
        held = side[m] == PHASE_SLIDING && acts_on(sys, l, m);
    return !held;
}

bool sliding_by_chance(const struct phase_system *sys, const struct sequence *seq)
{
    for (int j = 0; j <= seq->n_event; j++)
        for (int l = 0; l < sys->n_switch; l++)
            if (sliding_by_chance_in(sys, sequence_mode(seq, j), l))
                return true;
    return false;
}
