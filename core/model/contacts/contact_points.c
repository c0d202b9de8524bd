/* core/model/contacts/contact_points.c - contacts of points and spheres on bodies with a plane
 *
 * With the unit normal n of the plane, its tangents t1, t2 = n x t1, a point p of a body at o with orientation R,
 * and a radius r around it, w the angular velocity in the frame of the body:
 *
 *   gap = n'(o + R p) - n'c - r,      v_n  = n'o'  + w'(p x R'n)
 *                                     v_t1 = t1'o' + w'(p x R't1) - r w'R't2
 *                                     v_t2 = t2'o' + w'(p x R't2) + r w'R't1
 *
 * With drilling friction the third component of slip is the turn about the normal, w'R'n; resistance to rolling
 * has the slip w'R't1, w'R't2, the turn along the plane.
 *
 * A point c of the plane may move with time: its velocity is taken from those of the contact. A patch, `box` of a
 * frame, is its four corners.
 */
#include "core/model/contacts/read.h"

#include "core/expression/diff.h"
#include "core/model/kinematics.h"
#include "core/model/multibody.h"
#include "core/model/rotation.h"
#include "core/model/shapes.h"

#include <math.h>
#include <string.h>

struct plane { expr n[3], t[2][3], c[3]; };

const struct spec_node *reader_contact_place(const struct spec_node *block)
{
    const struct spec_node *frame = spec_get(block, "frame");
    return frame ? frame : spec_get(block, "point");
}

/* Corner k of the patch around it, counter-clockwise from that with both coordinates positive. */
static bool move_to_corner(struct reader *r, const struct spec_node *box, int k, struct model_point *point)
{
    expr size[3] = { EXPR_NONE, EXPR_NONE, expr_const(r->g, 0) }, out[3];
    bool good = box->kind == SPEC_SEQUENCE && box->n == 2;
    if (!good)
        return spec_error(r->diag, box, "expected two lengths along the axes of the frame, [x, y]") == STATUS_OK;
    for (int i = 0; i < 2; i++) {
        good = reader_parameter_expr(r, box->child[i], &size[i]) == STATUS_OK && good;
        if (good && !(model_value_at(r->model, size[i], AT_GUESS) > 0))
            good = spec_error(r->diag, box->child[i], "must be above 0") == STATUS_OK;
    }
    if (!good)
        return false;
    size[0] = expr_scale(r->g, k == 1 || k == 2 ? -0.5 : 0.5, size[0]);
    size[1] = expr_scale(r->g, k >= 2 ? -0.5 : 0.5, size[1]);
    rotation_apply(r->g, point->axes, size, out);
    for (int i = 0; i < 3; i++)
        point->in_body[i] = expr_add(r->g, point->in_body[i], out[i]);
    rotation_apply(r->g, r->model->mechanics.body[point->body].R, point->in_body, out);
    for (int i = 0; i < 3; i++)
        point->at[i] = expr_add(r->g, r->model->mechanics.body[point->body].origin[i], out[i]);
    return true;
}

static expr read_number(struct reader *r, const struct spec_node *node)
{
    expr e;
    return reader_parameter_expr(r, node, &e) == STATUS_OK ? e : r->broken;
}

static expr read_moving(struct reader *r, const struct spec_node *node)
{
    return reader_smooth(r, node, "a ground moves smoothly", USES_TIME, "a ground, a function of time,");
}

/* Three expressions; false (reported) after a mistake. */
static bool read_vector(struct reader *r, const struct spec_node *node,
                        expr (*read)(struct reader *r, const struct spec_node *node), expr *e)
{
    bool good = node->kind == SPEC_SEQUENCE && node->n == 3;
    if (!good)
        spec_error(r->diag, node, "expected three coordinates, [x, y, z]");
    for (int i = 0; i < 3 && node->kind == SPEC_SEQUENCE && node->n == 3; i++) {
        e[i] = read(r, node->child[i]);
        good = good && !reader_is_broken(r, e[i]);
    }
    return good;
}

/* a / |a| */
static void scale_to_unit(struct reader *r, expr *a)
{
    const expr length = expr_sqrt(r->g, expr_dot(r->g, 3, a, a));
    for (int i = 0; i < 3; i++)
        a[i] = expr_div(r->g, a[i], length);
}

