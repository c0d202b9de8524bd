/* core/model/check/sliding.h - what a nonlinear function of a switch means while it slides
 *
 * A rate f(x, alpha) with the step alpha of a switch is f(x, 0) on one side and f(x, 1) on the other. On the
 * surface it is what the formula gives for an alpha in between: of sign(y)^2, which is 1 on both sides, 0.25 for
 * alpha = 0.75. That is Utkin's equivalent control. Filippov's solution takes (1 - alpha) f(x, 0) + alpha f(x, 1)
 * instead, the same wherever f is linear in alpha, or smooth at the surface as abs(y)^2.
 */
#ifndef COCP_CORE_MODEL_CHECK_SLIDING_H
#define COCP_CORE_MODEL_CHECK_SLIDING_H

#include "core/model/model.h"

/* Adds a warning, with its position, for each switch in which a rate is not linear on its surface. */
void model_check_sliding(const struct model *model, struct diag *diag);

#endif
