/* Values of controls that are all that counts: conditions hold for each of them, without the control as a
 * variable. */
#include "core/bound/reading.h"

enum { MOST_CORNERS = 64 }; /* of controls with values, together; of more they may be anything in their boxes */

static bool path_speaks_of(const struct bound_problem *out, int k)
{
    bool does = false;
    for (int c = 0; c < out->path.n; c++)
        does = does || enclosed_degree_in(out->path.at_least_0[c], k) > 0;
    for (int c = 0; c < out->path.n_zero; c++)
        does = does || enclosed_degree_in(out->path.zero[c], k) > 0;
    return does;
}

/* Are rates and cost affine in control k, and no constraint speaks of it? */
static bool is_affine_in(const struct bound_problem *out, int k)
{
    bool is = !path_speaks_of(out, k);
    for (int q = 0; q < out->n_place; q++)
        for (int pattern = 0; pattern < 1 << out->place[q].n_switch; pattern++) {
            is = is && enclosed_degree_in(out->place[q].running[pattern], k) <= 1
                 && enclosed_degree_in(out->place[q].weight[pattern], k) <= 1;
            for (int i = 0; i < out->n_var; i++)
                is = is && enclosed_degree_in(out->place[q].rate[pattern][i], k) <= 1;
        }
    return is;
}

/* A control with values is at one of them; values may be mixed as fast as anyone likes, which adds nothing, as
 * each condition holds for each value. Not where a constraint speaks of it, which mixtures may obey. */
static void give_values(struct reading *r, int k)
{
    struct bound_var *var = &r->out->var[k];
    const struct model_var *u = &r->model->u[var->index];
    bool is_held = false;
    for (int h = 0; h < r->model->n_held; h++)
        is_held = is_held || r->model->held[h].u == var->index;
    if (var->kind != BOUND_CONTROL || is_held || u->n_value == 0 || path_speaks_of(r->out, k))
        return;
    struct interval *value = arena_alloc(r->mem, (size_t)u->n_value, sizeof *value);
    for (int i = 0; i < u->n_value; i++)
        value[i] = iv_div(iv_sub(iv(u->value[i]), iv(var->mid)), iv(var->half));
    var->n_value = u->n_value;
    var->value = value;
}

/* Those that controls have, or, where rates and cost are affine in all the others,
 * both ends of their boxes. */
void reading_corners(struct reading *r)
{
    static const struct interval ends[2] = { { -1, -1 }, { 1, 1 } };
    struct bound_problem *out = r->out;
    bool all_affine = true;
    for (int k = 0; k < out->n_var; k++)
        if (out->controls >> k & 1 && !is_affine_in(out, k)) {
            give_values(r, k);
            all_affine = all_affine && out->var[k].n_value > 0;
        }
    if (bound_n_corner(out) > MOST_CORNERS)
        for (int k = 0; k < out->n_var; k++)
            out->var[k].n_value = 0;
    for (int k = 0; k < out->n_var && all_affine; k++)
        if (out->controls >> k & 1 && is_affine_in(out, k)) {
            out->var[k].n_value = 2;
            out->var[k].value = ends;
        }
}
