/* core/model/read/controls.c - expressions of time and state in place of the controls */
#include "core/model/read/read.h"

#include "core/base/mem.h"
#include "core/expression/diff.h"
#include "core/model/scope/reader.h"

#include <stdlib.h>

static void replace(const struct model *m, const expr *by, int n, expr *e)
{
    expr_substitute(m->graph, n, e, m->n_u, m->u_sym, by, e);
}

/* Rows without a right-hand side (velocities of a mechanical system) are EXPR_NONE and stay so. */
static void replace_rhs(const struct model *m, const expr *by, expr *rhs)
{
    for (int k = 0; k < m->n_x; k++)
        if (rhs[k] != EXPR_NONE)
            replace(m, by, 1, &rhs[k]);
}

static void replace_in_machines(struct model *m, const expr *by)
{
    for (int i = 0; i < m->switching.n_machine; i++)
        for (int k = 0; k < m->switching.machine[i].n_transition; k++) {
            struct model_transition *one = &m->switching.machine[i].transition[k];
            if (one->when != EXPR_NONE)
                replace(m, by, 1, &one->when);
            replace(m, by, one->n_only, one->only);
            replace(m, by, one->n_reset, one->reset);
        }
}

static void replace_everywhere(struct model *m, const expr *by)
{
    replace_rhs(m, by, m->dynamics.rhs);
    replace(m, by, m->mechanics.n_q, m->mechanics.f_v);
    for (int i = 0; i < m->dynamics.n_group; i++) {
        replace(m, by, m->dynamics.group[i].n_c, m->dynamics.group[i].c);
        for (int j = 0; j < m->dynamics.group[i].n_mode; j++)
            replace_rhs(m, by, m->dynamics.group[i].mode[j].rhs);
    }
    for (int i = 0; i < m->costs.n_running; i++)
        replace(m, by, 1, &m->costs.running[i].e);
    for (int i = 0; i < m->constraints.n_constraint; i++)
        replace(m, by, 1, &m->constraints.constraint[i].e);
    replace_in_machines(m, by);
    for (int i = 0; i < m->constraints.n_conditional; i++)
        replace(m, by, 1, &m->constraints.conditional[i].of.e);
    for (int i = 0; i < m->defines.n_output; i++)
        replace(m, by, 1, &m->defines.output[i].e);
    replace(m, by, m->defines.n_define, m->defines.e);
}

/* The held control of that name; NULL: none. */
static const struct model_held *find_held(const struct model *m, const char *name)
{
    const int k = model_find_state(m, name);
    const struct model_held *held = k < 0 ? NULL : model_find_held(m, k);
    return held && held->x == k ? held : NULL;
}

/* A held control that is a function of time: it starts where that does (if `starts`), and changes as that does. */
static enum status follow(struct reader *r, const struct spec_node *node, const struct model_held *held, expr e,
                          bool starts, expr *u_expr)
{
    struct model *m = r->model;
    const char *hint = "give its slope, or write the control without hold";
    if (check_uses(r, node, e, USES_TIME, "the expression of a continuous control") != STATUS_OK
        || check_smooth(r, node, e, hint) != STATUS_OK)
        return STATUS_SPEC;
    for (int i = held->x; i < held->x + held->order; i++) {
        const double start = model_value_at(m, e, AT_START);
        if (starts)
            m->x[i].initial = (struct model_end){ END_FIXED, start, start, node->pos };
        expr_gradient(m->graph, e, 1, &m->t_sym, &e);
    }
    u_expr[held->u] = e;
    return STATUS_OK;
}

static enum status read_control(struct reader *r, const struct spec_node *node, bool starts, expr *u_expr)
{
    const int k = model_find_control(r->model, node->key);
    const struct model_held *held = find_held(r->model, node->key);
    expr e;
    if (k < 0 && !held) {
        reader_refuse_name(r, node, node->key_pos, node->key, "control", r->model->n_u, r->model->u, NULL);
        return STATUS_SPEC;
    }
    if (k >= 0 && model_is_phase(r->model, k))
        return spec_error(r->diag, node, "is a phase: when it is follows from the lengths");
    if (k >= 0 && model_steps_of(r->model, k))
        return spec_error(r->diag, node, "is no control: \"define\" says what it is");
    if (reader_expr(r, node, &e) != STATUS_OK)
        return STATUS_SPEC;
    if (held)
        return follow(r, node, held, e, starts, u_expr);
    u_expr[k] = e;
    return check_uses(r, node, e, USES_STATES | USES_TIME, "the expression of a control");
}

static enum status read_controls(struct reader *r, const struct spec_node *controls, bool starts, expr *u_expr)
{
    enum status st = STATUS_OK;
    for (int k = 0; k < r->model->n_u; k++)
        u_expr[k] = EXPR_NONE;
    if (controls->kind != SPEC_MAPPING)
        return spec_error(r->diag, controls, "expected expressions {control: expression}");
    for (int i = 0; i < controls->n; i++)
        if (read_control(r, controls->child[i], starts, u_expr) != STATUS_OK)
            st = STATUS_SPEC;
    return st;
}

enum status model_check_controls(struct model *model, const struct spec_node *controls, struct diag *diag)
{
    struct reader r = reader_reopen(model, diag);
    expr *u_expr = mem_alloc((size_t)model->n_u, sizeof *u_expr);
    const enum status st = model->names_known ? read_controls(&r, controls, false, u_expr) : STATUS_SPEC;
    free(u_expr);
    return st;
}

/* 1 in the phases in which control k acts, else 0. */
static expr acts(const struct model *m, int k)
{
    expr sum = expr_const(m->graph, 0);
    bool always = true;
    for (int i = 0; i < m->time.n_phase; i++) {
        always = always && m->time.phase[i].has_u[k];
        if (m->time.phase[i].has_u[k])
            sum = expr_add(m->graph, sum, m->u_sym[m->time.phase[i].u]);
    }
    return always ? expr_const(m->graph, 1) : sum;
}

enum status model_replace_controls(struct model *model, const struct spec_node *controls, expr *u_expr,
                                   struct diag *diag)
{
    struct reader r = reader_reopen(model, diag);
    const enum status st = read_controls(&r, controls, true, u_expr);
    if (st != STATUS_OK)
        return st;
    expr *by = mem_alloc((size_t)model->n_u, sizeof *by);
    for (int k = 0; k < model->n_u; k++) {
        u_expr[k] = u_expr[k] == EXPR_NONE ? EXPR_NONE : expr_mul(model->graph, u_expr[k], acts(model, k));
        by[k] = u_expr[k] == EXPR_NONE ? model->u_sym[k] : u_expr[k];
    }
    replace_everywhere(model, by);
    free(by);
    return STATUS_OK;
}
