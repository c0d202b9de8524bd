/* Rigid bodies: which states are their positions and velocities, their points, masses, inertia
 *
 *   T = sum over bodies of m |v|^2 / 2 + w'I w / 2
 *
 * Positions are those of the centre of mass. A body without them turns about the origin of the world, about which
 * its inertia is then. Those with joints move by these: tree.c.
 */
#include "core/model/mechanics/read.h"

#include "core/model/mechanics/joint_tree.h"
#include "core/model/rotation.h"
#include "core/model/shapes.h"

#include <string.h>

static const struct spec_node *bodies_block(struct reader *r)
{
    return reader_block(r, r->root, "bodies");
}

/* --- States -------------------------------------------------------------------------------------------------- */

/* The states of a list of n_min to n_max names; their number, 0 (reported) after a mistake. */
static int take_states(struct reader *r, const struct spec_node *node, int n_min, int n_max, int *state)
{
    bool good = true;
    if (node->kind != SPEC_SEQUENCE || node->n < n_min || node->n > n_max) {
        spec_error(r->diag, node, n_min == n_max
                       ? "expected the names of three states"
                       : "expected the names of four states, a unit quaternion with its scalar first, or of three, a "
                         "rotation vector");
        return 0;
    }
    for (int i = 0; i < node->n; i++) {
        state[i] = reader_take_state(r, node->child[i]);
        good = good && state[i] >= 0;
    }
    return good ? node->n : 0;
}

/* Two lists that belong together; the number of positions, 0 if there are none, -1 after a mistake. */
static int take_pair(struct reader *r, const struct spec_node *node, const char *q_key, const char *v_key,
                     int n_max, int *q, int *v)
{
    const struct spec_node *positions = spec_get(node, q_key), *velocities = spec_get(node, v_key);
    if (!positions && !velocities)
        return 0;
    if (!positions || !velocities) {
        spec_error(r->diag, node, "\"%s\" and \"%s\" belong together: names of states", q_key, v_key);
        return -1;
    }
    const int n = take_states(r, positions, 3, n_max, q), n_v = take_states(r, velocities, 3, 3, v);
    return n && n_v ? n : -1;
}

static void add_rotation(struct reader *r, struct model_body *body, int n, const int *q, const int *v)
{
    struct model *m = r->model;
    expr orientation[4], w[3];
    body->rotation = m->mechanics.n_rotation;
    m->mechanics.rotation[m->mechanics.n_rotation++] = (struct model_rotation){ m->mechanics.n_position, n,
                                                                                m->mechanics.n_q };
    for (int i = 0; i < n; i++)
        orientation[i] = m->x_sym[q[i]];
    for (int i = 0; i < 3; i++) {
        w[i] = body->spin[i] = m->x_sym[v[i]];
        m->mechanics.v_index[m->mechanics.n_q++] = v[i];
    }
    rotation_rates(r->g, n, orientation, w, m->mechanics.q_rate + m->mechanics.n_position);
    rotation_matrix(r->g, n, orientation, body->R);
    for (int i = 0; i < n; i++)
        m->mechanics.q_index[m->mechanics.n_position++] = q[i];
}

/* Positions of all bodies come before all orientations. */
static void read_position(struct reader *r, const struct spec_node *node, struct model_body *body)
{
    struct model *m = r->model;
    int q[3], v[3];
    const int n = take_pair(r, node, "position", "velocity", 3, q, v);
    if (n < 0)
        m->mechanics.coordinates_known = false;
    if (n <= 0)
        return;
    body->v = m->mechanics.n_q;
    for (int i = 0; i < 3; i++) {
        reader_add_coordinate(r, q[i], v[i]);
        body->origin[i] = m->x_sym[q[i]];
        body->velocity[i] = m->x_sym[v[i]];
    }
}

