/* core/contact/angles.h - directions of slip in space: friction has to be opposite to the slip that it leaves
 *
 * Newton's method on the angles of the directions, derivatives by differences.
 */
#ifndef COCP_CORE_CONTACT_ANGLES_H
#define COCP_CORE_CONTACT_ANGLES_H

#include "core/contact/dense.h"

/* F [n]: what is left of slip across each direction, 0 where they are aligned. False where there is no value. */
typedef bool angles_across(void *user, const double *angle, double *F);

/* Solves F(angle) = 0 from the given angles [n]; the last call of `across` was with the result. True if the
 * largest of |F| is at most tol. */
bool angles_solve(struct dense *dense, int n, angles_across *across, void *user, double tol, double *angle);

#endif
