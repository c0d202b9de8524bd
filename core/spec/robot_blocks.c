#include "core/spec/robot_blocks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct making {
    struct spec *spec;
    struct srcpos pos;                          /* in the robot's file: where the entries that are made come from */
};

bool robot_literal(const struct spec_node *node, double *out)
{
    char *end = NULL;
    if (node->kind != SPEC_SCALAR || !*node->text)
        return false;
    *out = strtod(node->text, &end);
    return !*end && isfinite(*out);
}

void robot_start_lump(struct robot *robot, struct robot_start *start)
{
    int n = 0;
    for (int b = 0; b < robot->n_body; b++)
        if (robot->body[b].joint.type != ROBOT_FIXED || robot->body[b].parent < 0)
            start->posture[n++] = start->posture[b];
    robot_lump(robot);
}

/* Robots go, and trees keep their places. */
static void go_to(struct making *k, struct srcpos pos)
{
    const char *file = strcmp(pos.file, k->pos.file) == 0 ? k->pos.file : arena_copy_text(&k->spec->mem, pos.file);
    k->pos = (struct srcpos){ file, pos.line, pos.col };
}

/* --- Nodes --------------------------------------------------------------------------------------------------- */

static struct spec_node *put(struct making *k, struct spec_node *parent, const char *key, enum spec_kind kind)
{
    struct spec_node *node = tree_node(k->spec, kind, k->pos, tree_path(k->spec, parent->path, key));
    node->key = parent->kind == SPEC_MAPPING ? key : NULL;
    node->key_pos = k->pos;
    node->is_made = true;
    tree_add(k->spec, parent, node);
    return node;
}

/* The mapping at a key, made where it is not there. */
static struct spec_node *open_mapping(struct making *k, struct spec_node *parent, const char *key)
{
    struct spec_node *node = (struct spec_node *)spec_get(parent, key);
    if (node && node->kind == SPEC_NULL)
        node->kind = SPEC_MAPPING;
    return node && node->kind == SPEC_MAPPING ? node : put(k, parent, key, SPEC_MAPPING);
}

static void put_text(struct making *k, struct spec_node *parent, const char *key, const char *text)
{
    put(k, parent, key, SPEC_SCALAR)->text = text;
}

/* The shortest text that reads as the same number. */
static void put_number(struct making *k, struct spec_node *parent, const char *key, double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, value == 0 ? 0 : value);
        if (strtod(text, NULL) == value)
            break;
    }
    put_text(k, parent, key, arena_copy_text(&k->spec->mem, text));
}

static void put_unless(struct making *k, struct spec_node *parent, const char *key, double value, double usual)
{
    if (isfinite(value) && value != usual)
        put_number(k, parent, key, value);
}

static void put_numbers(struct making *k, struct spec_node *parent, const char *key, int n, const double *value)
{
    static const char *const index[] = { "0", "1", "2", "3" };
    struct spec_node *list = put(k, parent, key, SPEC_SEQUENCE);
    for (int i = 0; i < n; i++)
        put_number(k, list, index[i], value[i]);
}

static void put_place(struct making *k, struct spec_node *parent, const struct pose *at)
{
    double q[4];
    if (at->p[0] != 0 || at->p[1] != 0 || at->p[2] != 0)
        put_numbers(k, parent, "at", 3, at->p);
    if (pose_is_turned(at)) {
        rotation_to_quaternion(at->R, q);
        put_numbers(k, parent, "turn", 4, q);
    }
}

/* --- Joints -------------------------------------------------------------------------------------------------- */

static void put_mimic(struct making *k, struct spec_node *parent, const struct robot_joint *joint, const char *of)
{
    struct spec_node *mimic = put(k, parent, "mimic", SPEC_MAPPING);
    put_text(k, mimic, "joint", of);
    put_unless(k, mimic, "ratio", joint->ratio, 1);
    put_unless(k, mimic, "offset", joint->offset, 0);
}

