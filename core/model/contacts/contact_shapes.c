/* Contacts of points, discs, boxes and ellipses in the plane, with grounds and each other
 *
 * A ground is a union of convex polygons (ground_pieces.h), and the contact of a shape with it one contact with
 * each of them. With the distance d(c) to a polygon (polygon.h), n = grad d, the tangent t = n turned to the
 * right, r the radius, and w the angular velocity, from x to z:
 *
 *   point, disc   gap = d(c) - r,                                 v_t = t'c' + r w
 *   box           each of its corners as a disc, and each corner v of the ground that points out of it against the box:
 *                 gap = d_box(R'(v - c)) - r,  n = -R grad d_box,  v_t = t'(c' + w x (v - c))
 *   ellipse       (ellipse.h) gap and n as they are, p the place that touches:  v_t = t'(c' + w x (p - c))
 *   two discs     gap = |c1 - c2| - r1 - r2,  n = (c1 - c2)/|c1 - c2|,  v_t = t'(c1' - c2') + r1 w1 + r2 w2
 */
#include "core/model/contacts/read.h"

#include "core/base/mem.h"
#include "core/expression/diff.h"
#include "core/model/geometry/polygon.h"
#include "core/model/geometry/ellipse.h"
#include "core/model/geometry/ground_pieces.h"
#include "core/model/kinematics.h"
#include "core/model/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct disc {                       /* or a point: radius 0 */
    expr at[2], angle, radius;
    bool is_round;
};

struct family {                     /* of the contacts of a shape */
    struct reader *r;
    const struct model_contact *common;
    int n;
    struct model_contact *member;
};

bool reader_is_shape(const struct spec_node *block)
{
    const struct spec_node *point = spec_get(block, "point");
    return point && point->kind == SPEC_SEQUENCE;
}

/* --- Reading --------------------------------------------------------------------------------------------------- */

static expr read_moving(struct reader *r, const struct spec_node *node, const char *what)
{
    return reader_smooth(r, node, "shapes move smoothly", USES_POSITIONS | USES_TIME, what);
}

/* At least 0, or above it. */
static expr read_length(struct reader *r, const struct spec_node *node, bool may_be_zero)
{
    expr e = expr_const(r->g, 0);
    if (node && reader_parameter_expr(r, node, &e) != STATUS_OK)
        return r->broken;
    const double value = node ? model_value_at(r->model, e, AT_GUESS) : 0;
    if (node && !(value > 0 || (may_be_zero && value == 0)))
        return spec_error(r->diag, node, may_be_zero ? "must be at least 0" : "must be above 0"), r->broken;
    return e;
}

/* Two lengths above 0; false after a mistake. */
static bool read_lengths(struct reader *r, const struct spec_node *node, const char *expected, expr *e)
{
    if (node->kind != SPEC_SEQUENCE || node->n != 2) {
        spec_error(r->diag, node, "%s", expected);
        return false;
    }
    for (int i = 0; i < 2; i++)
        e[i] = read_length(r, node->child[i], false);
    return !reader_is_broken(r, e[0]) && !reader_is_broken(r, e[1]);
}

/* Place, radius and angle; false after a mistake. */
static bool read_disc(struct reader *r, const struct spec_node *block, struct disc *disc)
{
    const struct spec_node *point = spec_get(block, "point"), *angle = spec_get(block, "angle");
    const struct spec_node *radius = spec_get(block, "radius");
    if (!point || point->kind != SPEC_SEQUENCE || point->n != 2) {
        spec_error(r->diag, point ? point : block, "expected \"point\", a place in the plane, [x, z]; or the name of a point "
                                                   "of a body in space");
        return false;
    }
    for (int i = 0; i < 2; i++)
        disc->at[i] = read_moving(r, point->child[i], "a place, a function of positions and time,");
    disc->angle =
        angle ? read_moving(r, angle, "an angle, a function of positions and time,") : expr_const(r->g, 0);
    disc->radius = read_length(r, radius, true);
    disc->is_round =
        radius && !reader_is_broken(r, disc->radius) && model_value_at(r->model, disc->radius, AT_GUESS) > 0;
    return !reader_is_broken(r, disc->at[0]) && !reader_is_broken(r, disc->at[1])
           && !reader_is_broken(r, disc->angle) && !reader_is_broken(r, disc->radius)
           && r->model->mechanics.coordinates_known;
}

