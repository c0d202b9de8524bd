/* core/model/kinematics.h - q' = N(q) v: rates of positions, and what velocities do to functions of positions
 *
 * Of coordinates N is the unit matrix; orientations have more positions than velocities (rotation.h). Everybody who
 * derives by positions on the way to a velocity or a force takes it from here.
 * With closed loops rates are those of P v, and forces act by P J (mechanics/loop_motion.c).
 * Shapes  w [n_q]; rates [n_position]; J [n_q] = N' de/dq, so that e' = J'v for e(q).
 */
#ifndef COCP_CORE_MODEL_KINEMATICS_H
#define COCP_CORE_MODEL_KINEMATICS_H

#include "core/model/parts/model.h"

/* (de/dq) q' + de/dt of an expression of positions, velocities and time: its rate where velocities stand still. */
expr kinematics_rate(const struct model *model, expr e);
/* J = N' de/dq. */
void kinematics_gradient(const struct model *model, expr e, expr *J);
/* de/dq [n_position]. */
void kinematics_slope(const struct model *model, expr e, expr *slope);
/* P w: velocities w without what would open closed loops, or a column J without what loops hold; out may be w. */
void kinematics_keep_loops(const struct model *model, const expr *w, expr *out);
/* N w: the rates of the positions at the velocities w. */
void kinematics_along(const struct model *model, const expr *w, expr *rate);

/* The degree of freedom of velocity i in words: its position, or the angular velocity itself. */
const char *kinematics_name(const struct model *model, int i);

/* Does the body turn, by its orientation or by joints? */
bool kinematics_turns(const struct model *model, const struct model_body *body);

/* Gives orientations by quaternions their unit length again; a zero one stays. Then closes the loops. */
void kinematics_normalize(const struct model *model, double *x);

#endif
