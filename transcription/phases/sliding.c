/* What does not slide. A switch whose function depends on controls is left where these jump. A switch whose alpha
 * does nothing to the rate of what slides is held by chance: its function is 0 and stays there by the controls alone,
 * and alpha, which other equations take, is a control that nobody has. No simulation can follow that: the motion
 * stays on one side of it, or the other. */
#include "core/base/mem.h"
#include "transcription/phases/extract.h"

#include <stdlib.h>
#include <string.h>

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

static bool slides_by_chance(const struct phase_system *sys, const unsigned char *mode, int l)
{
    const unsigned char *side = mode + sys->n_contact;
    bool held = side[l] != PHASE_SLIDING || sys->sw[l].pair >= 0;
    for (int m = 0; m < sys->n_switch && !held; m++)
        held = side[m] == PHASE_SLIDING && acts_on(sys, l, m);
    return !held;
}

bool phases_slide_by_chance(const struct phase_system *sys, const struct sequence *seq)
{
    for (int j = 0; j <= seq->n_event; j++)
        for (int l = 0; l < sys->n_switch; l++)
            if (slides_by_chance(sys, sequence_mode(seq, j), l))
                return true;
    return false;
}

/* The side of switch l in mode j: that of the mode after, or before, it slides. */
static unsigned char side_beside(const struct phase_system *sys, const struct sequence *seq, int j, int l, bool later)
{
    const int subject = sys->n_contact + l, step = later ? 1 : -1;
    int k = j;
    while (k >= 0 && k <= seq->n_event && sequence_mode(seq, k)[subject] == PHASE_SLIDING)
        k += step;
    return k >= 0 && k <= seq->n_event ? sequence_mode(seq, k)[subject] : later ? PHASE_NEGATIVE : PHASE_POSITIVE;
}

struct extract extract_beside_sliding(const struct phase_system *sys, const struct extract *from, bool later)
{
    struct extract out = { sequence_copy(from->seq), NULL, from->exploits };
    const int n = from->seq->n_event;
    double *t = mem_alloc((size_t)n, sizeof *t);
    if (n)
        memcpy(t, from->samples->t_event, (size_t)n * sizeof *t);
    for (int j = 0; j <= n; j++)
        for (int l = 0; l < sys->n_switch; l++)
            if (slides_by_chance(sys, sequence_mode(from->seq, j), l))
                sequence_mode(out.seq, j)[sys->n_contact + l] = side_beside(sys, from->seq, j, l, later);
    sequence_simplify(out.seq, t);
    out.samples = samples_remap(from->samples, out.seq->n_event, t, false);
    free(t);
    return out;
}
