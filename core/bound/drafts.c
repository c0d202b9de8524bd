#include "core/bound/maker.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Polynomials --------------------------------------------------------------------------------------------- */

/* Would a polynomial of these variables and this degree have too many terms? */
bool maker_is_too_large(struct maker *mk, unsigned variables, int degree)
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

int maker_degree_of(struct interval_poly a)
{
    struct arena scratch = { NULL };
    const int degree = poly_degree(enclosed_middle(&scratch, a));
    arena_free(&scratch);
    return degree;
}

unsigned maker_arguments(const struct bound_problem *problem, const struct bound_frame *frame)
{
    return problem->arguments & ~frame->gone;
}

bool maker_has_square(const struct bound_problem *problem, uint64_t monomial)
{
    for (int k = 0; k < problem->n_var; k++)
        if (problem->cosines >> k & 1 && monomial_exponent(monomial, k) > 1)
            return true;
    return false;
}

/* --- Drafts -------------------------------------------------------------------------------------------------- */

void draft_add(struct draft *draft, int unknown, struct interval_poly part)
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
static bool draft_require(struct maker *mk, struct draft *draft, const struct bound_frame *frame,
                          struct interval_poly a)
{
    struct interval_poly here = bound_in_frame(mk->mem, frame, a);
    const struct interval range = bound_range(here);
    const unsigned variables = enclosed_variables(here);
    if (range.hi < 0)
        return false;
    if (is_number(here) || draft->region.n >= BOUND_MAX_REGION)
        return true;
    if (maker_degree_of(here) == 1) {
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
bool draft_require_box(struct maker *mk, struct draft *draft, const struct bound_frame *frame)
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
bool draft_require_signs(struct maker *mk, struct draft *draft, const struct bound_frame *frame,
                         const struct bound_place *place, unsigned pattern, unsigned of)
{
    for (int l = 0; l < place->n_switch; l++)
        if (of >> l & 1) {
            const struct interval sign = iv(pattern >> l & 1 ? 1 : -1);
            if (!draft_require(mk, draft, frame, enclosed_scale(mk->mem, sign, place->c[l])))
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

/* Does it speak of a control that is no variable of the condition? Then it is left out, and the region is larger.
 */
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
            && !draft_require(mk, draft, frame, region->at_least_0[k]))
            return false;
    for (int k = 0; k < region->n_zero; k++)
        if (!speaks_of_others(mk, draft, region->zero[k]))
            bound_require_zero(&draft->region, bound_in_frame(mk->mem, frame, region->zero[k]));
    return true;
}

/* What holds along the way, and in this region. */
bool draft_require_here(struct maker *mk, struct draft *draft, const struct bound_frame *frame,
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

/* Monomials up to a degree, of controls together up to a lesser one; all of them, or those that differ on the
 * circle. */
struct sos_basis maker_basis(struct maker *mk, struct interval_poly times, unsigned variables, int degree,
                             int of_controls, bool all_of_them)
{
    uint64_t *monomial;
    const int all = monomial_basis(mk->mem, variables, degree, &monomial);
    int n = 0;
    for (int k = 0; k < all; k++) {
        const struct poly_term term = { monomial[k], 1 };
        if (control_degree(mk->problem, (struct poly){ 1, &term }) <= of_controls
            && (all_of_them || !maker_has_square(mk->problem, monomial[k])))
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

void draft_finish(struct maker *mk, struct draft *draft)
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
    if (maker_is_too_large(mk, draft->variables, degree))
        return;
    for (int j = -1; j < n_region; j++) {
        const struct interval_poly times = j < 0 ? enclosed_constant(mk->mem, iv(1)) : draft->region.at_least_0[j];
        const struct poly middle = enclosed_middle(mk->mem, times);
        const int room = degree - poly_degree(middle),
                  room_controls = of_controls - control_degree(mk->problem, middle);
        if (room < 0 || room_controls < 0)
            continue;
        wide[identity.n_gram] = times;
        gram[identity.n_gram++] = maker_basis(mk, times, draft->variables, room / 2, room_controls / 2, false);
    }
    for (int l = 0; l < n_zero; l++) {
        const struct poly middle = enclosed_middle(mk->mem, draft->region.zero[l]);
        const int room = degree - poly_degree(middle),
                  room_controls = of_controls - control_degree(mk->problem, middle);
        if (room < 0 || room_controls < 0 || middle.n == 0)
            continue;
        wide_free[identity.n_free] = draft->region.zero[l];
        free_part[identity.n_free++] =
            maker_basis(mk, draft->region.zero[l], draft->variables, room, room_controls, true);
    }
    out->identity = mem_grow(out->identity, out->n, 1, sizeof *out->identity);
    out->condition = mem_grow(out->condition, out->n, 1, sizeof *out->condition);
    out->identity[out->n] = identity;
    struct bound_condition *condition = &out->condition[out->n++];
    *condition = (struct bound_condition){ .role = draft->role,
                                           .once = draft->once,
                                           .weight_least = draft->weight_least > 0 ? draft->weight_least : 1 };
    memcpy(condition->name, draft->name, sizeof condition->name);
    condition->wide =
        (struct sos_enclosure){ draft->constant,
                                arena_copy(mk->mem, draft->part, (size_t)draft->n_part, sizeof *draft->part), wide,
                                wide_free };
    condition->n_monomial =
        maker_basis(mk, enclosed_constant(mk->mem, iv(1)), draft->variables, degree, of_controls, false).n;
    for (int k = 0; k < POLY_MAX_VAR; k++)
        condition->box[k] = (struct interval){ k >= BOUND_SIGMA ? 0 : -1, 1 };
}

void draft_drop(struct draft *draft)
{
    free(draft->unknown);
    free(draft->part);
    *draft = (struct draft){ .n_part = 0 };
}
