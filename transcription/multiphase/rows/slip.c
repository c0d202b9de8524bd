#include "transcription/multiphase/rows/slip.h"

#include "core/base/mem.h"
#include "core/model/mass.h"

#include <math.h>
#include <stdlib.h>

/* (2) of contact c. */
static expr yield_of(const struct phase_system *sys, int c)
{
    const struct phase_contact *contact = &sys->contact[c];
    struct expr_graph *g = sys->g;
    const size_t n = (size_t)sys->n_a;
    expr *x = mem_alloc(n, sizeof *x), normal = expr_const(g, 0), tangent = normal;
    for (size_t i = 0; i < n; i++)
        x[i] = contact->form->J_n[i];
    mass_solve(g, sys->n_a, sys->model->mechanics.M, x);
    for (int i = 0; i < sys->n_a; i++) {
        normal = expr_add(g, normal, expr_mul(g, contact->form->J_n[i], x[i]));
        for (int k = 0; k < contact->n_t; k++) {
            const expr along = expr_mul(g, contact->form->J_t[i + k * sys->n_a], sys->slot[contact->dir + k]);
            tangent = expr_add(g, tangent, expr_mul(g, along, x[i]));
        }
    }
    free(x);
    return expr_sub(g, expr_const(g, 1), expr_mul(g, contact->model->friction, expr_div(g, tangent, normal)));
}

/* (2) of all contacts; of those without friction 1. */
static struct pointfun *yields(const struct phase_system *sys)
{
    expr *e = mem_alloc((size_t)sys->n_contact, sizeof *e);
    for (int c = 0; c < sys->n_contact; c++)
        e[c] = sys->contact[c].n_t ? yield_of(sys, c) : expr_const(sys->g, 1);
    struct pointfun *fun = phase_system_function(sys, sys->n_contact, e);
    free(e);
    return fun;
}

static bool slips_anywhere(const struct phases *ph)
{
    for (int j = 0; j <= ph->seq->n_event; j++)
        for (int c = 0; c < ph->sys->n_contact; c++)
            if (ph->sys->contact[c].n_t && phase_slips(sequence_mode(ph->seq, j)[c]))
                return true;
    return false;
}

void phases_add_yields(struct phases *ph)
{
    if (!(ph->grid.yield > 0) || !slips_anywhere(ph))
        return;
    struct program_block *block = program_block(ph->prog, yields(ph->sys));
    for (int e = 0; e < ph->n_element; e++)
        for (int k = 0; k < ph->n_point; k++) {
            const struct phase_point point = phases_stage_point(ph, e, k);
            bool filled = false;
            for (int c = 0; c < ph->sys->n_contact; c++) {
                if (!ph->sys->contact[c].n_t || !phase_slips(point.contact[c]))
                    continue;
                if (!filled)
                    phases_fill(ph, block, &point);
                filled = true;
                phases_subject_row(ph, block, c, ph->grid.yield, INFINITY, c, "yield of slip", &point);
            }
        }
}

/* --- Looking ------------------------------------------------------------------------------------------------- */

/* The slots that (2) is made of, at a point. */
static void fill_slots(const struct phases *ph, const double *w, const struct phase_point *point, double *slot)
{
    const struct phase_system *sys = ph->sys;
    for (int i = 0; i < sys->n_y; i++)
        slot[sys->y + i] = w[point->y[i]];
    for (int k = 0; k < sys->model->n_p; k++)
        slot[sys->p + k] = w[ph->at.p + k];
    for (int k = 0; k < sys->model->n_u; k++)
        slot[sys->u + k] = w[ph->at.u[point->interval] + k];
    if (sys->T >= 0)
        slot[sys->T] = w[ph->at.T];
    phase_system_signals(sys, point->machine, slot + sys->signal);
    phases_set_patches(sys, point, slot);
    for (int c = 0; c < sys->n_contact; c++)
        for (int k = 0; k < sys->contact[c].n_t; k++)
            slot[sys->contact[c].dir + k] = point->layout->dir[c] >= 0             ? w[point->first + point->layout->dir[c] + k]
                                            : point->contact[c] == PHASE_BACKWARD ? -1 : 1;
}

double slip_least_yield(const struct phases *ph, const double *w)
{
    const struct phase_system *sys = ph->sys;
    if (!slips_anywhere(ph))
        return INFINITY;
    struct arena mem = { NULL };
    struct pointfun *fun = yields(sys);
    double *slot = arena_alloc(&mem, (size_t)sys->n_slot, sizeof *slot), least = INFINITY;
    double *yield = arena_alloc(&mem, (size_t)sys->n_contact, sizeof *yield);
    double *work = arena_alloc(&mem, tape_work_size(fun->value), sizeof *work);
    for (int e = 0; e < ph->n_element; e++)
        for (int k = 0; k < ph->n_point; k++) {
            const struct phase_point point = phases_stage_point(ph, e, k);
            fill_slots(ph, w, &point, slot);
            tape_eval(fun->value, 1, slot, 1, yield, 1, work);
            for (int c = 0; c < sys->n_contact; c++)
                if (sys->contact[c].n_t && phase_slips(point.contact[c]) && yield[c] < least)
                    least = yield[c];
        }
    pointfun_free(fun);
    arena_free(&mem);
    return least;
}
