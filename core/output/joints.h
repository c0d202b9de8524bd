/* core/output/joints.h - the motion of a robot's joints as tables, out of a result and of the model of its spec
 *
 * Joints come depth first, branches in the order of the spec's bodies: that of the robot's file, of MJCF that of
 * MuJoCo, but for bodies that the spec names itself, which come first among those on the same parent. The columns
 * of a joint are in MuJoCo's order and meaning, too (its documentation, "Computation", free joints): of a free one
 * the place in the world, then the quaternion, scalar first; velocities along the axes of the world, then the
 * angular velocity along the axes of the body; of a ball the quaternion, and the angular velocity along the axes
 * of the body.
 *
 * Shapes  q [n_t * n_q], v, a [n_t * n_v], tau [n_t * n_tau], rows over the times of /uniform.
 * Units   m, rad, s, N, N m. Errors  STATUS_IO: the result has no trajectory, or its spec no joints that move, or
 * times in another unit than s.
 */
#ifndef COCP_CORE_OUTPUT_JOINTS_H
#define COCP_CORE_OUTPUT_JOINTS_H

#include "core/model/model.h"
#include "core/results/results.h"

struct joint_motion {
    struct arena mem;
    int n_t, n_q, n_v, n_tau;
    const double *t;
    const char **q_name, **v_name, **tau_name; /* of states and controls of the spec */
    double *q, *v, *tau;
    double *a;   /* of finished solutions and simulations; NULL: not known */
    int n_joint; /* those with one axis */
    const char **joint_name;
    int *joint_q, *joint_v, *joint_tau; /* [n_joint] columns; of those without a drive -1 */
    bool *follows;                      /* [n_joint] another joint */
};

/* `name` is the result's, for messages. joint_motion_free afterwards, whatever came back. */
enum status joint_motion_read(const struct result *result, const struct model *model, const char *name,
                              struct joint_motion *out, struct diag *diag);
void joint_motion_free(struct joint_motion *motion);

#endif
