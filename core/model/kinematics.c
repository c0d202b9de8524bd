#include "core/model/kinematics.h"

#include "core/base/mem.h"
#include "core/expression/diff.h"
#include "core/model/loops.h"
#include "core/model/quaternions.h"

#include <stdlib.h>
#include <string.h>

/* The symbols of the states of an index, malloc'ed. */
static expr *symbols(const struct model *m, int n, const int *index)
{
    expr *sym = mem_alloc((size_t)n, sizeof *sym);
    for (int i = 0; i < n; i++)
        sym[i] = m->x_sym[index[i]];
    return sym;
}

expr kinematics_rate(const struct model *m, expr e)
{
    expr *q = symbols(m, m->mechanics.n_position, m->mechanics.q_index);
    const expr rate = expr_directional(m->graph, e, m->mechanics.n_position, q, m->mechanics.q_rate);
    expr by_time;
    expr_gradient(m->graph, e, 1, &m->t_sym, &by_time);
    free(q);
    return expr_add(m->graph, rate, by_time);
}

void kinematics_slope(const struct model *m, expr e, expr *slope)
{
    expr *q = symbols(m, m->mechanics.n_position, m->mechanics.q_index);
    expr_gradient(m->graph, e, m->mechanics.n_position, q, slope);
    free(q);
}

/* N v without what loops take of it. */
static const expr *free_rate(const struct model *m)
{
    return m->mechanics.loops.P ? m->mechanics.loops.free_rate : m->mechanics.q_rate;
}

/* The three entries of N' slope of a rotation: N by the derivatives of its rates. */
static void turn_slope(const struct model *m, const struct model_rotation *rotation, const expr *slope, expr *J)
{
    expr w[3], N[3];
    for (int i = 0; i < 3; i++) {
        w[i] = m->x_sym[m->mechanics.v_index[rotation->v + i]];
        J[i] = expr_const(m->graph, 0);
    }
    for (int k = rotation->q; k < rotation->q + rotation->n; k++) {
        expr_gradient(m->graph, free_rate(m)[k], 3, w, N);
        for (int i = 0; i < 3; i++)
            J[i] = expr_add(m->graph, J[i], expr_mul(m->graph, N[i], slope[k]));
    }
}

void kinematics_keep_loops(const struct model *m, const expr *w, expr *out)
{
    const int n_q = m->mechanics.n_q;
    expr *kept = mem_alloc((size_t)n_q, sizeof *kept);
    memcpy(kept, w, (size_t)n_q * sizeof *kept);
    for (int i = 0; i < n_q && m->mechanics.loops.P; i++)
        kept[i] = expr_dot(m->graph, n_q, m->mechanics.loops.P + i * n_q, w);
    memcpy(out, kept, (size_t)n_q * sizeof *out);
    free(kept);
}

void kinematics_gradient(const struct model *m, expr e, expr *J)
{
    expr *slope = mem_alloc((size_t)m->mechanics.n_position, sizeof *slope);
    kinematics_slope(m, e, slope);
    memcpy(J, slope, (size_t)(m->mechanics.n_q - 3 * m->mechanics.n_rotation) * sizeof *J);
    for (int k = 0; k < m->mechanics.n_rotation; k++)
        turn_slope(m, &m->mechanics.rotation[k], slope, J + m->mechanics.rotation[k].v);
    free(slope);
}

void kinematics_along(const struct model *m, const expr *w, expr *rate)
{
    expr *v = symbols(m, m->mechanics.n_q, m->mechanics.v_index),
         *kept = mem_alloc((size_t)m->mechanics.n_q, sizeof *kept);
    kinematics_keep_loops(m, w, kept);
    expr_substitute(m->graph, m->mechanics.n_position, free_rate(m), m->mechanics.n_q, v, kept, rate);
    free(kept);
    free(v);
}

const char *kinematics_name(const struct model *m, int i)
{
    return m->x[i < m->mechanics.n_q - 3 * m->mechanics.n_rotation ? m->mechanics.q_index[i]
                                                                   : m->mechanics.v_index[i]].name;
}

bool kinematics_turns(const struct model *m, const struct model_body *body)
{
    return !(expr_is_zero(m->graph, body->spin[0]) && expr_is_zero(m->graph, body->spin[1])
             && expr_is_zero(m->graph, body->spin[2]));
}

void kinematics_normalize(const struct model *m, double *x)
{
    quaternions_normalize(m, x);
    if (m->mechanics.loops.n > 0)
        loops_close(m, x);
}
