#include "core/bound/conditions.h"

#include "core/base/mem.h"
#include "core/base/stop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double BEYOND = 2;

struct maker {
    struct arena *mem;
    const struct bound_problem *problem;
    struct bound_conditions *out;
    struct interval_poly **value;       /* [n_place] of [n_unknown]: what an unknown multiplies where its subset is positive */
    double margin;
};

/* A condition while it is put together: p >= 0 in a region, p = constant + sum of y_unknown part. */
struct draft {
    enum bound_role role;
    bool once;
    char name[160];
    double weight_least;
    struct interval_poly constant;
    int n_part;
    int *unknown;               /* [n_part] */
    struct interval_poly *part; /* [n_part] */
    unsigned variables;         /* that are left */
    unsigned narrowed;          /* those that some inequality bounds within their boxes */
    struct bound_region region;
};

/* --- Unknowns ------------------------------------------------------------------------------------------------ */

/* Would a polynomial of these variables and this degree have too many terms? */
static bool is_too_large(struct maker *mk, unsigned variables, int degree)
{
    double n = 1;
    for (int k = 0, i = 1; k < POLY_MAX_VAR; k++)
        if (variables >> k & 1) {
            n *= (double)(degree + i) / i;
            i++;
        }
    mk->out->too_large = mk->out->too_large || n > BOUND_MAX_MONOMIAL || degree > 2 * POLY_MAX_EXPONENT - 2;
    return mk->out->too_large;
}

/* Product of the switching functions of a subset. */
static struct interval_poly product_of(struct maker *mk, const struct bound_place *place, unsigned subset)
{
    struct interval_poly product = enclosed_constant(mk->mem, iv(1));
    for (int l = 0; l < place->n_switch; l++)
        if (subset >> l & 1)
            product = enclosed_mul(mk->mem, product, place->c[l]);
    return product;
}

static int degree_of(struct interval_poly a)
{
    struct arena scratch = { NULL };
    const int degree = poly_degree(enclosed_middle(&scratch, a));
    arena_free(&scratch);
    return degree;
}

static unsigned arguments_at(const struct bound_problem *problem, const struct bound_frame *frame)
{
    return problem->arguments & ~frame->gone;
}

