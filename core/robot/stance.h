/* core/robot/stance.h - a posture that a robot can stand in, and the points that it stands on
 *
 * Of a robot that has been lumped. Feet are points of the collision shapes at the ends of the tree that are lowest
 * there; ends without shapes have their frames. Where the root is fixed there are none.
 *
 *   minimize  (100 |heights of the feet - their mean|/L)^2 + (|mean of the feet - centre of mass|/L)^2 in x and y
 *             + (0.25 |torques that hold it|/(m g L))^2 + (100 what they leave)^2 + (0.1 |q - q_middle|)^2
 *
 * within the limits of the joints (core/robot/statics.h says what holds it, m g and L). q_middle is 0, or a
 * quarter of the way into the limits where 0 is not between them: a knee is bent, not folded, and not straight
 * either, where torques would be least. Then feet are brought to one height. q is rounded, so that what is printed
 * is what stands.
 */
#ifndef COCP_CORE_ROBOT_STANCE_H
#define COCP_CORE_ROBOT_STANCE_H

#include "core/robot/robot.h"

struct robot_foot {
    int body;
    int frame;       /* of the robot, which is there; -1: none */
    double at[3];    /* in the body: the centre of a ball */
    double radius;   /* of the ball; 0: a point */
    double friction; /* NAN: the file says none */
};

struct robot_stance {
    int n_foot;
    struct robot_foot *foot; /* [n_foot] */
    double *q;               /* [n_body] of joints with an axis, the others 0 */
    double lowest;           /* z of the lowest foot where the file has the root; 0 without feet */
    double *force;           /* [3 * n_foot] N: of the ground on the feet, along x, y and z; NULL, and torques and
                              * `left` are 0, of more than 64 feet: what holds these is not looked for */
    double *torque;          /* [n_body] N m or N: of the joints that something drives */
    double weight, size;     /* N: m g; m: L/2 */
    double left;             /* what these leave: share of the weight, or of that times L */
};

/* Of feet whose file says none. */
static const double robot_usual_friction = 0.7;

struct robot_stance robot_stand(const struct robot *robot);
void robot_stance_free(struct robot_stance *stance);

/* Where all bodies are at q; a root that floats is where the file has it. place [n_body] */
void robot_place(const struct robot *robot, const double *q, struct pose *place);

#endif
