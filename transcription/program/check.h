/* transcription/program/check.h - are the derivatives right? Against central differences along random directions
 *
 *   J d  against central differences of g(w + h d) of fourth order; the gradient and H d likewise (of f +
 *        lambda'g)
 *
 * with random w within the bounds around the guess, random d and random multipliers. A wrong entry shows in the
 * row it stands in; the error of a row is relative to 1 + the size of the row's terms.
 *
 * A function that bends within a step is no mistake. Steps of several sizes tell: the error of a wrong entry
 * stays the same however small they are, that of a kink beside the point vanishes as soon as a step ends before
 * it. With a kink right at the point the slopes on both sides differ, by as much at each step, and the derivative
 * is one of them or lies between. Both are notes, not errors.
 */
#ifndef COCP_TRANSCRIPTION_PROGRAM_CHECK_H
#define COCP_TRANSCRIPTION_PROGRAM_CHECK_H

#include "core/mpcc/mpcc.h"

#define DERIVATIVE_TOL 1e-6         /* central differences are good for about 1e-9 where nothing bends */

enum derivative_of { DERIVATIVE_OF_COST, DERIVATIVE_OF_ROW, DERIVATIVE_OF_LAGRANGIAN };

struct derivative_entry {           /* where something was found */
    enum derivative_of of;
    int index;                      /* a row; of the Lagrangian's gradient a variable */
    int var;                        /* by which it was differentiated; -1: none of them alone */
    double w;                       /* its value there */
    double exact, difference;       /* of the entry */
};

struct derivative_check {
    double jac, grad, hess;         /* largest relative errors, kinks left out */
    int jac_row, hess_var;          /* where; -1: nowhere */
    bool finite;                    /* at every point some step had finite values only */
    struct derivative_entry worst;  /* the entry behind the largest error, if that is above DERIVATIVE_TOL */
    int n_kink;                     /* rows of all points that bend within the largest step */
    struct derivative_entry kink;   /* the first of them */
};

/* n_points random points, a direction each; allocates. */
struct derivative_check derivative_check(const struct nlp *nlp, const double *w0, int n_points, unsigned seed);

#endif
