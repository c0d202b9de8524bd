/* transcription/program/project.h - the nearest solution of the equality rows of a small program
 *
 *   min |w_new - w|   s.t.   g(w_new) = lbg,   variables with lbw = ubw held there        by Gauss-Newton steps
 *
 * Dense and rank-revealing: rows may repeat each other and unknowns may be too many, as they are once the active
 * set of a complementarity system is fixed. For a step of a simulation, not for whole problems: n_w^3.
 */
#ifndef COCP_TRANSCRIPTION_PROGRAM_PROJECT_H
#define COCP_TRANSCRIPTION_PROGRAM_PROJECT_H

#include "core/nlp/nlp.h"

/* w [n_w] is the start and the result; bounds that hold nothing, and rows that are no equations, are not looked at.
 * False if it does not converge; *iterations counts up. */
bool project_on_rows(const struct nlp *nlp, double *w, int *iterations);

#endif
