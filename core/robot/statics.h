/* core/robot/statics.h - torques and forces of feet that hold a robot at rest
 *
 * Of a robot that has been lumped. With f_k the force of the ground on foot k, J_k the motion of that foot per
 * motion of the freedoms (Murray, Li and Sastry, A Mathematical Introduction to Robotic Manipulation, 1994, 6.5):
 *
 *   tau + springs + weights + sum of J_k' f_k = 0,      tau = 0 where nothing drives,
 *   f_k = sum of lambda_ki d_i,      lambda_ki >= 0,    d_i eight edges of the friction cone (four in a search),
 *
 * and of all such forces those with the least |tau|^2 + a little |lambda|^2, tau in m g L, forces in m g. Where no
 * forces do, those that leave least where nothing drives.
 *
 * Units  N, N m; L is the robot's size. Errors  none.
 */
#ifndef COCP_CORE_ROBOT_STATICS_H
#define COCP_CORE_ROBOT_STATICS_H

#include "core/robot/robot.h"

/* A foot: where it touches, in the world, and its coefficient of friction. */
struct robot_touch {
    int body;
    double at[3], friction;
};

struct robot_statics;

/* For up to n_touch feet, and a robot whose joints keep their types. */
struct robot_statics *robot_statics_create(const struct robot *robot, int n_touch);
void robot_statics_free(struct robot_statics *statics);

/* At a posture: q [n_body] of joints with an axis, place [n_body] of the bodies. force [3*n_touch] along the axes
 * of the world; torque [n_body] of the joints that something drives, 0 of the others. Returns the largest force
 * (as a share of m g) or torque (of m g L) that is left where nothing drives. `exact`: with eight edges, and what
 * is left brought to rounding where it can be. */
double robot_hold(struct robot_statics *statics, const double *q, const struct pose *place, int n_touch,
                  const struct robot_touch *touch, bool exact, double *force, double *torque);

/* m g (N) and L (m) */
double robot_weight(const struct robot_statics *statics);
double robot_size(const struct robot_statics *statics);

#endif
