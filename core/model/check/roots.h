/* core/model/check/roots.h - roots of what may be of either sign
 *
 * sqrt(abs(d)), as of a flow between two tanks, has an infinite slope at d = 0, and abs(d) switches there, so that
 * the root is of a negative number a rounding error beyond: programs and simulations that come to d = 0 stop.
 */
#ifndef COCP_CORE_MODEL_CHECK_ROOTS_H
#define COCP_CORE_MODEL_CHECK_ROOTS_H

#include "core/model/model.h"

/* Adds a warning, with its position, for each root of an abs. */
void model_check_roots(const struct model *model, struct diag *diag);

#endif
