/* All conditions of a subsolution: what is unknown in V, start, end and cap here, flows and jumps beside. */
#include "core/bound/maker.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double BEYOND = 2;         /* times the largest cost: gamma is no larger */

/* --- Unknowns ------------------------------------------------------------------------------------------------ */

/* Product of the switching functions of a subset. */
static struct interval_poly product_of(struct maker *mk, const struct bound_place *place, unsigned subset)
{
    struct interval_poly product = enclosed_constant(mk->mem, iv(1));
    for (int l = 0; l < place->n_switch; l++)
        if (subset >> l & 1)
            product = enclosed_mul(mk->mem, product, place->c[l]);
    return product;
}

/* Coefficients of V at places that have polynomials of their own, and what each multiplies at every place. */
static void make_unknowns(struct maker *mk)
{
    const struct bound_problem *problem = mk->problem;
    struct bound_unknown *list = NULL;
    struct interval_poly *own = NULL;
    int n = 0;
    for (int q = 0; q < problem->n_place; q++) {
        const struct bound_place *place = &problem->place[q];
        for (unsigned subset = 0; place->own && subset < 1u << place->n_switch; subset++) {
            int room = mk->out->degree;
            uint64_t *monomial;
            for (int l = 0; l < place->n_switch; l++)
                room -= subset >> l & 1 ? maker_degree_of(place->c[l]) : 0;
            if (room < 0 || maker_is_too_large(mk, maker_arguments(problem, &place->frame), room))
                continue;
            const struct interval_poly product = product_of(mk, place, subset);
            const int all = monomial_basis(mk->mem, maker_arguments(problem, &place->frame), room, &monomial);
            int more = 0;
            for (int k = 0; k < all; k++)
                if (!maker_has_square(problem, monomial[k]))
                    monomial[more++] = monomial[k];
            list = mem_grow(list, n, more, sizeof *list);
            own = mem_grow(own, n, more, sizeof *own);
            for (int k = 0; k < more; k++, n++) {
                list[n] = (struct bound_unknown){ q, subset, monomial[k] };
                own[n] = enclosed_mul(mk->mem, product, enclosed_monomial(mk->mem, monomial[k], iv(1)));
            }
        }
    }
    mk->out->n_unknown = n;
    mk->out->unknown = arena_copy(mk->mem, list, (size_t)n, sizeof *list);
    mk->value = arena_alloc(mk->mem, (size_t)problem->n_place, sizeof *mk->value);
    for (int q = 0; q < problem->n_place; q++) {
        mk->value[q] = arena_alloc(mk->mem, (size_t)n, sizeof **mk->value);
        for (int k = 0; k < n; k++)
            if (list[k].place == (problem->place[q].own ? q : problem->place[q].like))
                mk->value[q][k] = bound_in_frame(mk->mem, &problem->place[q].frame, own[k]);
    }
    mk->out->gamma = n;
    mk->out->n_y = n + 1;
    free(list);
    free(own);
}

/* --- Start and end ------------------------------------------------------------------------------------------- */

static void make_set(struct maker *mk, const struct bound_set *set, bool at_start)
{
    const struct bound_place *place = &mk->problem->place[set->place];
    for (unsigned pattern = 0; pattern < 1u << place->n_switch; pattern++) {
        struct draft draft = { .role = at_start ? ROLE_START : ROLE_END };
        draft.variables = maker_arguments(mk->problem, &set->frame);
        (void)snprintf(draft.name, sizeof draft.name, "%s, pattern %u", set->name, pattern);
        bool is_there = draft_require_here(mk, &draft, &set->frame, &set->region)
                        && draft_require_signs(mk, &draft, &set->frame, place, pattern, ~0u)
                        && draft_require_box(mk, &draft, &set->frame);
        draft.constant = set->cost;
        for (int k = 0; k < mk->out->n_unknown && is_there; k++)
            if ((mk->out->unknown[k].subset & ~pattern) == 0)
                draft_add(&draft, k,
                          enclosed_scale(mk->mem, iv(at_start ? 1 : -1),
                                         bound_in_frame(mk->mem, &set->frame, mk->value[set->place][k])));
        if (at_start)
            draft_add(&draft, mk->out->gamma, enclosed_constant(mk->mem, iv(-1)));
        if (is_there)
            draft_finish(mk, &draft);
        draft_drop(&draft);
    }
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static void make_cap(struct maker *mk)
{
    struct draft draft = { .role = ROLE_CAP, .name = "cap" };
    draft.constant = enclosed_constant(mk->mem, iv(BEYOND * fmax(1, mk->problem->cost_max)));
    draft_add(&draft, mk->out->gamma, enclosed_constant(mk->mem, iv(-1)));
    draft_finish(mk, &draft);
    draft_drop(&draft);
}

void bound_conditions_build(struct arena *mem, const struct bound_problem *problem, int degree, double margin,
                            bool capped, struct bound_conditions *out)
{
    struct maker mk = { .mem = mem, .problem = problem, .out = out, .margin = margin };
    *out = (struct bound_conditions){ .degree = degree };
    make_unknowns(&mk);
    for (int k = 0; k < problem->n_start; k++)
        make_set(&mk, &problem->start[k], true);
    for (int k = 0; k < problem->n_end; k++)
        make_set(&mk, &problem->end[k], false);
    for (int q = 0; q < problem->n_place; q++)
        make_motion(&mk, q);
    for (int k = 0; k < problem->n_guard; k++)
        make_jumps(&mk, &problem->guard[k]);
    if (capped)
        make_cap(&mk);
    struct sos_identity *const identity = out->identity;
    struct bound_condition *const condition = out->condition;
    out->identity = arena_copy(mem, identity, (size_t)out->n, sizeof *identity);
    out->condition = arena_copy(mem, condition, (size_t)out->n, sizeof *condition);
    free(identity);
    free(condition);
}
