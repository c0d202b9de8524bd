/* core/robot/urdf.c - links and joints of a URDF
 *
 * As wiki.ros.org/urdf/XML describes the format. A link's frame is that of the joint that carries it, so that a
 * link becomes a body as it stands; its inertial frame may be turned.
 */
#include "core/robot/reader.h"

#include "core/base/dictionary.h"
#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct urdf {
    struct robot_reader *r;
    int n_link, n_joint;
    struct xml_element **link, **joint;         /* [n_link], [n_joint] of the file */
    struct dictionary link_number;
    int *parent, *child;                        /* [n_joint] numbers of links, -1 where there is none */
    int *carrier;                               /* [n_link] the joint that carries it; -1: the root */
    int *body;                                  /* [n_link] its body; -1: not reached */
};

static struct pose read_origin(struct urdf *u, const struct xml_element *owner)
{
    const struct xml_element *origin = xml_child(owner, "origin");
    struct pose at = pose_identity();
    double rpy[3] = { 0 };
    if (!origin)
        return at;
    robot_numbers(u->r, origin, "xyz", 3, 3, at.p);
    if (robot_numbers(u->r, origin, "rpy", 3, 3, rpy) == 3)
        rotation_of_rpy(rpy, at.R);
    return at;
}

/* --- Links --------------------------------------------------------------------------------------------------- */

static void read_inertial(struct urdf *u, const struct xml_element *link, struct robot_body *body)
{
    static const char *const entry[] = { "ixx", "ixy", "ixz", "iyy", "iyz", "izz" };
    static const int row[] = { 0, 0, 0, 1, 1, 2 }, col[] = { 0, 1, 2, 1, 2, 2 };
    const struct xml_element *inertial = xml_child(link, "inertial");
    const struct xml_element *mass = xml_child(inertial, "mass"), *moments = xml_child(inertial, "inertia");
    struct inertia own = { .mass = 0 };
    if (!inertial)
        return;
    if (!mass)
        robot_error(u->r, inertial->pos, "<inertial> lacks its <mass>");
    else if (robot_need(u->r, mass, "value"))
        robot_number(u->r, mass, "value", &own.mass);
    for (int k = 0; moments && k < 6; k++) {
        robot_number(u->r, moments, entry[k], &own.tensor[row[k] + 3 * col[k]]);
        own.tensor[col[k] + 3 * row[k]] = own.tensor[row[k] + 3 * col[k]];
    }
    robot_check_inertia(u->r, moments ? moments->pos : inertial->pos, &own);
    const struct pose at = read_origin(u, inertial);
    body->inertia = inertia_seen(&at, &own);
}

static void read_shape(struct urdf *u, const struct xml_element *owner, int body)
{
    const struct xml_element *geometry = xml_child(owner, "geometry"), *form = geometry ? geometry->first : NULL;
    static const char *const word[] = { "sphere", "capsule", "cylinder", "box", "mesh", NULL };
    static const enum robot_shape_type type[] = { ROBOT_SPHERE, ROBOT_CAPSULE, ROBOT_CYLINDER, ROBOT_BOX,
                                                  ROBOT_MESH };
    int k = 0;
    while (form && word[k] && strcmp(form->name, word[k]) != 0)
        k++;
    if (!form || !word[k])
        return;
    struct robot_shape *shape = robot_add_shape(u->r, xml_get(owner, "name"), form->pos, body);
    double length = 0, size[3] = { 0 };
    shape->type = type[k];
    shape->collides = strcmp(owner->name, "collision") == 0;
    shape->at = read_origin(u, owner);
    shape->mesh = xml_get(form, "filename");
    robot_number(u->r, form, "radius", &shape->radius);
    robot_number(u->r, form, "length", &length);
    robot_numbers(u->r, form, "size", 3, 3, size);
    for (int i = 0; i < 3; i++)
        shape->half[i] = size[i] / 2;
    if (shape->type != ROBOT_BOX)
        shape->half[2] = length / 2;
}

static void read_link(struct urdf *u, const struct xml_element *link, int b)
{
    read_inertial(u, link, &u->r->robot->body[b]);
    for (const struct xml_element *child = link->first; child; child = child->next)
        if (strcmp(child->name, "collision") == 0 || strcmp(child->name, "visual") == 0)
            read_shape(u, child, b);
}

