/* core/model/mechanics/tree.c - from bodies on joints to links, and where these are
 *
 * The frame of a body is that of its joint, turned and moved by the joint. Positions are those of the world's
 * axes: origin = origin_p + R_p r,  R = R_p R_rel,  velocity = velocity_p + R_p (w_p x r + r'),  w = R_rel'w_p +
 * w_rel
 */
#include "core/model/mechanics/joint_tree.h"

#include "core/base/mem.h"
#include "core/model/mechanics/read.h"
#include "core/model/rotation.h"

#include <stdlib.h>
#include <string.h>

/* A frame in the link that it is fixed to; link -1: in the world. */
struct place {
    int link;
    expr R[9], r[3];
};

struct building {
    struct reader *r;
    struct joint_tree *tree;
    struct place *place; /* [n_body] */
    int *velocity_of;    /* [n_x] index of a state among the velocities */
};

static struct place world_place(struct expr_graph *g)
{
    struct place place = { .link = -1 };
    for (int i = 0; i < 9; i++)
        place.R[i] = expr_const(g, i % 4 == 0);
    for (int i = 0; i < 3; i++)
        place.r[i] = expr_const(g, 0);
    return place;
}

/* a, in the frame of a place, along the axes of the link. */
static void to_link(struct expr_graph *g, const struct place *place, const expr *a, expr *out)
{
    rotation_apply(g, place->R, a, out);
}

/* The frame of a joint before it moves, in the link of the parent; false after a mistake. */
static bool read_frame(struct building *at, const struct model_joint *joint, const struct place *parent,
                       struct place *out)
{
    struct expr_graph *g = at->r->g;
    const struct spec_node *node = reader_given(joint->node, "at");
    expr r[3], moved[3];
    expr R[9];
    *out = *parent;
    if ((node && !frame_read_vector(at->r, node, r)) || !frame_read_turn(at->r, spec_get(joint->node, "turn"), R))
        return false;
    multibody_product(g, parent->R, R, out->R);
    if (!node)
        return true;
    to_link(g, parent, r, moved);
    for (int i = 0; i < 3; i++)
        out->r[i] = expr_add(g, parent->r[i], moved[i]);
    return true;
}

/* --- Freedoms ------------------------------------------------------------------------------------------------ */

static struct freedom *add_freedom(struct building *at, int joint, int state, double ratio)
{
    struct reader *r = at->r;
    struct multibody *tree = &at->tree->multibody;
    struct freedom *freedom = &tree->freedom[tree->n_freedom];
    at->tree->freedom[tree->n_freedom] = (struct joint_freedom){ joint, at->velocity_of[state], ratio, EXPR_NONE };
    freedom->v = expr_scale(r->g, ratio, r->model->x_sym[state]);
    for (int i = 0; i < 3; i++)
        freedom->slide[i] = freedom->spin[i] = expr_const(r->g, 0);
    tree->link[tree->n_link - 1].n++;
    tree->n_freedom++;
    return freedom;
}

/* Slides along axis i of its frame, by velocity k of the joint. */
static void add_slide(struct building *at, int b, const struct place *frame, int k, int i)
{
    const expr axis[] = { expr_const(at->r->g, i == 0), expr_const(at->r->g, i == 1),
                          expr_const(at->r->g, i == 2) };
    to_link(at->r->g, frame, axis, add_freedom(at, b, at->r->model->mechanics.joint[b].v[k], 1)->slide);
}

static void add_spin(struct building *at, int b, int k, int i)
{
    add_freedom(at, b, at->r->model->mechanics.joint[b].v[k], 1)->spin[i] = expr_const(at->r->g, 1);
}

/* r += the frame's axes times a. */
static void shift(struct building *at, const struct place *frame, const expr *a, struct link *link)
{
    expr along[3];
    to_link(at->r->g, frame, a, along);
    for (int i = 0; i < 3; i++)
        link->r[i] = expr_add(at->r->g, link->r[i], along[i]);
}

static bool add_axis(struct building *at, int b, const struct place *frame, struct link *link)
{
    struct reader *r = at->r;
    const struct model_joint *joint = &r->model->mechanics.joint[b];
    const struct model_joint *moves = joint->leader >= 0 ? &r->model->mechanics.joint[joint->leader] : joint;
    const struct spec_node *node = reader_given(joint->node, "axis");
    const char *no_length = "the axis has no length: it is the direction along or about which the joint moves";
    expr axis[3], about[9], a[3];
    if (!node)
        return spec_error(r->diag, joint->node,
                          "\"axis\" is missing: [x, y, z] along or about which the joint moves")
               == STATUS_OK;
    if (!frame_read_axis(r, node, no_length, axis))
        return false;
    const expr q = expr_add(r->g, expr_scale(r->g, joint->ratio, r->model->x_sym[moves->q[0]]),
                            expr_const(r->g, joint->offset));
    struct freedom *freedom = add_freedom(at, b, moves->v[0], joint->ratio);
    at->tree->freedom[at->tree->multibody.n_freedom - 1].q = q;
    if (joint->type == JOINT_PRISMATIC) {
        to_link(r->g, frame, axis, freedom->slide);
        for (int i = 0; i < 3; i++)
            a[i] = expr_mul(r->g, q, axis[i]);
        shift(at, frame, a, link);
    } else {
        memcpy(freedom->spin, axis, sizeof axis);
        frame_turn_about(r, axis, q, about);
        multibody_product(r->g, link->R, about, link->R);
    }
    return true;
}

