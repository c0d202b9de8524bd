/* core/model/check/surfaces.h - surfaces and bodies that are other than they look
 *
 * A disc with friction whose `angle` is not given slides as a block does. The surface of a gap is a whole line or
 * plane: a floor is, but not the tray on a hand, from whose end a box would fall.
 */
#ifndef COCP_CORE_MODEL_CHECK_SURFACES_H
#define COCP_CORE_MODEL_CHECK_SURFACES_H

#include "core/model/model.h"

/* Adds a warning, with its position, for each disc or ball that has friction and nothing to turn by. */
void model_check_turning(const struct model *model, struct diag *diag);

/* Adds a note for each gap with a tangent along which two coordinates count by their difference alone (x_box -
 * x_tray): its surface belongs to something that moves, which ends, and neither a constraint nor another
 * contact keeps the two together. */
void model_check_ends(const struct model *model, struct diag *diag);

#endif