/* --- Joints -------------------------------------------------------------------------------------------------- */

static enum robot_joint_type joint_type(struct urdf *u, const struct xml_element *joint)
{
    static const char *const word[] = {
        "fixed", "revolute", "continuous", "prismatic", "floating", "planar", NULL
    };
    static const enum robot_joint_type type[] = { ROBOT_FIXED,     ROBOT_REVOLUTE, ROBOT_CONTINUOUS,
                                                  ROBOT_PRISMATIC, ROBOT_FREE,     ROBOT_PLANAR };
    const char *given = robot_need(u->r, joint, "type");
    for (int k = 0; given && word[k]; k++)
        if (strcmp(given, word[k]) == 0)
            return type[k];
    if (given)
        robot_error(u->r, joint->pos,
                    "joint type \"%.40s\": expected revolute, continuous, prismatic, fixed, floating or "
                    "planar",
                    given);
    return ROBOT_FIXED;
}

/* A largest speed or effort of 0 is what many files say where nobody knew it. */
static void read_limits(struct urdf *u, const struct xml_element *element, struct robot_joint *joint)
{
    const struct xml_element *limit = xml_child(element, "limit");
    double lower = 0, upper = 0, speed = 0, effort = INFINITY;
    joint->has_actuator = true;
    if (!limit)
        return;
    robot_limit(u->r, limit, "lower", &lower);
    robot_limit(u->r, limit, "upper", &upper);
    if (joint->type != ROBOT_CONTINUOUS && lower < upper) {
        joint->lower = lower;
        joint->upper = upper;
    } else if (joint->type != ROBOT_CONTINUOUS) {
        robot_warn(u->r, limit->pos, "limits whose lower end is not below the upper one are not taken");
    }
    if (robot_limit(u->r, limit, "velocity", &speed) && speed > 0)
        joint->speed = speed;
    else
        robot_warn(u->r, limit->pos, "a largest velocity that is not above 0 is not taken");
    if (robot_limit(u->r, limit, "effort", &effort) && !(effort > 0)) {
        robot_warn(u->r, limit->pos,
                   "joints whose largest effort is not above 0 get no control, unless `actuate` names them");
        joint->has_actuator = false;
        effort = INFINITY;
    }
    joint->effort[0] = -effort;
    joint->effort[1] = effort;
}

static void read_dynamics(struct urdf *u, const struct xml_element *element, struct robot_joint *joint)
{
    const struct xml_element *dynamics = xml_child(element, "dynamics");
    if (!dynamics)
        return;
    robot_number(u->r, dynamics, "damping", &joint->damping);
    robot_number(u->r, dynamics, "friction", &joint->friction);
    if (joint->damping < 0 || joint->friction < 0)
        robot_error(u->r, dynamics->pos, "damping and friction must be 0 or more");
}

static void read_joint(struct urdf *u, const struct xml_element *element, struct robot_body *body)
{
    struct robot_joint *joint = &body->joint;
    const struct xml_element *axis = xml_child(element, "axis");
    joint->name = xml_get(element, "name");
    joint->pos = element->pos;
    joint->type = joint_type(u, element);
    body->at = read_origin(u, element);
    if (axis && joint->type != ROBOT_FIXED && joint->type != ROBOT_FREE
        && robot_numbers(u->r, axis, "xyz", 3, 3, joint->axis) == 3)
        robot_unit(u->r, axis->pos, joint->axis);
    if (!robot_joint_has_axis(joint->type))
        return;
    read_limits(u, element, joint);
    read_dynamics(u, element, joint);
}

/* Once all bodies are known. */
static void read_mimic(struct urdf *u, const struct xml_element *element, struct robot_body *body)
{
    const struct xml_element *mimic = xml_child(element, "mimic");
    const char *name = mimic ? robot_need(u->r, mimic, "joint") : NULL;
    if (!name || !robot_joint_has_axis(body->joint.type))
        return;
    const int b = robot_find_joint(u->r->robot, name);
    if (b < 0) {
        robot_warn(u->r, mimic->pos, "there is no joint \"%.60s\" to mimic: this one moves alone", name);
        return;
    }
    body->joint.mimic = b;
    body->joint.has_actuator = false;
    robot_number(u->r, mimic, "multiplier", &body->joint.ratio);
    robot_number(u->r, mimic, "offset", &body->joint.offset);
}