static void add_planar(struct building *at, int b, const struct place *frame, struct link *link)
{
    struct reader *r = at->r;
    const int *q = r->model->mechanics.joint[b].q;
    const expr zero = expr_const(r->g, 0), axis[] = { zero, expr_const(r->g, 1), zero };
    const expr a[] = { r->model->x_sym[q[0]], zero, r->model->x_sym[q[1]] };
    expr about[9];
    shift(at, frame, a, link);
    frame_turn_about(r, axis, r->model->x_sym[q[2]], about);
    multibody_product(r->g, link->R, about, link->R);
    add_slide(at, b, frame, 0, 0);
    add_slide(at, b, frame, 1, 2);
    add_spin(at, b, 2, 1);
}

static void add_turning(struct building *at, int b, const struct place *frame, struct link *link)
{
    struct reader *r = at->r;
    const struct model_joint *joint = &r->model->mechanics.joint[b];
    const bool slides = joint->type == JOINT_FREE;
    const expr *orientation = reader_symbols(r, 4, joint->q + (slides ? 3 : 0));
    expr about[9];
    if (slides)
        shift(at, frame, reader_symbols(r, 3, joint->q), link);
    rotation_matrix(r->g, 4, orientation, about);
    multibody_product(r->g, link->R, about, link->R);
    for (int i = 0; slides && i < 3; i++)
        add_slide(at, b, frame, i, i);
    for (int i = 0; i < 3; i++)
        add_spin(at, b, i + (slides ? 3 : 0), i);
}

/* --- Links --------------------------------------------------------------------------------------------------- */

/* A new link, whose frame is that of the body. */
static bool add_link(struct building *at, int b, const struct place *frame)
{
    struct reader *r = at->r;
    struct multibody *tree = &at->tree->multibody;
    struct link *link = &tree->link[tree->n_link++];
    const expr zero = expr_const(r->g, 0);
    *link = (struct link){ .parent = frame->link, .first = tree->n_freedom, .m = zero, .h = { zero, zero, zero } };
    memcpy(link->R, frame->R, sizeof link->R);
    memcpy(link->r, frame->r, sizeof link->r);
    for (int i = 0; i < 9; i++)
        link->I[i] = zero;
    at->place[b] = world_place(r->g);
    at->place[b].link = tree->n_link - 1;
    switch (r->model->mechanics.joint[b].type) {
    case JOINT_PLANAR: add_planar(at, b, frame, link); return true;
    case JOINT_FREE:
    case JOINT_BALL: add_turning(at, b, frame, link); return true;
    default: return add_axis(at, b, frame, link);
    }
}

static void add_mass(struct building *at, int b)
{
    struct expr_graph *g = at->r->g;
    const struct model_body *body = &at->r->model->mechanics.body[b];
    const struct place *place = &at->place[b];
    expr c[3], I[9];
    if (place->link < 0)
        return;
    to_link(g, place, body->center, c);
    for (int i = 0; i < 3; i++)
        c[i] = expr_add(g, place->r[i], c[i]);
    multibody_turn(g, place->R, body->inertia, I);
    multibody_add_mass(g, &at->tree->multibody.link[place->link], body->mass, c, I);
}

/* --- In the world -------------------------------------------------------------------------------------------- */

/* Where a link is and how it moves. */
struct pose {
    expr origin[3], R[9], velocity[3], w[3];
};

static struct pose world_pose(struct expr_graph *g)
{
    struct pose pose;
    for (int i = 0; i < 9; i++)
        pose.R[i] = expr_const(g, i % 4 == 0);
    for (int i = 0; i < 3; i++)
        pose.origin[i] = pose.velocity[i] = pose.w[i] = expr_const(g, 0);
    return pose;
}

/* A frame at r with axes R in one that moves, itself at the rate r_rate and the angular velocity w_rel along its
 * axes. */