static void read_orientation(struct reader *r, const struct spec_node *node, struct model_body *body)
{
    int q[4], v[3];
    const int n = take_pair(r, node, "orientation", "angular_velocity", 4, q, v);
    if (n > 0)
        add_rotation(r, body, n, q, v);
    else if (n == 0 && body->v < 0 && r->model->mechanics.coordinates_known && node->kind == SPEC_MAPPING
             && !reader_given(node, "parent"))
        spec_error(r->diag, node,
                   "a body has a \"position\" with its \"velocity\", an \"orientation\" with its "
                   "\"angular_velocity\", both, or a \"joint\"");
    if (n < 0 || (n == 0 && body->v < 0))
        r->model->mechanics.coordinates_known = false;
}

/* --- Masses -------------------------------------------------------------------------------------------------- */

static void read_inertia(struct reader *r, const struct spec_node *node, struct model_body *body)
{
    bool good = node->kind == SPEC_SEQUENCE && node->n == 3;
    const bool is_matrix = good && node->child[0]->kind == SPEC_SEQUENCE;
    for (int i = 0; good && is_matrix && i < 3; i++)
        good = node->child[i]->kind == SPEC_SEQUENCE && node->child[i]->n == 3;
    if (!good) {
        spec_error(r->diag, node, "expected three moments [Ixx, Iyy, Izz] about the axes of the body, or three rows of "
                                  "three");
        body->inertia[0] = r->broken;
        return;
    }
    for (int i = 0; i < 3; i++) {
        if (!is_matrix)
            reader_parameter_expr(r, node->child[i], &body->inertia[4 * i]);
        for (int j = 0; is_matrix && j < 3; j++)
            reader_parameter_expr(r, node->child[i]->child[j], &body->inertia[i + 3 * j]);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            if (!model_is_zero(r->model, expr_sub(r->g, body->inertia[i + 3 * j], body->inertia[j + 3 * i])))
                spec_error(r->diag, node->child[i], "must be symmetric: entry (%d, %d) differs from entry (%d, %d)",
                           i + 1, j + 1, j + 1, i + 1);
}

/* Without a mass a body on a joint is a frame that moves. */
static void read_masses(struct reader *r, const struct spec_node *node, struct model_body *body, bool has_joint)
{
    const struct spec_node *mass = spec_get(node, "mass"), *inertia = spec_get(node, "inertia");
    const struct spec_node *center = reader_given(node, "center");
    if (center && has_joint)
        (void)frame_read_vector(r, center, body->center);
    else if (center)
        spec_error(r->diag, center,
                   "the position of a body without a joint is that of its centre of mass: leave this out");
    if (mass) {
        reader_parameter_expr(r, mass, &body->mass);
    } else if (body->v >= 0) {
        spec_error(r->diag, node, "\"mass\" is missing");
        body->mass = r->broken;
    }
    if (inertia) {
        read_inertia(r, inertia, body);
    } else if (body->rotation >= 0 && !has_joint) {
        spec_error(r->diag, node, "\"inertia\" is missing: [Ixx, Iyy, Izz], or three rows");
        body->inertia[0] = r->broken;
    }
}

expr model_bodies_kinetic(struct reader *r)
{
    const struct model *m = r->model;
    expr sum = expr_const(r->g, 0);
    for (int b = 0; b < m->mechanics.n_body && m->mechanics.coordinates_known; b++) {
        const struct model_body *body = &m->mechanics.body[b];
        expr Iw[3];
        if (joint_is_meant(r, b))
            continue;
        if (body->v >= 0) {
            const expr *v = reader_symbols(r, 3, m->mechanics.v_index + body->v);
            sum = expr_add(r->g, sum, expr_scale(r->g, 0.5, expr_mul(r->g, body->mass, expr_dot(r->g, 3, v, v))));
        }
        if (body->rotation >= 0) {
            const expr *w = reader_symbols(r, 3, m->mechanics.v_index + m->mechanics.rotation[body->rotation].v);
            rotation_apply(r->g, body->inertia, w, Iw);
            sum = expr_add(r->g, sum, expr_scale(r->g, 0.5, expr_dot(r->g, 3, w, Iw)));
        }
    }
    return sum;
}

/* --- The block ----------------------------------------------------------------------------------------------- */

/* A body says how it moves in one way. */
static void check_joint(struct reader *r, const struct spec_node *node)
{
    static const char *const of_states[] = { "position", "velocity", "orientation", "angular_velocity" };
    for (size_t i = 0; i < sizeof of_states / sizeof *of_states; i++)
        if (spec_get(node, of_states[i]))
            spec_error(r->diag, spec_get(node, of_states[i]),
                       "a body with a joint has the states that the joint declares: leave "
                       "this out, or the joint");
}

static void start_body(struct reader *r, const struct spec_node *node, struct model_body *body)
{
    *body = (struct model_body){ .name = node->key,
                                 .path = node->path,
                                 .pos = node->key_pos,
                                 .v = -1,
                                 .rotation = -1,
                                 .parent = -1,
                                 .mass = expr_const(r->g, 0) };
    for (int i = 0; i < 3; i++)
        body->origin[i] = body->velocity[i] = body->spin[i] = body->center[i] = expr_const(r->g, 0);
    for (int i = 0; i < 9; i++) {
        body->R[i] = expr_const(r->g, i % 4 == 0);
        body->inertia[i] = expr_const(r->g, 0);
    }
    shape_check_keys(r->diag, node, &model_body_shape);
}

static void allocate(struct reader *r, const struct spec_node *block)
{
    struct model *m = r->model;
    size_t n_point = 0, n_frame = 0;
    for (int b = 0; b < block->n; b++) {
        const struct spec_node *points = spec_get(block->child[b], "points"),
                               *frames = spec_get(block->child[b], "frames");
        n_point += 1 + (size_t)(points ? points->n : 0);
        n_frame += (size_t)(frames ? frames->n : 0);
    }
    n_point += n_frame;
    m->mechanics.body = arena_alloc(r->mem, (size_t)block->n, sizeof *m->mechanics.body);
    m->mechanics.rotation = arena_alloc(r->mem, (size_t)block->n, sizeof *m->mechanics.rotation);
    m->mechanics.point = arena_alloc(r->mem, n_point, sizeof *m->mechanics.point);
}

/* Where bodies with joints are, whose masses are known. */
static void read_joints(struct reader *r, const struct spec_node *block)
{
    struct model *m = r->model;
    const int *order = joint_order(r);
    bool any = false;
    for (int b = 0; b < block->n; b++) {
        any = any || joint_is_meant(r, b);
        if (joint_is_meant(r, b))
            joint_check_mass(r, block->child[b], &m->mechanics.body[b]);
    }
    if (!any || !m->mechanics.coordinates_known)
        return;
    joint_build_tree(r, order);
    if (!r->tree)
        return;
    joint_name_momentum(r, order);
    joint_name_motors(r, order);
}

static void read_turning(struct reader *r, const struct spec_node *node, int b)
{
    struct model *m = r->model;
    const struct model_joint *joint = &m->mechanics.joint[b];
    if (!joint_is_meant(r, b))
        read_orientation(r, node, &m->mechanics.body[b]);
    else if (joint_has_orientation(joint) && m->mechanics.coordinates_known)
        add_rotation(r, &m->mechanics.body[b], 4, joint->q + joint->n_q - 4, joint->v + joint->n_v - 3);
}

void model_read_bodies(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *block = bodies_block(r);
    allocate(r, block);
    for (m->mechanics.n_body = 0; m->mechanics.n_body < block->n; m->mechanics.n_body++) {
        const int b = m->mechanics.n_body;
        start_body(r, block->child[b], &m->mechanics.body[b]);
        if (joint_is_meant(r, b)) {
            check_joint(r, block->child[b]);
            joint_add_coordinates(r, b);
        } else {
            read_position(r, block->child[b], &m->mechanics.body[b]);
        }
    }
    for (int b = 0; b < block->n; b++)
        read_turning(r, block->child[b], b);
    for (int b = 0; b < block->n; b++)
        read_masses(r, block->child[b], &m->mechanics.body[b], joint_is_meant(r, b));
    read_joints(r, block);
    for (int b = 0; b < block->n; b++)
        reader_body_points(r, block->child[b], b);
    reader_check_orientations(r);
    model_read_loops(r);
}
