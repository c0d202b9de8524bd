/* core/model/rotation.h - orientations as expressions: unit quaternions (n = 4) and rotation vectors (n = 3)
 *
 *   quaternion q = (q0, q1, q2, q3), the scalar first    a vector p of the body is q p q* in the world
 *     q' = q (0, w) / 2                                  R is quadratic in q: |q|^2 times a rotation
 *   rotation vector r, |r| < 2 pi: angle times axis      q = (cos |r|/2, sin(|r|/2) r/|r|)
 *     r' = w + r x w / 2 + c r x (r x w),                c = (1 - |r|/2 cot(|r|/2)) / |r|^2
 *
 * q' keeps |q|, and R' = R [w]x whatever |q| is: where integration drifts, bodies are scaled and
 * nothing else happens. Functions of |r| are power series in |r|^2, exact to rounding up to 2 pi, as
 * roots have no derivative at 0.
 * Shapes  q [n]; R [9] by columns; w [3] angular velocity in the frame of the body.
 */
#ifndef COCP_CORE_MODEL_ROTATION_H
#define COCP_CORE_MODEL_ROTATION_H

#include "core/expression/expr.h"

void rotation_matrix(struct expr_graph *g, int n, const expr *q, expr *R);
void rotation_rates(struct expr_graph *g, int n, const expr *q, const expr *w, expr *rate);

/* Angle times axis of R, the angle from 0 to pi: f (R32 - R23, R13 - R31, R21 - R12)/2,  f = angle/sin(angle), a
 * power series in y = (1 - cos(angle))/2 = (3 - tr R)/4 near 0, from the arc cosine elsewhere. Half a turn has two
 * of them: there it jumps, and is no more than a number. */
void rotation_vector(struct expr_graph *g, const expr *R, expr *out);

/* out = a x b; R p; R'n. */
void rotation_cross(struct expr_graph *g, const expr *a, const expr *b, expr *out);
void rotation_apply(struct expr_graph *g, const expr *R, const expr *p, expr *out);
void rotation_undo(struct expr_graph *g, const expr *R, const expr *n, expr *out);

#endif
