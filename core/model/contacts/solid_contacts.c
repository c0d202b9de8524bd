/* core/model/contacts/solid_contacts.c - contacts of shapes in space with each other
 *
 * With the normal n from b to a and the place c where they touch (solid.h), and v_a, v_b the velocities there of
 * what moves with each body, o' + w x (c - o):
 *
 *   v_n = n'(v_a - v_b),   v_ti = t_i'(v_a - v_b),   with drilling friction  v_t3 = n'(w_a - w_b)
 *
 * v_n is the rate of the gap, also away from contact: c lies on the line of the two nearest places, along n.
 *
 * Tangents of a normal that turns: n0 is the normal at the start, e1, e2 = n0 x e1 across it, e1 the part across
 * n0 of the axis of the world that is furthest from it. The shortest turn from n0 to n carries them along,
 *
 *   t_i = e_i - n'e_i/(1 + n'n0) (n0 + n)
 *
 * which breaks down at n = -n0 alone: there t_i = e_i.
 */
#include "core/model/contacts/read.h"

#include "core/expression/diff.h"
#include "core/model/rotation.h"

#include <math.h>
#include <string.h>

static const double OPPOSITE = 1e-9; /* of 1 + n'n0 */

/* The velocity along a of the place c, which moves with the body; -1: the world. */
static expr velocity_along(struct reader *r, int b, const expr *c, const expr *a)
{
    const struct model_body *body = b >= 0 ? &r->model->mechanics.body[b] : NULL;
    expr out[3], arm[3], along[3], turn[3];
    if (!body)
        return expr_const(r->g, 0);
    for (int i = 0; i < 3; i++)
        out[i] = expr_sub(r->g, c[i], body->origin[i]);
    rotation_undo(r->g, body->R, out, arm);
    rotation_undo(r->g, body->R, a, along);
    rotation_cross(r->g, arm, along, turn);
    return expr_add(r->g, expr_dot(r->g, 3, a, body->velocity), expr_dot(r->g, 3, turn, body->spin));
}

static expr turn_along(struct reader *r, int b, const expr *a)
{
    const struct model_body *body = b >= 0 ? &r->model->mechanics.body[b] : NULL;
    expr along[3];
    if (!body)
        return expr_const(r->g, 0);
    rotation_undo(r->g, body->R, a, along);
    return expr_dot(r->g, 3, along, body->spin);
}

static void put_row(struct reader *r, expr of_a, expr of_b, expr *J)
{
    const struct model *m = r->model;
    expr_gradient(r->g, expr_sub(r->g, of_a, of_b), m->mechanics.n_q,
                  reader_symbols(r, m->mechanics.n_q, m->mechanics.v_index), J);
}

/* n0, e1, e2 as numbers. */
static void axes_at_start(struct reader *r, const expr *n, double e[3][3])
{
    double square = 0;
    int axis = 0;
    for (int i = 0; i < 3; i++) {
        e[0][i] = model_value_at(r->model, n[i], AT_START);
        square += e[0][i] * e[0][i];
    }
    for (int i = 0; i < 3; i++)
        e[0][i] = square > 0.5 && isfinite(square) ? e[0][i] / sqrt(square) : i == 2;
    for (int i = 1; i < 3; i++)
        if (fabs(e[0][i]) < fabs(e[0][axis]))
            axis = i;
    const double length = sqrt(1 - e[0][axis] * e[0][axis]);
    for (int i = 0; i < 3; i++)
        e[1][i] = ((i == axis) - e[0][axis] * e[0][i]) / length;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        e[2][i] = e[0][j] * e[1][k] - e[0][k] * e[1][j];
    }
}

static void find_tangents(struct reader *r, const expr *n, expr (*t)[3])
{
    struct expr_graph *g = r->g;
    double e[3][3];
    expr start[3];
    axes_at_start(r, n, e);
    for (int i = 0; i < 3; i++)
        start[i] = expr_const(g, e[0][i]);
    const expr both = expr_add(g, expr_const(g, 1), expr_dot(g, 3, n, start)), least = expr_const(g, OPPOSITE);
    const expr safe = expr_pick(g, expr_side(g, expr_sub(g, both, least)), both, least);
    for (int k = 0; k < 2; k++) {
        const expr across[] = { expr_const(g, e[1 + k][0]), expr_const(g, e[1 + k][1]),
                                expr_const(g, e[1 + k][2]) };
        const expr part = expr_div(g, expr_dot(g, 3, n, across), safe);
        for (int i = 0; i < 3; i++)
            t[k][i] = expr_sub(g, across[i], expr_mul(g, part, expr_add(g, start[i], n[i])));
    }
}

void reader_solid_contact(struct reader *r, const struct model_solid *a, const struct model_solid *b,
                          const struct solid_gap *gap, struct model_contact *contact)
{
    const int n_q = r->model->mechanics.n_q, other = b ? b->body : -1;
    contact->gap = gap->gap;
    contact->body[0] = a->body;
    contact->body[1] = other;
    memcpy(contact->place, gap->place, sizeof contact->place);
    memcpy(contact->axis[0], gap->n, sizeof contact->axis[0]);
    find_tangents(r, gap->n, &contact->axis[1]);
    memcpy(contact->from, a->is.at, sizeof contact->from);
    memcpy(contact->R, a->is.R, sizeof contact->R);
    contact->J_n = arena_alloc(r->mem, (size_t)n_q, sizeof *contact->J_n);
    for (int k = 0; k <= contact->n_t && k < 3; k++)
        put_row(r, velocity_along(r, a->body, gap->place, contact->axis[k]),
                velocity_along(r, other, gap->place, contact->axis[k]),
                k == 0 ? contact->J_n : contact->J_t + (k - 1) * n_q);
    if (contact->n_t > 2)
        put_row(r, turn_along(r, a->body, gap->n), turn_along(r, other, gap->n), contact->J_t + 2 * n_q);
}