/* t1 is the part in the plane of `along`; where that is not given, of the axis that is nearest to it: x above the
 * floor. */
static void find_tangents(struct reader *r, const expr *along, struct plane *plane)
{
    int axis = 0;
    expr first[3];
    for (int i = 1; i < 3; i++)
        if (fabs(model_value_at(r->model, plane->n[i], AT_GUESS))
            < fabs(model_value_at(r->model, plane->n[axis], AT_GUESS)))
            axis = i;
    for (int i = 0; i < 3; i++)
        first[i] = along ? along[i] : expr_const(r->g, i == axis);
    const expr out = expr_dot(r->g, 3, first, plane->n);
    for (int i = 0; i < 3; i++)
        plane->t[0][i] = expr_sub(r->g, first[i], expr_mul(r->g, out, plane->n[i]));
    scale_to_unit(r, plane->t[0]);
    rotation_cross(r->g, plane->n, plane->t[0], plane->t[1]);
}

/* Has a a part across the unit vector n? */
static bool leaves_normal(const struct reader *r, const expr *n, const expr *a)
{
    const double out = model_value_at(r->model, expr_dot(r->g, 3, a, n), AT_GUESS);
    return model_value_at(r->model, expr_dot(r->g, 3, a, a), AT_GUESS) > out * out * (1 + 1e-12);
}

static bool read_plane(struct reader *r, const struct spec_node *node, struct plane *plane)
{
    const struct spec_node *normal = spec_get(node, "normal"), *through = spec_get(node, "through");
    const struct spec_node *along = spec_get(node, "along");
    bool good = true;
    expr first[3];
    for (int i = 0; i < 3; i++) {
        plane->n[i] = expr_const(r->g, i == 2);
        plane->c[i] = expr_const(r->g, 0);
    }
    if (node)
        shape_check_keys(r->diag, node, &model_plane_shape);
    if (normal)
        good = read_vector(r, normal, read_number, plane->n);
    if (good && normal && !(model_value_at(r->model, expr_dot(r->g, 3, plane->n, plane->n), AT_GUESS) > 0))
        good = spec_error(r->diag, normal, "the normal has no length: it points out of the ground") == STATUS_OK;
    if (through)
        good = read_vector(r, through, read_moving, plane->c) && good;
    if (along)
        good = read_vector(r, along, read_number, first) && good;
    if (!good)
        return false;
    scale_to_unit(r, plane->n);
    if (along && !leaves_normal(r, plane->n, first))
        return spec_error(r->diag, along, "it is along the normal: the first tangent is its part in the plane")
               == STATUS_OK;
    find_tangents(r, along ? first : NULL, plane);
    return true;
}

/* -a'c': how the ground leaves along a. */
static expr leaving(struct reader *r, const struct plane *plane, const expr *a)
{
    expr along;
    expr_gradient(r->g, expr_dot(r->g, 3, a, plane->c), 1, &r->model->t_sym, &along);
    return expr_neg(r->g, along);
}

/* The gradient of a velocity along a of the body's origin and one along b of its turn: J [n_q]. */
static void put_gradient(struct reader *r, const struct model_body *body, const expr *a, const expr *b, expr *J)
{
    const struct model *m = r->model;
    const expr *v = reader_symbols(r, m->mechanics.n_q, m->mechanics.v_index);
    const expr e = expr_add(r->g, expr_dot(r->g, 3, a, body->velocity), expr_dot(r->g, 3, b, body->spin));
    expr_gradient(r->g, e, m->mechanics.n_q, v, J);
}

/* J of the velocity along a of the point of the body: o' has a, w has p x R'a + roll R'b. */
static void put_column(struct reader *r, const struct model_point *point, const expr *a, expr roll, const expr *b,
                       expr *J)
{
    const struct model_body *body = &r->model->mechanics.body[point->body];
    expr in_body[3], turn[3], rolling[3];
    rotation_undo(r->g, body->R, a, in_body);
    rotation_cross(r->g, point->in_body, in_body, turn);
    rotation_undo(r->g, body->R, b, rolling);
    for (int i = 0; i < 3; i++)
        turn[i] = expr_add(r->g, turn[i], expr_mul(r->g, roll, rolling[i]));
    put_gradient(r, body, a, turn, J);
}