/* --- The tree ------------------------------------------------------------------------------------------------ */

static void collect(struct urdf *u, const struct xml_element *root)
{
    for (struct xml_element *child = root->first; child; child = child->next) {
        if (strcmp(child->name, "link") == 0) {
            const char *name = robot_need(u->r, child, "name");
            if (name && !dictionary_add(&u->link_number, name, u->n_link))
                robot_error(u->r, child->pos, "there is a link \"%.60s\" already", name);
            u->link = mem_grow(u->link, u->n_link, 1, sizeof *u->link);
            u->link[u->n_link++] = child;
        } else if (strcmp(child->name, "joint") == 0) {
            robot_need(u->r, child, "name");
            u->joint = mem_grow(u->joint, u->n_joint, 1, sizeof *u->joint);
            u->joint[u->n_joint++] = child;
        } else if (strncmp(child->name, "xacro:", 6) == 0) {
            robot_error(u->r, child->pos, "this is a xacro file; it becomes URDF by: xacro FILE > robot.urdf");
        }
    }
}

static int link_of(struct urdf *u, const struct xml_element *joint, const char *end)
{
    const struct xml_element *element = xml_child(joint, end);
    const char *name = element ? robot_need(u->r, element, "link") : NULL;
    if (!element)
        robot_error(u->r, joint->pos, "the joint lacks its <%s>", end);
    const int k = name ? dictionary_find(&u->link_number, name) : -1;
    if (name && k < 0)
        robot_error(u->r, element->pos, "there is no link \"%.60s\"", name);
    return k;
}

static void connect(struct urdf *u)
{
    u->parent = mem_alloc((size_t)u->n_joint, sizeof *u->parent);
    u->child = mem_alloc((size_t)u->n_joint, sizeof *u->child);
    u->carrier = mem_alloc((size_t)u->n_link, sizeof *u->carrier);
    u->body = mem_alloc((size_t)u->n_link, sizeof *u->body);
    for (int k = 0; k < u->n_link; k++)
        u->carrier[k] = u->body[k] = -1;
    for (int j = 0; j < u->n_joint && !robot_gives_up(u->r); j++) {
        u->parent[j] = link_of(u, u->joint[j], "parent");
        u->child[j] = link_of(u, u->joint[j], "child");
        if (u->child[j] >= 0 && u->carrier[u->child[j]] >= 0)
            robot_error(u->r, u->joint[j]->pos, "link \"%.60s\" is the child of two joints: loops are not read",
                        xml_get(u->link[u->child[j]], "name"));
        else if (u->child[j] >= 0)
            u->carrier[u->child[j]] = j;
    }
}

static int find_root(struct urdf *u, struct srcpos pos)
{
    int root = -1;
    for (int k = 0; k < u->n_link; k++) {
        if (u->carrier[k] >= 0)
            continue;
        if (root >= 0) {
            robot_error(u->r, u->link[k]->pos,
                        "link \"%.60s\" is on no joint, and neither is \"%.60s\": there is one root",
                        xml_get(u->link[k], "name"), xml_get(u->link[root], "name"));
            return -1;
        }
        root = k;
    }
    if (root < 0)
        robot_error(u->r, pos, u->n_link ? "every link is the child of a joint: they go round in a circle"
                                         : "the robot has no links");
    return root;
}

/* Planar joints move in the plane of x and z of their frame. One about another axis gets a body of its own without
 * mass, whose y points along that; the link is fixed on it. NULL after an error. */
