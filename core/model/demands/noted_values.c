/* core/model/demands/noted_values.c - constraints at times that are optimized
 *
 *   constraints: {pick: {expr: x >= 0.4, at: {time: t_pick}}}
 *
 * A machine goes from `before` to `after` at t = t_pick, where it must be at the end, and sets the state
 * pick_value to x; the constraint is one of that state at the end. So the time is met as exactly as any event.
 * Constraints at one time share a machine.
 */
#include "core/model/demands/read.h"

#include "core/model/shapes.h"

#include <math.h>

static const char *const noted_hint = "write one constraint per smooth function (abs(e) <= a is -a <= e <= a)";

/* The machine that goes over at that time; a new one where there is none. */
static struct model_machine *machine_at(struct reader *r, const struct spec_node *node, expr time)
{
    static const char *const states[] = { "before", "after" };
    struct model_switching *switching = &r->model->switching;
    const expr when = expr_sub(r->g, r->model->t_sym, time);
    for (int m = 0; m < switching->n_machine; m++)
        if (switching->machine[m].n_transition == 1 && switching->machine[m].transition[0].when == when)
            return &switching->machine[m];
    struct model_machine *machine = &switching->machine[switching->n_machine++];
    struct model_transition *transition = arena_alloc(r->mem, 1, sizeof *transition);
    const size_t n_noted = (size_t)r->model->constraints.n_noted;
    *transition = (struct model_transition){ .name = arena_printf(r->mem, "%s.time", node->key), .path = node->path,
                                             .pos = node->key_pos, .from = 0, .to = 1, .when = when, .after = NAN };
    transition->reset_x = arena_alloc(r->mem, n_noted, sizeof *transition->reset_x);
    transition->reset = arena_alloc(r->mem, n_noted, sizeof *transition->reset);
    *machine = (struct model_machine){ .name = node->key, .path = node->path, .pos = node->key_pos, .n_state = 2,
                                       .state = arena_copy(r->mem, states, 2, sizeof *states), .n_final = 1,
                                       .final = arena_alloc(r->mem, 1, sizeof(int)), .n_transition = 1,
                                       .first_signal = switching->n_signal, .transition = transition };
    machine->final[0] = 1;
    return machine;
}

static int state_of(const struct reader *r, const struct spec_node *node)
{
    const struct model *m = r->model;
    int i = m->constraints.first_noted;
    while (i < m->constraints.first_noted + m->constraints.n_noted && m->x[i].path != node->path) i++;
    return i;
}

enum status reader_note_value(struct reader *r, const struct spec_node *node, expr *body)
{
    const struct spec_node *at = spec_get(node, "at"), *time = spec_get(at, "time");
    expr t;
    shape_check_keys(r->diag, at, &model_optimized_time_shape);
    if (r->model->time.n_phase)
        return spec_error(
            r->diag, at, "with phases a time that is optimized is the end of one: write it there, with at: final");
    if (reader_parameter_expr(r, time, &t) != STATUS_OK)
        return STATUS_SPEC;
    if (expr_is_const(r->g, t, NULL))
        return spec_error(r->diag, time, "is a known time, that is written as at: 0.5 %s; one that is optimized is a parameter "
                          "with \"optimize\"", r->model->time.unit);
    if (quantity_is_force(r->model, *body) || quantity_is_impulse(r->model, *body))
        return spec_error(r->diag, node, "contact forces and impulses are not known at a time that is optimized");
    if (check_smooth(r, node, *body, noted_hint) != STATUS_OK
        || check_uses(r, node, *body, USES_ALL, "a constraint at one time") != STATUS_OK)
        return STATUS_SPEC;
    struct model_transition *transition = machine_at(r, node, t)->transition;
    const int x = state_of(r, node);
    transition->reset_x[transition->n_reset] = x;
    transition->reset[transition->n_reset++] = *body;
    *body = r->model->x_sym[x];
    return STATUS_OK;
}