/* One end without a bound is open. */
static void put_limits(struct making *k, struct spec_node *parent, const struct robot_joint *joint)
{
    struct spec_node *list;
    if (joint->type == ROBOT_CONTINUOUS || (isinf(joint->lower) && isinf(joint->upper)))
        return;
    list = put(k, parent, "limits", SPEC_SEQUENCE);
    if (isinf(joint->lower))
        put_text(k, list, "0", "-inf");
    else
        put_number(k, list, "0", joint->lower);
    if (isinf(joint->upper))
        put_text(k, list, "1", "inf");
    else
        put_number(k, list, "1", joint->upper);
}

static void put_axis_joint(struct making *k, struct spec_node *node, const struct robot_joint *joint,
                           const struct robot_names *names)
{
    put_numbers(k, node, "axis", 3, joint->axis);
    put_limits(k, node, joint);
    if (joint->mimic < 0)
        put_unless(k, node, "speed", joint->speed, 0);
    put_unless(k, node, "friction", joint->friction, 0);
    put_unless(k, node, "armature", joint->armature, 0);
    put_unless(k, node, "stiffness", joint->stiffness, 0);
    if (joint->stiffness > 0)
        put_unless(k, node, "rest", joint->rest, 0);
    if (joint->mimic >= 0) {
        put_mimic(k, node, joint, names->joint[joint->mimic]);
    } else if (joint->has_actuator) {
        put_text(k, node, "actuate", "true");
        if (joint->effort[0] == -joint->effort[1])
            put_unless(k, node, "effort", joint->effort[1], 0);
    }
}

/* The reduction of a gear is of use to a spec that has the inertia of the rotor. */
static void put_reduction(struct making *k, struct spec_node *node, const struct robot_joint *joint,
                          const char *body)
{
    const struct spec_node *own = spec_get(spec_get(k->spec->root, "bodies"), body);
    if (isfinite(joint->reduction) && spec_get(spec_get(own, "joint"), "rotor_inertia"))
        put_number(k, node, "reduction", joint->reduction);
}

static void put_joint(struct making *k, struct spec_node *body_node, const struct robot *robot, int b,
                      const struct robot_names *names, const struct pose *at)
{
    const struct robot_joint *joint = &robot->body[b].joint;
    struct spec_node *node = open_mapping(k, body_node, "joint");
    if (joint->name)
        put_text(k, node, "name", names->joint[b]);
    put_text(k, node, "type", robot_joint_word(joint->type));
    if (joint->type != ROBOT_FREE)
        put_place(k, node, at);
    if (robot_joint_has_axis(joint->type))
        put_axis_joint(k, node, joint, names);
    put_reduction(k, node, joint, names->body[b]);
    if (joint->type != ROBOT_FIXED)
        put_unless(k, node, "damping", joint->damping, 0);
}

/* --- Bodies -------------------------------------------------------------------------------------------------- */

static void put_inertia(struct making *k, struct spec_node *node, const struct inertia *inertia)
{
    static const char *const index[] = { "0", "1", "2" };
    const double *t = inertia->tensor, diagonal[3] = { t[0], t[4], t[8] };
    const bool is_diagonal = t[1] == 0 && t[2] == 0 && t[5] == 0;
    if (inertia->mass != 0)
        put_number(k, node, "mass", inertia->mass);
    if (inertia->mass != 0 && (inertia->center[0] != 0 || inertia->center[1] != 0 || inertia->center[2] != 0))
        put_numbers(k, node, "center", 3, inertia->center);
    if (is_diagonal && (t[0] != 0 || t[4] != 0 || t[8] != 0))
        put_numbers(k, node, "inertia", 3, diagonal);
    if (is_diagonal)
        return;
    struct spec_node *rows = put(k, node, "inertia", SPEC_SEQUENCE);
    for (int i = 0; i < 3; i++) {
        double row[3];
        for (int j = 0; j < 3; j++) /* of one triangle: sums of products are symmetric up to rounding only */
            row[j] = i > j ? t[i + 3 * j] : t[j + 3 * i];
        put_numbers(k, rows, index[i], 3, row);
    }
}

