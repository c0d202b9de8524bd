/* core/robot/mjcf_bodies.c - the tree of an MJCF: bodies, their joints, inertias, sites
 *
 * A body of an MJCF moves by its joints one after the other, each about an anchor of its own and from a reference
 * of its own: place(q) = pos, quat * product of  shift(anchor) turn(axis, q - ref) shift(-anchor) Each joint
 * becomes a body whose frame is at the anchor, and q is that of MuJoCo. Where the frame of the last one is not
 * that of the MJCF's body, this is fixed on it and keeps its name.
 */
#include "core/robot/mjcf.h"

#include <math.h>
#include <string.h>

static void read_content(struct mjcf *m, const struct xml_element *element, const struct mjcf_place *place,
                         struct inertia *sum);

/* --- Joints -------------------------------------------------------------------------------------------------- */

static enum robot_joint_type joint_type(struct mjcf *m, const struct xml_element *element, const char *class)
{
    static const char *const word[] = { "hinge", "slide", "ball", "free", NULL };
    static const enum robot_joint_type type[] = { ROBOT_CONTINUOUS, ROBOT_PRISMATIC, ROBOT_BALL, ROBOT_FREE };
    bool own;
    const char *given = mjcf_get(m, element, class, "type", &own);
    if (strcmp(element->name, "freejoint") == 0)
        return ROBOT_FREE;
    for (int k = 0; given && word[k]; k++)
        if (strcmp(given, word[k]) == 0)
            return type[k];
    if (given)
        robot_error(m->r, element->pos, "joint type \"%.40s\": expected hinge, slide, ball or free", given);
    return ROBOT_CONTINUOUS;
}

static void read_range(struct mjcf *m, const struct xml_element *element, const char *class,
                       struct robot_joint *joint)
{
    double range[2] = { 0 };
    const bool is_angle = joint->type != ROBOT_PRISMATIC;
    if (!mjcf_is_limited(m, element, class, "limited", "range")
        || mjcf_numbers(m, element, class, "range", 2, 2, range) != 2)
        return;
    if (joint->type == ROBOT_BALL) {
        robot_warn(m->r, element->pos, "the range of a ball joint is not taken");
        return;
    }
    if (!(range[0] < range[1])) {
        robot_error(m->r, element->pos, "range: the lower end must be below the upper one");
        return;
    }
    joint->lower = is_angle ? mjcf_angle(m, range[0]) : range[0];
    joint->upper = is_angle ? mjcf_angle(m, range[1]) : range[1];
    if (joint->type == ROBOT_CONTINUOUS)
        joint->type = ROBOT_REVOLUTE;
}

/* A number that must not be negative; of several, which are powers, only the first is taken. */
static void read_size(struct mjcf *m, const struct xml_element *element, const char *class, const char *name,
                      double *out)
{
    double value[3] = { 0 };
    if (mjcf_numbers(m, element, class, name, 1, 3, value) < 1)
        return;
    if (value[1] != 0 || value[2] != 0)
        robot_warn(m->r, element->pos, "%s: of the numbers only the first, linear one is taken", name);
    if (value[0] < 0)
        robot_error(m->r, element->pos, "%s must be 0 or more", name);
    *out = value[0];
}

/* *ref is where the file has its body as it stands there. */
static void read_passive(struct mjcf *m, const struct xml_element *element, const char *class,
                         struct robot_joint *joint, double *ref)
{
    read_size(m, element, class, "damping", &joint->damping);
    read_size(m, element, class, "frictionloss", &joint->friction);
    read_size(m, element, class, "armature", &joint->armature);
    read_size(m, element, class, "stiffness", &joint->stiffness);
    mjcf_number(m, element, class, "springref", &joint->rest);
    mjcf_number(m, element, class, "ref", ref);
    if (!robot_joint_has_axis(joint->type)) {
        if (joint->friction > 0 || joint->armature > 0 || joint->stiffness > 0)
            robot_warn(m->r, element->pos, "frictionloss, armature and stiffness of %s joints are not taken",
                       robot_joint_word(joint->type));
        joint->friction = joint->armature = joint->stiffness = joint->rest = *ref = 0;
    } else if (joint->type != ROBOT_PRISMATIC) {
        joint->rest = mjcf_angle(m, joint->rest);
        *ref = mjcf_angle(m, *ref);
    }
    if (mjcf_is_limited(m, element, class, "actuatorfrclimited", "actuatorfrcrange"))
        mjcf_numbers(m, element, class, "actuatorfrcrange", 2, 2, joint->effort);
}

