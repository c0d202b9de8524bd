/* Flow, stay, keep: V falls no faster than cost is paid, on the way and where it slides or walls keep it. */
#include "core/bound/maker.h"

#include "core/base/stop.h"

#include <stdio.h>

/* grad a . rate */
static struct interval_poly along(struct maker *mk, struct interval_poly a, const struct interval_poly *rate)
{
    struct interval_poly sum = { 0, NULL };
    for (int k = 0; k < mk->problem->n_var; k++)
        if (mk->problem->arguments >> k & 1 && rate[k].n > 0)
            sum = enclosed_add(mk->mem, sum, iv(1),
                               enclosed_mul(mk->mem, enclosed_derivative(mk->mem, a, k), rate[k]));
    return sum;
}

/* Where the motion of a stay is: on the surfaces of a set of switches, and where walls keep it. */
enum { MAX_SURFACE = BOUND_MAX_SWITCH + BOUND_MAX_WALL };
struct stay {
    const struct bound_place *place;
    int q;                        /* its number */
    unsigned surfaces, reference; /* the set; the pattern whose V it is */
    unsigned walls;
    struct bound_frame frame;
    int n_zero; /* surfaces that no variable could be solved for */
    struct interval_poly zero[MAX_SURFACE];
    int first[MAX_SURFACE], n_multiplier[MAX_SURFACE]; /* M_l, then M_w: its unknowns, their monomials */
    uint64_t *monomial[MAX_SURFACE];
};

/* What vanishes on surface l: of switches first, then of walls. */
static struct interval_poly surface_of(const struct bound_place *place, int l)
{
    return l < BOUND_MAX_SWITCH ? place->c[l] : place->wall[l - BOUND_MAX_SWITCH].gap;
}

static bool is_on(const struct stay *stay, int l)
{
    return l < BOUND_MAX_SWITCH ? stay->surfaces >> l & 1 : stay->walls >> (l - BOUND_MAX_SWITCH) & 1;
}

/* The region of a stay. False: there is no such state. */
static bool begin_stay(struct maker *mk, const struct stay *stay, unsigned field, struct draft *draft)
{
    const struct bound_problem *problem = mk->problem;
    draft->variables = maker_arguments(problem, &stay->frame) | bound_free_controls(problem);
    const bool is_there = draft_require_here(mk, draft, &stay->frame, &stay->place->region)
                          && draft_require_signs(mk, draft, &stay->frame, stay->place, field, ~stay->surfaces)
                          && draft_require_box(mk, draft, &stay->frame);
    for (int l = 0; l < stay->n_zero; l++)
        bound_require_zero(&draft->region, stay->zero[l]);
    return is_there;
}

/* Parts of grad V of pattern `reference` along a field, and of multipliers times what it does to the surfaces. */
static void add_along(struct maker *mk, const struct stay *stay, const struct bound_frame *controls,
                      const struct interval_poly *field, struct draft *draft)
{
    for (int k = 0; k < mk->out->n_unknown; k++)
        if ((mk->out->unknown[k].subset & ~stay->reference) == 0) {
            const struct interval_poly part = along(mk, mk->value[stay->q][k], field);
            draft_add(draft, k, bound_in_frame(mk->mem, controls, bound_in_frame(mk->mem, &stay->frame, part)));
        }
    for (int l = 0; l < MAX_SURFACE; l++) {
        if (!is_on(stay, l))
            continue;
        const struct interval_poly part = along(mk, surface_of(stay->place, l), field);
        const struct interval_poly rate =
            bound_in_frame(mk->mem, controls, bound_in_frame(mk->mem, &stay->frame, part));
        for (int k = 0; k < stay->n_multiplier[l]; k++)
            draft_add(draft, stay->first[l] + k,
                      enclosed_mul(mk->mem, rate, enclosed_monomial(mk->mem, stay->monomial[l][k], iv(1))));
    }
}

/* The rate of V under the field of pattern `field`, and the cost beside it. */
static void make_flow(struct maker *mk, const struct stay *stay, unsigned field, int corner)
{
    const struct bound_problem *problem = mk->problem;
    const struct bound_place *place = stay->place;
    const struct bound_frame controls = bound_corner(mk->mem, problem, corner);
    const bool is_weighted = place->weight[field].n > 0;
    const struct interval_poly weight = is_weighted ? place->weight[field] : enclosed_constant(mk->mem, iv(1));
    struct draft draft = { .role = ROLE_FLOW, .weight_least = is_weighted ? place->weight_least[field] : 1 };
    (void)snprintf(draft.name, sizeof draft.name, "%s %s, surfaces %u, walls %u, pattern %u, corner %d",
                   stay->surfaces | stay->walls ? "stay" : "flow", place->name, stay->surfaces, stay->walls, field,
                   corner);
    if (begin_stay(mk, stay, field, &draft)) {
        draft.constant = enclosed_add(mk->mem, place->running[field], problem->per_time, weight);
        draft.constant = bound_in_frame(mk->mem, &controls, bound_in_frame(mk->mem, &stay->frame, draft.constant));
        add_along(mk, stay, &controls, place->rate[field], &draft);
        draft_finish(mk, &draft);
    }
    draft_drop(&draft);
}

