/* core/model/check/products.h - complementarity written by hand, as a constraint
 *
 * lambda*gap == 0, or <= 1e-3, of two factors that are never negative has no interior at which a solver could
 * start, and multipliers without bounds: the block `complementarity` says the same in a form that is solved.
 */
#ifndef COCP_CORE_MODEL_CHECK_PRODUCTS_H
#define COCP_CORE_MODEL_CHECK_PRODUCTS_H

#include "core/model/model.h"

/* Adds a warning, with its position, for each constraint along the path that holds such
 * a product at 0, or nearly. */
void model_check_products(const struct model *model, struct diag *diag);

#endif
