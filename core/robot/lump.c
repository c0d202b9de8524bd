/* core/robot/lump.c - fewer bodies: those that do not move on their parents become part of them */
#include "core/robot/robot.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* Where each body went: the body that it is part of now, and where it is in that. */
struct place { int body; struct pose at; };

static void add_frame_of(struct robot *robot, const struct robot_body *body, const struct place *place)
{
    robot->frame = mem_grow(robot->frame, robot->n_frame, 1, sizeof *robot->frame);
    robot->frame[robot->n_frame++] = (struct robot_frame){ body->name, body->pos, place->body, place->at };
}

/* Frames and shapes that are on a body that went elsewhere. The first n frames; the others have their places. */
static void move_parts(struct robot *robot, int n_frame, const struct place *place)
{
    for (int i = 0; i < n_frame; i++) {
        struct robot_frame *frame = &robot->frame[i];
        frame->at = pose_compose(&place[frame->body].at, &frame->at);
        frame->body = place[frame->body].body;
    }
    for (int i = 0; i < robot->n_shape; i++) {
        struct robot_shape *shape = &robot->shape[i];
        if (shape->body < 0)
            continue;
        shape->at = pose_compose(&place[shape->body].at, &shape->at);
        shape->body = place[shape->body].body;
    }
}

void robot_lump(struct robot *robot)
{
    struct place *place = mem_alloc((size_t)robot->n_body, sizeof *place);
    const int n_frame = robot->n_frame;
    int n = 0;
    for (int k = 0; k < robot->n_shape; k++)
        if (!robot->shape[k].link && robot->shape[k].body >= 0)
            robot->shape[k].link = robot->body[robot->shape[k].body].name;
    for (int b = 0; b < robot->n_body; b++) {
        struct robot_body body = robot->body[b];
        if (body.parent >= 0) {
            const struct place *below = &place[body.parent];
            body.at = pose_compose(&below->at, &body.at);
            body.parent = below->body;
        }
        if (body.joint.type == ROBOT_FREE && body.parent >= 0
            && robot->body[body.parent].joint.type == ROBOT_FIXED) {
            body.at = pose_compose(&robot->body[body.parent].at, &body.at);
            body.parent = -1;
        }
        if (body.joint.type == ROBOT_FIXED && body.parent >= 0) {
            const struct inertia seen = inertia_seen(&body.at, &body.inertia);
            place[b] = (struct place){ body.parent, body.at };
            inertia_add(&robot->body[body.parent].inertia, &seen);
            add_frame_of(robot, &body, &place[b]);
        } else {
            place[b] = (struct place){ n, pose_identity() };
            robot->body[n++] = body;
        }
    }
    move_parts(robot, n_frame, place);
    for (int b = 0; b < n; b++)
        if (robot->body[b].joint.mimic >= 0)
            robot->body[b].joint.mimic = place[robot->body[b].joint.mimic].body;
    robot->n_body = n;
    free(place);
}

/* What follows it is locked with it. */
void robot_lock(struct robot *robot, int b, double position)
{
    struct robot_joint *joint = &robot->body[b].joint;
    const struct pose motion = robot_joint_motion(joint, position);
    robot->body[b].at = pose_compose(&robot->body[b].at, &motion);
    joint->type = ROBOT_FIXED;
    joint->mimic = -1;
    for (int k = 0; k < robot->n_body; k++)
        if (robot->body[k].joint.mimic == b)
            robot_lock(robot, k, robot->body[k].joint.ratio * position + robot->body[k].joint.offset);
}
