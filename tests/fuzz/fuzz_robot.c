/* tests/fuzz/fuzz_robot.c - hostile files of robots: mistakes are reported, and what is read is a tree of bodies */
#define _POSIX_C_SOURCE 200809L

#include "core/robot/stance.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static void check_robot(const struct robot *robot)
{
    require(robot->n_body > 0);
    for (int b = 0; b < robot->n_body; b++) {
        const struct robot_body *body = &robot->body[b];
        require(body->name && body->parent >= -1 && body->parent < b);
        require(body->joint.mimic >= -1 && body->joint.mimic < robot->n_body && body->joint.mimic != b);
        require(!(body->joint.lower > body->joint.upper) && body->inertia.mass >= 0);
    }
    for (int k = 0; k < robot->n_frame; k++)
        require(robot->frame[k].name && robot->frame[k].body >= 0 && robot->frame[k].body < robot->n_body);
    for (int k = 0; k < robot->n_shape; k++)
        require(robot->shape[k].body >= -1 && robot->shape[k].body < robot->n_body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diag *diag = diag_create();
    struct robot *robot = NULL;
    FILE *in = size ? fmemopen((void *)data, size, "r") : NULL;      /* is only read */
    if (in) {
        const enum status st = robot_read_stream(in, "robot.xml", &robot, diag);
        require((st == STATUS_OK) == (diag_n_errors(diag) == 0) && (st == STATUS_OK) == (robot != NULL));
        fclose(in);
    }
    if (robot) {
        check_robot(robot);
        for (int b = 0; b < robot->n_body; b += 3)
            if (robot_joint_has_axis(robot->body[b].joint.type))
                robot_lock(robot, b, 0.1);
        robot_lump(robot);
        check_robot(robot);
        struct robot_stance stance = robot_stand(robot);
        for (int k = 0; k < stance.n_foot; k++)
            require(stance.foot[k].body >= 0 && stance.foot[k].body < robot->n_body);
        robot_stance_free(&stance);
    }
    robot_free(robot);
    diag_free(diag);
    return 0;
}
