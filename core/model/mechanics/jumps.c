/* core/model/mechanics/jumps.c - what states jump by, where phases begin and impulses act
 *
 *   x+ = R(x-) + sum_k g_k(x-) dv_k           R: `start` of a phase, else x-; g_k: `jump`, or where dv stands in rhs
 *   v+ = v- + M(q)^-1 sum_k B_k(q) dv_k       where it stands in force: velocities jump, positions do not, so that the
 *                                             equation of motion, integrated over the moment, says just this
 */
#include "core/model/mechanics/read.h"

#include "core/base/mem.h"
#include "core/model/mass.h"
#include "core/model/variables/read.h"

#include <stdlib.h>

/* --- Direction: the factor of an impulse in force and rhs ---------------------------------------------------- */

/* c in e = c sym + rest, where that is what e says; EXPR_NONE: it is not linear in sym. */
static expr factor_of(struct expr_graph *g, expr e, expr sym)
{
    if (!expr_depends(g, e, 1, &sym))
        return expr_const(g, 0);
    if (e == sym)
        return expr_const(g, 1);
    const enum expr_op op = expr_op_of(g, e);
    const expr a = expr_arg(g, e, 0), b = expr_n_args(g, e) > 1 ? expr_arg(g, e, 1) : EXPR_NONE;
    expr by_a, by_b;
    switch (op) {
    case EXPR_NEG:
        by_a = factor_of(g, a, sym);
        return by_a == EXPR_NONE ? EXPR_NONE : expr_neg(g, by_a);
    case EXPR_ADD:
        by_a = factor_of(g, a, sym);
        by_b = factor_of(g, b, sym);
        return by_a == EXPR_NONE || by_b == EXPR_NONE ? EXPR_NONE : expr_add(g, by_a, by_b);
    case EXPR_MUL:
        if (expr_depends(g, a, 1, &sym) && expr_depends(g, b, 1, &sym))
            return EXPR_NONE;
        by_a = factor_of(g, expr_depends(g, a, 1, &sym) ? a : b, sym);
        return by_a == EXPR_NONE ? EXPR_NONE : expr_mul(g, by_a, expr_depends(g, a, 1, &sym) ? b : a);
    case EXPR_DIV:
        by_a = expr_depends(g, b, 1, &sym) ? EXPR_NONE : factor_of(g, a, sym);
        return by_a == EXPR_NONE ? EXPR_NONE : expr_div(g, by_a, b);
    default:
        return EXPR_NONE;
    }
}

/* Takes an impulse out of a force or a right-hand side; its factor there. */
static expr take_out(struct reader *r, const struct spec_node *node, const struct model_impulse *one, expr *e)
{
    const expr zero = expr_const(r->g, 0);
    if (*e == EXPR_NONE || reader_is_broken(r, *e) || !expr_depends(r->g, *e, 1, &one->sym))
        return zero;
    const expr factor = factor_of(r->g, *e, one->sym);
    expr_substitute(r->g, 1, e, 1, &one->sym, &zero, e);
    if (factor == EXPR_NONE) {
        spec_error(r->diag, node,
                   "%s has to stand in force and rhs as a factor of sums, as B*%s: or write what jumps, as "
                   "jump: {v: %s}",
                   one->var.name, one->var.name, one->var.name);
        return zero;
    }
    if (expr_find_nonsmooth(r->g, factor) != EXPR_NONE) {
        spec_error(r->diag, node, "the factor of %s in force and rhs is not smooth", one->var.name);
        return zero;
    }
    const enum status st
        = check_uses(r, node, factor, USES_STATES | USES_TIME, "the factor of an impulse in force and rhs");
    return st == STATUS_OK ? factor : zero;
}

