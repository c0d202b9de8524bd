/* core/model/check/units.h - do the units that a spec gives fit together?
 *
 * Rates against states, positions against velocities, forces against masses or energies, both sides of
 * constraints, terms of sums and arguments of functions in all of these and in gaps. Costs are weighted sums of
 * anything, and are not looked at.
 */
#ifndef COCP_CORE_MODEL_CHECK_UNITS_H
#define COCP_CORE_MODEL_CHECK_UNITS_H

#include "core/model/model.h"

/* Adds a warning, with its position, for each place where what is known disagrees (units.h). */
void model_check_units(const struct model *model, struct diag *diag);

#endif
