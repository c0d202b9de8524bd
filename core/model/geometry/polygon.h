/* core/model/geometry/polygon.h - convex polygons in the plane, and the signed distance to one as an expression
 *
 * A polygon is a row of faces that turn to the right, the solid on their right. Its ends are rays; a closed one
 * has none, and its last face meets its first. Face j has a point a_j, the unit tangent t_j and the unit normal
 * n_j, t_j turned to the left; vertex j lies where face j ends. With the heights h_j = n_j'(c - a_j) the
 * distance is (Voronoi regions)
 *
 *   |c - v_j|     where t_j'(c - v_j) > 0 and t_j+1'(c - v_j) < 0: c faces the vertex
 *   max_j h_j     elsewhere: the face that c faces; inside, where it is negative, the nearest
 *
 * Outside, the gradient is continuous but at vertices, where the distance is 0. For points, whose gap is the
 * distance itself, the maximum is enough: 0 on the polygon and nowhere else, and regular at vertices.
 */
#ifndef COCP_CORE_MODEL_GEOMETRY_POLYGON_H
#define COCP_CORE_MODEL_GEOMETRY_POLYGON_H

#include "core/expression/expr.h"

struct polygon_face { double a[2], t[2]; };     /* a: where it starts; of a ray that comes from afar, where it ends */

struct polygon {
    int n_face;
    struct polygon_face *face;      /* [n_face] */
    bool closed;
};

int polygon_n_vertex(const struct polygon *polygon);
/* Where face j ends: v [2]. */
void polygon_vertex(const struct polygon *polygon, int j, double *v);
/* Plain numbers: the exact distance of c [2]. */
double polygon_distance(const struct polygon *polygon, const double *c);

/* How many functions polygon_gap lists. */
int polygon_n_corner(const struct polygon *polygon, bool is_round);
/* The distance of the point c [2], for a disc around it if is_round, else what a point needs. corner
 * [polygon_n_corner]: functions of c whose signs say what it faces, as sides (expr_side) in the result: on the
 * polygon, or on a disc that touches it, they change with the vertex and the face that is touched. */
expr polygon_gap(struct expr_graph *g, const struct polygon *polygon, bool is_round, const expr *c, expr *corner);

/* Patches: what a disc around c touches, or the point c; for discs faces and vertices in turn, for points faces
 * alone. sign [n_patch * n_corner] says on which side of each corner function c is on each of them, 1 or -1; 0:
 * that does not matter. Two patches are beside each other where one function has opposite signs: it is 0 where
 * one goes over into the other. */
int polygon_n_patch(const struct polygon *polygon, bool is_round);
void polygon_patches(const struct polygon *polygon, bool is_round, signed char *sign);

#endif
