/* transcription/system/switched.h - Filippov systems in step or Stewart form (fesd.md) */
#ifndef COCP_TRANSCRIPTION_SYSTEM_SWITCHED_H
#define COCP_TRANSCRIPTION_SYSTEM_SWITCHED_H

#include "transcription/method/settings.h"
#include "transcription/system/dcs.h"

/* Modes and nonsmooth functions of the model become switches of the dcs, whose smooth part is there. */
enum status dcs_build_switched(struct dcs *dcs, const struct discretization *settings, struct diag *diag);

#endif