/* What each state jumps by, per unit of the impulse: [n_x]. */
static void find_direction(struct reader *r, int k, expr *by)
{
    struct model *m = r->model;
    const struct model_impulse *one = &m->impulses.impulse[k];
    const struct spec_node *node = r->impulse_node[k];
    bool acts = false;
    expr *force = mem_alloc((size_t)m->mechanics.n_q, sizeof *force);
    for (int i = 0; i < m->n_x && m->dynamics.rhs; i++)
        by[i] = take_out(r, node, one, &m->dynamics.rhs[i]);
    for (int i = 0; i < m->mechanics.n_q; i++)
        force[i] = take_out(r, node, one, &m->mechanics.f_v[i]);
    if (m->mechanics.n_q > 0)
        mass_solve(r->g, m->mechanics.n_q, m->mechanics.M, force);
    for (int i = 0; i < m->mechanics.n_q; i++)
        by[m->mechanics.v_index[i]] = force[i];
    for (int i = 0; i < m->n_x; i++)
        acts = acts || !expr_is_zero(r->g, by[i]);
    for (int i = 0; i < m->n_x && acts; i++)
        for (int j = 0; j < m->n_x; j++)
            if (!expr_is_zero(r->g, by[i]) && expr_depends(r->g, by[j], 1, &m->x_sym[i])) {
                spec_error(r->diag, node,
                           "what %s jumps by depends on %s, which jumps, too, and nobody knows by which of "
                           "its values: write jump: {%s: ...}, of what is before",
                           m->x[j].name, m->x[i].name, m->x[j].name);
                j = i = m->n_x;
            }
    if (!acts && m->dynamics.type_known && diag_n_errors(r->diag) == 0)
        spec_error(r->diag, node,
                   "acts on nothing: let it stand in force or rhs, or write what jumps, as jump: {v: %s}",
                   one->var.name);
    for (int i = 0; i < m->n_x; i++)
        by[i] = expr_mul(r->g, by[i], one->sym);
    free(force);
}

/* {state: by how much it jumps} */
static void read_direction(struct reader *r, int k, const struct spec_node *block, expr *by)
{
    const struct model_impulse *one = &r->model->impulses.impulse[k];
    const expr number = impulse_some_number(r);
    for (int i = 0; i < block->n; i++) {
        const struct spec_node *node = block->child[i];
        const int x = reader_state_of(r, node, node->key_pos, node->key);
        expr e, rest;
        if (reader_expr(r, node, &e) != STATUS_OK || x < 0
            || check_smooth(r, node, e, "a jump is one smooth expression") != STATUS_OK)
            continue;
        expr_substitute(r->g, 1, &e, 1, &one->sym, &number, &rest);
        check_uses(r, node, rest, USES_STATES | USES_TIME, "a jump, of what is before and the impulse,");
        if (!expr_depends(r->g, e, 1, &one->sym))
            spec_error(r->diag, node,
                       "does not depend on %s: a jump that nobody chooses is the \"start\" of a phase",
                       one->var.name);
        by[x] = e;
    }
}

/* Nothing is left of it where no jump is. */
static void check_left_out(struct reader *r, const struct model_impulse *one, const struct spec_node *node)
{
    const struct model *m = r->model;
    bool stays = false;
    for (int i = 0; i < m->n_x && m->dynamics.rhs; i++)
        stays = stays || (m->dynamics.rhs[i] != EXPR_NONE && expr_depends(r->g, m->dynamics.rhs[i], 1, &one->sym));
    for (int i = 0; i < m->mechanics.n_q; i++)
        stays = stays || expr_depends(r->g, m->mechanics.f_v[i], 1, &one->sym);
    for (int i = 0; i < m->dynamics.n_group; i++)
        for (int j = 0; j < m->dynamics.group[i].n_mode; j++)
            for (int x = 0; x < m->n_x; x++)
                stays = stays || (m->dynamics.group[i].mode[j].rhs[x] != EXPR_NONE
                                  && expr_depends(r->g, m->dynamics.group[i].mode[j].rhs[x], 1, &one->sym));
    for (int i = 0; i < m->dynamics.n_group; i++)
        for (int l = 0; l < m->dynamics.group[i].n_c; l++)
            stays = stays || expr_depends(r->g, m->dynamics.group[i].c[l], 1, &one->sym);
    for (int i = 0; i < m->defines.n_output; i++)
        stays = stays || expr_depends(r->g, m->defines.output[i].e, 1, &one->sym);
    for (int i = 0; i < m->mechanics.n_q * m->mechanics.n_q; i++)
        stays = stays || expr_depends(r->g, m->mechanics.M[i], 1, &one->sym);
    if (stays)
        spec_error(r->diag, node,
                   "%s is an impulse: besides what jumps it may stand in force and rhs, once without "
                   "\"jump\", in cost.impulses and in constraints with \"at: impulses\", and nowhere else",
                   one->var.name);
}

