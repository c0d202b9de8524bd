/* core/nlp/convex.h - is a program a convex quadratic one, whose local solutions are all as good as each other?
 *
 *   min 1/2 w'Hw + c'w,  lb <= A w <= ub,  H positive semidefinite
 *
 * judged by its derivatives at a point and three beside it: A and H are the same at each, the Hessian of the
 * constraints is 0, and a factorization of H with a small shift of its diagonal has no negative eigenvalue
 * (core/kkt). Of variables that are fixed nothing is asked. A convex cost that is not quadratic is not recognized.
 */
#ifndef COCP_CORE_NLP_CONVEX_H
#define COCP_CORE_NLP_CONVEX_H

#include "core/nlp/nlp.h"

/* w [n_w]: a point where derivatives are finite; the others are beside it. */
bool nlp_is_convex(const struct nlp *nlp, const double *w);

#endif
