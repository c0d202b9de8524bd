/* transcription/system/create.h - from a model to the dynamic complementarity system that its method solves */
#ifndef COCP_TRANSCRIPTION_SYSTEM_CREATE_H
#define COCP_TRANSCRIPTION_SYSTEM_CREATE_H

#include "transcription/method/settings.h"
#include "transcription/system/dcs.h"

/* Builds what the settings' method says. STATUS_SPEC where the method does not take the model; the message names
 * the methods that do. with_clock forces a clock state. */
enum status dcs_create(struct model *model, const struct discretization *settings, bool with_clock,
                       struct dcs **out, struct diag *diag);

/* FESD needs switching functions that are continuous in time: STATUS_SPEC where controls that jump are in them,
 * with a message of that level for each. */
enum status dcs_check_controls(const struct dcs *dcs, enum diag_level level, struct diag *diag);

#endif
