/* transcription/system/contact_forces.h - contact forces as unknowns (fesd_j.md 3, D.3, D.9) */
#ifndef COCP_TRANSCRIPTION_SYSTEM_CONTACT_FORCES_H
#define COCP_TRANSCRIPTION_SYSTEM_CONTACT_FORCES_H

#include "transcription/method/settings.h"
#include "transcription/system/dcs.h"

/* For FESD-J, where velocities jump too, and for time-stepping. */
void dcs_build_forces(struct dcs *dcs, const struct discretization *settings);

#endif