/* The body of a joint, at `before` on *parent; both become those of what comes next. Its number; -1 after an
 * error. */
static int add_joint(struct mjcf *m, const struct xml_element *element, const char *class, const char *body_name,
                     int number, int *parent, struct pose *before)
{
    const char *name = xml_get(element, "name");
    struct robot_body *body = robot_add_body(
        m->r,
        name ? arena_printf(m->r->mem, "%s_link", name) : arena_printf(m->r->mem, "%s_%d", body_name, number),
        element->pos);
    const bool is_freejoint = strcmp(element->name, "freejoint") == 0;
    double anchor[3] = { 0 }, ref = 0;
    if (!body)
        return -1;
    struct robot_joint *joint = &body->joint;
    joint->name = name;
    joint->type = joint_type(m, element, class);
    joint->axis[0] = 0;
    joint->axis[2] = 1;
    if (!is_freejoint && mjcf_numbers(m, element, class, "axis", 3, 3, joint->axis) == 3
        && joint->type != ROBOT_BALL && joint->type != ROBOT_FREE)
        robot_unit(m->r, element->pos, joint->axis);
    if (!is_freejoint && joint->type != ROBOT_FREE) {
        read_range(m, element, class, joint);
        mjcf_numbers(m, element, class, "pos", 3, 3, anchor);
    }
    if (!is_freejoint)
        read_passive(m, element, class, joint, &ref);
    joint->reference = ref;

    struct pose back = pose_identity();
    for (int i = 0; i < 3; i++)
        anchor[i] = joint->type == ROBOT_PRISMATIC ? ref * joint->axis[i] : anchor[i];
    const double opposite[3] = { -anchor[0], -anchor[1], -anchor[2] };
    const struct pose to = pose_shift(anchor), from = pose_shift(opposite);
    if (robot_joint_has_axis(joint->type) && joint->type != ROBOT_PRISMATIC)
        rotation_about(joint->axis, -ref, back.R);
    body->at = joint->type == ROBOT_PRISMATIC ? *before : pose_compose(before, &to);
    body->parent = *parent;
    *before = pose_compose(&back, &from);
    *parent = m->r->robot->n_body - 1;
    return *parent;
}

static bool is_nowhere(const struct pose *at)
{
    return !pose_is_turned(at) && at->p[0] == 0 && at->p[1] == 0 && at->p[2] == 0;
}

/* The bodies of all joints and, where it is none of theirs, that of the body itself; its number, -1 after an
 * error. */
static int add_body(struct mjcf *m, const struct xml_element *element, const struct mjcf_place *place)
{
    struct pose at = mjcf_pose(m, element, &(struct mjcf_place){ place->body, NULL, place->at });
    const char *name = xml_get(element, "name");
    int parent = place->body, last = -1, number = 0;
    if (!name)
        name = arena_printf(m->r->mem, "body%d", ++m->n_unnamed);
    for (const struct xml_element *child = element->first; child; child = child->next)
        if (strcmp(child->name, "joint") == 0 || strcmp(child->name, "freejoint") == 0) {
            last = add_joint(m, child, place->class, name, ++number, &parent, &at);
            if (last < 0)
                return -1;
            if (m->r->robot->body[last].joint.type == ROBOT_FREE && place->body >= 0)
                robot_error(m->r, child->pos, "a free joint must be on the world");
        }
    if (last >= 0 && is_nowhere(&at)) {
        m->r->robot->body[last].name = name;
        return last;
    }
    struct robot_body *body = robot_add_body(m->r, name, element->pos);
    if (!body)
        return -1;
    body->parent = parent;
    body->at = at;
    return m->r->robot->n_body - 1;
}

/* --- Inertias ------------------------------------------------------------------------------------------------ */

