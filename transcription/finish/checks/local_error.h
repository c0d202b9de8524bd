/* transcription/finish/checks/local_error.h - what each element of a solution is off by
 *
 * The motion of the mode is integrated from the element's left boundary by Dormand and Prince's method (HNW
 * II.4), to LOCAL_RTOL, with forces and alpha from the conditions of the mode at every point, and compared at the
 * element's points. Events play no part, so that elements are judged alone.
 *
 * Shapes  error [n_element], relative to the scales of states as in a replay (replay.h): the largest one at
 *         the end of the element, or LOCAL_INSIDE times that of the points in between, which are of lower
 *         order. INFINITY: no value.
 */
#ifndef COCP_TRANSCRIPTION_FINISH_CHECKS_LOCAL_ERROR_H
#define COCP_TRANSCRIPTION_FINISH_CHECKS_LOCAL_ERROR_H

#include "transcription/multiphase/multiphase.h"

void local_errors(const struct phases *ph, const double *w, double *error);

#endif
