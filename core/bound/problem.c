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

unsigned bound_free_controls(const struct bound_problem *problem)
{
    unsigned are_free = problem->controls;
    for (int k = 0; k < problem->n_var; k++)
        are_free &= problem->var[k].n_value > 0 ? ~(1u << k) : ~0u;
    return are_free;
}

int bound_n_corner(const struct bound_problem *problem)
{
    int n = 1;
    for (int k = 0; k < problem->n_var; k++)
        n *= problem->var[k].n_value > 0 ? problem->var[k].n_value : 1;
    return n;
}

struct bound_frame bound_corner(struct arena *mem, const struct bound_problem *problem, int corner)
{
    struct bound_frame frame = { 0 };
    for (int k = 0; k < problem->n_var; k++) {
        const struct bound_var *var = &problem->var[k];
        if (var->n_value == 0)
            continue;
        frame.gone |= 1u << k;
        frame.with[k] = enclosed_constant(mem, var->value[corner % var->n_value]);
        corner /= var->n_value;
    }
    return frame;
}

static bool region_depends_on(const struct bound_region *region, int k)
{
    bool does = false;
    for (int c = 0; c < region->n; c++)
        does = does || enclosed_degree_in(region->at_least_0[c], k) > 0;
    for (int c = 0; c < region->n_zero; c++)
        does = does || enclosed_degree_in(region->zero[c], k) > 0;
    return does;
}

static bool place_depends_on(const struct bound_place *place, int n_var, int k)
{
    bool does = region_depends_on(&place->region, k);
    for (int pattern = 0; pattern < 1 << place->n_switch; pattern++) {
        does = does || enclosed_degree_in(place->running[pattern], k) > 0 ||
               enclosed_degree_in(place->weight[pattern], k) > 0;
        for (int i = 0; i < n_var; i++)
            does = does || enclosed_degree_in(place->rate[pattern][i], k) > 0;
    }
    for (int l = 0; l < place->n_switch; l++)
        does = does || enclosed_degree_in(place->c[l], k) > 0;
    for (int w = 0; w < place->n_wall; w++) {
        does = does || enclosed_degree_in(place->wall[w].gap, k) > 0;
        for (int i = 0; i < n_var; i++)
            does = does || enclosed_degree_in(place->wall[w].push[i], k) > 0;
    }
    return does;
}

/* Where does it take others, and where to? */
static bool guard_depends_on(const struct bound_guard *guard, int k)
{
    bool does = region_depends_on(&guard->region, k) || enclosed_degree_in(guard->cost, k) > 0;
    for (int i = 0; i < POLY_MAX_VAR; i++) {
        does = does || (guard->before.gone >> i & 1 && enclosed_degree_in(guard->before.with[i], k) > 0);
        does = does || (guard->after.gone >> i & 1 && enclosed_degree_in(guard->after.with[i], k) > 0);
    }
    return does;
}

bool bound_depends_on(const struct bound_problem *problem, int k)
{
    bool does = region_depends_on(&problem->path, k);
    for (int q = 0; q < problem->n_place; q++)
        does = does || place_depends_on(&problem->place[q], problem->n_var, k);
    for (int i = 0; i < problem->n_guard; i++)
        does = does || guard_depends_on(&problem->guard[i], k);
    return does;
}

bool bound_is_over_all(const struct bound_problem *problem)
{
    for (int k = 0; k < problem->n_var; k++)
        if (problem->var[k].box == BOX_MOTION)
            return false;
    return true;
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
