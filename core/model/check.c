/* core/model/check.c - what an expression may depend on, and its value at the points that the spec names */
#include "core/model/read.h"

#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/expression/degree.h"
#include "core/expression/ops.h"
#include "core/model/inputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Dependence --------------------------------------------------------------------------------------------- */
static int use_of_state(const struct model *m, int k)
{
    for (int i = 0; i < m->n_position; i++)
        if (m->q_index[i] == k)
            return USES_POSITIONS;
    for (int i = 0; i < m->n_q; i++)
        if (m->v_index[i] == k)
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
    if ((allowed & USES_STATES) != USES_STATES && (!r->model->type_known || !r->model->coordinates_known))
        return STATUS_OK;           /* nobody knows which states are positions */
    const int refused = first_refused(m, e, allowed);
    if (refused < m->n_x)
        return refuse(r, node, what, use_text(use_of_state(m, refused)), m->x[refused].name);
    for (int k = 0; k < m->n_u && !(allowed & USES_CONTROLS); k++)
        if (expr_depends(r->g, e, 1, &m->u_sym[k]))
            return refuse(r, node, what, model_is_phase(m, k) ? "the phase" : "the control", m->u[k].name);
    for (int k = 0; k < m->n_impulse; k++)
        if (expr_depends(r->g, e, 1, &m->impulse[k].sym))
            return spec_error(r->diag, node, "%s is no function of time: %s is an impulse, which jump, force, rhs, "
                              "cost.impulses and constraints with \"at: impulses\" may speak of, and %s_1, the first one", what,
                              m->impulse[k].var.name, m->impulse[k].var.name);
    const struct model_projection *pair = own_pair_in(r, e);
    if (pair && !(allowed & USES_LAMBDA) && !r->contacts_allowed)
        return spec_error(r->diag, node, "%s may not depend on %s.lambda, which stands in rhs, force, sides H and "
                          "running costs", what, pair->name);
    if (!(allowed & USES_TIME) && expr_depends(r->g, e, 1, &m->t_sym))
        return refuse(r, node, what, "the time t", "");
    return STATUS_OK;
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
    const char *name = op == EXPR_RELAY ? "a relay or a machine" : op_info[op].name;
    return spec_error(r->diag, node, "%s is not smooth and may only stand in rhs and force; %s",
                      name ? name : "a condition, as in `if`,", hint);
}

bool check_is_power(const struct expr_graph *g, expr e)
{
    expr rest, base;
    (void)expr_multiple(g, e, &rest);
    return expr_power(g, rest, &base) > 1;
}

/* --- Values ------------------------------------------------------------------------------------------------- */
static double start_of(const struct model_var *var)
{
    return var->initial.kind == END_FIXED ? var->initial.lo : model_var_guess(var);
}

/* Every symbol of the model at the guess or at the start: the inputs of model functions, then both ends. */
static struct inputs point_create(const struct model *m, enum check_point where, struct arena *mem)
{
    const int n_x = m->n_x;
    expr *ends = arena_alloc(mem, 2 * (size_t)n_x, sizeof *ends);
    memcpy(ends, m->x_initial_sym, (size_t)n_x * sizeof *ends);
    memcpy(ends + n_x, m->x_final_sym, (size_t)n_x * sizeof *ends);
    const struct inputs point = inputs_create(m, NULL, 2 * n_x, ends, mem);
    double *at_ends = point.value + point.n - 2 * n_x;
    for (int k = 0; k < n_x; k++) {
        const double val = where == AT_GUESS ? model_var_guess(&m->x[k]) : start_of(&m->x[k]);
        point.value[k] = at_ends[k] = at_ends[n_x + k] = val;
    }
    for (int k = 0; k < m->n_u; k++)
        point.value[n_x + k] = model_var_guess(&m->u[k]);
    return point;
}

double check_eval(const struct model *m, expr e, enum check_point where)
{
    double number;
    if (expr_is_const(m->graph, e, &number))
        return number;
    struct arena mem = { NULL };
    const struct inputs point = point_create(m, where, &mem);
    const double val = expr_eval(m->graph, e, point.n, point.sym, point.value);
    arena_free(&mem);
    return val;
}

bool check_is_zero(struct reader *r, expr e)
{
    enum { TRIES = 5 };
    const double tol = 1e-9;        /* absolute, for values of order 1: an identity leaves 1e-15, a mistake 1e-2 */
    if (expr_is_const(r->g, e, NULL))
        return expr_is_zero(r->g, e);
    const struct model *m = r->model;
    struct arena mem = { NULL };
    const struct inputs point = point_create(m, AT_GUESS, &mem);
    bool zero = true;
    uint64_t counter = 12345;
    for (int i = 0; i < TRIES && zero; i++) {
        for (int k = 0; k < point.n; k++)
            if (k < m->n_x + m->n_u || k >= point.n - 2 * m->n_x)       /* but for parameters and times */
                point.value[k] += 0.5 * random_signed(random_next(&counter));
        const double val = expr_eval(r->g, e, point.n, point.sym, point.value);
        zero = !(isfinite(val) && fabs(val) > tol);
    }
    arena_free(&mem);
    return zero;
}
