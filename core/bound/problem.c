#include "core/bound/problem.h"

#include <assert.h>
#include <math.h>

struct interval_poly bound_in_frame(struct arena *mem, const struct bound_frame *frame, struct interval_poly a)
{
    return frame->gone ? enclosed_substitute(mem, a, frame->gone, frame->with) : a;
}

/* The variable with the largest coefficient of those that may go; -1: a is not affine, or there is none. */
static int choose_variable(struct interval_poly a, struct poly middle, unsigned among)
{
    double largest = 0;
    int best = -1;
    if (poly_degree(middle) != 1)
        return -1;
    for (int k = 0; k < POLY_MAX_VAR; k++) {
        const struct interval c = enclosed_coefficient(a, monomial_power(k, 1));
        if ((among >> k & 1) && (c.lo > 0 || c.hi < 0) && fabs(iv_mid(c)) > largest) {
            largest = fabs(iv_mid(c));
            best = k;
        }
    }
    return best;
}

bool bound_frame_solve(struct arena *mem, struct bound_frame *frame, struct interval_poly a, unsigned among)
{
    struct arena scratch = { NULL };
    const struct interval_poly here = bound_in_frame(mem, frame, a);
    const int k = choose_variable(here, enclosed_middle(&scratch, here), among & ~frame->gone);
    arena_free(&scratch);
    if (k < 0 || enclosed_degree_in(here, k) != 1)
        return false;
    const struct interval c = enclosed_coefficient(here, monomial_power(k, 1));
    const struct interval_poly nothing[POLY_MAX_VAR] = { { 0, NULL } };
    const struct interval_poly rest = enclosed_substitute(mem, here, 1u << k, nothing);
    struct bound_frame one = { .gone = 1u << k };
    one.with[k] = enclosed_scale(mem, iv_div(iv(-1), c), rest);
    for (int i = 0; i < POLY_MAX_VAR; i++)
        if (frame->gone >> i & 1)
            frame->with[i] = bound_in_frame(mem, &one, frame->with[i]);
    frame->gone |= one.gone;
    frame->with[k] = one.with[k];
    return true;
}

bool bound_depends_on(const struct bound_problem *problem, int k)
{
    bool does = enclosed_degree_in(problem->running, k) > 0;
    for (int q = 0; q < problem->n_place; q++) {
        const struct bound_place *place = &problem->place[q];
        for (int pattern = 0; pattern < 1 << place->n_switch; pattern++)
            for (int i = 0; i < problem->n_var; i++)
                does = does || enclosed_degree_in(place->rate[pattern][i], k) > 0;
        for (int l = 0; l < place->n_switch; l++)
            does = does || enclosed_degree_in(place->c[l], k) > 0;
    }
    for (int c = 0; c < problem->path.n; c++)
        does = does || enclosed_degree_in(problem->path.at_least_0[c], k) > 0;
    for (int c = 0; c < problem->path.n_zero; c++)
        does = does || enclosed_degree_in(problem->path.zero[c], k) > 0;
    return does;
}

struct interval bound_range(struct interval_poly a)
{
    struct interval box[POLY_MAX_VAR];
    for (int k = 0; k < POLY_MAX_VAR; k++)
        box[k] = (struct interval){ -1, 1 };
    return interval_poly_range(a, box);
}

void bound_require(struct bound_region *region, struct interval_poly at_least_0)
{
    assert(region->n < BOUND_MAX_REGION);
    region->at_least_0[region->n++] = at_least_0;
}

void bound_require_zero(struct bound_region *region, struct interval_poly zero)
{
    assert(region->n_zero < BOUND_MAX_REGION);
    region->zero[region->n_zero++] = zero;
}
