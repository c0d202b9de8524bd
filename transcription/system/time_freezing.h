/* transcription/system/time_freezing.h - a mechanical system with impacts as a Filippov system (time_freezing.md) */
#ifndef COCP_TRANSCRIPTION_SYSTEM_TIME_FREEZING_H
#define COCP_TRANSCRIPTION_SYSTEM_TIME_FREEZING_H

#include "transcription/method/settings.h"
#include "transcription/system/dcs.h"

/* Errors  STATUS_SPEC for friction at elastic contacts and for too many modes in Stewart's form. */
enum status dcs_build_time_freezing(struct dcs *dcs, const struct discretization *settings, struct diag *diag);

#endif
