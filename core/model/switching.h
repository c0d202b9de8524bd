/* core/model/switching.h - what switches besides contacts */
#ifndef COCP_CORE_MODEL_SWITCHING_H
#define COCP_CORE_MODEL_SWITCHING_H

#include "core/model/parts/model.h"

/* Signal k of machines: its name, and whose it is. */
const char *model_signal_name(const struct model *model, int k);
const struct model_machine *model_signal_machine(const struct model *model, int k);
/* The relay with this state symbol; NULL: none. */
const struct model_hysteresis *model_find_relay(const struct model *model, expr state);
/* Does its condition depend on controls? On nothing else but parameters then (method.h). */
bool model_is_commanded(const struct model *model, const struct model_transition *transition);
/* The projection whose switch has this step; NULL: none. */
const struct model_projection *model_find_projection(const struct model *model, expr state);
/* The first pair with a force of its own, the first one whose force e depends on; NULL: there is none. */
const struct model_projection *model_first_own_pair(const struct model *model);
const struct model_projection *model_find_own_pair(const struct model *model, expr e);
/* Errors: the switching function c, called name, depends on the force of a pair, whose place
 * in the spec the message has. */
enum status model_check_switch(const struct model *model, expr c, const char *name, struct diag *diag);

#endif
