/* core/model/check/scales.h - states whose numbers are far from 1, or from each other
 *
 * A solver sees numbers: a ball in micrometres is at 1e6, and barriers and tolerances are for numbers around 1.
 * How large a state is its `scale` says, else its guess and what it is at both ends, but for 0. Bounds say nothing
 * here, as they may be wide.
 */
#ifndef COCP_CORE_MODEL_CHECK_SCALES_H
#define COCP_CORE_MODEL_CHECK_SCALES_H

#include "core/model/model.h"

#define SCALES_FAR 1e4              /* numbers that are that many times as large as others, or as 1 */

/* Adds one warning where sizes of states are farther apart, or farther from 1, than that: with the largest and the
 * smallest, and the setting to use. For solves whose spec does not say how it is to be scaled. */
void model_check_scales(const struct model *model, struct diag *diag);

#endif