static struct pose carried(struct expr_graph *g, const struct pose *p, const expr *R, const expr *r,
                           const expr *r_rate, const expr *w_rel)
{
    struct pose out = *p;
    expr rate[3], moved[3];
    rotation_apply(g, p->R, r, out.origin);
    rotation_cross(g, p->w, r, rate);
    rotation_undo(g, R, p->w, out.w);
    for (int i = 0; i < 3; i++) {
        out.origin[i] = expr_add(g, p->origin[i], out.origin[i]);
        out.w[i] = expr_add(g, out.w[i], w_rel[i]);
        rate[i] = expr_add(g, rate[i], r_rate[i]);
    }
    rotation_apply(g, p->R, rate, moved);
    for (int i = 0; i < 3; i++)
        out.velocity[i] = expr_add(g, p->velocity[i], moved[i]);
    multibody_product(g, p->R, R, out.R);
    return out;
}

static struct pose pose_of_link(struct expr_graph *g, const struct multibody *tree, const struct link *link,
                                const struct pose *pose)
{
    const struct pose world = world_pose(g);
    expr rate[3], w[3];
    for (int i = 0; i < 3; i++) {
        rate[i] = w[i] = expr_const(g, 0);
        for (int k = link->first; k < link->first + link->n; k++) {
            rate[i] = expr_add(g, rate[i], expr_mul(g, tree->freedom[k].v, tree->freedom[k].slide[i]));
            w[i] = expr_add(g, w[i], expr_mul(g, tree->freedom[k].v, tree->freedom[k].spin[i]));
        }
    }
    return carried(g, link->parent >= 0 ? &pose[link->parent] : &world, link->R, link->r, rate, w);
}

static void place_bodies(struct building *at)
{
    struct expr_graph *g = at->r->g;
    struct model *m = at->r->model;
    const struct multibody *tree = &at->tree->multibody;
    struct pose *pose = mem_alloc((size_t)tree->n_link, sizeof *pose), world = world_pose(g);
    for (int i = 0; i < tree->n_link; i++)
        pose[i] = pose_of_link(g, tree, &tree->link[i], pose);
    for (int b = 0; b < m->mechanics.n_body; b++) {
        const struct place *place = &at->place[b];
        struct model_body *body = &m->mechanics.body[b];
        if (!joint_is_meant(at->r, b))
            continue;
        const struct pose is = carried(g, place->link >= 0 ? &pose[place->link] : &world, place->R, place->r,
                                       world.velocity, world.w);
        memcpy(body->origin, is.origin, sizeof is.origin);
        memcpy(body->R, is.R, sizeof is.R);
        memcpy(body->velocity, is.velocity, sizeof is.velocity);
        memcpy(body->spin, is.w, sizeof is.w);
    }
    free(pose);
}

/* --- The tree ------------------------------------------------------------------------------------------------ */

static void allocate(struct building *at)
{
    struct reader *r = at->r;
    const struct model_mechanics *all = &r->model->mechanics;
    size_t n_freedom = 0;
    for (int k = 0; k < all->n_joint; k++)
        n_freedom += (size_t)(all->joint[k].leader >= 0 ? 1 : all->joint[k].n_v);
    at->tree = arena_alloc(r->mem, 1, sizeof *at->tree);
    at->tree->multibody.link = arena_alloc(r->mem, n_freedom, sizeof *at->tree->multibody.link);
    at->tree->multibody.freedom = arena_alloc(r->mem, n_freedom, sizeof *at->tree->multibody.freedom);
    at->tree->freedom = arena_alloc(r->mem, n_freedom, sizeof *at->tree->freedom);
    at->place = mem_alloc((size_t)all->n_body, sizeof *at->place);
    at->velocity_of = mem_alloc((size_t)r->model->n_x, sizeof *at->velocity_of);
    for (int i = 0; i < all->n_q; i++)
        at->velocity_of[all->v_index[i]] = i;
}

void joint_build_tree(struct reader *r, const int *order)
{
    struct model *m = r->model;
    struct building at = { .r = r };
    bool good = true;
    allocate(&at);
    const struct place world = world_place(r->g);
    for (int k = 0; k < m->mechanics.n_body; k++) {
        const int b = order[k];
        struct place frame;
        if (!joint_is_meant(r, b))
            continue;
        const struct place *parent =
            m->mechanics.body[b].parent >= 0 ? &at.place[m->mechanics.body[b].parent] : &world;
        const bool is_read = read_frame(&at, &m->mechanics.joint[b], parent, &frame);
        at.place[b] = frame;
        if (is_read && m->mechanics.joint[b].type != JOINT_FIXED)
            good = add_link(&at, b, &frame) && good;
        good = good && is_read;
        add_mass(&at, b);
    }
    if (good)
        place_bodies(&at);
    r->tree = good ? at.tree : NULL;
    m->mechanics.coordinates_known = m->mechanics.coordinates_known && good;
    free(at.place);
    free(at.velocity_of);
}