static void put_body(struct making *k, struct spec_node *bodies, const struct robot *robot, int b,
                     const struct robot_names *names, const struct pose *at)
{
    const struct robot_body *body = &robot->body[b];
    go_to(k, body->pos);
    struct spec_node *node = open_mapping(k, bodies, names->body[b]);
    if (body->parent >= 0)
        put_text(k, node, "parent", names->body[body->parent]);
    go_to(k, body->joint.pos);
    put_joint(k, node, robot, b, names, at);
    go_to(k, body->pos);
    put_inertia(k, node, &body->inertia);
    for (int f = 0; f < robot->n_frame; f++) {
        if (robot->frame[f].body != b)
            continue;
        go_to(k, robot->frame[f].pos);
        struct spec_node *frames = open_mapping(k, node, "frames");
        put_place(k, put(k, frames, names->frame[f], SPEC_MAPPING), &robot->frame[f].at);
    }
}

/* --- Shapes -------------------------------------------------------------------------------------------------- */

bool robot_shape_is_taken(const struct robot_shape *shape)
{
    return shape->collides && shape->body >= 0
           && (shape->type == ROBOT_SPHERE || shape->type == ROBOT_CAPSULE || shape->type == ROBOT_CYLINDER
               || shape->type == ROBOT_BOX);
}

static void put_shape(struct making *k, struct spec_node *shapes, const struct robot_shape *shape, const char *name,
                      const char *frame)
{
    go_to(k, shape->pos);
    struct spec_node *node = open_mapping(k, shapes, name);
    const double round[] = { shape->radius, 2 * shape->half[2] };
    const double sides[] = { 2 * shape->half[0], 2 * shape->half[1], 2 * shape->half[2] };
    put_text(k, node, "frame", frame);
    put_place(k, node, &shape->at);
    if (shape->type == ROBOT_SPHERE)
        put_number(k, node, "sphere", shape->radius);
    else if (shape->type == ROBOT_BOX)
        put_numbers(k, node, "box", 3, sides);
    else
        put_numbers(k, node, "capsule", 2, round);
}

/* --- States and controls ------------------------------------------------------------------------------------- */

static void put_initial(struct making *k, struct spec_node *states, const char *joint, const char *part,
                        double value)
{
    struct spec_node *state = open_mapping(k, states, arena_printf(&k->spec->mem, "%s_%s", joint, part));
    put_number(k, state, "initial", value);
}

/* A free root starts where it is put; a planar one moves in the plane that it is put into. */
static void put_free_start(struct making *k, struct spec_node *states, const char *name, const struct pose *at)
{
    static const char *const position[] = { "x", "y", "z" }, *const orientation[] = { "q0", "q1", "q2", "q3" };
    double q[4];
    rotation_to_quaternion(at->R, q);
    for (int i = 0; i < 3; i++)
        if (at->p[i] != 0)
            put_initial(k, states, name, position[i], at->p[i]);
    for (int i = 0; i < 4 && pose_is_turned(at); i++)
        put_initial(k, states, name, orientation[i], q[i]);
}

/* Where the frame of a root is on the world. Of a planar one x and z are where it starts, and only the rest is
 * left. */
static struct pose put_root_start(struct making *k, struct spec_node *states, const struct robot_body *body,
                                  const char *name, const struct pose *place)
{
    struct pose at = pose_compose(place, &body->at);
    go_to(k, body->joint.pos);
    if (body->joint.type == ROBOT_FREE)
        put_free_start(k, states, name, &at);
    if (body->joint.type != ROBOT_PLANAR || pose_is_turned(&at))
        return at;
    if (at.p[0] != 0)
        put_initial(k, states, name, "x", at.p[0]);
    if (at.p[2] != 0)
        put_initial(k, states, name, "z", at.p[2]);
    at.p[0] = at.p[2] = 0;
    return at;
}

