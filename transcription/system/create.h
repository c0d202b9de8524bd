/* transcription/system/create.h - from a model to the dynamic complementarity system that its method solves */
#ifndef COCP_TRANSCRIPTION_SYSTEM_CREATE_H
#define COCP_TRANSCRIPTION_SYSTEM_CREATE_H

#include "transcription/method/settings.h"
#include "transcription/system/dcs.h"

/* Builds what the settings' method says. STATUS_SPEC where the method does not take the model; the message names
 * the methods that do. with_clock forces a clock state. */
enum status dcs_create(struct model *model, const struct discretization *settings, bool with_clock,
                       struct dcs **out, struct diag *diag);

#endif