/* --- One contact ----------------------------------------------------------------------------------------------- */

/* Adds factor times the rate of e, e(q, t), to the tangential velocity. */
static void add_slip(struct reader *r, struct model_contact *contact, expr factor, expr e)
{
    const int n_q = r->model->mechanics.n_q;
    expr *J = mem_alloc((size_t)n_q, sizeof *J), by_time;
    kinematics_gradient(r->model, e, J);
    expr_gradient(r->g, e, 1, &r->model->t_sym, &by_time);
    for (int i = 0; i < n_q; i++)
        contact->J_t[i] = expr_add(r->g, contact->J_t[i], expr_mul(r->g, factor, J[i]));
    contact->drift[1] = expr_add(r->g, contact->drift[1], expr_mul(r->g, factor, by_time));
    free(J);
}

/* The tangent is to the right of the normal. */
static expr tangent(struct reader *r, const expr *normal, int i)
{
    return i == 0 ? normal[1] : expr_neg(r->g, normal[0]);
}

/* Adds the velocity of the place p along the tangent. */
static void add_motion(struct reader *r, struct model_contact *contact, const expr *normal, const expr *p)
{
    for (int i = 0; i < 2; i++)
        add_slip(r, contact, tangent(r, normal, i), p[i]);
}

static struct model_contact *add_member(struct family *family, const char *name, expr gap, const expr *normal)
{
    struct reader *r = family->r;
    const int n_q = r->model->mechanics.n_q;
    family->member = mem_grow(family->member, family->n, 1, sizeof *family->member);
    struct model_contact *contact = &family->member[family->n++];
    *contact = *family->common;
    contact->name = name;
    contact->gap = gap;
    memcpy(contact->normal, normal, sizeof contact->normal);
    contact->J_n = arena_alloc(r->mem, (size_t)n_q, sizeof *contact->J_n);
    kinematics_gradient(r->model, gap, contact->J_n);
    contact->J_t = arena_alloc(r->mem, SLIP_MAX * (size_t)n_q, sizeof *contact->J_t);
    for (int i = 0; i < n_q; i++)
        contact->J_t[i] = expr_const(r->g, 0);
    return contact;
}

/* Distance of the place p to a polygon, its gradient n [2], and where it changes (model_contact.corner, patch). */
struct distance { expr d, n[2]; int n_corner, n_patch; expr *corner; signed char *patch; bool turns; };

static struct distance room_for_corners(struct reader *r, const struct polygon *polygon, bool is_round)
{
    struct distance to = { .n_corner = polygon_n_corner(polygon, is_round), .turns = is_round };
    to.corner = arena_alloc(r->mem, (size_t)to.n_corner, sizeof *to.corner);
    if (to.n_corner > 0) {
        to.n_patch = polygon_n_patch(polygon, is_round);
        to.patch = arena_alloc(r->mem, (size_t)(to.n_patch * to.n_corner), sizeof *to.patch);
        polygon_patches(polygon, is_round, to.patch);
    }
    return to;
}

static struct distance distance_to(struct reader *r, const struct polygon *polygon, bool is_round, const expr *p)
{
    const expr c[2] = { expr_sym(r->g, "x"), expr_sym(r->g, "z") };
    struct distance to = room_for_corners(r, polygon, is_round);
    const int n = 3 + to.n_corner;
    expr *e = arena_alloc(r->mem, (size_t)n, sizeof *e);
    e[0] = polygon_gap(r->g, polygon, is_round, c, e + 3);
    expr_gradient(r->g, e[0], 2, c, e + 1);
    expr_substitute(r->g, n, e, 2, c, p, e);
    to.d = e[0];
    memcpy(to.n, e + 1, sizeof to.n);
    memcpy(to.corner, e + 3, (size_t)to.n_corner * sizeof *e);
    return to;
}

