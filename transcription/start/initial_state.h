/* transcription/start/initial_state.h - initial values that meet what is asked at the start
 *
 * A guess says where free initial values are about; equations that tie them to each other ("the foot is on the
 * ground") hold to two digits. Simulated from there a sling lies below its trough, and feet that should stand
 * hover. Free values are moved by as little as does it: Gauss-Newton steps of least length on constraints at the
 * start and on gaps that are negative (Nocedal and Wright, Numerical Optimization, 10.3).
 *
 * Shapes  x [n_x], p [n_p].
 */
#ifndef COCP_TRANSCRIPTION_START_INITIAL_STATE_H
#define COCP_TRANSCRIPTION_START_INITIAL_STATE_H

#include "core/model/model.h"

/* False, and x as it was, where no such values are found. */
bool initial_state_meet(const struct model *model, const double *p, double *x);
/* The same at the end, of a guess of the state there with its fixed values. */
bool final_state_meet(const struct model *model, const double *p, double *x);

#endif