/* J of the turn of the body along a. */
static void put_turn(struct reader *r, const struct model_point *point, const expr *a, expr *J)
{
    const struct model_body *body = &r->model->mechanics.body[point->body];
    const expr none[] = { expr_const(r->g, 0), expr_const(r->g, 0), expr_const(r->g, 0) };
    expr in_body[3];
    rotation_undo(r->g, body->R, a, in_body);
    put_gradient(r, body, none, in_body, J);
}

/* Where it touches; the frame is that of the patch, not of its corner. */
static void note_place(struct reader *r, const struct model_point *point, const struct plane *plane, expr size,
                       struct model_contact *contact)
{
    contact->body[0] = point->body;
    memcpy(contact->axis[0], plane->n, sizeof plane->n);
    memcpy(contact->axis[1], plane->t, sizeof plane->t);
    for (int i = 0; i < 3; i++)
        contact->place[i] = expr_sub(r->g, point->at[i], expr_mul(r->g, size, plane->n[i]));
}

void reader_point_contact(struct reader *r, const struct spec_node *block, int corner,
                          struct model_contact *contact)
{
    const struct model *m = r->model;
    const struct spec_node *radius = spec_get(block, "radius");
    struct plane plane;
    expr size = expr_const(r->g, 0);
    const struct model_point *found = reader_point_of(r, reader_contact_place(block));
    struct model_point at = found ? *found : (struct model_point){ .name = "" };
    const struct model_point *point = found ? &at : NULL;
    if (found) {
        memcpy(contact->from, found->at, sizeof contact->from);
        multibody_product(r->g, m->mechanics.body[found->body].R, found->axes, contact->R);
    }
    if (radius)
        reader_parameter_expr(r, radius, &size);
    if (!read_plane(r, spec_get(block, "ground"), &plane) || !point || reader_is_broken(r, size)
        || reader_is_broken(r, point->at[0]) || !m->mechanics.coordinates_known)
        return;
    if (corner >= 0 && !move_to_corner(r, spec_get(block, "box"), corner, &at))
        return;
    if (radius && !(model_value_at(m, size, AT_GUESS) >= 0))
        spec_error(r->diag, radius, "must be at least 0");
    const expr height = expr_sub(r->g, expr_dot(r->g, 3, plane.n, point->at), expr_dot(r->g, 3, plane.n, plane.c));
    contact->gap = expr_sub(r->g, height, size);
    contact->J_n = arena_alloc(r->mem, (size_t)m->mechanics.n_q, sizeof *contact->J_n);
    put_column(r, point, plane.n, expr_const(r->g, 0), plane.n, contact->J_n);
    if (contact->n_t > 2)
        put_turn(r, point, plane.n, contact->J_t + 2 * m->mechanics.n_q);
    note_place(r, point, &plane, size, contact);
    for (int i = 0; i < contact->n_t && i < 2; i++) {
        put_column(r, point, plane.t[i], i ? size : expr_neg(r->g, size), plane.t[1 - i],
                   contact->J_t + i * m->mechanics.n_q);
        contact->drift[1 + i] = leaving(r, &plane, plane.t[i]);
    }
}

void reader_point_rolling(struct reader *r, const struct spec_node *block, struct model_contact *contact)
{
    const struct model *m = r->model;
    struct diag *silent = diag_create();                        /* its contact has reported what is wrong */
    struct reader quiet = *r;
    struct plane plane;
    quiet.diag = silent;
    const struct model_point *point =
        reader_contact_place(block) ? reader_point_of(&quiet, reader_contact_place(block)) : NULL;
    const bool good = point && read_plane(&quiet, spec_get(block, "ground"), &plane);
    diag_free(silent);
    if (!good || !m->mechanics.coordinates_known)
        return;
    contact->n_t = 2;
    for (int i = 0; i < 2; i++) {
        put_turn(r, point, plane.t[i], contact->J_t + i * m->mechanics.n_q);
        contact->v_t[i] = expr_dot(r->g, m->mechanics.n_q, contact->J_t + i * m->mechanics.n_q,
                                   reader_symbols(r, m->mechanics.n_q, m->mechanics.v_index));
    }
    if (!kinematics_turns(m, &m->mechanics.body[point->body]))
        spec_error(r->diag, spec_get(block, "rolling"), "the body has no \"orientation\": it does not roll");
}
