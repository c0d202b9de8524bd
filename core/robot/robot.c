/* core/robot/robot.c - looking things up in a robot */
#include "core/robot/robot.h"

#include <stdlib.h>
#include <string.h>

const char *robot_joint_word(enum robot_joint_type type)
{
    switch (type) {
    case ROBOT_FIXED:      return "fixed";
    case ROBOT_REVOLUTE:   return "revolute";
    case ROBOT_CONTINUOUS: return "continuous";
    case ROBOT_PRISMATIC:  return "prismatic";
    case ROBOT_FREE:       return "free";
    case ROBOT_PLANAR:     return "planar";
    case ROBOT_BALL:       return "ball";
    }
    return "";
}

bool robot_joint_has_axis(enum robot_joint_type type)
{
    return type == ROBOT_REVOLUTE || type == ROBOT_CONTINUOUS || type == ROBOT_PRISMATIC;
}

struct pose robot_joint_motion(const struct robot_joint *joint, double position)
{
    struct pose motion = pose_identity();
    for (int i = 0; i < 3 && joint->type == ROBOT_PRISMATIC; i++)
        motion.p[i] = position * joint->axis[i];
    if (joint->type == ROBOT_REVOLUTE || joint->type == ROBOT_CONTINUOUS)
        rotation_about(joint->axis, position, motion.R);
    return motion;
}

int robot_find_joint(const struct robot *robot, const char *name)
{
    for (int b = 0; b < robot->n_body; b++)
        if (robot->body[b].joint.name && strcmp(robot->body[b].joint.name, name) == 0)
            return b;
    return -1;
}

void robot_free(struct robot *robot)
{
    if (!robot)
        return;
    free(robot->body);
    free(robot->frame);
    free(robot->shape);
    free(robot->loop);
    arena_free(&robot->mem);
    free(robot);
}

const char *const robot_base_words[] = { "floating", "fixed", "planar", NULL };

bool robot_base_type(const char *word, enum robot_joint_type *type)
{
    static const enum robot_joint_type types[] = { ROBOT_FREE, ROBOT_FIXED, ROBOT_PLANAR };
    int k = 0;
    while (robot_base_words[k] && strcmp(word, robot_base_words[k]) != 0)
        k++;
    if (!robot_base_words[k])
        return false;
    *type = types[k];
    return true;
}

int robot_root(const struct robot *robot, int *n_root)
{
    int root = -1;
    *n_root = 0;
    for (int b = robot->n_body - 1; b >= 0; b--)
        if (robot->body[b].parent < 0) {
            root = b;
            ++*n_root;
        }
    return root;
}
