/* What final values settle: a switching function that is 0 at the end, as all that it depends on is given there.
 * Its inequality at the last point repeats an equation; where it stays 0 all through the last mode, with what
 * slides or sticks there, it has no interior at any point. A barrier has no way there, and multipliers no bound:
 * two masses with dry friction that come to rest where friction changes took 150 iterations and were not solved.
 *
 * Likewise what is 0 from the start on, as nothing moves in the first mode; and slip in space that ends at
 * rest: v_t = speed dir has no gradient by dir any more, so that two equations and speed = 0 are one too many,
 * with no bound on their multipliers. */
#include "core/base/mem.h"
#include "transcription/multiphase/rows/rows.h"
#include "transcription/sequence/rank.h"
#include "transcription/sequence/recipe.h"

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
    memcpy(y, ph->guess.end, (size_t)ph->sys->n_y * sizeof *y);
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

/* Is an expression 0 whatever is left by final values? */
static bool is_zero_at_end(const struct phase_system *sys, expr e)
{
    const struct model *model = sys->model;
    expr *sym = mem_alloc(2 * (size_t)model->n_x + 1, sizeof *sym), *by = sym + model->n_x, left;
    int n = 0;
    for (int i = 0; i < model->n_x; i++)
        if (model->x[i].final.kind == END_FIXED) {
            sym[n] = sys->slot[sys->y + i];
            by[n++] = expr_const(sys->g, model->x[i].final.lo);
        }
    expr_substitute(sys->g, 1, &e, n, sym, by, &left);
    free(sym);
    return expr_is_zero(sys->g, left);
}

/* In space. */
static bool slip_is_zero_at_end(const struct phase_system *sys, int c)
{
    const struct phase_contact *contact = &sys->contact[c];
    for (int k = 0; k < contact->n_t; k++)
        if (!is_zero_at_end(sys, contact->model->v_t[k]))
            return false;
    return contact->n_t > 1;
}

/* --- At the start ---------------------------------------------------------------------------------------------- */

static bool start_is_given(const struct model *model)
{
    for (int i = 0; i < model->n_x; i++)
        if (model->x[i].initial.kind != END_FIXED)
            return false;
    return true;
}

/* y as it starts, but for the clock, no acceleration, and the steps as the first mode has them: pairs of sym and by
 * [n_slot]; how many. */
static int first_mode(const struct phases *ph, expr *sym, expr *by)
{
    const struct phase_system *sys = ph->sys;
    const unsigned char *sw = sequence_mode(ph->seq, 0) + sys->n_contact;
    int n = 0;
    for (int i = 0; i < sys->model->n_x; i++, n++) {
        sym[n] = sys->slot[sys->y + i];
        by[n] = expr_const(sys->g, sys->model->x[i].initial.lo);
    }
    for (int i = 0; i < sys->n_a; i++, n++) {
        sym[n] = sys->slot[sys->a + i];
        by[n] = expr_const(sys->g, 0);
    }
    for (int l = 0; l < sys->n_switch; l++)
        if (sw[l] != PHASE_SLIDING) {
            sym[n] = sys->slot[sys->sw[l].alpha];
            by[n++] = expr_const(sys->g, sw[l] == PHASE_POSITIVE);
        }
    return n;
}

static bool is_zero_by(const struct phase_system *sys, expr e, int n, const expr *sym, const expr *by)
{
    expr left;
    expr_substitute(sys->g, 1, &e, n, sym, by, &left);
    return expr_is_zero(sys->g, left);
}

/* Does nothing move in the first mode, whatever controls do, so that what switches at 0 stays there? A car before a
 * bump, with dampers that act one way or the other: c >= 0 would leave a barrier no room in all of it. */
static void find_rest(struct phases *ph)
{
    const struct phase_system *sys = ph->sys;
    if (sys->n_contact || sys->n_machine || sys->n_pair || !start_is_given(sys->model))
        return;
    expr *sym = mem_alloc(2 * (size_t)sys->n_slot, sizeof *sym), *by = sym + sys->n_slot;
    const int n = first_mode(ph, sym, by);
    bool rests = true;
    for (int i = 0; i < sys->n_y && rests; i++)
        rests = i == sys->dcs->clock || is_zero_by(sys, sys->motion[sys->out.F + i], n, sym, by);
    for (int i = 0; i < sys->n_a && rests; i++)
        rests = is_zero_by(sys, sys->motion[sys->out.balance + i], n, sym, by);
    for (int l = 0; l < sys->n_switch && rests; l++)
        if (ph->implied.switches[l] == DETERMINED_NOT && is_zero_by(sys, sys->sw[l].sw->c, n, sym, by))
            ph->implied.switches[l] = DETERMINED_AT_REST;
    free(sym);
}

/* --- All of them --------------------------------------------------------------------------------------------- */

void phases_find_determined(struct phases *ph)
{
    const struct phase_system *sys = ph->sys;
    ph->implied.slip = arena_alloc(&ph->mem, (size_t)sys->n_contact + 1, sizeof *ph->implied.slip);
    for (int c = 0; c < sys->n_contact; c++)
        ph->implied.slip[c] = slip_is_zero_at_end(sys, c);
    double *y = state_at_end(ph), *p = mem_alloc((size_t)sys->model->n_p + 1, sizeof *p);
    model_p_guess(sys->model, p);
    ph->implied.switches = arena_alloc(&ph->mem, (size_t)sys->n_switch + 1, sizeof *ph->implied.switches);
    for (int l = 0; l < sys->n_switch - sys->n_pair; l++) {
        const struct phase_switch *sw = &sys->sw[l];
        ph->implied.switches[l] = DETERMINED_NOT;
        if (is_given_at_end(sys, sw->sw->c) && is_zero(sys, sw->sw->c, y, p))
            ph->implied.switches[l] = rests(ph, sw, y, p) ? DETERMINED_IN_MODE : DETERMINED_AT_END;
    }
    free(p);
    free(y);
    find_rest(ph);
}

static bool is_last_point(const struct phases *ph, int element, int k)
{
    return element == ph->n_element - 1 && k == ph->n_point - 1;
}

bool phases_is_determined(const struct phases *ph, int element, int k, int l)
{
    const int mode = ph->piece[ph->piece_of[element]].mode;
    switch (ph->implied.switches[l]) {
    case DETERMINED_AT_REST: return mode == 0;
    case DETERMINED_IN_MODE: return mode == ph->seq->n_event;
    case DETERMINED_AT_END: return is_last_point(ph, element, k);
    default: return false;
    }
}

bool phases_slip_is_determined(const struct phases *ph, int element, int k, int c)
{
    return ph->implied.slip[c] && is_last_point(ph, element, k);
}