static struct robot_body *turn_planar(struct urdf *u, struct robot_body *body)
{
    static const double y[3] = { 0, 1, 0 };
    struct pose turn = pose_identity();
    double to_z[9], y_to_z[9];
    const struct robot_body link = *body;
    if (memcmp(link.joint.axis, y, sizeof y) == 0)
        return body;
    rotation_of_z(link.joint.axis, to_z);
    rotation_of_z(y, y_to_z);
    const struct pose back = { .R = { y_to_z[0], y_to_z[3], y_to_z[6], y_to_z[1], y_to_z[4], y_to_z[7], y_to_z[2],
                                      y_to_z[5], y_to_z[8] } };
    rotation_multiply(to_z, back.R, turn.R);
    body->at = pose_compose(&link.at, &turn);
    body->name = arena_printf(u->r->mem, "%s_plane", link.name);
    struct robot_body *on = robot_add_body(u->r, link.name, link.pos);
    if (on) {
        on->parent = u->r->robot->n_body - 2;
        on->at = pose_inverse(&turn);
    }
    return on;
}

/* A link and, depth first, all that is on it: a stack of links takes the place of calls. */
static void add_bodies(struct urdf *u, int root)
{
    int *stack = mem_alloc((size_t)u->n_link, sizeof *stack), n = 0;
    stack[n++] = root;
    while (n > 0 && !robot_gives_up(u->r)) {
        const int link = stack[--n], joint = u->carrier[link];
        struct robot_body *body = robot_add_body(u->r, xml_get(u->link[link], "name"), u->link[link]->pos);
        if (!body)
            break;
        if (joint >= 0) {
            body->parent = u->body[u->parent[joint]];
            read_joint(u, u->joint[joint], body);
            if (body->joint.type == ROBOT_PLANAR && !turn_planar(u, body))
                break;
        }
        u->body[link] = u->r->robot->n_body - 1;
        read_link(u, u->link[link], u->body[link]);
        for (int j = u->n_joint - 1; j >= 0; j--) /* the first joint of the file comes off the stack first */
            if (u->parent[j] == link && u->child[j] != root)
                stack[n++] = u->child[j];
    }
    free(stack);
}

static void check_reached(struct urdf *u)
{
    for (int k = 0; k < u->n_link && !robot_gives_up(u->r); k++)
        if (u->body[k] < 0)
            robot_error(u->r, u->joint[u->carrier[k]]->pos,
                        "link \"%.60s\" does not hang on the root: its joints go round in a "
                        "circle",
                        xml_get(u->link[k], "name"));
}

/* Motors turn faster than joints by their reduction. */
static void read_transmissions(struct urdf *u, const struct xml_element *root)
{
    for (const struct xml_element *each = xml_child(root, "transmission"); each; each = xml_next(each)) {
        const struct xml_element *joint = xml_child(each, "joint"), *actuator = xml_child(each, "actuator");
        const struct xml_element *reduction = xml_child(actuator, "mechanicalReduction");
        const char *name = joint ? xml_get(joint, "name") : NULL;
        if (!reduction)
            reduction = xml_child(joint, "mechanicalReduction");
        if (!reduction)
            reduction = xml_child(each, "mechanicalReduction");
        const int b = name ? robot_find_joint(u->r->robot, name) : -1;
        if (b < 0)
            robot_warn(u->r, each->pos, "a transmission without a joint of the file is not taken");
        else if (reduction && reduction->text)
            robot_numbers_of(u->r, reduction->pos, "mechanicalReduction", reduction->text, true, 1, 1,
                             &u->r->robot->body[b].joint.reduction);
    }
}

static void build(struct urdf *u, struct xml_element *root)
{
    connect(u);
    const int first = u->r->st == STATUS_OK ? find_root(u, root->pos) : -1;
    if (first < 0)
        return;
    add_bodies(u, first);
    check_reached(u);
    for (int k = 0; k < u->n_link; k++)
        if (u->body[k] >= 0 && u->carrier[k] >= 0)
            read_mimic(u, u->joint[u->carrier[k]], &u->r->robot->body[u->body[k]]);
    robot_follow_mimics(u->r);
    read_transmissions(u, root);
}

void robot_read_urdf(struct robot_reader *r, struct xml_element *root)
{
    struct urdf u = { .r = r };
    collect(&u, root);
    if (r->st == STATUS_OK)
        build(&u, root);
    dictionary_free(&u.link_number);
    free(u.link);
    free(u.joint);
    free(u.parent);
    free(u.child);
    free(u.carrier);
    free(u.body);
}