static struct inertia read_inertial(struct mjcf *m, const struct xml_element *inertial)
{
    static const int row[] = { 0, 1, 2, 0, 0, 1 }, col[] = { 0, 1, 2, 1, 2, 2 };
    const struct mjcf_place place = { -1, NULL, pose_identity() };
    struct inertia own = { .mass = 0 };
    const struct pose at = mjcf_pose(m, inertial, &place);
    double entry[6] = { 0 };
    if (robot_need(m->r, inertial, "mass"))
        robot_number(m->r, inertial, "mass", &own.mass);
    if (robot_numbers(m->r, inertial, "fullinertia", 6, 6, entry) == 0)
        robot_numbers(m->r, inertial, "diaginertia", 3, 3, entry);
    for (int k = 0; k < 6; k++)
        own.tensor[row[k] + 3 * col[k]] = own.tensor[col[k] + 3 * row[k]] = entry[k];
    robot_check_inertia(m->r, inertial->pos, &own);
    return inertia_seen(&at, &own);
}

/* <compiler>: least values, and moments that violate the triangle inequality become their mean. */
static void correct_inertia(struct mjcf *m, struct inertia *inertia)
{
    double moment[3];
    inertia_moments(inertia->tensor, moment);
    if (inertia->mass < m->least_mass)
        inertia->mass = m->least_mass;
    if (m->balance && moment[0] + moment[1] < moment[2])
        for (int i = 0; i < 9; i++)
            inertia->tensor[i] = i % 4 == 0 ? (moment[0] + moment[1] + moment[2]) / 3 : 0;
    for (int i = 0; i < 3; i++)
        inertia->tensor[4 * i] += fmax(0, m->least_inertia - moment[0]);
}

static void read_body(struct mjcf *m, const struct xml_element *element, const struct mjcf_place *place)
{
    const struct xml_element *inertial = xml_child(element, "inertial");
    const char *class = xml_get(element, "childclass");
    struct mjcf_place own = { -1, class ? class : place->class, pose_identity() };
    const bool by_geoms = m->from_geoms == MJCF_ALWAYS || (m->from_geoms == MJCF_WHERE_MISSING && !inertial);
    struct inertia sum = { .mass = 0 };
    own.body = add_body(m, element, &(struct mjcf_place){ place->body, own.class, place->at });
    if (own.body < 0)
        return;
    read_content(m, element, &own, by_geoms ? &sum : NULL);
    if (!by_geoms && inertial)
        sum = read_inertial(m, inertial);
    correct_inertia(m, &sum);
    m->r->robot->body[own.body].inertia = sum;
}

/* --- What is in a body --------------------------------------------------------------------------------------- */

static void read_site(struct mjcf *m, const struct xml_element *site, const struct mjcf_place *place)
{
    const char *name = xml_get(site, "name");
    if (!name || place->body < 0)
        return;
    const struct pose at = mjcf_pose(m, site, place);
    robot_add_frame(m->r, name, site->pos, place->body)->at = at;
}

static void read_frame(struct mjcf *m, const struct xml_element *frame, const struct mjcf_place *place,
                       struct inertia *sum)
{
    const char *class = xml_get(frame, "childclass");
    const struct mjcf_place inner = { place->body, class ? class : place->class, mjcf_pose(m, frame, place) };
    read_content(m, frame, &inner, sum);
}

static void read_content(struct mjcf *m, const struct xml_element *element, const struct mjcf_place *place,
                         struct inertia *sum)
{
    static const char *const untaken[] = { "composite", "flexcomp", "replicate", "attach", "plugin" };
    for (const struct xml_element *child = element->first; child && !robot_gives_up(m->r); child = child->next) {
        if (strcmp(child->name, "body") == 0)
            read_body(m, child, place);
        else if (strcmp(child->name, "geom") == 0)
            mjcf_read_geom(m, child, place, sum);
        else if (strcmp(child->name, "site") == 0)
            read_site(m, child, place);
        else if (strcmp(child->name, "frame") == 0)
            read_frame(m, child, place, sum);
        for (size_t k = 0; k < sizeof untaken / sizeof *untaken; k++)
            if (strcmp(child->name, untaken[k]) == 0)
                robot_warn(m->r, child->pos, "<%s> is not taken", child->name);
    }
}

void mjcf_read_world(struct mjcf *m, const struct xml_element *world)
{
    const char *class = xml_get(world, "childclass");
    const struct mjcf_place place = { -1, class, pose_identity() };
    read_content(m, world, &place, NULL);
}
