/* transcription/program/check.h - are the derivatives right? Against central differences along random directions
 *
 *   J d  against central differences of g(w + eps d) of fourth order; the gradient and H d likewise (of f + lambda'g)
 *
 * with random w within the bounds around the guess, random d and random multipliers. A wrong entry shows in the row
 * it stands in; the error of a row is relative to 1 + the size of the row's terms.
 */
#ifndef COCP_TRANSCRIPTION_PROGRAM_CHECK_H
#define COCP_TRANSCRIPTION_PROGRAM_CHECK_H

#include "core/mpcc/mpcc.h"

struct derivative_check {
    double jac, grad, hess;         /* largest relative errors */
    int jac_row, hess_var;          /* where; -1: nowhere */
    bool finite;                    /* every callback gave finite values */
};

/* n_points random points, a few directions each; allocates. */
struct derivative_check derivative_check(const struct nlp *nlp, const double *w0, int n_points, unsigned seed);

#endif
