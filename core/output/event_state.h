/* core/output/event_state.h - what an impact starts from: the spec's initial values, or an event in a result */
#ifndef COCP_CORE_OUTPUT_EVENT_STATE_H
#define COCP_CORE_OUTPUT_EVENT_STATE_H

#include "core/model/model.h"

/* Fills x [n_x] and p [n_p]. from: NULL, or "FILE.h5@T": the state before the event of that file's /events that is
 * nearest to the time T (within 1e-3 of max(1, |T|)), states and optimized parameters matched by name. */
enum status event_state_read(const struct model *model, const char *from, double *x, double *p,
                              struct diag *diag);

#endif
