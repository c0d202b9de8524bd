/* core/model/scope/check.c - what an expression may depend on */
#include "core/model/scope/reader.h"

#include "core/base/mem.h"
#include "core/expression/degree.h"
#include "core/expression/ops.h"
#include "core/model/tables.h"

#include <stdlib.h>

/* --- Dependence --------------------------------------------------------------------------------------------- */
static int use_of_state(const struct model *m, int k)
{
    for (int i = 0; i < m->mechanics.n_position; i++)
        if (m->mechanics.q_index[i] == k)
            return USES_POSITIONS;
    for (int i = 0; i < m->mechanics.n_q; i++)
        if (m->mechanics.v_index[i] == k)
            return USES_VELOCITIES;
    return USES_OTHER_STATES;
}

static enum status refuse(struct reader *r, const struct spec_node *node, const char *what, const char *kind,
                          const char *name)
{
    return spec_error(r->diag, node, "%s may not depend on %s%s%s", what, kind, *name ? " " : "", name);
}

static const char *use_text(int use)
{
    return use == USES_POSITIONS ? "the position" : use == USES_VELOCITIES ? "the velocity" : "the state";
}

/* The first state that e may not depend on but does; n_x: there is none. */
static int first_refused(const struct model *m, expr e, int allowed)
{
    bool *uses = mem_alloc((size_t)m->n_x, sizeof *uses);
    expr_depends_each(m->graph, e, m->n_x, m->x_sym, uses);
    int k = 0;
    while (k < m->n_x && !(uses[k] && !(allowed & use_of_state(m, k))))
        k++;
    free(uses);
    return k;
}

enum status check_uses(struct reader *r, const struct spec_node *node, expr e, int allowed, const char *what)
{
    const struct model *m = r->model;
    if (reader_is_broken(r, e))
        return STATUS_SPEC;
    if ((allowed & USES_STATES) != USES_STATES
        && (!r->model->dynamics.type_known || !r->model->mechanics.coordinates_known))
        return STATUS_OK;           /* nobody knows which states are positions */
    const int refused = first_refused(m, e, allowed);
    if (refused < m->n_x)
        return refuse(r, node, what, use_text(use_of_state(m, refused)), m->x[refused].name);
    for (int k = 0; k < m->n_u && !(allowed & USES_CONTROLS); k++)
        if (expr_depends(r->g, e, 1, &m->u_sym[k]))
            return refuse(r, node, what, model_is_phase(m, k) ? "the phase" : model_steps_of(m, k) ? "the steps" : "the control", m->u[k].name);
    for (int k = 0; k < m->impulses.n_impulse; k++)
        if (expr_depends(r->g, e, 1, &m->impulses.impulse[k].sym))
            return spec_error(r->diag, node, "%s is no function of time: %s is an impulse, which jump, force, rhs, "
                              "cost.impulses and constraints with \"at: impulses\" may speak of, and %s_1, the first one", what,
                              m->impulses.impulse[k].var.name, m->impulses.impulse[k].var.name);
    const struct model_projection *pair = model_find_own_pair(r->model, e);
    if (pair && !(allowed & USES_LAMBDA) && !r->contacts_allowed)
        return spec_error(r->diag, node, "%s may not depend on %s.lambda, which stands in rhs, force, sides H and "
                          "running costs", what, pair->name);
    if (!(allowed & USES_TIME) && expr_depends(r->g, e, 1, &m->t_sym))
        return refuse(r, node, what, "the time t", "");
    return STATUS_OK;
}

/* Such as of a define "by: steps" where its jumps are switches. */
static bool is_step_of_time(struct reader *r, expr e)
{
    return expr_op_of(r->g, e) == EXPR_STEP && expr_depends(r->g, e, 1, &r->model->t_sym);
}

enum status check_smooth(struct reader *r, const struct spec_node *node, expr e, const char *hint)
{
    if (reader_is_broken(r, e))
        return STATUS_SPEC;
    const expr rough = expr_find_nonsmooth(r->g, e);
    if (rough == EXPR_NONE)
        return STATUS_OK;
    const enum expr_op op = expr_op_of(r->g, rough);
    if (op == EXPR_RELAY && model_find_projection(r->model, expr_arg(r->g, rough, 2)))
        return spec_error(r->diag, node, "the reaction of \"%s\" may only stand in rhs, force, running costs and constraints, by "
                          "its own name", model_find_projection(r->model, expr_arg(r->g, rough, 2))->name);
    const struct model_table *table = model_table_of_corner(r->model, rough);
    if (table)
        return spec_error(r->diag, node,
                          "table \"%s\" has corners, %s, and may only stand in rhs and force; elsewhere "
                          "it is smooth with %s",
                          table->name, table->by == TABLE_LINEAR ? "as it is linear" : "where it becomes constant",
                          table->by == TABLE_LINEAR ? "by: spline" : "outside: linear");
    const char *name = op == EXPR_RELAY            ? "a relay or a machine"
                       : is_step_of_time(r, rough) ? "a step of time (as of a define \"by: steps\")"
                                                   : op_info[op].name;
    return spec_error(r->diag, node, "%s is not smooth and may only stand in rhs and force; %s",
                      name ? name : "a condition, as in `if`,", hint);
}

bool check_is_power(const struct expr_graph *g, expr e)
{
    expr rest, base;
    (void)expr_multiple(g, e, &rest);
    return expr_power(g, rest, &base) > 1;
}