static bool has_square_of_cosine(const struct bound_problem *problem, uint64_t monomial)
{
    for (int k = 0; k < problem->n_var; k++)
        if (problem->cosines >> k & 1 && monomial_exponent(monomial, k) > 1)
            return true;
    return false;
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
                room -= subset >> l & 1 ? degree_of(place->c[l]) : 0;
            if (room < 0 || is_too_large(mk, arguments_at(problem, &place->frame), room))
                continue;
            const struct interval_poly product = product_of(mk, place, subset);
            const int all = monomial_basis(mk->mem, arguments_at(problem, &place->frame), room, &monomial);
            int more = 0;
            for (int k = 0; k < all; k++)
                if (!has_square_of_cosine(problem, monomial[k]))
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

/* --- Drafts -------------------------------------------------------------------------------------------------- */

static void add_part(struct draft *draft, int unknown, struct interval_poly part)
{
    if (part.n == 0)
        return;
    draft->unknown = mem_grow(draft->unknown, draft->n_part, 1, sizeof *draft->unknown);
    draft->part = mem_grow(draft->part, draft->n_part, 1, sizeof *draft->part);
    draft->unknown[draft->n_part] = unknown;
    draft->part[draft->n_part++] = part;
}

static bool is_number(struct interval_poly a)
{
    struct arena scratch = { NULL };
    const bool is = poly_degree(enclosed_middle(&scratch, a)) == 0;
    arena_free(&scratch);
    return is;
}

/* In the frame; numbers say nothing, unless they are negative: then there is no such state. g >= 0 that is affine
 * becomes g (most - g) >= 0, of which multipliers of even degree make more: it says all that g and the box of its
 * one variable say. */
static bool require_in(struct maker *mk, struct draft *draft, const struct bound_frame *frame,
                       struct interval_poly a)
{
    struct interval_poly here = bound_in_frame(mk->mem, frame, a);
    const struct interval range = bound_range(here);
    const unsigned variables = enclosed_variables(here);
    if (range.hi < 0)
        return false;
    if (is_number(here) || draft->region.n >= BOUND_MAX_REGION)
        return true;
    if (degree_of(here) == 1) {
        const struct interval_poly rest =
            enclosed_add(mk->mem, enclosed_constant(mk->mem, iv(range.hi)), iv(-1), here);
        here = enclosed_mul(mk->mem, here, rest);
        draft->narrowed |= (variables & (variables - 1)) == 0 ? variables : 0;
    }
    bound_require(&draft->region, here);
    return true;
}

/* Variables within their boxes: those that are left, unless they are bounded more closely already, and those that
 * others give, unless the boxes of these say so. False: there is no such state. */
static bool require_box(struct maker *mk, struct draft *draft, const struct bound_frame *frame)
{
    static const double INSIDE = 1 + 1e-9;
    const struct bound_problem *problem = mk->problem;
    for (int k = 0; k < problem->n_var; k++) {
        const struct interval_poly x =
            bound_in_frame(mk->mem, frame, enclosed_monomial(mk->mem, monomial_power(k, 1), iv(1)));
        const bool is_left = draft->variables >> k & 1, is_given = (frame->gone & problem->arguments) >> k & 1;
        if ((is_left && !(draft->narrowed >> k & 1)) || (is_given && !(iv_mag(bound_range(x)) < INSIDE))) {
            const struct interval_poly box =
                enclosed_add(mk->mem, enclosed_constant(mk->mem, iv(1)), iv(-1), enclosed_mul(mk->mem, x, x));
            if (bound_range(box).hi < 0)
                return false;
            if (!is_number(box) && draft->region.n < BOUND_MAX_REGION)
                bound_require(&draft->region, box);
        }
    }
    return true;
}

/* The signs of a pattern, of the switches whose bit is in `of`. */
static bool require_signs(struct maker *mk, struct draft *draft, const struct bound_frame *frame,
                          const struct bound_place *place, unsigned pattern, unsigned of)
{
    for (int l = 0; l < place->n_switch; l++)
        if (of >> l & 1) {
            const struct interval sign = iv(pattern >> l & 1 ? 1 : -1);
            if (!require_in(mk, draft, frame, enclosed_scale(mk->mem, sign, place->c[l])))
                return false;
            for (int other = 0; other < l; other++) /* two of the same slope may exclude each other */
                if (of >> other & 1) {
                    const struct interval_poly sum =
                        enclosed_add(mk->mem, enclosed_scale(mk->mem, sign, place->c[l]),
                                     iv(pattern >> other & 1 ? 1 : -1), place->c[other]);
                    if (bound_range(bound_in_frame(mk->mem, frame, sum)).hi < 0)
                        return false;
                }
        }
    return true;
}

/* Does it speak of a control that is no variable of the condition? Then it is left out, and the region is larger. */
static bool speaks_of_others(const struct maker *mk, const struct draft *draft, struct interval_poly a)
{
    return enclosed_variables(a) & mk->problem->controls & ~draft->variables;
}

/* False: there is no such state. */
static bool require_region(struct maker *mk, struct draft *draft, const struct bound_frame *frame,
                           const struct bound_region *region)
{
    for (int k = 0; k < region->n; k++)
        if (!speaks_of_others(mk, draft, region->at_least_0[k])
            && !require_in(mk, draft, frame, region->at_least_0[k]))
            return false;
    for (int k = 0; k < region->n_zero; k++)
        if (!speaks_of_others(mk, draft, region->zero[k]))
            bound_require_zero(&draft->region, bound_in_frame(mk->mem, frame, region->zero[k]));
    return true;
}

/* What holds along the way, and in this region. */
static bool require_here(struct maker *mk, struct draft *draft, const struct bound_frame *frame,
                         const struct bound_region *region)
{
    return require_region(mk, draft, frame, &mk->problem->path) && require_region(mk, draft, frame, region);
}

/* --- From a draft to an identity ----------------------------------------------------------------------------- */

static int control_degree(const struct bound_problem *problem, struct poly a)
{
    int most = 0;
    for (int i = 0; i < a.n; i++) {
        int degree = 0;
        for (int k = 0; k < problem->n_var; k++)
            if (problem->controls >> k & 1)
                degree += monomial_exponent(a.term[i].monomial, k);
        most = degree > most ? degree : most;
    }
    return most;
}

/* Monomials up to a degree, of controls together up to a lesser one; all of them, or those that differ on the circle. */
static struct sos_basis basis_of(struct maker *mk, struct interval_poly times, unsigned variables, int degree,
                                 int of_controls, bool all_of_them)
{
    uint64_t *monomial;
    const int all = monomial_basis(mk->mem, variables, degree, &monomial);
    int n = 0;
    for (int k = 0; k < all; k++) {
        const struct poly_term term = { monomial[k], 1 };
        if (control_degree(mk->problem, (struct poly){ 1, &term }) <= of_controls
            && (all_of_them || !has_square_of_cosine(mk->problem, monomial[k])))
            monomial[n++] = monomial[k];
    }
    return (struct sos_basis){ enclosed_middle(mk->mem, times), n, monomial };
}

/* Largest degrees of p: of all variables, made even; of controls. */
static void degrees_of(struct maker *mk, const struct sos_affine *p, int *degree, int *of_controls)
{
    *degree = poly_degree(p->constant);
    *of_controls = control_degree(mk->problem, p->constant);
    for (int k = 0; k < p->n_part; k++) {
        const int d = poly_degree(p->part[k].poly), c = control_degree(mk->problem, p->part[k].poly);
        *degree = d > *degree ? d : *degree;
        *of_controls = c > *of_controls ? c : *of_controls;
    }
    *degree += *degree % 2;
    *of_controls += *of_controls % 2;
}

static void finish(struct maker *mk, struct draft *draft)
{
    struct bound_conditions *out = mk->out;
    const int n_region = draft->region.n, n_zero = draft->region.n_zero;
    struct sos_part *part = arena_alloc(mk->mem, (size_t)draft->n_part, sizeof *part);
    struct sos_basis *gram = arena_alloc(mk->mem, (size_t)n_region + 1, sizeof *gram);
    struct sos_basis *free_part = arena_alloc(mk->mem, (size_t)n_zero, sizeof *free_part);
    struct interval_poly *wide = arena_alloc(mk->mem, (size_t)(n_region + n_zero) + 1, sizeof *wide);
    struct interval_poly *wide_free = arena_alloc(mk->mem, (size_t)n_zero, sizeof *wide_free);
    struct sos_identity identity = { .gram = gram, .free = free_part };
    int degree, of_controls;
    for (int k = 0; k < draft->n_part; k++)
        part[k] = (struct sos_part){ draft->unknown[k], enclosed_middle(mk->mem, draft->part[k]) };
    identity.p = (struct sos_affine){ enclosed_middle(mk->mem, draft->constant), draft->n_part, part };
    degrees_of(mk, &identity.p, &degree, &of_controls);
    if (is_too_large(mk, draft->variables, degree))
        return;
    for (int j = -1; j < n_region; j++) {
        const struct interval_poly times = j < 0 ? enclosed_constant(mk->mem, iv(1)) : draft->region.at_least_0[j];
        const struct poly middle = enclosed_middle(mk->mem, times);
        const int room = degree - poly_degree(middle),
                  room_controls = of_controls - control_degree(mk->problem, middle);
        if (room < 0 || room_controls < 0)
            continue;
        wide[identity.n_gram] = times;
        gram[identity.n_gram++] = basis_of(mk, times, draft->variables, room / 2, room_controls / 2, false);
    }
    for (int l = 0; l < n_zero; l++) {
        const struct poly middle = enclosed_middle(mk->mem, draft->region.zero[l]);
        const int room = degree - poly_degree(middle),
                  room_controls = of_controls - control_degree(mk->problem, middle);
        if (room < 0 || room_controls < 0 || middle.n == 0)
            continue;
        wide_free[identity.n_free] = draft->region.zero[l];
        free_part[identity.n_free++] = basis_of(mk, draft->region.zero[l], draft->variables, room, room_controls,
                                                 true);
    }
    out->identity = mem_grow(out->identity, out->n, 1, sizeof *out->identity);
    out->condition = mem_grow(out->condition, out->n, 1, sizeof *out->condition);
    out->identity[out->n] = identity;
    struct bound_condition *condition = &out->condition[out->n++];
    *condition = (struct bound_condition){ .role = draft->role, .once = draft->once,
                                           .weight_least = draft->weight_least > 0 ? draft->weight_least : 1 };
    memcpy(condition->name, draft->name, sizeof condition->name);
    condition->wide =
        (struct sos_enclosure){ draft->constant,
                                arena_copy(mk->mem, draft->part, (size_t)draft->n_part, sizeof *draft->part), wide,
                                wide_free };
    condition->n_monomial =
        basis_of(mk, enclosed_constant(mk->mem, iv(1)), draft->variables, degree, of_controls, false).n;
    for (int k = 0; k < POLY_MAX_VAR; k++)
        condition->box[k] = (struct interval){ k >= BOUND_SIGMA ? 0 : -1, 1 };
}

static void drop(struct draft *draft)
{
    free(draft->unknown);
    free(draft->part);
    *draft = (struct draft){ .n_part = 0 };
}

/* --- Start and end ------------------------------------------------------------------------------------------- */

static void make_set(struct maker *mk, const struct bound_set *set, bool at_start)
{
    const struct bound_place *place = &mk->problem->place[set->place];
    for (unsigned pattern = 0; pattern < 1u << place->n_switch; pattern++) {
        struct draft draft = { .role = at_start ? ROLE_START : ROLE_END };
        draft.variables = arguments_at(mk->problem, &set->frame);
        (void)snprintf(draft.name, sizeof draft.name, "%s, pattern %u", set->name, pattern);
        bool is_there =
            require_here(mk, &draft, &set->frame, &set->region) &&
            require_signs(mk, &draft, &set->frame, place, pattern, ~0u) && require_box(mk, &draft, &set->frame);
        draft.constant = set->cost;
        for (int k = 0; k < mk->out->n_unknown && is_there; k++)
            if ((mk->out->unknown[k].subset & ~pattern) == 0)
                add_part(&draft, k,
                         enclosed_scale(mk->mem, iv(at_start ? 1 : -1),
                                        bound_in_frame(mk->mem, &set->frame, mk->value[set->place][k])));
        if (at_start)
            add_part(&draft, mk->out->gamma, enclosed_constant(mk->mem, iv(-1)));
        if (is_there)
            finish(mk, &draft);
        drop(&draft);
    }
}

/* --- Flow and stay ------------------------------------------------------------------------------------------- */

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

/* Controls at a corner, or as they are. */
static struct bound_frame corner_frame(struct maker *mk, unsigned corner)
{
    struct bound_frame frame = { 0 };
    for (int k = 0, bit = 0; k < mk->problem->n_var && mk->problem->corners; k++)
        if (mk->problem->controls >> k & 1) {
            frame.gone |= 1u << k;
            frame.with[k] = enclosed_constant(mk->mem, iv(corner >> bit++ & 1 ? 1 : -1));
        }
    return frame;
}

static int n_corner(const struct bound_problem *problem)
{
    int n = 1;
    for (int k = 0; k < problem->n_var && problem->corners; k++)
        n *= problem->controls >> k & 1 ? 2 : 1;
    return n;
}

/* The region of a stay. False: there is no such state. */
static bool begin_stay(struct maker *mk, const struct stay *stay, unsigned field, struct draft *draft)
{
    const struct bound_problem *problem = mk->problem;
    draft->variables = arguments_at(problem, &stay->frame) | (problem->corners ? 0 : problem->controls);
    const bool is_there = require_here(mk, draft, &stay->frame, &stay->place->region) &&
                          require_signs(mk, draft, &stay->frame, stay->place, field, ~stay->surfaces) &&
                          require_box(mk, draft, &stay->frame);
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
            add_part(draft, k, bound_in_frame(mk->mem, controls, bound_in_frame(mk->mem, &stay->frame, part)));
        }
    for (int l = 0; l < MAX_SURFACE; l++) {
        if (!is_on(stay, l))
            continue;
        const struct interval_poly part = along(mk, surface_of(stay->place, l), field);
        const struct interval_poly rate =
            bound_in_frame(mk->mem, controls, bound_in_frame(mk->mem, &stay->frame, part));
        for (int k = 0; k < stay->n_multiplier[l]; k++)
            add_part(draft, stay->first[l] + k,
                     enclosed_mul(mk->mem, rate, enclosed_monomial(mk->mem, stay->monomial[l][k], iv(1))));
    }
}

