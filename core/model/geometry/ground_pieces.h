/* core/model/geometry/ground_pieces.h - a ground in the plane as a union of convex polygons
 *
 * Free space is where no polygon is, so that a contact with the ground is one with each of them; in a corner that
 * points into the ground two of them are touched at once.
 *
 * A ground is a polyline whose ends go on straight, the solid on its right (below, from left to right), or a
 * convex polygon, closed. A polyline goes on in some direction, e: no segment goes back. It is cut where it
 * turns to the left. What is left of it between two cuts turns to the right; its first and last face are
 * prolonged into the ground: to infinity, or, where the line on which a face lies comes out of the ground
 * again, half-way to there, and from there on down at right angles to e. That is convex, within the ground, and
 * all of them together are the ground.
 */
#ifndef COCP_CORE_MODEL_GEOMETRY_GROUND_PIECES_H
#define COCP_CORE_MODEL_GEOMETRY_GROUND_PIECES_H

#include "core/base/arena.h"
#include "core/model/geometry/polygon.h"

struct ground_pieces {
    int n;
    struct polygon *piece;          /* [n] in the order of the polyline */
    int n_vertex;                   /* corners of the ground that point out of it, */
    double *vertex;                 /* [2 * n_vertex] */
};

enum ground_fault {
    GROUND_FINE,
    GROUND_REPEATS,                 /* corner k is the one before it */
    GROUND_FOLDS,                   /* at corner k the line turns back on itself */
    GROUND_GOES_BACK,               /* no direction in which the polyline goes on */
    GROUND_POINTS_INWARD            /* corner k of a closed one does */
};

/* at [2 n], n >= 2, of a closed ground n >= 3 in either sense; out is in mem, *k the corner of a fault. */
enum ground_fault ground_cut(struct arena *mem, int n, const double *at, bool closed, struct ground_pieces *out,
                             int *k);

#endif
