/* core/model/check.c - what an expression may depend on, and its value at the points that the spec names */
#include "core/model/read.h"

#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/expression/ops.h"

#include <math.h>
#include <stdlib.h>

/* --- Dependence --------------------------------------------------------------------------------------------- */
static int use_of_state(const struct model *m, int k)
{
    for (int i = 0; i < m->n_q; i++) {
        if (m->q_index[i] == k)
            return USES_POSITIONS;
        if (m->v_index[i] == k)
            return USES_VELOCITIES;
    }
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

enum status check_uses(struct reader *r, const struct spec_node *node, expr e, int allowed, const char *what)
{
    const struct model *m = r->model;
    if (reader_is_broken(r, e))
        return STATUS_SPEC;
    if ((allowed & USES_STATES) != USES_STATES && (!r->model->type_known || !r->model->coordinates_known))
        return STATUS_OK;           /* nobody knows which states are positions */
    for (int k = 0; k < m->n_x; k++) {
        const int use = use_of_state(m, k);
        if (!(allowed & use) && expr_depends(r->g, e, 1, &m->x_sym[k]))
            return refuse(r, node, what, use_text(use), m->x[k].name);
    }
    for (int k = 0; k < m->n_u && !(allowed & USES_CONTROLS); k++)
        if (expr_depends(r->g, e, 1, &m->u_sym[k]))
            return refuse(r, node, what, "the control", m->u[k].name);
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
    const char *name = op_info[expr_op_of(r->g, rough)].name;
    return spec_error(r->diag, node, "%s is not smooth and may only stand in rhs and force; %s",
                      name ? name : "a condition", hint);
}

/* --- Values ------------------------------------------------------------------------------------------------- */
struct point { int n; expr *sym; double *val; };

static void add(struct point *point, expr sym, double val)
{
    point->sym[point->n] = sym;
    point->val[point->n++] = val;
}

static double start_of(const struct model_var *var)
{
    return var->initial.kind == END_FIXED ? var->initial.lo : model_var_guess(var);
}

/* Every symbol of the model at the guess or at the start. */
static struct point point_create(const struct model *m, enum check_point where)
{
    const size_t n = 3 * (size_t)m->n_x + (size_t)m->n_u + (size_t)m->n_p + 2;
    struct point point = { 0, mem_alloc(n, sizeof *point.sym), mem_alloc(n, sizeof *point.val) };
    for (int k = 0; k < m->n_x; k++) {
        const double val = where == AT_GUESS ? model_var_guess(&m->x[k]) : start_of(&m->x[k]);
        add(&point, m->x_sym[k], val);
        add(&point, m->x_initial_sym[k], val);
        add(&point, m->x_final_sym[k], val);
    }
    for (int k = 0; k < m->n_u; k++)
        add(&point, m->u_sym[k], model_var_guess(&m->u[k]));
    for (int k = 0; k < m->n_p; k++)
        add(&point, m->p_sym[k], m->param[m->p_param[k]].value);
    add(&point, m->t_sym, 0);
    if (m->horizon_free)
        add(&point, m->T_sym, m->horizon);
    return point;
}

static void point_free(struct point *point)
{
    free(point->sym);
    free(point->val);
}

double check_eval(const struct model *m, expr e, enum check_point where)
{
    struct point point = point_create(m, where);
    const double val = expr_eval(m->graph, e, point.n, point.sym, point.val);
    point_free(&point);
    return val;
}

bool check_is_zero(struct reader *r, expr e)
{
    enum { TRIES = 5 };
    const double tol = 1e-9;        /* absolute, for values of order 1: an identity leaves 1e-15, a mistake 1e-2 */
    if (expr_is_const(r->g, e, NULL))
        return expr_is_zero(r->g, e);
    const struct model *m = r->model;
    struct point point = point_create(m, AT_GUESS);
    bool zero = true;
    uint64_t counter = 12345;
    for (int i = 0; i < TRIES && zero; i++) {
        for (int k = 0; k < point.n; k++) {
            const bool is_param = k >= 3 * m->n_x + m->n_u;
            if (!is_param)
                point.val[k] += 0.5 * random_signed(random_next(&counter));
        }
        const double val = expr_eval(r->g, e, point.n, point.sym, point.val);
        zero = !(isfinite(val) && fabs(val) > tol);
    }
    point_free(&point);
    return zero;
}
