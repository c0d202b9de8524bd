/* core/output/surfaces.h - where contacts are closed, as lines in the plane of a drawing
 *
 * A gap is a formula of positions and names no place. Where it depends on them through the two coordinates of a
 * point that is drawn, gap(q) = G(point(q)), as far as slopes tell along the motion, its surface is the line G
 * = 0. It is followed from where the gap is smallest, in steps of the point with the least change of positions,
 * and corrected by Newton's method; it ends at the edge of the picture, or where the mechanism does not reach.
 * A circle or a box around the point touches the surface with its edge: there the line is moved by as much,
 * unless the formula has no length that could be a radius, as `gap: z`: then they only mark the point. Of
 * several such points it is the one that a drawn force of the contact is at, or that has the name of the
 * contact, or the outermost.
 *
 * Not found are surfaces that move, those between bodies, and those in space. What a ground of the drawing shows,
 * or the surface of another contact, is left out.
 *
 * Shapes  corner [2 * n]: x, z of one after the other; what is solid is on the right of the line.
 * Units   m.
 */
#ifndef COCP_CORE_OUTPUT_SURFACES_H
#define COCP_CORE_OUTPUT_SURFACES_H

#include "core/model/model.h"

struct surface { const char *name; int n; double *corner; };    /* name: of the contact, borrowed */

struct surface_motion {             /* borrowed */
    const struct model *model;
    const double *p;                /* [n_p] or NULL: the guesses */
    int n_t;
    const double *t, *x, *u;        /* [n_t], [n_t * n_x], [n_t * n_u] */
};

/* How many there are; *out [n] in mem. */
int surfaces_find(const struct surface_motion *motion, struct arena *mem, struct surface **out);

#endif
