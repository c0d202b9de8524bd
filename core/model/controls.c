/* core/model/controls.c - expressions of time and state in place of the controls */
#include "core/model/read.h"

#include "core/base/mem.h"

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

static void replace_everywhere(struct model *m, const expr *by)
{
    replace_rhs(m, by, m->rhs);
    replace(m, by, m->n_q, m->f_v);
    for (int i = 0; i < m->n_group; i++) {
        replace(m, by, m->group[i].n_c, m->group[i].c);
        for (int j = 0; j < m->group[i].n_mode; j++)
            replace_rhs(m, by, m->group[i].mode[j].rhs);
    }
    for (int i = 0; i < m->n_running; i++)
        replace(m, by, 1, &m->running[i].e);
    for (int i = 0; i < m->n_constraint; i++)
        replace(m, by, 1, &m->constraint[i].e);
    for (int i = 0; i < m->n_output; i++)
        replace(m, by, 1, &m->output[i].e);
    replace(m, by, m->n_define, m->define_expr);
}

static enum status read_controls(struct reader *r, const struct spec_node *controls, expr *u_expr)
{
    enum status st = STATUS_OK;
    for (int k = 0; k < r->model->n_u; k++)
        u_expr[k] = EXPR_NONE;
    if (controls->kind != SPEC_MAPPING)
        return spec_error(r->diag, controls, "expected expressions {control: expression}");
    for (int i = 0; i < controls->n; i++) {
        const struct spec_node *node = controls->child[i];
        const int k = model_find_control(r->model, node->key);
        expr e;
        if (k < 0)
            reader_refuse_name(r, node, node->key_pos, node->key, "control", r->model->n_u, r->model->u, NULL);
        if (k >= 0 && model_is_phase(r->model, k))
            st = spec_error(r->diag, node, "is a phase: when it is follows from the lengths");
        else if (k < 0 || reader_expr(r, node, &e) != STATUS_OK
            || check_uses(r, node, e, USES_STATES | USES_TIME, "the expression of a control") != STATUS_OK)
            st = STATUS_SPEC;
        else
            u_expr[k] = e;
    }
    return st;
}

enum status model_check_controls(struct model *model, const struct spec_node *controls, struct diag *diag)
{
    struct reader r = reader_reopen(model, diag);
    expr *u_expr = mem_alloc((size_t)model->n_u, sizeof *u_expr);
    const enum status st = model->names_known ? read_controls(&r, controls, u_expr) : STATUS_SPEC;
    free(u_expr);
    return st;
}

/* 1 in the phases in which control k acts, else 0. */
static expr acts(const struct model *m, int k)
{
    expr sum = expr_const(m->graph, 0);
    bool always = true;
    for (int i = 0; i < m->n_phase; i++) {
        always = always && m->phase[i].has_u[k];
        if (m->phase[i].has_u[k])
            sum = expr_add(m->graph, sum, m->u_sym[m->phase[i].u]);
    }
    return always ? expr_const(m->graph, 1) : sum;
}

enum status model_replace_controls(struct model *model, const struct spec_node *controls, expr *u_expr,
                                   struct diag *diag)
{
    struct reader r = reader_reopen(model, diag);
    const enum status st = read_controls(&r, controls, u_expr);
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
