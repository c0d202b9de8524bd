/* core/nlp/scaled.h - a program in units of its own sizes
 *
 *   w = S w~,  g~ = R^-1 g,  f~ = f / phi        S, R diagonal
 *
 * What is solved is (f~, g~) in w~; points and multipliers come in and go out in the units of the program:
 * lambda = phi R^-1 lambda~, z = phi S^-1 z~. Sizes are powers of two, so that nothing is rounded on the way.
 *
 * Sizes  those of some variables are known. A row is as large as the largest of its terms, |dg_i/dw_j| S_j; a
 *        variable of unknown size is the largest that leaves the rows that it is in as they are; phi is the
 *        largest |df/dw_j| S_j or |d2f/dw_j^2| S_j^2. They change with the units of the program as they have to,
 *        if the known ones do.
 */
#ifndef COCP_CORE_NLP_SCALED_H
#define COCP_CORE_NLP_SCALED_H

#include "core/base/arena.h"
#include "core/nlp/nlp.h"

/* known [n_w]: NAN where it is not. In mem. NULL: derivatives at w are not finite. */
const struct nlp_sizes *nlp_sizes_create(const struct nlp *nlp, const double *w, const double *known,
                                         struct arena *mem);

struct scaled;

/* nlp has sizes; it is borrowed, and its bounds are read now. */
struct scaled *scaled_create(const struct nlp *nlp);
void scaled_free(struct scaled *scaled);
const struct nlp *scaled_nlp(const struct scaled *scaled);

/* point in units of the program, in units of its sizes and back. */
void scaled_enter(const struct scaled *scaled, struct nlp_point *point);
void scaled_leave(const struct scaled *scaled, struct nlp_point *point);

#endif
