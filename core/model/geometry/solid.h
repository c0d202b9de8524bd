/* core/model/geometry/solid.h - spheres, capsules, boxes, plates and planes in space: gaps, normals as expressions
 *
 *   sphere    the places within `radius` of its middle
 *   capsule   those within `radius` of a segment along its z axis, from -half[2] to half[2]
 *   box       |x| <= half[0], |y| <= half[1], |z| <= half[2]
 *   plate     the rectangle |x| <= half[0], |y| <= half[1], z = 0, from either side
 *   plane     all below z = 0
 *
 * With a place p on the core of one, its middle or its segment, the nearest place c of the core of the other and
 * the normal n = (p - c)/|p - c|, which points from b to a,  gap = |p - c| - radius_a - radius_b.  Nearest places
 * are found by clipping, on boxes and plates along each axis. A sphere whose middle is in a box is nearest to the
 * face that is least deep. Of two segments, d between their middles, a and b their axes (Ericson, Real-Time
 * Collision Detection, 2005, 5.1.9):
 *
 *   s = clip((k b'd - b'b a'd)/(a'a b'b - k^2 + e a'a b'b)),  k = a'b,   t = clip((b'd + k s)/b'b),
 *   then once more s = clip((k t - a'd)/a'a)
 *
 * where e = SOLID_PARALLEL bounds how fast the places slide along segments that become parallel. It makes gaps too
 * large, by e half[2]^2/(8 |p - c|) at most: 5e-8 m for half lengths of 0.2 m, 0.1 m apart.
 *
 * Everything else is exact. Gradients are continuous but for the inside of boxes and where a nearest place jumps,
 * as of parallel segments that tilt. Where clipping begins or ends curvatures jump. Closer than 1e-10 m to a
 * middle, an axis or a rectangle the distance is taken for constant: finite, without a slope.
 *
 * Shapes  R [9] by columns, those of R the axes of the solid in the world; n, place [3] in the world.
 * Units   m.
 */
#ifndef COCP_CORE_MODEL_GEOMETRY_SOLID_H
#define COCP_CORE_MODEL_GEOMETRY_SOLID_H

#include "core/expression/expr.h"

#define SOLID_PARALLEL 1e-6

enum solid_kind { SOLID_SPHERE, SOLID_CAPSULE, SOLID_BOX, SOLID_PLATE, SOLID_PLANE };

struct solid {
    enum solid_kind kind;
    expr at[3], R[9];
    expr radius, half[3];           /* 0 where it has none */
};

/* n points from b to a; place is where they touch, where they do. */
struct solid_gap { expr gap, n[3], place[3]; };

/* What may touch: a sphere everything; a capsule a sphere, a capsule, a plane; a box a sphere, a plane. A capsule
 * has two gaps with a plane, of its ends, a box eight, of its corners. Their number; 0: there is no such pair. */
enum { SOLID_MOST_GAPS = 8 };
int solid_gaps(struct expr_graph *g, const struct solid *a, const struct solid *b, struct solid_gap *out);

#endif
