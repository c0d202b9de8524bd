/* core/contact/angles.h - directions of slip in space: friction has to be opposite to the slip that it leaves
 *
 * Newton's method on the angles of the directions, derivatives by differences.
 */
#ifndef COCP_CORE_CONTACT_ANGLES_H
#define COCP_CORE_CONTACT_ANGLES_H

#include "core/contact/dense.h"

struct slip {
    double angle;                   /* of the direction: to start from */
    double *d;                      /* [2] its unit vector, which friction is against */
    const double *v_t;              /* [2] the slip that friction leaves: a velocity or an acceleration */
};

/* Finds v_t for the present directions; false where there is none. */
typedef bool angles_find_slip(void *user);

/* Turns the n directions along their v_t; the last call of `find` was with the result. True if what is left of v_t
 * across a direction is at most tol. */
bool angles_solve(struct dense *dense, int n, struct slip *slip, angles_find_slip *find, void *user, double tol);

#endif