/* What the reaction of wall w does. */
static void make_push(struct maker *mk, const struct stay *stay, int w)
{
    const struct bound_frame nothing = { 0 };
    struct draft draft = { .role = ROLE_JUMP };
    (void)snprintf(draft.name, sizeof draft.name, "push %s, wall %d, walls %u", stay->place->name, w, stay->walls);
    if (begin_stay(mk, stay, stay->reference, &draft)) {
        draft.constant = enclosed_constant(mk->mem, iv(-mk->margin));
        add_along(mk, stay, &nothing, stay->place->wall[w].push, &draft);
        draft_finish(mk, &draft);
    }
    draft_drop(&draft);
}

/* Onto the surfaces; false: they are not in the box. */
static bool go_onto(struct maker *mk, struct stay *stay)
{
    const struct bound_place *place = stay->place;
    for (int l = 0; l < MAX_SURFACE; l++)
        if (is_on(stay, l)) {
            const struct interval_poly c = surface_of(place, l), here = bound_in_frame(mk->mem, &stay->frame, c);
            const struct interval range = bound_range(here);
            if (range.lo > 0 || range.hi < 0)
                return false;
            if (!bound_frame_solve(mk->mem, &stay->frame, c, maker_arguments(mk->problem, &stay->frame)))
                stay->zero[stay->n_zero++] = here;
        }
    for (int l = 0; l < stay->n_zero; l++)
        stay->zero[l] = bound_in_frame(mk->mem, &stay->frame, stay->zero[l]);
    return true;
}

/* M_l: polynomials of what is left, as large as the degree of V allows beside the rate; affine in controls that
 * are variables. */
static void add_multipliers(struct maker *mk, struct stay *stay)
{
    const struct bound_problem *problem = mk->problem;
    const unsigned controls = bound_free_controls(problem);
    for (int l = 0; l < MAX_SURFACE; l++) {
        if (!is_on(stay, l))
            continue;
        const int room = mk->out->degree - maker_degree_of(surface_of(stay->place, l));
        const struct sos_basis basis =
            maker_basis(mk, enclosed_constant(mk->mem, iv(1)), maker_arguments(problem, &stay->frame) | controls,
                        room > 0 ? room : 0, 1, false);
        stay->first[l] = mk->out->n_y;
        stay->n_multiplier[l] = basis.n;
        stay->monomial[l] = arena_copy(mk->mem, basis.monomial, (size_t)basis.n, sizeof *basis.monomial);
        mk->out->n_y += basis.n;
    }
}

/* Can the rate of c_l vanish for a mean of the fields beside it? Not where it is positive, or negative, in all of
 * them. */
static bool may_stay(struct maker *mk, const struct stay *stay, unsigned others)
{
    const struct bound_place *place = stay->place;
    for (int l = 0; l < place->n_switch; l++) {
        bool rises = true, falls = true;
        for (unsigned field = 0; field < 1u << place->n_switch && stay->surfaces >> l & 1; field++) {
            if ((field & ~stay->surfaces) != others)
                continue;
            const struct interval rate =
                bound_range(bound_in_frame(mk->mem, &stay->frame, along(mk, place->c[l], place->rate[field])));
            rises = rises && rate.lo > 0;
            falls = falls && rate.hi < 0;
        }
        if (stay->surfaces >> l & 1 && (rises || falls))
            return false;
    }
    return true;
}

/* One set of surfaces and of walls, with the signs of the others. */
static void make_stay(struct maker *mk, struct stay *stay)
{
    const unsigned n = 1u << stay->place->n_switch;
    if (!go_onto(mk, stay) || (!stay->walls && !may_stay(mk, stay, stay->reference)))
        return;
    add_multipliers(mk, stay);
    for (unsigned field = 0; field < n; field++)
        for (int corner = 0;
             corner < bound_n_corner(mk->problem) && (field & ~stay->surfaces) == stay->reference; corner++)
            make_flow(mk, stay, field, corner);
    for (int w = 0; w < stay->place->n_wall; w++)
        if (stay->walls >> w & 1)
            make_push(mk, stay, w);
}

/* Motion in the region of each pattern (surfaces 0), and on every set of surfaces and walls. */
void make_motion(struct maker *mk, int q)
{
    const struct bound_place *place = &mk->problem->place[q];
    const unsigned n = 1u << place->n_switch;
    for (unsigned surfaces = 0; surfaces < n && !stop_asked() && !mk->out->too_large; surfaces++)
        for (unsigned others = 0; others < n; others++)
            for (unsigned walls = 0; walls < 1u << place->n_wall && !(others & surfaces); walls++) {
                struct stay stay = { .place = place,
                                     .q = q,
                                     .surfaces = surfaces,
                                     .reference = others,
                                     .walls = walls,
                                     .frame = place->frame };
                make_stay(mk, &stay);
            }
}