/* The rate of V under the field of pattern `field`, and the cost beside it. */
static void make_flow(struct maker *mk, const struct stay *stay, unsigned field, unsigned corner)
{
    const struct bound_problem *problem = mk->problem;
    const struct bound_place *place = stay->place;
    const struct bound_frame controls = corner_frame(mk, corner);
    const bool is_weighted = place->weight[field].n > 0;
    const struct interval_poly weight =
        is_weighted ? place->weight[field] : enclosed_constant(mk->mem, iv(1));
    struct draft draft = { .role = ROLE_FLOW, .weight_least = is_weighted ? place->weight_least[field] : 1 };
    (void)snprintf(draft.name, sizeof draft.name, "%s %s, surfaces %u, walls %u, pattern %u, corner %u",
                   stay->surfaces | stay->walls ? "stay" : "flow", place->name, stay->surfaces, stay->walls, field,
                   corner);
    if (begin_stay(mk, stay, field, &draft)) {
        draft.constant = enclosed_add(mk->mem, place->running[field], problem->per_time, weight);
        draft.constant = bound_in_frame(mk->mem, &controls, bound_in_frame(mk->mem, &stay->frame, draft.constant));
        add_along(mk, stay, &controls, place->rate[field], &draft);
        finish(mk, &draft);
    }
    drop(&draft);
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
        finish(mk, &draft);
    }
    drop(&draft);
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
            if (!bound_frame_solve(mk->mem, &stay->frame, c, arguments_at(mk->problem, &stay->frame)))
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
    const unsigned controls = problem->corners ? 0 : problem->controls;
    for (int l = 0; l < MAX_SURFACE; l++) {
        if (!is_on(stay, l))
            continue;
        const int room = mk->out->degree - degree_of(surface_of(stay->place, l));
        const struct sos_basis basis =
            basis_of(mk, enclosed_constant(mk->mem, iv(1)), arguments_at(problem, &stay->frame) | controls,
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
        for (unsigned corner = 0;
             corner < (unsigned)n_corner(mk->problem) && (field & ~stay->surfaces) == stay->reference; corner++)
            make_flow(mk, stay, field, corner);
    for (int w = 0; w < stay->place->n_wall; w++)
        if (stay->walls >> w & 1)
            make_push(mk, stay, w);
}

/* Motion in the region of each pattern (surfaces 0), and on every set of surfaces and walls. */
static void make_motion(struct maker *mk, int q)
{
    const struct bound_place *place = &mk->problem->place[q];
    const unsigned n = 1u << place->n_switch;
    for (unsigned surfaces = 0; surfaces < n && !stop_asked() && !mk->out->too_large; surfaces++)
        for (unsigned others = 0; others < n; others++)
            for (unsigned walls = 0; walls < 1u << place->n_wall && !(others & surfaces); walls++) {
                struct stay stay = {
                    .place = place, .q = q, .surfaces = surfaces, .reference = others, .walls = walls,
                    .frame = place->frame
                };
                make_stay(mk, &stay);
            }
}

/* --- Jumps --------------------------------------------------------------------------------------------------- */

/* The region of a guard, where the signs are those of the pattern. False: there is no such state. */
static bool begin_jump(struct maker *mk, const struct bound_guard *guard, unsigned pattern, struct draft *draft)
{
    const struct bound_problem *problem = mk->problem;
    *draft = (struct draft){ .role = ROLE_JUMP, .once = guard->once };
    draft->variables = arguments_at(problem, &guard->before) | (guard->level ? 0 : 1u << BOUND_RHO) |
                       (guard->sticks ? 1u << BOUND_SIGMA : 0);
    (void)snprintf(draft->name, sizeof draft->name, "jump %s, pattern %u", guard->name, pattern);
    for (int k = guard->sticks ? BOUND_SIGMA : BOUND_RHO; k <= BOUND_RHO && !guard->level; k++) {
        const struct interval_poly x = enclosed_monomial(mk->mem, monomial_power(k, 1), iv(1));
        bound_require(&draft->region, enclosed_add(mk->mem, x, iv(-1), enclosed_mul(mk->mem, x, x)));
    }
    if (!guard->once)
        draft->constant = enclosed_constant(mk->mem, iv(-mk->margin));
    return (pattern & guard->of_mask) == guard->of_bits && require_here(mk, draft, &guard->before, &guard->region)
           && require_signs(mk, draft, &guard->before, &problem->place[guard->from], pattern, ~guard->of_mask)
           && require_box(mk, draft, &guard->before);
}

/* V(x+) - V(x-) of unknown k. */
static struct interval_poly gain_of(struct maker *mk, const struct bound_guard *guard, unsigned pattern, int k)
{
    const unsigned to_pattern = pattern | guard->to_bits;
    struct interval_poly gain = { 0, NULL };
    if ((mk->out->unknown[k].subset & ~to_pattern) == 0)
        gain = bound_in_frame(mk->mem, &guard->after, mk->value[guard->to][k]);
    if ((mk->out->unknown[k].subset & ~pattern) == 0)
        gain = enclosed_add(mk->mem, gain, iv(-1),
                            bound_in_frame(mk->mem, &guard->before, mk->value[guard->from][k]));
    return gain;
}

static void make_jump(struct maker *mk, const struct bound_guard *guard, unsigned pattern)
{
    struct draft draft;
    const bool is_there = begin_jump(mk, guard, pattern, &draft), is_divided = !guard->once && !guard->level;
    draft.constant =
        enclosed_add(mk->mem, draft.constant, iv(1),
                     is_divided ? enclosed_divide(mk->mem, guard->cost, BOUND_RHO) : guard->cost);
    for (int k = 0; k < mk->out->n_unknown && is_there; k++) {
        const struct interval_poly gain = gain_of(mk, guard, pattern, k);
        add_part(&draft, k, is_divided ? enclosed_divide(mk->mem, gain, BOUND_RHO) : gain);
    }
    if (is_there)
        finish(mk, &draft);
    drop(&draft);
}

/* A gain that is 0 where rho and sigma are: A rho + B sigma. With cone = reach rho - slip sigma >= 0 it is
 *
 *   cone (A / reach + sigma H) + sigma (slip A / reach + B - cone H)
 *
 * for any polynomial H: both brackets are asked to be positive. */
static void make_stick(struct maker *mk, const struct bound_guard *guard, unsigned pattern)
{
    const struct interval_poly sigma = enclosed_monomial(mk->mem, monomial_power(BOUND_SIGMA, 1), iv(1));
    const struct interval_poly rho = enclosed_monomial(mk->mem, monomial_power(BOUND_RHO, 1), guard->reach);
    const struct interval_poly cone = enclosed_add(mk->mem, rho, iv_neg(guard->slip), sigma);
    const struct interval_poly nothing[POLY_MAX_VAR] = { { 0, NULL } };
    struct draft first, second;
    const bool is_there = begin_jump(mk, guard, pattern, &first);
    (void)begin_jump(mk, guard, pattern, &second);
    for (int k = -1; k < mk->out->n_unknown && is_there; k++) {
        const struct interval_poly gain = k < 0 ? guard->cost : gain_of(mk, guard, pattern, k);
        const struct interval_poly without = enclosed_substitute(mk->mem, gain, 1u << BOUND_RHO, nothing);
        const struct interval_poly A =
            enclosed_scale(mk->mem, iv_div(iv(1), guard->reach), enclosed_divide(mk->mem, gain, BOUND_RHO));
        const struct interval_poly B =
            enclosed_add(mk->mem, enclosed_divide(mk->mem, without, BOUND_SIGMA), guard->slip, A);
        if (k < 0) {
            first.constant = enclosed_add(mk->mem, first.constant, iv(1), A);
            second.constant = enclosed_add(mk->mem, second.constant, iv(1), B);
        } else {
            add_part(&first, k, A);
            add_part(&second, k, B);
        }
    }
    if (is_there) {
        const struct sos_basis H = basis_of(mk, enclosed_constant(mk->mem, iv(1)), first.variables,
                                            mk->out->degree > 2 ? mk->out->degree - 2 : 0, 0, false);
        for (int k = 0; k < H.n; k++, mk->out->n_y++) {
            const struct interval_poly h = enclosed_monomial(mk->mem, H.monomial[k], iv(1));
            add_part(&first, mk->out->n_y, enclosed_mul(mk->mem, sigma, h));
            add_part(&second, mk->out->n_y, enclosed_scale(mk->mem, iv(-1), enclosed_mul(mk->mem, cone, h)));
        }
        finish(mk, &first);
        finish(mk, &second);
    }
    drop(&first);
    drop(&second);
}

static void make_cap(struct maker *mk)
{
    struct draft draft = { .role = ROLE_CAP, .name = "cap" };
    draft.constant = enclosed_constant(mk->mem, iv(BEYOND * fmax(1, mk->problem->cost_max)));
    add_part(&draft, mk->out->gamma, enclosed_constant(mk->mem, iv(-1)));
    finish(mk, &draft);
    drop(&draft);
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
        for (unsigned pattern = 0; pattern < 1u << problem->place[problem->guard[k].from].n_switch; pattern++)
            if (problem->guard[k].sticks)
                make_stick(&mk, &problem->guard[k], pattern);
            else
                make_jump(&mk, &problem->guard[k], pattern);
    if (capped)
        make_cap(&mk);
    struct sos_identity *const identity = out->identity;
    struct bound_condition *const condition = out->condition;
    out->identity = arena_copy(mem, identity, (size_t)out->n, sizeof *identity);
    out->condition = arena_copy(mem, condition, (size_t)out->n, sizeof *condition);
    free(identity);
    free(condition);
}
