#include "core/bound/reading.h"

#include "core/base/mem.h"

#include <math.h>

/* Constraints of the start and the end together, as initial(x) == final(x): where the motion starts becomes a state
 * of its own, which stays. */

static bool is_boundary(const struct model_constraint *constraint)
{
    return constraint->at == 0 && !constraint->of_forces;
}

static bool has_function(const struct reading *r, int k)
{
    bool has = false;
    for (int f = 0; f < r->n_function; f++)
        has = has || r->function[f].base == k;
    return has;
}

/* A variable for initial(x_i), unless x_i starts at a number. False: there is no room, or sin and cos go with
 * it. */
static bool name_initial(struct reading *r, int i)
{
    const struct model_var *x = &r->model->x[i];
    const struct bound_var *state = &r->out->var[r->of_state[i]];
    if (r->start_of[i] >= 0)
        return true;
    if (x->initial.kind == END_FIXED) {
        reading_name(r, r->model->x_initial_sym[i], enclosed_constant(r->mem, iv(x->initial.lo)));
        return true;
    }
    if (r->out->n_var + 1 > BOUND_MAX_VAR || has_function(r, r->of_state[i]))
        return false;
    const int k = r->out->n_var;
    reading_add_variable(r, arena_printf(r->mem, "initial(%s)", x->name), BOUND_START, i, state->lo, state->hi);
    r->out->arguments |= 1u << k;
    r->start_of[i] = k;
    reading_name(r, r->model->x_initial_sym[i], reading_variable(r, k));
    return true;
}

void reading_boundary(struct reading *r)
{
    const struct model *m = r->model;
    for (int i = 0; i < POLY_MAX_VAR; i++)
        r->start_of[i] = -1;
    for (int k = 0; k < m->constraints.n_constraint; k++) {
        const struct model_constraint *constraint = &m->constraints.constraint[k];
        bool all = is_boundary(constraint);
        for (int i = 0; i < m->n_x && all; i++)
            if (expr_depends(r->g, constraint->e, 1, &m->x_initial_sym[i]))
                all = name_initial(r, i);
    }
    for (int i = 0; i < m->n_x && m->x_final_sym; i++)
        if (!has_function(r, r->of_state[i]))
            reading_name(r, m->x_final_sym[i], reading_variable(r, r->of_state[i]));
}

/* Start: x_i is what is kept of it. */
void reading_start_boundary(const struct reading *r, struct bound_set *set)
{
    for (int i = 0; i < r->model->n_x; i++) {
        const int k = r->of_state[i];
        if (r->start_of[i] < 0 || set->frame.gone >> k & 1)
            continue;
        struct bound_frame one = { .gone = 1u << k };
        one.with[k] = enclosed_monomial(r->mem, monomial_power(r->start_of[i], 1), iv(1)); /* of the same box */
        for (int j = 0; j < POLY_MAX_VAR; j++)
            if (set->frame.gone >> j & 1)
                set->frame.with[j] = bound_in_frame(r->mem, &one, set->frame.with[j]);
        set->frame.gone |= one.gone;
        set->frame.with[k] = one.with[k];
    }
}

void reading_end_boundary(struct reading *r, struct bound_set *set)
{
    const struct model *m = r->model;
    for (int k = 0; k < m->constraints.n_constraint; k++)
        if (is_boundary(&m->constraints.constraint[k])
            && !reading_constraint(r, &m->constraints.constraint[k], &set->region))
            reading_leave_out(r, m->constraints.constraint[k].path);
}
