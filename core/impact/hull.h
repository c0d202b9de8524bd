/* core/impact/hull.h - the convex hull of points in the plane
 *
 * Points well inside of the extreme ones in eight directions are left out first, the rest is sorted (Andrew's
 * monotone chain). The hull's corners come counterclockwise; points on its edges are no corners.
 */
#ifndef COCP_CORE_IMPACT_HULL_H
#define COCP_CORE_IMPACT_HULL_H

struct hull_point { double x, y; };

/* Reorders the points so that the corners are the first ones, and returns their number (1 for equal points, 2 on a
 * line, 0 of none). Points with a NAN are left out. */
int hull_convex(int n, struct hull_point *point);

#endif
