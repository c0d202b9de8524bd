/* core/model/geometry/ellipse.h - an ellipse and a convex polygon in the plane: gap, normal and arm as
 * expressions
 *
 * Half axes a, b, middle c, turned by phi, R its rotation. Along the normal n of a face it reaches s =
 * |diag(a, b) R'n|, to the place p = c - R diag(a^2, b^2) R'n/s. It faces vertex v_j where its places on both
 * faces lie past their ends,
 *
 *   t_j'(v_j - p_j) < 0  and  t_j+1'(p_j+1 - v_j) < 0:    gap = d(R'(v_j - c)),  n = -R grad d
 *   elsewhere                                             gap = max_j h_j - s_j, n that of the face
 *
 * and the gap is their distance, with a continuous gradient. The distance d of q = (x, y) to the ellipse,
 * negative inside, is that of a place on it, (a^2 x/(t + a^2), b^2 y/(t + b^2)) with the root t of
 *
 *   P(t) = (a x/(t + a^2))^2 + (b y/(t + b^2))^2 = 1:    d = t |g|,  grad d = g/|g|,  g = (x/(t + a^2), y/(t + b^2))
 *
 * by Newton's method for P(t)^(-1/2) = 1, all but linear in t (More and Sorensen, 1983: trust regions), from the
 * place of the ellipse that lies on the line from its middle. Its steps are part of the expression, and its
 * derivatives are theirs: ELLIPSE_STEPS of them leave rounding where it touches; and up to distances of 10 b
 * where a < 2.5 b, 2e-8 b where a < 5 b.
 *
 * Units   m, rad.
 * Not for points near the middle of the ellipse: there no place of it is the nearest.
 */
#ifndef COCP_CORE_MODEL_GEOMETRY_ELLIPSE_H
#define COCP_CORE_MODEL_GEOMETRY_ELLIPSE_H

#include "core/model/geometry/polygon.h"

enum { ELLIPSE_STEPS = 4 };

/* Signed distance of the place q [2], in the axes of the ellipse, and its gradient: grad [2]. axes [2]: a, b. */
expr ellipse_distance(struct expr_graph *g, const expr *axes, const expr *q, expr *grad);

/* n [2] points out of the polygon, arm [2] from the middle to where they touch. */
struct ellipse_gap { expr gap, n[2], arm[2]; };

/* corner [polygon_n_corner of a round one]: as polygon_gap has them, with its patches. */
struct ellipse_gap ellipse_on_polygon(struct expr_graph *g, const struct polygon *polygon, const expr *axes,
                                      const expr *middle, expr angle, expr *corner);

#endif