static void put_control(struct making *k, struct spec_node *controls, const struct robot_joint *joint,
                        const char *name)
{
    struct spec_node *control = open_mapping(k, controls, arena_printf(&k->spec->mem, "%s_tau", name));
    struct spec_node *bounds = put(k, control, "bounds", SPEC_SEQUENCE);
    for (int i = 0; i < 2; i++)
        if (isinf(joint->effort[i]))
            put_text(k, bounds, i ? "1" : "0", i ? "inf" : "-inf");
        else
            put_number(k, bounds, i ? "1" : "0", joint->effort[i]);
}

static bool has_uneven_effort(const struct robot_joint *joint)
{
    return joint->has_actuator && joint->mimic < 0 && robot_joint_has_axis(joint->type)
           && joint->effort[0] != -joint->effort[1];
}

static void put_gravity(struct making *k, struct spec_node *own, const struct robot *robot)
{
    static const double usual[3] = { 0, 0, -9.81 };
    if (isnan(robot->gravity[0]) || memcmp(robot->gravity, usual, sizeof usual) == 0)
        return;
    go_to(k, (struct srcpos){ robot->file, 1, 1 });
    put_numbers(k, own, "gravity", 3, robot->gravity);
}

/* Points of the world move with the place of the robot. */
static void put_loop(struct making *k, struct spec_node *loops, const struct robot_loop *loop, const char *name,
                     const struct robot_names *names, const struct pose *place)
{
    go_to(k, loop->pos);
    struct spec_node *node = open_mapping(k, loops, name);
    const struct pose world = pose_compose(place, &loop->at);
    put_text(k, node, "a", names->frame[loop->a]);
    if (loop->b >= 0)
        put_text(k, node, "b", names->frame[loop->b]);
    else
        put_numbers(k, node, "b", 3, world.p);
    if (loop->weld)
        put_text(k, node, "weld", "true");
}

void robot_put_blocks(struct spec *spec, const struct robot *robot, const struct robot_names *names,
                      const struct robot_start *start)
{
    struct making k = { .spec = spec, .pos = { arena_copy_text(&spec->mem, robot->file), 1, 1 } };
    struct spec_node *own = tree_node(spec, SPEC_MAPPING, k.pos, "");
    struct spec_node *bodies = open_mapping(&k, own, "bodies"), *states = open_mapping(&k, own, "states");
    struct spec_node *controls = open_mapping(&k, own, "controls");
    for (int l = 0; l < robot->n_loop; l++)
        put_loop(&k, open_mapping(&k, own, "loops"), &robot->loop[l], names->loop[l], names, &start->place);
    for (int b = 0; b < robot->n_body && !tree_is_full(spec); b++) {
        const struct robot_joint *joint = &robot->body[b].joint;
        struct pose place = robot->body[b].at;
        if (robot->body[b].parent < 0)
            place = put_root_start(&k, states, &robot->body[b], names->joint[b], &start->place);
        put_body(&k, bodies, robot, b, names, &place);
        go_to(&k, joint->pos);
        if (has_uneven_effort(joint))
            put_control(&k, controls, joint, names->joint[b]);
        if (start->posture[b] && robot_joint_has_axis(joint->type)) {
            struct spec_node *state = open_mapping(&k, states, names->joint[b]);
            k.pos = start->posture[b]->pos;
            put_text(&k, state, "initial", start->posture[b]->text);
        }
    }
    struct spec_node *shapes = open_mapping(&k, own, "shapes");
    for (int s = 0; s < robot->n_shape && !tree_is_full(spec); s++)
        if (start->has_shape[s])
            put_shape(&k, shapes, &robot->shape[s], names->shape[s], names->body[robot->shape[s].body]);
    put_gravity(&k, own, robot);
    for (int i = 0; i < own->n; i++)
        if (own->child[i]->n == 0)
            own->child[i]->kind = SPEC_NULL;
    tree_merge(spec, spec->root, own);
}
