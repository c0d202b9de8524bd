/* core/robot/pose.h - where a frame is in another one, and what turning and shifting do to inertias
 *
 * Shapes  rotations R and inertias [9] by columns: R[row + 3*col]; R takes a vector of the frame to the one that
 * it is placed in. Quaternions [4] with their scalar first. Units   m, rad, kg, kg m^2.
 */
#ifndef COCP_CORE_ROBOT_POSE_H
#define COCP_CORE_ROBOT_POSE_H

#include <stdbool.h>

struct pose { double R[9], p[3]; };

/* A mass with its centre, and its inertia about that, along the axes of the frame that it is given in. */
struct inertia { double mass, center[3], tensor[9]; };

struct pose pose_identity(void);
struct pose pose_shift(const double p[3]);
/* b, which is placed in a, as seen from where a is. */
struct pose pose_compose(const struct pose *a, const struct pose *b);
struct pose pose_inverse(const struct pose *a);
void pose_apply(const struct pose *a, const double point[3], double out[3]);        /* R point + p */
void pose_rotate(const struct pose *a, const double vector[3], double out[3]);      /* R vector */
bool pose_is_turned(const struct pose *a);                                          /* R is not the unit matrix */

/* R of: turns about the fixed axes x, then y, then z (roll, pitch, yaw); a quaternion of any length but 0; an
 * angle about an axis of any length but 0; the least turn that takes z to a direction. */
void rotation_of_rpy(const double rpy[3], double R[9]);
void rotation_of_quaternion(const double q[4], double R[9]);
void rotation_about(const double axis[3], double angle, double R[9]);
void rotation_of_z(const double z[3], double R[9]);
void rotation_multiply(const double A[9], const double B[9], double out[9]);
/* The quaternion of a rotation, its scalar not negative. */
void rotation_to_quaternion(const double R[9], double q[4]);

/* The same body, seen from the frame that `at` is placed in. */
struct inertia inertia_seen(const struct pose *at, const struct inertia *body);
/* Adds a rigid part; both in the same frame. */
void inertia_add(struct inertia *sum, const struct inertia *part);
/* The principal moments, rising. */
void inertia_moments(const double tensor[9], double moment[3]);

#endif
