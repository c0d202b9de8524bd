/* core/model/check/unused.h - parameters that nothing in the spec depends on
 *
 * A formula that says `m` where `parameters` has `mm` as well is right as far as anybody can read; so is --set
 * parameters.mm=2, which changes nothing. The first is warned of, the second refused.
 */
#ifndef COCP_CORE_MODEL_CHECK_UNUSED_H
#define COCP_CORE_MODEL_CHECK_UNUSED_H

#include "core/model/model.h"

/* To be called when all blocks, settings among them, have been read. Adds a warning for each
 * parameter of the file itself (not of one that it includes) that no expression names, and an error,
 * STATUS_SPEC, for one that --set gives. */
enum status model_check_unused(const struct model *model, struct diag *diag);

#endif
