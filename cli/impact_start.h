/* cli/impact_start.h - the state that an impact starts from: the spec's initial values, or an event in a result */
#ifndef COCP_CLI_IMPACT_START_H
#define COCP_CLI_IMPACT_START_H

#include "cli/problem.h"

/* Fills x [n_x] and p [n_p]. from: NULL, or "FILE.h5@T": the state before the event of that file's /events that is
 * nearest to the time T (within 1e-3 of max(1, |T|)), states and optimized parameters matched by name. */
enum status impact_start_read(const struct problem *problem, const char *from, double *x, double *p,
                              struct diag *diag);

#endif