static void keep_corners(struct model_contact *contact, const struct distance *to)
{
    contact->n_corner = to->n_corner;
    contact->corner = to->corner;
    contact->n_patch = to->n_patch;
    contact->patch = to->patch;
    contact->turns = to->turns;
}

static void add_disc_on(struct family *family, const char *name, const struct disc *disc,
                        const struct polygon *polygon)
{
    struct reader *r = family->r;
    const struct distance to = distance_to(r, polygon, disc->is_round, disc->at);
    struct model_contact *contact = add_member(family, name, expr_sub(r->g, to.d, disc->radius), to.n);
    keep_corners(contact, &to);
    add_motion(r, contact, to.n, disc->at);
    add_slip(r, contact, disc->radius, disc->angle);
}

/* "wheel" on a ground of one piece, else "wheel_1", "wheel_2". */
static const char *name_of(const struct family *family, const char *name, int k, int n)
{
    return n == 1 ? name : arena_printf(family->r->mem, "%s_%d", name, k + 1);
}

static void add_disc(struct family *family, const char *name, const struct disc *disc,
                     const struct ground_pieces *pieces)
{
    for (int k = 0; k < pieces->n; k++)
        add_disc_on(family, name_of(family, name, k, pieces->n), disc, &pieces->piece[k]);
}

/* --- Boxes ----------------------------------------------------------------------------------------------------- */

/* R b for the angle, or with `back` R'b. */
static void turn(struct reader *r, expr angle, bool back, const expr *b, expr *out)
{
    struct expr_graph *g = r->g;
    const expr cosine = expr_unary(g, EXPR_COS, angle), sine = expr_unary(g, EXPR_SIN, angle);
    const expr across = back ? expr_neg(g, sine) : sine, x = b[0], z = b[1];
    out[0] = expr_sub(g, expr_mul(g, cosine, x), expr_mul(g, across, z));
    out[1] = expr_add(g, expr_mul(g, across, x), expr_mul(g, cosine, z));
}

/* Around the origin with half sides a, b, its corners from the lower left one to the upper left one, clockwise. */
static struct polygon box_of(struct arena *mem, double a, double b)
{
    const struct polygon_face face[4] = { { { -a, -b }, { 0, 1 } }, { { -a, b }, { 1, 0 } }, { { a, b }, { 0, -1 } },
                                          { { a, -b }, { -1, 0 } } };
    return (struct polygon){ 4, arena_copy(mem, face, 4, sizeof *face), true };
}

/* A corner of the ground, a fixed place v, against the box. */
static void add_edge(struct family *family, const char *name, const struct disc *middle, const struct polygon *box,
                     const double *v)
{
    struct reader *r = family->r;
    expr from[2], in_box[2], normal[2];
    for (int i = 0; i < 2; i++)
        from[i] = expr_sub(r->g, expr_const(r->g, v[i]), middle->at[i]);
    turn(r, middle->angle, true, from, in_box);
    const struct distance to = distance_to(r, box, middle->is_round, in_box);
    turn(r, middle->angle, false, to.n, normal);
    for (int i = 0; i < 2; i++)
        normal[i] = expr_neg(r->g, normal[i]);
    struct model_contact *contact = add_member(family, name, expr_sub(r->g, to.d, middle->radius), normal);
    keep_corners(contact, &to);
    add_motion(r, contact, normal, middle->at);
    const expr lever = expr_sub(r->g, expr_mul(r->g, tangent(r, normal, 1), from[0]),
                                expr_mul(r->g, tangent(r, normal, 0), from[1]));
    add_slip(r, contact, lever, middle->angle);
}

/* A radius rounds the corners of a box; its sides stay where they are. */
static bool read_box(struct reader *r, const struct spec_node *size, const struct disc *middle, struct polygon *box)
{
    expr side[2];
    double half[2];
    if (!read_lengths(r, size, "expected [width, height]", side))
        return false;
    for (int i = 0; i < 2; i++) {
        if (reader_finite(r, size->child[i], &half[i]) != STATUS_OK)
            return false;
        half[i] = 0.5 * half[i] - model_value_at(r->model, middle->radius, AT_GUESS);
        if (!(half[i] > 0)) {
            spec_error(r->diag, size, "the radius, which rounds the corners, must be less than half of each side");
            return false;
        }
    }
    if (!expr_is_const(r->g, middle->radius, NULL)) {
        spec_error(r->diag, size, "the radius of a box may not be optimized");
        return false;
    }
    *box = box_of(r->mem, half[0], half[1]);
    return true;
}