/* --- Jumps --------------------------------------------------------------------------------------------------- */

static const char *name_jump(struct reader *r, int at, const struct model_phase *phase, struct model_jump *jump)
{
    const struct model *m = r->model;
    const char *what = phase && phase->n_start ? phase->name : "";
    if (phase) {
        jump->path = phase->path;
        jump->pos = phase->pos;
    }
    for (int k = 0; k < m->impulses.n_impulse; k++) {
        const int j = model_impulse_at(m, k, at);
        if (j < 0)
            continue;
        what = arena_printf(r->mem, "%s%s%s", what, *what ? ", " : "",
                            m->param[m->impulses.impulse[k].param[j]].name);
        jump->path = m->impulses.impulse[k].var.path;
        jump->pos = m->impulses.impulse[k].var.pos;
    }
    return what;
}

/* What the state becomes at a boundary; n of *jump stays 0 where nothing happens. by [n_impulse * n_x]. */
static void make_jump(struct reader *r, int at, const expr *by, struct model_jump *jump)
{
    const struct model *m = r->model;
    const struct model_phase *phase = at == 0 ? NULL : model_phase_begins(m, at);
    jump->at = at;
    jump->x = arena_alloc(r->mem, (size_t)m->n_x, sizeof *jump->x);
    jump->to = arena_alloc(r->mem, (size_t)m->n_x, sizeof *jump->to);
    for (int i = 0; i < m->n_x; i++) {
        expr to = m->x_sym[i];
        for (int k = 0; phase && k < phase->n_start; k++)
            to = phase->start_x[k] == i ? phase->start[k] : to;
        for (int k = 0; k < m->impulses.n_impulse; k++) {
            const int j = model_impulse_at(m, k, at);
            expr step = by[k * m->n_x + i];
            if (j < 0 || expr_is_zero(r->g, step))
                continue;
            expr_substitute(r->g, 1, &step, 1, &m->impulses.impulse[k].sym,
                            &m->param[m->impulses.impulse[k].param[j]].value_expr, &step);
            to = expr_add(r->g, to, step);
        }
        if (to == m->x_sym[i])
            continue;
        jump->x[jump->n] = i;
        jump->to[jump->n++] = to;
    }
    if (jump->n)
        jump->what = name_jump(r, at, phase, jump);
}

void model_read_jumps(struct reader *r)
{
    struct model *m = r->model;
    int n = m->time.n_phase;
    expr *by = mem_alloc((size_t)(m->impulses.n_impulse * m->n_x), sizeof *by);
    for (int k = 0; k < m->impulses.n_impulse * m->n_x; k++)
        by[k] = expr_const(r->g, 0);
    for (int k = 0; k < m->impulses.n_impulse; k++) {
        const struct spec_node *block = spec_get(r->impulse_node[k], "impulsive"), *jump = spec_get(block, "jump");
        n += m->impulses.impulse[k].n;
        if (jump && jump->kind == SPEC_MAPPING)
            read_direction(r, k, jump, by + k * m->n_x);
        else if (m->dynamics.type_known && m->mechanics.coordinates_known)
            find_direction(r, k, by + k * m->n_x);
        check_left_out(r, &m->impulses.impulse[k], r->impulse_node[k]);
    }
    m->impulses.jump = arena_alloc(r->mem, (size_t)n, sizeof *m->impulses.jump);
    for (int i = 0; i <= m->time.n_intervals && n > 0; i++) {
        bool acts = i > 0 && model_phase_begins(m, i);
        for (int k = 0; k < m->impulses.n_impulse; k++)
            acts = acts || model_impulse_at(m, k, i) >= 0;
        if (!acts)
            continue;
        struct model_jump *jump = &m->impulses.jump[m->impulses.n_jump];
        *jump = (struct model_jump){ .n = 0 };
        make_jump(r, i, by, jump);
        m->impulses.n_jump += jump->n > 0;
    }
    free(by);
}
