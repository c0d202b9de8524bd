/* Signs that final values settle: a switching function that is 0 at the end, as all that it depends on is given there. Its
 * inequality at the last point repeats an equation; where it stays 0 all through the last mode, with what slides or sticks
 * there, it has no interior at any point. A barrier has no way there, and multipliers no bound: two masses with dry friction
 * that come to rest where friction changes took 150 iterations and were not solved. */
#include "core/base/mem.h"
#include "transcription/phases/phases.h"
#include "transcription/phases/rank.h"
#include "transcription/phases/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of states alone, not of controls, accelerations, multipliers, parameters or the horizon? */
static bool is_of_states(const struct phase_system *sys, expr e)
{
    const int after = sys->y + sys->n_y;
    return !expr_depends(sys->g, e, sys->y, sys->slot)
           && !expr_depends(sys->g, e, sys->n_slot - after, sys->slot + after);
}

static bool is_given_at_end(const struct phase_system *sys, expr e)
{
    for (int i = 0; i < sys->n_y; i++)
        if (expr_depends(sys->g, e, 1, &sys->slot[sys->y + i])
            && (i >= sys->model->n_x || sys->model->x[i].final.kind != END_FIXED))
            return false;
    return is_of_states(sys, e);
}

/* The state at the end, as far as it is given; else where the guess ends. */
static double *state_at_end(const struct phases *ph)
{
    const struct model *model = ph->sys->model;
    double *y = mem_alloc((size_t)ph->sys->n_y, sizeof *y);
    memcpy(y, ph->end_guess, (size_t)ph->sys->n_y * sizeof *y);
    for (int i = 0; i < model->n_x; i++)
        if (model->x[i].final.kind == END_FIXED)
            y[i] = model->x[i].final.lo;
    return y;
}

static bool is_zero(const struct phase_system *sys, expr e, const double *y, const double *p)
{
    return fabs(phase_system_value(sys, e, y, p)) <= NEAR_ZERO;
}

/* Is its rate 0 by what the last mode keeps true? */
static bool rests(const struct phases *ph, const struct phase_switch *sw, const double *y, const double *p)
{
    const struct phase_system *sys = ph->sys;
    if (!is_of_states(sys, sw->c_rate) || !is_zero(sys, sw->c_rate, y, p))
        return false;
    struct rank *rank = rank_create(sys->n_y);
    rank_add_mode(rank, sys, sequence_mode(ph->seq, ph->seq->n_event), y);
    rank_gradient(rank, sys, sw->c_rate, y);
    const bool repeats = !rank_add(rank);
    rank_free(rank);
    return repeats;
}

void phases_find_settled(struct phases *ph)
{
    const struct phase_system *sys = ph->sys;
    double *y = state_at_end(ph), *p = mem_alloc((size_t)sys->model->n_p + 1, sizeof *p);
    model_p_guess(sys->model, p);
    ph->settled = arena_alloc(&ph->mem, (size_t)sys->n_switch + 1, sizeof *ph->settled);
    for (int l = 0; l < sys->n_switch - sys->n_pair; l++) {
        const struct phase_switch *sw = &sys->sw[l];
        ph->settled[l] = SETTLED_NOT;
        if (is_given_at_end(sys, sw->sw->c) && is_zero(sys, sw->sw->c, y, p))
            ph->settled[l] = rests(ph, sw, y, p) ? SETTLED_IN_MODE : SETTLED_AT_END;
    }
    free(p);
    free(y);
}

bool phases_is_settled(const struct phases *ph, int element, int k, int l)
{
    const bool last_mode = ph->piece[ph->piece_of[element]].mode == ph->seq->n_event;
    const bool last_point = element == ph->n_element - 1 && k == ph->n_point - 1;
    return ph->settled[l] == SETTLED_IN_MODE ? last_mode : ph->settled[l] == SETTLED_AT_END && last_point;
}
