/* core/model/check/contradictions.h - constraints that cannot hold together, whatever the motion is
 *
 * x <= 1.4 and x >= 2 at the same places, or x >= 2 at the end where states.x.final is [0, 1]: no solve
 * is needed to see that.
 */
#ifndef COCP_CORE_MODEL_CHECK_CONTRADICTIONS_H
#define COCP_CORE_MODEL_CHECK_CONTRADICTIONS_H

#include "core/model/model.h"

/* Adds a warning, with its position, for each constraint that another one, or the range of an initial
 * or final value, contradicts. */
void model_check_contradictions(const struct model *model, struct diag *diag);

#endif
