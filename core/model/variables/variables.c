/* core/model/variables/variables.c - states and controls: bounds, values at both ends, guesses */
#include "core/model/variables/read.h"

#include "core/base/vec.h"
#include "core/model/shapes.h"

#include <stdlib.h>

/* Held controls have up to two states each, loads two, joints 13 and a control. */
static void allocate(struct reader *r, int n_states, int n_controls, int n_loads)
{
    struct model *m = r->model;
    const int n_joints = joint_room(r);
    const size_t n_x = (size_t)(n_states + 2 * n_controls + 2 * n_loads + 13 * n_joints + m->constraints.n_noted),
                 n_u = (size_t)(n_controls + m->time.n_phase + m->time.n_steps + n_joints);
    m->contacts.load = arena_alloc(r->mem, (size_t)n_loads, sizeof *m->contacts.load);
    m->x = arena_alloc(r->mem, n_x, sizeof *m->x);
    m->x_sym = arena_alloc(r->mem, n_x, sizeof *m->x_sym);
    m->u = arena_alloc(r->mem, n_u, sizeof *m->u);
    m->u_sym = arena_alloc(r->mem, n_u, sizeof *m->u_sym);
    m->held = arena_alloc(r->mem, n_u, sizeof *m->held);
    m->impulses.impulse = arena_alloc(r->mem, (size_t)n_controls, sizeof *m->impulses.impulse);
    r->impulse_node = arena_alloc(r->mem, (size_t)n_controls, sizeof *r->impulse_node);
}

static void collect(struct reader *r, const struct spec_node *states, const struct spec_node *controls)
{
    struct model *m = r->model;
    allocate(r, states ? states->n : 0, controls ? controls->n : 0, load_count(r));
    for (int k = 0; states && k < states->n; k++)
        variables_add(r, states->child[k], states->child[k]->key, &m->n_x, m->x, m->x_sym);
    joint_collect(r);
    for (int k = 0; controls && k < controls->n; k++) {
        const struct spec_node *node = controls->child[k];
        const int order = held_order(node);
        if (impulse_is_meant(node))
            impulse_collect(r, node);
        else if (order > 0)
            held_collect(r, node, order);
        else
            variables_add(r, node, node->key, &m->n_u, m->u, m->u_sym);
    }
    noted_collect(r);
    joint_collect_controls(r);
    load_collect(r);
}

/* Their controls: 1 in the phase, and at the guess in the first one. */
static void collect_phases(struct reader *r)
{
    struct model *m = r->model;
    r->n_plain_u = m->n_u;
    for (int k = 0; k < m->time.n_phase; k++) {
        m->time.phase[k].u = m->n_u;
        struct model_var *u = &m->u[m->n_u];
        variables_add(r, r->phase_node[k], r->phase_node[k]->key, &m->n_u, m->u, m->u_sym);
        u->lb = 0;
        u->ub = 1;
        u->guess = k == 0;
        u->long_name = "1 in this phase, else 0";
        u->initial.kind = END_FREE;
    }
}

/* Symbols of the states at the two ends, for boundary constraints. */
static expr *end_symbols(struct reader *r, const char *fmt)
{
    const struct model *m = r->model;
    expr *sym = arena_alloc(r->mem, (size_t)m->n_x, sizeof *sym);
    for (int k = 0; k < m->n_x; k++)
        sym[k] = expr_sym(r->g, arena_printf(r->mem, "%s(%s)", fmt, m->x[k].name));
    return sym;
}

void model_collect_variables(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *states = reader_block(r, r->root, "states");
    steps_count(r);
    noted_count(r);
    collect(r, states, reader_block(r, r->root, "controls"));
    collect_phases(r);
    steps_collect(r);
    m->x_initial_sym = end_symbols(r, "initial");
    m->x_final_sym = end_symbols(r, "final");
    if (!reader_given(r->root, "states") && !m->mechanics.n_joint)
        spec_error(r->diag, r->root, "\"states\" is missing: a system has states");
    else if (m->n_x == 0 && !m->mechanics.joints_broken)
        spec_error(r->diag, states ? states : r->root, "a system has at least one state");
}

static void read_state(struct reader *r, const struct spec_node *node, struct model_var *var)
{
    if (node->kind != SPEC_NULL && shape_check_keys(r->diag, node, &model_state_shape) != STATUS_OK
        && node->kind != SPEC_MAPPING) {
        var->initial.kind = END_FREE;           /* said enough about this one */
        return;
    }
    variables_read_common(r, node, var);
    variables_read_ends(r, node, var);
}

/* All that a control may be; its bounds are the ends. */
static void read_values(struct reader *r, const struct spec_node *node, struct model_var *var)
{
    const struct spec_node *list = spec_get(node, "values");
    if (!list)
        return;
    if (list->kind != SPEC_SEQUENCE || list->n < 2) {
        spec_error(r->diag, list, "expected two numbers or more, as [0, 1]");
        return;
    }
    if (r->model->time.n_phase) {
        spec_error(r->diag, list,
                   "with phases of the spec's own a control has no values: say what it is in each, as "
                   "constraints: {on: u == 1}");
        return;
    }
    double *value = arena_alloc(r->mem, (size_t)list->n, sizeof *value);
    for (int k = 0; k < list->n; k++)
        if (reader_finite(r, list->child[k], &value[k]) != STATUS_OK)
            return;
    qsort(value, (size_t)list->n, sizeof *value, vec_ascending);
    for (int k = 1; k < list->n; k++)
        if (value[k] == value[k - 1])
            spec_error(r->diag, list, "%.15g stands there twice", value[k]);
    if (spec_get(node, "bounds"))
        spec_error(r->diag, spec_get(node, "bounds"), "\"values\" say what it may be: no \"bounds\" beside them");
    var->n_value = list->n;
    var->value = value;
    var->lb = value[0];
    var->ub = value[list->n - 1];
}

static void read_control(struct reader *r, const struct spec_node *node, struct model_var *var)
{
    var->initial.kind = END_FREE;
    if (node->kind == SPEC_NULL || (shape_check_keys(r->diag, node, &model_control_shape) != STATUS_OK
                                    && node->kind != SPEC_MAPPING))
        return;
    variables_read_common(r, node, var);
    read_values(r, node, var);
    if (spec_get(node, "hold"))
        reader_choice(r, spec_get(node, "hold"), model_hold_words);
    starts_read(r, node, var);
    static const char *const of_held[] = { "rate", "initial", "final" };
    for (size_t i = 0; i < sizeof of_held / sizeof *of_held; i++)
        if (spec_get(node, of_held[i]) && !(i == 1 && var->n_value))
            spec_error(r->diag, spec_get(node, of_held[i]),
                       "\"%s\" is of controls with hold: linear or spline; this "
                       "one jumps from interval to interval",
                       of_held[i]);
}

void model_read_variables(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *states = reader_block(r, r->root, "states");
    const struct spec_node *controls = reader_block(r, r->root, "controls");
    joint_read_bounds(r);
    for (int k = 0; states && k < states->n; k++)
        read_state(r, states->child[k], &m->x[k]);
    for (int k = 0, i = 0, held = 0; controls && i < controls->n; i++) {
        if (impulse_is_meant(controls->child[i]))
            continue;                   /* impulses.c */
        if (held < m->n_held && m->held[held].u == k)
            held_read(r, controls->child[i], &m->held[held++]);
        else
            read_control(r, controls->child[i], &m->u[k]);
        k++;
    }
    joint_complete(r);
}
