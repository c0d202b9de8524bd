/* core/model/quaternions.h - unit quaternions among the states */
#ifndef COCP_CORE_MODEL_QUATERNIONS_H
#define COCP_CORE_MODEL_QUATERNIONS_H

#include "core/model/parts/model.h"

/* Gives orientations by quaternions their unit length again; a zero one stays. x [n_x]. */
void quaternions_normalize(const struct model *model, double *x);

#endif
