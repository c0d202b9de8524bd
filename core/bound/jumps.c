/* Jumps: V does not fall at guards by more than they cost. */
#include "core/bound/maker.h"

#include <stdio.h>

/* The region of a guard, where the signs are those of the pattern. False: there is no such state. */
static bool begin_jump(struct maker *mk, const struct bound_guard *guard, unsigned pattern, struct draft *draft)
{
    const struct bound_problem *problem = mk->problem;
    *draft = (struct draft){ .role = ROLE_JUMP, .once = guard->once };
    draft->variables = maker_arguments(problem, &guard->before) | (guard->level ? 0 : 1u << BOUND_RHO)
                       | (guard->sticks ? 1u << BOUND_SIGMA : 0);
    (void)snprintf(draft->name, sizeof draft->name, "jump %s, pattern %u", guard->name, pattern);
    for (int k = guard->sticks ? BOUND_SIGMA : BOUND_RHO; k <= BOUND_RHO && !guard->level; k++) {
        const struct interval_poly x = enclosed_monomial(mk->mem, monomial_power(k, 1), iv(1));
        bound_require(&draft->region, enclosed_add(mk->mem, x, iv(-1), enclosed_mul(mk->mem, x, x)));
    }
    if (!guard->once)
        draft->constant = enclosed_constant(mk->mem, iv(-mk->margin));
    return (pattern & guard->of_mask) == guard->of_bits
           && draft_require_here(mk, draft, &guard->before, &guard->region)
           && draft_require_signs(mk, draft, &guard->before, &problem->place[guard->from], pattern,
                                  ~guard->of_mask)
           && draft_require_box(mk, draft, &guard->before);
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
    draft.constant = enclosed_add(mk->mem, draft.constant, iv(1),
                                  is_divided ? enclosed_divide(mk->mem, guard->cost, BOUND_RHO) : guard->cost);
    for (int k = 0; k < mk->out->n_unknown && is_there; k++) {
        const struct interval_poly gain = gain_of(mk, guard, pattern, k);
        draft_add(&draft, k, is_divided ? enclosed_divide(mk->mem, gain, BOUND_RHO) : gain);
    }
    if (is_there)
        draft_finish(mk, &draft);
    draft_drop(&draft);
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
            draft_add(&first, k, A);
            draft_add(&second, k, B);
        }
    }
    if (is_there) {
        const struct sos_basis H = maker_basis(mk, enclosed_constant(mk->mem, iv(1)), first.variables,
                                               mk->out->degree > 2 ? mk->out->degree - 2 : 0, 0, false);
        for (int k = 0; k < H.n; k++, mk->out->n_y++) {
            const struct interval_poly h = enclosed_monomial(mk->mem, H.monomial[k], iv(1));
            draft_add(&first, mk->out->n_y, enclosed_mul(mk->mem, sigma, h));
            draft_add(&second, mk->out->n_y, enclosed_scale(mk->mem, iv(-1), enclosed_mul(mk->mem, cone, h)));
        }
        draft_finish(mk, &first);
        draft_finish(mk, &second);
    }
    draft_drop(&first);
    draft_drop(&second);
}

void make_jumps(struct maker *mk, const struct bound_guard *guard)
{
    for (unsigned pattern = 0; pattern < 1u << mk->problem->place[guard->from].n_switch; pattern++)
        if (guard->sticks)
            make_stick(mk, guard, pattern);
        else
            make_jump(mk, guard, pattern);
}