static void add_box(struct family *family, const char *name, const struct disc *middle, const struct polygon *box,
                    const struct ground_pieces *pieces)
{
    struct reader *r = family->r;
    for (int k = 0; k < 4; k++) {
        struct disc corner = *middle;
        expr in_box[2];
        for (int i = 0; i < 2; i++)
            in_box[i] = expr_const(r->g, box->face[k].a[i]);
        turn(r, middle->angle, false, in_box, corner.at);
        for (int i = 0; i < 2; i++)
            corner.at[i] = expr_add(r->g, middle->at[i], corner.at[i]);
        add_disc(family, arena_printf(r->mem, "%s_%d", name, k + 1), &corner, pieces);
    }
    for (int k = 0; k < pieces->n_vertex; k++)
        add_edge(family, arena_printf(r->mem, "%s_edge_%d", name, k + 1), middle, box, &pieces->vertex[2 * k]);
}

/* For films. */
static void note_shape(struct reader *r, const char *name, const struct disc *disc, const struct polygon *box)
{
    struct model *m = r->model;
    struct model_shape *shape = &m->drawing.shape[m->drawing.n_shape++];
    *shape = (struct model_shape){ .name = name, .at = { disc->at[0], disc->at[1] }, .angle = disc->angle,
                                   .radius = disc->is_round ? model_value_at(m, disc->radius, AT_GUESS) : 0 };
    for (int i = 0; i < 2 && box; i++)
        shape->size[i] = 2 * (fabs(box->face[0].a[i]) + shape->radius);
}

/* --- Ellipses and pairs of discs ------------------------------------------------------------------------------- */

/* n'c' + w n'(1 x arm): where they touch, the arm turns by the angle. */
static void set_normal_row(struct reader *r, struct model_contact *contact, const struct disc *middle,
                           const struct ellipse_gap *on)
{
    const int n_q = r->model->mechanics.n_q;
    const expr lever = expr_sub(r->g, expr_mul(r->g, on->n[1], on->arm[0]), expr_mul(r->g, on->n[0], on->arm[1]));
    const expr of[3] = { middle->at[0], middle->at[1], middle->angle }, factor[3] = { on->n[0], on->n[1], lever };
    expr *J = mem_alloc((size_t)n_q, sizeof *J);
    for (int i = 0; i < n_q; i++)
        contact->J_n[i] = expr_const(r->g, 0);
    for (int k = 0; k < 3; k++) {
        kinematics_gradient(r->model, of[k], J);
        for (int i = 0; i < n_q; i++)
            contact->J_n[i] = expr_add(r->g, contact->J_n[i], expr_mul(r->g, factor[k], J[i]));
    }
    free(J);
}

static void add_ellipse(struct family *family, const char *name, const struct disc *middle, const expr *axes,
                        const struct polygon *polygon)
{
    struct reader *r = family->r;
    struct distance to = room_for_corners(r, polygon, true);
    const struct ellipse_gap on = ellipse_on_polygon(r->g, polygon, axes, middle->at, middle->angle, to.corner);
    struct model_contact *contact = add_member(family, name, on.gap, on.n);
    keep_corners(contact, &to);
    set_normal_row(r, contact, middle, &on);
    add_motion(r, contact, on.n, middle->at);
    add_slip(r, contact, expr_neg(r->g, expr_dot(r->g, 2, on.n, on.arm)), middle->angle);
}

static bool read_ellipse(struct reader *r, const struct spec_node *block, expr *axes)
{
    const struct spec_node *node = spec_get(block, "ellipse");
    if (spec_get(block, "radius")) {
        spec_error(r->diag, spec_get(block, "radius"), "an ellipse has half axes, [a, b], and no radius");
        return false;
    }
    return read_lengths(r, node, "expected half axes, [a, b]", axes);
}

