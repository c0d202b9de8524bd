/* transcription/step/predict.h - a step of a FESD-J simulation from a guess of what its contacts do
 *
 * What contacts do is an active set of the step's complementarity system. The guess is that they go on as they
 * are; where that shows a wrong sign (a gap or a force below zero, a slip that turns around) an element ends
 * there and the contact does something else from then on: an impact at the junction, or lift-off, sticking,
 * slipping. Each guess is a square system of equations, solved by project.h, and judged by the original one: a
 * step is taken only if all its signs are right and all products zero. Contacts without friction, with planar
 * friction in scalar form, or with friction in the exact cone; what is not predicted is left to the homotopy.
 */
#ifndef COCP_TRANSCRIPTION_STEP_PREDICT_H
#define COCP_TRANSCRIPTION_STEP_PREDICT_H

#include "transcription/discretize/transcription.h"

enum prediction_outcome {
    PREDICTION_NONE,                /* nothing is known of the step */
    PREDICTION_PLACED,              /* not solved, but the guess of tr has its first impact at a junction */
    PREDICTION_SOLVED
};

/* Starts at the guess of tr (prepared: initial state, first junction, controls) and writes the solution to w
 * [n_w]. lam [n_lam], sel [n_sel]: of the last stage before, or NULL. `may_rest`: a contact may stay closed
 * after an elastic impact, as the system of a step allows where the next bounce would be shorter than about
 * half an element (not by Gauss-Legendre, which would keep the velocity). Bounds of tr are as before
 * afterwards; *iterations counts up. */
enum prediction_outcome tr_predict(struct transcription *tr, const double *lam, const double *sel, bool may_rest,
                                   double *w, int *iterations);

#endif
