/* core/contact/directions.h - directions of slip in space: friction has to be opposite to the slip that it leaves
 *
 * Newton's method on the directions, unit vectors of n_t components that turn along n_t - 1 axes across them;
 * derivatives by differences.
 */
#ifndef COCP_CORE_CONTACT_DIRECTIONS_H
#define COCP_CORE_CONTACT_DIRECTIONS_H

#include "core/base/slip.h"
#include "core/contact/dense.h"

/* Directions to start from: along what is given, and turned in the plane of the first two axes by quarters. */
enum { DIRECTION_STARTS = 4 };

struct slip {
    int n_t;                        /* 2 .. SLIP_MAX */
    double axis[SLIP_MAX][SLIP_MAX];            /* [n_t] orthonormal: the direction, then those across it */
    double *d;                      /* [SLIP_MAX] the direction, which friction is against */
    const double *v_t;              /* [SLIP_MAX] the slip that friction leaves: a velocity or an acceleration */
};

/* Orthonormal axes of n_t components, the first along v, or along the first component where v is 0 or n_t is 1. */
void slip_axes(int n_t, const double *v, double (*axis)[SLIP_MAX]);

/* A slip to start from. */
struct slip slip_start(int n_t, const double *along, int start, double *d, const double *v_t);

/* Finds v_t for the present directions; false where there is none. */
typedef bool directions_find_slip(void *user);

/* Turns the n directions towards what friction leaves, v_t, again and again: projected gradients of the
 * power that it takes, with momentum. They come near the directions of slip, never those against it, from
 * anywhere. False where `find` is. */
bool directions_relax(int n, struct slip *slip, directions_find_slip *find, void *user);

/* Turns the n directions along their v_t; the last call of `find` was with the result. True if what is left of v_t
 * across a direction is at most tol. */
bool directions_solve(struct dense *dense, int n, struct slip *slip, directions_find_slip *find, void *user,
                      double tol);

#endif