static bool add_pair(struct family *family, const struct spec_node *block, const struct disc *one)
{
    static const char *const not_of_pairs[] = { "ground", "box", "ellipse" };
    struct reader *r = family->r;
    const struct spec_node *node = spec_get(block, "other");
    struct disc two;
    for (size_t i = 0; i < sizeof not_of_pairs / sizeof *not_of_pairs; i++)
        if (spec_get(block, not_of_pairs[i])) {
            spec_error(r->diag, spec_get(block, not_of_pairs[i]), "\"other\" is a disc against another one: leave this out, or "
                             "write a contact of its own");
            return false;
        }
    shape_check_keys(r->diag, node, &model_disc_shape);
    if (node->kind != SPEC_MAPPING || !read_disc(r, node, &two))
        return false;
    if (!one->is_round && !two.is_round) {
        spec_error(r->diag, node, "two points do not touch: give one of them a \"radius\"");
        return false;
    }
    expr from[2], normal[2], back[2];
    for (int i = 0; i < 2; i++)
        from[i] = expr_sub(r->g, one->at[i], two.at[i]);
    const expr length = expr_sqrt(r->g, expr_dot(r->g, 2, from, from));
    for (int i = 0; i < 2; i++) {
        normal[i] = expr_div(r->g, from[i], length);
        back[i] = expr_neg(r->g, normal[i]);
    }
    const expr reach = expr_add(r->g, one->radius, two.radius);
    struct model_contact *contact = add_member(family, block->key, expr_sub(r->g, length, reach), normal);
    add_motion(r, contact, normal, one->at);
    add_motion(r, contact, back, two.at);
    add_slip(r, contact, one->radius, one->angle);
    add_slip(r, contact, two.radius, two.angle);
    note_shape(r, block->key, one, NULL);
    note_shape(r, arena_printf(r->mem, "%s_other", block->key), &two, NULL);
    return true;
}

/* --- The whole ------------------------------------------------------------------------------------------------- */

static bool add_on_ground(struct family *family, const struct spec_node *block, const struct disc *disc)
{
    struct reader *r = family->r;
    const struct spec_node *size = spec_get(block, "box"), *axes = spec_get(block, "ellipse");
    struct ground_pieces pieces;
    struct polygon box;
    expr half[2];
    if (size && axes) {
        spec_error(r->diag, axes, "either a \"box\" or an \"ellipse\", not both");
        return false;
    }
    if (!reader_ground_of(r, block, &pieces) || (size && !read_box(r, size, disc, &box))
        || (axes && !read_ellipse(r, block, half)))
        return false;
    note_shape(r, block->key, disc, size ? &box : NULL);
    if (size)
        add_box(family, block->key, disc, &box, &pieces);
    else if (!axes)
        add_disc(family, block->key, disc, &pieces);
    for (int k = 0; axes && k < pieces.n; k++)
        add_ellipse(family, name_of(family, block->key, k, pieces.n), disc, half, &pieces.piece[k]);
    return true;
}

/* Something must move, or nothing touches. */
static bool moves(struct reader *r, const struct spec_node *block, const struct family *family)
{
    const struct model *m = r->model;
    const expr *q = reader_symbols(r, m->mechanics.n_position, m->mechanics.q_index);
    for (int k = 0; k < family->n; k++)
        if (!expr_depends(r->g, family->member[k].gap, m->mechanics.n_position, q)) {
            spec_error(r->diag, spec_get(block, "point"), "the gap depends on no position");
            return false;
        }
    return true;
}

int reader_shape_contacts(struct reader *r, const struct spec_node *block, const struct model_contact *contact,
                          struct model_contact **out)
{
    struct family family = { r, contact, 0, NULL };
    struct disc disc;
    bool good = read_disc(r, block, &disc);
    if (good)
        good = (spec_get(block, "other") ? add_pair(&family, block, &disc) : add_on_ground(&family, block, &disc))
               && moves(r, block, &family);
    if (good)
        *out = arena_copy(r->mem, family.member, (size_t)family.n, sizeof *family.member);
    free(family.member);
    return good ? family.n : 0;
}
